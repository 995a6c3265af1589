//! Tokens, and the states in which lanes wait for them.

#[cfg(doc)]
use super::TokenStack;
#[cfg(doc)]
use crate::policy::WarpPolicy;
use simt_core::LaneMask;
use simt_core::code::Pc;

/// A token of a [`TokenStack`].
// Also the key of what lanes that left a loop wait for: a token of this kind and address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The instruction that pushed it, and so the lanes that it wakes.
    pub kind: TokenKind,
    /// The lanes that it may activate.
    pub mask: LaneMask,
    /// The address where those lanes go on.
    pub pc: Pc,
}

/// The purpose of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The path of a branch that runs later.
    Div,
    /// Where the paths of a branch meet: `ssy`.
    Sync,
    /// Where a loop is left: `prebrk`.
    Break,
    /// Where an iteration ends: `precont`.
    Continue,
    /// Where a function returns to: `preret`.
    Call,
}

impl TokenKind {
    /// Its name in ESOP'12.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Div => "div",
            Self::Sync => "sync",
            Self::Break => "brk",
            Self::Continue => "cont",
            Self::Call => "call",
        }
    }
}

/// Why a lane of a [`TokenStack`] is disabled, and so what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisableState {
    /// b: for the brk token of its loop.
    Break,
    /// c: for the cont token of its loop.
    Continue,
    /// r: for the topmost call token that has it.
    Return,
    /// It has ended, and waits for nothing.
    Exit,
}

/// The stack and the disable states of a policy with tokens, as [`Checks`](crate::Checks) look at them. Its active mask is
/// that of [`WarpPolicy::current`].
#[derive(Clone, Copy, Debug)]
pub struct TokenState<'p> {
    /// The tokens, the top last.
    pub tokens: &'p [Token],
    /// The lanes in disable states b and c, by kind and address of the token that they wait for.
    pub waiting: &'p [Token],
    /// The lanes in disable state r.
    pub returned: LaneMask,
    /// The lanes that have ended.
    pub exited: LaneMask,
}
