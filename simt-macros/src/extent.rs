//! The first and the last token of a piece of the user's code.
//!
//! On stable Rust the span of several tokens covers the first only, so a place is kept as its first and its last token. Both
//! are found by the structure of the syntax: to collect all tokens of each expression, nested ones included, would take a
//! time that grows with the square of a long expression.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, ExprAssign, ExprBinary, ExprBreak, ExprCall, ExprCast, ExprContinue, ExprField, ExprIndex,
    ExprMethodCall, ExprReference, ExprReturn, ExprStruct, ExprUnary, Label, Local, Macro, Member, Pat, PatIdent,
    PatTupleStruct, PatType, Token, Type,
};

/// First and last token of a piece of the user's code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

/// Something that has a first and a last token.
pub(crate) trait Piece {
    fn extent(&self) -> Extent;
}

impl Extent {
    pub(crate) fn of(piece: impl Piece) -> Self {
        piece.extent()
    }

    fn of_tokens(tokens: impl ToTokens) -> Self {
        let tokens = tokens.into_token_stream();
        let first = first_token(tokens.clone()).unwrap_or_else(Span::call_site);
        Self { first, last: last_token(tokens).unwrap_or(first) }
    }
}

/// The place of the first of the tokens.
pub(crate) fn first_token(tokens: TokenStream) -> Option<Span> {
    match tokens.into_iter().next()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            first_token(group.stream()).or_else(|| Some(group.span()))
        }
        TokenTree::Group(group) => Some(group.span_open()),
        token => Some(token.span()),
    }
}

fn last_token(tokens: TokenStream) -> Option<Span> {
    match tokens.into_iter().last()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            last_token(group.stream()).or_else(|| Some(group.span()))
        }
        TokenTree::Group(group) => Some(group.span_close()),
        token => Some(token.span()),
    }
}

/// A loop and not a recursion, as in [`last`]: chains of operators and of methods can be long. A group in brackets is one
/// token here: errors underline it all.
fn first(expr: &Expr) -> Span {
    let mut expr = expr;
    loop {
        expr = match expr {
            Expr::Assign(assign) => &assign.left,
            Expr::Binary(binary) => &binary.left,
            Expr::Call(call) => &call.func,
            Expr::Cast(cast) => &cast.expr,
            Expr::Field(field) => &field.base,
            Expr::Group(group) => &group.expr,
            Expr::Index(index) => &index.expr,
            Expr::MethodCall(call) => &call.receiver,
            Expr::Array(array) => return array.bracket_token.span.join(),
            Expr::Block(block) if block.label.is_none() => return block.block.brace_token.span.join(),
            Expr::If(if_) => return if_.if_token.span,
            Expr::Lit(literal) => return literal.lit.span(),
            Expr::Loop(loop_) if loop_.label.is_none() => return loop_.loop_token.span,
            Expr::Match(match_) => return match_.match_token.span,
            Expr::Paren(paren) => return paren.paren_token.span.join(),
            Expr::Tuple(tuple) => return tuple.paren_token.span.join(),
            _ => return Extent::of_tokens(expr).first,
        }
    }
}

fn last(expr: &Expr) -> Span {
    let mut expr = expr;
    loop {
        expr = match expr {
            Expr::Assign(assign) => &assign.right,
            Expr::Binary(binary) => &binary.right,
            Expr::Group(group) => &group.expr,
            Expr::Reference(reference) => &reference.expr,
            Expr::Unary(unary) => &unary.expr,
            Expr::If(if_) => match &if_.else_branch {
                Some((_, otherwise)) => otherwise,
                None => return if_.then_branch.brace_token.span.close(),
            },
            Expr::Array(array) => return array.bracket_token.span.close(),
            Expr::Block(block) => return block.block.brace_token.span.close(),
            Expr::Call(call) => return call.paren_token.span.close(),
            Expr::Cast(cast) => return Extent::of_tokens(&cast.ty).last,
            Expr::Field(field) => match &field.member {
                Member::Named(name) => return name.span(),
                Member::Unnamed(index) => return index.span,
            },
            Expr::ForLoop(for_) => return for_.body.brace_token.span.close(),
            Expr::Index(index) => return index.bracket_token.span.close(),
            Expr::Lit(literal) => return literal.lit.span(),
            Expr::Loop(loop_) => return loop_.body.brace_token.span.close(),
            Expr::Match(match_) => return match_.brace_token.span.close(),
            Expr::MethodCall(call) => return call.paren_token.span.close(),
            Expr::Paren(paren) => return paren.paren_token.span.close(),
            Expr::Struct(literal) => return literal.brace_token.span.close(),
            Expr::Tuple(tuple) => return tuple.paren_token.span.close(),
            Expr::While(while_) => return while_.body.brace_token.span.close(),
            _ => return Extent::of_tokens(expr).last,
        }
    }
}

/// The extent of something that attributes may stand before.
fn with_attributes(attributes: &[Attribute], first: Span, last: Span) -> Extent {
    Extent { first: attributes.first().map_or(first, |attribute| attribute.pound_token.span), last }
}

impl Piece for Expr {
    fn extent(&self) -> Extent {
        Extent { first: first(self), last: last(self) }
    }
}

impl<T: Piece> Piece for &T {
    fn extent(&self) -> Extent {
        T::extent(self)
    }
}

impl<T: Piece> Piece for Box<T> {
    fn extent(&self) -> Extent {
        T::extent(self)
    }
}

/// The extent from the first piece to the last.
impl<A: Piece, B: Piece> Piece for (A, B) {
    fn extent(&self) -> Extent {
        Extent { first: self.0.extent().first, last: self.1.extent().last }
    }
}

impl Piece for ExprAssign {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, first(&self.left), last(&self.right))
    }
}

impl Piece for ExprBinary {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, first(&self.left), last(&self.right))
    }
}

impl Piece for ExprUnary {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, self.op.span(), last(&self.expr))
    }
}

impl Piece for ExprCast {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, first(&self.expr), Extent::of_tokens(&self.ty).last)
    }
}

impl Piece for ExprIndex {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, first(&self.expr), self.bracket_token.span.close())
    }
}

impl Piece for ExprCall {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, first(&self.func), self.paren_token.span.close())
    }
}

impl Piece for ExprMethodCall {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, first(&self.receiver), self.paren_token.span.close())
    }
}

impl Piece for Local {
    fn extent(&self) -> Extent {
        with_attributes(&self.attrs, self.let_token.span, self.semi_token.span)
    }
}

macro_rules! by_their_tokens {
    ($($ty:ty)*) => {$(
        impl Piece for $ty {
            fn extent(&self) -> Extent {
                Extent::of_tokens(self)
            }
        }
    )*};
}
// These are short, or contain no nested expressions.
by_their_tokens! {
    TokenStream Ident Type Pat PatIdent PatTupleStruct PatType Label Macro ExprBreak ExprContinue ExprField ExprReference ExprReturn
    ExprStruct Option<&Label> Token![if] Token![while] Token![for] Token![loop]
}

#[cfg(test)]
mod tests {
    use super::{Extent, Piece};
    use quote::ToTokens;
    use syn::visit::{self, Visit};
    use syn::{Expr, Local};

    /// Compares each piece with its own tokens.
    struct Compare;

    fn compare(piece: &(impl Piece + ToTokens)) {
        let (found, all) = (piece.extent(), Extent::of_tokens(piece));
        let text = piece.to_token_stream();
        assert_eq!(found.first.start(), all.first.start(), "the first token of `{text}`");
        assert_eq!(found.last.end(), all.last.end(), "the last token of `{text}`");
    }

    impl<'a> Visit<'a> for Compare {
        fn visit_expr(&mut self, expr: &'a Expr) {
            compare(expr);
            match expr {
                Expr::Assign(expr) => compare(expr),
                Expr::Binary(expr) => compare(expr),
                Expr::Unary(expr) => compare(expr),
                Expr::Cast(expr) => compare(expr),
                Expr::Index(expr) => compare(expr),
                Expr::Call(expr) => compare(expr),
                Expr::MethodCall(expr) => compare(expr),
                _ => {}
            }
            visit::visit_expr(self, expr);
        }

        fn visit_local(&mut self, local: &'a Local) {
            compare(local);
            visit::visit_local(self, local);
        }
    }

    #[test]
    fn an_extent_is_that_of_the_tokens() {
        let body = "{
            #[allow(unused)] let (a, mut b): (u32, f32) = (x[i] + -1 as u32, y.min(2.5));
            a = !b && f::<u32, 4>(&x, { c; d }) || g(if a { 1 } else if b { 2 } else { 3 }).0;
            s.field.other[k] += match a { 1 => [1, 2], k @ 2..=3 if k > 1 => { c } _ => [0; 4] };
            'a: loop { while a < 1 { break 'a 3; } for i in (0..n).rev() { continue; } return; }
            loop {} 'b: { b } if a { c } unsafe { d } println!(\"{}\", a);
            v = P { x: 1, ..q }; m::N; const { 3 }; |x| x; a..b; ..c; *a; a?; x.await; return a; break 'a b;
        }";
        Compare.visit_block(&syn::parse_str(body).expect("a block"));
    }
}
