//! The errors for a user's mistakes in a kernel: a folder a subject, in it `several.rs` with a module for each mistake, maybe
//! another such file, and the compiler's answers beside them. A mistake has a file of its own if its answer would be another
//! one there: as it names a type of the case, which a module makes longer, or lists all types that there are. Each file is a
//! run of the compiler: with one for each mistake the test took 37 s of processor time, so 16 (Intel Xeon, 2026-11-30).
//!
//! After a change of a message, `TRYBUILD=overwrite cargo test -p simt-macros-tests` writes the answers anew: read every one.
//! They are those of the compiler in `rust-toolchain.toml`. They are a package because the cases are checked with all that
//! the package's tests depend on, in a build of their own.

#[test]
fn mistakes_are_reported_where_they_are() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
