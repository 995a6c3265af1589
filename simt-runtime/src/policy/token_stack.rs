//! Tokens and disable masks (ESOP'12 sections 2.3 and 3.2): the mechanism of NVIDIA's stack-based machines.
//!
//! The stack holds tokens (type, mask, pc). A branch that diverges pushes div for one path and runs the other; `ssy`,
//! `prebrk` and `precont` push sync, brk and cont. Lanes that `break`, `continue` or `exit` leave the active mask with a
//! disable state, b, c or r, and only a token that this state awaits brings them back:
//!
//! ```text
//! awaits(δ, t)     δ = b ⇒ t = brk,  δ = c ⇒ t = cont,  δ = r ⇒ t = call
//! enable(Δ, t{Θ})  clears the states of the lanes of Θ that await t; active are the lanes of Θ without a state
//! ```
//! When no lane is active, the topmost token is popped (rules inact and token). The call token of the kernel itself is
//! implicit at the bottom: what it awakes has ended. The else path runs first, as in the paper.
//!
//! Cost: a stack of tokens of a type, an address and a mask, and the disable masks, per warp. Unfair as [`super::Ipdom`].

use super::{Branch, ReconvergencePolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use smallvec::SmallVec;

/// ESOP'12's reconvergence stack; the else path runs first.
#[derive(Clone, Debug)]
pub struct TokenStack {
    pc: Pc,
    active: LaneMask,
    tokens: SmallVec<[Token; 8]>,
    /// Lanes in disable state b.
    broken: LaneMask,
    /// Lanes in disable state c.
    continued: LaneMask,
    /// Lanes in disable state r.
    returned: LaneMask,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    kind: TokenKind,
    mask: LaneMask,
    pc: Pc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Div,
    Sync,
    Break,
    Continue,
}

impl TokenStack {
    fn push(&mut self, kind: TokenKind, pc: Pc) {
        self.tokens.push(Token { kind, mask: self.active, pc });
    }

    /// The current path has ended: pops tokens until one enables a lane.
    fn pop(&mut self) {
        self.active = LaneMask::EMPTY;
        while let Some(token) = self.tokens.pop() {
            match token.kind {
                TokenKind::Break => self.broken = self.broken - token.mask,
                TokenKind::Continue => self.continued = self.continued - token.mask,
                TokenKind::Div | TokenKind::Sync => {}
            }
            self.active = token.mask - (self.broken | self.continued | self.returned);
            if !self.active.is_empty() {
                self.pc = token.pc;
                return;
            }
        }
    }
}

impl ReconvergencePolicy for TokenStack {
    const NAME: &'static str = "TokenStack";
    const MARKERS: Markers = Markers::Tokens;

    fn start(split: WarpSplit) -> Self {
        Self {
            pc: split.pc,
            active: split.mask,
            tokens: SmallVec::new(),
            broken: LaneMask::EMPTY,
            continued: LaneMask::EMPTY,
            returned: LaneMask::EMPTY,
        }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.active.is_empty()).then_some(WarpSplit { pc: self.pc, mask: self.active })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.pc = next;
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let rest = self.active - branch.taken;
        if branch.leaves {
            // Rule while: lanes whose condition fails are inactive without a disable state, and wait for the brk token.
            self.active = rest;
            if rest.is_empty() { self.pop() } else { self.pc = branch.next }
        } else if branch.taken.is_empty() {
            self.pc = branch.next;
        } else {
            if !rest.is_empty() {
                self.tokens.push(Token { kind: TokenKind::Div, mask: rest, pc: branch.next });
            }
            self.active = branch.taken;
            self.pc = branch.target;
        }
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.returned |= self.active;
        self.pop();
    }

    #[inline(always)]
    fn jump(&mut self, kind: JumpKind, target: Pc) {
        match kind {
            JumpKind::Plain => self.pc = target,
            JumpKind::Break => {
                self.broken |= self.active;
                self.pop();
            }
            JumpKind::Continue => {
                self.continued |= self.active;
                self.pop();
            }
        }
    }

    #[inline(always)]
    fn marker(&mut self, marker: Marker, next: Pc) {
        match marker {
            Marker::PushSync(pc) => self.push(TokenKind::Sync, pc),
            Marker::PushBreak(pc) => self.push(TokenKind::Break, pc),
            Marker::PushContinue(pc) => self.push(TokenKind::Continue, pc),
            Marker::Pop => return self.pop(),
        }
        self.pc = next;
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let mut seen = self.returned;
        let mut splits = Vec::new();
        let top = Token { kind: TokenKind::Sync, mask: self.active, pc: self.pc };
        for token in [top].iter().chain(self.tokens.iter().rev()) {
            // A disabled lane goes on at the first token that its state awaits.
            let awaits = match token.kind {
                TokenKind::Break => !self.continued,
                TokenKind::Continue => !self.broken,
                TokenKind::Div | TokenKind::Sync => !(self.broken | self.continued),
            };
            let mask = (token.mask & awaits) - seen;
            seen |= mask;
            if !mask.is_empty() {
                splits.push(WarpSplit { pc: token.pc, mask });
            }
        }
        splits
    }
}
