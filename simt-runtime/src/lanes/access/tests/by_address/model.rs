//! What is known of memory by address: a list of bytes for all that lies there.

use simt_core::code::AddressSpace;
use std::ops::Range;

/// Something that lies in a space: where it begins, how many bytes it has, and whether threads may write it.
pub(super) type There = (AddressSpace, u64, u64, bool);

/// What is known of memory: what lies there, and the bytes of each, some without a value. Where lanes have bytes of their own,
/// those of lane 0 come first.
#[derive(Clone, Default)]
pub(super) struct Model {
    pub(super) there: Vec<There>,
    bytes: Vec<Vec<Option<u8>>>,
}

impl Model {
    /// Adds something of which the first bytes have values.
    pub(super) fn push(&mut self, there: There, width: usize, first: impl IntoIterator<Item = u8>) {
        let (space, _, size, _) = there;
        let mut bytes: Vec<Option<u8>> = first.into_iter().map(Some).collect();
        bytes.resize(size as usize * if space == AddressSpace::Local { width } else { 1 }, None);
        self.there.push(there);
        self.bytes.push(bytes);
    }

    /// The number of what all bytes of an access are in, and where they begin there, if it can be.
    pub(super) fn find(&self, space: AddressSpace, address: u64, count: u64, write: bool) -> Option<(usize, u64)> {
        let is_generic = space == AddressSpace::Generic;
        let space = if is_generic { AddressSpace::of(address) } else { space };
        let address = if is_generic { address - space.window() } else { address };
        let holds = |&(of, start, size, writable): &There| {
            let end = u128::from(address) + u128::from(count);
            of == space && start <= address && end <= u128::from(start + size) && (writable || !write)
        };
        let number = self.there.iter().position(holds).filter(|_| address % count == 0)?;
        Some((number, address - self.there[number].1))
    }

    /// The number of what all lanes are in, if there is one.
    pub(super) fn home(
        &self,
        space: AddressSpace,
        mut addresses: impl Iterator<Item = u64>,
        count: u64,
    ) -> Option<usize> {
        let home = |address| self.find(space, address, count, false).map(|(number, _)| number);
        let first = home(addresses.next()?)?;
        addresses.all(|address| home(address) == Some(first)).then_some(first)
    }

    /// Which bytes of what has this number are those of a lane's access.
    fn range(&self, number: usize, at: u64, count: u64, lane: usize) -> Range<usize> {
        let (space, _, size, _) = self.there[number];
        let start = at as usize + if space == AddressSpace::Local { lane * size as usize } else { 0 };
        start..start + count as usize
    }

    /// A thread's memory is zero until it is written.
    pub(super) fn load(&self, space: AddressSpace, address: u64, count: u64, lane: usize) -> Option<u64> {
        let (number, at) = self.find(space, address, count, false)?;
        let zero = if self.there[number].0 == AddressSpace::Local { Some(0) } else { None };
        let bytes = self.bytes[number][self.range(number, at, count, lane)].iter();
        bytes.rev().try_fold(0, |bits, byte| Some(bits << 8 | u64::from(byte.or(zero)?)))
    }

    /// Whether all bytes have been written.
    pub(super) fn is_written(&self, space: AddressSpace, address: u64, count: u64, lane: usize) -> bool {
        let found = self.find(space, address, count, false);
        found.is_some_and(|(number, at)| {
            self.bytes[number][self.range(number, at, count, lane)].iter().all(Option::is_some)
        })
    }

    pub(super) fn store(
        &mut self,
        space: AddressSpace,
        address: u64,
        count: u64,
        lane: usize,
        bits: u64,
    ) -> Option<()> {
        let (number, at) = self.find(space, address, count, true)?;
        let range = self.range(number, at, count, lane);
        for (byte, shift) in self.bytes[number][range].iter_mut().zip((0..).step_by(8)) {
            *byte = Some((bits >> shift) as u8);
        }
        Some(())
    }
}
