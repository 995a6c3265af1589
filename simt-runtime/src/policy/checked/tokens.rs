//! The laws for a policy with a stack of tokens (CUDA report, sections 5.4.1, 6.2 and 6.4).
//!
//! Our tokens are the report's, and cont; lanes wait for the token of their own loop, which they know by its address. The
//! call token of the kernel itself is implicit: its lanes exit. Lanes that leave a loop because its condition failed wait
//! for their brk token without a disable state, as in ESOP'12.
//!
//! The report's proof relies on the order of a stack. Here lanes that wait at a collective let other lanes run that come out
//! of a token further down. Such a token leaves a gap, above which tokens are in no order until they are gone: `ordered` is
//! the number of tokens below it.

use super::Check;
use super::shadow::{Finding, Shadow, Step};
use crate::policy::{Token, TokenKind, TokenState};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Pc};
use smallvec::SmallVec;

/// The stack and the disable states as they were before a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stack {
    tokens: SmallVec<[Token; 8]>,
    waiting: SmallVec<[Token; 4]>,
    returned: LaneMask,
    /// The number of tokens in order, if not all are.
    ordered: Option<usize>,
}

impl Stack {
    /// Checks the stack consistency of the code that is about to be executed.
    pub(super) fn before(&self, shadow: &Shadow, step: Step, state: TokenState<'_>) -> Finding {
        let tokens = state.tokens;
        let active = shadow.ran.mask;
        let has = |kind, pc: Option<Pc>, lanes: LaneMask| {
            let fits = |token: &Token| token.kind == kind && pc.is_none_or(|pc| token.pc == pc);
            tokens.iter().any(|token| fits(token) && lanes.is_subset(token.mask))
        };
        match step {
            Step::Jump(JumpKind::Break, target) => {
                let there = has(TokenKind::Break, Some(target), active);
                shadow.that(Check::S1, there, || format!("`brk {target}` has no brk token"))
            }
            Step::Jump(JumpKind::Continue, target) => {
                let there = has(TokenKind::Continue, Some(target), active);
                shadow.that(Check::S1, there, || format!("`cont {target}` has no cont token"))
            }
            Step::Branch(branch) if branch.leaves && !branch.taken.is_empty() => {
                let there = has(TokenKind::Break, Some(branch.target), branch.taken);
                shadow.that(Check::S1, there, || format!("`brk %p, {}` has no brk token", branch.target))
            }
            Step::Return { returning, .. } => {
                shadow.that(Check::S2, has(TokenKind::Call, None, returning), || "`ret` has no call token".into())
            }
            Step::Call { back, .. } => {
                let there = has(TokenKind::Call, Some(back), active);
                shadow.that(Check::S6, there, || format!("the call has no call token of {back}"))
            }
            Step::Marker(Marker::Pop, next) if self.ordered.is_none() => pops(shadow, tokens, active, next),
            _ => Ok(()),
        }
    }

    /// Checks the invariants when the policy has taken a step; `overtakes` if that step may let lanes overtake others.
    pub(super) fn after(
        &mut self,
        shadow: &Shadow,
        overtakes: bool,
        active: LaneMask,
        state: TokenState<'_>,
    ) -> Finding {
        let tokens = state.tokens;
        let alike = self.tokens.iter().zip(tokens).take_while(|(before, after)| before == after).count();
        if overtakes || self.ordered.is_some() {
            let in_order = self.ordered.unwrap_or(usize::MAX).min(alike);
            self.ordered = Some(in_order).filter(|&in_order| in_order < tokens.len());
        }
        let in_order = self.ordered.unwrap_or(tokens.len());
        let finding = invariants(shadow, active, state, &tokens[..in_order])
            .and_then(|()| self.step(shadow, overtakes, alike, active, state));
        self.tokens = SmallVec::from_slice(tokens);
        self.waiting = SmallVec::from_slice(state.waiting);
        self.returned = state.returned;
        finding
    }

    /// Checks the transition from the stack and states before a step to those after it.
    fn step(&self, shadow: &Shadow, overtakes: bool, alike: usize, active: LaneMask, state: TokenState<'_>) -> Finding {
        let (before, after) = (&self.tokens[..], state.tokens);
        let pops = after.len() == alike;
        let pushes_one = before.len() == alike && after.len() == alike + 1;
        let free = overtakes || self.ordered.is_some();
        shadow.that(Check::T3, pops || pushes_one || free, || {
            format!("a step made of {} tokens {}, of which {alike} are as they were", before.len(), after.len())
        })?;
        // The tokens that are gone.
        let mut left: SmallVec<[Token; 8]> = SmallVec::from_slice(after);
        let mut woken = LaneMask::EMPTY;
        for token in before {
            match left.iter().position(|other| other == token) {
                Some(index) => drop(left.swap_remove(index)),
                None if matches!(token.kind, TokenKind::Div | TokenKind::Sync) => {}
                None => woken |= token.mask,
            }
        }
        let state_of = |waiting: &[Token], token: &Token| {
            let same = waiting.iter().filter(|other| (other.kind, other.pc) == (token.kind, token.pc));
            same.fold(LaneMask::EMPTY, |all, other| all | other.mask)
        };
        let (mut got, mut lost) = (state.returned - self.returned, self.returned - state.returned);
        for token in state.waiting {
            got |= token.mask - state_of(&self.waiting, token);
        }
        for token in &self.waiting {
            lost |= token.mask - state_of(state.waiting, token);
        }
        shadow.lanes(Check::T2, got - shadow.ran.mask, |lane| format!("lane {lane} executes nothing, and gets a δ"))?;
        let untouched = lost - woken - shadow.ran.mask;
        shadow
            .lanes(Check::T2, untouched, |lane| format!("lane {lane} loses its δ, and no token of its was popped"))?;
        shadow.lanes(Check::T7, lost - active, |lane| format!("lane {lane} loses its δ, and does not run"))
    }
}

/// A `sync`.
fn pops(shadow: &Shadow, tokens: &[Token], active: LaneMask, next: Pc) -> Finding {
    let is_call = |token: &Token| token.kind == TokenKind::Call;
    let top = tokens.last();
    shadow.that(Check::S3, top.is_some_and(|top| !is_call(top)), || match top {
        None => "`sync` has no token".into(),
        Some(_) => "`sync` has no token above that of the call".into(),
    })?;
    let divs = tokens.iter().rev().take_while(|token| token.kind == TokenKind::Div).count();
    let rest = tokens[..tokens.len() - divs].last();
    let Some(token) = rest.filter(|token| !is_call(token)) else {
        return shadow.that(Check::S4, divs == 0, || "below the div tokens on top is none of this function".into());
    };
    if divs == 0 {
        return shadow.that(Check::S5, token.pc == next, || {
            format!("the topmost token leads to {}, the `sync` to {next}", token.pc)
        });
    }
    shadow.that(Check::S4, token.pc == next, || {
        format!("the token below the div tokens leads to {}, the `sync` to {next}", token.pc)
    })?;
    let lanes = tokens[tokens.len() - divs..].iter().fold(active, |all, div| all | div.mask);
    shadow.lanes(Check::S4, lanes - token.mask, |lane| {
        format!("lane {lane} runs or is in a div token on top, but is not in the token below")
    })
}

/// Checks what holds between steps. `ordered` are the tokens at the bottom that are in order.
fn invariants(shadow: &Shadow, active: LaneMask, state: TokenState<'_>, ordered: &[Token]) -> Finding {
    let TokenState { tokens, waiting, returned, exited } = state;
    let disabled = waiting.iter().fold(returned, |all, token| all | token.mask);
    let all = tokens.iter().fold(disabled | exited, |all, token| all | token.mask);
    shadow.lanes(Check::T4, all - shadow.threads, |lane| format!("lane {lane} has no thread, and is in a token"))?;
    let ended = shadow.threads - shadow.live;
    shadow.lanes(Check::T1, ended - exited, |lane| format!("lane {lane} has ended, and its δ is not exit"))?;
    shadow.lanes(Check::T1, exited - ended, |lane| format!("lane {lane} has not ended, and its δ is exit"))?;
    let empty = tokens.iter().find(|token| token.mask.is_empty());
    shadow.that(Check::I8, empty.is_none(), || "a token has no lanes".into())?;
    shadow.lanes(Check::I7, active & (disabled | exited), |lane| format!("lane {lane} runs, and has a δ"))?;
    for token in ordered.iter().filter(|token| token.kind != TokenKind::Div) {
        let Token { kind, pc, .. } = token;
        shadow.lanes(Check::I5, active - token.mask, |lane| {
            format!("lane {lane} runs, and is not in the token ({kind:?}, {pc})")
        })?;
    }
    let divs = tokens.iter().filter(|token| token.kind == TokenKind::Div);
    let later = divs.fold(LaneMask::EMPTY, |all, token| all | token.mask);
    shadow.lanes(Check::T5, active & later, |lane| format!("lane {lane} runs, and is in a div token"))?;
    // Activation tokens, from the top.
    let mut rest = shadow.live - active;
    for (index, token) in tokens.iter().enumerate().rev() {
        let mut awaited = !disabled;
        for state in waiting.iter().filter(|state| (state.kind, state.pc) == (token.kind, token.pc)) {
            awaited |= state.mask;
        }
        if token.kind == TokenKind::Call {
            awaited |= returned;
        }
        let woken = rest & token.mask & awaited;
        rest = rest - woken;
        let wrong = shadow.lanes.elsewhere(woken, token.pc);
        shadow.lanes(Check::I2, wrong, |lane| {
            format!("lane {lane} is at {}, its activation token at {}", shadow.lanes.of(lane), token.pc)
        })?;
        for below in ordered.iter().take(index).filter(|below| below.kind != TokenKind::Div) {
            let Token { kind, pc, .. } = below;
            shadow.lanes(Check::I6, woken - below.mask, |lane| {
                format!("lane {lane} waits for a token above ({kind:?}, {pc}), and is not in that")
            })?;
        }
    }
    shadow.lanes(Check::I3, rest, |lane| format!("lane {lane} waits, and no token will activate it"))?;
    let over = shadow.live.is_empty();
    shadow.that(Check::T6, !over || tokens.is_empty(), || {
        format!("all lanes have ended, but {} tokens are left", tokens.len())
    })?;
    shadow.lanes(Check::T6, if over { shadow.threads - exited } else { LaneMask::EMPTY }, |lane| {
        format!("all lanes have ended, but the δ of lane {lane} is not exit")
    })
}
