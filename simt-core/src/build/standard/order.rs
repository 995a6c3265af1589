//! `slice.sort()`: by insertion, which needs no memory of its own, and is made for the few elements that a thread has.

use super::super::Value;
use super::super::arena::Operand;
use super::StdCall;
use super::slice::{sort, sort_unstable};
use crate::ops::{BinaryOp, CompareOp, Int};
use crate::program::{StmtKind, StoreAccess};
use crate::scalar::ScalarType;

macro_rules! sorts {
    ($($name:ident)*) => {$(
        impl<T: Int> StdCall<'_, $name, [T]> {
            #[doc = concat!("`slice.", stringify!($name), "()`. Emits loops.")]
            #[inline(never)]
            pub fn __rest(self) -> Value<()> {
                self.sorted()
            }
        }
    )*};
}
sorts!(sort sort_unstable);

impl<N, T: Int> StdCall<'_, N, [T]> {
    /// Moves each element to where it belongs among those before it.
    fn sorted(self) -> Value<()> {
        let (k, span, subject) = self.parts();
        let one = Operand::constant(1_usize);
        k.change_memory::<T>(span, subject, |region| {
            let length = k.length_of::<T>(span, region);
            let next = k.changing::<usize>(span, one);
            let is_left = k.comparison(span, CompareOp::Lt, ScalarType::Usize, Operand::var(next), length);
            let body = k.block(|| {
                let element = k.element_at::<T>(span, region, Operand::var(next));
                let element = Operand::var(k.changing::<T>(span, element));
                let hole = k.changing::<usize>(span, Operand::var(next));
                let at = Operand::var(hole);
                let is_inside = k.comparison(span, CompareOp::Gt, ScalarType::Usize, at, Operand::constant(0_usize));
                let shift = k.block(|| {
                    let index = k.binary(span, BinaryOp::Sub, ScalarType::Usize, at, one);
                    let index = Operand::var(k.changing::<usize>(span, index));
                    let before = k.element_at::<T>(span, region, index);
                    let before = Operand::var(k.changing::<T>(span, before));
                    let stays = k.comparison(span, CompareOp::Le, T::TYPE, before, element);
                    let leave = k.block(|| k.emit(span, StmtKind::Break { out: 0 }));
                    k.emit_if(span, stays, leave, Vec::new());
                    let place = k.moved(span, region, at);
                    k.store_element(span, StoreAccess::Plain, region.memory, T::TYPE, place, before);
                    k.set(span, hole, ScalarType::Usize, index);
                });
                k.emit_while(span, is_inside, shift);
                let place = k.moved(span, region, at);
                k.store_element(span, StoreAccess::Plain, region.memory, T::TYPE, place, element);
                k.increment::<usize>(span, next);
            });
            k.emit_while(span, is_left, body);
        });
        k.unit()
    }
}
