//! Long chains: `a && b && ..`, `x.min(a).max(b)..`.
//!
//! Each call of the builder is an argument of the next, so the expression of a chain nests as deep as the chain is long.
//! rustc takes long for deep expressions, and in the end runs out of stack for them. So the parts of a long chain get names,
//! from left to right, which is also the order of evaluation:
//!
//! ```text
//! a + b + c + d + e      { let part = k.add(k.add(a, b), c); k.add(k.add(part, d), e) }
//! ```

use super::{Emitter, value};
use crate::extent::Extent;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprField, Member};

/// The longest chain that stays one expression.
const LONG: usize = 24;
/// How many links of a longer one get a name together.
const PART: usize = 8;

/// The part that a link is applied to.
fn before(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Binary(binary) => value::method(&binary.op).map(|_| &*binary.left),
        Expr::MethodCall(call) => Some(&call.receiver),
        Expr::Cast(cast) => Some(&cast.expr),
        Expr::Field(ExprField { base, member: Member::Unnamed(_), .. }) => Some(base),
        _ => None,
    }
}

impl Emitter<'_> {
    /// The name of a part that has one, or the value of a long chain; `None` for other parts.
    pub(super) fn chain(&mut self, expr: &Expr) -> Option<TokenStream> {
        let known = self.kept.as_ref().map(|(part, _)| *part);
        if let Some((part, name)) = &self.kept
            && std::ptr::eq(*part, expr)
        {
            return Some(name.to_token_stream());
        }
        let to_known = |link: &&Expr| !known.is_some_and(|known| std::ptr::eq(known, *link));
        let links: Vec<&Expr> = std::iter::successors(Some(expr), |link| before(link)).take_while(to_known).collect();
        if links.len() <= LONG {
            return None;
        }
        let outer = self.kept.take();
        let mut statements = TokenStream::new();
        // From the innermost link outwards; the whole chain gets no name.
        for &link in links.iter().rev().skip(PART).step_by(PART).filter(|link| !std::ptr::eq(**link, expr)) {
            let part = self.value(link);
            let span = Extent::of(link).first;
            let name = self.fresh("link", span);
            statements.extend(quote_spanned!(span=> let #name = #part;));
            self.kept = Some((link, name));
        }
        let whole = self.value(expr);
        self.kept = outer;
        Some(quote_spanned!(Extent::of(expr).first=> { #statements #whole }))
    }
}
