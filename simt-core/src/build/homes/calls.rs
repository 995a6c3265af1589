//! Which parameters of functions are elements of the caller's home.

use super::lists::{ListId, Lists, each_node, each_statement, known_index};
use crate::program::{ArrayId, Block, Expr, ExprId, FunctionId, Memory, Program, StmtKind, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// An element of an array that passes results back.
pub(super) type Slot = (ArrayId, usize);

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Homes {
    /// By list: the list whose home it has, maybe itself; none of a list that stays variables.
    pub(super) roots: Vec<Option<ListId>>,
    /// By function: what is not passed back, and the parameters that are not passed.
    pub(super) slots: BTreeMap<FunctionId, BTreeSet<Slot>>,
    pub(super) dropped: BTreeMap<FunctionId, BTreeSet<usize>>,
    /// The arrays that pass results back.
    pub(super) passing: BTreeSet<ArrayId>,
}

/// A call, and the variables that get what it passes back.
struct Site {
    caller: Option<FunctionId>,
    args: Vec<ExprId>,
    taken: BTreeMap<Slot, VarId>,
}

/// How a function takes the variables of a list of parameters, if it can have them where the caller has them.
#[derive(Debug)]
struct Shared {
    function: FunctionId,
    positions: Vec<usize>,
    slots: Vec<Slot>,
    parents: BTreeSet<ListId>,
}

struct Calls<'a> {
    program: &'a Program,
    passing: BTreeSet<ArrayId>,
    sites: BTreeMap<FunctionId, Vec<Site>>,
    /// By function: itself if it calls itself, and those that it calls, and these.
    reached: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
}

/// The homes; none if there are none.
pub(super) fn resolve(program: &Program, lists: &mut Lists, passing: &[ArrayId]) -> Option<Homes> {
    let mut calls =
        Calls { program, passing: passing.iter().copied().collect(), sites: BTreeMap::new(), reached: BTreeMap::new() };
    for (caller, body) in program.bodies() {
        calls.find(caller, body);
    }
    calls.reach();
    calls.spread(lists);
    let shared: BTreeMap<ListId, Shared> = (0..lists.lists.len())
        .map(ListId)
        .filter_map(|list| calls.shared(lists, list).map(|shared| (list, shared)))
        .collect();
    let mut forced = BTreeSet::new();
    let roots = loop {
        let roots = roots(lists.lists.len(), &shared, &forced);
        let wrong = calls.wrong(lists, &shared, &roots);
        if wrong.is_empty() {
            break roots;
        }
        forced.extend(wrong);
    };
    let active: BTreeSet<ListId> =
        roots.iter().enumerate().filter(|(list, _)| lists.lists[*list].has_copies).map(|(_, &root)| root).collect();
    let mut homes = Homes { passing: calls.passing.clone(), ..Homes::default() };
    homes.roots = roots.iter().map(|root| active.contains(root).then_some(*root)).collect();
    for (list, how) in &shared {
        if homes.roots[list.0].is_some_and(|root| root != *list) {
            homes.slots.entry(how.function).or_default().extend(&how.slots);
            homes.dropped.entry(how.function).or_default().extend(&how.positions);
        }
    }
    (!active.is_empty()).then_some(homes)
}

/// By list: the list whose home it has.
fn roots(count: usize, shared: &BTreeMap<ListId, Shared>, forced: &BTreeSet<ListId>) -> Vec<ListId> {
    // What is not known yet takes what its first known parent has; what does not agree is found by `wrong`.
    let mut roots: Vec<Option<ListId>> = (0..count)
        .map(ListId)
        .map(|list| (forced.contains(&list) || !shared.contains_key(&list)).then_some(list))
        .collect();
    loop {
        let known = shared.iter().find_map(|(list, how)| {
            let found = how.parents.iter().find_map(|parent| roots[parent.0]);
            found.filter(|_| roots[list.0].is_none()).map(|root| (*list, root))
        });
        let Some((list, root)) = known else { break };
        roots[list.0] = Some(root);
    }
    roots.into_iter().enumerate().map(|(list, root)| root.unwrap_or(ListId(list))).collect()
}

impl Calls<'_> {
    fn find(&mut self, caller: Option<FunctionId>, block: &Block) {
        for (at, stmt) in block.iter().enumerate() {
            if let StmtKind::Call { function, args, .. } = &stmt.kind {
                let taken = block[at + 1..].iter().map_while(|stmt| taken(self.program, &self.passing, &stmt.kind));
                let site = Site { caller, args: args.clone(), taken: taken.collect() };
                self.sites.entry(*function).or_default().push(site);
            }
            stmt.kind.blocks().for_each(|block| self.find(caller, block));
        }
    }

    fn reach(&mut self) {
        let functions: Vec<_> = self.program.bodies().filter_map(|(function, body)| Some((function?, body))).collect();
        let mut direct: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        for (function, body) in functions {
            let called = direct.entry(function).or_default();
            each_statement(body, &mut |kind| {
                if let StmtKind::Call { function, .. } = kind {
                    called.insert(*function);
                }
            });
        }
        for &function in direct.keys() {
            let (mut reached, mut pending) = (BTreeSet::new(), vec![function]);
            while let Some(id) = pending.pop() {
                pending.extend(direct[&id].iter().filter(|&&called| reached.insert(called)));
            }
            self.reached.insert(function, reached);
        }
    }

    /// Finds the lists that callers pass for those that have copies, and that are passed on.
    fn spread(&self, lists: &mut Lists) {
        let mut next = 0;
        let mut wanted: Vec<ListId> =
            (0..lists.lists.len()).map(ListId).filter(|l| lists.lists[l.0].has_copies).collect();
        while let Some(&list) = wanted.get(next) {
            next += 1;
            let (variables, function) = (lists.lists[list.0].variables.clone(), lists.lists[list.0].function);
            let mut found = Vec::new();
            if let Some((function, positions)) = self.positions(function, &variables) {
                for site in self.sites.get(&function).into_iter().flatten() {
                    if let Some(passed) = self.passed(site, &positions) {
                        found.push((passed, site.caller));
                    }
                }
            }
            for (&callee, site) in self.sites.iter().flat_map(|(callee, sites)| sites.iter().map(move |s| (callee, s)))
            {
                if site.caller != function {
                    continue;
                }
                let args: Vec<_> = site.args.iter().map(|&arg| self.program.expr(arg).expr).collect();
                let place = |var: &VarId| args.iter().position(|arg| *arg == Expr::Var(*var));
                if let Some(positions) = variables.iter().map(place).collect::<Option<Vec<_>>>() {
                    let params = &self.program.function(callee).params;
                    found.push((positions.into_iter().map(|place| params[place]).collect(), Some(callee)));
                }
            }
            for (variables, function) in found {
                if let Some(list) = lists.list(self.program, &variables, function)
                    && !wanted.contains(&list)
                {
                    wanted.push(list);
                }
            }
        }
    }

    /// Where a function has the variables among its parameters.
    fn positions(&self, function: Option<FunctionId>, variables: &[VarId]) -> Option<(FunctionId, Vec<usize>)> {
        let params = &self.program.function(function?).params;
        let places = variables.iter().map(|var| params.iter().position(|param| param == var));
        Some((function?, places.collect::<Option<Vec<_>>>()?))
    }

    /// The variables that are passed for these parameters.
    fn passed(&self, site: &Site, positions: &[usize]) -> Option<Vec<VarId>> {
        let variable = |&place: &usize| match self.program.expr(*site.args.get(place)?).expr {
            Expr::Var(var) => Some(var),
            _ => None,
        };
        positions.iter().map(variable).collect()
    }

    /// How the function of a list can have its variables where each caller has them.
    fn shared(&self, lists: &Lists, list: ListId) -> Option<Shared> {
        let variables = &lists.lists[list.0].variables;
        let (function, positions) = self.positions(lists.lists[list.0].function, variables)?;
        let mut given: BTreeMap<Slot, Option<VarId>> = BTreeMap::new();
        let mut is_changed = false;
        each_statement(&self.program.function(function).body, &mut |kind| {
            is_changed |= kind.assigned().is_some_and(|var| variables.contains(&var));
            if let StmtKind::Store { slice: Memory::Array(array), index, value, .. } = *kind
                && self.passing.contains(&array)
                && let Some(index) = known_index(self.program, index)
            {
                let var = match self.program.expr(value).expr {
                    Expr::Var(var) => Some(var),
                    _ => None,
                };
                let known = given.entry((array, index)).or_insert(var);
                *known = known.filter(|known| Some(*known) == var);
            }
        });
        let slot_of = |var: &VarId| given.iter().find(|(_, given)| **given == Some(*var)).map(|(slot, _)| *slot);
        let slots: Vec<Slot> = variables.iter().filter_map(slot_of).collect();
        let is_value = slots.is_empty() && !is_changed && !self.is_stored(lists, list);
        if slots.len() != variables.len() && !is_value {
            return None;
        }
        let mut parents = BTreeSet::new();
        for site in self.sites.get(&function)? {
            let passed = self.passed(site, &positions)?;
            // Each by its own slot only: what another one passes back would come last, or be lost.
            let takes = |var| site.taken.values().filter(|taken| *taken == var).count();
            if !slots.iter().zip(&passed).all(|(slot, var)| site.taken.get(slot) == Some(var) && takes(var) == 1) {
                return None;
            }
            let &(parent, _) = lists.places.get(passed.first()?)?;
            if lists.lists[parent.0].variables != passed || lists.lists[parent.0].function != site.caller {
                return None;
            }
            parents.insert(parent);
        }
        parents.remove(&list);
        Some(Shared { function, positions, slots, parents })
    }

    /// Whether something is stored to a copy of the list, and so to the list.
    fn is_stored(&self, lists: &Lists, list: ListId) -> bool {
        let mut is_stored = false;
        for (_, body) in self.program.bodies() {
            each_statement(body, &mut |kind| {
                if let StmtKind::Store { slice: Memory::Array(array), .. } = kind
                    && let Some(&copy) = lists.of_arrays.get(array)
                {
                    is_stored |= lists.copies[copy].list == list && lists.moved(self.program, kind).is_none();
                }
            });
        }
        is_stored
    }

    /// The lists that cannot have the home that they were given.
    fn wrong(&self, lists: &Lists, shared: &BTreeMap<ListId, Shared>, roots: &[ListId]) -> BTreeSet<ListId> {
        let (mut wrong, mut seen) = (BTreeSet::new(), BTreeSet::new());
        for (&list, how) in shared {
            let root = roots[list.0];
            if root == list {
                continue;
            }
            let agrees = how.parents.iter().all(|parent| roots[parent.0] == root);
            let owner = lists.lists[root.0].function;
            let recurs = owner.is_some_and(|owner| self.reached[&owner].contains(&owner));
            if !agrees
                || recurs
                || !seen.insert((how.function, root))
                || self.is_passed(lists, how.function, root, roots)
            {
                wrong.insert(list);
            }
        }
        wrong
    }

    /// Whether a function, or one that it calls, is passed an array that is the home of this list.
    fn is_passed(&self, lists: &Lists, function: FunctionId, root: ListId, roots: &[ListId]) -> bool {
        let mut within = self.reached[&function].clone();
        within.insert(function);
        let passed = |array: ArrayId| {
            let Some(&copy) = lists.of_arrays.get(&array) else { return false };
            let copy = &lists.copies[copy];
            let owner = lists.lists[copy.list.0].function;
            copy.is_home && roots[copy.list.0] == root && owner.is_none_or(|owner| !within.contains(&owner))
        };
        let mut is_passed = false;
        for &id in &within {
            each_statement(&self.program.function(id).body, &mut |kind| {
                if let StmtKind::Store { slice: Memory::Array(array), .. } = kind {
                    is_passed |= passed(*array);
                }
                for expr in kind.exprs() {
                    each_node(self.program, expr, &mut |expr| {
                        if let Expr::Load { slice: Memory::Array(array), .. } = expr {
                            is_passed |= passed(array);
                        }
                    });
                }
            });
        }
        is_passed
    }
}

/// What a statement behind a call takes of what was passed back.
pub(super) fn taken(program: &Program, passing: &BTreeSet<ArrayId>, kind: &StmtKind) -> Option<(Slot, VarId)> {
    let StmtKind::Assign { var, value } = *kind else { return None };
    let Expr::Load { slice: Memory::Array(array), index, .. } = program.expr(value).expr else { return None };
    let index = known_index(program, index)?;
    passing.contains(&array).then_some(((array, index), var))
}
