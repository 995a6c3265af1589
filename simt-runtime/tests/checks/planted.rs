//! Policies into which a bug can be planted: a stack of tokens by the rules of the CUDA report's section 5.4.1, and a list
//! of splits that never meet.

use simt_core::LaneMask;
use simt_core::code::{JumpKind, Marker, Markers, Pc};
use simt_runtime::{Branch, Token, TokenKind, TokenState, WarpChecking, WarpPolicy, WarpSplit, WarpStart};

macro_rules! bugs {
    ($($name:ident: $what:literal;)*) => {
        /// What goes wrong.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Bug {
            $(#[doc = $what] $name,)*
        }

        impl Bug {
            pub(crate) const fn number(self) -> usize {
                self as usize
            }
        }
    };
}

bugs! {
    None: "Nothing.";
    TakenGoesOn: "The taken path runs first, but at the address of the other.";
    OtherGoesToTarget: "The other path is to go on at the target.";
    OtherIsForgotten: "The other path is forgotten.";
    OtherIsEverybody: "The lanes of the taken path are also to run the other one.";
    OtherMayBeEmpty: "A path without lanes is to run later.";
    OtherLeavesSync: "The lanes of the other path are taken out of the token below.";
    LaneMissesSync: "`ssy` leaves out the highest lane.";
    SyncElsewhere: "`ssy` pushes the address behind its own.";
    SyncIgnored: "`ssy` does nothing.";
    SyncClears: "`ssy` takes back what lanes wait for.";
    BreakIgnored: "`prebrk` does nothing.";
    BreakTwice: "`prebrk` pushes two tokens.";
    BreakGoesOn: "Lanes that `brk` run on.";
    BreakClears: "A brk token takes back what lanes wait for that it does not awake.";
    CallIgnored: "`preret` does nothing.";
    CallPops: "A call pops its token.";
    ExitStops: "`exit` makes no lane run.";
    ExitForgotten: "Lanes that ended have no disable state, or wait again.";
    ExitKeeps: "The last lanes leave something behind.";
    NoThread: "Lanes without a thread run.";
    NobodyRuns: "The current split is without lanes.";
}

/// A stack of tokens; of a branch the taken path runs first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stack<const BUG: usize> {
    pc: Pc,
    active: LaneMask,
    tokens: Vec<Token>,
    waiting: Vec<Token>,
    returned: LaneMask,
    exited: LaneMask,
    threads: LaneMask,
}

impl<const BUG: usize> Stack<BUG> {
    fn has(bug: Bug) -> bool {
        BUG == bug.number()
    }

    fn push(&mut self, kind: TokenKind, mask: LaneMask, pc: Pc) {
        self.tokens.push(Token { kind, mask, pc });
    }

    fn disabled(&self) -> LaneMask {
        self.waiting.iter().fold(self.returned | self.exited, |all, token| all | token.mask)
    }

    /// The report's function unwind.
    fn unwind(&mut self) {
        self.active = LaneMask::EMPTY;
        while let Some(Token { kind, mask, pc }) = self.tokens.pop() {
            for state in &mut self.waiting {
                if (state.kind, state.pc) == (kind, pc) {
                    state.mask = state.mask - mask;
                }
            }
            if kind == TokenKind::Call {
                self.returned = self.returned - mask;
            }
            self.active = mask - self.disabled();
            self.pc = pc;
            if Self::has(Bug::BreakClears) && kind == TokenKind::Break {
                self.waiting.iter_mut().for_each(|state| state.mask = state.mask - mask);
            }
            if !self.active.is_empty() {
                return;
            }
        }
    }
}

impl<const BUG: usize> WarpPolicy for Stack<BUG> {
    const NAME: &'static str = "Stack";
    const MARKERS: Markers = Markers::Tokens;
    const CHECKING: WarpChecking<Self> =
        WarpChecking::<Self>::GUARDED.with_tokens(|Self { tokens, waiting, returned, exited, .. }| {
            Some(TokenState { tokens, waiting, returned: *returned, exited: *exited })
        });

    fn start(WarpStart { split, .. }: WarpStart<'_>) -> Self {
        Self {
            pc: split.pc,
            active: if Self::has(Bug::NoThread) { LaneMask::first(4) } else { split.mask },
            tokens: Vec::new(),
            waiting: Vec::new(),
            returned: LaneMask::EMPTY,
            exited: LaneMask::EMPTY,
            threads: split.mask,
        }
    }

    fn current(&self) -> Option<WarpSplit> {
        (!self.active.is_empty()).then_some(WarpSplit { pc: self.pc, mask: self.active })
    }

    fn advance(&mut self, next: Pc) {
        self.pc = next;
    }

    fn branch(&mut self, branch: Branch) {
        let Branch { taken, target, next, .. } = branch;
        let rest = if Self::has(Bug::OtherIsEverybody) { self.active } else { self.active - taken };
        if taken.is_empty() {
            self.pc = next;
            return;
        }
        if Self::has(Bug::OtherLeavesSync)
            && let Some(token) = self.tokens.last_mut()
        {
            token.mask = token.mask - rest;
        }
        if (!rest.is_empty() || Self::has(Bug::OtherMayBeEmpty)) && !Self::has(Bug::OtherIsForgotten) {
            let pc = if Self::has(Bug::OtherGoesToTarget) { target } else { next };
            self.push(TokenKind::Div, rest, pc);
        }
        self.active = taken;
        self.pc = if Self::has(Bug::TakenGoesOn) { next } else { target };
    }

    fn exit(&mut self) {
        if !Self::has(Bug::ExitForgotten) {
            self.exited |= self.active;
        }
        if Self::has(Bug::ExitStops) || (Self::has(Bug::ExitKeeps) && self.exited == self.threads) {
            self.active = LaneMask::EMPTY;
        } else {
            self.unwind();
        }
    }

    fn jump(&mut self, kind: JumpKind, target: Pc) {
        let kind = match kind {
            JumpKind::Break => TokenKind::Break,
            JumpKind::Continue => TokenKind::Continue,
            JumpKind::Plain | JumpKind::Join => return self.pc = target,
        };
        self.waiting.push(Token { kind, mask: self.active, pc: target });
        if Self::has(Bug::BreakGoesOn) { self.pc = target } else { self.unwind() }
    }

    fn call(&mut self, target: Pc, _back: Pc) {
        if Self::has(Bug::CallPops) {
            self.tokens.pop();
        }
        self.pc = target;
    }

    fn ret(&mut self, _returning: LaneMask, _back: Pc, _at: Pc) {
        self.returned |= self.active;
        self.unwind();
    }

    fn marker(&mut self, marker: Marker, next: Pc) {
        match marker {
            Marker::PushSync(_) if Self::has(Bug::SyncIgnored) => {}
            Marker::PushSync(pc) => {
                let highest = self.active.lanes().last().map_or(LaneMask::EMPTY, LaneMask::lane);
                let missing = if Self::has(Bug::LaneMissesSync) { highest } else { LaneMask::EMPTY };
                let pc = if Self::has(Bug::SyncElsewhere) { pc.next() } else { pc };
                if Self::has(Bug::SyncClears) {
                    self.waiting.clear();
                }
                self.push(TokenKind::Sync, self.active - missing, pc);
            }
            Marker::PushBreak(_) if Self::has(Bug::BreakIgnored) => {}
            Marker::PushBreak(pc) => {
                (0..1 + usize::from(Self::has(Bug::BreakTwice)))
                    .for_each(|_| self.push(TokenKind::Break, self.active, pc));
            }
            Marker::PushContinue(pc) => self.push(TokenKind::Continue, self.active, pc),
            Marker::PushCall(_) if Self::has(Bug::CallIgnored) => {}
            Marker::PushCall(pc) => self.push(TokenKind::Call, self.active, pc),
            Marker::Pop => return self.unwind(),
            _ => {}
        }
        self.pc = next;
    }

    /// Each lane where the topmost token sends it that it waits for.
    fn splits(&self) -> Vec<WarpSplit> {
        let mut splits: Vec<WarpSplit> = self.current().into_iter().collect();
        let mut seen = self.active | self.exited;
        for Token { kind, mask, pc } in self.tokens.iter().rev().copied() {
            let states = self.waiting.iter().filter(|state| (state.kind, state.pc) == (kind, pc));
            let mut awaited = states.fold(!self.disabled(), |all, state| all | state.mask);
            if kind == TokenKind::Call {
                awaited |= self.returned;
            }
            let mask = (mask & awaited) - seen;
            seen |= mask;
            if !mask.is_empty() {
                splits.push(WarpSplit { pc, mask });
            }
        }
        splits
    }
}

/// Splits that never meet, without tokens; the last one runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct List<const BUG: usize>(Vec<WarpSplit>);

impl<const BUG: usize> List<BUG> {
    fn has(bug: Bug) -> bool {
        BUG == bug.number()
    }
}

impl<const BUG: usize> WarpPolicy for List<BUG> {
    const NAME: &'static str = "List";
    const MARKERS: Markers = Markers::None;

    fn start(WarpStart { split, .. }: WarpStart<'_>) -> Self {
        let mask = if Self::has(Bug::NoThread) { LaneMask::first(4) } else { split.mask };
        Self(vec![WarpSplit { mask, ..split }])
    }

    fn current(&self) -> Option<WarpSplit> {
        self.0.last().copied().filter(|split| !split.mask.is_empty() || !Self::has(Bug::ExitKeeps))
    }

    fn advance(&mut self, next: Pc) {
        self.0.last_mut().expect("a split is current").pc = next;
    }

    fn branch(&mut self, branch: Branch) {
        let Branch { taken, target, next, .. } = branch;
        let active = self.0.pop().expect("a split is current").mask;
        let rest = if Self::has(Bug::OtherIsEverybody) { active } else { active - taken };
        let pc = if Self::has(Bug::OtherGoesToTarget) { target } else { next };
        if !rest.is_empty() && !Self::has(Bug::OtherIsForgotten) {
            self.0.push(WarpSplit { pc, mask: rest });
        }
        if !taken.is_empty() {
            self.0.push(WarpSplit { pc: if Self::has(Bug::TakenGoesOn) { next } else { target }, mask: taken });
        }
        if Self::has(Bug::NobodyRuns) {
            self.0.push(WarpSplit { pc, mask: LaneMask::EMPTY });
        }
    }

    fn exit(&mut self) {
        if Self::has(Bug::ExitForgotten) {
            return;
        }
        let split = self.0.pop().expect("a split is current");
        if Self::has(Bug::ExitStops) {
            self.0.clear();
        }
        if Self::has(Bug::ExitKeeps) && self.0.is_empty() {
            self.0.push(WarpSplit { mask: LaneMask::EMPTY, ..split });
        }
    }

    fn splits(&self) -> Vec<WarpSplit> {
        self.0.iter().rev().copied().collect()
    }
}
