//! Macros: printed lines, assertions, panics.

use super::{Emitter, message};
use crate::paths;
use crate::{unsupported, verbatim};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Macro, Token};

/// The effect of a macro of the kernel language.
enum Speech {
    Print,
    Dbg,
    Matches,
    Panic {
        start: &'static str,
        alone: &'static str,
    },
    Assert {
        debug: bool,
    },
    /// `assert_eq!` and `assert_ne!`: the builder's comparison, and how the message names it.
    Compare {
        method: &'static str,
        symbol: &'static str,
        debug: bool,
    },
}

fn speech(mac: &Macro) -> Option<Speech> {
    let segments = &mac.path.segments;
    let plain = match segments.len() {
        1 => true,
        2 => segments.first().is_some_and(|first| first.ident == "std" || first.ident == "core"),
        _ => false,
    };
    if !plain {
        return None;
    }
    let name = segments.last()?.ident.to_string();
    let debug = name.starts_with("debug_");
    Some(match name.trim_start_matches("debug_") {
        "println" | "eprintln" if !debug => Speech::Print,
        "dbg" if !debug => Speech::Dbg,
        "matches" if !debug => Speech::Matches,
        "todo" if !debug => Speech::Panic { start: "not yet implemented: ", alone: "not yet implemented" },
        "unimplemented" if !debug => Speech::Panic { start: "not implemented: ", alone: "not implemented" },
        "panic" if !debug => Speech::Panic { start: "", alone: "explicit panic" },
        "unreachable" if !debug => Speech::Panic {
            start: "internal error: entered unreachable code: ",
            alone: "internal error: entered unreachable code",
        },
        "assert" => Speech::Assert { debug },
        "assert_eq" => Speech::Compare { method: "eq", symbol: "==", debug },
        "assert_ne" => Speech::Compare { method: "ne", symbol: "!=", debug },
        _ => return None,
    })
}

/// Whether control never passes the macro.
pub(super) fn never_returns(mac: &Macro) -> bool {
    matches!(speech(mac), Some(Speech::Panic { .. }))
}

/// Whether the macro is a statement only, or ends the thread.
pub(super) fn has_no_value(mac: &Macro) -> bool {
    speech(mac).is_some_and(|speech| !matches!(speech, Speech::Dbg | Speech::Matches))
}

impl Emitter<'_> {
    /// A macro as a value: one that has one, or one that never returns.
    pub(super) fn macro_value(&mut self, mac: &Macro) -> TokenStream {
        match speech(mac) {
            Some(Speech::Panic { start, alone }) => self.panic(mac, start, alone),
            Some(Speech::Dbg) => self.dbg(mac),
            Some(Speech::Matches) => self.matches(mac),
            Some(_) => {
                self.report.error(&mac.path, "this macro has no value: write it as a statement of its own");
                quote!(())
            }
            None => {
                self.report.error(&mac.path, unsupported::macro_call(mac));
                quote!(())
            }
        }
    }

    /// A macro as a statement.
    pub(super) fn macro_statement(&mut self, mac: &Macro) -> TokenStream {
        let (statements, debug) = match speech(mac) {
            Some(Speech::Print) => (self.print(mac), false),
            Some(Speech::Assert { debug }) => (self.assert(mac), debug),
            Some(Speech::Compare { method, symbol, debug }) => (self.assert_compare(mac, method, symbol), debug),
            Some(Speech::Matches) => {
                let (value, place) = (self.matches(mac), self.spans.place(mac));
                let call = self.call_at(&place, "evaluate", symbol(mac), &value);
                (quote!(#call;), false)
            }
            Some(Speech::Panic { .. } | Speech::Dbg) | None => {
                let value = self.macro_value(mac);
                (quote!(#value;), false)
            }
        };
        if debug { quote!(if ::core::cfg!(debug_assertions) { #statements }) } else { statements }
    }

    fn print(&mut self, mac: &Macro) -> TokenStream {
        let Some(args) = self.arguments(mac) else { return TokenStream::new() };
        let (pieces, shown) = match args.split_first() {
            Some((format, args)) => self.message(format, args, 0),
            None => (Vec::new(), Vec::new()),
        };
        let call = self.call(mac, "print", symbol(mac), &quote!(&[#(#pieces),*], [#(#shown),*]));
        quote!(#call;)
    }

    /// `dbg!(x)`: a line for each value, as std has it, and the values.
    fn dbg(&mut self, mac: &Macro) -> TokenStream {
        let Some(args) = self.arguments(mac) else { return quote!(()) };
        let span = symbol(mac);
        let start = mac.path.span().start();
        let at = format!(":{}:{}] ", start.line, start.column + 1);
        let whole = quote_spanned!(span=> ::core::concat!("[", ::core::file!(), #at));
        if args.is_empty() {
            let piece = message::text(span, &quote_spanned!(span=> #whole.trim_ascii_end()));
            let line = self.call(mac, "print", span, &quote!(&[#piece], []));
            return super::scope(span, quote!(#line;));
        }
        let (mut lines, mut values) = (TokenStream::new(), Vec::new());
        for message::Argument { name, value } in &args {
            if let Some(name) = name {
                self.report.error(name, "`dbg!` takes values: write `dbg!(x)`");
            }
            let place = self.spans.place(value);
            let (kept, token) = (self.fresh("shown", place.extent.first), self.value(value));
            let keep = self.call_at(&place, "keep", place.extent.first, &token);
            let text = format!("{} = ", verbatim::text(value));
            let pieces = [&whole, &quote!(#text)].map(|piece| message::text(span, piece));
            let number = message::debug(span, 0);
            let shown = self.call_at(&place, "shown_debug", place.extent.first, &kept.to_token_stream());
            let line = self.call(mac, "print", span, &quote!(&[#(#pieces,)* #number], [#shown]));
            lines.extend(quote_spanned!(span=> let #kept = #keep; #line;));
            values.push(kept);
        }
        let value = match &values[..] {
            [value] => value.to_token_stream(),
            values => quote!((#(#values),*)),
        };
        super::scope(span, quote!(#lines #value))
    }

    fn panic(&mut self, mac: &Macro, start: &str, alone: &str) -> TokenStream {
        let Some(args) = self.arguments(mac) else { return quote!(()) };
        let span = symbol(mac);
        let (mut pieces, shown) = match args.split_first() {
            Some((format, args)) => self.message(format, args, 0),
            None => (vec![message::text(span, &quote!(#alone))], Vec::new()),
        };
        if !args.is_empty() && !start.is_empty() {
            pieces.insert(0, message::text(span, &quote!(#start)));
        }
        self.call(mac, "panic", span, &quote!(&[#(#pieces),*], [#(#shown),*]))
    }

    /// `if (condition) {} else { panic }`
    fn assert(&mut self, mac: &Macro) -> TokenStream {
        let Some(args) = self.arguments(mac) else { return TokenStream::new() };
        let Some((condition, rest)) = args.split_first() else {
            self.report.error(&mac.path, "an assertion needs a condition: write `assert!(a < b)`");
            return TokenStream::new();
        };
        let span = symbol(mac);
        let holds = self.value(&condition.value);
        let begin = self.call(mac, "begin_if", condition.value.span(), &holds);
        let (pieces, shown) = match rest.split_first() {
            Some((format, args)) => self.message(format, args, 0),
            None => {
                let text = format!("assertion failed: {}", verbatim::text(&condition.value));
                (vec![message::text(span, &quote!(#text))], Vec::new())
            }
        };
        self.unless(mac, &begin, &pieces, &shown)
    }

    fn assert_compare(&mut self, mac: &Macro, method: &str, operator: &str) -> TokenStream {
        let Some(args) = self.arguments(mac) else { return TokenStream::new() };
        let [left, right, rest @ ..] = &args[..] else {
            let message = format!("this assertion compares two values: write `assert_{method}!(a, b)`");
            self.report.error(&mac.path, message);
            return TokenStream::new();
        };
        let span = symbol(mac);
        let (kept_left, kept_right) = (paths::left(left.value.span()), paths::right(right.value.span()));
        let keep = |emitter: &mut Self, value: &Expr| {
            let place = emitter.spans.place(value);
            let value = emitter.value(value);
            emitter.call_at(&place, "keep", place.extent.first, &value)
        };
        let (keep_left, keep_right) = (keep(self, &left.value), keep(self, &right.value));
        let place = self.spans.place(mac);
        let (left_is, right_is) = (&left.value, &right.value);
        let holds = if self.known.is_scalar(left_is) || self.known.is_scalar(right_is) {
            self.call_at(&place, method, span, &quote!(#kept_left, #kept_right))
        } else {
            let (left, right) = (kept_left.to_token_stream(), kept_right.to_token_stream());
            self.operator(&place, method, span, &quote!(#left, #right))
        };
        let begin = self.call_at(&place, "begin_if", span, &holds);

        let start = format!("assertion `left {operator} right` failed");
        let (mut pieces, mut shown) = (vec![message::text(span, &quote!(#start))], Vec::new());
        for (kept, value) in [(&kept_left, left), (&kept_right, right)] {
            shown.push(self.call(&value.value, "shown_debug", value.value.span(), &quote!(#kept)));
        }
        if let Some((format, args)) = rest.split_first() {
            let (custom, values) = self.message(format, args, 2);
            pieces.push(message::text(span, &quote!(": ")));
            pieces.extend(custom);
            shown.extend(values);
        }
        pieces.push(message::text(span, &quote!("\n  left: ")));
        pieces.push(message::debug(span, 0));
        pieces.push(message::text(span, &quote!("\n right: ")));
        pieces.push(message::debug(span, 1));
        let unless = self.unless(mac, &begin, &pieces, &shown);
        quote_spanned!(span=> let #kept_left = #keep_left; let #kept_right = #keep_right; #unless)
    }

    fn unless(
        &mut self,
        mac: &Macro,
        begin: &TokenStream,
        pieces: &[TokenStream],
        shown: &[TokenStream],
    ) -> TokenStream {
        let span = symbol(mac);
        let k = self.builder.at(span);
        let panic = self.call(mac, "panic", span, &quote!(&[#(#pieces),*], [#(#shown),*]));
        // With a `;` of the macro's own, so that no lint reports an unused result.
        let panic = quote!(#panic;);
        quote_spanned!(span=> #begin; #k.begin_else(); #panic #k.end_if();)
    }

    /// The macro's arguments, each an expression, of a format with or without a name.
    fn arguments(&mut self, mac: &Macro) -> Option<Vec<message::Argument>> {
        match Punctuated::<message::Argument, Token![,]>::parse_terminated.parse2(mac.tokens.clone()) {
            Ok(args) => Some(args.into_iter().collect()),
            Err(error) => {
                self.report.add(error);
                None
            }
        }
    }
}

/// The token that stands for the operation: the macro's name.
fn symbol(mac: &Macro) -> Span {
    mac.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span())
}
