//! References that functions return to arrays which are fields of what they were passed: `fn at(&mut self, i: usize) -> &mut T`.
//!
//! Such a field is a variable for each element, and what refers to one refers to an array of the function's: to a copy where
//! nothing changes meanwhile, or to the mirror behind a `&mut`. Its caller has a copy, or the mirror, of what it has passed.

use super::Builder;
use super::arena::{Leaf, Operand};
use super::layout::Storage;
use super::mirror::Mirror;
use super::place::ElementPlace;
use super::reference::Behind;
use crate::program::{ArrayId, Expr, ExprId, FunctionId, Memory, VarId};
use crate::source::Span;

/// What a call passes.
pub(super) struct PassedFields<'c> {
    pub(super) args: &'c mut [ExprId],
    pub(super) behind: &'c Behind,
    pub(super) elements: &'c [ElementPlace],
}

impl Builder {
    /// Notes that an array has what variables have that follow each other.
    pub(super) fn note_spilled(&self, storage: &'static Storage, array: ArrayId, length: usize, leaves: &[Operand]) {
        let variable = |leaf: &Operand| match *leaf {
            Operand::Leaf(Leaf::Var(var)) => Some(var),
            _ => None,
        };
        let Some(first) = leaves.first().and_then(variable) else { return };
        let mut state = self.state.borrow_mut();
        let owner = state.function;
        let follow = leaves.iter().zip(first.0..).all(|(leaf, id)| variable(leaf) == Some(VarId(id)));
        if follow && owner.is_some() {
            state.spilled.push(Mirror { first, length, array, storage, owner });
        }
    }

    /// The array to which what never changes was copied before, on another way perhaps: all that a function gives is one then.
    pub(super) fn spilled_before(
        &self,
        storage: &'static Storage,
        length: usize,
        leaves: &[Operand],
    ) -> Option<ArrayId> {
        let Some(Operand::Leaf(Leaf::Var(first))) = leaves.first() else { return None };
        let state = self.state.borrow();
        let known = state.spilled.iter().find(|known| {
            (known.first, known.length, known.owner) == (*first, length, state.function) && known.storage.is_of(storage)
        })?;
        let keeps = (0..known.leaves() as u32).all(|leaf| !state.program.variable(VarId(first.0 + leaf)).mutable);
        keeps.then_some(known.array)
    }

    /// In the caller: the memory to which a function refers by an array of its own that a parameter's field is in.
    pub(super) fn lent_field(
        &self,
        span: Span,
        function: FunctionId,
        memory: Memory,
        passed: &mut PassedFields<'_>,
    ) -> Option<Memory> {
        let (field, changes, at) = {
            let state = self.state.borrow();
            let fields = state.mirrors.iter().map(|field| (field, true));
            let mut fields = fields.chain(state.spilled.iter().map(|field| (field, false)));
            let (field, changes) = fields.find(|(field, _)| field.owner == Some(function) && field.has(memory))?;
            let params = &state.program.functions[function.0 as usize].params;
            let at = params.iter().position(|&param| param == field.first)?;
            let variables = params.get(at..at + field.leaves())?;
            let follow = variables.iter().zip(field.first.0..).all(|(param, id)| param.0 == id);
            follow.then_some((*field, changes, at))?
        };
        let args = passed.args.get_mut(at..at + field.leaves())?;
        let array = if changes {
            // What is behind an element's reference goes back when the function returns.
            let first = self.variable_of(*args.first()?)?;
            let is_lent = passed.behind.iter().any(|&(var, _)| var == first);
            if !is_lent || passed.elements.iter().any(ElementPlace::is_copied) {
                return None;
            }
            self.mirror(field.storage, span, first, field.length).memory
        } else {
            let leaves: Vec<Operand> = args.iter_mut().map(|arg| self.pinned_argument(span, arg)).collect();
            self.spilled(field.storage, span, field.length, &leaves)
        };
        match (memory, array) {
            (Memory::Array(lent), Memory::Array(array)) => {
                Some(Memory::Array(ArrayId(lent.0 - field.array.0 + array.0)))
            }
            _ => None,
        }
    }

    fn variable_of(&self, arg: ExprId) -> Option<VarId> {
        match self.state.borrow().program.expr(arg).expr {
            Expr::Var(var) => Some(var),
            _ => None,
        }
    }

    /// An argument that is evaluated once, though it is used again.
    fn pinned_argument(&self, span: Span, arg: &mut ExprId) -> Operand {
        if let Some(var) = self.variable_of(*arg) {
            return Operand::var(var);
        }
        let ty = self.state.borrow().program.expr(*arg).ty;
        let pinned = self.pin(span, ty, Operand::Node(*arg));
        *arg = self.node(span, ty, pinned);
        pinned
    }
}
