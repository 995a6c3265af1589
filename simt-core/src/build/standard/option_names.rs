//! Methods of `Option` and `Result` whose names a struct's own methods may have, where only rustc knows which is meant:
//! `p.is_some()`.
//!
//! As for numbers (see `number_names`), rustc takes the method of options if nothing is known that rules it out, and otherwise,
//! behind `Deref`, looks the method up on the type. So a type that is not known yet is an option's.

use super::super::{
    Builder, Composite, ElementOf, IntoValue, KernelData, Let, Mutable, Never, ReadSlice, Value, Variants,
};
use super::number_names::OtherSubject;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Deref;

/// Is an `Option` or a `Result`, for all that is known of its type.
pub trait OptionReceiver {
    /// What it is until the method's arguments are there.
    type Kept;
    /// Reads it now, if an argument may emit statements.
    fn kept(self, k: &Builder, at: u32, held: bool) -> Self::Kept;
}

impl<V: Variants> OptionReceiver for Mutable<V> {
    type Kept = Let<V>;

    fn kept(self, k: &Builder, at: u32, held: bool) -> Let<V> {
        if held { k.keep(at, self) } else { k.exposed(at, self) }
    }
}

impl<V: Variants> OptionReceiver for Value<V> {
    type Kept = Self;

    fn kept(self, k: &Builder, at: u32, held: bool) -> Self {
        if held { k.hold(at, self) } else { self }
    }
}

impl<V: Variants + KernelData, S: ReadSlice<V>> OptionReceiver for ElementOf<S, V> {
    type Kept = Value<V>;

    fn kept(self, k: &Builder, at: u32, held: bool) -> Value<V> {
        self.read(k, at).kept(k, at, held)
    }
}

macro_rules! unchanging {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> OptionReceiver for $ty {
            type Kept = Self;

            fn kept(self, _: &Builder, _: u32, _: bool) -> Self {
                self
            }
        }
    )*};
}
unchanging! {
    [V: Variants] Let<V>; [] Never; [T] Option<T>; [T, E] Result<T, E>;
}

/// What a method is called of that may be an option's.
#[derive(Debug)]
pub struct OptionSubject<'k, A>(OtherSubject<'k, A>);

impl<'k, A> Deref for OptionSubject<'k, A> {
    type Target = OtherSubject<'k, A>;

    fn deref(&self) -> &OtherSubject<'k, A> {
        &self.0
    }
}

/// A method of options, by its name.
#[derive(Debug)]
pub struct OfOption<N>(PhantomData<fn(N)>);

/// Has the methods of options, which rustc looks up.
#[derive(Debug)]
pub enum Options {}

/// A call of a method of options.
#[derive(Debug)]
pub struct OptionCall<'k, A, N> {
    k: &'k Builder,
    at: u32,
    receiver: A,
    method: PhantomData<fn(N)>,
}

impl<'k, A: OptionReceiver> OptionSubject<'k, A> {
    /// As [`Self::method`].
    #[inline(never)]
    pub fn method_of_temporary<N>(
        self,
        at: u32,
        held: bool,
        of: impl FnOnce(&Options) -> OfOption<N>,
    ) -> OptionCall<'k, A::Kept, N> {
        self.method(at, held, of)
    }

    /// The method of an option.
    #[inline(never)]
    pub fn method<N>(self, at: u32, held: bool, _: impl FnOnce(&Options) -> OfOption<N>) -> OptionCall<'k, A::Kept, N> {
        let (k, receiver) = self.taken();
        OptionCall { k, at, receiver: receiver.kept(k, at, held), method: PhantomData }
    }
}

impl Builder {
    /// What stands before the point of a method that may be an option's.
    #[inline(never)]
    pub fn option_subject<A>(&self, receiver: A) -> OptionSubject<'_, A> {
        OptionSubject(OtherSubject::new(self, receiver))
    }
}

/// Each row: the name, by what the macro looks for it, the builder's method, whose method it is, its argument, and its result.
macro_rules! option_methods {
    ($($name:ident $found:ident $method:ident<$($of:ident: $bound:path),*>($ty:ty $(, $arg:ident: $taken:ty)?) -> $result:ty;)*) => {$(
        method_names! { Options, OfOption: $name $found; }

        impl<A> OptionCall<'_, A, $name> {
            #[doc = concat!("`a.", stringify!($name), "()`")]
            #[inline(never)]
            pub fn __rest<$($of: $bound),*>(self $(, $arg: impl IntoValue<$taken>)?) -> Value<$result>
            where
                A: IntoValue<$ty>,
            {
                self.k.$method(self.at, self.receiver $(, $arg)?)
            }
        }
    )*};
}

option_methods! {
    is_some __fn_is_some is_some<T: Composite>(Option<T>) -> bool;
    is_none __fn_is_none is_none<T: Composite>(Option<T>) -> bool;
    is_ok __fn_is_ok is_ok<T: Composite, E: Composite>(Result<T, E>) -> bool;
    is_err __fn_is_err is_err<T: Composite, E: Composite>(Result<T, E>) -> bool;
    ok __fn_ok ok_of<T: Composite, E: Composite>(Result<T, E>) -> Option<T>;
    err __fn_err err_of<T: Composite, E: Composite>(Result<T, E>) -> Option<E>;
    ok_or __fn_ok_or ok_or<T: Composite, E: Composite>(Option<T>, error: E) -> Result<T, E>;
    unwrap_or __fn_unwrap_or unwrap_or<V: Variants>(V, default: V::Value) -> V::Value;
}

method_names! { Options, OfOption: unwrap __fn_unwrap; expect __fn_expect; unwrap_or_default __fn_unwrap_or_default; }

impl<A> OptionCall<'_, A, unwrap> {
    /// `a.unwrap()`
    #[inline(never)]
    pub fn __rest<V: Variants<Other: Debug>>(self) -> Value<V::Value>
    where
        A: IntoValue<V>,
    {
        self.k.unwrap::<V>(self.at, self.receiver, None)
    }
}

impl<A> OptionCall<'_, A, expect> {
    /// `a.expect(TEXT)`
    #[inline(never)]
    pub fn __rest<V: Variants<Other: Debug>>(self, text: &'static str) -> Value<V::Value>
    where
        A: IntoValue<V>,
    {
        self.k.unwrap::<V>(self.at, self.receiver, Some(text))
    }
}

impl<A> OptionCall<'_, A, unwrap_or_default> {
    /// `a.unwrap_or_default()`
    #[inline(never)]
    pub fn __rest<V: Variants<Value: Default + IntoValue<V::Value>>>(self) -> Value<V::Value>
    where
        A: IntoValue<V>,
    {
        self.k.unwrap_or_default::<V>(self.at, self.receiver)
    }
}
