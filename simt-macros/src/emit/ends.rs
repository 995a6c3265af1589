//! What an iterator ends in: a function for each method, which makes a loop and a value that it leaves behind.

use super::adapters::{Names, is_iterator, is_own_end};
use super::iterate::{Current, Passed};
use super::returning::settled;
use super::{Emitter, bare, scope};
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall, parse_quote_spanned};

/// Makes the tokens of an end.
type Made = fn(&mut Emitter<'_>, &End<'_>) -> TokenStream;

/// Methods that end an iterator, with their parameters.
const ENDS: [(&str, &[&str], Made); 25] = [
    ("try_fold", &["start", "|a, x| .."], |emitter, end| emitter.tried(end)),
    ("try_for_each", &["|x| .."], |emitter, end| emitter.tried(end)),
    ("eq", &["other"], |emitter, end| emitter.compared(end)),
    ("ne", &["other"], |emitter, end| emitter.compared(end)),
    ("cmp", &["other"], |emitter, end| emitter.compared(end)),
    ("sum", &[], |emitter, end| emitter.total(end, "number_sum_start", "add_item")),
    ("product", &[], |emitter, end| emitter.total(end, "number_product_start", "mul_item")),
    ("count", &[], |emitter, end| emitter.counted(end)),
    ("min", &[], |emitter, end| emitter.extreme(end)),
    ("max", &[], |emitter, end| emitter.extreme(end)),
    ("min_by_key", &["|x| .."], |emitter, end| emitter.extreme_by_key(end)),
    ("max_by_key", &["|x| .."], |emitter, end| emitter.extreme_by_key(end)),
    ("min_by", &["|a, b| .."], |emitter, end| emitter.extreme_by(end)),
    ("max_by", &["|a, b| .."], |emitter, end| emitter.extreme_by(end)),
    ("any", &["|x| .."], |emitter, end| emitter.tested(end, true)),
    ("all", &["|x| .."], |emitter, end| emitter.tested(end, false)),
    ("position", &["|x| .."], |emitter, end| emitter.position(end)),
    ("rposition", &["|x| .."], |emitter, end| emitter.last_position(end)),
    ("find", &["|x| .."], |emitter, end| emitter.found(end)),
    ("find_map", &["|x| .."], |emitter, end| emitter.found_map(end)),
    ("last", &[], |emitter, end| emitter.last(end)),
    ("nth", &["n"], |emitter, end| emitter.nth(end)),
    ("fold", &["start", "|a, x| .."], |emitter, end| emitter.folded(end)),
    ("reduce", &["|a, x| .."], |emitter, end| emitter.reduced(end)),
    ("for_each", &["|x| .."], |emitter, end| emitter.for_each_end(end)),
];

/// Those that leave to a name what they do not ask for.
const LENT: [&str; 9] = ["any", "all", "position", "rposition", "find", "find_map", "nth", "try_fold", "try_for_each"];

/// A call that ends an iterator.
pub(super) struct End<'a> {
    pub(super) call: &'a ExprMethodCall,
    pub(super) span: Span,
    pub(super) place: Place,
    /// What the loop leaves behind, and whether there is something.
    pub(super) state: Ident,
    pub(super) found: Ident,
}

fn find(call: &ExprMethodCall, names: &dyn Names) -> Option<Made> {
    let known = ENDS.iter().find(|(name, parameters, _)| call.method == name && parameters.len() == call.args.len());
    let is_one =
        || is_iterator(&call.receiver, names) || is_own_end(call, names) || names.names_range(bare(&call.receiver));
    known.filter(|_| is_one()).map(|&(.., made)| made)
}

/// Whether a call ends an iterator.
pub(super) fn is_end(call: &ExprMethodCall, names: &dyn Names) -> bool {
    find(call, names).is_some()
}

impl Emitter<'_> {
    /// The value that an iterator ends in, or of `for_each` the loop.
    pub(super) fn iterator_end(&mut self, call: &ExprMethodCall) -> TokenStream {
        if let Some(field) = self.changed_field(&call.receiver).cloned() {
            return self.with_spilled(&field, |emitter| emitter.iterator_end(call));
        }
        let (span, place) = (call.method.span(), self.spans.place(call));
        if call.method != "sum" && call.method != "product" {
            self.no_turbofish(call);
        }
        let [state, found] = ["state", "found"].map(|name| self.fresh(name, span));
        let end = End { call, span, place, state, found };
        find(call, self).map_or_else(TokenStream::new, |made| made(self, &end))
    }

    fn counted(&mut self, end: &End<'_>) -> TokenStream {
        let End { span, place, state, .. } = end;
        let declared = self.state(end, state, "count", &quote!(0_usize));
        let body = self.each_of(end, &mut |emitter, Current { name, .. }| {
            let next = emitter.next(state, *span, place);
            // What is not used of an iterator counts as used.
            quote_spanned!(*span=> let _ = &#name; #next)
        });
        quote_spanned!(*span=> { #declared #body #state })
    }

    /// `min` and `max`
    fn extreme(&mut self, end: &End<'_>) -> TokenStream {
        let (state, found, is_max) = (&end.state, &end.found, end.call.method == "max");
        self.perhaps(end, |emitter, end, Current { name, .. }| {
            let better = emitter.call_at(&end.place, "improve", end.span, &quote!(#found, #state, #name, #is_max));
            quote_spanned!(end.span=> #better;)
        })
    }

    /// `min_by_key` and `max_by_key`
    fn extreme_by_key(&mut self, end: &End<'_>) -> TokenStream {
        let (span, is_max) = (end.span, end.call.method == "max_by_key");
        let (best, key) = (self.fresh("best", span), self.fresh("key", span));
        let start = self.call_at(&end.place, "undecided", span, &TokenStream::new());
        let declared = self.state(end, &best, "key", &start);
        let body = self.perhaps(end, |emitter, end, current| {
            let (names, value) = emitter.applied(&end.call.args[0], &[&current], &end.place, true);
            let keep = emitter.call_at(&end.place, "keep", span, &value);
            let key_of = scope(span, quote!(#names #keep));
            let (found, item) = (&end.found, &current.name);
            let is_better = emitter.call_at(&end.place, "is_better", span, &quote!(#found, #best, #key, #is_max));
            let puts = [(&best, quote!(#key)), (&end.state, quote!(#item)), (found, quote!(true))];
            let puts = puts.map(|(name, value)| emitter.set(end, name, &value));
            let taken = emitter.when(end, &is_better, &quote!(#(#puts)*));
            quote_spanned!(span=> let #key = #key_of; #taken)
        });
        quote_spanned!(span=> { #declared #body })
    }

    /// `min_by` and `max_by`: as std's do, they ask for the order of the best and the next.
    fn extreme_by(&mut self, end: &End<'_>) -> TokenStream {
        let (span, is_max) = (end.span, end.call.method == "max_by");
        self.perhaps(end, |emitter, end, current| {
            let best = Current { name: emitter.fresh("best", span), is: Passed::Value };
            let (state, found) = (&end.state, &end.found);
            let keep = emitter.call_at(&end.place, "keep", span, &quote!(#state));
            let (names, order) = emitter.applied(&end.call.args[0], &[&best, &current], &end.place, true);
            let better = emitter.call_at(&end.place, "is_better_by", span, &quote!(#order, #is_max));
            let taken = emitter.take(end, &current, false);
            let (compared, first) = (emitter.when(end, &better, &taken), emitter.take(end, &current, false));
            let best = &best.name;
            let compared = scope(span, quote_spanned!(span=> let #best = #keep; #names #compared));
            // The first says what type the best has.
            let none = emitter.call_at(&end.place, "not", span, &quote!(#found));
            let begin = emitter.call_at(&end.place, "begin_if", span, &none);
            let (first, k) = (scope(span, first), emitter.builder.at(span));
            quote_spanned!(span=> #begin; #first #k.begin_else(); #compared #k.end_if();)
        })
    }

    /// `any` and `all`
    fn tested(&mut self, end: &End<'_>, is_any: bool) -> TokenStream {
        let End { span, place, state, .. } = end;
        let start = !is_any;
        let declared = self.state(end, state, &end.call.method.to_string(), &quote!(#start));
        let body = self.each_of(end, &mut |emitter, current| {
            let (names, mut holds) = emitter.applied(&end.call.args[0], &[&current], place, false);
            if !is_any {
                holds = emitter.call_at(place, "not", *span, &holds);
            }
            let (put, leave) = (emitter.set(end, state, &quote!(#is_any)), emitter.leave(end));
            let decided = emitter.when(end, &holds, &quote!(#put #leave));
            scope(*span, quote!(#names #decided))
        });
        quote_spanned!(*span=> { #declared #body #state })
    }

    fn position(&mut self, end: &End<'_>) -> TokenStream {
        self.perhaps_from(end, &quote!(0_usize), |emitter, end, current| {
            let (names, holds) = emitter.applied(&end.call.args[0], &[&current], &end.place, false);
            let (put, leave) = (emitter.set(end, &end.found, &quote!(true)), emitter.leave(end));
            let found = emitter.when(end, &holds, &quote!(#put #leave));
            let (tested, next) =
                (scope(end.span, quote!(#names #found)), emitter.next(&end.state, end.span, &end.place));
            quote_spanned!(end.span=> #tested #next)
        })
    }

    /// `rposition`, which counts from the end: the positions are those from the begin.
    fn last_position(&mut self, end: &End<'_>) -> TokenStream {
        let ExprMethodCall { receiver, args, .. } = end.call;
        let (span, test) = (end.span, &args[0]);
        let [all, number, back] = ["all", "number", "back"].map(|name| self.fresh(name, span));
        let written: Expr = parse_quote_spanned!(span=> {
            let #all = #receiver;
            let #number = #all.len();
            #all.rev().position(#test).map(|#back| #number - 1 - #back)
        });
        self.value(&written)
    }

    fn found(&mut self, end: &End<'_>) -> TokenStream {
        self.perhaps(end, |emitter, end, current| {
            let (names, holds) = emitter.applied(&end.call.args[0], &[&current], &end.place, true);
            let found = emitter.take(end, &current, true);
            let found = emitter.when(end, &holds, &found);
            scope(end.span, quote!(#names #found))
        })
    }

    fn found_map(&mut self, end: &End<'_>) -> TokenStream {
        let (span, option, value) = (end.span, self.fresh("option", end.span), self.fresh("value", end.span));
        self.perhaps(end, |emitter, end, current| {
            let (names, made) = emitter.applied(&end.call.args[0], &[&current], &end.place, false);
            let keep = emitter.call_at(&end.place, "keep_option", span, &made);
            let k = emitter.builder.at(span);
            let taken = emitter.take(end, &Current { name: value.clone(), is: Passed::Value }, true);
            let taken = quote_spanned!(span=> let #value = #k.present_value(#option); #taken);
            let taken = emitter.when(end, &quote_spanned!(span=> #k.is_present(#option)), &taken);
            scope(span, quote_spanned!(span=> #names let #option = #keep; #taken))
        })
    }

    fn last(&mut self, end: &End<'_>) -> TokenStream {
        self.perhaps(end, |emitter, end, current| emitter.take(end, &current, false))
    }

    fn nth(&mut self, end: &End<'_>) -> TokenStream {
        let (span, place) = (end.span, &end.place);
        let (counter, number) = (self.fresh("count", span), self.fresh("n", span));
        let n = self.value(&end.call.args[0]);
        let keep = self.call_typed(place, "keep", span, &quote!(usize), &n);
        let declared = self.state(end, &counter, "count", &quote!(0_usize));
        let body = self.perhaps(end, |emitter, end, current| {
            let is_it = emitter.call_at(place, "eq", span, &quote!(#counter, #number));
            let taken = emitter.take(end, &current, true);
            let (taken, next) = (emitter.when(end, &is_it, &taken), emitter.next(&counter, span, place));
            quote_spanned!(span=> #taken #next)
        });
        quote_spanned!(span=> { let #number = #keep; #declared #body })
    }

    fn folded(&mut self, end: &End<'_>) -> TokenStream {
        let End { span, state, .. } = end;
        let start = self.typed_value(&end.call.args[0], None);
        let declared = self.state(end, state, "fold", &start);
        let body = self.each_of(end, &mut |emitter, current| emitter.joined(end, 1, &current));
        quote_spanned!(*span=> { #declared #body #state })
    }

    fn reduced(&mut self, end: &End<'_>) -> TokenStream {
        self.perhaps(end, |emitter, end, current| {
            let (found, joined) = (&end.found, emitter.joined(end, 0, &current));
            let first = scope(end.span, emitter.take(end, &current, false));
            // The first says what type the result has.
            let none = emitter.call_at(&end.place, "not", end.span, &quote!(#found));
            let begin = emitter.call_at(&end.place, "begin_if", end.span, &none);
            let k = emitter.builder.at(end.span);
            quote_spanned!(end.span=> #begin; #first #k.begin_else(); #joined #k.end_if();)
        })
    }

    /// `x.iter().for_each(|v| ..);`
    fn for_each_end(&mut self, end: &End<'_>) -> TokenStream {
        let End { span, place, .. } = end;
        self.each_of(end, &mut |emitter, current| {
            let Expr::Closure(closure) = bare(&end.call.args[0]) else {
                let (names, value) = emitter.applied(&end.call.args[0], &[&current], place, false);
                let nothing = emitter.call_at(place, "nothing", *span, &value);
                return scope(*span, quote!(#names #nothing;));
            };
            let known = emitter.closures.len();
            let Some(names) = emitter.parameters(closure, &[&current], false) else { return TokenStream::new() };
            let targets = std::mem::take(&mut emitter.targets);
            let body = emitter.expression_statement(&settled(closure).body, true);
            emitter.targets = targets;
            emitter.closures.truncate(known);
            scope(*span, quote!(#names #body))
        })
    }

    /// `state = function(state, current);` of the argument with this number.
    fn joined(&mut self, end: &End<'_>, argument: usize, current: &Current) -> TokenStream {
        let (span, state) = (end.span, &end.state);
        let so_far = Current { name: self.fresh("so_far", span), is: Passed::Value };
        let keep = self.call_at(&end.place, "keep", span, &quote!(#state));
        let (names, next) = self.applied(&end.call.args[argument], &[&so_far, current], &end.place, false);
        let put = self.set(end, state, &next);
        let (so_far, joined) = (&so_far.name, scope(span, quote!(#names #put)));
        scope(span, quote_spanned!(span=> let #so_far = #keep; #joined))
    }

    /// An end that is an option: of what `body` leaves in `state`, if it sets `found`.
    fn perhaps(&mut self, end: &End<'_>, body: impl FnMut(&mut Self, &End<'_>, Current) -> TokenStream) -> TokenStream {
        let start = self.call_at(&end.place, "undecided", end.span, &TokenStream::new());
        self.perhaps_from(end, &start, body)
    }

    fn perhaps_from(
        &mut self,
        end: &End<'_>,
        start: &TokenStream,
        mut body: impl FnMut(&mut Self, &End<'_>, Current) -> TokenStream,
    ) -> TokenStream {
        let End { call, span, state, found, .. } = end;
        let flag = self.state(end, found, "found", &quote!(false));
        let value = self.state(end, state, &call.method.to_string(), start);
        let body = self.each_of(end, &mut |emitter, current| body(emitter, end, current));
        let k = self.builder.at(*span);
        quote_spanned!(*span=> { #flag #value #body #k.found(#found, #state) })
    }

    /// A loop over what is ended.
    pub(super) fn each_of(
        &mut self,
        end: &End<'_>,
        body: &mut dyn FnMut(&mut Self, Current) -> TokenStream,
    ) -> TokenStream {
        self.lent =
            LENT.iter().any(|name| end.call.method == name) && !matches!(bare(&end.call.receiver), Expr::MethodCall(_));
        self.each(&end.call.receiver, &end.place, body)
    }

    /// `state = current; found = true;`, and leaves the loop, if it is to.
    fn take(&mut self, end: &End<'_>, current: &Current, and_leave: bool) -> TokenStream {
        let value = &current.name;
        let (put, found) = (self.set(end, &end.state, &quote!(#value)), self.set(end, &end.found, &quote!(true)));
        let leave = and_leave.then(|| self.leave(end));
        quote!(#put #found #leave)
    }

    /// `let mut name = value;`
    pub(super) fn state(&mut self, end: &End<'_>, name: &Ident, title: &str, value: &TokenStream) -> TokenStream {
        let bound = self.call_at(&end.place, "bind_mut", end.span, &quote!(#title, #value));
        quote_spanned!(end.span=> let #name = #bound;)
    }

    /// `name = value;`
    pub(super) fn set(&mut self, end: &End<'_>, name: &Ident, value: &TokenStream) -> TokenStream {
        let assign = self.call_at(&end.place, "assign", end.span, &quote!(#name, #value));
        quote_spanned!(end.span=> #assign;)
    }

    /// `break;`
    pub(super) fn leave(&mut self, end: &End<'_>) -> TokenStream {
        let leave = self.call_at(&end.place, "break_", end.span, &quote!(0));
        quote_spanned!(end.span=> let _ = #leave;)
    }

    /// `if cond { then }`
    fn when(&mut self, end: &End<'_>, cond: &TokenStream, then: &TokenStream) -> TokenStream {
        let (span, k) = (end.span, self.builder.at(end.span));
        let begin = self.call_at(&end.place, "begin_if", span, cond);
        let then = scope(span, then.clone());
        quote_spanned!(span=> #begin; #then #k.begin_else(); #k.end_if();)
    }
}
