//! Tokens for code without: `ssy` where a barrier would be set, `sync` where its lanes would meet.
//!
//! A stack cannot be left in the middle: a barrier that lanes leave by a `break` has no token, and one whose token would not be
//! the topmost where it is popped, whatever the path, has none. A call has a token of its own.

use super::place::{self, Barriers};
use super::ways::Ways;
use super::{Barrier, Placement, Point, insert, last};
use crate::analysis::Divergence;
use crate::code::{Code, Inst, Marker, Markers};

/// How many tokens are tried one by one, where all of them together do not agree.
const TRIES: usize = 64;

/// The code with tokens; `complete` adds those of calls. It has no other markers.
pub(in crate::lower) fn with_tokens(code: &Code, complete: impl Fn(&Code) -> Code) -> Code {
    let code = insert::without_markers(code);
    let graph = Ways::new(&code);
    let divergence = Divergence::new(&code, &graph);
    let no_returns: Vec<_> = graph.loops.iter().map(|_| None).collect();
    let found = place::barriers(&code, &graph, &divergence, &no_returns);
    let calls = |barrier: &Barrier| match barrier.point {
        Point::Tail(block) => matches!(code.inst(last(&graph, block)), Inst::Call { .. }),
        Point::Loop(_) => false,
    };
    let list: Vec<Barrier> = found.list.into_iter().filter(|one| one.breaks.is_empty() && !calls(one)).collect();
    let with = |list: Vec<Barrier>| {
        let meets = found.meets.clone();
        let barriers = Barriers { list, parted: Vec::new(), saved_at_calls: Vec::new(), meets };
        let items = insert::Items::new(&code, &graph, &divergence, Placement::PTXAS, &barriers).without_yields();
        let mut code = insert::insert(&code, &graph, &barriers, &items);
        for inst in &mut code.insts {
            match *inst {
                Inst::Marker(Marker::BarrierSet { target, .. }) => *inst = Inst::Marker(Marker::PushSync(target)),
                Inst::Marker(Marker::BarrierSync(_)) => *inst = Inst::Marker(Marker::Pop),
                _ => {}
            }
        }
        Code { markers: Markers::Tokens, ..complete(&code) }
    };
    let whole = with(list.clone());
    if whole.tokens_agree() {
        return whole;
    }
    let (mut kept, mut best) = (Vec::new(), with(Vec::new()));
    for barrier in list.into_iter().take(TRIES) {
        kept.push(barrier);
        let next = with(kept.clone());
        if next.tokens_agree() {
            best = next;
        } else {
            kept.pop();
        }
    }
    best
}
