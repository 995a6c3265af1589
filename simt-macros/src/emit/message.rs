//! Messages: a format string with its values, as pieces of the program's.

use super::{Emitter, bare};
use crate::format::{self, Part, Spec};
use crate::paths;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprLit, Lit, LitStr, Token};

/// An argument of a formatting macro.
pub(super) struct Argument {
    pub(super) name: Option<Ident>,
    pub(super) value: Expr,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let named = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if named {
            let name = input.parse()?;
            let _: Token![=] = input.parse()?;
            Some(name)
        } else {
            None
        };
        Ok(Self { name, value: input.parse()? })
    }
}

/// A value that a message shows: the hole's place, and the notations.
struct Value {
    expr: Expr,
    /// The name, if the text names the value and no argument has it.
    captured: Option<String>,
    /// The names of the forms, of `{:x}` and the like, in which it is shown.
    forms: Vec<Option<char>>,
}

impl Emitter<'_> {
    /// The pieces of a message and its values, whose numbers begin at `first`.
    pub(super) fn message(
        &mut self,
        format: &Argument,
        args: &[Argument],
        first: usize,
    ) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let nothing = (Vec::new(), Vec::new());
        let Some(literal) = literal(format) else {
            let message = "the text stands here in quotes: write `\"{}\", value` to show a value";
            self.report.error(&format.value, message);
            return nothing;
        };
        let parts = match format::parse(&literal.value()) {
            Ok(parts) => parts,
            Err(message) => {
                self.report.error(literal, message);
                return nothing;
            }
        };
        let given = args.iter().map(|argument| argument.value.clone());
        let mut values: Vec<Value> = given.map(|expr| Value { expr, captured: None, forms: Vec::new() }).collect();
        let mut next = 0;
        let mut pieces = Vec::new();
        for part in &parts {
            let (argument, spec) = match part {
                Part::Text(content) => {
                    pieces.push(text(literal.span(), &quote!(#content)));
                    continue;
                }
                Part::Hole { argument, spec } => (argument, *spec),
            };
            match find(argument, &mut next, literal, args, &mut values) {
                Ok(number) => {
                    values[number].forms.push(spec.form);
                    pieces.push(value(literal.span(), first + number, spec));
                }
                Err(message) => {
                    self.report.error(literal, message);
                    return nothing;
                }
            }
        }
        if let Some(unused) = values.iter().find(|value| value.forms.is_empty()) {
            self.report.error(&unused.expr, "the text does not show this value: write `{}` where it is to stand");
        }
        (pieces, self.shown(&values))
    }

    fn shown(&mut self, values: &[Value]) -> Vec<TokenStream> {
        let operands = self.operands(values.iter().map(|value| &value.expr));
        let shown = values.iter().zip(operands);
        shown
            .map(|(Value { expr, forms, .. }, operand)| {
                let has = |wanted: &str| forms.iter().flatten().any(|form| wanted.contains(*form));
                let method = if has("xXbo") {
                    "shown_bits"
                } else if has("e") {
                    "shown_number"
                } else if forms.iter().all(|form| *form == Some('?')) {
                    "shown_debug"
                } else {
                    "shown"
                };
                let place = self.spans.place(expr);
                self.call_at(&place, method, place.extent.first, &operand)
            })
            .collect()
    }
}

/// The number of the value that a hole shows; a name that no argument has is one of the kernel's own, and added.
fn find(
    argument: &format::Argument,
    next: &mut usize,
    literal: &LitStr,
    args: &[Argument],
    values: &mut Vec<Value>,
) -> Result<usize, String> {
    match argument {
        format::Argument::Next => {
            *next += 1;
            let missing = || format!("the text has more `{{}}` than values, which are {}", args.len());
            if *next <= args.len() { Ok(*next - 1) } else { Err(missing()) }
        }
        format::Argument::Number(number) if *number < args.len() => Ok(*number),
        format::Argument::Number(number) => {
            Err(format!("there is no value {number}: those given are {}, and are counted from 0", args.len()))
        }
        format::Argument::Name(name) => {
            let known = args.iter().position(|argument| argument.name.as_ref().is_some_and(|known| known == name));
            if let Some(number) = known {
                return Ok(number);
            }
            let captured = values.iter().position(|value| value.captured.as_ref() == Some(name));
            if let Some(number) = captured {
                return Ok(number);
            }
            let mut ident = syn::parse_str::<Ident>(name)
                .or_else(|_| syn::parse_str::<Ident>(&format!("r#{name}")))
                .map_err(|_| format!("`{{{name}}}` is no name: give the value behind the text"))?;
            ident.set_span(literal.span());
            let expr: Expr = syn::parse_quote!(#ident);
            values.push(Value { expr, captured: Some(name.clone()), forms: Vec::new() });
            Ok(values.len() - 1)
        }
    }
}

fn literal(format: &Argument) -> Option<&LitStr> {
    match bare(&format.value) {
        Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) if format.name.is_none() => Some(literal),
        _ => None,
    }
}

/// A piece that is text: an expression of type `&'static str`.
pub(super) fn text(span: Span, text: &TokenStream) -> TokenStream {
    let private = paths::private(span);
    quote_spanned!(span=> #private::Piece::Text(::std::borrow::Cow::Borrowed(#text)))
}

/// A piece that is a value shown by `{:?}`.
pub(super) fn debug(span: Span, number: usize) -> TokenStream {
    value(span, number, Spec { form: Some('?'), ..Spec::default() })
}

fn value(span: Span, number: usize, spec: Spec) -> TokenStream {
    let private = paths::private(span);
    let number = Literal::u32_suffixed(u32::try_from(number).unwrap_or(u32::MAX));
    let Spec { align, plus, alternate, zeros, width, precision, form } = spec;
    let option = |value: Option<TokenStream>| match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    };
    let named = |kind: &str, name: &str| {
        let (kind, name) = (Ident::new(kind, span), Ident::new(name, span));
        quote_spanned!(span=> #private::#kind::#name)
    };
    let precision = option(precision.map(|precision| precision.to_token_stream()));
    let align = option(align.map(|align| {
        named(
            "Align",
            match align {
                '<' => "Left",
                '^' => "Center",
                _ => "Right",
            },
        )
    }));
    let form = named(
        "Form",
        match form {
            Some('?') => "Debug",
            Some('x') => "LowerHex",
            Some('X') => "UpperHex",
            Some('b') => "Binary",
            Some('o') => "Octal",
            Some('e') => "LowerExp",
            _ => "Display",
        },
    );
    quote_spanned! {span=>
        #private::Piece::Value {
            arg: #number,
            style: #private::Style {
                width: #width,
                precision: #precision,
                zeros: #zeros,
                plus: #plus,
                alternate: #alternate,
                form: #form,
                align: #align,
            },
        }
    }
}
