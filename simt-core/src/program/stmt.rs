//! Statements.

use super::{ArrayId, AtomicOrder, BarrierOp, CollectiveOp, ExprId, FenceScope, ParamId, StoreAccess, VarId};
use crate::ops::AtomicOp;
use crate::source::Span;

/// A statement list.
pub type Block = Vec<Stmt>;

/// A statement and its place in the user's source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where the user wrote it.
    pub span: Span,
}

/// Number of a function that the kernel calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// Number of a message: the text of an assertion or of a printed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(pub u32);

/// Memory with elements: a slice that was passed, or an array that was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Memory {
    /// A slice parameter of the kernel.
    Param(ParamId),
    /// An array of the block's or of the thread's.
    Array(ArrayId),
}

impl From<ParamId> for Memory {
    fn from(param: ParamId) -> Self {
        Self::Param(param)
    }
}

impl From<ArrayId> for Memory {
    fn from(array: ArrayId) -> Self {
        Self::Array(array)
    }
}

/// What a statement does, with its rule.
///
/// # The rules
///
/// Those of ESOP'12, Table 2, and beside them what differs here. The notation is the paper's: a warp has a stack of
/// statements and tokens, an active mask Θ, a disable mask Δ and a memory μ, and a rule names what it changes. Θ⁺ is a mask
/// that is not empty, *act* those of its threads for which *e* holds, τ a token, \[S\] statements that may be missing, and
/// while′ the paper's underlined `while`: a loop that has pushed its token.
///
/// | rule | ESOP'12 | here |
/// |---|---|---|
/// | skip | `;, Θ⁺ ⇒ ε, Θ⁺` | the same |
/// | assign | `x = e;, Θ⁺, μ ⇒ ε, Θ⁺, μ{η(Θ⁺)(x) ↦ E⟦e⟧η(Θ⁺)μ}` | the same; conflicting writes in the order of the lanes |
/// | if | `if (e) S₁ else S₂, Θ⁺ ⇒ S₂ div{act} S₁ sync{Θ⁺}, Θ⁺ ∖ act` | the same |
/// | while | `while (e) S, Θ⁺ ⇒ S while′ (e) S brk{Θ⁺}, act` | `while (e) S step T, Θ⁺ ⇒ S [cont(n){act}] T while′ (e) S step T brk(n){Θ⁺}, act` |
/// | while′ | `while′ (e) S, Θ⁺ ⇒ S while′ (e) S, act` | `while′ (e) S step T, Θ⁺ ⇒ S [cont(n){act}] T while′ (e) S step T, act` |
/// | break | `break; [S] τ, Θ⁺, Δ ⇒ τ, ∅, Δ{Θ⁺ ↦ b}` | `break n; [S] τ, Θ⁺, Δ ⇒ τ, ∅, Δ{Θ⁺ ↦ b(n)}` |
/// | continue | | `continue n; [S] τ, Θ⁺, Δ ⇒ τ, ∅, Δ{Θ⁺ ↦ c(n)}` |
/// | call | `f();, Θ⁺ ⇒ φ(f) call{Θ⁺}, Θ⁺` | `x = f(e, ..);, Θ⁺, μ ⇒ φ(f) call{Θ⁺} x = r;, Θ⁺, μ{p ↦ e, ..}` |
/// | return | `return; [S] τ, Θ⁺, Δ ⇒ τ, ∅, Δ{Θ⁺ ↦ r}` | the same |
/// | token | `τ, Θ₁, Δ₁ ⇒ ε, Θ₂, Δ₂` where `(Θ₂, Δ₂) = enable(Δ₁, τ)` | the same |
/// | inact | `S τ, ∅ ⇒ τ, ∅` | the same |
/// | collective | | `x = op(m, e);, Θ⁺, μ ⇒ ε, Θ⁺, μ{x ↦ op of e over m}` if `θ ∈ m(θ)` and `m(θ) ∩ live ⊆ Θ⁺` for each θ of Θ⁺ |
///
/// ```text
/// awaits(δ, t)    ⟺  (δ = b → t = brk) ∧ (δ = r → t = call)                                                    ESOP'12
/// awaits(δ, t)    ⟺  (δ = b(n) → t = brk(n)) ∧ (δ = c(n) → t = cont(n)) ∧ (δ = r → t = call)                   here
/// enable(Δ, t{Θ})  =  ({θ ∈ Θ | Δ′(θ) = 0}, Δ′)  where  Δ′ = Δ{{θ ∈ Θ | awaits(Δ(θ), t)} ↦ 0}                  both
/// ```
///
/// * **Which loop.** The paper's `break` leaves the innermost loop. Rust's may name an outer one, so states and tokens carry
///   the loop: n is its number in the program. The token of an inner loop is popped on the way, and leaves b(n) as it is,
///   because it is not what b(n) awaits. That another activation of a recursive function pushes a token of the same n does
///   no harm: `enable` awakes only threads that are in the token's mask, and a thread has one state.
/// * **`continue` and the step.** \[cont(n){act}\] is pushed if S holds a `continue n`. It stands above the step, so that all
///   threads that reach the end of the body and all that continued run T together. The while′ below it finds those of them
///   that are active; T holds no `break` or `continue` of a loop around it.
/// * **Labelled blocks.** `'a: { S }` is `while (true) { S break; }`, in which S leaves a block by `break n`.
/// * **Calls.** p are the parameters of f and r is its result. Each activation of f has its own variables and local arrays.
/// * **Collectives.** *live* are the threads that have not exited. The condition says when the stack of this table goes on;
///   where it fails the launch fails, because the named threads that are missing cannot run before these have. A mechanism
///   that can run them first lets these wait.
///
/// With one loop, no `continue`, no step, no values and no collectives these are the paper's rules. A barrier of the block or
/// the grid is a collective without m, behind which the warp waits for others; stores, atomics, fences and prints are forms of assign.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `;` does nothing (rule skip).
    Skip,
    /// `x = e;` (rule assign). The first assignment of a variable stands where it is declared.
    Assign {
        /// The variable.
        var: VarId,
        /// Its new value, of the variable's type.
        value: ExprId,
    },
    /// `a[e] = e;` (rule assign on a shared variable). **Fault** if the index is not below the length.
    ///
    /// Of several threads that write one element, the one with the highest lane number wins.
    Store {
        /// A writable slice, or an array.
        slice: Memory,
        /// Which element, a `usize`.
        index: ExprId,
        /// Its new value, of the element type.
        value: ExprId,
        /// How the caches are to treat it.
        access: StoreAccess,
    },
    /// `e;` evaluates an expression for its faults and forgets the value.
    Evaluate {
        /// The expression.
        value: ExprId,
    },
    /// `if (e) S1 else S2` (rule if): pushes sync{Θ} and div{act}, so that the arms run one after the other and all
    /// threads of Θ that are not disabled meet again behind it.
    If {
        /// The condition, a `bool`.
        cond: ExprId,
        /// Runs for threads whose condition holds.
        then: Block,
        /// Runs for the others.
        otherwise: Block,
    },
    /// `while (e) S step T` (rules while and while′): pushes brk(n){Θ}; threads whose condition fails wait for it. If the
    /// body contains a `continue` of this loop, each iteration also pushes cont(n){act}, above the step.
    While {
        /// The condition, a `bool`.
        cond: ExprId,
        /// Runs once an iteration.
        body: Block,
        /// Runs after each iteration's body, also after `continue`. Holds no `break` or `continue` of this loop.
        step: Block,
    },
    /// `break n;` leaves a loop (rule break): Δ{Θ ↦ b(n)}; the loop's brk token awakes it. Only inside its body.
    Break {
        /// How many loops further out than the innermost one.
        out: u32,
    },
    /// `continue n;` goes to a loop's step (rule continue): Δ{Θ ↦ c(n)}; the loop's cont token awakes it. Only inside its
    /// body.
    Continue {
        /// How many loops further out than the innermost one.
        out: u32,
    },
    /// `return;` ends the function, or the thread if it stands in the kernel (rule return): Δ{Θ ↦ r}; the topmost call
    /// token awakes it. A function's result is in its result variable by then.
    Return,
    /// `x = f(e, ..);` (rule call): pushes call{Θ}; the arguments become the values of the callee's own parameter
    /// variables. **Fault** if calls nest deeper than the machine's limit.
    Call {
        /// The function.
        function: FunctionId,
        /// Arguments, one a parameter, all evaluated before the call.
        args: Vec<ExprId>,
        /// Gets the result; the function must have one.
        result: Option<VarId>,
    },
    /// One indivisible read-modify-write of an element, thread by thread in lane order. **Fault** if the index is not
    /// below the length.
    Atomic {
        /// What is done.
        op: AtomicOp,
        /// A slice or array of atomics.
        target: Memory,
        /// Which element, a `usize`.
        index: ExprId,
        /// As many values of the element type as [`AtomicOp::operands`] says.
        operands: Vec<ExprId>,
        /// Gets the element's value from before; a store has none.
        result: Option<VarId>,
        /// How it is ordered with other accesses.
        order: AtomicOrder,
    },
    /// An operation of several lanes of the warp together: all named lanes that have not exited must come here.
    Collective {
        /// What is done.
        op: CollectiveOp,
        /// The lanes named, a `u64`; without, all lanes of the warp that have not exited.
        mask: Option<ExprId>,
        /// As many values as [`CollectiveOp::operands`] says.
        args: Vec<ExprId>,
        /// Gets the result, if there is one.
        result: Option<VarId>,
    },
    /// A barrier of the threads of the block (CUDA's `bar`).
    Barrier {
        /// What is done.
        op: BarrierOp,
        /// Which of the block's 16 barriers, a `u32`; without, barrier 0.
        index: Option<ExprId>,
        /// How many threads must arrive, a `u32`, a multiple of the warp width; without, all that have not exited.
        threads: Option<ExprId>,
        /// What a reduction reduces, a `bool`.
        value: Option<ExprId>,
        /// Gets the reduction's result: a `bool`, or of a count a `u32`.
        result: Option<VarId>,
    },
    /// Orders the accesses of the thread before it with those behind it, as others see them (CUDA's `membar`).
    Fence {
        /// Which threads see the order.
        scope: FenceScope,
    },
    /// Adds a line to what the launch prints.
    Print {
        /// Its text, with places for the values.
        message: MessageId,
        /// The values.
        args: Vec<ExprId>,
    },
    /// Ends the launch with a message. **Fault**, always.
    Panic {
        /// Its text, with places for the values.
        message: MessageId,
        /// The values.
        args: Vec<ExprId>,
    },
}
