//! Random kernels.
//!
//! They end: every loop counts down a budget of its own, and so does every call. They are race-free: a thread writes only
//! the elements of its own number, and reads other threads' elements only in slices that no thread writes. Threads may do
//! their operations on the same atomics in any order, and no thread reads the results. They diverge a lot: conditions depend
//! on the thread, on what it read and on what it computed.
//!
//! What threads do together, and what the generator has learnt since seeds were pinned, they have where it is asked for
//! ([`constructs`]).
//!
//! They are programs, and have what a program has. Of what the language has beyond that they have what the builder makes of
//! it: subslices, references to elements, tables, arrays as values, loops over elements ([`parts`]); enums and options
//! ([`variants`]); fields that are arrays ([`lists`]); functions with several results, and `?` behind their calls
//! ([`functions`]). Structs, methods, operators, closures and chains of iterators leave nothing of their own in a program; that
//! they mean what Rust means is tested on source, which the host runs, too.

mod constructs;
mod control;
mod declared;
mod effects;
mod expressions;
mod functions;
mod lanes;
mod lists;
mod parts;
mod strict;
mod together;
mod unset;
mod variants;
mod varied;

pub use constructs::Construct;
pub use declared::shared_memory;

use super::{Arrays, Random};
use functions::Signature;
use lists::List;
use parts::Part;
use simt_core::build::homes::{Copied, settle};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{
    ArrayId, Block, Builtin, Expr, ExprId, ExprNode, FunctionId, ParamId, Program, Stmt, StmtKind, VarId, Variable,
};
use simt_core::{Constant, ScalarType, Source, Span};
use together::{Level, Meeting};

/// Whether a random kernel may do what faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faults {
    /// Indices are reduced to the slice's length, divisors are never zero, and no thread panics.
    Never,
    /// Now and then an index or a divisor is whatever comes out, or a thread panics.
    Sometimes,
}

/// A random kernel over [`Arrays`], the same for the same seed.
pub fn random_program(seed: u64, faults: Faults) -> Program {
    random_program_with(seed, faults, &[])
}

/// A random kernel with these constructs, too; without any it is that of [`random_program`].
pub fn random_program_with(seed: u64, faults: Faults, constructs: &[Construct]) -> Program {
    let Unsettled { mut program, copies, passing } = unsettled(seed, faults, constructs);
    settle(&mut program, &copies, &passing);
    program
}

/// A program in which fields that are arrays are variables, and what the builder knows of it.
#[derive(Clone, Debug)]
pub struct Unsettled {
    /// The program.
    pub program: Program,
    /// The copies of fields that are arrays.
    pub copies: Vec<Copied>,
    /// The arrays that pass results back.
    pub passing: Vec<ArrayId>,
}

/// The kernel that [`random_program`] makes with this seed, before fields that are arrays become arrays.
pub fn unsettled_program(seed: u64, faults: Faults) -> Unsettled {
    unsettled(seed, faults, &[])
}

fn unsettled(seed: u64, faults: Faults, constructs: &[Construct]) -> Unsettled {
    let mut generator = Generator {
        random: Random::new(seed),
        faults,
        constructs: constructs.to_vec(),
        program: Program {
            name: format!("random_{seed}").into(),
            source: Source::default(),
            params: Arrays::params(),
            ..Program::default()
        },
        scope: Scope::default(),
        loops: Vec::new(),
        signatures: Vec::new(),
        copies: Vec::new(),
        passing: Vec::new(),
        block_arrays: Vec::new(),
        meeting: Meeting::default(),
        activations: None,
        function: None,
        size: 0,
        uniform: 0,
    };
    generator.tables();
    generator.block_arrays();
    let passed = generator.functions();
    generator.meeting_function();
    if generator.has(Construct::Unset) {
        generator.activations_function();
    }
    let mut body = Vec::new();
    generator.begin_block_arrays(&mut body);
    // Every thread beyond the slices returns early, as in every kernel.
    let id = generator.builtin(Builtin::GlobalId);
    let len = generator.node(Expr::Len(ParamId(1).into()), ScalarType::Usize);
    let beyond = generator.compare(CompareOp::Ge, id, len);
    body.push(generator.stmt(StmtKind::If {
        cond: beyond,
        then: vec![generator.stmt(StmtKind::Return)],
        otherwise: Vec::new(),
    }));
    generator.size = 50;
    passed.into_iter().for_each(|array| generator.fill(&mut body, array));
    generator.shared_arrays(&mut body);
    generator.declare(&mut body, ScalarType::U32);
    generator.declare(&mut body, ScalarType::F32);
    generator.statements(&mut body, 10);
    generator.store(&mut body, ScalarType::U32);
    generator.show_variables(&mut body);
    generator.program.body = body;
    Unsettled { program: generator.program, copies: generator.copies, passing: generator.passing }
}

struct Generator {
    random: Random,
    faults: Faults,
    constructs: Vec<Construct>,
    program: Program,
    scope: Scope,
    /// Loops around the current place, innermost last.
    loops: Vec<Loop>,
    /// The functions, all of which may be called.
    signatures: Vec<Signature>,
    /// The copies of fields that are arrays.
    copies: Vec<Copied>,
    /// The arrays that pass results back.
    passing: Vec<ArrayId>,
    /// Arrays of the block that functions have, too, of which each thread uses its own elements.
    block_arrays: Vec<ArrayId>,
    meeting: Meeting,
    /// A function whose activations have arrays without values.
    activations: Option<FunctionId>,
    /// The function that is written; `None` for the kernel.
    function: Option<FunctionId>,
    /// How many more statements there may be in it.
    size: usize,
    /// How many conditions and loops are around in which all threads are together.
    uniform: usize,
}

/// The values that may be used at the current place.
#[derive(Default)]
struct Scope {
    variables: Vec<VarId>,
    /// Arrays, all of whose elements that the thread may access have been written.
    arrays: Vec<ArrayId>,
    /// Subslices.
    parts: Vec<Part>,
    /// Fields that are arrays.
    lists: Vec<List>,
    /// Tags of enums, with the number of their variants.
    tags: Vec<(VarId, u64)>,
}

/// The kind of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loop {
    /// Its step counts down.
    Counted,
    /// A block with a label, which ends in a `break`.
    Block,
}

/// Deepest nesting of statements.
const DEPTH: usize = 5;

impl Generator {
    fn has(&self, construct: Construct) -> bool {
        self.constructs.contains(&construct)
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: Span::default() }
    }

    fn node(&mut self, expr: Expr, ty: ScalarType) -> ExprId {
        self.program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn builtin(&mut self, builtin: Builtin) -> ExprId {
        self.node(Expr::Builtin(builtin), ScalarType::Usize)
    }

    fn compare(&mut self, op: CompareOp, left: ExprId, right: ExprId) -> ExprId {
        self.node(Expr::Compare { op, left, right }, ScalarType::Bool)
    }

    fn constant(&mut self, ty: ScalarType, bits: u64) -> ExprId {
        self.node(Expr::Const(Constant { ty, bits }), ty)
    }

    fn get(&mut self, var: VarId) -> ExprId {
        let ty = self.program.variable(var).ty;
        self.node(Expr::Var(var), ty)
    }

    fn operation(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let ty = self.program.expr(left).ty;
        self.node(Expr::Binary { op, left, right }, ty)
    }

    fn variable(&mut self, ty: ScalarType, mutable: bool) -> VarId {
        let number = self.program.variables.len();
        self.program.variables.push(Variable { name: Some(format!("v{number}").into()), ty, mutable });
        VarId(number as u32)
    }

    fn assign(&self, block: &mut Block, var: VarId, value: ExprId) {
        block.push(self.stmt(StmtKind::Assign { var, value }));
    }

    fn declare(&mut self, block: &mut Block, ty: ScalarType) {
        let value = self.expr(ty, 3);
        let mutable = !self.random.once_in(3);
        let var = self.variable(ty, mutable);
        self.assign(block, var, value);
        self.scope.variables.push(var);
    }

    /// The statements of a body: up to `most` beside each other.
    fn statements(&mut self, block: &mut Block, most: usize) {
        for _ in 0..1 + self.random.below(most) {
            self.size = self.size.saturating_sub(1);
            self.statement(block, 0);
            if self.function.is_none() && self.meets() && !self.random.once_in(3) {
                self.together(block, Level::Grid);
            }
        }
    }

    fn block(&mut self, block: &mut Block, depth: usize) {
        self.scoped(|this| {
            for _ in 0..1 + this.random.below(4) {
                if this.size == 0 {
                    break;
                }
                this.size -= 1;
                this.statement(block, depth);
            }
        });
    }

    /// What is declared inside is forgotten behind it.
    fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let Scope { variables, arrays, parts, lists, tags } = &self.scope;
        let (variables, arrays, parts) = (variables.len(), arrays.len(), parts.len());
        let (lists, tags) = (lists.len(), tags.len());
        let made = inside(self);
        self.scope.variables.truncate(variables);
        self.scope.arrays.truncate(arrays);
        self.scope.parts.truncate(parts);
        self.scope.lists.truncate(lists);
        self.scope.tags.truncate(tags);
        made
    }

    fn inner(&mut self, depth: usize) -> Block {
        let mut block = Vec::new();
        self.block(&mut block, depth + 1);
        block
    }

    fn any_type(&mut self) -> ScalarType {
        *self.random.pick(Arrays::TYPES)
    }

    fn statement(&mut self, block: &mut Block, depth: usize) {
        if self.has(Construct::Unset) && self.random.once_in(12) {
            return self.written_first(block);
        }
        let ty = self.any_type();
        match self.random.below(if depth < DEPTH { 37 } else { 17 }) {
            0..=1 => self.declare(block, ty),
            2..=4 => match self.mutable_variable() {
                Some(var) => {
                    let value = self.expr(self.program.variable(var).ty, 4);
                    self.assign(block, var, value);
                }
                None => self.declare(block, ty),
            },
            5..=6 => self.store(block, ty),
            7..=8 => self.exit(block, depth),
            9 => self.effect(block),
            10..=11 => self.use_array(block),
            12 => self.call(block),
            13 => self.subslice(block),
            14 => match self.local_array_of_scope() {
                Some(array) => self.copy(block, array),
                None => self.declare(block, ty),
            },
            15..=16 | 33 => self.list(block),
            17..=22 => {
                let cond = self.expr(ScalarType::Bool, 3);
                let then = self.inner(depth);
                let otherwise = if self.random.once_in(2) { self.inner(depth) } else { Vec::new() };
                block.push(self.stmt(StmtKind::If { cond, then, otherwise }));
            }
            23..=24 => self.matched(block, depth),
            25 => self.labelled_block(block, depth),
            26 => self.reference(block, depth),
            27..=28 => self.for_each(block, depth),
            29..=32 => self.variants(block, depth),
            _ => self.repeat(block, depth),
        }
    }

    fn mutable_variable(&mut self) -> Option<VarId> {
        let variables = self.scope.variables.iter().copied();
        let mutable: Vec<VarId> = variables.filter(|&var| self.program.variable(var).mutable).collect();
        (!mutable.is_empty()).then(|| *self.random.pick(&mutable))
    }
}
