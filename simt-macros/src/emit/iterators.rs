//! Iterators as values: `let mut it = x.iter().map(|v| v * v);`, `it.next()`, and those whose items are asked for one after the
//! other.
//!
//! Such an iterator is a value of the builder's, for each method of which it has one; a closure becomes one of the host's, which
//! builds its body wherever an item is asked for.

use super::adapters::{self, is_value};
use super::closure::Is;
use super::iterate::{Current, Passed};
use super::returning::settled;
use super::{Emitter, bare};
use crate::paths;
use crate::spans::Place;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprCall, ExprClosure, ExprMethodCall, ExprReference, Local, Pat, PatIdent, Stmt, parse_quote};

/// What a closure of an iterator's gives.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Gives {
    /// Any value.
    Value,
    Bool,
    Option,
    Ordering,
    Nothing,
    /// Another iterator.
    Iterator,
}

impl Emitter<'_> {
    /// `let it = x.iter();`, if it is one of an iterator.
    pub(super) fn iterator_local(&mut self, local: &Local) -> Option<TokenStream> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let Pat::Ident(PatIdent { ident, by_ref: None, subpat: None, .. }) = &local.pat else { return None };
        if !is_value(&init.expr, self) {
            return None;
        }
        let value = &init.expr;
        // What changes behind it, its items do not show.
        let iterator = self.iterator(value, &super::block_of(value));
        self.forget_closures(&local.pat);
        self.name_as(ident, Is::Iterator);
        let (attributes, iterator) = (&local.attrs, iterator.unwrap_or_else(|| quote!(())));
        Some(quote_spanned!(ident.span()=> #(#attributes)* let #ident = #iterator;))
    }

    /// The body of a function that gives an iterator.
    pub(super) fn iterator_body(&mut self, block: &Block) -> TokenStream {
        let nothing: Block = parse_quote!({});
        let given = |emitter: &mut Self, value: &Expr| match bare(value) {
            Expr::MethodCall(call) if adapters::is_adapter(call) => emitter.adapted_iterator(call, &nothing),
            _ => emitter.given_iterator(value),
        };
        self.block_with_value(block, |emitter, value| given(emitter, value).unwrap_or_default(), TokenStream::new())
    }

    /// An iterator as a value of the builder's. `body` is what may change what it goes over.
    pub(super) fn iterator(&mut self, expr: &Expr, body: &Block) -> Option<TokenStream> {
        match bare(expr) {
            Expr::Path(path) if is_value(expr, self) => Some(quote!(#path)),
            Expr::Reference(ExprReference { mutability: Some(_), expr, .. }) if is_value(expr, self) => {
                self.iterator(expr, body)
            }
            Expr::MethodCall(call) if self.is_stepped(expr) => self.adapted_iterator(call, body),
            Expr::Call(call) if let Some(name) = adapters::source(call) => self.iterator_source(call, name, body),
            other => {
                let symbol = other.span();
                let sequence = match other {
                    Expr::MethodCall(call)
                        if call.method == "by_ref"
                            || call.method == "clone" && !matches!(bare(&call.receiver), Expr::Path(_)) =>
                    {
                        self.sequence(&call.receiver, body)?
                    }
                    // The builder makes a copy of a struct, and not of a variable that has a name.
                    Expr::Struct(_) | Expr::Block(_) | Expr::If(_) | Expr::Match(_) => self.sequence_value(other),
                    other => self.sequence(other, body)?,
                };
                Some(self.call(other, "begun", symbol, &sequence))
            }
        }
    }

    /// `iterator.map(|x| ..)` and the like.
    fn adapted_iterator(&mut self, call: &ExprMethodCall, body: &Block) -> Option<TokenStream> {
        self.no_turbofish(call);
        let (name, span, place) = (call.method.to_string(), call.method.span(), self.spans.place(call));
        self.lent = name == "by_ref" && !matches!(bare(&call.receiver), Expr::MethodCall(_));
        let inner = self.iterator(&call.receiver, body);
        self.lent = false;
        let inner = inner?;
        let with_closure = |emitter: &mut Self, method, by_reference, gives| {
            let closure = emitter.item_closure(&call.args[0], &place, (&[Passed::Item], by_reference), gives)?;
            Some(emitter.call_at(&place, method, span, &quote!(#inner, #closure)))
        };
        match name.as_str() {
            "map" => with_closure(self, "mapped", false, Gives::Value),
            "filter" => with_closure(self, "filtered", true, Gives::Bool),
            "take_while" => with_closure(self, "taken_while", true, Gives::Bool),
            "skip_while" => with_closure(self, "skipped_while", true, Gives::Bool),
            "filter_map" => with_closure(self, "filter_mapped", false, Gives::Option),
            "map_while" => with_closure(self, "mapped_while", false, Gives::Option),
            "inspect" => with_closure(self, "inspected", true, Gives::Nothing),
            "flat_map" => with_closure(self, "unfolded", false, Gives::Iterator),
            "by_ref" | "into_iter" => Some(inner),
            "scan" => {
                let start = self.typed_value(&call.args[0], None);
                let state = self.call_at(&place, "bind_mut", span, &quote!("state", #start));
                let closure =
                    self.item_closure(&call.args[1], &place, (&[Passed::Place, Passed::Item], false), Gives::Option)?;
                Some(self.call_at(&place, "scanned", span, &quote!(#inner, #state, #closure)))
            }
            "zip" | "chain" => {
                let (first, other) = (self.fresh("first", span), self.iterator(&call.args[0], body)?);
                let method = if name == "zip" { "both" } else { "chained" };
                let both = self.call_at(&place, method, span, &quote!(#first, #other));
                Some(quote_spanned!(span=> { let #first = #inner; #both }))
            }
            "skip" | "take" | "step_by" => {
                let (first, number) = (self.fresh("first", span), self.value(&call.args[0]));
                let method = match name.as_str() {
                    "skip" => "skipped",
                    "take" => "taken",
                    _ => "stepped",
                };
                let counted = self.call_at(&place, method, span, &quote!(#first, #number));
                Some(quote_spanned!(span=> { let #first = #inner; #counted }))
            }
            other => {
                let method = match other {
                    "flatten" => "flattened",
                    "cycle" => "cycled",
                    "peekable" => "peeked",
                    "fuse" => "fused",
                    "copied" | "cloned" => "read_items",
                    "enumerate" => "numbered",
                    "rev" => "reversed",
                    _ => "duplicate",
                };
                Some(self.call_at(&place, method, span, &inner))
            }
        }
    }

    /// `std::iter::repeat(value)` and the like.
    fn iterator_source(&mut self, call: &ExprCall, name: &str, body: &Block) -> Option<TokenStream> {
        let (span, place) = (call.func.span(), self.spans.place(call));
        Some(match name {
            "repeat" | "once" => {
                let value = self.value(&call.args[0]);
                self.call_at(&place, if name == "once" { "once" } else { "again" }, span, &value)
            }
            "repeat_n" => {
                let [value, number] = &self.operands(&call.args)[..] else { return None };
                let repeated = self.call_at(&place, "again", span, value);
                self.call_at(&place, "taken", span, &quote!(#repeated, #number))
            }
            "from_fn" => {
                let closure = self.item_closure(&call.args[0], &place, (&[], false), Gives::Option)?;
                self.call_at(&place, "from_fn", span, &closure)
            }
            "repeat_with" => {
                let closure = self.item_closure(&call.args[0], &place, (&[], false), Gives::Value)?;
                self.call_at(&place, "repeat_with", span, &closure)
            }
            "zip" => {
                let (first, span) = (self.fresh("first", span), span);
                let (a, b) = (self.iterator(&call.args[0], body)?, self.iterator(&call.args[1], body)?);
                let both = self.call_at(&place, "both", span, &quote!(#first, #b));
                quote_spanned!(span=> { let #first = #a; #both })
            }
            _ => {
                let first = self.value(&call.args[0]);
                let start = self.fresh("first", span);
                let keep = self.call_at(&place, "keep_option", span, &first);
                let closure = self.item_closure(&call.args[1], &place, (&[Passed::Item], true), Gives::Option)?;
                let made = self.call_at(&place, "successors", span, &quote!(#start, #closure));
                quote_spanned!(span=> { let #start = #keep; #made })
            }
        })
    }

    /// A closure of an iterator's as one of the host's: of an item, of two in a tuple, or of none.
    pub(super) fn item_closure(
        &mut self,
        function: &Expr,
        place: &Place,
        (given, by_reference): (&[Passed], bool),
        gives: Gives,
    ) -> Option<TokenStream> {
        let span = function.span();
        let captured = match bare(function) {
            Expr::Closure(closure) => self.captured(closure),
            _ => TokenStream::new(),
        };
        let unmoved = match bare(function) {
            Expr::Closure(closure) => Expr::Closure(ExprClosure { capture: None, ..closure.clone() }),
            other => other.clone(),
        };
        let function = &unmoved;
        let items: Vec<Current> = given.iter().map(|&is| Current { name: self.fresh("item", span), is }).collect();
        let given: Vec<&Current> = items.iter().collect();
        let mistakes = self.report.len();
        let known = self.closures.len();
        let kept = self.kept.take();
        let (declared, value) = match (gives, bare(function)) {
            (Gives::Nothing | Gives::Iterator, Expr::Closure(closure)) => {
                let declared = self.parameters(closure, &given, by_reference).unwrap_or_default();
                let targets = std::mem::take(&mut self.targets);
                let made = self.closure_result(&settled(closure), gives);
                self.targets = targets;
                self.closures.truncate(known);
                (declared, made.unwrap_or_default())
            }
            (Gives::Iterator, path) => {
                let names = items.iter().map(|item| &item.name);
                let call: Expr = syn::parse_quote_spanned!(span=> #path(#(#names),*));
                (TokenStream::new(), self.sequence_value(&call))
            }
            _ => {
                let (declared, value) = self.applied(function, &given, place, by_reference);
                let value = match gives {
                    Gives::Bool => self.call_typed(place, "keep", span, &quote!(bool), &value),
                    Gives::Option => self.call_at(place, "keep_option", span, &value),
                    Gives::Ordering => self.call_at(place, "keep_ordering", span, &value),
                    Gives::Nothing => {
                        let nothing = self.call_at(place, "nothing", span, &value);
                        let unit = self.call_at(place, "no_value", span, &TokenStream::new());
                        quote_spanned!(span=> { #nothing; #unit })
                    }
                    _ => self.call_at(place, "keep", span, &value),
                };
                (declared, value)
            }
        };
        self.kept = kept;
        if self.report.len() > mistakes {
            return None;
        }
        let here = Span::mixed_site().located_at(span);
        let (k, private) = (self.builder.at(span), paths::private(here));
        let names = items.iter().map(|item| &item.name);
        let names = match items.len() {
            1 => quote!(#(#names)*),
            0 => quote_spanned!(here=> ()),
            _ => quote!((#(#names),*)),
        };
        let closure = quote_spanned!(here=> move |#names, #k: &#private::Builder| { #declared #value });
        Some(if captured.is_empty() { closure } else { quote_spanned!(here=> { #captured #closure }) })
    }

    /// The statements of a closure without a value, or the iterator that it gives.
    fn closure_result(&mut self, closure: &ExprClosure, gives: Gives) -> Option<TokenStream> {
        let place = self.spans.place(&closure.body);
        let span = place.extent.first;
        if gives == Gives::Nothing {
            let body = self.expression_statement(&closure.body, true);
            let unit = self.call_at(&place, "no_value", span, &TokenStream::new());
            return Some(quote_spanned!(span=> { #body #unit }));
        }
        self.given_iterator(&closure.body)
    }

    /// An iterator that is the value of a block.
    pub(super) fn given_iterator(&mut self, expr: &Expr) -> Option<TokenStream> {
        let nothing: Block = parse_quote!({});
        match bare(expr) {
            Expr::Block(block) if block.label.is_none() => {
                let given = |emitter: &mut Self, value: &Expr| emitter.given_iterator(value).unwrap_or_default();
                Some(self.block_with_value(&block.block, given, TokenStream::new()))
            }
            other if is_value(other, self) || matches!(other, Expr::Range(_) | Expr::Array(_) | Expr::Reference(_)) => {
                self.iterator(other, &nothing)
            }
            other => Some(self.sequence_value(other)),
        }
    }

    /// `it.next()`, `it.peek()`, `it.len()` and the like, if it is one of an iterator's.
    pub(super) fn of_iterator(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let (method, parameters): (&str, &[&str]) = match call.method.to_string().as_str() {
            "next" => ("next_item", &[]),
            "next_back" => ("next_back_item", &[]),
            "peek" => ("peek", &[]),
            "len" => ("items_left", &[]),
            "remainder" => ("remainder", &[]),
            "next_if" => ("next_if", &["|x| .."]),
            "next_if_eq" => ("next_if_eq", &["&value"]),
            _ => return None,
        };
        if !is_value(&call.receiver, self) {
            return None;
        }
        self.no_turbofish(call);
        let name = call.method.to_string();
        if !self.expect_arguments(&call.method, &name, &call.args, parameters) {
            return Some(quote!(()));
        }
        let nothing: Block = parse_quote!({});
        let (place, span) = (self.spans.place(call), call.method.span());
        let iterator = self.iterator(&call.receiver, &nothing)?;
        Some(match method {
            "next_if" => {
                let closure = self.item_closure(&call.args[0], &place, (&[Passed::Item], true), Gives::Bool)?;
                self.call_at(&place, method, span, &quote!(#iterator, #closure))
            }
            "next_if_eq" => {
                let value = match bare(&call.args[0]) {
                    Expr::Reference(reference) => &reference.expr,
                    other => other,
                };
                let closure: Expr = syn::parse_quote_spanned!(span=> |__next| __next == #value);
                let closure = self.item_closure(&closure, &place, (&[Passed::Item], false), Gives::Bool)?;
                self.call_at(&place, "next_if", span, &quote!(#iterator, #closure))
            }
            _ => self.call_at(&place, method, span, &iterator),
        })
    }
}

/// Whether a closure gives an iterator.
pub(super) fn gives_iterator(body: &Expr, emitter: &Emitter<'_>) -> bool {
    match bare(body) {
        Expr::Block(block) if block.label.is_none() => {
            matches!(block.block.stmts.last(), Some(Stmt::Expr(last, None)) if gives_iterator(last, emitter))
        }
        other => is_value(other, emitter),
    }
}
