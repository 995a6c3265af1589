//! Comparisons of values in which some parts have comparisons of their own: part by part, as derived, with a call for each
//! such part.
//!
//! A call is a statement, and may have faults. So it stands in an `if`: it is made only where the parts before are equal.

use super::Builder;
use super::arena::Operand;
use super::asked::{Call, Compared};
use super::fieldwise::is_reversed;
use super::layout::{HasLayout, Layout};
use super::shape::Scalars;
use crate::ops::{BinaryOp, CompareOp};
use crate::program::{VarId, Variable};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::cmp::Ordering;

/// An `Option<Ordering>`.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartialOrder {
    pub(super) is_some: Operand,
    pub(super) order: Operand,
}

/// What a value consists of, for a comparison.
pub(super) struct Parts {
    types: Vec<ScalarType>,
    /// Each with its comparison, if it has its own.
    units: Vec<(Scalars, Option<Call>)>,
}

/// The parts of a type of which this is known.
pub(super) fn parts(layout: &Layout, compared: &Compared) -> Parts {
    let units = layout.shape().units(&|of| compared.call(of).is_some());
    let units = units.into_iter().map(|unit| {
        let call = unit.own.and_then(|of| compared.call(of));
        (unit, call)
    });
    Parts { types: layout.types().to_vec(), units: units.collect() }
}

impl Builder {
    /// Whether all parts that are there are equal.
    pub(super) fn equal_by_parts(&self, span: Span, parts: &Parts, a: &[Operand], b: &[Operand]) -> Operand {
        let [a, b] = [a, b].map(|leaves| self.pinned_parts(span, parts, leaves));
        if let [(unit, Some(call))] = &parts.units[..]
            && unit.guards.is_empty()
        {
            return call(self, span, self.whole(&a), self.whole(&b));
        }
        let result = self.variable(Variable { name: None, ty: ScalarType::Bool, mutable: true }, false);
        self.set(span, result, ScalarType::Bool, Operand::constant(true));
        for (unit, call) in &parts.units {
            let decides = self.block(|| {
                let equal = match call {
                    Some(call) => call(self, span, self.unit_of(unit, &a), self.unit_of(unit, &b)),
                    None => {
                        let at = unit.first as usize;
                        self.comparison(span, CompareOp::Eq, parts.types[at], a[at], b[at])
                    }
                };
                self.set(span, result, ScalarType::Bool, equal);
            });
            let is_there = self.is_there(span, parts, unit, &a);
            let asked = self.binary(span, BinaryOp::And, ScalarType::Bool, Operand::var(result), is_there);
            self.emit_if(span, asked, decides, Vec::new());
        }
        self.pin(span, ScalarType::Bool, Operand::var(result))
    }

    /// The order of the first parts that differ, of those that are there.
    pub(super) fn order_by_parts(&self, span: Span, parts: &Parts, a: &[Operand], b: &[Operand]) -> PartialOrder {
        let [a, b] = [a, b].map(|leaves| self.pinned_parts(span, parts, leaves));
        if let [(unit, Some(call))] = &parts.units[..]
            && unit.guards.is_empty()
        {
            let (a, b) = if unit.reversed { (&b, &a) } else { (&a, &b) };
            return self.order_called(span, *call, self.whole(a), self.whole(b));
        }
        let new = |ty| self.variable(Variable { name: None, ty, mutable: true }, false);
        let (is_some, order) = (new(ScalarType::Bool), new(ScalarType::I8));
        let put = |PartialOrder { is_some: some, order: value }: PartialOrder| {
            self.set(span, is_some, ScalarType::Bool, some);
            self.set(span, order, ScalarType::I8, value);
        };
        let equal = || Operand::constant(Ordering::Equal as i8);
        put(PartialOrder { is_some: Operand::constant(true), order: equal() });
        for (unit, call) in &parts.units {
            let decides = self.block(|| {
                let found = match call {
                    Some(call) => {
                        let (a, b) = if unit.reversed { (&b, &a) } else { (&a, &b) };
                        self.order_called(span, *call, self.unit_of(unit, a), self.unit_of(unit, b))
                    }
                    None => {
                        let at = unit.first as usize;
                        let (a, b) = (a[at], b[at]);
                        let (a, b) = if is_reversed(unit, parts.types[at]) { (b, a) } else { (a, b) };
                        self.order_of_scalars(span, parts.types[at], a, b)
                    }
                };
                put(found);
            });
            let is_there = self.is_there(span, parts, unit, &a);
            let undecided = self.is_undecided(span, is_some, order);
            let asked = self.binary(span, BinaryOp::And, ScalarType::Bool, undecided, is_there);
            self.emit_if(span, asked, decides, Vec::new());
        }
        let is_some = self.pin(span, ScalarType::Bool, Operand::var(is_some));
        PartialOrder { is_some, order: self.pin(span, ScalarType::I8, Operand::var(order)) }
    }

    /// Whether there is an order, and it is that.
    pub(super) fn is_ordered(
        &self,
        span: Span,
        op: CompareOp,
        PartialOrder { is_some, order }: PartialOrder,
    ) -> Operand {
        let holds = self.comparison(span, op, ScalarType::I8, order, Operand::constant(Ordering::Equal as i8));
        self.binary(span, BinaryOp::And, ScalarType::Bool, is_some, holds)
    }

    fn is_undecided(&self, span: Span, is_some: VarId, order: VarId) -> Operand {
        let order = PartialOrder { is_some: Operand::var(is_some), order: Operand::var(order) };
        self.is_ordered(span, CompareOp::Eq, order)
    }

    /// What a type's own comparison says, an `Option<Ordering>` or an `Ordering`.
    fn order_called(&self, span: Span, call: Call, a: Operand, b: Operand) -> PartialOrder {
        let called = call(self, span, a, b);
        match called {
            Operand::Several { .. } => {
                let leaves = self.leaves(<Option<Ordering>>::LAYOUT, called);
                PartialOrder { is_some: leaves[0], order: leaves[1] }
            }
            order => PartialOrder { is_some: Operand::constant(true), order },
        }
    }

    fn order_of_scalars(&self, span: Span, ty: ScalarType, a: Operand, b: Operand) -> PartialOrder {
        let is = |op| self.comparison(span, op, ty, a, b);
        let [less, greater] =
            [CompareOp::Lt, CompareOp::Gt].map(|op| self.conversion(span, ScalarType::Bool, ScalarType::I8, is(op)));
        let is_some = match ty.is_float() {
            true => self.binary(span, BinaryOp::Or, ScalarType::Bool, is(CompareOp::Le), is(CompareOp::Ge)),
            false => Operand::constant(true),
        };
        PartialOrder { is_some, order: self.binary(span, BinaryOp::Sub, ScalarType::I8, greater, less) }
    }

    fn pinned_parts(&self, span: Span, parts: &Parts, leaves: &[Operand]) -> Vec<Operand> {
        leaves.iter().zip(&parts.types).map(|(&leaf, &ty)| self.pin(span, ty, leaf)).collect()
    }

    fn unit_of(&self, unit: &Scalars, leaves: &[Operand]) -> Operand {
        self.whole(&leaves[unit.first as usize..(unit.first + unit.count) as usize])
    }

    /// Whether a part is there; the tags before it are equal in both values.
    fn is_there(&self, span: Span, parts: &Parts, unit: &Scalars, leaves: &[Operand]) -> Operand {
        unit.guards.iter().fold(Operand::constant(true), |all, (tag, variant)| {
            let at = *tag as usize;
            let has = self.has_tag(span, parts.types[at], leaves[at], variant.tag, true);
            self.binary(span, BinaryOp::And, ScalarType::Bool, all, has)
        })
    }
}
