//! The base of a reference: the memory that it refers to, which is known while the program is built.
//!
//! A reference to memory is a value of several scalars, as a tuple is: its base, and where in the base it begins. The base is
//! a leaf like the others, so that references are parts of tuples, structs and options, and are assigned, returned and passed
//! as these are. But no statement ever has it: what would assign it tells the builder instead, and a second base of one
//! variable would be a pointer that is chosen at run time, which a program does not have.

use super::arena::{Leaf, Operand};
use super::layout::{Layout, Storage};
use super::tuple::Leaves;
use super::{Builder, Region};
use crate::program::{ArraySpace, Memory, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// What stands behind a variable's name for the base of a reference.
pub(super) const BASE: &str = "&";

/// The type of a base, of which there is never a value.
pub(super) const BASE_TYPE: ScalarType = ScalarType::U8;

pub(super) fn is_base(path: &str) -> bool {
    path.ends_with(BASE)
}

/// A leaf of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Scalar,
    /// The base of a slice: its begin and its length are the leaves behind it.
    Slice,
    /// The base of another reference.
    Element,
}

/// Whether a slice is all of its base, as far as its bounds tell.
pub(super) fn is_all(start: Operand, length: Operand) -> bool {
    start == Operand::constant(0_usize) && matches!(length, Operand::Leaf(Leaf::Len(_) | Leaf::Const(_)))
}

impl Builder {
    /// Says that a variable is a base, which is not known yet.
    pub(super) fn declare_base(&self, var: VarId) {
        let mut state = self.state.borrow_mut();
        state.bases.insert(var, None);
        // No statement assigns it.
        state.program.variables[var.0 as usize].mutable = true;
    }

    pub(super) fn is_base_variable(&self, var: VarId) -> bool {
        self.state.borrow().bases.contains_key(&var)
    }

    /// The base that an operand is, if it is known.
    pub(super) fn base_of(&self, operand: Operand) -> Option<Memory> {
        match operand {
            Operand::Leaf(Leaf::Base(memory)) => Some(memory),
            Operand::Leaf(Leaf::Var(var)) => self.state.borrow().bases.get(&var).copied().flatten(),
            _ => None,
        }
    }

    /// Whether a value begins with a base, as references do.
    pub(super) fn is_reference(&self, value: Operand) -> bool {
        let first = match value {
            Operand::Several { first, .. } => self.state.borrow().leaves.get(first as usize).copied(),
            one => Some(one),
        };
        match first {
            Some(Operand::Leaf(Leaf::Base(_))) => true,
            Some(Operand::Leaf(Leaf::Var(var))) => self.is_base_variable(var),
            _ => false,
        }
    }

    /// The base of a variable is this one, too. What is never there, as that of a `None`, has none.
    pub(super) fn set_base(&self, span: Span, var: VarId, operand: Operand) {
        let Some(memory) = self.base_of(operand) else { return };
        let known = self.state.borrow_mut().bases.insert(var, Some(memory)).flatten();
        let Some(known) = known.filter(|known| *known != memory) else { return };
        self.state.borrow_mut().bases.insert(var, Some(known));
        let [first, second] = [known, memory].map(|memory| {
            let name = self.memory_name(memory);
            name.split('.').next().unwrap_or_default().to_owned()
        });
        let message = if first == second {
            format!("this would need a pointer chosen at run time: it refers to one `{first}` and to another")
        } else {
            format!(
                "this would need a pointer chosen at run time: it refers to `{first}` already, and here to `{second}`; write an \
                 `if` around its uses, or keep both in one slice and choose an index"
            )
        };
        self.problem(span, message);
    }

    /// The memory of elements of the type that a leaf of a reference says.
    pub(super) fn memory_of(&self, storage: &Storage, span: Span, base: Operand) -> Memory {
        if let Some(memory) = self.base_of(base) {
            return memory;
        }
        if base != Operand::Never {
            let message = "what this refers to is not known here: it would need a pointer chosen at run time; assign the reference \
                           before it is used, in the text, too";
            self.problem(span, message.to_owned());
        }
        self.declare_arrays(storage, span, "nothing", 1, ArraySpace::Local, false).into()
    }

    /// Says that references are not used so; whether the type has any.
    pub(super) fn refuses_references(&self, layout: &Layout, span: Span, message: &str) -> bool {
        let has_any = layout.has_bases();
        if has_any {
            self.problem(span, message.to_owned());
        }
        has_any
    }

    /// The leaves of a slice: its base, where it begins, its length.
    pub(super) fn slice_leaves(&self, span: Span, region: Region, per_element: u32) -> Operand {
        let start = self.bounds(region).map_or(Operand::constant(0_usize), |bounds| bounds.start);
        let length = self.length(span, region, per_element);
        self.whole(&[Operand::Leaf(Leaf::Base(region.memory)), start, length])
    }

    /// The slice that has the leaves, as they are now.
    pub(super) fn slice_of(&self, storage: &Storage, span: Span, leaves: &Leaves) -> Region {
        let memory = self.memory_of(storage, span, leaves[0]);
        let [start, length] = [leaves[1], leaves[2]].map(|leaf| self.pin(span, ScalarType::Usize, leaf));
        let whole = Region::from(memory);
        let is_whole = is_all(start, length) && self.length(span, whole, storage.leading()) == length;
        if is_whole { whole } else { self.with_bounds(memory, super::region::Bounds { start, length }) }
    }
}
