//! Assignments, to names and to elements.

use super::fields::Element;
use super::value::right_side;
use super::{Emitter, bare, scope};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::borrow::Cow;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, ExprAssign, ExprBinary, ExprUnary, UnOp, parse_quote_spanned};

/// The target of an assignment.
pub(super) enum Target<'a> {
    /// A variable, or a field of one.
    Name(TokenStream),
    Element(Element<'a>),
}

const NO_TARGET: &str = "a kernel assigns to a variable, `x = ..`, or to an element, `a[i] = ..`";

impl Emitter<'_> {
    /// As in Rust, the value is evaluated before an index.
    pub(super) fn assign(&mut self, assign: &ExprAssign) -> TokenStream {
        if let Expr::Infer(_) = &*assign.left {
            let value = self.value(&assign.right);
            let call = self.call(assign, "evaluate", assign.eq_token.span, &value);
            return quote!(#call;);
        }
        if let Some(block) = self.taken_apart(assign) {
            return self.block(&block);
        }
        if let Expr::Tuple(tuple) = bare(&assign.left) {
            return self.assign_tuple(assign, tuple);
        }
        if let given @ (Expr::Call(_) | Expr::MethodCall(_)) = bare(&assign.left) {
            self.report.error(given, NO_TARGET);
            return TokenStream::new();
        }
        let (symbol, place) = (assign.eq_token.span, self.spans.place(assign));
        if let Some(inserted) = inserted(&assign.left, &assign.right, &assign.eq_token.to_token_stream()) {
            return self.block(&inserted);
        }
        if let Some((declared, settled)) = self.settled(&assign.left).or_else(|| self.resulting(&assign.left)) {
            let right = self.placed(&assign.right);
            let (kept, value) = (self.fresh("value", symbol), self.held(&right));
            let Some(Target::Element(element)) = self.assigned(&settled) else { return quote!() };
            let store = self.store_element(&place, symbol, element, &quote!(#kept));
            return scope(symbol, quote_spanned!(symbol=> let #kept = #value; #declared #store;));
        }
        let right = match self.known.is_scalar(&assign.left) {
            true => Cow::Borrowed(&*assign.right),
            false => self.placed(&assign.right),
        };
        let call = match self.assigned(&assign.left) {
            Some(Target::Name(name)) => {
                let value = self.value(&right);
                self.call_at(&place, "assign", symbol, &quote!(#name, #value))
            }
            Some(Target::Element(element)) => {
                let value = self.value_before_all(&right, element.indices());
                self.store_element(&place, symbol, element, &value)
            }
            None => self.value(&assign.right),
        };
        quote!(#call;)
    }

    /// `x op= v` is `x = x op v`, where `x` is read behind `v`; of `a[i] op= v` the index is evaluated once.
    pub(super) fn compound_assign(&mut self, binary: &ExprBinary) -> TokenStream {
        let Some((method, at_method)) = compound_methods(&binary.op) else {
            return self.unsupported(&binary.right);
        };
        let (symbol, place) = (first_span(&binary.op), self.spans.place(binary));
        if let Some(inserted) = inserted(&binary.left, &binary.right, &binary.op.to_token_stream()) {
            return self.block(&inserted);
        }
        let is_scalar = self.known.is_scalar(&binary.left);
        if is_scalar && is_arithmetic(&binary.op) && is_comparison(&binary.right) {
            let right = &binary.right;
            let message = "a comparison is a `bool`: write `(a < b) as u32`, as the type of what it is added to";
            self.report.error(right, message);
            return TokenStream::new();
        }
        let right = if is_scalar { right_side(binary) } else { Cow::Borrowed(&*binary.right) };
        if let Some((declared, settled)) = self.settled(&binary.left).or_else(|| self.resulting(&binary.left)) {
            let (kept, value) = (self.fresh("value", symbol), self.held(&right));
            let Some(Target::Element(element)) = self.assigned(&settled) else { return quote!() };
            let operands = (&quote!(#kept), &*right);
            let overloaded = match is_scalar {
                true => None,
                false => self.overloaded_update(&place, method, symbol, &element, operands),
            };
            let update = overloaded
                .unwrap_or_else(|| self.update_element(&place, symbol, element, (method, at_method), operands.0));
            return scope(symbol, quote_spanned!(symbol=> let #kept = #value; #declared #update;));
        }
        let call = match self.assigned(&binary.left) {
            Some(Target::Name(name)) if !is_scalar => {
                let value = self.value(&right);
                self.overloaded_assign(&place, method, symbol, &name, (&value, &right))
            }
            Some(Target::Name(name)) => {
                let value = self.value(&right);
                let value = self.call_at(&place, method, symbol, &quote!(#name, #value));
                self.call_at(&place, "assign", symbol, &quote!(#name, #value))
            }
            Some(Target::Element(element)) => {
                let value = self.value_before_all(&right, element.indices());
                if !is_scalar
                    && let Some(update) = self.overloaded_update(&place, method, symbol, &element, (&value, &right))
                {
                    return quote!(#update;);
                }
                self.update_element(&place, symbol, element, (method, at_method), &value)
            }
            None => self.value(&right),
        };
        quote!(#call;)
    }

    pub(super) fn assigned<'a>(&mut self, target: &'a Expr) -> Option<Target<'a>> {
        match bare(target) {
            name @ Expr::Path(path) => {
                if self.reference_named(name).is_some() {
                    let name = path.to_token_stream();
                    self.report.error(path, format_args!("this is a reference: write `*{name}`"));
                    return None;
                }
                if self.item(name).is_some() {
                    let name = path.to_token_stream();
                    let message = format!(
                        "this is an item or a reference: write `*{name}` for what it refers to, or `mut {name}` in the pattern"
                    );
                    self.report.error(path, message);
                    return None;
                }
                if let Some(title) = self.table_name(name) {
                    let message = format!(
                        "`{title}` is no variable of a thread: what threads write is passed to them, as `&mut [T]`, or as `&AtomicU32`"
                    );
                    self.report.error(path, message);
                    return None;
                }
                Some(Target::Name(name.to_token_stream()))
            }
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) if let Some(name) = self.item(expr) => {
                Some(Target::Element(self.element_behind(name)))
            }
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) if self.reference_named(bare(expr)).is_some() => {
                Some(Target::Name(bare(expr).to_token_stream()))
            }
            element @ (Expr::Field(_) | Expr::Index(_)) => {
                let mistakes = self.report.len();
                if let Some(element) = self.element(element) {
                    return Some(Target::Element(element));
                }
                let place = match element {
                    Expr::Field(field) => self.field_place(field),
                    _ => None,
                };
                if place.is_none() && self.report.len() == mistakes {
                    self.report.error(element, NO_TARGET);
                }
                place.map(Target::Name)
            }
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) if self.kernel.is_refused(bare(expr)) => None,
            // Only rustc knows whether the name is that of a reference to an element.
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. })
                if let Expr::Path(path) = bare(expr)
                    && !self.known.is_scalar(expr)
                    && let Some(name) = path.path.get_ident() =>
            {
                Some(Target::Element(self.element_behind(name)))
            }
            other => {
                self.report.error(other, NO_TARGET);
                None
            }
        }
    }
}

/// `*o.get_or_insert(v) += new`: the value of the option, once it has one.
fn inserted(left: &Expr, right: &Expr, op: &TokenStream) -> Option<Block> {
    let Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) = bare(left) else { return None };
    let Expr::MethodCall(call) = bare(expr) else { return None };
    let inserts = ["get_or_insert", "get_or_insert_with"].iter().any(|name| call.method == name);
    if !inserts || call.args.len() != 1 {
        return None;
    }
    let (option, span) = (&call.receiver, call.method.span());
    Some(parse_quote_spanned! {span=> {
        let __new = #right;
        let _ = #call;
        if let Some(__value) = &mut #option {
            *__value #op __new;
        }
    }})
}

pub(super) fn is_compound(op: &BinOp) -> bool {
    compound_methods(op).is_some()
}

fn compound_methods(op: &BinOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinOp::AddAssign(_) => ("add", "add_at"),
        BinOp::SubAssign(_) => ("sub", "sub_at"),
        BinOp::MulAssign(_) => ("mul", "mul_at"),
        BinOp::DivAssign(_) => ("div", "div_at"),
        BinOp::RemAssign(_) => ("rem", "rem_at"),
        BinOp::BitAndAssign(_) => ("bit_and", "bit_and_at"),
        BinOp::BitOrAssign(_) => ("bit_or", "bit_or_at"),
        BinOp::BitXorAssign(_) => ("bit_xor", "bit_xor_at"),
        BinOp::ShlAssign(_) => ("shl", "shl_at"),
        BinOp::ShrAssign(_) => ("shr", "shr_at"),
        _ => return None,
    })
}

/// The operator's span; on stable Rust, of its first character.
fn first_span(op: &BinOp) -> Span {
    op.to_token_stream().span()
}

fn is_arithmetic(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_) | BinOp::RemAssign(_)
    )
}

fn is_comparison(expr: &Expr) -> bool {
    use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(bare(expr), Expr::Binary(binary) if matches!(binary.op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_)))
}
