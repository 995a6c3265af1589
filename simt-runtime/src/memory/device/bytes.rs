//! Bytes of which it is known whether they have been written.

mod elements;

pub(crate) use elements::{Elements, ElementsMut};

/// Bits of a word of marks.
const BITS: usize = 64;

/// Bytes, each with a bit that says whether it has a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    data: Vec<u8>,
    written: Vec<u64>,
    /// How many have no value, of those that may get one. PERF: of memory that is full no bit is looked at.
    unwritten: usize,
    /// How many may get one: all but those of guard zones.
    used: usize,
}

impl Bytes {
    /// So many bytes without values, of which not more than `used` will ever get one.
    pub(crate) fn new(size: usize, used: usize) -> Self {
        Self { data: vec![0; size], written: vec![0; size.div_ceil(BITS)], unwritten: used, used }
    }

    /// So many bytes without values, if the host has room for them.
    pub(super) fn try_new(size: usize) -> Option<Self> {
        let (mut data, mut written) = (Vec::new(), Vec::new());
        data.try_reserve_exact(size).ok()?;
        written.try_reserve_exact(size.div_ceil(BITS)).ok()?;
        data.resize(size, 0);
        written.resize(size.div_ceil(BITS), 0);
        Some(Self { data, written, unwritten: size, used: size })
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    /// No byte has a value any more.
    pub(crate) fn forget(&mut self) {
        if self.unwritten < self.used {
            self.written.fill(0);
            self.unwritten = self.used;
        }
    }

    /// The first of `count` bytes from `at` on that has no value, if there is one; they must be there.
    pub(crate) fn first_unwritten(&self, at: usize, count: usize) -> Option<usize> {
        if self.unwritten == 0 {
            return None;
        }
        (at..at + count).find(|&byte| self.written[byte / BITS] >> (byte % BITS) & 1 == 0)
    }

    /// The value of 1, 2, 4 or 8 bytes, the lowest first; `None` unless they are all there and have values.
    #[inline]
    pub(crate) fn get(&self, at: usize, count: usize) -> Option<u64> {
        let data = self.data.get(at..at.checked_add(count)?)?;
        if self.unwritten != 0 && !self.are_written(at, count) {
            return None;
        }
        let mut bits = [0; 8];
        bits.get_mut(..count)?.copy_from_slice(data);
        Some(u64::from_le_bytes(bits))
    }

    /// As [`get`](Self::get), where bytes without values are zero.
    #[inline]
    pub(crate) fn get_or_zero(&self, at: usize, count: usize) -> Option<u64> {
        self.get(at, count).or_else(|| {
            let data = self.data.get(at..at.checked_add(count)?)?;
            let value = |byte: usize| u64::from(if self.are_written(at + byte, 1) { data[byte] } else { 0 });
            Some((0..count).rev().fold(0, |bits, byte| bits << 8 | value(byte)))
        })
    }

    /// Whether 1 to 8 bytes that lie in one or two words of marks have values.
    #[inline]
    fn are_written(&self, at: usize, count: usize) -> bool {
        let wanted = ((1_u128 << count.min(8)) - 1) << (at % BITS);
        let low = self.written[at / BITS];
        let high = self.written.get(at / BITS + 1).copied().unwrap_or(0);
        let found = u128::from(low) | u128::from(high) << BITS;
        found & wanted == wanted
    }

    /// Writes 1, 2, 4 or 8 bytes; `None` unless they are all there.
    #[inline]
    pub(crate) fn set(&mut self, at: usize, count: usize, bits: u64) -> Option<()> {
        let data = self.data.get_mut(at..at.checked_add(count)?)?;
        data.copy_from_slice(bits.to_le_bytes().get(..count)?);
        if self.unwritten != 0 {
            mark(&mut self.written, &mut self.unwritten, at, count);
        }
        Some(())
    }

    /// Which of up to 128 bytes from `at` on, a multiple of 64, have values, bit 0 the first.
    pub(crate) fn marks(&self, at: usize) -> u128 {
        let word = |number: usize| u128::from(self.written.get(number).copied().unwrap_or(0));
        word(at / BITS) | word(at / BITS + 1) << BITS
    }

    /// Bytes, whether they have values or not; none if they are not there.
    pub(crate) fn range(&self, at: usize, count: usize) -> &[u8] {
        self.data.get(at..at.saturating_add(count)).unwrap_or_default()
    }

    /// Writes bytes that are there.
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        if let Some(data) = self.data.get_mut(at..at.saturating_add(bytes.len())) {
            data.copy_from_slice(bytes);
            mark(&mut self.written, &mut self.unwritten, at, bytes.len());
        }
    }

    /// The contents of a page of so many bytes, a multiple of 64, with their marks.
    pub(super) fn page(&self, page: usize, size: usize) -> Page {
        let data = page * size..(page * size + size).min(self.data.len());
        let marks = page * size / BITS..((page + 1) * size / BITS).min(self.written.len());
        Page { data: self.data[data].into(), marks: self.written[marks].into() }
    }

    /// Puts back the contents that a page had.
    pub(super) fn restore(&mut self, page: usize, size: usize, old: &Page) {
        let (first, mark) = (page * size, page * size / BITS);
        self.data[first..first + old.data.len()].copy_from_slice(&old.data);
        let marks = &mut self.written[mark..mark + old.marks.len()];
        let count = |marks: &[u64]| marks.iter().map(|marks| marks.count_ones() as usize).sum::<usize>();
        self.unwritten = self.unwritten + count(marks) - count(&old.marks);
        marks.copy_from_slice(&old.marks);
    }

    /// The bytes of a page that are what they had become are what they were before.
    pub(super) fn take_back(&mut self, page: usize, size: usize, before: &Page, after: &Page) {
        for (byte, (&before_value, &after_value)) in before.data.iter().zip(&after.data[..]).enumerate() {
            let at = page * size + byte;
            let has = |page: &Page| page.marks[byte / BITS] >> (byte % BITS) & 1 == 1;
            let (had, has) = (has(before), has(after));
            let changed = (had, before_value) != (has, after_value);
            let marked = self.written[at / BITS] >> (at % BITS) & 1 == 1;
            if !changed || (marked, self.data[at]) != (has, after_value) {
                continue;
            }
            self.data[at] = before_value;
            if marked && !had {
                self.written[at / BITS] &= !(1 << (at % BITS));
                self.unwritten += 1;
            }
        }
    }

    /// Appends all that it holds to `image`.
    pub(crate) fn show(&self, image: &mut Vec<u64>) {
        let words =
            self.data.chunks(8).map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        image.extend(words.chain(self.written.iter().copied()));
    }

    /// How many words [`show`](Self::show) appends.
    pub(crate) fn size(&self) -> usize {
        self.data.len().div_ceil(8) + self.written.len()
    }
}

/// Bytes have values: in their marks, and in how many have none.
#[inline]
fn mark(written: &mut [u64], unwritten: &mut usize, at: usize, count: usize) {
    let (mut next, end) = (at, at + count);
    while next < end {
        let (word, first) = (next / BITS, next % BITS);
        let bits = (BITS - first).min(end - next);
        let marks = u64::MAX >> (BITS - bits) << first;
        *unwritten -= (marks & !written[word]).count_ones() as usize;
        written[word] |= marks;
        next += bits;
    }
}

/// What a page held.
#[derive(Clone, Debug)]
pub(super) struct Page {
    data: Box<[u8]>,
    marks: Box<[u64]>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a list of bytes that may be absent.
        #[test]
        fn a_value_is_there_once_all_its_bytes_are_written(
            size in 1..200_usize,
            steps in prop::collection::vec((0..210_usize, 0..4_u32, any::<u64>(), 0..3_u8), 1..60),
        ) {
            let (mut bytes, mut plain) = (Bytes::new(size, size), vec![None; size]);
            let before = bytes.page(0, 64);
            for (at, power, bits, act) in steps {
                let count = 1 << power;
                let is_there = at + count <= size;
                match act {
                    0 => {
                        prop_assert_eq!(bytes.set(at, count, bits).is_some(), is_there);
                        if is_there {
                            (0..count).for_each(|byte| plain[at + byte] = Some(bits.to_le_bytes()[byte]));
                        }
                    }
                    1 if is_there => {
                        let expected = plain[at..at + count].iter().rev().try_fold(0_u64, |bits, byte: &Option<u8>| {
                            byte.map(|byte| bits << 8 | u64::from(byte))
                        });
                        prop_assert_eq!(bytes.get(at, count), expected);
                        let zeros = plain[at..at + count].iter().rev();
                        let zeros = zeros.fold(0_u64, |bits, byte| bits << 8 | u64::from(byte.unwrap_or(0)));
                        prop_assert_eq!(bytes.get_or_zero(at, count), Some(zeros));
                        let first = (at..at + count).find(|&byte| plain[byte].is_none());
                        prop_assert_eq!(bytes.first_unwritten(at, count), first);
                    }
                    1 => prop_assert_eq!((bytes.get(at, count), bytes.get_or_zero(at, count)), (None, None)),
                    _ => {
                        let given: Vec<u8> = (0..size.saturating_sub(at).min(100)).map(|byte| byte as u8).collect();
                        bytes.write(at, &given);
                        given.iter().enumerate().for_each(|(byte, &given)| plain[at + byte] = Some(given));
                    }
                }
                prop_assert_eq!(bytes.unwritten, plain.iter().filter(|byte| byte.is_none()).count());
            }
            bytes.restore(0, 64, &before);
            let first = size.min(64);
            plain[..first].fill(None);
            prop_assert_eq!(bytes.unwritten, plain.iter().filter(|byte| byte.is_none()).count());
            bytes.forget();
            prop_assert_eq!((bytes.unwritten, bytes.get(0, 1)), (size, None));
        }
    }
}
