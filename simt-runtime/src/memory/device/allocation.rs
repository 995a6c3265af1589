//! Allocations, and where they lie.

use super::bytes::{Bytes, Page};
use std::borrow::Cow;
use std::panic::Location;

/// Bytes between two allocations, at least: an access that runs past the end of one comes to none.
pub(super) const GUARD: u64 = 4096;

/// What the address of an allocation is a multiple of, at least, as of those of `cudaMalloc`.
const ALIGNMENT: u64 = 256;

/// Bytes of a page: what a launch keeps to undo what it has written.
const PAGE: usize = 4096;

/// Some bytes of the device.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    /// The first address, in its space.
    pub(crate) start: u64,
    pub(crate) size: u64,
    /// The symbol that it is, if it is one.
    pub(crate) name: Option<Cow<'static, str>>,
    /// The caller that asked for it.
    pub(crate) by: &'static Location<'static>,
    /// What it is in words of the caller, if the caller has said so.
    pub(crate) what: Option<Cow<'static, str>>,
    /// The caller that gave it back; its bytes are gone then.
    pub(crate) freed: Option<&'static Location<'static>>,
    pub(crate) bytes: Bytes,
    /// A bit for each page that has been kept.
    kept: Vec<u64>,
}

/// Allocations of one space, by their addresses.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The first address that has not been given away.
    next: u64,
    allocations: Vec<Allocation>,
    /// The allocation that was accessed last: the next access mostly is to the same.
    last: usize,
    /// Pages as they were when the launch began, if one runs.
    journal: Vec<Kept>,
    /// Pages as they were when a turn began, if one runs.
    turn: Option<Vec<Kept>>,
}

/// A page of an allocation as it was: the number of the allocation, and that of the page.
type Kept = (usize, usize, Page);

impl Region {
    pub(super) fn new(base: u64) -> Self {
        Self { next: base, allocations: Vec::new(), last: 0, journal: Vec::new(), turn: None }
    }

    pub(crate) fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// Adds an allocation behind the others; `None` if the host has no room for it.
    pub(super) fn add(
        &mut self,
        size: u64,
        align: u64,
        name: Option<Cow<'static, str>>,
        by: &'static Location<'static>,
    ) -> Option<u64> {
        let start = self.next.checked_next_multiple_of(align.max(ALIGNMENT))?;
        self.next = start.checked_add(size)?.checked_add(GUARD)?;
        let bytes = Bytes::try_new(usize::try_from(size).ok()?)?;
        let kept = Vec::new();
        self.allocations.push(Allocation { start, size, name, by, what: None, freed: None, bytes, kept });
        Some(start)
    }

    /// The allocation that an address lies in or behind, by its number.
    pub(crate) fn at_or_before(&self, address: u64) -> Option<usize> {
        self.allocations.partition_point(|allocation| allocation.start <= address).checked_sub(1)
    }

    /// The allocation that has all of so many bytes from an address on, and where in it they are.
    #[inline]
    pub(crate) fn find(&mut self, address: u64, count: usize) -> Option<(usize, usize)> {
        let within = |allocation: &Allocation| {
            let at = address.wrapping_sub(allocation.start);
            (at < allocation.size && allocation.size - at >= count as u64).then_some(at as usize)
        };
        if let Some(at) = self.allocations.get(self.last).and_then(within) {
            return Some((self.last, at));
        }
        let number = self.at_or_before(address)?;
        let at = within(&self.allocations[number])?;
        self.last = number;
        Some((number, at))
    }

    #[inline(always)]
    pub(crate) fn allocation_mut(&mut self, number: usize) -> &mut Allocation {
        &mut self.allocations[number]
    }

    /// The value of 1, 2, 4 or 8 bytes; `None` unless they lie in one allocation, which is not freed, and have values.
    #[inline]
    pub(crate) fn get(&mut self, address: u64, count: usize) -> Option<u64> {
        let (number, at) = self.find(address, count)?;
        self.allocations[number].bytes.get(at, count)
    }

    /// Writes 1, 2, 4 or 8 bytes; `None` unless they lie in one allocation, which is not freed. What the page held is kept.
    #[inline]
    pub(crate) fn set(&mut self, address: u64, count: usize, bits: u64) -> Option<()> {
        let (number, at) = self.find(address, count)?;
        // An aligned access lies in one page.
        self.keep(number, at / PAGE);
        self.allocations[number].bytes.set(at, count, bits)
    }

    /// What the page of a byte of an allocation holds is kept.
    #[inline(always)]
    pub(crate) fn keep_at(&mut self, number: usize, at: usize) {
        self.keep(number, at / PAGE);
    }

    #[inline]
    fn keep(&mut self, number: usize, page: usize) {
        let allocation = &mut self.allocations[number];
        if allocation.kept.get(page / 64).is_some_and(|kept| kept >> (page % 64) & 1 == 1) || allocation.freed.is_some()
        {
            return;
        }
        if allocation.kept.is_empty() {
            allocation.kept = vec![0; allocation.bytes.len().div_ceil(PAGE).div_ceil(64)];
        }
        allocation.kept[page / 64] |= 1 << (page % 64);
        self.journal.push((number, page, allocation.bytes.page(page, PAGE)));
    }

    /// What has been written since the last [`forget`](Self::forget) is undone.
    pub(crate) fn undo(&mut self) {
        for (number, page, old) in self.journal.drain(..) {
            if let Some(allocation) = self.allocations.get_mut(number) {
                allocation.bytes.restore(page, PAGE, &old);
                allocation.kept.clear();
            }
        }
    }

    /// What has been written stays.
    pub(crate) fn forget(&mut self) {
        for kept in self.journal.drain(..) {
            if let Some(allocation) = self.allocations.get_mut(kept.0) {
                allocation.kept.clear();
            }
            if let Some(turn) = &mut self.turn {
                turn.push(kept);
            }
        }
    }

    /// From here on what is written belongs to a turn, or to none. Returns the pages that the last turn has written, as they
    /// were before.
    pub(super) fn record(&mut self, turn: bool) -> Vec<Kept> {
        self.forget();
        std::mem::replace(&mut self.turn, turn.then(Vec::new)).unwrap_or_default()
    }

    /// The contents of a page.
    pub(super) fn page(&self, number: usize, page: usize) -> Page {
        self.allocations[number].bytes.page(page, PAGE)
    }

    /// The bytes of a page that are what they had become are what they were before.
    pub(super) fn take_back(&mut self, number: usize, page: usize, before: &Page, after: &Page) {
        let allocation = self.allocations.get_mut(number).filter(|allocation| allocation.freed.is_none());
        allocation.into_iter().for_each(|allocation| allocation.bytes.take_back(page, PAGE, before, after));
    }

    /// Writes the bytes of an allocation from `at` on that differ from `before`.
    pub(super) fn write_changed(&mut self, number: usize, at: usize, before: &[u8], after: &[u8]) {
        let mut next = 0;
        while next < after.len() {
            let page = (at + next) / PAGE;
            let end = ((page + 1) * PAGE - at).min(after.len());
            let differs = |&byte: &usize| before.get(byte) != after.get(byte);
            if (next..end).any(|byte| differs(&byte)) {
                self.keep(number, page);
                for byte in (next..end).filter(differs) {
                    self.allocations[number].bytes.write(at + byte, &after[byte..=byte]);
                }
            }
            next = end;
        }
    }

    /// Bytes of an allocation from `at` on become others.
    pub(crate) fn rewrite(&mut self, number: usize, at: usize, after: &[u8]) {
        let before = self.allocations[number].bytes.range(at, after.len());
        if before != after {
            let before = before.to_vec();
            self.write_changed(number, at, &before, after);
        }
    }

    /// How many allocations there are, and where the next will be.
    pub(crate) fn extent(&self) -> (usize, u64) {
        (self.allocations.len(), self.next)
    }

    /// Allocations that were added since are not there.
    pub(crate) fn cut(&mut self, (allocations, next): (usize, u64)) {
        self.allocations.truncate(allocations);
        (self.next, self.last) = (next, 0);
    }

    /// Appends all that threads can write to `image`.
    pub(crate) fn show(&self, image: &mut Vec<u64>) {
        self.allocations.iter().for_each(|allocation| allocation.bytes.show(image));
    }

    /// How many words [`show`](Self::show) appends.
    pub(crate) fn size(&self) -> usize {
        self.allocations.iter().map(|allocation| allocation.bytes.size()).sum()
    }
}

impl Allocation {
    /// Its bytes are given back.
    pub(super) fn free(&mut self, by: &'static Location<'static>) {
        (self.freed, self.bytes) = (Some(by), Bytes::default());
    }
}
