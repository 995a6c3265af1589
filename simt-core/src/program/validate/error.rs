//! Why a program is not valid, and where.

use super::{CHAIN_LIMIT, NESTING_LIMIT};
use crate::program::{ArrayId, AtomicOrder, ExprId, FunctionId, MessageId, ParamId, Program, VarId};
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
    function: Option<Cow<'static, str>>,
    source: Source,
}

impl ValidateError {
    /// The error of a broken rule in the kernel, or in one of its functions, which exists.
    pub(super) fn new(program: &Program, Broken { kind, span, function }: Broken) -> Self {
        let function = function.map(|id| program.function(id));
        let source = function.map_or(&program.source, |function| &function.source).clone();
        let function = function.map(|function| function.name.clone());
        Self(Box::new(Contents { kind, span, kernel: program.name.clone(), function, source }))
    }

    /// Where the offending part was written; unknown for programs that were not written as text.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Name of the kernel.
    pub fn kernel(&self) -> &str {
        &self.0.kernel
    }

    /// Name of the function that is wrong; `None` if it is the kernel itself.
    pub fn function(&self) -> Option<&str> {
        self.0.function.as_deref()
    }

    /// The kernel's text, or the function's, to show the line.
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
        let Contents { kind, span, kernel, function, source } = &*self.0;
        write!(f, "kernel `{kernel}`")?;
        if let Some(function) = function {
            write!(f, ", function `{function}`")?;
        }
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
    #[error("an `if` has more than {CHAIN_LIMIT} `else if`s")]
    ChainLength,
    #[error("an expression nests more than {NESTING_LIMIT} levels deep")]
    ExpressionNesting,
    #[error("there is no expression e{}", .0.0)]
    MissingExpr(ExprId),
    #[error("there is no variable v{}", .0.0)]
    MissingVariable(VarId),
    #[error("there is no parameter p{}", .0.0)]
    MissingParam(ParamId),
    #[error("there is no array a{}", .0.0)]
    MissingArray(ArrayId),
    #[error("there is no function f{}", .0.0)]
    MissingFunction(FunctionId),
    #[error("there is no message m{}", .0.0)]
    MissingMessage(MessageId),
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
    #[error("`{name}` takes {expected} operands")]
    Operands { name: &'static str, expected: usize },
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
    #[error("`{exit}` goes {out} loops further out than the innermost, but there are {loops} in all")]
    NoSuchLoop { exit: &'static str, out: u32, loops: u32 },
    #[error("the {role} of `{of}` are {expected}, not {found}")]
    Count { role: &'static str, of: String, expected: usize, found: usize },
    #[error("`{0}` has no result, but one is used")]
    NoResult(String),
    #[error("the result of `{of}` is of type {expected}, variable `{variable}` of type {found}")]
    ResultType { of: String, variable: String, found: ScalarType, expected: ScalarType },
    #[error("`{0}` holds atomics, but is read or written as if it did not")]
    PlainAccess(String),
    #[error("`{0}` holds no atomics, but an atomic operation is used on it")]
    NotAtomic(String),
    #[error("`{memory}` holds atomics of type {ty}, which there are not")]
    AtomicType { memory: String, ty: ScalarType },
    #[error("`{op}` is not defined on atomics of type {ty}")]
    NoAtomicOperation { op: &'static str, ty: ScalarType },
    #[error("`{op}` is not defined on values of type {ty}, but on integers of 32 and 64 bits")]
    NoReduction { op: &'static str, ty: ScalarType },
    #[error("`{op}` cannot be ordered `{}`", order.name())]
    AtomicOrder { op: &'static str, order: AtomicOrder },
    #[error("`{0}` names lanes, but waits for none")]
    NoMask(&'static str),
    #[error("an arrival at a barrier does not say how many threads it waits for")]
    ArrivalWithoutThreads,
    #[error("the barrier of the grid has no number, and waits for all threads")]
    NumberedGridBarrier,
    #[error("a message shows value {arg}, but the values are {values}")]
    MissingValue { arg: u32, values: usize },
    #[error("array `{0}` has no elements")]
    EmptyArray(String),
    #[error("the launch gives the length of array `{0}`, which is not shared")]
    DynamicLocal(String),
    #[error("array `{0}` holds atomics, but is not shared")]
    LocalAtomics(String),
    #[error("variable `{0}` belongs to another function")]
    ForeignVariable(String),
    #[error("`{0}` is a parameter twice")]
    RepeatedParam(String),
    #[error("the result `{0}` may not be assigned where the function returns")]
    UnassignedResult(String),
}

/// A broken rule, and where.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// The function that breaks it; `None` for the kernel.
    pub(super) function: Option<FunctionId>,
}
