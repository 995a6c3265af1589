//! The items that a kernel becomes.

use crate::emit::Body;
use crate::extent::Extent;
use crate::item::{Kernel, Param, ParamKind};
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Attribute, Generics, Meta, Type, TypeParamBound, TypePath, WherePredicate, parse_quote};

/// The function that binds the arguments, and the type of the same name that has the program.
pub(crate) fn kernel(kernel: &Kernel<'_>, body: &Body) -> TokenStream {
    let name = &kernel.function.sig.ident;
    let private = paths::private(Span::call_site());
    let arguments = kernel.params.iter().map(argument);
    let (_, generics, _) = kernel.function.sig.generics.split_for_impl();
    let turbofish = generics.as_turbofish();
    let call =
        quote!(#private::call(#name::__kernel #turbofish (), #private::Arguments::new() #(#arguments)* .finish()));
    let function = function(kernel, &call);
    let program = program(kernel, body);
    quote!(#function #program)
}

/// The user's function, with another body.
fn function(kernel: &Kernel<'_>, body: &TokenStream) -> TokenStream {
    let function = kernel.function;
    let attributes =
        function.attrs.iter().map(|attribute| lint_levels(attribute).unwrap_or_else(|| attribute.to_token_stream()));
    let (visibility, name) = (&function.vis, &function.sig.ident);
    let params = kernel.params.iter().map(|param| {
        let (name, ty) = (param.name, &param.tokens.ty);
        if let Some((length, mutable)) = param.array() {
            let (element, mutability) = (param.kind.element(), mutable.then(|| quote!(mut)));
            return quote_spanned!(param.name.span()=> #name: &'simt #mutability [#element; #length]);
        }
        match param.kind {
            // No kernel has an iterator or a closure.
            ParamKind::Scalar(_) | ParamKind::Iterator(_) | ParamKind::Closure(..) => quote!(#name: #ty),
            ParamKind::Ref(element) | ParamKind::Atomic(element) => {
                quote_spanned!(param.name.span()=> #name: &'simt #element)
            }
            ParamKind::RefMut(element) => quote_spanned!(param.name.span()=> #name: &'simt mut #element),
            ParamKind::Slice(element) | ParamKind::Constant(element) => {
                quote_spanned!(param.name.span()=> #name: &'simt [#element])
            }
            ParamKind::SliceMut(element) => quote_spanned!(param.name.span()=> #name: &'simt mut [#element]),
        }
    });
    let fn_token = &function.sig.fn_token;
    let simt = paths::simt(Span::call_site());
    let mut generics = function.sig.generics.clone();
    add_bounds(kernel, &mut generics);
    generics.params.insert(0, parse_quote!('simt));
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #(#attributes)*
        #visibility #fn_token #name #parameters(#(#params),*) -> #simt::KernelCall<'simt> #clause {
            #body
        }
    }
}

/// The host passes values or slices of the types. Bounds stand where the user has written bounds, so that no lint reports
/// two styles.
fn add_bounds(kernel: &Kernel<'_>, generics: &mut Generics) {
    let private = paths::private(Span::call_site());
    let types: Vec<_> = generics.type_params().map(|param| param.ident.clone()).collect();
    for name in types {
        let is_it = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident(&name));
        // Behind a `&` alone it may be an atomic.
        let is_shared =
            |param: &Param<'_>| matches!(param.kind, ParamKind::Slice(ty) | ParamKind::Ref(ty) if is_it(ty));
        let is_value = kernel.params.iter().any(|param| !is_shared(param) && has_part(&param.tokens.ty, &name));
        let bound: TypeParamBound =
            if is_value { parse_quote!(#private::HostData) } else { parse_quote!(#private::SliceData) };
        let mut predicates = generics.where_clause.iter_mut().flat_map(|clause| &mut clause.predicates);
        let written = predicates.find_map(|predicate| match predicate {
            WherePredicate::Type(predicate) if is_it(&predicate.bounded_ty) => Some(&mut predicate.bounds),
            _ => None,
        });
        match written {
            Some(bounds) => bounds.push(bound.clone()),
            None => generics
                .type_params_mut()
                .filter(|param| param.ident == name)
                .for_each(|param| param.bounds.push(bound.clone())),
        }
    }
}

/// Whether a type parameter is a part of a type. An associated type, as `A::Value`, is another type.
fn has_part(ty: &Type, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_type_path(&mut self, path: &'a TypePath) {
            self.found |= path.path.is_ident(self.name);
            visit::visit_type_path(self, path);
        }
    }
    let mut search = Search { name, found: false };
    search.visit_type(ty);
    search.found
}

fn argument(param: &Param<'_>) -> TokenStream {
    let ty = param.kind.element();
    // Where the type is wrong, rustc points at the argument: it gets the place of the type.
    let mut name = param.name.clone();
    name.set_span(name.span().located_at(Extent::of(ty).first));
    let method = match param.kind {
        ParamKind::Ref(_) | ParamKind::Atomic(_) => {
            return quote_spanned!(name.span()=> .slice(::core::slice::from_ref(#name)));
        }
        ParamKind::RefMut(_) => {
            return quote_spanned!(name.span()=> .slice_mut(::core::slice::from_mut(#name)));
        }
        ParamKind::Scalar(_) | ParamKind::Iterator(_) | ParamKind::Closure(..) => "scalar",
        ParamKind::Slice(_) => "slice",
        ParamKind::SliceMut(_) => "slice_mut",
        ParamKind::Constant(_) => "constant",
    };
    let method = Ident::new(method, name.span());
    quote_spanned!(name.span()=> .#method(#name))
}

fn program(kernel: &Kernel<'_>, body: &Body) -> TokenStream {
    let function = kernel.function;
    let (visibility, name) = (&function.vis, &function.sig.ident);
    let lints = function.attrs.iter().filter_map(lint_levels);
    let (simt, private) = (paths::simt(Span::call_site()), paths::private(Span::call_site()));
    let k = paths::Builder::of(function).at(Span::call_site());
    let builder = paths::own("builder", Span::call_site());
    let overflow = paths::own("overflow", Span::call_site());
    let Body { text, spans, statements } = body;
    let (file, first_line, source) = (&text.file, text.first_line, &text.text);
    let title = crate::kernels_of_types::title(&name.unraw().to_string());
    // Named like the function, so that a path finds both; with a span of the macro's own, so that no lint reports this name.
    let hidden = name_of_the_macro(name);
    let (parameters, generics, clause) = function.sig.generics.split_for_impl();
    let turbofish = generics.as_turbofish();
    let made = if function.sig.generics.params.is_empty() {
        quote! {
            // Uses the program, so that no lint reports a kernel whose program is never used.
            const _: fn() -> &'static #simt::Program = #name::program;
            const _: fn(#simt::Overflow) -> &'static #simt::Program = #name::program_with;
            static KERNEL: #private::Kernel = #private::Kernel::new(#name::__build);
            &KERNEL
        }
    } else {
        quote! {
            let _: fn() -> &'static #simt::Program = Self::program #turbofish;
            let _: fn(#simt::Overflow) -> &'static #simt::Program = Self::program_with #turbofish;
            #private::instance(Self::__build #turbofish, Self::__build #turbofish)
        }
    };
    quote! {
        #[doc(hidden)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility enum #hidden {}

        #(#lints)*
        impl #hidden {
            /// The program of the kernel.
            #visibility fn program #parameters() -> &'static #simt::Program #clause {
                Self::__kernel #turbofish().program()
            }

            /// The program of the kernel whose integers do this where they overflow.
            #visibility fn program_with #parameters(#overflow: #simt::Overflow) -> &'static #simt::Program #clause {
                Self::__kernel #turbofish().with_overflow(#overflow).program()
            }

            fn __kernel #parameters() -> &'static #private::Kernel #clause {
                #made
            }

            fn __build #parameters(#overflow: #simt::Overflow) -> #private::Program #clause {
                let #builder =
                    #private::Builder::new(#title, #file, #first_line, #source, #spans).with_overflow(#overflow);
                Self::__statements #turbofish (&#builder);
                #builder.finish()
            }

            // By reference and in a function of their own, as a device function's: a builder that is borrowed and dropped
            // among thousands of statements would cost rustc more than the statements.
            fn __statements #parameters (#k: &#private::Builder) #clause {
                #statements
            }
        }
    }
}

/// The name with the place of the attribute.
fn name_of_the_macro(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::call_site());
    name
}

/// An attribute that sets lint levels, which holds for the function and for the code that its body becomes.
///
/// An `expect` becomes an `allow`: of two, one would not be fulfilled.
pub(crate) fn lint_levels(attribute: &Attribute) -> Option<TokenStream> {
    let level = attribute.path().get_ident()?;
    match level.to_string().as_str() {
        "allow" | "warn" | "deny" | "forbid" => Some(attribute.to_token_stream()),
        "expect" => {
            let Meta::List(list) = &attribute.meta else { return None };
            let (allow, lints) = (Ident::new("allow", level.span()), &list.tokens);
            Some(quote!(#[#allow(#lints)]))
        }
        _ => None,
    }
}
