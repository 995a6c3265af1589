//! References to variables, as device functions take them: `&T` and `&mut T`.
//!
//! A variable is seen by its own thread only, and the thread is in the function while that has the reference. So nothing can
//! tell whether the function works on the variable or on a copy that goes back when it returns, and a copy is what it gets:
//! no variable of the program has an address.

use super::arena::Operand;
use super::function::OnlyKernelsCallThis;
use super::layout::{HasLayout, Layout};
use super::place::ElementPlace;
use super::{Builder, Composite, Elements, IntoValue, Let, Mutable, Same, Types, Value};
use crate::program::{Expr, ExprId, FunctionId, LoadAccess, StmtKind, StoreAccess, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// `&x` of a value.
#[derive(Clone, Copy, Debug)]
pub struct ValueRef<T>(pub(super) Let<T>);

/// `&mut x` of a variable.
#[derive(Clone, Copy, Debug)]
pub struct ValueMut<T>(Mutable<T>);

/// Can be passed as `&x`: memory, which is itself, and values.
#[diagnostic::on_unimplemented(
    message = "`&` of this is not supported in a kernel",
    label = "neither memory nor a value"
)]
pub trait Lent {
    /// What a function gets.
    type Reference;
    /// The reference.
    fn lend(self, k: &Builder, at: u32) -> Self::Reference;
}

#[diagnostic::do_not_recommend]
impl<E: Elements> Lent for E {
    type Reference = E;

    fn lend(self, _: &Builder, _: u32) -> E {
        self
    }
}

impl<T> Lent for Let<T> {
    type Reference = ValueRef<T>;

    fn lend(self, _: &Builder, _: u32) -> ValueRef<T> {
        ValueRef(self)
    }
}

impl<T: Composite> Lent for Mutable<T> {
    type Reference = ValueRef<T>;

    fn lend(self, k: &Builder, at: u32) -> ValueRef<T> {
        ValueRef(k.keep(at, self))
    }
}

macro_rules! lent_constants {
    ($($ty:ty)*) => {$(
        /// A constant of the host's.
        impl Lent for $ty {
            type Reference = ValueRef<Self>;

            fn lend(self, k: &Builder, at: u32) -> ValueRef<Self> {
                k.lend_value(at, self)
            }
        }
    )*};
}
lent_constants!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);
#[cfg(feature = "half")]
lent_constants!(half::f16 half::bf16);

/// What `&mut x` is, by what `x` is.
pub trait LentMut {
    /// What a function gets.
    type Reference;
    /// The reference.
    fn lend_mut(self) -> Self::Reference;
}

/// Can be passed as `&mut x`. Apart from [`LentMut`], so that of a mistake rustc says one thing.
#[diagnostic::on_unimplemented(
    message = "`&mut` of this is not supported in a kernel",
    label = "not a `let mut` variable",
    note = "write `let mut` (or `mut` before the parameter's name) where it is declared"
)]
pub trait Changeable {}

#[diagnostic::do_not_recommend]
impl<E: Elements> Changeable for E {}

impl<T> Changeable for Mutable<T> {}

#[diagnostic::do_not_recommend]
impl<E: Elements> LentMut for E {
    type Reference = E;

    fn lend_mut(self) -> E {
        self
    }
}

impl<T> LentMut for Let<T> {
    type Reference = ValueMut<T>;

    fn lend_mut(self) -> ValueMut<T> {
        unreachable!("it is not `Changeable`")
    }
}

impl<T> LentMut for Mutable<T> {
    type Reference = ValueMut<T>;

    fn lend_mut(self) -> ValueMut<T> {
        ValueMut(self)
    }
}

/// What a name is that stands for a reference: `let r = &mut x;`
pub trait Referent {
    /// What the name stands for: what the reference refers to.
    type Name;
    /// What is behind the reference.
    fn name(self) -> Self::Name;
}

#[diagnostic::do_not_recommend]
impl<E: Elements> Referent for E {
    type Name = E;

    fn name(self) -> E {
        self
    }
}

impl<T> Referent for ValueRef<T> {
    type Name = Let<T>;

    fn name(self) -> Let<T> {
        self.0
    }
}

impl<T> Referent for ValueMut<T> {
    type Name = Mutable<T>;

    fn name(self) -> Mutable<T> {
        self.0
    }
}

/// Can be passed to a device function that takes a `&T`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `&{T}`, found `{Self}`",
    label = "expected `&{T}`, found `{Self}`",
    note = "a reference is passed as `&x`"
)]
pub trait RefArgument<T> {
    /// The value.
    fn value(self, k: &Builder) -> Value<T>;
}

impl<U, T> RefArgument<T> for ValueRef<U>
where
    Types: Same<U, T>,
{
    fn value(self, k: &Builder) -> Value<T> {
        Value::new(self.0.operand(k))
    }
}

impl<U, T> RefArgument<T> for ValueMut<U>
where
    Types: Same<U, T>,
{
    fn value(self, k: &Builder) -> Value<T> {
        Value::new(k.variables(self.0.var, self.0.count))
    }
}

/// What a method gives may be a reference on the host, `f(x.get(i).unwrap())`, and is a value here.
impl<U, T> RefArgument<T> for Value<U>
where
    Types: Same<U, T>,
{
    fn value(self, _: &Builder) -> Value<T> {
        Types::same(self)
    }
}

/// Can be passed to a device function that takes a `&mut T`.
#[diagnostic::on_unimplemented(
    message = "this parameter is a `&mut {T}`: write `&mut` in front of what is passed",
    label = "expected `&mut {T}`",
    note = "what is passed is a `let mut` variable, or an element of a `&mut [T]`"
)]
pub trait RefMutArgument<T> {
    /// The variable; and where its value goes when the function returns, if it is a copy.
    fn variable(self, k: &Builder, span: Span) -> (VarId, Option<ElementPlace>);
}

impl<T> ValueMut<T> {
    pub(super) fn of(variable: Mutable<T>) -> Self {
        Self(variable)
    }
}

impl<U, T> RefMutArgument<T> for ValueMut<U>
where
    Types: Same<U, T>,
{
    fn variable(self, _: &Builder, _: Span) -> (VarId, Option<ElementPlace>) {
        (self.0.var, None)
    }
}

/// A reference is no value: where one is wanted, rustc says that its type is none of a value's.
#[diagnostic::do_not_recommend]
impl<T> IntoValue<Self> for ValueRef<T> {
    fn into_value(self, _: &Builder, _: Span) -> Value<Self> {
        Value::new(Operand::Never)
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoValue<Self> for ValueMut<T> {
    fn into_value(self, _: &Builder, _: Span) -> Value<Self> {
        Value::new(Operand::Never)
    }
}

/// A reference to what a closure's parameter names, for the function that stands in the closure's place.
#[inline(never)]
pub fn referring<T>(value: Let<T>) -> ValueRef<T> {
    ValueRef(value)
}

/// What is behind the references `&mut` of a call or of a function: variables and their types.
pub(super) type Behind = Vec<(VarId, ScalarType)>;

impl OnlyKernelsCallThis<'_> {
    /// Passes a `&T`.
    #[inline(never)]
    pub fn reference<T: Composite>(&mut self, reference: impl RefArgument<T>) {
        let value = reference.value(self.k);
        self.leaves(T::LAYOUT, value.operand);
    }

    /// Passes a `&mut T`.
    #[inline(never)]
    pub fn reference_mut<T: Composite>(&mut self, reference: impl RefMutArgument<T>) {
        let (first, element) = reference.variable(self.k, self.span());
        self.leaves(T::LAYOUT, self.k.variables(first, T::COUNT));
        self.behind.extend(self.k.scalars_of(T::LAYOUT, first));
        self.elements.extend(element);
    }
}

impl Builder {
    /// `&x`
    #[inline(never)]
    pub fn lend<E: Lent>(&self, at: u32, lent: E) -> E::Reference {
        lent.lend(self, at)
    }

    /// `&value`, of an expression.
    #[inline(never)]
    pub fn lend_value<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> ValueRef<T> {
        ValueRef(self.keep(at, value))
    }

    /// `&mut x`
    #[inline(never)]
    pub fn lend_mut<E: LentMut + Changeable>(&self, _at: u32, lent: E) -> E::Reference {
        lent.lend_mut()
    }

    /// What `let r = &x;` names.
    #[inline(never)]
    pub fn referent<R: Referent>(&self, reference: R) -> R::Name {
        reference.name()
    }

    /// The next parameter of the function that is being built, a `&mut T`: within the function, a variable.
    #[inline(never)]
    pub fn parameter_ref<T: Composite>(&self, at: u32, name: &'static str) -> Mutable<T> {
        let variable = self.parameter_mut::<T>(at, name);
        let behind = self.scalars_of(T::LAYOUT, variable.var);
        self.state.borrow_mut().behind.extend(behind);
        variable
    }

    /// Whether what is behind a parameter `&mut T` has these variables. References among them stay as they are.
    pub(super) fn is_behind(&self, first: VarId, count: u32) -> bool {
        let variables = first.0..first.0 + count;
        self.state.borrow().behind.iter().any(|(behind, _)| variables.contains(&behind.0))
    }

    /// The variables of a value that statements have, and their types.
    pub(super) fn scalars_of(&self, layout: &Layout, first: VarId) -> Behind {
        self.scalars(first, &layout.types())
    }

    pub(super) fn scalars(&self, first: VarId, types: &[ScalarType]) -> Behind {
        let all = (first.0..).map(VarId).zip(types.iter().copied());
        all.filter(|&(var, _)| !self.is_base_variable(var)).collect()
    }

    /// Passes back what is behind references: as the scalars of a result beyond the first are, behind those.
    pub(super) fn give_behind(&self, span: Span) {
        let (behind, before) = {
            let state = self.state.borrow();
            (state.behind.clone(), state.results.clone())
        };
        let places = self.places_of(span, before.iter().copied().chain(behind.iter().map(|&(_, ty)| ty)));
        for ((var, ty), (slice, index, _)) in behind.into_iter().zip(places.into_iter().skip(before.len())) {
            let index = self.node(span, ScalarType::Usize, Operand::constant(index));
            let value = self.node(span, ty, Operand::var(var));
            self.emit(span, StmtKind::Store { slice: slice.into(), index, value, access: StoreAccess::Plain });
        }
    }

    /// Emits a call, and takes what it passes back besides the first scalar of its result: to variables of these types.
    pub(super) fn emit_call(
        &self,
        span: Span,
        (function, args): (FunctionId, Vec<ExprId>),
        result: Option<VarId>,
        others: &[(VarId, ScalarType)],
    ) {
        self.emit(span, StmtKind::Call { function, args, result });
        let places = self.places_of(span, others.iter().map(|&(_, ty)| ty));
        for (&(var, _), (array, index, ty)) in others.iter().zip(places) {
            let index = self.node(span, ScalarType::Usize, Operand::constant(index));
            let load = Expr::Load { slice: array.into(), index, access: LoadAccess::Plain };
            self.set(span, var, ty, self.load_node(span, ty, load));
        }
    }
}
