//! The caller's atomics, copied for a launch.
//!
//! A caller may pass the same atomics twice, or slices of them that overlap. They are one memory then: slices that overlap,
//! also in a chain, are copied together, and each of their parameters is a part of that copy.

use super::slot::{MemoryWord, Part, Slot, Words};
use super::{Element, Misfit};
use simt_core::{Atomic, Scalar};

use std::ops::Range;

/// A slice of atomics where the caller has it, seen as words of the device.
pub(crate) trait HostAtomics<T>: Send + Sync {
    fn length(&self) -> usize;
    /// Where it lies in the memory of the host.
    fn addresses(&self) -> Range<usize>;
    /// Appends the words of the atomics from `first` on. Returns the first value that does not fit the device, if any.
    fn load(&self, first: usize, words: &mut Vec<T>) -> Option<Misfit>;
    /// Stores words into the atomics from `first` on: those that differ from what they were before.
    fn store(&self, first: usize, words: &[T], before: &[T]);
}

/// Words that are compared together before they are stored one by one.
const TOGETHER: usize = 64;

impl<A: Atomic> HostAtomics<<A::Value as Element>::Word> for &[A]
where
    A::Value: Element,
{
    fn length(&self) -> usize {
        self.len()
    }

    fn addresses(&self) -> Range<usize> {
        let Range { start, end } = self.as_ptr_range();
        start as usize..end as usize
    }

    fn load(&self, first: usize, words: &mut Vec<<A::Value as Element>::Word>) -> Option<Misfit> {
        let mut misfit = None;
        let atomics = self.get(first..).unwrap_or_default();
        words.extend(atomics.iter().enumerate().map(|(index, atomic)| {
            let value = atomic.get();
            if !value.fits() && misfit.is_none() {
                misfit = Some((first + index, format!("{value:?}")));
            }
            value.to_word()
        }));
        misfit
    }

    fn store(&self, first: usize, words: &[<A::Value as Element>::Word], before: &[<A::Value as Element>::Word]) {
        let atomics = self.get(first..).unwrap_or_default().chunks(TOGETHER);
        for (atomics, (words, before)) in atomics.zip(words.chunks(TOGETHER).zip(before.chunks(TOGETHER))) {
            if words == before {
                continue;
            }
            for (atomic, (word, before)) in atomics.iter().zip(words.iter().zip(before)) {
                if word != before {
                    atomic.set(A::Value::from_word(*word));
                }
            }
        }
    }
}

/// A copy of atomics that lie together in the caller's memory.
pub(crate) struct Atomics<'a, T> {
    /// The slices, each with the place of its first element in the copy: in that order, and without gaps between them.
    slices: Vec<(usize, Box<dyn HostAtomics<T> + 'a>)>,
    length: usize,
    pub(super) words: Vec<T>,
    /// The values of the words when the launch began.
    pub(super) before: Vec<T>,
}

impl<'a, T: MemoryWord> Atomics<'a, T> {
    /// Atomics whose values are not read yet.
    pub(super) fn new(host: impl HostAtomics<T> + 'a) -> Self {
        let length = host.length();
        Self { slices: vec![(0, Box::new(host) as _)], length, words: Vec::new(), before: Vec::new() }
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Where they lie in the caller's memory.
    pub(super) fn addresses(&self) -> Range<usize> {
        self.slices
            .iter()
            .map(|(_, host)| host.addresses())
            .reduce(|all, next| all.start..all.end.max(next.end))
            .unwrap_or(0..0)
    }

    /// Takes the values that the atomics have now. Returns the first that does not fit the device, if any.
    pub(super) fn load(&mut self) -> Option<Misfit> {
        let Self { slices, length, words, before } = self;
        before.clear();
        before.reserve_exact(*length);
        for (place, host) in slices {
            // The part that it has in common with those before it has been read.
            if let Some((index, value)) = host.load(before.len() - *place, before) {
                return Some((*place + index, value));
            }
        }
        words.clone_from(before);
        None
    }

    /// Stores into the atomics what threads have changed.
    pub(super) fn store(&self) {
        let mut done = 0;
        for (place, host) in &self.slices {
            let end = (place + host.length()).max(done);
            if let (Some(words), Some(before)) = (self.words.get(done..end), self.before.get(done..end)) {
                host.store(done - place, words, before);
            }
            done = end;
        }
    }
}

/// Slices of atomics that overlap become parts of one copy. Returns the copies; if such slices have atomics of different
/// types, which only `unsafe` code can make, the numbers of two of them.
pub(super) fn join<'a>(slots: &mut [Slot<'a>]) -> Result<Vec<Slot<'a>>, (usize, usize)> {
    let slices = slots.iter().enumerate().filter_map(|(number, slot)| Some((slot.addresses()?, number)));
    let mut slices: Vec<(Range<usize>, usize)> = slices.filter(|(addresses, _)| !addresses.is_empty()).collect();
    slices.sort_by_key(|(addresses, number)| (addresses.start, *number));
    let mut copies = Vec::new();
    let mut rest = &slices[..];
    while let Some((first, others)) = rest.split_first() {
        let mut end = first.0.end;
        let overlap = |(addresses, _): &&(Range<usize>, usize)| {
            let overlaps = addresses.start < end;
            end = end.max(addresses.end);
            overlaps
        };
        let group;
        (group, rest) = rest.split_at(1 + others.iter().take_while(overlap).count());
        if group.len() == 1 {
            continue;
        }
        copies.push(match slots[first.1] {
            Slot::Scalar(_) | Slot::Part(_) => continue,
            Slot::Bytes(_) => copy::<u8>(slots, group, copies.len()),
            Slot::Halves(_) => copy::<u16>(slots, group, copies.len()),
            Slot::Words(_) => copy::<u32>(slots, group, copies.len()),
            Slot::Wides(_) => copy::<u64>(slots, group, copies.len()),
        }?);
    }
    Ok(copies)
}

/// The copy of slices that overlap, in the order of their addresses.
fn copy<'a, T: MemoryWord>(
    slots: &mut [Slot<'a>],
    group: &[(Range<usize>, usize)],
    copy: usize,
) -> Result<Slot<'a>, (usize, usize)> {
    let (start, first) = (group[0].0.start, group[0].1);
    let (mut all, mut size) = (Vec::new(), 0);
    let mut length = 0;
    for (addresses, number) in group {
        let slot = &mut slots[*number];
        let Some(atomics) = T::atomics(slot) else { return Err((first, *number)) };
        let (offset, bytes) = (addresses.start - start, addresses.len() / atomics.length.max(1));
        if size == 0 {
            size = bytes.max(1);
        }
        if bytes != size || !offset.is_multiple_of(size) {
            return Err((first, *number));
        }
        let part = Part { copy, start: offset / size, length: atomics.length };
        length = length.max(part.start + part.length);
        all.extend(std::mem::take(&mut atomics.slices).into_iter().map(|(_, host)| (part.start, host)));
        *slot = Slot::Part(part);
    }
    Ok(T::slot(Words::Atomic(Atomics { slices: all, length, words: Vec::new(), before: Vec::new() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Atomics at an address, of so many bytes each.
    struct At {
        start: usize,
        bytes: usize,
        length: usize,
    }

    impl<T> HostAtomics<T> for At {
        fn length(&self) -> usize {
            self.length
        }
        fn addresses(&self) -> Range<usize> {
            self.start..self.start + self.bytes * self.length
        }
        fn load(&self, _: usize, _: &mut Vec<T>) -> Option<Misfit> {
            None
        }
        fn store(&self, _: usize, _: &[T], _: &[T]) {}
    }

    fn at<T: MemoryWord>(start: usize, bytes: usize, length: usize) -> Slot<'static> {
        T::slot(Words::Atomic(Atomics::new(At { start, bytes, length })))
    }

    fn part(slot: &Slot<'_>) -> Option<(usize, usize, usize)> {
        match slot {
            Slot::Part(part) => Some((part.copy, part.start, part.length)),
            _ => None,
        }
    }

    #[test]
    fn slices_that_overlap_in_a_chain_are_one_copy_and_neighbours_are_not() {
        let mut slots = [
            at::<u32>(116, 4, 3),
            at::<u32>(100, 4, 5),
            at::<u32>(128, 4, 2),
            at::<u32>(104, 4, 1),
            at::<u32>(124, 4, 1),
            at::<u32>(112, 4, 0),
            at::<u8>(90, 1, 3),
            at::<u8>(92, 1, 4),
        ];
        let copies = join(&mut slots).expect("of one type each");
        assert_eq!(copies.iter().map(Slot::length).collect::<Vec<_>>(), [6, 7]);
        let parts = slots.each_ref().map(part);
        let (words, bytes) = (|start, length| Some((1, start, length)), |start, length| Some((0, start, length)));
        assert_eq!(parts, [words(4, 3), words(0, 5), None, words(1, 1), words(6, 1), None, bytes(0, 3), bytes(2, 4)]);
    }

    #[test]
    fn atomics_of_different_types_that_overlap_are_refused() {
        let refused = |first, second| join(&mut [at::<u32>(64, 4, 1), first, second]).expect_err("they differ");
        assert_eq!(refused(at::<u32>(100, 4, 5), at::<u64>(112, 8, 1)), (1, 2));
        // A `usize` has another width where the host has it.
        assert_eq!(refused(at::<u32>(104, 8, 5), at::<u32>(100, 4, 9)), (2, 1));
        assert_eq!(refused(at::<u32>(100, 4, 5), at::<u32>(102, 4, 9)), (1, 2));
    }
}
