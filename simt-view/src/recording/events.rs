//! What a machine with a clock told.

use super::Lanes;
use serde::{Deserialize, Serialize};

/// An event of a machine with a clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The cycle.
    pub cycle: u64,
    /// Number of the core.
    pub core: u32,
    /// Number of the block, if it is of one.
    pub block: u64,
    /// What happened.
    pub what: EventKind,
}

/// What happened in a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EventKind {
    /// The block comes to the core.
    Placed,
    /// The block leaves the core.
    Left,
    /// Threads issue an instruction.
    Issued {
        /// Its address.
        pc: u32,
        /// The threads.
        lanes: Lanes,
        /// The cycle in which the pipeline is free again.
        until: u64,
    },
    /// A warp has waited until this cycle.
    Waited {
        /// Number of the warp.
        warp: u32,
        /// Since this cycle.
        since: u64,
        /// For this reason: a name of [`Stall`](simt_runtime::Stall).
        why: String,
    },
    /// An access goes to memory.
    Requested {
        /// The instruction's address.
        pc: u32,
        /// The threads.
        lanes: Lanes,
        /// The number of the access.
        access: u64,
        /// How many transactions it takes.
        transactions: u32,
        /// How many of them the first level does not hold.
        misses: u32,
    },
    /// An access is answered.
    Answered {
        /// The number of the access.
        access: u64,
    },
}
