//! Semantics with a bug each, which the checker must find, and some that differ and are right.

use simt_core::LaneMask;
use simt_core::program::ExprId;
use simt_core::semantics::{
    Choice, DisableState, Esop12, Fault, Item, Setting, StmtId, Token, TokenKind, Warp, WarpRules, awaits, enable,
};

/// `Name "what is wrong" { the rules that differ }`
macro_rules! mutants {
    ($list:ident: $($name:ident $what:literal { $($rule:item)* })*) => {
        $(
            struct $name;
            impl WarpRules for $name { $($rule)* }
        )*
        /// Each with what is special about it.
        pub(crate) fn $list() -> Vec<(&'static str, Box<dyn WarpRules>)> {
            vec![$(($what, Box::new($name)),)*]
        }
    };
}

type Ran = Result<(), Fault>;

/// The topmost token that passes the test.
fn token(warp: &mut Warp, is: impl Fn(TokenKind) -> bool) -> Option<&mut Token> {
    warp.stack.iter_mut().rev().find_map(|item| match item {
        Item::Token(token) if is(token.kind) => Some(token),
        _ => None,
    })
}

fn topmost(warp: &mut Warp, is: impl Fn(TokenKind) -> bool, mut change: impl FnMut(&mut LaneMask)) {
    token(warp, is).into_iter().for_each(|token| change(&mut token.mask));
}

fn without_lowest(mask: LaneMask) -> LaneMask {
    LaneMask(mask.0 & mask.0.wrapping_sub(1))
}

fn remove(warp: &mut Warp, is: impl Fn(&Item) -> bool) {
    if let Some(place) = warp.stack.iter().rposition(is) {
        warp.stack.remove(place);
    }
}

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
    ContinuedSleeps "a cont token awakes nobody who continued" {
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
    TokenKeeps "a token awakes, but puts nobody to sleep" {
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
    OneByOne "a thread evaluates after another has written" {
        fn rule_assign(
            &self, setting: &Setting<'_>, warp: &mut Warp, head: Item, choice: &mut dyn Choice,
        ) -> Result<Vec<usize>, Fault> {
            let (active, before) = (warp.active, warp.memory.clone());
            let order = choice.order(active);
            let ran: Ran = order.iter().try_for_each(|&thread| {
                warp.active = LaneMask::lane(thread);
                Esop12.rule_assign(setting, warp, head, choice).map(drop)
            });
            warp.active = active;
            if ran.is_err() {
                warp.memory = before;
            }
            ran.map(|()| order)
        }
    }
    OneTooMany "an inactive thread takes part in assignments" {
        fn rule_assign(
            &self, setting: &Setting<'_>, warp: &mut Warp, head: Item, choice: &mut dyn Choice,
        ) -> Result<Vec<usize>, Fault> {
            let active = warp.active;
            warp.active = setting.place().threads();
            let ran = Esop12.rule_assign(setting, warp, head, choice);
            warp.active = active;
            ran.map(|order| order.into_iter().filter(|&thread| active.contains(thread)).collect())
        }
    }
    FirstWins "another thread than said writes last" {
        fn rule_assign(
            &self, setting: &Setting<'_>, warp: &mut Warp, head: Item, choice: &mut dyn Choice,
        ) -> Result<Vec<usize>, Fault> {
            let order = Esop12.rule_assign(setting, warp, head, choice)?;
            Ok(order.into_iter().rev().collect())
        }
    }
    VoteOfFewer "a collective is executed by one thread less" {
        fn rule_collective(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Ran {
            let active = warp.active;
            warp.active = without_lowest(active);
            let ran = Esop12.rule_collective(setting, warp, id);
            warp.active = active;
            ran
        }
    }
    ActOfAll "inactive threads take the then arm, too" {
        fn act(&self, setting: &Setting<'_>, warp: &Warp, cond: ExprId) -> Result<LaneMask, Fault> {
            let enabled = (0..warp.disabled.len()).filter(|&thread| warp.disabled[thread] == DisableState::Enabled);
            let enabled = enabled.fold(LaneMask::EMPTY, |mask, thread| mask | LaneMask::lane(thread));
            Ok(Esop12.act(setting, warp, cond)? | (enabled - warp.active))
        }
    }
    ActOfNone "a condition that holds for all holds for none" {
        fn act(&self, setting: &Setting<'_>, warp: &Warp, cond: ExprId) -> Result<LaneMask, Fault> {
            let act = Esop12.act(setting, warp, cond)?;
            Ok(if act == warp.active { LaneMask::EMPTY } else { act })
        }
    }
}

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
