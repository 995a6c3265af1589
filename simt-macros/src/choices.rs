//! `#[derive(KernelData)]` on an enum: a tag, and the fields of each variant side by side.
//!
//! ```text
//! enum Shape { Circle(f32), Empty }
//! struct ShapeFields { __Circle_0: Part<f32> }       the fields, by the names of their variants
//! Shape::__TAG_Circle, Shape::__TAG_Empty            the variants, as kernels name them
//! ```

use crate::data;
use crate::paths;
use crate::report::Report;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DataEnum, DeriveInput, Member, Type, Variant, WherePredicate, parse_quote};

/// A field of a variant: the name by which it is one of the enum's.
struct Field<'a> {
    name: Ident,
    path: String,
    member: Member,
    ty: &'a Type,
}

/// The constant of an enum that stands for a variant.
pub(crate) fn tag(variant: &Ident) -> Ident {
    Ident::new(&format!("__TAG_{}", variant.unraw()), variant.span())
}

/// The name of a field among the enum's.
pub(crate) fn field(variant: &Ident, member: &Member, span: Span) -> Ident {
    Ident::new(&format!("__{}_{}", variant.unraw(), data::title(member)), span)
}

/// The implementations, or the mistakes.
pub(crate) fn implementations(input: &DeriveInput, data: &DataEnum, report: &mut Report) -> TokenStream {
    if let Some(param) = input.generics.lifetimes().next() {
        report.error(param, "a kernel's enum has no references: write the values");
        return TokenStream::new();
    }
    if data.variants.is_empty() {
        report.error(&input.ident, "a kernel's enum needs a variant");
    }
    for field in data.variants.iter().flat_map(|variant| &variant.fields) {
        crate::field_types::check_field(&field.ty, report);
    }
    let Some((repr, unsigned, ty)) = representation(input, report) else { return TokenStream::new() };
    // Two of an `isize` may be one of an `i32`.
    let fits = format!("a discriminant of `{}` does not fit in an `i32`: write `#[repr(i64)]`", input.ident);
    if !report.is_empty() {
        return TokenStream::new();
    }
    let has_fields = data.variants.iter().any(|variant| !variant.fields.is_empty());
    let variants: Vec<(&Variant, Vec<Field<'_>>)> =
        data.variants.iter().map(|variant| (variant, fields(variant))).collect();
    let all: Vec<&Field<'_>> = variants.iter().flat_map(|(_, fields)| fields).collect();

    let private = paths::private(Span::call_site());
    let (name, visibility) = (&input.ident, &input.vis);
    let offers = format_ident!("{}Fields", name, span = Span::call_site());
    let (names, types): (Vec<&Ident>, Vec<&Type>) = all.iter().map(|field| (&field.name, field.ty)).unzip();
    let clause = |needs: Option<TokenStream>| clause(input, &types, needs.as_ref());
    let (has, constant) = (clause(None), clause(Some(quote!(#private::IntoValue))));
    let (parameters, arguments, _) = input.generics.split_for_impl();
    let whole = quote!(#name #arguments);
    let field_paths = all.iter().map(|field| &field.path);
    let column_paths = all.iter().map(|field| &field.path);
    let idents: Vec<&Ident> = variants.iter().map(|(variant, _)| &variant.ident).collect();
    let tags: Vec<Ident> = idents.iter().map(|ident| tag(ident)).collect();
    // Of an enum with fields the discriminants cannot be had, but by the order of the variants.
    let bits = idents.iter().zip(0_u64..).map(|(ident, number)| {
        if has_fields { quote!(#number) } else { quote!(Self::#ident as #repr as #unsigned as u64) }
    });
    // Not at the user's tokens, of which a path would be said to be longer than it must be, where the variants are in scope.
    let own_name = Ident::new(&name.to_string(), Span::call_site());
    let fit = |of: &Ident| -> Vec<TokenStream> {
        let each = idents.iter().filter(|_| !has_fields);
        each.map(|ident| quote!(::core::assert!(#of::#ident as i64 == #of::#ident as #repr as i64, #fits);)).collect()
    };
    // Outside of an `impl` no parameter is known.
    let (all_fit, own_fit) = match input.generics.params.is_empty() {
        true => (fit(&own_name), Vec::new()),
        false => (Vec::new(), fit(&Ident::new("Self", Span::call_site()))),
    };
    let made = variants.iter().map(|(variant, fields)| {
        let (ident, tag) = (&variant.ident, tag(&variant.ident));
        let members = fields.iter().map(|field| &field.member);
        let locals: Vec<Ident> = (0..fields.len()).map(|number| format_ident!("field_{number}")).collect();
        let names = fields.iter().map(|field| &field.name);
        quote! {
            Self::#ident { #(#members: #locals),* } => {
                k.variant_of::<Self>() #(.given(span, |part| part.#names, #locals))* .variant(Self::#tag)
            }
        }
    });
    let constants = variants.iter().map(|(variant, fields)| {
        let (ident, tag) = (&variant.ident, tag(&variant.ident));
        let refused = (!fields.is_empty()).then(|| quote!(k.refuse_constant(at);));
        quote!(Self::#ident { .. } => { #refused Self::#tag.bits() })
    });
    let before_a_point = data::before_a_point(&parameters.to_token_stream(), &whole, &has, &constant);
    let in_host = host_clause(input, &types);
    let host_data = data::host_data(&parameters.to_token_stream(), &whole, &in_host);
    let data: Vec<TokenStream> = types.iter().map(|ty| quote!(<#ty as #private::KernelData>)).collect();
    let cells = data::cells(&quote!(column + 1), &data);
    let number = variants.len();
    // The fields of another variant are not there; where the variant changes, they begin as zeros.
    let (tag_of, of_tag) = if has_fields {
        let tag_of = quote!(match value { #(Self::#idents { .. } => Self::#tags.bits() as #repr),* });
        let made = quote! {{
            let mut first = ::core::option::Option::Some(tag as #unsigned as u64);
            <Self as #private::Composite>::made(&mut |_| first.take().unwrap_or_default())
        }};
        (tag_of, made)
    } else {
        let made = quote! {
            #(if tag as #unsigned as u64 == Self::#tags.bits() {
                return Self::#idents;
            })*
            ::core::unreachable!("a kernel writes variants only")
        };
        (quote!(*value as #repr), made)
    };
    let host = variants.iter().flat_map(|(variant, fields)| {
        let ident = &variant.ident;
        fields.iter().map(move |Field { member, ty, .. }| {
            let private = paths::private(Span::call_site());
            quote! {
                <#ty as #private::FieldData>::columns(
                    move |each| match get(each) {
                        ::core::option::Option::Some(Self::#ident { #member: field, .. }) => ::core::option::Option::Some(field),
                        _ => ::core::option::Option::None,
                    },
                    move |each| match get_mut(each) {
                        ::core::option::Option::Some(Self::#ident { #member: field, .. }) => ::core::option::Option::Some(field),
                        _ => ::core::option::Option::None,
                    },
                    columns,
                );
            }
        })
    });
    let in_memory = quote! {
        impl #parameters #private::FieldData for #whole #in_host {
            fn columns<'a, __Each, __Columns: #private::Columns<'a, __Each>>(
                get: impl ::core::ops::Fn(&__Each) -> ::core::option::Option<&Self> + ::core::marker::Copy + ::core::marker::Send + ::core::marker::Sync + 'a,
                get_mut: impl ::core::ops::Fn(&mut __Each) -> ::core::option::Option<&mut Self> + ::core::marker::Copy + ::core::marker::Send + ::core::marker::Sync + 'a,
                columns: &mut __Columns,
            ) {
                let tag_of = |value: &Self| -> #repr { #tag_of };
                // Kernels write no other tags than those of variants.
                let of_tag = |tag: #repr| -> Self { #of_tag };
                columns.add::<#repr>(
                    1,
                    move |each, _| get(each).map_or(0, |value| tag_of(value)),
                    move |each, _, tag| match get_mut(each) {
                        ::core::option::Option::Some(value) if tag_of(value) != tag => *value = of_tag(tag),
                        _ => {}
                    },
                );
                #(#host)*
            }
        }

        #host_data
    };
    let params = input.generics.params.iter();
    let plain = (!has_fields).then(|| {
        quote! {
            impl<#(#params,)* __To: #private::Int> #private::Castable<__To> for #whole {
                const FROM: #private::ScalarType = #private::ScalarType::#ty;
            }

        }
    });
    let shapes = variants.iter().zip(&tags).zip(0_u64..).map(|(((variant, fields), tag), sample)| {
        let types: Vec<TokenStream> = fields
            .iter()
            .map(|field| {
                let ty = field.ty;
                quote!(<#ty as #private::Composite>)
            })
            .collect();
        let fields = data::shape(&variant.ident, &variant.fields, &types);
        quote!(#private::Choice { tag: Self::#tag.bits(), sample: #sample, fields: #fields })
    });
    let (locals, local_types): (Vec<Ident>, Vec<&Type>) =
        all.iter().map(|field| field.ty).enumerate().map(|(number, ty)| (format_ident!("field_{number}"), ty)).unzip();
    let mut unused = locals.iter();
    let samples = variants.iter().zip(0_u64..).map(|((variant, fields), sample)| {
        let (ident, members) = (&variant.ident, fields.iter().map(|field| &field.member));
        let values = unused.by_ref().take(fields.len());
        let pattern = if sample + 1 == number as u64 { quote!(_) } else { quote!(#sample) };
        quote!(#pattern => Self::#ident { #(#members: #values),* })
    });
    let samples: Vec<TokenStream> = samples.collect();
    let fieldwise = quote! {
        fn shape() -> #private::Shape {
            #(const { #own_fit })*
            #private::Shape::Choices(::std::vec![#(#shapes),*])
        }

        fn made(next: &mut dyn ::core::ops::FnMut(#private::ScalarType) -> u64) -> Self {
            let tag = next(#private::ScalarType::#ty);
            #(let #locals = <#local_types as #private::Composite>::made(next);)*
            match tag { #(#samples),* }
        }
    };
    quote! {
        const _: () = {
            /// The fields of the enum, as parts.
            #[doc(hidden)]
            #[allow(non_snake_case, reason = "the names are those of variants and fields")]
            #visibility struct #offers #parameters #has {
                #(#[doc(hidden)] pub #names: #private::Part<#types>,)*
            }

            #[automatically_derived]
            impl #parameters ::core::clone::Clone for #offers #arguments #has {
                fn clone(&self) -> Self {
                    *self
                }
            }
            #[automatically_derived]
            impl #parameters ::core::marker::Copy for #offers #arguments #has {}

            #[allow(non_upper_case_globals, dead_code, reason = "the names are those of variants; kernels use them")]
            impl #parameters #whole #has {
                #(#[doc(hidden)] #visibility const #tags: #private::Variant<Self> = #private::Variant::new(#bits);)*
            }

            impl #parameters #private::Composite for #whole #has {
                const COUNT: u32 = 1 #(+ <#types as #private::Composite>::COUNT)*;
                #fieldwise

                fn leaves(path: &str, show: &mut dyn ::core::ops::FnMut(&str, #private::ScalarType)) {
                    show(path, #private::ScalarType::#ty);
                    #(<#types as #private::Composite>::leaves(&::std::format!(#field_paths, path), show);)*
                }
            }

            impl #parameters #private::IntoValue<#whole> for #whole #constant {
                fn into_value(self, k: &#private::Builder, span: #private::Span) -> #private::Value<#whole> {
                    match self { #(#made)* }
                }
            }

            impl #parameters #private::PatternConstant for #whole #has {
                fn constant(self, k: &#private::Builder, at: u32, ty: #private::ScalarType) -> #private::Constant {
                    let bits = match self { #(#constants)* };
                    #private::Constant { ty, bits }
                }
            }

            #before_a_point

            impl #parameters #private::KernelData for #whole #has {
                type Fields = #offers #arguments;
                const COLUMNS: u32 = 1 #(+ <#types as #private::KernelData>::COLUMNS)*;

                #[allow(unused_mut, unused_variables, reason = "there may be no fields")]
                fn fields(first: #private::First) -> #offers #arguments {
                    let mut first = first.behind_tag();
                    #offers { #(#names: #private::Part::next(&mut first)),* }
                }

                fn columns(path: &str, show: &mut dyn ::core::ops::FnMut(#private::Column<'_>)) {
                    show(#private::Column { path, ty: #private::ScalarType::#ty, length: ::core::option::Option::None });
                    #(<#types as #private::KernelData>::columns(&::std::format!(#column_paths, path), show);)*
                }

                fn cells(column: u32, show: &mut dyn ::core::ops::FnMut(u32, u32)) {
                    show(column, 0);
                    #cells
                }
            }

            #(const _: () = { #all_fit };)*

            #in_memory

            #plain
        };
    }
}

/// The host has values of an enum in memory if it has those of the fields.
fn host_clause(input: &DeriveInput, types: &[&Type]) -> TokenStream {
    let bounds = types.iter().map(|ty| {
        let span = ty.span().resolved_at(Span::call_site());
        let private = paths::private(span);
        quote_spanned!(span=> for<'simt> #ty: #private::FieldData + ::core::marker::Send)
    });
    let has = clause(input, types, None);
    if has.is_empty() { quote!(where #(#bounds),*) } else { quote!(#has, #(#bounds),*) }
}

/// What is asked of the parameters of a generic enum, as `derive(Copy)` asks, and of the fields.
fn clause(input: &DeriveInput, types: &[&Type], needs: Option<&TokenStream>) -> TokenStream {
    if input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let private = paths::private(Span::call_site());
    let mut generics = input.generics.clone();
    let names: Vec<Ident> = input.generics.type_params().map(|param| param.ident.clone()).collect();
    let clause = generics.make_where_clause();
    clause
        .predicates
        .extend(names.iter().map(|name| -> WherePredicate { parse_quote!(#name: ::core::marker::Copy + 'static) }));
    for ty in types {
        clause.predicates.push(parse_quote!(#ty: #private::KernelData));
        clause.predicates.extend(needs.map(|needs| -> WherePredicate { parse_quote!(#ty: #needs<#ty>) }));
    }
    clause.to_token_stream()
}

fn fields(variant: &Variant) -> Vec<Field<'_>> {
    let (ident, fields) = (&variant.ident, &variant.fields);
    let named = fields.members().zip(fields.iter().map(|field| &field.ty));
    named
        .map(|(member, ty)| {
            let path = format!("{{}}.{}.{}", ident.unraw(), data::title(&member));
            Field { name: field(ident, &member, Span::call_site()), path, member, ty }
        })
        .collect()
}

/// The type of the tag, the unsigned one of its width, and its name as data: that of `#[repr(u8)]`, or an `i32`.
fn representation(input: &DeriveInput, report: &mut Report) -> Option<(Ident, Ident, Ident)> {
    const TYPES: [(&str, &str, &str); 8] = [
        ("u8", "u8", "U8"),
        ("u16", "u16", "U16"),
        ("u32", "u32", "U32"),
        ("u64", "u64", "U64"),
        ("i8", "u8", "I8"),
        ("i16", "u16", "I16"),
        ("i32", "u32", "I32"),
        ("i64", "u64", "I64"),
    ];
    let mut found = ("i32", "u32", "I32");
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if let Some(&ty) = TYPES.iter().find(|(ty, ..)| *ty == name) {
                found = ty;
            } else if name.ends_with("size") || name.ends_with("128") {
                return Err(meta.error("a kernel's enum has a tag of at most 64 bits: write `#[repr(u64)]` or less"));
            }
            Ok(())
        });
        if let Err(error) = parsed {
            report.add(error);
            return None;
        }
    }
    let (ty, unsigned, name) = found;
    let ident = |name: &str| Ident::new(name, Span::call_site());
    Some((ident(ty), ident(unsigned), ident(name)))
}
