//! Accesses by address of memory that is modelled.
//!
//! The memory of the host goes along, as if each access were seen at once: it says whether an access may be, it is what an error
//! looks at, and it is where lies what no other thread sees or can write.

use super::failed;
use crate::environment::StateSpace;
use crate::lanes::Registers;
use crate::lanes::access::address::stored;
use crate::memory::Memory;
use crate::memory::environment::{Cell, Cells, LANES};
use crate::memory::spaces::Spaces;
use crate::plan::{AddressKind, ModelledAddress, ModelledKind};
use simt_core::LaneMask;

impl ModelledAddress {
    /// Runs it for the active lanes; returns the lowest lane that faulted.
    #[inline(never)]
    pub(in crate::lanes::access) fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>) -> Option<usize> {
        let Memory { modelled: Some(modelled), spaces: Some(spaces), .. } = memory else { return None };
        let (access, lanes) = (&self.access, LaneMask(registers.mask.bits));
        let mut results = [0; LANES];
        let (mut global, mut shared) = (Cells::new(), Cells::new());
        for lane in lanes.lanes() {
            let address = access.address(registers, lane);
            let Some(found) = self.at_once(registers, spaces, lane, address) else { return Some(lane) };
            results[lane] = found;
            let Some((target, at)) = spaces.seen(access.space, address, access.bytes()) else { continue };
            let (space, start) = modelled.start(target);
            let cells = if space == StateSpace::Shared { &mut shared } else { &mut global };
            cells.push(Cell { lane, address: start + at, values: self.values(registers, lane) });
        }
        let mut without = LaneMask::EMPTY;
        for (space, cells) in [(StateSpace::Global, global), (StateSpace::Shared, shared)] {
            if cells.is_empty() {
                continue;
            }
            let of_space = cells.iter().fold(LaneMask::EMPTY, |lanes, cell| lanes | LaneMask::lane(cell.lane));
            let accessed = self.kind.run(space, access.ty, modelled, cells);
            let Ok((found, nothing)) = accessed else { return failed(modelled, accessed.map(|_| ()), lanes) };
            of_space.lanes().for_each(|lane| results[lane] = found[lane]);
            without |= nothing;
        }
        // The row may be that of the addresses, which an error still needs.
        if without.is_empty()
            && let Some(dst) = self.kind.destination()
        {
            let is_load = matches!(self.kind, ModelledKind::Load { .. });
            let shown = |bits| if is_load { access.shown(bits) } else { bits };
            lanes.lanes().for_each(|lane| registers.set(dst, lane, shown(results[lane])));
        }
        without.lanes().next()
    }

    /// Accesses the memory of the host: returns what was there, or `None` if it cannot be.
    fn at_once(&self, registers: &Registers, spaces: &mut Spaces<'_>, lane: usize, address: u64) -> Option<u64> {
        let access = &self.access;
        let bytes = access.bytes();
        match access.kind {
            AddressKind::Load { .. } => spaces.load(access.space, address, bytes, lane),
            AddressKind::Store { .. } => {
                let [value, _] = self.values(registers, lane);
                spaces.store(access.space, address, bytes, lane, value).map(|()| 0)
            }
            AddressKind::Atomic { .. } => access.changed(registers, spaces, lane, address),
        }
    }

    /// A lane's operands.
    fn values(&self, registers: &Registers, lane: usize) -> [u64; 2] {
        match self.access.kind {
            AddressKind::Load { .. } => [0; 2],
            AddressKind::Store { value } => [stored(registers.get(value, lane), self.access.ty), 0],
            AddressKind::Atomic { operands, .. } => {
                operands.map(|operand| operand.map_or(0, |place| registers.get(place, lane)))
            }
        }
    }
}
