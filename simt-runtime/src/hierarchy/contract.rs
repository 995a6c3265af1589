//! The contract of levels as a test: the laws of [`Level`], on requests of all kinds.

use super::Hierarchy;
use super::cache::CacheFigures;
use super::config::HierarchyConfig;
use super::figures::HierarchyFigures;
use super::kinds::LevelFigures;
use super::level::{AccessKind, CacheOperator, Cycle, Full, Level, Reply, Request};

/// Numbers as good as random (SplitMix64).
#[derive(Clone)]
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// A load of core 0.
pub(super) fn load(id: u64, address: u64, bytes: u32) -> Request {
    Request { id, core: 0, address, bytes, kind: AccessKind::Load, operator: CacheOperator::Cached, local: false }
}

/// Requests of all kinds by some cores, each with the cycle from which it is to be offered.
pub(super) fn script(seed: u64, count: u64, cores: u64, line: u64, gap: u64) -> Vec<(Cycle, Request)> {
    let mut numbers = Numbers(seed);
    let mut at = 0;
    let requests = (0..count).map(|id| {
        at += numbers.below(gap + 1);
        let local = numbers.below(8) == 0;
        let bytes = 1u64 << numbers.below(line.ilog2().into());
        let lines = if numbers.below(3) == 0 { 1 << 16 } else { 24 };
        let address = numbers.below(lines) * line * 3 + numbers.below(line / bytes) * bytes;
        let kind = match numbers.below(8) {
            0..4 => AccessKind::Load,
            4..7 => AccessKind::Store,
            _ => AccessKind::Atomic,
        };
        use CacheOperator::{Cached, Global, LastUse, Streaming, Volatile, WriteThrough};
        let operators = [Cached, Cached, Cached, Cached, Global, Streaming, LastUse, Volatile, WriteThrough];
        let operator = operators[numbers.below(9) as usize];
        let core = numbers.below(cores) as u16;
        // Threads' own memory lies elsewhere.
        let address = if local { address | 1 << 40 | u64::from(core) << 32 } else { address };
        let kind = if local && kind == AccessKind::Atomic { AccessKind::Store } else { kind };
        (at, Request { id, core, address, bytes: bytes as u32, kind, operator, local })
    });
    requests.collect()
}

/// What came of a script.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) replies: Vec<Reply>,
    /// When each request was accepted.
    pub(super) accepted: Vec<Cycle>,
    pub(super) refusals: u64,
    /// The cycle of the last event.
    pub(super) end: Cycle,
}

/// Offers the requests of a script, those of each core in order, and holds the level to the laws of [`Level`]. With `jump`,
/// time goes from event to event, else cycle by cycle. What a refusal changes is looked at for the first `looks` of them.
pub(super) fn run<L: Level + Clone + std::fmt::Debug>(
    level: &mut L,
    script: &[(Cycle, Request)],
    jump: bool,
    mut looks: u32,
) -> Outcome {
    let cores = script.iter().map(|(_, request)| usize::from(request.core) + 1).max().unwrap_or(1);
    let mut queues: Vec<std::collections::VecDeque<_>> = vec![Default::default(); cores];
    for &(from, request) in script {
        queues[usize::from(request.core)].push_back((from, request));
    }
    let mut accepted = vec![None; script.len()];
    let mut answered = vec![false; script.len()];
    let (mut replies, mut all, mut refusals) = (Vec::new(), Vec::new(), 0);
    let (mut now, mut last, mut end) = (0, None, 0);
    loop {
        if level.next_event().is_some_and(|at| at <= now) {
            end = now;
        }
        level.advance(now, &mut replies);
        for reply in replies.drain(..) {
            let id = reply.id as usize;
            assert!(last.is_none_or(|last| reply.at > last) && reply.at <= now, "{reply:?} comes in its time, {now}");
            let at: Cycle = accepted[id].expect("only what was accepted is answered");
            assert!(reply.at > at, "{reply:?} comes after its request in {at}");
            assert!(!std::mem::replace(&mut answered[id], true), "{reply:?} comes once");
            all.push(reply);
        }
        last = Some(now);
        let mut refused = false;
        for queue in &mut queues {
            while let Some(&(from, request)) = queue.front()
                && from <= now
            {
                let before = (looks > 0).then(|| level.clone());
                if level.offer(now, request) == Err(Full) {
                    refused = true;
                    refusals += 1;
                    if let Some(before) = before {
                        looks -= 1;
                        assert_eq!(format!("{level:?}"), format!("{before:?}"), "a refusal leaves no trace");
                    }
                    break;
                }
                accepted[request.id as usize] = Some(now);
                queue.pop_front();
            }
        }
        let underway = accepted.iter().flatten().count() - all.len();
        assert!(level.outstanding() >= underway, "{} < {underway} outstanding", level.outstanding());
        let event = level.next_event();
        assert!(event.is_none_or(|at| at > now), "an event is due in the past: {event:?}, {now}");
        assert!(event.is_some() || (underway == 0 && !refused), "{underway} outstanding, and nothing happens");
        let offer =
            queues.iter().filter_map(|queue| queue.front()).map(|&(from, _)| from).filter(|&from| from > now).min();
        let Some(next) = [event, offer].into_iter().flatten().min() else { break };
        now = if jump { next } else { now + 1 };
        assert!(now < 1 << 32, "it ends");
    }
    assert!(queues.iter().all(|queue| queue.is_empty()) && answered.iter().all(|&answered| answered));
    assert_eq!(level.outstanding(), 0);
    assert!(all.is_sorted_by_key(|reply| reply.at), "replies come in order");
    let accepted = accepted.into_iter().flatten().collect();
    // A run that tries in each cycle is refused more often.
    Outcome { replies: all, accepted, refusals: if jump { refusals } else { 0 }, end }
}

/// What a level has counted.
pub(super) fn figures<L: Level>(level: &L) -> HierarchyFigures {
    let mut sum = HierarchyFigures::default();
    level.count(&mut sum);
    sum
}

/// Offers a level that is idle one request in the cycle `now`, and advances it until nothing is due. Returns the cycles from offer
/// to reply, and the index of the level that served it ([`Reply::served`]). Afterwards `now` is the cycle of the last event.
///
/// # Panics
/// Something is underway in the level, it does not have the request's core, or it breaks a law of [`Level`].
///
/// # Examples
///
/// A word is found in the first level the second time:
///
/// ```
/// use simt::hierarchy::{AccessKind, CacheOperator, HierarchyConfig, Request};
///
/// let config = HierarchyConfig::turing();
/// let mut level = simt::testing::whole_hierarchy(&config, 1);
/// let load = Request {
///     id: 0,
///     core: 0,
///     address: 4096,
///     bytes: 4,
///     kind: AccessKind::Load,
///     operator: CacheOperator::Cached,
///     local: false,
/// };
/// let mut now = 0;
/// assert_eq!(Some(simt::testing::serve_alone(&mut level, &mut now, load).1), config.index("dram"));
/// // The latency of a hit.
/// assert_eq!(simt::testing::serve_alone(&mut level, &mut now, load), (32, 0));
/// ```
pub fn serve_alone<L: Level>(level: &mut L, now: &mut Cycle, request: Request) -> (Cycle, usize) {
    let mut done = Vec::new();
    level.advance(*now, &mut done);
    assert!(done.is_empty());
    let offered = *now;
    level.offer(offered, request).expect("an idle level has room");
    let mut found = None;
    while let Some(at) = level.next_event() {
        *now = at;
        level.advance(at, &mut done);
        for reply in done.drain(..) {
            assert_eq!((reply.id, found), (request.id, None));
            found = Some((reply.at - offered, reply.served));
        }
    }
    found.expect("it is answered")
}

/// Returns the whole memory of a machine of so many cores, as one level, to which a test sends requests.
///
/// # Panics
/// The config has a [`problem`](HierarchyConfig::problem), or there are no cores, or more than
/// [`MOST_CORES`](HierarchyConfig::MOST_CORES).
///
/// # Examples
///
/// ```
/// let config = simt::hierarchy::HierarchyConfig::fermi();
/// simt::testing::hold_level_to_contract(|| simt::testing::whole_hierarchy(&config, 4), 4, 128);
/// ```
pub fn whole_hierarchy(config: &HierarchyConfig, cores: usize) -> impl Level + Clone + std::fmt::Debug + use<> {
    assert_eq!(config.problem(), None);
    assert!((1..=HierarchyConfig::MOST_CORES).contains(&cores), "{cores} cores");
    Hierarchy::new(config, cores)
}

/// Holds a level to the laws of [`Level`], under crowds and under few requests of so many cores, which all lie in one of its
/// lines of so many bytes. `make` makes a level that is new; it must refuse requests of a crowd.
///
/// # Panics
/// The level breaks a law.
///
/// # Examples
///
/// A level without inner life, which answers after ten cycles and has room for three requests:
///
/// ```
/// use simt::hierarchy::{Cycle, Full, HierarchyFigures, Level, Reply, Request};
/// use std::collections::VecDeque;
///
/// #[derive(Clone, Debug, Default)]
/// struct Flat {
///     underway: VecDeque<Reply>,
/// }
///
/// impl Level for Flat {
///     fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
///         if self.underway.len() == 3 {
///             return Err(Full);
///         }
///         self.underway.push_back(Reply { id: request.id, at: now + 10, served: 0 });
///         Ok(())
///     }
///
///     fn next_event(&self) -> Option<Cycle> {
///         self.underway.front().map(|reply| reply.at)
///     }
///
///     fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
///         while let Some(reply) = self.underway.pop_front_if(|reply| reply.at <= now) {
///             done.push(reply);
///         }
///     }
///
///     fn flush(&mut self) {}
///
///     fn outstanding(&self) -> usize {
///         self.underway.len()
///     }
///
///     fn count(&self, _: &mut HierarchyFigures) {}
/// }
///
/// simt::testing::hold_level_to_contract(Flat::default, 4, 64);
/// ```
pub fn hold_level_to_contract<L: Level + Clone + std::fmt::Debug>(make: impl Fn() -> L, cores: u64, line: u64) {
    for (seed, gap) in [(1, 0), (2, 0), (3, 3), (4, 40)] {
        let script = script(seed, 600, cores, line, gap);
        let mut level = make();
        let outcome = run(&mut level, &script, true, if gap == 0 { 2 } else { 0 });
        assert!(gap > 0 || outcome.refusals > 0, "a crowd is refused");
        // Cycle by cycle, nothing else happens.
        let mut other = make();
        let stepped = run(&mut other, &script, false, 0);
        assert_eq!(stepped.replies, outcome.replies);
        assert_eq!(stepped.accepted, outcome.accepted);
        assert_eq!(figures(&other), figures(&level));
        // Between launches all is forgotten.
        let before = figures(&level);
        level.flush();
        assert_eq!(level.next_event(), None);
        assert_eq!(run(&mut level, &script, true, 0), outcome, "after a flush it is as new");
        assert_eq!(bytes(&figures(&level)), 2 * bytes(&before));
        // And again from the beginning.
        let mut other = make();
        assert_eq!(run(&mut other, &script, true, 0), outcome, "it does the same again");
        // What has been loaded is there.
        hit_after_fill(&mut other, outcome.end + 1, line);
    }
}

/// Loads a line twice: if the level has caches at all, it has the line the second time.
fn hit_after_fill<L: Level>(level: &mut L, mut now: u64, line: u64) {
    let before = figures(level);
    let request = load(0, 77 * line, 4);
    let first = serve_alone(level, &mut now, request);
    now += 1;
    let second = serve_alone(level, &mut now, request);
    let after = figures(level);
    let sum = |figures: &HierarchyFigures, of: fn(&CacheFigures) -> u64| -> u64 {
        let caches = figures.levels.iter().map(|level| &level.figures);
        caches.map(|figures| if let LevelFigures::Cache(cache) = figures { of(cache) } else { 0 }).sum()
    };
    let reads = |figures: &HierarchyFigures| figures.dram().map_or(0, |dram| dram.reads);
    if sum(&after, |cache| cache.accesses) > sum(&before, |cache| cache.accesses) {
        assert!(second.0 < first.0 && sum(&after, |cache| cache.hits) > sum(&before, |cache| cache.hits));
        assert!(reads(&after) <= reads(&before) + 1);
    } else {
        // A cycle more, as clocks do not divide.
        assert!(second.0 <= first.0 + 1);
    }
}

/// What memory has moved.
fn bytes(figures: &HierarchyFigures) -> u64 {
    figures.dram().map_or(0, |dram| dram.bytes)
}
