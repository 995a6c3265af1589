//! Arrays that are fields of variables, as memory to which there are references: `m.s.get_mut(i)`, `let e = &mut m.s[i];`
//!
//! Such an array is a variable for each element. What refers to one refers to the mirror of the array: an array of the
//! thread's, in which the values are put before each access, and from which they go back behind each that writes. So the
//! variables have what the array has, wherever a reference is used, and whatever leaves the block in which it was made.

use super::arena::Operand;
use super::layout::Storage;
use super::region::Bounds;
use super::{Builder, Region};
use crate::program::{ArrayId, ArraySpace, FunctionId, LoadAccess, Memory, VarId};
use crate::source::Span;

/// An array of a variable's, and its mirror.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mirror {
    /// The first variable, and how many elements there are.
    pub(super) first: VarId,
    pub(super) length: usize,
    /// The first column of the mirror.
    pub(super) array: ArrayId,
    /// The type of the elements.
    pub(super) storage: &'static Storage,
    /// The function whose variables they are.
    pub(super) owner: Option<FunctionId>,
}

impl Mirror {
    /// How many variables there are.
    pub(super) fn leaves(&self) -> usize {
        self.length * self.storage.layout.count as usize
    }

    pub(super) fn has(&self, memory: Memory) -> bool {
        matches!(memory, Memory::Array(ArrayId(id)) if (self.array.0..self.array.0 + self.storage.width.max(1)).contains(&id))
    }

    /// The elements: where each is in the mirror, and its first variable.
    fn elements(&self) -> impl Iterator<Item = (Operand, VarId)> {
        let count = self.storage.layout.count;
        (0..self.length).map(move |index| (Operand::constant(index), VarId(self.first.0 + index as u32 * count)))
    }
}

impl Builder {
    /// The mirror of the array of so many elements that begins with a variable.
    pub(super) fn mirror(&self, storage: &'static Storage, span: Span, first: VarId, length: usize) -> Region {
        let owner = self.state.borrow().function;
        let is_it = |known: &&Mirror| {
            (known.first, known.length, known.owner) == (first, length, owner) && known.storage.is_of(storage)
        };
        if let Some(known) = self.state.borrow().mirrors.iter().find(is_it) {
            return known.array.into();
        }
        let name = self.name_of(storage.layout, &[Operand::var(first)]);
        let array = self.declare_arrays(storage, span, &name, length, ArraySpace::Local, false);
        self.state.borrow_mut().mirrors.push(Mirror { first, length, array, storage, owner });
        array.into()
    }

    /// The mirror that memory is, where the variables are seen: a function that is passed it has memory.
    fn mirror_of(&self, memory: Memory) -> Option<Mirror> {
        let state = self.state.borrow();
        if state.is_reflecting {
            return None;
        }
        let mirror = state.mirrors.iter().find(|mirror| mirror.has(memory))?;
        let passed = state.function.map(|FunctionId(id)| &state.instances[id as usize]);
        let is_passed = passed.is_some_and(|instance| {
            instance.slices.iter().any(|passed| mirror.has(passed.memory))
                || instance.given.iter().any(|given| given.base.is_some_and(|base| mirror.has(base)))
        });
        (!is_passed).then_some(*mirror)
    }

    /// If memory is a mirror, it has what the variables have, and is memory as other is until [`Builder::reflected`].
    pub(super) fn reflect(&self, span: Span, memory: Memory) -> Option<Mirror> {
        let mirror = self.mirror_of(memory)?;
        self.state.borrow_mut().is_reflecting = true;
        self.fill_mirror(span, mirror);
        Some(mirror)
    }

    fn fill_mirror(&self, span: Span, Mirror { first, length, array, storage, .. }: Mirror) {
        let variables = (0..length as u32 * storage.layout.count).map(|leaf| Operand::var(VarId(first.0 + leaf)));
        self.fill_copy(storage, span, array, &variables.collect::<Vec<_>>());
    }

    /// The end of what [`Builder::reflect`] began; the variables have what was written.
    pub(super) fn reflected(&self, span: Span, mirror: Option<Mirror>, is_changed: bool) {
        let Some(mirror) = mirror else { return };
        if is_changed {
            for (index, var) in mirror.elements() {
                let element = self.load_all(mirror.storage, span, LoadAccess::Plain, mirror.array.into(), index);
                self.set_all(mirror.storage.layout, span, var, element);
            }
        }
        self.state.borrow_mut().is_reflecting = false;
    }

    /// If memory is a mirror, the variables have what it has: a function has written to it.
    pub(super) fn take_reflected(&self, span: Span, memory: Memory) {
        let Some(mirror) = self.mirror_of(memory) else { return };
        self.state.borrow_mut().is_reflecting = true;
        self.reflected(span, Some(mirror), true);
    }

    /// The variables of the element at a known index, if memory is the mirror of such elements.
    pub(super) fn mirrored_element(&self, storage: &Storage, memory: Memory, index: Operand) -> Option<VarId> {
        if self.state.borrow().mirrors.is_empty() {
            return None;
        }
        let mirror = self.mirror_of(memory).filter(|mirror| mirror.storage.is_of(storage))?;
        let index = index.as_constant().filter(|index| index.bits < mirror.length as u64)?;
        Some(VarId(mirror.first.0 + index.bits as u32 * storage.layout.count))
    }

    /// Memory that has what a region has now, for a method that only reads: of a mirror, a copy.
    pub(super) fn seen_once(&self, span: Span, region: Region) -> Region {
        let Some(mirror) = self.mirror_of(region.memory) else { return region };
        let copy = self.declare_arrays(mirror.storage, span, "elements", mirror.length, ArraySpace::Local, false);
        self.state.borrow_mut().is_reflecting = true;
        self.fill_mirror(span, Mirror { array: copy, ..mirror });
        self.state.borrow_mut().is_reflecting = false;
        let Memory::Array(ArrayId(id)) = region.memory else { return region };
        let memory = Memory::Array(ArrayId(id - mirror.array.0 + copy.0));
        match self.bounds(region) {
            Some(Bounds { start, length }) => self.with_bounds(memory, Bounds { start, length }),
            None => memory.into(),
        }
    }
}
