//! Expressions that have a value.

use super::{Emitter, bare, collective, number, options};
use crate::unsupported;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use std::borrow::Cow;
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprBinary, ExprCast, ExprIndex, ExprLit, ExprPath, ExprReference, ExprUnary, Lit, LitInt, Type, UnOp,
};

impl Emitter<'_> {
    /// An expression that the builder takes as a value: a call of it, a name, or a literal.
    pub(super) fn value(&mut self, expr: &Expr) -> TokenStream {
        if let Some(chain) = self.chain(expr) {
            return chain;
        }
        match expr {
            Expr::Paren(paren) => self.value(&paren.expr),
            Expr::Group(group) => self.value(&group.expr),
            Expr::Lit(literal) => self.literal(literal),
            Expr::Path(path) => self.named(path),
            // A constant of the host, as names from outside the kernel are.
            Expr::Const(constant) => constant.to_token_stream(),
            // The host computes it, of the type that it gets here.
            Expr::Binary(_) | Expr::Unary(_) if is_float_constant(expr) => expr.to_token_stream(),
            Expr::Unary(unary) => self.unary(expr, unary),
            Expr::Binary(binary) => self.binary(expr, binary),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Index(index) => self.index(index),
            Expr::Call(call) => self.function_call(call),
            Expr::Macro(call) => self.macro_value(&call.mac),
            Expr::Field(field) => self.tuple_field(field).unwrap_or_else(|| self.field(field)),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => {
                let k = self.builder.at(tuple.paren_token.span.open());
                quote!(#k.unit())
            }
            Expr::Tuple(tuple) => self.tuple_value(tuple),
            Expr::MethodCall(method) => self.method(method),
            Expr::Struct(literal) => self.struct_value(literal),
            Expr::Array(_) | Expr::Repeat(_) => self.array_value(expr),
            Expr::If(_) | Expr::Match(_) | Expr::Loop(_) | Expr::Block(_) => self.typed_value(expr, None),
            Expr::Range(range) => self.range_value(range),
            Expr::Reference(reference) => self.carried(reference),
            Expr::Try(try_) => self.try_(try_),
            Expr::Return(return_) => self.return_(return_),
            Expr::Break(break_) => self.break_(break_),
            Expr::Continue(continue_) => self.continue_(continue_),
            _ => self.unsupported(expr),
        }
    }

    fn named(&mut self, path: &ExprPath) -> TokenStream {
        if let Some(constant) = self.constant_of_type(path) {
            return constant;
        }
        if path.qself.is_none() && options::is_none(&path.path) {
            return self.none(&path.path);
        }
        if path.qself.is_none()
            && let Some(message) = unsupported::name(&path.path)
        {
            self.report.error(path, message);
            return quote!(());
        }
        let Some(ident) = path.path.get_ident() else { return name(path) };
        if self.closure_named(ident).is_some() {
            let message = "a closure is called, `f(x)`, or passed to a device function that takes one, `f: impl Fn(u32) -> u32`: it is no other value";
            self.report.error(path, message);
            return quote!(());
        }
        let is_function = number::is_number(ident) || collective::find(ident).is_some();
        if is_function && !self.kernel.binds(ident) {
            self.report.error(path, format_args!("`{ident}` is a function of the machine: write `{ident}(..)`"));
            return quote!(());
        }
        name(path)
    }

    pub(super) fn literal(&mut self, literal: &ExprLit) -> TokenStream {
        match &literal.lit {
            Lit::Int(_) | Lit::Float(_) | Lit::Bool(_) | Lit::Byte(_) | Lit::ByteStr(_) => {}
            Lit::Char(_) => {
                self.report.error(literal, "a kernel has no `char`: write a byte, `b'a'`, or its number, `'a' as u32`");
            }
            _ => self.report.error(literal, "a kernel has no strings: write numbers"),
        }
        literal.lit.to_token_stream()
    }

    fn unary(&mut self, expr: &Expr, unary: &ExprUnary) -> TokenStream {
        let (method, symbol) = match &unary.op {
            // The least integer has no positive counterpart, so the sign belongs to the literal.
            UnOp::Neg(minus) if is_number(&unary.expr) => {
                let literal = bare(&unary.expr);
                return quote!(#minus #literal);
            }
            UnOp::Neg(minus) => ("neg", minus.span),
            UnOp::Not(not) => ("not", not.span),
            UnOp::Deref(star) if let Some(name) = self.item(&unary.expr) => {
                let may_be_value = self.is_seen_item(&unary.expr) || self.is_given_item(&unary.expr);
                let method = if may_be_value { "behind_seen" } else { "behind" };
                return self.call(unary, method, star.span, &quote!(#name));
            }
            UnOp::Deref(_) if self.reference_named(bare(&unary.expr)).is_some() => return self.value(&unary.expr),
            UnOp::Deref(_) if self.may_be_reference(&unary.expr) => return self.value(&unary.expr),
            UnOp::Deref(_) if self.twice_referred(&unary.expr) => return self.value(&unary.expr),
            UnOp::Deref(_) if let Expr::Reference(ExprReference { mutability: None, expr, .. }) = bare(&unary.expr) => {
                return self.value(expr);
            }
            UnOp::Deref(_) if !self.is_of_function(&unary.expr) && self.is_behind_value(&unary.expr) => {
                return self.value(&unary.expr);
            }
            UnOp::Deref(_) if self.kernel.is_refused(bare(&unary.expr)) => return quote!(()),
            // Only rustc knows whether it is a reference.
            UnOp::Deref(star)
                if !self.known.is_scalar(&unary.expr)
                    && matches!(
                        bare(&unary.expr),
                        Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Field(_) | Expr::Try(_)
                    ) =>
            {
                let value = self.value(&unary.expr);
                let starred = self.call(unary, "starred", star.span, &value);
                return quote_spanned!(star.span=> #starred.read());
            }
            UnOp::Deref(_) => {
                // What is wrong inside says more: `*x.last().unwrap()`.
                let mistakes = self.report.len();
                self.value(&unary.expr);
                return if self.report.len() > mistakes { quote!(()) } else { self.unsupported(expr) };
            }
            _ => return self.unsupported(expr),
        };
        let value = self.value(&unary.expr);
        if self.known.is_scalar(&unary.expr) {
            return self.call(unary, method, symbol, &value);
        }
        let place = self.spans.place(unary);
        self.overloaded_unary(&place, method, symbol, &value)
    }

    fn binary(&mut self, expr: &Expr, binary: &ExprBinary) -> TokenStream {
        let Some(method) = method(&binary.op) else { return self.unsupported(expr) };
        let symbol = binary.op.to_token_stream().span();
        let place = self.spans.place(binary);
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            // The builder knows the left side when the right one is built: it may need an `if`.
            let left = self.value(&binary.left);
            let left = self.call(&binary.left, "left", symbol, &left);
            let right = self.value(&binary.right);
            return self.call_at(&place, method, symbol, &quote!(#left, #right));
        }
        if let Some(compared) = self.compared_slices(binary, &place) {
            return compared;
        }
        let (left_is, right_is) = (behind(&binary.left), behind(&binary.right));
        let left = self.value_before(left_is, right_is);
        let is_scalars = match is_comparison(&binary.op) {
            true if options::is_given(left_is) || options::is_given(right_is) => false,
            true => self.known.is_scalar(left_is) || self.known.is_scalar(right_is),
            false => self.known.is_scalar(left_is) && self.known.is_scalar(right_is),
        };
        if is_scalars {
            let right = self.value(behind(&right_side(binary)));
            return self.call_at(&place, method, symbol, &quote!(#left, #right));
        }
        let right = self.value(right_is);
        self.overloaded(&place, method, symbol, (&left, left_is), (&right, right_is))
    }

    fn cast(&mut self, cast: &ExprCast) -> TokenStream {
        let ty = &cast.ty;
        if self.kernel.is_type_parameter(ty) {
            // Each number type casts to each, so that it needs no bound.
            let value = self.value(&cast.expr);
            let types = quote_spanned!(cast.as_token.span=> #ty, _);
            let place = self.spans.place(cast);
            return self.call_typed(&place, "cast_number", cast.as_token.span, &types, &value);
        }
        // Rust gives an unsuffixed literal the type of the cast; so the host casts it.
        if let literal @ Expr::Lit(ExprLit { lit: Lit::Char(_), .. }) = bare(&cast.expr) {
            let as_token = &cast.as_token;
            return quote!((#literal #as_token #ty));
        }
        if let Type::Path(path) = crate::item::bare(ty)
            && path.path.is_ident("char")
        {
            self.report.error(ty, "a kernel has no `char`: write a byte, `x as u8`, which compares with `b'a'`");
            return quote!(());
        }
        let mut value = self.value(&cast.expr);
        if is_unsuffixed(&cast.expr) {
            let as_token = &cast.as_token;
            if !is_half(ty) {
                return quote!((#value #as_token #ty));
            }
            // Types of a crate, to which the host cannot cast.
            value = quote!((#value #as_token ::core::primitive::f64));
        }
        let place = self.spans.place(cast);
        // Where there is no such cast, rustc points at the place of the type that it inferred.
        let from = quote_spanned!(place.extent.first=> _);
        self.call_typed(&place, "cast", cast.as_token.span, &quote!(#ty, #from), &value)
    }

    fn index(&mut self, index: &ExprIndex) -> TokenStream {
        if super::memory::range_of(index).is_some() {
            return self.unsupported(&index.index);
        }
        let (expr, symbol) = (Expr::Index(index.clone()), index.bracket_token.span.open());
        let place = self.spans.place(index);
        if let Some((declared, settled)) = self.settled(&expr) {
            let element = self.value(&settled);
            return quote!({ #declared #element });
        }
        match self.element(&expr) {
            Some(element) => self.load_element(&place, symbol, element),
            None => quote!(()),
        }
    }
}

/// A name of the kernel's, or a constant of the host's. `usize::MAX` is the device's, whose `usize` has 32 bits.
pub(super) fn name(path: &ExprPath) -> TokenStream {
    let mut segments = path.path.segments.iter();
    if let (Some(ty), Some(limit), None) = (segments.next(), segments.next(), segments.next())
        && path.qself.is_none()
        && matches!(limit.ident.to_string().as_str(), "MIN" | "MAX" | "BITS")
    {
        let machine = match ty.ident.to_string().as_str() {
            "usize" => "u32",
            "isize" => "i32",
            _ => return path.to_token_stream(),
        };
        let machine = proc_macro2::Ident::new(machine, ty.ident.span());
        let constant = quote!(::core::primitive::#machine::#limit);
        return if limit.ident == "BITS" { constant } else { quote!((#constant as ::core::primitive::#ty)) };
    }
    path.to_token_stream()
}

/// An operand without a `&`, by which an operator takes what is behind it.
pub(super) fn behind(operand: &Expr) -> &Expr {
    match bare(operand) {
        Expr::Reference(reference) if reference.mutability.is_none() => behind(&reference.expr),
        _ => operand,
    }
}

/// The right side of an operator. The count of a shift may be an integer of any type, and of a literal the type is not known
/// before rustc has seen the whole kernel; until then it checks, at each call, all literals before. So the literal gets the
/// type that Rust falls back to.
pub(super) fn right_side(binary: &ExprBinary) -> Cow<'_, Expr> {
    let is_shift = matches!(binary.op, BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_));
    match bare(&binary.right) {
        Expr::Lit(ExprLit { lit: Lit::Int(int), attrs }) if is_shift && int.suffix().is_empty() => {
            let lit = Lit::Int(LitInt::new(&format!("{int}i32"), int.span()));
            Cow::Owned(Expr::Lit(ExprLit { lit, attrs: attrs.clone() }))
        }
        _ => Cow::Borrowed(&*binary.right),
    }
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// Whether it is computed of literals that are floats, and of nothing else: `2.0 / 9.0`.
pub(super) fn is_float_constant(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Lit(ExprLit { lit: Lit::Float(_), .. }) => true,
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => is_float_constant(expr),
        Expr::Binary(ExprBinary {
            op: BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_),
            left,
            right,
            ..
        }) => is_float_constant(left) && is_float_constant(right),
        _ => false,
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Float(_), .. }))
}

/// A number without a suffix, and with or without a sign.
fn is_unsuffixed(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.suffix().is_empty(),
        Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => float.suffix().is_empty(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => is_number(expr) && is_unsuffixed(expr),
        _ => false,
    }
}

/// Whether a type is a 16-bit float, by its name.
fn is_half(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "f16" || last.ident == "bf16")
}

/// The builder's method for an operator that gives a value.
pub(crate) fn method(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "add",
        BinOp::Sub(_) => "sub",
        BinOp::Mul(_) => "mul",
        BinOp::Div(_) => "div",
        BinOp::Rem(_) => "rem",
        BinOp::And(_) => "and",
        BinOp::Or(_) => "or",
        BinOp::BitXor(_) => "bit_xor",
        BinOp::BitAnd(_) => "bit_and",
        BinOp::BitOr(_) => "bit_or",
        BinOp::Shl(_) => "shl",
        BinOp::Shr(_) => "shr",
        BinOp::Eq(_) => "eq",
        BinOp::Lt(_) => "lt",
        BinOp::Le(_) => "le",
        BinOp::Ne(_) => "ne",
        BinOp::Ge(_) => "ge",
        BinOp::Gt(_) => "gt",
        _ => return None,
    })
}
