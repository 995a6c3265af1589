//! Calls of device functions.

use super::adapters::is_value;
use super::closure::Is;
use super::fields::Element;
use super::naming::{Begun, Naming};
use super::subscript::is_own_element;
use super::{Emitter, bare, mentions};
use crate::methods;
use crate::unsupported;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprIndex, ExprPath, ExprReference, ExprUnary, PathArguments, Token, UnOp};

pub(super) const NO_PLACE: &str = "a `&mut` is to a variable, a field of one, an element, a slice or an array: write `let mut e = ..; f(&mut e);` \
                        for another value";

/// What an argument refers to.
pub(super) struct Referred<'a> {
    pub(super) mutable: bool,
    /// The variable or memory that it is in.
    pub(super) base: &'a Ident,
    /// The place, as text.
    text: String,
    /// The part of it in front of the last index.
    whole: String,
    is_element: bool,
    /// Whether it is a name only, of memory or of a value that is copied.
    bare_name: bool,
}

impl Referred<'_> {
    /// Whether two of one call refer to a common place, as far as rustc could tell: all elements of memory are one place.
    fn overlaps(&self, later: &Self) -> bool {
        if self.bare_name || later.bare_name {
            // A value is copied; memory is lent as a whole.
            return self.base == later.base && (self.is_element || later.is_element);
        }
        let (first, second) = (&self.whole, &later.whole);
        let within = |part: &str, whole: &str| {
            part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        within(first, second) || within(second, first)
    }
}

/// Whether a name is a type's: by custom, types begin with a capital.
fn is_type(name: &Ident) -> bool {
    let name = name.to_string();
    name.starts_with(char::is_uppercase) || name == crate::traits::IMPLEMENTOR || super::is_scalar(&name)
}

/// Whether a path names a unit struct or a variant, by custom: `Full`. A constant's name is `FULL`, in capitals only.
pub(super) fn is_unit(path: &syn::Path) -> bool {
    let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// An expression without spaces.
pub(super) fn text(expr: &Expr) -> String {
    expr.to_token_stream().to_string().replace(' ', "")
}

/// The begin of a call, with the function of this name of all numbers: a type's own is found before.
fn with_numbers(name: &Ident, begin: &TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let private = crate::paths::private(span);
    let (function, of) = (methods::device_name(name), Ident::new(&name.to_string(), span));
    let result = quote!(#private::number_functions::NumberFunction<'k, #private::number_functions::#of, Self>);
    quote! {{
        #[allow(dead_code, reason = "the type may have a function of this name")]
        trait Numbers: ::core::marker::Sized {
            fn #function<'k>(call: #private::OnlyKernelsCallThis<'k>) -> #result;
        }
        impl<T: #private::Num> Numbers for T {
            fn #function<'k>(call: #private::OnlyKernelsCallThis<'k>) -> #result {
                #private::number_functions::NumberFunction::new(call)
            }
        }
        #begin
    }}
}

impl Emitter<'_> {
    /// `m::f::<T>(a, &x)`: rustc finds out what `m::f` is, and checks the arguments.
    pub(super) fn device_call(&mut self, call: &ExprCall) -> TokenStream {
        let (is_dropped, is_named) = (std::mem::take(&mut self.dropped), self.is_to_be_named(call));
        if let Expr::Index(ExprIndex { expr: table, index, .. }) = bare(&call.func)
            && matches!(bare(table), Expr::Path(ExprPath { qself: None, .. }))
        {
            // A table of functions is a function of the index and the arguments.
            let args = std::iter::once((**index).clone()).chain(call.args.iter().cloned()).collect();
            return self.device_call(&ExprCall { func: table.clone(), args, ..call.clone() });
        }
        let Expr::Path(ExprPath { qself, path, .. }) = bare(&call.func) else {
            self.report.error(&call.func, unsupported::CALLED);
            return quote!(());
        };
        if let Some(message) = unsupported::function(path) {
            self.report.error(path, message);
            return quote!(());
        }
        let mut path = path.clone();
        // A function of a type.
        if let [.., ty, function] = &mut *path.segments.iter_mut().collect::<Vec<_>>()
            && is_type(&ty.ident)
        {
            function.ident = methods::device_name(&function.ident);
        } else if let (Some(_), Some(function)) = (qself, path.segments.last_mut()) {
            function.ident = methods::device_name(&function.ident);
        }
        let span = path.segments.last().map_or_else(|| path.span(), |last| last.ident.span());
        // The type arguments are those of the method that takes the arguments.
        let generics = path.segments.last_mut().map(|last| std::mem::take(&mut last.arguments));
        let generics = match generics {
            Some(PathArguments::AngleBracketed(mut generics)) => {
                generics.colon2_token = Some(syn::Token![::](span));
                generics.into_token_stream()
            }
            _ => TokenStream::new(),
        };
        let place = self.spans.place(call);
        let function = ExprPath { attrs: Vec::new(), qself: qself.clone(), path: path.clone() };
        let mut begin = self.call_at(&place, "function", span, &function.to_token_stream());
        // One of the type itself, or a conversion.
        let conversion = match path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("from_with_device_above_its_impl") => Some("DeviceFrom"),
            Some("try_from_with_device_above_its_impl") => Some("DeviceTryFrom"),
            _ => None,
        };
        if let Some(name) = conversion {
            let (private, name) = (crate::paths::private(span), Ident::new(name, span));
            begin = quote_spanned!(span=> {
                #[allow(unused_imports, reason = "it may be a function of the type's own")]
                use #private::#name as _;
                #begin
            });
        }
        let of_number = super::numeric::perhaps_of_number(call);
        if let Some(name) = of_number {
            begin = with_numbers(name, &begin);
        }
        let arguments = self.device_arguments(&call.args);
        let method = Ident::new("__call", span);
        let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#arguments),*));
        group.set_span(call.paren_token.span.close());
        let (begun, rest) = (quote_spanned!(span=> #begin.begin()), quote_spanned!(span=> #method #generics #group));
        if is_named && conversion.is_none() && of_number.is_none() {
            self.naming = Naming::Begun(Begun { begun: begun.clone(), rest: rest.clone() });
        }
        if is_dropped {
            super::unused::asked(super::Extent::of(call).first, &begun, &rest)
        } else {
            quote_spanned!(span=> #begun.#rest)
        }
    }

    /// A `&mut` is the only reference to what it refers to: rustc, which would say so, has handles and no references.
    fn refuse_aliases(&mut self, args: &Punctuated<Expr, Token![,]>) {
        let places: Vec<Option<Referred<'_>>> = args.iter().map(|argument| self.referred(argument)).collect();
        for (number, (argument, place)) in args.iter().zip(&places).enumerate() {
            let before = places[..number].iter().flatten();
            let known = match place {
                Some(place) => before.clone().find(|known| (place.mutable || known.mutable) && known.overlaps(place)),
                // The memory of an element that is lent, as a whole or another element.
                None => before.clone().find(|known| {
                    known.mutable && known.is_element && mentions(argument.to_token_stream(), &known.base.to_string())
                }),
            };
            let known = known.or_else(|| {
                let others = places.iter().flatten().filter(|place| place.mutable);
                others.into_iter().find(|place| super::passed::closure_mentions(argument, place.base))
            });
            if let Some(known) = known {
                let first = &known.text;
                let message =
                    format!("`{first}` is passed by reference already, and a `&mut` is the only one there is");
                self.report.error(argument, message);
            }
        }
    }

    /// What an argument refers to, if it is a reference or may be one.
    pub(super) fn referred<'a>(&self, argument: &'a Expr) -> Option<Referred<'a>> {
        let (mutable, expr) = match bare(argument) {
            Expr::Reference(reference) => (reference.mutability.is_some(), self.dereferenced(&reference.expr)),
            name @ Expr::Path(_) => (self.lent_by_name(name).unwrap_or(false), name),
            _ => return None,
        };
        let expr = match expr {
            Expr::Unary(unary) if self.parameter_item(&unary.expr).is_some() => bare(&unary.expr),
            expr => expr,
        };
        let (mut base, mut is_element, mut whole) = (expr, false, expr);
        loop {
            base = match bare(base) {
                Expr::Field(field) => &field.base,
                Expr::Index(index) => {
                    (is_element, whole) = (true, &index.expr);
                    &index.expr
                }
                base => {
                    let Expr::Path(path) = base else { return None };
                    let base = path.path.get_ident()?;
                    let bare_name = matches!(bare(argument), Expr::Path(_)) && self.lent_by_name(expr).is_none();
                    let (text, whole) = (text(expr), text(whole));
                    return Some(Referred { mutable, base, text, whole, is_element, bare_name });
                }
            }
        }
    }

    /// Whether an expression is a name by which what it refers to is lent, and whether that is `&mut`.
    fn lent_by_name(&self, expr: &Expr) -> Option<bool> {
        self.reference_named(expr).or_else(|| self.parameter_item(expr))
    }

    /// Whether an expression is the name of a parameter that is a reference to a value, and whether it is `&mut`.
    pub(super) fn reference_named(&self, expr: &Expr) -> Option<bool> {
        let Expr::Path(path) = expr else { return None };
        match self.meaning(path.path.get_ident()?) {
            Some(Is::Reference { mutable }) => Some(*mutable),
            Some(_) => None,
            None => self.kernel.reference(expr),
        }
    }

    /// Whether an expression is the name of a parameter that is a reference to an atomic, or `*` of it.
    pub(super) fn atomic_named(&self, expr: &Expr) -> bool {
        self.kernel.is_atomic(expr) && !self.is_bound_anew(expr)
    }

    /// What a reference refers to; `&*p` of a reference `p` refers to what `p` does.
    pub(super) fn dereferenced<'a>(&self, expr: &'a Expr) -> &'a Expr {
        match bare(expr) {
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) if self.reference_named(bare(expr)).is_some() => {
                bare(expr)
            }
            other => other,
        }
    }

    /// `&x`, `&mut x`, `&x.field`, `&mut x.field`, `&(a + b)`
    pub(super) fn reference(&mut self, reference: &ExprReference) -> TokenStream {
        let span = reference.and_token.span;
        match (self.dereferenced(&reference.expr), &reference.mutability) {
            (Expr::Index(index), mutability) if super::memory::range_of(index).is_some() => {
                let whole = Expr::Reference(reference.clone());
                self.subslice(&whole, span, index, mutability.is_some()).unwrap_or_else(|| quote!(()))
            }
            // `&*r` of a name that refers to an element.
            (Expr::Unary(unary), _) if let Some(name) = self.item(&unary.expr) => {
                self.call(reference, "passed", span, &quote!(#name))
            }
            (name @ Expr::Path(_), None) if let Some(title) = self.table_name(name) => {
                self.of_constant(name, "lent", &title)
            }
            (name @ Expr::Path(path), mutability)
                if (mutability.is_some() || path.path.get_ident().is_some()) && !is_unit(&path.path) =>
            {
                let method = if mutability.is_some() { "lend_mut" } else { "lend" };
                self.call(reference, method, span, &quote!(#name))
            }
            (Expr::Field(field), Some(_)) if let Some(place) = self.field_place(field) => {
                self.call(reference, "lend_mut", span, &place)
            }
            (element @ (Expr::Index(_) | Expr::Field(_)), Some(_)) => self.element_mut(reference, element),
            (literal @ (Expr::Array(_) | Expr::Repeat(_)), Some(_)) => self.changing_array_literal(literal),
            (value, Some(_)) if super::own::is_temporary(value) => self.lent_temporary(reference, value),
            (other, Some(_)) => {
                self.report.error(other, NO_PLACE);
                quote!(())
            }
            (Expr::Index(ExprIndex { expr: memory, index, .. }), None)
                if matches!(bare(memory), Expr::Path(_)) && !is_own_element(&reference.expr) =>
            {
                let Some(memory) = self.memory(memory) else { return quote!(()) };
                let index = self.value(index);
                self.call(reference, "lend_element", span, &quote!(#memory, #index))
            }
            (literal @ (Expr::Array(_) | Expr::Repeat(_)), None) => self.array_literal(literal),
            (value, None) if self.may_be_array(value) && !matches!(value, Expr::Path(_)) => {
                let value = self.value(value);
                let nameable = self.call(reference, "nameable", span, &value);
                quote_spanned!(span=> #nameable.lent())
            }
            (value, None) => {
                let value = self.value(value);
                self.call(reference, "lend_value", span, &value)
            }
        }
    }

    /// `&mut value`, of a value that has no name.
    fn lent_temporary(&mut self, reference: &ExprReference, value: &Expr) -> TokenStream {
        let (span, given) = (reference.and_token.span, self.value(value));
        if !self.may_be_array(value) {
            return self.call(reference, "lend_temporary", span, &given);
        }
        let nameable = self.call(reference, "nameable", span, &given);
        self.call(reference, "lend_mut", span, &quote_spanned!(span=> #nameable.named_mut("temporary")))
    }

    /// `&mut a[i]`, `&mut p[i].name`, `&mut a[i][k]`
    fn element_mut(&mut self, reference: &ExprReference, element: &Expr) -> TokenStream {
        let (span, mistakes) = (reference.and_token.span, self.report.len());
        match self.as_staying(true, |emitter| emitter.element(element)) {
            Some(Element::Of { slice, index }) => {
                let index = self.value(index);
                self.call(reference, "lend_element_mut", span, &quote!(#slice, #index))
            }
            Some(Element::InSlice { fields, index, inner }) => {
                let operands = self.operands([index, inner]);
                let index = self.call(reference, "element_index", span, &quote!(#fields, #(#operands),*));
                let k = self.builder.at(span);
                let elements = quote_spanned!(span=> #k.elements(#fields));
                self.call(reference, "lend_element_mut", span, &quote!(#elements, #index))
            }
            Some(Element::Subscript(subscript)) => {
                let Some(slice) = self.memory_of(&subscript) else { return quote!(()) };
                let index = self.value(subscript.index());
                self.call(reference, "lend_element_mut", span, &quote!(#slice, #index))
            }
            Some(Element::Behind { slice, index }) => {
                self.call(reference, "lend_element_mut", span, &quote!(#slice, #index))
            }
            Some(Element::Deep { memory, index, names }) => {
                let Some(slice) = self.as_staying(true, |emitter| emitter.deep(memory, &names)) else {
                    return quote!(());
                };
                let index = self.value(index);
                self.call(reference, "lend_element_mut", span, &quote!(#slice, #index))
            }
            Some(Element::InVariable { memory, index, .. }) => {
                let Some(slice) = self.staying(memory) else { return quote!(()) };
                let index = self.value(index);
                self.call(reference, "lend_element_mut", span, &quote!(#slice, #index))
            }
            None => {
                if self.report.len() == mistakes {
                    self.report.error(element, NO_PLACE);
                }
                quote!(())
            }
        }
    }

    /// The arguments in their order, each held if a later one may emit statements. Slices need not be.
    pub(super) fn device_arguments(&mut self, args: &Punctuated<Expr, Token![,]>) -> Vec<TokenStream> {
        self.refuse_aliases(args);
        let last = args.iter().rposition(|argument| self.known.may_emit_statements(argument)).unwrap_or(0);
        let arguments = args.iter().enumerate();
        arguments
            .map(|(number, argument)| match bare(argument) {
                closure if let Some(passed) = self.passed_closure(closure) => passed,
                items if is_value(items, self) => {
                    // The function asks for them, and no body between.
                    self.iterator(items, &super::block_of(items)).unwrap_or_else(|| quote!(()))
                }
                Expr::Reference(reference) => self.reference(reference),
                // Of what type it is, the function says.
                converted if super::call::is_converted(converted) => {
                    let value = self.value(converted);
                    self.call(argument, "converted_argument", converted.span(), &value)
                }
                // A reference that is passed on.
                name @ Expr::Path(path) if let Some(mutable) = self.reference_named(name) => {
                    let method = if mutable { "lend_mut" } else { "lend" };
                    self.call(argument, method, path.span(), &quote!(#name))
                }
                name @ Expr::Path(path) if self.may_be_reference(name) || self.is_seen_item(name) => {
                    self.call(argument, "perhaps_reference", path.span(), &quote!(#name))
                }
                name @ Expr::Path(path) if self.item(name).is_some() => {
                    self.call(argument, "passed", path.span(), &quote!(#name))
                }
                name @ Expr::Path(_) if number < last => {
                    let value = self.value(name);
                    self.call(name, "hold_argument", name.span(), &value)
                }
                _ if number < last => {
                    let argument = self.placed(argument);
                    self.held(&argument)
                }
                _ => {
                    let argument = self.placed(argument);
                    self.value(&argument)
                }
            })
            .collect()
    }
}
