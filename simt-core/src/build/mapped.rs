//! `.map(|x| ..)` of what only rustc knows: an array, an option or a result.

use super::{Builder, Composite, IntoValue, Let, Value};

/// Has `.map(|x| ..)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `.map(..)` in a kernel",
    label = "no array, no `Option` and no `Result`",
    note = "an iterator has it: `x.iter().map(|v| ..)`",
    note = "a struct's own method of this name that takes a closure is called by its path: `Name::map(x, |v| ..)`"
)]
pub trait MappedValue: Composite {
    /// What the closure gets.
    type Item: Composite;
    /// The same of another type.
    type Of<U: Composite>: Composite;
    /// What it is with the values that the closure gives.
    fn mapped<U: Composite>(
        k: &Builder,
        at: u32,
        value: Let<Self>,
        make: impl FnMut(Let<Self::Item>) -> Value<U>,
    ) -> Value<Self::Of<U>>;
}

impl<T: Composite, const N: usize> MappedValue for [T; N] {
    type Item = T;
    type Of<U: Composite> = [U; N];

    fn mapped<U: Composite>(
        k: &Builder,
        at: u32,
        value: Let<Self>,
        make: impl FnMut(Let<T>) -> Value<U>,
    ) -> Value<[U; N]> {
        k.array_map::<T, U, N>(at, value, make)
    }
}

macro_rules! mapped_variants {
    ($([$($generics:tt)*] $ty:ty: $of:ty;)*) => {$(
        impl<T: Composite $($generics)*> MappedValue for $ty {
            type Item = T;
            type Of<U: Composite> = $of;

            fn mapped<U: Composite>(
                k: &Builder,
                at: u32,
                value: Let<Self>,
                mut make: impl FnMut(Let<T>) -> Value<U>,
            ) -> Value<$of> {
                let slot = k.slot::<$of>();
                k.begin_if(at, k.is_present(value));
                let made = make(k.present_value(value));
                k.give(at, slot, k.present_as::<Self, U>(at, value, made));
                k.begin_else();
                k.give(at, slot, k.absent_as::<Self, U>(value));
                k.end_if();
                Value::new(slot.operand(k))
            }
        }
    )*};
}
mapped_variants! {
    [] Option<T>: Option<U>;
    [, E: Composite] Result<T, E>: Result<U, E>;
}

impl Builder {
    /// `value.map(make)`
    #[inline(never)]
    pub fn mapped_value<V: MappedValue, U: Composite>(
        &self,
        at: u32,
        value: impl IntoValue<V>,
        make: impl FnMut(Let<V::Item>) -> Value<U>,
    ) -> Value<V::Of<U>> {
        let value = self.keep::<V>(at, value);
        V::mapped(self, at, value, make)
    }
}
