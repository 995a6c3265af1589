//! `Option` and `Result`: their values, `?`, and their methods.
//!
//! Methods with a closure become a branch, whose arm has the closure's body.

use super::known::Known;
use super::referring::{Matched, gives_places};
use super::returning::{self, settled};
use super::{Emitter, bare};
use crate::paths;
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Expr, ExprCall, ExprClosure, ExprLit, ExprMethodCall, ExprPath, ExprTry, Lit, Path, PathArguments,
    parse_quote_spanned,
};

/// Methods without a closure, and the builder's.
const PLAIN: [(&str, &str); 4] =
    [("ok", "ok_of"), ("err", "err_of"), ("unwrap", "unwrap"), ("unwrap_or_default", "unwrap_or_default")];

/// Methods with a closure, and the builder's for what they are where there is a value, and where there is none: of the
/// closure's value, or of what the option is otherwise.
const BRANCHES: [(&str, Arm, Arm); 12] = [
    ("map_or_else", Arm::Body, Arm::Body),
    ("filter", Arm::Wrapped("kept_if"), Arm::Kept("absent_as")),
    ("ok_or_else", Arm::Kept("ok_as"), Arm::Error),
    ("map", Arm::Wrapped("present_as"), Arm::Kept("absent_as")),
    ("and_then", Arm::Body, Arm::Kept("absent_as")),
    ("map_err", Arm::Kept("ok_as"), Arm::Error),
    ("or_else", Arm::Whole, Arm::Body),
    ("unwrap_or_else", Arm::Value, Arm::Body),
    ("is_some_and", Arm::Body, Arm::False),
    ("is_ok_and", Arm::Body, Arm::False),
    ("is_none_or", Arm::Body, Arm::True),
    ("map_or", Arm::Body, Arm::Default),
];

#[derive(Clone, Copy)]
enum Arm {
    /// The closure's value.
    Body,
    /// That, by a method of the builder.
    Wrapped(&'static str),
    /// `Err` of it.
    Error,
    /// A method of the builder for the option.
    Kept(&'static str),
    /// The option itself.
    Whole,
    /// Its value.
    Value,
    /// The first argument.
    Default,
    False,
    True,
}

/// Whether a call is one of a method that `Option` and `Result` have, and numbers have not.
pub(super) fn is_method(call: &ExprMethodCall, known: &Known) -> bool {
    let name = call.method.to_string();
    is_plain(&name) || branch(call, known).is_some()
}

/// Whether a method's name is always that of an `Option` or a `Result`.
pub(super) fn is_plain(name: &str) -> bool {
    PLAIN.iter().any(|(method, _)| *method == name) || matches!(name, "expect" | "ok_or")
}

/// Whether an expression is the option that a method of numbers gives.
pub(super) fn is_given(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::MethodCall(call) if call.method.to_string().starts_with("checked_"))
}

fn branch(call: &ExprMethodCall, known: &Known) -> Option<(Arm, Arm)> {
    let &(_, present, absent) = BRANCHES.iter().find(|(method, ..)| call.method == method)?;
    let is_options = !known.is_receiver(&call.receiver);
    call.args.last().is_some_and(|last| is_options && is_function(last, known)).then_some((present, absent))
}

/// Whether an argument is a closure, or the name of a function or of a closure, for all that is known.
pub(super) fn is_function(expr: &Expr, known: &Known) -> bool {
    match bare(expr) {
        Expr::Closure(_) => true,
        name @ Expr::Path(_) => !known.is_variable(name),
        _ => false,
    }
}

/// The builder's method for `Some(x)`, `Ok(x)` and `Err(x)`.
pub(super) fn constructor(call: &ExprCall) -> Option<&'static str> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return None };
    match variant(path)?.as_str() {
        "Some" => Some("some"),
        "Ok" => Some("ok"),
        "Err" => Some("err"),
        _ => None,
    }
}

/// The name of a variant of `Option` or `Result`, by itself or behind its type.
fn variant(path: &Path) -> Option<String> {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let name = names.next()?;
    let of_std = names.next().is_none_or(|ty| ty == "Option" || ty == "Result");
    of_std.then_some(name)
}

/// The types of `Ok::<T, E>`.
fn types(path: &Path) -> Option<TokenStream> {
    match &path.segments.last()?.arguments {
        PathArguments::AngleBracketed(types) => Some(types.args.to_token_stream()),
        _ => None,
    }
}

/// `None`, `Option::None`
pub(super) fn is_none(path: &Path) -> bool {
    variant(path).is_some_and(|name| name == "None")
}

impl Emitter<'_> {
    /// `Some(value)`
    pub(super) fn option_value(&mut self, call: &ExprCall, method: &'static str) -> TokenStream {
        if !self.expect_arguments(&call.func, &call.func.to_token_stream().to_string(), &call.args, &["value"]) {
            return quote!(());
        }
        let (place, span) = (self.spans.place(call), call.func.span());
        let value = match bare(&call.args[0]) {
            // `Ok(())`
            Expr::Tuple(tuple) if tuple.elems.is_empty() => {
                let k = self.builder.at(span);
                quote_spanned!(span=> #k.unit())
            }
            value => {
                let value = self.placed(value);
                self.typed_value(&value, None)
            }
        };
        match bare(&call.func) {
            Expr::Path(path) if let Some(types) = types(&path.path) => {
                self.call_typed(&place, method, span, &types, &value)
            }
            _ => self.call_at(&place, method, span, &value),
        }
    }

    /// `None`
    pub(super) fn none(&self, path: &Path) -> TokenStream {
        let span = path.span();
        let (k, types) = (self.builder.at(span), types(path).map(|types| quote_spanned!(span=> ::<#types>)));
        quote_spanned!(span=> #k.none #types ())
    }

    /// `value?`
    pub(super) fn try_(&mut self, try_: &ExprTry) -> TokenStream {
        let span = try_.question_token.span;
        if self.kernel.result.is_none() && !self.is_in_returning() {
            return self.unsupported(&Expr::Try(try_.clone()));
        }
        let place = self.spans.place(Expr::Try(try_.clone()));
        let (kept, name) = self.kept_option(&try_.expr, &place, span, "keep_variants");
        let (k, result) = (self.builder.at(span), paths::result(span));
        let begin = self.call_at(&place, "begin_if", span, &quote!(#k.is_present(#name)));
        let leave = match self.propagated(&name, try_) {
            Some(leave) => leave,
            None => {
                let leaving = self.call_at(&place, "leaving", span, &quote!(#name, #result));
                quote_spanned!(span=> #leaving.leave())
            }
        };
        quote_spanned!(span=> {
            #kept
            #begin;
            #k.begin_else();
            let _ = #leave;
            #k.end_if();
            #k.present_value(#name)
        })
    }

    fn kept_option(&mut self, option: &Expr, place: &Place, span: Span, method: &str) -> (TokenStream, Ident) {
        let value = self.before_point(option);
        // Not hidden from the user's code, so that rustc's errors are at the user's token.
        self.names += 1;
        let name = Ident::new(&format!("__option_{}", self.names), span);
        let keep = self.call_at(place, method, span, &value);
        (quote_spanned!(span=> let #name = #keep;), name)
    }

    /// A method of an option.
    pub(super) fn option_method(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        let (name, span) = (call.method.to_string(), call.method.span());
        if let Some((present, absent)) = branch(call, &self.known) {
            return self.option_branch(call, present, absent);
        }
        match name.as_str() {
            "expect" => {
                let text = match call.args.first().map(bare) {
                    Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) if call.args.len() == 1 => text.clone(),
                    _ => {
                        self.report.error(&call.method, "in a kernel, `expect` takes a text: write `.expect(\"..\")`");
                        return quote!(());
                    }
                };
                let option = self.before_point(&call.receiver);
                let text = quote!(::core::option::Option::Some(#text));
                self.call(call, "unwrap", span, &quote!(#option, #text))
            }
            "ok_or" => {
                if !self.expect_arguments(&call.method, "ok_or", &call.args, &["error"]) {
                    return quote!(());
                }
                let operands = self.operands([&*call.receiver, &call.args[0]]);
                self.call(call, "ok_or", span, &quote!(#(#operands),*))
            }
            _ => {
                self.expect_arguments(&call.method, &name, &call.args, &[]);
                let method = PLAIN.iter().find(|(known, _)| *known == name).map_or("unwrap", |(_, method)| method);
                let option = self.before_point(&call.receiver);
                let text = (method == "unwrap").then(|| quote!(, ::core::option::Option::None));
                self.call(call, method, span, &quote!(#option #text))
            }
        }
    }

    /// `option.map(|x| ..)` and the like.
    fn option_branch(&mut self, call: &ExprMethodCall, present: Arm, absent: Arm) -> TokenStream {
        let (name, span, place) = (call.method.to_string(), call.method.span(), self.spans.place(call));
        let given: &[&str] = if name == "map_or_else" {
            &["|| ..", "|x| .."]
        } else if matches!(absent, Arm::Default) {
            &["default", "|x| .."]
        } else {
            &["|x| .."]
        };
        if !self.expect_arguments(&call.method, &name, &call.args, given) {
            return quote!(());
        }
        let keep = match name.as_str() {
            "is_some_and" | "is_none_or" | "filter" | "ok_or_else" => "keep_option",
            "is_ok_and" | "map_err" => "keep_result",
            _ => "keep_variants",
        };
        let (kept, option) = self.kept_option(&call.receiver, &place, span, keep);
        let (k, slot) = (self.builder.at(span), self.fresh("slot", span));
        let default = matches!(absent, Arm::Default).then(|| {
            let (name, value) = (self.fresh("default", span), self.value(&call.args[0]));
            let keep = self.call_at(&place, "keep", span, &value);
            (quote_spanned!(span=> let #name = #keep;), name)
        });
        let (declared, default) = default.unzip();
        let begin = self.call_at(&place, "begin_if", span, &quote!(#k.is_present(#option)));
        let function = &call.args[call.args.len() - 1];
        // A function by its name gets a reference from `filter`.
        let seeing: Option<Expr> = match bare(function) {
            path @ Expr::Path(_) if name == "filter" => {
                Some(parse_quote_spanned!(path.span()=> |__value| #path(__value)))
            }
            _ => None,
        };
        let function = seeing.as_ref().unwrap_or(function);
        let is_lazy = name == "map_or_else";
        let is_reference = name == "filter" || self.is_optional(&call.receiver);
        let matched = match is_reference {
            _ if gives_places(&call.receiver) => Matched::Items,
            true => Matched::Reference,
            false if self.may_refer(&call.receiver) => Matched::Perhaps,
            false => Matched::Value,
        };
        let mut arms = Vec::new();
        for (arm, method) in [(present, "present_value"), (absent, "absent_value")] {
            // What the closure's value is for, and what it gets.
            let body = match arm {
                Arm::Body | Arm::Wrapped(_) | Arm::Error => {
                    let value = Ident::new(method, span);
                    {
                        let argument = quote_spanned!(span=> #k.#value(#option));
                        let function = if is_lazy && method == "absent_value" { &call.args[0] } else { function };
                        Some(self.option_body(function, &place, (&argument, matched.clone()), method))
                    }
                }
                _ => None,
            };
            let (declared, value) = body.unwrap_or_default();
            let value = match arm {
                Arm::Body => value,
                Arm::Wrapped(method) => self.call_at(&place, method, span, &quote!(#option, #value)),
                Arm::Error => self.call_at(&place, "err", span, &value),
                Arm::Kept("ok_as") => {
                    self.call_at(&place, "ok", span, &quote_spanned!(span=> #k.present_value(#option)))
                }
                Arm::Kept(method) => {
                    let method = Ident::new(method, span);
                    quote_spanned!(span=> #k.#method(#option))
                }
                Arm::Whole => option.to_token_stream(),
                Arm::Value => quote_spanned!(span=> #k.present_value(#option)),
                Arm::Default => default.to_token_stream(),
                Arm::False => quote!(false),
                Arm::True => quote!(true),
            };
            let give = self.call_at(&place, "give", span, &quote!(#slot, #value));
            arms.push(super::scope(span, quote_spanned!(span=> #declared #give;)));
        }
        let [present, absent] = &arms[..] else { return quote!(()) };
        quote_spanned!(span=> {
            #kept
            #declared
            let #slot = #k.slot();
            #begin;
            #present
            #k.begin_else();
            #absent
            #k.end_if();
            #slot
        })
    }

    /// The closure's body, of this argument: the declarations of its names, and its value.
    pub(super) fn option_body(
        &mut self,
        function: &Expr,
        place: &Place,
        (argument, matched): (&TokenStream, Matched),
        method: &str,
    ) -> (TokenStream, TokenStream) {
        let closure = match bare(function) {
            Expr::Closure(closure) => settled(closure),
            // A function by its name.
            path => {
                let (name, span) = (self.fresh("argument", path.span()), path.span());
                let call: Expr = parse_quote_spanned!(span=> #path(#name));
                let value = self.value(&call);
                return (quote_spanned!(span=> let #name = #argument;), value);
            }
        };
        let mistakes = self.report.len();
        let closure = &*closure;
        self.refuse(closure);
        if self.report.len() > mistakes {
            return (TokenStream::new(), quote!(()));
        }
        // No jump leaves a closure, and its names hide those around it.
        let (targets, known) = (std::mem::take(&mut self.targets), self.closures.len());
        let mut declared = TokenStream::new();
        match closure.inputs.iter().collect::<Vec<_>>()[..] {
            [] if method == "absent_value" => {}
            [pattern] => {
                let pattern = match pattern {
                    syn::Pat::Type(typed) => &*typed.pat,
                    pattern => pattern,
                };
                let subject = self.fresh("argument", pattern.span());
                self.forget_closures(pattern);
                let names = self.matched_as(matched, |emitter| emitter.destructured(pattern, &subject));
                declared = quote_spanned!(subject.span()=> let #subject = #argument; #names);
            }
            _ => self.report.error(closure, "this closure has one parameter: write `|x| ..`"),
        }
        let value = self.body_value(closure, place);
        self.closures.truncate(known);
        self.targets = targets;
        (declared, value)
    }

    fn body_value(&mut self, closure: &ExprClosure, place: &Place) -> TokenStream {
        let body = bare(&closure.body);
        if returning::has_no_value(body) {
            let k = self.builder.at(place.extent.first);
            let statement = self.expression_statement(body, true);
            return quote!({ #statement #k.unit() });
        }
        let value = self.typed_value(body, None);
        self.call_at(place, "hold", place.extent.first, &value)
    }
}
