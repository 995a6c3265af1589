//! Launches that fail: the error's words and fields, and that nothing else is left of them.

/// Compares how an error prints with the snapshot.
macro_rules! assert_shown {
    ($name:literal, $error:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $error.to_string());
        });
    };
}

mod calls;
#[rustfmt::skip]
mod device;
mod fairness;
mod faults;
// Its layout is what some of its tests are about.
#[rustfmt::skip]
mod kernels;
mod limits;
mod livelock;
mod locks;
mod nested;
mod numbers;
mod places;
mod refusals;
mod undone;
