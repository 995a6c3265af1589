//! Tokens and disable masks (ESOP'12 sections 2.3 and 3.2): the mechanism of NVIDIA's stack-based machines.
//!
//! The stack holds tokens (type, mask, pc). A branch that diverges pushes div for one path and runs the other; `ssy`,
//! `prebrk` and `precont` push sync, brk and cont. Lanes that `break`, `continue` or `exit` leave the active mask with a
//! disable state, b, c or r, and only a token that this state awaits brings them back:
//!
//! ```text
//! awaits(δ, t)     δ = b(n) ⇒ t = brk(n),  δ = c(n) ⇒ t = cont(n),  δ = r ⇒ t = call
//! enable(Δ, t{Θ})  clears the states of the lanes of Θ that await t; active are the lanes of Θ without a state
//! ```
//! The loop n that a state names is known by the address at which it is left (continued): no two tokens on the stack that
//! a lane could wait for have one address.
//! When no lane is active, the topmost token is popped (rules inact and token). The call token of the kernel itself is
//! implicit at the bottom: the lanes that it would wake have ended. The else path runs first, as in the paper; other orders
//! are a type parameter ([`PathOrder`]).
//!
//! Lanes that wait at a collective become a div token. Of the tokens below, the topmost whose lanes are in no token above it
//! runs meanwhile: so lanes that return early have ended before the others need them to.
//!
//! Cost: a stack of tokens of a type, an address and a mask, and the disable masks, per warp. The machine holds the topmost
//! ones; older ones are spilled to memory (ESOP'12 section 2.3, CUDA report section 5.4.1). Unfair as [`super::Ipdom`].

mod spills;
mod token;

pub use token::{DisableState, Token, TokenKind, TokenState};

use super::shared::Stack;
use super::{
    Branch, Ends, Figure, PathOrder, StatePart, TakenFirst, Tally, WarpChecking, WarpPolicy, WarpSplit, WarpStart,
};
use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use spills::Spills;
use std::marker::PhantomData;

/// ESOP'12's reconvergence stack. `O` says which path of a branch runs first, by default the taken one, which for an `if` is
/// the `else`.
///
/// Figures of its own: the *deepest stack*, in tokens, and how many tokens were *spilled* to memory, and *filled* from
/// there, by a machine that holds [`token_entries`](crate::GpuConfig::token_entries) of a warp. A token that comes on top of
/// as many spills the oldest; one that is popped and not held is filled.
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
#[derive(Clone, Debug, PartialEq)]
pub struct TokenStack<O = TakenFirst> {
    pc: Pc,
    active: LaneMask,
    tokens: Stack<Token, 8>,
    /// Lanes in a disable state b or c.
    waiting: LaneMask,
    /// The token that they wait for.
    awaited: Stack<Token, 4>,
    /// Lanes in disable state r: they wait for a call token.
    returned: LaneMask,
    /// Lanes that have ended.
    exited: LaneMask,
    /// Lanes that wait for others at a collective. No token that has one of them can be popped.
    parked: LaneMask,
    spills: Tally<Spills>,
    order: PhantomData<O>,
}

impl<O: PathOrder> TokenStack<O> {
    /// The tokens, the top last.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    fn token_state(&self) -> TokenState<'_> {
        let Self { tokens, awaited, returned, exited, .. } = self;
        TokenState { tokens, waiting: awaited, returned: *returned, exited: *exited }
    }

    /// The disable state of a lane, if it has one. Inactive lanes without one wait for any token that has them.
    pub fn disabled(&self, lane: usize) -> Option<DisableState> {
        if self.exited.contains(lane) {
            return Some(DisableState::Exit);
        }
        if self.returned.contains(lane) {
            return Some(DisableState::Return);
        }
        let state = self.awaited.iter().find(|state| state.mask.contains(lane))?;
        Some(if state.kind == TokenKind::Break { DisableState::Break } else { DisableState::Continue })
    }

    #[inline(always)]
    fn push(&mut self, kind: TokenKind, mask: LaneMask, pc: Pc) {
        let token = self.tokens.grow();
        (token.kind, token.mask, token.pc) = (kind, mask, pc);
        self.spills.0.pushed(self.tokens.len());
    }

    /// The current path has ended: pops tokens until one enables a lane.
    #[inline(always)]
    fn pop(&mut self) {
        self.active = LaneMask::EMPTY;
        while let Some(&token) = self.tokens.last() {
            if !(token.mask & self.parked).is_empty() {
                self.run_another();
                return;
            }
            self.tokens.pop();
            self.spills.0.popped(self.tokens.len());
            if self.enable(token) {
                return;
            }
        }
    }

    /// Activates the lanes of a token that was popped and that have no disable state left; returns whether there are any.
    #[inline(always)]
    fn enable(&mut self, token: Token) -> bool {
        match token.kind {
            TokenKind::Break | TokenKind::Continue => self.awake(token),
            TokenKind::Call => self.returned = self.returned - token.mask,
            TokenKind::Div | TokenKind::Sync => {}
        }
        self.active = token.mask - (self.waiting | self.returned | self.exited);
        self.pc = token.pc;
        !self.active.is_empty()
    }

    /// Pops the topmost token none of whose lanes waits at a collective or is in a token further up. Returns whether there
    /// is one that enables a lane.
    #[cold]
    fn run_another(&mut self) -> bool {
        let mut above = self.parked;
        let mut index = self.tokens.len();
        while index > 0 {
            index -= 1;
            let token = self.tokens[index];
            if (token.mask & above).is_empty() {
                self.tokens.remove(index);
                self.spills.0.popped(index);
                if self.enable(token) {
                    return true;
                }
            } else {
                above |= token.mask - (self.waiting | self.returned | self.exited);
            }
        }
        self.active = LaneMask::EMPTY;
        false
    }

    /// The lanes that go on at each token, by its place, those of the top first; none without lanes.
    fn held(&self) -> impl Iterator<Item = (usize, LaneMask)> {
        let mut seen = self.exited | self.active;
        let mut awaited = self.awaited.clone();
        let mut returned = self.returned;
        let of_token = move |(place, token): (usize, &Token)| {
            // A disabled lane goes on at the first token that its state awaits.
            for state in awaited.iter_mut() {
                if state.kind == token.kind && state.pc == token.pc {
                    state.mask = state.mask - token.mask;
                }
            }
            if token.kind == TokenKind::Call {
                returned = returned - token.mask;
            }
            let disabled = awaited.iter().fold(returned, |all, state| all | state.mask);
            let lanes = token.mask - (seen | disabled);
            seen |= lanes;
            (place, lanes)
        };
        self.tokens.iter().enumerate().rev().map(of_token).filter(|(_, lanes)| !lanes.is_empty())
    }

    /// Clears the states of the lanes that wait for the token.
    #[inline(always)]
    fn awake(&mut self, token: Token) {
        if self.waiting.is_empty() {
            return;
        }
        for state in self.awaited.iter_mut() {
            if state.kind == token.kind && state.pc == token.pc {
                self.waiting = self.waiting - (state.mask & token.mask);
                state.mask = state.mask - token.mask;
            }
        }
        self.awaited.retain(|state| !state.mask.is_empty());
    }

    /// The current lanes wait for the token of a loop.
    #[inline(always)]
    fn leave(&mut self, kind: TokenKind, pc: Pc) {
        self.waiting |= self.active;
        match self.awaited.iter_mut().find(|state| state.kind == kind && state.pc == pc) {
            Some(state) => state.mask |= self.active,
            None => self.awaited.push(Token { kind, mask: self.active, pc }),
        }
        self.pop();
    }
}

impl<O: PathOrder> WarpPolicy for TokenStack<O> {
    const NAME: &'static str = O::TOKEN_STACK;
    const MARKERS: Markers = Markers::Tokens;
    const ENDS: Option<Ends> = O::ENDS;
    const CHECKING: WarpChecking<Self> =
        WarpChecking::TRUSTED.with_any_parameter().with_tokens(|policy| Some(policy.token_state()));

    fn start(WarpStart { split, config, .. }: WarpStart<'_>) -> Self {
        let none = Token { kind: TokenKind::Div, mask: LaneMask::EMPTY, pc: split.pc };
        Self {
            pc: split.pc,
            active: split.mask,
            tokens: Stack::new(none),
            waiting: LaneMask::EMPTY,
            awaited: Stack::new(none),
            returned: LaneMask::EMPTY,
            exited: LaneMask::EMPTY,
            parked: LaneMask::EMPTY,
            spills: Tally(Spills::new(config.token_entries)),
            order: PhantomData,
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
        } else if rest.is_empty() {
            self.pc = branch.target;
        } else {
            let (taken, rest) = ((branch.target, branch.taken), (branch.next, rest));
            let (first, later) = if O::taken_first(taken.1, rest.1) { (taken, rest) } else { (rest, taken) };
            self.push(TokenKind::Div, later.1, later.0);
            (self.pc, self.active) = first;
        }
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.exited |= self.active;
        self.pop();
    }

    /// Rule return: the lanes wait for the topmost call token, which the call's `preret` pushed.
    fn ret(&mut self, _returning: LaneMask, _back: Pc, _at: Pc) {
        self.returned |= self.active;
        self.pop();
    }

    fn park(&mut self) -> bool {
        let (pc, parking) = (self.pc, self.active);
        let others = self.tokens.clone();
        self.parked |= parking;
        self.push(TokenKind::Div, parking, pc);
        let runs = self.run_another();
        if !runs {
            self.parked = self.parked - parking;
            self.tokens = others;
            (self.pc, self.active) = (pc, parking);
        }
        runs
    }

    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        let busy = self.active | self.parked;
        let goes_on = |&(_, lanes): &(usize, LaneMask)| !(lanes - busy).is_empty();
        let found = self.held().filter(goes_on).find(|&(place, _)| ends(self.tokens[place].pc));
        let Some((place, lanes)) = found else { return false };
        self.parked |= self.active;
        let (at, waits) = (self.pc, self.active);
        // The token is popped for these lanes.
        let token = Token { mask: lanes - busy, ..self.tokens[place] };
        self.tokens[place].mask = self.tokens[place].mask - token.mask;
        self.enable(token);
        if !waits.is_empty() {
            self.push(TokenKind::Div, waits, at);
        }
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        let woken = self.parked & lanes;
        self.parked = self.parked - woken;
        let mut above = self.active;
        for place in (0..self.tokens.len()).rev() {
            let token = self.tokens[place];
            let part = token.mask & woken;
            // A lane is in the topmost token that has it.
            if !part.is_empty() && (token.mask & above).is_empty() {
                self.tokens[place] = Token { mask: part, pc: next, ..token };
                if part != token.mask {
                    self.tokens.insert(place, Token { mask: token.mask - part, ..token });
                    self.spills.0.pushed(self.tokens.len());
                }
            }
            above |= token.mask;
        }
        if self.active.is_empty() {
            self.pop();
        }
    }

    #[inline(always)]
    fn jump(&mut self, kind: JumpKind, target: Pc) {
        match kind {
            JumpKind::Plain | JumpKind::Join => self.pc = target,
            JumpKind::Break => self.leave(TokenKind::Break, target),
            JumpKind::Continue => self.leave(TokenKind::Continue, target),
        }
    }

    #[inline(always)]
    fn marker(&mut self, marker: Marker, next: Pc) {
        match marker {
            Marker::PushSync(pc) => self.push(TokenKind::Sync, self.active, pc),
            Marker::PushBreak(pc) => self.push(TokenKind::Break, self.active, pc),
            Marker::PushContinue(pc) => self.push(TokenKind::Continue, self.active, pc),
            Marker::PushCall(pc) => self.push(TokenKind::Call, self.active, pc),
            Marker::Pop => return self.pop(),
            // Convergence barriers mean nothing to this mechanism.
            _ => {}
        }
        self.pc = next;
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let held = self.held().map(|(place, mask)| WarpSplit { pc: self.tokens[place].pc, mask });
        self.current().into_iter().chain(held).collect()
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        self.spills.0.figures(tell);
    }

    fn state(&self, tell: &mut dyn FnMut(StatePart)) {
        for &Token { kind, mask, pc } in self.tokens.iter() {
            tell(StatePart { kind: kind.name(), next: Some(pc), ..StatePart::new("tokens", mask) });
        }
        for &Token { kind, mask, pc } in self.awaited.iter().filter(|state| !state.mask.is_empty()) {
            let kind = if kind == TokenKind::Break { "b" } else { "c" };
            tell(StatePart { kind, next: Some(pc), ..StatePart::new("disabled", mask) });
        }
        for (kind, lanes) in [("r", self.returned), ("x", self.exited)] {
            if !lanes.is_empty() {
                tell(StatePart { kind, ..StatePart::new("disabled", lanes) });
            }
        }
    }
}

#[cfg(test)]
mod tests;
