//! Running a warp to its end.

use crate::choice::Choice;
use crate::coverage::Coverage;
use crate::interleaved::End;
use crate::rules::WarpRules;
use crate::setting::Setting;
use crate::warp::Warp;

impl Warp {
    /// Runs by the rules, for at most so many transitions.
    pub fn run(
        &mut self,
        setting: &Setting<'_>,
        rules: &(impl WarpRules + ?Sized),
        choice: &mut dyn Choice,
        fuel: u64,
        coverage: &mut Coverage,
    ) -> End {
        for _ in 0..fuel {
            match rules.step(setting, self, choice) {
                Ok(Some(step)) => coverage.warp(step.rule),
                Ok(None) => return End::Finished,
                Err(fault) => return End::Fault(fault),
            }
        }
        if self.stack.is_empty() { End::Finished } else { End::OutOfFuel }
    }
}
