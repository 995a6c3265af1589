//! Policies and machines as values, and by their names.

use crate::error::SweepError;
use crate::nearest::nearest;
use simt::checks::Checks;
use simt::clock::{MACHINES, NamedMachine};
use simt::for_each_policy;
use simt::observe::Observer;
use simt::policy::Policy;
use simt::{Gpu, GpuConfig, Grid, KernelCall, LaunchError, Report};
use std::fmt;

/// Launches on a machine of one policy, with so many threads of the host, watched or not.
type Launch =
    fn(GpuConfig, Option<usize>, Grid, KernelCall<'_>, Option<&mut dyn Observer>) -> Result<Report, LaunchError>;

/// A policy as a value: [`policy`] makes it of any type, [`all`] of every one of the library.
///
/// ```
/// use simt::prelude::*;
/// use simt_sweep::{all, policy};
///
/// assert_eq!(policy::<Ipdom>().name(), "Ipdom");
/// let fair: Vec<_> = all().into_iter().filter(|policy| policy.is_fair()).collect();
/// assert!(fair.iter().any(|policy| policy.name() == "Mimd"));
/// ```
#[derive(Clone, Copy)]
pub struct PolicyChoice {
    name: &'static str,
    is_fair: bool,
    launch: Launch,
}

impl PolicyChoice {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether every thread that can go on does so after finitely many issues.
    pub fn is_fair(&self) -> bool {
        self.is_fair
    }

    /// Launches a kernel on a machine under this policy, on so many threads of the host: as many as it has processors if
    /// none is given. No result depends on it.
    ///
    /// # Errors
    /// What the launch failed with.
    pub fn launch(
        &self,
        config: GpuConfig,
        threads: Option<usize>,
        grid: Grid,
        call: KernelCall<'_>,
    ) -> Result<Report, LaunchError> {
        (self.launch)(config, threads, grid, call, None)
    }

    /// The same with an observer, which sees every issue.
    ///
    /// # Errors
    /// What the launch failed with.
    pub fn launch_watched(
        &self,
        config: GpuConfig,
        threads: Option<usize>,
        grid: Grid,
        call: KernelCall<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, LaunchError> {
        (self.launch)(config, threads, grid, call, Some(observer))
    }
}

impl fmt::Debug for PolicyChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PolicyChoice").field(&self.name).finish()
    }
}

/// A policy by its type: one of the library's, or your own.
pub fn policy<P: Policy + 'static>() -> PolicyChoice {
    let launch: Launch = |config, threads, grid, call, observer| {
        let gpu = Gpu::<P>::new(config).with_threads(threads.unwrap_or(usize::MAX));
        match observer {
            Some(observer) => gpu.launch_watched(grid, call, observer),
            None => gpu.launch(grid, call),
        }
    };
    PolicyChoice { name: P::name(), is_fair: P::is_fair(), launch }
}

/// Every policy of the library, in the order of its table.
pub fn all() -> Vec<PolicyChoice> {
    let mut all = Vec::new();
    for_each_policy!(P => all.push(policy::<P>()));
    all
}

/// A machine with its name: one of [`MACHINES`], `"fermi".into()`, or your own, `("mine", config).into()`. Those of the table
/// check no invariants of policies while they run; a config of yours checks what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineChoice {
    pub(crate) name: String,
    /// None if there is no machine of the name.
    config: Option<GpuConfig>,
}

impl MachineChoice {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its numbers.
    ///
    /// # Errors
    /// If there is no machine of this name.
    pub fn config(&self) -> Result<&GpuConfig, SweepError> {
        self.config.as_ref().ok_or_else(|| {
            let names = MACHINES.iter().map(|machine| machine.name);
            SweepError::Unknown { what: "machine", name: self.name.clone(), nearest: nearest(&self.name, names) }
        })
    }
}

impl From<&str> for MachineChoice {
    fn from(name: &str) -> Self {
        let known = NamedMachine::find(name);
        // What is checked by default depends on features of the build, and the ids of points must not.
        let config = known.map(|machine| GpuConfig { checks: Checks::none(), ..(machine.config)() });
        Self { name: known.map_or(name, |machine| machine.name).to_string(), config }
    }
}

impl<N: Into<String>> From<(N, GpuConfig)> for MachineChoice {
    fn from((name, config): (N, GpuConfig)) -> Self {
        Self { name: name.into(), config: Some(config) }
    }
}
