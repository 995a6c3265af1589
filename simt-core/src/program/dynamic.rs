//! Arrays of shared memory whose length a launch gives.

use super::{Array, Program};

impl Array {
    /// Bytes that an element takes, of an array of rows those of a row.
    fn element_bytes(&self) -> u64 {
        u64::from(self.element.bits().div_ceil(8)) * u64::from(self.row.max(1))
    }
}

impl Program {
    /// The program as a launch with so many bytes of dynamic shared memory has it: `#[shared] let mut tile: [f32];` has as many
    /// elements as there is room for. Columns of an array of structs have the same number.
    #[must_use]
    pub fn with_shared_memory(mut self, bytes: usize) -> Self {
        give_lengths(&mut self.arrays, bytes);
        self
    }
}

/// Says of the arrays whose length the launch gives how many elements these bytes have room for.
pub(crate) fn give_lengths(arrays: &mut [Array], bytes: usize) {
    let of_one: u64 = arrays.iter().filter(|array| array.dynamic).map(Array::element_bytes).sum();
    for array in arrays.iter_mut().filter(|array| array.dynamic) {
        let elements = (bytes as u64 / of_one).saturating_mul(u64::from(array.row.max(1)));
        array.length = u32::try_from(elements).unwrap_or(u32::MAX);
    }
}
