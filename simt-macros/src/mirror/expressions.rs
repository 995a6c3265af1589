//! What an expression does to the names that are watched, in Rust's order.

use super::places::inner;
use super::{Is, Mirror, ends, perhaps};
use crate::emit::{collective_named, may_be_left_out, without_guard};
use crate::extent::Extent;
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, ExprCall, ExprIf, ExprMatch, ExprMethodCall, Macro, Token, UnOp};

impl Mirror {
    /// A use that leaves the value where it is.
    pub(super) fn used(&self, name: &Ident) -> TokenStream {
        match self.is(name) {
            Some(Is::Number | Is::Owned) => quote_spanned!(name.span()=> let _ = &#name;),
            Some(Is::Reference { .. }) => quote_spanned!(name.span()=> let _ = &*#name;),
            None => TokenStream::new(),
        }
    }

    /// An expression whose value goes elsewhere.
    pub(super) fn taken(&mut self, expr: &Expr) -> TokenStream {
        match inner(expr) {
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) if matches!(self.is(name), Some(Is::Number | Is::Owned)) => {
                    quote_spanned!(name.span()=> let _ = ::core::convert::identity(#name);)
                }
                _ => self.run(expr),
            },
            Expr::If(if_) => self.if_(if_, true),
            Expr::Match(match_) => self.match_(match_, true),
            Expr::Block(block) if block.label.is_none() => {
                let block = self.block_in(&block.block, true);
                quote!({ #block })
            }
            _ => self.run(expr),
        }
    }

    fn each<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> TokenStream {
        exprs.into_iter().map(|expr| self.taken(expr)).collect()
    }

    /// An expression whose value stays where it is, or is none.
    pub(super) fn run(&mut self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Group(group) => self.run(&group.expr),
            Expr::Paren(paren) => self.run(&paren.expr),
            Expr::Lit(_) | Expr::Infer(_) => TokenStream::new(),
            Expr::Path(path) => path.path.get_ident().map(|name| self.used(name)).unwrap_or_default(),
            Expr::Array(array) => self.each(&array.elems),
            Expr::Tuple(tuple) => self.each(&tuple.elems),
            Expr::Repeat(repeat) => self.taken(&repeat.expr),
            Expr::Struct(literal) => {
                let fields: TokenStream = literal.fields.iter().map(|field| self.taken(&field.expr)).collect();
                let rest = literal.rest.as_ref().map(|rest| self.run(rest));
                quote!(#fields #rest)
            }
            Expr::Assign(assign) => {
                let value = self.taken(&assign.right);
                let assigned = self.assigned(&assign.left, Extent::of(&*assign.right).last);
                quote!(#value #assigned)
            }
            Expr::Binary(binary) => {
                let (left, right) = (&*binary.left, &*binary.right);
                match binary.op {
                    BinOp::And(_) | BinOp::Or(_) => {
                        let (left, right) = (self.run(left), self.run(right));
                        let right = perhaps(&right);
                        quote!(#left #right)
                    }
                    BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                        let (left, right) = (self.run(left), self.run(right));
                        quote!(#left #right)
                    }
                    BinOp::Add(_)
                    | BinOp::Sub(_)
                    | BinOp::Mul(_)
                    | BinOp::Div(_)
                    | BinOp::Rem(_)
                    | BinOp::BitAnd(_)
                    | BinOp::BitOr(_)
                    | BinOp::BitXor(_)
                    | BinOp::Shl(_)
                    | BinOp::Shr(_) => self.each([left, right]),
                    _ => {
                        let value = self.taken(right);
                        let used = super::places::root(left).map(|name| self.used(name));
                        // Methods of users' types change a place; a number is read and assigned.
                        let assigned = self.assigned(left, Extent::of(right).last);
                        quote!(#value #used #assigned)
                    }
                }
            }
            Expr::Unary(unary) => match unary.op {
                UnOp::Deref(_) => self.run(&unary.expr),
                _ => self.taken(&unary.expr),
            },
            Expr::Cast(cast) => self.run(&cast.expr),
            Expr::Field(field) => self.run(&field.base),
            Expr::Index(index) => {
                let (base, index) = (self.run(&index.expr), self.run(&index.index));
                quote!(#base #index)
            }
            Expr::Range(range) => self.each(range.start.as_deref().into_iter().chain(range.end.as_deref())),
            Expr::Reference(reference) => {
                let indices = self.indices(&reference.expr);
                match self.reference(reference) {
                    Some((value, _)) => quote_spanned!(reference.and_token.spans[0]=> #indices let _ = #value;),
                    None => self.run(&reference.expr),
                }
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Let(let_) => self.run(&let_.expr),
            Expr::If(if_) => self.if_(if_, false),
            Expr::Match(match_) => self.match_(match_, false),
            // What is left out is not known here.
            Expr::Block(block) if !block.attrs.is_empty() => {
                self.is_unknown = true;
                TokenStream::new()
            }
            Expr::Block(block) => {
                let (label, block) = (&block.label, self.block_in(&block.block, block.label.is_some()));
                quote!(#label { #block })
            }
            Expr::Loop(loop_) => {
                let (label, body) = (&loop_.label, self.block_of(&loop_.body));
                let (token, body) = (&loop_.loop_token, braced(&loop_.body, body));
                quote!(#label #token #body)
            }
            Expr::While(while_) => {
                let known = self.scope.len();
                let bound = self.bound_in(&while_.cond);
                let (label, cond) = (&while_.label, self.run(&while_.cond));
                let body = self.block_of(&while_.body);
                self.scope.truncate(known);
                let body = braced(&while_.body, quote!(#bound #body));
                quote_spanned!(while_.while_token.span=> #label while { #cond __any::<bool>() } #body)
            }
            Expr::ForLoop(for_) => {
                let known = self.scope.len();
                let over = self.taken(&for_.expr);
                let bound = self.bound(&for_.pat, true);
                let (label, body) = (&for_.label, self.block_of(&for_.body));
                self.scope.truncate(known);
                let body = braced(&for_.body, quote!(#bound #body));
                quote_spanned!(for_.for_token.span=> #over #label while __any::<bool>() #body)
            }
            Expr::Break(break_) => {
                let (value, label) = (break_.expr.as_deref().map(|value| self.taken(value)), &break_.label);
                quote!(#value break #label;)
            }
            Expr::Continue(continue_) => {
                let label = &continue_.label;
                quote!(continue #label;)
            }
            Expr::Return(return_) => {
                let (value, ends) = (return_.expr.as_deref().map(|value| self.taken(value)), ends());
                quote!(#value #ends)
            }
            Expr::Try(try_) => {
                let (value, left) = (self.run(&try_.expr), perhaps(&ends()));
                quote!(#value #left)
            }
            Expr::Closure(closure) => {
                let known = self.scope.len();
                let bound: TokenStream = closure.inputs.iter().map(|input| self.bound(input, true)).collect();
                let (capture, body) = (&closure.capture, self.taken(&closure.body));
                self.scope.truncate(known);
                quote!(let _ = #capture || { #bound #body };)
            }
            _ => self.unknown(),
        }
    }

    /// The names that the patterns in a condition bind.
    fn bound_in(&mut self, cond: &Expr) -> TokenStream {
        match inner(cond) {
            Expr::Let(let_) => self.bound(&let_.pat, true),
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                let (left, right) = (self.bound_in(&binary.left), self.bound_in(&binary.right));
                quote!(#left #right)
            }
            _ => TokenStream::new(),
        }
    }

    fn if_(&mut self, if_: &ExprIf, moved: bool) -> TokenStream {
        let cond = self.run(&if_.cond);
        let known = self.scope.len();
        let bound = self.bound_in(&if_.cond);
        let then = self.block_in(&if_.then_branch, moved);
        self.scope.truncate(known);
        let otherwise = if_.else_branch.as_ref().map(|(_, otherwise)| {
            let otherwise = if moved { self.taken(otherwise) } else { self.run(otherwise) };
            quote!(else { #otherwise })
        });
        let holds = quote_spanned!(if_.cond.span()=> __any::<bool>());
        quote_spanned!(if_.if_token.span=> #cond if #holds { #bound #then } #otherwise)
    }

    /// A `match` of a number, which has an arm for each.
    fn match_(&mut self, match_: &ExprMatch, moved: bool) -> TokenStream {
        let subject = self.run(&match_.expr);
        if match_.arms.is_empty() {
            return self.unknown();
        }
        let mut arms = TokenStream::new();
        for (number, arm) in match_.arms.iter().enumerate() {
            let known = self.scope.len();
            let (pattern, guard) = without_guard(arm);
            let bound = self.bound(pattern, true);
            let guard = guard.map(|guard| self.run(guard));
            let body = if moved { self.taken(&arm.body) } else { self.run(&arm.body) };
            self.scope.truncate(known);
            let here = pattern.span();
            let (attributes, is_kept) = (&arm.attrs, !may_be_left_out(arm));
            let tested = if number + 1 == match_.arms.len() && is_kept {
                quote_spanned!(here=> _)
            } else {
                let mut number = Literal::usize_unsuffixed(number);
                number.set_span(here);
                quote!(#number)
            };
            arms.extend(quote!(#(#attributes)* #tested => { #bound #guard #body }));
        }
        if match_.arms.last().is_some_and(may_be_left_out) {
            arms.extend(quote!(_ => ::core::unreachable!(),));
        }
        let token = &match_.match_token;
        quote!(#subject #token __any::<usize>() { #arms })
    }

    fn call(&mut self, call: &ExprCall) -> TokenStream {
        let (function, of_warp) = match inner(&call.func) {
            Expr::Path(path) => {
                let name = path.path.get_ident();
                (name.map(|name| self.used(name)).unwrap_or_default(), name.is_some_and(collective_named))
            }
            other => (self.run(other), false),
        };
        let arguments: TokenStream =
            if of_warp { call.args.iter().map(|argument| self.run(argument)).collect() } else { self.each(&call.args) };
        quote!(#function #arguments)
    }

    fn method_call(&mut self, call: &ExprMethodCall) -> TokenStream {
        let receiver = self.run(&call.receiver);
        // Those of a tile of a warp, whose values are of any type that a kernel has.
        let of_warp = call.method.to_string().starts_with("shuffle");
        let arguments: TokenStream =
            if of_warp { call.args.iter().map(|argument| self.run(argument)).collect() } else { self.each(&call.args) };
        quote!(#receiver #arguments)
    }

    pub(super) fn macro_call(&mut self, call: &Macro) -> TokenStream {
        let Some(name) = call.path.segments.last().map(|last| last.ident.to_string()) else { return self.unknown() };
        if name == "matches" {
            let first = |input: syn::parse::ParseStream<'_>| {
                let subject: Expr = input.parse()?;
                input.parse::<TokenStream>()?;
                Ok(subject)
            };
            return match first.parse2(call.tokens.clone()) {
                Ok(subject) => self.run(&subject),
                Err(_) => self.unknown(),
            };
        }
        let Ok(arguments) = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone()) else {
            return self.unknown();
        };
        let used: TokenStream = arguments
            .iter()
            .map(|argument| match argument {
                // A name of the text's.
                Expr::Assign(named) => self.run(&named.right),
                Expr::Path(_) if name == "dbg" => self.taken(argument),
                argument => self.run(argument),
            })
            .collect();
        match name.as_str() {
            "println" | "eprintln" | "dbg" | "assert" | "assert_eq" | "assert_ne" => used,
            "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => perhaps(&used),
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                let ends = ends();
                quote!(#used #ends)
            }
            _ => self.unknown(),
        }
    }
}

/// A body with the place of the user's.
fn braced(body: &Block, statements: TokenStream) -> Group {
    let mut group = Group::new(Delimiter::Brace, statements);
    group.set_span(body.brace_token.span.close());
    group
}
