//! What a function gives that gives an iterator: known by a number, so that its type has a name.

use super::Iterated;
use crate::build::arena::Operand;
use crate::build::{Builder, Composite, Let};
use crate::source::Span;
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// An iterator of `T`s, of whatever kind.
pub struct InlinedItems<T> {
    number: u32,
    ty: PhantomData<fn() -> T>,
}

impl<T> Clone for InlinedItems<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for InlinedItems<T> {}
impl<T> fmt::Debug for InlinedItems<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InlinedItems").field("number", &self.number).finish_non_exhaustive()
    }
}

/// The iterators of a program that are known by their numbers.
#[derive(Default)]
pub(in crate::build) struct Inlinings(Vec<Rc<dyn Steps>>);

impl fmt::Debug for Inlinings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(0..self.0.len()).finish()
    }
}

/// As [`Iterated`], of items that are values.
trait Steps: Any {
    fn step(&self, k: &Builder, span: Span, leave: u32) -> Operand;
    fn duplicate(&self, k: &Builder, span: Span) -> Rc<dyn Steps>;
    fn restore(&self, k: &Builder, span: Span, from: &dyn Any);
}

impl<T: Composite, I: Iterated<Item = Let<T>> + 'static> Steps for I {
    fn step(&self, k: &Builder, span: Span, leave: u32) -> Operand {
        Iterated::step(*self, k, span, leave).operand(k)
    }

    fn duplicate(&self, k: &Builder, span: Span) -> Rc<dyn Steps> {
        Rc::new(Iterated::duplicate(*self, k, span))
    }

    fn restore(&self, k: &Builder, span: Span, from: &dyn Any) {
        if let Some(from) = from.downcast_ref() {
            Iterated::restore(*self, k, span, *from);
        }
    }
}

impl<T> InlinedItems<T> {
    pub(in crate::build) fn number(self) -> u32 {
        self.number
    }
}

impl<T: Composite> InlinedItems<T> {
    pub(in crate::build) fn new(k: &Builder, items: impl Iterated<Item = Let<T>> + 'static) -> Self {
        Self::known(k, Rc::new(items))
    }

    /// The iterator with a number.
    pub(in crate::build) fn numbered(number: u32) -> Self {
        Self { number, ty: PhantomData }
    }

    fn known(k: &Builder, items: Rc<dyn Steps>) -> Self {
        let Inlinings(known) = &mut k.state.borrow_mut().inlinings;
        known.push(items);
        Self::numbered(known.len() as u32 - 1)
    }

    fn items(self, k: &Builder) -> Rc<dyn Steps> {
        Rc::clone(&k.state.borrow().inlinings.0[self.number as usize])
    }
}

impl<T: Composite> Iterated for InlinedItems<T> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        Let::new(k, self.items(k).step(k, span, leave))
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self::known(k, self.items(k).duplicate(k, span))
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        let from: Rc<dyn Any> = from.items(k);
        self.items(k).restore(k, span, &*from);
    }
}
