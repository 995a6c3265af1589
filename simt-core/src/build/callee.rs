//! What can be called in a kernel, and what can be passed; and what rustc says if it cannot.

use super::overloaded::Literal;
use super::std_function::OfTwo;
use super::{
    ArrayMut, ArrayRef, AtomicRef, AtomicRows, AtomicSlice, Builder, Composite, Let, Mutable, OnlyKernelsCallThis,
    SliceMut, SliceRef, Value,
};
use std::marker::PhantomData;
use std::ops::Deref;

/// A function that kernels and device functions can call. No type has this trait: rustc looks for it where a function is
/// called that is not one, see [`Callee`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be called in a kernel",
    label = "not a `#[device]` function",
    note = "write `#[device]` above the function to call it from kernels",
    note = "of the standard library, kernels have methods of numbers: `a.max(b)` for `max(a, b)`"
)]
pub trait DeviceFunction {
    /// What begins a call.
    type Call;
}

/// A function that is to be called: what `#[device]` makes of one, or by mistake another.
///
/// The functions that `#[device]` makes take an [`OnlyKernelsCallThis`], and have no type that could have a trait. So of two
/// methods of the same name rustc takes the first, whose bound they satisfy; for other functions it finds the next ones
/// behind `Deref`: those of `std` that kernels have, and at last one whose bound it explains.
#[derive(Debug)]
pub struct Callee<'k, F> {
    call: OnlyKernelsCallThis<'k>,
    function: F,
    other: OfTwo<'k, F>,
}

/// A function that cannot be called.
#[derive(Debug)]
pub struct OtherFunction<F>(PhantomData<F>);

impl<'k, F, C> Callee<'k, F>
where
    F: FnOnce(OnlyKernelsCallThis<'k>) -> C,
{
    /// Begins the call.
    pub fn begin(self) -> C {
        (self.function)(self.call)
    }
}

impl<'k, F> Deref for Callee<'k, F> {
    type Target = OfTwo<'k, F>;

    fn deref(&self) -> &OfTwo<'k, F> {
        &self.other
    }
}

/// `OtherFunction<F>: Of<G>` holds if `F` and `G` are one type. A bound on `F` itself would be a reason not to take the
/// method, and so not be explained.
pub trait Of<F> {}

impl<F> Of<F> for OtherFunction<F> {}

impl<F> OtherFunction<F> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }

    /// Explains that the function cannot be called.
    ///
    /// # Panics
    /// Never: it cannot be called either.
    #[inline(never)]
    pub fn begin<G: DeviceFunction>(&self) -> G::Call
    where
        Self: Of<G>,
    {
        unreachable!("no type has the trait")
    }
}

/// Can be an argument of a device function, and be held while later ones are evaluated.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be passed in a kernel", label = "neither a value nor memory")]
pub trait Hold {
    /// What it is when it is held.
    type Held;

    /// Evaluates it now.
    fn hold(self, k: &Builder, at: u32) -> Self::Held;
}

impl<T: Composite> Hold for Mutable<T> {
    type Held = Let<T>;

    fn hold(self, k: &Builder, at: u32) -> Let<T> {
        k.keep(at, self)
    }
}

impl<T: Composite> Hold for Value<T> {
    type Held = Let<T>;

    fn hold(self, k: &Builder, at: u32) -> Let<T> {
        k.keep(at, self)
    }
}

macro_rules! unchanging {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> Hold for $ty {
            type Held = Self;

            fn hold(self, _: &Builder, _: u32) -> Self {
                self
            }
        }
    )*};
}
unchanging! {
    [T] Let<T>; [T] SliceRef<T>; [T] SliceMut<T>; [T, const N: usize] ArrayRef<T, N>; [T, const N: usize] ArrayMut<T, N>; [T] AtomicSlice<T>;
    [T] AtomicRows<T>; [T] AtomicRef<T>;
    [] u8; [] u16; [] u32; [] u64; [] i8; [] i16; [] i32; [] i64; [] f32; [] f64; [] bool; [] usize; [] isize;
    [T, const N: usize] [T; N]; [T] Literal<T>;
}
#[cfg(feature = "half")]
unchanging! {
    [] half::f16; [] half::bf16;
}

impl Builder {
    /// A function that is to be called.
    #[inline(never)]
    pub fn function<F>(&self, at: u32, function: F) -> Callee<'_, F> {
        let mut call = OnlyKernelsCallThis::new(self, self.span(at));
        call.at = at;
        Callee { call, function, other: OfTwo::new(self, at) }
    }

    /// An argument that is a name, evaluated before later ones are. May emit an assignment to a temporary.
    #[inline(never)]
    pub fn hold_argument<A: Hold>(&self, at: u32, argument: A) -> A::Held {
        argument.hold(self, at)
    }
}
