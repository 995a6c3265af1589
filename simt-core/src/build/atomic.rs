//! Atomics: elements that threads read and write in one step, with the names of `std::sync::atomic`.

use super::arena::Operand;
use super::{AtomicRows, AtomicSlice, Builder, Elements, IntoIndex, IntoValue, MemoryElement, Region, Value};
use crate::build::{Atomic, AtomicF32, AtomicF64};
use crate::ops::{Args, AtomicOp, CompareOp, NumericOp};
use crate::program::{AtomicOrder, Memory, Stmt, StmtKind, VarId, Variable};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// An atomic number: all but `AtomicBool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not compute with numbers",
    label = "not an operation of `{Self}`",
    note = "`AtomicBool` has `load store swap compare_exchange fetch_and fetch_or fetch_xor`"
)]
pub trait AtomicNum: Atomic {}

/// An atomic with bit operations: all but the floats.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bit operations",
    label = "not an operation of `{Self}`",
    note = "atomic floats have `load store swap compare_exchange fetch_add fetch_sub fetch_min fetch_max`"
)]
pub trait AtomicBits: Atomic {}

macro_rules! implement {
    ($trait:ident: $($atomic:ident)*) => { $(impl $trait for $atomic {})* };
}
implement!(AtomicNum: AtomicU32 AtomicI32 AtomicU64 AtomicI64 AtomicUsize AtomicIsize AtomicF32 AtomicF64);
implement!(AtomicBits: AtomicU32 AtomicI32 AtomicU64 AtomicI64 AtomicUsize AtomicIsize AtomicBool);

/// Has elements of the atomic type `A`.
#[diagnostic::on_unimplemented(
    message = "the elements of this are not atomics",
    label = "neither a slice nor an array of atomics",
    note = "declare a parameter as `&[AtomicU32]`, a shared array as `#[shared] let x: [AtomicU32; 256];`"
)]
pub trait AtomicMemory<A>: Elements {}

impl<A: Atomic> AtomicMemory<A> for AtomicSlice<A> {}

/// Has rows of `N` elements of the atomic type `A`.
#[diagnostic::on_unimplemented(
    message = "the elements of this are not rows of atomics",
    label = "not an array of arrays of atomics",
    note = "such an array is declared as `#[shared] let x: [[AtomicU32; 32]; 8];`"
)]
pub trait AtomicRowMemory<A, const N: usize>: Elements {}

impl<A: Atomic, const N: usize> AtomicRowMemory<A, N> for AtomicRows<[A; N]> where [A; N]: MemoryElement {}

/// One operation: the element, and how it is ordered.
#[derive(Clone, Copy)]
struct Access {
    span: Span,
    op: AtomicOp,
    target: Memory,
    index: Operand,
    order: AtomicOrder,
}

macro_rules! fetch_methods {
    // The types of the operands are given by the caller, see `binary_methods`.
    (target: $target:ty, index: $index:ty, value: $value:ty; $($name:ident = $op:ident, $bound:ident;)*) => {
        impl Builder {$(
            #[doc = concat!("`target[index].", stringify!($name), "(value, order)`. Emits the operation.")]
            #[inline(never)]
            pub fn $name<A: $bound>(
                &self,
                at: u32,
                target: $target,
                index: $index,
                value: $value,
                order: Ordering,
            ) -> Value<A::Value> {
                let span = self.span(at);
                let (index, value) = (self.operand(span, index), self.operand(span, value));
                let order = self.order(span, order);
                let access = self.access(span, AtomicOp::$op, target.region(), (index, order));
                self.atomic::<A::Value>(access, &[value])
            }
        )*}
    };
}

fetch_methods! {
    target: impl AtomicMemory<A>, index: impl IntoIndex, value: impl IntoValue<A::Value>;
    swap = Swap, Atomic;
    fetch_and = And, AtomicBits;
    fetch_or = Or, AtomicBits;
    fetch_xor = Xor, AtomicBits;
    fetch_add = Add, AtomicNum;
    fetch_sub = Sub, AtomicNum;
    fetch_min = Min, AtomicNum;
    fetch_max = Max, AtomicNum;
}

impl Builder {
    /// The elements of all rows, one after the other.
    #[inline(never)]
    pub fn atomic_elements<A: Atomic, const N: usize>(&self, rows: impl AtomicRowMemory<A, N>) -> AtomicSlice<A> {
        AtomicSlice::new(rows.region())
    }

    /// The index of `rows[index][inner]` among the elements. Emits a check of the inner one.
    #[inline(never)]
    pub fn atomic_index<A: Atomic, const N: usize>(
        &self,
        at: u32,
        rows: impl AtomicRowMemory<A, N>,
        index: impl IntoIndex,
        inner: impl IntoIndex,
    ) -> Value<usize> {
        let span = self.span(at);
        let (index, inner) = (self.operand(span, index), self.operand(span, inner));
        Value::new(self.flat_index(span, rows.region(), N, index, inner))
    }

    /// `target[index].load(order)`. Emits the operation.
    #[inline(never)]
    pub fn atomic_load<A: Atomic>(
        &self,
        at: u32,
        target: impl AtomicMemory<A>,
        index: impl IntoIndex,
        order: Ordering,
    ) -> Value<A::Value> {
        let span = self.span(at);
        let index = self.operand(span, index);
        if matches!(order, Ordering::Release | Ordering::AcqRel) {
            self.problem(span, format!("a load cannot be `{order:?}`: write `Relaxed`, `Acquire` or `SeqCst`"));
        }
        let order = self.order(span, order);
        self.atomic::<A::Value>(self.access(span, AtomicOp::Load, target.region(), (index, order)), &[])
    }

    /// `target[index].store(value, order);`
    #[inline(never)]
    pub fn atomic_store<A: Atomic>(
        &self,
        at: u32,
        target: impl AtomicMemory<A>,
        index: impl IntoIndex,
        value: impl IntoValue<A::Value>,
        order: Ordering,
    ) {
        let span = self.span(at);
        let (index, value) = (self.operand(span, index), self.operand(span, value));
        if matches!(order, Ordering::Acquire | Ordering::AcqRel) {
            self.problem(span, format!("a store cannot be `{order:?}`: write `Relaxed`, `Release` or `SeqCst`"));
        }
        let order = self.order(span, order);
        let access = self.access(span, AtomicOp::Store, target.region(), (index, order));
        self.emit_atomic(access, A::Value::TYPE, &[value], None);
    }

    /// `target[index].compare_exchange(current, new, success, failure)`. Emits the operation.
    ///
    /// The program has one order for both outcomes: the stronger. Floats are compared by their bits.
    #[expect(clippy::too_many_arguments, reason = "as many as the standard library's, and the place and the element")]
    #[inline(never)]
    pub fn compare_exchange<A: Atomic>(
        &self,
        at: u32,
        target: impl AtomicMemory<A>,
        index: impl IntoIndex,
        current: impl IntoValue<A::Value>,
        new: impl IntoValue<A::Value>,
        success: Ordering,
        failure: Ordering,
    ) -> Value<Result<A::Value, A::Value>> {
        let span = self.span(at);
        let index = self.operand(span, index);
        let (current, new) = (self.operand(span, current), self.operand(span, new));
        if matches!(failure, Ordering::Release | Ordering::AcqRel) {
            let message =
                format!("the order of a failure cannot be `{failure:?}`: write `Relaxed`, `Acquire` or `SeqCst`");
            self.problem(span, message);
        }
        let ty = A::Value::TYPE;
        let current = self.pin(span, ty, current);
        let order = both(self.order(span, success), self.order(span, failure));
        let access = self.access(span, AtomicOp::CompareExchange, target.region(), (index, order));
        let old = self.atomic::<A::Value>(access, &[current, new]).operand;
        let ok = if ty.is_float() {
            let bits = |float| self.numeric(span, NumericOp::ToBits, ty, Args::One([float]));
            self.comparison(span, CompareOp::Eq, NumericOp::ToBits.result().of(ty), bits(old), bits(current))
        } else {
            self.comparison(span, CompareOp::Eq, ty, old, current)
        };
        let ok = self.pin(span, ScalarType::Bool, ok);
        Value::new(self.whole(&[ok, old, old]))
    }

    fn access(&self, span: Span, op: AtomicOp, target: Region, (index, order): (Operand, AtomicOrder)) -> Access {
        Access { span, op, target: target.memory, index: self.located(span, target, index), order }
    }

    fn atomic<T: Scalar>(&self, access: Access, operands: &[Operand]) -> Value<T> {
        let result = self.variable(Variable { name: None, ty: T::TYPE, mutable: false }, true);
        self.emit_atomic(access, T::TYPE, operands, Some(result));
        Value::new(Operand::var(result))
    }

    fn emit_atomic(&self, access: Access, ty: ScalarType, operands: &[Operand], result: Option<VarId>) {
        let Access { span, op, target, index, order } = access;
        let index = self.node(span, ScalarType::Usize, index);
        let operands = operands.iter().map(|&operand| self.node(span, ty, operand)).collect();
        self.emit(span, StmtKind::Atomic { op, target, index, operands, result, order });
    }

    fn order(&self, span: Span, order: Ordering) -> AtomicOrder {
        match order {
            Ordering::Relaxed => AtomicOrder::Relaxed,
            Ordering::Acquire => AtomicOrder::Acquire,
            Ordering::Release => AtomicOrder::Release,
            Ordering::AcqRel => AtomicOrder::AcqRel,
            Ordering::SeqCst => AtomicOrder::SeqCst,
            other => {
                self.problem(span, format!("the order `{other:?}` is not known to kernels"));
                AtomicOrder::SeqCst
            }
        }
    }

    /// Drops a variable that is not used, which may be the result of the operation that was emitted last.
    pub(super) fn forget(&self, var: VarId) {
        let mut state = self.state.borrow_mut();
        let is_newest = var.0 as usize + 1 == state.program.variables.len();
        let last = state.open.last_mut().and_then(|open| open.stmts.last_mut());
        if let Some(Stmt { kind: StmtKind::Atomic { op, result, .. }, .. }) = last
            && is_newest
            && *op != AtomicOp::Load
            && *result == Some(var)
        {
            *result = None;
            state.program.variables.pop();
            state.stable.pop();
            state.owners.pop();
        }
    }
}

/// The weakest order that is as strong as either.
fn both(success: AtomicOrder, failure: AtomicOrder) -> AtomicOrder {
    match (success, failure) {
        (AtomicOrder::SeqCst, _) | (_, AtomicOrder::SeqCst) => AtomicOrder::SeqCst,
        (AtomicOrder::Relaxed, AtomicOrder::Acquire) => AtomicOrder::Acquire,
        (AtomicOrder::Release, AtomicOrder::Acquire) => AtomicOrder::AcqRel,
        (success, _) => success,
    }
}
