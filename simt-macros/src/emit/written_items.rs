//! Patterns through which parts of an element are written: `for o in x.iter_mut() { if let Some(v) = o { *v += 1; } }`.
//!
//! A variant's parts in memory have no names. So the pattern is for a copy, which goes back where an arm has written to it.

use super::at_once::{only_statements_write, reaches_memory, with_stores};
use super::captured::{changes_behind, passes_on};
use super::closure::Is;
use super::fields::whole_chain;
use super::in_parts::names_of;
use super::jump::expr_always_jumps;
use super::stored::before_jumps;
use super::{Emitter, bare};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote;
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprBlock, ExprField, ExprGroup, ExprIf, ExprLet, ExprMatch, ExprParen,
    ExprReference, ExprUnary, Ident, LocalInit, Member, Pat, PatIdent, Path, Stmt, UnOp, parse_quote,
    parse_quote_spanned,
};

/// How many `let .. else` may be around what is behind them: more would nest too deep, and take a time that grows with the square
/// of the text.
const DEEPEST: usize = 8;

impl Emitter<'_> {
    /// An `if let` or a `match` for an item or for `&mut x[i]`, as one for a copy, if it writes to parts of it. `has_value` says
    /// whether its value is used.
    pub(super) fn written_item(&mut self, expr: &Expr, has_value: bool) -> Option<Expr> {
        match bare(expr) {
            Expr::If(if_) => self.written_chain(if_, has_value),
            Expr::Match(match_) => {
                let item = self.item_place(&match_.expr)?;
                let written = |pattern: &Pat, body: &Expr| writes(pattern, body, item.passed);
                let mut arms = match_.arms.clone();
                if !arms.iter().any(|arm| written(&arm.pat, &arm.body)) {
                    return None;
                }
                let (copy, span) = (self.fresh("copy", item.name.span()), item.name.span());
                let (named, place) = self.element_of(&item.place, span);
                for arm in arms.iter_mut().filter(|arm| written(&arm.pat, &arm.body)) {
                    let store = parse_quote_spanned!(arm.body.span()=> *#place = #copy;);
                    *arm.body = self.stored_behind(&item, &arm.pat, &arm.body, &store, has_value)?;
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
            let body = Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block: then.clone() });
            let stored = found.and_then(|(item, pattern)| {
                let (copy, span) = (self.fresh("copy", item.name.span()), item.name.span());
                let (named, element) = self.element_of(&item.place, span);
                let store = parse_quote_spanned!(then.span()=> *#element = #copy;);
                let then = self.stored_behind(&item, pattern, &body, &store, has_value)?;
                *first_of(&mut written.cond) = parse_quote_spanned!(span=> let #pattern = &mut #copy);
                Some((named, copy, element, then))
            });
            let Some((named, copy, place, then_branch)) = stored else {
                behind = Some(Expr::If(written));
                continue;
            };
            let span = copy.span();
            written.then_branch = super::block_of(&then_branch);
            let within: Block = parse_quote_spanned!(span=> { #named let mut #copy = *#place; #written });
            behind = Some(in_braces(then.brace_token, within));
        }
        behind
    }

    /// An arm with the statement that stores behind it, before its value if that only reads, and before its jumps; or behind
    /// each statement that writes, where the arm may reach the place otherwise, or a jump is within an expression.
    fn stored_behind(
        &mut self,
        item: &Item,
        pattern: &Pat,
        body: &Expr,
        store: &Stmt,
        has_value: bool,
    ) -> Option<Expr> {
        let (span, names, mut left) = (body.span(), names_of(pattern), body.clone());
        let name = self.fresh("given", span);
        let at_end = before_jumps(&mut left, store, &name);
        if at_end && !reaches_memory(body, &names) {
            return Some(self.stored_at_end(pattern, &left, store, has_value));
        }
        if may_go_back_at_once((pattern, body), item) {
            return Some(with_stores(body, Some(store), &|written| writes(pattern, written, item.passed)));
        }
        let is_untouched = at_end && may_go_back((pattern, body), item);
        is_untouched.then(|| self.stored_at_end(pattern, &left, store, has_value))
    }

    fn stored_at_end(&mut self, pattern: &Pat, body: &Expr, store: &Stmt, has_value: bool) -> Expr {
        let span = body.span();
        if expr_always_jumps(body) {
            return body.clone();
        }
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
        if !writes(pattern, value, false) {
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

    /// The item that an `if let` is for and the pattern, if it writes to parts of it. Conditions may stand behind it.
    fn item_matched<'a>(&self, if_: &'a ExprIf) -> Option<(Item, &'a Pat)> {
        let mut condition = bare(&if_.cond);
        let mut behind = Vec::new();
        while let Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) = condition {
            behind.push(&**right);
            condition = bare(left);
        }
        let Expr::Let(ExprLet { pat, expr: value, .. }) = condition else { return None };
        let (item, then) = (self.item_place(value)?, &if_.then_branch);
        let body: Expr = parse_quote!(#then);
        let is_stored = writes(pat, &body, item.passed)
            && may_be_stored((pat, &body), &item)
            && !behind.iter().any(|condition| writes(pat, condition, item.passed));
        is_stored.then_some((item, &**pat))
    }

    /// `let Some(v) = item else { .. };` and what is behind it, if that writes to parts of the item: as an `if let` around it.
    pub(super) fn rest_behind(&self, statements: &[Stmt]) -> Option<Expr> {
        let (Stmt::Local(local), rest) = statements.split_first().filter(|_| self.rests < DEEPEST)? else {
            return None;
        };
        let LocalInit { expr: value, diverge: Some((_, otherwise)), .. } = local.init.as_ref()? else { return None };
        let (item, pattern) = (self.item_place(value)?, &local.pat);
        let body: Expr = parse_quote!({ #(#rest)* });
        if !writes(pattern, &body, item.passed) || !may_be_stored((pattern, &body), &item) {
            return None;
        }
        let span = local.let_token.span;
        Some(parse_quote_spanned!(span=> if let #pattern = #value #body else #otherwise))
    }

    /// The item whose element, or part of it, patterns are for, and the place: `item`, `&mut item.field`, `item.field.as_mut()`.
    fn item_place(&self, value: &Expr) -> Option<Item> {
        let (place, passed) = match bare(value) {
            Expr::Reference(ExprReference { mutability: Some(_), expr, .. }) => (bare(expr), true),
            Expr::MethodCall(call) if call.method == "as_mut" && call.args.is_empty() => (bare(&call.receiver), true),
            name @ Expr::Path(_) => (name, self.is_written_item(name)),
            _ => return None,
        };
        let (name, place) = match place {
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => (self.item(expr)?, place.clone()),
            Expr::Field(field) => match bare(whole_chain(field).0) {
                // `&mut x[i].field`
                Expr::Index(index) if super::memory::range_of(index).is_none() => (root(&index.expr)?, place.clone()),
                whole => (self.item(whole)?, place.clone()),
            },
            // `&mut x[i]`
            Expr::Index(index) if super::memory::range_of(index).is_none() => (root(&index.expr)?, place.clone()),
            name => {
                let item = self.item(name)?;
                (item, parse_quote_spanned!(item.span()=> *#item))
            }
        };
        let of = match self.meaning(name) {
            Some(Is::Item { of, .. }) => of.clone(),
            _ => None,
        };
        Some(Item { name: name.clone(), place, passed, of })
    }
}

/// What patterns are for: an element, or a part of one.
struct Item {
    /// The name that it begins with.
    name: Ident,
    place: Expr,
    /// Whether what the names of a pattern are passed to may write there: it is a `&mut` for certain.
    passed: bool,
    /// What the name is a reference to, if a `let` says it.
    of: Option<(Ident, Option<Ident>)>,
}

/// The first link of a condition.
fn first_of(condition: &mut Expr) -> &mut Expr {
    let mut first = condition;
    loop {
        first = match first {
            Expr::Binary(ExprBinary { left, op: BinOp::And(_), .. }) => left,
            Expr::Paren(ExprParen { expr, .. }) | Expr::Group(ExprGroup { expr, .. }) => expr,
            first => return first,
        };
    }
}

/// A block that has the place of braces which the user wrote, as lints ask for.
fn in_braces(brace_token: Brace, block: Block) -> Expr {
    Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block: Block { brace_token, ..block } })
}

/// Whether an expression writes to what a name of the pattern refers to, or may, as it is `passed` on.
fn writes(pattern: &Pat, body: &Expr, passed: bool) -> bool {
    struct Names<'e> {
        body: &'e Expr,
        passed: bool,
        found: bool,
    }
    impl<'a> Visit<'a> for Names<'_> {
        fn visit_pat_ident(&mut self, name: &'a PatIdent) {
            self.found |= changes_behind(self.body, &name.ident, true);
            self.found |= self.passed && passes_on(self.body, &name.ident);
            visit::visit_pat_ident(self, name);
        }
    }
    let mut names = Names { body, passed, found: false };
    names.visit_pat(pattern);
    names.found
}

/// Whether the copy can go back behind an arm: it has nothing to do with what the place is in.
fn may_go_back((pattern, body): (&Pat, &Expr), item: &Item) -> bool {
    let may_touch = |root: &Ident, field: Option<&Ident>| {
        let root = root.to_string();
        !names_of(pattern).contains(&root) && touches(quote!(#body), &root, field)
    };
    let of = item.of.as_ref().is_some_and(|(root, field)| may_touch(root, field.as_ref()));
    !of && !may_touch(&item.name, field_of_root(&item.place).as_ref())
}

/// Whether the copy can go back somewhere.
fn may_be_stored((pattern, body): (&Pat, &Expr), item: &Item) -> bool {
    may_go_back((pattern, body), item) || may_go_back_at_once((pattern, body), item)
}

/// Whether the copy can go back behind each write. Other parts of a struct or a tuple may be written meanwhile, and a variant's
/// may not.
fn may_go_back_at_once((pattern, body): (&Pat, &Expr), item: &Item) -> bool {
    let names = names_of(pattern);
    (is_of_variant(pattern) || !reaches_memory(body, &names))
        && only_statements_write(body, &names, &|written| writes(pattern, written, item.passed))
}

/// Whether a pattern is a name, or one of a variant: `Some(v)`, `State::Ready { left, .. }`.
fn is_of_variant(pattern: &Pat) -> bool {
    let is_variant = |path: &Path| {
        let of_std = path.get_ident().is_some_and(|name| ["Some", "Ok", "Err"].iter().any(|known| name == known));
        of_std || super::literal::of_type(path).is_some()
    };
    match pattern {
        Pat::Ident(name) => name.subpat.is_none(),
        Pat::Paren(paren) => is_of_variant(&paren.pat),
        Pat::Or(or) => or.cases.iter().all(is_of_variant),
        Pat::TupleStruct(tuple) => is_variant(&tuple.path),
        Pat::Struct(of) => is_variant(&of.path),
        _ => false,
    }
}

/// `x` and `a` of `x.a[i].b`
pub(super) fn origin(place: &Expr) -> Option<(Ident, Option<Ident>)> {
    Some((root(place)?.clone(), field_of_root(place)))
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
