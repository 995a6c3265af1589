//! The sizes and timings of a crossbar, and what it counts.

use super::super::config::{LONGEST, MOST, between};
use super::super::figures::{Shown, counters};
use super::super::kinds::{Lone, Part, Sizes};
use super::super::level::Cycle;

/// A crossbar with a port for each core and each partition, in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CrossbarConfig {
    /// Partitions, each with a slice of the caches behind the crossbar and a memory module: 1 to 128.
    pub partitions: u32,
    /// Bytes in a row that belong to one partition, before the next has its turn; a multiple of the lines of all caches.
    pub interleave: u32,
    /// Cycles from the offer of a packet of one flit until it is at the other side, if nothing is in the way: at least 1.
    /// Each further flit takes one more.
    pub latency: u32,
    /// Bytes that a port carries a cycle.
    pub flit: u32,
    /// Bytes of a packet besides the data: all of a load's request and of a store's reply.
    pub header: u32,
    /// Requests of one core that can wait for their turn.
    pub queue: u32,
    /// Requests for one partition that can be underway or wait there to be taken.
    pub output_queue: u32,
    /// Requests in a partition whose replies have not yet left it. No request enters without room for its reply.
    pub replies: u32,
}

impl CrossbarConfig {
    /// Flits of a packet with so many bytes of data.
    pub(super) fn flits(&self, data: u32) -> u32 {
        (self.header + data).div_ceil(self.flit)
    }

    /// Cycles that a packet with so many bytes of data takes if nothing is in its way.
    fn unloaded(&self, data: u32) -> Cycle {
        Cycle::from(self.latency + self.flits(data) - 1)
    }
}

impl Sizes for CrossbarConfig {
    fn part(&self) -> Part {
        Part::Joins
    }

    fn copies(&self) -> Option<u32> {
        Some(self.partitions)
    }

    fn problem(&self) -> Option<(&'static str, usize, &'static str)> {
        let Self { partitions, interleave, latency, flit, header, queue, output_queue, replies } = *self;
        let sizes = [
            ("flit", flit),
            ("header", header),
            ("queue", queue),
            ("output_queue", output_queue),
            ("replies", replies),
        ];
        between(&[("partitions", partitions)], 1, 128, "1 to 128")
            .or_else(|| between(&[("interleave", interleave)], 1, u32::MAX, "at least 1"))
            .or_else(|| between(&[("latency", latency)], 1, LONGEST, "1 to 1048576"))
            .or_else(|| between(&sizes, 1, MOST, "1 to 16384"))
    }

    fn pass(&self, load: &mut Lone) {
        load.at += self.unloaded(0);
        load.back += self.unloaded(load.bytes);
    }

    fn serve(&self, _: &Lone) -> Option<Cycle> {
        None
    }
}

counters! {
    /// What the crossbar counts.
    CrossbarFigures {
        /// Requests carried from cores to partitions.
        requests,
        /// Their flits.
        request_flits,
        /// Replies carried from partitions to cores.
        replies,
        /// Their flits.
        reply_flits,
    }
}

impl CrossbarFigures {
    /// Returns what a report shows of them; none if there is nothing to show.
    pub(in super::super) fn shown(&self) -> Option<Shown> {
        None
    }
}
