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
