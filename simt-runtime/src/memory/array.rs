//! Arrays that kernels declare: one for the threads of a block, or one for each thread.
//!
//! Elements are kept as the words that rows of registers hold, a `bool` as 0 or 1, so that lanes copy them as they are.

use simt_core::ScalarType;
/// Lanes are worked on in chunks of this many words: one AVX register of words, two of wide words.
pub(crate) const CHUNK: usize = 8;

mod local;
mod shared;

pub(crate) use local::LocalArray;
pub(crate) use shared::SharedArray;

use simt_core::program::{self, ArraySpace};

/// The elements of an array.
#[derive(Debug)]
pub(crate) enum Elements {
    Words(Vec<u32>),
    Wides(Vec<u64>),
}

/// A word that arrays are made of.
pub(crate) trait ArrayWord: Copy + Default {
    fn of(elements: &Elements) -> &[Self];
    fn of_mut(elements: &mut Elements) -> &mut [Self];
    fn to_bits(self) -> u64;
}

macro_rules! array_words {
    ($($word:ident: $variant:ident;)*) => {$(
        impl ArrayWord for $word {
            #[inline(always)]
            fn of(elements: &Elements) -> &[Self] {
                match elements {
                    Elements::$variant(words) => words,
                    _ => &[],
                }
            }
            #[inline(always)]
            fn of_mut(elements: &mut Elements) -> &mut [Self] {
                match elements {
                    Elements::$variant(words) => words,
                    _ => &mut [],
                }
            }
            #[inline(always)]
            fn to_bits(self) -> u64 {
                self.into()
            }
        }
    )*};
}
array_words! { u32: Words; u64: Wides; }

impl Elements {
    fn new(element: ScalarType, count: usize) -> Self {
        if element.bits() == 64 { Self::Wides(vec![0; count]) } else { Self::Words(vec![0; count]) }
    }

    fn length(&self) -> usize {
        match self {
            Self::Words(words) => words.len(),
            Self::Wides(words) => words.len(),
        }
    }

    #[inline]
    fn get(&self, index: usize) -> Option<u64> {
        match self {
            Self::Words(words) => words.get(index).copied().map(ArrayWord::to_bits),
            Self::Wides(words) => words.get(index).copied().map(ArrayWord::to_bits),
        }
    }

    fn show(&self, image: &mut Vec<u64>) {
        match self {
            Self::Words(words) => image.extend(words.iter().copied().map(ArrayWord::to_bits)),
            Self::Wides(words) => image.extend_from_slice(words),
        }
    }

    #[inline]
    fn set(&mut self, index: usize, bits: u64) {
        match self {
            Self::Words(words) => words.get_mut(index).into_iter().for_each(|word| *word = bits as u32),
            Self::Wides(words) => words.get_mut(index).into_iter().for_each(|word| *word = bits),
        }
    }
}

/// An array that a kernel or function declares.
#[derive(Debug)]
pub(crate) enum Array {
    Shared(SharedArray),
    Local(LocalArray),
}

/// An element of a shared array that no thread of the block has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unwritten {
    /// The earlier block that had written it, if there is one.
    pub(crate) by_block: Option<usize>,
}

impl Array {
    pub(super) fn new(array: &program::Array, width: usize, warps: usize) -> Self {
        match array.space {
            ArraySpace::Shared => Self::Shared(SharedArray::new(array.element, array.length as usize)),
            ArraySpace::Local => Self::Local(LocalArray::new(array, width, warps)),
        }
    }

    /// Number of elements, of one thread if each has its own.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Shared(array) => array.length(),
            Self::Local(array) => array.length(),
        }
    }

    /// Bytes of an array of the block; none of an array of threads.
    pub(crate) fn shared_bytes(&self) -> Option<usize> {
        match self {
            Self::Shared(array) => Some(array.bytes()),
            Self::Local(_) => None,
        }
    }

    /// Number of elements of all threads.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Shared(array) => array.length(),
            Self::Local(array) => array.size(),
        }
    }

    /// Appends the bits of all elements, of all threads, to `bits`.
    pub(super) fn show(&self, image: &mut Vec<u64>) {
        match self {
            Self::Shared(array) => array.show(image),
            Self::Local(array) => array.show(image),
        }
    }

    pub(crate) fn begin_block(&mut self, block: usize) {
        match self {
            Self::Shared(array) => array.begin_block(block),
            Self::Local(array) => array.begin(),
        }
    }

    pub(super) fn select_warp(&mut self, warp: usize) {
        if let Self::Local(array) = self {
            array.select_warp(warp);
        }
    }

    /// The bits of an element of a lane of the warp that runs; `None` if there is no such element, or if it has no value.
    #[inline]
    pub(crate) fn get(&self, index: usize, lane: usize) -> Option<u64> {
        match self {
            Self::Shared(array) => array.get(index),
            Self::Local(array) => array.get(index, lane),
        }
    }

    /// Copies the bits of consecutive elements of an array of the block; `None` unless all have values.
    pub(crate) fn copy_bits(&self, first: usize, values: &mut [u64]) -> Option<()> {
        match self {
            Self::Shared(array) => array.copy_bits(first, values),
            Self::Local(_) => None,
        }
    }

    /// Writes an element of a lane of the warp that runs, if it exists.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, lane: usize, bits: u64) {
        match self {
            Self::Shared(array) => array.set(index, bits),
            Self::Local(array) => array.set(index, lane, bits),
        }
    }

    /// The reason why an element below the length has no value, if that is so.
    pub(crate) fn unwritten(&self, index: usize) -> Option<Unwritten> {
        match self {
            Self::Shared(array) => array.unwritten(index),
            Self::Local(_) => None,
        }
    }
}

/// Arrays that take more memory than the machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exceeding<'a> {
    pub(crate) space: ArraySpace,
    /// The bytes that they take.
    pub(crate) bytes: u64,
    /// The bytes that there are.
    pub(crate) limit: u64,
    /// The largest of them; none if it is only that the grid says how much there is to be.
    pub(crate) largest: Option<&'a program::Array>,
}

/// Whether arrays take more than the shared memory of a block, or the local memory of a thread; in bytes, of which the grid gives
/// so many to the shared array whose length it says.
pub(crate) fn exceeding(arrays: &[program::Array], given: usize, shared: usize, local: usize) -> Option<Exceeding<'_>> {
    let bytes = |array: &program::Array| u64::from(array.length) * u64::from(array.element.bits().div_ceil(8));
    let limits = [(ArraySpace::Shared, given as u64, shared as u64), (ArraySpace::Local, 0, local as u64)];
    limits.into_iter().find_map(|(space, given, limit)| {
        let of_space = || arrays.iter().filter(|array| array.space == space);
        let total = of_space().filter(|array| !array.dynamic).map(bytes).fold(given, u64::saturating_add);
        let largest = of_space().max_by_key(|array| bytes(array));
        (total > limit).then_some(Exceeding { space, bytes: total, limit, largest })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_core::Span;

    fn array(element: ScalarType, length: u32, space: ArraySpace) -> program::Array {
        let span = Span::new(length, 1, length, 2);
        program::Array { span, ..program::Array::new("a", element, length, space) }
    }

    #[test]
    fn what_another_block_wrote_is_not_there() {
        let mut shared = Array::new(&array(ScalarType::U64, 3, ArraySpace::Shared), 4, 1);
        shared.begin_block(0);
        shared.set(1, 0, 7);
        assert_eq!((shared.get(1, 3), shared.unwritten(1)), (Some(7), None));
        assert_eq!((shared.get(2, 0), shared.unwritten(2)), (None, Some(Unwritten { by_block: None })));
        assert_eq!((shared.get(3, 0), shared.unwritten(3)), (None, None));
        shared.begin_block(5);
        assert_eq!((shared.get(1, 3), shared.unwritten(1)), (None, Some(Unwritten { by_block: Some(0) })));
        shared.set(1, 0, 8);
        assert_eq!(shared.get(1, 0), Some(8));
        let Array::Shared(array) = &mut shared else { unreachable!() };
        assert!(array.has(1) && !array.has(3) && !array.has_all(0, 3) && !array.is_complete());
        assert!(array.write::<u64>().range(1, 3).is_none());
        array.write::<u64>().range(0, 3).expect("there are three").fill(9);
        assert!(array.has_all(0, 3) && array.is_complete());
        array.write::<u64>().set(2, 1);
        assert!(array.is_complete());
        // After the last number that a block can have, no element counts as written either.
        shared.begin_block(u32::MAX as usize);
        assert_eq!(shared.get(1, 0), None);
        (0..3).for_each(|index| shared.set(index, 0, 4));
        assert!(matches!(shared, Array::Shared(array) if array.is_complete()));
    }

    #[test]
    fn each_thread_has_its_own_local_elements() {
        let mut local = Array::new(&array(ScalarType::F32, 5, ArraySpace::Local), 4, 3);
        let places =
            || (0..3).flat_map(|warp| (0..4).flat_map(move |lane| (0..5).map(move |index| (warp, lane, index))));
        for (number, (warp, lane, index)) in places().enumerate() {
            local.select_warp(warp);
            local.set(index, lane, number as u64);
        }
        for (number, (warp, lane, index)) in places().enumerate() {
            local.select_warp(warp);
            assert_eq!(local.get(index, lane), Some(number as u64));
        }
        assert_eq!((local.get(5, 0), local.length()), (None, 5));
    }

    #[test]
    fn saved_elements_come_back_last_first() {
        let mut local = Array::new(&array(ScalarType::U32, 2, ArraySpace::Local), 4, 2);
        local.select_warp(1);
        let mut stack = vec![99];
        for value in [10, 20] {
            (0..2).for_each(|index| local.set(index, 3, value + index as u64));
            let Array::Local(array) = &local else { unreachable!() };
            array.save(3, &mut stack);
        }
        local.set(0, 3, 0);
        for value in [20, 10] {
            let Array::Local(array) = &mut local else { unreachable!() };
            array.restore(3, &mut stack);
            assert_eq!([local.get(0, 3), local.get(1, 3)], [Some(value), Some(value + 1)]);
        }
        assert_eq!(stack, [99]);
    }

    #[test]
    fn arrays_that_take_too_much_are_found() {
        use ArraySpace::{Local, Shared};
        let arrays =
            [array(ScalarType::F64, 8, Shared), array(ScalarType::Bool, 65, Local), array(ScalarType::U8, 4, Shared)];
        assert!(exceeding(&arrays, 0, 68, 65).is_none());
        let found = exceeding(&arrays, 0, 67, 65).expect("the shared arrays are too large");
        assert_eq!(
            (found.space, found.bytes, found.limit, found.largest.map_or(0, |largest| largest.length)),
            (Shared, 68, 67, 8)
        );
        assert_eq!(exceeding(&arrays, 0, 68, 64).map(|exceeding| exceeding.bytes), Some(65));
        assert_eq!(exceeding(&arrays, 3, 70, 65).map(|exceeding| exceeding.bytes), Some(71));
    }
}
