//! The items that a device function becomes.
//!
//! ```text
//! #[device] fn f<T: Num>(n: T, x: &[T]) -> T
//! fn f(OnlyKernelsCallThis) -> f                       begins a call: Builder::function takes it
//! f::__call::<T>(self, n, x) -> Value<T>          takes the arguments, so that rustc counts and checks them
//! fn __simt_body::<T>(&Builder, Let<T>, SliceRef<T>)   builds the function
//! ```
//!
//! No constant and no unit struct: a variable could not have the name of either.

use crate::bounds;
use crate::closures::{self, Takes};
use crate::emit::Body;
use crate::item::{Kernel, Param, ParamKind};
use crate::output::lint_levels;
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{AttrStyle, Attribute, GenericParam, Generics, ItemFn, ReturnType, Type};

/// The type that stands for the function, and the code that builds it.
pub(crate) fn device(kernel: &Kernel<'_>, body: &Body) -> TokenStream {
    let (call, build) = parts(kernel, body, &kernel.function.sig.ident.unraw().to_string());
    let passed = kernel.params.iter().map(passed);
    let mutability = (!kernel.params.is_empty()).then(|| quote!(mut));
    let arguments = paths::own("call", Span::call_site());
    let call = quote! {
        let #mutability #arguments = self.call;
        #(#passed)*
        #call
    };
    items(kernel, &returned(kernel), &call, &build)
}

/// What a call of the function gives in a kernel.
pub(crate) fn returned(kernel: &Kernel<'_>) -> TokenStream {
    let (private, result_type) = (paths::private(Span::call_site()), result_type(kernel));
    match (kernel.given_items(), kernel.result) {
        (Some(item), _) => quote!(#private::iterators::IteratorOf<#item>),
        // It is refused.
        (None, Some(Type::ImplTrait(_))) => quote!(#private::Never),
        _ => quote!(#private::Value<#result_type>),
    }
}

/// What the body of a function is that gives an iterator.
fn given_iterator(kernel: &Kernel<'_>) -> Option<TokenStream> {
    let (private, item) = (paths::private(Span::call_site()), kernel.given_items()?);
    Some(quote!(impl #private::iterators::Iterated<Item: #private::iterators::OwnedItem<Owned = #item>> + 'static))
}

/// What makes a call of the arguments, and what builds the function.
pub(crate) fn parts(kernel: &Kernel<'_>, body: &Body, title: &str) -> (TokenStream, TokenStream) {
    let function = kernel.function;
    let Body { text, spans, statements } = body;
    let (file, first_line, source) = (&text.file, text.first_line, &text.text);
    let private = paths::private(Span::call_site());
    let k = paths::Builder::of(function).at(Span::call_site());
    let result = paths::result(Span::call_site());
    let result_type = result_type(kernel);
    let build = paths::item("simt_body", Span::call_site());
    let (parameters, generics, clause) = function.sig.generics.split_for_impl();
    let turbofish = generics.as_turbofish();
    let lints: Vec<_> = function.attrs.iter().filter_map(lint_levels).collect();
    let memory: Vec<_> = kernel.params.iter().filter_map(handle).collect();
    let slices = kernel.params.iter().filter(|param| handle(param).is_some()).map(|param| param.name);

    // Of a function that takes closures, the type says which of it is called, but not with which.
    let takes_closures =
        kernel.params.iter().any(|param| matches!(param.kind, ParamKind::Closure(..) | ParamKind::Iterator(_)));
    let marker = paths::item("simt_marker", Span::call_site());
    let of_its_own = if takes_closures { &marker } else { &build };
    let [call, builder, given] = ["call", "builder", "given"].map(|name| paths::own(name, Span::call_site()));
    let definition = quote! {
        &#private::Definition { name: #title, file: #file, first_line: #first_line, text: #source, spans: #spans }
    };
    if let Some(iterator) = given_iterator(kernel) {
        let call = quote!(#call.inlined(#definition, move |#builder| #build #turbofish(#builder #(, #slices)*)));
        let build = quote! {
            #(#lints)*
            #[allow(unused_braces, reason = "the block is the user's")]
            fn #build #parameters(#k: &#private::Builder #(, #memory)*) -> #iterator #clause {
                #statements
            }
        };
        return (call, build);
    }
    let call = quote! {
        #call.emit::<#result_type, _>(
            #of_its_own #turbofish,
            #definition,
            move |#builder, #given| #build #turbofish(#builder, #given #(, #slices)*),
        )
    };
    let marked = takes_closures.then(|| quote!(fn #marker #parameters() #clause {}));
    let build = quote! {
        #marked

        #(#lints)*
        fn #build #parameters(
            #k: &#private::Builder,
            #result: #private::Let<#result_type>
            #(, #memory)*
        ) #clause {
            #statements
        }
    };
    (call, build)
}

/// The type alone, for a function with mistakes: kernels that call it get no errors that follow from them.
pub(crate) fn without_body(kernel: &Kernel<'_>) -> TokenStream {
    let private = paths::private(Span::call_site());
    // Where the result has been forgotten or refused, the value is what its use asks for.
    let returned = match kernel.result.map(crate::item::bare) {
        Some(Type::Reference(reference)) => match crate::item::bare(&reference.elem) {
            Type::Slice(slice) => {
                let element = &slice.elem;
                quote!(<#element as #private::MemoryElement>::Slice)
            }
            value => quote!(#private::Value<#value>),
        },
        _ if !kernel.has_refused_result.get() => returned(kernel),
        _ => quote!(#private::Never),
    };
    items(kernel, &returned, &quote!(loop {}), &TokenStream::new())
}

/// The attribute of a function whose result is to be used, or that of the result's type.
pub(crate) fn must_use(function: &ItemFn) -> Option<TokenStream> {
    let own = function.attrs.iter().find(|attribute| attribute.path().is_ident("must_use"));
    own.map(ToTokens::to_token_stream).or_else(|| match &function.sig.output {
        ReturnType::Type(_, ty) => match crate::item::bare(ty) {
            Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Result") => {
                Some(quote!(#[must_use = "this `Result` may be an `Err` variant, which should be handled"]))
            }
            _ => None,
        },
        ReturnType::Default => None,
    })
}

/// What a call as a statement asks for the result that nothing uses: rustc names it by its type, which is named as the function.
pub(crate) fn unused_result(ty: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        pub fn __unused(&self) -> #ty {
            ::core::unreachable!("it stands for the result")
        }
    }
}

/// The items. `call` makes a call of the arguments and has the type `returned`, `build` is the code that builds the function.
fn items(kernel: &Kernel<'_>, returned: &TokenStream, call: &TokenStream, build: &TokenStream) -> TokenStream {
    let function = kernel.function;
    let private = paths::private(Span::call_site());
    let visibility = &function.vis;
    let name = &function.sig.ident;
    let mut hidden = name.clone();
    hidden.set_span(Span::call_site());
    let fn_token = &function.sig.fn_token;
    let attributes = function.attrs.iter().filter(|attribute| is_kept(attribute));
    let method = paths::item("call", Span::mixed_site().located_at(name.span()));
    let (parameters, _, clause) = function.sig.generics.split_for_impl();
    // A parameter that is a mistake takes what is passed.
    let accepted = function.sig.inputs.iter().enumerate().map(|(number, input)| {
        let known = kernel
            .params
            .iter()
            .find(|param| matches!(input, syn::FnArg::Typed(typed) if std::ptr::eq(param.tokens, typed)));
        known.map_or_else(
            || {
                let name = paths::own(&format!("refused_{number}"), Span::call_site());
                quote!(#name: impl ::core::marker::Sized)
            },
            accepted,
        )
    });
    let generics = &function.sig.generics;
    // A function without a body cannot be built: nothing calls it.
    let closure =
        (!build.is_empty()).then(|| as_closure(kernel, &quote!(#hidden<'_>), &method, (generics, generics))).flatten();
    let unused = build.is_empty().then(|| quote!(#[allow(unused_variables)]));
    let must_use = must_use(function);
    let unused_result = must_use.as_ref().map(|_| unused_result(&quote!(#hidden<'static>)));
    // Of other results there is nothing to say: their calls have the method of the trait `HasResult`.
    let known = match () {
        () if kernel.has_refused_result.get() => Some(quote!(RefusedResult)),
        () if bounds::is_number(kernel) => Some(quote!(NumberResult)),
        () => None,
    };
    let result = known.map(|known| {
        quote! {
            #[doc(hidden)]
            pub fn __result(&self) -> #private::#known {
                #private::#known
            }
        }
    });
    quote! {
        #(#attributes)*
        #visibility #fn_token #name(call: #private::OnlyKernelsCallThis<'_>) -> #hidden<'_> {
            #hidden { call }
        }

        // Named like the function, as a kernel's program is: paths and imports find both.
        #[doc(hidden)]
        #must_use
        #[derive(::core::fmt::Debug)]
        #visibility struct #hidden<'k> {
            call: #private::OnlyKernelsCallThis<'k>,
        }

        const _: () = {
            impl #hidden<'_> {
                #unused_result
                #result

                #[doc(hidden)]
                #unused
                pub fn #method #parameters(self #(, #accepted)*) -> #returned #clause {
                    #call
                }
            }

            #closure

            #build
        };
    }
}

/// What makes the function one that can be passed as a closure, if a closure can have its parameters: `call` is the type that
/// takes the arguments, by a method. `own` are the generics that these must say.
pub(crate) fn as_closure(
    kernel: &Kernel<'_>,
    call: &TokenStream,
    method: &Ident,
    (generics, own): (&Generics, &Generics),
) -> Option<TokenStream> {
    let private = paths::private(Span::call_site());
    if kernel.given_items().is_some() {
        return None;
    }
    let takes: Option<Vec<Takes<'_>>> = kernel.params.iter().map(as_closures).collect();
    let handles: Vec<TokenStream> = takes?.iter().map(|takes| takes.handle(Span::call_site())).collect();
    // Of a slice's handle rustc does not infer the elements.
    let said = |of: &&Param<'_>| matches!(of.kind, ParamKind::Scalar(_) | ParamKind::Ref(_) | ParamKind::RefMut(_));
    let is_said = |param: &GenericParam| match param {
        GenericParam::Type(param) => {
            let mut of = kernel.params.iter().filter(said);
            of.any(|of| mentions(of.kind.element().to_token_stream(), &param.ident))
        }
        GenericParam::Const(_) | GenericParam::Lifetime(_) => false,
    };
    if !own.params.iter().all(is_said) {
        return None;
    }
    let (parameters, _, clause) = generics.split_for_impl();
    let result_type = result_type(kernel);
    let names: Vec<_> = kernel.params.iter().map(|param| param.name).collect();
    let passed = kernel.params.iter().map(|Param { name, kind, .. }| match kind {
        ParamKind::Ref(_) => quote!(#private::referring(#name)),
        ParamKind::RefMut(_) => quote!(#private::LentMut::lend_mut(#name)),
        _ => quote!(#name),
    });
    Some(quote! {
        impl #parameters #private::CallWith<(#(#handles,)*), #result_type> for #call #clause {
            #[inline]
            fn call_with(self, (#(#names,)*): (#(#handles,)*)) -> #private::Value<#result_type> {
                self.#method(#(#passed),*)
            }
        }
    })
}

/// What the parameter of a closure is that a parameter of a function can be.
fn as_closures<'a>(param: &Param<'a>) -> Option<Takes<'a>> {
    match param.kind {
        _ if param.array().is_some() => None,
        ParamKind::Scalar(ty) | ParamKind::Ref(ty) => Some(Takes::Value(ty)),
        ParamKind::RefMut(ty) => Some(Takes::Place(ty)),
        ParamKind::Slice(element) => Some(Takes::Slice { element, mutable: false }),
        ParamKind::SliceMut(element) => Some(Takes::Slice { element, mutable: true }),
        ParamKind::Constant(_) | ParamKind::Atomic(_) | ParamKind::Iterator(_) | ParamKind::Closure(..) => None,
    }
}

/// Whether a name stands in a type, and not before `::`, where it says nothing about itself.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Ident(word) if word == *name => {
                !matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
            }
            TokenTree::Group(group) => mentions(group.stream(), name),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

fn result_type(kernel: &Kernel<'_>) -> TokenStream {
    kernel.result.map_or_else(|| quote!(()), ToTokens::to_token_stream)
}

/// A parameter of the method that takes the arguments.
pub(crate) fn accepted(param: &Param<'_>) -> TokenStream {
    let (name, ty) = (param.name, element(param));
    if let ParamKind::Closure(_, arguments) = param.kind {
        let handle = closures::handle(arguments);
        return quote!(#name: #handle);
    }
    let here = Span::mixed_site().located_at(ty.span());
    let private = paths::private(here);
    let bound = match param.kind {
        ParamKind::Scalar(_) => quote_spanned!(here=> IntoValue),
        ParamKind::Ref(_) => quote_spanned!(here=> RefArgument),
        ParamKind::RefMut(_) => quote_spanned!(here=> RefMutArgument),
        ParamKind::Atomic(_) => quote_spanned!(here=> AtomicArgument),
        ParamKind::Slice(_) | ParamKind::Constant(_) => quote_spanned!(here=> SliceArgument),
        ParamKind::SliceMut(_) => quote_spanned!(here=> SliceMutArgument),
        ParamKind::Iterator(_) => quote_spanned!(here=> iterators::IteratorArgument),
        ParamKind::Closure(..) => unreachable!("it has a type of its own"),
    };
    let extent = param.array().map(|(length, _)| quote_spanned!(here=> + #private::OfExtent<{ #length }>));
    quote_spanned!(here=> #name: impl #private::#bound<#ty> #extent)
}

/// The method's use of an argument.
pub(crate) fn passed(param: &Param<'_>) -> TokenStream {
    let (name, ty) = (param.name, element(param));
    let call = paths::own("call", Span::call_site());
    if let Some((length, mutable)) = param.array() {
        let method = Ident::new(if mutable { "array_mut" } else { "array" }, Span::call_site());
        return quote!(let #name = #call.#method::<#ty, { #length }>(#name););
    }
    match param.kind {
        ParamKind::Scalar(_) => quote!(#call.value::<#ty>(#name);),
        ParamKind::Ref(_) => quote!(#call.reference::<#ty>(#name);),
        ParamKind::RefMut(_) => quote!(#call.reference_mut::<#ty>(#name);),
        ParamKind::Atomic(_) => quote!(let #name = #call.atomic_reference::<#ty>(#name);),
        ParamKind::Slice(_) | ParamKind::Constant(_) => quote!(let #name = #call.slice::<#ty>(#name);),
        ParamKind::SliceMut(_) => quote!(let #name = #call.slice_mut::<#ty>(#name);),
        ParamKind::Iterator(_) => quote!(let #name = #call.iterator::<#ty, _>(#name);),
        ParamKind::Closure(..) => quote!(#call.closure(#name);),
    }
}

/// A parameter of the function that builds: memory of the caller's.
pub(crate) fn handle(param: &Param<'_>) -> Option<TokenStream> {
    let private = paths::private(Span::call_site());
    let (name, ty) = (param.name, element(param));
    if let Some((length, mutable)) = param.array() {
        let handle = Ident::new(if mutable { "ArrayMut" } else { "Array" }, Span::call_site());
        return Some(quote!(#name: <#ty as #private::MemoryElement>::#handle<{ #length }>));
    }
    match param.kind {
        ParamKind::Scalar(_) | ParamKind::Ref(_) | ParamKind::RefMut(_) => None,
        ParamKind::Atomic(_) => Some(quote!(#name: #private::AtomicSlice<#ty>)),
        ParamKind::Slice(_) | ParamKind::Constant(_) => Some(quote!(#name: <#ty as #private::MemoryElement>::Slice)),
        ParamKind::SliceMut(_) => Some(quote!(#name: <#ty as #private::MemoryElement>::SliceMut)),
        ParamKind::Iterator(_) => {
            Some(quote!(#name: impl #private::iterators::Iterated<Item = #private::Let<#ty>> + 'static))
        }
        ParamKind::Closure(_, arguments) => {
            let handle = closures::handle(arguments);
            Some(quote!(#name: #handle))
        }
    }
}

fn element<'a>(param: &Param<'a>) -> &'a Type {
    param.kind.element()
}

/// Whether an attribute of the function means something on the one that begins a call.
fn is_kept(attribute: &Attribute) -> bool {
    let names = ["doc", "cfg", "deprecated", "must_use", "inline", "allow", "warn", "deny", "forbid"];
    matches!(attribute.style, AttrStyle::Outer) && names.iter().any(|name| attribute.path().is_ident(name))
}
