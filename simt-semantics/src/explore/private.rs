//! Partial-order reduction, where it is simple: a transition that touches nothing but what its thread has for itself.
//!
//! A transition of thread θ is *private* if it reads and writes only θ's variables, stack and local arrays, and read-only
//! parameters; does not fault; and, in a program with collectives, brings θ neither to one nor out of the kernel, where
//! others may wait for it. While θ does not make it, nothing that others do changes what it does or forbids it; and what
//! others do, it neither changes nor forbids nor makes possible. So it may be exchanged with any transition of others next to
//! it, and stands for all of them where it is explored alone: an ample set of one (Peled, *All from One, One for All*, CAV
//! 1993; conditions as in Baier and Katoen, *Principles of Model Checking*, 8.2).
//!
//! It is explored alone only if it leads to a configuration that has not been seen. So each cycle of what is explored has a
//! configuration from which everything is explored, and no thread is put off for ever: round a cycle without one, each
//! configuration would have been seen later than the one before it. This keeps:
//!
//! * *final memories and deadlocks*: a run to its end makes the private transition at some time, and can make it first.
//! * *faults*, as thread and kind: other threads fault behind the private transition as they did before it. Memory at a fault
//!   may have more private steps in it.
//! * *weakly fair runs without end*: θ can make its transition until it makes it, so a fair run does, and can make it first.
//!   Exchanged so for ever, the run has the same transitions of each thread, and the same order of those that are not
//!   private, on which alone it depends which threads wait. So it is as fair as before. The converse needs no argument: what is
//!   explored is part of the whole, and what can move is noted before anything is left out.

use crate::effect::Write;
use crate::interleaved::Interleaved;
use crate::setting::Setting;
use crate::thread::ThreadItem;
use simt_core::program::{ArraySpace, Expr, ExprId, Memory as Slice, ParamKind, StmtKind};

/// Whether a thread's transition from a configuration, which is `after` behind it, is private.
pub(super) fn is_private(
    setting: &Setting<'_>,
    collectives: bool,
    (before, after): (&Interleaved, &Interleaved),
    thread: usize,
) -> bool {
    let Some(head) = before.stacks[thread].last() else { return false };
    let awaited = collectives && (after.stacks[thread].is_empty() || after.collective(setting, thread).is_some());
    !awaited && touches_own_only(setting, head)
}

fn touches_own_only(setting: &Setting<'_>, head: &ThreadItem) -> bool {
    match head {
        ThreadItem::Context(_)
        | ThreadItem::TakeResult(_)
        | ThreadItem::Write(_, Write::Nothing | Write::Variable(..) | Write::Line(_)) => true,
        ThreadItem::Write(_, Write::Element(slice, ..) | Write::Atomic { target: (slice, _), .. }) => {
            is_own(setting, *slice)
        }
        ThreadItem::Statement(id) | ThreadItem::WhileAgain(id) => match setting.kind(*id) {
            // Its first half faults if no thread has written the element, which others may.
            StmtKind::Atomic { target: Slice::Array(_), .. } => false,
            kind => kind.exprs().all(|id| reads_own_only(setting, id)),
        },
    }
}

/// Whether an expression reads nothing that others may write.
fn reads_own_only(setting: &Setting<'_>, id: ExprId) -> bool {
    let expr = setting.program().expr(id).expr;
    let own = match expr {
        Expr::Load { slice, .. } => is_own(setting, slice) || is_constant(setting, slice),
        _ => true,
    };
    own && expr.children().all(|child| reads_own_only(setting, child))
}

fn is_own(setting: &Setting<'_>, slice: Slice) -> bool {
    matches!(slice, Slice::Array(id) if setting.program().array(id).space == ArraySpace::Local)
}

fn is_constant(setting: &Setting<'_>, slice: Slice) -> bool {
    let Slice::Param(param) = slice else { return false };
    matches!(
        setting.program().param(param).kind,
        ParamKind::Slice { writable: false, .. } | ParamKind::Constant { .. } | ParamKind::Scalar(_)
    )
}
