//! Semantics that differ from the paper's, and are right.

use super::*;

mutants! { right:
    ThenFirst "the then arm runs first" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let act = self.act(setting, warp, cond)?;
            let [then, otherwise] = setting.inner(id);
            warp.push_token(TokenKind::Sync, warp.active);
            warp.push_list(otherwise);
            warp.push_token(TokenKind::Div, warp.active - act);
            warp.push_list(then);
            warp.active = act;
            Ok(())
        }
    }
    EmptyPathSkipped "without divergence there is no div token" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let act = self.act(setting, warp, cond)?;
            if !act.is_empty() && act != warp.active {
                return Esop12.rule_if(setting, warp, id, cond);
            }
            warp.push_token(TokenKind::Sync, warp.active);
            warp.push_list(setting.inner(id)[usize::from(act.is_empty())]);
            Ok(())
        }
    }
    LazyBreak "break leaves the statements behind it to rule inact" {
        fn rule_break(&self, _: &Setting<'_>, warp: &mut Warp, n: StmtId) {
            warp.disable(warp.active, DisableState::Break(n));
            warp.active = LaneMask::EMPTY;
        }
    }
}
