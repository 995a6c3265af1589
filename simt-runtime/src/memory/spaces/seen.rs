//! Memory by address that other threads see: on the memory environment it lies there.
//!
//! What lies here goes along as if each access were seen at once: it says what an access may do, and what was written.

use super::{Spaces, resolve};
use crate::memory::device::allocation::Allocation;
use crate::memory::environment::Target;
use simt_core::code::AddressSpace;

impl Spaces<'_> {
    /// Bytes from the beginning of the window of shared memory to the last that something has.
    pub(crate) fn window(&self) -> u64 {
        self.layout.shared.size as u64
    }

    /// The allocations of global memory.
    pub(crate) fn allocations(&self) -> &[Allocation] {
        self.device.show().global.allocations()
    }

    /// Bytes of an allocation from `at` on become others.
    pub(crate) fn rewrite(&mut self, number: usize, at: usize, after: &[u8]) {
        self.device.get().global.rewrite(number, at, after);
    }

    /// Where an access that can be lies, and how far from its beginning; `None` if other threads do not see it, or cannot write
    /// it.
    pub(crate) fn seen(&mut self, space: AddressSpace, address: u64, count: usize) -> Option<(Target, u64)> {
        match resolve(space, address) {
            (AddressSpace::Global, address) => {
                let (number, at) = self.device.get().global.find(address, count)?;
                Some((Target::Allocation(number), at as u64))
            }
            (AddressSpace::Shared, address) => Some((Target::Window, self.layout.shared.find(address, count)? as u64)),
            _ => None,
        }
    }
}
