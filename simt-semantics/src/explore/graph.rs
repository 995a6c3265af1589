//! The state graph: all configurations that can be reached, breadth first, up to a bound.

use super::fair::endless;
use super::{Ending, Lasso, Move, System, Witness};
use crate::fault::Fault;
use crate::interleaved::End;
use crate::memory::Memory;
use petgraph::graph::{DiGraph, NodeIndex};
use simt_core::LaneMask;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

/// A configuration, which itself is forgotten.
pub(super) struct Node {
    /// Those that can make a transition.
    pub(super) able: LaneMask,
    /// The edge that it was reached by first; none for the initial one.
    from: Option<(NodeIndex, Move)>,
}

/// A transition.
pub(super) struct Edge {
    pub(super) by: Move,
    pub(super) agents: LaneMask,
}

pub(super) type Graph = DiGraph<Node, Edge>;

/// The moves by which a configuration was reached first.
pub(super) fn witness_to(graph: &Graph, node: NodeIndex) -> Witness {
    let mut moves = Vec::new();
    let mut here = node;
    while let Some((before, by)) = &graph[here].from {
        moves.push(by.clone());
        here = *before;
    }
    moves.reverse();
    Witness { moves }
}

/// Whether runs end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Every weakly fair run ends: with all threads at their end, with a fault, or because all wait.
    Always,
    /// A weakly fair run does not end: this one.
    NotUnder(Lasso),
    /// The bound was too low to tell.
    Unknown,
}

/// What has been found.
#[derive(Clone, Debug)]
pub struct Exploration {
    complete: bool,
    configurations: usize,
    transitions: usize,
    endings: Vec<Ending>,
    termination: Termination,
}

impl Exploration {
    /// Whether all has been seen, and the bound was not too low.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many configurations were reached.
    pub fn configurations(&self) -> usize {
        self.configurations
    }

    /// How many transitions between them were explored.
    pub fn transitions(&self) -> usize {
        self.transitions
    }

    /// How runs end: each final memory, each fault (by thread and kind) and each set of threads that wait for ever, once,
    /// with a schedule that leads there.
    pub fn endings(&self) -> &[Ending] {
        &self.endings
    }

    /// Those where all threads have come to their end.
    pub fn results(&self) -> impl Iterator<Item = &Ending> {
        self.endings.iter().filter(|ending| ending.end == End::Finished)
    }

    /// Those where something went wrong: faults and deadlocks.
    pub fn failures(&self) -> impl Iterator<Item = &Ending> {
        self.endings.iter().filter(|ending| ending.end != End::Finished)
    }

    /// The first ending of a kind.
    pub fn find(&self, wanted: impl Fn(&Ending) -> bool) -> Option<&Ending> {
        self.endings.iter().find(|ending| wanted(ending))
    }

    /// Whether all weakly fair runs end.
    pub fn termination(&self) -> &Termination {
        &self.termination
    }

    /// Whether all has been seen, no run fails, and all weakly fair runs end.
    pub fn always_finishes(&self) -> bool {
        self.complete && self.failures().next().is_none() && self.termination == Termination::Always
    }
}

/// Explores all runs of a system, up to so many configurations, and at most 64 times as many transitions.
///
/// Partial-order reduction: where a transition of a thread touches nothing but what is its own, and leads to a configuration
/// that is new, the others' transitions from there are left out. It can be exchanged with all that others do meanwhile, and
/// they have their turn behind it, so final memories, faults (by thread and kind), deadlocks and the answer about termination
/// are those of [`explore_all`]; schedules need not be the shortest, and the memory at a fault may be a later one. The file
/// `private.rs` has the argument.
pub fn explore<S: System>(system: &S, bound: usize) -> Exploration {
    Search::new(system, bound).run(true)
}

/// As [`explore`], and leaves nothing out: schedules are the shortest.
pub fn explore_all<S: System>(system: &S, bound: usize) -> Exploration {
    Search::new(system, bound).run(false)
}

struct Search<'a, S: System> {
    system: &'a S,
    bound: usize,
    graph: Graph,
    known: HashMap<Rc<S::Config>, NodeIndex>,
    pending: VecDeque<(Rc<S::Config>, NodeIndex)>,
    endings: Vec<Ending>,
    /// Which ending each final memory and each deadlock is.
    finals: BTreeMap<(LaneMask, Option<Memory>), usize>,
    faults: Vec<Fault>,
    complete: bool,
}

impl<'a, S: System> Search<'a, S> {
    fn new(system: &'a S, bound: usize) -> Self {
        let mut search = Self {
            system,
            bound,
            graph: Graph::new(),
            known: HashMap::new(),
            pending: VecDeque::new(),
            endings: Vec::new(),
            finals: BTreeMap::new(),
            faults: Vec::new(),
            complete: true,
        };
        search.reach(system.initial(), None);
        search
    }

    /// The node of a configuration; none if it is one too many.
    fn reach(&mut self, config: S::Config, from: Option<(NodeIndex, &Move)>) -> Option<NodeIndex> {
        if let Some(&node) = self.known.get(&config) {
            return Some(node);
        }
        if self.known.len() >= self.bound {
            self.complete = false;
            return None;
        }
        let from = from.map(|(node, by)| (node, by.clone()));
        let node = self.graph.add_node(Node { able: LaneMask::EMPTY, from });
        let config = Rc::new(config);
        self.known.insert(Rc::clone(&config), node);
        self.pending.push_back((config, node));
        Some(node)
    }

    fn run(mut self, reduce: bool) -> Exploration {
        while let Some((config, node)) = self.pending.pop_front() {
            self.expand(&config, node, reduce);
        }
        let termination = match endless(&self.graph) {
            Some(lasso) => Termination::NotUnder(lasso),
            None if self.complete => Termination::Always,
            None => Termination::Unknown,
        };
        Exploration {
            complete: self.complete,
            configurations: self.graph.node_count(),
            transitions: self.graph.edge_count(),
            endings: self.endings,
            termination,
        }
    }

    fn expand(&mut self, config: &S::Config, node: NodeIndex, reduce: bool) {
        let live = self.system.live(config);
        if live.is_empty() {
            self.ends(End::Finished, config, node);
            return;
        }
        let full = self.graph.edge_count() >= self.bound.saturating_mul(64);
        let successors = if full { None } else { self.system.successors(config, self.bound.max(64)) };
        let Some(mut successors) = successors else {
            self.complete = false;
            return;
        };
        if successors.is_empty() {
            self.ends(End::Deadlock(live), config, node);
            return;
        }
        self.graph[node].able = successors.iter().fold(LaneMask::EMPTY, |able, successor| able | successor.agents);
        if reduce {
            let known = &self.known;
            let new = |after: &S::Config| !known.contains_key(after);
            let alone = successors.iter().position(|one| one.alone && one.after.as_ref().is_ok_and(new));
            if let Some(place) = alone {
                successors = vec![successors.swap_remove(place)];
            }
        }
        let mut edges = BTreeSet::new();
        for successor in successors {
            match successor.after {
                Ok(after) => {
                    let Some(to) = self.reach(after, Some((node, &successor.by))) else { continue };
                    let (by, agents) = (successor.by, successor.agents);
                    if edges.insert((to, agents)) {
                        self.graph.add_edge(node, to, Edge { by, agents });
                    }
                }
                Err(fault) => {
                    if !self.faults.contains(&fault) {
                        self.faults.push(fault.clone());
                        self.ends(End::Fault(fault), config, node);
                        let last = self.endings.last_mut();
                        last.into_iter().for_each(|ending| ending.witness.moves.push(successor.by.clone()));
                    }
                }
            }
        }
    }

    /// A run ends, perhaps in a way that is new.
    fn ends(&mut self, end: End, config: &S::Config, node: NodeIndex) {
        let memory = self.system.memory(config);
        let key = match &end {
            End::Finished => Some((LaneMask::EMPTY, Some(memory.clone()))),
            End::Deadlock(live) => Some((*live, None)),
            End::Fault(_) | End::OutOfFuel => None,
        };
        if let Some(key) = key {
            if self.finals.contains_key(&key) {
                return;
            }
            self.finals.insert(key, self.endings.len());
        }
        self.endings.push(Ending { end, memory: memory.clone(), witness: witness_to(&self.graph, node) });
    }
}
