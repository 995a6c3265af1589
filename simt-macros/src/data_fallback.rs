//! What `#[derive(KernelData)]` emits beside the mistakes of a struct, so that functions which have it get no further errors.

use crate::data;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{DeriveInput, Fields, ImplItemFn, ItemImpl, WherePredicate, parse_quote};

/// The implementations, as if each refused field were a number, and without a body.
pub(crate) fn implementations(input: &DeriveInput, fields: &Fields) -> TokenStream {
    let mut fields = fields.clone();
    for field in &mut fields {
        if crate::field_types::is_no_data(&field.ty) {
            field.ty = parse_quote!(u32);
        }
    }
    let mut items: syn::File = match syn::parse2(data::implementations(input, &fields)) {
        Ok(items) => items,
        Err(_) => return TokenStream::new(),
    };
    WithoutBodies.visit_file_mut(&mut items);
    quote::quote!(#items)
}

struct WithoutBodies;

impl VisitMut for WithoutBodies {
    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        if let Some(clause) = &mut item.generics.where_clause {
            // What the struct lacks has been said.
            let of = item.self_ty.to_token_stream().to_string();
            let of_self = |predicate: &WherePredicate| matches!(predicate, WherePredicate::Type(ty) if ty.bounded_ty.to_token_stream().to_string() == of);
            clause.predicates =
                std::mem::take(&mut clause.predicates).into_iter().filter(|each| !of_self(each)).collect();
        }
        item.attrs.push(parse_quote!(#[allow(unused, clippy::all, reason = "stands for what has a mistake")]));
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        function.block = parse_quote!({ loop {} });
    }
}
