//! Names: parameters, `let`, assignment, and statements that only evaluate.

use super::arena::Operand;
use super::{Builder, IntoValue, Let, Mutable, Place, SliceMut, SliceRef};
use crate::program::{Expr, Param, ParamId, ParamKind, StmtKind, VarId, Variable};
use crate::scalar::Scalar;
use crate::source::Span;
use std::borrow::Cow;

impl Builder {
    /// The next parameter, a scalar.
    pub fn scalar<T: Scalar>(&self, at: u32, name: &'static str) -> Let<T> {
        let param = self.param(at, name, ParamKind::Scalar(T::TYPE));
        Let::new(Operand::Leaf(Expr::Param(param)))
    }

    /// The next parameter, a `&[T]`.
    pub fn slice<T: Scalar>(&self, at: u32, name: &'static str) -> SliceRef<T> {
        SliceRef::new(self.param(at, name, ParamKind::Slice { element: T::TYPE, writable: false }))
    }

    /// The next parameter, a `&mut [T]`.
    pub fn slice_mut<T: Scalar>(&self, at: u32, name: &'static str) -> SliceMut<T> {
        SliceMut::new(self.param(at, name, ParamKind::Slice { element: T::TYPE, writable: true }))
    }

    fn param(&self, at: u32, name: &'static str, kind: ParamKind) -> ParamId {
        let span = self.span(at);
        let mut state = self.state.borrow_mut();
        let id = ParamId(state.program.params.len() as u32);
        state.program.params.push(Param { name: Cow::Borrowed(name), kind, span });
        id
    }

    /// `let name = value;`
    pub fn bind<T: Scalar>(&self, at: u32, name: &'static str, value: impl IntoValue<T>) -> Let<T> {
        let span = self.span(at);
        let var = self.declare::<T>(span, name, false, value);
        Let::new(Operand::var(var))
    }

    /// `let mut name = value;`
    pub fn bind_mut<T: Scalar>(&self, at: u32, name: &'static str, value: impl IntoValue<T>) -> Mutable<T> {
        let span = self.span(at);
        Mutable::new(self.declare::<T>(span, name, true, value))
    }

    /// A variable's declaration, which is its first assignment, also where nothing gets there (`let x = return;`).
    fn declare<T: Scalar>(&self, span: Span, name: &'static str, mutable: bool, value: impl IntoValue<T>) -> VarId {
        let value = self.operand(span, value);
        let value = self.node(span, T::TYPE, value);
        let var = self.variable(Variable { name: Some(Cow::Borrowed(name)), ty: T::TYPE, mutable }, !mutable);
        self.emit(span, StmtKind::Assign { var, value });
        var
    }

    /// `place = value;`
    pub fn assign<T: Scalar>(&self, at: u32, place: impl Place<T>, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.set(span, place.var(), T::TYPE, value);
    }

    /// `value;` for its faults. Emits nothing for a value that cannot have any.
    pub fn evaluate<T: Scalar>(&self, at: u32, value: impl IntoValue<T>) {
        let span = self.span(at);
        if let Operand::Node(value) = self.operand(span, value) {
            self.emit(span, StmtKind::Evaluate { value });
        }
    }

    /// A place for the value of an `if` or a block: assigned by [`Builder::give`] where the value is known.
    pub fn slot<T: Scalar>(&self) -> Let<T> {
        Let::new(Operand::var(self.variable(Variable { name: None, ty: T::TYPE, mutable: true }, true)))
    }

    /// The value of a block, which becomes the slot's.
    pub fn give<T: Scalar>(&self, at: u32, slot: Let<T>, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        if let Operand::Leaf(Expr::Var(var)) = slot.operand {
            self.set(span, var, T::TYPE, value);
        }
    }
}
