//! Calls of functions: those of the machine, and device functions.

use super::collective::{self, Collective};
use super::method::is_given_rotation;
use super::{Emitter, bare, exchange, literal, number, numeric, options};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::borrow::Cow;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprPath, Path, Type, parse_quote_spanned};

impl Emitter<'_> {
    /// `f(a, b)` as a value.
    pub(super) fn function_call(&mut self, call: &ExprCall) -> TokenStream {
        if let Some(tokens) = self.closure_call(call).or_else(|| self.give_place(call)) {
            return tokens;
        }
        if let Some(named) = self.called_at_once(call) {
            return self.value(&named);
        }
        if let Some(method) = method_by_path(call) {
            return self.value(&method);
        }
        if let Some((name, collective)) = collective(call) {
            let tokens = self.collective(call, name, collective);
            if !collective.has_value {
                self.report.error(call, format_args!("`{name}` has no value: write it as a statement of its own"));
            }
            return tokens;
        }
        if let Some(array) = self.array_from(call).or_else(|| self.array_tried(call)) {
            return array;
        }
        let known =
            self.comparing_function(call).or_else(|| self.replaced_place(call)).or_else(|| self.default_value(call));
        if let Some(tokens) = known.or_else(|| self.numeric_function(call)) {
            return tokens;
        }
        if let Some(method) = options::constructor(call) {
            return self.option_value(call, method);
        }
        if let Some((ty, variant)) = literal::variant_of(call) {
            return self.variant_value(call, &ty, &variant);
        }
        if literal::is_constructor(call) {
            return self.tuple_struct_value(call);
        }
        match called(call) {
            Some(name) if number::is_number(name) => self.number(call, name),
            _ => self.device_call(call),
        }
    }

    /// `(|a| a + n)(x)`, as a block in which the closure has a name.
    pub(super) fn called_at_once(&mut self, call: &ExprCall) -> Option<Expr> {
        let closure @ Expr::Closure(_) = bare(&call.func) else { return None };
        let (name, args, span) = (self.fresh("closure", call.func.span()), &call.args, call.func.span());
        Some(parse_quote_spanned!(span=> { let #name = #closure; #name(#args) }))
    }

    /// `<[u8; 4]>::try_from(&x[a..b])`, `<&[u8; 4]>::try_from(&x[a..b])`
    fn array_tried(&mut self, call: &ExprCall) -> Option<TokenStream> {
        let (ty, name) = tried_array(call)?;
        let (ty, value) = (crate::field_types::as_value(ty), self.convertible(&call.args[0]));
        let place = self.spans.place(call);
        Some(self.call_typed(&place, "try_convert", name.span(), &quote!(#ty, _), &value))
    }

    /// A statement that is a call without a value of one of the machine's functions, if it is one.
    pub(super) fn call_statement(&mut self, expr: &Expr) -> Option<TokenStream> {
        let call = match bare(expr) {
            Expr::Call(call) if let Some(named) = self.called_at_once(call) => {
                return Some(self.expression_statement(&named, true));
            }
            Expr::Call(call) if is_spin_hint(call) => {
                self.spin_hint(call);
                return Some(TokenStream::new());
            }
            Expr::Call(call) if let Some(statement) = self.swapped_places(call) => return Some(statement),
            Expr::Call(call) if called(call).is_some_and(|name| self.closure_named(name).is_some()) => return None,
            Expr::Call(call) => match collective(call) {
                Some((name, collective)) if !collective.has_value => self.collective(call, name, collective),
                _ => return None,
            },
            // Of a number, it would have a value that is not used.
            Expr::MethodCall(call) if is_given_rotation(call) => self.rotated(call),
            Expr::MethodCall(call) => self.method_statement(call)?,
            Expr::Macro(call) => return Some(self.macro_statement(&call.mac)),
            _ => return None,
        };
        Some(quote!(#call;))
    }

    /// `std::hint::spin_loop();`: a lane that spins issues no faster or slower for it.
    fn spin_hint(&mut self, call: &ExprCall) {
        let path = &call.func;
        self.expect_arguments(path, "spin_loop", &call.args, &[]);
        let span = path.span();
        self.std_paths
            .entry(path.to_token_stream().to_string())
            .or_insert_with(|| quote_spanned!(span=> let _: fn() = #path;));
    }

    /// As [`Self::operands`], for fields of structs, whose types are not written here.
    pub(super) fn placed_operands<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<TokenStream> {
        let of_array = |expr| self.array_parameter(expr).map(|reference| Cow::Owned(Expr::Reference(reference)));
        let exprs: Vec<_> = exprs.into_iter().map(|expr| of_array(expr).unwrap_or_else(|| self.placed(expr))).collect();
        let operands = self.operands(exprs.iter().map(|expr| &**expr));
        exprs.iter().zip(operands).map(|(expr, operand)| self.field_lent(expr, operand)).collect()
    }

    /// Operands in the order in which Rust evaluates them, each held if a later one may emit statements.
    pub(super) fn operands<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<TokenStream> {
        let exprs: Vec<&Expr> = exprs.into_iter().collect();
        // The first is before all others, so whether it emits does not matter: it may be a long chain.
        let later = exprs.get(1..).unwrap_or_default();
        let last = later.iter().rposition(|expr| self.known.may_emit_statements(expr)).map_or(0, |place| place + 1);
        let operands = exprs.iter().enumerate();
        operands.map(|(number, expr)| if number < last { self.held(expr) } else { self.value(expr) }).collect()
    }
}

/// `f32::total_cmp(a, b)`, `u8::is_ascii_digit(b)` and `Option::is_some(o)`, as the method that it is.
fn method_by_path(call: &ExprCall) -> Option<Expr> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return None };
    if !is_method_of_std(path) {
        return None;
    }
    let (method, mut args) = (path.segments.last()?, call.args.iter());
    let receiver = match bare(args.next()?) {
        Expr::Reference(reference) => bare(&reference.expr),
        receiver => receiver,
    };
    Some(parse_quote_spanned!(method.span()=> (#receiver).#method(#(#args),*)))
}

/// Whether a path is one of a method of `std` that takes `&self`, or that is no number's: `u32::cmp`, `Option::is_some`.
fn is_method_of_std(path: &Path) -> bool {
    let (Some(ty), Some(function), 2) = (path.segments.first(), path.segments.last(), path.segments.len()) else {
        return false;
    };
    let name = function.ident.to_string();
    match ty.ident.to_string().as_str() {
        "Option" | "Result" => name.starts_with(char::is_lowercase) && name != "default" && name != "from",
        ty => {
            numeric::is_scalar(ty) && matches!(name.as_str(), "cmp" | "partial_cmp" | "total_cmp")
                || ty == "u8" && numeric::is_ascii(&name)
        }
    }
}

/// Whether a path is one of a number's comparison: `f32::total_cmp`.
pub(super) fn compares(path: &Path) -> bool {
    is_method_of_std(path) && path.segments.last().is_some_and(|last| last.ident.to_string().ends_with("cmp"))
}

/// Whether building the call may emit statements, apart from its arguments.
pub(super) fn emits(call: &ExprCall) -> bool {
    let emits = || !called(call).is_some_and(number::is_number) && !is_made(call);
    numeric::function_emits(call).unwrap_or_else(emits)
}

/// Whether the call is one of a device function, as far as syntax tells.
pub(super) fn is_device(call: &ExprCall) -> bool {
    collective(call).is_none()
        && numeric::function_emits(call).is_none()
        && exchange::function(call).is_none()
        && !called(call).is_some_and(number::is_number)
        && !is_made(call)
}

/// Whether it is the value of a type that is made of its parts.
fn is_made(call: &ExprCall) -> bool {
    literal::is_constructor(call) || literal::variant_of(call).is_some() || options::constructor(call).is_some()
}

/// Whether it is a call of `std::hint::spin_loop`, by a path.
fn is_spin_hint(call: &ExprCall) -> bool {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return false };
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    names.next().is_some_and(|name| name == "spin_loop") && names.next().is_some_and(|module| module == "hint")
}

/// The name of a function that is called by its name.
pub(super) fn called(call: &ExprCall) -> Option<&Ident> {
    match bare(&call.func) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

fn collective(call: &ExprCall) -> Option<(&Ident, &'static Collective)> {
    let name = called(call)?;
    Some((name, collective::find(name)?))
}

/// The array's type and the function's name of `<[u8; 4]>::try_from(x)`, or of a reference to one.
fn tried_array(call: &ExprCall) -> Option<(&Type, &Ident)> {
    let Expr::Path(ExprPath { qself: Some(of), path, .. }) = bare(&call.func) else { return None };
    let name = path.get_ident().or_else(|| path.segments.last().map(|last| &last.ident))?;
    let array = match crate::item::bare(&of.ty) {
        Type::Reference(reference) if reference.mutability.is_none() => crate::item::bare(&reference.elem),
        ty => ty,
    };
    let is_array = matches!(array, Type::Array(_)) && of.position == 0;
    (is_array && name == "try_from" && call.args.len() == 1).then_some((&*of.ty, name))
}

/// Whether an expression is what a conversion that may fail gives: `x.try_into().unwrap()`, `<&[u8; 4]>::try_from(x)?`
pub(super) fn is_converted(expr: &Expr) -> bool {
    let mut result = match bare(expr) {
        Expr::Try(try_) => bare(&try_.expr),
        Expr::MethodCall(call) if call.method == "unwrap" || call.method == "expect" => bare(&call.receiver),
        _ => return false,
    };
    loop {
        match result {
            Expr::Call(call) => return tried_array(call).is_some(),
            Expr::MethodCall(call) if call.method == "try_into" => return call.args.is_empty(),
            Expr::MethodCall(call) if ["ok", "map_err", "ok_or"].iter().any(|name| call.method == name) => {
                result = bare(&call.receiver);
            }
            _ => return false,
        }
    }
}
