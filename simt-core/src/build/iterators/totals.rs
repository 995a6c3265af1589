//! Sums and products whose type the user says, which may be one of the user's: `.sum::<V>()` by `#[device] impl Sum for V`.
//!
//! As for operators, rustc chooses between two methods of one name: that of numbers, and otherwise, behind `Deref`, the
//! type's own.

use super::passed::IteratorArgument;
use super::{Iterated, OwnedItem};
use crate::build::arena::Operand;
use crate::build::function::OnlyKernelsCallThis;
use crate::build::{Builder, Composite, Let, Mutable, Types, Value};
use crate::ops::Num;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// An `S` is the sum of `T`s, or the product. (`Types` has the trait: see [`Same`](crate::build::Same).)
#[diagnostic::on_unimplemented(
    message = "`{S}` is no sum or product of `{T}` in a kernel",
    label = "no sum or product of these",
    note = "write `#[device]` above the `impl Sum` of a struct of your own"
)]
pub trait DeviceTotal<S, T, const PRODUCT: bool> {
    /// Calls it.
    fn call(call: OnlyKernelsCallThis<'_>, items: impl IteratorArgument<T>) -> Value<S>;
}

/// The items of a sum of type `S`.
#[derive(Debug)]
pub struct Total<'k, S, I>(OwnTotal<'k, S, I>);

/// The items of a sum of a user's type.
#[derive(Debug)]
pub struct OwnTotal<'k, S, I> {
    k: &'k Builder,
    items: Option<I>,
    ty: PhantomData<S>,
}

impl<'k, S, I> Deref for Total<'k, S, I> {
    type Target = OwnTotal<'k, S, I>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<S, I> DerefMut for Total<'_, S, I> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'k, S, I> OwnTotal<'k, S, I> {
    fn taken(&mut self) -> (&'k Builder, I) {
        let Some(items) = self.items.take() else { unreachable!("a sum is built once") };
        (self.k, items)
    }
}

impl<S: Num, I> Total<'_, S, I> {
    /// The sum of numbers.
    #[inline(never)]
    pub fn sum(self, at: u32) -> Value<S>
    where
        I: IteratorArgument<S>,
    {
        let start = self.k.sum_start::<S>(at).operand;
        self.gathered(at, start, |k, sum, item| k.add(at, sum, item))
    }

    /// Their product.
    #[inline(never)]
    pub fn product(self, at: u32) -> Value<S>
    where
        I: IteratorArgument<S>,
    {
        let start = self.k.one::<S>(at).operand;
        self.gathered(at, start, |k, product, item| k.mul(at, product, item))
    }

    fn gathered(
        mut self,
        at: u32,
        start: Operand,
        next: impl FnOnce(&Builder, Mutable<S>, Let<S>) -> Value<S>,
    ) -> Value<S>
    where
        I: IteratorArgument<S>,
    {
        let (k, items) = self.taken();
        let (span, items) = (k.span(at), items.begun_argument(k, at));
        let state = k.state_of(span, S::TYPE, start);
        k.open_loop(span);
        let item = items.step(k, span, 0).owned(k, span);
        let next = next(k, Mutable::new(state, 1), item);
        k.set(span, state, S::TYPE, next.operand);
        k.end_loop();
        Value::new(Operand::var(state))
    }
}

/// Those of numbers, where only the place that they go to says that they are.
macro_rules! of_numbers {
    ($($is_product:literal $method:ident;)*) => {$(
        impl<S: Num> DeviceTotal<S, S, $is_product> for Types {
            fn call(call: OnlyKernelsCallThis<'_>, items: impl IteratorArgument<S>) -> Value<S> {
                call.k.total_of::<S, _>(items).$method(call.at)
            }
        }
    )*};
}
of_numbers! {
    false sum;
    true product;
}

impl<S: Composite, I> OwnTotal<'_, S, I> {
    /// The sum that the type has.
    #[inline(never)]
    pub fn sum<T: Composite>(&mut self, at: u32) -> Value<S>
    where
        I: IteratorArgument<T>,
        Types: DeviceTotal<S, T, false>,
    {
        let (k, items) = self.taken();
        <Types as DeviceTotal<S, T, false>>::call(OnlyKernelsCallThis::new(k, k.span(at)), items)
    }

    /// The product that the type has.
    #[inline(never)]
    pub fn product<T: Composite>(&mut self, at: u32) -> Value<S>
    where
        I: IteratorArgument<T>,
        Types: DeviceTotal<S, T, true>,
    {
        let (k, items) = self.taken();
        <Types as DeviceTotal<S, T, true>>::call(OnlyKernelsCallThis::new(k, k.span(at)), items)
    }
}

impl Builder {
    /// The sum of items that goes to a place of this type.
    #[inline(never)]
    pub fn sum_to<S, T: Composite>(&self, at: u32, items: impl IteratorArgument<T>) -> Value<S>
    where
        Types: DeviceTotal<S, T, false>,
    {
        <Types as DeviceTotal<S, T, false>>::call(OnlyKernelsCallThis::new(self, self.span(at)), items)
    }

    /// Their product.
    #[inline(never)]
    pub fn product_to<S, T: Composite>(&self, at: u32, items: impl IteratorArgument<T>) -> Value<S>
    where
        Types: DeviceTotal<S, T, true>,
    {
        <Types as DeviceTotal<S, T, true>>::call(OnlyKernelsCallThis::new(self, self.span(at)), items)
    }

    /// The items of a sum or a product of this type.
    #[inline(never)]
    pub fn total_of<S, I>(&self, items: I) -> Total<'_, S, I> {
        Total(OwnTotal { k: self, items: Some(items), ty: PhantomData })
    }
}
