//! References that have a name: `let r = &mut x;`, `let rest = &x[1..];`, `let (a, b) = x.split_at_mut(m);`
//!
//! A name stands for what it refers to, which is known when the program is built: another name's variable or memory, or an
//! element whose index has been evaluated. A reference that is chosen at run time would be a pointer.

use super::closure::Is;
use super::fields::{Element, whole_chain};
use super::{Emitter, bare, written_items};
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Expr, ExprField, ExprLit, ExprMethodCall, ExprReference, Lit, Local, Pat, PatIdent, PatTuple, Type, TypeReference,
};

impl Emitter<'_> {
    /// `let r = &x;` and the like, if it is one of them.
    pub(super) fn borrow(&mut self, local: &Local) -> Option<TokenStream> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        match (pattern, bare(&init.expr)) {
            (Pat::Ident(name @ PatIdent { by_ref: None, subpat: None, .. }), Expr::Reference(reference)) => {
                Some(self.named_reference(local, name, ty, reference))
            }
            (Pat::Ident(name @ PatIdent { by_ref: None, subpat: None, .. }), array)
                if let Some(Type::Reference(of)) = ty
                    && matches!(*of.elem, Type::Slice(_))
                    && let Some(reference) = self.array_parameter(array) =>
            {
                Some(self.named_reference(local, name, ty, &reference))
            }
            // A reference already.
            (
                Pat::Ident(PatIdent { ident, mutability: None, .. }),
                literal @ Expr::Lit(ExprLit { lit: Lit::ByteStr(_), .. }),
            ) if ty.is_none() => {
                let (table, attributes) = (self.table(literal)?, &local.attrs);
                self.forget_closures(&local.pat);
                Some(quote_spanned!(ident.span()=> #(#attributes)* let #ident = #table;))
            }
            (Pat::Tuple(names), Expr::MethodCall(call))
                if is_split(call) && self.is_memory_for_certain(&call.receiver) && names.elems.iter().all(keeps) =>
            {
                self.split_slice(local, names, ty, call)
            }
            _ => None,
        }
    }

    fn named_reference(
        &mut self,
        local: &Local,
        name: &PatIdent,
        ty: Option<&Type>,
        reference: &ExprReference,
    ) -> TokenStream {
        let PatIdent { ident, mutability, .. } = name;
        if mutability.is_some() {
            return self.changing_reference(local, ident, ty, reference);
        }
        let span = reference.and_token.span;
        let Some((value, is)) = self.referred_to(reference) else { return TokenStream::new() };
        let value = match ty {
            Some(ty) => self.of_reference_type(ty, span, &value),
            None => value,
        };
        match is {
            Refers::Element => {
                let (is_written, of) = (reference.mutability.is_some(), written_items::origin(&reference.expr));
                self.name_is(ident, Is::Item { is_seen: false, is_given: false, is_written, of });
            }
            Refers::Item => {
                self.name_item(ident);
                // It may be a value.
                self.see_items(self.closures.len() - 1);
            }
            Refers::Value => self.name_reference(ident, reference.mutability.is_some()),
            Refers::Memory => self.forget_closures(&local.pat),
        }
        let attributes = &local.attrs;
        quote_spanned!(ident.span()=> #(#attributes)* let #ident = #value;)
    }

    /// `let mut r = &x[1..];`: a variable, whose memory stays the same.
    fn changing_reference(
        &mut self,
        local: &Local,
        ident: &Ident,
        ty: Option<&Type>,
        reference: &ExprReference,
    ) -> TokenStream {
        let (value, place) = (self.carried(reference), self.spans.place(local));
        let title = super::title(ident);
        let ty = ty.map(crate::field_types::as_value);
        let call = self.declare(&place, "bind_mut", ident.span(), ty.as_ref(), &quote!(#title, #value));
        self.forget_closures(&local.pat);
        let attributes = &local.attrs;
        quote_spanned!(ident.span()=> #(#attributes)* let #ident = #call;)
    }

    /// What a reference refers to, as the value of a name.
    fn referred_to(&mut self, reference: &ExprReference) -> Option<(TokenStream, Refers)> {
        let (span, mutable) = (reference.and_token.span, reference.mutability.is_some());
        let whole = Expr::Reference(reference.clone());
        let k = self.builder.at(span);
        let referent = |lent: TokenStream| quote_spanned!(span=> #k.referent(#lent));
        let inner = self.dereferenced(&reference.expr);
        match bare(inner) {
            Expr::Index(index) if super::memory::range_of(index).is_some() => {
                Some((self.subslice(&whole, span, index, mutable)?, Refers::Memory))
            }
            Expr::Unary(unary) if let Some(name) = self.item(&unary.expr) => {
                let element = self.element_behind(name);
                Some((self.element_reference(&whole, span, element, mutable)?, Refers::Element))
            }
            literal @ (Expr::Array(_) | Expr::Repeat(_)) if !mutable => {
                Some((self.array_literal(literal), Refers::Memory))
            }
            Expr::Field(field) if let Some(part) = self.field_of_item(field, mutable) => Some((part, Refers::Item)),
            place @ (Expr::Index(_) | Expr::Field(_)) => {
                let mistakes = self.report.len();
                if let Some(element) = self.as_staying(mutable, |emitter| emitter.element(place)) {
                    return Some((self.element_reference(&whole, span, element, mutable)?, Refers::Element));
                }
                if self.report.len() > mistakes {
                    return None;
                }
                Some((referent(self.reference(reference)), Refers::Value))
            }
            _ => {
                let mistakes = self.report.len();
                let lent = self.reference(reference);
                (self.report.len() == mistakes).then(|| (referent(lent), Refers::Value))
            }
        }
    }

    /// `&mut x[i]` and `&mut s.field` as a value.
    pub(super) fn place_referred_to(&mut self, reference: &ExprReference) -> Option<TokenStream> {
        let inner = self.dereferenced(&reference.expr);
        if let Expr::Field(field) = bare(inner)
            && self.field_of_variable(inner).is_some()
        {
            let (span, place) = (reference.and_token.span, self.field_place(field)?);
            let lent = self.call(reference, "lend_mut", span, &place);
            return Some(self.call(reference, "carried", span, &lent));
        }
        Some(self.referred_to(reference)?.0)
    }

    fn element_reference(
        &mut self,
        whole: &Expr,
        span: Span,
        element: Element<'_>,
        mutable: bool,
    ) -> Option<TokenStream> {
        let method = if mutable { "refer_mut" } else { "refer" };
        Some(match element {
            Element::Of { slice, index } => {
                let index = self.value(index);
                self.call(whole, method, span, &quote!(#slice, #index))
            }
            Element::Behind { slice, index } => self.call(whole, method, span, &quote!(#slice, #index)),
            Element::InSlice { fields, index, inner } => {
                let operands = self.operands([index, inner]);
                let index = self.call(whole, "element_index", span, &quote!(#fields, #(#operands),*));
                let k = self.builder.at(span);
                self.call(whole, method, span, &quote_spanned!(span=> #k.elements(#fields), #index))
            }
            Element::Deep { memory, index, names } => {
                let slice = self.as_staying(mutable, |emitter| emitter.deep(memory, &names))?;
                let index = self.value(index);
                self.call(whole, method, span, &quote!(#slice, #index))
            }
            Element::Subscript(subscript) => {
                let (slice, index) = (self.memory_of(&subscript)?, self.value(subscript.index()));
                self.call(whole, method, span, &quote!(#slice, #index))
            }
            // An element of a slice that is a field.
            Element::InVariable { memory, index, .. } => {
                let slice = self.as_staying(mutable, |emitter| emitter.memory(memory))?;
                let index = self.value(index);
                self.call(whole, method, span, &quote!(#slice, #index))
            }
        })
    }

    /// A reference, of a type that the user wrote.
    fn of_reference_type(&mut self, ty: &Type, span: Span, value: &TokenStream) -> TokenStream {
        let Type::Reference(TypeReference { elem, mutability, .. }) = ty else {
            self.report.error(ty, "a reference has the type `&T` or `&mut T`: write it, or remove the type");
            return value.clone();
        };
        let private = paths::private(span);
        match (&**elem, mutability) {
            (Type::Slice(slice), _) => {
                // An array becomes a slice.
                let (element, name, k) = (&slice.elem, paths::part(span), self.builder.at(span));
                let (handle, method) = match mutability {
                    Some(_) => (quote!(SliceMut), "subslice_mut"),
                    None => (quote!(Slice), "subslice"),
                };
                let whole = self.call(ty, method, span, &quote_spanned!(span=> #value, #k.ends()));
                quote_spanned!(span=> { let #name: <#element as #private::MemoryElement>::#handle = #whole; #name })
            }
            (Type::Infer(_), _) => value.clone(),
            (elem, _) => {
                let k = self.builder.at(span);
                quote_spanned!(span=> #k.refers_to::<#elem, _>(#value))
            }
        }
    }

    /// `let (a, b) = x.split_at(m);`
    fn split_slice(
        &mut self,
        local: &Local,
        names: &PatTuple,
        ty: Option<&Type>,
        call: &ExprMethodCall,
    ) -> Option<TokenStream> {
        if let Some(ty) = ty {
            self.report.error(ty, "the parts of a slice have its type: remove this one");
            return Some(TokenStream::new());
        }
        let method = call.method.to_string();
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, &method, &call.args, &["middle"]) {
            return Some(TokenStream::new());
        }
        let memory = self.as_staying(method == "split_at_mut", |emitter| emitter.memory(&call.receiver))?;
        let middle = self.value(&call.args[0]);
        let value = self.call(call, &method, call.method.span(), &quote!(#memory, #middle));
        self.forget_closures(&local.pat);
        let (attributes, span) = (&local.attrs, local.let_token.span);
        Some(quote_spanned!(span=> #(#attributes)* let #names = #value;))
    }

    /// `item.name`, behind a `&`.
    fn field_of_item(&self, field: &ExprField, mutable: bool) -> Option<TokenStream> {
        let (base, names) = whole_chain(field);
        self.item_field(base, &names).filter(|_| !mutable)
    }
}

/// Whether a pattern is a name that stays what it is.
fn keeps(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Wild(_) | Pat::Ident(PatIdent { mutability: None, subpat: None, by_ref: None, .. }))
}

/// What a name refers to.
enum Refers {
    Element,
    /// A field of an item.
    Item,
    Value,
    Memory,
}

/// `x.split_at(m)`, `x.split_at_mut(m)`
fn is_split(call: &ExprMethodCall) -> bool {
    call.method == "split_at" || call.method == "split_at_mut"
}
