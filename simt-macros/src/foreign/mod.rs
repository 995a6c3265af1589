//! The words of CUDA, OpenCL and the standard library that users write first, and their names in the kernel language.

mod cuda;

use cuda::{C_FUNCTIONS, Row, WORDS};
use proc_macro2::Ident;

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

/// Types of the standard library that have memory of their own, or share it with the host, and that no user declares anew.
const TYPES: &[(&str, &str)] = &[
    ("Vec", GROWS),
    ("VecDeque", GROWS),
    ("LinkedList", GROWS),
    ("BinaryHeap", GROWS),
    ("String", "a kernel has no strings: write numbers, or bytes in a `&[u8]`"),
    ("HashMap", TABLE),
    ("HashSet", TABLE),
    ("BTreeMap", TABLE),
    ("BTreeSet", TABLE),
    ("Rc", SHARED),
    ("Arc", SHARED),
    ("RefCell", "a kernel's variables are its own: write `let mut`"),
    ("Mutex", LOCK),
    ("RwLock", LOCK),
];

const GROWS: &str = "pass `&[T]`, or `&mut [T]` to write to it, as `&v` and `&mut v` of the host, or write an array, \
                     `let mut a = [0; 16];`";
const TABLE: &str =
    "a kernel has no tables that grow: write an array, or a slice of keys in which a hash says where to look";
const SHARED: &str =
    "all threads share what is passed as a slice: write `&[T]`, or `&[AtomicU32]` for what they change";
const LOCK: &str = "threads share atomics: write `&[AtomicU32]` or `&AtomicU32`, and `x.fetch_add(value, Relaxed)`";

/// The help for a type of the standard library's, by its name.
pub(crate) fn ty(name: &Ident) -> Option<String> {
    TYPES.iter().find(|row| name == row.0).map(of_std)
}

fn of_std((name, advice): &(&str, &str)) -> String {
    format!("std's `{name}` is not a type of the kernel language: {advice}; a type of your own needs another name")
}

/// The help for a function of the standard library's, if a path ends so.
pub(crate) fn function(module: &str, name: &str) -> Option<String> {
    if let Some(row) = TYPES.iter().find(|row| row.0 == module) {
        return Some(of_std(row));
    }
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
