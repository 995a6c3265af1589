//! The words of CUDA, OpenCL and the standard library that users write first, and their names in the kernel language.

use proc_macro2::Ident;

/// A word, and what to write instead.
type Row = (&'static str, &'static str);

/// Names of CUDA and OpenCL, as values and as functions.
const WORDS: &[Row] = &[
    ("threadIdx", "write `thread_idx().x`, and `global_id()` for the thread's number in the grid"),
    ("blockIdx", "write `block_idx().x`"),
    ("blockDim", "write `block_dim().x`"),
    ("gridDim", "write `grid_dim().x`"),
    ("warpSize", "pass it as a parameter, or a constant: the machine's is `GpuConfig::warp_width`"),
    ("__syncthreads", "write `sync_threads()`"),
    ("__syncthreads_and", "write `sync_threads_and(holds)`"),
    ("__syncthreads_or", "write `sync_threads_or(holds)`"),
    ("__syncthreads_count", "write `sync_threads_count(holds)`"),
    ("__syncwarp", "write `sync_warp()`, or `sync_warp_mask(lanes)`"),
    ("__threadfence", "write `fence_device()`"),
    ("__threadfence_block", "write `fence_block()`"),
    ("__threadfence_system", "write `fence_device()`: nothing else is there to see the memory"),
    ("atomicAdd", "write `x[i].fetch_add(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicSub", "write `x[i].fetch_sub(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicMin", "write `x[i].fetch_min(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicMax", "write `x[i].fetch_max(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicExch", "write `x[i].swap(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicCAS", "write `x[i].compare_exchange(current, new, AcqRel, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicAnd", "write `x[i].fetch_and(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicOr", "write `x[i].fetch_or(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    ("atomicXor", "write `x[i].fetch_xor(value, Relaxed)`, of a parameter `x: &[AtomicU32]`"),
    (
        "atomicInc",
        "write a loop with `compare_exchange`, or `x[i].fetch_add(1, Relaxed)` if it need not wrap at a limit",
    ),
    (
        "atomicDec",
        "write a loop with `compare_exchange`, or `x[i].fetch_sub(1, Relaxed)` if it need not wrap at a limit",
    ),
    ("__shfl_sync", "write `shuffle(value, lane)`, or `shuffle_mask(lanes, value, lane)`"),
    ("__shfl_up_sync", "write `shuffle_up(value, distance)`, or `shuffle_up_mask(lanes, value, distance)`"),
    ("__shfl_down_sync", "write `shuffle_down(value, distance)`, or `shuffle_down_mask(lanes, value, distance)`"),
    ("__shfl_xor_sync", "write `shuffle_xor(value, mask)`, or `shuffle_xor_mask(lanes, value, mask)`"),
    ("__shfl", "write `shuffle(value, lane)`"),
    ("__shfl_up", "write `shuffle_up(value, distance)`"),
    ("__shfl_down", "write `shuffle_down(value, distance)`"),
    ("__shfl_xor", "write `shuffle_xor(value, mask)`"),
    ("__ballot_sync", "write `ballot(holds)`, or `ballot_mask(lanes, holds)`"),
    ("__any_sync", "write `any(holds)`, or `any_mask(lanes, holds)`"),
    ("__all_sync", "write `all(holds)`, or `all_mask(lanes, holds)`"),
    ("__ballot", "write `ballot(holds)`"),
    ("__any", "write `any(holds)`"),
    ("__all", "write `all(holds)`"),
    ("__activemask", "write `active_mask()`"),
    ("__popc", "write `x.count_ones()`"),
    ("__popcll", "write `x.count_ones()`"),
    ("__clz", "write `x.leading_zeros()`"),
    ("__clzll", "write `x.leading_zeros()`"),
    ("__ffs", "write `x.trailing_zeros() + 1`, and 0 if `x` is 0"),
    ("__ffsll", "write `x.trailing_zeros() + 1`, and 0 if `x` is 0"),
    ("__brev", "write `x.reverse_bits()`"),
    ("__ldg", "write `x[i]`, or `x.load_ca(i)`"),
    ("__shared__", "write `#[shared] let mut tile: [f32; 256];`"),
    ("__fmaf_rn", "write `a.mul_add(b, c)`"),
    ("__float_as_uint", "write `x.to_bits()`"),
    ("__uint_as_float", "write `f32::from_bits(x)`"),
    ("get_global_id", "write `global_id()`, or `block_idx().y * block_dim().y + thread_idx().y` along an axis"),
    ("get_local_id", "write `thread_idx().x`"),
    ("get_group_id", "write `block_idx().x`"),
    ("get_local_size", "write `block_dim().x`"),
    ("get_num_groups", "write `grid_dim().x`"),
    ("get_global_size", "write `grid_dim().x * block_dim().x`"),
    ("CLK_LOCAL_MEM_FENCE", "write `sync_threads()` for the barrier"),
    ("CLK_GLOBAL_MEM_FENCE", "write `sync_threads()` for the barrier"),
];

/// Functions of C and CUDA, recognised in calls only: a variable may have any of these names. Names that users also give to
/// functions of their own (`rsqrt`, `fmin`, `clock`) are not among them.
const C_FUNCTIONS: &[Row] = &[
    ("sqrtf", "write `x.sqrt()`"),
    ("rsqrtf", "write `x.sqrt().recip()`"),
    ("cbrtf", "write `x.cbrt()`"),
    ("fabsf", "write `x.abs()`"),
    ("fmaxf", "write `a.max(b)`"),
    ("fminf", "write `a.min(b)`"),
    ("fmodf", "write `a % b`"),
    ("fmaf", "write `a.mul_add(b, c)`"),
    ("floorf", "write `x.floor()`"),
    ("ceilf", "write `x.ceil()`"),
    ("truncf", "write `x.trunc()`"),
    ("roundf", "write `x.round()`"),
    ("rintf", "write `x.round_ties_even()`"),
    ("powf", "write `x.powf(y)`"),
    ("expf", "write `x.exp()`"),
    ("exp2f", "write `x.exp2()`"),
    ("expm1f", "write `x.exp_m1()`"),
    ("logf", "write `x.ln()`"),
    ("log2f", "write `x.log2()`"),
    ("log10f", "write `x.log10()`"),
    ("log1pf", "write `x.ln_1p()`"),
    ("sinf", "write `x.sin()`"),
    ("cosf", "write `x.cos()`"),
    ("tanf", "write `x.tan()`"),
    ("sincosf", "write `let (sin, cos) = x.sin_cos();`"),
    ("asinf", "write `x.asin()`"),
    ("acosf", "write `x.acos()`"),
    ("atanf", "write `x.atan()`"),
    ("atan2f", "write `y.atan2(x)`"),
    ("sinhf", "write `x.sinh()`"),
    ("coshf", "write `x.cosh()`"),
    ("tanhf", "write `x.tanh()`"),
    ("hypotf", "write `x.hypot(y)`"),
    ("copysignf", "write `x.copysign(sign)`"),
    ("__sinf", "write `x.sin()`"),
    ("__cosf", "write `x.cos()`"),
    ("__expf", "write `x.exp()`"),
    ("__logf", "write `x.ln()`"),
    ("__powf", "write `x.powf(y)`"),
    ("__fdividef", "write `a / b`"),
    ("__saturatef", "write `x.clamp(0.0, 1.0)`"),
    ("printf", "write `println!(\"{}\", x)`, whose lines the report collects"),
    ("assert", "write `assert!(holds)`"),
    ("clock64", "leave it out: `Report::clock` of a machine with a clock has the cycles of each line"),
];

/// The help for a name of CUDA's or OpenCL's, if it is one.
///
/// Names that Rust code does not use, and that a path may still lead to (`self::atomicAdd(..)`): every function of the
/// user's can be called.
pub(crate) fn word(name: &Ident) -> Option<String> {
    find(WORDS, name)
}

/// The help for a name that is called.
pub(crate) fn called(name: &Ident) -> Option<String> {
    let function = || Some(format!("{}; a function of your own is `self::{name}(..)`", find(C_FUNCTIONS, name)?));
    word(name).or_else(function)
}

fn find(rows: &[Row], name: &Ident) -> Option<String> {
    let (_, advice) = rows.iter().find(|(word, _)| name == word)?;
    Some(format!("`{name}` has another name in a kernel: {advice}"))
}

/// Functions of the standard library that users call by their path: the last two names of it.
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("mem", "transmute", "write `to_bits` and `from_bits`"),
    ("array", "from_fn", "write `let mut a = [0; N];` and a loop"),
    ("thread", "yield_now", "remove it: a loop that waits needs no hint"),
    ("atomic", "fence", "write `fence_device()`, or `fence_block()`"),
];

/// The help for a function of the standard library's, if a path ends so.
pub(crate) fn function(module: &str, name: &str) -> Option<String> {
    let (.., advice) = FUNCTIONS.iter().find(|row| (row.0, row.1) == (module, name))?;
    Some(format!("a kernel cannot call `{module}::{name}`: {advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{kernel, messages};

    /// Each row, written in a kernel as a value and as a function, is one error, with the row's help.
    #[test]
    fn each_word_is_told_what_it_is_called_here() {
        for (number, (name, advice)) in WORDS.iter().enumerate() {
            assert!(WORDS[..number].iter().all(|(other, _)| other != name), "`{name}` stands once");
            for body in [format!("let a = {name};"), format!("y[0] = {name}(n, 1) + 1;"), format!("{name}(&y[0], 1);")]
            {
                let expected = format!("`{name}` has another name in a kernel: {advice}");
                assert_eq!(
                    messages(kernel(&format!("fn k(n: u32, y: &mut [u32]) {{ {body} }}"))),
                    [expected],
                    "{body}"
                );
            }
        }
    }

    /// As above, for names that are only recognised in calls.
    #[test]
    fn each_function_of_c_is_told_what_it_is_called_here() {
        for (name, advice) in C_FUNCTIONS {
            let rows = || WORDS.iter().chain(C_FUNCTIONS);
            assert_eq!(rows().filter(|(other, _)| other == name).count(), 1, "`{name}` stands once");
            for body in [format!("y[0] = {name}(n, 1) + 1;"), format!("{name}(\"%d\", y[0]);")] {
                let advice = format!("{advice}; a function of your own is `self::{name}(..)`");
                let expected = format!("`{name}` has another name in a kernel: {advice}");
                let kernel = kernel(&format!("fn k(n: u32, y: &mut [u32]) {{ {body} }}"));
                assert_eq!(messages(kernel), [expected], "{body}");
            }
            let variable = format!("fn k(y: &mut [u32]) {{ let {name} = y[0]; y[1] = {name}; }}");
            assert!(messages(kernel(&variable)).is_empty(), "{variable}");
            let own = format!("fn k(y: &mut [u32]) {{ y[1] = self::{name}(y[0]); }}");
            assert!(messages(kernel(&own)).is_empty(), "{own}");
        }
    }

    #[test]
    fn each_function_of_std_is_told_what_to_write() {
        for (module, name, advice) in FUNCTIONS {
            for body in [format!("std::{module}::{name}(n);"), format!("let a = {module}::{name}(n, n);")] {
                let expected = format!("a kernel cannot call `{module}::{name}`: {advice}");
                assert_eq!(messages(kernel(&format!("fn k(n: u32) {{ {body} }}"))), [expected], "{body}");
            }
        }
    }
}
