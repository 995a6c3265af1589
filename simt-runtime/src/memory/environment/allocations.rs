//! Memory by address: what the device has allocated lies in the environment's global memory.

use super::{CHUNK, Modelled, first_of_mask};
use crate::environment::StateSpace;
use crate::memory::device::allocation::Allocation;
use crate::memory::spaces::Spaces;

impl Modelled {
    /// The allocations' bytes, and which of them have values.
    pub(super) fn copy_allocations_in(&mut self, allocated: &[Allocation]) {
        let Some(global) = self.environment.state.device_mut(StateSpace::Global) else { return };
        for (Allocation { bytes, .. }, start) in allocated.iter().zip(&self.allocations) {
            for at in (0..bytes.len()).step_by(CHUNK) {
                let values = bytes.range(at, CHUNK.min(bytes.len() - at));
                let valueless = !bytes.marks(at) & first_of_mask(values.len());
                // It lies there: the sizes were added up from the same allocations.
                let _ = global.set(start + at as u64, values, !0);
                if valueless != 0 {
                    global.forget(start + at as u64, valueless);
                }
            }
        }
    }

    /// What threads have made of them.
    pub(super) fn copy_allocations_out(&self, spaces: &mut Spaces<'_>) {
        let Some(global) = self.environment.state.device(StateSpace::Global) else { return };
        for (number, start) in self.allocations.iter().enumerate() {
            let size = spaces.allocations()[number].bytes.len();
            for at in (0..size).step_by(CHUNK) {
                let values = global.get(start + at as u64, CHUNK.min(size - at));
                values.into_iter().for_each(|values| spaces.rewrite(number, at, values));
            }
        }
    }
}
