//! The cores of the machines, number by number. Their memories are in [`HierarchyConfig`].

use super::{ClockConfig, InFlight, MemoryTiming, OpTiming, OpTimings, UnifiedConfig};
use crate::config::GpuConfig;
use crate::hierarchy::HierarchyConfig;
use crate::policy::DwfConfig;
use crate::scheduler::WarpScheduling;

/// **Assumed:** a kernel that has not ended after so many cycles, a fifth of a second of such a GPU, never will.
const CYCLE_LIMIT: u64 = 1 << 28;

impl GpuConfig {
    /// The machine of W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp Formation*, TACO 2009, Table I: 16
    /// cores of 768 threads, warps of 32 that issue over 4 cycles down 8 lanes, a data cache of 512 KB a core and eight
    /// GDDR3 modules ([`HierarchyConfig::fung2009`]); one block a core at a time (section 6.2), one instruction of a thread
    /// in flight (section 2.3), warps in turns (section 2.3), and the hardware of dynamic warp formation as in its Table V
    /// ([`DwfConfig::fung2009`]), which is what its main results are for (Fig. 13).
    ///
    /// **Assumed**, because the paper does not say: 24 cycles from one instruction of a thread to its next, as V. Volkov and
    /// J. W. Demmel measured on the GeForce 8 (SC 2008), whatever the operation; registers and shared memory that limit no
    /// block, the latter with 16 banks as on that GPU; accesses of a warp to one line are one; one grid at a time, as on that GPU.
    pub fn fung2009() -> Self {
        let timing = OpTiming { latency: 24, interval: 0 };
        let clock = ClockConfig {
            cores: 16,
            threads: 768,
            blocks: 1,
            registers: 1 << 20,
            shared_memory: 227 << 10,
            simd_width: 8,
            ports: 1,
            scheduling: WarpScheduling::RoundRobin,
            in_flight: InFlight::OneInstruction,
            timings: OpTimings::all(timing),
            shared_banks: 16,
            shared_latency: 24,
            pipeline: 0,
            launch_latency: 0,
            unified: None,
            memory: MemoryTiming::Hierarchy(HierarchyConfig::fung2009()),
            cycle_limit: CYCLE_LIMIT,
            sample: None,
        };
        Self { dwf: DwfConfig::fung2009(), concurrent_grids: 1, clock: Some(clock), ..Self::functional() }
    }

    /// The GTX 480 of A. Habermaier, *The Model of Computation of CUDA and its Formal Semantics*, 2011, section 3.2: 15
    /// cores of 1536 threads, 8 blocks and 32768 registers, two schedulers that issue to 16 lanes each in 2 cycles, special
    /// functions in 8 (section 2.2.2), 16 grids at a time, 48 KB of shared memory in 32 banks, and the memory of [`HierarchyConfig::fermi`].
    ///
    /// **Assumed** for lack of any source, because the report does not say: 18 cycles from an instruction to one that needs
    /// its result, 22 for products of integers and for 64-bit floats, 40 for what is not one instruction, and 26 for shared
    /// memory; 64-bit operations take the cores of both schedulers (section 2.2.2), here by an interval of 4 cycles; the
    /// oldest warp first once the greedy one stalls.
    pub fn fermi() -> Self {
        let clock = ClockConfig {
            cores: 15,
            threads: 1536,
            blocks: 8,
            registers: 32768,
            shared_memory: 48 << 10,
            simd_width: 16,
            ports: 2,
            scheduling: WarpScheduling::GreedyThenOldest,
            in_flight: InFlight::Scoreboard,
            timings: OpTimings {
                multiply: OpTiming { latency: 22, interval: 0 },
                divide: OpTiming { latency: 40, interval: 8 },
                double: OpTiming { latency: 22, interval: 4 },
                special: OpTiming { latency: 40, interval: 8 },
                ..OpTimings::all(OpTiming { latency: 18, interval: 0 })
            },
            shared_banks: 32,
            shared_latency: 26,
            pipeline: 0,
            launch_latency: 0,
            unified: None,
            memory: MemoryTiming::Hierarchy(HierarchyConfig::fermi()),
            cycle_limit: CYCLE_LIMIT,
            sample: None,
        };
        Self { shared_memory: clock.shared_memory, concurrent_grids: 16, clock: Some(clock), ..Self::functional() }
    }

    /// The RTX 2060 of the Hanoi paper (*Control Flow Management in Modern GPUs*), Table III: 30 cores of 32 warps, four
    /// schedulers that are greedy, then take the oldest, 65536 registers, and the memory of [`HierarchyConfig::turing`].
    ///
    /// What the table does not say is from GPGPU-Sim's configuration of that GPU (`SM75_RTX2060` of version 4.2), on which
    /// the paper's simulator is based: 16 blocks; pipelines of 16 lanes; 4 cycles for operations of integers and of floats
    /// of up to 32 bits, 21 for quotients of integers and special functions, of which a core has 16 lanes, 64 for 64-bit
    /// floats, of which it has 2; 30 for shared memory; of 96 KB, 32 or 64 for shared memory, by the needs of a kernel, and
    /// the rest for the first level; 5,000 cycles to launch a kernel. 21 cycles for votes and shuffles, as it has for the
    /// QV100.
    ///
    /// Operations take 5 cycles besides ([`ClockConfig::pipeline`]): registers between the stages of the simulator's cores
    /// (issue, operand collector, dispatch, unit, write-back). On hardware the 4 cycles are all there is between dependent
    /// operations (Z. Jia et al. 2019, on the T4, cited from memory); `pipeline = 0` has that. **Assumed** for lack of a number:
    /// 2 cycles from a branch until its warp issues again, for fetch and decode.
    pub fn turing() -> Self {
        let timings = OpTimings {
            divide: OpTiming { latency: 21, interval: 1 },
            double: OpTiming { latency: 64, interval: 16 },
            special: OpTiming { latency: 21, interval: 2 },
            ..VOLTA_AND_LATER
        };
        Self::simulated(ClockConfig {
            cores: 30,
            threads: 1024,
            blocks: 16,
            registers: 65536,
            shared_memory: 64 << 10,
            simd_width: 16,
            ports: 4,
            scheduling: WarpScheduling::GreedyThenOldest,
            in_flight: InFlight::Scoreboard,
            timings,
            shared_banks: 32,
            shared_latency: 30,
            pipeline: 5,
            launch_latency: 5000,
            unified: unified(96, &[32, 64]),
            memory: MemoryTiming::Hierarchy(HierarchyConfig::turing()),
            cycle_limit: CYCLE_LIMIT,
            sample: None,
        })
    }

    /// The Quadro V100 as GPGPU-Sim 4.2 has it (`SM7_QV100`): 80 cores of 64 warps and 32 blocks, four schedulers that take
    /// warps in turns, 65536 registers, and the memory of [`HierarchyConfig::volta`]; 145 cycles for quotients of integers, 100
    /// for special functions, 8 for 64-bit floats, of which a core has 32 lanes, 21 for shuffles, 20 for shared memory; of 128
    /// KB, 0, 8, 16, 32, 64 or 96 for shared memory; all else as [`turing`](Self::turing). 4 cycles between dependent
    /// operations are measured for this chip, too (Z. Jia et al. 2018, cited from memory).
    pub fn volta() -> Self {
        let timings = OpTimings {
            multiply: OpTiming { latency: 5, interval: 0 },
            divide: OpTiming { latency: 145, interval: 2 },
            double: OpTiming { latency: 8, interval: 1 },
            special: OpTiming { latency: 100, interval: 2 },
            ..VOLTA_AND_LATER
        };
        Self::like_turing(|clock| ClockConfig {
            cores: 80,
            threads: 2048,
            blocks: 32,
            shared_memory: 96 << 10,
            scheduling: WarpScheduling::RoundRobin,
            timings,
            shared_latency: 20,
            unified: unified(128, &[0, 8, 16, 32, 64, 96]),
            memory: MemoryTiming::Hierarchy(HierarchyConfig::volta()),
            ..clock
        })
    }

    /// The RTX 3070 as GPGPU-Sim 4.2 has it (`SM86_RTX3070`): 46 cores of 48 warps and 32 blocks, four schedulers that take warps
    /// in turns, and the memory of [`HierarchyConfig::ampere`]; 32 lanes of floats for each scheduler, which are **not** here:
    /// pipelines are as wide for all operations; 29 cycles for shared memory; of 128 KB, 0, 8, 16, 32, 64 or 100 for it; all else
    /// as [`turing`](Self::turing).
    pub fn ampere() -> Self {
        Self::like_turing(|clock| ClockConfig {
            cores: 46,
            threads: 1536,
            blocks: 32,
            shared_memory: 100 << 10,
            scheduling: WarpScheduling::RoundRobin,
            shared_latency: 29,
            unified: unified(128, &[0, 8, 16, 32, 64, 100]),
            memory: MemoryTiming::Hierarchy(HierarchyConfig::ampere()),
            ..clock
        })
    }

    /// The machine of `turing()` with other cores.
    fn like_turing(change: impl FnOnce(ClockConfig) -> ClockConfig) -> Self {
        let turing = Self::turing();
        Self::simulated(turing.clock.map(change))
    }

    fn simulated(clock: impl Into<Option<ClockConfig>>) -> Self {
        let clock = clock.into();
        let functional = Self::functional();
        let shared_memory = clock.as_ref().map_or(functional.shared_memory, |clock| clock.shared_memory);
        Self { shared_memory, clock, ..functional }
    }
}

/// The common part of the configurations of Volta and later.
const VOLTA_AND_LATER: OpTimings = OpTimings {
    control: OpTiming { latency: 2, interval: 0 },
    exchange: OpTiming { latency: 21, interval: 1 },
    ..OpTimings::all(OpTiming { latency: 4, interval: 0 })
};

/// An array of so many KB for the first level and shared memory, which can have these KB of it.
fn unified(kilobytes: usize, shared: &[usize]) -> Option<UnifiedConfig> {
    Some(UnifiedConfig { bytes: kilobytes << 10, shared: shared.iter().map(|shared| shared << 10).collect() })
}
