//! Closures that are called by their names: `let f = |x: u32| x * x + offset;` and `f(a)`.
//!
//! Such a closure becomes one of the host's, which builds its body at each call. So rustc finds out what its names are, where
//! the closure stands, as it does in plain Rust; what it captures are the kernel's variables themselves.

use super::{Emitter, bare, collective, exchange, iterators, jump, title};
use crate::closures::{Passes, Takes};
use crate::paths;
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, Local, Pat, PatIdent, ReturnType, Stmt, Type};

/// A name that stands for a closure or a reference, or no more.
pub(super) struct Named {
    name: Ident,
    pub(super) is: Is,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Is {
    Closure {
        has_value: bool,
        passes: Rc<[Passes]>,
    },
    /// `let r = &mut x;`: what it refers to.
    Reference {
        mutable: bool,
    },
    /// A range.
    Range,
    /// An iterator.
    Iterator,
    /// A closure's parameter without a type, which may be a reference to a value.
    Perhaps,
    /// `let o = x.get(i);`: an option of a reference.
    Optional,
    /// An element, or a reference to one: an item of a `for`, `let r = &mut x[i];`
    Item {
        /// Whether a closure sees it by reference: `*` of a number is the number then, and it may be a value.
        is_seen: bool,
        /// Whether a function or a field gives what is gone over: `*` of a number is the number, too.
        is_given: bool,
        /// Whether it is a `&mut` for certain.
        is_written: bool,
        /// The variable in which it is, and the field there, as far as a `let` says it.
        of: Option<(Ident, Option<Ident>)>,
    },
    Other,
}

impl Emitter<'_> {
    /// `let f = |x| ..;`, if it is one of a closure.
    pub(super) fn closure(&mut self, local: &Local) -> Option<TokenStream> {
        let init = bare(&local.init.as_ref()?.expr);
        let is_other_name = matches!(init, Expr::Path(path) if path.path.get_ident().is_some_and(|name| self.closure_named(name).is_some()));
        if !is_other_name && !matches!(init, Expr::Closure(_)) {
            return None;
        }
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&typed.ty)),
            pattern => (pattern, None),
        };
        if let Some(ty) = ty {
            self.report.error(ty, "in a kernel, a closure has no type: remove it");
            return Some(TokenStream::new());
        }
        let Pat::Ident(PatIdent { ident: name, by_ref: None, subpat: None, .. }) = pattern else {
            self.report.error(pattern, "a closure needs a name: write `let f = |x| ..;`");
            return Some(TokenStream::new());
        };
        let (value, named) = match init {
            Expr::Closure(closure) => self.closure_value(closure),
            other => {
                let of = match other {
                    Expr::Path(path) => path.path.get_ident().and_then(|name| self.closure_named(name)),
                    _ => None,
                };
                (other.to_token_stream(), of?)
            }
        };
        self.name_closure(name, named.0.clone(), named.1);
        let (attributes, span) = (&local.attrs, local.let_token.span);
        Some(quote_spanned!(span=> #(#attributes)* let #name = #value;))
    }

    /// The name is one of a closure from here on.
    pub(super) fn name_closure(&mut self, name: &Ident, passes: Rc<[Passes]>, has_value: bool) {
        self.closures.push(Named { name: name.clone(), is: Is::Closure { has_value, passes } });
    }

    /// `|x| ..`: a closure of the host's, what its parameters take, and whether it has a value.
    pub(super) fn closure_value(&mut self, closure: &ExprClosure) -> (TokenStream, (Rc<[Passes]>, bool)) {
        self.closure_given(closure, false)
    }

    /// As [`Self::closure_value`]; `expected` says that what takes it says the types of its parameters.
    pub(super) fn closure_given(
        &mut self,
        closure: &ExprClosure,
        expected: bool,
    ) -> (TokenStream, (Rc<[Passes]>, bool)) {
        let passes: Rc<[Passes]> = closure.inputs.iter().map(passes).collect();
        let returning = super::returning::labelled(closure);
        let closure = returning.as_ref().map_or(closure, |(closure, _)| closure);
        let returns_value = returning.as_ref().map(|&(_, has_value)| has_value);
        let mistakes = self.report.len();
        let captured = self.captured(closure);
        self.refuse_jumps(closure);
        if self.report.len() > mistakes {
            return (quote!(()), (passes, true));
        }
        let span = closure.inputs_begin.span;
        let (targets, kept) = (std::mem::take(&mut self.targets), self.kept.take());
        let known = self.closures.len();
        let (mut arguments, mut types, mut declared) = (Vec::new(), Vec::new(), TokenStream::new());
        for input in &closure.inputs {
            let (argument, ty, names) = self.closure_parameter(input, &closure.body, expected);
            arguments.push(argument);
            types.push(ty);
            declared.extend(names);
        }
        let (body, has_value) = self.closure_body(closure, returns_value);
        self.closures.truncate(known);
        (self.targets, self.kept) = (targets, kept);
        let (k, private) = (self.builder.at(span), paths::private(span));
        let [origin, entered, value] = ["origin", "entered", "value"].map(|name| paths::own(name, span));
        // Hidden from lints, which would say that it is long.
        let here = Span::mixed_site().located_at(span);
        let given = quote_spanned!(here=> ::core::option::Option<(#(#types,)*)>);
        let tokens = quote_spanned! {span=> {
            #captured
            let #origin = #k.origin();
            move |#value: #given, #k: &#private::Builder| {
                let ::core::option::Option::Some((#(#arguments,)*)) = #value else { return #k.tell(#origin) };
                let #entered = #k.enter(#origin);
                #declared
                let #value = #body;
                #k.leave(#entered);
                #value
            }
        }};
        (tokens, (passes, has_value))
    }

    /// What is no closure of a kernel's.
    pub(super) fn refuse(&mut self, closure: &ExprClosure) {
        self.refuse_changes(closure);
        self.refuse_jumps(closure);
    }

    /// What does not stand in a closure.
    fn refuse_jumps(&mut self, closure: &ExprClosure) {
        if let Some(token) = &closure.asyncness {
            self.report.error(token, "a kernel is not asynchronous: write the closure without `async`");
        }
    }

    /// `|x: u32|`: the argument's declaration, and the names that it gets.
    fn closure_parameter(&mut self, input: &Pat, body: &Expr, expected: bool) -> (Ident, TokenStream, TokenStream) {
        let (pattern, ty) = match input {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let span = pattern.span();
        let is_reference = matches!(ty, Some(Type::Reference(_)));
        let ty = ty.filter(|ty| !matches!(ty, Type::Infer(_)));
        let takes = ty.and_then(Takes::of);
        if let (Some(ty), None) = (ty, takes) {
            let message = "in a kernel, a closure's parameters are values, `&mut T` and slices";
            self.report.error(ty, message);
        }
        if let (Some(takes @ (Takes::Place(_) | Takes::Slice { .. })), Pat::Ident(name)) = (takes, pattern) {
            let (argument, name) = (self.fresh("argument", span), &name.ident);
            match takes {
                Takes::Place(_) => self.name_reference(name, true),
                _ => self.forget_name(name),
            }
            let names = quote_spanned!(name.span()=> let #name = #argument;);
            return (argument, takes.handle(Span::mixed_site().located_at(span)), names);
        }
        let pattern = match pattern {
            Pat::Reference(inner) if inner.mutability.is_none() => &*inner.pat,
            pattern => pattern,
        };
        let argument = self.fresh("argument", span);
        let (is_untyped, is_array) = (ty.is_none(), matches!(ty, Some(Type::Array(_))));
        let private = paths::private(Span::mixed_site().located_at(span));
        let ty = match takes {
            Some(takes) => takes.handle(Span::mixed_site().located_at(span)),
            None if expected => quote_spanned!(span=> _),
            None => quote_spanned!(span=> #private::Let<_>),
        };
        let place = self.spans.place(pattern);
        let names = match pattern {
            Pat::Tuple(tuple) if tuple.elems.iter().all(super::block::is_of_names) => {
                self.let_tuple(&place, &[], tuple, None, &argument.to_token_stream())
            }
            Pat::Tuple(_) | Pat::Struct(_) | Pat::TupleStruct(_) | Pat::Slice(_) => {
                self.destructured(pattern, &argument)
            }
            pattern => match self.pattern_name(pattern) {
                Some(PatIdent { ident, mutability, .. }) if is_array => {
                    self.passed_array(&place, ident, mutability.is_some(), &argument.to_token_stream())
                }
                Some(PatIdent { ident, mutability: None, .. }) => {
                    quote_spanned!(ident.span()=> let #ident = #argument;)
                }
                Some(PatIdent { ident, .. }) => {
                    let text = title(ident);
                    let copy = self.call_at(&place, "bind_mut", ident.span(), &quote!(#text, #argument));
                    quote_spanned!(ident.span()=> let #ident = #copy;)
                }
                None => TokenStream::new(),
            },
        };
        match pattern {
            Pat::Ident(name) if is_reference => self.name_reference(&name.ident, false),
            Pat::Ident(name) if is_untyped && super::captured::changes_behind(body, &name.ident, false) => {
                self.name_reference(&name.ident, true);
            }
            Pat::Ident(name) if is_untyped && name.mutability.is_none() => {
                self.closures.push(Named { name: name.ident.clone(), is: Is::Perhaps });
            }
            pattern => self.forget_closures(pattern),
        }
        (argument, ty, names)
    }

    /// The body, and whether it has a value.
    fn closure_body(&mut self, closure: &ExprClosure, returns_value: Option<bool>) -> (TokenStream, bool) {
        let ty = match &closure.output {
            ReturnType::Type(_, ty) => Some(&**ty),
            ReturnType::Default => None,
        };
        let place: Place = self.spans.place(&closure.body);
        let span = place.extent.first;
        if ty.is_none() && returns_value.map_or_else(|| self.is_unit(&closure.body), |has_value| !has_value) {
            let body = self.expression_statement(&closure.body, true);
            let nothing = self.call_at(&place, "no_value", span, &TokenStream::new());
            return (quote_spanned!(span=> { #body #nothing }), false);
        }
        if ty.is_none() && iterators::gives_iterator(&closure.body, self) {
            let given = self.given_iterator(&closure.body).unwrap_or_default();
            return (self.call_at(&place, "iterator_given", span, &given), true);
        }
        let value = self.typed_value(&closure.body, ty);
        let value = match ty {
            Some(ty) => self.call_typed(&place, "keep", span, &quote!(#ty), &value),
            None => self.call_at(&place, "keep", span, &value),
        };
        (value, true)
    }

    /// What the parameters of the closure of that name take, and whether it has a value; none if there is no such closure.
    pub(super) fn closure_named(&self, name: &Ident) -> Option<(Rc<[Passes]>, bool)> {
        match self.meaning(name) {
            Some(Is::Closure { has_value, passes }) => Some((passes.clone(), *has_value)),
            _ => None,
        }
    }

    /// What a name stands for, if a `let` or a closure of the kernel's has bound it.
    pub(super) fn meaning(&self, name: &Ident) -> Option<&Is> {
        self.closures.iter().rfind(|named| named.name == *name).map(|named| &named.is)
    }

    /// Whether a name may be one of a reference to a value.
    pub(super) fn may_be_reference(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = bare(expr) else { return false };
        path.path.get_ident().is_some_and(|name| matches!(self.meaning(name), Some(Is::Perhaps)))
    }

    /// The name stands for this from here on.
    pub(super) fn name_as(&mut self, name: &Ident, is: Is) {
        self.closures.push(Named { name: name.clone(), is });
    }

    /// The name is one of a reference to a variable from here on.
    pub(super) fn name_reference(&mut self, name: &Ident, mutable: bool) {
        self.closures.push(Named { name: name.clone(), is: Is::Reference { mutable } });
    }

    /// What a name is from here on.
    pub(super) fn name_is(&mut self, name: &Ident, is: Is) {
        self.closures.push(Named { name: name.clone(), is });
    }

    /// The name stands for something else from here on.
    pub(super) fn forget_name(&mut self, name: &Ident) {
        self.closures.push(Named { name: name.clone(), is: Is::Other });
    }

    /// Whether a `let` has bound the name of a parameter to something else.
    pub(super) fn is_bound_anew(&self, name: &Expr) -> bool {
        let Expr::Path(path) = bare(name) else { return false };
        self.closures.iter().any(|closure| path.path.is_ident(&closure.name))
    }

    /// A name that is bound anew stands for no closure, and for no parameter.
    pub(super) fn forget_closures(&mut self, pattern: &Pat) {
        if self.closures.is_empty() && self.kernel.params.is_empty() {
            return;
        }
        struct Names(Vec<Ident>);
        impl<'a> Visit<'a> for Names {
            fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
                self.0.push(pattern.ident.clone());
                visit::visit_pat_ident(self, pattern);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        self.closures.extend(names.0.into_iter().map(|name| Named { name, is: Is::Other }));
    }

    /// Whether an expression has no value, as far as syntax tells.
    fn is_unit(&self, expr: &Expr) -> bool {
        let block = |block: &syn::Block| match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => self.is_unit(last),
            Some(Stmt::Macro(last)) => last.semi_token.is_some() || super::speak::has_no_value(&last.mac),
            _ => true,
        };
        match bare(expr) {
            Expr::Block(inner) if inner.label.is_none() => block(&inner.block),
            Expr::Assign(_) | Expr::While(_) | Expr::ForLoop(_) => true,
            Expr::Binary(binary) => super::assign::is_compound(&binary.op),
            Expr::If(if_) => if_.else_branch.is_none() || block(&if_.then_branch),
            Expr::Match(match_) => match_.arms.iter().all(|arm| self.is_unit(&arm.body)),
            Expr::Loop(loop_) => !jump::is_left(&loop_.body, loop_.label.as_ref(), true),
            Expr::Macro(call) => super::speak::has_no_value(&call.mac),
            Expr::MethodCall(call) => super::method::has_no_value(call),
            Expr::Call(call) => match super::call::called(call) {
                Some(name) => match self.closure_named(name) {
                    Some((_, has_value)) => !has_value,
                    None => collective::find(name).is_some_and(|collective| !collective.has_value),
                },
                None => exchange::function(call).is_some_and(|(_, name)| name == "swap"),
            },
            _ => false,
        }
    }
}

/// What a caller passes for a parameter of a closure.
fn passes(input: &Pat) -> Passes {
    match input {
        Pat::Type(typed) => Takes::of(&typed.ty).map_or(Passes::Value, Takes::passes),
        _ => Passes::Value,
    }
}
