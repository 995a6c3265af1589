//! What threads do together: operations of a warp, barriers of the block, fences. All emit statements.

use super::arena::Operand;
use super::layout::HasLayout;
use super::tuple::Leaves;
use super::{Builder, Composite, IntoValue, Value};
use crate::program::{BarrierOp, CollectiveOp, FenceScope, StmtKind, Variable};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

/// An operand of a collective, with its type.
type Typed = (ScalarType, Operand);

/// Each row has the method for all lanes, that for named lanes, and the operation.
///
/// As for the operators, the caller names the operands' types once more.
macro_rules! votes {
    (mask: $mask:ty, holds: $holds:ty; $($name:ident, $name_mask:ident = $op:ident -> $result:ty;)*) => {
        impl Builder {$(
            #[doc = concat!("`", stringify!($name), "(holds)`, of all lanes that have not exited")]
            pub fn $name(&self, at: u32, holds: $holds) -> Value<$result> {
                let span = self.span(at);
                let holds = self.operand(span, holds);
                self.collective(span, CollectiveOp::$op, None, &[(ScalarType::Bool, holds)])
            }

            #[doc = concat!("`", stringify!($name_mask), "(mask, holds)`, of the lanes in the mask")]
            pub fn $name_mask(&self, at: u32, mask: $mask, holds: $holds) -> Value<$result> {
                let span = self.span(at);
                let (mask, holds) = (self.operand(span, mask), self.operand(span, holds));
                self.collective(span, CollectiveOp::$op, Some(mask), &[(ScalarType::Bool, holds)])
            }
        )*}
    };
}

votes! {
    mask: impl IntoValue<u64>, holds: impl IntoValue<bool>;
    ballot, ballot_mask = Ballot -> u64;
    any, any_mask = Any -> bool;
    all, all_mask = All -> bool;
    uniform, uniform_mask = Uniform -> bool;
}

/// As `votes`, of values of any type.
macro_rules! shuffles {
    (mask: $mask:ty, value: $value:ty, lane: $lane:ty; $($name:ident, $name_mask:ident = $op:ident;)*) => {
        impl Builder {$(
            #[doc = concat!("`", stringify!($name), "(value, lane)`, of all lanes that have not exited; of each scalar")]
            #[inline(never)]
            pub fn $name<T: Composite>(&self, at: u32, value: $value, lane: $lane) -> Value<T> {
                let span = self.span(at);
                let (value, lane) = (self.operand(span, value), self.operand(span, lane));
                self.shuffled::<T>(span, CollectiveOp::$op, None, value, lane)
            }

            #[doc = concat!("`", stringify!($name_mask), "(mask, value, lane)`, of the lanes in the mask; of each scalar")]
            #[inline(never)]
            pub fn $name_mask<T: Composite>(&self, at: u32, mask: $mask, value: $value, lane: $lane) -> Value<T> {
                let span = self.span(at);
                let mask = self.operand(span, mask);
                let (value, lane) = (self.operand(span, value), self.operand(span, lane));
                self.shuffled::<T>(span, CollectiveOp::$op, Some(mask), value, lane)
            }
        )*}
    };
}

shuffles! {
    mask: impl IntoValue<u64>, value: impl IntoValue<T>, lane: impl IntoValue<u32>;
    shuffle, shuffle_mask = Shuffle;
    shuffle_up, shuffle_up_mask = ShuffleUp;
    shuffle_down, shuffle_down_mask = ShuffleDown;
    shuffle_xor, shuffle_xor_mask = ShuffleXor;
}

/// Each row has the method for barrier 0 and all threads, that with an index and a count, and the reduction.
macro_rules! reductions {
    (number: $number:ty, holds: $holds:ty; $($name:ident, $name_at:ident = $op:ident -> $result:ty;)*) => {
        impl Builder {$(
            #[doc = concat!("`", stringify!($name), "(holds)`")]
            pub fn $name(&self, at: u32, holds: $holds) -> Value<$result> {
                let span = self.span(at);
                let holds = self.operand(span, holds);
                self.reduction(span, BarrierOp::$op, None, holds)
            }

            #[doc = concat!("`", stringify!($name_at), "(index, threads, holds)`")]
            pub fn $name_at(&self, at: u32, index: $number, threads: $number, holds: $holds) -> Value<$result> {
                let span = self.span(at);
                let which = (self.operand(span, index), self.operand(span, threads));
                let holds = self.operand(span, holds);
                self.reduction(span, BarrierOp::$op, Some(which), holds)
            }
        )*}
    };
}

reductions! {
    number: impl IntoValue<u32>, holds: impl IntoValue<bool>;
    sync_threads_and, sync_barrier_and = And -> bool;
    sync_threads_or, sync_barrier_or = Or -> bool;
    sync_threads_count, sync_barrier_count = Count -> u32;
}

impl Builder {
    /// `active_mask()`
    pub fn active_mask(&self, at: u32) -> Value<u64> {
        self.collective(self.span(at), CollectiveOp::ActiveMask, None, &[])
    }

    /// `sync_warp();`
    pub fn sync_warp(&self, at: u32) {
        let (op, mask) = (CollectiveOp::SyncWarp, None);
        self.emit(self.span(at), StmtKind::Collective { op, mask, args: Vec::new(), result: None });
    }

    /// `sync_warp_mask(mask);`
    pub fn sync_warp_mask(&self, at: u32, mask: impl IntoValue<u64>) {
        let span = self.span(at);
        let mask = self.operand(span, mask);
        let mask = Some(self.node(span, ScalarType::U64, mask));
        let op = CollectiveOp::SyncWarp;
        self.emit(span, StmtKind::Collective { op, mask, args: Vec::new(), result: None });
    }

    /// `sync_threads();`
    pub fn sync_threads(&self, at: u32) {
        let (op, index, threads) = (BarrierOp::Sync, None, None);
        self.emit(self.span(at), StmtKind::Barrier { op, index, threads, value: None, result: None });
    }

    /// `sync_grid();`
    pub fn sync_grid(&self, at: u32) {
        let (op, index, threads) = (BarrierOp::Grid, None, None);
        self.emit(self.span(at), StmtKind::Barrier { op, index, threads, value: None, result: None });
    }

    /// `sync_barrier(index, threads);`
    pub fn sync_barrier(&self, at: u32, index: impl IntoValue<u32>, threads: impl IntoValue<u32>) {
        self.barrier(at, BarrierOp::Sync, index, threads);
    }

    /// `arrive_barrier(index, threads);`
    pub fn arrive_barrier(&self, at: u32, index: impl IntoValue<u32>, threads: impl IntoValue<u32>) {
        self.barrier(at, BarrierOp::Arrive, index, threads);
    }

    /// `fence_block();`
    pub fn fence_block(&self, at: u32) {
        self.emit(self.span(at), StmtKind::Fence { scope: FenceScope::Block });
    }

    /// `fence_device();`
    pub fn fence_device(&self, at: u32) {
        self.emit(self.span(at), StmtKind::Fence { scope: FenceScope::Device });
    }

    fn barrier(&self, at: u32, op: BarrierOp, index: impl IntoValue<u32>, threads: impl IntoValue<u32>) {
        let span = self.span(at);
        let (index, threads) = (self.operand(span, index), self.operand(span, threads));
        let index = Some(self.node(span, ScalarType::U32, index));
        let threads = Some(self.node(span, ScalarType::U32, threads));
        self.emit(span, StmtKind::Barrier { op, index, threads, value: None, result: None });
    }

    fn reduction<R: Scalar>(
        &self,
        span: Span,
        op: BarrierOp,
        which: Option<(Operand, Operand)>,
        holds: Operand,
    ) -> Value<R> {
        let index = which.map(|(index, _)| self.node(span, ScalarType::U32, index));
        let threads = which.map(|(_, threads)| self.node(span, ScalarType::U32, threads));
        let value = Some(self.node(span, ScalarType::Bool, holds));
        let var = self.variable(Variable { name: None, ty: R::TYPE, mutable: false }, true);
        self.emit(span, StmtKind::Barrier { op, index, threads, value, result: Some(var) });
        Value::new(Operand::var(var))
    }

    /// One operation for each scalar, all of the same lanes.
    fn shuffled<T: Composite>(
        &self,
        span: Span,
        op: CollectiveOp,
        mask: Option<Operand>,
        value: Operand,
        lane: Operand,
    ) -> Value<T> {
        let types = T::LAYOUT.types();
        if let [ty] = types[..] {
            return Value::new(self.collective_of(span, op, ty, mask, &[(ty, value), (ScalarType::U32, lane)]));
        }
        // Statements stand between the first use of each and its next.
        let mask = mask.map(|mask| self.pin(span, ScalarType::U64, mask));
        let leaves = self.pin_leaves(T::LAYOUT, span, &self.leaves(T::LAYOUT, value));
        let lane = self.pin(span, ScalarType::U32, lane);
        let scalars = leaves.into_iter().zip(types);
        let shuffled: Leaves = scalars
            .map(|(leaf, ty)| self.collective_of(span, op, ty, mask, &[(ty, leaf), (ScalarType::U32, lane)]))
            .collect();
        Value::new(self.whole(&shuffled))
    }

    fn collective<R: Scalar>(&self, span: Span, op: CollectiveOp, mask: Option<Operand>, args: &[Typed]) -> Value<R> {
        Value::new(self.collective_of(span, op, R::TYPE, mask, args))
    }

    fn collective_of(
        &self,
        span: Span,
        op: CollectiveOp,
        ty: ScalarType,
        mask: Option<Operand>,
        args: &[Typed],
    ) -> Operand {
        let mask = mask.map(|mask| self.node(span, ScalarType::U64, mask));
        let args = args.iter().map(|&(ty, arg)| self.node(span, ty, arg)).collect();
        let var = self.variable(Variable { name: None, ty, mutable: false }, true);
        self.emit(span, StmtKind::Collective { op, mask, args, result: Some(var) });
        Operand::var(var)
    }
}
