//! A bank of a memory module: its row, its times and the requests for it.

use std::collections::VecDeque;

/// A request at the controller.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Counts requests: the lower, the older.
    pub(super) age: u64,
    pub(super) id: u64,
    pub(super) row: u64,
    pub(super) bytes: u32,
    pub(super) write: bool,
    /// A read that is to be followed by a write of the same bytes.
    pub(super) atomic: bool,
    /// Whether its row was activated for it.
    pub(super) activated: bool,
    /// Whether anybody waits for the reply. Nobody does for the write of an atomic.
    pub(super) answer: bool,
}

/// Times are memory cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct Bank {
    /// The open row.
    pub(super) open: Option<u64>,
    /// The first cycle in which it can be activated, precharged, and read or written.
    pub(super) activate: u64,
    pub(super) precharge: u64,
    pub(super) column: u64,
    /// In the order in which they came.
    pub(super) queue: VecDeque<Entry>,
}

/// What a controller can tell a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Open the row of the oldest request.
    Activate,
    /// Close the open row.
    Precharge,
    /// Read or write for the request at this place of the bank's queue.
    Column(usize),
}

/// A command that a bank could be given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The first cycle in which it may be given.
    pub(super) at: u64,
    /// The age of the request that it is for.
    pub(super) age: u64,
    pub(super) bank: usize,
    pub(super) command: Command,
}

impl Candidate {
    /// What comes first: what is possible first, then reads and writes of open rows, then what is for the oldest request.
    pub(super) fn order(&self) -> (u64, bool, u64) {
        (self.at, !matches!(self.command, Command::Column(_)), self.age)
    }
}
