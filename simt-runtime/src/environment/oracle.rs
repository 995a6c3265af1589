//! Free choices: whatever the report leaves open is asked of an [`Oracle`].
//!
//! As `simt_semantics::Choice` of the literal semantics: nothing else chooses, so that the same answers give
//! the same run.

/// The subject of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Whether a memory operation makes a micro step, or a silent rule fires.
    Rule,
    /// Which memory operation.
    Operation,
    /// Which silent rule.
    Silent,
    /// The cache of a silent rule.
    Cache,
    /// The line of a silent rule.
    Line,
    /// Which line is evicted for a new one.
    Victim,
    /// Which multiprocessor runs a block.
    Processor,
    /// Which grid starts, or has a turn.
    Grid,
    /// Which warp runs next.
    Warp,
    /// The number of instructions of a turn.
    Turn,
    /// The lane whose store or atomic comes first.
    Lane,
    /// How many rules fire between two instructions.
    Macro,
}

/// Answers what the report leaves open.
pub trait Oracle {
    /// A number below `options`, which is at least 2.
    fn pick(&mut self, question: Question, options: usize) -> usize;
}

impl<O: Oracle + ?Sized> Oracle for &mut O {
    fn pick(&mut self, question: Question, options: usize) -> usize {
        (**self).pick(question, options)
    }
}

/// Asks, if there is something to choose; 0 if not.
pub fn ask(oracle: &mut dyn Oracle, question: Question, options: usize) -> usize {
    if options < 2 { 0 } else { oracle.pick(question, options) % options }
}

/// Random answers, the same for the same seed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seeded(u64);

impl Seeded {
    /// The answers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl Oracle for Seeded {
    /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    fn pick(&mut self, _: Question, options: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % options.max(1) as u64) as usize
    }
}

/// Chooses the first of the options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct First;

impl Oracle for First {
    fn pick(&mut self, _: Question, _: usize) -> usize {
        0
    }
}

/// Goes through all answers: [`every_way`].
#[derive(Clone, Debug, Default)]
struct Script {
    /// Each answer with the number of options it was one of.
    answers: Vec<(usize, usize)>,
    next: usize,
}

impl Oracle for Script {
    fn pick(&mut self, _: Question, options: usize) -> usize {
        if self.next == self.answers.len() {
            self.answers.push((0, options));
        }
        self.next += 1;
        self.answers[self.next - 1].0
    }
}

impl Script {
    /// The next answers; false if there are none.
    fn turn(&mut self) -> bool {
        self.next = 0;
        while let Some((answer, options)) = self.answers.pop() {
            if answer + 1 < options {
                self.answers.push((answer + 1, options));
                return true;
            }
        }
        false
    }
}

/// The results of a function for every way to answer what it asks. It must ask the same after the same answers, and end.
pub fn every_way<T>(mut something: impl FnMut(&mut dyn Oracle) -> T) -> Vec<T> {
    let mut script = Script::default();
    let mut results = Vec::new();
    loop {
        results.push(something(&mut script));
        if !script.turn() {
            return results;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_gone_once() {
        let ways = every_way(|oracle| {
            let first = ask(oracle, Question::Line, 3);
            let second = if first == 1 { ask(oracle, Question::Line, 2) } else { ask(oracle, Question::Line, 1) };
            (first, second)
        });
        assert_eq!(ways, [(0, 0), (1, 0), (1, 1), (2, 0)]);
    }

    #[test]
    fn a_seed_gives_the_same_answers_and_all_of_them() {
        let answers = |seed| {
            let mut oracle = Seeded::new(seed);
            (0..100).map(|_| ask(&mut oracle, Question::Line, 5)).collect::<Vec<_>>()
        };
        assert_eq!(answers(3), answers(3));
        assert_ne!(answers(3), answers(4));
        assert!((0..5).all(|answer| answers(3).contains(&answer)));
    }
}
