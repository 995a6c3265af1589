//! What is looked for in slices and arrays.

use super::super::arena::Operand;
use super::super::layout::{HasLayout, HasStorage};
use super::super::{Builder, IntoValue, KernelData, Let, Opened, ReadSlice, RefArgument, Region, Value};
use super::StdCall;
use super::elements::ElementsArgument;
use super::slice::{binary_search, ends_with, is_sorted, starts_with};
use crate::ops::{BinaryOp, CompareOp, Int, Num, UnaryOp};
use crate::program::{Block, LoadAccess, StmtKind, VarId};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

/// A search by halves: what is left of it, and the element that is asked about.
#[derive(Debug)]
pub struct Halves<T> {
    base: VarId,
    size: VarId,
    half: Operand,
    middle: Operand,
    element: Let<T>,
}

impl<T: Int> StdCall<'_, binary_search, [T]> {
    /// `slice.binary_search(&value)`: the element that std finds, if there are several. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, value: impl RefArgument<T>) -> Value<Result<usize, usize>> {
        let (k, span, subject) = self.parts();
        let wanted = value.value(k).operand;
        let wanted = k.pin(span, T::TYPE, wanted);
        let region = k.subject_memory(T::STORAGE, span, subject);
        let length = k.length_of(T::STORAGE, span, region);
        let zero = Operand::constant(0_usize);
        let (base, size) = (k.changing::<usize>(span, zero), k.changing::<usize>(span, length));
        let found = k.changing::<bool>(span, Operand::constant(false));
        let [at, left] = [base, size].map(Operand::var);
        let is_long = k.comparison(span, CompareOp::Gt, ScalarType::Usize, left, Operand::constant(1_usize));
        let body = k.block(|| {
            let (half, middle) = k.middle(span, base, size);
            let element = k.element_at::<T>(span, region, middle);
            let is_behind = k.comparison(span, CompareOp::Gt, T::TYPE, element, wanted);
            let moves = k.block(|| k.set(span, base, ScalarType::Usize, middle));
            k.emit_if(span, is_behind, Block::new(), moves);
            let rest = k.binary(span, BinaryOp::Sub, ScalarType::Usize, left, half);
            k.set(span, size, ScalarType::Usize, rest);
        });
        k.emit_while(span, is_long, body);
        let has_one = k.comparison(span, CompareOp::Ne, ScalarType::Usize, left, zero);
        let compared = k.block(|| {
            let element = k.element_at::<T>(span, region, at);
            let element = k.pin(span, T::TYPE, element);
            let is_it = k.comparison(span, CompareOp::Eq, T::TYPE, element, wanted);
            k.set(span, found, ScalarType::Bool, is_it);
            let is_before = k.comparison(span, CompareOp::Lt, T::TYPE, element, wanted);
            let step = k.conversion(span, ScalarType::Bool, ScalarType::Usize, is_before);
            let next = k.binary(span, BinaryOp::Add, ScalarType::Usize, at, step);
            k.set(span, base, ScalarType::Usize, next);
        });
        k.emit_if(span, has_one, compared, Block::new());
        Value::new(k.whole(&[Operand::var(found), at, at]))
    }
}

impl<T: Num> StdCall<'_, is_sorted, [T]> {
    /// `slice.is_sorted()`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self) -> Value<bool> {
        let (k, span, subject) = self.parts();
        let region = k.subject_memory(T::STORAGE, span, subject);
        let length = k.length_of(T::STORAGE, span, region);
        let one = Operand::constant(1_usize);
        let holds = k.changing::<bool>(span, Operand::constant(true));
        let index = k.changing::<usize>(span, one);
        let at = Operand::var(index);
        let is_inside = k.comparison(span, CompareOp::Lt, ScalarType::Usize, at, length);
        let body = k.block(|| {
            let before = k.binary(span, BinaryOp::Sub, ScalarType::Usize, at, one);
            let [before, element] = [before, at].map(|at| k.element_at::<T>(span, region, at));
            // Of numbers that cannot be compared, a NaN, none comes first.
            let is_sorted = k.comparison(span, CompareOp::Le, T::TYPE, before, element);
            k.leave_unless(span, is_sorted, holds);
            k.increment::<usize>(span, index);
        });
        k.emit_while(span, is_inside, body);
        Value::new(Operand::var(holds))
    }
}

impl<T: Scalar> StdCall<'_, starts_with, [T]> {
    /// `slice.starts_with(&other)`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, other: impl ElementsArgument<T>) -> Value<bool> {
        let (k, span, subject) = self.parts();
        let region = k.subject_memory(T::STORAGE, span, subject);
        k.has_part::<T>(span, region, other.elements(k, span), false)
    }
}

impl<T: Scalar> StdCall<'_, ends_with, [T]> {
    /// `slice.ends_with(&other)`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, other: impl ElementsArgument<T>) -> Value<bool> {
        let (k, span, subject) = self.parts();
        let region = k.subject_memory(T::STORAGE, span, subject);
        k.has_part::<T>(span, region, other.elements(k, span), true)
    }
}

impl Builder {
    /// `slice.partition_point(|value| ..)`: begins the loop whose body asks about an element.
    #[inline(never)]
    pub fn begin_halves<T: KernelData>(&self, at: u32, slice: impl ReadSlice<T>) -> Halves<T> {
        let (span, region) = (self.span(at), slice.region());
        let length = self.length_of(T::STORAGE, span, region);
        let zero = Operand::constant(0_usize);
        let (base, size) = (self.changing::<usize>(span, zero), self.changing::<usize>(span, length));
        let is_left = self.comparison(span, CompareOp::Ne, ScalarType::Usize, Operand::var(size), zero);
        self.open(Opened::Loop { cond: is_left, span, step: Block::new() });
        let (half, middle) = self.middle(span, base, size);
        let place = self.moved(span, region, middle);
        let element = self.load_all(T::STORAGE, span, LoadAccess::Plain, region.memory, place);
        let element = self.pin_leaves(T::LAYOUT, span, &self.leaves(T::LAYOUT, element));
        Halves { base, size, half, middle, element: Let::new(self, self.whole(&element)) }
    }

    /// The element that is asked about.
    #[inline(never)]
    pub fn halved_element<T: KernelData>(&self, halves: &Halves<T>) -> Let<T> {
        halves.element
    }

    /// The answer, whether the element is in the first part, and the end of the loop; how many elements that part has.
    ///
    /// The steps are those of std, which differ from others where the elements are not parted.
    #[inline(never)]
    pub fn end_halves<T: KernelData>(
        &self,
        at: u32,
        halves: &Halves<T>,
        is_first: impl IntoValue<bool>,
    ) -> Value<usize> {
        let span = self.span(at);
        let &Halves { base, size, half, middle, .. } = halves;
        let is_first = self.operand(span, is_first);
        let is_first = self.pin(span, ScalarType::Bool, is_first);
        let is_last = self.comparison(span, CompareOp::Eq, ScalarType::Usize, half, Operand::constant(0_usize));
        let last = self.block(|| {
            let step = self.conversion(span, ScalarType::Bool, ScalarType::Usize, is_first);
            let next = self.binary(span, BinaryOp::Add, ScalarType::Usize, middle, step);
            self.set(span, base, ScalarType::Usize, next);
            self.set(span, size, ScalarType::Usize, Operand::constant(0_usize));
        });
        let goes_on = self.block(|| {
            let moves = self.block(|| self.set(span, base, ScalarType::Usize, middle));
            self.emit_if(span, is_first, moves, Block::new());
            let rest = self.binary(span, BinaryOp::Sub, ScalarType::Usize, Operand::var(size), half);
            self.set(span, size, ScalarType::Usize, rest);
        });
        self.emit_if(span, is_last, last, goes_on);
        self.end_loop();
        Value::new(Operand::var(base))
    }

    /// Half of the size, and the index so far behind the base.
    fn middle(&self, span: Span, base: VarId, size: VarId) -> (Operand, Operand) {
        let half = self.binary(span, BinaryOp::Div, ScalarType::Usize, Operand::var(size), Operand::constant(2_usize));
        let half = self.temporary(span, half);
        let middle = self.binary(span, BinaryOp::Add, ScalarType::Usize, Operand::var(base), half);
        (half, self.temporary(span, middle))
    }

    /// A temporary that has the value from here on, whatever becomes of variables in it.
    fn temporary(&self, span: Span, value: Operand) -> Operand {
        Operand::var(self.changing::<usize>(span, value))
    }

    /// The element at an index that is known to be one of the region's.
    pub(super) fn element_at<T: Scalar>(&self, span: Span, region: Region, index: Operand) -> Operand {
        let index = self.moved(span, region, index);
        self.load_element(span, LoadAccess::Plain, region.memory, T::TYPE, index)
    }

    /// Whether a slice begins, or ends, with the elements of another.
    fn has_part<T: Scalar>(&self, span: Span, whole: Region, part: Region, at_end: bool) -> Value<bool> {
        let [length, count] = [whole, part].map(|region| self.length_of(T::STORAGE, span, region));
        let fits = self.comparison(span, CompareOp::Le, ScalarType::Usize, count, length);
        let holds = self.changing::<bool>(span, fits);
        let compared = self.block(|| {
            let start = match at_end {
                true => self.binary(span, BinaryOp::Sub, ScalarType::Usize, length, count),
                false => Operand::constant(0_usize),
            };
            let start = self.pinned_index(span, start);
            self.each_index(span, count, |index| {
                let place = self.binary(span, BinaryOp::Add, ScalarType::Usize, start, index);
                let (a, b) = (self.element_at::<T>(span, whole, place), self.element_at::<T>(span, part, index));
                let is_same = self.comparison(span, CompareOp::Eq, T::TYPE, a, b);
                self.leave_unless(span, is_same, holds);
            });
        });
        self.emit_if(span, Operand::var(holds), compared, Block::new());
        Value::new(Operand::var(holds))
    }

    /// `if !cond { holds = false; break; }`
    fn leave_unless(&self, span: Span, cond: Operand, holds: VarId) {
        let fails = self.unary(span, UnaryOp::Not, ScalarType::Bool, cond);
        let leave = self.block(|| {
            self.set(span, holds, ScalarType::Bool, Operand::constant(false));
            self.emit(span, StmtKind::Break { out: 0 });
        });
        self.emit_if(span, fails, leave, Block::new());
    }

    /// `while cond { body }`
    pub(super) fn emit_while(&self, span: Span, cond: Operand, body: Block) {
        let cond = self.node(span, ScalarType::Bool, cond);
        self.emit(span, StmtKind::While { cond, body, step: Block::new() });
    }
}
