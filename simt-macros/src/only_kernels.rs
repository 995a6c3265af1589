//! Which functions of a `#[device] impl` run in kernels only, as far as their text tells, and why.

use crate::bounds;
use crate::emit::{is_scalar, mentions, uses_machine};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::fmt::{self, Display};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprCall, ExprCast, ExprMethodCall, ExprPath, Generics, ImplItem, ImplItemFn, ItemFn, ItemImpl, Local,
    Macro, PatIdent, Path, Signature, Token, parse_quote,
};

/// Loads and stores that say how they are cached.
const CACHED: &str = "load_volatile load_ca load_cg load_cs load_cv store_volatile store_wb store_cg store_cs store_wt";

/// Why a function runs in kernels only.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Why {
    /// It uses what only the machine has.
    Machine,
    /// It calls a function that stands alone: that may be a device function, which the host cannot call.
    Alone(String),
    /// It calls a function of a table, and these are device functions.
    Table,
    /// It casts to a type to which only kernels cast.
    Cast(String),
    /// It calls one that runs in kernels only, for this reason.
    Calls(String, Box<Self>),
    /// It is generic over types: kernels' bounds have no operators on the host.
    Generic,
}

impl Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine => f.write_str("it asks which thread it is, or for what else only the device has"),
            Self::Alone(name) => write!(f, "it calls `{name}`, which may be a device function"),
            Self::Table => f.write_str("it calls a function of a table, which is a device function"),
            Self::Cast(name) => write!(f, "it casts to `{name}`, as only kernels do"),
            Self::Calls(name, why) => write!(f, "it calls `{name}`, which runs there only: {why}"),
            Self::Generic => f.write_str("it is generic over types, of which kernels know more than the host"),
        }
    }
}

/// Those of an `impl`.
pub(crate) fn of_impl(item: &ItemImpl) -> Vec<(Ident, Why)> {
    // The iterator that a sum is of is generic in any case.
    let is_total =
        |path: &Path| path.segments.last().is_some_and(|last| last.ident == "Sum" || last.ident == "Product");
    let (is_total, is_of_std) = match &item.trait_ {
        Some((path, _)) => (is_total(path), bounds::has_bounds_of_std(&item.generics)),
        None => (false, false),
    };
    let known_there = is_total || is_of_std || is_plain(&item.generics);
    let is_generic = is_generic(&item.generics);
    let functions: Vec<&ImplItemFn> = item
        .items
        .iter()
        .filter_map(|item| match item {
            ImplItem::Fn(function) => Some(function),
            _ => None,
        })
        .collect();
    let mut found: Vec<(Ident, Why)> = Vec::new();
    loop {
        let before = found.len();
        for function in &functions {
            let sig = &function.sig;
            if found.iter().any(|(name, _)| *name == sig.ident) {
                continue;
            }
            let may_be_generic = is_total || is_plain_function(sig, item.trait_.is_some());
            let is_generic = is_generic || self::is_generic(&sig.generics);
            let may_be_const = !is_generic || sig.constness.is_none() || is_const(function);
            let is_unknown = !known_there || !may_be_generic || !may_be_const;
            let why = match needs(function, &item.generics, &found) {
                None | Some(Why::Calls(..)) if is_unknown => Some(Why::Generic),
                why => why,
            };
            found.extend(why.map(|why| (sig.ident.clone(), why)));
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Why a function of a trait runs in kernels only, if it does. `around` are the generics of the `impl` or the trait.
pub(crate) fn of_trait(around: &Generics, sig: &Signature, body: &Block) -> Option<Why> {
    let function: ImplItemFn = parse_quote!(#sig #body);
    needs(&function, around, &[]).or_else(|| (!is_plain_function(sig, true)).then_some(Why::Generic))
}

/// Why one of an implementation of a trait does.
pub(crate) fn of_implementation(around: &Generics, sig: &Signature, body: &Block) -> Option<Why> {
    of_trait(around, sig, body).or_else(|| (!is_plain(around)).then_some(Why::Generic))
}

/// What a function needs that the host may not have.
fn needs(function: &ImplItemFn, around: &Generics, known: &[(Ident, Why)]) -> Option<Why> {
    let code = function.block.to_token_stream();
    if uses_machine(&code) || CACHED.split_ascii_whitespace().any(|name| mentions(code.clone(), name)) {
        return Some(Why::Machine);
    }
    let mut search = Search { known, bound: bound_in(function, around), called: called_in(function), found: None };
    search.visit_block(&function.block);
    search.found
}

/// Whether there are type parameters.
pub(crate) fn is_generic(generics: &Generics) -> bool {
    generics.type_params().next().is_some()
}

/// Whether a body that kernels accept is one that the host accepts, as far as type parameters go.
fn is_plain(generics: &Generics) -> bool {
    generics.type_params().all(|param| bounds::is_plain(generics, &param.ident))
}

/// Whether a function has no type parameters of its own, also not those of `impl Trait`, or such of which the host knows all
/// that kernels know, or of which it has no values. A closure that it is passed is none.
fn is_plain_function(sig: &Signature, is_of_trait: bool) -> bool {
    let mut generics = sig.generics.clone();
    bounds::complete(&mut generics);
    let has_values = |name: &Ident| {
        let param = sig.generics.type_params().find(|param| param.ident == *name);
        let is_bound = param.is_none_or(|param| !param.bounds.is_empty()) || sig.generics.where_clause.is_some();
        is_bound || mentions(sig.inputs.to_token_stream(), &name.to_string())
    };
    !(crate::unnamed::has_any(sig) || is_of_trait && is_generic(&sig.generics))
        && generics.type_params().all(|param| !has_values(&param.ident) || bounds::is_plain(&generics, &param.ident))
}

/// Whether a function that is `const` may be so in any Rust: it calls nothing, and has no operators, which are traits'.
fn is_const(function: &ImplItemFn) -> bool {
    struct Search(bool);
    impl<'a> Visit<'a> for Search {
        fn visit_expr(&mut self, expr: &'a Expr) {
            let is_call = |call: &ExprCall| !matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| is_upper(&last.ident)));
            self.0 &= match expr {
                Expr::Call(call) => !is_call(call),
                Expr::MethodCall(_)
                | Expr::Binary(_)
                | Expr::Unary(_)
                | Expr::Macro(_)
                | Expr::Closure(_)
                | Expr::ForLoop(_)
                | Expr::Try(_)
                | Expr::Index(_) => false,
                _ => true,
            };
            visit::visit_expr(self, expr);
        }
    }
    let mut search = Search(true);
    search.visit_block(&function.block);
    search.0
}

struct Search<'a> {
    known: &'a [(Ident, Why)],
    bound: Vec<Ident>,
    /// Of these, what may be called.
    called: Vec<Ident>,
    found: Option<Why>,
}

impl Search<'_> {
    /// Why a function of the same `impl` runs in kernels only, for one that calls it.
    fn known(&self, name: &Ident) -> Option<Why> {
        let (name, why) = self.known.iter().find(|(known, _)| known == name)?;
        Some(Why::Calls(name.to_string(), Box::new(why.clone())))
    }

    fn find(&mut self, why: Why) {
        self.found.get_or_insert(why);
    }

    /// What a macro is given, of which nothing but tokens is known.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut is_behind = false;
        while let Some(token) = tokens.next() {
            let is_called =
                matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
            match &token {
                TokenTree::Ident(name) if is_called && let Some(why) = self.known(name) => self.find(why),
                TokenTree::Ident(name) if is_called && !is_behind && !is_upper(name) => {
                    let is_name = syn::parse2::<Ident>(name.to_token_stream()).is_ok();
                    if is_name && !self.bound.contains(name) {
                        self.find(Why::Alone(name.to_string()));
                    }
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => {}
            }
            // A method, a type's function, a macro's own word.
            is_behind = matches!(&token, TokenTree::Punct(punct) if ['.', ':', '$'].contains(&punct.as_char()));
        }
    }
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        match &*call.func {
            Expr::Path(ExprPath { path, .. }) => {
                let is_own = path.get_ident().is_some_and(|name| self.called.contains(name));
                if let Some(last) = path.segments.last().map(|last| &last.ident) {
                    if !is_own && stands_alone(path) {
                        self.find(Why::Alone(last.to_string()));
                    } else if let Some(why) = self.known(last) {
                        self.find(why);
                    }
                }
                call.args.iter().for_each(|argument| self.visit_expr(argument));
                return;
            }
            Expr::Index(_) => self.find(Why::Table),
            _ => {}
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        if let Some(why) = self.known(&call.method) {
            self.find(why);
        }
        visit::visit_expr_method_call(self, call);
    }

    /// A number of 16 bits is a struct on the host.
    fn visit_expr_cast(&mut self, cast: &'a ExprCast) {
        let ty = cast.ty.to_token_stream().to_string();
        if ty == "f16" || ty == "bf16" {
            self.find(Why::Cast(ty));
        }
        visit::visit_expr_cast(self, cast);
    }

    /// A function that is passed by its name. The two of `std` are mostly meant by theirs.
    fn visit_expr_path(&mut self, path: &'a ExprPath) {
        if let Some(name) = path.path.get_ident()
            && !is_upper(name)
            && !self.bound.contains(name)
            && !["self", "min", "max"].iter().any(|known| name == known)
        {
            self.find(Why::Alone(name.to_string()));
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, written: &'a Macro) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        let Ok(arguments) = arguments.parse2(written.tokens.clone()) else {
            return self.tokens(written.tokens.clone());
        };
        for argument in &arguments {
            // An argument of a text, by its name.
            let argument = if let Expr::Assign(named) = argument { &named.right } else { argument };
            let mut inner =
                Search { known: self.known, bound: self.bound.clone(), called: self.called.clone(), found: None };
            // What it binds is not among the function's names.
            inner.bound.extend(names_in(|names| names.visit_expr(argument)));
            inner.visit_expr(argument);
            self.found = self.found.take().or(inner.found);
        }
    }
}

/// The names of closures, parameters, constants and functions that a function has itself.
fn bound_in(function: &ImplItemFn, around: &Generics) -> Vec<Ident> {
    names_in(|names| {
        names.visit_impl_item_fn(function);
        for generics in [around, &function.sig.generics] {
            names.0.extend(generics.const_params().map(|param| param.ident.clone()));
        }
    })
}

/// The closures, parameters and functions of a function: a call by any other name is of one outside, `let n = n(x);`.
fn called_in(function: &ImplItemFn) -> Vec<Ident> {
    let mut called = Called(names_in(|names| function.sig.inputs.iter().for_each(|input| names.visit_fn_arg(input))));
    called.visit_block(&function.block);
    called.0
}

struct Called(Vec<Ident>);

impl<'a> Visit<'a> for Called {
    fn visit_local(&mut self, local: &'a Local) {
        let init = local.init.as_ref().map(|init| crate::emit::bare(&init.expr));
        if let Some(Expr::Closure(_) | Expr::Path(_)) = init {
            self.0.extend(names_in(|names| names.visit_pat(&local.pat)));
        }
        visit::visit_local(self, local);
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.0.push(function.sig.ident.clone());
        visit::visit_item_fn(self, function);
    }
}

struct Names(Vec<Ident>);

impl<'a> Visit<'a> for Names {
    fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
        self.0.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.0.push(function.sig.ident.clone());
        visit::visit_item_fn(self, function);
    }
}

fn names_in(visit: impl FnOnce(&mut Names)) -> Vec<Ident> {
    let mut names = Names(Vec::new());
    visit(&mut names);
    names.0
}

fn is_upper(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// Whether a path leads to a function of no type: one of `std` has its name.
fn stands_alone(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let of_std = matches!(names.first().map(String::as_str), Some("std" | "core"));
    let of_type = |name: &String| name.starts_with(char::is_uppercase) || is_scalar(name);
    match &names[..] {
        [.., ty, _] => !of_std && !of_type(ty),
        [name] => !name.starts_with(char::is_uppercase),
        [] => false,
    }
}
