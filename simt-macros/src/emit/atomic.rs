//! Atomics, and loads and stores that say how caches treat them.

use super::{Emitter, bare};
use crate::paths;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprIndex, ExprMethodCall};

/// Methods of an atomic that have a value, with the builder's method and their parameters.
const OPERATIONS: [(&str, &str, &[&str]); 11] = [
    ("load", "atomic_load", &["order"]),
    ("swap", "swap", &["value", "order"]),
    ("fetch_add", "fetch_add", &["value", "order"]),
    ("fetch_sub", "fetch_sub", &["value", "order"]),
    ("fetch_min", "fetch_min", &["value", "order"]),
    ("fetch_max", "fetch_max", &["value", "order"]),
    ("fetch_and", "fetch_and", &["value", "order"]),
    ("fetch_or", "fetch_or", &["value", "order"]),
    ("fetch_xor", "fetch_xor", &["value", "order"]),
    ("compare_exchange", "compare_exchange", &["current", "new", "success", "failure"]),
    // `compare_exchange` never fails spuriously, which the weak one may.
    ("compare_exchange_weak", "compare_exchange", &["current", "new", "success", "failure"]),
];

const STORE: &[&str] = &["value", "order"];

/// Cache operators of loads and of stores, and the program's names of them.
const LOADS: [(&str, &str); 5] =
    [("load_volatile", "Volatile"), ("load_ca", "Ca"), ("load_cg", "Cg"), ("load_cs", "Cs"), ("load_cv", "Cv")];
const STORES: [(&str, &str); 5] =
    [("store_volatile", "Volatile"), ("store_wb", "Wb"), ("store_cg", "Cg"), ("store_cs", "Cs"), ("store_wt", "Wt")];

/// Whether a method of this name is an operation that is a statement of the program.
pub(super) fn is_operation(name: &str) -> bool {
    OPERATIONS.iter().any(|(method, ..)| *method == name)
}

/// Whether an expression is one of `std`'s orderings, or a constant that may be one.
pub(super) fn is_order(expr: &Expr) -> bool {
    let Expr::Path(path) = bare(expr) else { return false };
    path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// Whether a call is one of an atomic's, whether kernels have it or not: its name says so, and its order.
pub(super) fn is_of_atomic(call: &ExprMethodCall) -> bool {
    call.method.to_string().starts_with("fetch_") && call.args.last().is_some_and(is_order)
}

/// Whether a method of this name is one of atomics, or of slices with a cache operator.
pub(super) fn is_method(name: &str) -> bool {
    is_operation(name) || name == "store" || find(&LOADS, name).is_some() || find(&STORES, name).is_some()
}

/// Whether a call is one of a struct's own method that has the name of an atomic's: there is no order.
pub(super) fn is_structs(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    let known = OPERATIONS.iter().find(|(method, ..)| *method == name).map(|&(_, _, parameters)| parameters);
    let Some(parameters) = known.or_else(|| (name == "store").then_some(STORE)) else { return false };
    // Of an element it may be a mistake.
    let is_called_right = match dereferenced(&call.receiver) {
        Expr::Index(_) => call.args.len() == parameters.len() && matches!(&*name, "load" | "store"),
        _ => !call.args.is_empty(),
    };
    name != "swap" && is_called_right && !call.args.last().is_some_and(is_order)
}

impl Emitter<'_> {
    /// `x[i].fetch_add(1, Relaxed)` and the like.
    pub(super) fn atomic(&mut self, call: &ExprMethodCall, name: &str) -> Option<TokenStream> {
        if is_structs(call) {
            return None;
        }
        let &(_, method, parameters) = OPERATIONS.iter().find(|(method, ..)| *method == name)?;
        Some(self.operation(call, method, parameters))
    }

    /// `x[i].store(1, Relaxed)`
    pub(super) fn atomic_store(&mut self, call: &ExprMethodCall, name: &str) -> Option<TokenStream> {
        (name == "store" && !is_structs(call)).then(|| self.operation(call, "atomic_store", STORE))
    }

    fn operation(&mut self, call: &ExprMethodCall, method: &str, parameters: &[&str]) -> TokenStream {
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, &call.method.to_string(), &call.args, parameters) {
            return quote!(());
        }
        if self.kernel.is_refused(bare(&call.receiver)) {
            return quote!(());
        }
        let name = dereferenced(&call.receiver);
        let of_reference = self.atomic_named(bare(&call.receiver))
            || self.item(name).is_some()
            // What a pattern names may be one: rustc knows.
            || self.is_bound_anew(name)
            || self.reference_named(name) == Some(false);
        let indexed = if let Expr::Index(indexed) = bare(&call.receiver) { Some(indexed) } else { None };
        // What a function gives and what a field holds may be one, too.
        let is_given = matches!(name, Expr::MethodCall(_) | Expr::Call(_) | Expr::Try(_) | Expr::Field(_));
        if indexed.is_none() && !of_reference && !is_given {
            let message = if call.method == "swap" {
                "`.swap()` is an atomic's, `x[i].swap(value, order)`, or a slice's, `x.swap(i, j)`".to_owned()
            } else {
                format!("`.{}()` is an atomic's, and atomics are elements: write `x[i].{0}(..)`", call.method)
            };
            self.report.error(&call.receiver, message);
            return quote!(());
        }
        let orders = if parameters.len() == 4 { 2 } else { 1 };
        let (values, orders): (Vec<_>, Vec<_>) =
            call.args.iter().enumerate().partition(|(number, _)| number + orders < parameters.len());
        if let Some((_, order)) = orders.last() {
            self.check_order(order, method);
        }
        let values = values.into_iter().map(|(_, value)| value);
        // Names of the host's, which rustc checks.
        let orders = orders.iter().map(|(_, order)| order);
        let span = call.method.span();
        let Some(ExprIndex { expr: memory, index, .. }) = indexed else {
            let atomic = match is_given {
                true => self.value(name),
                false => dereferenced(&call.receiver).to_token_stream(),
            };
            let reference = self.call(&*call.receiver, "atomic_reference", span, &atomic);
            let (k, atomic) = (self.builder.at(span), self.fresh("atomic", span));
            let operands = self.operands(values);
            let place = quote_spanned!(span=> #k.atomic_memory(#atomic), #k.atomic_place(#atomic));
            let done = self.call(call, method, span, &quote!(#place, #(#operands,)* #(#orders),*));
            return quote_spanned!(span=> { let #atomic = #reference; #done });
        };
        if let Expr::Index(inner @ ExprIndex { expr: rows, index: row, .. }) = bare(memory)
            && super::memory::range_of(inner).is_none()
        {
            let (rows, indices) = (self.memory(rows), self.operands([&**row, &**index]));
            let (array, counter) = (paths::array(span), paths::counter(span));
            let flat = self.call(&*call.receiver, "atomic_index", span, &quote!(#array, #(#indices),*));
            let operands = self.operands(values);
            let k = self.builder.at(span);
            let elements = quote_spanned!(span=> #k.atomic_elements(#array));
            let done = self.call(call, method, span, &quote!(#elements, #counter, #(#operands,)* #(#orders),*));
            return quote_spanned!(span=> { let #array = #rows; let #counter = #flat; #done });
        }
        let memory = self.memory(memory);
        let operands = self.operands(std::iter::once(&**index).chain(values));
        self.call(call, method, span, &quote!(#memory, #(#operands,)* #(#orders),*))
    }

    /// The orderings at which `std` would panic.
    fn check_order(&mut self, order: &Expr, method: &str) {
        let Expr::Path(path) = bare(order) else { return };
        let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let message = match (method, name.as_str()) {
            ("atomic_load", "Release" | "AcqRel") => "a load reads: its order is `Relaxed`, `Acquire` or `SeqCst`",
            ("atomic_store", "Acquire" | "AcqRel") => "a store writes: its order is `Relaxed`, `Release` or `SeqCst`",
            ("compare_exchange", "Release" | "AcqRel") => {
                "a failed exchange only reads: its order is `Relaxed`, `Acquire` or `SeqCst`"
            }
            _ => return,
        };
        self.report.error(order, message);
    }

    /// `x.load_cg(i)`
    pub(super) fn cached_load(&mut self, call: &ExprMethodCall, name: &str) -> Option<TokenStream> {
        let access = find(&LOADS, name)?;
        Some(self.cached(call, "load_with", "LoadAccess", access, &["index"]))
    }

    /// `x.store_cg(i, value)`
    pub(super) fn cached_store(&mut self, call: &ExprMethodCall, name: &str) -> Option<TokenStream> {
        let access = find(&STORES, name)?;
        Some(self.cached(call, "store_with", "StoreAccess", access, &["index", "value"]))
    }

    fn cached(
        &mut self,
        call: &ExprMethodCall,
        method: &str,
        kind: &str,
        access: &str,
        parameters: &[&str],
    ) -> TokenStream {
        self.no_turbofish(call);
        let span = call.method.span();
        self.expect_arguments(&call.method, &call.method.to_string(), &call.args, parameters);
        let memory = self.memory(&call.receiver);
        let operands = self.operands(&call.args);
        let (private, kind, access) = (paths::private(span), Ident::new(kind, span), Ident::new(access, span));
        let access = quote_spanned!(span=> #private::#kind::#access);
        self.call(call, method, span, &quote!(#memory, #access, #(#operands),*))
    }

    /// `exchanged.is_ok()`, `exchanged.is_err()`
    pub(super) fn exchanged(&mut self, call: &ExprMethodCall, name: &str) -> TokenStream {
        self.expect_arguments(&call.method, name, &call.args, &[]);
        self.no_turbofish(call);
        let exchanged = self.value(&call.receiver);
        self.call(call, name, call.method.span(), &exchanged)
    }
}

/// A reference, with or without `*`.
fn dereferenced(expr: &Expr) -> &Expr {
    match bare(expr) {
        Expr::Unary(unary) => dereferenced(&unary.expr),
        name => name,
    }
}

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(method, _)| *method == name).map(|&(_, access)| access)
}
