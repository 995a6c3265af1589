//! Names: parameters, `let`, assignment, and statements that only evaluate.

use super::arena::{Leaf, Operand};
use super::base::{BASE_TYPE, Kind, bases_of, kinds_of};
use super::tuple::{Leaves, ShowLeaves, types};
use super::{
    Builder, Composite, ElementAccess, IntoValue, KernelData, Let, MemoryElement, Mutable, Place, Region, SliceRef,
    Value,
};
use crate::program::{Param, ParamId, ParamKind, StmtKind, VarId, Variable};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;

impl Builder {
    /// The next parameter, a value: one for each scalar of it.
    #[inline(never)]
    pub fn scalar<T: KernelData>(&self, at: u32, name: &'static str) -> Let<T> {
        let mut leaves = Leaves::new();
        T::leaves("", &mut |path, ty| {
            let name = if path.is_empty() { name.into() } else { format!("{name}{path}").into() };
            leaves.push(Operand::Leaf(Leaf::Param(self.param(at, name, ParamKind::Scalar(ty), 1))));
        });
        Let::new(self, self.whole(&leaves))
    }

    /// The next parameter, a `&[T]` of values or of atomics.
    #[inline(never)]
    pub fn slice<T: MemoryElement>(&self, at: u32, name: &'static str) -> T::Slice {
        let first = self.columns::<T::Data>(at, name, |element| {
            if T::Access::ATOMIC {
                ParamKind::Atomic { element }
            } else {
                ParamKind::Slice { element, writable: false }
            }
        });
        Region::from(first).into()
    }

    /// The next parameter, a `&mut [T]`.
    #[inline(never)]
    pub fn slice_mut<T: MemoryElement>(&self, at: u32, name: &'static str) -> T::SliceMut {
        let first = self.columns::<T::Data>(at, name, |element| ParamKind::Slice { element, writable: true });
        Region::from(first).into()
    }

    /// The next parameter, a `#[constant] &[T]`.
    #[inline(never)]
    pub fn constant_slice<T: KernelData>(&self, at: u32, name: &'static str) -> SliceRef<T> {
        SliceRef::new(self.columns::<T>(at, name, |element| ParamKind::Constant { element }))
    }

    /// One parameter for each column; the first.
    fn columns<T: KernelData>(&self, at: u32, name: &'static str, kind: impl Fn(ScalarType) -> ParamKind) -> ParamId {
        let first = ParamId(self.state.borrow().program.params.len() as u32);
        T::columns("", &mut |column| {
            let name = if column.path.is_empty() { name.into() } else { format!("{name}{}", column.path).into() };
            self.param(at, name, kind(column.ty), column.length.unwrap_or(1));
        });
        if T::COLUMNS == 0 {
            // Something has the name.
            self.param(at, name.into(), kind(ScalarType::U8), 1);
            self.no_scalars::<T>(self.span(at), name);
        }
        first
    }

    /// Says that memory has elements without scalars.
    pub(super) fn no_scalars<T>(&self, span: Span, name: &str) {
        let ty = super::fieldwise::short_name::<T>();
        let message =
            format!("`{name}` has elements of type `{ty}`, which hold nothing: a number says how many there are");
        self.problem(span, message);
    }

    fn param(&self, at: u32, name: Cow<'static, str>, kind: ParamKind, row: u32) -> ParamId {
        let span = self.span(at);
        let mut state = self.state.borrow_mut();
        let id = ParamId(state.program.params.len() as u32);
        state.program.params.push(Param { name, kind, row, table: None, span });
        id
    }

    /// `let name = value;`
    #[inline(never)]
    pub fn bind<T: Composite>(&self, at: u32, name: &'static str, value: impl IntoValue<T>) -> Let<T> {
        let span = self.span(at);
        if bases_of(T::leaves).contains(&true) {
            let value = self.operand(span, value);
            return Let::new(self, self.named_leaves(span, T::leaves, name, &self.leaves::<T>(value)));
        }
        let first = self.declare::<T>(span, name, false, value);
        Let::new(self, self.variables(first, T::COUNT))
    }

    /// As [`Builder::bind`], of what has references: these need no variables where they have leaves.
    fn named_leaves(&self, span: Span, show: ShowLeaves, name: &str, leaves: &Leaves) -> Operand {
        let (mut named, mut bounds) = (Leaves::new(), 0_u32);
        let kinds = kinds_of(show);
        show("", &mut |path, ty| {
            let (leaf, kind) = (leaves[named.len()], kinds[named.len()]);
            if kind != Kind::Scalar || bounds > 0 {
                bounds = if kind == Kind::Slice { 2 } else { bounds.saturating_sub(1) };
                let ty = if kind == Kind::Scalar { ty } else { BASE_TYPE };
                return named.push(self.pin(span, ty, leaf));
            }
            let value = self.node(span, ty, leaf);
            let name = Some(format!("{name}{path}").into());
            let var = self.variable(Variable { name, ty, mutable: false }, true);
            self.emit(span, StmtKind::Assign { var, value });
            named.push(Operand::var(var));
        });
        self.whole(&named)
    }

    /// `let mut name = value;`
    #[inline(never)]
    pub fn bind_mut<T: Composite>(&self, at: u32, name: &'static str, value: impl IntoValue<T>) -> Mutable<T> {
        Mutable::new(self.declare::<T>(self.span(at), name, true, value), T::COUNT)
    }

    /// `let name;`, which is assigned later: validation finds a use before.
    #[inline(never)]
    pub fn declare_later<T: Composite>(&self, _at: u32, name: &'static str) -> Mutable<T> {
        Mutable::new(self.new_variables::<T>(Some(name), true, false), T::COUNT)
    }

    /// A variable's declaration, which is its first assignment, also where nothing gets there (`let x = return;`).
    fn declare<T: Composite>(&self, span: Span, name: &'static str, mutable: bool, value: impl IntoValue<T>) -> VarId {
        let value = self.operand(span, value);
        let leaves = self.leaves::<T>(value);
        let bases = bases_of(T::leaves);
        let values: Vec<_> = (leaves.iter().zip(types::<T>()).zip(bases))
            .map(|((&leaf, ty), is_base)| if is_base { Err(leaf) } else { Ok(self.node(span, ty, leaf)) })
            .collect();
        let first = self.new_variables::<T>(Some(name), mutable, !mutable);
        for (value, id) in values.into_iter().zip(first.0..) {
            match value {
                Ok(value) => self.emit(span, StmtKind::Assign { var: VarId(id), value }),
                Err(base) => self.set_base(span, VarId(id), base),
            }
        }
        first
    }

    /// `place = value;`
    #[inline(never)]
    pub fn assign<T: Composite>(&self, at: u32, place: impl Place<T>, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        place.put(self, span, Value::new(value));
    }

    /// `value;` for its faults. Emits nothing for a value that cannot have any.
    #[inline(never)]
    pub fn evaluate<T: Composite>(&self, at: u32, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.evaluate_all::<T>(span, value);
    }

    /// `value` at the end of a block that has no value: the call of a function without a result.
    pub fn nothing(&self, at: u32, value: impl IntoValue<()>) {
        self.evaluate::<()>(at, value);
    }

    /// `()`
    pub fn unit(&self) -> Value<()> {
        Value::new(self.whole(&[]))
    }

    /// A place for the value of an `if` or a block: assigned by [`Builder::give`] where the value is known.
    #[inline(never)]
    pub fn slot<T: Composite>(&self) -> Let<T> {
        let first = self.new_variables::<T>(None, true, true);
        Let::new(self, self.variables(first, T::COUNT))
    }

    /// The value of a block, which becomes the slot's.
    #[inline(never)]
    pub fn give<T: Composite>(&self, at: u32, slot: Let<T>, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        if let Some(Operand::Leaf(Leaf::Var(first))) = self.leaves::<T>(slot.operand(self)).first().copied() {
            self.set_all::<T>(span, first, value);
        }
    }
}
