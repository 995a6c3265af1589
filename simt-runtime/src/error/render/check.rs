//! Checks that failed, as text.

use super::super::FailedCheck;
use super::{printed, snippet, thread_place};

/// Most splits, and most tokens, that are shown.
const SHOWN: usize = 6;

pub(super) fn render(failed: &FailedCheck) -> String {
    let FailedCheck { check, policy, found, .. } = failed;
    let title = format!("check {check} failed under {policy}: {found}");
    let statement = format!("{check} (CUDA report, {}): {}", check.section(), check.statement());
    let help = "this is a bug in the policy or, in code that was written by hand, in its markers; a check can be switched \
                off with `gpu.with_checks(..)`";
    of_policy("check", &title, statement, failed, help)
}

/// The title and text for a law that every policy of a user's is held to.
pub(super) fn broken_law(failed: &FailedCheck) -> String {
    let FailedCheck { check, policy, found, .. } = failed;
    let title = format!("policy {policy} breaks a law of its trait: {found}");
    let law = format!("broken is {} ({check} of `Checks`: {})", check.law(), check.statement());
    let help = "correct the policy, or the schedule that it runs by; `gpu.with_checks(Checks::all())` stops at the first \
                step that goes wrong";
    of_policy("policy", &title, law, failed, help)
}

fn of_policy(id: &str, title: &str, statement: String, failed: &FailedCheck, help: &str) -> String {
    let FailedCheck { kernel, policy, pc, place, thread, executed, lanes, warp_width, .. } = failed;
    let width = *warp_width;
    let label = match failed.block {
        Some(_) => format!("executed at {pc} by the lanes {executed:width$}"),
        None => format!("at {pc}"),
    };
    let mut notes = vec![
        statement,
        match (failed.block, failed.warp) {
            (Some(block), Some(warp)) => format!("in kernel `{kernel}`: block {block}, warp {warp}, under {policy}"),
            _ => format!("in the code of kernel `{kernel}` for {policy}"),
        },
    ];
    if let Some(thread) = thread {
        let alone = failed.thread_pc.map_or(String::new(), |pc| format!(", alone at {pc}"));
        notes.push(format!("{}{alone}", thread_place(thread)));
    }
    if !lanes.is_empty() {
        notes.push(format!("lanes that it is about: {lanes:width$}"));
    }
    let splits = failed.splits.iter().map(|split| format!("{:width$} at {}", split.mask, split.pc));
    let tokens = failed.tokens.iter().rev();
    let tokens = tokens.map(|token| format!("({:?}, {}, {})", token.kind, token.mask.digits(width), token.pc));
    for (what, list) in [("lanes by the policy", splits.collect::<Vec<_>>()), ("tokens, top first", tokens.collect())] {
        if !list.is_empty() {
            let more = if list.len() > SHOWN { format!(", and {} more", list.len() - SHOWN) } else { String::new() };
            notes.push(format!("{what}: {}{more}", list[..list.len().min(SHOWN)].join(", ")));
        }
    }
    notes.extend(printed(&failed.prints));
    snippet(id, title, &[(place.clone(), label)], &notes, help)
}
