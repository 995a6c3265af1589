//! What a statement with an effect does: names of accesses, atomic operations, collectives, barriers and fences.

use crate::ops::{AtomicOp, define_names, has_atomic};
use crate::scalar::ScalarType;

define_names! {
    /// How caches treat a load (PTX ISA, cache operators of `ld`).
    LoadAccess {
        /// Nothing said: as `ca`.
        Plain = "";
        /// Cached at all levels.
        Ca = "ca";
        /// Cached at L2 and below.
        Cg = "cg";
        /// Cached, likely read once.
        Cs = "cs";
        /// Not cached: what another has written is seen.
        Cv = "cv";
        /// Volatile: neither cached nor left out.
        Volatile = "volatile";
    }
}

define_names! {
    /// How caches treat a store (PTX ISA, cache operators of `st`).
    StoreAccess {
        /// Nothing said: as `wb`.
        Plain = "";
        /// Written back at all coherent levels.
        Wb = "wb";
        /// Cached at L2 and below.
        Cg = "cg";
        /// Cached, likely written once.
        Cs = "cs";
        /// Written through L2 to memory.
        Wt = "wt";
        /// Volatile: neither cached nor left out.
        Volatile = "volatile";
    }
}

define_names! {
    /// How an atomic operation is ordered; names are those of `std::sync::atomic::Ordering`.
    AtomicOrder {
        /// Not ordered with other accesses.
        Relaxed = "Relaxed";
        /// Accesses that follow stay behind it.
        Acquire = "Acquire";
        /// Accesses that precede stay before it.
        Release = "Release";
        /// `Acquire` and `Release`.
        AcqRel = "AcqRel";
        /// As `AcqRel`, in one order that is the same for all threads.
        SeqCst = "SeqCst";
    }
}

define_names! {
    /// An operation of lanes of a warp together.
    CollectiveOp {
        /// Waits for the named lanes.
        SyncWarp = "sync_warp";
        /// The lanes whose operand, a `bool`, holds, as a `u64`.
        Ballot = "ballot";
        /// Whether any lane's operand holds.
        Any = "any";
        /// Whether all lanes' operands hold.
        All = "all";
        /// Whether all lanes' operands are equal.
        Uniform = "uniform";
        /// The first operand of the lane whose number is the second, a `u32`.
        Shuffle = "shuffle";
        /// The first operand of the lane so many lanes below; the lane's own where there is none.
        ShuffleUp = "shuffle_up";
        /// The first operand of the lane so many lanes above; the lane's own where there is none.
        ShuffleDown = "shuffle_down";
        /// The first operand of the lane whose number differs in the bits of the second.
        ShuffleXor = "shuffle_xor";
        /// The lanes whose operand is that of the lane, as a `u64` (PTX `match.any`).
        MatchAny = "match_any";
        /// All lanes, if their operands are the same, else none, as a `u64` (PTX `match.all`).
        MatchAll = "match_all";
        /// The sum of all lanes' operands; integers wrap (PTX `redux`).
        ReduceAdd = "reduce_add";
        /// The least of all lanes' operands.
        ReduceMin = "reduce_min";
        /// The greatest of all lanes' operands.
        ReduceMax = "reduce_max";
        /// The bits that all lanes' operands have.
        ReduceAnd = "reduce_and";
        /// The bits that any lane's operand has.
        ReduceOr = "reduce_or";
        /// The bits that an odd number of lanes' operands have.
        ReduceXor = "reduce_xor";
        /// The lanes that execute this together, as a `u64`. Does not wait, and so depends on the policy.
        ActiveMask = "active_mask";
    }
}

impl CollectiveOp {
    /// The number of values that it takes.
    pub const fn operands(self) -> usize {
        match self {
            Self::SyncWarp | Self::ActiveMask => 0,
            Self::Ballot
            | Self::Any
            | Self::All
            | Self::Uniform
            | Self::MatchAny
            | Self::MatchAll
            | Self::ReduceAdd
            | Self::ReduceMin
            | Self::ReduceMax
            | Self::ReduceAnd
            | Self::ReduceOr
            | Self::ReduceXor => 1,
            Self::Shuffle | Self::ShuffleUp | Self::ShuffleDown | Self::ShuffleXor => 2,
        }
    }

    /// How a reduction joins two operands: as the atomic operation does it with what it finds.
    pub const fn reduction(self) -> Option<AtomicOp> {
        match self {
            Self::ReduceAdd => Some(AtomicOp::Add),
            Self::ReduceMin => Some(AtomicOp::Min),
            Self::ReduceMax => Some(AtomicOp::Max),
            Self::ReduceAnd => Some(AtomicOp::And),
            Self::ReduceOr => Some(AtomicOp::Or),
            Self::ReduceXor => Some(AtomicOp::Xor),
            _ => None,
        }
    }

    /// Whether the operation is defined on operands of a type: a vote on `bool`, a reduction on integers of 32 and 64 bits.
    pub const fn accepts(self, ty: ScalarType) -> bool {
        match self.reduction() {
            Some(op) => ty.is_int() && has_atomic(op, ty),
            None => self.is_typed() || matches!(ty, ScalarType::Bool),
        }
    }

    /// Whether its operand may be of several types, of which code names one.
    pub const fn is_typed(self) -> bool {
        self.is_shuffle() || matches!(self, Self::MatchAny | Self::MatchAll) || self.reduction().is_some()
    }

    /// Whether it moves values between lanes.
    pub const fn is_shuffle(self) -> bool {
        matches!(self, Self::Shuffle | Self::ShuffleUp | Self::ShuffleDown | Self::ShuffleXor)
    }
}

define_names! {
    /// What threads do at a barrier.
    BarrierOp {
        /// Waits until all have arrived.
        Sync = "sync";
        /// Arrives, and goes on.
        Arrive = "arrive";
        /// Waits; the result is whether all values hold.
        And = "and";
        /// Waits; the result is whether any value holds.
        Or = "or";
        /// Waits; the result is how many values hold.
        Count = "count";
        /// Waits until all threads of the grid have arrived.
        Grid = "grid";
    }
}

define_names! {
    /// The threads that see accesses in the order of a fence.
    FenceScope {
        /// The threads of the block.
        Block = "fence_block";
        /// All threads of the device.
        Device = "fence_device";
    }
}
