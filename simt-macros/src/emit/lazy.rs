//! Methods with a closure that is called only where it is needed, or more than once: `c.then(|| ..)`,
//! `o.get_or_insert_with(|| ..)`, `x.partition_point(|v| ..)`, `a[i].fetch_update(.., |v| ..)`.

use super::referring::Matched;
use super::returning::settled;
use super::{Emitter, bare, memory, scope};
use crate::spans::Place;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, ExprClosure, ExprIndex, ExprMethodCall, Pat, parse_quote_spanned};

/// The methods, with their parameters.
const METHODS: [(&str, &[&str]); 5] = [
    ("then", &["|| .."]),
    ("then_with", &["|| .."]),
    ("get_or_insert_with", &["|| .."]),
    ("partition_point", &["|v| .."]),
    ("fetch_update", &["set_order", "fetch_order", "|v| .."]),
];

/// Whether a call is one of these methods.
pub(super) fn is_method(call: &ExprMethodCall) -> bool {
    let known = METHODS.iter().any(|(name, _)| call.method == name);
    known && call.args.last().is_some_and(|last| matches!(bare(last), Expr::Closure(_)))
}

impl Emitter<'_> {
    /// The value of such a call.
    pub(super) fn lazy_method(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        let name = call.method.to_string();
        let parameters = METHODS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, parameters)| parameters);
        let closure = match call.args.last().map(bare) {
            Some(Expr::Closure(closure)) if call.args.len() == parameters.len() => closure,
            _ => {
                self.expect_arguments(&call.method, &name, &call.args, parameters);
                return quote!(());
            }
        };
        if closure.inputs.len() != usize::from(!matches!(parameters, ["|| .."])) {
            let written = parameters.last().copied().unwrap_or_default();
            self.report.error(closure, format_args!("`.{name}()` takes another closure: write `{written}`"));
            return quote!(());
        }
        match name.as_str() {
            "then" => self.then(call, closure),
            "then_with" => self.then_with(call, closure),
            "get_or_insert_with" => self.get_or_insert_with(call, closure),
            "partition_point" => self.partition_point(call),
            _ => self.fetch_update(call, closure),
        }
    }

    /// `c.then(|| value)`
    fn then(&mut self, call: &ExprMethodCall, closure: &ExprClosure) -> TokenStream {
        let (place, span) = (self.spans.place(call), call.method.span());
        let cond = self.value(&call.receiver);
        let k = self.builder.at(span);
        self.chosen(&place, &cond, (closure, Some("some")), &quote_spanned!(span=> #k.none()), call)
    }

    /// `ordering.then_with(|| other)`
    fn then_with(&mut self, call: &ExprMethodCall, closure: &ExprClosure) -> TokenStream {
        let (place, span) = (self.spans.place(call), call.method.span());
        let (value, first) = (self.value(&call.receiver), self.fresh("first", span));
        let keep = self.call_at(&place, "keep_ordering", span, &value);
        let is_equal = self.call_at(&place, "is_equal", span, &quote!(#first));
        let chosen = self.chosen(&place, &is_equal, (closure, None), &quote!(#first), call);
        scope(span, quote_spanned!(span=> let #first = #keep; #chosen))
    }

    /// `if cond { closure } else { otherwise }`, where a method of the builder makes the one of the closure's value.
    fn chosen(
        &mut self,
        place: &Place,
        cond: &TokenStream,
        (closure, made): (&ExprClosure, Option<&str>),
        otherwise: &TokenStream,
        call: &ExprMethodCall,
    ) -> TokenStream {
        let span = call.method.span();
        let (k, slot) = (self.builder.at(span), self.fresh("slot", span));
        let begin = self.call_at(place, "begin_if", span, cond);
        let closure = Expr::Closure(closure.clone());
        let (declared, value) = self.option_body(&closure, place, (&quote!(()), Matched::Value), "absent_value");
        let value = match made {
            Some(method) => self.call_at(place, method, span, &value),
            None => value,
        };
        let give = self.call_at(place, "give", span, &quote!(#slot, #value));
        let other = self.call_at(place, "give", span, &quote!(#slot, #otherwise));
        let then = scope(span, quote_spanned!(span=> #declared #give;));
        scope(
            span,
            quote_spanned!(span=> let #slot = #k.slot(); #begin; #then #k.begin_else(); #other; #k.end_if(); #slot),
        )
    }

    /// `option.get_or_insert_with(|| value)`
    fn get_or_insert_with(&mut self, call: &ExprMethodCall, closure: &ExprClosure) -> TokenStream {
        let mistakes = self.report.len();
        self.refuse(closure);
        let receiver = bare(&call.receiver);
        let is_variable = matches!(receiver, Expr::Path(_)) || self.field_of_variable(receiver).is_some();
        if !is_variable {
            let message =
                "this is for a variable or a field of one: write `let mut o = x[i];`, and `x[i] = o;` behind it";
            self.report.error(receiver, message);
        }
        if self.report.len() > mistakes {
            return quote!(());
        }
        let closure = &*settled(closure);
        let (span, body) = (call.method.span(), &closure.body);
        let place: Expr = match self.reference_named(receiver).is_some() {
            true => parse_quote_spanned!(span=> *#receiver),
            false => receiver.clone(),
        };
        let written: Expr = parse_quote_spanned!(span=> {
            if #receiver.is_none() {
                #place = Some(#body);
            }
            #receiver.unwrap()
        });
        self.value(&written)
    }

    /// `x.partition_point(|&v| ..)`
    fn partition_point(&mut self, call: &ExprMethodCall) -> TokenStream {
        let (place, span) = (self.spans.place(call), call.method.span());
        let Some(memory) = self.memory(&call.receiver) else { return quote!(()) };
        let (k, halves) = (self.builder.at(span), self.fresh("halves", span));
        let begin = self.call_at(&place, "begin_halves", span, &memory);
        let argument = quote_spanned!(span=> #k.halved_element(&#halves));
        let (declared, value) =
            self.option_body(&call.args[0], &place, (&argument, Matched::Reference), "present_value");
        let end = self.call_at(&place, "end_halves", span, &quote!(&#halves, #value));
        scope(span, quote_spanned!(span=> let #halves = #begin; #declared #end))
    }

    /// `x[i].fetch_update(set_order, fetch_order, |v| ..)`, as std has it: a loop around `compare_exchange`.
    fn fetch_update(&mut self, call: &ExprMethodCall, closure: &ExprClosure) -> TokenStream {
        let mistakes = self.report.len();
        self.refuse(closure);
        if self.report.len() > mistakes {
            return quote!(());
        }
        let span = call.method.span();
        let closure = &*settled(closure);
        let (set, fetch, body) = (&call.args[0], &call.args[1], &closure.body);
        let pattern = match &closure.inputs[0] {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        let [index, seen, next, old, now] = ["index", "seen", "next", "old", "now"].map(|name| self.fresh(name, span));
        let (declared, atomic): (TokenStream, Expr) = match bare(&call.receiver) {
            Expr::Index(indexed) if memory::range_of(indexed).is_none() => {
                let ExprIndex { expr, index: number, .. } = indexed;
                (quote_spanned!(span=> let #index: usize = #number;), parse_quote_spanned!(span=> #expr[#index]))
            }
            other => (TokenStream::new(), other.clone()),
        };
        let written: Expr = parse_quote_spanned!(span=> {
            #declared
            let mut #seen = #atomic.load(#fetch);
            loop {
                match { let #pattern = #seen; (#body) } {
                    Some(#next) => match #atomic.compare_exchange(#seen, #next, #set, #fetch) {
                        Ok(#old) => break Ok(#old),
                        Err(#now) => #seen = #now,
                    },
                    None => break Err(#seen),
                }
            }
        });
        self.value(&written)
    }
}
