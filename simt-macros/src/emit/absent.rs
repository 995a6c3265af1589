//! Methods that nothing has: what rustc says of them.
//!
//! rustc looks a method up by a name that the macro makes of the user's (see `own`). Where nothing has it, the lookup ends at
//! a trait that the body declares for the name: references have its method, so that it is what rustc finds last, and ask for
//! what no type has. So the message has words of the user, and nothing follows from it.
//!
//! The message stands at a trait of the builder: where a crate has no prelude, its items have no `#[diagnostic]` either.

use crate::methods;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// Methods of slices, which rustc finds of a slice itself, and of a slice that is a value, a reference: of these names
/// a slice that is referred to is none of the types which lack the method.
const OF_SLICES: &str = "get first last starts_with ends_with binary_search is_sorted reverse sort sort_unstable len \
                         is_empty contains fill swap copy_from_slice rotate_left rotate_right get_range split_first \
                         split_last split_at get_mut get_range_mut __get_some_mut first_mut last_mut split_first_mut split_last_mut \
                         split_at_mut";

/// The traits for the names of a body.
pub(super) fn traits<'n>(names: impl Iterator<Item = &'n Ident>) -> TokenStream {
    names.map(one).collect()
}

fn one(name: &Ident) -> TokenStream {
    let word = syn::ext::IdentExt::unraw(name);
    let (none, method) = (format_ident!("NoMethod_{word}", span = Span::mixed_site()), methods::method_name(name));
    let private = crate::paths::private(Span::mixed_site());
    let is_of_slices = OF_SLICES.split_whitespace().any(|of_slices| word == of_slices);
    let bound = if is_of_slices { quote!(::core::marker::Sized) } else { quote!(?::core::marker::Sized) };
    quote! {
        #[allow(non_camel_case_types, non_snake_case, dead_code, reason = "only its types are used")]
        trait #none {
            type Of: ?::core::marker::Sized;
            fn #method(&self) -> <Self::Of as #private::HasMethod>::Method
            where
                Self::Of: #private::HasMethod,
            {
                ::core::unreachable!("only its type is used")
            }
        }
        impl<T: #bound> #none for &T {
            type Of = T;
        }
    }
}
