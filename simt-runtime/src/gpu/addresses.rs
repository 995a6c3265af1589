//! Program address consistency (CUDA report, section 6.2): a check of the code, before it runs.
//!
//! Validation refuses code that breaks it. What is checked here is what lowering, or the change from one family of markers to
//! another, has made of code that was valid.

use crate::error::{FailedCheck, LaunchError, SourcePlace};
use crate::plan::Plan;
use crate::policy::checked::{Check, Checks};
use simt_core::LaneMask;
use simt_core::code::{Code, CodeError, Pc};

/// Checks where the code goes, if that is asked for.
pub(crate) fn addresses(plan: &Plan, checks: Checks, policy: &'static str) -> Result<(), LaunchError> {
    if !checks.contains(Check::P) {
        return Ok(());
    }
    match plan.leads_astray() {
        Some(error) => Err(astray(&plan.code, error, policy)),
        None => Ok(()),
    }
}

fn astray(code: &Code, error: &CodeError, policy: &'static str) -> LaunchError {
    let pc = error.pc().unwrap_or(Pc(0));
    LaunchError::Check(Box::new(FailedCheck {
        check: Check::P,
        kernel: code.name.clone(),
        policy,
        found: format!("{}; expected {}", error.message(), error.expected()),
        pc,
        place: SourcePlace::at(code, pc),
        block: None,
        warp: None,
        lanes: LaneMask::EMPTY,
        thread: None,
        thread_pc: None,
        executed: LaneMask::EMPTY,
        splits: Vec::new(),
        tokens: Vec::new(),
        prints: Vec::new(),
        warp_width: 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Runs;
    use simt_core::code::{Inst, JumpKind};

    /// Where nothing but a bug of ours can bring it about.
    #[test]
    fn code_that_jumps_out_of_a_function_is_not_run() {
        let text = "kernel k(x: &mut [u32])
            call f
            exit
            func f
            A: bra A";
        let plan = |code| Plan::new(code, Runs::OfOne, false).expect("few registers");
        let mut code = Code::parse(text).expect("valid").into_inner();
        assert!(addresses(&plan(code.clone()), Checks::all(), "Ipdom").is_ok());
        code.insts[2] = Inst::Jump { target: Pc(1), kind: JumpKind::Plain };
        let plan = plan(code);
        assert!(addresses(&plan, Checks::none(), "Ipdom").is_ok());
        let error = addresses(&plan, Checks::all(), "Ipdom").unwrap_err();
        let LaunchError::Check(failed) = &error else { panic!("{error}") };
        assert_eq!((failed.check, failed.pc), (Check::P, Pc(2)));
        assert_eq!(error.line(), Some(5));
        assert!(error.to_string().contains("in the code of kernel `k` for Ipdom"), "{error}");
    }
}
