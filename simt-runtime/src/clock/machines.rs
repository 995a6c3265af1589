//! The cores of the three machines, number by number. Their memories are in [`HierarchyConfig`].

use super::config::{ClockConfig, InFlight, MemoryTiming, OpTiming, OpTimings};
use super::hierarchy::HierarchyConfig;
use super::schedule::WarpScheduling;
use crate::config::GpuConfig;
use crate::policy::DwfConfig;

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
    /// block, the latter with 16 banks as on that GPU; accesses of a warp to one line are one.
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
            memory: MemoryTiming::Hierarchy(HierarchyConfig::fung2009()),
            cycle_limit: CYCLE_LIMIT,
            sample: None,
        };
        Self { dwf: DwfConfig::fung2009(), clock: Some(clock), ..Self::functional() }
    }

    /// The GTX 480 of A. Habermaier, *The Model of Computation of CUDA and its Formal Semantics*, 2011, section 3.2: 15
    /// cores of 1536 threads, 8 blocks and 32768 registers, two schedulers that issue to 16 lanes each in 2 cycles, special
    /// functions in 8 (section 2.2.2), 48 KB of shared memory in 32 banks, and the memory of [`HierarchyConfig::fermi`].
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
            memory: MemoryTiming::Hierarchy(HierarchyConfig::fermi()),
            cycle_limit: CYCLE_LIMIT,
            sample: None,
        };
        Self { shared_memory: clock.shared_memory, clock: Some(clock), ..Self::functional() }
    }

    /// The RTX 2060 of the Hanoi paper (*Control Flow Management in Modern GPUs*), Table III: 30 cores of 32 warps, four
    /// schedulers that are greedy, then take the oldest, 65536 registers, and the memory of [`HierarchyConfig::turing`].
    ///
    /// **Assumed**, because the table does not say: 4 cycles from an instruction to one that needs its result, and 19 for
    /// shared memory (Z. Jia et al., *Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking*, 2019, cited from memory);
    /// half of the 64 KB for shared memory. **Assumed** for lack of any source: pipelines of 16 lanes, 6 cycles for integer
    /// products, 21 for special functions, of which a core has 16 lanes, 22 for votes and shuffles, 36 for quotients of
    /// integers, 30 for 64-bit floats, of which it has 2 lanes; 16 blocks.
    pub fn turing() -> Self {
        let clock = ClockConfig {
            cores: 30,
            threads: 1024,
            blocks: 16,
            registers: 65536,
            shared_memory: 32 << 10,
            simd_width: 16,
            ports: 4,
            scheduling: WarpScheduling::GreedyThenOldest,
            in_flight: InFlight::Scoreboard,
            timings: OpTimings {
                multiply: OpTiming { latency: 6, interval: 0 },
                divide: OpTiming { latency: 36, interval: 4 },
                double: OpTiming { latency: 30, interval: 16 },
                special: OpTiming { latency: 21, interval: 2 },
                exchange: OpTiming { latency: 22, interval: 2 },
                ..OpTimings::all(OpTiming { latency: 4, interval: 0 })
            },
            shared_banks: 32,
            shared_latency: 19,
            memory: MemoryTiming::Hierarchy(HierarchyConfig::turing()),
            cycle_limit: CYCLE_LIMIT,
            sample: None,
        };
        Self { shared_memory: clock.shared_memory, clock: Some(clock), ..Self::functional() }
    }
}
