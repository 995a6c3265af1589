//! What a function gives that gives an iterator: known by a number, so that its type has a name.

use super::{Iterated, OwnedItem, PassedItems};
use crate::build::arena::Operand;
use crate::build::nameable::NamedValue;
use crate::build::shape::Shape;
use crate::build::{Builder, Composite, IntoItems, IntoValue, Let, NamedMemory, Told, Value};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// An iterator of `T`s, of whatever kind.
pub struct IteratorOf<T> {
    number: u32,
    ty: PhantomData<fn() -> T>,
}

impl<T> Clone for IteratorOf<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for IteratorOf<T> {}
impl<T> fmt::Debug for IteratorOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IteratorOf").field("number", &self.number).finish_non_exhaustive()
    }
}

/// How many iterators that functions give may be within each other.
///
/// **Assumed:** more than a program has whose iterators end. Of a function of the host's whose iterator is made of itself,
/// rustc says so; of a device function nothing but this does.
const DEEPEST: u32 = 40;

/// The iterators of a program that are known by their numbers.
#[derive(Default)]
pub(in crate::build) struct Inlinings {
    known: Vec<Rc<dyn Steps>>,
    /// How many are being built within each other.
    depth: u32,
}

impl fmt::Debug for Inlinings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(0..self.known.len()).finish()
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

/// What stands for an iterator that there is not.
struct Nothing;

impl Steps for Nothing {
    fn step(&self, _: &Builder, _: Span, _: u32) -> Operand {
        Operand::Never
    }

    fn duplicate(&self, _: &Builder, _: Span) -> Rc<dyn Steps> {
        Rc::new(Self)
    }

    fn restore(&self, _: &Builder, _: Span, _: &dyn Any) {}
}

impl<T> IteratorOf<T> {
    pub(in crate::build) fn number(self) -> u32 {
        self.number
    }
}

impl<T: Composite> IteratorOf<T> {
    pub(in crate::build) fn new(k: &Builder, items: impl Iterated<Item = Let<T>> + 'static) -> Self {
        Self::known(k, Rc::new(items))
    }

    /// The iterator with a number.
    pub(in crate::build) fn numbered(number: u32) -> Self {
        Self { number, ty: PhantomData }
    }

    /// Where there is a mistake.
    pub(in crate::build) fn none(k: &Builder) -> Self {
        Self::known(k, Rc::new(Nothing))
    }

    fn known(k: &Builder, items: Rc<dyn Steps>) -> Self {
        let known = &mut k.state.borrow_mut().inlinings.known;
        known.push(items);
        Self::numbered(known.len() as u32 - 1)
    }

    fn items(self, k: &Builder) -> Rc<dyn Steps> {
        Rc::clone(&k.state.borrow().inlinings.known[self.number as usize])
    }
}

impl<T: Composite> Iterated for IteratorOf<T> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        let item = k.nested(span, || self.items(k).step(k, span, leave));
        Let::new(k, item.unwrap_or(Operand::Never))
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self::known(k, self.items(k).duplicate(k, span))
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        let from: Rc<dyn Any> = from.items(k);
        self.items(k).restore(k, span, &*from);
    }
}

/// Known while the program is built: its number, which no statement has.
impl<T: Composite> Composite for IteratorOf<T> {
    const COUNT: u32 = 1;

    fn shape() -> Shape {
        Shape::Scalar
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        Self::numbered(next(ScalarType::U32) as u32)
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        show(path, ScalarType::U32);
    }
}

impl<T: Composite> IntoValue<Self> for IteratorOf<T> {
    fn into_value(self, _: &Builder, _: Span) -> Value<Self> {
        Value::new(Operand::constant(self.number))
    }
}

impl<T: Composite> NamedValue for IteratorOf<T> {
    type Name = Self;
    type NameMut = Self;

    fn named(k: &Builder, at: u32, value: Value<Self>, _: &'static str) -> Self {
        match value.operand.as_constant() {
            Some(number) => Self::numbered(number.bits as u32),
            None => {
                k.problem(k.span(at), "this iterator would be chosen at run time: write a loop for each".to_owned());
                Self::none(k)
            }
        }
    }

    fn named_mut(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> Self {
        <Self as NamedValue>::named(k, at, value, name)
    }
}

impl<T: Composite> NamedMemory for IteratorOf<T> {
    type Memory = Self;

    fn named(self, _: &Builder, _: Span) -> Self {
        self
    }
}

impl<T: Composite> IntoItems for IteratorOf<T> {
    type Gone = Self;

    fn into_items(self, _: &Builder, _: u32, _: bool) -> Self {
        self
    }
}

impl<T: Composite> Told for IteratorOf<T> {
    fn told(k: &Builder) -> Self {
        Self::none(k)
    }
}

impl Builder {
    /// The iterator that a closure gives.
    #[inline(never)]
    pub fn iterator_given<T: Composite, I: Iterated<Item: OwnedItem<Owned = T>> + 'static>(
        &self,
        _at: u32,
        iterator: I,
    ) -> IteratorOf<T> {
        IteratorOf::new(self, PassedItems::new(iterator, self.origin()))
    }

    /// What is built within an iterator that a function gives; nothing if that would have no end.
    pub(in crate::build) fn nested<R>(&self, span: Span, build: impl FnOnce() -> R) -> Option<R> {
        let depth = self.state.borrow().inlinings.depth;
        if depth == DEEPEST {
            let message = format!(
                "iterators that functions give are deeper than {DEEPEST} within each other here: such a function cannot be \
                 made of its own iterator; write a loop with a stack, `let mut stack = [0; 32];`"
            );
            self.problem(span, message);
            return None;
        }
        self.state.borrow_mut().inlinings.depth += 1;
        let built = build();
        self.state.borrow_mut().inlinings.depth -= 1;
        Some(built)
    }
}
