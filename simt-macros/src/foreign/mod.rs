//! The words of CUDA, OpenCL and the standard library that users write first, and their names in the kernel language.

mod c;
mod cuda;
mod numbers;
mod types;

use proc_macro2::Ident;
use syn::Path;

/// Names, and what to write instead. Of what stands in braces, a name has one: `surf1D{read,write}`, `sinpi{,f}`.
type Row = (&'static str, &'static str);

/// The help for a name of CUDA's or OpenCL's, if it is one.
///
/// Names that Rust code does not use, and that a path may still lead to (`self::atomicAdd(..)`): every function of the
/// user's can be called.
pub(crate) fn word(name: &Ident) -> Option<String> {
    find(cuda::WORDS, name).or_else(|| find(numbers::WORDS, name))
}

/// The help for a name that is called.
pub(crate) fn called(name: &Ident) -> Option<String> {
    let function = || Some(format!("{}; a function of your own is `self::{name}(..)`", find(c::FUNCTIONS, name)?));
    word(name).or_else(function)
}

/// The help for a path of C++'s, with a namespace.
pub(crate) fn path(path: &Path) -> Option<String> {
    let names: Vec<_> = path.segments.iter().take(2).map(|segment| segment.ident.to_string()).collect();
    let name = names.join("::");
    advice(cuda::PATHS, &name).map(|advice| format!("{}; one of your own is `self::{name}`", help(&name, advice)))
}

fn find(rows: &[Row], name: &Ident) -> Option<String> {
    let name = name.to_string();
    advice(rows, &name).map(|advice| help(&name, advice))
}

fn help(name: &str, advice: &str) -> String {
    let what =
        if advice.starts_with("write") { "has another name in a kernel" } else { "is not in the kernel language" };
    format!("`{name}` {what}: {advice}")
}

fn advice(rows: &[Row], name: &str) -> Option<&'static str> {
    rows.iter().find(|(names, _)| fits(names, name)).map(|(_, advice)| *advice)
}

/// Whether a name is one of those that a row stands for.
fn fits(names: &str, name: &str) -> bool {
    let Some((before, rest)) = names.split_once('{') else { return names == name };
    let (choices, behind) = rest.split_once('}').unwrap_or((rest, ""));
    let ends =
        name.strip_prefix(before).into_iter().flat_map(|end| choices.split(',').map(|one| end.strip_prefix(one)));
    ends.flatten().any(|end| fits(behind, end))
}

/// Functions of the standard library that users call by their path: the last two names of it.
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("mem", "transmute", "write `to_bits` and `from_bits`"),
    ("thread", "yield_now", "remove it: a loop that waits needs no hint"),
    ("atomic", "fence", "write `fence_device()`, or `fence_block()`"),
    ("thread", "spawn", "the launch has the threads: `Grid::new(blocks, threads)` says how many"),
    ("thread", "scope", "the launch has the threads: `Grid::new(blocks, threads)` says how many"),
    ("thread", "sleep", "remove it: a thread waits at `sync_threads()`, or in a loop until an atomic has changed"),
    ("thread", "current", "write `global_id()`, the number of the thread"),
    (
        "Instant",
        "now",
        "measure around the launch; `Report::clock` of a machine with a clock has the cycles of each line",
    ),
    ("SystemTime", "now", "pass the time as a parameter"),
    ("File", "open", "the host reads files, and passes a slice"),
    ("File", "create", "the kernel writes to a `&mut [T]`, which the host writes to the file"),
    ("fs", "read", "the host reads files, and passes a slice"),
    ("fs", "write", "the kernel writes to a `&mut [T]`, which the host writes to the file"),
    ("fs", "read_to_string", "the host reads files, and passes a slice"),
    ("io", "stdin", "the host reads its input, and passes a slice"),
    ("io", "stdout", "write `println!`, whose lines the report collects"),
    ("process", "exit", "write `return` to end the thread, or `panic!(\"what went wrong\")` to end the launch"),
    ("process", "abort", "write `panic!(\"what went wrong\")`, which ends the launch"),
    ("env", "var", "the host reads it, and passes it as a parameter"),
    ("env", "args", "the host reads them, and passes them as parameters"),
    ("rand", "random", RANDOM),
    ("rand", "thread_rng", RANDOM),
    ("rand", "rng", RANDOM),
    ("cooperative_groups", "this_grid", "write `sync_grid()` for its barrier, `global_id()` for its `thread_rank()`"),
    (
        "cooperative_groups",
        "this_thread_block",
        "write `sync_threads()` for its barrier, `thread_idx().x` for its `thread_rank()`",
    ),
    ("thread", "index_1d", "write `global_id()`"),
    ("thread", "index_2d", "write `global_id_2d()`"),
    ("thread", "thread_idx_x", "write `thread_idx().x`"),
    ("thread", "block_idx_x", "write `block_idx().x`"),
    ("thread", "block_dim_x", "write `block_dim().x`"),
    ("thread", "sync_threads", "write `sync_threads()`"),
    ("mem", "size_of", "write the number of bytes"),
    ("ptr", "read", "write `x[i]`: every access is checked"),
    ("ptr", "write", "write `x[i] = value;`: every access is checked"),
    ("ptr", "null", "write `Option<T>`"),
    ("ptr", "null_mut", "write `Option<T>`"),
];

const RANDOM: &str =
    "compute the numbers from `global_id()` and a seed that is passed: `s ^= s << 13; s ^= s >> 17; s ^= s << 5;`";

/// The help for a type of the standard library's, by its name, or of CUDA's.
pub(crate) fn ty(path: &Path) -> Option<String> {
    let last = path.segments.last().map(|segment| &segment.ident)?;
    if types::is_named(last) {
        return types::help(path, last);
    }
    if path.segments.len() > 1 {
        return self::path(path);
    }
    let advice = advice(cuda::TYPES, &last.to_string())?;
    Some(format!("`{last}` is not a type of the kernel language: {advice}; a type of your own is `self::{last}`"))
}

/// The help for a function of the standard library's, if a path ends so.
pub(crate) fn function(path: &Path) -> Option<String> {
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    let (name, module) = (names.next()?, names.next()?);
    if types::is_named(module) {
        return types::help(path, module);
    }
    let (.., advice) = FUNCTIONS.iter().find(|row| module == row.0 && name == row.1)?;
    Some(format!("a kernel cannot call `{module}::{name}`: {advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{kernel, messages};

    /// The names that a row stands for.
    fn names(names: &str) -> Vec<String> {
        let Some((before, rest)) = names.split_once('{') else { return vec![names.to_string()] };
        let (choices, behind) = rest.split_once('}').expect("a brace closes");
        let ends = self::names(behind);
        let all = choices.split(',').flat_map(|one| ends.iter().map(move |end| format!("{before}{one}{end}")));
        all.collect()
    }

    fn all<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<(String, &'a str)> {
        rows.into_iter().flat_map(|(row, advice)| names(row).into_iter().map(move |name| (name, *advice))).collect()
    }

    #[test]
    fn braces_are_choices() {
        assert_eq!(names("a{b,c}_{,d}"), ["ab_", "ab_d", "ac_", "ac_d"]);
        for name in names("a{b,c}_{,d}") {
            assert!(fits("a{b,c}_{,d}", &name), "{name}");
        }
        for name in ["", "a", "ab", "ad_", "ab_d_", "abc_", "xab_"] {
            assert!(!fits("a{b,c}_{,d}", name), "{name}");
        }
        // One choice begins as another does.
        assert!(fits("x{,Lod,LodGrad}s", "xLodGrads"));
    }

    #[test]
    fn each_name_stands_once() {
        for table in
            [all(cuda::WORDS.iter().chain(numbers::WORDS).chain(c::FUNCTIONS)), all(cuda::TYPES), all(cuda::PATHS)]
        {
            let mut seen = std::collections::BTreeSet::new();
            let twice: Vec<_> = table.into_iter().filter(|(name, _)| !seen.insert(name.clone())).collect();
            assert_eq!(twice, []);
        }
    }

    /// Each row, written in a kernel as a value and as a function, is one error, with the row's help.
    #[test]
    fn each_word_is_told_what_it_is_called_here() {
        for (name, advice) in all(cuda::WORDS.iter().chain(numbers::WORDS)) {
            for body in [format!("let a = {name};"), format!("y[0] = {name}(n, 1) + 1;"), format!("{name}(&y[0], 1);")]
            {
                assert_eq!(
                    messages(kernel(&format!("fn k(n: u32, y: &mut [u32]) {{ {body} }}"))),
                    [help(&name, advice)],
                    "{body}"
                );
            }
        }
    }

    /// As above, for names that are only recognised in calls.
    #[test]
    fn each_function_of_c_is_told_what_it_is_called_here() {
        for (name, advice) in all(c::FUNCTIONS) {
            for body in [format!("y[0] = {name}(n, 1) + 1;"), format!("{name}(\"%d\", y[0]);")] {
                let expected = format!("{}; a function of your own is `self::{name}(..)`", help(&name, advice));
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
    fn each_type_of_cuda_is_told_what_to_write() {
        for (name, advice) in all(cuda::TYPES) {
            let expected = format!(
                "`{name}` is not a type of the kernel language: {advice}; a type of your own is `self::{name}`"
            );
            for text in [
                format!("fn k(x: &mut [{name}]) {{}}"),
                format!("fn k(x: {name}) {{}}"),
                format!("fn k(x: &[u32]) {{ let a: {name} = x[0]; }}"),
            ] {
                assert_eq!(messages(kernel(&text)), [&*expected], "{text}");
            }
            let own = format!("fn k(x: &mut [self::{name}]) {{}}");
            assert!(messages(kernel(&own)).is_empty(), "{own}");
        }
    }

    #[test]
    fn each_path_of_cpp_is_told_what_to_write() {
        for (name, advice) in all(cuda::PATHS) {
            for body in [
                format!("let a = {name}(n, n);"),
                format!("{name}::of(n);"),
                format!("let a = {name};"),
                format!("let a: {name} = n;"),
            ] {
                let text = format!("fn k(n: u32) {{ {body} }}");
                let expected = format!("{}; one of your own is `self::{name}`", help(&name, advice));
                assert_eq!(messages(kernel(&text)), [expected], "{body}");
            }
            let own = format!("fn k(n: u32) {{ let a = self::{name}(n); }}");
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
