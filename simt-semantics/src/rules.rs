//! The warp semantics ⇒ʷ: the rules of ESOP'12, Table 2, one function each.
//!
//! The rules are methods of a trait with their meaning as default, so that a test can break one of them and see whether
//! the theorem notices. [`Esop12`] is the semantics.
//!
//! Each function gets the configuration with the statement or token that it is about already popped, as the paper's rules
//! leave out the remainder of the stack. A rule that faults has changed nothing.

use crate::choice::Choice;
use crate::collective::collective;
use crate::coverage::Rule;
use crate::effect::View;
use crate::enable::{act, awaits, enable_by};
use crate::fault::{Fault, FaultKind};
use crate::setting::{Setting, StmtId};
use crate::warp::{DisableState, Item, Token, TokenKind, Warp};
use simt_core::LaneMask;
use simt_core::program::{ExprId, StmtKind};

/// A transition that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: Rule,
    /// Of an assignment the order in which the threads wrote.
    pub order: Vec<usize>,
}

/// The rules. Those of the paper are the default.
pub trait WarpRules {
    /// `act`: the threads for which the condition holds.
    ///
    /// # Errors
    /// It has no value for one of them.
    fn act(&self, setting: &Setting<'_>, warp: &Warp, cond: ExprId) -> Result<LaneMask, Fault> {
        act(warp.active, cond, setting, &warp.memory)
    }

    /// `awaits`.
    fn awaits(&self, state: DisableState, token: TokenKind) -> bool {
        awaits(state, token)
    }

    /// `enable`.
    fn enable(&self, disabled: &[DisableState], token: Token) -> (LaneMask, Vec<DisableState>) {
        enable_by(disabled, token, |state, kind| self.awaits(state, kind))
    }

    /// (skip) `;, Θ⁺ ⇒ ε, Θ⁺`. A fence is one, too: memory here is seen at once by all.
    fn rule_skip(&self, _setting: &Setting<'_>, _warp: &mut Warp) {}

    /// (assign) `x = e;, Θ⁺, μ ⇒ ε, Θ⁺, μ{η(Θ⁺)(x) ↦ E⟦e⟧ η(Θ⁺) μ}`: all evaluate, then they write in some order, which
    /// is returned.
    ///
    /// # Errors
    /// An expression has no value for some thread.
    fn rule_assign(
        &self,
        setting: &Setting<'_>,
        warp: &mut Warp,
        head: Item,
        choice: &mut dyn Choice,
    ) -> Result<Vec<usize>, Fault> {
        let mut writes = Vec::new();
        for thread in warp.active.lanes() {
            let view = View { setting, memory: &warp.memory, thread };
            let write = match head {
                Item::TakeResult(call) => view.read_result(call)?,
                Item::Statement(id) => view.read(id)?,
                Item::WhileAgain(_) | Item::Token(_) => return Err(Fault { thread, kind: FaultKind::Stuck }),
            };
            writes.push((thread, write));
        }
        let order = choice.order(warp.active);
        for &thread in &order {
            if let Some((_, write)) = writes.iter().find(|(writer, _)| *writer == thread) {
                write.clone().perform(setting, &mut warp.memory, thread);
            }
        }
        Ok(order)
    }

    /// (if) `if (e) S₁ else S₂, Θ⁺ ⇒ S₂ div{act} S₁ sync{Θ⁺}, Θ⁺ ∖ act`.
    ///
    /// # Errors
    /// The condition has no value for some thread.
    fn rule_if(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Result<(), Fault> {
        let act = self.act(setting, warp, cond)?;
        let [then, otherwise] = setting.inner(id);
        warp.push_token(TokenKind::Sync, warp.active);
        warp.push_list(then);
        warp.push_token(TokenKind::Div, act);
        warp.push_list(otherwise);
        warp.active = warp.active - act;
        Ok(())
    }

    /// (while) `while (e) S, Θ⁺ ⇒ S while′ (e) S brk{Θ⁺}, act`.
    ///
    /// # Errors
    /// The condition has no value for some thread.
    fn rule_while(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Result<(), Fault> {
        let act = self.act(setting, warp, cond)?;
        warp.push_token(TokenKind::Break(id), warp.active);
        self.push_iteration(setting, warp, id, act);
        warp.active = act;
        Ok(())
    }

    /// (while′) `while′ (e) S, Θ⁺ ⇒ S while′ (e) S, act`.
    ///
    /// # Errors
    /// The condition has no value for some thread.
    fn rule_while_again(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, cond: ExprId) -> Result<(), Fault> {
        let act = self.act(setting, warp, cond)?;
        self.push_iteration(setting, warp, id, act);
        warp.active = act;
        Ok(())
    }

    /// `S [cont(n){act}] T while′ (e) S step T`: what both rules of loops push. An extension but for `S while′ (e) S`.
    fn push_iteration(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId, act: LaneMask) {
        let [body, step] = setting.inner(id);
        warp.stack.push(Item::WhileAgain(id));
        warp.push_list(step);
        if setting.numbered_stmt(id).continues {
            warp.push_token(TokenKind::Continue(id), act);
        }
        warp.push_list(body);
    }

    /// (break) `break n; [S] τ, Θ⁺, Δ ⇒ τ, ∅, Δ{Θ⁺ ↦ b(n)}`.
    fn rule_break(&self, _setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
        warp.disable(warp.active, DisableState::Break(n));
        warp.drop_statements();
        warp.active = LaneMask::EMPTY;
    }

    /// (continue) `continue n; [S] τ, Θ⁺, Δ ⇒ τ, ∅, Δ{Θ⁺ ↦ c(n)}`. An extension.
    fn rule_continue(&self, _setting: &Setting<'_>, warp: &mut Warp, n: StmtId) {
        warp.disable(warp.active, DisableState::Continue(n));
        warp.drop_statements();
        warp.active = LaneMask::EMPTY;
    }

    /// (call) `x = f(e, ..);, Θ⁺, μ ⇒ φ(f) call{Θ⁺} x = r;, Θ⁺, μ{p ↦ e, ..}`; the paper's without values.
    ///
    /// # Errors
    /// An argument has no value for some thread, or calls nest too deeply.
    fn rule_call(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Result<(), Fault> {
        let StmtKind::Call { function, args, result } = setting.kind(id) else { return Ok(()) };
        let mut entering = Vec::new();
        for thread in warp.active.lanes() {
            entering.push((thread, View { setting, memory: &warp.memory, thread }.arguments(args)?));
        }
        for (thread, args) in entering {
            warp.memory.enter(setting, thread, *function, args);
        }
        if result.is_some() {
            warp.stack.push(Item::TakeResult(id));
        }
        warp.push_token(TokenKind::Call, warp.active);
        warp.push_list(setting.body(Some(*function)));
        Ok(())
    }

    /// (return) `return; [S] τ, Θ⁺, Δ ⇒ τ, ∅, Δ{Θ⁺ ↦ r}`.
    fn rule_return(&self, setting: &Setting<'_>, warp: &mut Warp) {
        warp.active.lanes().for_each(|thread| warp.memory.leave(setting, thread));
        warp.disable(warp.active, DisableState::Return);
        warp.drop_statements();
        warp.active = LaneMask::EMPTY;
    }

    /// (token) `τ, Θ₁, Δ₁ ⇒ ε, Θ₂, Δ₂` where `(Θ₂, Δ₂) = enable(Δ₁, τ)`. Threads that reach the token of a call leave the
    /// function.
    fn rule_token(&self, setting: &Setting<'_>, warp: &mut Warp, token: Token) {
        if token.kind == TokenKind::Call {
            warp.active.lanes().for_each(|thread| warp.memory.leave(setting, thread));
        }
        (warp.active, warp.disabled) = self.enable(&warp.disabled, token);
    }

    /// (inact) `S τ, ∅ ⇒ τ, ∅`.
    fn rule_inact(&self, _setting: &Setting<'_>, warp: &mut Warp) {
        warp.drop_statements();
    }

    /// (collective) `x = op(m, e);, Θ⁺, μ ⇒ ε, Θ⁺, μ{x ↦ op of e over m}` if θ ∈ m(θ) and m(θ) ∩ live ⊆ Θ⁺ for each θ of
    /// Θ⁺. An extension.
    ///
    /// # Errors
    /// The condition does not hold, or an expression has no value for some thread.
    fn rule_collective(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Result<(), Fault> {
        for (thread, write) in collective(setting, &warp.memory, id, warp.active)? {
            write.perform(setting, &mut warp.memory, thread);
        }
        Ok(())
    }

    /// A warp transition; none from `ε`, which is the end.
    ///
    /// # Errors
    /// A thread did something wrong. The configuration is as it was.
    fn step(&self, setting: &Setting<'_>, warp: &mut Warp, choice: &mut dyn Choice) -> Result<Option<Step>, Fault> {
        let Some(head) = warp.stack.pop() else { return Ok(None) };
        let mut order = Vec::new();
        let applied = apply(self, setting, warp, head, choice, &mut order);
        if applied.is_err() {
            warp.stack.push(head);
        }
        applied.map(|rule| Some(Step { rule, order }))
    }
}

/// Finds the rule by the head of the stack and applies it.
fn apply(
    rules: &(impl WarpRules + ?Sized),
    setting: &Setting<'_>,
    warp: &mut Warp,
    head: Item,
    choice: &mut dyn Choice,
    order: &mut Vec<usize>,
) -> Result<Rule, Fault> {
    let id = match head {
        Item::Token(token) => {
            rules.rule_token(setting, warp, token);
            return Ok(Rule::Token);
        }
        Item::Statement(_) | Item::WhileAgain(_) | Item::TakeResult(_) if warp.active.is_empty() => {
            rules.rule_inact(setting, warp);
            return Ok(Rule::Inact);
        }
        Item::TakeResult(_) => {
            *order = rules.rule_assign(setting, warp, head, choice)?;
            return Ok(Rule::Assign);
        }
        Item::Statement(id) | Item::WhileAgain(id) => id,
    };
    let stuck = || Fault { thread: warp.active.lanes().next().unwrap_or(0), kind: FaultKind::Stuck };
    let exits = setting.numbered_stmt(id).exits.ok_or_else(stuck);
    Ok(match setting.kind(id) {
        StmtKind::Skip | StmtKind::Fence { .. } => {
            rules.rule_skip(setting, warp);
            Rule::Skip
        }
        StmtKind::Assign { .. }
        | StmtKind::Store { .. }
        | StmtKind::Evaluate { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::Print { .. }
        | StmtKind::Panic { .. } => {
            *order = rules.rule_assign(setting, warp, head, choice)?;
            Rule::Assign
        }
        StmtKind::If { cond, .. } => {
            rules.rule_if(setting, warp, id, *cond)?;
            Rule::If
        }
        StmtKind::While { cond, .. } if matches!(head, Item::WhileAgain(_)) => {
            rules.rule_while_again(setting, warp, id, *cond)?;
            Rule::WhileAgain
        }
        StmtKind::While { cond, .. } => {
            rules.rule_while(setting, warp, id, *cond)?;
            Rule::While
        }
        StmtKind::Break { .. } => {
            rules.rule_break(setting, warp, exits?);
            Rule::Break
        }
        StmtKind::Continue { .. } => {
            rules.rule_continue(setting, warp, exits?);
            Rule::Continue
        }
        StmtKind::Call { .. } => {
            rules.rule_call(setting, warp, id)?;
            Rule::Call
        }
        StmtKind::Return => {
            rules.rule_return(setting, warp);
            Rule::Return
        }
        StmtKind::Collective { .. } | StmtKind::Barrier { .. } => {
            rules.rule_collective(setting, warp, id)?;
            Rule::Collective
        }
    })
}

/// The warp semantics of ESOP'12, with the extensions listed at [`StmtKind`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Esop12;

impl WarpRules for Esop12 {}
