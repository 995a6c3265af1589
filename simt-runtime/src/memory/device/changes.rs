//! What a grid has changed of a memory that other grids change, too.
//!
//! A launch alone is undone by the pages that it has found. A grid that runs beside others has turns, between which the others
//! write: of each turn it is known what the pages held before and behind it. Undone is a byte that still is what the turn
//! has made it.

use super::DeviceMemory;
use super::bytes::Page;

/// A page that was written in a turn.
#[derive(Debug)]
struct Change {
    /// The number of the allocation.
    number: usize,
    page: usize,
    before: Page,
    after: Page,
}

/// What a grid has changed, turn by turn.
#[derive(Debug, Default)]
pub(crate) struct Changes(Vec<Change>);

impl DeviceMemory {
    /// A turn begins.
    pub(crate) fn begin_turn(&mut self) {
        self.global.record(true);
    }

    /// A turn is over: what it has changed is added to what its grid has.
    pub(crate) fn end_turn(&mut self, changes: &mut Changes) {
        let written = self.global.record(false);
        let changed = written.into_iter().map(|(number, page, before)| {
            let after = self.global.page(number, page);
            Change { number, page, before, after }
        });
        changes.0.extend(changed);
    }

    /// Bytes that a grid has changed, and that are still what it has made them, are what they were.
    pub(crate) fn undo(&mut self, changes: Changes) {
        for Change { number, page, before, after } in changes.0.into_iter().rev() {
            self.global.take_back(number, page, &before, &after);
        }
    }

    /// Writes what a slice that lies from an address on has become; `before` is what it was. What others have written besides
    /// stays.
    pub(crate) fn write_changed(&mut self, address: u64, before: &[u8], after: &[u8]) {
        let Some((number, at)) = self.global.find(address, after.len()) else { return };
        self.global.write_changed(number, at, before, after);
    }
}
