//! The errors for a user's mistakes in a kernel: one file a mistake, the compiler's answer beside it.
//!
//! After a change of a message, `TRYBUILD=overwrite cargo test --test ui` writes the answers anew: read every one.
//! They are those of the compiler in `rust-toolchain.toml`, without features: where it lists the types that could stand
//! there, it would list `f16` and `bf16`, too.

#![cfg(not(feature = "half"))]

#[test]
fn mistakes_are_reported_where_they_are() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
