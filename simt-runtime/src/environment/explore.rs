//! All runs of a small environment.

use super::interpreter::YieldAction;
use super::oracle::every_way;
use super::stuck::Stuck;
use super::system::Environment;
use std::collections::{BTreeSet, HashMap};

/// The reason why not all runs could be explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// A program is stuck in one of the runs.
    #[error(transparent)]
    Stuck(#[from] Stuck),
    /// There are too many states.
    #[error("there are more than {limit} states")]
    TooMany {
        /// The limit on states.
        limit: usize,
    },
    /// From some state the operations can never end.
    #[error("in {states} states the operations can never end, whatever happens")]
    Endless {
        /// The number of such states.
        states: usize,
    },
}

/// All states that can be reached, and how.
#[derive(Default)]
struct Graph {
    numbers: HashMap<Environment, usize>,
    /// For each state, its predecessors.
    sources: Vec<Vec<usize>>,
    /// States that have not been expanded.
    open: Vec<Environment>,
}

impl Graph {
    fn add(&mut self, state: Environment, source: Option<usize>) {
        let number = match self.numbers.get(&state) {
            Some(&number) => number,
            None => {
                let number = self.sources.len();
                self.numbers.insert(state.clone(), number);
                self.sources.push(Vec::new());
                self.open.push(state);
                number
            }
        };
        self.sources[number].extend(source);
    }

    /// The number of states from which none of these can be reached.
    fn without_way_to(&self, ends: &[usize]) -> usize {
        let mut reached = vec![false; self.sources.len()];
        let mut open = ends.to_vec();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                open.extend(&self.sources[state]);
            }
        }
        reached.iter().filter(|&&reached| !reached).count()
    }
}

/// The results when all operations have ended, for every order of micro steps, every victim, and, if `silent`, wherever
/// silent rules fire between them.
///
/// # Errors
/// If a program is stuck in some run, operations can come to where they never end, or there are more than `limit` states.
pub fn outcomes<T: Ord>(
    start: &Environment,
    silent: bool,
    limit: usize,
    outcome: impl Fn(&Environment) -> T,
) -> Result<BTreeSet<T>, ExploreError> {
    let mut graph = Graph::default();
    let (mut ends, mut found) = (Vec::new(), BTreeSet::new());
    graph.add(start.clone(), None);
    while let Some(state) = graph.open.pop() {
        if graph.sources.len() > limit {
            return Err(ExploreError::TooMany { limit });
        }
        let number = graph.numbers[&state];
        if state.operations().is_empty() {
            ends.push(number);
            found.insert(outcome(&state));
            continue;
        }
        for next in successors(&state, silent)? {
            graph.add(next, Some(number));
        }
    }
    match graph.without_way_to(&ends) {
        0 => Ok(found),
        states => Err(ExploreError::Endless { states }),
    }
}

/// Every state that one rule leads to.
fn successors(state: &Environment, silent: bool) -> Result<Vec<Environment>, Stuck> {
    let mut next = Vec::new();
    for place in state.eligible() {
        let steps = every_way(|oracle| {
            let mut state = state.clone();
            state.step(place, oracle).map(|action: Option<YieldAction>| action.map(|_| state))
        });
        for step in steps {
            next.extend(step?);
        }
    }
    for rule in if silent { state.silent_rules() } else { Vec::new() } {
        let fired = every_way(|oracle| {
            let mut state = state.clone();
            state.silent(rule, oracle).map(|fired| fired.then_some(state))
        });
        for state in fired {
            next.extend(state?);
        }
    }
    Ok(next)
}
