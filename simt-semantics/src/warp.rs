//! Warp configurations ⟨W, Θ, Δ, μ⟩ (ESOP'12, section 3.2).

use crate::memory::Memory;
use crate::setting::{Setting, StmtId};
use simt_core::LaneMask;

/// The type *t* of a token: the paper's four, those of loops with the loop's number, and `cont`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// `div`: the other arm of an `if` follows.
    Div,
    /// `sync`: the arms of an `if` meet.
    Sync,
    /// `brk(n)`: a loop is left.
    Break(StmtId),
    /// `cont(n)`: an iteration of a loop ends; an extension.
    Continue(StmtId),
    /// `call`: a function returns.
    Call,
}

/// A token τ = t{Θ}.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token {
    /// Its type.
    pub kind: TokenKind,
    /// The threads that it may awake.
    pub mask: LaneMask,
}

/// A disable state δ: the paper's three, those of loops with the loop's number, and `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DisableState {
    /// `0`: not disabled.
    Enabled,
    /// `b(n)`: has left a loop.
    Break(StmtId),
    /// `c(n)`: has left an iteration of a loop; an extension.
    Continue(StmtId),
    /// `r`: has returned.
    Return,
}

/// What an instruction stack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// A statement *s* as the program has it.
    Statement(StmtId),
    /// The underlined `while`: a loop that has pushed its token.
    WhileAgain(StmtId),
    /// `x = r;` behind the token of a call whose result is used; an extension.
    TakeResult(StmtId),
    /// A token.
    Token(Token),
}

/// The dynamic part of a warp configuration, right of the paper's ▷.
///
/// It belongs to the setting that it was made for; with another, numbers of threads, variables or statements may be out of
/// range, and what works on it may panic.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Warp {
    /// The instruction stack W, its top last.
    pub stack: Vec<Item>,
    /// The active mask Θ.
    pub active: LaneMask,
    /// The disable mask Δ.
    pub disabled: Vec<DisableState>,
    /// The memory μ.
    pub memory: Memory,
}

impl Warp {
    /// The initial configuration `P call{Θ}, Θ, {Θ ↦ 0}, μ` of the setting's program and threads.
    pub fn initial(setting: &Setting<'_>, memory: Memory) -> Self {
        let threads = setting.place().threads();
        let disabled = vec![DisableState::Enabled; setting.place().width() as usize];
        let mut warp = Self { stack: Vec::new(), active: threads, disabled, memory };
        warp.push_token(TokenKind::Call, threads);
        warp.push_list(setting.body(None));
        warp
    }

    /// Puts a statement list S on the stack.
    pub fn push_list(&mut self, list: &[StmtId]) {
        self.stack.extend(list.iter().rev().map(|&id| Item::Statement(id)));
    }

    /// Puts a token on the stack.
    pub fn push_token(&mut self, kind: TokenKind, mask: LaneMask) {
        self.stack.push(Item::Token(Token { kind, mask }));
    }

    /// Drops \[S\]: the statements, if there are any, up to the topmost token.
    pub fn drop_statements(&mut self) {
        while matches!(self.stack.last(), Some(Item::Statement(_) | Item::WhileAgain(_) | Item::TakeResult(_))) {
            self.stack.pop();
        }
    }

    /// `Δ{Θ ↦ δ}`.
    pub fn disable(&mut self, threads: LaneMask, state: DisableState) {
        for thread in threads.lanes() {
            self.disabled.get_mut(thread).into_iter().for_each(|disabled| *disabled = state);
        }
    }

    /// The tokens of the stack, topmost first.
    pub fn tokens(&self) -> impl Iterator<Item = Token> {
        self.stack.iter().rev().filter_map(|item| match item {
            Item::Token(token) => Some(*token),
            _ => None,
        })
    }

    /// The configuration as the paper writes it, without the memory: stack, active mask, disable mask.
    pub fn show(&self, setting: &Setting<'_>) -> String {
        let width = self.disabled.len();
        let stack: Vec<_> = self.stack.iter().rev().map(|item| setting.show_item(*item)).collect();
        let disabled: String = self.disabled.iter().map(|state| setting.show_state(*state)).collect();
        format!("{}, {}, {disabled}", stack.join(" "), self.active.digits(width))
    }
}

impl Setting<'_> {
    /// The number of a loop, where the paper's notation, which has none, would be ambiguous.
    fn show_loop(&self, id: StmtId) -> String {
        if self.numbered_stmt(id).labelled { format!("({})", id.0) } else { String::new() }
    }

    /// A statement or token of a stack, as the paper writes it.
    pub fn show_item(&self, item: Item) -> String {
        let text = |id| self.program().statement_to_string(self.kind(id));
        match item {
            Item::Statement(id) => text(id),
            Item::WhileAgain(id) => text(id).replacen("while", "while′", 1),
            Item::TakeResult(id) => format!("result of {}", text(id)),
            Item::Token(Token { kind, mask }) => {
                let kind = match kind {
                    TokenKind::Div => "div".to_string(),
                    TokenKind::Sync => "sync".to_string(),
                    TokenKind::Break(n) => format!("brk{}", self.show_loop(n)),
                    TokenKind::Continue(n) => format!("cont{}", self.show_loop(n)),
                    TokenKind::Call => "call".to_string(),
                };
                format!("{kind}{{{}}}", mask.digits(self.place().width() as usize))
            }
        }
    }

    /// A disable state, as the paper writes it.
    pub fn show_state(&self, state: DisableState) -> String {
        match state {
            DisableState::Enabled => "0".to_string(),
            DisableState::Break(n) => format!("b{}", self.show_loop(n)),
            DisableState::Continue(n) => format!("c{}", self.show_loop(n)),
            DisableState::Return => "r".to_string(),
        }
    }
}
