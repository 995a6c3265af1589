//! Methods of users' structs, which `#[device] impl` has.

use super::function::Referred;
use super::shared::{is_numbers, is_options};
use super::subscript::is_own_element;
use super::{Emitter, atomic, bare, collective, fields, number, numeric, options};
use crate::methods;
use crate::paths;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprField, ExprIndex, ExprMethodCall, Member, UnOp};

impl Emitter<'_> {
    /// `receiver.name(a, b)`, of which rustc finds out what `name` is, and whether the result must be used where nothing does.
    pub(super) fn own_method(&mut self, call: &ExprMethodCall, is_dropped: bool) -> TokenStream {
        if self.is_of_no_struct(call) && call.args.iter().any(|argument| matches!(bare(argument), Expr::Closure(_))) {
            let message = format!(
                "`.{}()` takes no closure in a kernel: those of iterators that end, `x.iter().any(|v| ..)`, of `Option` and `Result` do",
                call.method
            );
            self.report.error(&call.method, message);
            return quote!(());
        }
        self.refuse_borrowed_receiver(call);
        self.methods.entry(call.method.to_string()).or_insert_with(|| call.method.clone());
        let held = call.args.iter().any(|argument| self.known.may_emit_statements(argument));
        let span = call.method.span();
        let receiver = self.receiver(&call.receiver);
        // Of slices, a part that may not be there.
        let part = match call.args.first().map(bare) {
            Some(Expr::Range(range)) if call.method == "get" => Some(("get_range", range)),
            Some(Expr::Range(range)) if call.method == "get_mut" => Some(("get_range_mut", range)),
            _ => None,
        };
        let method = part.map_or(call.method.clone(), |(name, _)| Ident::new(name, span));
        let (name, subject) = (methods::method_name(&method), Ident::new("__of", Span::mixed_site()));
        let found = quote!(|#subject| #subject.#name());
        // Of what is not known yet it is a number's, or an option's.
        let subject = match call.method.to_string().as_str() {
            name if is_numbers(name) => Some("subject"),
            name if is_options(name) => Some("option_subject"),
            _ => None,
        };
        let begun = match subject {
            Some(subject) => {
                let (place, k) = (self.spans.place(call), self.builder.at(super::Extent::of(call).first));
                let (at, subject, method) = (&place.at, Ident::new(subject, span), Ident::new(method_of(call), span));
                quote_spanned!(span=> #k.#subject(#receiver).#method(#at, #held, #found))
            }
            None => self.call(call, method_of(call), span, &quote!(#receiver, #held, #found)),
        };
        let arguments = match part {
            Some((_, range)) => vec![self.ends(range)],
            None => self.device_arguments(&call.args),
        };
        let rest = Ident::new("__rest", span);
        let generics = call.turbofish.as_ref();
        let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#arguments),*));
        group.set_span(call.paren_token.span.close());
        let rest = quote_spanned!(span=> #rest #generics #group);
        if is_dropped {
            super::unused::asked(super::Extent::of(call).first, &begun, &rest)
        } else {
            quote_spanned!(span=> #begun.#rest)
        }
    }

    /// `name.iter()`, of which rustc finds out what `iter` is.
    pub(super) fn own_items(&mut self, call: &ExprMethodCall, method: &str, name: &Expr) -> TokenStream {
        self.methods.entry(method.to_owned()).or_insert_with(|| call.method.clone());
        let (place, span) = (self.spans.place(call), call.method.span());
        let (k, at, receiver) = (self.builder.at(super::Extent::of(call).first), &place.at, self.receiver(name));
        let (found, subject) = (methods::method_name(&call.method), Ident::new("__of", Span::mixed_site()));
        let of = Ident::new(&format!("{method}_subject"), span);
        let [begin, rest] = ["method", "__rest"].map(|name| Ident::new(name, span));
        let given = quote_spanned!(span=> #k.#of(#receiver).#begin(#at, false, |#subject| #subject.#found()).#rest());
        self.call_at(&place, "given_items", span, &given)
    }

    /// Whether a name may be one of a struct that has `iter`: what is no memory and no number for certain.
    pub(super) fn may_be_container(&self, name: &Expr) -> bool {
        let Expr::Path(path) = name else { return false };
        path.path.get_ident().is_some()
            && !self.known.is_named_memory(name)
            && !self.known.is_scalar(name)
            && self.table_name(name).is_none()
            && self.item(name).is_none()
    }

    /// Whether what a method is called of is no struct for certain: a number, or what an iterator of memory or of a range gives.
    pub(super) fn is_of_no_struct(&self, call: &ExprMethodCall) -> bool {
        let mut receiver = bare(&call.receiver);
        if self.known.is_scalar(receiver) {
            return true;
        }
        while let Expr::MethodCall(inner) = receiver {
            if super::ends::is_end(inner, self) || !gives_items(inner) {
                return false;
            }
            receiver = bare(&inner.receiver);
        }
        let receiver = match receiver {
            Expr::Reference(reference) => bare(&reference.expr),
            receiver => receiver,
        };
        matches!(receiver, Expr::Range(_) | Expr::Array(_) | Expr::Repeat(_)) || self.known.is_memory(receiver)
    }

    /// What stands before the point: a place if it is one, as only rustc knows whether the method writes to it.
    pub(super) fn receiver(&mut self, receiver: &Expr) -> TokenStream {
        match bare(receiver) {
            name @ Expr::Path(path) if self.item(name).is_some() => {
                self.call(name, "receiver_named", path.span(), &quote!(#name))
            }
            name @ Expr::Path(_) if let Some(title) = self.table_name(name) => {
                self.of_constant(name, "receiver", &title)
            }
            // One that a closure sees, which may be of an element.
            name @ Expr::Path(path) if self.reference_named(name) == Some(false) => {
                self.call(name, "receiver_named", path.span(), &quote!(#name))
            }
            name @ Expr::Path(path) if super::function::is_unit(&path.path) && !options::is_none(&path.path) => {
                self.call(name, "unnamed", path.span(), &quote!(#name))
            }
            name @ Expr::Path(path) if path.path.get_ident().is_some() => name.to_token_stream(),
            Expr::Unary(unary) if self.item(&unary.expr).is_some() => self.receiver(&unary.expr),
            Expr::Unary(unary) if self.reference_named(bare(&unary.expr)) == Some(false) => self.receiver(&unary.expr),
            Expr::Unary(unary) if self.reference_named(bare(&unary.expr)).is_some() => {
                bare(&unary.expr).to_token_stream()
            }
            literal @ Expr::Lit(_) if let Some(table) = self.table(literal) => table,
            Expr::Field(field) => self.part(field).unwrap_or_else(|| self.value(receiver)),
            Expr::Index(index) if super::memory::range_of(index).is_some() => {
                self.staying(receiver).unwrap_or_else(|| quote!(()))
            }
            Expr::Index(element) if let Some(receiver) = self.receiving_subscript(element) => receiver,
            Expr::Index(element) => {
                let ExprIndex { expr: memory, index, .. } = element;
                if let Some((declared, settled)) = self.settled(receiver) {
                    let settled = self.receiver(&settled);
                    return quote!({ #declared #settled });
                }
                let Some(memory) = self.staying(memory) else { return quote!(()) };
                let (index, symbol) = (self.value(index), super::Extent::of(receiver).first);
                self.call(receiver, "element_receiver", symbol, &quote!(#memory, #index))
            }
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => self.held(receiver),
            // A copy of a variable, which the method may change.
            Expr::MethodCall(call) if super::ranges::is_clone(call) => self.copied(receiver, call.method.span()),
            Expr::Block(block) => self.copied(receiver, block.block.brace_token.span.open()),
            _ => self.value(receiver),
        }
    }

    /// A name from outside of the kernel, before a point or behind a `&`.
    pub(super) fn of_constant(&mut self, name: &Expr, method: &str, title: &str) -> TokenStream {
        let span = name.span();
        let (place, k, method) = (self.spans.place(name), self.builder.at(span), Ident::new(method, span));
        let at = &place.at;
        quote_spanned!(span=> #k.constant_receiver(&#name).#method(#at, #title))
    }

    /// A value that is no variable's.
    fn copied(&mut self, value: &Expr, span: Span) -> TokenStream {
        let copy = self.value(value);
        self.call(value, "unnamed", span, &copy)
    }

    /// `variable.a.b`, `slice[i].a.b`
    fn part(&mut self, field: &ExprField) -> Option<TokenStream> {
        if let (Member::Unnamed(number), false) = (&field.member, fields::is_element(fields::whole_chain(field).0)) {
            let is_place = matches!(bare(&field.base), Expr::Path(_) | Expr::Field(_));
            if !is_place || self.item(fields::whole_chain(field).0).is_some() {
                return None;
            }
            let (place, span) = (self.spans.place(field), number.span);
            let (base, number) = (self.receiver(&field.base), number.index as usize);
            return Some(self.call_typed(&place, "receiver_numbered", span, &quote!(#number, _), &base));
        }
        let (base, names) = fields::chain(field)?;
        let symbol = names.first()?.span();
        if is_own_element(base) {
            return None;
        }
        if let Some((slice, index)) = self.as_staying(true, |emitter| emitter.field_of_slice(base, &names)) {
            let index = self.value(index);
            return Some(self.call(field, "element_receiver", symbol, &quote!(#slice, #index)));
        }
        if let Some(part) = self.item_field(base, &names) {
            return Some(self.call(field, "receiver_named", symbol, &part));
        }
        let base = match bare(base) {
            Expr::Unary(unary) if self.reference_named(bare(&unary.expr)).is_some() => bare(&unary.expr),
            base => base,
        };
        let base = match base {
            Expr::Path(path) => path.path.get_ident()?.to_token_stream(),
            Expr::Field(_) => self.receiver(base),
            _ => return None,
        };
        let path = fields::closure(&names);
        Some(self.call(field, "receiver_part", symbol, &quote!(#base, #path)))
    }

    /// A `&mut` among the arguments, to what the method is called of.
    fn refuse_borrowed_receiver(&mut self, call: &ExprMethodCall) {
        let Some(receiver) = self.referred(&call.receiver) else { return };
        let overlaps = |place: &Referred<'_>| place.mutable && place.base == receiver.base;
        let found = call.args.iter().find(|argument| self.referred(argument).is_some_and(|place| overlaps(&place)));
        if let Some(argument) = found {
            let message =
                format!("`{}` is what the method is called of: a `&mut` is the only one there is", receiver.base);
            self.report.error(argument, message);
        }
    }

    /// `x.len` of a slice, which is a method.
    pub(super) fn length_as_field(&mut self, field: &ExprField) -> Option<TokenStream> {
        let Member::Named(name) = &field.member else { return None };
        let is_slice = self.kernel.is_slice(&field.base) && self.known.is_named_memory(bare(&field.base));
        if !(name == "len" || name == "is_empty") || !is_slice {
            return None;
        }
        self.report.error(name, format_args!("`{name}` is a method: write `{name}()`"));
        Some(quote!(()))
    }
}

/// The builder's method for a call: of a value that nothing else has, or of a place.
fn method_of(call: &ExprMethodCall) -> &'static str {
    if is_temporary(&call.receiver) { "method_of_temporary" } else { "method" }
}

/// Whether the value of an expression is nothing else's, as far as syntax tells.
pub(super) fn is_temporary(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(path) => super::function::is_unit(&path.path),
        Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Struct(_)
        | Expr::Lit(_)
        | Expr::Binary(_)
        | Expr::Block(_)
        | Expr::If(_)
        | Expr::Match(_)
        | Expr::Tuple(_)
        | Expr::Try(_)
        | Expr::Cast(_) => true,
        Expr::Field(field) => is_temporary(&field.base) && !matches!(bare(&field.base), Expr::Path(_)),
        Expr::Unary(unary) => !matches!(unary.op, UnOp::Deref(_)),
        _ => false,
    }
}

/// What lets rustc find methods of `std`.
pub(super) fn traits_of_std() -> TokenStream {
    let private = paths::private(Span::mixed_site());
    quote! {
        #[allow(unused_imports, reason = "the methods may all be those of structs")]
        use #private::{
            ByteMethods as _, ExtremeMethods as _, ItemsMethods as _, IteratorMethods as _, OptionMethods as _, OrderingMethods as _, RangeMethods as _, ResultMethods as _, ScalarMethods as _, SliceMethods as _,
        };
    }
}

/// Whether a call of a method may be one of the user's own, as far as its name tells.
pub(super) fn is_own(call: &ExprMethodCall) -> bool {
    !is_known_method(&call.method.to_string())
        || atomic::is_structs(call)
        || call.method == "copy_within" && !super::method::is_slices_copy(call)
}

/// Whether a method gives an iterator, for all that its name tells.
fn gives_items(call: &ExprMethodCall) -> bool {
    const OF_ITERATORS: &str = "iter iter_mut into_iter enumerate zip rev skip take step_by copied cloned map filter chunks chunks_exact windows";
    OF_ITERATORS.split(' ').any(|name| call.method == name)
}

/// Methods by whose names the macro knows iterators and copies.
const OF_ITERATORS: &str = "iter iter_mut into_iter enumerate rev step_by clone";

/// Whether a name means a method of numbers, slices or atomics, or one that nothing in a kernel can have.
pub(super) fn is_known_method(name: &str) -> bool {
    numeric::is_method(name)
        || options::is_plain(name)
        || atomic::is_method(name)
        || matches!(
            name,
            "len"
                | "is_empty"
                | "is_ok"
                | "is_err"
                | "contains"
                | "swap"
                | "fill"
                | "copy_from_slice"
                | "copy_within"
                | "into"
                | "try_into"
        )
        || OF_ITERATORS.split(' ').any(|known| known == name)
}

/// Whether code uses what only the machine has: calls its functions, or has a shared array. A method by the name of such a
/// function is another one.
pub(crate) fn uses_machine(code: &TokenStream) -> bool {
    let mut tokens = code.clone().into_iter().peekable();
    let mut is_method = false;
    while let Some(token) = tokens.next() {
        let found = match &token {
            TokenTree::Ident(word) => {
                let is_called = matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                let is_machines = number::is_number(word) || collective::find(word).is_some();
                word == "shared" || is_called && !is_method && is_machines
            }
            TokenTree::Group(group) => uses_machine(&group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        if found {
            return true;
        }
        // Behind a point that is not a range's second, and where it is declared.
        is_method = match &token {
            TokenTree::Punct(point) => point.as_char() == '.' && !is_method,
            TokenTree::Ident(word) => word == "fn",
            _ => false,
        };
    }
    false
}
