//! `slice.sort()`

use super::super::layout::HasStorage;
use super::super::{KernelData, Value};
use super::StdCall;
use super::slice::{sort, sort_unstable};
use crate::ops::CompareOp;

macro_rules! sorts {
    ($($name:ident)*) => {$(
        impl<T: KernelData + Ord> StdCall<'_, $name, [T]> {
            #[doc = concat!("`slice.", stringify!($name), "()`. Emits loops.")]
            #[inline(never)]
            pub fn __rest(self) -> Value<()> {
                self.sorted()
            }
        }
    )*};
}
sorts!(sort sort_unstable);

impl<N, T: KernelData + Ord> StdCall<'_, N, [T]> {
    fn sorted(self) -> Value<()> {
        let (k, span, subject) = self.parts();
        k.change_memory(T::STORAGE, span, subject, |region| {
            k.insert_each::<T>(span, region, |before, element| {
                k.ordered::<T>(span, CompareOp::Le, before.operand(k), element.operand(k))
            });
        });
        k.unit()
    }
}
