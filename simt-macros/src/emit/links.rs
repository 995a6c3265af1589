//! Conditions in which `&&` joins a `let` with others: `a && let Some(x) = b && x < c`.
//!
//! Each part sees the names of those before it, and is evaluated only where they hold. So an `if` becomes an `if` for each
//! part, one in the other; where it has an `else`, they stand in a block that the innermost leaves:
//!
//! ```text
//! if a && let p = b { S } else { T }      'a: { if (a) { if (p matches b) { S break 'a; } } T }
//! while a && let p = b { S }              loop { if (a) {} else { break; } if (p matches b) {} else { break; } S }
//! ```

use super::branch::Arms;
use super::jump::{Target, TargetKind};
use super::matching::Condition;
use super::{Emitter, bare, scope};
use crate::extent::Extent;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{BinOp, Expr, ExprBinary, ExprIf, ExprWhile, Pat};

/// A part of a condition.
#[derive(Clone, Copy)]
pub(super) enum Link<'a> {
    Holds(&'a Expr),
    /// `let pattern = value`; `at` is its first token.
    Matches {
        pattern: &'a Pat,
        value: &'a Expr,
        at: Span,
    },
}

impl<'a> Link<'a> {
    pub(super) fn of(expr: &'a Expr) -> Self {
        match expr {
            Expr::Let(let_) => Self::Matches { pattern: &let_.pat, value: &let_.expr, at: let_.let_token.span },
            value => Self::Holds(value),
        }
    }

    fn span(self) -> Span {
        match self {
            Self::Holds(value) => Extent::of(value).first,
            Self::Matches { at, .. } => at,
        }
    }
}

/// The parts of a condition, from left to right, if there is a `let` among several.
pub(super) fn links(condition: &Expr) -> Option<Vec<Link<'_>>> {
    let (mut links, mut rest) = (Vec::new(), condition);
    loop {
        match rest {
            Expr::Group(group) => rest = &group.expr,
            Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => {
                links.push(Link::of(bare(right)));
                rest = left;
            }
            first => {
                links.push(Link::of(bare(first)));
                break;
            }
        }
    }
    links.reverse();
    (links.len() > 1 && links.iter().any(|link| matches!(link, Link::Matches { .. }))).then_some(links)
}

impl Emitter<'_> {
    pub(super) fn linked_if(&mut self, if_: &ExprIf, links: &[Link<'_>], arms: &Arms) -> TokenStream {
        let span = if_.if_token.span;
        let Some((_, otherwise)) = &if_.else_branch else {
            if matches!(arms, Arms::Values { .. }) {
                self.report.error_at(span, "an `if` whose value is used needs an `else`");
            }
            return self.nested(if_, links, arms, &TokenStream::new());
        };
        let begin = self.call(if_.if_token, "begin_block", span, &TokenStream::new());
        let leave = self.call(if_.if_token, "break_", span, &quote!(0));
        let (then, otherwise) = self.within(Target::new(TargetKind::Links, None, None), |emitter| {
            let then = emitter.nested(if_, links, arms, &quote!(#leave;));
            let otherwise = match bare(otherwise) {
                Expr::If(chained) => emitter.if_(chained, arms),
                Expr::Block(block) => emitter.arm(&block.block, arms),
                other => emitter.unsupported(other),
            };
            (then, otherwise)
        });
        let k = self.builder.at(span);
        quote_spanned!(span=> #begin; #then #otherwise #k.end_block();)
    }

    /// An `if` for each link, and in the innermost the block and what comes behind it.
    fn nested(&mut self, if_: &ExprIf, links: &[Link<'_>], arms: &Arms, behind: &TokenStream) -> TokenStream {
        let k = self.builder.at(if_.if_token.span);
        let (mut begun, mut ends, known) = (TokenStream::new(), TokenStream::new(), self.closures.len());
        for link in links {
            let (span, declared, begin, bound) = self.begin_link(*link);
            begun.extend(quote_spanned!(span=> #declared #begin; #bound));
            ends.extend(quote_spanned!(span=> #k.begin_else(); #k.end_if();));
        }
        let then = self.arm(&if_.then_branch, arms);
        self.closures.truncate(known);
        scope(if_.if_token.span, quote!(#begun #then #behind #ends))
    }

    pub(super) fn linked_while(&mut self, while_: &ExprWhile, links: &[Link<'_>]) -> TokenStream {
        let (span, label) = (while_.while_token.span, while_.label.as_ref());
        let begin = self.call(while_.while_token, "begin_loop", span, &TokenStream::new());
        let (mut tests, known) = (TokenStream::new(), self.closures.len());
        for link in links {
            let condition = Target::new(TargetKind::Condition, label, None);
            let (span, declared, begin, bound) = self.within(condition, |emitter| emitter.begin_link(*link));
            let leave = self.call(while_.while_token, "break_", span, &quote!(0));
            let k = self.builder.at(span);
            tests.extend(quote_spanned!(span=> #declared #begin; #k.begin_else(); #leave; #k.end_if(); #bound));
        }
        let body = self.within(Target::new(TargetKind::Counted, label, None), |emitter| emitter.block(&while_.body));
        self.closures.truncate(known);
        let k = self.builder.at(span);
        quote_spanned!(span=> #begin; { #tests #body } #k.end_loop();)
    }

    /// What a link declares, the `begin_if`, and the names where it holds.
    fn begin_link(&mut self, link: Link<'_>) -> (Span, TokenStream, TokenStream, TokenStream) {
        let span = link.span();
        let (place, Condition { declared, holds, bound }) = match link {
            Link::Holds(value) => (self.spans.place(value), self.condition(value)),
            Link::Matches { pattern, value, at } => {
                (self.spans.place((pattern, value)), self.pattern_condition(pattern, value, at))
            }
        };
        (span, declared, self.call_at(&place, "begin_if", span, &holds), bound)
    }
}
