//! The machines that have a name: the one list from which the command line, sweeps and files of TOML take them.

use super::GpuConfig;

/// A machine that has a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedMachine {
    /// The name.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Its numbers.
    pub config: fn() -> GpuConfig,
}

/// The machines that have a name.
///
/// ```
/// use simt::clock::MACHINES;
///
/// let clocked = MACHINES.iter().filter(|machine| (machine.config)().clock.is_some());
/// assert!(clocked.map(|machine| machine.name).eq(["fung2009", "fermi", "volta", "turing", "ampere"]));
/// ```
pub const MACHINES: [NamedMachine; 6] = [
    NamedMachine { name: "functional", what: "no clock: counts issues and lanes only", config: GpuConfig::functional },
    NamedMachine {
        name: "fung2009",
        what: "that of Fung et al., Dynamic Warp Formation, TACO 2009",
        config: GpuConfig::fung2009,
    },
    NamedMachine { name: "fermi", what: "GTX 480, as Habermaier's report on CUDA has it", config: GpuConfig::fermi },
    NamedMachine { name: "volta", what: "Volta", config: GpuConfig::volta },
    NamedMachine { name: "turing", what: "Turing", config: GpuConfig::turing },
    NamedMachine { name: "ampere", what: "Ampere", config: GpuConfig::ampere },
];

impl NamedMachine {
    /// Returns the machine of a name, in capitals or not.
    ///
    /// ```
    /// use simt::clock::NamedMachine;
    /// use simt::prelude::*;
    ///
    /// assert_eq!(NamedMachine::find("Turing").map(|machine| (machine.config)()), Some(GpuConfig::turing()));
    /// assert!(NamedMachine::find("hopper").is_none());
    /// ```
    pub fn find(name: &str) -> Option<Self> {
        MACHINES.into_iter().find(|machine| machine.name.eq_ignore_ascii_case(name))
    }

    /// Returns the names of all with commas between, for an error.
    pub fn names() -> String {
        MACHINES.map(|machine| machine.name).join(", ")
    }
}
