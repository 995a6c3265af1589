//! Iterators with closures, and what they end in: `x.iter().map(|v| v * v).sum()`, `(0..n).any(|k| x[k] == 0)`.
//!
//! They become a loop whose body has the closures' bodies, one after the other.

use super::closure::Is;
use super::jump::{Target, TargetKind};
use super::referring::Matched;
use super::returning::settled;
use super::{Emitter, bare, scope, sequence};
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprClosure, ExprForLoop, ExprMethodCall, Pat, parse_quote, parse_quote_spanned};

/// Methods with a closure, behind which an iterator's items are no longer those of memory or of a range.
const CLOSURES: [(&str, Kind); 5] = [
    ("map", Kind::Map),
    ("filter", Kind::Filter),
    ("take_while", Kind::TakeWhile),
    ("filter_map", Kind::FilterMap),
    ("map_while", Kind::MapWhile),
];

/// Methods that stand behind these, too.
const BEHIND: [(&str, Kind); 5] = [
    ("copied", Kind::Copied),
    ("cloned", Kind::Copied),
    ("enumerate", Kind::Enumerate),
    ("skip", Kind::Skip),
    ("take", Kind::Take),
];

/// What a method does with an item.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Map,
    Filter,
    TakeWhile,
    FilterMap,
    MapWhile,
    Copied,
    Enumerate,
    Skip,
    Take,
}

/// A method with a closure, or with a function's name, or one that stands behind such.
struct Stage<'a> {
    call: &'a ExprMethodCall,
    kind: Kind,
}

/// What a loop has in front of it, and at the begin of each round.
#[derive(Default)]
struct Around {
    before: TokenStream,
    round: TokenStream,
}

/// What goes through an iterator.
#[derive(Clone)]
pub(super) struct Current {
    pub(super) name: Ident,
    pub(super) is: Passed,
}

/// What a closure is given.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Passed {
    /// An item of memory, which may be a reference.
    Item,
    /// An item of what a function or a field gives, which may be a reference or stand for one.
    Given,
    Value,
    /// A `&mut` to a variable.
    Place,
}

/// The first method with a closure in an iterator and those behind it, and what is before them.
fn split(iterator: &Expr) -> (&Expr, Vec<Stage<'_>>) {
    let (mut base, mut stages) = (iterator, Vec::new());
    let (mut rest, mut found) = (iterator, Vec::new());
    while let Expr::MethodCall(call) = bare(rest) {
        let known = |table: &[(&str, Kind)]| table.iter().find(|(name, _)| call.method == name).map(|&(_, kind)| kind);
        let closure = known(&CLOSURES);
        let Some(kind) = closure.or_else(|| known(&BEHIND)) else { break };
        found.push(Stage { call, kind });
        rest = &call.receiver;
        if closure.is_some() {
            base = rest;
            stages.append(&mut found);
        }
    }
    stages.reverse();
    (base, stages)
}

impl Emitter<'_> {
    /// `for x in a.iter().map(|v| ..)`, if it is one with closures.
    pub(super) fn staged_loop(&mut self, for_: &ExprForLoop) -> Option<TokenStream> {
        if split(&for_.expr).1.is_empty() {
            return None;
        }
        let place = self.spans.place((&for_.for_token, &for_.expr));
        Some(self.each(&for_.expr, &place, &mut |emitter, current| {
            let known = emitter.closures.len();
            let declared = emitter.declared(&for_.pat, &current);
            let target = Target::new(TargetKind::Counted, for_.label.as_ref(), None);
            let body = emitter.within(target, |emitter| emitter.block(&for_.body));
            emitter.closures.truncate(known);
            scope(for_.for_token.span, quote!(#declared #body))
        }))
    }

    /// A loop over what an iterator gives.
    pub(super) fn each(
        &mut self,
        iterator: &Expr,
        place: &Place,
        body: &mut dyn FnMut(&mut Self, Current) -> TokenStream,
    ) -> TokenStream {
        let (base, stages) = split(iterator);
        let span = Span::mixed_site().located_at(base.span());
        let item = self.fresh("item", base.span());
        let (sequence, nothing): (Ident, Block) = (self.fresh("sequence", base.span()), parse_quote!({}));
        let mut declared = None;
        let begin = if self.is_stepped(base) || sequence::is_sequence(base) {
            declared = match self.is_stepped(base) {
                true => self.iterator(base, &nothing),
                false => self.sequence(base, &nothing),
            };
            declared.as_ref().map(|_| self.call(base, "for_each", span, &quote!(#sequence)))
        } else {
            let option = quote!(::core::option::Option::None);
            self.range(base).map(|range| {
                let bounds = range.arguments;
                self.call(base, range.method, span, &quote!(#option, #bounds))
            })
        };
        self.lent = false;
        let Some(begin) = begin else { return TokenStream::new() };
        let mut around = Around::default();
        let is = if sequence::may_be_values(base) { Passed::Given } else { Passed::Item };
        let staged = self.staged(&stages, Current { name: item.clone(), is }, place, &mut around, body);
        let (k, Around { before, round }) = (self.builder.at(span), around);
        let declared = declared.map(|declared| quote_spanned!(span=> let #sequence = #declared;));
        scope(span, quote_spanned!(span=> #declared #before let #item = #begin; #round #staged #k.end_loop();))
    }

    /// What comes behind the methods with closures. Names of one are not seen by the next.
    fn staged(
        &mut self,
        stages: &[Stage<'_>],
        current: Current,
        place: &Place,
        around: &mut Around,
        body: &mut dyn FnMut(&mut Self, Current) -> TokenStream,
    ) -> TokenStream {
        let Some((stage, rest)) = stages.split_first() else { return body(self, current) };
        let (span, kind) = (stage.call.method.span(), stage.kind);
        self.no_turbofish(stage.call);
        let parameters: &[&str] = match kind {
            Kind::Copied | Kind::Enumerate => &[],
            Kind::Skip | Kind::Take => &["n"],
            _ => &["|x| .."],
        };
        if !self.expect_arguments(&stage.call.method, &stage.call.method.to_string(), &stage.call.args, parameters) {
            return TokenStream::new();
        }
        let value = Current { name: self.fresh("value", span), is: Passed::Value };
        let name = &value.name;
        let k = self.builder.at(span);
        let leave = self.call_at(place, "break_", span, &quote!(0));
        match kind {
            Kind::Copied => {
                let item = &current.name;
                let keep = self.call_at(place, "keep", span, &quote!(#item));
                let staged = self.staged(rest, value.clone(), place, around, body);
                quote_spanned!(span=> let #name = #keep; #staged)
            }
            Kind::Enumerate => {
                let (counter, item) = (self.counter(span, place, around), &current.name);
                let keep = self.call_at(place, "keep", span, &quote!((#counter, #item)));
                let next = self.next(&counter, span, place);
                let staged = self.staged(rest, value.clone(), place, around, body);
                quote_spanned!(span=> let #name = #keep; #next #staged)
            }
            Kind::Skip | Kind::Take => {
                let (counter, number) = (self.counter(span, place, around), self.fresh("n", span));
                let n = self.value(&stage.call.args[0]);
                let keep = self.call_typed(place, "keep", span, &quote!(usize), &n);
                around.before.extend(quote_spanned!(span=> let #number = #keep;));
                let is_less = self.call_at(place, "lt", span, &quote!(#counter, #number));
                let next = self.next(&counter, span, place);
                let begin = self.call_at(place, "begin_if", span, &is_less);
                if kind == Kind::Take {
                    // Behind the last item, nothing asks for another.
                    around.round.extend(quote_spanned!(span=> #begin; #k.begin_else(); let _ = #leave; #k.end_if();));
                    let staged = self.staged(rest, current, place, around, body);
                    return quote_spanned!(span=> #next #staged);
                }
                let staged = self.staged(rest, current, place, around, body);
                let staged = scope(span, staged);
                quote_spanned!(span=> #begin; #next #k.begin_else(); #staged #k.end_if();)
            }
            Kind::Map => {
                let kept = self.kept(stage, &current, place, "keep", name);
                let staged = self.staged(rest, value.clone(), place, around, body);
                quote_spanned!(span=> #kept #staged)
            }
            Kind::Filter | Kind::TakeWhile => {
                let kept = self.kept(stage, &current, place, "keep", name);
                let begin = self.call_at(place, "begin_if", span, &quote!(#name));
                let staged = self.staged(rest, current, place, around, body);
                let (staged, leave) = (scope(span, staged), (kind == Kind::TakeWhile).then(|| quote!(let _ = #leave;)));
                quote_spanned!(span=> #kept #begin; #staged #k.begin_else(); #leave #k.end_if();)
            }
            Kind::FilterMap | Kind::MapWhile => {
                let option = self.fresh("option", span);
                let kept = self.kept(stage, &current, place, "keep_option", &option);
                let begin = self.call_at(place, "begin_if", span, &quote!(#k.is_present(#option)));
                let staged = self.staged(rest, value.clone(), place, around, body);
                let staged = scope(span, quote_spanned!(span=> let #name = #k.present_value(#option); #staged));
                let leave = (kind == Kind::MapWhile).then(|| quote!(let _ = #leave;));
                quote_spanned!(span=> #kept #begin; #staged #k.begin_else(); #leave #k.end_if();)
            }
        }
    }

    /// `let name = function(current);`
    fn kept(&mut self, stage: &Stage<'_>, current: &Current, place: &Place, keep: &str, name: &Ident) -> TokenStream {
        let (span, by_reference) = (stage.call.method.span(), matches!(stage.kind, Kind::Filter | Kind::TakeWhile));
        let (declared, value) = self.applied(&stage.call.args[0], &[current], place, by_reference);
        let keep = self.call_at(place, keep, span, &value);
        let kept = scope(span, quote!(#declared #keep));
        quote_spanned!(span=> let #name = #kept;)
    }

    /// A variable in front of a loop that begins at 0.
    fn counter(&mut self, span: Span, place: &Place, around: &mut Around) -> Ident {
        let counter = self.fresh("count", span);
        let bind = self.call_at(place, "bind_mut", span, &quote!("count", 0_usize));
        around.before.extend(quote_spanned!(span=> let #counter = #bind;));
        counter
    }

    /// `counter += 1;`
    pub(super) fn next(&mut self, counter: &Ident, span: Span, place: &Place) -> TokenStream {
        let next = self.call_at(place, "add", span, &quote!(#counter, 1_usize));
        let assign = self.call_at(place, "assign", span, &quote!(#counter, #next));
        quote_spanned!(span=> #assign;)
    }

    /// The value of a closure, or of a function, for these arguments: what it declares, and the value. `by_reference` says that
    /// it gets a reference to what it is given.
    pub(super) fn applied(
        &mut self,
        function: &Expr,
        arguments: &[&Current],
        place: &Place,
        by_reference: bool,
    ) -> (TokenStream, TokenStream) {
        let known = self.closures.len();
        let result = match bare(function) {
            Expr::Closure(closure) => match self.parameters(closure, arguments, by_reference) {
                Some(declared) => {
                    let closure = settled(closure);
                    let targets = std::mem::take(&mut self.targets);
                    let value = self.typed_value(&closure.body, None);
                    self.targets = targets;
                    (declared, self.call_at(place, "hold", place.extent.first, &value))
                }
                None => (TokenStream::new(), quote!(())),
            },
            path => {
                for argument in arguments.iter().filter(|argument| matches!(argument.is, Passed::Item | Passed::Given))
                {
                    self.name_item(&argument.name);
                }
                let (names, span) = (arguments.iter().map(|argument| &argument.name), path.span());
                let call: Expr = match by_reference {
                    true => parse_quote_spanned!(span=> #path(#(&#names),*)),
                    false => parse_quote_spanned!(span=> #path(#(#names),*)),
                };
                (TokenStream::new(), self.value(&call))
            }
        };
        self.closures.truncate(known);
        result
    }

    /// Declares the names of a closure's parameters.
    pub(super) fn parameters(
        &mut self,
        closure: &ExprClosure,
        arguments: &[&Current],
        by_reference: bool,
    ) -> Option<TokenStream> {
        let mistakes = self.report.len();
        self.refuse(closure);
        if closure.inputs.len() != arguments.len() {
            let parameters = if arguments.len() == 1 {
                "one parameter: write `|x| ..`"
            } else {
                "two parameters: write `|a, x| ..`"
            };
            self.report.error(closure, format_args!("this closure has {parameters}"));
        }
        if self.report.len() > mistakes {
            return None;
        }
        let mut declared = TokenStream::new();
        for (pattern, argument) in closure.inputs.iter().zip(arguments) {
            let pattern = match pattern {
                Pat::Type(typed) => &*typed.pat,
                pattern => pattern,
            };
            self.forget_closures(pattern);
            declared.extend(match (pattern, by_reference) {
                (Pat::Reference(inner), true) => self.declared(&inner.pat, argument),
                // `*x` is the item, and `**x` what that refers to.
                (Pat::Ident(name), true) if name.mutability.is_none() && name.subpat.is_none() => {
                    self.name_reference(&name.ident, false);
                    let (name, value) = (&name.ident, &argument.name);
                    let k = self.builder.at(name.span());
                    quote_spanned!(name.span()=> let #name = #k.seen(#value);)
                }
                // The parts of a tuple are references, too.
                (pattern, true) if matches!(argument.is, Passed::Item | Passed::Given) => {
                    let known = self.closures.len();
                    let declared = self.declared(pattern, argument);
                    self.see_items(known);
                    declared
                }
                (pattern, _) if argument.is != Passed::Value => self.declared(pattern, argument),
                (pattern, true) => {
                    self.matched_as(Matched::Reference, |emitter| emitter.destructured(pattern, &argument.name))
                }
                // A value that an item was made to may be a reference still.
                (pattern, false) => {
                    self.matched_as(Matched::Perhaps, |emitter| emitter.destructured(pattern, &argument.name))
                }
            });
        }
        Some(declared)
    }

    fn declared(&mut self, pattern: &Pat, argument: &Current) -> TokenStream {
        match (argument.is, pattern) {
            (Passed::Item, _) => self.item_pattern(pattern, &argument.name),
            (Passed::Given, _) => {
                self.matched_as(Matched::Perhaps, |emitter| emitter.item_pattern(pattern, &argument.name))
            }
            (Passed::Place, Pat::Ident(name)) => {
                self.name_reference(&name.ident, true);
                let (name, place) = (&name.ident, &argument.name);
                quote_spanned!(name.span()=> let #name = #place;)
            }
            _ => self.destructured(pattern, &argument.name),
        }
    }

    /// Whether `**x` stands for the value of a name that a `filter` has bound.
    pub(super) fn twice_referred(&self, expr: &Expr) -> bool {
        let Expr::Unary(unary) = bare(expr) else { return false };
        let Expr::Path(path) = bare(&unary.expr) else { return false };
        matches!(unary.op, syn::UnOp::Deref(_))
            && path.path.get_ident().is_some_and(|name| matches!(self.meaning(name), Some(Is::Reference { .. })))
    }
}
