//! The errors for a user's mistakes in a kernel: a folder a subject, in it one file a mistake, the compiler's answer beside it.
//!
//! After a change of a message, `TRYBUILD=overwrite cargo test -p simt-macros-tests` writes the answers anew: read every one.
//! They are those of the compiler in `rust-toolchain.toml`. They are a package because the cases are checked with all that
//! the package's tests depend on, in a build of their own.

#[test]
fn mistakes_are_reported_where_they_are() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
