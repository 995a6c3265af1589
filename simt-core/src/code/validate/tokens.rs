//! Rule 11: tokens.
//!
//! Each thread sees a stack of tokens, its own view of the warp's: `ssy`, `prebrk`, `precont` and `preret` push one, and
//! `sync` pops the topmost and goes on at its address. `brk L` goes on at the brk token that names L, which may lie deeper,
//! and pops all tokens down to it; `cont L` likewise. A branch that leaves a loop (`brk %p, L`) needs its brk token on top:
//! its threads wait without a disable state, and a token above would awake them. `call` needs its own call token on top, and
//! pops it. A function begins with an empty stack.
//!
//! These stacks must be the same on all paths that come to an address. So each `sync` has one address where it leads, and
//! that is what it is to a policy that knows no tokens: a jump.

use super::Mistake;
use crate::code::{Code, Inst, JumpKind, Marker, Markers, Pc};
use std::collections::{BTreeMap, BTreeSet};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Sync,
    Break,
    Continue,
    Call,
}

/// A token, and the number of the stack below it.
type Cell = (usize, Kind, Pc);

/// A set of stacks that share their lower parts. Number 0 is the empty one; equal stacks have equal numbers.
#[derive(Default)]
struct Stacks {
    cells: Vec<Cell>,
    numbers: BTreeMap<Cell, usize>,
}

impl Stacks {
    fn push(&mut self, below: usize, kind: Kind, pc: Pc) -> usize {
        let cell = (below, kind, pc);
        *self.numbers.entry(cell).or_insert_with(|| {
            self.cells.push(cell);
            self.cells.len()
        })
    }

    fn top(&self, stack: usize) -> Option<Cell> {
        self.cells.get(stack.checked_sub(1)?).copied()
    }

    /// What lies below the topmost token of a kind and address.
    fn below(&self, stack: usize, kind: Kind, pc: Pc) -> Option<usize> {
        let mut stack = stack;
        loop {
            let (below, found, address) = self.top(stack)?;
            if (found, address) == (kind, pc) {
                return Some(below);
            }
            stack = below;
        }
    }

    /// The stack as text, its top first.
    fn show(&self, stack: usize) -> String {
        let mut stack = stack;
        let mut tokens = Vec::new();
        while let Some((below, kind, pc)) = self.top(stack) {
            let name = match kind {
                Kind::Sync => "ssy",
                Kind::Break => "prebrk",
                Kind::Continue => "precont",
                Kind::Call => "preret",
            };
            tokens.push(format!("{name} {pc}"));
            stack = below;
        }
        if tokens.is_empty() { "no tokens".into() } else { tokens.join(", ") }
    }
}

/// For each address, if it is a `sync` that threads reach, where that leads.
pub(super) fn check(code: &Code) -> Result<Vec<Option<Pc>>, Mistake> {
    let mut pops = vec![None; code.insts.len()];
    if code.markers != Markers::Tokens {
        return Ok(pops);
    }
    let mut stacks = Stacks::default();
    let mut known: Vec<Option<usize>> = vec![None; code.insts.len()];
    // Lowest address first: what disagrees is found where it is written first.
    let mut work = BTreeSet::from([Pc(0)]);
    known[0] = Some(0);
    for function in &code.functions {
        known[function.entry.index()] = Some(0);
        work.insert(function.entry);
    }
    while let Some(pc) = work.pop_first() {
        let Some(stack) = known[pc.index()] else { continue };
        let edges = edges(code, &mut stacks, pc, stack)?;
        if matches!(code.inst(pc), Inst::Marker(Marker::Pop)) {
            pops[pc.index()] = edges.first().map(|&(target, _)| target);
        }
        for (next, after) in edges {
            match known[next.index()] {
                None => {
                    known[next.index()] = Some(after);
                    work.insert(next);
                }
                Some(before) if before == after => {}
                Some(before) => {
                    let what = format!("threads come to {next} with {} from here", stacks.show(after));
                    return Err(Mistake::at(pc, what, format!("{}, as on another path", stacks.show(before))));
                }
            }
        }
    }
    Ok(pops)
}

impl Code {
    /// Whether the stacks of tokens are the same on all paths, and those are there that are popped.
    pub(crate) fn tokens_agree(&self) -> bool {
        check(self).is_ok()
    }

    /// For each address, if it is a `sync` that threads reach, the address where those that execute it go on: that of the
    /// token which is the topmost one there on every path. None for other instructions, and unless the family is
    /// [`Markers::Tokens`].
    pub fn sync_targets(&self) -> Vec<Option<Pc>> {
        check(self).unwrap_or_else(|_| vec![None; self.insts.len()])
    }
}

/// Where threads may go from an address, and with which stack.
fn edges(code: &Code, stacks: &mut Stacks, pc: Pc, stack: usize) -> Result<Vec<(Pc, usize)>, Mistake> {
    let awaited = |stacks: &Stacks, kind, target, pushed: &str| {
        stacks.below(stack, kind, target).ok_or_else(|| {
            let what = format!("no token for {target}: here are {}", stacks.show(stack));
            Mistake::at(pc, what, format!("`{pushed} {target}` on every path before"))
        })
    };
    let mut push = |kind, target| Ok(vec![(pc.next(), stacks.push(stack, kind, target))]);
    match *code.inst(pc) {
        Inst::Marker(Marker::PushSync(target)) => push(Kind::Sync, target),
        Inst::Marker(Marker::PushBreak(target)) => push(Kind::Break, target),
        Inst::Marker(Marker::PushContinue(target)) => push(Kind::Continue, target),
        Inst::Marker(Marker::PushCall(target)) => push(Kind::Call, target),
        Inst::Marker(Marker::Pop) => match stacks.top(stack) {
            Some((below, kind, target)) if kind != Kind::Call => Ok(vec![(target, below)]),
            _ => {
                let what = format!("there is no token to pop: here are {}", stacks.show(stack));
                Err(Mistake::at(pc, what, "`ssy` on every path before"))
            }
        },
        Inst::Jump { target, kind: JumpKind::Break } => {
            Ok(vec![(target, awaited(stacks, Kind::Break, target, "prebrk")?)])
        }
        Inst::Jump { target, kind: JumpKind::Continue } => {
            Ok(vec![(target, awaited(stacks, Kind::Continue, target, "precont")?)])
        }
        Inst::Branch { target, leaves: true, .. } => match stacks.top(stack) {
            Some((below, Kind::Break, address)) if address == target => Ok(vec![(target, below), (pc.next(), stack)]),
            _ => {
                let what = format!("the topmost token is not that of {target}: here are {}", stacks.show(stack));
                let expected = format!("`prebrk {target}` on top; else branch around a plain `brk`");
                Err(Mistake::at(pc, what, expected))
            }
        },
        Inst::Call { .. } => match stacks.top(stack) {
            Some((below, Kind::Call, address)) if address == pc.next() => Ok(vec![(pc.next(), below)]),
            _ => Err(Mistake::at(
                pc,
                "there is no token for the return",
                format!("`preret {}` before, the address behind the call", pc.next()),
            )),
        },
        Inst::Panic { .. } => Ok(Vec::new()),
        _ => Ok(code.successors(pc).into_iter().map(|next| (next, stack)).collect()),
    }
}
