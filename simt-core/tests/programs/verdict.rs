//! Judging a small program by the message of its error.

use super::{Maker, evaluate};
use simt_core::program::{Block, ExprId};

/// The message for the program that `make` writes.
pub(crate) fn message(make: impl FnOnce(&mut Maker) -> Block) -> Result<(), String> {
    let mut m = Maker::new("k");
    let body = make(&mut m);
    m.finish(body).validate().map(drop).map_err(|error| error.message())
}

#[track_caller]
pub(crate) fn accepts(make: impl FnOnce(&mut Maker) -> Block) {
    assert_eq!(message(make), Ok(()));
}

#[track_caller]
pub(crate) fn rejects(expected: &str, make: impl FnOnce(&mut Maker) -> Block) {
    assert_eq!(message(make), Err(expected.to_string()));
}

/// A rule of one expression: `make` returns it.
#[track_caller]
pub(crate) fn accepts_expr(make: impl FnOnce(&mut Maker) -> ExprId) {
    accepts(|m| vec![evaluate(make(m))]);
}

/// The expression that `make` returns breaks a rule, whether a statement uses it or none does.
#[track_caller]
pub(crate) fn rejects_expr(expected: &str, make: impl Fn(&mut Maker) -> ExprId) {
    rejects(expected, |m| vec![evaluate(make(m))]);
    rejects(expected, |m| {
        make(m);
        vec![]
    });
}
