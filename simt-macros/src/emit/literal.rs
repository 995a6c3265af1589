//! Values that are put together: of structs, and of enums' variants.
//!
//! rustc checks the fields' names and their number in a closure that is never called, which has the user's literal.

use super::fields::closure;
use super::{Emitter, bare};
use crate::choices;
use crate::defined;
use crate::extent::Extent;
use crate::unsupported;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprPath, ExprStruct, FieldValue, Ident, Index, Member, Path};

impl Emitter<'_> {
    /// `Body { x: 1.0, ..other }`
    pub(super) fn struct_value(&mut self, literal: &ExprStruct) -> TokenStream {
        if let Some((ty, variant)) = of_type(&literal.path) {
            return self.struct_variant_value(literal, &ty, &variant);
        }
        for FieldValue { member, .. } in &literal.fields {
            if let Some(message) = defined::missing_field(&literal.path, member) {
                self.report.error(member, message);
                return quote!(());
            }
        }
        let span = literal.path.span();
        let k = self.builder.at(span);
        let (path, names) = (&literal.path, literal.fields.iter().map(|field| &field.member));
        let rest = literal.rest.as_ref().map(|_| quote!(..#k.witness()));
        let checked = quote_spanned!(span=> || #path { #(#names: #k.witness(),)* #rest });
        let begin = self.call(literal, "record", span, &checked);

        let values = literal.fields.iter().map(|field| &field.expr).chain(literal.rest.as_deref());
        let mut operands = self.placed_operands(values).into_iter();
        let mut fields = TokenStream::new();
        for FieldValue { member, expr, .. } in &literal.fields {
            let (at, value) = (self.spans.place(expr).at, operands.next());
            let path = closure(&[member]);
            fields.extend(quote_spanned!(member.span()=> .with(#at, #path, #value)));
        }
        if let Some(rest) = &literal.rest {
            let (at, value) = (self.spans.place(rest).at, operands.next());
            fields.extend(quote_spanned!(Extent::of(rest).first=> .others(#at, #value)));
        }
        quote_spanned!(span=> #begin #fields .done())
    }

    /// `Meters(1.0)`
    pub(super) fn tuple_struct_value(&mut self, call: &ExprCall) -> TokenStream {
        let (span, path) = (call.func.span(), &call.func);
        if let Expr::Path(function) = bare(path)
            && let Some(message) = unsupported::function(&function.path)
        {
            self.report.error(path, message);
            return quote!(());
        }
        let k = self.builder.at(span);
        let witnesses = call.args.iter().map(|_| quote!(#k.witness()));
        let checked = quote_spanned!(span=> || #path(#(#witnesses),*));
        let begin = self.call(call, "record", span, &checked);
        let operands = self.placed_operands(&call.args);
        let mut fields = TokenStream::new();
        for ((expr, value), index) in call.args.iter().zip(operands).zip(0..) {
            let place = self.spans.place(expr);
            let (at, span) = (&place.at, place.extent.first);
            let path = closure(&[&Member::Unnamed(Index { index, span })]);
            fields.extend(quote_spanned!(span=> .with(#at, #path, #value)));
        }
        quote_spanned!(span=> #begin #fields .done())
    }

    /// `Shape::Circle(1.0)`
    pub(super) fn variant_value(&mut self, call: &ExprCall, ty: &Path, variant: &Ident) -> TokenStream {
        if let Some(message) = defined::missing_variant(ty, variant) {
            self.report.error(variant, message);
            return quote!(());
        }
        let (span, path) = (variant.span(), &call.func);
        let k = self.builder.at(span);
        let witnesses = call.args.iter().map(|_| quote!(#k.witness()));
        let checked = quote_spanned!(span=> || #path(#(#witnesses),*));
        let begin = self.call(call, "record", span, &checked);
        let operands = self.placed_operands(&call.args);
        let members = (0..).map(|index| Member::Unnamed(Index { index, span }));
        let fields = call.args.iter().zip(operands).zip(members);
        let fields: TokenStream = fields
            .map(|((expr, value), member)| {
                let place = self.spans.place(expr);
                let (at, name) = (&place.at, choices::field(variant, &member, span));
                let path = closure(&[&Member::Named(name)]);
                quote_spanned!(place.extent.first=> .with(#at, #path, #value))
            })
            .collect();
        let tag = choices::tag(variant);
        quote_spanned!(span=> #begin #fields .variant(#ty::#tag))
    }

    /// `Shape::Rect { w: 1.0, h: 2.0 }`
    fn struct_variant_value(&mut self, literal: &ExprStruct, ty: &Path, variant: &Ident) -> TokenStream {
        if let Some(rest) = &literal.rest {
            self.report.error(rest, "a variant has all of its fields here: write them");
            return quote!(());
        }
        if let Some(message) = defined::missing_variant(ty, variant) {
            self.report.error(variant, message);
            return quote!(());
        }
        let span = variant.span();
        let k = self.builder.at(span);
        let (path, members) = (&literal.path, literal.fields.iter().map(|field| &field.member));
        let checked = quote_spanned!(span=> || #path { #(#members: #k.witness()),* });
        let begin = self.call(literal, "record", span, &checked);
        let operands = self.placed_operands(literal.fields.iter().map(|field| &field.expr));
        let fields: TokenStream = literal
            .fields
            .iter()
            .zip(operands)
            .map(|(FieldValue { member, expr, .. }, value)| {
                let (at, name) = (self.spans.place(expr).at, choices::field(variant, member, member.span()));
                let path = closure(&[&Member::Named(name)]);
                quote_spanned!(member.span()=> .with(#at, #path, #value))
            })
            .collect();
        let tag = choices::tag(variant);
        quote_spanned!(span=> #begin #fields .variant(#ty::#tag))
    }
}

/// Whether a call makes a tuple struct: by custom, types begin with a capital, and functions do not.
pub(super) fn is_constructor(call: &ExprCall) -> bool {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return false };
    let of_std = |name: &Ident| ["Some", "Ok", "Err"].iter().any(|std| name == std);
    path.segments.last().is_some_and(|last| is_type(&last.ident) && !of_std(&last.ident)) && of_type(path).is_none()
}

/// The type and the variant of a call such as `Shape::Circle(r)`.
pub(super) fn variant_of(call: &ExprCall) -> Option<(Path, Ident)> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return None };
    of_type(path)
}

/// The type and the name of a path such as `Shape::Circle`: a capital stands first in both.
pub(super) fn of_type(path: &Path) -> Option<(Path, Ident)> {
    let variant = path.segments.last().map(|last| last.ident.clone()).filter(is_type)?;
    let mut ty = path.clone();
    ty.segments.pop();
    ty.segments.pop_punct();
    let is_std = |name: &Ident| name == "Option" || name == "Result";
    ty.segments.last().is_some_and(|last| is_type(&last.ident) && !is_std(&last.ident)).then_some((ty, variant))
}

fn is_type(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}
