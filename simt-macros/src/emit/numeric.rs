//! Numeric methods: `x.min(y)`, `f32::sqrt(x)`, `f32::from_bits(b)`, `u64::from(x)`.
//!
//! rustc decides which types have which method: the builder has a generic method of the same name.

use super::{Emitter, bare};
use crate::bounds;
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, Path, PathArguments, parse_quote};

/// The parameters of methods, named as in std, and the methods that have these.
const METHODS: &[(&[&str], &str)] = &[
    (
        &[],
        "abs acos acosh asin asinh atan atanh cast_signed cast_unsigned cbrt ceil checked_abs \
         checked_ilog10 checked_ilog2 checked_isqrt checked_neg checked_next_power_of_two cos cosh \
         count_ones count_zeros exp exp2 exp_m1 floor fract ilog10 ilog2 is_finite is_infinite is_nan \
         is_negative is_none is_normal is_positive is_power_of_two is_sign_negative is_sign_positive \
         is_some is_subnormal isqrt leading_ones leading_zeros ln ln_1p log10 log2 next_down \
         next_power_of_two next_up overflowing_abs overflowing_neg recip reverse_bits round round_ties_even \
         saturating_abs saturating_neg signum sin sin_cos sinh sqrt strict_abs strict_neg swap_bytes tan \
         tanh to_be to_bits to_degrees to_f32 to_f64 to_le to_radians trailing_ones trailing_zeros trunc \
         unsigned_abs wrapping_abs wrapping_neg",
    ),
    (&[], ASCII),
    (
        &["rhs"],
        "checked_add checked_add_signed checked_add_unsigned checked_div checked_div_euclid checked_mul \
         checked_next_multiple_of checked_rem checked_rem_euclid checked_shl checked_shr \
         checked_signed_diff checked_sub checked_sub_signed checked_sub_unsigned div_ceil div_euclid \
         is_multiple_of midpoint next_multiple_of overflowing_add overflowing_add_signed \
         overflowing_add_unsigned overflowing_div overflowing_div_euclid overflowing_mul overflowing_rem \
         overflowing_rem_euclid overflowing_shl overflowing_shr overflowing_sub overflowing_sub_signed \
         overflowing_sub_unsigned rem_euclid saturating_add saturating_add_signed saturating_add_unsigned \
         saturating_div saturating_mul saturating_sub saturating_sub_signed saturating_sub_unsigned \
         strict_add strict_add_signed strict_add_unsigned strict_div strict_div_euclid strict_mul \
         strict_rem strict_rem_euclid strict_shl strict_shr strict_sub strict_sub_signed \
         strict_sub_unsigned unbounded_shl unbounded_shr wrapping_add wrapping_add_signed \
         wrapping_add_unsigned wrapping_div wrapping_div_euclid wrapping_mul wrapping_rem \
         wrapping_rem_euclid wrapping_shl wrapping_shr wrapping_sub wrapping_sub_signed \
         wrapping_sub_unsigned",
    ),
    (&["other"], "abs_diff atan2 hypot max min"),
    (&["n"], "powf powi rotate_left rotate_right"),
    (&["exp"], "checked_pow overflowing_pow pow saturating_pow strict_pow wrapping_pow"),
    (&["base"], "checked_ilog ilog log"),
    (&["sign"], "copysign"),
    (&["default"], "unwrap_or"),
    (&["value"], "then_some"),
    (&["min", "max"], "clamp"),
    (&["a", "b"], "mul_add"),
    (&["rhs", "carry"], "carrying_add carrying_mul"),
    (&["rhs", "carry", "add"], "carrying_mul_add"),
    (&["rhs", "borrow"], "borrowing_sub"),
];

/// Methods of `u8`.
const ASCII: &str = "is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control is_ascii_digit is_ascii_graphic \
                     is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace \
                     to_ascii_lowercase to_ascii_uppercase";

/// Functions of a number's type that have no receiver, and the builder's method with the types that the builder infers.
const FUNCTIONS: &[(&str, &str, bool)] = &[
    ("from_bits", "from_bits", false),
    ("from_f32", "from_f32", false),
    ("from_f64", "from_f64", false),
    ("from", "convert", true),
    ("try_from", "try_convert", true),
    ("from_be", "to_be", false),
    ("from_le", "to_le", false),
    ("from_be_bytes", "from_be_bytes", false),
    ("from_le_bytes", "from_le_bytes", false),
    ("from_ne_bytes", "from_le_bytes", false),
];

/// The constants that a type parameter has, and the builder's methods.
const CONSTANTS: [(&str, &str); 5] =
    [("ZERO", "zero"), ("ONE", "one"), ("MIN", "least"), ("MAX", "greatest"), ("BITS", "width")];

/// The parameters of a numeric method.
fn parameters(name: &str) -> Option<&'static [&'static str]> {
    let has = |methods: &str| methods.split(' ').any(|method| method == name);
    METHODS.iter().find(|(_, methods)| has(methods)).map(|&(parameters, _)| parameters)
}

/// The names of all methods.
#[cfg(test)]
pub(super) fn methods() -> impl Iterator<Item = &'static str> {
    METHODS.iter().flat_map(|(_, methods)| methods.split_ascii_whitespace())
}

/// Whether a method of this name is one of bytes, which takes `&self`.
pub(super) fn is_ascii(name: &str) -> bool {
    ASCII.split_ascii_whitespace().any(|method| method == name)
}

/// Whether a method of this name is one of numbers.
pub(super) fn is_method(name: &str) -> bool {
    parameters(name).is_some()
}

impl Emitter<'_> {
    /// `x.min(y)`, if it is a numeric method.
    pub(super) fn numeric_method(&mut self, call: &ExprMethodCall, name: &str) -> Option<TokenStream> {
        let parameters = parameters(name)?;
        self.no_turbofish(call);
        if !self.expect_arguments(&call.method, name, &call.args, parameters) {
            return Some(quote!(()));
        }
        let operands = match self.item(&call.receiver) {
            Some(name) => {
                let (seen, place) = (self.before_point(&call.receiver), self.spans.place(&*call.receiver));
                let seen = self.call_at(&place, "hold", name.span(), &seen);
                std::iter::once(seen).chain(self.operands(&call.args)).collect()
            }
            // `x.first().unwrap_or(&0)`
            None if let Some(Expr::Reference(default)) = call.args.first().map(bare)
                && self.is_optional(&call.receiver) =>
            {
                self.operands([&*call.receiver, &*default.expr])
            }
            None => self.operands(std::iter::once(&*call.receiver).chain(&call.args)),
        };
        Some(self.call(call, name, call.method.span(), &quote!(#(#operands),*)))
    }

    /// `std::cmp::max(a, b)`, if it is a function of that module.
    pub(super) fn comparing_function(&mut self, call: &ExprCall) -> Option<TokenStream> {
        let (path, name) = comparing(call)?;
        let text = name.to_string();
        let mut function = path.clone();
        function.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
        let span = name.span();
        self.std_paths
            .entry(function.to_token_stream().to_string())
            .or_insert_with(|| quote_spanned!(span=> let _: fn(u32, u32) -> u32 = #function;));
        if !self.expect_arguments(&call.func, &text, &call.args, &["a", "b"]) {
            return Some(quote!(()));
        }
        let operands = self.operands(&call.args);
        Some(self.call(call, &text, name.span(), &quote!(#(#operands),*)))
    }

    /// `T::default()` of a type parameter, `Default::default()`, or that of the host for a type that is known.
    pub(super) fn default_value(&mut self, call: &ExprCall) -> Option<TokenStream> {
        if let Some((ty, name)) = default_of_associated(call) {
            self.expect_arguments(&call.func, "default", &call.args, &[]);
            let place = self.spans.place(call);
            return Some(self.call_typed(&place, "default_value", name.span(), &ty, &TokenStream::new()));
        }
        let (ty, function) = function(call)?;
        if function.ident != "default" {
            return None;
        }
        self.expect_arguments(&call.func, "default", &call.args, &[]);
        let name = &ty.ident;
        let place = self.spans.place(call);
        if bounds::has_default(&self.kernel.function.sig.generics, name) {
            return Some(self.call_typed(
                &place,
                "default_value",
                function.ident.span(),
                &quote!(#name),
                &TokenStream::new(),
            ));
        }
        let of = if name == "Default" {
            quote!(_)
        } else if self.kernel.is_type_parameter(&parse_quote!(#name)) {
            quote!(#name)
        } else {
            let function = &call.func;
            return Some(quote!(#function()));
        };
        let method = if name == "Default" { self.default_method() } else { "zero" };
        Some(self.call_typed(&place, method, function.ident.span(), &of, &TokenStream::new()))
    }

    /// The builder's method for the default of a type that is not named. One that may be a type parameter is a number's.
    pub(super) fn default_method(&self) -> &'static str {
        let is_generic = self.kernel.function.sig.generics.type_params().next().is_some();
        if is_generic { "zero" } else { "default_value" }
    }

    /// `T::MAX` and the like, of a type parameter.
    pub(super) fn constant_of_type(&mut self, path: &ExprPath) -> Option<TokenStream> {
        let mut segments = path.path.segments.iter().map(|segment| &segment.ident).rev();
        let (Some(name), Some(of)) = (segments.next(), segments.next()) else { return None };
        let (ty, is_named) = match &path.qself {
            Some(qself) => (&*qself.ty, false),
            None if path.path.segments.len() == 2 => (&parse_quote!(#of), true),
            None => return None,
        };
        let is_constant = name.to_string().chars().all(|letter| !letter.is_lowercase());
        if !is_constant || !self.kernel.is_type_parameter(ty) {
            return None;
        }
        let known = CONSTANTS.iter().find(|(constant, _)| is_named && name == constant);
        if !is_named || bounds::has_bounds_of_users(&self.kernel.function.sig.generics, of) {
            // rustc knows whether a user's trait has it.
            let private = paths::private(Span::call_site());
            let imported = known.map(|_| {
                quote! {
                    #[allow(unused_imports, reason = "a trait of the user's may have the constant")]
                    use #private::{IntLimits as _, NumLimits as _, ScalarLimits as _};
                }
            });
            let place = self.spans.place(name);
            let constant = quote!({ #imported #path });
            return Some(self.call_at(&place, "constant_of_type", name.span(), &constant));
        }
        let (_, method) = known?;
        let place = self.spans.place(name);
        Some(self.call_typed(&place, method, name.span(), &quote!(#ty), &TokenStream::new()))
    }

    /// `f32::min(x, y)`, `f32::from_bits(x)`, if it is a function of a number's type.
    pub(super) fn numeric_function(&mut self, call: &ExprCall) -> Option<TokenStream> {
        let (ty, function) = function(call)?;
        let name = function.ident.to_string();
        let ident = &ty.ident;
        // Of another type it may be a user's.
        if !is_of_std(&ident.to_string()) && !self.kernel.is_type_parameter(&parse_quote!(#ident)) {
            return None;
        }
        let mut given = vec!["self"];
        let (method, infers) = match FUNCTIONS.iter().find(|(function, ..)| name == *function) {
            Some(&(_, method, infers)) => {
                given = vec!["value"];
                (method, infers)
            }
            None => {
                given.extend(parameters(&name)?);
                (name.as_str(), false)
            }
        };
        if !self.expect_arguments(&call.func, &name, &call.args, &given) {
            return Some(quote!(()));
        }
        let operands = match (method, call.args.first()) {
            ("try_convert", Some(value)) => vec![self.convertible(value)],
            _ => self.operands(&call.args),
        };
        let ty = &ty.ident;
        let place = self.spans.place(call);
        // What a type parameter can be made of, its bounds say: `T: From<u8>`.
        let generic = method == "convert" && self.kernel.is_type_parameter(&parse_quote!(#ty));
        let converted = generic && bounds::is_converted(&self.kernel.function.sig.generics, ty);
        // Of a struct, a user's `From` for the number's type.
        let is_number = call.args.first().is_none_or(|value| self.known.is_scalar(bare(value)));
        let converted = converted || method == "convert" && !generic && !is_number;
        let method = match (converted, generic) {
            (true, _) => "converted",
            (false, true) => "convert_number",
            (false, false) => method,
        };
        // Where there is no such conversion, rustc points at the place of the type that it inferred.
        let from = quote_spanned!(place.extent.first=> _);
        let types = if infers { quote!(#ty, #from) } else { quote!(#ty) };
        Some(self.call_typed(&place, method, function.ident.span(), &types, &quote!(#(#operands),*)))
    }
}

/// The function that is called of `std::cmp`: its path and its name.
pub(super) fn comparing(call: &ExprCall) -> Option<(&Path, &Ident)> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return None };
    let mut segments = path.segments.iter().rev();
    let (name, module) = (&segments.next()?.ident, &segments.next()?.ident);
    (module == "cmp" && (name == "max" || name == "min")).then_some((path, name))
}

/// Whether building the call may emit statements, apart from its arguments, if it is one of a number's function.
pub(super) fn function_emits(call: &ExprCall) -> Option<bool> {
    if comparing(call).is_some() {
        return Some(false);
    }
    let (ty, function) = function(call)?;
    if function.ident == "default" {
        return Some(false);
    }
    // A user's, for all that is known.
    if !is_of_std(&ty.ident.to_string()) {
        return None;
    }
    of_numbers_emits(call)
}

/// As [`function_emits`], of a type that is a number's.
pub(super) fn of_numbers_emits(call: &ExprCall) -> Option<bool> {
    let (_, function) = function(call)?;
    let name = function.ident.to_string();
    let known = FUNCTIONS.iter().any(|(function, ..)| name == *function) || parameters(&name).is_some();
    known.then(|| emits(&name))
}

/// Whether a type is a number's or an option, whose functions are those of `std`.
fn is_of_std(ty: &str) -> bool {
    is_scalar(ty) || matches!(ty, "Option" | "Result")
}

/// The name of the function, if a call is one of a type that may be a user's or another name of a number's, by a name that numbers
/// have, too.
pub(super) fn perhaps_of_number(call: &ExprCall) -> Option<&Ident> {
    let (ty, function) = function(call)?;
    let name = function.ident.to_string();
    let has_other = FUNCTIONS.iter().any(|(function, ..)| name == *function && !name.ends_with("from"));
    (!is_of_std(&ty.ident.to_string()) && (has_other || super::shared::is_numbers(&name))).then_some(&function.ident)
}

/// How many parameters a number's function has, if a path is one of it: `f32::sqrt`.
pub(super) fn parameters_of(path: &Path) -> Option<usize> {
    let mut segments = path.segments.iter();
    let (Some(ty), Some(function), None) = (segments.next(), segments.next(), segments.next()) else { return None };
    if !is_scalar(&ty.ident.to_string()) {
        return None;
    }
    let name = function.ident.to_string();
    if FUNCTIONS.iter().any(|(function, ..)| name == *function) {
        return Some(1);
    }
    parameters(&name).map(|parameters| 1 + parameters.len())
}

/// Whether it is a call of `default`, of whatever type.
pub(super) fn is_default(call: &ExprCall) -> bool {
    function(call).is_some_and(|(_, name)| name.ident == "default") || default_of_associated(call).is_some()
}

/// `P::Value` of `P::Value::default()`, also as `<P::Value>::default()` and `<P::Value as Default>::default()`; and the name.
fn default_of_associated(call: &ExprCall) -> Option<(TokenStream, &Ident)> {
    let Expr::Path(ExprPath { qself, path: Path { segments, .. }, .. }) = bare(&call.func) else { return None };
    let mut names: Vec<&Ident> = segments.iter().map(|segment| &segment.ident).collect();
    let name = names.pop().filter(|name| *name == "default")?;
    let is_upper = |name: &Ident| name.to_string().trim_start_matches('_').starts_with(|c: char| c.is_uppercase());
    let Some(of) = qself else {
        let [ty, value] = names[..] else { return None };
        return (is_upper(ty) && is_upper(value)).then(|| (quote!(#ty::#value), name));
    };
    let (ty, position) = (&of.ty, of.position);
    match names[position..] {
        // Of `<P as Payoff>::Value`, the trait's path stands before the position.
        [value] if position > 0 => {
            let of_trait = segments.iter().take(position);
            Some((quote!(<#ty as #(#of_trait)::*>::#value), name))
        }
        [] if names.last().is_none_or(|last| *last == "Default") => Some((quote!(#ty), name)),
        _ => None,
    }
}

/// The type and the name of `f32::sqrt`: a path of two, of which the first is a type.
fn function(call: &ExprCall) -> Option<(&syn::PathSegment, &syn::PathSegment)> {
    let Expr::Path(ExprPath { qself: None, path: Path { segments, .. }, .. }) = bare(&call.func) else {
        return None;
    };
    let mut segments = segments.iter();
    let (Some(ty), Some(function), None) = (segments.next(), segments.next(), segments.next()) else { return None };
    let is_type = |name: &str| SCALARS.contains(&name) || name.starts_with(|c: char| c.is_uppercase());
    // Of another type it is a function of the user's.
    let is_ours = function.ident != "try_from" || is_scalar(&ty.ident.to_string());
    (is_ours && is_type(&ty.ident.to_string())).then_some((ty, function))
}

/// The types whose functions a kernel can call; others begin with a capital letter.
const SCALARS: [&str; 15] =
    ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "bool", "usize", "isize", "f16", "bf16"];

/// Whether a name is a scalar type's.
pub(crate) fn is_scalar(name: &str) -> bool {
    SCALARS.contains(&name)
}

/// Whether building a call of the method may emit statements, apart from its receiver and arguments.
pub(super) fn emits(name: &str) -> bool {
    name.starts_with("checked_")
        || name.starts_with("overflowing_")
        || name.starts_with("unbounded_")
        || name.ends_with("_signed")
        || name.ends_with("_unsigned")
        || name.contains("_ascii")
        || [
            "borrowing_sub",
            "carrying_add",
            "carrying_mul",
            "carrying_mul_add",
            "midpoint",
            "next_down",
            "next_up",
            "saturating_abs",
            "saturating_div",
        ]
        .contains(&name)
        || ["sin_cos", "unwrap_or", "then_some", "try_from", "try_into"].contains(&name)
}
