//! Random tiny programs that spin, wait at collectives and fault: with partial-order reduction and without, exploration
//! finds the same, and what it says about fair runs is so.

use super::programs::{Maker, assign, break_, if_, return_, stmt, store, while_};
use super::{checked_within, kind, kinds};
use simt_core::ScalarType;
use simt_core::ops::{AtomicOp, BinaryOp, CompareOp};
use simt_core::program::{
    AtomicOrder, Block, Builtin, CollectiveOp, ExprId, ParamId, Program, StmtKind, Validated, VarId,
};
use simt_semantics::{
    Coverage, End, Interleaved, Memory, Place, RoundRobin, Setting, Termination, ThreadSystem, random_run,
};

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// Writes a program over two shared elements and a variable.
struct Writer {
    random: Random,
    m: Maker,
    x: ParamId,
    lock: ParamId,
    own: VarId,
    left: u64,
}

impl Writer {
    /// A small value of the thread's own, or one that it reads.
    fn value(&mut self) -> ExprId {
        match self.random.below(6) {
            0 | 1 => self.m.constant(self.random.below(3) as u32),
            2 => {
                let lane = self.m.builtin(Builtin::LaneId);
                self.m.cast(lane, ScalarType::U32)
            }
            3 | 4 => self.m.get(self.own),
            _ => self.load(),
        }
    }

    fn load(&mut self) -> ExprId {
        let index = self.index();
        self.m.load(self.x, index, ScalarType::U32)
    }

    /// 0 or 1, and out of bounds at times.
    fn index(&mut self) -> ExprId {
        let index = if self.random.below(30) == 0 { 2 } else { self.random.below(2) };
        self.m.constant(index as usize)
    }

    fn condition(&mut self) -> ExprId {
        let op = if self.random.below(2) == 0 { CompareOp::Eq } else { CompareOp::Ne };
        let (left, right) = (self.value(), self.value());
        self.m.compare(left, op, right)
    }

    fn block(&mut self, depth: u64) -> Block {
        let mut block = Vec::new();
        for _ in 0..=self.random.below(3) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            self.statement(depth, &mut block);
        }
        block
    }

    fn collective(&mut self) -> Block {
        let mask = match self.random.below(4) {
            0 => Some(self.m.constant(1 + self.random.below(7))),
            _ => None,
        };
        let (op, args) = match self.random.below(4) {
            0 if mask.is_none() => (CollectiveOp::ActiveMask, vec![]),
            _ => (CollectiveOp::Ballot, vec![self.condition()]),
        };
        let result = self.m.variable("votes", ScalarType::U64);
        let votes = self.m.get(result);
        let votes = assign(self.own, self.m.cast(votes, ScalarType::U32));
        vec![stmt(StmtKind::Collective { op, mask, args, result: Some(result) }), votes]
    }

    fn statement(&mut self, depth: u64, block: &mut Block) {
        let deep = depth >= 2;
        let last = match self.random.below(13) {
            0 | 1 => assign(self.own, self.value()),
            2 | 3 => {
                let (index, value) = (self.index(), self.value());
                store(self.x, index, value)
            }
            4 => {
                let (index, one) = (self.m.constant(0usize), self.m.constant(1u32));
                let (op, result, order) = (AtomicOp::Add, Some(self.own), AtomicOrder::Relaxed);
                stmt(StmtKind::Atomic { op, target: self.lock.into(), index, operands: vec![one], result, order })
            }
            5 | 6 if !deep => {
                let cond = self.condition();
                if_(cond, self.block(depth + 1), self.block(depth + 1))
            }
            // Until another thread writes, perhaps.
            7 => {
                let (left, right) = (self.load(), self.value());
                let cond = self.m.compare(left, CompareOp::Ne, right);
                while_(cond, vec![], vec![])
            }
            8 if !deep => {
                let (left, right) = (self.value(), self.value());
                let cond = self.m.compare(left, CompareOp::Lt, right);
                let mut body = self.block(depth + 1);
                let (value, one) = (self.m.get(self.own), self.m.constant(1u32));
                let next = self.m.binary(value, BinaryOp::Add, one);
                if self.random.below(3) == 0 {
                    let cond = self.condition();
                    body.push(if_(cond, vec![break_(0)], vec![]));
                }
                // So that its threads count to 2 at most, or for ever.
                let (two, bounded) = (self.m.constant(3u32), self.random.below(4) > 0);
                let next = if bounded { self.m.binary(next, BinaryOp::Rem, two) } else { next };
                body.push(assign(self.own, next));
                while_(cond, body, vec![])
            }
            9 => {
                block.extend(self.collective());
                return;
            }
            // In different arms they may wait for each other.
            10 => {
                let cond = self.condition();
                if_(cond, self.collective(), self.collective())
            }
            11 if self.random.below(2) == 0 => return_(),
            _ => stmt(StmtKind::Skip),
        };
        block.push(last);
    }
}

fn program(seed: u64) -> Option<Validated<Program>> {
    let mut m = Maker::new("tiny");
    let (x, lock) = (m.slice_mut("x", ScalarType::U32), m.atomics("lock", ScalarType::U32));
    let own = m.variable("own", ScalarType::U32);
    let first = m.constant(0u32);
    let mut writer = Writer { random: Random(seed), m, x, lock, own, left: 6 };
    let mut body = vec![assign(own, first)];
    while writer.left > 0 {
        body.extend(writer.block(0));
    }
    let (index, value) = (writer.m.constant(1usize), writer.m.get(own));
    body.push(store(x, index, value));
    writer.m.finish(body).validate().ok()
}

const BOUND: usize = 800;

#[test]
fn reduction_loses_nothing() {
    let (mut endless, mut faults, mut deadlocks, mut several, mut checked) = (0, 0, 0, 0, 0);
    let (mut some, mut every) = (0, 0);
    for seed in 0..300 {
        let Some(program) = program(seed) else { continue };
        let setting = Setting::new(&program, Place::alone(2 + seed as u32 % 2)).expect("it has rules");
        let memory = Memory::initial(&setting, vec![vec![0; 2], vec![0]]).expect("the arguments fit");
        let system = ThreadSystem::new(&setting, memory.clone());
        let Some([reduced, all]) = checked_within(&system, BOUND) else { continue };
        let what = format!("seed {seed}\n{}", *program);
        let ends = *all.termination() == Termination::Always;
        let ways = kinds(&all).0;
        if ends {
            // Round robin is fair. So is chance, all but surely.
            let mut threads = Interleaved::initial(&setting, memory.clone());
            let end = threads.run(&setting, &mut RoundRobin::default(), 10_000, &mut Coverage::default());
            assert_ne!(end, End::OutOfFuel, "{what}");
            for seed in 0..2 {
                let told = kind(&random_run(&system, seed, 100_000));
                assert!(ways.contains(&told), "{told}: {what}");
            }
        }
        checked += 1;
        endless += u32::from(!ends);
        several += u32::from(all.results().count() > 1);
        faults += u32::from(all.endings().iter().any(|ending| matches!(ending.end, End::Fault(_))));
        deadlocks += u32::from(all.endings().iter().any(|ending| matches!(ending.end, End::Deadlock(_))));
        some += reduced.configurations();
        every += all.configurations();
    }
    let seen = format!("{checked}: {endless} endless, {faults} fault, {deadlocks} deadlock, {several} several results");
    eprintln!("{seen}; {some} of {every} configurations");
    assert!(deadlocks > 2 && [endless, faults, several].iter().all(|&count| count > checked / 20), "{seen}");
    assert!(2 * some < every, "{some} of {every}");
}
