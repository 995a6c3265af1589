//! The sizes and timings of a memory module, and what it counts.

use super::super::config::{LONGEST, MOST, between};
use super::super::figures::{Amount, Shown, counters, ratio};
use super::super::kinds::{Lone, Part, Sizes};
use super::super::level::Cycle;

/// A memory module and its controller. Times are in cycles of the memory's command clock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DramConfig {
    /// In which order requests are served.
    pub order: MemoryOrder,
    /// Requests that can wait at the controller.
    pub queue: u32,
    /// Banks, each with one row open: 1 to 64.
    pub banks: u32,
    /// Bytes of a row, a power of two.
    pub row: u32,
    /// Bytes that the data bus carries a memory cycle.
    pub bus: u32,
    /// The memory's clock: so many of its cycles
    pub clock: u32,
    /// in so many of the cores' cycles.
    pub core_clock: u32,
    /// Cycles of the cores from the end of the data until the reply: what a pipeline between controller and pins takes.
    pub latency: u32,
    /// tCL: from a read command to its data.
    pub t_cl: u32,
    /// tRP: from a precharge to the next activate of the bank.
    pub t_rp: u32,
    /// tRC: from an activate to the next of the bank.
    pub t_rc: u32,
    /// tRAS: from an activate to the precharge of the bank.
    pub t_ras: u32,
    /// tRCD: from an activate to a read or write of the bank.
    pub t_rcd: u32,
    /// tRRD: from an activate to one of another bank.
    pub t_rrd: u32,
    /// tWL: from a write command to its data.
    pub t_wl: u32,
    /// tWR: from the end of a write's data to the precharge of the bank.
    pub t_wr: u32,
    /// tWTR: from the end of a write's data to a read command of any bank.
    pub t_wtr: u32,
    /// tRTP: from a read command to the precharge of the bank.
    pub t_rtp: u32,
    /// Cycles for which the data bus rests when it turns from reads to writes.
    pub turnaround: u32,
}

/// In which order a controller serves requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MemoryOrder {
    /// As they come, one after the other.
    Fcfs,
    /// First those that are ready, whose row is open; else the oldest (Rixner et al. 2000, which TACO'09, section 2.2, cites
    /// for its controller).
    FrFcfs,
}

impl DramConfig {
    /// Memory cycles for which so many bytes occupy the data bus.
    pub(super) fn burst(&self, bytes: u32) -> u64 {
        u64::from(bytes.div_ceil(self.bus))
    }

    /// The memory cycle in which a cycle of the cores begins.
    pub(super) fn to_memory(&self, cycle: Cycle) -> u64 {
        if self.clock == self.core_clock {
            return cycle;
        }
        cycle * u64::from(self.clock) / u64::from(self.core_clock)
    }

    /// The first cycle of the cores in which a memory cycle has begun.
    pub(super) fn to_core(&self, cycle: u64) -> Cycle {
        if self.clock == self.core_clock {
            return cycle;
        }
        (cycle * u64::from(self.core_clock)).div_ceil(u64::from(self.clock))
    }
}

impl Sizes for DramConfig {
    fn part(&self) -> Part {
        Part::Last
    }

    fn problem(&self) -> Option<(&'static str, usize, &'static str)> {
        let sizes = [("queue", self.queue), ("bus", self.bus), ("clock", self.clock), ("core_clock", self.core_clock)];
        let times = [
            ("t_cl", self.t_cl),
            ("t_rp", self.t_rp),
            ("t_rc", self.t_rc),
            ("t_ras", self.t_ras),
            ("t_rcd", self.t_rcd),
            ("t_rrd", self.t_rrd),
            ("t_wl", self.t_wl),
            ("t_wr", self.t_wr),
            ("t_wtr", self.t_wtr),
            ("t_rtp", self.t_rtp),
            ("turnaround", self.turnaround),
            ("latency", self.latency),
        ];
        between(&sizes, 1, MOST, "1 to 16384")
            .or_else(|| between(&times, 0, LONGEST, "at most 1048576"))
            .or_else(|| between(&[("banks", self.banks)], 1, 64, "1 to 64"))
            .or_else(|| (!self.row.is_power_of_two()).then_some(("row", self.row as usize, "a power of two")))
    }

    /// Nothing is behind it.
    fn pass(&self, _: &mut Lone) {}

    fn serve(&self, load: &Lone) -> Option<Cycle> {
        let end = self.to_memory(load.at) + 1 + u64::from(self.t_rcd + self.t_cl) + self.burst(load.bytes);
        Some(self.to_core(end) + Cycle::from(self.latency) + load.back)
    }
}

counters! {
    /// What memory modules count.
    DramFigures {
        /// Read commands.
        reads,
        /// Write commands.
        writes,
        /// Reads and writes for which no row was activated: it was open.
        row_hits,
        /// Reads and writes for which their row was activated.
        row_misses,
        /// Activate commands.
        activates,
        /// Precharge commands.
        precharges,
        /// Bytes moved.
        bytes,
        /// Cycles of the memory's clock in which a data bus carried bytes, summed over modules.
        busy_cycles,
    }
}

impl DramFigures {
    /// Reads and writes that found their row open, of all; 0 without any.
    pub fn row_hit_rate(&self) -> f64 {
        ratio(self.row_hits, self.row_hits + self.row_misses)
    }
}

impl DramFigures {
    /// Returns what a report shows of them; none if there is nothing to show.
    pub(in super::super) fn shown(&self) -> Option<Shown> {
        (self.bytes > 0).then(|| Shown {
            what: "bytes",
            amount: Amount::Count(self.bytes),
            note: format!("{:.1}% of accesses found their row open", 100.0 * self.row_hit_rate()),
        })
    }
}
