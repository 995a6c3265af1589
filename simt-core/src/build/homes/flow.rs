//! Which copies are never accessed where they differ from their variables.
//!
//! A forward analysis over the structure of the function whose variables they are. Its value at a point is what some path
//! to it may have done: paths that join unite their values, loops are gone through until nothing is added.

use super::lists::{ListId, Lists, Moved, each_node, each_statement};
use crate::program::{Block, Expr, ExprId, FunctionId, Memory, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// The copies that may differ from their variables, by number.
#[derive(Clone, Debug, Default, PartialEq)]
struct Differing {
    /// Those that may be older.
    stale: BTreeSet<usize>,
    /// Those that may be newer.
    ahead: BTreeSet<usize>,
}

/// What differs at a point; `None` if no path reaches it.
type Reach = Option<Differing>;

fn join(left: Reach, right: Reach) -> Reach {
    match (left, right) {
        (Some(mut left), Some(right)) => {
            left.stale.extend(right.stale);
            left.ahead.extend(right.ahead);
            Some(left)
        }
        (one, None) | (None, one) => one,
    }
}

#[derive(Default)]
struct Exits {
    breaks: Reach,
    continues: Reach,
}

/// The copies that a function, and what it calls, loads from and stores to.
#[derive(Clone, Debug, Default)]
struct Used {
    loaded: BTreeSet<usize>,
    stored: BTreeSet<usize>,
}

struct Flow<'a> {
    program: &'a Program,
    lists: &'a Lists,
    /// By list: those of its copies that are thought to be the home.
    copies: Vec<BTreeSet<usize>>,
    function: Option<FunctionId>,
    used: BTreeMap<FunctionId, Used>,
    /// Those that are not.
    apart: BTreeSet<usize>,
    loops: Vec<Exits>,
}

/// Says of each copy whether it is the home.
pub(super) fn check(program: &Program, lists: &mut Lists) {
    loop {
        let mut apart = BTreeSet::new();
        for (function, body) in program.bodies() {
            let mut copies = vec![BTreeSet::new(); lists.lists.len()];
            let mut start = Differing::default();
            for (number, copy) in lists.copies.iter().enumerate() {
                if copy.is_home && lists.lists[copy.list.0].function == function {
                    copies[copy.list.0].insert(number);
                    start.stale.insert(number);
                }
            }
            if start.stale.is_empty() {
                continue;
            }
            let (used, loops) = (BTreeMap::new(), Vec::new());
            let mut flow = Flow { program, lists, copies, function, used, apart, loops };
            flow.block(body, Some(start));
            apart = flow.apart;
        }
        if apart.is_empty() {
            return;
        }
        // One that is none assigns variables, and so makes others stale.
        apart.into_iter().for_each(|copy| lists.copies[copy].is_home = false);
    }
}

impl Flow<'_> {
    fn block(&mut self, block: &[Stmt], mut reach: Reach) -> Reach {
        let mut at = 0;
        while at < block.len() {
            let mut state = reach?;
            let moved = self.moves(&block[at..]);
            if moved.is_empty() {
                let kind = &block[at].kind;
                self.reads(kind, &mut state);
                reach = self.statement(kind, state);
                at += 1;
            } else {
                self.move_all(&moved, &mut state);
                at += moved.len();
                reach = Some(state);
            }
        }
        reach
    }

    /// The statements at the start of a block that move elements, all of them the same way.
    fn moves(&self, block: &[Stmt]) -> Vec<Moved> {
        let moved = |stmt: &Stmt| {
            self.lists.moved(self.program, &stmt.kind).filter(|moved| {
                let (Moved::In { copy, .. } | Moved::Out { copy, .. }) = *moved;
                self.copies[self.lists.copies[copy].list.0].contains(&copy)
            })
        };
        let is_in = |moved: &Moved| matches!(moved, Moved::In { .. });
        let first = block.first().and_then(moved).map(|moved| is_in(&moved));
        block.iter().map_while(moved).take_while(|moved| Some(is_in(moved)) == first).collect()
    }

    fn move_all(&mut self, moves: &[Moved], state: &mut Differing) {
        let mut elements: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &(Moved::In { copy, index } | Moved::Out { copy, index }) in moves {
            elements.entry(copy).or_default().insert(index);
        }
        let is_in = matches!(moves.first(), Some(Moved::In { .. }));
        for (copy, indices) in elements {
            let list = self.lists.copies[copy].list;
            let is_whole = indices.len() == self.lists.lists[list.0].variables.len();
            if is_in {
                self.named(list, state);
                if is_whole {
                    state.stale.remove(&copy);
                } else {
                    self.stored(copy, state);
                }
            } else {
                self.loaded(copy, state);
                let was_ahead = state.ahead.remove(&copy);
                if was_ahead && !is_whole {
                    self.apart.insert(copy);
                }
                self.assigned(list, state);
                if is_whole {
                    state.stale.remove(&copy);
                }
            }
        }
    }

    /// A variable of the list is read.
    fn named(&mut self, list: ListId, state: &mut Differing) {
        let ahead = self.copies[list.0].iter().filter(|copy| state.ahead.contains(copy));
        self.apart.extend(ahead.copied().collect::<Vec<_>>());
    }

    /// A variable of the list is written.
    fn assigned(&mut self, list: ListId, state: &mut Differing) {
        self.named(list, state);
        state.stale.extend(self.copies[list.0].iter().copied());
    }

    fn loaded(&mut self, copy: usize, state: &mut Differing) {
        if state.stale.contains(&copy) {
            self.apart.insert(copy);
        }
    }

    fn stored(&mut self, copy: usize, state: &mut Differing) {
        self.loaded(copy, state);
        let list = self.lists.copies[copy].list;
        state.stale.extend(self.copies[list.0].iter().copied().filter(|&other| other != copy));
        state.ahead.insert(copy);
    }

    fn is_tracked(&self, copy: usize) -> bool {
        self.copies[self.lists.copies[copy].list.0].contains(&copy)
    }

    fn copy_of(&self, memory: Memory) -> Option<usize> {
        let Memory::Array(array) = memory else { return None };
        self.lists.of_arrays.get(&array).copied().filter(|&copy| self.is_tracked(copy))
    }

    fn expr(&mut self, id: ExprId, state: &mut Differing) {
        let (mut lists, mut copies) = (Vec::new(), Vec::new());
        each_node(self.program, id, &mut |expr| match expr {
            Expr::Var(var) => lists.extend(self.lists.places.get(&var).map(|&(list, _)| list)),
            Expr::Load { slice, .. } => copies.extend(self.copy_of(slice)),
            _ => {}
        });
        lists.into_iter().for_each(|list| self.named(list, state));
        copies.into_iter().for_each(|copy| self.loaded(copy, state));
    }

    /// What a statement evaluates.
    fn reads(&mut self, kind: &StmtKind, state: &mut Differing) {
        kind.exprs().for_each(|expr| self.expr(expr, state));
    }

    /// What a statement does behind that.
    fn statement(&mut self, kind: &StmtKind, mut state: Differing) -> Reach {
        match kind {
            StmtKind::If { then, otherwise, .. } => {
                let then = self.block(then, Some(state.clone()));
                let otherwise = self.block(otherwise, Some(state));
                return join(then, otherwise);
            }
            StmtKind::While { cond, body, step } => return self.iterations(*cond, body, step, state),
            StmtKind::Break { out } | StmtKind::Continue { out } => {
                let place = self.loops.len().wrapping_sub(1 + *out as usize);
                if let Some(exits) = self.loops.get_mut(place) {
                    let exit =
                        if matches!(kind, StmtKind::Break { .. }) { &mut exits.breaks } else { &mut exits.continues };
                    *exit = join(exit.take(), Some(state));
                }
                return None;
            }
            StmtKind::Return | StmtKind::Panic { .. } => return None,
            StmtKind::Store { slice, .. } => {
                if let Some(copy) = self.copy_of(*slice) {
                    self.stored(copy, &mut state);
                }
            }
            StmtKind::Atomic { target, .. } => self.apart.extend(self.copy_of(*target)),
            StmtKind::Call { function, .. } => {
                let used = self.used_by(*function);
                used.stored.iter().for_each(|&copy| self.stored(copy, &mut state));
                used.stored.iter().chain(&used.loaded).for_each(|&copy| self.loaded(copy, &mut state));
            }
            _ => {}
        }
        if let Some(var) = kind.assigned()
            && let Some(&(list, _)) = self.lists.places.get(&var)
        {
            self.assigned(list, &mut state);
        }
        Some(state)
    }

    fn iterations(&mut self, cond: ExprId, body: &Block, step: &Block, before: Differing) -> Reach {
        let mut head = before;
        loop {
            self.loops.push(Exits::default());
            let after = self.block(body, Some(head.clone()));
            let exits = self.loops.pop().unwrap_or_default();
            let mut again = self.block(step, join(after, exits.continues));
            if let Some(state) = &mut again {
                self.expr(cond, state);
            }
            let joined = join(Some(head.clone()), again).unwrap_or_default();
            if joined == head {
                return join(Some(head), exits.breaks);
            }
            head = joined;
        }
    }

    /// What a call accesses of this function's copies: in an activation of this function it would be those of another one.
    fn used_by(&mut self, function: FunctionId) -> Used {
        if let Some(known) = self.used.get(&function) {
            return known.clone();
        }
        let (mut used, mut seen, mut pending) = (Used::default(), BTreeSet::new(), vec![function]);
        while let Some(id) = pending.pop() {
            if Some(id) == self.function || !seen.insert(id) {
                continue;
            }
            each_statement(&self.program.function(id).body, &mut |kind| {
                if let StmtKind::Call { function, .. } = kind {
                    pending.push(*function);
                }
                if let StmtKind::Store { slice, .. } | StmtKind::Atomic { target: slice, .. } = kind {
                    used.stored.extend(self.copy_of(*slice));
                }
                for expr in kind.exprs() {
                    each_node(self.program, expr, &mut |expr| {
                        if let Expr::Load { slice, .. } = expr {
                            used.loaded.extend(self.copy_of(slice));
                        }
                    });
                }
            });
        }
        self.used.insert(function, used.clone());
        used
    }
}
