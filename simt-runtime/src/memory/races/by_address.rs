//! Accesses of memory by address: kept by words where they are words, by bytes where they are shorter, and apart by strength.

use super::cells::{Cells, Event};
use super::clocks::{Clocks, Element};
use simt_core::code::AddressSpace;
use simt_core::program::FenceScope;

/// What an access by address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    Plain,
    Volatile,
    /// An atomic among the threads of its block only: to other blocks it is plain.
    AtomicOfBlock,
    Atomic,
}

impl Strength {
    const ALL: [Self; 4] = [Self::Plain, Self::Volatile, Self::AtomicOfBlock, Self::Atomic];

    /// Of an atomic with a scope.
    pub(crate) fn of_atomic(scope: FenceScope) -> Self {
        if scope == FenceScope::Block { Self::AtomicOfBlock } else { Self::Atomic }
    }

    pub(super) fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic | Self::AtomicOfBlock)
    }

    /// Among threads of several blocks.
    pub(super) fn among_blocks(self) -> Self {
        if self == Self::AtomicOfBlock { Self::Plain } else { self }
    }

    /// Whether two race that nothing orders: of threads of one warp, or of any. To PTX a volatile access is as strong as an atomic
    /// (PTX ISA, memory consistency model); but kernels that rely on lanes running in step have volatile ones, which race here.
    fn race_with(self, other: Self) -> Racing {
        match (self, other) {
            (Self::Plain, _) | (_, Self::Plain) => Racing::Any,
            (Self::Volatile, Self::Volatile) => Racing::OfOneWarp,
            _ => Racing::None,
        }
    }
}

/// The threads whose accesses of two strengths race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Racing {
    None,
    OfOneWarp,
    Any,
}

/// What is an element by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Byte,
    /// Four bytes, at a multiple of four.
    Word,
}

impl Unit {
    const ALL: [Self; 2] = [Self::Byte, Self::Word];

    /// What accesses of so many bytes, at a multiple of that, are made of.
    pub(super) fn of(bytes: usize) -> Self {
        if bytes.is_multiple_of(Self::Word.bytes()) { Self::Word } else { Self::Byte }
    }

    pub(super) fn bytes(self) -> usize {
        if self == Self::Word { 4 } else { 1 }
    }

    /// Of a value, what the unit at a byte of it holds.
    pub(super) fn part(self, value: u64, at: u64) -> u64 {
        value >> (8 * at) & (u64::MAX >> (64 - 8 * self.bytes()))
    }
}

/// The slots of accesses by address: a code has fewer of its own, so many less than there could be.
pub(crate) const SLOTS: usize = Strength::ALL.len() * Unit::ALL.len();

/// The slot of accesses of a strength and unit.
const fn slot(strength: Strength, unit: Unit) -> u16 {
    u16::MAX - (strength as u16 * Unit::ALL.len() as u16 + unit as u16)
}

/// The slot of plain accesses of words.
pub(super) const PLAIN_WORDS: u16 = slot(Strength::Plain, Unit::Word);

/// The byte that a race of a word is told of: the first, or of two that are written the first that differs.
fn first_byte(now: &Event, earlier: &Event) -> u64 {
    match (now.value, earlier.value) {
        (Some(value), Some(other)) if now.write && earlier.write && value != other => {
            u64::from((value ^ other).trailing_zeros() / 8)
        }
        _ => 0,
    }
}

/// Whether a generic address is of memory that each block has for itself.
pub(super) fn is_of_block(address: u64) -> bool {
    AddressSpace::of(address) == AddressSpace::Shared
}

/// What a race is told of that was found in a slot: an index, of memory by address that of a byte.
pub(super) fn index_of((slot, index): (u16, usize), now: &Event, earlier: &Event) -> usize {
    if slot == PLAIN_WORDS { index * Unit::Word.bytes() + first_byte(now, earlier) as usize } else { index }
}

/// Which accesses by address there are, by strength and unit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByAddress([[bool; Unit::ALL.len()]; Strength::ALL.len()]);

impl ByAddress {
    fn has(&self, strength: Strength, unit: Unit) -> bool {
        self.0[strength as usize][unit as usize]
    }
}

/// Earlier accesses that one by address is compared with.
pub(super) struct With<'s> {
    pub(super) element: Element,
    pub(super) racing: Racing,
    /// Whether an earlier write, of a value, is of the same.
    pub(super) is_same: &'s dyn Fn(Option<u64>) -> bool,
}

/// When an access was, of those of a block or of the grid: issue, and thread of the issue.
pub(super) type When = (u64, u32);

/// Where earlier accesses are looked for.
pub(super) trait Earlier {
    type Access: AsRef<Event>;

    /// How strong accesses of a strength are to each other.
    fn as_seen(strength: Strength) -> Strength;

    /// The earlier access that one now races with, unless it has been `seen` to write.
    fn racing(&mut self, with: &With<'_>, seen: Option<When>) -> Option<Self::Access>;

    /// Until when what others write has been seen by loads of an element, volatile or atomic, and by atomics that change it.
    fn seen(&mut self, element: Element, strength: Strength) -> Option<When>;
}

impl ByAddress {
    /// The slot of plain words, if memory is accessed by address in no other way until now: it is so now.
    pub(super) fn plain_words(&mut self) -> Option<u16> {
        let is_other = |of: Strength, unit| self.has(of, unit) && (of, unit) != (Strength::Plain, Unit::Word);
        let others = Strength::ALL.iter().any(|&of| Unit::ALL.iter().any(|&unit| is_other(of, unit)));
        self.0[Strength::Plain as usize][Unit::Word as usize] = true;
        (!others).then_some(PLAIN_WORDS)
    }

    /// The element for an access to come, which is such a one.
    pub(super) fn element(&mut self, (address, unit): (u64, Unit), strength: Strength) -> Element {
        self.0[strength as usize][unit as usize] = true;
        (slot(strength, unit), address / unit.bytes() as u64)
    }

    /// The earlier access that one of a byte or word by its generic address races with. The value of an atomic is not compared.
    /// Returns also the byte that it is about.
    pub(super) fn find<E: Earlier>(
        self,
        (address, unit): (u64, Unit),
        event: &Event,
        strength: Strength,
        earlier: &mut E,
    ) -> Option<(E::Access, u64)> {
        let word = Unit::Word.bytes() as u64;
        for other in Strength::ALL {
            let racing = E::as_seen(strength).race_with(E::as_seen(other));
            if racing == Racing::None {
                continue;
            }
            let is_atomic = strength.is_atomic() || other.is_atomic();
            let mut find = |of: Unit, at: u64, is_same: &dyn Fn(Option<u64>) -> bool| {
                let is_same = |earlier: Option<u64>| !is_atomic && is_same(earlier);
                let element = (slot(other, of), at / of.bytes() as u64);
                let with = With { element, racing, is_same: &is_same };
                let found = earlier.racing(&with, None)?;
                // What is plain is not seen: whether a load finds it is not defined.
                if E::as_seen(other) == Strength::Plain {
                    return Some(found);
                }
                match self.seen((element.1 * of.bytes() as u64, of), earlier) {
                    None => Some(found),
                    seen => earlier.racing(&with, seen),
                }
            };
            if self.has(other, unit)
                && let Some(earlier) = find(unit, address, &|earlier| earlier == event.value)
            {
                let byte = if is_atomic { 0 } else { first_byte(event, earlier.as_ref()) };
                return Some((earlier, address + byte));
            }
            match unit {
                Unit::Word if self.has(other, Unit::Byte) => {
                    for at in 0..word {
                        let value = event.value.map(|value| Unit::Byte.part(value, at));
                        if let Some(earlier) = find(Unit::Byte, address + at, &|earlier| earlier == value) {
                            return Some((earlier, address + at));
                        }
                    }
                }
                Unit::Byte if self.has(other, Unit::Word) => {
                    let part = |earlier: u64| Unit::Byte.part(earlier, address % word);
                    let is_same = |earlier: Option<u64>| earlier.map(part) == event.value;
                    if let Some(earlier) = find(Unit::Word, address, &is_same) {
                        return Some((earlier, address));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Until when what others write has been seen by accesses of any of the bytes.
    #[cold]
    fn seen<E: Earlier>(self, (address, unit): (u64, Unit), earlier: &mut E) -> Option<When> {
        let word = Unit::Word.bytes() as u64;
        let mut seen = None;
        for strength in Strength::ALL.into_iter().filter(|&strength| E::as_seen(strength) != Strength::Plain) {
            if self.has(strength, Unit::Word) {
                seen = seen.max(earlier.seen((slot(strength, Unit::Word), address / word), strength));
            }
            if self.has(strength, Unit::Byte) {
                for byte in address..address + unit.bytes() as u64 {
                    seen = seen.max(earlier.seen((slot(strength, Unit::Byte), byte), strength));
                }
            }
        }
        seen
    }
}

/// Earlier accesses of a block, for one by a thread of a warp of so many lanes.
struct OfBlock<'a> {
    cells: &'a mut Cells,
    clocks: &'a Clocks,
    event: &'a Event,
    width: usize,
}

impl Earlier for OfBlock<'_> {
    type Access = Event;

    fn as_seen(strength: Strength) -> Strength {
        strength
    }

    fn racing(&mut self, with: &With<'_>, seen: Option<When>) -> Option<Event> {
        let Self { clocks, event, width, .. } = *self;
        let (page, element, lists) = self.cells.page(with.element);
        let warp = |event: &Event| event.thread as usize / width;
        let races = |earlier: &Event| {
            !clocks.is_before(earlier.thread, earlier.then, event.thread)
                && (with.racing == Racing::Any || warp(earlier) == warp(event))
        };
        // Lanes of an issue come in their order.
        let written = |earlier: &Event| {
            let is_seen = || seen.is_some_and(|seen| (earlier.issue, earlier.thread) <= seen);
            !(event.write && (with.is_same)(earlier.value)) && races(earlier) && !is_seen()
        };
        page.find(element, event, lists, written, races)
    }

    /// What a thread has seen is before what it does to the byte behind that: PTX ISA, causality order. An atomic that only stores
    /// counts as one that has seen, and what others hear of it by other bytes does not: a race may be missed, or told of where the
    /// thread has handed on what it has seen.
    fn seen(&mut self, element: Element, strength: Strength) -> Option<When> {
        let thread = self.event.thread;
        let (page, element, lists) = self.cells.page(element);
        let own = |earlier: &Event| earlier.thread == thread;
        let read = page.reads.find(element, false, lists, own);
        let changed = if strength.is_atomic() { page.writes.find(element, true, lists, own) } else { None };
        read.iter().chain(&changed).map(|event| (event.issue, event.thread)).max()
    }
}

impl Cells {
    /// As [`access`](Self::access), of a byte or word by its generic address, by a thread of a warp of so many lanes. Returns also
    /// the byte that it is about.
    pub(super) fn access_at(
        &mut self,
        clocks: &Clocks,
        (address, unit): (u64, Unit),
        event: Event,
        strength: Strength,
        width: usize,
    ) -> Option<(Event, u64)> {
        let by_address = self.by_address;
        let earlier = &mut OfBlock { cells: self, clocks, event: &event, width };
        let earlier = by_address.find((address, unit), &event, strength, earlier);
        if earlier.is_none() {
            let element = self.by_address.element((address, unit), strength);
            let (page, element, lists) = self.page(element);
            page.note(element, event, lists);
        }
        earlier
    }
}
