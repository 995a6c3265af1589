//! What holds of every reachable warp configuration: ESOP'12, Lemmas 1 and 2.

use crate::enable::act_token;
use crate::rules::WarpRules;
use crate::warp::{Item, Token, TokenKind, Warp};
use std::fmt;

/// A configuration that is not reachable by the paper's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Lemma 1(1): below `div{Θ′}` on top comes a statement list, then `sync{Θ″}`, and `Θ ∪ Θ′ ⊆ Θ″`.
    DivBeforeSync,
    /// Lemma 1(2): below `while′` on top comes its loop's `brk{Θ′}`, and `Θ ⊆ Θ′`.
    WhileBeforeBreak,
    /// Lemma 1(3): of two tokens that are no `div`, the upper one's mask is a subset of the lower one's.
    MasksNest {
        /// The upper one.
        upper: Token,
        /// The lower one.
        lower: Token,
    },
    /// Lemma 1(4): `Θ ∩ Θ′ = ∅` for each `div{Θ′}`, `Θ ⊆ Θ′` for other tokens.
    ActiveWithin {
        /// The token.
        token: Token,
    },
    /// Lemma 2: `enable` of a token makes an inactive thread active if and only if the token is its activation token.
    Awakes {
        /// The thread.
        thread: usize,
        /// The token.
        token: Token,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DivBeforeSync => f.write_str("Lemma 1(1): no sync token of all threads below the div token on top"),
            Self::WhileBeforeBreak => f.write_str("Lemma 1(2): no brk token of all threads below the loop on top"),
            Self::MasksNest { upper, lower } => write!(f, "Lemma 1(3): {upper:?} lies above {lower:?}"),
            Self::ActiveWithin { token } => write!(f, "Lemma 1(4): {token:?} does not fit the active mask"),
            Self::Awakes { thread, token } => write!(f, "Lemma 2: thread {thread} and {token:?}"),
        }
    }
}

/// Checks the four claims of Lemma 1.
///
/// # Errors
/// The first that does not hold.
pub fn lemma_1(warp: &Warp) -> Result<(), Broken> {
    claim_1(warp)?;
    claim_2(warp)?;
    claim_3(warp)?;
    claim_4(warp)
}

/// If `W = div{Θ′} W₀` then `W₀ = S sync{Θ″} W₁` and `Θ ∪ Θ′ ⊆ Θ″`.
fn claim_1(warp: &Warp) -> Result<(), Broken> {
    let Some(Item::Token(Token { kind: TokenKind::Div, mask })) = warp.stack.last() else { return Ok(()) };
    match warp.tokens().nth(1) {
        Some(sync) if sync.kind == TokenKind::Sync && (warp.active | *mask).is_subset(sync.mask) => Ok(()),
        _ => Err(Broken::DivBeforeSync),
    }
}

/// If `W = while′ (e) S W₀` then `W₀ = brk{Θ′} W₁` and `Θ ⊆ Θ′`.
fn claim_2(warp: &Warp) -> Result<(), Broken> {
    let Some(Item::WhileAgain(id)) = warp.stack.last() else { return Ok(()) };
    match warp.stack.iter().rev().nth(1) {
        Some(Item::Token(below)) if below.kind == TokenKind::Break(*id) && warp.active.is_subset(below.mask) => Ok(()),
        _ => Err(Broken::WhileBeforeBreak),
    }
}

/// If `W = W₁ t₁{Θ₁} W₂ t₂{Θ₂} W₃` and `t₁ ≠ div ≠ t₂`, then `Θ₁ ⊆ Θ₂`. Neighbours are enough.
fn claim_3(warp: &Warp) -> Result<(), Broken> {
    let mut upper: Option<Token> = None;
    for lower in warp.tokens().filter(|token| token.kind != TokenKind::Div) {
        if let Some(upper) = upper
            && !upper.mask.is_subset(lower.mask)
        {
            return Err(Broken::MasksNest { upper, lower });
        }
        upper = Some(lower);
    }
    Ok(())
}

/// If `W = W₁ t{Θ′} W₂`, then `Θ ∩ Θ′ = ∅` if `t = div`, and `Θ ⊆ Θ′` otherwise.
fn claim_4(warp: &Warp) -> Result<(), Broken> {
    let fits = |token: &Token| match token.kind {
        TokenKind::Div => (warp.active & token.mask).is_empty(),
        _ => warp.active.is_subset(token.mask),
    };
    warp.tokens().find(|token| !fits(token)).map_or(Ok(()), |token| Err(Broken::ActiveWithin { token }))
}

/// Checks Lemma 2: for θ ∉ Θ and τ in W, `actToken_θ(τ, Δ(θ))` if and only if θ ∈ Θ′ where `enable(Δ, τ) = (Θ′, Δ′)`.
///
/// # Errors
/// A thread and a token for which it does not hold.
pub fn lemma_2(rules: &(impl WarpRules + ?Sized), warp: &Warp) -> Result<(), Broken> {
    for token in warp.tokens() {
        let (awake, _) = rules.enable(&warp.disabled, token);
        let inactive = (0..warp.disabled.len()).filter(|&thread| !warp.active.contains(thread));
        for thread in inactive {
            if act_token(thread, token, warp.disabled[thread]) != awake.contains(thread) {
                return Err(Broken::Awakes { thread, token });
            }
        }
    }
    Ok(())
}
