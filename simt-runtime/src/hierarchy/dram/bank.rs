//! A bank of a memory module: its row, its times and the requests for it.

use std::collections::VecDeque;

use super::config::MemoryOrder;

/// A request at the controller.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The sequence number of the request: the lower, the older.
    pub(super) age: u64,
    pub(super) id: u64,
    pub(super) row: u64,
    pub(super) bytes: u32,
    pub(super) write: bool,
    /// A read that is to be followed by a write of the same bytes.
    pub(super) atomic: bool,
    /// Whether its row was activated for it.
    pub(super) activated: bool,
    /// Whether a reply is expected. The write of an atomic has none.
    pub(super) answer: bool,
}

/// A bank. Times are memory cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct Bank {
    /// The open row.
    pub(super) open: Option<u64>,
    /// The first cycle in which it can be activated, precharged, and read or written.
    pub(super) activate: u64,
    pub(super) precharge: u64,
    pub(super) column: u64,
    /// The requests, in the order in which they came.
    queue: VecDeque<Entry>,
    /// The places of the oldest read and the oldest write of the open row, among those that the controller looks at.
    read: Option<usize>,
    write: Option<usize>,
}

/// A command that a controller can give to a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Open the row of the oldest request.
    Activate,
    /// Close the open row.
    Precharge,
    /// Read for a request.
    Read,
    /// Write for a request.
    Write,
}

/// The rank of commands for rows, above that of commands for columns.
const ROW: u64 = 1 << 63;

/// A command that a bank could be given, as far as the bank's own times allow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// The first cycle in which the bank allows it.
    pub(super) at: u64,
    /// Of several that are possible, the least comes first: reads and writes before others, then by the age of the request
    /// that it is for.
    pub(super) rank: u64,
    pub(super) command: Command,
    /// The place of the request in the bank's queue.
    pub(super) place: u32,
}

impl Wish {
    /// None.
    pub(super) const NONE: Self = Self { at: u64::MAX, rank: u64::MAX, command: Command::Precharge, place: 0 };
}

impl Bank {
    pub(super) fn with_room(requests: usize) -> Self {
        Self { queue: VecDeque::with_capacity(requests), ..Self::default() }
    }

    /// Begins again, with no request.
    pub(super) fn reset(&mut self) {
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        *self = Self { queue, ..Self::default() };
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn oldest(&self) -> Option<&Entry> {
        self.queue.front()
    }

    /// The commands it could be given next: a read and a write of the open row; else an activate or a precharge.
    pub(super) fn wishes(&self) -> [Wish; 2] {
        let column = |place: Option<usize>, command| {
            let wish =
                |place: usize| Wish { at: self.column, rank: self.queue[place].age, command, place: place as u32 };
            place.map_or(Wish::NONE, wish)
        };
        let row = |at, command| {
            let wish = |oldest: &Entry| Wish { at, rank: ROW | oldest.age, command, place: 0 };
            [self.queue.front().map_or(Wish::NONE, wish), Wish::NONE]
        };
        match (self.read, self.write, self.open) {
            (None, None, None) => row(self.activate, Command::Activate),
            (None, None, Some(_)) => row(self.precharge, Command::Precharge),
            (read, write, _) => [column(read, Command::Read), column(write, Command::Write)],
        }
    }

    pub(super) fn push(&mut self, entry: Entry, order: MemoryOrder) {
        let place = self.queue.len();
        self.queue.push_back(entry);
        self.see(place, order);
    }

    /// Opens the row of the oldest request.
    pub(super) fn open(&mut self, order: MemoryOrder) {
        if let Some(oldest) = self.queue.front_mut() {
            self.open = Some(oldest.row);
            oldest.activated = true;
        }
        self.look(order);
    }

    pub(super) fn close(&mut self) {
        self.open = None;
        (self.read, self.write) = (None, None);
    }

    /// Removes a request that has been read or written, except for an atomic, which is written next.
    pub(super) fn serve(&mut self, place: usize, order: MemoryOrder) -> Entry {
        let entry = self.queue[place];
        if entry.atomic {
            self.queue[place] = Entry { write: true, atomic: false, activated: false, answer: false, ..entry };
        } else {
            self.queue.remove(place);
        }
        self.look(order);
        entry
    }

    fn look(&mut self, order: MemoryOrder) {
        (self.read, self.write) = (None, None);
        for place in 0..self.queue.len() {
            self.see(place, order);
            if self.read.is_some() && self.write.is_some() {
                break;
            }
        }
    }

    fn see(&mut self, place: usize, order: MemoryOrder) {
        let entry = &self.queue[place];
        if self.open == Some(entry.row) && (order == MemoryOrder::FrFcfs || place == 0) {
            let oldest = if entry.write { &mut self.write } else { &mut self.read };
            oldest.get_or_insert(place);
        }
    }
}
