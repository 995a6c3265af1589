//! `x.sort_by(|a, b| ..)` and the like, and searches with a closure.
//!
//! They sort by insertion, which needs no memory of its own, and is made for the few elements that a thread has.

use super::arena::Operand;
use super::layout::{HasLayout, HasStorage};
use super::{Builder, Composite, IntoValue, KernelData, Let, Opened, ReadSlice, Region, Value, WriteSlice};
use crate::ops::{BinaryOp, CompareOp};
use crate::program::{Block, LoadAccess, StmtKind, StoreAccess, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::cmp::Ordering;

const USIZE: ScalarType = ScalarType::Usize;

impl Builder {
    /// Moves each element to where it belongs among those before it. `stays` says that one before it stays there.
    pub(super) fn insert_each<T: KernelData>(
        &self,
        span: Span,
        region: Region,
        stays: impl Fn(Let<T>, Let<T>) -> Operand,
    ) {
        let one = Operand::constant(1_usize);
        let length = self.length_of(T::STORAGE, span, region);
        let next = self.variable_from(span, one);
        let is_left = self.comparison(span, CompareOp::Lt, USIZE, Operand::var(next), length);
        self.open(Opened::Loop { cond: is_left, span, step: Block::new() });
        let element = self.element_now::<T>(span, region, Operand::var(next));
        let hole = self.variable_from(span, Operand::var(next));
        let at = || Operand::var(hole);
        let is_inside = self.comparison(span, CompareOp::Gt, USIZE, at(), Operand::constant(0_usize));
        self.open(Opened::Loop { cond: is_inside, span, step: Block::new() });
        let index = self.binary(span, BinaryOp::Sub, USIZE, at(), one);
        let index = self.pin(span, USIZE, index);
        let before = self.element_now::<T>(span, region, index);
        let stays = stays(before, element);
        let leave = self.block(|| self.emit(span, StmtKind::Break { out: 0 }));
        self.emit_if(span, stays, leave, Block::new());
        self.place_element::<T>(span, region, at(), before);
        self.set(span, hole, USIZE, index);
        self.end_loop();
        self.place_element::<T>(span, region, at(), element);
        self.increment::<usize>(span, next);
        self.end_loop();
    }

    fn variable_from(&self, span: Span, from: Operand) -> VarId {
        let first = self.new_variables(usize::LAYOUT, None, true, false);
        self.set(span, first, USIZE, from);
        first
    }

    /// The element with an index, as it is now.
    fn element_now<T: KernelData>(&self, span: Span, region: Region, index: Operand) -> Let<T> {
        let place = self.moved(span, region, index);
        let element = self.load_all(T::STORAGE, span, LoadAccess::Plain, region.memory, place);
        Let::new(self, self.pinned_value(T::LAYOUT, span, element))
    }

    fn place_element<T: KernelData>(&self, span: Span, region: Region, index: Operand, element: Let<T>) {
        let place = self.moved(span, region, index);
        self.store_all(T::STORAGE, span, StoreAccess::Plain, region.memory, place, element.operand(self));
    }

    fn is_order(&self, span: Span, op: CompareOp, order: Let<Ordering>, other: Ordering) -> Operand {
        self.comparison(span, op, ScalarType::I8, order.operand(self), Operand::constant(other as i8))
    }

    /// `slice.sort_by(|a, b| ..);` Emits loops.
    #[inline(never)]
    pub fn sort_by<T: KernelData>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        order: impl Fn((Let<T>, Let<T>), &Self) -> Let<Ordering>,
    ) {
        let span = self.span(at);
        self.insert_each::<T>(span, slice.region(), |before, element| {
            self.is_order(span, CompareOp::Ne, order((before, element), self), Ordering::Greater)
        });
    }

    /// `slice.sort_by_key(|x| ..);` Emits loops.
    #[inline(never)]
    pub fn sort_by_key<T: KernelData, K: Composite + Ord>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        key: impl Fn(Let<T>, &Self) -> Let<K>,
    ) {
        let span = self.span(at);
        self.insert_each::<T>(span, slice.region(), |before, element| {
            let [before, element] = [before, element].map(|element| key(element, self).operand(self));
            self.ordered::<K>(span, CompareOp::Le, before, element)
        });
    }

    /// `slice.binary_search_by(|x| ..)`, with the steps and the result of std's. Emits a loop.
    #[inline(never)]
    pub fn binary_search_by<T: KernelData>(
        &self,
        at: u32,
        slice: impl ReadSlice<T>,
        order: impl Fn(Let<T>, &Self) -> Let<Ordering>,
    ) -> Value<Result<usize, usize>> {
        let (span, region) = (self.span(at), slice.region());
        let (zero, one) = (Operand::constant(0_usize), Operand::constant(1_usize));
        let length = self.length_of(T::STORAGE, span, region);
        let (base, size) = (self.variable_from(span, zero), self.variable_from(span, length));
        let found = self.new_variables(bool::LAYOUT, None, true, false);
        self.set(span, found, ScalarType::Bool, Operand::constant(false));
        let (first, left) = (|| Operand::var(base), || Operand::var(size));
        let is_long = self.comparison(span, CompareOp::Gt, USIZE, left(), one);
        self.open(Opened::Loop { cond: is_long, span, step: Block::new() });
        let half = self.binary(span, BinaryOp::Div, USIZE, left(), Operand::constant(2_usize));
        let half = self.pin(span, USIZE, half);
        let middle = self.binary(span, BinaryOp::Add, USIZE, first(), half);
        let middle = self.pin(span, USIZE, middle);
        let asked = order(self.element_now::<T>(span, region, middle), self);
        let moves = self.block(|| self.set(span, base, USIZE, middle));
        let is_not_behind = self.is_order(span, CompareOp::Ne, asked, Ordering::Greater);
        self.emit_if(span, is_not_behind, moves, Block::new());
        let rest = self.binary(span, BinaryOp::Sub, USIZE, left(), half);
        self.set(span, size, USIZE, rest);
        self.end_loop();
        let has_one = self.comparison(span, CompareOp::Ne, USIZE, left(), zero);
        let compared = self.block(|| {
            let asked = order(self.element_now::<T>(span, region, first()), self);
            let is_it = self.is_order(span, CompareOp::Eq, asked, Ordering::Equal);
            self.set(span, found, ScalarType::Bool, is_it);
            let is_before = self.is_order(span, CompareOp::Eq, asked, Ordering::Less);
            let step = self.conversion(span, ScalarType::Bool, USIZE, is_before);
            let next = self.binary(span, BinaryOp::Add, USIZE, first(), step);
            self.set(span, base, USIZE, next);
        });
        self.emit_if(span, has_one, compared, Block::new());
        let found = self.pin(span, ScalarType::Bool, Operand::var(found));
        let place = self.pin(span, USIZE, first());
        Value::new(self.whole(&[found, place, place]))
    }

    /// `slice.binary_search_by_key(&key, |x| ..)`. Emits a loop.
    #[inline(never)]
    pub fn binary_search_by_key<T: KernelData, K: Composite + Ord>(
        &self,
        at: u32,
        slice: impl ReadSlice<T>,
        wanted: impl IntoValue<K>,
        key: impl Fn(Let<T>, &Self) -> Let<K>,
    ) -> Value<Result<usize, usize>> {
        let (span, wanted) = (self.span(at), self.keep::<K>(at, wanted));
        self.binary_search_by(at, slice, |element: Let<T>, k: &Self| {
            let key = key(element, k);
            Let::new(k, k.pin(span, ScalarType::I8, k.order_of::<K>(span, key.operand(k), wanted.operand(k))))
        })
    }
}
