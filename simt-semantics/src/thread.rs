//! The thread semantics ⇒ᵗ: the rules of ESOP'12, Table 4, one function each.

use crate::coverage::ThreadRule;
use crate::effect::{View, Write};
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::setting::{Setting, StmtId};
use simt_core::program::{ExprId, StmtKind};

/// A context *c*: what is left of a token when there is one thread only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// `brk(n)`: behind it a loop has been left.
    Break(StmtId),
    /// `cont(n)`: behind it an iteration of a loop has been left; an extension.
    Continue(StmtId),
    /// `call`: behind it a function has returned.
    Call,
}

/// What a thread's instruction stack holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreadItem {
    /// A statement as the program has it.
    Statement(StmtId),
    /// The underlined `while`.
    WhileAgain(StmtId),
    /// `x = r;` behind a call; an extension.
    TakeResult(StmtId),
    /// `x = v;`: an assignment, by the statement that it comes from, whose expressions have been evaluated.
    Write(StmtId, Write),
    /// A context.
    Context(Context),
}

/// A thread's instruction stack T, its top last.
pub type ThreadStack = Vec<ThreadItem>;

/// One thread of a configuration while it makes a transition.
struct Thread<'a, 'p> {
    setting: &'a Setting<'p>,
    stack: &'a mut ThreadStack,
    memory: &'a mut Memory,
    thread: usize,
}

/// A thread transition `φ, ν ▷ T, μ ⇒ᵗ T′, μ′`; none from `ε`, which is the end.
///
/// # Errors
/// The thread did something wrong. Nothing has changed.
pub fn step_thread(
    setting: &Setting<'_>,
    thread: usize,
    stack: &mut ThreadStack,
    memory: &mut Memory,
) -> Result<Option<ThreadRule>, Fault> {
    let Some(head) = stack.pop() else { return Ok(None) };
    let mut this = Thread { setting, stack, memory, thread };
    let applied = this.apply(&head);
    if applied.is_err() {
        stack.push(head);
    }
    applied.map(Some)
}

impl Thread<'_, '_> {
    fn view(&self) -> View<'_, '_> {
        View { setting: self.setting, memory: self.memory, thread: self.thread }
    }

    fn stuck(&self) -> Fault {
        Fault { thread: self.thread, kind: FaultKind::Stuck }
    }

    fn push_list(&mut self, list: &[StmtId]) {
        self.stack.extend(list.iter().rev().map(|&id| ThreadItem::Statement(id)));
    }

    fn apply(&mut self, head: &ThreadItem) -> Result<ThreadRule, Fault> {
        let (id, again) = match head {
            ThreadItem::Statement(id) => (*id, false),
            ThreadItem::WhileAgain(id) => (*id, true),
            ThreadItem::TakeResult(id) => {
                let write = self.view().read_result(*id)?;
                return Ok(self.rule_assign_rd(*id, write));
            }
            ThreadItem::Write(_, write) => return Ok(self.rule_assign_wr(write.clone())),
            ThreadItem::Context(context) => return Ok(self.rule_context(*context)),
        };
        match self.setting.kind(id) {
            StmtKind::Skip | StmtKind::Fence { .. } => Ok(self.rule_skip()),
            StmtKind::If { cond, .. } if self.view().holds(*cond)? => Ok(self.rule_if_tt(id)),
            StmtKind::If { .. } => Ok(self.rule_if_ff(id)),
            StmtKind::While { cond, .. } => Ok(match (again, self.holds(*cond)?) {
                (false, true) => self.rule_while_tt(id),
                (false, false) => self.rule_while_ff(),
                (true, true) => self.rule_while_again_tt(id),
                (true, false) => self.rule_while_again_ff(),
            }),
            StmtKind::Break { .. } => self.rule_break(id),
            StmtKind::Continue { .. } => self.rule_continue(id),
            StmtKind::Call { .. } => self.rule_call(id),
            StmtKind::Return => self.rule_return(),
            _ => {
                let write = self.view().read(id)?;
                Ok(self.rule_assign_rd(id, write))
            }
        }
    }

    fn holds(&self, cond: ExprId) -> Result<bool, Fault> {
        self.view().holds(cond)
    }

    /// (skip) `; ⇒ ε`
    fn rule_skip(&mut self) -> ThreadRule {
        ThreadRule::Skip
    }

    /// (assign rd) `x = e;, μ ⇒ x = v;, μ` where `E⟦e⟧ ν μ = v`
    fn rule_assign_rd(&mut self, id: StmtId, write: Write) -> ThreadRule {
        self.stack.push(ThreadItem::Write(id, write));
        ThreadRule::AssignRead
    }

    /// (assign wr) `x = v;, μ ⇒ ε, μ{ν(x) ↦ v}`
    fn rule_assign_wr(&mut self, write: Write) -> ThreadRule {
        write.perform(self.setting, self.memory, self.thread);
        ThreadRule::AssignWrite
    }

    /// (if tt) `if (e) S₁ else S₂, μ ⇒ S₁, μ` if `E⟦e⟧ ν μ ≠ 0`
    fn rule_if_tt(&mut self, id: StmtId) -> ThreadRule {
        self.push_list(self.setting.inner(id)[0]);
        ThreadRule::IfTrue
    }

    /// (if ff) `if (e) S₁ else S₂, μ ⇒ S₂, μ` if `E⟦e⟧ ν μ = 0`
    fn rule_if_ff(&mut self, id: StmtId) -> ThreadRule {
        self.push_list(self.setting.inner(id)[1]);
        ThreadRule::IfFalse
    }

    /// (while tt) `while (e) S, μ ⇒ S while′ (e) S brk(n), μ` if `E⟦e⟧ ν μ ≠ 0`
    fn rule_while_tt(&mut self, id: StmtId) -> ThreadRule {
        self.stack.push(ThreadItem::Context(Context::Break(id)));
        self.push_iteration(id);
        ThreadRule::WhileTrue
    }

    /// (while ff) `while (e) S, μ ⇒ ε, μ` if `E⟦e⟧ ν μ = 0`
    fn rule_while_ff(&mut self) -> ThreadRule {
        ThreadRule::WhileFalse
    }

    /// (while′ tt) `while′ (e) S, μ ⇒ S while′ (e) S, μ` if `E⟦e⟧ ν μ ≠ 0`
    fn rule_while_again_tt(&mut self, id: StmtId) -> ThreadRule {
        self.push_iteration(id);
        ThreadRule::WhileAgainTrue
    }

    /// (while′ ff) `while′ (e) S, μ ⇒ ε, μ` if `E⟦e⟧ ν μ = 0`
    fn rule_while_again_ff(&mut self) -> ThreadRule {
        ThreadRule::WhileAgainFalse
    }

    /// `S [cont(n)] T while′ (e) S step T`, an extension but for `S while′ (e) S`.
    fn push_iteration(&mut self, id: StmtId) {
        let [body, step] = self.setting.inner(id);
        self.stack.push(ThreadItem::WhileAgain(id));
        self.push_list(step);
        if self.setting.numbered_stmt(id).continues {
            self.stack.push(ThreadItem::Context(Context::Continue(id)));
        }
        self.push_list(body);
    }

    /// (break) `break n; T brk(n) ⇒ ε`, where T has no brk(n); the paper's T is \[S\], because its `break` leaves the
    /// innermost loop.
    fn rule_break(&mut self, id: StmtId) -> Result<ThreadRule, Fault> {
        let n = self.setting.numbered_stmt(id).exits.ok_or_else(|| self.stuck())?;
        self.pop_to(Context::Break(n))?;
        Ok(ThreadRule::Break)
    }

    /// (continue) `continue n; T cont(n) ⇒ ε`, where T has no cont(n). An extension.
    fn rule_continue(&mut self, id: StmtId) -> Result<ThreadRule, Fault> {
        let n = self.setting.numbered_stmt(id).exits.ok_or_else(|| self.stuck())?;
        self.pop_to(Context::Continue(n))?;
        Ok(ThreadRule::Continue)
    }

    /// (call) `x = f(e, ..);, μ ⇒ φ(f) call x = r;, μ{p ↦ e, ..}`; the paper's without values.
    fn rule_call(&mut self, id: StmtId) -> Result<ThreadRule, Fault> {
        let StmtKind::Call { function, args, result } = self.setting.kind(id) else { return Err(self.stuck()) };
        let args = self.view().arguments(args)?;
        self.memory.enter(self.setting, self.thread, *function, args);
        if result.is_some() {
            self.stack.push(ThreadItem::TakeResult(id));
        }
        self.stack.push(ThreadItem::Context(Context::Call));
        self.push_list(self.setting.body(Some(*function)));
        Ok(ThreadRule::Call)
    }

    /// (return) `return; T call ⇒ ε`, where T has no call.
    fn rule_return(&mut self) -> Result<ThreadRule, Fault> {
        self.pop_to(Context::Call)?;
        self.memory.leave(self.setting, self.thread);
        Ok(ThreadRule::Return)
    }

    /// (context) `c ⇒ ε`. A thread that reaches the context of a call leaves the function.
    fn rule_context(&mut self, context: Context) -> ThreadRule {
        if context == Context::Call {
            self.memory.leave(self.setting, self.thread);
        }
        ThreadRule::Context
    }

    /// Drops everything up to a context, and the context.
    fn pop_to(&mut self, context: Context) -> Result<(), Fault> {
        let place = self.stack.iter().rposition(|item| *item == ThreadItem::Context(context));
        self.stack.truncate(place.ok_or_else(|| self.stuck())?);
        Ok(())
    }
}
