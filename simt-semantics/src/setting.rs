//! The static part of a configuration: φ, what functions are made of, and η, which threads there are.
//!
//! A stack holds statements by number, so that it is plain data: two stacks are equal if they hold the same statements of
//! the same program.

use crate::place::Place;
use simt_core::Span;
use simt_core::program::{
    BarrierOp, Block, Expr, ExprId, Function, FunctionId, Program, Stmt, StmtKind, Validated, VarId, continues,
};

/// Number of a statement in the program; that of a `while` is also the number *n* of its tokens brk(n) and cont(n).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);

/// A statement with what the rules need to know of it beside its text.
#[derive(Clone, Debug)]
pub(crate) struct Numbered<'p> {
    pub(crate) stmt: &'p Stmt,
    /// The statement lists inside it: arms of an `if`, `then` first, or body and step of a `while`.
    pub(crate) inner: [Vec<StmtId>; 2],
    /// The loop that a `break` or `continue` names.
    pub(crate) exits: Option<StmtId>,
    /// Of a `while`: whether its body holds a `continue` of it, so that each iteration has a cont token.
    pub(crate) continues: bool,
    /// Of a `while`: whether an exit in a loop inside it names it, so that its tokens are printed with its number.
    pub(crate) labelled: bool,
}

/// The static part of a configuration, φ and η, left of the paper's ▷ (ESOP'12, section 3.2).
#[derive(Clone, Debug)]
pub struct Setting<'p> {
    program: &'p Validated<Program>,
    place: Place,
    statements: Vec<Numbered<'p>>,
    /// The kernel's body, then those of the functions.
    bodies: Vec<Vec<StmtId>>,
    /// Where in an activation of its function each variable is; none if it is not used.
    slots: Vec<Option<usize>>,
    /// How many variables the kernel and each function have.
    sizes: Vec<usize>,
}

/// A program or a place that the semantics does not describe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// A statement has no rule.
    #[error("the literal semantics has no rule for `{statement}`: it concerns several warps")]
    Unsupported {
        /// Its text.
        statement: String,
        /// Where it stands.
        span: Span,
    },
    /// A warp has more threads than a mask can name, or none.
    #[error("a warp has 1 to 64 threads, not {width}")]
    Width {
        /// Its threads.
        width: u32,
    },
}

/// A statement list that is being numbered.
struct Open<'p> {
    rest: &'p [Stmt],
    /// The statement that it is inside, and which of its lists it is; none for a whole body.
    owner: Option<(StmtId, usize)>,
    /// The loops around.
    loops: Vec<StmtId>,
}

/// How deep calls may nest, as in the machine's default config.
pub const CALL_DEPTH: usize = 1024;

impl<'p> Setting<'p> {
    /// The setting of a program that the threads of a place run.
    ///
    /// # Errors
    /// The program holds a statement that has no rule, or the warp is no warp.
    pub fn new(program: &'p Validated<Program>, place: Place) -> Result<Self, SettingError> {
        if !(1..=64).contains(&place.width()) {
            return Err(SettingError::Width { width: place.width() });
        }
        let mut setting = Self {
            program,
            place,
            statements: Vec::new(),
            bodies: Vec::new(),
            slots: vec![None; program.variables.len()],
            sizes: Vec::new(),
        };
        for (function, block) in program.bodies() {
            setting.sizes.push(0);
            let head = function.map(|id| program.function(id));
            head.iter().flat_map(|head| head.params.iter().chain(&head.result)).for_each(|&var| setting.place_var(var));
            let body = setting.number(block)?;
            setting.bodies.push(body);
        }
        Ok(setting)
    }

    /// Numbers the statements of a body in the order of the text; without recursion, because chains of `else if` can be
    /// long.
    fn number(&mut self, body: &'p Block) -> Result<Vec<StmtId>, SettingError> {
        let mut ids = Vec::new();
        let mut open = vec![Open { rest: body, owner: None, loops: Vec::new() }];
        while let Some(Open { rest, owner, loops }) = open.last_mut() {
            let Some((stmt, rest_of_it)) = rest.split_first() else {
                open.pop();
                continue;
            };
            *rest = rest_of_it;
            let id = StmtId(self.statements.len() as u32);
            match *owner {
                Some((owner, which)) => self.statements[owner.0 as usize].inner[which].push(id),
                None => ids.push(id),
            }
            let loops = loops.clone();
            let numbered = self.numbered(stmt, &loops)?;
            self.statements.push(numbered);
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    open.push(Open { rest: otherwise, owner: Some((id, 1)), loops: loops.clone() });
                    open.push(Open { rest: then, owner: Some((id, 0)), loops });
                }
                StmtKind::While { body, step, .. } => {
                    let around = loops.into_iter().chain([id]).collect();
                    // No loop around can be left from a step.
                    open.push(Open { rest: step, owner: Some((id, 1)), loops: Vec::new() });
                    open.push(Open { rest: body, owner: Some((id, 0)), loops: around });
                }
                _ => {}
            }
        }
        Ok(ids)
    }

    fn numbered(&mut self, stmt: &'p Stmt, loops: &[StmtId]) -> Result<Numbered<'p>, SettingError> {
        stmt.kind.exprs().for_each(|id| self.place_expr(id));
        stmt.kind.assigned().into_iter().for_each(|var| self.place_var(var));
        let mut numbered =
            Numbered { stmt, inner: [Vec::new(), Vec::new()], exits: None, continues: false, labelled: false };
        match &stmt.kind {
            StmtKind::Break { out } | StmtKind::Continue { out } => {
                numbered.exits = loops.iter().rev().nth(*out as usize).copied();
                if let (Some(named), 1..) = (numbered.exits, *out) {
                    self.statements[named.0 as usize].labelled = true;
                }
            }
            StmtKind::While { body, .. } => numbered.continues = continues(body),
            StmtKind::Barrier { op, index, threads, .. } if !has_rule(self.place, *op, *index, *threads) => {
                let statement = self.program.statement_to_string(&stmt.kind);
                return Err(SettingError::Unsupported { statement, span: stmt.span });
            }
            _ => {}
        }
        Ok(numbered)
    }

    fn place_expr(&mut self, id: ExprId) {
        let expr = self.program.expr(id).expr;
        if let Expr::Var(var) = expr {
            self.place_var(var);
        }
        expr.children().for_each(|child| self.place_expr(child));
    }

    /// Assigns a slot to a variable of the body that is being numbered.
    fn place_var(&mut self, var: VarId) {
        let (Some(slot), Some(size)) = (self.slots.get_mut(var.0 as usize), self.sizes.last_mut()) else { return };
        if slot.is_none() {
            *slot = Some(*size);
            *size += 1;
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Validated<Program> {
        self.program
    }

    /// The threads.
    pub fn place(&self) -> Place {
        self.place
    }

    /// What the statement does.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn kind(&self, id: StmtId) -> &'p StmtKind {
        &self.statements[id.0 as usize].stmt.kind
    }

    /// What all statements do.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &'p StmtKind> {
        self.statements.iter().map(|numbered| &numbered.stmt.kind)
    }

    /// The statement lists inside a statement: arms of an `if`, `then` first, or body and step of a `while`.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn inner(&self, id: StmtId) -> [&[StmtId]; 2] {
        let [first, second] = &self.statements[id.0 as usize].inner;
        [first, second]
    }

    /// The statements of a function, φ(f); those of the kernel for `None`.
    ///
    /// # Panics
    /// If the number is not of this program.
    pub fn body(&self, function: Option<FunctionId>) -> &[StmtId] {
        &self.bodies[function.map_or(0, |id| id.0 as usize + 1)]
    }

    pub(crate) fn numbered_stmt(&self, id: StmtId) -> &Numbered<'p> {
        &self.statements[id.0 as usize]
    }

    pub(crate) fn function(&self, id: FunctionId) -> &'p Function {
        self.program.function(id)
    }

    /// Where in an activation the variable is.
    pub(crate) fn slot(&self, var: VarId) -> Option<usize> {
        self.slots.get(var.0 as usize).copied().flatten()
    }

    /// How many variables an activation has.
    pub(crate) fn size(&self, function: Option<FunctionId>) -> usize {
        self.sizes[function.map_or(0, |id| id.0 as usize + 1)]
    }
}

/// Whether a barrier has a rule: one at which no thread but the warp's must come.
fn has_rule(place: Place, op: BarrierOp, index: Option<ExprId>, threads: Option<ExprId>) -> bool {
    let alone = if op == BarrierOp::Grid { place.is_grid() } else { place.is_block() };
    alone && op != BarrierOp::Arrive && index.is_none() && threads.is_none()
}
