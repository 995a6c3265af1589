//! Steps: what was issued, for which lanes, and where the others were.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A set of lanes. As data it is a number of hexadecimal digits in quotes, because readers of JSON have fewer bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask(pub u64);

impl Serialize for Mask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Mask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let mask = u64::from_str_radix(&digits, 16);
        mask.map(Self)
            .map_err(|_| serde::de::Error::custom(format!("`{digits}` is not a set of lanes in hexadecimal digits")))
    }
}

/// How often an instruction was issued, and, of a branch, which way it led.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64, u64, u64, u64)", into = "(u64, u64, u64, u64, u64)")]
pub struct Count {
    /// How often it was issued.
    pub issues: u64,
    /// Active lanes, summed over those.
    pub lanes: u64,
    /// Of a branch, lanes that took it, summed.
    pub taken: u64,
    /// Of a branch, in how many issues some lanes took it.
    pub took: u64,
    /// Of a branch, in how many issues its lanes parted.
    pub parted: u64,
}

impl From<(u64, u64, u64, u64, u64)> for Count {
    fn from((issues, lanes, taken, took, parted): (u64, u64, u64, u64, u64)) -> Self {
        Self { issues, lanes, taken, took, parted }
    }
}

impl From<Count> for (u64, u64, u64, u64, u64) {
    fn from(Count { issues, lanes, taken, took, parted }: Count) -> Self {
        (issues, lanes, taken, took, parted)
    }
}

/// A warp whose steps were kept, or a block whose threads are regrouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Number of the block.
    pub block: u64,
    /// Number of the warp in it; none if the policy regroups the threads of the block.
    pub warp: Option<u32>,
    /// Where its lanes were in the end, by the number of a state.
    pub last: Option<u32>,
}

/// Lanes of warps of a block: the warp's number, and which of its lanes.
pub type Lanes = Vec<(u32, Mask)>;

/// Where lanes are, and what their policy holds of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Live lanes by address, those that issue next first: address, warp, lanes.
    pub splits: Vec<(u32, u32, Mask)>,
    /// Lanes that have come to a collective or barrier, and wait there.
    pub arrived: Lanes,
    /// What the policy holds besides.
    pub held: Vec<Held>,
}

/// A part of what a policy holds: an entry of a stack, a barrier, lanes that are disabled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The mechanism that it is a part of.
    pub of: String,
    /// The kind of the part, if the mechanism has several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The number of the register, if the mechanism has registers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<u8>,
    /// Its lanes.
    pub lanes: Mask,
    /// Of those, the ones that wait there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Mask>,
    /// The address where its lanes go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
    /// The address where its lanes meet others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meet: Option<u32>,
}

/// As it is written: its fields in order.
type Row = (u32, u32, u32, u32, Option<Mask>, u32, Option<u64>);

/// A run of instructions that one group of lanes issued, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct Step {
    /// The number of the warp or block, among the tracks.
    pub track: u32,
    /// The address of the first instruction.
    pub at: u32,
    /// How many instructions; a marker is one.
    pub instructions: u32,
    /// Which lanes, by the number of the set.
    pub lanes: u32,
    /// If the last one is a branch, the SIMD lanes that took it.
    pub taken: Option<Mask>,
    /// Where the lanes were before it, by the number of a state.
    pub state: u32,
    /// The cycle, on a machine with a clock.
    pub cycle: Option<u64>,
}

impl From<Row> for Step {
    fn from((track, at, instructions, lanes, taken, state, cycle): Row) -> Self {
        Self { track, at, instructions, lanes, taken, state, cycle }
    }
}

impl From<Step> for Row {
    fn from(Step { track, at, instructions, lanes, taken, state, cycle }: Step) -> Self {
        (track, at, instructions, lanes, taken, state, cycle)
    }
}
