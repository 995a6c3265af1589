//! Theorem 1, as a checker: each warp transition is matched by interleaved thread transitions (ESOP'12, section 4.2).
//!
//! ```text
//!   π_Θ(W, Δ), μ  ⇒ⁱ*  π_Θ′(W′, Δ′), μ′
//!        ↑γ                   ↑γ
//!   W, Θ, Δ, μ    ⇒ʷ   W′, Θ′, Δ′, μ′                     Fig. 2
//! ```
//!
//! The checker runs a warp, and beside it threads that make the transitions which the proofs construct:
//!
//! * Lemma 3: an inactive thread makes none.
//! * Lemma 4: for an assignment, first each active thread evaluates, then each writes, in the warp's order.
//! * Lemma 5: for any other rule, each active thread makes one transition at most: one, but none for a `sync` or `div` token.
//!   One transition is missing in the paper's table: a thread whose condition fails at while′ has the `brk` of its loop on
//!   top, and pops it with rule (context), while the warp's projection begins behind the loop's token.
//!
//! A collective, which the paper has not, is matched by the transition that the active threads make together.
//!
//! Afterwards the threads' stacks must be the projections of the warp's, and the memories the same. So the run is checked by
//! a semantics that knows neither masks nor tokens.

use crate::choice::Choice;
use crate::collective::is_collective;
use crate::coverage::{Coverage, Rule, ThreadRule};
use crate::fault::Fault;
use crate::interleaved::Interleaved;
use crate::lemmas::{Broken, lemma_1, lemma_2};
use crate::memory::Memory;
use crate::projection::{project, project_stack};
use crate::rules::{Step, WarpRules};
use crate::setting::Setting;
use crate::warp::{Item, TokenKind, Warp};
use simt_core::LaneMask;
use std::fmt;

/// A warp with the threads that simulate it.
#[derive(Debug)]
pub struct Simulation<'a, 'p, R: ?Sized> {
    setting: &'a Setting<'p>,
    rules: &'a R,
    warp: Warp,
    threads: Interleaved,
    coverage: Coverage,
    steps: u64,
}

/// Where the theorem, or a lemma, does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Number of the transition, from 1; 0 for the initial configuration.
    pub step: u64,
    /// The warp's rule.
    pub rule: Option<Rule>,
    /// What does not hold.
    pub kind: ViolationKind,
    /// The warp configuration afterwards, as the paper writes it.
    pub warp: String,
}

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// Lemma 1 or 2.
    Lemma(Broken),
    /// A thread that should match the warp's transition cannot.
    NoTransition {
        /// The thread.
        thread: usize,
        /// Why; none if it has ended.
        fault: Option<Fault>,
    },
    /// A thread is not where the warp's projection is.
    Stack {
        /// The thread.
        thread: usize,
        /// Its stack.
        stack: String,
        /// The projection.
        projection: String,
    },
    /// The memories differ.
    Memory,
    /// The warp faults, but not the thread that it names, or not in this way.
    Fault {
        /// The warp's fault.
        warp: Fault,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.rule.map_or("none", Rule::name);
        writeln!(f, "after transition {} by rule {rule}: {}", self.step, self.warp)?;
        match &self.kind {
            ViolationKind::Lemma(broken) => broken.fmt(f),
            ViolationKind::NoTransition { thread, fault: Some(fault) } => {
                write!(f, "thread {thread} cannot follow: {fault}")
            }
            ViolationKind::NoTransition { thread, fault: None } => write!(f, "thread {thread} has ended"),
            ViolationKind::Stack { thread, stack, projection } => {
                write!(f, "thread {thread} has the stack {stack}\nbut the projection is {projection}")
            }
            ViolationKind::Memory => f.write_str("the memories differ"),
            ViolationKind::Fault { warp } => write!(f, "no thread does what the warp fails for: {warp}"),
        }
    }
}

impl std::error::Error for Violation {}

/// What a transition of the simulation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The warp made a transition, and the threads matched it.
    Step(Step),
    /// The warp has ended, and so have all threads.
    Finished,
    /// The warp failed, and the thread named fails in the same way.
    Fault(Fault),
}

impl<'a, 'p, R: WarpRules + ?Sized> Simulation<'a, 'p, R> {
    /// The initial configuration and its projection.
    ///
    /// # Errors
    /// A lemma does not hold of it.
    pub fn new(setting: &'a Setting<'p>, rules: &'a R, memory: Memory) -> Result<Self, Violation> {
        let warp = Warp::initial(setting, memory.clone());
        let threads = Interleaved::initial(setting, memory);
        let simulation = Self { setting, rules, warp, threads, coverage: Coverage::default(), steps: 0 };
        simulation.check(None)?;
        Ok(simulation)
    }

    /// The warp configuration.
    pub fn warp(&self) -> &Warp {
        &self.warp
    }

    /// The rules that have been applied, by warp and threads.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// One warp transition, the thread transitions that match it, and all checks.
    ///
    /// # Errors
    /// The transition is not matched.
    pub fn step(&mut self, choice: &mut dyn Choice) -> Result<Progress, Violation> {
        let before = (self.warp.active, self.warp.stack.last().copied());
        self.steps += 1;
        match self.rules.step(self.setting, &mut self.warp, choice) {
            Ok(None) => {
                self.steps -= 1;
                self.check(None)?;
                Ok(Progress::Finished)
            }
            Ok(Some(step)) => {
                self.coverage.warp(step.rule);
                self.matched(before, &step)?;
                self.check(Some(step.rule))?;
                Ok(Progress::Step(step))
            }
            Err(fault) => {
                // A fault is found before anything is written, and so by a thread that is alone.
                let found = match before {
                    (active, Some(Item::Statement(id))) if is_collective(self.setting.kind(id)) => {
                        self.threads.step_together(self.setting, active).err()
                    }
                    _ => self.threads.step(self.setting, fault.thread).err(),
                };
                match found {
                    Some(found) if found == fault => Ok(Progress::Fault(fault)),
                    _ => Err(self.violation(None, ViolationKind::Fault { warp: fault })),
                }
            }
        }
    }

    /// Runs to the end, for at most so many warp transitions; `None` if that is not enough.
    ///
    /// # Errors
    /// A transition is not matched.
    pub fn run(&mut self, choice: &mut dyn Choice, fuel: u64) -> Result<Option<Progress>, Violation> {
        for _ in 0..=fuel {
            let progress = self.step(choice)?;
            if !matches!(progress, Progress::Step(_)) {
                return Ok(Some(progress));
            }
        }
        Ok(None)
    }

    /// The thread transitions that match a warp transition.
    fn matched(&mut self, (active, head): (LaneMask, Option<Item>), step: &Step) -> Result<(), Violation> {
        if step.rule == Rule::Collective {
            let stepped = self.threads.step_together(self.setting, active);
            let missing = |fault: Fault| ViolationKind::NoTransition { thread: fault.thread, fault: Some(fault) };
            let rule = stepped.map_err(|fault| self.violation(Some(step.rule), missing(fault)))?;
            self.coverage.thread(rule);
            return Ok(());
        }
        let moves = match (step.rule, head) {
            (Rule::Inact, _) => LaneMask::EMPTY,
            // They leave nothing in a thread's stack.
            (Rule::Token, Some(Item::Token(token))) if matches!(token.kind, TokenKind::Div | TokenKind::Sync) => {
                LaneMask::EMPTY
            }
            _ => active,
        };
        for thread in moves.lanes() {
            if self.follow(step.rule, thread)? == ThreadRule::WhileAgainFalse {
                self.follow(step.rule, thread)?;
            }
        }
        if step.rule == Rule::Assign {
            for &thread in &step.order {
                self.follow(step.rule, thread)?;
            }
        }
        Ok(())
    }

    /// One transition of a thread.
    fn follow(&mut self, rule: Rule, thread: usize) -> Result<ThreadRule, Violation> {
        match self.threads.step(self.setting, thread) {
            Ok(Some(applied)) => {
                self.coverage.thread(applied);
                Ok(applied)
            }
            Ok(None) => Err(self.violation(Some(rule), ViolationKind::NoTransition { thread, fault: None })),
            Err(fault) => Err(self.violation(Some(rule), ViolationKind::NoTransition { thread, fault: Some(fault) })),
        }
    }

    /// Checks that the threads are where the projections are, and the lemmas.
    fn check(&self, rule: Option<Rule>) -> Result<(), Violation> {
        for (thread, stack) in self.threads.stacks.iter().enumerate() {
            if !project(&self.warp, thread).eq(stack.iter().rev().cloned()) {
                let projection = self.setting.show_stack(&project_stack(&self.warp, thread));
                let stack = self.setting.show_stack(stack);
                return Err(self.violation(rule, ViolationKind::Stack { thread, stack, projection }));
            }
        }
        if self.warp.memory != self.threads.memory {
            return Err(self.violation(rule, ViolationKind::Memory));
        }
        let lemmas = lemma_1(&self.warp).and_then(|()| lemma_2(self.rules, &self.warp));
        lemmas.map_err(|broken| self.violation(rule, ViolationKind::Lemma(broken)))
    }

    fn violation(&self, rule: Option<Rule>, kind: ViolationKind) -> Violation {
        Violation { step: self.steps, rule, kind, warp: self.warp.show(self.setting) }
    }
}
