//! Calls of methods: lengths, atomics, loads and stores with cache operators, and methods of numbers.

use super::ends::is_end;
use super::known::Known;
use super::memory::{is_of_memory, range_of};
use super::{Emitter, atomic, bare, lazy, numeric, options};
use crate::unsupported;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMethodCall, ExprRange, ExprReference, RangeLimits, Token};

impl Emitter<'_> {
    /// `x.f(a)` as a value.
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> TokenStream {
        let is_dropped = std::mem::take(&mut self.dropped);
        // Where a value is wanted, a number is rotated.
        let rotates_number = self.is_slices_rotation(call) && !self.known.is_named_memory(bare(&call.receiver));
        if !rotates_number && let Some(tokens) = self.method_statement(call) {
            let name = &call.method;
            self.report.error(call, format_args!("`.{name}()` has no value: write it as a statement of its own"));
            return tokens;
        }
        match call.method.to_string().as_str() {
            _ if is_end(call, self) => self.iterator_end(call),
            _ if let Some(tokens) = self.of_iterator(call).or_else(|| self.searched(call)) => tokens,
            "map" if self.is_array_map(call) => self.array_map(call),
            "map" if self.is_map_of_either(call) => self.map_of_either(call),
            _ if lazy::is_method(call) => self.lazy_method(call),
            "into" | "try_into" => self.converted(call),
            _ if self.may_be_own(call) || is_of_given_slice(call) => self.own_method(call, is_dropped),
            name @ ("len" | "is_empty") => self.length(call, name),
            "clone" if super::ranges::is_clone(call) && !self.known.is_named_memory(bare(&call.receiver)) => {
                self.no_turbofish(call);
                self.value(&call.receiver)
            }
            name @ ("is_ok" | "is_err") => self.exchanged(call, name),
            "contains" if contains_of_range(call).is_some() => self.contained(call),
            "contains" if is_of_memory(call) => self.contained_in(call),
            name => {
                if let Some(tokens) = self
                    .atomic(call, name)
                    .or_else(|| self.cached_load(call, name))
                    .or_else(|| self.numeric_method(call, name))
                {
                    return tokens;
                }
                if options::is_method(call, &self.known) && !self.is_of_no_struct(call) {
                    return self.option_method(call);
                }
                let is_of_no_struct = || self.is_of_no_struct(call) || atomic::is_of_atomic(call);
                if super::own::is_own(call) && !(unsupported::known_method(name).is_some() && is_of_no_struct()) {
                    return self.own_method(call, is_dropped);
                }
                // Of `x.iter().sum()`, the `iter` has to be reported.
                let name = first_unknown(call);
                self.report.error(name, unsupported::method(&name.to_string()));
                quote!(())
            }
        }
    }

    /// Whether it is a slice's `rotate_left` and not a number's, which has a value.
    fn is_slices_rotation(&self, call: &ExprMethodCall) -> bool {
        (call.method == "rotate_left" || call.method == "rotate_right")
            && is_of_memory(call)
            && !self.known.is_scalar(&call.receiver)
            && !self.known.may_be_own(call)
    }

    /// `x.f(a);` if it is a method without a value.
    pub(super) fn method_statement(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let name = call.method.to_string();
        if name == "for_each" && is_end(call, self) {
            return Some(self.iterator_end(call));
        }
        if self.known.may_be_own(call) {
            return None;
        }
        self.atomic_store(call, &name)
            .or_else(|| self.cached_store(call, &name))
            .or_else(|| (is_slices_swap(call)).then(|| self.swapped(call)))
            .or_else(|| (name == "fill" && is_of_memory(call)).then(|| self.filled(call)))
            .or_else(|| {
                (name == "copy_within"
                    && (is_slices_copy(call) || self.is_memory_for_certain(&call.receiver))
                    && (is_of_memory(call) || is_given(&call.receiver)))
                .then(|| self.copied_within(call))
            })
            .or_else(|| self.sorted(call))
            .or_else(|| self.is_slices_rotation(call).then(|| self.rotated(call)))
            .or_else(|| (name == "copy_from_slice" && is_of_memory(call)).then(|| self.copied_from(call)))
    }

    /// `x.into()`, `x.try_into()`
    fn converted(&mut self, call: &ExprMethodCall) -> TokenStream {
        let name = call.method.to_string();
        self.no_turbofish(call);
        self.expect_arguments(&call.method, &name, &call.args, &[]);
        if name == "try_into" {
            let value = self.convertible(&call.receiver);
            return self.call(call, "try_convert", call.method.span(), &value);
        }
        let value = self.before_point(&call.receiver);
        self.call(call, "converted", call.method.span(), &value)
    }

    /// What becomes something else, if it fits: a number, or a slice that becomes an array.
    pub(super) fn convertible(&mut self, expr: &Expr) -> TokenStream {
        match bare(expr) {
            Expr::Reference(ExprReference { mutability: None, expr, .. }) => self.convertible(expr),
            Expr::Index(index) if range_of(index).is_some() => self.memory(expr).unwrap_or_else(|| quote!(())),
            _ => self.value(expr),
        }
    }

    /// `x.copy_within(a..b, to);`
    fn copied_within(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, "copy_within", &call.args, &["a..b", "to"]) {
            return quote!(());
        }
        let Expr::Range(range) = bare(&call.args[0]) else {
            self.report.error(&call.args[0], "a range is copied: write `x.copy_within(a..b, to)`");
            return quote!(());
        };
        self.writing(&call.receiver, |emitter, slice| {
            let (ends, to) = (emitter.ends(range), emitter.value(&call.args[1]));
            emitter.call(call, "copy_within", call.method.span(), &quote!(#slice, #ends, #to))
        })
    }

    /// `x.rotate_left(n);`, `x.rotate_right(n);`
    pub(super) fn rotated(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        let name = call.method.to_string();
        if !self.expect_arguments(&call.method, &name, &call.args, &["n"]) {
            return quote!(());
        }
        self.writing(&call.receiver, |emitter, slice| {
            let (by, right) = (emitter.value(&call.args[0]), name == "rotate_right");
            emitter.call(call, "rotate_elements", call.method.span(), &quote!(#slice, #right, #by))
        })
    }

    /// `x.fill(value);`
    fn filled(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, "fill", &call.args, &["value"]) {
            return quote!(());
        }
        self.writing(&call.receiver, |emitter, slice| {
            let value = emitter.value(&call.args[0]);
            emitter.call(call, "fill_elements", call.method.span(), &quote!(#slice, #value))
        })
    }

    /// `x.copy_from_slice(&y);`
    fn copied_from(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, "copy_from_slice", &call.args, &["&y"]) {
            return quote!(());
        }
        let from = match bare(&call.args[0]) {
            Expr::Reference(ExprReference { mutability: None, expr, .. }) => expr,
            other => other,
        };
        self.writing(&call.receiver, |emitter, slice| {
            let Some(from) = emitter.memory(from) else { return quote!(()) };
            emitter.call(call, "copy_from_slice", call.method.span(), &quote!(#slice, #from))
        })
    }

    /// `x.contains(&value)`
    fn contained_in(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, "contains", &call.args, &["&value"]) {
            return quote!(());
        }
        let Expr::Reference(ExprReference { mutability: None, expr: value, .. }) = bare(&call.args[0]) else {
            self.report.error(&call.args, "`contains` takes a reference: write `.contains(&value)`");
            return quote!(());
        };
        let (slice, value) = (self.memory(&call.receiver), self.value(value));
        self.call(call, "contains", call.method.span(), &quote!(#slice, #value))
    }

    /// `x.len()`, `x.is_empty()`
    fn length(&mut self, call: &ExprMethodCall, name: &str) -> TokenStream {
        self.expect_arguments(&call.method, name, &call.args, &[]);
        self.no_turbofish(call);
        if name == "len"
            && let Some(field) = self.field_of_variable(&call.receiver)
            && let Some((variable, path)) = self.array_field(field)
        {
            return self.call(call, "field_len", call.method.span(), &quote!(#variable, #path));
        }
        let slice = self.memory(&call.receiver);
        self.call(call, name, call.method.span(), &quote!(#slice))
    }

    /// `x.swap(i, j);`
    fn swapped(&mut self, call: &ExprMethodCall) -> TokenStream {
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, "swap", &call.args, &["i", "j"]) {
            return quote!(());
        }
        self.writing(&call.receiver, |emitter, slice| {
            let indices = emitter.operands(&call.args);
            emitter.call(call, "swap_elements", call.method.span(), &quote!(#slice, #(#indices),*))
        })
    }

    /// `(a..b).contains(&x)`
    fn contained(&mut self, call: &ExprMethodCall) -> TokenStream {
        let Some(range) = contains_of_range(call) else { return quote!(()) };
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, "contains", &call.args, &["&x"]) {
            return quote!(());
        }
        let Some(Expr::Reference(ExprReference { mutability: None, expr: value, .. })) = call.args.first().map(bare)
        else {
            self.report.error(&call.args, "a range's `contains` takes a reference: write `.contains(&x)`");
            return quote!(());
        };
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let span = call.method.span();
        match (&range.start, &range.end) {
            (Some(from), Some(to)) => {
                let operands = self.operands([&**from, &**to, &**value]);
                self.call(call, "range_contains", span, &quote!(#inclusive, #(#operands),*))
            }
            (Some(from), None) => {
                let operands = self.operands([&**from, &**value]);
                self.call(call, "le", span, &quote!(#(#operands),*))
            }
            (None, Some(to)) => {
                let operands = self.operands([&**to, &**value]);
                self.call(call, if inclusive { "ge" } else { "gt" }, span, &quote!(#(#operands),*))
            }
            (None, None) => {
                self.report.error(&call.receiver, "`..` has everything: write `true`");
                quote!(())
            }
        }
    }

    /// Reports arguments that are too many or too few.
    pub(super) fn expect_arguments(
        &mut self,
        function: impl ToTokens,
        name: &str,
        args: &Punctuated<Expr, Token![,]>,
        parameters: &[&str],
    ) -> bool {
        let number = parameters.len();
        if args.len() == number {
            return true;
        }
        let arguments = if number == 1 { "argument" } else { "arguments" };
        let parameters = parameters.join(", ");
        let message = match number {
            0 => format!("`{name}` has no arguments"),
            _ => format!("`{name}` has {number} {arguments}: write `{name}({parameters})`"),
        };
        if number == 0 {
            self.report.error(args, message);
        } else {
            self.report.error(function, message);
        }
        false
    }

    /// Reports type arguments of a method that has none.
    pub(super) fn no_turbofish(&mut self, call: &ExprMethodCall) {
        if let Some(turbofish) = &call.turbofish {
            self.report.error(turbofish, format_args!("`{}` has no type arguments", call.method));
        }
    }
}

/// Whether building the call may emit statements, apart from its receiver and arguments.
pub(super) fn emits(call: &ExprMethodCall, known: &Known) -> bool {
    let name = call.method.to_string();
    options::is_method(call, known)
        || lazy::is_method(call)
        || is_end(call, known)
        || atomic::is_operation(&name)
        || numeric::emits(&name)
        || name == "contains"
        || super::own::is_own(call)
        || is_of_given_slice(call)
        || known.may_be_own(call)
}

/// The first method of a chain, of which this is the last, that kernels do not have.
fn first_unknown(call: &ExprMethodCall) -> &Ident {
    let mut first = &call.method;
    let mut receiver = bare(&call.receiver);
    while let Expr::MethodCall(call) = receiver {
        let name = call.method.to_string();
        if !numeric::is_method(&name) && !atomic::is_operation(&name) && !matches!(&*name, "len" | "is_ok" | "is_err") {
            first = &call.method;
        }
        receiver = bare(&call.receiver);
    }
    first
}

/// Whether it is a method without a value.
pub(super) fn has_no_value(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    is_slices_swap(call)
        || (name == "for_each" && call.args.len() == 1)
        || super::sorting::sorts(call)
        || name.starts_with("store") && !atomic::is_structs(call)
        || ["fill", "copy_from_slice"].contains(&&*name)
        || is_slices_copy(call)
}

/// Whether it is a slice's `copy_within`, of a range.
pub(super) fn is_slices_copy(call: &ExprMethodCall) -> bool {
    call.method == "copy_within" && call.args.first().is_some_and(|first| matches!(bare(first), Expr::Range(_)))
}

/// Whether it is a slice's `swap`; an atomic, whose `swap` takes an order, is an element.
fn is_slices_swap(call: &ExprMethodCall) -> bool {
    // An element's may be an atomic's, which says an order.
    call.method == "swap" && is_of_memory(call) && !is_atomic_swap(call)
}

/// Whether a method that slices have is called of what another one gives: `x.get_mut(..n)?.fill(v)`.
fn is_of_given_slice(call: &ExprMethodCall) -> bool {
    let is_slices = ["fill", "copy_from_slice", "contains"].iter().any(|name| call.method == name)
        || call.method == "swap" && !is_atomic_swap(call);
    is_slices && is_given(&call.receiver)
}

/// Whether a `rotate_left` or `rotate_right` is called of what another method or function gives.
pub(super) fn is_given_rotation(call: &ExprMethodCall) -> bool {
    (call.method == "rotate_left" || call.method == "rotate_right") && is_given(&call.receiver)
}

/// Whether it is what a call gives.
fn is_given(receiver: &Expr) -> bool {
    matches!(bare(receiver), Expr::Try(_) | Expr::MethodCall(_) | Expr::Call(_))
}

/// Whether a `swap` is an atomic's: with an order.
pub(super) fn is_atomic_swap(call: &ExprMethodCall) -> bool {
    call.args.len() == 2 && call.args.last().is_some_and(atomic::is_order)
}

/// The range whose `contains` is called.
fn contains_of_range(call: &ExprMethodCall) -> Option<&ExprRange> {
    match bare(&call.receiver) {
        Expr::Range(range) if call.method == "contains" => Some(range),
        _ => None,
    }
}
