//! The operations of caches (CUDA report, section 4.2.2), compared with the report's own definitions.

use crate::scenario::{PLACE, attempt, device, load, run, set, step, store};
use proptest::prelude::*;
use simt_runtime::environment::StateSpace::{Global, Local};
use simt_runtime::environment::{
    Attempt, Cache, EvictionClass, First, Geometry, Level, LineState, Outcome, ProgramName, SilentRule, Stuck,
};

/// Bytes of a line.
const LINE: usize = 4;

/// The report's line: (address, data, dirty, valid, pins, class), all requests being of whole lines.
#[derive(Clone, Debug, Default, PartialEq)]
struct Line {
    address: Option<u64>,
    data: Option<[u8; LINE]>,
    dirty: bool,
    valid: bool,
    pins: Vec<u64>,
    first: bool,
}

/// The report's cache: its definitions line by line.
#[derive(Clone, Debug)]
struct Reference {
    sets: usize,
    lines: Vec<Line>,
}

/// ⊥, later, or a value.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    Stuck,
    Later,
    Done(Option<Vec<u8>>),
}

impl Reference {
    fn eligible(&self, address: u64) -> Vec<usize> {
        let ways = self.lines.len() / self.sets;
        let set = address as usize / LINE % self.sets;
        (set * ways..(set + 1) * ways).collect()
    }
    fn find(&self, address: u64) -> Option<usize> {
        self.lines.iter().position(|line| line.address == Some(address))
    }
    fn can_evict(&self, among: &[usize], at: usize) -> bool {
        let free = |line: &Line| line.address.is_some() && !line.dirty && line.pins.is_empty();
        let line = &self.lines[at];
        free(line) && (line.first || !among.iter().any(|&at| free(&self.lines[at]) && self.lines[at].first))
    }
    fn reserve(&mut self, address: u64, pin: Option<u64>) -> Said {
        if self.find(address).is_some() {
            return Said::Stuck;
        }
        let eligible = self.eligible(address);
        let unused = eligible.iter().find(|&&at| self.lines[at].address.is_none());
        let evictable = || eligible.iter().find(|&&at| self.can_evict(&eligible, at));
        let Some(&at) = unused.or_else(evictable) else { return Said::Later };
        self.lines[at] = Line { address: Some(address), pins: pin.into_iter().collect(), ..Line::default() };
        Said::Done(None)
    }
    fn read(&mut self, address: u64, id: u64) -> Said {
        let Some(at) = self.find(address) else { return Said::Stuck };
        let line = &mut self.lines[at];
        if line.valid {
            line.pins.retain(|&pin| pin != id);
            Said::Done(line.data.map(Vec::from))
        } else {
            if !line.pins.contains(&id) {
                line.pins.push(id);
                line.pins.sort_unstable();
            }
            Said::Later
        }
    }
    fn write(&mut self, address: u64, data: [u8; LINE]) -> Said {
        if self.find(address).is_none() && self.reserve(address, None) == Said::Later {
            return Said::Later;
        }
        let at = self.find(address).expect("it has been reserved");
        let line = &mut self.lines[at];
        if line.data != Some(data) {
            (line.data, line.dirty, line.valid) = (Some(data), true, true);
        }
        Said::Done(None)
    }
    fn update(&mut self, address: u64, data: [u8; LINE]) -> Said {
        let Some(at) = self.find(address) else { return Said::Stuck };
        let line = &mut self.lines[at];
        if !line.valid {
            (line.data, line.dirty, line.valid) = (Some(data), false, true);
        }
        Said::Done(None)
    }
    fn remove(&mut self, address: u64, even_dirty: bool) -> Said {
        let Some(at) = self.find(address) else { return Said::Done(None) };
        if !self.lines[at].pins.is_empty() || self.lines[at].dirty && !even_dirty {
            return Said::Later;
        }
        self.lines[at] = Line::default();
        Said::Done(None)
    }
    fn classify(&mut self, address: u64, first: bool) -> Said {
        let Some(at) = self.find(address) else { return Said::Stuck };
        self.lines[at].first = first;
        Said::Done(None)
    }
}

fn said<T>(attempt: Attempt<T>, value: impl Fn(T) -> Option<Vec<u8>>) -> Said {
    match attempt {
        Err(_) => Said::Stuck,
        Ok(Outcome::Deferred) => Said::Later,
        Ok(Outcome::Done(done)) => Said::Done(value(done)),
    }
}

/// Our lines as the report has them.
fn shown(cache: &Cache) -> Vec<Line> {
    let shown = |line: &simt_runtime::environment::Line| Line {
        address: line.address(),
        data: line.is_valid().then(|| line.data().try_into().expect("a line")),
        dirty: line.is_dirty(),
        valid: line.is_valid(),
        pins: line.pins().to_vec(),
        first: line.class() == EvictionClass::First,
    };
    cache.lines().iter().map(shown).collect()
}

/// One operation on both; whether they agree.
fn both(cache: &mut Cache, reference: &mut Reference, (kind, address, id): (u8, u64, u64)) -> (Said, Said) {
    let address = address * LINE as u64;
    let data = [id as u8; LINE];
    let none = |()| None;
    match kind {
        0 => (said(cache.reserve(address, Some(id), &mut First), none), reference.reserve(address, Some(id))),
        1 => (said(cache.read(address, LINE, id), Some), reference.read(address, id)),
        2 => (said(cache.write(address, &data, !0, &mut First), none), reference.write(address, data)),
        3 => (said(cache.update(address, &data, !0).map(Outcome::Done), none), reference.update(address, data)),
        4 => (said(Ok(cache.evict(address)), none), reference.remove(address, false)),
        5 => (said(Ok(cache.discard(address)), none), reference.remove(address, true)),
        _ => {
            let class = if kind == 6 { EvictionClass::First } else { EvictionClass::Normal };
            let ours = cache.classify(address, class).map(Outcome::Done);
            (said(ours, none), reference.classify(address, kind == 6))
        }
    }
}

proptest! {
    #[test]
    fn golden_cuda_memory_caches_do_what_the_report_defines(
        sets in 1usize..4, ways in 1usize..4, operations in prop::collection::vec((0u8..8, 0u64..7, 0u64..3), 0..60)
    ) {
        let mut cache = Cache::new(Geometry { sets, ways }, LINE);
        let mut reference = Reference { sets, lines: vec![Line::default(); sets * ways] };
        for operation in operations {
            let (ours, theirs) = both(&mut cache, &mut reference, operation);
            prop_assert_eq!(ours, theirs, "{:?}", operation);
            prop_assert_eq!(shown(&cache), reference.lines.clone(), "{:?}", operation);
            for at in 0..sets * ways {
                // The two axioms; a line of class first goes before those of class normal.
                let line = &reference.lines[at];
                let may = reference.can_evict(&reference.eligible(line.address.unwrap_or_default()), at);
                prop_assert_eq!(cache.can_evict(at), may);
                prop_assert!(!(may && (line.dirty || !line.pins.is_empty())));
            }
        }
    }

    #[test]
    fn bytes_that_are_stored_in_parts_stay(writes in prop::collection::vec((0u64..8, 1usize..5, any::<u8>()), 0..20),
        fill in any::<[u8; 8]>(), fill_at in 0usize..20)
    {
        // However stores and the fill follow each other, each byte is that of its last store, or else that of the fill.
        let mut cache = Cache::new(Geometry { sets: 1, ways: 1 }, 8);
        let mut bytes: [Option<u8>; 8] = [None; 8];
        cache.reserve(0, Some(1), &mut First).expect("it is not cached");
        for (number, &(address, size, byte)) in writes.iter().enumerate() {
            if number == fill_at {
                cache.update(0, &fill, !0).expect("it is reserved");
            }
            let size = size.min(8 - address as usize);
            cache.write(address, &vec![byte; size], !0, &mut First).expect("it lies in the line");
            bytes[address as usize..address as usize + size].fill(Some(byte));
        }
        if writes.len() <= fill_at {
            cache.update(0, &fill, !0).expect("it is reserved");
        }
        let expected: Vec<u8> = bytes.iter().zip(fill).map(|(byte, fill)| byte.unwrap_or(fill)).collect();
        prop_assert_eq!(cache.read(0, 8, 1), Ok(Outcome::Done(expected)));
        prop_assert!(!cache.lines()[0].is_pinned());
    }
}

#[test]
fn golden_cuda_memory_a_line_has_each_of_its_states() {
    let mut cache = Cache::new(Geometry { sets: 1, ways: 1 }, 8);
    let state = |cache: &Cache| cache.lines()[0].state();
    assert_eq!(state(&cache), LineState::Unused);
    assert_eq!(cache.write(0, &[1], !0, &mut First), Ok(Outcome::Done(())));
    assert_eq!((state(&cache), cache.is_cached(0)), (LineState::Partial, false));
    assert_eq!(cache.read(0, 1, 5), Err(Stuck::NotCached { operation: "read", address: 0 }));
    assert_eq!(cache.reserve(0, Some(5), &mut First), Ok(Outcome::Done(())));
    assert_eq!((state(&cache), cache.is_cached(3)), (LineState::Partial, true));
    assert_eq!(cache.update(0, &[9; 8], !0), Ok(()));
    assert_eq!(state(&cache), LineState::Dirty);
    assert_eq!(cache.read(0, 2, 5), Ok(Outcome::Done(vec![1, 9])));
    assert_eq!((cache.evict(0), cache.discard(0)), (Outcome::Deferred, Outcome::Done(())));
    assert_eq!(cache.reserve(8, Some(6), &mut First), Ok(Outcome::Done(())));
    assert_eq!((state(&cache), cache.discard(8)), (LineState::Reserved, Outcome::Deferred));
    assert_eq!(cache.update(8, &[9; 8], !0), Ok(()));
    assert_eq!(state(&cache), LineState::Clean);
    assert!(matches!(cache.read(14, 4, 6), Err(Stuck::AcrossLines { size: 4, .. })));
    assert!(matches!(cache.update(8, &[9; 4], !0), Err(Stuck::PartialFill { size: 4, .. })));
}

#[test]
fn golden_cuda_memory_lines_of_class_first_go_first() {
    let mut cache = Cache::new(Geometry { sets: 1, ways: 3 }, LINE);
    for (number, address) in [0, 4, 8].into_iter().enumerate() {
        cache.reserve(address, None, &mut First).expect("it is not cached");
        cache.update(address, &[0; LINE], !0).expect("it is reserved");
        assert!(cache.can_evict(number));
    }
    cache.classify(4, EvictionClass::First).expect("it is cached");
    assert_eq!([0, 1, 2].map(|line| cache.can_evict(line)), [false, true, false]);
    assert_eq!(cache.reserve(12, None, &mut First), Ok(Outcome::Done(())));
    assert!(cache.line(4).is_none() && cache.line(0).is_some() && cache.line(8).is_some());
    // Whatever its class, a line goes when it is told to.
    cache.update(12, &[0; LINE], !0).expect("it is reserved");
    cache.classify(12, EvictionClass::First).expect("it is cached");
    assert_eq!(cache.evict(0), Outcome::Done(()));
    assert!(cache.line(0).is_none() && cache.line(12).is_some());
}

#[test]
fn golden_cuda_memory_a_full_cache_waits_for_its_pins() {
    let mut device = device(1, 1);
    let first = device.issue(load(ProgramName::LdCa, 0, Global, PLACE, 0)).expect("it exists");
    step(&mut device, first);
    // L1 has one line, which the first load has pinned: the second cannot have it, nor a store's discard remove it.
    let second = device.issue(load(ProgramName::LdCa, 0, Global, PLACE + 8, 1)).expect("it exists");
    let write = device.issue(store(ProgramName::StGlobalWb, 0, Global, PLACE, 3)).expect("it has no registers");
    assert!(!step(&mut device, second) && !step(&mut device, write));
    let rule = SilentRule::Evict { level: Level::L1, processor: 0, line: 0 };
    assert_eq!(device.silent(rule, &mut First), Ok(false));
    device.run_alone(first, &mut First).expect("nothing is in its way");
    assert!(step(&mut device, write) && step(&mut device, second));
    device.complete(&[second, write], &mut First).expect("nothing is in their way");
    assert_eq!(device.check(), Ok(()));
}

#[test]
fn golden_cuda_memory_a_cache_full_of_dirty_lines_waits_for_a_write_back() {
    let mut device = device(1, 1);
    run(&mut device, store(ProgramName::StGlobalWb, 0, Global, PLACE, 3));
    let wait = attempt(&mut device, load(ProgramName::LdCg, 0, Global, PLACE + 8, 0));
    assert_eq!(wait, Err(Stuck::Starved { operations: 1 }));
    let rule = SilentRule::WriteBack { level: Level::L2, processor: 0, line: 0 };
    assert_eq!(device.silent(rule, &mut First), Ok(true));
    assert_eq!(device.silent(rule, &mut First), Ok(false), "it is clean");
    let id = device.operations()[0].id;
    assert_eq!(device.run_alone(id, &mut First), Ok(5));
}

#[test]
fn golden_cuda_memory_an_identical_store_leaves_a_line_clean() {
    let mut device = device(1, 1);
    set(&mut device, Global, PLACE, 3);
    run(&mut device, load(ProgramName::LdCg, 0, Global, PLACE, 0));
    run(&mut device, store(ProgramName::StGlobalWb, 0, Global, PLACE, 3));
    assert!(!device.state.l2().lines()[0].is_dirty());
    run(&mut device, store(ProgramName::StGlobalWb, 0, Global, PLACE, 4));
    assert!(device.state.l2().lines()[0].is_dirty());
}

#[test]
fn golden_cuda_memory_local_data_is_written_back_through_l2() {
    let mut device = device(2, 1);
    let place = device.state.start_of(Local);
    run(&mut device, store(ProgramName::StLocalCg, 0, Local, place, 8));
    // L2 is full of another dirty line: rule wbL1 cannot fire.
    run(&mut device, store(ProgramName::StGlobalWb, 0, Global, PLACE, 3));
    let l1 = SilentRule::WriteBack { level: Level::L1, processor: 0, line: 0 };
    let l2 = SilentRule::WriteBack { level: Level::L2, processor: 0, line: 0 };
    assert_eq!(device.silent(l1, &mut First), Ok(false));
    assert_eq!(device.silent(l2, &mut First), Ok(true));
    assert_eq!(device.silent(l1, &mut First), Ok(true));
    assert_eq!(crate::scenario::in_memory(&device, Global, PLACE), 3);
    assert_eq!(device.silent(l2, &mut First), Ok(true));
    assert_eq!(crate::scenario::in_memory(&device, Local, place), 8);
    // The line is clean, and still there with its class.
    let line = device.state.processors()[0].l1.line(place).expect("it stays");
    assert!(!line.is_dirty() && line.class() == EvictionClass::First);
    // A flush takes lines of global memory alone.
    run(&mut device, load(ProgramName::LdCa, 0, Global, PLACE, 0));
    assert_eq!(device.silent(SilentRule::Flush { processor: 0 }, &mut First), Ok(true));
    let l1 = &device.state.processors()[0].l1;
    assert!(l1.line(place).is_some() && l1.line(PLACE).is_none());
}
