//! Iterators of iterators: `.flat_map(|x| ..)`, `.flatten()`.
//!
//! The inner iterator is made where an item is asked for, and so are its variables: one place that asks does not know those of
//! another. So where two places take turns in the middle of an inner iterator, that ends the launch.

use super::{Begun, Iterated};
use crate::build::arena::Operand;
use crate::build::guard::text;
use crate::build::rows::NamedMemory;
use crate::build::{Builder, IntoItems, Opened};
use crate::ops::{BinaryOp, CompareOp};
use crate::program::Expr;
use crate::program::{ExprNode, Stmt, StmtKind, VarId};
use crate::scalar::{Constant, ScalarType};
use crate::source::Span;
use std::ops::Range;

/// `.flat_map(|x| ..)`
#[derive(Clone, Copy, Debug)]
pub struct Unfolded<I, F> {
    outer: I,
    function: F,
    /// Which place has an inner iterator; 0 if none has.
    place: VarId,
}

impl<I: Iterated, J: Begun, F: Fn(I::Item, &Builder) -> J + Copy> Iterated for Unfolded<I, F> {
    type Item = <J::Iterator as Iterated>::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        let first = k.state.borrow().program.variables.len() as u32;
        let here = Operand::constant(first as usize + 1);
        let (place, ty) = (|| Operand::var(self.place), ScalarType::Usize);
        let is = |op, number| k.comparison(span, op, ty, place(), number);
        let none = Operand::constant(0_usize);
        let is_elsewhere =
            k.binary(span, BinaryOp::And, ScalarType::Bool, is(CompareOp::Ne, none), is(CompareOp::Ne, here));
        k.panic_if(span, is_elsewhere, |_| (vec![text(ELSEWHERE)], Vec::new()));
        k.open_loop(span);
        let mut inner = None;
        let begin = k.block(|| {
            let item = self.outer.step(k, span, leave + 1);
            inner = Some((self.function)(item, k).begun(k, span));
            k.set(span, self.place, ty, here);
        });
        let behind = k.state.borrow().program.variables.len() as u32;
        k.carried_on(first..behind);
        k.emit_if(span, is(CompareOp::Eq, none), begin, Vec::new());
        k.open_loop(span);
        let Some(inner) = inner else { unreachable!("the block has been built") };
        let item = inner.step(k, span, 0);
        k.emit(span, StmtKind::Break { out: 1 });
        k.end_loop();
        k.set(span, self.place, ty, none);
        k.end_loop();
        item
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        let none = Operand::constant(0_usize);
        let is_within = k.comparison(span, CompareOp::Ne, ScalarType::Usize, Operand::var(self.place), none);
        k.panic_if(span, is_within, |_| (vec![text(CLONED)], Vec::new()));
        Self { outer: self.outer.duplicate(k, span), place: k.state_of(span, ScalarType::Usize, none), ..self }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set(span, self.place, ScalarType::Usize, Operand::constant(0_usize));
        self.outer.restore(k, span, from.outer);
    }
}

const ELSEWHERE: &str = "two places of a kernel take turns in the middle of a `flat_map` or `flatten`: write two loops";
const CLONED: &str = "a kernel cannot copy an iterator in the middle of a `flat_map` or `flatten`: copy it before";

impl Builder {
    /// `.flat_map(|x| ..)`
    #[inline(never)]
    pub fn unfolded<I: Iterated, J: Begun, F: Fn(I::Item, &Self) -> J + Copy>(
        &self,
        at: u32,
        outer: I,
        function: F,
    ) -> Unfolded<I, F> {
        Unfolded { outer, function, place: self.state_of(self.span(at), ScalarType::Usize, Operand::constant(0_usize)) }
    }

    /// `.flatten()`
    #[inline(never)]
    pub fn flattened<I, M>(
        &self,
        at: u32,
        outer: I,
    ) -> Unfolded<I, impl Fn(I::Item, &Self) -> <M as IntoItems>::Gone + Copy + use<I, M>>
    where
        I: Iterated,
        I::Item: NamedMemory<Memory = M>,
        M: IntoItems,
        M::Gone: Begun,
    {
        self.unfolded(at, outer, move |item: I::Item, k: &Self| item.named(k, k.span(at)).lent_items(k, at, false))
    }

    /// Variables that are assigned in a round of a loop and read in a later one: they have a value from the begin on.
    fn carried_on(&self, variables: Range<u32>) {
        let mut state = self.state.borrow_mut();
        let mut assigned = Vec::new();
        for id in variables {
            let variable = &mut state.program.variables[id as usize];
            variable.mutable = true;
            let ty = variable.ty;
            let expr = Expr::Const(Constant { ty, bits: 0 });
            let value = state.push(ExprNode { expr, ty, span: Span::default() });
            assigned.push(Stmt { kind: StmtKind::Assign { var: VarId(id), value }, span: Span::default() });
        }
        let is_body = |kind: &Opened| matches!(kind, Opened::Kernel | Opened::Function);
        if let Some(body) = state.open.iter_mut().rfind(|open| is_body(&open.kind)) {
            body.stmts.splice(0..0, assigned);
        }
    }
}
