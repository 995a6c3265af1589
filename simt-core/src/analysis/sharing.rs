//! Where the values go that threads share.

use crate::ops::AtomicOp;
use crate::program::{
    Block, CollectiveOp, Expr, ExprId, FunctionId, Memory, ParamKind, Program, Stmt, StmtKind, VarId, else_if,
};
use crate::source::Span;

/// Where a value comes from that depends on the order in which threads run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The memory that it is read from; none of `active_mask()`.
    memory: Option<Memory>,
    /// Where it is read.
    pub(super) span: Span,
}

impl Origin {
    pub(super) fn name(self, program: &Program) -> String {
        match self.memory {
            Some(Memory::Param(param)) => program.param(param).name.to_string(),
            Some(Memory::Array(array)) => program.array(array).name.to_string(),
            None => "active_mask()".to_string(),
        }
    }
}

/// What depends on such values, and on which first; grows from pass to pass.
pub(super) struct Sharing<'p> {
    program: &'p Program,
    /// Memory that some thread writes, by parameter and by array.
    params: Vec<bool>,
    shared: Vec<bool>,
    variables: Vec<Option<Origin>>,
    /// Arrays of threads.
    locals: Vec<Option<Origin>>,
    /// The conditions under which functions are called.
    callers: Vec<Option<Origin>>,
    /// What decides whether an activation of a function has returned.
    returns: Vec<Option<Origin>>,
    /// Loops in the order of their text: what decides whether they go on.
    loops: Vec<Option<Origin>>,
    /// What decides whether a thread comes to them at all.
    entered: Vec<Option<Origin>>,
    /// What decides how far into their body an iteration comes.
    continued: Vec<Option<Origin>>,
    /// What decides whether a thread has exited.
    exits: Option<Origin>,
    /// Which functions a function may come to call.
    reaches: Vec<Vec<bool>>,
    pub(super) recursions: Vec<(Span, FunctionId, Origin)>,
    changed: bool,
    number: usize,
}

/// Where a statement stands.
#[derive(Clone, Debug)]
struct Place {
    function: Option<FunctionId>,
    /// What decides whether it is executed.
    control: Option<Origin>,
    /// The loops around it, the innermost last: number, and what decides within the loop whether it is executed.
    loops: Vec<(usize, Option<Origin>)>,
}

impl Place {
    fn under(&self, cond: Option<Origin>) -> Self {
        let loops = self.loops.iter().map(|&(number, inner)| (number, inner.or(cond))).collect();
        Self { function: self.function, control: self.control.or(cond), loops }
    }
}

impl<'p> Sharing<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let functions = program.functions.len();
        let mut sharing = Self {
            program,
            params: vec![false; program.params.len()],
            shared: vec![false; program.arrays.len()],
            variables: vec![None; program.variables.len()],
            locals: vec![None; program.arrays.len()],
            callers: vec![None; functions],
            returns: vec![None; functions],
            loops: Vec::new(),
            entered: Vec::new(),
            continued: Vec::new(),
            exits: None,
            reaches: vec![vec![false; functions]; functions],
            recursions: Vec::new(),
            changed: false,
            number: 0,
        };
        for (function, body) in program.bodies() {
            let mut pending: Vec<&Stmt> = body.iter().collect();
            while let Some(stmt) = pending.pop() {
                sharing.survey(function, &stmt.kind);
                pending.extend(stmt.kind.blocks().flatten());
            }
        }
        sharing.spread();
        for via in 0..functions {
            for from in 0..functions {
                if sharing.reaches[from][via] {
                    let further = sharing.reaches[via].clone();
                    for (reached, more) in sharing.reaches[from].iter_mut().zip(further) {
                        *reached |= more;
                    }
                }
            }
        }
        sharing
    }

    /// What threads write, which function calls which, and how many loops there are.
    fn survey(&mut self, function: Option<FunctionId>, kind: &StmtKind) {
        let written = match *kind {
            StmtKind::Store { slice, .. } => Some(slice),
            StmtKind::Atomic { op, target, .. } if op != AtomicOp::Load => Some(target),
            _ => None,
        };
        match written {
            Some(Memory::Param(param)) => self.params[param.0 as usize] = true,
            Some(Memory::Array(array)) => {
                self.shared[array.0 as usize] |= self.program.array(array).space == crate::program::ArraySpace::Shared;
            }
            None => {}
        }
        match *kind {
            StmtKind::While { .. } => {
                self.loops.push(None);
                self.entered.push(None);
                self.continued.push(None);
            }
            StmtKind::Call { function: callee, .. } => {
                if let Some(caller) = function {
                    self.reaches[caller.0 as usize][callee.0 as usize] = true;
                }
            }
            _ => {}
        }
    }

    /// Atomics of one type may be the same under two names: if some are written, all may be.
    fn spread(&mut self) {
        let params = &self.program.params;
        let atomic = |kind: &ParamKind| matches!(kind, ParamKind::Atomic { .. });
        for (number, param) in params.iter().enumerate().filter(|(_, param)| atomic(&param.kind)) {
            let mut same = params.iter().zip(&self.params).filter(|(other, _)| other.kind == param.kind);
            if same.any(|(_, &written)| written) {
                self.params[number] = true;
            }
        }
    }

    /// Goes once through the program; returns whether it found anything new.
    pub(super) fn pass(&mut self) -> bool {
        (self.changed, self.number) = (false, 0);
        self.recursions.clear();
        for (function, body) in self.program.bodies() {
            self.block(body, &Place { function, control: None, loops: Vec::new() });
        }
        self.changed
    }

    /// What decides whether a loop goes on, or, should it never end by itself, whether a thread comes to it.
    pub(super) fn keeps_going(&self, number: usize) -> Option<Origin> {
        self.loops[number].or(self.entered[number])
    }

    /// What decides whether a thread comes to a place.
    fn comes_to(&self, place: &Place) -> Option<Origin> {
        place.control.or_else(|| match place.function {
            Some(function) => self.callers[function.0 as usize].or(self.returns[function.0 as usize]),
            None => self.exits,
        })
    }

    fn block(&mut self, block: &[Stmt], place: &Place) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::If { .. } => self.chain(stmt, place),
                kind => self.stmt(kind, stmt.span, place),
            }
        }
    }

    /// An `if` with the `else if`s that hang on it.
    fn chain(&mut self, first: &Stmt, place: &Place) {
        let (mut place, mut link) = (place.clone(), Some(first));
        while let Some(Stmt { kind: StmtKind::If { cond, then, otherwise }, .. }) = link {
            place = place.under(self.expr(*cond));
            self.block(then, &place);
            link = else_if(otherwise);
            if link.is_none() {
                self.block(otherwise, &place);
            }
        }
    }

    fn stmt(&mut self, kind: &StmtKind, span: Span, place: &Place) {
        match kind {
            StmtKind::Assign { var, value } => {
                let origin = self.expr(*value).or(place.control);
                self.assign(*var, origin);
            }
            StmtKind::Store { slice: Memory::Array(array), index, value, .. } => {
                let origin = self.expr(*index).or_else(|| self.expr(*value)).or_else(|| self.comes_to(place));
                learn(&mut self.locals[array.0 as usize], origin, &mut self.changed);
            }
            StmtKind::While { cond, body, step } => self.loop_(*cond, body, step, place),
            StmtKind::Break { out } => self.leave(place, *out, false),
            StmtKind::Continue { out } => self.leave(place, *out, true),
            StmtKind::Return => {
                if let Some(outermost) = place.loops.len().checked_sub(1) {
                    self.leave(place, outermost as u32, false);
                }
                let known = match place.function {
                    Some(function) => &mut self.returns[function.0 as usize],
                    None => &mut self.exits,
                };
                learn(known, place.control, &mut self.changed);
            }
            StmtKind::Call { function, args, result } => self.call(*function, args, *result, span, place),
            StmtKind::Atomic { op: _, target, index, result: Some(result), .. } => {
                let origin = self.memory(*target, span).or_else(|| self.expr(*index)).or(place.control);
                self.assign(*result, origin);
            }
            StmtKind::Collective { op, mask, args, result: Some(result) } => {
                let named = match (op, mask) {
                    (CollectiveOp::ActiveMask, _) => Some(Origin { memory: None, span }),
                    (_, None) => self.exits,
                    (_, Some(mask)) => self.expr(*mask),
                };
                let origin = named.or_else(|| args.iter().find_map(|&arg| self.expr(arg))).or(place.control);
                self.assign(*result, origin);
            }
            StmtKind::Barrier { value, result: Some(result), .. } => {
                let origin = self.exits.or_else(|| value.and_then(|value| self.expr(value))).or(place.control);
                self.assign(*result, origin);
            }
            StmtKind::Atomic { .. }
            | StmtKind::Collective { .. }
            | StmtKind::Barrier { .. }
            | StmtKind::Store { slice: Memory::Param(_), .. }
            | StmtKind::Skip
            | StmtKind::Evaluate { .. }
            | StmtKind::If { .. }
            | StmtKind::Fence { .. }
            | StmtKind::Print { .. }
            | StmtKind::Panic { .. } => {}
        }
    }

    fn loop_(&mut self, cond: ExprId, body: &Block, step: &Block, place: &Place) {
        let number = self.number;
        self.number += 1;
        let (decides, comes) = (self.expr(cond), self.comes_to(place));
        learn(&mut self.entered[number], comes, &mut self.changed);
        learn(&mut self.loops[number], decides, &mut self.changed);
        let going = self.loops[number];
        let mut inside = place.under(going);
        inside.loops.push((number, None));
        self.block(body, &inside.under(self.continued[number]));
        self.block(step, &inside);
    }

    /// A jump out of a loop, or to its step: the loops that it leaves go on or not as its condition says.
    fn leave(&mut self, place: &Place, out: u32, continues: bool) {
        let innermost_first = place.loops.iter().rev().zip(0..);
        for (&(number, inner), distance) in innermost_first.take_while(|&(_, distance)| distance <= out) {
            let stays = continues && distance == out;
            let known = if stays { &mut self.continued[number] } else { &mut self.loops[number] };
            learn(known, inner, &mut self.changed);
        }
    }

    fn call(&mut self, function: FunctionId, args: &[ExprId], result: Option<VarId>, span: Span, place: &Place) {
        let program = self.program;
        let callee = program.function(function);
        for (&param, &arg) in callee.params.iter().zip(args) {
            let origin = self.expr(arg);
            self.assign(param, origin);
        }
        let caller = self.comes_to(place);
        learn(&mut self.callers[function.0 as usize], caller, &mut self.changed);
        if let Some(result) = result {
            let returned = callee.result.and_then(|result| self.variables[result.0 as usize]);
            let origin = returned.or(self.returns[function.0 as usize]).or(place.control);
            self.assign(result, origin);
        }
        if let (Some(here), Some(origin)) = (place.function, self.comes_to(place))
            && self.reaches[function.0 as usize][here.0 as usize]
        {
            self.recursions.push((span, here, origin));
        }
    }

    fn assign(&mut self, var: VarId, origin: Option<Origin>) {
        learn(&mut self.variables[var.0 as usize], origin, &mut self.changed);
    }

    /// What the value of an expression depends on.
    fn expr(&self, id: ExprId) -> Option<Origin> {
        let node = self.program.expr(id);
        let here = match node.expr {
            Expr::Var(var) => self.variables[var.0 as usize],
            Expr::Load { slice, .. } => self.memory(slice, node.span),
            _ => None,
        };
        here.or_else(|| node.expr.children().find_map(|child| self.expr(child)))
    }

    /// What an element that is read here depends on.
    fn memory(&self, memory: Memory, span: Span) -> Option<Origin> {
        let written = match memory {
            Memory::Param(param) => self.params[param.0 as usize],
            Memory::Array(array) => self.shared[array.0 as usize],
        };
        match memory {
            _ if written => Some(Origin { memory: Some(memory), span }),
            Memory::Array(array) => self.locals[array.0 as usize],
            Memory::Param(_) => None,
        }
    }
}

fn learn(known: &mut Option<Origin>, origin: Option<Origin>, changed: &mut bool) {
    if known.is_none() && origin.is_some() {
        *known = origin;
        *changed = true;
    }
}
