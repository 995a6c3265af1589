//! Operators whose operands may be of users' types: `v * 2.0 + w` of vectors.
//!
//! The macro knows no types. Where it cannot see that both operands are scalars, it puts them side by side, and rustc chooses
//! between two methods of one name: the operator on scalars, if nothing is known that rules it out, and otherwise, behind
//! `Deref`, the one that `#[device] impl std::ops::Mul for V` has. So a type that is not known yet is a scalar's, as it is for
//! the methods of the room `operators`.

use super::function::OnlyKernelsCallThis;
pub use super::one_operand::{Neg, Not};
use super::{
    ArrayMut, ArrayRef, AtomicRows, AtomicSlice, Builder, ByMut, Composite, ElementOf, IntoIndex, IntoValue,
    IteratedMut, IteratedRef, KernelData, Let, Mutable, Never, Receiver, Same, SliceMut, SliceRef, Types, Value,
    ValueMut, ValueRef, WriteSlice,
};
use crate::ops::{Bits, Int, Num};
use crate::scalar::Scalar;
use crate::source::Span;
use std::ops::{Deref, DerefMut};

/// Is a scalar, for all that is known of its type; or nothing that an operator takes, which that on scalars explains.
pub trait Simple {}

impl<T: Scalar> Simple for Let<T> {}
impl<T: Scalar> Simple for Value<T> {}
impl<T: Scalar> Simple for Mutable<T> {}
impl<T: Scalar> Simple for IteratedRef<T> {}
impl<T> Simple for Literal<T> {}
impl Simple for Never {}

macro_rules! simple {
    ($($memory:ident)*; $($host:ty)*) => {
        $(impl<T> Simple for $memory<T> {})*
        $(impl Simple for $host {})*
    };
}
simple!(SliceRef SliceMut AtomicSlice AtomicRows ValueRef ValueMut IteratedMut; u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);
#[cfg(feature = "half")]
simple!(; half::f16 half::bf16);

/// A literal, whose type rustc may find out from what stands on the operator's other side: only a number's.
#[derive(Clone, Copy, Debug)]
pub struct Literal<T>(T);

impl<U: IntoValue<U>, T> IntoValue<T> for Literal<U>
where
    Types: Same<U, T>,
{
    fn into_value(self, k: &Builder, span: Span) -> Value<T> {
        Types::same(self.0.into_value(k, span))
    }
}

/// The operands of an operator.
#[derive(Debug)]
pub struct Operands<'k, A, B>(OtherOperands<'k, A, B>);

/// Operands of which at least one is of a user's type.
#[derive(Debug)]
pub struct OtherOperands<'k, A, B>(DerivedOperands<'k, A, B>);

/// Operands that are compared as derived.
#[derive(Debug)]
pub struct DerivedOperands<'k, A, B> {
    k: &'k Builder,
    both: Option<(A, B)>,
}

impl<'k, A, B> Deref for Operands<'k, A, B> {
    type Target = OtherOperands<'k, A, B>;

    fn deref(&self) -> &OtherOperands<'k, A, B> {
        &self.0
    }
}

impl<A, B> DerefMut for Operands<'_, A, B> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'k, A, B> Deref for OtherOperands<'k, A, B> {
    type Target = DerivedOperands<'k, A, B>;

    fn deref(&self) -> &DerivedOperands<'k, A, B> {
        &self.0
    }
}

impl<A, B> DerefMut for OtherOperands<'_, A, B> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'k, A, B> DerivedOperands<'k, A, B> {
    pub(super) fn taken(&mut self) -> (&'k Builder, A, B) {
        let Some((a, b)) = self.both.take() else { unreachable!("an operator is built once") };
        (self.k, a, b)
    }
}

/// `slice[index]`, left of `op=`.
#[derive(Debug)]
pub struct Target<S, I> {
    slice: S,
    index: I,
}

/// A slice of scalars, for all that is known, or nothing that is one.
pub trait SimpleSlice {}

impl<T: Scalar> SimpleSlice for SliceMut<T> {}
impl<T: Scalar, const N: usize> SimpleSlice for ArrayMut<T, N> {}
impl<T> SimpleSlice for SliceRef<T> {}
impl<T, const N: usize> SimpleSlice for ArrayRef<T, N> {}
impl<T> SimpleSlice for AtomicSlice<T> {}
impl<T> SimpleSlice for AtomicRows<T> {}

/// What is left of `op=`: a variable or an element, of type `T`.
#[diagnostic::on_unimplemented(
    message = "cannot assign to this in a kernel",
    label = "not a `let mut` variable, a field of one, or an element that may be written",
    note = "write `let mut` (or `mut` before the parameter's name) where it is declared"
)]
pub trait UpdatedPlace<T> {
    /// What a method that writes to its `self` takes.
    type Receiver: Receiver<ByMut>;
    /// That of this place.
    fn receiver(self, k: &Builder, at: u32) -> Self::Receiver;
}

impl<T: Composite> UpdatedPlace<T> for Mutable<T> {
    type Receiver = Self;

    fn receiver(self, _: &Builder, _: u32) -> Self {
        self
    }
}

impl<T: KernelData, S: WriteSlice<T>, I: IntoIndex> UpdatedPlace<T> for Target<S, I> {
    type Receiver = ElementOf<S, T>;

    fn receiver(self, k: &Builder, at: u32) -> ElementOf<S, T> {
        k.receiver_element(at, self.slice, self.index)
    }
}

/// Two types of no value, which have all operators. rustc explains what is missing of a method only if some types have it all,
/// and if only one has, it expects that one.
#[derive(Debug)]
pub enum Nothing<const SECOND: bool> {}

/// Each row: the methods for `a op b`, `a op= b`, and the latter of an element that is a scalar; the traits that `#[device]`
/// implements for users' types; what scalars it is for; and the errors.
macro_rules! binary {
    ($($method:ident, $assign:ident, $method_at:ident; $Op:ident, $OpAssign:ident; $bound:ident $(, $S:ident: $count:ident)?;
       right: $right:ident; $error:literal, $assign_error:literal;)*) => {
        $(
            /// The operator of this type and `R` in kernels.
            #[diagnostic::on_unimplemented(
                message = $error,
                label = $error,
                note = "write `#[device]` above the `impl` of the operator for a struct of your own, and a bound for a type \
                        parameter, `T: Num`"
            )]
            pub trait $Op<R = Self>: Sized {
                /// The result's type. A bound has that of `std` beside it, whose `Output` is to be no other.
                type OperatorOutput: Composite;
                /// Calls it.
                fn call(call: OnlyKernelsCallThis<'_>, left: Value<Self>, right: Value<R>) -> Value<Self::OperatorOutput>;
                /// Calls it, or emits that on scalars.
                fn operate(k: &Builder, at: u32, left: Value<Self>, right: Value<R>) -> Value<Self::OperatorOutput> {
                    Self::call(OnlyKernelsCallThis::new(k, k.span(at)), left, right)
                }
            }

            #[diagnostic::do_not_recommend]
            impl<T: $bound $(, $S: $count)?> $Op<$right> for T {
                type OperatorOutput = T;

                fn call(_: OnlyKernelsCallThis<'_>, _: Value<T>, _: Value<$right>) -> Value<T> {
                    unreachable!("of scalars it is no function")
                }

                fn operate(k: &Builder, at: u32, left: Value<T>, right: Value<$right>) -> Value<T> {
                    k.$method(at, left, right)
                }
            }

            /// The operator that changes an `L` by an `R` in kernels.
            #[diagnostic::on_unimplemented(
                message = $assign_error,
                label = $assign_error,
                note = "write `#[device]` above the `impl` of this operator for a struct of your own, or `a = a op b`; and a bound for a \
                        type parameter, `T: Num`"
            )]
            pub trait $OpAssign<L, R> {
                /// Calls it, with the place passed.
                fn call(call: OnlyKernelsCallThis<'_>, right: Value<R>) -> Value<()>;
            }

            binary!(@nothing $Op $OpAssign Nothing<false>);
            binary!(@nothing $Op $OpAssign Nothing<true>);

            #[allow(clippy::should_implement_trait, reason = "it has a place, and emits")]
            impl<A: Simple, B: Simple> Operands<'_, A, B> {
                /// The operator on scalars.
                #[inline(never)]
                pub fn $method<T: $bound $(, $S: $count)?>(mut self, at: u32) -> Value<T>
                where
                    A: IntoValue<T>,
                    B: IntoValue<$right>,
                {
                    let (k, a, b) = self.taken();
                    k.$method(at, a, b)
                }
            }

            impl<A, B> OtherOperands<'_, A, B> {
                /// The operator of a user's type.
                #[inline(never)]
                pub fn $method<L: Composite + $Op<R>, R: Composite>(&mut self, at: u32) -> Value<L::OperatorOutput>
                where
                    A: IntoValue<L>,
                    B: IntoValue<R>,
                {
                    let (k, a, b) = self.taken();
                    let span = k.span(at);
                    let (a, b) = (a.into_value(k, span), b.into_value(k, span));
                    L::operate(k, at, a, b)
                }
            }

            impl<T: Scalar, B: Simple> Operands<'_, Mutable<T>, B> {
                /// The operator on a variable that is a scalar.
                #[inline(never)]
                pub fn $assign$(<$S: $count>)?(mut self, at: u32)
                where
                    T: $bound,
                    B: IntoValue<$right>,
                {
                    let (k, place, value) = self.taken();
                    k.assign::<T>(at, place, k.$method(at, place, value));
                }
            }

            impl<S: SimpleSlice, I, B: Simple> Operands<'_, Target<S, I>, B> {
                /// The operator on an element that is a scalar.
                #[inline(never)]
                pub fn $assign<T: $bound $(, $S: $count)?>(mut self, at: u32)
                where
                    S: WriteSlice<T>,
                    I: IntoIndex,
                    B: IntoValue<$right>,
                {
                    let (k, Target { slice, index }, value) = self.taken();
                    k.$method_at(at, slice, value, index);
                }
            }

            impl<P, B> OtherOperands<'_, P, B> {
                /// The operator that writes to a place of a user's type.
                #[inline(never)]
                pub fn $assign<L, R: Composite>(&mut self, at: u32)
                where
                    P: UpdatedPlace<L>,
                    B: IntoValue<R>,
                    Types: $OpAssign<L, R>,
                {
                    let (k, place, value) = self.taken();
                    let value = value.into_value(k, k.span(at));
                    let mut call = OnlyKernelsCallThis::new(k, k.span(at));
                    place.receiver(k, at).pass(&mut call, at, false);
                    <Types as $OpAssign<L, R>>::call(call, value);
                }
            }
        )*
    };
    (@nothing $Op:ident $OpAssign:ident $nothing:ty) => {
        #[diagnostic::do_not_recommend]
        impl $Op for $nothing {
            type OperatorOutput = ();

            fn call(_: OnlyKernelsCallThis<'_>, left: Value<$nothing>, _: Value<$nothing>) -> Value<()> {
                Value::new(left.operand)
            }
        }

        #[diagnostic::do_not_recommend]
        impl $OpAssign<$nothing, $nothing> for Types {
            fn call(_: OnlyKernelsCallThis<'_>, right: Value<$nothing>) -> Value<()> {
                Value::new(right.operand)
            }
        }
    };
}

binary! {
    add, add_assign, add_at; Add, AddAssign; Num; right: T;
        "cannot add `{R}` to `{Self}` in a kernel", "cannot add-assign `{R}` to `{L}` in a kernel";
    sub, sub_assign, sub_at; Sub, SubAssign; Num; right: T;
        "cannot subtract `{R}` from `{Self}` in a kernel", "cannot subtract-assign `{R}` from `{L}` in a kernel";
    mul, mul_assign, mul_at; Mul, MulAssign; Num; right: T;
        "cannot multiply `{Self}` by `{R}` in a kernel", "cannot multiply-assign `{L}` by `{R}` in a kernel";
    div, div_assign, div_at; Div, DivAssign; Num; right: T;
        "cannot divide `{Self}` by `{R}` in a kernel", "cannot divide-assign `{L}` by `{R}` in a kernel";
    rem, rem_assign, rem_at; Rem, RemAssign; Num; right: T;
        "no remainder of `{Self}` divided by `{R}` in a kernel", "no `{L} %= {R}` in a kernel";
    bit_and, bit_and_assign, bit_and_at; BitAnd, BitAndAssign; Bits; right: T;
        "no `{Self} & {R}` in a kernel", "no `{L} &= {R}` in a kernel";
    bit_or, bit_or_assign, bit_or_at; BitOr, BitOrAssign; Bits; right: T;
        "no `{Self} | {R}` in a kernel", "no `{L} |= {R}` in a kernel";
    bit_xor, bit_xor_assign, bit_xor_at; BitXor, BitXorAssign; Bits; right: T;
        "no `{Self} ^ {R}` in a kernel", "no `{L} ^= {R}` in a kernel";
    shl, shl_assign, shl_at; Shl, ShlAssign; Int, C: Int; right: C;
        "no `{Self} << {R}` in a kernel", "no `{L} <<= {R}` in a kernel";
    shr, shr_assign, shr_at; Shr, ShrAssign; Int, C: Int; right: C;
        "no `{Self} >> {R}` in a kernel", "no `{L} >>= {R}` in a kernel";
}

impl Builder {
    /// The operands of an operator, of which at least one may be of a user's type. Of `-a` and `!a` the second is `()`.
    #[inline(never)]
    pub fn operands<A, B>(&self, a: A, b: B) -> Operands<'_, A, B> {
        Operands(OtherOperands(DerivedOperands { k: self, both: Some((a, b)) }))
    }

    /// A literal, as one of these.
    #[inline(never)]
    pub fn literal<T>(&self, value: T) -> Literal<T> {
        Literal(value)
    }

    /// `slice[index]` before `op=`.
    #[inline(never)]
    pub fn target<S, I>(&self, slice: S, index: I) -> Target<S, I> {
        Target { slice, index }
    }
}
