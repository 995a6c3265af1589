//! Patterns through which parts of an element are written: `for o in x.iter_mut() { if let Some(v) = o { *v += 1; } }`.
//!
//! A variant's parts in memory have no names. So the pattern is for a copy, which goes back where an arm has written to it.

use super::captured::changes_behind;
use super::fields::whole_chain;
use super::{Emitter, bare, mentions};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprBlock, ExprField, ExprIf, ExprLet, ExprMatch, ExprReference, ExprUnary, Ident, Member, Pat,
    PatIdent, Stmt, UnOp, parse_quote, parse_quote_spanned,
};

impl Emitter<'_> {
    /// An `if let` or a `match` for an item or for `&mut x[i]`, as one for a copy, if it writes to parts of it. `has_value` says
    /// whether its value is used.
    pub(super) fn written_item(&mut self, expr: &Expr, has_value: bool) -> Option<Expr> {
        match bare(expr) {
            Expr::If(if_) => self.written_chain(if_, has_value),
            Expr::Match(match_) => {
                let (item, behind) = self.item_place(&match_.expr)?;
                let written = |pattern: &Pat, body: &Expr| writes(pattern, body);
                let mut arms = match_.arms.clone();
                if !arms.iter().any(|arm| written(&arm.pat, &arm.body)) {
                    return None;
                }
                let (copy, span) = (self.fresh("copy", item.span()), item.span());
                let (named, place) = self.element_of(&behind, span);
                for arm in arms.iter_mut().filter(|arm| written(&arm.pat, &arm.body)) {
                    if !may_go_back((&arm.pat, &arm.body), &item, &behind) {
                        return None;
                    }
                    let store = parse_quote_spanned!(arm.body.span()=> *#place = #copy;);
                    *arm.body = self.stored_behind(&arm.pat, &arm.body, &store, has_value);
                }
                let value = parse_quote_spanned!(span=> &mut #copy);
                let written = Expr::Match(ExprMatch { expr: Box::new(value), arms, ..match_.clone() });
                let within: Block = parse_quote_spanned!(span=> { #named let mut #copy = *#place; #written });
                Some(in_braces(match_.brace_token, within))
            }
            _ => None,
        }
    }

    /// The links of a chain of `else if`s, from the last on.
    fn written_chain(&mut self, first: &ExprIf, has_value: bool) -> Option<Expr> {
        let mut links = vec![first];
        while let Some(Expr::If(next)) =
            links.last().and_then(|link| link.else_branch.as_ref()).map(|(_, otherwise)| bare(otherwise))
        {
            links.push(next);
        }
        let mut behind: Option<Expr> = None;
        for link in links.into_iter().rev() {
            let found = self.item_matched(link);
            if found.is_none() && behind.is_none() {
                continue;
            }
            let ExprIf { attrs, if_token, cond, then_branch: then, else_branch } = link;
            let otherwise = match (else_branch, behind) {
                (Some((token, _)), Some(written)) => Some((*token, Box::new(written))),
                (otherwise, _) => otherwise.clone(),
            };
            let (attrs, if_token, cond, then_branch) = (attrs.clone(), *if_token, cond.clone(), then.clone());
            let mut written = ExprIf { attrs, if_token, cond, then_branch, else_branch: otherwise };
            let Some((item, element, pattern)) = found else {
                behind = Some(Expr::If(written));
                continue;
            };
            let (copy, span) = (self.fresh("copy", item.span()), item.span());
            let (named, place) = self.element_of(&element, span);
            *written.cond = parse_quote_spanned!(span=> let #pattern = &mut #copy);
            let body = Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block: then.clone() });
            let store = parse_quote_spanned!(then.span()=> *#place = #copy;);
            written.then_branch = super::block_of(&self.stored_behind(pattern, &body, &store, has_value));
            let within: Block = parse_quote_spanned!(span=> { #named let mut #copy = *#place; #written });
            behind = Some(in_braces(then.brace_token, within));
        }
        behind
    }

    /// An arm with the statement that stores behind it, before its value if that only reads.
    fn stored_behind(&mut self, pattern: &Pat, body: &Expr, store: &Stmt, has_value: bool) -> Expr {
        let span = body.span();
        if !has_value {
            return parse_quote_spanned!(span=> { #body; #store });
        }
        let (stmts, value) = match bare(body) {
            Expr::Block(ExprBlock { label: None, block, .. }) => match block.stmts.split_last() {
                Some((Stmt::Expr(value, None), stmts)) => (stmts, value),
                // Its value is `()`.
                _ => return parse_quote_spanned!(span=> { #body; #store }),
            },
            value => (&[][..], value),
        };
        if !writes(pattern, value) {
            return parse_quote_spanned!(span=> { #(#stmts)* #store #value });
        }
        let name = self.fresh("given", value.span());
        parse_quote_spanned!(span=> { #(#stmts)* let #name = #value; #store #name })
    }

    /// The element behind an item or a part of it, by a name that no pattern hides: what names it, and the name.
    fn element_of(&mut self, element: &Expr, span: Span) -> (Stmt, Ident) {
        let name = self.fresh("element", span);
        let named: Stmt = parse_quote_spanned!(span=> let #name = &mut #element;);
        (named, name)
    }

    /// The item that an `if let` is for, the place and the pattern, if it writes to parts of it.
    fn item_matched<'a>(&self, if_: &'a ExprIf) -> Option<(Ident, Expr, &'a Pat)> {
        let Expr::Let(ExprLet { pat, expr: value, .. }) = bare(&if_.cond) else { return None };
        let ((item, place), then) = (self.item_place(value)?, &if_.then_branch);
        let body: Expr = parse_quote!(#then);
        (writes(pat, &body) && may_go_back((pat, &body), &item, &place)).then_some((item, place, &**pat))
    }

    /// The item whose element, or part of it, patterns are for, and the place: `item`, `&mut item.field`, `item.field.as_mut()`.
    fn item_place(&self, value: &Expr) -> Option<(Ident, Expr)> {
        let place = match bare(value) {
            Expr::Reference(ExprReference { mutability: Some(_), expr, .. }) => bare(expr),
            Expr::MethodCall(call) if call.method == "as_mut" && call.args.is_empty() => bare(&call.receiver),
            name @ Expr::Path(_) => name,
            _ => return None,
        };
        match place {
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => Some((self.item(expr)?.clone(), place.clone())),
            Expr::Field(field) => Some((self.item(whole_chain(field).0)?.clone(), place.clone())),
            // `&mut x[i]`
            Expr::Index(index) if super::memory::range_of(index).is_none() => {
                Some((root(&index.expr)?.clone(), place.clone()))
            }
            name => {
                let item = self.item(name)?;
                Some((item.clone(), parse_quote_spanned!(item.span()=> *#item)))
            }
        }
    }
}

/// A block that has the place of braces which the user wrote, as lints ask for.
fn in_braces(brace_token: Brace, block: Block) -> Expr {
    Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block: Block { brace_token, ..block } })
}

/// Whether an expression writes to what a name of the pattern refers to.
fn writes(pattern: &Pat, body: &Expr) -> bool {
    struct Names<'e>(&'e Expr, bool);
    impl<'a> Visit<'a> for Names<'_> {
        fn visit_pat_ident(&mut self, name: &'a PatIdent) {
            self.1 |= changes_behind(self.0, &name.ident, true);
            visit::visit_pat_ident(self, name);
        }
    }
    let mut names = Names(body, false);
    names.visit_pat(pattern);
    names.1
}

/// Whether the copy can go back behind an arm: nothing leaves it before, and it has nothing to do with what the place is in.
fn may_go_back((pattern, body): (&Pat, &Expr), root: &Ident, place: &Expr) -> bool {
    const LEAVES: [&str; 3] = ["return", "break", "continue"];
    let (tokens, root) = (quote!(#body), root.to_string());
    let is_hidden = mentions(pattern.to_token_stream(), &root);
    (is_hidden || !touches(tokens.clone(), &root, field_of_root(place).as_ref()))
        && !LEAVES.iter().any(|word| mentions(tokens.clone(), word))
        && !body.to_token_stream().to_string().contains('?')
}

/// `x` of `x.a[i].b`
fn root(place: &Expr) -> Option<&Ident> {
    match bare(place) {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        _ => None,
    }
}

/// `a` of `x.a[i].b`, an element.
fn field_of_root(place: &Expr) -> Option<Ident> {
    match bare(place) {
        Expr::Field(ExprField { base, member: Member::Named(name), .. }) if matches!(bare(base), Expr::Path(_)) => {
            Some(name.clone())
        }
        Expr::Field(field) => field_of_root(&field.base),
        Expr::Index(index) => field_of_root(&index.expr),
        _ => None,
    }
}

/// Whether tokens may access a variable, but for other fields of it.
fn touches(tokens: TokenStream, root: &str, field: Option<&Ident>) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) if touches(group.stream(), root, field) => return true,
            TokenTree::Ident(name) if name == root => {
                let Some(field) = field else { return true };
                let is_field =
                    tokens.next_if(|token| matches!(token, TokenTree::Punct(point) if point.as_char() == '.'));
                let other = tokens.next_if(|token| matches!(token, TokenTree::Ident(other) if other != field));
                let is_method = matches!(
                    tokens.peek(),
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
                );
                if is_field.is_none() || other.is_none() || is_method {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}
