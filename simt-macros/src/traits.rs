//! `#[device] trait` and `#[device] impl Trait for X`: functions that a type parameter has by its bound.
//!
//! ```text
//! #[device] trait Hash { fn hash(self) -> u32; }
//! trait Hash: KernelData {
//!     fn hash(self) -> u32;                                         the host's
//!     fn hash_with_device_above_its_impl(OnlyKernelsCallThis) -> __Hash_hash<Self>   begins a call: T::hash(x)
//!     fn __fn_hash(&self) -> __Hash_hash<Self>                      is never called: by its type rustc finds x.hash()
//!     fn hash_with_device_above_its_trait(OnlyKernelsCallThis) -> Value<u32>         makes the call, whose arguments are passed
//! }
//! ```

use crate::bounds;
use crate::device;
use crate::emit;
use crate::hosted;
use crate::item::{Kernel, Kind, ParamKind};
use crate::methods;
use crate::only_kernels;
use crate::paths;
use crate::report::Report;
use crate::std_traits;
use crate::trait_parameters::{self, Around, argument, renamed};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    ImplItem, ImplItemFn, ItemImpl, ItemTrait, Path, ReceiverKind, Token, TraitItem, TraitItemFn, Type, parse_quote,
};

/// The name of the type that has the trait, where it is a parameter.
pub(crate) const IMPLEMENTOR: &str = "__Self";

/// The trait with what kernels need, or its mistakes.
pub(crate) fn definition(mut report: Report, mut item: ItemTrait) -> TokenStream {
    if let Some(param) = item.generics.lifetimes().next() {
        report.error(param, "a kernel's trait holds no references: give the functions the slices as parameters");
    }
    bounds::complete(&mut item.generics);
    for associated in &item.items {
        if let TraitItem::Type(ty) = associated
            && !ty.generics.params.is_empty()
        {
            report.error(ty, "a type of a kernel's trait has no parameters: write the type");
        }
    }
    if !report.is_empty() {
        let errors = report.into_tokens();
        return quote!(#errors #item);
    }
    let functions: Vec<TraitItemFn> = item
        .items
        .iter()
        .filter_map(|item| match item {
            TraitItem::Fn(function) => Some(function.clone()),
            _ => None,
        })
        .collect();
    let private = paths::private(Span::call_site());
    let mut begun = TokenStream::new();
    let mut hidden = TokenStream::new();
    for function in &functions {
        if let Some((outside, inside)) = declared(&item, function, &mut report) {
            begun.extend(outside);
            hidden.extend(inside);
        }
    }
    let errors = (!report.is_empty()).then(|| report.into_tokens());
    let operators: Vec<_> = item.supertraits.iter().filter_map(bounds::operator_of_kernels).collect();
    item.supertraits.extend(operators);
    item.supertraits.push(parse_quote!(#private::KernelData));
    item.supertraits.push(parse_quote!(::core::marker::Copy));
    // `T::ZERO` is a value of the host's that a kernel has.
    let is_of_self = |item: &TraitItem| matches!(item, TraitItem::Const(constant) if mentions_self(&constant.ty));
    if item.items.iter().any(is_of_self) {
        item.supertraits.push(parse_quote!(#private::IntoValue<Self>));
    }
    for associated in &mut item.items {
        if let TraitItem::Type(ty) = associated {
            ty.colon_token.get_or_insert_default();
            if ty.bounds.iter().any(bounds::is_default) {
                let name = &ty.ident;
                ty.bounds.push(parse_quote!(#private::IntoValue<Self::#name>));
            }
            ty.bounds.push(parse_quote!(#private::KernelData));
        }
        if let TraitItem::Fn(TraitItemFn { sig, default: Some(body), .. }) = associated
            && let Some(why) = only_kernels::of_trait(&item.generics, sig, body)
        {
            *body = hosted::stub(&item.ident.to_string(), sig, &why);
        }
    }
    let items = &item.items;
    let attributes = &item.attrs;
    let ItemTrait { vis, trait_token, ident, supertraits, .. } = &item;
    let (generics, clause) = (&item.generics, &item.generics.where_clause);
    quote! {
        #errors
        #(#attributes)*
        #[allow(
            clippy::wrong_self_convention,
            dead_code,
            unused_mut,
            unused_variables,
            reason = "kernels call the functions that are made of these; some bodies are left out for the host"
        )]
        #vis #trait_token #ident #generics: #supertraits #clause {
            #(#items)*
            #hidden
        }
        #begun
    }
}

fn mentions_self(ty: &Type) -> bool {
    renamed(ty.to_token_stream(), "Self", IMPLEMENTOR).to_string() != ty.to_token_stream().to_string()
}

/// What to write in place of an implementation of one of std's traits that are no operators.
pub(crate) fn of_std(path: &Path) -> Option<&'static str> {
    const OTHERS: &str = "Deref DerefMut IntoIterator Into FromStr Clone Drop Hash AsRef Display \
                          Debug Fn FnMut FnOnce";
    let name = path.segments.last()?.ident.to_string();
    Some(match name.as_str() {
        name if OTHERS.split_ascii_whitespace().any(|other| other == name) => {
            "of std's traits, kernels have the operators, `Index`, comparisons, `From`, `TryFrom`, `Default` and `Iterator`: write the functions in `#[device] impl` of the struct, \
             or a `#[device]` trait of your own"
        }
        _ => return None,
    })
}

/// The implementation for the host, and what kernels call.
pub(crate) fn implementation(report: Report, mut item: ItemImpl) -> TokenStream {
    if !matches!(&*item.self_ty, Type::Tuple(_) | Type::Array(_)) {
        return implemented(report, item);
    }
    let alias = trait_parameters::named(&mut item);
    let implemented = implemented(report, item);
    quote! {
        const _: () = {
            #alias
            #implemented
        };
    }
}

fn implemented(mut report: Report, item: ItemImpl) -> TokenStream {
    let mut item = crate::lifetimes::of_unending(item);
    let Some(owner) = methods::owner(&item, &mut report) else {
        let errors = report.into_tokens();
        return quote!(#errors #item);
    };
    bounds::complete(&mut item.generics);
    let private = paths::private(Span::call_site());
    let mut made = Vec::new();
    let functions = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let types = std_traits::types(&item);
    for written in functions {
        let tokens = std_traits::without_types(written.to_token_stream(), &types);
        let written = &match syn::parse2::<ImplItemFn>(tokens) {
            Ok(written) => written,
            Err(error) => {
                report.add(error);
                continue;
            }
        };
        let Some((function, own)) = methods::function(&item, &owner, written, &mut report) else { continue };
        let (own_parameters, _, own_clause) = own.split_for_impl();
        let before = report.len();
        let kernel = Kernel::of(Kind::Device, &function, &mut report);
        let mut body = emit::body(&kernel, &mut report);
        if report.len() > before {
            continue;
        }
        body.text = methods::text(written);
        let (call, build) = device::parts(&kernel, &body, &methods::title(&owner, &written.sig.ident));
        let (name, memory) = (made_name(&written.sig.ident), memory(&kernel));
        let (returned, arguments) = (device::returned(&kernel), paths::own("call", Span::call_site()));
        // Of a trait that is no `#[device]` one, rustc says at the user's function that the trait lacks this.
        let at = written.sig.ident.span();
        let fn_token = Token![fn](at);
        let mut block = Group::new(Delimiter::Brace, quote!(#build #call));
        block.set_span(at);
        made.push(quote! {
            #[doc(hidden)]
            #fn_token #name #own_parameters(
                #arguments: #private::OnlyKernelsCallThis<'_> #(, #memory)*
            ) -> #returned #own_clause #block
        });
    }
    let errors = (!report.is_empty()).then(|| report.into_tokens());
    let title = hosted::title_of(&item.self_ty);
    for associated in &mut item.items {
        if let ImplItem::Fn(ImplItemFn { sig, block, .. }) = associated
            && let Some(why) = only_kernels::of_implementation(&item.generics, sig, block)
        {
            *block = hosted::stub(&title, sig, &why);
        }
    }
    let made: Vec<ImplItem> = made.into_iter().map(ImplItem::Verbatim).collect();
    item.items.extend(made);
    quote!(#errors #[allow(unused_variables, unused_mut, reason = "some bodies are left out for the host")] #item)
}

/// What stands beside the trait and what stands in it, for one of its functions.
fn declared(item: &ItemTrait, declared: &TraitItemFn, report: &mut Report) -> Option<(TokenStream, TokenStream)> {
    let TraitItemFn { sig, default, .. } = declared;
    let name = &sig.ident;
    let receiver = sig.receiver();
    if emit::is_taken(&name.to_string()) && receiver.is_some() {
        let message = format!("`.{name}()` means something else in a kernel already: give the method another name");
        report.error(name, message);
        return None;
    }
    let implementor = Ident::new(IMPLEMENTOR, Span::call_site());
    let of_trait = &item.ident;
    let Around { generics: around, arguments: given } = Around::of(item);
    let (_, _, clause) = around.split_for_impl();
    let mut of_parameter: ItemImpl = parse_quote!(impl #implementor {});
    of_parameter.generics = around.clone();
    let block = default.clone().unwrap_or_else(|| parse_quote!({}));
    let written: ImplItemFn = parse_quote!(#sig #block);
    let owner = parse_quote!(#implementor);
    let (function, own) = methods::function(&of_parameter, &owner, &written, report)?;
    let before = report.len();
    let kernel = Kernel::of(Kind::Device, &function, report);
    let body = default.as_ref().map(|_| {
        let mut body = emit::body(&kernel, report);
        body.text = methods::text(&written);
        device::parts(&kernel, &body, &format!("{of_trait}::{name}"))
    });
    if report.len() > before {
        return None;
    }
    let private = paths::private(Span::call_site());
    let visibility = &item.vis;
    let begun = Ident::new(&format!("__{of_trait}_{name}"), Span::call_site());
    let (device_name, method, made) = (methods::device_name(name), methods::method_name(name), made_name(name));
    let here = Span::mixed_site().located_at(name.span());
    let [take, rest] = ["call", "rest"].map(|name| paths::item(name, here));
    let arguments = paths::own("call", Span::call_site());
    let returned = device::returned(&kernel);
    let by_self = |tokens: TokenStream| renamed(tokens, IMPLEMENTOR, "Self");
    let (own_parameters, own_arguments, own_clause) = own.split_for_impl();
    let own_turbofish = own_arguments.as_turbofish();
    let mut with_lifetime = around.clone();
    with_lifetime.params.insert(0, parse_quote!('simt));
    let (all_parameters, _, _) = with_lifetime.split_for_impl();
    let (names, types) = Around::declared(item);
    let memory = memory(&kernel);
    let slices: Vec<&Ident> =
        kernel.params.iter().filter(|param| is_memory(&param.kind)).map(|param| param.name).collect();
    let behind = if receiver.is_some() { &kernel.params[1..] } else { &kernel.params[..] };
    let accepted: Vec<_> = behind.iter().map(device::accepted).collect();
    let passed = behind.iter().map(device::passed);
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
    let by = receiver.map(|receiver| match receiver.kind {
        ReceiverKind::Reference(.., Some(_)) => "ByMut",
        _ => "ByValue",
    });
    let by = Ident::new(by.unwrap_or("ByValue"), Span::call_site());
    let outside = quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "the name is the trait's and the function's")]
        #[derive(::core::fmt::Debug)]
        #visibility struct #begun<'k, S #(, #names)*> {
            call: #private::OnlyKernelsCallThis<'k>,
            of: ::core::marker::PhantomData<fn() -> (S, #(#types,)*)>,
        }

        const _: () = {
            impl #all_parameters #private::DeviceMethod for #begun<'simt, #implementor #(, #given)*> #clause {
                type By = #private::#by;
                type Call<'k> = #begun<'k, #implementor #(, #given)*>;

                fn begin(call: #private::OnlyKernelsCallThis<'_>) -> #begun<'_, #implementor #(, #given)*> {
                    #begun { call, of: ::core::marker::PhantomData }
                }
            }

            #[allow(dead_code, unused_mut, reason = "one of the two is called; there may be no parameters")]
            impl #all_parameters #begun<'simt, #implementor #(, #given)*> #clause {
                #first

                #[doc(hidden)]
                pub fn #taken #own_parameters(self #(, #accepted)*) -> #returned #own_clause {
                    let mut #arguments = self.call;
                    #(#passed)*
                    <#implementor as #of_trait<#(#given),*>>::#made #own_turbofish(#arguments #(, #slices)*)
                }
            }
        };
    };
    let returned_by_self = by_self(returned.clone());
    let memory_of_self: Vec<TokenStream> = memory.iter().cloned().map(by_self).collect();
    let (both_parameters, _, both_clause) = function.sig.generics.split_for_impl();
    let own_names: Vec<TokenStream> = own.params.iter().filter_map(argument).collect();
    let own_of_self = by_self(own_parameters.to_token_stream());
    let clause_of_self = by_self(own_clause.to_token_stream());
    // Where an implementation lacks the function, or has a mistake in it, rustc says nothing of this one.
    let made_body = body.map_or_else(
        || quote!({ ::core::unreachable!("each implementation has its own") }),
        |(call, build)| {
            quote!({
                fn made #both_parameters(
                    #arguments: #private::OnlyKernelsCallThis<'_> #(, #memory)*
                ) -> #returned #both_clause {
                    #build
                    #call
                }
                made::<Self #(, #given)* #(, #own_names)*>(#arguments #(, #slices)*)
            })
        },
    );
    let inside = quote! {
        #[doc(hidden)]
        #[allow(private_interfaces, reason = "as the trait is seen")]
        fn #device_name(call: #private::OnlyKernelsCallThis<'_>) -> #begun<'_, Self #(, #given)*> {
            #begun { call, of: ::core::marker::PhantomData }
        }

        #[doc(hidden)]
        #[allow(private_interfaces, reason = "as the trait is seen")]
        fn #method(&self) -> #begun<'static, Self #(, #given)*> {
            ::core::unreachable!("only its type is used")
        }

        #[doc(hidden)]
        #[allow(unused_variables, reason = "only implementations use them")]
        fn #made #own_of_self(
            #arguments: #private::OnlyKernelsCallThis<'_> #(, #memory_of_self)*
        ) -> #returned_by_self #clause_of_self #made_body
    };
    Some((outside, inside))
}

/// The function that an implementation has of a `#[device]` trait. rustc shows it where the trait is none.
fn made_name(name: &Ident) -> Ident {
    Ident::new(&format!("{}_with_device_above_its_trait", syn::ext::IdentExt::unraw(name)), name.span())
}

fn is_memory(kind: &ParamKind<'_>) -> bool {
    !matches!(kind, ParamKind::Scalar(_) | ParamKind::Ref(_) | ParamKind::RefMut(_))
}

/// The parameters that are memory, of what makes the call.
fn memory(kernel: &Kernel<'_>) -> Vec<TokenStream> {
    kernel.params.iter().filter_map(device::handle).collect()
}
