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
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn parity(x: &mut [u32]) {
///     let i = global_id();
///     if i % 2 == 0 {
///         x[i] = 1;
///     } else {
///         x[i] = 2;
///     }
///     x[i] += 10;
/// }
///
/// let mut x = [0; 32];
/// let report = Gpu::<TokenStack>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// // `ssy` for all, `sync` at the end of each arm and for all.
/// assert_eq!(report.marker_issues(), 3);
/// let behind = report.lines().iter().find(|line| line.text == "x[i] += 10;").unwrap();
/// assert_eq!(behind.mean_active_lanes(), 32.0);
/// # Ok::<(), LaunchError>(())
/// ```
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
            JumpKind::Plain | JumpKind::Join => self.pc = target,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(digits: &str) -> LaneMask {
        let lanes = digits.chars().enumerate().filter(|&(_, digit)| digit == '1');
        lanes.map(|(lane, _)| LaneMask::lane(lane)).fold(LaneMask::EMPTY, |all, lane| all | lane)
    }

    /// A row of Table 1: the next line, the active and the disable mask, and the stack, top on the left.
    fn row(policy: &TokenStack) -> String {
        let state = |lane| match () {
            () if policy.broken.contains(lane) => 'b',
            () if policy.continued.contains(lane) => 'c',
            () if policy.returned.contains(lane) => 'r',
            () => '0',
        };
        let disabled: String = (0..4).map(state).collect();
        let mut row = format!("{} {} {disabled}", policy.pc.0, policy.active.digits(4));
        for token in policy.tokens.iter().rev() {
            let name = match token.kind {
                TokenKind::Div => "div",
                TokenKind::Sync => "sync",
                TokenKind::Break => "brk",
                TokenKind::Continue => "cont",
            };
            row += &format!(" ({name},{},{})", token.mask.digits(4), token.pc.0);
        }
        row
    }

    /// Table 1 of ESOP'12, whose addresses are the line numbers of Program 1. The call token at the bottom is implicit.
    #[test]
    fn the_stack_is_that_of_table_1() {
        let branch = |taken, target, next, leaves| Branch {
            taken: mask(taken),
            target: Pc(target),
            next: Pc(next),
            meet: None,
            leaves,
        };
        let mut policy = TokenStack::start(WarpSplit { pc: Pc(3), mask: mask("1111") });
        policy.advance(Pc(4));
        assert_eq!(row(&policy), "4 1111 0000");
        // while (i > 0): thread 0 leaves.
        policy.marker(Marker::PushBreak(Pc(11)), Pc(4));
        policy.branch(branch("1000", 11, 5, true));
        assert_eq!(row(&policy), "5 0111 0000 (brk,1111,11)");
        // if (j > 2 * i): it does for thread 3. The else path runs first.
        policy.marker(Marker::PushSync(Pc(9)), Pc(5));
        policy.branch(branch("0110", 8, 6, false));
        assert_eq!(row(&policy), "8 0110 0000 (div,0001,6) (sync,0111,9) (brk,1111,11)");
        policy.jump(JumpKind::Break, Pc(11));
        assert_eq!(row(&policy), "6 0001 0bb0 (sync,0111,9) (brk,1111,11)");
        policy.marker(Marker::Pop, Pc(9));
        assert_eq!(row(&policy), "9 0001 0bb0 (brk,1111,11)");
        policy.jump(JumpKind::Plain, Pc(4));
        assert_eq!(row(&policy), "4 0001 0bb0 (brk,1111,11)");
        policy.branch(branch("0001", 11, 5, true));
        assert_eq!(row(&policy), "11 1111 0000");
        policy.exit();
        assert_eq!(policy.current(), None);
    }

    /// The rule of `continue` that the paper has not: its token awakes those that continued, and not those that broke.
    #[test]
    fn a_cont_token_awakes_only_those_that_continued() {
        let mut policy = TokenStack::start(WarpSplit { pc: Pc(0), mask: mask("1111") });
        policy.marker(Marker::PushBreak(Pc(9)), Pc(1));
        policy.marker(Marker::PushContinue(Pc(5)), Pc(2));
        let branch =
            |taken, target| Branch { taken: mask(taken), target: Pc(target), next: Pc(3), meet: None, leaves: false };
        policy.marker(Marker::PushSync(Pc(4)), Pc(2));
        policy.branch(branch("1000", 7));
        policy.jump(JumpKind::Break, Pc(9));
        policy.branch(branch("0110", 8));
        policy.jump(JumpKind::Continue, Pc(5));
        assert_eq!(row(&policy), "3 0001 bcc0 (sync,1111,4) (cont,1111,5) (brk,1111,9)");
        policy.marker(Marker::Pop, Pc(4));
        assert_eq!(row(&policy), "4 0001 bcc0 (cont,1111,5) (brk,1111,9)");
        policy.marker(Marker::Pop, Pc(5));
        assert_eq!(row(&policy), "5 0111 b000 (brk,1111,9)");
        policy.branch(Branch { taken: mask("0111"), target: Pc(9), next: Pc(6), meet: None, leaves: true });
        assert_eq!(row(&policy), "9 1111 0000");
    }
}
