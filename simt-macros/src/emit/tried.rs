//! Ends of iterators that stop where a closure gives none, `try_fold`, `try_for_each`, and those that compare two iterators.

use super::ends::End;
use super::iterate::{Current, Passed};
use super::{Emitter, scope};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Block, parse_quote};

impl Emitter<'_> {
    /// `x.iter().try_fold(start, |a, v| ..)`, `x.iter().try_for_each(|v| ..)`
    pub(super) fn tried(&mut self, end: &End<'_>) -> TokenStream {
        let (span, place, state) = (end.span, &end.place, &end.state);
        let folds = end.call.method == "try_fold";
        let start = match folds {
            true => self.typed_value(&end.call.args[0], None),
            false => {
                let k = self.builder.at(span);
                quote_spanned!(span=> #k.unit())
            }
        };
        let [result, option] = ["result", "option"].map(|name| self.fresh(name, span));
        let declared = self.state(end, state, "fold", &start);
        let flag = self.state(end, &end.found, "stopped", &quote!(false));
        let body = self.each_of(end, &mut |emitter, current| {
            let k = emitter.builder.at(span);
            let so_far = Current { name: emitter.fresh("so_far", span), is: Passed::Value };
            let given = if folds { vec![&so_far, &current] } else { vec![&current] };
            let function = end.call.args.last().unwrap_or_else(|| unreachable!("it has a closure"));
            let (names, value) = emitter.applied(function, &given, place, false);
            let keep = emitter.call_at(place, "keep_variants", span, &value);
            let begin = emitter.call_at(place, "begin_if", span, &quote!(#k.is_present(#option)));
            let next = emitter.set(end, state, &quote!(#k.present_value(#option)));
            let give = emitter.call_at(place, "give", span, &quote!(#result, #option));
            let (stop, leave) = (emitter.set(end, &end.found, &quote!(true)), emitter.leave(end));
            let (name, kept) = (&so_far.name, emitter.call_at(place, "keep", span, &quote!(#state)));
            let so_far = folds.then(|| quote_spanned!(span=> let #name = #kept;));
            let tokens = quote_spanned!(span=> #so_far #names let #option = #keep; #begin; #next #k.begin_else(); #give; #stop #leave #k.end_if(););
            scope(span, tokens)
        });
        let k = self.builder.at(span);
        let found = &end.found;
        let undecided = self.call_at(place, "undecided", span, &TokenStream::new());
        let none = self.call_at(place, "give", span, &quote!(#result, #undecided));
        let begin = self.call_at(place, "begin_if", span, &quote!(#found));
        let whole = self.call_at(place, "present", span, &quote!(#state));
        let give = self.call_at(place, "give", span, &quote!(#result, #whole));
        quote_spanned!(span=> {
            let #result = #k.slot(); #none; #declared #flag #body #begin; #k.begin_else(); #give; #k.end_if(); #result
        })
    }

    /// `a.iter().eq(b.iter())`, `ne`, `cmp`, `partial_cmp`
    pub(super) fn compared(&mut self, end: &End<'_>) -> TokenStream {
        let nothing: Block = parse_quote!({});
        let (span, first) = (end.span, self.fresh("first", end.span));
        let Some(a) = self.iterator(&end.call.receiver, &nothing) else { return TokenStream::new() };
        let Some(b) = self.iterator(&end.call.args[0], &nothing) else { return TokenStream::new() };
        let method = match end.call.method.to_string().as_str() {
            "eq" => "equal_items",
            "ne" => "unequal_items",
            _ => "order_of_items",
        };
        let compared = self.call_at(&end.place, method, span, &quote!(#first, #b));
        quote_spanned!(span=> { let #first = #a; #compared })
    }
}
