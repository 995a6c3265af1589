//! Attributes of statements: `#[cfg(..)] x[i] = 1;` and `#[allow(..)] for ..` hold for what the statement becomes.
//!
//! Such a statement is put into a block that has them.

use crate::emit::is_passed_on;
use proc_macro2::{Ident, Span, TokenStream};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, ExprBlock, ItemFn, Stmt, parse_quote, token};

/// The first attribute of a block around a statement.
const MARK: &str = "__statement";

/// Puts statements with attributes into blocks.
pub(crate) fn wrapped(function: &mut ItemFn) {
    Wrap.visit_block_mut(&mut function.block);
}

/// The attributes of a statement, if a block is one around it.
pub(crate) fn of_statement(block: &ExprBlock) -> Option<&[Attribute]> {
    block.attrs.split_first().filter(|(first, _)| first.path().is_ident(MARK)).map(|(_, attributes)| attributes)
}

struct Wrap;

impl VisitMut for Wrap {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let last = block.stmts.len().saturating_sub(1);
        for (number, statement) in block.stmts.iter_mut().enumerate() {
            let Some(attributes) = own(statement, number == last) else { continue };
            if attributes.is_empty() || !attributes.iter().all(is_passed_on) {
                continue;
            }
            let span = attributes[0].pound_token.span;
            let mark = Ident::new(MARK, Span::call_site());
            let mut attrs: Vec<Attribute> = vec![parse_quote!(#[#mark])];
            attrs.append(attributes);
            let own = std::mem::replace(statement, Stmt::Expr(Expr::Verbatim(TokenStream::new()), None));
            let block = Block { brace_token: token::Brace(span), stmts: vec![own] };
            *statement = Stmt::Expr(Expr::Block(ExprBlock { attrs, label: None, block }), None);
        }
    }
}

/// The attributes of a statement that is no `let` and no item, and has no value that is wanted.
fn own(statement: &mut Stmt, is_last: bool) -> Option<&mut Vec<Attribute>> {
    match statement {
        Stmt::Macro(call) => Some(&mut call.attrs),
        Stmt::Expr(expr, semicolon) => {
            let is_loop = matches!(expr, Expr::ForLoop(_) | Expr::While(_));
            if is_last && semicolon.is_none() && !is_loop { None } else { first(expr) }
        }
        Stmt::Local(_) | Stmt::Item(_) => None,
    }
}

/// The attributes in front of an expression.
fn first(expr: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expr {
        Expr::Assign(assign) => return first(&mut assign.left),
        Expr::Binary(binary) => return first(&mut binary.left),
        Expr::Block(of) => &mut of.attrs,
        Expr::Break(of) => &mut of.attrs,
        Expr::Call(of) => &mut of.attrs,
        Expr::Continue(of) => &mut of.attrs,
        Expr::Field(of) => &mut of.attrs,
        Expr::ForLoop(of) => &mut of.attrs,
        Expr::If(of) => &mut of.attrs,
        Expr::Index(of) => &mut of.attrs,
        Expr::Loop(of) => &mut of.attrs,
        Expr::Macro(of) => &mut of.attrs,
        Expr::Match(of) => &mut of.attrs,
        Expr::MethodCall(of) => &mut of.attrs,
        Expr::Path(of) => &mut of.attrs,
        Expr::Return(of) => &mut of.attrs,
        Expr::Try(of) => &mut of.attrs,
        Expr::Tuple(of) => &mut of.attrs,
        Expr::Unary(of) => &mut of.attrs,
        Expr::While(of) => &mut of.attrs,
        _ => return None,
    })
}
