//! Names: parameters, `let`, assignment, and statements that only evaluate.

use super::arena::{Leaf, Operand};
use super::base::{BASE_TYPE, Kind};
use super::layout::{HasLayout, HasStorage, Layout, Storage};
use super::tuple::Leaves;
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
        Let::new(self, self.scalars_given(T::LAYOUT, at, name))
    }

    fn scalars_given(&self, layout: &Layout, at: u32, name: &'static str) -> Operand {
        let mut leaves = Leaves::new();
        layout.show(|path, ty| {
            let name = if path.is_empty() { name.into() } else { format!("{name}{path}").into() };
            leaves.push(Operand::Leaf(Leaf::Param(self.param(at, name, ParamKind::Scalar(ty), 1))));
        });
        self.whole(&leaves)
    }

    /// The next parameter, a `&[T]` of values or of atomics.
    #[inline(never)]
    pub fn slice<T: MemoryElement>(&self, at: u32, name: &'static str) -> T::Slice {
        let kind: fn(ScalarType) -> ParamKind = match T::Access::ATOMIC {
            true => |element| ParamKind::Atomic { element },
            false => |element| ParamKind::Slice { element, writable: false },
        };
        self.columns(T::Data::STORAGE, at, name, kind).into()
    }

    /// The next parameter, a `&mut [T]`.
    #[inline(never)]
    pub fn slice_mut<T: MemoryElement>(&self, at: u32, name: &'static str) -> T::SliceMut {
        self.columns(T::Data::STORAGE, at, name, |element| ParamKind::Slice { element, writable: true }).into()
    }

    /// The next parameter, a `#[constant] &[T]`.
    #[inline(never)]
    pub fn constant_slice<T: KernelData>(&self, at: u32, name: &'static str) -> SliceRef<T> {
        SliceRef::new(self.columns(T::STORAGE, at, name, |element| ParamKind::Constant { element }))
    }

    /// One parameter for each column.
    fn columns(&self, storage: &Storage, at: u32, name: &'static str, kind: fn(ScalarType) -> ParamKind) -> Region {
        let first = ParamId(self.state.borrow().program.params.len() as u32);
        storage.show_columns(|column| {
            let name = if column.path.is_empty() { name.into() } else { format!("{name}{}", column.path).into() };
            self.param(at, name, kind(column.ty), column.length.unwrap_or(1));
        });
        if storage.width == 0 {
            // Something has the name.
            self.param(at, name.into(), kind(ScalarType::U8), 1);
            self.no_scalars(storage.layout, self.span(at), name);
        }
        first.into()
    }

    /// Says that memory has elements without scalars.
    pub(super) fn no_scalars(&self, layout: &Layout, span: Span, name: &str) {
        let ty = layout.short_name();
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
        let value = self.operand(span, value);
        Let::new(self, self.named(T::LAYOUT, span, name, value))
    }

    pub(super) fn named(&self, layout: &Layout, span: Span, name: &'static str, value: Operand) -> Operand {
        if layout.has_bases() {
            return self.named_leaves(layout, span, name, &self.leaves(layout, value));
        }
        let first = self.declare(layout, span, name, false, value);
        self.variables(first, layout.count)
    }

    /// As [`Builder::bind`], of what has references: these need no variables where they have leaves.
    fn named_leaves(&self, layout: &Layout, span: Span, name: &str, leaves: &Leaves) -> Operand {
        let (mut named, mut bounds) = (Leaves::new(), 0_u32);
        let kinds = layout.kinds();
        layout.show(|path, ty| {
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
        let span = self.span(at);
        let value = self.operand(span, value);
        Mutable::new(self.declare(T::LAYOUT, span, name, true, value), T::COUNT)
    }

    /// `let name;`, which is assigned later: validation finds a use before.
    #[inline(never)]
    pub fn declare_later<T: Composite>(&self, _at: u32, name: &'static str) -> Mutable<T> {
        Mutable::new(self.new_variables(T::LAYOUT, Some(name), true, false), T::COUNT)
    }

    /// A variable's declaration, which is its first assignment, also where nothing gets there (`let x = return;`).
    pub(super) fn declare(
        &self,
        layout: &Layout,
        span: Span,
        name: &'static str,
        mutable: bool,
        value: Operand,
    ) -> VarId {
        let leaves = self.leaves(layout, value);
        let values: Vec<_> = (leaves.iter().zip(layout.types()).zip(layout.kinds()))
            .map(|((&leaf, ty), kind)| if kind == Kind::Scalar { Ok(self.node(span, ty, leaf)) } else { Err(leaf) })
            .collect();
        let first = self.new_variables(layout, Some(name), mutable, !mutable);
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
        self.evaluate_all(T::LAYOUT, span, value);
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
        let first = self.new_variables(T::LAYOUT, None, true, true);
        Let::new(self, self.variables(first, T::COUNT))
    }

    /// The value of a block, which becomes the slot's.
    #[inline(never)]
    pub fn give<T: Composite>(&self, at: u32, slot: Let<T>, value: impl IntoValue<T>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.fill_slot(T::LAYOUT, span, slot.operand(self), value);
    }

    pub(super) fn fill_slot(&self, layout: &Layout, span: Span, slot: Operand, value: Operand) {
        if let Some(Operand::Leaf(Leaf::Var(first))) = self.leaves(layout, slot).first().copied() {
            self.set_all(layout, span, first, value);
        }
    }
}
