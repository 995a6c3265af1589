//! One direction of a crossbar.
//!
//! Packets of an input wait by output (virtual output queues), so that none waits for another's output. An input and an
//! output carry one flit a cycle. In each cycle in which a packet can go, each free output takes the packet of one free
//! input, in turns; outputs begin in turns, too.

use std::collections::VecDeque;

use super::super::level::{Cycle, NEVER};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Packet<T> {
    content: T,
    flits: u32,
    next: u32,
}

/// Packets of type `T` from inputs to outputs, at most 128 of either.
#[derive(Clone, Debug)]
pub(super) struct Switch<T> {
    inputs: usize,
    latency: Cycle,
    /// Most packets of an input.
    room: u32,
    /// Packets that wait, as lists.
    packets: Vec<Packet<T>>,
    free: u32,
    /// First and last packet by output and input.
    lists: Vec<(u32, u32)>,
    /// For each output, which inputs have packets for it; and which outputs have any.
    waiting: Vec<u128>,
    wanted: u128,
    /// Packets of each input, and the inputs that have no room.
    held: Vec<u32>,
    full: u128,
    /// The cycle in which each port is free.
    input_free: Vec<Cycle>,
    output_free: Vec<Cycle>,
    /// Inputs that have not been seen free since they carried a packet.
    busy: u128,
    /// For each output, the input whose turn it is.
    turn: Vec<u8>,
    /// The output that begins.
    first: u8,
    /// For each output, how many more packets may be on their way to it.
    credit: Vec<u32>,
    /// For each output, the packets that are on their way or have come.
    arrivals: Vec<VecDeque<(Cycle, T)>>,
    /// The cycle in which packets can next be chosen.
    choice: Cycle,
    /// Packets and flits carried.
    pub(super) carried: (u64, u64),
}

impl<T: Copy> Switch<T> {
    pub(super) fn new(inputs: usize, outputs: usize, latency: u32, room: u32, credit: u32) -> Self {
        Self {
            inputs,
            latency: Cycle::from(latency),
            room,
            packets: Vec::with_capacity(inputs * room.min(64) as usize),
            free: NONE,
            lists: vec![(NONE, NONE); inputs * outputs],
            waiting: vec![0; outputs],
            wanted: 0,
            held: vec![0; inputs],
            full: 0,
            input_free: vec![0; inputs],
            output_free: vec![0; outputs],
            busy: 0,
            turn: vec![0; outputs],
            first: 0,
            credit: vec![credit; outputs],
            arrivals: (0..outputs).map(|_| VecDeque::with_capacity(credit.min(64) as usize)).collect(),
            choice: NEVER,
            carried: (0, 0),
        }
    }

    /// The inputs that have no room, as a mask.
    pub(super) fn full(&self) -> u128 {
        self.full
    }

    pub(super) fn has_room(&self, input: usize) -> bool {
        self.full >> input & 1 == 0
    }

    /// Adds a packet at an input that has room.
    pub(super) fn push(&mut self, now: Cycle, input: usize, output: usize, flits: u32, content: T) {
        let packet = Packet { content, flits, next: NONE };
        let number = if self.free == NONE {
            self.packets.push(packet);
            self.packets.len() as u32 - 1
        } else {
            let number = self.free;
            self.free = self.packets[number as usize].next;
            self.packets[number as usize] = packet;
            number
        };
        let (head, tail) = &mut self.lists[output * self.inputs + input];
        if *head == NONE {
            *head = number;
        } else {
            self.packets[*tail as usize].next = number;
        }
        *tail = number;
        self.held[input] += 1;
        self.full |= u128::from(self.held[input] >= self.room) << input;
        self.waiting[output] |= 1 << input;
        self.wanted |= 1 << output;
        self.choice = self.choice.min(now + 1);
    }

    /// The cycle in which packets can next be chosen; never if an output must first be freed.
    pub(super) fn choice(&self) -> Cycle {
        self.choice
    }

    /// The packets that have come to an output, or will.
    pub(super) fn arrival(&self, output: usize) -> Option<&(Cycle, T)> {
        self.arrivals[output].front()
    }

    /// Takes the packets that have come, which frees their places.
    pub(super) fn pop(&mut self, now: Cycle, output: usize) {
        self.arrivals[output].pop_front();
        self.credit[output] += 1;
        if self.credit[output] == 1 && self.wanted >> output & 1 == 1 {
            self.choice = self.choice.min(now + 1);
        }
    }

    /// Chooses the packets that begin their way in a cycle. `begun` is called with the input, the output, and the cycle in
    /// which the packet will be there.
    pub(super) fn choose(&mut self, now: Cycle, mut begun: impl FnMut(usize, usize, Cycle)) {
        let mut carrying = self.busy;
        while carrying != 0 {
            let input = carrying.trailing_zeros() as usize;
            carrying &= carrying - 1;
            if self.input_free[input] <= now {
                self.busy &= !(1 << input);
            }
        }
        let mut next = NEVER;
        let later = u128::MAX << self.first;
        for part in [self.wanted & later, self.wanted & !later] {
            let mut outputs = part;
            while outputs != 0 {
                let output = outputs.trailing_zeros() as usize;
                outputs &= outputs - 1;
                if self.credit[output] > 0 {
                    next = next.min(self.choose_for(output, now, &mut begun));
                }
            }
        }
        self.first = if usize::from(self.first) + 1 < self.waiting.len() { self.first + 1 } else { 0 };
        self.choice = next;
    }

    /// Chooses for one output with room; returns when it can next take a packet.
    fn choose_for(&mut self, output: usize, now: Cycle, begun: &mut impl FnMut(usize, usize, Cycle)) -> Cycle {
        if self.output_free[output] > now {
            return self.output_free[output];
        }
        let mut waiting = self.waiting[output];
        let ready = waiting & !self.busy;
        if ready == 0 {
            let mut soonest = NEVER;
            while waiting != 0 {
                soonest = soonest.min(self.input_free[waiting.trailing_zeros() as usize]);
                waiting &= waiting - 1;
            }
            return soonest;
        }
        let behind = ready & (u128::MAX << self.turn[output]);
        let input = if behind == 0 { ready } else { behind }.trailing_zeros() as usize;
        self.turn[output] = if input + 1 < self.inputs { input as u8 + 1 } else { 0 };
        let list = &mut self.lists[output * self.inputs + input];
        let number = list.0;
        let Packet { content, flits, next } = self.packets[number as usize];
        list.0 = next;
        self.packets[number as usize].next = self.free;
        self.free = number;
        if next == NONE {
            self.waiting[output] &= !(1 << input);
            if self.waiting[output] == 0 {
                self.wanted &= !(1 << output);
            }
        }
        self.held[input] -= 1;
        self.full &= !(1 << input);
        self.credit[output] -= 1;
        let free = now + Cycle::from(flits);
        self.input_free[input] = free;
        self.output_free[output] = free;
        self.busy |= 1 << input;
        let at = free - 2 + self.latency;
        self.arrivals[output].push_back((at, content));
        self.carried.0 += 1;
        self.carried.1 += u64::from(flits);
        begun(input, output, at);
        if self.waiting[output] != 0 && self.credit[output] > 0 { free } else { NEVER }
    }

    /// Packets that wait or are on their way.
    pub(super) fn underway(&self) -> usize {
        self.held.iter().map(|&held| held as usize).sum::<usize>()
            + self.arrivals.iter().map(VecDeque::len).sum::<usize>()
    }

    /// Begins at cycle 0 again. No packet may be on its way.
    pub(super) fn flush(&mut self) {
        self.input_free.fill(0);
        self.output_free.fill(0);
        self.turn.fill(0);
        self.busy = 0;
        self.first = 0;
        self.choice = NEVER;
    }
}
