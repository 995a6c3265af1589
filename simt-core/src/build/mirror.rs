//! Arrays that are fields of variables, as memory to which there are references: `m.s.get_mut(i)`, `let e = &mut m.s[i];`
//!
//! Such an array is a variable for each element. What refers to one refers to the mirror of the array: an array of the
//! thread's, in which the values are put before each access, and from which they go back behind each that writes. So the
//! variables have what the array has, wherever a reference is used, and whatever leaves the block in which it was made.

use super::arena::Operand;
use super::region::Bounds;
use super::{Builder, KernelData, Region};
use crate::program::{ArrayId, ArraySpace, FunctionId, LoadAccess, Memory, VarId};
use crate::source::Span;
use std::any::type_name;

/// An array of a variable's, and its mirror.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mirror {
    /// The first variable, and how many elements there are.
    first: VarId,
    length: usize,
    /// The first column of the mirror, and how many there are.
    array: ArrayId,
    columns: u32,
    /// The type of the elements.
    of: &'static str,
    /// The function whose variables they are.
    owner: Option<FunctionId>,
    declare: fn(&Builder, Span, &str, usize) -> ArrayId,
    fill: fn(&Builder, Span, Self),
    take: fn(&Builder, Span, Self),
}

impl Mirror {
    fn has(&self, memory: Memory) -> bool {
        matches!(memory, Memory::Array(ArrayId(id)) if (self.array.0..self.array.0 + self.columns).contains(&id))
    }
}

fn declare<T: KernelData>(k: &Builder, span: Span, name: &str, length: usize) -> ArrayId {
    k.declare_arrays::<T>(span, name, length, ArraySpace::Local, false)
}

fn each<T: KernelData>(mirror: Mirror, mut element: impl FnMut(Operand, VarId)) {
    for index in 0..mirror.length {
        element(Operand::constant(index), VarId(mirror.first.0 + index as u32 * T::COUNT));
    }
}

fn fill<T: KernelData>(k: &Builder, span: Span, mirror: Mirror) {
    let variables = (0..mirror.length as u32 * T::COUNT).map(|leaf| Operand::var(VarId(mirror.first.0 + leaf)));
    k.fill_copy::<T>(span, mirror.array, &variables.collect::<Vec<_>>());
}

fn take<T: KernelData>(k: &Builder, span: Span, mirror: Mirror) {
    each::<T>(mirror, |index, var| {
        let element = k.load_all::<T>(span, LoadAccess::Plain, mirror.array.into(), index);
        k.set_all::<T>(span, var, element.operand);
    });
}

impl Builder {
    /// The mirror of the array of so many elements that begins with a variable.
    pub(super) fn mirror<T: KernelData>(&self, span: Span, first: VarId, length: usize) -> Region {
        let (of, owner) = (type_name::<T>(), self.state.borrow().function);
        let is_it = |known: &&Mirror| (known.first, known.length, known.of, known.owner) == (first, length, of, owner);
        if let Some(known) = self.state.borrow().mirrors.iter().find(is_it) {
            return known.array.into();
        }
        let name = self.name_of::<T>(&[Operand::var(first)]);
        let array = declare::<T>(self, span, &name, length);
        let columns = T::COLUMNS.max(1);
        let (declare, fill, take) = (declare::<T>, fill::<T>, take::<T>);
        let mirror = Mirror { first, length, array, columns, of, owner, declare, fill, take };
        self.state.borrow_mut().mirrors.push(mirror);
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
        (mirror.fill)(self, span, mirror);
        Some(mirror)
    }

    /// The end of what [`Builder::reflect`] began; the variables have what was written.
    pub(super) fn reflected(&self, span: Span, mirror: Option<Mirror>, is_changed: bool) {
        let Some(mirror) = mirror else { return };
        if is_changed {
            (mirror.take)(self, span, mirror);
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
    pub(super) fn mirrored_element<T: KernelData>(&self, memory: Memory, index: Operand) -> Option<VarId> {
        if self.state.borrow().mirrors.is_empty() {
            return None;
        }
        let mirror = self.mirror_of(memory).filter(|mirror| mirror.of == type_name::<T>())?;
        let index = index.as_constant().filter(|index| index.bits < mirror.length as u64)?;
        Some(VarId(mirror.first.0 + index.bits as u32 * T::COUNT))
    }

    /// Memory that has what a region has now, for a method that only reads: of a mirror, a copy.
    pub(super) fn seen_once(&self, span: Span, region: Region) -> Region {
        let Some(mirror) = self.mirror_of(region.memory) else { return region };
        let copy = (mirror.declare)(self, span, "elements", mirror.length);
        self.state.borrow_mut().is_reflecting = true;
        (mirror.fill)(self, span, Mirror { array: copy, ..mirror });
        self.state.borrow_mut().is_reflecting = false;
        let Memory::Array(ArrayId(id)) = region.memory else { return region };
        let memory = Memory::Array(ArrayId(id - mirror.array.0 + copy.0));
        match self.bounds(region) {
            Some(Bounds { start, length }) => self.with_bounds(memory, Bounds { start, length }),
            None => memory.into(),
        }
    }
}
