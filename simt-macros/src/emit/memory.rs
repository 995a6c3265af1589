//! What has elements: names of slices and arrays, rows, and subslices.

use super::fields;
use super::function::text;
use super::{Emitter, bare};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Expr, ExprField, ExprIndex, ExprLit, ExprMethodCall, ExprPath, ExprRange, ExprUnary, Lit, RangeLimits, UnOp,
};

impl Emitter<'_> {
    /// The part that has elements: a name, of which rustc knows whether it is a slice or an array, `x[a..b]`, or an array that
    /// is an element.
    pub(super) fn memory(&mut self, memory: &Expr) -> Option<TokenStream> {
        if let Some((declared, settled)) = self.settled(memory) {
            let found = self.memory(&settled)?;
            return Some(quote!({ #declared #found }));
        }
        match bare(memory) {
            name if let Some(table) = self.table(name) => Some(table),
            // A name of memory is that itself; that of an item or a value may be an array.
            name @ Expr::Path(path) => {
                let is_itself = self.known.is_named_memory(name) || self.known.is_scalar(name);
                if is_itself && self.item(name).is_none() {
                    return Some(name.to_token_stream());
                }
                Some(self.call(name, "named_memory", path.span(), &quote!(#name)))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) && is_name(&unary.expr) => {
                self.memory(&unary.expr)
            }
            copy if let Some(range) = super::ranges::cloned(copy).filter(|range| is_name(range)) => self.memory(range),
            Expr::Index(index) if let Some(range) = range_of(index) => {
                let base = self.memory(&index.expr)?;
                let ends = self.ends(range);
                Some(self.call(index, "subslice_place", index.bracket_token.span.open(), &quote!(#base, #ends)))
            }
            Expr::Index(ExprIndex { expr: rows, index: row, bracket_token, .. }) => {
                let rows = self.memory(rows)?;
                let row = self.value(row);
                Some(self.call(memory, "row", bracket_token.span.open(), &quote!(#rows, #row)))
            }
            Expr::Field(field) => {
                if let Some(spilled) = self.spilled(memory) {
                    return Some(spilled.clone());
                }
                let (base, names) = fields::whole_chain(field);
                if let Some(part) = self.item_field(base, &names) {
                    return Some(self.call(field, "named_memory", field.member.span(), &part));
                }
                if let Some((slice, index)) = self.field_of_slice(base, &names) {
                    let index = self.value(index);
                    return Some(self.call(field, "row", field.member.span(), &quote!(#slice, #index)));
                }
                let Some((variable, path)) = self.array_field(field) else { return Some(self.temporary(memory)) };
                let method = if self.stays { "lasting" } else { "spill" };
                Some(self.call(field, method, field.member.span(), &quote!(#variable, #path)))
            }
            Expr::Reference(reference) => self.memory(&reference.expr),
            literal @ (Expr::Array(_) | Expr::Repeat(_)) => Some(self.array_literal(literal)),
            Expr::Lit(_) | Expr::Range(_) | Expr::Closure(_) | Expr::Binary(_) | Expr::Cast(_) => {
                self.no_memory(memory)
            }
            Expr::Unary(ExprUnary { op: UnOp::Neg(_) | UnOp::Not(_), .. }) => self.no_memory(memory),
            value => Some(self.temporary(value)),
        }
    }

    /// The memory that a field is for a while.
    pub(super) fn spilled(&self, field: &Expr) -> Option<&TokenStream> {
        self.spilled.iter().find(|(name, _)| *name == text(bare(field))).map(|(_, spilled)| spilled)
    }

    /// Memory to which references stay, and which they may change.
    pub(super) fn staying(&mut self, memory: &Expr) -> Option<TokenStream> {
        self.as_staying(true, |emitter| emitter.memory(memory))
    }

    /// Finds memory, to which references may stay.
    pub(super) fn as_staying<R>(&mut self, stays: bool, find: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.stays, stays);
        let found = find(self);
        self.stays = outer;
        found
    }

    /// An array that is the value of an expression: it gets an array of the thread's.
    fn temporary(&mut self, expr: &Expr) -> TokenStream {
        let (place, name) = (self.spans.place(expr), self.fresh("array", expr.span()));
        let (span, value) = (place.extent.first, self.value(expr));
        let kept = self.call_at(&place, "keep", span, &value);
        let memory = self.call_at(&place, "named_memory", span, &quote!(#name));
        quote_spanned!(span=> { let #name = #kept; #memory })
    }

    /// An array from outside of the kernel, if a name is one: by custom, written in capitals.
    pub(super) fn table(&mut self, name: &Expr) -> Option<TokenStream> {
        if let Expr::Lit(ExprLit { lit: Lit::ByteStr(bytes), .. }) = bare(name) {
            return Some(self.call(name, "table", bytes.span(), &quote!("bytes", &#bytes)));
        }
        let title = self.table_name(name).or_else(|| self.constant_of_parameter(name))?;
        Some(self.call(name, "table", name.span(), &quote!(#title, &#name)))
    }

    /// The name of a type parameter's constant, `T::ROWS`: where memory is meant, it is an array.
    fn constant_of_parameter(&self, name: &Expr) -> Option<String> {
        let Expr::Path(ExprPath { qself: None, path, .. }) = bare(name) else { return None };
        let (first, last) = (&path.segments.first()?.ident, path.segments.last()?.ident.to_string());
        let is_constant = path.segments.len() == 2 && !last.chars().any(char::is_lowercase);
        (is_constant && self.kernel.is_type_parameter(&syn::parse_quote!(#first))).then_some(last)
    }

    /// Its name.
    pub(super) fn table_name(&self, name: &Expr) -> Option<String> {
        let Expr::Path(path) = bare(name) else { return None };
        let first = path.path.segments.first()?;
        let last = path.path.segments.last()?.ident.to_string();
        let is_table = !last.chars().any(char::is_lowercase) && last.chars().any(char::is_uppercase);
        if !is_table || path.path.get_ident().is_some_and(|name| self.kernel.binds(name)) {
            return None;
        }
        let ident = &first.ident;
        let of_parameter = path.path.segments.len() > 1 && self.kernel.is_type_parameter(&syn::parse_quote!(#ident));
        (!of_parameter && path.qself.is_none()).then_some(last)
    }

    /// The field of a variable, and of no element, if an expression is one.
    pub(super) fn field_of_variable<'a>(&self, expr: &'a Expr) -> Option<&'a ExprField> {
        let Expr::Field(field) = bare(expr) else { return None };
        let (base, _) = fields::whole_chain(field);
        (self.item(base).is_none() && !fields::is_element(base)).then_some(field)
    }

    /// The field of a variable that memory is, or is a part of: `b.name` of `b.name[i].other`.
    pub(super) fn array_of_variable<'a>(&self, memory: &'a Expr) -> Option<&'a ExprField> {
        match bare(memory) {
            Expr::Index(index) => self.array_of_variable(&index.expr),
            Expr::Field(field) => match bare(fields::whole_chain(field).0) {
                Expr::Index(index) => self.array_of_variable(&index.expr),
                _ => self.field_of_variable(memory),
            },
            _ => None,
        }
    }

    /// Whether it is an array of a variable's, or a part of one.
    pub(super) fn is_variable(&self, memory: &Expr) -> bool {
        self.array_of_variable(memory).is_some()
    }

    /// The variable of `b.name`, and the path to the field.
    pub(super) fn array_field(&mut self, field: &ExprField) -> Option<(TokenStream, TokenStream)> {
        let (base, names) = fields::whole_chain(field);
        let base = match bare(base) {
            Expr::Unary(unary) if self.reference_named(bare(&unary.expr)).is_some() => bare(&unary.expr),
            base => base,
        };
        let variable = match base {
            name @ Expr::Path(_) => name.to_token_stream(),
            _ => return None,
        };
        Some((variable, fields::closure(&names)))
    }

    /// The statement of a method that writes to what it is called of. `statement` makes it of the memory.
    pub(super) fn writing(
        &mut self,
        receiver: &Expr,
        statement: impl FnOnce(&mut Self, TokenStream) -> TokenStream,
    ) -> TokenStream {
        if let Some((declared, settled)) = self.settled(receiver) {
            let done = self.writing(&settled, statement);
            return quote!({ #declared #done });
        }
        let Some(field) = self.array_of_variable(receiver) else {
            let Some(memory) = self.memory(receiver) else { return quote!(()) };
            return statement(self, memory);
        };
        let Some((variable, path)) = self.array_field(field) else {
            self.no_memory(receiver);
            return quote!(());
        };
        let span = field.member.span();
        let (spilled, k) = (self.fresh("spilled", span), self.builder.at(span));
        let spill = self.call(field, "spill_place", span, &quote!(#variable, #path));
        let restore = self.call(field, "restore", span, &quote!(#spilled));
        let name = text(&Expr::Field(field.clone()));
        self.spilled.push((name, quote_spanned!(span=> #k.spilled_array(#spilled))));
        let done = match self.memory(receiver) {
            Some(memory) => statement(self, memory),
            None => quote!(()),
        };
        self.spilled.pop();
        super::scope(span, quote_spanned!(span=> let #spilled = #spill; #done; #restore))
    }

    /// What is to be changed in a loop over it, which may leave more than the loop.
    pub(super) fn changed_memory(&mut self, memory: &Expr) -> Option<TokenStream> {
        self.staying(memory)
    }

    fn no_memory(&mut self, expr: &Expr) -> Option<TokenStream> {
        self.report.error(expr, "a slice or an array has a name: write it here");
        None
    }

    /// `a..b` as what a subslice is made of.
    pub(super) fn ends(&mut self, range: &ExprRange) -> TokenStream {
        let span = range.limits.span();
        let k = self.builder.at(span);
        let mut ends = quote_spanned!(span=> #k.ends());
        if let Some(start) = &range.start {
            let value = self.value(start);
            ends = self.call(&**start, "ends_from", span, &quote!(#ends, #value));
        }
        if let Some(end) = &range.end {
            let (value, inclusive) = (self.value(end), matches!(range.limits, RangeLimits::Closed(_)));
            ends = self.call(&**end, "ends_to", span, &quote!(#ends, #value, #inclusive));
        }
        ends
    }

    /// `&x[a..b]`, `&mut x[a..b]`
    pub(super) fn subslice(
        &mut self,
        whole: &Expr,
        symbol: Span,
        index: &ExprIndex,
        mutable: bool,
    ) -> Option<TokenStream> {
        let range = range_of(index)?;
        let Some(base) = self.as_staying(mutable, |emitter| emitter.memory(&index.expr)) else {
            return Some(quote!(()));
        };
        let ends = self.ends(range);
        let method = if mutable { "subslice_mut" } else { "subslice" };
        Some(self.call(whole, method, symbol, &quote!(#base, #ends)))
    }
}

/// The range in `x[a..b]`.
pub(super) fn range_of(index: &ExprIndex) -> Option<&ExprRange> {
    match bare(&index.index) {
        Expr::Range(range) => Some(range),
        _ => None,
    }
}

/// Whether an expression is a name, or a subslice: what has elements whatever they are.
pub(super) fn is_slice(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(_) => true,
        Expr::Index(index) => range_of(index).is_some(),
        _ => false,
    }
}

/// Whether a method is called of what may have elements: a name, a subslice, or an element or field that may be an array.
pub(super) fn is_of_memory(call: &ExprMethodCall) -> bool {
    is_name(&call.receiver) || matches!(bare(&call.receiver), Expr::Field(_) | Expr::Index(_))
}

pub(super) fn is_name(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Path(_) | Expr::Lit(ExprLit { lit: Lit::ByteStr(_), .. }))
}
