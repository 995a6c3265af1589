//! The program: the while-language of ESOP'12 (section 3.1) with the statements that a device needs.
//!
//! ```text
//! Stm  ::=  ;  |  x = e;  |  a[e] = e;
//!        |  if (e) S else S
//!        |  while (e) S step S  |  break n;  |  continue n;
//!        |  return;  |  x = f(e, ..);
//!        |  x = a[e].fetch_add(e, ..);  |  x = ballot(m, e);  |  x = sync_barrier(e, ..);  |  fence_block();
//!        |  println!(..);  |  panic!(..);
//! ```
//!
//! What differs from the paper's grammar, and why:
//! * `a[e] = e;` is the paper's assignment to a shared variable: its model "treats indexed array accesses such as `b[tid]`
//!   as regular variables" (section 3.3, Example 2).
//! * `while` has a *step* beside its body: statements that run after each iteration, whether its end was reached or a
//!   `continue` jumped there. A Rust `for` needs it. Without `continue`, `while (e) S step T` means `while (e) { S T }`.
//! * `continue` is new, and it and `break` name a loop: the rules stand beside the paper's at [`StmtKind`].
//! * A call has arguments and a result, which are variables of the callee's own. The kernel itself is the paper's program,
//!   whose bottom `call` token every execution starts with.
//! * Atomics, collectives, barriers, fences, assertions and printed lines are statements, because they have effects.
//!
//! **Expressions have no effects; statements have.** An expression is a tree in the program's arena, evaluated where the
//! statement that holds it executes; each node belongs to exactly one statement. It may fault (a load out of bounds, a
//! division by zero), and then the launch fails. All active threads evaluate a statement's expressions before any of them
//! writes (section 3.3, rule assign).
//!
//! A `Program` may be anything; only a [`Validated`] one can be lowered or run.

mod display;
mod dynamic;
mod effect;
mod evaluate;
mod expr;
mod message;
mod printf;
mod stmt;
mod validate;
mod visit;

pub use display::WithoutTokens;
pub(crate) use display::specification;
pub(crate) use dynamic::give_lengths;
pub use effect::{AtomicOrder, BarrierOp, CollectiveOp, FenceScope, LoadAccess, StoreAccess};
pub use evaluate::{Environment, EvaluateFault, LoadFault, evaluate};
pub use expr::{Builtin, Expr, ExprId, ExprNode};
pub use message::{Align, Form, Message, Piece, Style};
pub use printf::ReadByte;
pub use stmt::{Block, FunctionId, Memory, MessageId, Stmt, StmtKind};
pub use validate::{CHAIN_LIMIT, NESTING_LIMIT, ValidateError, Validated};
pub(crate) use visit::deeper_than;
pub use visit::{continues, else_if};

use crate::scalar::ScalarType;
use crate::source::{Source, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// A kernel as a program of the while-language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The kernel's name.
    pub name: Cow<'static, str>,
    /// The text it was written as.
    pub source: Source,
    /// Its parameters, in the order of the signature.
    pub params: Vec<Param>,
    /// Its variables: named ones of the user's, unnamed ones of the builder's.
    pub variables: Vec<Variable>,
    /// The arena of expression nodes. Children come before their parents.
    pub exprs: Vec<ExprNode>,
    /// The statements.
    pub body: Block,
    /// The functions that it calls, and that these call.
    pub functions: Vec<Function>,
    /// The arrays that it and its functions declare.
    pub arrays: Vec<Array>,
    /// The texts of its assertions and printed lines.
    pub messages: Vec<Message>,
    /// The most threads that its blocks may have, if it says so.
    pub launch_bounds: Option<LaunchBounds>,
    /// What the builder noticed and validation reports: constants that do not fit the device.
    pub problems: Vec<(Span, String)>,
}

/// How large the blocks of a kernel may be, `#[kernel(launch_bounds(256))]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchBounds {
    /// The most threads of a block.
    pub threads: u32,
    /// Where the kernel stands.
    pub span: Span,
}

/// Number of a parameter: its place in the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u32);

/// Number of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// Number of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayId(pub u32);

/// A function that a kernel calls: a `#[device]` function with its types, constants and slices filled in.
///
/// Its variables are among the program's; no two functions share one, nor does the kernel's body have one of theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The text it was written as, maybe in another file than the kernel.
    pub source: Source,
    /// Its parameters: variables that a call assigns.
    pub params: Vec<VarId>,
    /// The variable that holds its result when it returns, if it has one.
    pub result: Option<VarId>,
    /// The statements.
    pub body: Block,
}

/// An array that is declared in a kernel or function.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The user's name for it.
    pub name: Cow<'static, str>,
    /// Type of its elements.
    pub element: ScalarType,
    /// Number of its elements; of a dynamic one, 0 until a launch says it.
    pub length: u32,
    /// Whether the launch says its length (`#[shared] let mut tile: [f32];`): see [`Program::with_shared_memory`].
    pub dynamic: bool,
    /// Of an array of a thread, whether it is declared without a value, `let mut a: [f32; 64];`: its elements have none until the
    /// thread writes them, those of each activation for itself.
    pub unset: bool,
    /// How many of them an index of the user's has: of an array of arrays, or of a field that is an array. Else 1.
    pub row: u32,
    /// The threads that share it.
    pub space: ArraySpace,
    /// Whether its elements are atomics.
    pub atomic: bool,
    /// The function that declares it; `None` for the kernel.
    pub function: Option<FunctionId>,
    /// Where it is declared.
    pub span: Span,
}

impl Array {
    /// An array of the kernel's own, of values and without rows, declared nowhere.
    pub fn new(name: impl Into<Cow<'static, str>>, element: ScalarType, length: u32, space: ArraySpace) -> Self {
        let (name, span) = (name.into(), Span::default());
        let (dynamic, unset, atomic) = (false, false, false);
        Self { name, element, length, dynamic, unset, row: 1, space, atomic, function: None, span }
    }
}

/// The threads that share an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArraySpace {
    /// One for the threads of a block (`#[shared]`). Its elements have no values until a thread writes them.
    Shared,
    /// One for each thread, and for each activation of the function that declares it.
    Local,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name in the signature.
    pub name: Cow<'static, str>,
    /// What is passed.
    pub kind: ParamKind,
    /// How many elements an index of the user's has, as of [`Array::row`].
    pub row: u32,
    /// Of a table that the kernel brings along, a `const` array, the bits of its elements. No argument is passed for it; such
    /// parameters come last.
    pub table: Option<Arc<[u64]>>,
    /// Where it is declared.
    pub span: Span,
}

/// What a parameter passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// One value, the same for all threads.
    Scalar(ScalarType),
    /// A slice of global memory.
    Slice {
        /// Type of its elements.
        element: ScalarType,
        /// Whether threads may write it (`&mut [T]`).
        writable: bool,
    },
    /// A slice of constant memory (`#[constant] &[T]`): read only, and broadcast where lanes read one element.
    Constant {
        /// Type of its elements.
        element: ScalarType,
    },
    /// A slice of atomics in global memory (`&[AtomicU32]`).
    Atomic {
        /// Type of the values.
        element: ScalarType,
    },
    /// Bytes, such as those of a C struct: only code reads them, by address in the space of parameters.
    Bytes {
        /// How many.
        size: u32,
        /// What their address is a multiple of: a power of two.
        align: u32,
    },
}

impl ParamKind {
    /// Type of a slice's elements; none of another parameter.
    pub const fn element(self) -> Option<ScalarType> {
        match self {
            Self::Scalar(_) | Self::Bytes { .. } => None,
            Self::Slice { element, .. } | Self::Constant { element } | Self::Atomic { element } => Some(element),
        }
    }
}

/// A variable: each thread has its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The user's name for it, if it has one.
    pub name: Option<Cow<'static, str>>,
    /// Type of its value.
    pub ty: ScalarType,
    /// Whether it may be assigned more than once (`let mut`).
    pub mutable: bool,
}

impl Program {
    /// A node of the expression arena.
    ///
    /// # Panics
    /// If the number is not of this program's arena.
    pub fn expr(&self, id: ExprId) -> &ExprNode {
        &self.exprs[id.0 as usize]
    }

    /// A function.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// An array.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    /// A message.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.0 as usize]
    }

    /// Type of the elements of a slice or array; none of a parameter that is a scalar.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn element(&self, memory: Memory) -> Option<ScalarType> {
        match memory {
            Memory::Param(param) => self.param(param).kind.element(),
            Memory::Array(array) => Some(self.array(array).element),
        }
    }

    /// The body of the kernel, then those of its functions.
    pub fn bodies(&self) -> impl Iterator<Item = (Option<FunctionId>, &Block)> {
        let functions = self.functions.iter().zip(0..).map(|(function, id)| (Some(FunctionId(id)), &function.body));
        std::iter::once((None, &self.body)).chain(functions)
    }

    /// A variable.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// A parameter.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.0 as usize]
    }
}
