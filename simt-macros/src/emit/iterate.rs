//! Iterators with closures, and what they end in: `x.iter().map(|v| v * v).sum()`, `(0..n).any(|k| x[k] == 0)`.
//!
//! They become a loop whose body has the closures' bodies, one after the other.

use super::closure::Is;
use super::jump::{Target, TargetKind};
use super::sequence::Reference;
use super::{Emitter, bare, scope, sequence};
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprClosure, ExprForLoop, ExprMethodCall, Pat, parse_quote, parse_quote_spanned};

/// Methods that end an iterator, with their parameters.
const ENDS: [(&str, &[&str]); 11] = [
    ("sum", &[]),
    ("product", &[]),
    ("count", &[]),
    ("min", &[]),
    ("max", &[]),
    ("any", &["|x| .."]),
    ("all", &["|x| .."]),
    ("position", &["|x| .."]),
    ("find", &["|x| .."]),
    ("fold", &["start", "|a, x| .."]),
    ("for_each", &["|x| .."]),
];

/// Methods of iterators that a closure's items come behind.
const STAGES: [&str; 2] = ["map", "filter"];

/// A method with a closure, or with a function's name.
struct Stage<'a> {
    call: &'a ExprMethodCall,
    is_filter: bool,
}

/// What goes through an iterator.
#[derive(Clone)]
struct Current {
    name: Ident,
    /// Whether it is an item of memory, which may be a reference; else it is a value.
    is_item: bool,
}

/// Whether a call ends an iterator.
pub(super) fn is_end(call: &ExprMethodCall) -> bool {
    let known = ENDS.iter().find(|(name, _)| call.method == name);
    known.is_some_and(|(_, parameters)| parameters.len() == call.args.len()) && is_iterator(&call.receiver)
}

/// Whether the value of such a call is a scalar for certain.
pub(super) fn ends_in_scalar(call: &ExprMethodCall) -> bool {
    ["sum", "product", "count", "any", "all"].iter().any(|name| call.method == name)
}

/// Whether an expression is an iterator: a range in parentheses or what has elements with methods behind it.
fn is_iterator(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => matches!(bare(&paren.expr), Expr::Range(_)) || is_iterator(&paren.expr),
        Expr::Group(group) => is_iterator(&group.expr),
        Expr::MethodCall(call) if super::ranges::is_clone(call) => matches!(bare(&call.receiver), Expr::Path(_)),
        Expr::MethodCall(call) => {
            let begins = ["iter", "iter_mut", "into_iter"].iter().any(|name| call.method == name);
            begins || sequence::PIECES.iter().any(|name| call.method == name) || is_iterator(&call.receiver)
        }
        _ => false,
    }
}

/// The methods with closures at the end of an iterator, and what is before them.
fn split(iterator: &Expr) -> (&Expr, Vec<Stage<'_>>) {
    let (mut base, mut stages) = (iterator, Vec::new());
    while let Expr::MethodCall(call) = bare(base)
        && STAGES.iter().any(|name| call.method == name)
    {
        stages.push(Stage { call, is_filter: call.method == "filter" });
        base = &call.receiver;
    }
    stages.reverse();
    (base, stages)
}

impl Emitter<'_> {
    /// The value that an iterator ends in.
    pub(super) fn iterator_end(&mut self, call: &ExprMethodCall) -> TokenStream {
        let name = call.method.to_string();
        let (span, place) = (call.method.span(), self.spans.place(call));
        if name != "sum" && name != "product" {
            self.no_turbofish(call);
        }
        let k = self.builder.at(span);
        let [state, flag] = ["state", "flag"].map(|name| self.fresh(name, span));
        let ty = call.turbofish.as_ref().map(|turbofish| &turbofish.args);
        let bind = |emitter: &Self, name: &Ident, title: &str, value: TokenStream| {
            let bound = emitter.call_at(&place, "bind_mut", span, &quote!(#title, #value));
            quote_spanned!(span=> let #name = #bound;)
        };
        let typed = |emitter: &Self, method: &str| match ty {
            Some(ty) => emitter.call_typed(&place, method, span, &quote!(#ty), &TokenStream::new()),
            None => emitter.call_at(&place, method, span, &TokenStream::new()),
        };
        let leave = self.call_at(&place, "break_", span, &quote!(0));
        let when = |emitter: &Self, cond: TokenStream, then: TokenStream| {
            let begin = emitter.call_at(&place, "begin_if", span, &cond);
            quote_spanned!(span=> #begin; #then #k.begin_else(); #k.end_if();)
        };
        let (declared, value) = match name.as_str() {
            "sum" | "product" => {
                let (start, method) = if name == "sum" { ("sum_start", "add") } else { ("one", "mul") };
                let start = typed(self, start);
                (bind(self, &state, &name, start), (method, quote!(#state)))
            }
            "count" => (bind(self, &state, "count", quote!(0_usize)), ("count", quote!(#state))),
            "any" | "all" => {
                let start = name == "all";
                (bind(self, &state, &name, quote!(#start)), ("test", quote!(#state)))
            }
            "fold" => {
                let start = self.typed_value(&call.args[0], None);
                (bind(self, &state, "fold", start), ("fold", quote!(#state)))
            }
            "position" => {
                let found = bind(self, &flag, "found", quote!(false));
                let at = bind(self, &state, "position", quote!(0_usize));
                (quote!(#found #at), ("position", quote_spanned!(span=> #k.found(#flag, #state))))
            }
            _ => {
                let found = bind(self, &flag, "found", quote!(false));
                let start = self.call_at(&place, "zero", span, &TokenStream::new());
                let best = bind(self, &state, &name, start);
                (quote!(#found #best), ("best", quote_spanned!(span=> #k.found(#flag, #state))))
            }
        };
        let (kind, result) = value;
        let body = self.each(&call.receiver, &place, &mut |emitter, current| {
            let value = &current.name;
            match kind {
                "add" | "mul" => {
                    let sum = emitter.call_at(&place, kind, span, &quote!(#state, #value));
                    let assign = emitter.call_at(&place, "assign", span, &quote!(#state, #sum));
                    quote_spanned!(span=> #assign;)
                }
                "count" => {
                    let unused = emitter.unused(&current, span);
                    let next = emitter.call_at(&place, "add", span, &quote!(#state, 1_usize));
                    let assign = emitter.call_at(&place, "assign", span, &quote!(#state, #next));
                    quote_spanned!(span=> #unused #assign;)
                }
                "test" => {
                    let is_any = name == "any";
                    let (declared, mut holds) = emitter.applied(&call.args[0], &[&current], &place, false);
                    if !is_any {
                        holds = emitter.call_at(&place, "not", span, &holds);
                    }
                    let assign = emitter.call_at(&place, "assign", span, &quote!(#state, #is_any));
                    let found = when(emitter, holds, quote_spanned!(span=> #assign; #leave;));
                    scope(span, quote!(#declared #found))
                }
                "position" => {
                    let (declared, holds) = emitter.applied(&call.args[0], &[&current], &place, false);
                    let assign = emitter.call_at(&place, "assign", span, &quote!(#flag, true));
                    let found = when(emitter, holds, quote_spanned!(span=> #assign; #leave;));
                    let next = emitter.call_at(&place, "add", span, &quote!(#state, 1_usize));
                    let step = emitter.call_at(&place, "assign", span, &quote!(#state, #next));
                    {
                        let tested = scope(span, quote!(#declared #found));
                        quote_spanned!(span=> #tested #step;)
                    }
                }
                "fold" => {
                    let so_far = emitter.fresh("so_far", span);
                    let keep = emitter.call_at(&place, "keep", span, &quote!(#state));
                    let so_far = Current { name: so_far, is_item: false };
                    let (declared, next) = emitter.applied(&call.args[1], &[&so_far, &current], &place, false);
                    let assign = emitter.call_at(&place, "assign", span, &quote!(#state, #next));
                    let so_far = &so_far.name;
                    let folded = scope(span, quote!(#declared #assign;));
                    quote_spanned!(span=> let #so_far = #keep; #folded)
                }
                _ if name == "find" => {
                    let (declared, holds) = emitter.applied(&call.args[0], &[&current], &place, true);
                    let assign = emitter.call_at(&place, "assign", span, &quote!(#flag, true));
                    let put = emitter.call_at(&place, "assign", span, &quote!(#state, #value));
                    let found = when(emitter, holds, quote_spanned!(span=> #put; #assign; #leave;));
                    scope(span, quote!(#declared #found))
                }
                _ => {
                    let is_max = name == "max";
                    let better = emitter.call_at(&place, "improve", span, &quote!(#flag, #state, #value, #is_max));
                    quote_spanned!(span=> #better;)
                }
            }
        });
        quote_spanned!(span=> { #declared #body #result })
    }

    /// `x.iter().for_each(|v| ..);`
    pub(super) fn for_each_statement(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        let (span, place) = (call.method.span(), self.spans.place(call));
        self.each(&call.receiver, &place, &mut |emitter, current| {
            let Expr::Closure(closure) = bare(&call.args[0]) else {
                let (declared, value) = emitter.applied(&call.args[0], &[&current], &place, false);
                let nothing = emitter.call_at(&place, "nothing", span, &value);
                return scope(span, quote!(#declared #nothing;));
            };
            let known = (emitter.closures.len(), emitter.references.len());
            let Some(declared) = emitter.parameters(closure, &[&current], false) else { return TokenStream::new() };
            let targets = std::mem::take(&mut emitter.targets);
            let body = emitter.expression_statement(&closure.body, true);
            emitter.targets = targets;
            emitter.closures.truncate(known.0);
            emitter.references.truncate(known.1);
            scope(span, quote!(#declared #body))
        })
    }

    /// `for x in a.iter().map(|v| ..)`, if it is one with closures.
    pub(super) fn staged_loop(&mut self, for_: &ExprForLoop) -> Option<TokenStream> {
        if split(&for_.expr).1.is_empty() {
            return None;
        }
        let place = self.spans.place((&for_.for_token, &for_.expr));
        Some(self.each(&for_.expr, &place, &mut |emitter, current| {
            let known = emitter.references.len();
            let declared = emitter.declared(&for_.pat, &current, &for_.body);
            let target = Target::new(TargetKind::Counted, for_.label.as_ref(), None);
            let body = emitter.within(target, |emitter| emitter.block(&for_.body));
            emitter.references.truncate(known);
            scope(for_.for_token.span, quote!(#declared #body))
        }))
    }

    /// A loop over what an iterator gives.
    fn each(
        &mut self,
        iterator: &Expr,
        place: &Place,
        body: &mut dyn FnMut(&mut Self, Current) -> TokenStream,
    ) -> TokenStream {
        let (base, stages) = split(iterator);
        let span = Span::mixed_site().located_at(base.span());
        let item = self.fresh("item", base.span());
        let begin = if sequence::is_sequence(base) {
            let nothing: Block = parse_quote!({});
            self.sequence(base, &nothing).map(|sequence| self.call(base, "for_each", span, &sequence))
        } else {
            let option = quote!(::core::option::Option::None);
            self.range(base).map(|range| {
                let bounds = range.arguments;
                self.call(base, range.method, span, &quote!(#option, #bounds))
            })
        };
        let Some(begin) = begin else { return TokenStream::new() };
        let staged = self.staged(&stages, Current { name: item.clone(), is_item: true }, place, body);
        let k = self.builder.at(span);
        scope(span, quote_spanned!(span=> let #item = #begin; #staged #k.end_loop();))
    }

    /// What comes behind the methods with closures. Names of one are not seen by the next.
    fn staged(
        &mut self,
        stages: &[Stage<'_>],
        current: Current,
        place: &Place,
        body: &mut dyn FnMut(&mut Self, Current) -> TokenStream,
    ) -> TokenStream {
        let Some((Stage { call, is_filter }, rest)) = stages.split_first() else { return body(self, current) };
        let span = call.method.span();
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, &call.method.to_string(), &call.args, &["|x| .."]) {
            return TokenStream::new();
        }
        let (declared, value) = self.applied(&call.args[0], &[&current], place, *is_filter);
        let name = self.fresh("value", span);
        let keep = self.call_at(place, "keep", span, &value);
        let kept = scope(span, quote!(#declared #keep));
        let kept = quote_spanned!(span=> let #name = #kept;);
        if !is_filter {
            let staged = self.staged(rest, Current { name, is_item: false }, place, body);
            return quote_spanned!(span=> #kept #staged);
        }
        let begin = self.call_at(place, "begin_if", span, &quote!(#name));
        let staged = self.staged(rest, current, place, body);
        let k = self.builder.at(span);
        let staged = scope(span, staged);
        quote_spanned!(span=> #kept #begin; #staged #k.begin_else(); #k.end_if();)
    }

    /// The value of a closure, or of a function, for these arguments: what it declares, and the value. `by_reference` says that
    /// it gets a reference to what it is given.
    fn applied(
        &mut self,
        function: &Expr,
        arguments: &[&Current],
        place: &Place,
        by_reference: bool,
    ) -> (TokenStream, TokenStream) {
        let known = (self.closures.len(), self.references.len());
        let result = match bare(function) {
            Expr::Closure(closure) => match self.parameters(closure, arguments, by_reference) {
                Some(declared) => {
                    let targets = std::mem::take(&mut self.targets);
                    let value = self.typed_value(&closure.body, None);
                    self.targets = targets;
                    (declared, self.call_at(place, "hold", place.extent.first, &value))
                }
                None => (TokenStream::new(), quote!(())),
            },
            path => {
                for argument in arguments.iter().filter(|argument| argument.is_item) {
                    self.references.push(Reference::new(&argument.name, false));
                }
                let (names, span) = (arguments.iter().map(|argument| &argument.name), path.span());
                let call: Expr = parse_quote_spanned!(span=> #path(#(#names),*));
                (TokenStream::new(), self.value(&call))
            }
        };
        self.closures.truncate(known.0);
        self.references.truncate(known.1);
        result
    }

    /// Declares the names of a closure's parameters.
    fn parameters(&mut self, closure: &ExprClosure, arguments: &[&Current], by_reference: bool) -> Option<TokenStream> {
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
        let content = &closure.body;
        let body: Block = parse_quote!({ #content });
        let mut declared = TokenStream::new();
        for (pattern, argument) in closure.inputs.iter().zip(arguments) {
            let pattern = match pattern {
                Pat::Type(typed) => &*typed.pat,
                pattern => pattern,
            };
            self.forget_closures(pattern);
            declared.extend(match (pattern, by_reference) {
                (Pat::Reference(inner), true) => self.declared(&inner.pat, argument, &body),
                // `*x` is the item, and `**x` what that refers to.
                (Pat::Ident(name), true) if name.mutability.is_none() && name.subpat.is_none() => {
                    self.name_reference(&name.ident, false);
                    let (name, value) = (&name.ident, &argument.name);
                    let k = self.builder.at(name.span());
                    quote_spanned!(name.span()=> let #name = #k.seen(#value);)
                }
                (pattern, _) => self.declared(pattern, argument, &body),
            });
        }
        Some(declared)
    }

    fn declared(&mut self, pattern: &Pat, argument: &Current, body: &Block) -> TokenStream {
        match argument.is_item {
            true => self.item_pattern(pattern, &argument.name, body),
            false => self.destructured(pattern, &argument.name),
        }
    }

    /// What is not used of an iterator counts as used.
    fn unused(&self, current: &Current, span: Span) -> TokenStream {
        let name = &current.name;
        quote_spanned!(span=> let _ = &#name;)
    }

    /// Whether `**x` stands for the value of a name that a `filter` has bound.
    pub(super) fn twice_referred(&self, expr: &Expr) -> bool {
        let Expr::Unary(unary) = bare(expr) else { return false };
        let Expr::Path(path) = bare(&unary.expr) else { return false };
        matches!(unary.op, syn::UnOp::Deref(_))
            && path.path.get_ident().is_some_and(|name| matches!(self.meaning(name), Some(Is::Reference { .. })))
    }
}
