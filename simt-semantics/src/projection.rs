//! The projections π: what a warp's stack is to one of its threads (ESOP'12, Table 5).
//!
//! ```text
//! π_θ(ε, δ)          = ε                      π_¬θ(ε, δ)     = ε
//! π_θ(s W, δ)        = s π_θ(W, δ)            π_¬θ(s W, δ)   = π_¬θ(W, δ)
//! π_θ(call{Θ} W, δ)  = call π_θ(W, δ)         π_¬θ(τ W, δ)   = π_θ(W, 0)    if actToken_θ(τ, δ)
//! π_θ(brk{Θ} W, δ)   = brk π_θ(W, δ)                         = π_¬θ(W, δ)   otherwise
//! π_θ(sync{Θ} W, δ)  = π_θ(W, δ)
//! π_θ(div{Θ} W, δ)   = π_¬θ(W, δ)
//! ```
//!
//! The case of the activation token is as section 4.2 says it in words and the proof of Lemma 3 uses it. The extension, beside
//! `brk`, is `π_θ(cont(n){Θ} W, δ) = cont(n) π_θ(W, δ)`.

use crate::enable::act_token;
use crate::interleaved::Interleaved;
use crate::setting::Setting;
use crate::thread::{Context, ThreadItem, ThreadStack};
use crate::warp::{DisableState, Item, Token, TokenKind, Warp};

/// `π_Θ(W, Δ)(θ)`: `π_θ` of an active thread, `π_¬θ` of another, from the top of the stack down.
pub fn project(warp: &Warp, thread: usize) -> impl Iterator<Item = ThreadItem> {
    let mut active = warp.active.contains(thread);
    let mut state = warp.disabled.get(thread).copied().unwrap_or(DisableState::Enabled);
    warp.stack.iter().rev().filter_map(move |item| match *item {
        Item::Token(token) if !active => {
            if act_token(thread, token, state) {
                (active, state) = (true, DisableState::Enabled);
            }
            None
        }
        Item::Statement(_) | Item::WhileAgain(_) | Item::TakeResult(_) if !active => None,
        Item::Statement(id) => Some(ThreadItem::Statement(id)),
        Item::WhileAgain(id) => Some(ThreadItem::WhileAgain(id)),
        Item::TakeResult(id) => Some(ThreadItem::TakeResult(id)),
        Item::Token(Token { kind: TokenKind::Div, .. }) => {
            active = false;
            None
        }
        Item::Token(Token { kind: TokenKind::Sync, .. }) => None,
        Item::Token(Token { kind: TokenKind::Break(n), .. }) => Some(ThreadItem::Context(Context::Break(n))),
        Item::Token(Token { kind: TokenKind::Continue(n), .. }) => Some(ThreadItem::Context(Context::Continue(n))),
        Item::Token(Token { kind: TokenKind::Call, .. }) => Some(ThreadItem::Context(Context::Call)),
    })
}

/// The projection as a thread's stack, whose top is last.
pub fn project_stack(warp: &Warp, thread: usize) -> ThreadStack {
    let mut stack: ThreadStack = project(warp, thread).collect();
    stack.reverse();
    stack
}

impl Interleaved {
    /// γ of Fig. 2: the interleaved configuration `π_Θ(W, Δ), μ` of a warp configuration.
    pub fn of(warp: &Warp) -> Self {
        let stacks = (0..warp.disabled.len()).map(|thread| project_stack(warp, thread)).collect();
        Self { stacks, memory: warp.memory.clone() }
    }
}

impl Setting<'_> {
    /// A thread's stack, from its top down.
    pub fn show_stack(&self, stack: &[ThreadItem]) -> String {
        let items = stack.iter().rev().map(|item| match item {
            ThreadItem::Statement(id) => self.show_item(Item::Statement(*id)),
            ThreadItem::WhileAgain(id) => self.show_item(Item::WhileAgain(*id)),
            ThreadItem::TakeResult(id) => self.show_item(Item::TakeResult(*id)),
            ThreadItem::Write(_, write) => format!("{write:?};"),
            ThreadItem::Context(Context::Break(n)) => format!("brk({})", n.0),
            ThreadItem::Context(Context::Continue(n)) => format!("cont({})", n.0),
            ThreadItem::Context(Context::Call) => "call".to_string(),
        });
        items.collect::<Vec<_>>().join(" ")
    }
}
