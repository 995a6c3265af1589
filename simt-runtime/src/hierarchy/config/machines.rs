//! The hierarchies of the machines, number by number.
//!
//! **Assumed** marks the numbers that the source of a machine does not have. Where a public configuration of GPGPU-Sim has a
//! number for the machine (`configs/tested-cfgs` of gpgpu-sim_distribution), it is taken from there.

use super::super::cache::{CacheConfig, Replacement, WritePolicy};
use super::super::coalescing::Coalescing;
use super::super::crossbar::CrossbarConfig;
use super::super::dram::{DramConfig, MemoryOrder};
use super::{HierarchyConfig, NamedLevel};

impl HierarchyConfig {
    /// The machine of TACO'09, Table I: 512 KB of 8-way data cache a core with 16 banks and a hit latency of 10, eight
    /// memory modules of 8 bytes a cycle behind a crossbar, out-of-order controllers, and GDDR3 with tCL 9, tRP 13, tRC 34,
    /// tRAS 21, tRCD 12, tRRD 8; cores and memory at 650 MHz. There is no second level.
    ///
    /// **Assumed**, because the paper does not say: lines of 64 bytes, a transaction for each line that a warp needs, LRU and write-back with write-allocate (its cache
    /// must keep stores: with write-through the bandwidth of Table II could not be had); a lookup per bank and cycle; a miss
    /// leaves in the cycle after its lookup; 64 MSHRs of 16 requests, so that 768 threads can wait; queues that do not
    /// limit what the modules can take; a crossbar of 4 cycles with flits of 32 bytes; 256 bytes in a row in one module,
    /// 8 banks with rows of 2 KB and 32 requests at the controller, as memories of that time have; of GDDR3, tWL 4, tWR 10,
    /// tWTR 5 and tRTP 6, and 2 cycles to turn the bus.
    pub fn fung2009() -> Self {
        Self {
            coalescing: Coalescing::Lines { line: 64 },
            coalescing_past: Coalescing::Lines { line: 64 },
            copied: false,
            levels: vec![
                NamedLevel::new(
                    "l1",
                    CacheConfig {
                        bytes: 512 << 10,
                        ways: 8,
                        line: 64,
                        sector: 64,
                        replacement: Replacement::Lru,
                        write: WritePolicy::WriteBack,
                        hit_latency: 10,
                        miss_latency: 1,
                        ports: 16,
                        atomic_cycles: 1,
                        mshrs: 64,
                        merges: 16,
                        passes: 64,
                        queue: 32,
                        miss_queue: 16,
                    },
                ),
                NamedLevel::new(
                    "crossbar",
                    CrossbarConfig {
                        partitions: 8,
                        interleave: 256,
                        latency: 4,
                        flit: 32,
                        header: 8,
                        queue: 8,
                        output_queue: 8,
                        replies: 64,
                    },
                ),
                NamedLevel::new(
                    "dram",
                    DramConfig {
                        order: MemoryOrder::FrFcfs,
                        queue: 32,
                        banks: 8,
                        row: 2048,
                        bus: 8,
                        clock: 1,
                        core_clock: 1,
                        latency: 0,
                        t_cl: 9,
                        t_rp: 13,
                        t_rc: 34,
                        t_ras: 21,
                        t_rcd: 12,
                        t_rrd: 8,
                        t_wl: 4,
                        t_wr: 10,
                        t_wtr: 5,
                        t_rtp: 6,
                        turnaround: 2,
                    },
                ),
            ],
        }
    }

    /// The GTX 480 of the CUDA report (Habermaier 2011, section 3.2): 16 KB of L1 a core (the other 48 KB of the 64 are
    /// shared memory), 768 KB of L2, lines of 128 bytes, requests of 32 bytes to what only the second level caches
    /// (sections 4.7 and 2.3.2); global stores go through the first level and drop its line, local ones are written back
    /// (section 4.2); the second level is written back.
    ///
    /// **Assumed**, after GPGPU-Sim's SM2_GTX480: 4 ways at the first level, latency 35, 64 MSHRs of 8 requests; six
    /// partitions of 128 KB in 8 ways with sectors of 32 bytes, 256 MSHRs of 4 requests; 120 cycles from a partition's
    /// port to the reply of its slice, and 100 more from memory; GDDR5 at 924 MHz to 700 MHz of the cores with 32 bytes a
    /// cycle (177 GB/s in all), 16 banks, tCL 12, tRP 12, tRC 40, tRAS 28, tRCD 12, tRRD 6, tWL 4, tWR 12, tWTR 5, tRTP 2,
    /// 64 requests at the controller; flits of 80 bytes (there, 40 for each of a partition's two slices). **Assumed** for lack of
    /// any source: a crossbar of 8 cycles; 256 bytes in a row in one partition; rows of 2 KB; the other queues; one cycle of the ports for an atomic; 2 cycles
    /// to turn the bus.
    pub fn fermi() -> Self {
        Self {
            coalescing: Coalescing::Lines { line: 128 },
            coalescing_past: Coalescing::Sectors { sector: 32, line: 128 },
            copied: false,
            levels: vec![
                NamedLevel::new(
                    "l1",
                    CacheConfig {
                        bytes: 16 << 10,
                        ways: 4,
                        line: 128,
                        sector: 128,
                        replacement: Replacement::Lru,
                        write: WritePolicy::WriteEvict,
                        hit_latency: 35,
                        miss_latency: 1,
                        ports: 1,
                        atomic_cycles: 1,
                        mshrs: 64,
                        merges: 8,
                        passes: 64,
                        queue: 8,
                        miss_queue: 8,
                    },
                ),
                NamedLevel::new(
                    "crossbar",
                    CrossbarConfig {
                        partitions: 6,
                        interleave: 256,
                        latency: 8,
                        flit: 80,
                        header: 8,
                        queue: 8,
                        output_queue: 8,
                        replies: 256,
                    },
                ),
                NamedLevel::new(
                    "l2",
                    CacheConfig {
                        bytes: 128 << 10,
                        ways: 8,
                        line: 128,
                        sector: 32,
                        replacement: Replacement::Lru,
                        write: WritePolicy::WriteBack,
                        hit_latency: 120,
                        miss_latency: 120,
                        ports: 1,
                        atomic_cycles: 1,
                        mshrs: 256,
                        merges: 4,
                        passes: 64,
                        queue: 64,
                        miss_queue: 64,
                    },
                ),
                NamedLevel::new(
                    "dram",
                    DramConfig {
                        order: MemoryOrder::FrFcfs,
                        queue: 64,
                        banks: 16,
                        row: 2048,
                        bus: 32,
                        clock: 924,
                        core_clock: 700,
                        latency: 100,
                        t_cl: 12,
                        t_rp: 12,
                        t_rc: 40,
                        t_ras: 28,
                        t_rcd: 12,
                        t_rrd: 6,
                        t_wl: 4,
                        t_wr: 12,
                        t_wtr: 5,
                        t_rtp: 2,
                        turnaround: 2,
                    },
                ),
            ],
        }
    }

    /// The RTX 2060 of Table III of the Hanoi paper (3 MB of L2), with the numbers of GPGPU-Sim's configuration of it, from
    /// which the paper's simulator took its own: `configs/tested-cfgs/SM75_RTX2060/gpgpusim.config` of version 4.2. Of 96 KB
    /// for the first level and shared memory, here the first level's least, 32 KB, in 4 sets: see
    /// [`ClockConfig::unified`](crate::ClockConfig::unified). Lines of 128 bytes with sectors of 32 at both levels; a first
    /// level of 32 cycles and 4 banks that is written through, with 256 MSHRs of 32 requests; 12 partitions of 256 KB in 16 ways
    /// (there, two slices of 128 KB), 192 MSHRs of 4 requests, 194 cycles from a partition's port to the reply of its slice, and
    /// 96 more from memory; GDDR6 at 3500 MHz to 1365 MHz of the cores with 8 bytes a cycle (336 GB/s in all), 16 banks with rows
    /// of 2 KB, tCL 24, tRP 24, tRC 78, tRAS 55, tRCD 24, tRRD 12, tWL 8, tWR 24, tWTR 10, tRTP 4, 64 requests at the
    /// controller; 256 bytes in a row in one partition, flits of 40 bytes; copies of the host go through the second level.
    ///
    /// Z. Jia et al., *Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking*, 2019, measured 32 cycles of a hit in the first
    /// level and 188 in the second of another GPU of that generation (cited from memory): latencies of the configuration
    /// were measured on the RTX 2060 itself. **Assumed** for lack of any source: a crossbar of 4 cycles, which with the QV100's
    /// numbers gives what was measured on its chip ([`HierarchyConfig::volta`]); the other queues; one cycle of the ports for an
    /// atomic; 2 cycles to turn the bus.
    pub fn turing() -> Self {
        sectored(12, front(32 << 10, 32, 256, 32), slices(256 << 10, 16, 194), gddr6(1365, 96))
    }

    /// The Quadro V100 as GPGPU-Sim 4.2 has it, `configs/tested-cfgs/SM7_QV100/gpgpusim.config`: a first level of at least
    /// 32 KB in 4 sets, 20 cycles, 512 MSHRs of 8 requests; 32 partitions of 192 KB in 24 ways (there, two slices of 96 KB; 6 MB
    /// in all), 160 cycles; HBM2 at 850 MHz to 1132 MHz of the cores with 32 bytes a cycle (870 GB/s in all), 100 cycles besides
    /// its own, 16 banks, tCL 12, tRP 12, tRC 40, tRAS 28, tRCD 12, tRRD 3, tWL 2, tWR 10, tWTR 3, tRTP 3; all else as
    /// [`HierarchyConfig::turing`].
    ///
    /// With the cores' pipeline of 5 cycles and the crossbar of 4 a load takes 25 cycles from the first level and 193 from the
    /// second. Z. Jia et al., *Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking*, 2018, measured 28 and 193 on
    /// the V100 (cited from memory). **Assumed** for lack of any source: as there; and one command of the memory a cycle, where
    /// the configuration has a bus of its own for commands to rows.
    pub fn volta() -> Self {
        let dram = DramConfig {
            order: MemoryOrder::FrFcfs,
            queue: 64,
            banks: 16,
            row: 2048,
            bus: 32,
            clock: 850,
            core_clock: 1132,
            latency: 100,
            t_cl: 12,
            t_rp: 12,
            t_rc: 40,
            t_ras: 28,
            t_rcd: 12,
            t_rrd: 3,
            t_wl: 2,
            t_wr: 10,
            t_wtr: 3,
            t_rtp: 3,
            turnaround: 2,
        };
        sectored(32, front(32 << 10, 20, 512, 8), slices(192 << 10, 24, 160), dram)
    }

    /// The RTX 3070 as GPGPU-Sim 4.2 has it, `configs/tested-cfgs/SM86_RTX3070/gpgpusim.config`: a first level of at least
    /// 28 KB in 4 sets, 39 cycles, 384 MSHRs of 48 requests; 16 partitions of 256 KB in 16 ways (there, two slices of 128 KB; 4 MB
    /// in all), 187 cycles; GDDR6 as in [`HierarchyConfig::turing`], 254 cycles besides its own, at 1132 MHz of the cores; all
    /// else as there.
    pub fn ampere() -> Self {
        sectored(16, front(28 << 10, 39, 384, 48), slices(256 << 10, 16, 187), gddr6(1132, 254))
    }
}

/// Volta or later: what differs between them are partitions, caches and memory modules.
fn sectored(partitions: u32, front: CacheConfig, slices: CacheConfig, dram: DramConfig) -> HierarchyConfig {
    let crossbar = CrossbarConfig {
        partitions,
        interleave: 256,
        latency: 4,
        flit: 40,
        header: 8,
        queue: 16,
        output_queue: 16,
        replies: 512,
    };
    HierarchyConfig {
        coalescing: Coalescing::Sectors { sector: 32, line: 128 },
        coalescing_past: Coalescing::Sectors { sector: 32, line: 128 },
        copied: true,
        levels: vec![
            NamedLevel::new("l1", front),
            NamedLevel::new("crossbar", crossbar),
            NamedLevel::new("l2", slices),
            NamedLevel::new("dram", dram),
        ],
    }
}

/// A first level of Volta or later: 4 sets, sectors, 4 banks, written through, `latency` cycles whether it hits or misses.
fn front(bytes: u64, latency: u32, mshrs: u32, merges: u32) -> CacheConfig {
    CacheConfig {
        bytes,
        ways: (bytes / (4 * 128)) as u32,
        line: 128,
        sector: 32,
        replacement: Replacement::Lru,
        write: WritePolicy::WriteThrough,
        hit_latency: latency,
        miss_latency: latency,
        ports: 4,
        atomic_cycles: 1,
        mshrs,
        merges,
        passes: 256,
        queue: 16,
        miss_queue: 16,
    }
}

/// A partition's slice of the second level, on Volta or later.
fn slices(bytes: u64, ways: u32, latency: u32) -> CacheConfig {
    CacheConfig {
        bytes,
        ways,
        line: 128,
        sector: 32,
        replacement: Replacement::Lru,
        write: WritePolicy::WriteBack,
        hit_latency: latency,
        miss_latency: latency,
        ports: 2,
        atomic_cycles: 1,
        mshrs: 192,
        merges: 4,
        passes: 64,
        queue: 64,
        miss_queue: 64,
    }
}

/// GDDR6 of 14 Gbit/s, `latency` cycles besides its own, beside cores of so many MHz.
fn gddr6(core_clock: u32, latency: u32) -> DramConfig {
    DramConfig {
        order: MemoryOrder::FrFcfs,
        queue: 64,
        banks: 16,
        row: 2048,
        bus: 8,
        clock: 3500,
        core_clock,
        latency,
        t_cl: 24,
        t_rp: 24,
        t_rc: 78,
        t_ras: 55,
        t_rcd: 24,
        t_rrd: 12,
        t_wl: 8,
        t_wr: 24,
        t_wtr: 10,
        t_rtp: 4,
        turnaround: 2,
    }
}
