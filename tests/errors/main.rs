//! Launches that fail: what the error says, in words and in fields, and that nothing else is left of them.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

/// Compares how an error prints with the snapshot.
macro_rules! assert_shown {
    ($name:literal, $error:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $error.to_string());
        });
    };
}

mod faults;
mod fairness;
mod kernels;
mod places;
mod refusals;
mod undone;
