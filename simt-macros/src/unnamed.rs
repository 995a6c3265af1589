//! Parameters whose types have no name, `rng: &mut impl Rng`: type parameters, as rustc has them.

use crate::closures;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, GenericParam, ItemFn, Signature, Type, TypeImplTrait, TypeParam, TypeParamBound, parse_quote};

/// Puts type parameters in their place. Closures and iterators stay as they are: the function is made for these.
pub(crate) fn named(function: &mut ItemFn) {
    if !has_any(&function.sig) {
        return;
    }
    let mut names = Names { written: function.to_token_stream(), found: Vec::new() };
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            names.visit_type_mut(&mut typed.ty);
        }
    }
    function.sig.generics.params.extend(names.found.into_iter().map(GenericParam::Type));
}

/// Whether a signature has such parameters.
pub(crate) fn has_any(signature: &Signature) -> bool {
    struct Search(bool);
    impl<'a> Visit<'a> for Search {
        fn visit_type(&mut self, ty: &'a Type) {
            if !closures::is_passed(ty) && !matches!(ty, Type::TraitObject(_)) {
                visit::visit_type(self, ty);
            }
        }

        fn visit_type_impl_trait(&mut self, ty: &'a TypeImplTrait) {
            self.0 |= !is_left(ty);
        }
    }
    let mut search = Search(false);
    signature.inputs.iter().for_each(|input| search.visit_fn_arg(input));
    search.0
}

struct Names {
    /// The function, of which no word is such a name.
    written: proc_macro2::TokenStream,
    found: Vec<TypeParam>,
}

impl VisitMut for Names {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if closures::is_passed(ty) || matches!(ty, Type::TraitObject(_)) {
            return;
        }
        match ty {
            Type::ImplTrait(unnamed) if !is_left(unnamed) => {
                let (name, bounds) = (self.name(unnamed), &unnamed.bounds);
                self.found.push(parse_quote!(#name: #bounds));
                *ty = parse_quote!(#name);
            }
            ty => visit_mut::visit_type_mut(self, ty),
        }
    }
}

impl Names {
    /// `ImplRng` of `impl Rng`: errors have it.
    fn name(&self, unnamed: &TypeImplTrait) -> Ident {
        let of_trait = unnamed.bounds.iter().find_map(last).map(ToString::to_string).unwrap_or_default();
        let name = format!("Impl{of_trait}");
        let is_free = |name: &String| {
            !crate::emit::mentions(self.written.clone(), name) && !self.found.iter().any(|known| known.ident == *name)
        };
        let mut names = std::iter::once(name.clone()).chain((2_usize..).map(|number| format!("{name}{number}")));
        let name = names.find(is_free).unwrap_or(name);
        Ident::new(&name, unnamed.impl_token.span)
    }
}

/// Whether a type is that of a closure or an iterator, in whose place no type parameter is put.
fn is_left(ty: &TypeImplTrait) -> bool {
    const OF_STD: &str = "Fn FnMut FnOnce Iterator IntoIterator DoubleEndedIterator ExactSizeIterator";
    ty.bounds.iter().filter_map(last).any(|last| OF_STD.split(' ').any(|name| last == name))
}

fn last(bound: &TypeParamBound) -> Option<&Ident> {
    match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}
