//! Blocks that repeat themselves.
//!
//! A block goes on as its configuration says: the policies and registers of its warps, who has run ahead, its barriers, and
//! memory. So a configuration that comes a second time comes again and again, and the block never ends. That is a proof; that
//! none has come again so far proves nothing.
//!
//! Configurations are compared from turn to turn of the warps, and only when a block has run for long: until then it costs
//! nothing. One is kept at a time, which is replaced after 1, 2, 4, 8, .. rounds (Brent 1980, *An improved Monte Carlo
//! factorization algorithm*, section 2): a cycle is found after at most three times as many rounds as it takes to come into
//! it and around.

use crate::block::Barriers;
use crate::flow::{Ahead, State};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::policy::ReconvergencePolicy;

/// How many instructions a warp issues before anybody looks whether its block repeats itself.
///
/// **Assumed:** most warps end earlier, and nobody minds waiting so long for an error.
pub(crate) const BUDGET: u64 = 1 << 16;

/// A warp between its turns.
pub(crate) type Paused<'w, P> = (&'w State<P>, &'w Registers);

/// Looks for a configuration that comes again.
pub(crate) struct Watch<P> {
    kept: Option<Configuration<P>>,
    /// Rounds since it was kept, and after how many it is replaced.
    rounds: u64,
    replaced_after: u64,
}

struct Configuration<P> {
    warps: Vec<(State<P>, Vec<u64>)>,
    barriers: Option<Barriers>,
    ahead: Option<Ahead>,
    memory: Vec<u64>,
}

impl<P: ReconvergencePolicy> Watch<P> {
    pub(crate) fn new() -> Self {
        Self { kept: None, rounds: 0, replaced_after: 1 }
    }

    /// All warps have had a turn. If all is as it was so many rounds ago, gives how many.
    #[cold]
    pub(crate) fn round<'w>(
        &mut self,
        warps: impl Iterator<Item = Paused<'w, P>> + Clone,
        barriers: Option<&Barriers>,
        ahead: Option<&Ahead>,
        memory: &Memory<'_>,
    ) -> Option<u64>
    where
        P: 'w,
    {
        self.rounds += 1;
        if self.kept.as_ref().is_some_and(|kept| kept.is(warps.clone(), barriers, ahead, memory)) {
            return Some(self.rounds);
        }
        if self.kept.is_none() || self.rounds == self.replaced_after {
            self.kept = Some(Configuration::of(warps, barriers, ahead, memory));
            self.rounds = 0;
            self.replaced_after *= 2;
        }
        None
    }
}

impl<P: ReconvergencePolicy> Configuration<P> {
    fn of<'w>(
        warps: impl Iterator<Item = Paused<'w, P>>,
        barriers: Option<&Barriers>,
        ahead: Option<&Ahead>,
        memory: &Memory<'_>,
    ) -> Self
    where
        P: 'w,
    {
        Self {
            warps: warps.map(|(state, registers)| (state.clone(), contents(registers).collect())).collect(),
            barriers: barriers.cloned(),
            ahead: ahead.cloned(),
            memory: memory.image(),
        }
    }

    /// Whether the block stands as it did. What is compared first differs most often.
    fn is<'w>(
        &self,
        warps: impl Iterator<Item = Paused<'w, P>> + Clone,
        barriers: Option<&Barriers>,
        ahead: Option<&Ahead>,
        memory: &Memory<'_>,
    ) -> bool
    where
        P: 'w,
    {
        let mut states = warps.clone().zip(&self.warps);
        let mut registers = warps.zip(&self.warps);
        states.all(|((now, _), (then, _))| now.is_as(then))
            && registers.all(|((_, now), (_, then))| contents(now).eq(then.iter().copied()))
            && barriers == self.barriers.as_ref()
            && ahead == self.ahead.as_ref()
            && memory.image() == self.memory
    }
}

fn contents(registers: &Registers) -> impl Iterator<Item = u64> {
    let (words, wides, predicates) = registers.contents();
    let words = words.iter().flat_map(|chunk| chunk.0).map(u64::from);
    words.chain(wides.iter().flat_map(|chunk| chunk.0)).chain(predicates.iter().copied())
}
