//! What the host has of a `#[device] impl`: the functions that are Rust of its own, too.

use crate::bounds::has_bounds_of_std;
use crate::emit::{is_scalar, uses_machine};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprCall, ExprMethodCall, ExprPath, Generics, ImplItem, ImplItemFn, ItemFn, ItemImpl, PatIdent, Path,
    Signature, parse_quote,
};

/// The implementation for the host, as it is written, but for functions that
///
/// * use what only the machine has;
/// * are generic over types: the bounds of kernels have no operators there, but those of `std` have, of traits;
/// * call functions that stand alone: these may be device functions, which the host cannot call;
/// * call functions of the `impl` that are left out.
///
/// Of a trait, there are all or none: in place of the body of such a function, there is one that the host does not run.
pub(crate) fn hosted(item: ItemImpl) -> TokenStream {
    written(&left(item))
}

/// The tokens of what [`left`] gives.
pub(crate) fn written(item: &ItemImpl) -> TokenStream {
    if item.items.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[allow(
            clippy::needless_pass_by_ref_mut,
            dead_code,
            unused_mut,
            unused_variables,
            reason = "kernels call the functions that are made of these; some bodies are left out for the host"
        )]
        #item
    }
}

/// As [`hosted`], to which more may be added.
pub(crate) fn left(mut item: ItemImpl) -> ItemImpl {
    let all = is_generic(&item.generics) && !(item.trait_.is_some() && has_bounds_of_std(&item.generics));
    let mut left_out: Vec<Ident> = Vec::new();
    loop {
        let known = left_out.len();
        for function in item.items.iter().filter_map(as_function) {
            let out = all
                || is_generic_function(&function.sig)
                || uses_machine(&function.block.to_token_stream())
                || calls(function, &left_out);
            if out && !left_out.contains(&function.sig.ident) {
                left_out.push(function.sig.ident.clone());
            }
        }
        if left_out.len() == known {
            break;
        }
    }
    let is_left_out = |function: &ImplItemFn| left_out.contains(&function.sig.ident);
    if item.trait_.is_none() {
        item.items.retain(|item| !as_function(item).is_some_and(is_left_out));
    }
    for function in &mut item.items {
        if let ImplItem::Fn(function) = function
            && is_left_out(function)
        {
            function.block = stub();
        }
    }
    item
}

fn as_function(item: &ImplItem) -> Option<&ImplItemFn> {
    match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    }
}

/// A body that the host does not run.
pub(crate) fn stub() -> Block {
    parse_quote!({ ::core::panic!("the host has not what this function calls: only kernels run it") })
}

/// Whether a function of a trait is Rust of the host's, too.
pub(crate) fn is_hosts(sig: &Signature, body: &Block) -> bool {
    let function: ImplItemFn = parse_quote!(#sig #body);
    !is_generic_function(sig) && !uses_machine(&body.to_token_stream()) && !calls(&function, &[])
}

fn is_generic(generics: &Generics) -> bool {
    generics.type_params().next().is_some()
}

/// Whether a function has type parameters, also those of `impl Trait`. A closure that it is passed is none.
fn is_generic_function(sig: &Signature) -> bool {
    is_generic(&sig.generics) || crate::unnamed::has_any(sig)
}

/// Whether a function calls one that stands alone, or one of these.
fn calls(function: &ImplItemFn, left_out: &[Ident]) -> bool {
    struct Search<'a> {
        left_out: &'a [Ident],
        bound: Vec<Ident>,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_expr_call(&mut self, call: &'a ExprCall) {
            if let Expr::Path(ExprPath { path, .. }) = &*call.func {
                let name = path.segments.last().map(|last| &last.ident);
                let is_own = path.get_ident().is_some_and(|name| self.bound.contains(name));
                self.found |= !is_own && stands_alone(path) || name.is_some_and(|name| self.left_out.contains(name));
            }
            // A table of device functions.
            self.found |= matches!(&*call.func, Expr::Index(_));
            visit::visit_expr_call(self, call);
        }

        fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
            self.found |= self.left_out.contains(&call.method);
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut search = Search { left_out, bound: bound_in(function), found: false };
    search.visit_impl_item_fn(function);
    search.found
}

/// The names of closures, parameters and functions that a function has itself.
fn bound_in(function: &ImplItemFn) -> Vec<Ident> {
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
    let mut names = Names(Vec::new());
    names.visit_impl_item_fn(function);
    names.0
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
