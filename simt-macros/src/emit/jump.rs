//! `break`, `continue` and `return`, and the blocks that they leave.
//!
//! The builder numbers loops from the innermost one outwards; here labels become these numbers.

use super::{Emitter, bare};
use crate::item::Kind;
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprBreak, ExprContinue, ExprReturn, ExprTry, Label, Lifetime};

/// Something that a `break` or `continue` can stand in.
pub(super) struct Target {
    label: Option<Ident>,
    kind: TargetKind,
    /// The slot for the value of a `break`, where one is wanted.
    slot: Option<Ident>,
}

/// The block that a jump stands in. The builder makes a loop of each, except for the last.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TargetKind {
    /// The body of a `loop`.
    Loop,
    /// The body of a `while` or `for`.
    Counted,
    /// A labelled block.
    Block,
    /// A labelled block whose label is not used, for which the builder makes no loop.
    Unused,
    /// The block around an `if` whose condition has several parts: the user's jumps do not see it.
    Links,
    /// The condition of a `while`, whose own loop cannot be left from it.
    Condition,
}

impl Target {
    /// Whether it has this label.
    pub(super) fn has_label(&self, label: &str) -> bool {
        self.label.as_ref().is_some_and(|known| known == label)
    }

    pub(super) fn new(kind: TargetKind, label: Option<&Label>, slot: Option<Ident>) -> Self {
        Self { label: label.map(|label| label.name.ident.clone()), kind, slot }
    }
}

impl Emitter<'_> {
    /// Emits a body inside a target.
    pub(super) fn within<T>(&mut self, target: Target, emit: impl FnOnce(&mut Self) -> T) -> T {
        self.targets.push(target);
        let result = emit(self);
        self.targets.pop();
        result
    }

    pub(super) fn break_(&mut self, break_: &ExprBreak) -> TokenStream {
        let span = break_.break_token.span;
        let Some((target, out)) = self.target("break", break_.label.as_ref(), span) else {
            if let Some(value) = &break_.expr {
                self.value(value);
            }
            return quote!(());
        };
        let (kind, slot) = (target.kind, target.slot.clone());
        match (&break_.expr, slot) {
            (None, None) => self.call(break_, "break_", span, &quote!(#out)),
            (Some(value), Some(slot)) => {
                let value = self.value(value);
                self.call(break_, "break_with", span, &quote!(#out, #slot, #value))
            }
            (None, Some(_)) => {
                self.report.error_at(span, "the value of this loop is used, so `break` needs one: write `break value`");
                quote!(())
            }
            (Some(value), None) => {
                let message = match kind {
                    TargetKind::Counted => {
                        "`break` with a value leaves a `loop` or a labelled block: a `while` or `for` has none"
                    }
                    _ => "this value is not used: write `let x = loop { .. };`, or `break` without a value",
                };
                self.report.error(value, message);
                quote!(())
            }
        }
    }

    /// What `?` in a closure does with an option that has no value: leaves the closure's body.
    pub(super) fn propagated(&mut self, name: &Ident, try_: &ExprTry) -> Option<TokenStream> {
        if !self.is_in_returning() {
            return None;
        }
        let span = try_.question_token.span;
        let (target, out) = self.target("?", Some(&super::returning::label_at(span)), span)?;
        let slot = target.slot.clone()?;
        Some(self.call(Expr::Try(try_.clone()), "propagate_to", span, &quote!(#name, #slot, #out)))
    }

    pub(super) fn continue_(&mut self, continue_: &ExprContinue) -> TokenStream {
        let span = continue_.continue_token.span;
        let Some((_, out)) = self.target("continue", continue_.label.as_ref(), span) else { return quote!(()) };
        self.call(continue_, "continue_", span, &quote!(#out))
    }

    /// The target of a jump, and how many of the builder's loops are between.
    fn target(&mut self, name: &str, label: Option<&Lifetime>, span: Span) -> Option<(&Target, u32)> {
        let found = match label {
            Some(label) => self.targets.iter().rposition(|target| target.label.as_ref() == Some(&label.ident)),
            None => self.targets.iter().rposition(|target| target.kind != TargetKind::Links),
        };
        let kind = found.map(|index| self.targets[index].kind);
        match (label, kind) {
            (Some(label), None) => {
                self.report.error(label, format_args!("no loop or block around this has the label `{label}`"));
            }
            (Some(label), Some(TargetKind::Condition)) => {
                let message = format!("`{name}` in the condition of the loop that it names: move it into the body");
                self.report.error(label, message);
            }
            (Some(label), Some(TargetKind::Block | TargetKind::Unused)) if name == "continue" => {
                let message = format!("`continue` goes on with a loop, and `{label}` is a block: write `break`");
                self.report.error(label, message);
            }
            (None, None) => {
                self.report.error_at(span, format_args!("`{name}` outside of a loop: a thread ends with `return`"));
            }
            (None, Some(TargetKind::Condition)) => {
                let message = format!("`{name}` in the condition of a `while`: move it into the body");
                self.report.error_at(span, message);
            }
            (None, Some(TargetKind::Block | TargetKind::Unused)) => {
                let message = format!("`{name}` in a labelled block: write the label of what it leaves, `{name} 'a`");
                self.report.error_at(span, message);
            }
            (_, Some(_)) => {
                let (target, inside) = self.targets[found?..].split_first()?;
                let loops = inside.iter().filter(|target| target.kind != TargetKind::Unused).count();
                return Some((target, u32::try_from(loops).unwrap_or(u32::MAX)));
            }
        }
        None
    }

    pub(super) fn return_(&mut self, return_: &ExprReturn) -> TokenStream {
        let span = return_.return_token.span;
        match (&return_.expr, self.kernel.result) {
            (None, None) => self.call(return_, "return_", span, &TokenStream::new()),
            (Some(_), Some(_)) if self.kernel.given_items().is_some() => {
                self.report.error_at(span, "a function gives an iterator at its end, the same one whatever its arguments are: remove `return`, and write `.filter(..)` or `.take(..)`");
                quote!(())
            }
            (Some(value), Some(_)) => {
                let value = self.result_value(value, None);
                let result = paths::result(span);
                {
                    let method = if self.kernel.returns_slice() { "return_slice" } else { "return_value" };
                    self.call(return_, method, span, &quote!(#result, #value))
                }
            }
            (None, Some(ty)) => {
                let ty = ty.to_token_stream().to_string();
                self.report.error_at(span, format_args!("this function gives a `{ty}`: write `return value`"));
                quote!(())
            }
            (Some(value), None) => {
                let message = match self.kernel.kind {
                    Kind::Kernel => "a kernel returns nothing: store results in a `&mut [T]` parameter",
                    Kind::Device => {
                        "this function returns nothing: write the result's type, `-> T`, behind its parameters"
                    }
                };
                if !self.kernel.has_refused_result.replace(true) {
                    self.report.error(value, message);
                }
                quote!(())
            }
        }
    }
}

/// Whether control never passes a block, as far as syntax tells.
pub(super) fn block_always_jumps(block: &Block) -> bool {
    block.stmts.last().is_some_and(always_jumps)
}

/// Whether control never passes a statement, as far as syntax tells.
pub(super) fn always_jumps(statement: &syn::Stmt) -> bool {
    match statement {
        syn::Stmt::Expr(expr, _) => expr_always_jumps(expr),
        syn::Stmt::Macro(statement) => super::speak::never_returns(&statement.mac),
        syn::Stmt::Local(_) | syn::Stmt::Item(_) => false,
    }
}

pub(super) fn expr_always_jumps(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(call) => super::speak::never_returns(&call.mac),
        Expr::Block(block) => block.label.is_none() && block_always_jumps(&block.block),
        Expr::Loop(loop_) => !is_left(&loop_.body, loop_.label.as_ref(), true),
        Expr::If(if_) => {
            block_always_jumps(&if_.then_branch)
                && if_.else_branch.as_ref().is_some_and(|(_, otherwise)| expr_always_jumps(otherwise))
        }
        Expr::Match(match_) => match_.arms.iter().all(|arm| expr_always_jumps(&arm.body)),
        _ => false,
    }
}

/// Whether a `break` in the body leaves the loop or block whose body it is. `by_none`: a `break` without a label may.
pub(super) fn is_left(body: &Block, label: Option<&Label>, by_none: bool) -> bool {
    let mut search = Breaks { label: label.map(|label| &label.name.ident), by_none, found: false };
    search.visit_block(body);
    search.found
}

struct Breaks<'a> {
    label: Option<&'a Ident>,
    by_none: bool,
    found: bool,
}

impl Breaks<'_> {
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        let by_none = std::mem::replace(&mut self.by_none, false);
        visit(self);
        self.by_none = by_none;
    }
}

impl<'a> Visit<'a> for Breaks<'_> {
    fn visit_expr_break(&mut self, break_: &'a ExprBreak) {
        self.found |= match &break_.label {
            None => self.by_none,
            Some(label) => self.label == Some(&label.ident),
        };
        visit::visit_expr_break(self, break_);
    }

    /// It leaves the closure's body.
    fn visit_expr_try(&mut self, try_: &'a ExprTry) {
        self.found |= self.label.is_some_and(|label| label == super::returning::LABEL);
        visit::visit_expr_try(self, try_);
    }

    fn visit_expr_loop(&mut self, loop_: &'a syn::ExprLoop) {
        self.inside(|search| visit::visit_expr_loop(search, loop_));
    }

    fn visit_expr_while(&mut self, while_: &'a syn::ExprWhile) {
        self.inside(|search| visit::visit_expr_while(search, while_));
    }

    fn visit_expr_for_loop(&mut self, for_: &'a syn::ExprForLoop) {
        self.inside(|search| visit::visit_expr_for_loop(search, for_));
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}
}
