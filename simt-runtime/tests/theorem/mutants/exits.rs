//! Bugs in what ends paths and awakes threads: exits, calls, tokens, *enable* and *awaits*.

use super::*;

mutants! { bugs:
    BreakForgets "break forgets its threads" {
        fn rule_break(&self, setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
            let disabled = warp.disabled.clone();
            Esop12.rule_break(setting, warp, n);
            warp.disabled = disabled;
        }
    }
    BreakReturns "break disables until the function returns" {
        fn rule_break(&self, setting: &Setting<'_>, warp: &mut Warp, _: StmtId) {
            let active = warp.active;
            warp.disable(active, DisableState::Return);
            warp.drop_statements();
            let _ = setting;
            warp.active = LaneMask::EMPTY;
        }
    }
    BreakInnermost "a labelled break leaves the innermost loop" {
        fn rule_break(&self, setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
            let innermost = token(warp, |kind| matches!(kind, TokenKind::Break(_))).map(|token| token.kind);
            let Some(TokenKind::Break(innermost)) = innermost else { return Esop12.rule_break(setting, warp, n) };
            Esop12.rule_break(setting, warp, innermost);
        }
    }
    BreakGoesOn "the threads that break stay active" {
        fn rule_break(&self, setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
            let active = warp.active;
            Esop12.rule_break(setting, warp, n);
            warp.active = active;
        }
    }
    BreakPopsToken "break drops the next token, too" {
        fn rule_break(&self, setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
            Esop12.rule_break(setting, warp, n);
            warp.stack.pop();
        }
    }
    ContinueBreaks "continue leaves the loop" {
        fn rule_continue(&self, setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
            Esop12.rule_break(setting, warp, n);
        }
    }
    ContinueForgets "continue forgets its threads" {
        fn rule_continue(&self, setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
            let disabled = warp.disabled.clone();
            Esop12.rule_continue(setting, warp, n);
            warp.disabled = disabled;
        }
    }
    EnableAll "enable ignores the token's mask" {
        fn enable(&self, disabled: &[DisableState], token: Token) -> (LaneMask, Vec<DisableState>) {
            enable(disabled, Token { mask: LaneMask::first(disabled.len()), ..token })
        }
    }
    EnableDisabled "enable ignores the disable states" {
        fn enable(&self, disabled: &[DisableState], token: Token) -> (LaneMask, Vec<DisableState>) {
            (token.mask, enable(disabled, token).1)
        }
    }
    EnableLeaves "enable does not clear the disable states" {
        fn enable(&self, disabled: &[DisableState], token: Token) -> (LaneMask, Vec<DisableState>) {
            (enable(disabled, token).0, disabled.to_vec())
        }
    }
    EnableClears "enable clears the disable states of threads outside the token's mask" {
        fn enable(&self, disabled: &[DisableState], token: Token) -> (LaneMask, Vec<DisableState>) {
            let cleared = |&state| if awaits(state, token.kind) { DisableState::Enabled } else { state };
            (enable(disabled, token).0, disabled.iter().map(cleared).collect())
        }
    }
    ReturnedAwaitsLoop "a brk token awakes those that returned" {
        fn awaits(&self, state: DisableState, token: TokenKind) -> bool {
            awaits(state, token) || state == DisableState::Return && matches!(token, TokenKind::Break(_))
        }
    }
    AnyLoopAwakes "any brk token awakes those that broke" {
        fn awaits(&self, state: DisableState, token: TokenKind) -> bool {
            let breaks = matches!((state, token), (DisableState::Break(_), TokenKind::Break(_)));
            awaits(state, token) || breaks
        }
    }
    SyncAwakes "a sync token awakes those that broke" {
        fn awaits(&self, state: DisableState, token: TokenKind) -> bool {
            awaits(state, token) || matches!(state, DisableState::Break(_)) && token == TokenKind::Sync
        }
    }
    ContinuedSleeps "a cont token wakes no lane that continued" {
        fn awaits(&self, state: DisableState, token: TokenKind) -> bool {
            match state {
                DisableState::Continue(n) => token == TokenKind::Break(n),
                _ => awaits(state, token),
            }
        }
    }
    CallForgets "call forgets a thread" {
        fn rule_call(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Ran {
            Esop12.rule_call(setting, warp, id)?;
            topmost(warp, |kind| kind == TokenKind::Call, |mask| *mask = without_lowest(*mask));
            Ok(())
        }
    }
    CallOfAll "call holds all threads of the warp" {
        fn rule_call(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Ran {
            Esop12.rule_call(setting, warp, id)?;
            let all = setting.place().threads();
            topmost(warp, |kind| kind == TokenKind::Call, |mask| *mask = all);
            Ok(())
        }
    }
    SharedVariables "two activations share their variables" {
        fn rule_call(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Ran {
            Esop12.rule_call(setting, warp, id)?;
            for thread in warp.active.lanes() {
                let activations = &mut warp.memory.threads[thread].activations;
                let count = activations.len();
                let older = activations[..count - 1].iter().rposition(|a| a.function == activations[count - 1].function);
                older.into_iter().for_each(|older| activations[count - 1] = activations[older].clone());
            }
            Ok(())
        }
    }
    ReturnForgets "return forgets its threads" {
        fn rule_return(&self, setting: &Setting<'_>, warp: &mut Warp) {
            let disabled = warp.disabled.clone();
            Esop12.rule_return(setting, warp);
            warp.disabled = disabled;
        }
    }
    ReturnStays "return keeps the variables of the function" {
        fn rule_return(&self, setting: &Setting<'_>, warp: &mut Warp) {
            let threads = warp.memory.threads.clone();
            Esop12.rule_return(setting, warp);
            warp.memory.threads = threads;
        }
    }
    TokenKeeps "a token wakes lanes, but puts none to sleep" {
        fn rule_token(&self, setting: &Setting<'_>, warp: &mut Warp, token: Token) {
            let active = warp.active;
            Esop12.rule_token(setting, warp, token);
            warp.active |= active;
        }
    }
    InactPopsToken "inact drops the token, too" {
        fn rule_inact(&self, setting: &Setting<'_>, warp: &mut Warp) {
            Esop12.rule_inact(setting, warp);
            warp.stack.pop();
        }
    }
}
