//! The functions that threads were in, and where they were called.

use crate::engine::StoppedWarp;
use crate::error::{Called, SourcePlace};
use simt_core::LaneMask;
use simt_core::code::{Code, Inst, Pc};
use std::borrow::Cow;

/// Most calls that an error shows, besides that in the kernel.
const CALLS_SHOWN: usize = 6;

/// The functions that a thread was in, the innermost first, each with where it was called: each place once, and of calls of a
/// function by itself none.
pub(super) fn called(code: &Code, calls: &[Pc]) -> Called {
    let mut shown: Vec<Pc> = Vec::new();
    for (number, &call) in calls.iter().enumerate().rev() {
        let by_itself = number > 0 && callee(code, calls[number - 1]) == callee(code, call);
        if !by_itself && !shown.contains(&call) && (shown.len() < CALLS_SHOWN || number == 0) {
            shown.push(call);
        }
    }
    shown.into_iter().map(|call| (callee(code, call), SourcePlace::at(code, call))).collect()
}

/// Adds those that lanes of a warp were in to what is shown already, while there is room, and the call in the kernel.
pub(super) fn add_lanes(shown: &mut Called, code: &Code, warp: &StoppedWarp, lanes: LaneMask) {
    for lane in lanes.lanes() {
        let mut calls = called(code, &warp.calls.of(lane));
        let in_kernel = calls.pop().filter(|_| shown.len() < 2 * CALLS_SHOWN);
        calls.truncate(CALLS_SHOWN.saturating_sub(shown.len()));
        for call in calls.into_iter().chain(in_kernel) {
            if !shown.contains(&call) {
                shown.push(call);
            }
        }
    }
}

/// The name of the function that a call calls.
pub(super) fn callee(code: &Code, call: Pc) -> Cow<'static, str> {
    match *code.inst(call) {
        Inst::Call { function, .. } => code.functions[function.0 as usize].name.clone(),
        _ => Cow::Borrowed("?"),
    }
}
