//! Values of several scalars: tuples.
//!
//! A program knows scalars only. So a tuple is as many operands as it has scalars, its *leaves*, from left to right; a
//! variable of a tuple's type is that many variables, whose numbers follow each other.

use super::arena::{Leaf, Operand};
use super::base::is_base;
use super::handle::Listed;
use super::layout::{HasLayout, Layout};
use super::shape::{Fields, Shape, Written};
use super::{Builder, IntoValue, Let, Mutable, Place, Value};
use crate::program::{Expr, ExprId, Program, StmtKind, VarId, Variable};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// The leaves of a value.
pub(super) type Leaves = SmallVec<[Operand; 4]>;

/// A type whose values are made of scalars: a scalar, a tuple, an `Option` or a `Result` of such types, an array of scalars, or a
/// struct or an enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the kernel language",
    label = "not a value of a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize, and with tuples of up to eight of them",
    note = "a slice or an array is no value: write `x[i]` for an element",
    note = "a struct needs `#[derive(Clone, Copy, KernelData)]`"
)]
pub trait Composite: Sized + 'static {
    /// How many scalars a value has.
    const COUNT: u32;

    /// Shows the types of the scalars, in order, each with what stands behind a variable's name for it.
    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType));

    /// What a value consists of.
    fn shape() -> Shape;

    /// The host's value that has these scalars, which are asked for in order: their bits for the type, and of a tag the
    /// variant's [`sample`](super::Choice::sample).
    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar> Composite for T {
    const COUNT: u32 = 1;

    fn shape() -> Shape {
        Shape::Scalar
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        T::from_bits64(next(T::TYPE))
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        show(path, T::TYPE);
    }
}

/// A tuple.
#[diagnostic::on_unimplemented(
    message = "expected a tuple in kernel, found `{Self}`",
    label = "`{Self}` is not a tuple",
    note = "tuples have at most eight parts here"
)]
pub trait Tuple: Composite {
    /// Its parts, each to be used once.
    type Values;
    /// Its parts as names that keep their values.
    type Names;

    /// The parts of a value.
    fn values(k: &Builder, value: Value<Self>) -> Self::Values;
    /// The parts of a name.
    fn names(k: &Builder, name: Let<Self>) -> Self::Names;
}

/// A tuple that has a field `.0`, `.1`, ...
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no field `.{INDEX}` in a kernel",
    label = "no field `.{INDEX}`",
    note = "tuples have fields `.0`, `.1`, and so on"
)]
pub trait Field<const INDEX: usize>: Composite {
    /// The field's type.
    type Type: Composite;
    /// How many scalars the tuple has before it.
    const FIRST: u32;
}

macro_rules! impl_tuples {
    ($(($($part:ident: $value:ident, $index:tt, ($($before:ident)*);)*))*) => {$(
        impl<$($part: Composite),*> Composite for ($($part,)*) {
            const COUNT: u32 = 0 $(+ $part::COUNT)*;

            fn shape() -> Shape {
                Shape::Fields(Fields::unnamed(Written::Numbered, vec![$($part::shape()),*]))
            }

            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple has no parts")]
            fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
                ($($part::made(next),)*)
            }

            #[allow(unused_variables, reason = "the empty tuple has no parts")]
            fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
                $($part::leaves(&format!(concat!("{}.", stringify!($index)), path), show);)*
            }
        }

        impl<$($part: Composite),*> Tuple for ($($part,)*) {
            type Values = ($(Value<$part>,)*);
            type Names = ($(Let<$part>,)*);

            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple has no parts")]
            fn values(k: &Builder, value: Value<Self>) -> Self::Values {
                ($(Value::new(k.part(value.operand, 0 $(+ $before::COUNT)*, $part::COUNT)),)*)
            }

            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple has no parts")]
            fn names(k: &Builder, name: Let<Self>) -> Self::Names {
                ($(k.part_from::<_, $part>(name, 0 $(+ $before::COUNT)*),)*)
            }
        }

        impl<$($part: Composite, $value: IntoValue<$part>),*> IntoValue<($($part,)*)> for ($($value,)*) {
            #[allow(unused_variables, unused_mut, non_snake_case, reason = "the empty tuple has no parts")]
            fn into_value(self, k: &Builder, span: Span) -> Value<($($part,)*)> {
                let ($($value,)*) = self;
                let mut leaves = Leaves::new();
                $(k.append($part::LAYOUT, &mut leaves, k.operand::<$part>(span, $value));)*
                Value::new(k.whole(&leaves))
            }
        }

        impl_tuples!(@fields ($($part)*) $($part, $index, ($($before)*);)*);
    )*};
    (@fields $parts:tt $($part:ident, $index:tt, $before:tt;)*) => {
        $(impl_tuples!(@field $parts $part, $index, $before);)*
    };
    (@field ($($parts:ident)*) $part:ident, $index:tt, ($($before:ident)*)) => {
        impl<$($parts: Composite),*> Field<$index> for ($($parts,)*) {
            type Type = $part;
            const FIRST: u32 = 0 $(+ $before::COUNT)*;
        }
    };
}

impl_tuples! {
    ()
    (A: VA, 0, ();)
    (A: VA, 0, (); B: VB, 1, (A);)
    (A: VA, 0, (); B: VB, 1, (A); C: VC, 2, (A B);)
    (A: VA, 0, (); B: VB, 1, (A); C: VC, 2, (A B); D: VD, 3, (A B C);)
    (A: VA, 0, (); B: VB, 1, (A); C: VC, 2, (A B); D: VD, 3, (A B C); E: VE, 4, (A B C D);)
    (A: VA, 0, (); B: VB, 1, (A); C: VC, 2, (A B); D: VD, 3, (A B C); E: VE, 4, (A B C D); F: VF, 5, (A B C D E);)
    (A: VA, 0, (); B: VB, 1, (A); C: VC, 2, (A B); D: VD, 3, (A B C); E: VE, 4, (A B C D); F: VF, 5, (A B C D E);
     G: VG, 6, (A B C D E F);)
    (A: VA, 0, (); B: VB, 1, (A); C: VC, 2, (A B); D: VD, 3, (A B C); E: VE, 4, (A B C D); F: VF, 5, (A B C D E);
     G: VG, 6, (A B C D E F); H: VH, 7, (A B C D E F G);)
}

impl Builder {
    /// The parts of a tuple, each to be used once.
    #[inline(never)]
    pub fn split<T: Tuple>(&self, at: u32, value: impl IntoValue<T>) -> T::Values {
        let operand = self.operand(self.span(at), value);
        T::values(self, Value::new(operand))
    }

    /// The parts of a tuple, evaluated now. May emit assignments to temporaries.
    #[inline(never)]
    pub fn split_held<T: Tuple>(&self, at: u32, value: impl IntoValue<T>) -> T::Names {
        T::names(self, self.keep(at, value))
    }

    /// The parts of a tuple that has a name.
    #[inline(never)]
    pub fn parts<T: Tuple>(&self, name: Let<T>) -> T::Names {
        T::names(self, name)
    }

    /// `tuple.0`
    ///
    /// Emits the other parts, if they may have faults.
    #[inline(never)]
    pub fn field<const INDEX: usize, T: Field<INDEX>>(&self, at: u32, tuple: impl IntoValue<T>) -> Value<T::Type> {
        let span = self.span(at);
        let operand = self.operand(span, tuple);
        let part = (T::FIRST, T::Type::COUNT);
        Value::new(self.part_of_value(T::LAYOUT, span, operand, part, Program::can_fault))
    }

    /// `tuple.0 = ..`
    #[inline(never)]
    pub fn field_place<const INDEX: usize, T: Field<INDEX>>(&self, tuple: impl Place<T>) -> Mutable<T::Type> {
        Mutable::new(VarId(tuple.var().0 + T::FIRST), T::Type::COUNT)
    }

    /// Evaluates an operand now, because statements come between it and its use.
    ///
    /// May emit assignments to temporaries.
    #[inline(never)]
    pub fn hold<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Value<T> {
        Value::new(self.keep(at, value).operand(self))
    }

    /// Evaluates a value now, and gives it a name, so that it can be used more than once.
    ///
    /// May emit assignments to temporaries.
    #[inline(never)]
    pub fn keep<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Let<T> {
        let span = self.span(at);
        let operand = self.operand(span, value);
        Let::new(self, self.pinned_value(T::LAYOUT, span, operand))
    }

    /// The leaves, each of which keeps its value.
    pub(super) fn pin_leaves(&self, layout: &Layout, span: Span, leaves: &[Operand]) -> Leaves {
        leaves.iter().zip(layout.types()).map(|(&leaf, ty)| self.pin(span, ty, leaf)).collect()
    }

    /// The operand, whose leaves keep their values.
    pub(super) fn pinned_value(&self, layout: &Layout, span: Span, operand: Operand) -> Operand {
        self.whole(&self.pin_leaves(layout, span, &self.leaves(layout, operand)))
    }

    /// The leaves of an operand of the type.
    pub(super) fn leaves(&self, layout: &Layout, operand: Operand) -> Leaves {
        match operand {
            Operand::Several { first, count } => {
                self.state.borrow().leaves[first as usize..(first + count) as usize].iter().copied().collect()
            }
            Operand::Never => smallvec![Operand::Never; layout.count as usize],
            Operand::Leaf(_) | Operand::Node(_) => smallvec![operand],
        }
    }

    /// Puts the leaves of an operand behind others.
    pub(super) fn append(&self, layout: &Layout, leaves: &mut Leaves, operand: Operand) {
        leaves.extend(self.leaves(layout, operand));
    }

    /// The operand that has the leaves.
    pub(super) fn whole(&self, leaves: &[Operand]) -> Operand {
        if let [leaf] = leaves {
            return *leaf;
        }
        let known = &mut self.state.borrow_mut().leaves;
        let first = known.len() as u32;
        known.extend_from_slice(leaves);
        Operand::Several { first, count: leaves.len() as u32 }
    }

    /// So many of an operand's leaves.
    pub(super) fn part(&self, whole: Operand, first: u32, count: u32) -> Operand {
        match whole {
            Operand::Several { first: begin, .. } => self.unlisted(Listed { first: begin + first, count }),
            Operand::Never => self.whole(&vec![Operand::Never; count as usize]),
            Operand::Leaf(_) | Operand::Node(_) if count == 0 => self.whole(&[]),
            Operand::Leaf(_) | Operand::Node(_) => whole,
        }
    }

    /// As [`Builder::part`], of a value whose other leaves nothing asks for: emits those that `may_fault`.
    pub(super) fn part_of_value(
        &self,
        layout: &Layout,
        span: Span,
        value: Operand,
        (first, count): (u32, u32),
        may_fault: fn(&Program, ExprId) -> bool,
    ) -> Operand {
        let is_dropped = |(leaf, at): (&Operand, u32)| match *leaf {
            Operand::Node(id) => !(first..first + count).contains(&at) && may_fault(&self.state.borrow().program, id),
            _ => false,
        };
        let pins = self.leaves(layout, value).iter().zip(0..).any(is_dropped);
        self.part(if pins { self.pinned_value(layout, span, value) } else { value }, first, count)
    }

    /// Puts the leaves of an operand into the builder's list, if they are not there.
    pub(super) fn listed(&self, operand: Operand) -> Listed {
        if let Operand::Several { first, count } = operand {
            return Listed { first, count };
        }
        let known = &mut self.state.borrow_mut().leaves;
        known.push(operand);
        Listed { first: known.len() as u32 - 1, count: 1 }
    }

    /// The operand whose leaves are there.
    pub(super) fn unlisted(&self, Listed { first, count }: Listed) -> Operand {
        if count == 1 { self.state.borrow().leaves[first as usize] } else { Operand::Several { first, count } }
    }

    /// What variables whose numbers follow each other hold.
    pub(super) fn variables(&self, first: VarId, count: u32) -> Operand {
        let leaves: Leaves = (first.0..first.0 + count).map(|id| Operand::Leaf(Leaf::Var(VarId(id)))).collect();
        self.whole(&leaves)
    }

    /// New variables for a value of the type; the number of the first.
    pub(super) fn new_variables(
        &self,
        layout: &Layout,
        name: Option<&'static str>,
        mutable: bool,
        stable: bool,
    ) -> VarId {
        let first = VarId(self.state.borrow().program.variables.len() as u32);
        layout.show(|path, ty| {
            let name =
                name.map(|name| if path.is_empty() { Cow::Borrowed(name) } else { format!("{name}{path}").into() });
            let var = self.variable(Variable { name, ty, mutable }, stable);
            if is_base(path) {
                self.declare_base(var);
            }
        });
        first
    }

    /// Assigns to the variables of a value of the type; where a part is never there, not to its variable.
    pub(super) fn set_all(&self, layout: &Layout, span: Span, first: VarId, value: Operand) {
        for ((leaf, ty), id) in self.leaves(layout, value).into_iter().zip(layout.types()).zip(first.0..) {
            self.set(span, VarId(id), ty, leaf);
        }
    }

    /// As [`Builder::set_all`], of variables that the value itself may read.
    pub(super) fn replace(&self, layout: &Layout, span: Span, first: VarId, value: Operand) {
        let leaves = self.leaves(layout, value);
        let assigned = first.0..first.0 + layout.count;
        let is_read = leaves.iter().skip(1).any(|leaf| match *leaf {
            Operand::Leaf(Leaf::Var(var)) => assigned.contains(&var.0),
            Operand::Node(id) => self.reads(id, &assigned),
            Operand::Leaf(_) | Operand::Never | Operand::Several { .. } => false,
        });
        let leaves = if is_read { self.pin_leaves(layout, span, &leaves) } else { leaves };
        self.set_all(layout, span, first, self.whole(&leaves));
    }

    /// Whether an expression reads one of the variables.
    fn reads(&self, id: ExprId, variables: &std::ops::Range<u32>) -> bool {
        let state = self.state.borrow();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let node = state.program.expr(id);
            if matches!(node.expr, Expr::Var(var) if variables.contains(&var.0)) {
                return true;
            }
            pending.extend(node.expr.children());
        }
        false
    }

    /// Evaluates the leaves of a value for their faults.
    pub(super) fn evaluate_all(&self, layout: &Layout, span: Span, value: Operand) {
        for leaf in self.leaves(layout, value) {
            match leaf {
                Operand::Node(value) => self.emit(span, StmtKind::Evaluate { value }),
                Operand::Leaf(Leaf::Var(var)) => self.forget(var),
                Operand::Leaf(_) | Operand::Never | Operand::Several { .. } => {}
            }
        }
    }
}
