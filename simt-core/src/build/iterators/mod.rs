//! Iterators as values: `let mut it = x.iter().filter(|v| ..);`, `it.next()`, `it.clone()`, `for v in it`.
//!
//! An iterator is the handles that it is made of and a few variables of the thread's, where it is now. Which closures and which
//! memory it has is known when the program is built, so what asks for an item has the code for it in its place:
//! [`Iterated::step`] emits it, and where there are no more items, that leaves a loop around.
//!
//! | file | what it holds |
//! |---|---|
//! | `cursor` | where a sequence is |
//! | `stages`, `remembering` | methods with a closure, and those that remember something |
//! | `counted` | methods with a number, `.rev()`, `.enumerate()` |
//! | `joined` | `.zip(..)`, `.chain(..)`, `.cycle()` |
//! | `nested` | `.flat_map(..)`, `.flatten()` |
//! | `peeked` | `.peekable()` |
//! | `compared` | two iterators, item by item |
//! | `sources` | `std::iter::repeat` and the like, and users' iterators |
//! | `inlined` | what functions give that give iterators |
//! | `item` | what items can be kept |

mod compared;
mod counted;
mod cursor;
mod inlined;
mod item;
mod joined;
mod nested;
mod passed;
mod peeked;
mod remembering;
mod sources;
mod stages;
mod totals;

pub use counted::{Numbered, Reversed, Skipped, Stepped, Taken};
pub use cursor::{Begun, Cursor};
pub use inlined::IteratorOf;
pub use item::{KeptItem, OwnedItem};
pub use joined::{Both, Chained, Cycled};
pub use nested::Unfolded;
pub use passed::{IteratorArgument, PassedItems};
pub use peeked::Peeked;
pub use remembering::{Ended, Scanned, SkipWhile, TakeWhile};
pub use sources::{FromFn, Own, OwnIterator, Perhaps, Repeated, Successors, begun_method};
pub use stages::{FilterMapped, Filtered, Inspected, MapWhile, Mapped, Read};
pub use totals::{DeviceTotal, OwnTotal, Total};

pub(super) use inlined::Inlinings;

use super::arena::Operand;
use super::layout::HasLayout;
use super::pieces::Pieces;
use super::{Builder, Composite, Items, Let, Opened, Sequence};
use crate::ops::{BinaryOp, UnaryOp};
use crate::program::{Block, Stmt, StmtKind, VarId, Variable};
use crate::scalar::ScalarType;
use crate::source::Span;

/// An iterator.
#[diagnostic::on_unimplemented(
    message = "this is no iterator in a kernel",
    label = "not an iterator",
    note = "slices and arrays have `.iter()`; a struct has `#[device] impl Iterator`"
)]
pub trait Iterated: Copy {
    /// What a name of an item stands for.
    type Item: Copy;
    /// The next item. Where there is none, leaves so many loops beyond the innermost.
    fn step(self, k: &Builder, span: Span, leave: u32) -> Self::Item;
    /// Another one that is where this is: `.clone()`
    fn duplicate(self, k: &Builder, span: Span) -> Self;
    /// Goes to where another is, which is the same but for where it is.
    fn restore(self, k: &Builder, span: Span, from: Self);
}

/// An iterator that gives items from its end, too.
#[diagnostic::on_unimplemented(
    message = "this iterator has no `.rev()` in a kernel",
    label = "cannot go backwards",
    note = "slices, arrays and ranges go backwards, also behind `.map(..)` and `.filter(..)`"
)]
pub trait FromBack: Iterated {
    /// The last item of those that are left. Where there is none, leaves so many loops beyond the innermost.
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> Self::Item;
}

/// An iterator that knows how many items are left.
#[diagnostic::on_unimplemented(
    message = "this iterator does not know its length",
    label = "has no `.len()`",
    note = "`it.clone().count()` counts the items"
)]
pub trait Lengthed: Iterated {
    /// How many.
    fn left(self, k: &Builder, span: Span) -> Remaining;
}

/// A number of items, while a kernel is built.
#[derive(Debug)]
pub struct Remaining(pub(super) Operand);

/// What a `for` can go over: a sequence, whose items follow from their positions, or an iterator.
pub trait Looped {
    /// What the pattern of the `for` is for.
    type Item;
    /// Opens the loop's body.
    fn begin(self, k: &Builder, at: u32) -> Self::Item;
}

impl<I: Items> Looped for Sequence<I> {
    type Item = I::Item;

    fn begin(self, k: &Builder, at: u32) -> I::Item {
        let position = k.for_in::<usize>(at, None, 0_usize, self.length);
        self.items.item(k, k.span(at), position)
    }
}

impl<I: Iterated> Looped for I {
    type Item = I::Item;

    fn begin(self, k: &Builder, at: u32) -> I::Item {
        let span = k.span(at);
        k.open_loop(span);
        self.step(k, span, 0)
    }
}

impl Builder {
    /// `for item in sequence`; opens the body.
    #[inline(never)]
    pub fn for_each<L: Looped>(&self, at: u32, sequence: L) -> L::Item {
        sequence.begin(self, at)
    }

    /// `it.next()`, of which nothing asks whether there is one: leaves so many loops.
    #[inline(never)]
    pub fn next_or_leave<I: Iterated>(&self, at: u32, iterator: I, leave: u32) -> I::Item {
        iterator.step(self, self.span(at), leave)
    }

    /// `it.next()`
    #[inline(never)]
    pub fn next_item<I: Iterated>(&self, at: u32, iterator: I) -> Let<Option<<I::Item as OwnedItem>::Owned>>
    where
        I::Item: OwnedItem,
    {
        self.item_or_none(self.span(at), |span| iterator.step(self, span, 0).owned(self, span))
    }

    /// `it.next_back()`
    #[inline(never)]
    pub fn next_back_item<I: FromBack>(&self, at: u32, iterator: I) -> Let<Option<<I::Item as OwnedItem>::Owned>>
    where
        I::Item: OwnedItem,
    {
        self.item_or_none(self.span(at), |span| iterator.step_back(self, span, 0).owned(self, span))
    }

    /// `Some` of what `step` gives, or `None` where it leaves a loop.
    pub(super) fn item_or_none<T: Composite>(&self, span: Span, step: impl FnOnce(Span) -> Let<T>) -> Let<Option<T>> {
        let first = self.new_variables(<Option<T>>::LAYOUT, None, true, true);
        let none = self.none::<T>().operand;
        self.set_all(<Option<T>>::LAYOUT, span, first, none);
        self.open_loop(span);
        let item = step(span).operand(self);
        let some = self.with_flag(true, &[&self.leaves(T::LAYOUT, item)]);
        self.set_all(<Option<T>>::LAYOUT, span, first, some);
        self.emit(span, StmtKind::Break { out: 0 });
        self.end_loop();
        Let::new(self, self.variables(first, <Option<T>>::COUNT))
    }

    /// `it.clone()`
    #[inline(never)]
    pub fn duplicate<I: Iterated>(&self, at: u32, iterator: I) -> I {
        iterator.duplicate(self, self.span(at))
    }

    /// `it.len()`
    #[inline(never)]
    pub fn items_left<I: Lengthed>(&self, at: u32, iterator: I) -> super::Value<usize> {
        super::Value::new(iterator.left(self, self.span(at)).0)
    }

    /// `it.remainder()` of `x.chunks_exact(n)`
    #[inline(never)]
    pub fn remainder<S>(&self, at: u32, iterator: Cursor<Pieces<S>>) -> S {
        iterator.remainder(self, self.span(at))
    }

    /// Opens `loop {`.
    pub(super) fn open_loop(&self, span: Span) {
        self.open(Opened::Loop { cond: Operand::constant(true), span, step: Block::new() });
    }

    /// `if cond { break; }`, of the loop that is so many beyond the innermost.
    fn leave_if(&self, span: Span, cond: Operand, leave: u32) {
        if cond.as_constant().is_some_and(|cond| cond.bits == 0) {
            return;
        }
        let then = vec![Stmt { kind: StmtKind::Break { out: leave }, span }];
        self.emit_if(span, cond, then, Block::new());
    }

    pub(super) fn not_of(&self, span: Span, cond: Operand) -> Operand {
        self.unary(span, UnaryOp::Not, ScalarType::Bool, cond)
    }

    /// A variable of an iterator's.
    fn state_of(&self, span: Span, ty: ScalarType, value: Operand) -> VarId {
        let var = self.variable(Variable { name: None, ty, mutable: true }, false);
        self.set(span, var, ty, value);
        var
    }

    /// `var = var op by;`, of a number.
    fn moved_by(&self, span: Span, var: VarId, op: BinaryOp, by: Operand) {
        let moved = self.binary(span, op, ScalarType::Usize, Operand::var(var), by);
        self.set(span, var, ScalarType::Usize, moved);
    }
}
