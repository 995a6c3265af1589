//! Why a program is not valid, and where.

use super::NESTING_LIMIT;
use crate::program::{ExprId, ParamId, VarId};
use crate::scalar::{Constant, ScalarType};
use crate::source::{Source, Span};
use std::borrow::Cow;
use std::fmt;

/// Why a program is not valid: the first rule it breaks, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidateError(Box<Contents>);

/// Boxed, because a `Result` is as large as its error.
#[derive(Clone, Debug, PartialEq)]
struct Contents {
    kind: Kind,
    span: Span,
    kernel: Cow<'static, str>,
    source: Source,
}

impl ValidateError {
    pub(super) fn new(kind: Kind, span: Span, kernel: Cow<'static, str>, source: Source) -> Self {
        Self(Box::new(Contents { kind, span, kernel, source }))
    }

    /// Where the offending part was written; unknown for programs that nobody wrote.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Name of the kernel.
    pub fn kernel(&self) -> &str {
        &self.0.kernel
    }

    /// The kernel's text, to show the line.
    pub fn source_text(&self) -> &Source {
        &self.0.source
    }

    /// What is wrong, without where.
    pub fn message(&self) -> String {
        self.0.kind.to_string()
    }
}

impl fmt::Display for ValidateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contents { kind, span, kernel, source } = &*self.0;
        write!(f, "kernel `{kernel}`")?;
        match (span.is_known(), source.file.is_empty()) {
            (true, false) => write!(f, " at {}:{span}", source.file)?,
            (true, true) => write!(f, " at {span}")?,
            (false, false) => write!(f, " in {}", source.file)?,
            (false, true) => {}
        }
        write!(f, ": {kind}")
    }
}

impl std::error::Error for ValidateError {}

/// The ways to be invalid. Texts of expressions and names are taken when the rule is found broken, because the program
/// is gone when the error is shown.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Kind {
    #[error("{0}")]
    Problem(String),
    #[error("statements nest more than {NESTING_LIMIT} levels deep")]
    StatementNesting,
    #[error("an expression nests more than {NESTING_LIMIT} levels deep")]
    ExpressionNesting,
    #[error("there is no expression e{}", .0.0)]
    MissingExpr(ExprId),
    #[error("there is no variable v{}", .0.0)]
    MissingVariable(VarId),
    #[error("there is no parameter p{}", .0.0)]
    MissingParam(ParamId),
    #[error("expression e{parent} comes before its operand e{}", child.0)]
    OperandAfterParent { parent: usize, child: ExprId },
    #[error("expression `{0}` is used more than once")]
    Shared(String),
    #[error("{role} `{expr}` is of type {found}, not {expected}")]
    Type { role: &'static str, expr: String, found: ScalarType, expected: ScalarType },
    #[error("{constant:?} has bits beyond its type")]
    ConstantBits { constant: Constant },
    #[error("`{symbol}` in `{expr}` is not defined on {ty}")]
    NoOperation { symbol: &'static str, expr: String, ty: ScalarType },
    #[error("`{expr}` compares {left} with {right}")]
    MixedComparison { expr: String, left: ScalarType, right: ScalarType },
    #[error("`{expr}` casts {from}, which Rust does not cast as {to}")]
    NoCast { expr: String, from: ScalarType, to: ScalarType },
    #[error("parameter `{0}` is a slice, used as a value")]
    NotScalar(String),
    #[error("parameter `{0}` is a value, used as a slice")]
    NotSlice(String),
    #[error("slice `{0}` is read-only, but stored to")]
    ReadOnly(String),
    #[error("immutable variable `{0}` is assigned more than once")]
    AssignedTwice(String),
    #[error("immutable variable `{0}` is never assigned")]
    NeverAssigned(String),
    #[error("variable `{0}` may be read before it is assigned")]
    Unassigned(String),
    #[error("`{0}` outside of a loop's body")]
    OutsideLoop(&'static str),
}
