//! Type parameters of device functions that have only bounds of `std`, as `T: Copy`, or none: what a kernel's values have is
//! added.

use crate::paths;
use proc_macro2::{Ident, Span};
use syn::visit::{self, Visit};
use syn::{
    FnArg, GenericParam, Signature, Type, TypeArray, TypeParamBound, TypePath, TypeSlice, WherePredicate, parse_quote,
};

/// Adds them. A bound of the user's own trait brings its own, and so do those of the prelude.
pub(crate) fn complete(signature: &mut Signature) {
    let private = paths::private(Span::call_site());
    let mut found = Vec::new();
    for param in &signature.generics.params {
        let GenericParam::Type(param) = param else { continue };
        let predicates = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let elsewhere = predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) if is_it(&predicate.bounded_ty, &param.ident) => Some(&predicate.bounds),
            _ => None,
        });
        if param.bounds.iter().chain(elsewhere.flatten()).all(is_of_std) {
            found.push(param.ident.clone());
        }
    }
    for name in found {
        let bound: TypeParamBound = match is_in_memory(signature, &name) {
            true => parse_quote!(#private::KernelData),
            false => parse_quote!(#private::Composite),
        };
        let mut params = signature.generics.type_params_mut();
        if let Some(param) = params.find(|param| param.ident == name) {
            param.bounds.push(bound);
        }
    }
}

fn is_of_std(bound: &TypeParamBound) -> bool {
    const NAMES: &str = "Copy Clone Debug Default PartialEq PartialOrd Eq Ord Send Sync Sized Unpin";
    match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| NAMES.split(' ').any(|name| last.ident == name))
        }
        TypeParamBound::Lifetime(_) => true,
        _ => false,
    }
}

fn is_it(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident(name))
}

/// Whether there is a slice or an array of the type among the parameters.
fn is_in_memory(signature: &Signature, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        within: usize,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_type_slice(&mut self, slice: &'a TypeSlice) {
            self.within += 1;
            visit::visit_type_slice(self, slice);
            self.within -= 1;
        }

        fn visit_type_array(&mut self, array: &'a TypeArray) {
            self.within += 1;
            visit::visit_type_array(self, array);
            self.within -= 1;
        }

        fn visit_type_path(&mut self, path: &'a TypePath) {
            self.found |= self.within > 0 && path.path.is_ident(self.name);
            visit::visit_type_path(self, path);
        }
    }
    let mut search = Search { name, within: 0, found: false };
    for input in &signature.inputs {
        if let FnArg::Typed(typed) = input {
            search.visit_type(&typed.ty);
        }
    }
    search.found
}
