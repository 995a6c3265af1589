//! Races between the threads of a block are found, under every policy, and nothing else is.

/// Runs the same for a machine of each policy that looks for races everywhere, in warps of several widths.
macro_rules! watched {
    (|$gpu:ident| $body:expr) => {
        crate::watched(&mut |$gpu: &dyn crate::machine::Machine| {
            $body;
        })
    };
}

mod barriers;
mod blocks;
#[path = "../../examples/support/machine.rs"]
mod machine;
mod machines;
mod orders;
mod synchrony;

use simt::error::{FaultKind, Race};
use simt::prelude::*;

/// Calls a function with a machine of each policy and width: through a pointer, so that it is compiled once.
fn watched(test: &mut dyn FnMut(&dyn machine::Machine)) {
    for_each_policy!(P => for width in [4, 8, 32, 64] {
        test(&Gpu::<P>::default().with_warp_width(width).with_race_check(RaceCheck::Everywhere));
    });
}

/// The race that ended a launch.
#[track_caller]
fn race(result: Result<Report, LaunchError>) -> Race {
    let error = result.expect_err("the kernel races");
    match &error {
        LaunchError::Fault(fault) => match &fault.kind {
            FaultKind::Race(race) => (**race).clone(),
            _ => panic!("another fault: {error}"),
        },
        _ => panic!("not a fault: {error}"),
    }
}
