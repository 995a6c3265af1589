//! `#[derive(KernelData)]`: the implementations of a kernel's traits for a struct.

use crate::choices;
use crate::data_fallback;
use crate::field_types::{as_value, check_field};
use crate::paths;
use crate::report::Report;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Field, Fields, Member, Meta, Path, Type, parse_quote};

/// The implementations for a struct, or its mistakes.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => {
            report.add(error);
            return report.into_tokens();
        }
    };
    let simt = simt(&input, &mut report);
    if let Data::Enum(data) = &input.data {
        let choices = paths::with_crate(simt.as_ref(), || choices::implementations(&input, data, &mut report));
        return if report.is_empty() { choices } else { report.into_tokens() };
    }
    let fields = check(&input, &mut report);
    match fields {
        Some(fields) if report.is_empty() => paths::with_crate(simt.as_ref(), || implementations(&input, fields)),
        Some(fields) if input.generics.lifetimes().next().is_none() => {
            let fallback = paths::with_crate(simt.as_ref(), || data_fallback::implementations(&input, fields));
            let errors = report.into_tokens();
            quote!(#errors #fallback)
        }
        _ => report.into_tokens(),
    }
}

/// `#[kernel_data(crate = path)]`
fn simt(input: &DeriveInput, report: &mut Report) -> Option<Path> {
    let mut path = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("kernel_data")) {
        let arguments = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
        };
        match paths::crate_argument(&arguments) {
            Ok(given) => path = Some(given),
            Err(_) => report.error(attribute, "write `#[kernel_data(crate = path)]`, the path of a renamed `simt`"),
        }
    }
    path
}

fn check<'a>(input: &'a DeriveInput, report: &mut Report) -> Option<&'a Fields> {
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(_) => return None,
        Data::Union(data) => {
            report.error(data.union_token, "a kernel has no unions: write a struct, and `to_bits` and `from_bits`");
            return None;
        }
    };
    if report.is_empty() {
        data.fields.iter().for_each(|Field { ty, .. }| check_field(ty, report));
    }
    Some(&data.fields)
}

/// The arguments of the struct's type: references live as long as the launch.
fn unending_arguments(generics: &syn::Generics) -> Option<TokenStream> {
    let arguments = generics.params.iter().map(|param| match param {
        syn::GenericParam::Lifetime(_) => quote!('static),
        syn::GenericParam::Type(param) => param.ident.to_token_stream(),
        syn::GenericParam::Const(param) => param.ident.to_token_stream(),
    });
    (!generics.params.is_empty()).then(|| quote!(<#(#arguments),*>))
}

/// The property that an implementation needs of the fields' types.
#[derive(Clone, Copy)]
enum Needs {
    /// Kernels have variables of them.
    Kernel,
    /// The host's value is a constant.
    Constant,
    /// The host has slices of them.
    Host,
}

pub(crate) fn implementations(input: &DeriveInput, fields: &Fields) -> TokenStream {
    let (name, visibility) = (&input.ident, &input.vis);
    let private = paths::private(Span::call_site());
    let offers = format_ident!("{}Fields", name, span = Span::call_site());
    let declared = offers.clone();
    let names: Vec<Member> = fields.members().collect();
    let types: Vec<Type> = fields.iter().map(|field| as_value(&field.ty)).collect();
    // What has references is made in kernels only.
    let is_hosts = input.generics.lifetimes().next().is_none();
    let mut unending = input.generics.clone();
    crate::lifetimes::without_lifetimes(&mut unending);
    let visibilities = fields.iter().map(|field| &field.vis);
    let paths: Vec<String> = names.iter().map(|name| format!("{{}}.{}", title(name))).collect();
    // Where a field's type is none of a kernel's, rustc points at it.
    let parts = types.iter().map(|ty| {
        let span = ty.span().resolved_at(Span::call_site());
        let private = paths::private(span);
        quote_spanned!(span=> #private::Part<#ty>)
    });
    // With the bounds of all fields at each implementation, rustc reports once for each what a field's type lacks, and no
    // errors that follow from that.
    let clause = |needs: Needs| {
        let mut generics = unending.clone();
        for param in input.generics.type_params().map(|param| &param.ident) {
            let clause = generics.make_where_clause();
            clause.predicates.push(parse_quote!(#param: 'static));
        }
        // A value of the host's is copied; one of a kernel's needs no more than Rust asks for.
        if matches!(needs, Needs::Host) {
            let arguments = unending_arguments(&input.generics);
            let copied = quote!(for<'simt> #name #arguments: ::core::marker::Copy);
            generics.make_where_clause().predicates.push(parse_quote!(#copied));
        }
        for ty in &types {
            let span = ty.span().resolved_at(Span::call_site());
            let private = paths::private(span);
            // With a lifetime it is no error if a bound never holds: rustc reports the first one only, and a struct of which the
            // host has no slices is a struct all the same.
            let more = match needs {
                Needs::Kernel => None,
                Needs::Constant => Some(quote_spanned!(span=> for<'simt> #ty: #private::IntoValue<#ty>)),
                Needs::Host => Some(quote_spanned!(span=> for<'simt> #ty: #private::FieldData + ::core::marker::Send)),
            };
            let clause = generics.make_where_clause();
            let data = quote_spanned!(span=> #ty: #private::KernelData);
            clause.predicates.push(parse_quote!(#data));
            clause.predicates.extend(more.map(|more| -> syn::WherePredicate { parse_quote!(#more) }));
        }
        generics.where_clause.to_token_stream()
    };
    let (has, constant, host) = (clause(Needs::Kernel), clause(Needs::Constant), clause(Needs::Host));
    let (parameters, own_arguments, _) = unending.split_for_impl();
    let arguments = unending_arguments(&input.generics);
    let declaration = match fields {
        Fields::Named(_) => quote!(#has { #(#[doc(hidden)] #visibilities #names: #parts,)* }),
        Fields::Unnamed(_) => quote!((#(#[doc(hidden)] #visibilities #parts,)*) #has;),
        Fields::Unit => quote!(#has;),
    };
    let (name, offers) = (quote!(#name #arguments), quote!(#offers #own_arguments));
    let traits = |name: &str| -> Vec<TokenStream> {
        let name = Ident::new(name, Span::call_site());
        types
            .iter()
            .map(|ty| {
                let span = ty.span().resolved_at(Span::call_site());
                let private = paths::private(span);
                quote_spanned!(span=> <#ty as #private::#name>)
            })
            .collect()
    };
    let (composite, data, field) = (traits("Composite"), traits("KernelData"), traits("FieldData"));
    let shape = shape(&input.ident, fields, &composite);
    let before_a_point = before_a_point(&parameters.to_token_stream(), &name, &has, &constant);
    let cells = cells(&quote!(column), &data);
    let host_data = host_data(&parameters.to_token_stream(), &name, &host);
    // Its name is a pattern.
    let as_pattern = matches!(fields, Fields::Unit).then(|| {
        quote! {
            impl #parameters #private::PatternConstant for #name #has {
                fn constant(self, _: &#private::Builder, _: u32, _: #private::ScalarType) -> #private::Constant {
                    ::core::unreachable!("it has no scalars")
                }
            }
        }
    });
    // The fields that have a number, as a tuple's.
    let as_tuple = names.iter().zip(&types).enumerate().filter_map(|(number, (member, ty))| {
        let Member::Unnamed(_) = member else { return None };
        let before = &composite[..number];
        Some(quote! {
            impl #parameters #private::Field<#number> for #name #has {
                type Type = #ty;
                const FIRST: u32 = 0 #(+ #before::COUNT)*;
            }
        })
    });
    let of_host = is_hosts.then(|| {
        quote! {
            impl #parameters #private::IntoValue<#name> for #name #constant {
                fn into_value(self, k: &#private::Builder, span: #private::Span) -> #private::Value<#name> {
                    k.gather(span)#(.field::<#types>(self.#names))*.done()
                }
            }

            #before_a_point

            impl #parameters #private::FieldData for #name #host {
                #[allow(unused_variables, reason = "there may be no fields")]
                fn columns<'a, __Each, __Columns: #private::Columns<'a, __Each>>(
                    get: impl ::core::ops::Fn(&__Each) -> ::core::option::Option<&Self> + ::core::marker::Copy + ::core::marker::Send + ::core::marker::Sync + 'a,
                    get_mut: impl ::core::ops::Fn(&mut __Each) -> ::core::option::Option<&mut Self> + ::core::marker::Copy + ::core::marker::Send + ::core::marker::Sync + 'a,
                    columns: &mut __Columns,
                ) {
                    #(#field::columns(
                        move |each| ::core::option::Option::Some(&get(each)?.#names),
                        move |each| ::core::option::Option::Some(&mut get_mut(each)?.#names),
                        columns,
                    );)*
                }
            }

            #host_data
        }
    });
    let made = match is_hosts {
        true => quote!(Self { #(#names: #composite::made(next)),* }),
        // The fields are used, though kernels alone read them.
        false => quote! {
            let _ = |it: &Self| { #(let _ = &it.#names;)* };
            ::core::unreachable!("the host makes no value of references")
        },
    };
    quote! {
        const _: () = {
            /// The fields of the struct, as parts.
            #[doc(hidden)]
            #visibility struct #declared #parameters #declaration

            #[automatically_derived]
            impl #parameters ::core::clone::Clone for #offers #has {
                fn clone(&self) -> Self {
                    *self
                }
            }

            #[automatically_derived]
            impl #parameters ::core::marker::Copy for #offers #has {}

            impl #parameters #private::Composite for #name #has {
                const COUNT: u32 = 0 #(+ #composite::COUNT)*;

                fn shape() -> #private::Shape {
                    #private::Shape::Fields(#shape)
                }

                #[allow(unused_variables, reason = "there may be no fields")]
                fn made(next: &mut dyn ::core::ops::FnMut(#private::ScalarType) -> u64) -> Self {
                    #made
                }

                #[allow(unused_variables, reason = "there may be no fields")]
                fn leaves(path: &str, show: &mut dyn ::core::ops::FnMut(&str, #private::ScalarType)) {
                    #(#composite::leaves(&::std::format!(#paths, path), show);)*
                }
            }

            #of_host

            #(#as_tuple)*

            #as_pattern

            impl #parameters #private::KernelData for #name #has {
                type Fields = #offers;
                const COLUMNS: u32 = 0 #(+ #data::COLUMNS)*;

                #[allow(unused_mut, unused_variables, reason = "there may be no fields")]
                fn fields(mut first: #private::First) -> #offers {
                    #declared { #(#names: #private::Part::next(&mut first)),* }
                }

                #[allow(unused_variables, reason = "there may be no fields")]
                fn columns(path: &str, show: &mut dyn ::core::ops::FnMut(#private::Column<'_>)) {
                    #(#data::columns(&::std::format!(#paths, path), show);)*
                }

                #[allow(unused_variables, reason = "there may be no fields")]
                fn cells(column: u32, show: &mut dyn ::core::ops::FnMut(u32, u32)) {
                    #cells
                }
            }

        };
    }
}

/// Where the leaves are, of fields whose columns begin there. `types` are the fields', as those of memory.
pub(crate) fn cells(first: &TokenStream, types: &[TokenStream]) -> TokenStream {
    let each = types.iter().enumerate().map(|(number, ty)| {
        let before = &types[..number];
        quote!(#ty::cells(#first #(+ #before::COLUMNS)*, show);)
    });
    quote!(#(#each)*)
}

/// What lets a constant of the host's stand before a point and among arguments. `has` and `constant` are clauses.
pub(crate) fn before_a_point(
    parameters: &TokenStream,
    name: &TokenStream,
    has: &TokenStream,
    constant: &TokenStream,
) -> TokenStream {
    let private = paths::private(Span::call_site());
    quote! {
        impl #parameters #private::Hold for #name #has {
            type Held = Self;

            fn hold(self, _: &#private::Builder, _: u32) -> Self {
                self
            }
        }

        impl #parameters #private::Handle for #name #has {
            type Of = Self;
        }

        impl #parameters #private::Receiver<#private::ByValue> for #name #constant {
            fn pass(self, call: &mut #private::OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                call.value::<Self>(self);
            }
        }

        impl #parameters #private::Receiver<#private::ByMut> for #name #has {
            fn pass(self, _: &mut #private::OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                ::core::unreachable!("a constant is not written")
            }
        }
    }
}

/// What lets the host pass values and slices, by their columns.
pub(crate) fn host_data(parameters: &TokenStream, name: &TokenStream, clause: &TokenStream) -> TokenStream {
    let private = paths::private(Span::call_site());
    quote! {
        impl #parameters #private::HostData for #name #clause {
            fn pass(self, arguments: &mut ::std::vec::Vec<#private::Argument<'_>>) {
                #private::pass_struct(&self, arguments);
            }

            fn share<'a>(slice: &'a [Self], arguments: &mut ::std::vec::Vec<#private::Argument<'a>>) {
                #private::share_structs(slice, arguments);
            }

            fn borrow<'a>(slice: &'a mut [Self], arguments: &mut ::std::vec::Vec<#private::Argument<'a>>) {
                #private::borrow_structs(slice, arguments);
            }
        }
    }
}

/// What `{:?}` shows of a struct or a variant: its name, and its fields'. `types` are the fields', as those of a value.
pub(crate) fn shape(name: &Ident, fields: &Fields, types: &[TokenStream]) -> TokenStream {
    let private = paths::private(Span::call_site());
    let written = Ident::new(
        match fields {
            Fields::Named(_) => "Named",
            Fields::Unnamed(_) => "Numbered",
            Fields::Unit => "Alone",
        },
        Span::call_site(),
    );
    let name = syn::ext::IdentExt::unraw(name).to_string();
    let titles = fields.members().map(|member| title(&member));
    quote! {
        #private::Fields {
            name: #name,
            of: ::core::option::Option::Some(::core::any::TypeId::of::<Self>()),
            written: #private::Written::#written,
            parts: ::std::vec![#((#titles, #types::shape())),*],
        }
    }
}

/// A field's name, or its number.
pub(crate) fn title(member: &Member) -> String {
    match member {
        Member::Named(name) => syn::ext::IdentExt::unraw(name).to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
