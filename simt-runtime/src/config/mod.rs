//! The machine that a launch runs on.

mod clock;
mod machines;
mod named;
#[cfg(feature = "serde")]
mod overflow;
mod race_check;
#[cfg(feature = "serde")]
mod text;

pub use clock::{ClockConfig, InFlight, MemoryTiming, OpClass, OpTiming, OpTimings, UnifiedConfig};
pub use named::{MACHINES, NamedMachine};
pub use race_check::RaceCheck;

use crate::environment::MemoryModel;
use crate::policy::{Checks, DwfConfig, LoadSplits, PolicyConfig, PolicyTiming};
use simt_core::ops::Overflow;
use std::borrow::Cow;

/// A machine. All fields are public; [`crate::Gpu::launch`] refuses values that cannot work and names the field.
///
/// ```
/// use simt::prelude::*;
///
/// let config = GpuConfig { warp_width: 16, ..GpuConfig::functional() };
/// assert!(config.validate().is_ok());
/// let gpu = Gpu::<Ipdom>::new(config);
/// assert_eq!(gpu.config().warp_width, 16);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct GpuConfig {
    /// Lanes of a warp: 4, 8, 16, 32 or 64.
    pub warp_width: usize,
    /// How many instructions, markers included, one warp may issue before the launch is given up.
    pub step_limit: u64,
    /// How much a block may do without progress before the launch is given up, in units of work: one for each instruction,
    /// markers included, that a warp issues, one for each lane of an atomic operation, which lanes execute one after the
    /// other, and 64 for each line that is printed. Progress is a thread that ends or a barrier that opens; a block in which
    /// barriers open and no thread ends may do 8 times as much. With a clock each unit counts 16 times, and on the
    /// environment of `memory` an instruction counts 256 units. In both cases the blocks that run at a time count as one;
    /// with a clock `n` of them may do `1 + n / 8` times as much.
    pub progress_limit: u64,
    /// The units of work that all blocks of a launch may do together. `None` is no limit.
    pub work_limit: Option<u64>,
    /// The milliseconds of the host that a launch may take. `None` is no limit. Whether a launch reaches it is not the same
    /// every time, nor on every host.
    pub time_limit_ms: Option<u64>,
    /// The units of work that a launch that has failed because it does not end may do under each other policy, to see under
    /// which it does end: [`Livelock::ends_under`](crate::Livelock::ends_under),
    /// [`Deadlock::ends_under`](crate::error::Deadlock::ends_under). With 0 the others are not tried.
    pub ends_under_limit: u64,
    /// How deep calls of `#[device]` functions may nest in a thread.
    pub call_depth: usize,
    /// Bytes of the `#[shared]` arrays of a block, all together.
    pub shared_memory: usize,
    /// Bytes of the other arrays of a thread, all together; an array of a recursive function counts once. Calls of recursive
    /// functions may keep as many bytes for their callers, eight for each value.
    pub local_memory: usize,
    /// Whether an `if` whose arms are short and have no effects becomes selects, as compilers do it.
    pub if_conversion: bool,
    /// Whether the launch counts the figures of the report. Otherwise it has only the kernel's results.
    pub statistics: bool,
    /// How many grids of a context run at a time on a [`Device`](crate::device::Device).
    pub concurrent_grids: usize,
    /// How many tokens of a warp's stack the machine holds; older ones are in memory. It changes nothing but the figures of
    /// [`TokenStack`](crate::TokenStack).
    pub token_entries: usize,
    /// How many splits of a warp can issue in turns under [`WarpSubdivision`](crate::WarpSubdivision).
    pub warp_splits: usize,
    /// At which loads that policy divides them, with a clock.
    pub load_splits: LoadSplits,
    /// The seed of a policy that chooses at random: [`Random`](crate::Random).
    pub seed: u64,
    /// The sizes of dynamic warp formation: for [`Dwf`](crate::Dwf).
    pub dwf: DwfConfig,
    /// Cores and memory, if time is to be modelled; with `None` a launch counts issues only.
    pub clock: Option<ClockConfig>,
    /// The invariants that the launch checks while it runs. By default all with the feature `testing`, otherwise none.
    pub checks: Checks,
    /// The memory in which the launch looks for races, and so for kernels that rely on the lanes of a warp running in step.
    pub race_check: RaceCheck,
    /// The memory that the kernel sees.
    pub memory: MemoryModel,
    /// What the arithmetic of kernels does where an integer overflows: see [`Overflow`]. In TOML `overflow = "fault"`.
    #[cfg_attr(feature = "serde", serde(with = "overflow"))]
    pub overflow: Overflow,
}

/// A config that cannot work.
///
/// ```
/// use simt::error::ConfigError;
/// use simt::prelude::*;
///
/// let config = GpuConfig { warp_width: 33, ..GpuConfig::functional() };
/// assert_eq!(config.validate(), Err(ConfigError::WarpWidth { value: 33 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// No such warp width.
    #[error("`warp_width` is {value}: it must be 4, 8, 16, 32 or 64")]
    WarpWidth {
        /// The value given.
        value: usize,
    },
    /// No instruction could be issued.
    #[error("`step_limit` is 0: it must be at least 1")]
    StepLimit,
    /// No function could be called.
    #[error("`call_depth` is 0: it must be at least 1")]
    CallDepth,
    /// Hardware that could not work.
    #[error("`{field}` is {value}: it must be {must}")]
    Size {
        /// The field; of a level of the memory hierarchy, with the level's name before it.
        field: Cow<'static, str>,
        /// The value given.
        value: usize,
        /// The condition that it must meet.
        must: &'static str,
    },
    /// The memory environment has orders, and no times.
    #[error("`clock` and the environment of `memory` cannot be modelled together: take one of them out")]
    ClockedEnvironment,
    /// One block needs more than a core has.
    #[error(
        "a block of this kernel needs {needed} {resource}, and a core has {there}: launch smaller blocks, or raise `{field}`"
    )]
    BlockTooLarge {
        /// The resource of which there is not enough.
        resource: &'static str,
        /// The field.
        field: &'static str,
        /// How much of it one block needs.
        needed: usize,
        /// How much a core has.
        there: usize,
    },
    /// More memory for a block than indices of 32 bits can reach.
    #[error("`{field}` is {value}: it must be at most {MAX_ARRAYS}")]
    ArrayMemory {
        /// The field.
        field: &'static str,
        /// The value given.
        value: usize,
    },
}

/// Most bytes of shared memory, and of local memory of a thread: the local memory of a block of 1024 threads can then be
/// had on a host.
const MAX_ARRAYS: usize = 1 << 20;

impl GpuConfig {
    /// The lanes that a warp may have.
    pub const WARP_WIDTHS: [usize; 5] = [4, 8, 16, 32, 64];

    /// The machine without a clock: every issue costs one step. Warps of 32; a warp may issue 2^30 instructions, which takes
    /// some seconds, and a block do 2^26 units of work without progress. Another policy may do 2^22 to show that the launch
    /// ends under it. 1024 calls may nest. A block has 227 KiB of shared memory, the most that a GPU has had (compute
    /// capability 9.0), and a thread 512 KiB of local memory, as all have (CUDA C++ Programming Guide, table of compute
    /// capabilities), where 128 grids run at a time from 7.5 on. What policies are told is [`PolicyConfig::FUNCTIONAL`].
    pub fn functional() -> Self {
        let PolicyConfig { warp_width, seed, token_entries, warp_splits, dwf, timing: _ } = PolicyConfig::FUNCTIONAL;
        Self {
            warp_width,
            step_limit: 1 << 30,
            progress_limit: 1 << 26,
            work_limit: None,
            time_limit_ms: None,
            ends_under_limit: 1 << 22,
            call_depth: 1024,
            shared_memory: 227 << 10,
            local_memory: 512 << 10,
            if_conversion: false,
            statistics: true,
            concurrent_grids: 128,
            token_entries,
            warp_splits,
            load_splits: LoadSplits::default(),
            seed,
            dwf,
            clock: None,
            checks: Checks::default(),
            race_check: RaceCheck::Off,
            memory: MemoryModel::Ideal,
            overflow: Overflow::Wrap,
        }
    }

    /// What a policy is told of this machine.
    pub fn policy_config(&self) -> PolicyConfig {
        let Self { warp_width, seed, token_entries, warp_splits, ref dwf, .. } = *self;
        let timing = self.clock.as_ref().map(|clock| PolicyTiming {
            issue_cycles: warp_width.div_ceil(clock.simd_width.max(1)) as u64,
            spill_cycles: match &clock.memory {
                MemoryTiming::Ideal { latency } => u64::from(*latency),
                MemoryTiming::Hierarchy(hierarchy) => {
                    hierarchy.memory_latency(DwfConfig::spilled_bytes(warp_width)).unwrap_or(0)
                }
            },
        });
        PolicyConfig { warp_width, seed, token_entries, warp_splits, dwf: dwf.clone(), timing }
    }

    /// Whether the machine can work.
    ///
    /// # Errors
    /// The first field that cannot.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if !Self::WARP_WIDTHS.contains(&self.warp_width) {
            return Err(ConfigError::WarpWidth { value: self.warp_width });
        }
        if self.step_limit == 0 {
            return Err(ConfigError::StepLimit);
        }
        if self.call_depth == 0 {
            return Err(ConfigError::CallDepth);
        }
        let limits = [
            ("progress_limit", Some(self.progress_limit)),
            ("work_limit", self.work_limit),
            ("time_limit_ms", self.time_limit_ms),
        ];
        for (field, limit) in limits {
            if limit == Some(0) {
                return Err(ConfigError::Size { field: field.into(), value: 0, must: "at least 1" });
            }
        }
        for (field, value) in [("shared_memory", self.shared_memory), ("local_memory", self.local_memory)] {
            if value > MAX_ARRAYS {
                return Err(ConfigError::ArrayMemory { field, value });
            }
        }
        let sizes = [
            ("concurrent_grids", self.concurrent_grids),
            ("token_entries", self.token_entries),
            ("warp_splits", self.warp_splits),
        ];
        for (field, value) in sizes {
            if value == 0 {
                return Err(ConfigError::Size { field: field.into(), value, must: "at least 1" });
            }
        }
        if let MemoryModel::Environment(environment) = &self.memory {
            if self.clock.is_some() {
                return Err(ConfigError::ClockedEnvironment);
            }
            if let Some((field, value, must)) = environment.problem() {
                return Err(ConfigError::Size { field: field.into(), value, must });
            }
        }
        let of_clock = self.clock.as_ref().and_then(|clock| clock.problem(self.warp_width));
        let of_dwf = self.dwf.problem().map(|(field, value, must)| (field.into(), value, must));
        match of_dwf.or(of_clock) {
            Some((field, value, must)) => Err(ConfigError::Size { field, value, must }),
            None => Ok(()),
        }
    }
}

impl Default for GpuConfig {
    fn default() -> Self {
        Self::functional()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bad_value_names_its_field() {
        for warp_width in GpuConfig::WARP_WIDTHS {
            assert_eq!(GpuConfig { warp_width, ..GpuConfig::functional() }.validate(), Ok(()));
        }
        let error = GpuConfig { warp_width: 33, ..GpuConfig::functional() }.validate().unwrap_err();
        assert!(error.to_string().contains("`warp_width` is 33"));
        let error = GpuConfig { step_limit: 0, ..GpuConfig::functional() }.validate().unwrap_err();
        assert!(error.to_string().contains("`step_limit`"));
        let error = GpuConfig { call_depth: 0, ..GpuConfig::functional() }.validate().unwrap_err();
        assert!(error.to_string().contains("`call_depth`"));
        let error = GpuConfig { progress_limit: 0, ..GpuConfig::functional() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "`progress_limit` is 0: it must be at least 1");
        let error = GpuConfig { work_limit: Some(0), ..GpuConfig::functional() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "`work_limit` is 0: it must be at least 1");
        let error = GpuConfig { time_limit_ms: Some(0), ..GpuConfig::functional() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "`time_limit_ms` is 0: it must be at least 1");
        let error = GpuConfig { local_memory: 1 << 30, ..GpuConfig::functional() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "`local_memory` is 1073741824: it must be at most 1048576");
        let error = GpuConfig { shared_memory: usize::MAX, ..GpuConfig::functional() }.validate().unwrap_err();
        assert!(error.to_string().contains("`shared_memory`"));
        let error = GpuConfig { token_entries: 0, ..GpuConfig::functional() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "`token_entries` is 0: it must be at least 1");
        let error = GpuConfig { concurrent_grids: 0, ..GpuConfig::functional() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "`concurrent_grids` is 0: it must be at least 1");
        let error = GpuConfig { warp_splits: 0, ..GpuConfig::functional() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "`warp_splits` is 0: it must be at least 1");
    }
}
