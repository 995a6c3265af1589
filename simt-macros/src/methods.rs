//! `#[device] impl`: functions of a struct, for the host as they are written, and for kernels.
//!
//! ```text
//! #[device] impl V { fn dot(self, o: Self) -> f32 { .. } }
//! impl V { fn dot .. }                                   the host's
//! V::dot_with_device_above_its_impl(OnlyKernelsCallThis) -> Begun<V>      begins a call: V::dot(a, b)
//! V::__fn_dot(&self) -> Begun<V>                         is never called: by its type rustc finds the method of a.dot(b)
//! Begun::__call(self, a, b), Begun::__rest(self, b)      take the arguments
//! ```

use crate::bounds;
use crate::device;
use crate::emit::{self, is_taken};
use crate::hosted;
use crate::indexed;
use crate::item::{Kernel, Kind};
use crate::kernels_of_types;
use crate::operators;
use crate::paths;
use crate::report::Report;
use crate::std_traits;
use crate::text::{self, Text};
use crate::traits;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    FnArg, GenericArgument, Generics, ImplItem, ImplItemFn, ItemFn, ItemImpl, Path, PathArguments, Receiver,
    ReceiverKind, Token, Type, parse_quote,
};

/// The name that `self` has in the function that kernels call.
pub(crate) const SELF: &str = "__self";

/// The implementations for the host and for kernels, or the mistakes.
pub(crate) fn expand(mut report: Report, mut item: ItemImpl) -> TokenStream {
    // A user's macro passes it as `$T`.
    *item.self_ty = crate::item::bare(&item.self_ty).clone();
    let kernels = kernels_of_types::taken(&mut item, &mut report);
    let others = without_kernels(report, item);
    quote!(#kernels #others)
}

fn without_kernels(mut report: Report, mut item: ItemImpl) -> TokenStream {
    bounds::complete(&mut item.generics);
    if let Some((path, _)) = &item.trait_ {
        if let Some(operator) = operators::operator(path).cloned() {
            return operators::expand(report, item, &operator);
        }
        if let Some(tokens) =
            std_traits::expand(path, &item, &mut report).or_else(|| indexed::expand(path, &item, &mut report))
        {
            let errors = (!report.is_empty()).then(|| report.into_tokens());
            return quote!(#errors #tokens);
        }
        if let Some(message) = traits::of_std(path) {
            report.error(path, message);
            let errors = report.into_tokens();
            return quote!(#errors #item);
        }
        return traits::implementation(report, item);
    }
    if !matches!(&*item.self_ty, Type::Path(_)) {
        owner(&item, &mut report);
        let errors = report.into_tokens();
        return quote!(#errors #item);
    }
    let emitted = of_device(&item, &mut report);
    let errors = (!report.is_empty()).then(|| report.into_tokens());
    let host = hosted::hosted(item);
    quote!(#errors #host #emitted)
}

/// What kernels call in place of the functions of an `impl`.
pub(crate) fn of_device(item: &ItemImpl, report: &mut Report) -> TokenStream {
    let item = &without_lifetimes(item);
    let Some(owner) = owner(item, report) else { return TokenStream::new() };
    let functions = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    functions.map(|function| method(item, &owner, function, report)).collect()
}

/// The implementation for kernels, whose references live as long as the launch.
pub(crate) fn without_lifetimes(item: &ItemImpl) -> ItemImpl {
    let mut item = item.clone();
    crate::lifetimes::without_lifetimes(&mut item.generics);
    crate::lifetimes::carried(&mut item.self_ty);
    item
}

/// The type whose functions they are, as an expression has it: `Pair::<T>`.
pub(crate) fn owner(item: &ItemImpl, report: &mut Report) -> Option<Path> {
    let Type::Path(ty) = &*item.self_ty else {
        report.error(&item.self_ty, "kernels call methods of a struct with `KernelData`: write its name here");
        return None;
    };
    let mut path = ty.path.clone();
    if let Some(PathArguments::AngleBracketed(arguments)) = path.segments.last_mut().map(|last| &mut last.arguments) {
        arguments.colon2_token = Some(Token![::](arguments.lt_token.span));
        for argument in &mut arguments.args {
            if let GenericArgument::Lifetime(lifetime) = argument {
                *lifetime = syn::Lifetime::new("'static", lifetime.span());
            }
        }
    }
    Some(path)
}

/// What kernels call in place of a function.
fn method(item: &ItemImpl, owner: &Path, written: &ImplItemFn, report: &mut Report) -> TokenStream {
    let name = &written.sig.ident;
    let receiver = written.sig.receiver();
    if is_taken(&name.to_string()) && receiver.is_some() {
        let message = format!("`.{name}()` means something else in a kernel already: give the method another name");
        report.error(name, message);
        return TokenStream::new();
    }
    if let Some(receiver) =
        receiver.filter(|receiver| !matches!(receiver.kind, ReceiverKind::Value | ReceiverKind::Reference(..)))
    {
        report.error(receiver, "in a kernel, `self` has no other type: write `self`, `&self` or `&mut self`");
        return TokenStream::new();
    }
    let Some((function, own)) = function(item, owner, written, report) else { return TokenStream::new() };
    let before = report.len();
    let kernel = Kernel::of(Kind::Device, &function, report);
    let mut body = emit::body(&kernel, report);
    if report.len() > before {
        // With other parameters than the user's, callers would get errors of their own.
        let is_whole = kernel.params.len() == function.sig.inputs.len();
        let without_body = (quote!(loop {}), TokenStream::new());
        return if is_whole { items(item, &kernel, receiver, &own, &without_body) } else { TokenStream::new() };
    }
    body.text = text(written);
    items(item, &kernel, receiver, &own, &device::parts(&kernel, &body, &title(owner, name)))
}

/// The function of a trait that has one. Another, or none, is rustc's error at the host's `impl`.
pub(crate) fn only(item: &ItemImpl) -> Option<&ImplItemFn> {
    item.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })
}

/// What the function is called in errors.
pub(crate) fn title(owner: &Path, name: &Ident) -> String {
    format!("{}::{name}", owner.segments.last().map(|last| last.ident.to_string()).unwrap_or_default())
}

/// Its text, as the user wrote it.
pub(crate) fn text(written: &ImplItemFn) -> Text {
    text::of(&as_function(written))
}

/// The function that stands alone, with a parameter for `self` and the generics of the `impl`; and its own generics.
pub(crate) fn function(
    item: &ItemImpl,
    owner: &Path,
    written: &ImplItemFn,
    report: &mut Report,
) -> Option<(ItemFn, Generics)> {
    let Ok(mut function) = syn::parse2::<ItemFn>(without_self(owner, written)) else {
        report.error(&written.sig.ident, "this function cannot be one of a kernel's");
        return None;
    };
    crate::item::spelled(Kind::Device, &mut function);
    let own = function.sig.generics.clone();
    function.sig.generics = both(&item.generics, &own);
    Some((function, own))
}

/// The items for kernels. `own` are the function's own generics, `call` makes a call of its arguments, `build` builds it.
fn items(
    item: &ItemImpl,
    kernel: &Kernel<'_>,
    receiver: Option<&Receiver>,
    own: &Generics,
    (call, build): &(TokenStream, TokenStream),
) -> TokenStream {
    let private = paths::private(Span::call_site());
    let (visibility, ty) = (&kernel.function.vis, &item.self_ty);
    let name = &kernel.function.sig.ident;
    let (parameters, _, clause) = item.generics.split_for_impl();
    let begun_parameters = begun_parameters_of(item);
    let (begun_parameters, _, _) = begun_parameters.split_for_impl();
    let (own_parameters, own_arguments, own_clause) = own.split_for_impl();
    let own_turbofish = own_arguments.as_turbofish();
    let returned = device::returned(kernel);
    let (device, method) = (device_name(name), method_name(name));
    let here = Span::mixed_site().located_at(name.span());
    let [take, rest] = ["call", "rest"].map(|name| paths::item(name, here));
    let begun = Ident::new("__Begun", Span::mixed_site());
    let arguments = paths::own("call", Span::call_site());
    let behind = if receiver.is_some() { &kernel.params[1..] } else { &kernel.params[..] };
    let accepted: Vec<_> = behind.iter().map(device::accepted).collect();
    let passed = behind.iter().map(device::passed);
    let mutability = (!behind.is_empty()).then(|| quote!(mut));
    let taken = if receiver.is_some() { &rest } else { &take };
    let first = kernel.params.first().filter(|_| receiver.is_some()).map(|first| {
        let (accepts, passes) = (device::accepted(first), device::passed(first));
        let names = behind.iter().map(|param| param.name);
        quote! {
            #[doc(hidden)]
            pub fn #take #own_parameters(self, #accepts #(, #accepted)*) -> #returned #own_clause {
                let Self { call: mut #arguments, of } = self;
                #passes
                Self { call: #arguments, of }.#rest #own_turbofish(#(#names),*)
            }
        }
    });
    let found = receiver.map(|receiver| {
        let by = if matches!(receiver.kind, ReceiverKind::Reference(.., Some(_))) { "ByMut" } else { "ByValue" };
        let by = Ident::new(by, Span::call_site());
        quote! {
            impl #begun_parameters #private::DeviceMethod for #begun<'simt, #ty> #clause {
                type By = #private::#by;
                type Call<'k> = #begun<'k, #ty>;

                fn begin(call: #private::OnlyKernelsCallThis<'_>) -> #begun<'_, #ty> {
                    #begun { call, of: ::core::marker::PhantomData }
                }
            }

            #[allow(dead_code, private_interfaces, clippy::all, clippy::pedantic, reason = "only its type is used")]
            impl #parameters #ty #clause {
                #[doc(hidden)]
                #visibility fn #method(&self) -> #begun<'static, Self> {
                    ::core::unreachable!("only its type is used")
                }
            }
        }
    });
    let must_use = device::must_use(kernel.function).map(|must_use| {
        let mut result = name.clone();
        result.set_span(Span::call_site());
        let asked = device::unused_result(&quote!(__result::#result));
        // In a room of its own, as it would hide a type of its name.
        let result = quote! {
            mod __result {
                #[allow(non_camel_case_types, reason = "rustc names by it what is not used")]
                #must_use
                #[derive(::core::fmt::Debug)]
                pub struct #result;
            }
        };
        (result, asked)
    });
    let (result_struct, unused_result) = must_use.unzip();
    let mut all = begun_parameters_of(item);
    all.params.extend(own.params.iter().cloned());
    if let Some(clause) = &own.where_clause {
        all.make_where_clause().predicates.extend(clause.predicates.iter().cloned());
    }
    let closure = device::as_closure(kernel, &quote!(#begun<'simt, #ty>), &take, (&all, own));
    quote! {
        const _: () = {
            #[doc(hidden)]
            #[derive(::core::fmt::Debug)]
            pub struct #begun<'k, S> {
                call: #private::OnlyKernelsCallThis<'k>,
                of: ::core::marker::PhantomData<fn() -> S>,
            }

            #result_struct

            #[allow(dead_code, private_interfaces, reason = "kernels call it where they call the function")]
            impl #parameters #ty #clause {
                #[doc(hidden)]
                #visibility fn #device(call: #private::OnlyKernelsCallThis<'_>) -> #begun<'_, Self> {
                    #begun { call, of: ::core::marker::PhantomData }
                }
            }

            #[allow(dead_code, reason = "one of the two is called")]
            impl #begun_parameters #begun<'simt, #ty> #clause {
                #unused_result

                #first

                #[doc(hidden)]
                pub fn #taken #own_parameters(self #(, #accepted)*) -> #returned #own_clause {
                    let #mutability #arguments = self.call;
                    #(#passed)*
                    #call
                }
            }

            #found
            #closure
            #build
        };
    }
}

/// The generics of the `impl`, and the lifetime of a call.
fn begun_parameters_of(item: &ItemImpl) -> Generics {
    let mut generics = item.generics.clone();
    generics.params.insert(0, parse_quote!('simt));
    generics
}

/// The associated function by which kernels call `Type::name`. rustc shows it where there is none.
pub(crate) fn device_name(name: &Ident) -> Ident {
    Ident::new(&format!("{}_with_device_above_its_impl", syn::ext::IdentExt::unraw(name)), name.span())
}

/// The method by which rustc finds `value.name()`.
pub(crate) fn method_name(name: &Ident) -> Ident {
    Ident::new(&format!("__fn_{}", syn::ext::IdentExt::unraw(name)), name.span())
}

/// The generics of the `impl`, and the function's own.
fn both(of_impl: &Generics, own: &Generics) -> Generics {
    let mut generics = of_impl.clone();
    generics.params.extend(own.params.iter().cloned());
    if let Some(clause) = &own.where_clause {
        generics.make_where_clause().predicates.extend(clause.predicates.iter().cloned());
    }
    generics
}

fn as_function(written: &ImplItemFn) -> ItemFn {
    let ImplItemFn { attrs, vis, sig, block, .. } = written.clone();
    parse_quote!(#(#attrs)* #vis #sig #block)
}

/// The function with a parameter in place of `self`, and the type's name in place of `Self`.
fn without_self(owner: &Path, written: &ImplItemFn) -> TokenStream {
    let ImplItemFn { attrs, vis, sig, block, .. } = written;
    let mut sig = sig.clone();
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first() {
        let span = receiver.self_token.span;
        let name = Ident::new(SELF, span);
        let (ty, own) = (quote::quote_spanned!(span=> Self), &receiver.mutability);
        let typed: FnArg = match &receiver.kind {
            ReceiverKind::Reference(_, _, mutability) => parse_quote!(#name: &#mutability #ty),
            _ => parse_quote!(#own #name: #ty),
        };
        sig.inputs[0] = typed;
    }
    replaced(owner, quote!(#(#attrs)* #vis #sig #block))
}

/// The type's name in place of `Self`.
pub(crate) fn replaced(owner: &Path, tokens: TokenStream) -> TokenStream {
    let mut result = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        // `self::f` is a path, which begins at the module.
        let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
        match token {
            TokenTree::Ident(word) if word == "Self" => {
                let path = owner.to_token_stream().into_iter().map(|mut token| {
                    token.set_span(word.span());
                    token
                });
                result.extend(path);
            }
            TokenTree::Ident(word) if word == "self" && !is_path => {
                result.extend([TokenTree::Ident(Ident::new(SELF, word.span()))]);
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(owner, group.stream()));
                inner.set_span(group.span());
                result.extend([TokenTree::Group(inner)]);
            }
            other => result.extend([other]),
        }
    }
    result
}
