//! The functions of a program, by what they were made of.

use super::closure::Origin;
use super::function::Given;
use super::{Region, State};
use crate::program::{FunctionId, Memory, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::any::TypeId;

/// How many functions a program may have.
pub(super) const FUNCTIONS: usize = 1000;

/// A function of the program, and what it was made of: its type, with the generics filled in, and its slices.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) ty: TypeId,
    pub(super) slices: Vec<Passed>,
    /// The references among the values that it is called with.
    pub(super) given: Vec<Given>,
    /// The closures among its arguments.
    pub(super) closures: Vec<Origin>,
    /// What it passes back in arrays: the scalars of its result beyond the first, and what is behind references.
    pub(super) results: Vec<ScalarType>,
    /// The first variable of its result.
    pub(super) result: VarId,
    /// The function whose call made it; none for the kernel.
    pub(super) caller: Option<FunctionId>,
}

/// Memory that a function is called with.
#[derive(Debug)]
pub(super) struct Passed {
    pub(super) memory: Memory,
    /// Of a subslice, what it is in the function, whose bounds are parameters.
    pub(super) subslice: Option<Region>,
    /// The length that the function's text says.
    pub(super) length: Option<usize>,
    /// What was passed, and whether the function may write it.
    pub(super) region: Region,
    pub(super) mutable: bool,
}

impl Passed {
    /// Whether two arguments have elements in common for certain, and the function may write to them.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let is_whole = |passed: &Self| passed.subslice.is_none();
        let is_one = is_whole(self) || is_whole(other) || self.region.is_same(other.region);
        self.memory == other.memory && (self.mutable || other.mutable) && is_one
    }
}

/// Whether one function serves both: where a subslice begins and ends is passed.
pub(super) fn same(known: &[Passed], slices: &[Passed]) -> bool {
    let is_same = |(a, b): (&Passed, &Passed)| a.memory == b.memory && a.subslice.is_some() == b.subslice.is_some();
    known.len() == slices.len() && known.iter().zip(slices).all(is_same)
}

impl State {
    /// Says, once, that a function would be one too many, and how it is called.
    pub(super) fn too_many_functions(&mut self, span: Span, ty: TypeId, slices: &[Passed], name: &str) {
        if std::mem::replace(&mut self.has_too_many_functions, true) {
            return;
        }
        let name_of = |id: FunctionId| &*self.program.functions[id.0 as usize].name;
        let mut callers = Vec::new();
        let mut caller = self.function;
        while let Some(id) = caller {
            callers.push(id);
            caller = self.instances[id.0 as usize].caller;
        }
        let array_of = |passed: &Passed| match passed.memory {
            Memory::Array(array) => self.program.array(array).function,
            Memory::Param(_) => None,
        };
        // The array of each function's activations is another, so that it would have no end.
        let is_endless = slices.iter().filter_map(array_of).next().is_some()
            && callers.iter().any(|caller| self.instances[caller.0 as usize].ty == ty);
        let chain: Vec<&str> =
            std::iter::once(&*self.program.name).chain(callers.iter().rev().map(|&id| name_of(id))).collect();
        let chain = match &chain[..] {
            [first @ .., _, _, _] if first.len() > 3 => {
                let (first, last) = (&chain[..3], &chain[chain.len() - 3..]);
                format!("{} -> .. {} others .. -> {}", first.join(" -> "), chain.len() - 6, last.join(" -> "))
            }
            all => all.join(" -> "),
        };
        let advice = if is_endless {
            "calls that lead back to it pass an array of their own, and a function is made for each array: pass values"
        } else {
            "one is made for each set of types, constants and slices with which a function is called"
        };
        let message =
            format!("a kernel has at most {FUNCTIONS} device functions; {chain} -> {name} is one more: {advice}");
        self.program.problems.push((span, message));
    }
}
