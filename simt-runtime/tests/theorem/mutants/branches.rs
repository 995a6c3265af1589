//! Bugs in the rules of `if` and `while`.

use super::*;

mutants! { bugs:
    SyncOfThen "sync holds only the threads of the then arm" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let act = self.act(setting, warp, cond)?;
            Esop12.rule_if(setting, warp, id, cond)?;
            topmost(warp, |kind| kind == TokenKind::Sync, |mask| *mask = act);
            Ok(())
        }
    }
    SyncOfElse "sync holds only the threads of the else arm" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            Esop12.rule_if(setting, warp, id, cond)?;
            let rest = warp.active;
            topmost(warp, |kind| kind == TokenKind::Sync, |mask| *mask = rest);
            Ok(())
        }
    }
    DivOfAll "div holds the threads of both arms" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let all = warp.active;
            Esop12.rule_if(setting, warp, id, cond)?;
            topmost(warp, |kind| kind == TokenKind::Div, |mask| *mask = all);
            Ok(())
        }
    }
    DivForgets "div forgets a thread" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            Esop12.rule_if(setting, warp, id, cond)?;
            topmost(warp, |kind| kind == TokenKind::Div, |mask| *mask = without_lowest(*mask));
            Ok(())
        }
    }
    NobodyWaits "all threads execute the else arm" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let all = warp.active;
            Esop12.rule_if(setting, warp, id, cond)?;
            warp.active = all;
            Ok(())
        }
    }
    ArmsSwapped "the arms are swapped, and the masks are not" {
        fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let act = self.act(setting, warp, cond)?;
            let [then, otherwise] = setting.inner(id);
            warp.push_token(TokenKind::Sync, warp.active);
            warp.push_list(otherwise);
            warp.push_token(TokenKind::Div, act);
            warp.push_list(then);
            warp.active = warp.active - act;
            Ok(())
        }
    }
    BreakOfActive "brk holds only the threads that enter the loop" {
        fn rule_while(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            Esop12.rule_while(setting, warp, id, cond)?;
            let act = warp.active;
            topmost(warp, |kind| kind == TokenKind::Break(id), |mask| *mask = act);
            Ok(())
        }
    }
    EnterAll "all threads enter a loop" {
        fn rule_while(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let all = warp.active;
            Esop12.rule_while(setting, warp, id, cond)?;
            warp.active = all;
            Ok(())
        }
    }
    WhileForever "a loop pushes its token in each iteration" {
        fn rule_while_again(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            Esop12.rule_while(setting, warp, id, cond)
        }
    }
    WhileForgotten "the first iteration leaves the plain while behind" {
        fn rule_while(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            Esop12.rule_while(setting, warp, id, cond)?;
            let again = warp.stack.iter_mut().rev().find(|item| **item == Item::WhileAgain(id));
            again.into_iter().for_each(|item| *item = Item::Statement(id));
            Ok(())
        }
    }
    BreakDropped "while′ drops the brk token" {
        fn rule_while_again(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            Esop12.rule_while_again(setting, warp, id, cond)?;
            remove(warp, |item| matches!(item, Item::Token(token) if token.kind == TokenKind::Break(id)));
            Ok(())
        }
    }
    OneMore "while′ lets all go on" {
        fn rule_while_again(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            let all = warp.active;
            Esop12.rule_while_again(setting, warp, id, cond)?;
            warp.active = all;
            Ok(())
        }
    }
    TwoIterations "while′ does not come back" {
        fn rule_while_again(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Ran {
            Esop12.rule_while_again(setting, warp, id, cond)?;
            remove(warp, |item| *item == Item::WhileAgain(id));
            Ok(())
        }
    }
    StepLost "an iteration has no step" {
        fn push_iteration(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, act: LaneMask) {
            let below = warp.stack.len();
            Esop12.push_iteration(setting, warp, id, act);
            let step = setting.inner(id)[1].len();
            warp.stack.drain(below + 1..below + 1 + step);
        }
    }
    ContinueLost "an iteration has no cont token" {
        fn push_iteration(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, act: LaneMask) {
            let below = warp.stack.len();
            Esop12.push_iteration(setting, warp, id, act);
            let mut at = 0;
            warp.stack.retain(|item| {
                at += 1;
                at <= below || !matches!(item, Item::Token(_))
            });
        }
    }
    ContinueOfAll "cont holds all threads of the warp" {
        fn push_iteration(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, _act: LaneMask) {
            let all = setting.place().threads();
            Esop12.push_iteration(setting, warp, id, all);
        }
    }
}
