//! Which programs end under which policies, and how it is known of the others that they do not.

use serde::{Deserialize, Serialize};
use simt::error::LivelockProof;
use simt::prelude::*;

use crate::measured::Reported;
use crate::programs::{Program, Scale, Size, limited};
use crate::setup::Board;

/// A machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Place {
    /// Without a clock, in warps of 4.
    Narrow,
    /// Without a clock, in warps of 32.
    Wide,
    /// That of TACO'09, with its clock.
    Fung2009,
    Turing,
}

impl Place {
    pub(crate) const ALL: [Self; 4] = [Self::Narrow, Self::Wide, Self::Fung2009, Self::Turing];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Narrow => "warps of 4",
            Self::Wide => "warps of 32",
            Self::Fung2009 => "fung2009",
            Self::Turing => "turing",
        }
    }

    pub(crate) const fn has_clock(self) -> bool {
        matches!(self, Self::Fung2009 | Self::Turing)
    }

    fn config(self) -> GpuConfig {
        let config = match self {
            Self::Narrow => GpuConfig { warp_width: 4, ..GpuConfig::functional() },
            Self::Wide => GpuConfig::functional(),
            Self::Fung2009 => Board::Fung2009.config(),
            Self::Turing => Board::Turing.config(),
        };
        limited(GpuConfig { checks: Checks::none(), ..config }, 1 << 20)
    }
}

/// What became of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Ends,
    /// It is proved that it does not, whatever order its warps take.
    Proved,
    /// It is proved for the order in which this policy, or this machine, lets threads run.
    ProvedHere,
    Deadlock,
    /// It was given up: nothing is proved.
    GivenUp,
    /// It has failed otherwise.
    Failed,
}

impl Outcome {
    pub(crate) const ALL: [Self; 6] =
        [Self::Ends, Self::Proved, Self::ProvedHere, Self::Deadlock, Self::GivenUp, Self::Failed];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ends => "ends",
            Self::Proved => "never: proved for every order of warps",
            Self::ProvedHere => "never: proved for this policy's order",
            Self::Deadlock => "deadlock",
            Self::GivenUp => "given up",
            Self::Failed => "fails",
        }
    }

    fn of(error: &LaunchError) -> Self {
        match error {
            LaunchError::Livelock(livelock) => match livelock.proof {
                LivelockProof::EverySchedule => Self::Proved,
                LivelockProof::GivenUp { .. } => Self::GivenUp,
                _ => Self::ProvedHere,
            },
            LaunchError::Deadlock(_) => Self::Deadlock,
            LaunchError::StepLimit(_) | LaunchError::CycleLimit { .. } => Self::GivenUp,
            _ => Self::Failed,
        }
    }
}

/// A program under a policy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ending {
    pub(crate) policy: String,
    pub(crate) fair: bool,
    pub(crate) outcome: Outcome,
    /// Which lanes spin, what they read, and which wait.
    pub(crate) witness: String,
}

/// The lanes that spin and what they read, and how many others wait for them.
fn witness(error: &LaunchError) -> String {
    let LaunchError::Livelock(livelock) = error else { return error.to_string().lines().next().unwrap_or("").into() };
    let spins = livelock.spins.iter().take(2).map(|spin| {
        let reads: Vec<String> = spin.reads.iter().map(ToString::to_string).collect();
        format!("{} lanes of warp {} spin while {}", spin.lanes.count(), spin.warp, reads.join(", "))
    });
    let more = livelock.spins.len().saturating_sub(2);
    let more = (more > 0).then(|| format!("so do {more} warps more"));
    let waits: usize = livelock.waits.iter().map(|(_, lanes, _)| lanes.count()).sum();
    let waits = (waits > 0).then(|| format!("{waits} lanes wait"));
    spins.chain(more).chain(waits).collect::<Vec<_>>().join("; ")
}

/// A program under a policy.
fn ending<P: Policy>(program: &Program, place: Place) -> Ending {
    let size = Size::of_one_block(Scale::Trace);
    let gpu = Gpu::<P>::new(place.config());
    let (outcome, witness) = match program.run(&mut Reported::new(&gpu, gpu.config().warp_width, ()), &size) {
        Ok(()) => (Outcome::Ends, String::new()),
        Err(error) => (Outcome::of(&error), witness(&error)),
    };
    Ending { policy: P::name().into(), fair: P::is_fair(), outcome, witness }
}

/// A program under all policies.
pub(crate) fn endings(program: &Program, place: Place) -> Vec<Ending> {
    let mut all = Vec::new();
    for_each_policy!(P => all.push(ending::<P>(program, place)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::waiting;

    #[test]
    fn a_program_that_never_ends_has_a_witness() {
        let program_2 = waiting().iter().find(|program| program.name == "2").unwrap();
        let endings = endings(program_2, Place::Wide);
        let of = |policy: &str| endings.iter().find(|ending| ending.policy == policy).unwrap();
        assert_eq!((of("Mimd").outcome, of("Mimd").fair), (Outcome::Ends, true));
        assert_eq!(of("Ipdom").outcome, Outcome::Proved);
        assert_eq!(of("Ipdom").witness, "31 lanes of warp 0 spin while `lock[0]` is 0; 1 lanes wait");
    }
}
