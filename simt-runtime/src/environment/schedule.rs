//! Runs of the memory environment: macro steps by the oracle, and fairness.
//!
//! The report lets silent rules fire at any time and forces none. A cache full of dirty lines then starves loads (hole H15),
//! and memory never gets what caches hold. So a caller that waits here for operations to end goes round all of them fairly
//! when chance does not help, and has dirty lines written back when none can go on.

use super::interpreter::YieldAction;
use super::language::Level;
use super::line::OperationId;
use super::oracle::{Oracle, Question, ask};
use super::stuck::Stuck;
use super::system::{Environment, SilentRule};

/// How many answers of the oracle may lead nowhere before operations have their turns in order.
///
/// **Assumed:** long enough for every short order of events, short enough that a launch ends.
const PATIENCE: usize = 64;

/// How many lines are drawn, at most, to find one that is used.
const LOOK: usize = 64;

impl Environment {
    /// Fires some rules, as the oracle says: a macro step.
    ///
    /// # Errors
    /// Where a program is stuck.
    pub fn macro_step(&mut self, oracle: &mut dyn Oracle) -> Result<(), Stuck> {
        for _ in 0..ask(oracle, Question::Macro, 4) {
            self.any_rule(oracle)?;
        }
        Ok(())
    }

    /// Fires a rule, if the one that the oracle names can fire.
    fn any_rule(&mut self, oracle: &mut dyn Oracle) -> Result<(), Stuck> {
        if ask(oracle, Question::Rule, 4) == 0 {
            self.any_silent_rule(oracle)
        } else {
            let place = ask(oracle, Question::Operation, self.operations().len());
            self.step(place, oracle).map(|_| ())
        }
    }

    fn any_silent_rule(&mut self, oracle: &mut dyn Oracle) -> Result<(), Stuck> {
        let processors = self.state.processors.len();
        let cache = ask(oracle, Question::Cache, processors + 1);
        let (level, processor) = if cache == processors { (Level::L2, 0) } else { (Level::L1, cache) };
        let silent = ask(oracle, Question::Silent, 16);
        if silent == 0 && level == Level::L1 {
            return self.silent(SilentRule::Flush { processor }, oracle).map(|_| ());
        }
        let lines = self.state.cache(level, processor)?.lines();
        let from = ask(oracle, Question::Line, lines.len());
        let near = (from..lines.len()).chain(0..from).take(LOOK);
        let Some(line) = near.into_iter().find(|&line| lines[line].address().is_some()) else { return Ok(()) };
        let rule = if silent.is_multiple_of(2) {
            SilentRule::Evict { level, processor, line }
        } else {
            SilentRule::WriteBack { level, processor, line }
        };
        self.silent(rule, oracle).map(|_| ())
    }

    /// Goes on until these operations have ended; others go on as the oracle says.
    ///
    /// # Errors
    /// Where a program is stuck, or if no operation can ever go on.
    pub fn complete(&mut self, wanted: &[OperationId], oracle: &mut dyn Oracle) -> Result<(), Stuck> {
        let mut patience = PATIENCE;
        loop {
            let waits = |place: &usize| wanted.contains(&self.operations()[*place].id);
            let places: Vec<usize> = (0..self.operations().len()).filter(waits).collect();
            if places.is_empty() {
                return Ok(());
            }
            if patience == 0 {
                self.fair_round(oracle)?;
                continue;
            }
            // Half of the time, one of the operations that are waited for, so that the others may lag behind for long.
            if ask(oracle, Question::Rule, 2) == 0 {
                let place = places[ask(oracle, Question::Operation, places.len())];
                let action = self.step(place, oracle)?;
                let went_on = matches!(action, Some(YieldAction::Yield | YieldAction::End));
                patience = if went_on { PATIENCE } else { patience - 1 };
            } else {
                self.any_rule(oracle)?;
                patience -= 1;
            }
        }
    }

    /// Each operation makes a micro step, if it may; if none advances by it, dirty lines are written back.
    fn fair_round(&mut self, oracle: &mut dyn Oracle) -> Result<(), Stuck> {
        let all: Vec<OperationId> = self.operations().iter().map(|operation| operation.id).collect();
        let mut went_on = false;
        for id in all {
            let place = self.operations().iter().position(|operation| operation.id == id);
            let action = place.map_or(Ok(None), |place| self.step(place, oracle))?;
            went_on |= matches!(action, Some(YieldAction::Yield | YieldAction::End));
        }
        if went_on || self.write_back_all(oracle)? {
            return Ok(());
        }
        Err(Stuck::Starved { operations: self.operations().len() })
    }

    /// Writes back every dirty line that can be; returns whether there was one.
    fn write_back_all(&mut self, oracle: &mut dyn Oracle) -> Result<bool, Stuck> {
        let mut any = false;
        // L2 first: it may have to make room for lines of L1.
        let l1s = (0..self.state.processors.len()).map(|processor| (Level::L1, processor));
        for (level, processor) in [(Level::L2, 0)].into_iter().chain(l1s) {
            for line in 0..self.state.cache(level, processor)?.lines().len() {
                any |= self.silent(SilentRule::WriteBack { level, processor, line }, oracle)?;
            }
        }
        Ok(any)
    }

    /// Ends all operations, writes everything back to memory and flushes the L1 caches: what the end of a grid needs (holes
    /// H3 and H11).
    ///
    /// # Errors
    /// Where a program is stuck, or if no operation can ever go on.
    pub fn drain(&mut self, oracle: &mut dyn Oracle) -> Result<(), Stuck> {
        while !self.operations().is_empty() {
            self.fair_round(oracle)?;
        }
        while self.write_back_all(oracle)? {}
        for processor in 0..self.state.processors.len() {
            self.silent(SilentRule::Flush { processor }, oracle)?;
        }
        Ok(())
    }

    /// Runs one operation by itself, and counts its micro steps.
    ///
    /// # Errors
    /// Where its program is stuck, or if it defers: no other operation could help it.
    pub fn run_alone(&mut self, operation: OperationId, oracle: &mut dyn Oracle) -> Result<usize, Stuck> {
        let mut steps = 0;
        while let Some(place) = self.operations().iter().position(|one| one.id == operation) {
            match self.step(place, oracle)? {
                Some(YieldAction::Yield | YieldAction::End) => steps += 1,
                Some(YieldAction::Deferred) | None => {
                    return Err(Stuck::Starved { operations: self.operations().len() });
                }
            }
        }
        Ok(steps)
    }
}
