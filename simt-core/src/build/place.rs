//! References to elements of memory, as device functions take them: `&a[i]`, `&mut a[i]`, and `&a[i]` of an atomic.
//!
//! A function gets a copy of an element that it may write, and gives it back when it returns. Others of the block may see the
//! memory, but not between the two, if each access of theirs is ordered with those of the function: a function that takes a
//! part in such an order (a barrier, a fence, an atomic) is refused. A reference to an atomic is memory and an index, and all
//! see each access.

use super::arena::Operand;
use super::function::OnlyKernelsCallThis;
use super::layout::{HasLayout, HasStorage};
use super::reference::{RefMutArgument, Referent, ValueMut, ValueRef};
use super::{
    ArrayMut, ArrayRef, Atomic, AtomicSlice, Builder, Composite, IntoIndex, KernelData, Let, MemoryElement, Mutable,
    Region, Same, SliceMut, SliceMutArgument, SliceRef, Types, Value, WriteSlice,
};
use crate::program::{
    ArraySpace, Block, Expr, ExprId, FunctionId, LoadAccess, Memory, Program, StmtKind, StoreAccess, VarId,
};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::marker::PhantomData;

/// `&mut a[i]`
#[derive(Clone, Copy, Debug)]
pub struct ElementMut<T> {
    copy: Mutable<T>,
    place: ElementPlace,
}

/// Where an element goes when the function returns that has a reference to it.
#[derive(Clone, Copy, Debug)]
pub struct ElementPlace {
    memory: Memory,
    index: Operand,
    store: fn(&Builder, Span, Self, VarId),
    copy: VarId,
}

impl ElementPlace {
    /// An array, of which variables have a copy.
    pub(super) fn array<T: KernelData, const N: usize>(k: &Builder, region: Region, copy: VarId) -> Self {
        let store = |k: &Builder, span: Span, place: Self, copy: VarId| {
            let region = k.bounded(span, place.memory.into(), place.index, Operand::constant(N));
            k.put_array::<T, N>(span, region, k.variables(copy, <[T; N]>::COUNT));
        };
        let index = k.bounds(region).map_or(Operand::constant(0_usize), |bounds| bounds.start);
        Self { memory: region.memory, index, store, copy }
    }

    /// The variables that a mirror is of.
    pub(super) fn mirrored(memory: Memory) -> Self {
        let store = |k: &Builder, span: Span, place: Self, _: VarId| k.take_reflected(span, place.memory);
        Self { memory, index: Operand::Never, store, copy: VarId(0) }
    }

    /// Whether variables have a copy of it.
    pub(super) fn is_copied(&self) -> bool {
        !matches!(self.index, Operand::Never)
    }

    /// Stores the element.
    pub(super) fn store(self, k: &Builder, span: Span) {
        (self.store)(k, span, self, self.copy);
    }

    /// Stores the element, behind a call of the function.
    pub(super) fn give_back(self, k: &Builder, span: Span, function: FunctionId) {
        self.store(k, span);
        let local = match self.memory {
            Memory::Array(array) => k.state.borrow().program.array(array).space == ArraySpace::Local,
            Memory::Param(_) => false,
        };
        if !local {
            k.state.borrow_mut().lent_elements.push((span, function));
        }
    }
}

impl<T: KernelData> ElementMut<T> {
    fn new(memory: Memory, index: Operand, copy: Mutable<T>) -> Self {
        let store = |k: &Builder, span: Span, place: ElementPlace, copy: VarId| {
            let value = k.variables(copy, T::COUNT);
            k.store_all(T::STORAGE, span, StoreAccess::Plain, place.memory, place.index, value);
        };
        Self { copy, place: ElementPlace { memory, index, store, copy: copy.var } }
    }
}

impl<U, T> RefMutArgument<T> for ElementMut<U>
where
    Types: Same<U, T>,
{
    fn variable(self, _: &Builder, _: Span) -> (VarId, Option<ElementPlace>) {
        (self.copy.var, Some(self.place))
    }
}

/// `&mut a[i]` of an array, as `&mut [T; N]` or `&mut [T]`: the element itself.
impl<T: KernelData + MemoryElement, const N: usize> SliceMutArgument<T> for ElementMut<[T; N]> {
    fn argument(self, k: &Builder, span: Span) -> Region {
        k.row_of(span, self.place.memory.into(), N, self.place.index)
    }
}

/// `&a[i]` of an atomic.
#[derive(Debug)]
pub struct AtomicRef<A> {
    memory: Memory,
    index: Let<usize>,
    ty: PhantomData<A>,
}

// Not derived: a handle is `Copy` whatever its type parameter is.
impl<A> Clone for AtomicRef<A> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A> Copy for AtomicRef<A> {}

impl<A> AtomicRef<A> {
    /// The atomic at an index.
    pub(super) fn new(k: &Builder, span: Span, region: Region, index: Operand) -> Self {
        let index = k.position(span, k.located(span, region, index));
        Self { memory: region.memory, index, ty: PhantomData }
    }

    /// The memory it is in, and where.
    pub(super) fn parts(self) -> (Memory, Let<usize>) {
        (self.memory, self.index)
    }
}

/// Can be passed to a device function that takes a `&AtomicU32` or the like.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `&{A}`, found `{Self}`",
    label = "expected `&{A}`, found `{Self}`",
    note = "an atomic is passed as `&x[i]`"
)]
pub trait AtomicArgument<A> {
    /// The atomic.
    fn atomic(self, k: &Builder, span: Span) -> AtomicRef<A>;
}

/// Refers to an atomic.
#[diagnostic::on_unimplemented(
    message = "this is no reference to an atomic",
    label = "neither an element, `x[i]`, nor a reference to one",
    note = "such references are parameters `a: &AtomicU32`, what `for` and `let` name, and what `x.get(i)` has"
)]
pub trait AtomicReference {
    /// The type of the atomic.
    type Atomic;
    /// The atomic.
    fn referred(self, k: &Builder, span: Span) -> AtomicRef<Self::Atomic>;
}

impl<A> AtomicReference for AtomicRef<A> {
    type Atomic = A;

    fn referred(self, _: &Builder, _: Span) -> Self {
        self
    }
}

impl<A> AtomicArgument<A> for AtomicRef<A> {
    fn atomic(self, _: &Builder, _: Span) -> Self {
        self
    }
}

/// Memory to whose elements there are references `&a[i]`.
pub trait LentElement {
    /// What a function gets.
    type Reference;
    /// The reference.
    fn lend_element(self, k: &Builder, at: u32, index: Value<usize>) -> Self::Reference;
}

macro_rules! lent_elements {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T: KernelData $($generics)*> LentElement for $handle {
            type Reference = ValueRef<T>;

            fn lend_element(self, k: &Builder, at: u32, index: Value<usize>) -> ValueRef<T> {
                k.lend_value(at, k.load(at, self, index))
            }
        }
    )*};
}
lent_elements! {
    [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
}

impl<A: Atomic> LentElement for AtomicSlice<A> {
    type Reference = AtomicRef<A>;

    fn lend_element(self, k: &Builder, at: u32, index: Value<usize>) -> AtomicRef<A> {
        AtomicRef::new(k, k.span(at), self.region, index.operand)
    }
}

/// Can be passed to a closure that takes a `&mut T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `&mut` in a kernel",
    label = "not a reference through which something is written",
    note = "write `&mut x`"
)]
pub trait LentVariable {
    /// What it refers to.
    type Target;
    /// The variable; and where its value goes behind the call, if it is the copy of an element.
    fn lent_variable(self) -> (Mutable<Self::Target>, Option<ElementPlace>);
}

impl<T> LentVariable for ValueMut<T> {
    type Target = T;

    fn lent_variable(self) -> (Mutable<T>, Option<ElementPlace>) {
        (self.name(), None)
    }
}

impl<T> LentVariable for ElementMut<T> {
    type Target = T;

    fn lent_variable(self) -> (Mutable<T>, Option<ElementPlace>) {
        (self.copy, Some(self.place))
    }
}

impl OnlyKernelsCallThis<'_> {
    /// Passes a `&AtomicU32` or the like; what it is the memory of.
    #[inline(never)]
    pub fn atomic_reference<A: Atomic>(&mut self, reference: impl AtomicArgument<A>) -> AtomicSlice<A> {
        let AtomicRef { memory, index, .. } = reference.atomic(self.k, self.span);
        self.leaves(usize::LAYOUT, index.operand(self.k));
        AtomicSlice::new(self.region(memory.into()))
    }
}

impl Builder {
    /// `&slice[index]`
    #[inline(never)]
    pub fn lend_element<S: LentElement>(&self, at: u32, slice: S, index: impl IntoIndex) -> S::Reference {
        let index = self.operand(self.span(at), index);
        slice.lend_element(self, at, Value::new(index))
    }

    /// `&mut slice[index]`. Emits a copy of the element.
    #[inline(never)]
    pub fn lend_element_mut<T: KernelData>(
        &self,
        at: u32,
        slice: impl WriteSlice<T>,
        index: impl IntoIndex,
    ) -> ElementMut<T> {
        let span = self.span(at);
        let (region, index) = (slice.region(), self.operand(span, index));
        let index = self.located(span, region, index);
        let index = self.pin(span, ScalarType::Usize, index);
        let memory = region.memory;
        let copy = self.bind_mut::<T>(at, "element", self.load(at, SliceMut::<T>::new(memory), Value::new(index)));
        ElementMut::new(memory, index, copy)
    }

    /// The next parameter of the function that is being built, a `&AtomicU32` or the like in this memory.
    #[inline(never)]
    pub fn parameter_atomic<A: Atomic>(&self, at: u32, memory: AtomicSlice<A>, name: &'static str) -> AtomicRef<A> {
        AtomicRef { memory: memory.region.memory, index: self.parameter::<usize>(at, name), ty: PhantomData }
    }

    /// The variable that a closure gets for a `&mut`, and where its value goes behind the call.
    #[inline(never)]
    pub fn variable_lent<L: LentVariable>(&self, lent: L) -> (Mutable<L::Target>, Option<ElementPlace>) {
        lent.lent_variable()
    }

    /// Stores an element behind the call of a closure.
    #[inline(never)]
    pub fn put_back(&self, at: u32, place: Option<ElementPlace>) {
        if let Some(place) = place {
            (place.store)(self, self.span(at), place, place.copy);
        }
    }

    /// What a name or a value refers to.
    #[inline(never)]
    pub fn atomic_reference<R: AtomicReference>(&self, at: u32, reference: R) -> AtomicRef<R::Atomic> {
        reference.referred(self, self.span(at))
    }

    /// The memory that an atomic is in.
    #[inline(never)]
    pub fn atomic_memory<A: Atomic>(&self, atomic: AtomicRef<A>) -> AtomicSlice<A> {
        AtomicSlice::new(atomic.memory)
    }

    /// Its index there.
    #[inline(never)]
    pub fn atomic_place<A>(&self, atomic: AtomicRef<A>) -> Let<usize> {
        atomic.index
    }
}

/// The calls with a reference to an element that others see, whose function orders its accesses with those of others.
pub(super) fn seen_by_others(program: &Program, lent: &[(Span, FunctionId)]) -> Vec<(Span, String)> {
    if lent.is_empty() {
        return Vec::new();
    }
    let functions = &program.functions;
    let mut orders: Vec<bool> = functions.iter().map(|function| orders(program, &function.body, &[])).collect();
    // What it calls may, too.
    while let Some(caller) =
        (0..functions.len()).find(|&id| !orders[id] && self::orders(program, &functions[id].body, &orders))
    {
        orders[caller] = true;
    }
    let seen = lent.iter().filter(|(_, function)| orders[function.0 as usize]);
    seen.map(|&(span, function)| {
        let name = &functions[function.0 as usize].name;
        let message = format!(
            "`{name}` takes `&mut` to an element of memory that other threads see, and orders its accesses with theirs (by a \
             barrier, a fence, an atomic or a volatile access): pass the slice and the index, `{name}(a, i)`"
        );
        (span, message)
    })
    .collect()
}

/// Whether statements order accesses of the thread with those of others, or call functions that do.
fn orders(program: &Program, body: &Block, known: &[bool]) -> bool {
    let mut blocks = vec![body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            let ordered = match &statement.kind {
                StmtKind::Atomic { .. }
                | StmtKind::Barrier { .. }
                | StmtKind::Fence { .. }
                | StmtKind::Collective { .. } => true,
                StmtKind::Store { access, .. } => *access != StoreAccess::Plain,
                StmtKind::Call { function, .. } => known.get(function.0 as usize).copied().unwrap_or(false),
                _ => false,
            };
            if ordered || statement.kind.exprs().any(|expr| is_ordered(program, expr)) {
                return true;
            }
            blocks.extend(statement.kind.blocks());
        }
    }
    false
}

/// Whether an expression has a load that is more than a load.
fn is_ordered(program: &Program, expr: ExprId) -> bool {
    let mut left = vec![expr];
    while let Some(next) = left.pop() {
        let expr = &program.expr(next).expr;
        if matches!(expr, Expr::Load { access, .. } if *access != LoadAccess::Plain) {
            return true;
        }
        left.extend(expr.children());
    }
    false
}
