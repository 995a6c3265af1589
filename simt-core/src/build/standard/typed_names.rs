//! Methods of `u8` and of `bool` whose names a struct's own methods may have, as in `number_names`.

use super::super::{Composite, IntoValue, Value};
use super::number_names::{NumberCall, Numbers, OfNumber};

/// Each row: the name, by what the macro looks for it, the type, its argument, and its result.
macro_rules! typed_methods {
    ($($name:ident $found:ident$(<$of:ident>)?($ty:ty $(, $arg:ident: $taken:ty)?) -> $result:ty;)*) => {$(
        method_names! { Numbers, OfNumber: $name $found; }

        impl<A: IntoValue<$ty>> NumberCall<'_, A, $name> {
            #[doc = concat!("`a.", stringify!($name), "()`")]
            #[inline(never)]
            pub fn __rest$(<$of: Composite>)?(self $(, $arg: impl IntoValue<$taken>)?) -> Value<$result> {
                let (k, at, receiver) = self.parts();
                k.$name(at, receiver $(, $arg)?)
            }
        }
    )*};
}

typed_methods! {
    is_ascii __fn_is_ascii(u8) -> bool;
    is_ascii_digit __fn_is_ascii_digit(u8) -> bool;
    is_ascii_uppercase __fn_is_ascii_uppercase(u8) -> bool;
    is_ascii_lowercase __fn_is_ascii_lowercase(u8) -> bool;
    is_ascii_alphabetic __fn_is_ascii_alphabetic(u8) -> bool;
    is_ascii_alphanumeric __fn_is_ascii_alphanumeric(u8) -> bool;
    is_ascii_hexdigit __fn_is_ascii_hexdigit(u8) -> bool;
    is_ascii_punctuation __fn_is_ascii_punctuation(u8) -> bool;
    is_ascii_graphic __fn_is_ascii_graphic(u8) -> bool;
    is_ascii_whitespace __fn_is_ascii_whitespace(u8) -> bool;
    is_ascii_control __fn_is_ascii_control(u8) -> bool;
    to_ascii_lowercase __fn_to_ascii_lowercase(u8) -> u8;
    to_ascii_uppercase __fn_to_ascii_uppercase(u8) -> u8;
    then_some __fn_then_some<T>(bool, value: T) -> Option<T>;
}
