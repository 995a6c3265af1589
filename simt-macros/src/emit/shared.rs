//! Names of methods that numbers, slices and structs of users may have: `p.min(q)`, `p.len()`.
//!
//! Where what stands before the point is no number and no memory for certain, rustc finds out which is meant.

use super::known::Known;
use super::own::{self, is_known_method};
use super::{Emitter, atomic, bare};
use syn::{Expr, ExprLit, ExprMethodCall, Lit};

/// Methods of numbers that structs may have, too: see the builder's `number_names`.
const OF_NUMBERS: &str = "min max clamp div_euclid rem_euclid abs signum pow abs_diff count_ones count_zeros leading_zeros trailing_zeros \
                          reverse_bits rotate_left rotate_right wrapping_add wrapping_sub wrapping_mul saturating_add saturating_sub \
                          saturating_mul checked_add checked_sub checked_mul checked_div is_positive is_negative is_power_of_two sqrt \
                          recip hypot mul_add floor ceil round trunc fract sin cos tan atan2 exp ln powf powi is_nan is_finite is_infinite \
                          cbrt asin acos atan sinh cosh tanh asinh acosh atanh exp2 exp_m1 ln_1p log2 log10 to_degrees \
                          to_radians round_ties_even is_sign_negative is_sign_positive to_bits to_f32 to_f64 copysign log isqrt \
                          swap_bytes wrapping_neg wrapping_abs ilog2 ilog10 leading_ones trailing_ones unsigned_abs \
                          next_power_of_two ilog wrapping_div wrapping_rem wrapping_div_euclid wrapping_rem_euclid \
                          wrapping_shl wrapping_shr wrapping_pow saturating_pow div_ceil next_multiple_of is_multiple_of \
                          overflowing_add overflowing_sub overflowing_mul overflowing_neg overflowing_pow checked_neg \
                          checked_rem checked_shl checked_shr checked_pow sin_cos then_some is_ascii is_ascii_alphabetic \
                          is_ascii_alphanumeric is_ascii_control is_ascii_digit is_ascii_graphic is_ascii_hexdigit \
                          is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace to_ascii_lowercase \
                          to_ascii_uppercase cast_signed cast_unsigned checked_abs checked_ilog10 checked_ilog2 checked_isqrt \
                          checked_next_power_of_two overflowing_abs saturating_abs saturating_neg strict_abs strict_neg to_be to_le \
                          checked_add_signed checked_add_unsigned checked_div_euclid checked_next_multiple_of checked_rem_euclid \
                          checked_signed_diff checked_sub_signed checked_sub_unsigned midpoint overflowing_add_signed \
                          overflowing_add_unsigned overflowing_div overflowing_div_euclid overflowing_rem overflowing_rem_euclid \
                          overflowing_shl overflowing_shr overflowing_sub_signed overflowing_sub_unsigned saturating_add_signed \
                          saturating_add_unsigned saturating_div saturating_sub_signed saturating_sub_unsigned strict_add \
                          strict_mul strict_shl strict_shr strict_sub unbounded_shl unbounded_shr wrapping_add_signed \
                          wrapping_add_unsigned wrapping_sub_signed wrapping_sub_unsigned strict_pow checked_ilog carrying_add \
                          borrowing_sub carrying_mul carrying_mul_add strict_div strict_rem strict_div_euclid strict_rem_euclid \
                          strict_add_signed strict_sub_signed strict_add_unsigned strict_sub_unsigned \
                          is_normal is_subnormal next_up next_down";

/// Methods of options, results and `bool` that structs may have, too: see the builder's `option_names`.
const OF_OPTIONS: &str = "is_some is_none is_ok is_err ok err ok_or unwrap expect unwrap_or unwrap_or_default";

/// Methods of slices and arrays that structs may have, too.
const OF_SLICES: &str = "len is_empty contains fill swap copy_from_slice";

/// Whether a method of this name has a number or a `bool` for a value, also that of a struct.
pub(super) fn gives_scalar(call: &ExprMethodCall) -> bool {
    const NAMES: &str = "len is_empty contains is_nan is_finite is_infinite is_some is_none is_ok is_err";
    NAMES.split(' ').any(|name| call.method == name)
}

/// Whether it is a method of numbers that a struct may have, too.
pub(super) fn is_numbers(name: &str) -> bool {
    OF_NUMBERS.split_ascii_whitespace().any(|known| known == name)
}

/// Whether it is a method of options that a struct may have, too.
pub(super) fn is_options(name: &str) -> bool {
    OF_OPTIONS.split(' ').any(|known| known == name)
}

/// Whether it is a method of numbers, slices or options that a struct may have, too.
fn is_shared(name: &str) -> bool {
    is_numbers(name) || is_options(name) || OF_SLICES.split_ascii_whitespace().any(|known| known == name)
}

impl Emitter<'_> {
    /// Whether a call may be one of a struct's own method.
    pub(super) fn may_be_own(&self, call: &ExprMethodCall) -> bool {
        self.known.may_be_own(call) && !(is_options(&call.method.to_string()) && self.is_optional(&call.receiver))
    }

    /// Whether an expression has elements for certain, and methods of slices: not those of a struct.
    pub(super) fn is_memory_for_certain(&self, expr: &Expr) -> bool {
        match bare(expr) {
            name @ Expr::Path(_) => self.known.is_named_memory(name) || self.table_name(name).is_some(),
            Expr::Index(index) => super::memory::range_of(index).is_some(),
            Expr::Reference(reference) => self.is_memory_for_certain(&reference.expr),
            Expr::Array(_) | Expr::Repeat(_) | Expr::Lit(_) => true,
            _ => false,
        }
    }
}

impl Known {
    /// Whether a call may be one of a struct's own method, although numbers or slices have one of this name.
    pub(super) fn may_be_own(&self, call: &ExprMethodCall) -> bool {
        let is_atomics = || call.method == "swap" && super::method::is_atomic_swap(call);
        let name = call.method.to_string();
        is_shared(&name)
            && !is_atomics()
            && !super::ends::is_end(call, self)
            && match is_options(&name) {
                // A number has none of its own.
                true => {
                    (self.is_scalar(&call.receiver) || self.may_be_struct(&call.receiver))
                        && self.may_be_no_option(call)
                }
                false => self.may_be_struct(&call.receiver),
            }
    }

    /// Whether a method that options have is called of what may be another.
    fn may_be_no_option(&self, call: &ExprMethodCall) -> bool {
        let is_of_other = match bare(&call.receiver) {
            Expr::MethodCall(inner) => own::is_own(inner) && !super::ends::is_end(inner, self),
            Expr::Call(inner) => super::options::constructor(inner).is_none(),
            Expr::Binary(_) => false,
            _ => true,
        };
        let is_options_own = match call.args.first().map(bare) {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) => call.method == "expect",
            // What `x.get(i)` has is a reference.
            Some(Expr::Reference(_)) => call.method == "unwrap_or",
            _ => false,
        };
        is_of_other && !is_options_own
    }

    /// Whether an expression may be a struct: what is no number and no memory for certain.
    fn may_be_struct(&self, expr: &Expr) -> bool {
        let is_constant = |path: &syn::ExprPath| {
            path.path.segments.last().is_some_and(|last| !last.ident.to_string().contains(char::is_lowercase))
        };
        match bare(expr) {
            // What is so deep within memory is an array or a number.
            deep if is_within_arrays(deep) => false,
            name @ Expr::Path(path) => !is_constant(path) && !self.is_named_memory(name) && !self.is_scalar(name),
            Expr::Index(index) => super::memory::range_of(index).is_none() && !self.is_scalar(expr),
            Expr::Field(_)
            | Expr::Unary(_)
            | Expr::MethodCall(_)
            | Expr::Call(_)
            | Expr::Struct(_)
            | Expr::Binary(_) => !self.is_scalar(expr),
            _ => false,
        }
    }
}

/// Whether it is a part of an array that is itself a part: `a[i][k]`, `p.at[k].v`.
fn is_within_arrays(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Field(field) => is_within_arrays(&field.base),
        Expr::Index(index) => !matches!(bare(&index.expr), Expr::Path(_)) || is_within_arrays(&index.expr),
        _ => false,
    }
}

/// Whether a name means a method in kernels that no struct's own can have.
pub(crate) fn is_taken(name: &str) -> bool {
    const OTHERS: [&str; 4] = ["store", "copy_within", "iter", "iter_mut"];
    is_known_method(name) && !is_shared(name) && !atomic::is_operation(name) && !OTHERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::super::numeric;
    use super::*;

    #[test]
    fn structs_have_methods_by_the_names_of_all_numbers() {
        let taken: Vec<&str> = numeric::methods().filter(|name| is_taken(name)).collect();
        assert_eq!(taken, [""; 0]);
    }

    /// As the page on the language has them.
    #[test]
    fn few_names_are_taken() {
        const TAKEN: &str = "into try_into into_iter enumerate rev step_by clone load_volatile load_ca load_cg load_cs load_cv \
                             store_volatile store_wb store_cg store_cs store_wt";
        assert!(TAKEN.split_whitespace().all(is_taken));
        assert!(!["iter", "iter_mut", "expect", "and_then", "carrying_add", "into_inner"].into_iter().any(is_taken));
    }

    #[test]
    fn structs_have_methods_by_the_names_of_options() {
        assert!(!is_shared("map") && OF_OPTIONS.split(' ').all(|name| is_shared(name) && !is_taken(name)));
    }
}
