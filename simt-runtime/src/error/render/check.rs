//! Checks that failed, as text.

use super::super::FailedCheck;
use super::{printed, snippet, thread_place};

/// Most splits, and most tokens, that are shown.
const SHOWN: usize = 6;

pub(super) fn render(failed: &FailedCheck) -> String {
    let FailedCheck { check, kernel, policy, found, pc, place, thread, executed, warp_width, .. } = failed;
    let title = format!("check {check} failed under {policy}: {found}");
    let width = *warp_width;
    let label = match failed.block {
        Some(_) => format!("executed at {pc} by the lanes {}", executed.digits(width)),
        None => format!("at {pc}"),
    };
    let mut notes = vec![
        format!("{check} (CUDA report, {}): {}", check.section(), check.statement()),
        match failed.block {
            Some(block) => format!("in kernel `{kernel}`: block {block}, under {policy}"),
            None => format!("in the code of kernel `{kernel}` for {policy}"),
        },
    ];
    if let Some(thread) = thread {
        let alone = failed.thread_pc.map_or(String::new(), |pc| format!(", alone at {pc}"));
        notes.push(format!("{}{alone}", thread_place(thread)));
    }
    let splits = failed.splits.iter().map(|split| format!("{} at {}", split.mask.digits(width), split.pc));
    let tokens = failed.tokens.iter().rev();
    let tokens = tokens.map(|token| format!("({:?}, {}, {})", token.kind, token.mask.digits(width), token.pc));
    for (what, list) in [("lanes by the policy", splits.collect::<Vec<_>>()), ("tokens, top first", tokens.collect())] {
        if !list.is_empty() {
            let more = if list.len() > SHOWN { format!(", and {} more", list.len() - SHOWN) } else { String::new() };
            notes.push(format!("{what}: {}{more}", list[..list.len().min(SHOWN)].join(", ")));
        }
    }
    notes.extend(printed(&failed.prints));
    let help = "this is a bug in the policy or, in code that was written by hand, in its markers; a check can be switched \
                off with `gpu.with_checks(..)`";
    snippet("check", &title, &[(place.clone(), label)], &notes, help)
}
