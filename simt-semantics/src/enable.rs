//! Which threads go on: *act*, *awaits*, *enable* and *actToken* (ESOP'12, sections 3.3 and 4.2).

use crate::effect::View;
use crate::fault::Fault;
use crate::memory::Memory;
use crate::setting::Setting;
use crate::warp::{DisableState, Token, TokenKind};
use simt_core::LaneMask;
use simt_core::program::ExprId;

/// `act(Θ, e, η, μ) = {θ ∈ Θ | E⟦e⟧ η(θ) μ ≠ 0}`.
///
/// # Errors
/// The fault of the lowest thread for which *e* has no value.
pub fn act(threads: LaneMask, cond: ExprId, setting: &Setting<'_>, memory: &Memory) -> Result<LaneMask, Fault> {
    let mut holds = LaneMask::EMPTY;
    for thread in (threads & LaneMask::first(memory.threads.len())).lanes() {
        if (View { setting, memory, thread }).holds(cond)? {
            holds |= LaneMask::lane(thread);
        }
    }
    Ok(holds)
}

/// `awaits(δ, t) ⟺ (δ = b(n) → t = brk(n)) ∧ (δ = c(n) → t = cont(n)) ∧ (δ = r → t = call)`.
///
/// The paper's, with the loop's number, and with `cont`.
pub fn awaits(state: DisableState, token: TokenKind) -> bool {
    match state {
        DisableState::Enabled => true,
        DisableState::Break(n) => token == TokenKind::Break(n),
        DisableState::Continue(n) => token == TokenKind::Continue(n),
        DisableState::Return => token == TokenKind::Call,
    }
}

/// `enable(Δ₁, t{Θ}) = ({θ ∈ Θ | Δ₂(θ) = 0}, Δ₂)` where `Δ₂ = Δ₁{{θ ∈ Θ | awaits(Δ₁(θ), t)} ↦ 0}`.
pub fn enable(disabled: &[DisableState], token: Token) -> (LaneMask, Vec<DisableState>) {
    enable_by(disabled, token, awaits)
}

/// *enable* over any *awaits*.
pub(crate) fn enable_by(
    disabled: &[DisableState],
    token: Token,
    awaits: impl Fn(DisableState, TokenKind) -> bool,
) -> (LaneMask, Vec<DisableState>) {
    let mut disabled = disabled.to_vec();
    let mut active = LaneMask::EMPTY;
    for (thread, state) in disabled.iter_mut().enumerate().filter(|(thread, _)| token.mask.contains(*thread)) {
        if awaits(*state, token.kind) {
            *state = DisableState::Enabled;
        }
        if *state == DisableState::Enabled {
            active |= LaneMask::lane(thread);
        }
    }
    (active, disabled)
}

/// `actToken_θ(t{Θ}, δ) ⟺ θ ∈ Θ ∧ awaits(δ, t)`: whether the token awakes an inactive thread.
pub fn act_token(thread: usize, token: Token, state: DisableState) -> bool {
    token.mask.contains(thread) && awaits(state, token.kind)
}
