//! Elements that are found to be written: `x.iter_mut().find(|e| ..)` is `x.get_mut(n)` of the found element's number, and
//! `for v in x.iter_mut().flatten()` a loop over options with an `if let` in it.

use crate::emit::{bare, operator_name};
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, ExprForLoop, ExprMethodCall, ItemFn, Pat, PatIdent, parse_quote_spanned};

/// Writes them out.
pub(crate) fn spelled(function: &mut ItemFn) {
    Spell.visit_block_mut(&mut function.block);
}

struct Spell;

impl VisitMut for Spell {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::MethodCall(call) = expr {
            from_behind(call);
            if let Some(found) = by_number(call) {
                *expr = found;
            }
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_expr_for_loop_mut(&mut self, for_: &mut ExprForLoop) {
        if let Some(items) = flattened(&for_.expr) {
            let (span, item) = (for_.for_token.span, Ident::new("optional", Span::mixed_site()));
            let (pattern, body) = (&for_.pat, &for_.body);
            for_.body = parse_quote_spanned!(span=> { if let Some(#pattern) = #item #body });
            *for_.pat =
                Pat::Ident(PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident: item, subpat: None });
            *for_.expr = Expr::MethodCall(items);
        }
        visit_mut::visit_expr_for_loop_mut(self, for_);
    }
}

/// `x.iter_mut()` of `x.iter_mut().flatten()`
fn flattened(expr: &Expr) -> Option<ExprMethodCall> {
    let Expr::MethodCall(call) = bare(expr) else { return None };
    let items = receiver_of(call).filter(|items| takes_some(call) && !has_options(items))?;
    changed(items).map(|_| items.clone())
}

/// `.rev().find(|e| ..)` for `.rfind(|e| ..)` of an iterator. What has no closure may be a method of the user's.
fn from_behind(call: &mut ExprMethodCall) {
    let is_closure = call.args.len() == 1 && matches!(bare(&call.args[0]), Expr::Closure(_));
    if call.method == "rfind" && is_closure && receiver_of(call).is_some() {
        let (span, receiver) = (call.method.span(), &call.receiver);
        *call.receiver = parse_quote_spanned!(span=> #receiver.rev());
        call.method = Ident::new("find", span);
    }
}

/// `x.get_mut(n)` for a call that ends an iterator of `&mut` in one of them.
fn by_number(call: &ExprMethodCall) -> Option<Expr> {
    let ends = matches!(
        (call.method.to_string().as_str(), call.args.len()),
        ("find" | "max_by_key" | "min_by_key" | "max_by" | "min_by" | "nth", 1) | ("last" | "next", 0)
    );
    let receiver = receiver_of(call).filter(|_| ends)?;
    let memory = changed(receiver)?;
    let (span, number) = (call.method.span(), Ident::new("number", Span::mixed_site()));
    let get = Ident::new(if has_options(receiver) { "__get_some_mut" } else { "get_mut" }, span);
    let numbered = numbered(call)?;
    Some(parse_quote_spanned!(span=> #memory.#get(#numbered.map_or(#memory.len(), |(#number, _)| #number))))
}

/// Whether the items are what is in options.
fn has_options(call: &ExprMethodCall) -> bool {
    takes_some(call) || receiver_of(call).is_some_and(has_options)
}

/// `flatten()`, `filter_map(|o| o.as_mut())`, `filter_map(Option::as_mut)`
fn takes_some(call: &ExprMethodCall) -> bool {
    match (call.method.to_string().as_str(), call.args.first().map(bare)) {
        ("flatten", None) => true,
        ("filter_map", Some(Expr::Path(path))) => path.path.segments.last().is_some_and(|last| last.ident == "as_mut"),
        ("filter_map", Some(Expr::Closure(closure))) => {
            let (Some(Pat::Ident(name)), Expr::MethodCall(call)) = (closure.inputs.first(), bare(&closure.body)) else {
                return false;
            };
            let of_name = matches!(bare(&call.receiver), Expr::Path(path) if path.path.is_ident(&name.ident));
            of_name && call.method == "as_mut" && call.args.is_empty()
        }
        _ => false,
    }
}

fn receiver_of(call: &ExprMethodCall) -> Option<&ExprMethodCall> {
    match bare(&call.receiver) {
        Expr::MethodCall(inner) => Some(inner),
        _ => None,
    }
}

/// The `x` of `x.iter_mut()`, and of what chooses among its items, if it has a name.
fn changed(call: &ExprMethodCall) -> Option<&Expr> {
    match (call.method.to_string().as_str(), call.args.len()) {
        ("iter_mut", 0) => Some(&*call.receiver).filter(|memory| is_place(memory)),
        ("rev", 0) | ("skip" | "take" | "step_by" | "filter", 1) => changed(receiver_of(call)?),
        _ if takes_some(call) => changed(receiver_of(call)?).filter(|_| !receiver_of(call).is_some_and(has_options)),
        _ => None,
    }
}

/// Whether an expression is a place that can stand twice.
fn is_place(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr) && is_pure(&index.index),
        _ => false,
    }
}

/// Whether an index has the same value where it stands twice, and does nothing.
fn is_pure(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_pure(&field.base),
        Expr::Cast(cast) => is_pure(&cast.expr),
        Expr::Binary(binary) => operator_name(&binary.op).is_some() && is_pure(&binary.left) && is_pure(&binary.right),
        Expr::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|end| is_pure(end)),
        _ => false,
    }
}

/// The chain with the number of each item beside it.
fn numbered(call: &ExprMethodCall) -> Option<Expr> {
    let (span, receiver) = (call.method.span(), &call.receiver);
    if call.method == "iter_mut" {
        let method = Ident::new("iter", span);
        return Some(parse_quote_spanned!(span=> #receiver.#method().enumerate()));
    }
    let mut call = call.clone();
    *call.receiver = numbered(receiver_of(&call)?)?;
    if takes_some(&call) {
        let [number, option, value] = ["number", "option", "value"].map(|name| Ident::new(name, Span::mixed_site()));
        let receiver = &call.receiver;
        let some = quote_spanned!(span=> |(#number, #option)| #option.map(|#value| (#number, #value)));
        return Some(parse_quote_spanned!(span=> #receiver.filter_map(#some)));
    }
    for argument in &mut call.args {
        if let Expr::Closure(closure) = argument {
            beside_number(closure)?;
        } else if matches!(
            call.method.to_string().as_str(),
            "find" | "filter" | "max_by_key" | "min_by_key" | "max_by" | "min_by"
        ) {
            return None;
        }
    }
    Some(Expr::MethodCall(call))
}

/// `|(_, e)| ..` for `|e| ..`
fn beside_number(closure: &mut ExprClosure) -> Option<()> {
    for input in &mut closure.inputs {
        let name = match &*input {
            Pat::Type(typed) => &*typed.pat,
            name => name,
        };
        let span = input.span();
        let numbered: ExprClosure = match name {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                parse_quote_spanned!(span=> |(_, #name)| ())
            }
            Pat::Wild(_) => parse_quote_spanned!(span=> |(_, _)| ()),
            _ => return None,
        };
        *input = numbered.inputs.into_iter().next()?;
    }
    Some(())
}
