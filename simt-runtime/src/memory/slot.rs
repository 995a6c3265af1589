//! The slot of a kernel's parameter on the device.

use super::Misfit;
use super::atomics::Atomics;
use super::copy_extended;
use super::private::{Marks, Private};
use super::undo::Undo;
use simt_core::Constant;
use std::fmt;
use std::ops::Range;

/// A word that global memory is made of.
pub(crate) trait MemoryWord: Copy + Default + PartialEq + Into<u64> + Send + Sync + 'static {
    fn words<'m>(slot: &'m Slot<'_>) -> Option<&'m [Self]>;
    fn words_mut<'m>(slot: &'m mut Slot<'_>) -> Option<Written<'m, Self>>;
    /// The slot's atomics, if it has some of this width.
    fn atomics<'m, 'a>(slot: &'m mut Slot<'a>) -> Option<&'m mut Atomics<'a, Self>>;
    fn slot(words: Words<'_, Self>) -> Slot<'_>;
    /// The word whose bits these are; those above its width are dropped.
    fn from_bits(bits: u64) -> Self;
}

/// Copies the device's words back to the caller.
pub(crate) type Commit<'a, T> = Box<dyn FnOnce(&[T]) + Send + Sync + 'a>;

/// Words that may be written, and where that is noted.
pub(crate) struct Written<'m, T> {
    words: &'m mut [T],
    noted: Noted<'m, T>,
}

/// Where it is noted that words are written.
enum Noted<'m, T> {
    Nowhere,
    /// Which they are.
    Marks(&'m mut Marks),
    /// What they were.
    Undo(&'m mut Undo<T>),
}

impl<T> Default for Written<'_, T> {
    fn default() -> Self {
        Self { words: &mut [], noted: Noted::Nowhere }
    }
}

impl<'m, T: MemoryWord> Written<'m, T> {
    /// The words.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[T] {
        self.words
    }

    /// Words whose changes are noted nowhere.
    pub(super) fn unnoted(words: &'m mut [T]) -> Self {
        Self { words, noted: Noted::Nowhere }
    }

    /// A part of them, if it is noted nowhere.
    pub(super) fn part(self, range: Range<usize>) -> Option<Self> {
        match self.noted {
            Noted::Nowhere => Some(Self::unnoted(self.words.get_mut(range)?)),
            Noted::Marks(_) | Noted::Undo(_) => None,
        }
    }

    /// Some words from `first` on, at most 64, to be written, if there are so many.
    #[inline(always)]
    pub(crate) fn row(&mut self, first: usize, count: usize) -> Option<&mut [T]> {
        if first + count > self.words.len() {
            return None;
        }
        match &mut self.noted {
            Noted::Nowhere => {}
            Noted::Marks(marks) => marks.mark_row(first, count),
            Noted::Undo(undo) => undo.keep_row(self.words, first, count),
        }
        self.words.get_mut(first..first + count)
    }

    /// Writes an element, if there is one.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, word: T) {
        if index >= self.words.len() {
            return;
        }
        match &mut self.noted {
            Noted::Nowhere => {}
            Noted::Marks(marks) => marks.mark(index),
            Noted::Undo(undo) => undo.keep(self.words, index),
        }
        self.words[index] = word;
    }
}

/// Words of a slice parameter.
pub(crate) enum Words<'a, T> {
    /// Read only, where the caller has them.
    Shared(&'a [T]),
    /// Writable, in the caller's memory; and what has been overwritten of them.
    Unique(&'a mut [T], Undo<T>),
    /// Copied, because the caller has them in another layout. If threads may write them, they go back in the end; beside it,
    /// what has been overwritten of them.
    Copied(Vec<T>, Option<(Commit<'a, T>, Undo<T>)>),
    /// Copied from atomics when the launch begins; those that threads have changed go back in the end.
    Atomic(Atomics<'a, T>),
    /// The copy of a part of a launch, of words that other parts write at the same time.
    Private(Private<T>),
}

/// The part of a copy of several slices of atomics that is a parameter's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The number of the copy.
    pub(crate) copy: usize,
    /// The place in it.
    pub(crate) start: usize,
    pub(crate) length: usize,
}

impl Part {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.start + self.length
    }
}

/// A parameter.
#[derive(Debug)]
pub(crate) enum Slot<'a> {
    Scalar(Constant),
    /// Atomics that overlap with those of another parameter.
    Part(Part),
    Bytes(Words<'a, u8>),
    Halves(Words<'a, u16>),
    Words(Words<'a, u32>),
    Wides(Words<'a, u64>),
}

impl<T: MemoryWord> Words<'_, T> {
    #[inline(always)]
    pub(super) fn read(&self) -> &[T] {
        match self {
            Self::Shared(words) => words,
            Self::Unique(words, _) => words,
            Self::Copied(words, _) | Self::Private(Private { words, .. }) => words,
            Self::Atomic(atomics) => &atomics.words,
        }
    }

    #[inline(always)]
    pub(super) fn write(&mut self) -> Option<Written<'_, T>> {
        let (words, noted) = match self {
            Self::Shared(_) => return None,
            Self::Unique(words, undo) => (&mut **words, Noted::Undo(undo)),
            Self::Copied(words, Some((_, undo))) => (&mut words[..], Noted::Undo(undo)),
            Self::Copied(words, None) => (&mut words[..], Noted::Nowhere),
            Self::Atomic(atomics) => (&mut atomics.words[..], Noted::Nowhere),
            Self::Private(Private { words, marks, .. }) => (&mut words[..], Noted::Marks(marks)),
        };
        Some(Written { words, noted })
    }

    fn length(&self) -> usize {
        match self {
            Self::Atomic(atomics) => atomics.length(),
            _ => self.read().len(),
        }
    }

    fn bits(&self, index: usize) -> Option<u64> {
        self.read().get(index).map(|&word| word.into())
    }

    /// Copies the bits of consecutive elements; `None` if they are not all there.
    fn copy_bits(&self, first: usize, values: &mut [u64]) -> Option<()> {
        copy_extended(values, self.read().get(first..)?.get(..values.len())?);
        Some(())
    }

    fn show(&self, image: &mut Vec<u64>) {
        image.extend(self.read().iter().map(|&word| word.into()));
    }

    fn addresses(&self) -> Option<Range<usize>> {
        match self {
            Self::Atomic(atomics) => Some(atomics.addresses()),
            _ => None,
        }
    }

    pub(super) fn is_writable(&self) -> bool {
        matches!(self, Self::Unique(..) | Self::Copied(_, Some(_)) | Self::Atomic(_) | Self::Private(_))
    }

    fn begin(&mut self) -> Option<Misfit> {
        match self {
            Self::Atomic(atomics) => atomics.load(),
            Self::Shared(_) | Self::Unique(..) | Self::Copied(..) | Self::Private(_) => None,
        }
    }

    fn keep(&mut self) {
        match self {
            Self::Unique(words, undo) => undo.begin(words.len()),
            Self::Copied(words, Some((_, undo))) => undo.begin(words.len()),
            Self::Shared(_) | Self::Copied(_, None) | Self::Private(_) | Self::Atomic(_) => {}
        }
    }

    fn restart(&mut self) {
        match self {
            Self::Unique(words, undo) => undo.undo(words),
            Self::Copied(words, Some((_, undo))) => undo.undo(words),
            Self::Shared(_) | Self::Copied(_, None) | Self::Private(_) => {}
            Self::Atomic(Atomics { words, before, .. }) => {
                if words.len() == before.len() {
                    words.copy_from_slice(before);
                }
            }
        }
    }

    fn commit(&mut self) {
        match self {
            Self::Copied(device, back) => {
                if let Some((commit, _)) = back.take() {
                    commit(device);
                }
            }
            Self::Atomic(atomics) => atomics.store(),
            Self::Shared(_) | Self::Unique(..) | Self::Private(_) => {}
        }
    }
}

impl<T: MemoryWord> fmt::Debug for Words<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Self::Shared(_) => "shared",
            Self::Unique(..) => "unique",
            Self::Copied(..) => "copied",
            Self::Atomic(_) => "atomic",
            Self::Private(_) => "private",
        };
        write!(f, "{} {kind}", self.length())
    }
}

/// Calls `act` with the words of either width, if the slot has words of its own.
macro_rules! with_words {
    ($slot:expr, $words:ident => $body:expr, none => $none:expr) => {
        match $slot {
            Slot::Scalar(_) | Slot::Part(_) => $none,
            Slot::Bytes($words) => $body,
            Slot::Halves($words) => $body,
            Slot::Words($words) => $body,
            Slot::Wides($words) => $body,
        }
    };
}

impl Slot<'_> {
    /// Number of elements; 0 of a scalar.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Part(part) => part.length,
            slot => with_words!(slot, words => words.length(), none => 0),
        }
    }

    /// Width of an element on the device; none if the slot has no words of its own.
    pub(crate) fn element_bits(&self) -> Option<u32> {
        match self {
            Self::Scalar(_) | Self::Part(_) => None,
            Self::Bytes(_) => Some(8),
            Self::Halves(_) => Some(16),
            Self::Words(_) => Some(32),
            Self::Wides(_) => Some(64),
        }
    }

    /// Where the caller's atomics lie, if the slot has some.
    pub(crate) fn addresses(&self) -> Option<Range<usize>> {
        with_words!(self, words => words.addresses(), none => None)
    }

    /// Whether threads may write it.
    pub(crate) fn is_writable(&self) -> bool {
        with_words!(self, words => words.is_writable(), none => false)
    }

    /// The launch begins. Returns the first value that does not fit the device, of those that are read only now.
    pub(crate) fn begin(&mut self) -> Option<Misfit> {
        with_words!(self, words => words.begin(), none => None)
    }

    /// Keeps the caller's values.
    pub(crate) fn keep(&mut self) {
        with_words!(self, words => words.keep(), none => ());
    }

    /// Whether the copy goes back by code of the caller.
    pub(crate) fn is_copied(&self) -> bool {
        with_words!(self, words => matches!(words, Words::Copied(..)), none => false)
    }

    /// The launch succeeded: copies go back to the caller.
    pub(crate) fn commit(&mut self) {
        with_words!(self, words => words.commit(), none => ());
    }

    /// Restores the values before the launch.
    pub(crate) fn restart(&mut self) {
        with_words!(self, words => words.restart(), none => ());
    }

    /// The bits of an element.
    pub(crate) fn bits(&self, index: usize) -> Option<u64> {
        with_words!(self, words => words.bits(index), none => None)
    }

    /// Copies the bits of consecutive elements; `None` if they are not all there, or in a part of other atomics.
    pub(crate) fn copy_bits(&self, first: usize, values: &mut [u64]) -> Option<()> {
        with_words!(self, words => words.copy_bits(first, values), none => None)
    }

    /// Writes the bits of an element, if there is one and threads may write it.
    pub(crate) fn set_bits(&mut self, index: usize, bits: u64) {
        match self {
            Self::Scalar(_) | Self::Part(_) => {}
            Self::Bytes(words) => set(words, index, bits as u8),
            Self::Halves(words) => set(words, index, bits as u16),
            Self::Words(words) => set(words, index, bits as u32),
            Self::Wides(words) => set(words, index, bits),
        }
    }

    /// Which elements a part has written.
    pub(super) fn marks(&mut self) -> Option<&mut Marks> {
        with_words!(self, words => match words {
            Words::Private(Private { marks, .. }) => Some(marks),
            _ => None,
        }, none => None)
    }

    /// Appends the bits of all elements to `bits`, if threads may write them.
    pub(crate) fn show(&self, image: &mut Vec<u64>) {
        if self.is_writable() {
            with_words!(self, words => words.show(image), none => ());
        }
    }
}

fn set<T: MemoryWord>(words: &mut Words<'_, T>, index: usize, word: T) {
    if let Some(mut written) = words.write() {
        written.set(index, word);
    }
}

macro_rules! memory_words {
    ($($word:ty: $slot:ident;)*) => {$(
        impl MemoryWord for $word {
            #[inline(always)]
            fn words<'m>(slot: &'m Slot<'_>) -> Option<&'m [Self]> {
                match slot {
                    Slot::$slot(words) => Some(words.read()),
                    _ => None,
                }
            }
            #[inline(always)]
            fn words_mut<'m>(slot: &'m mut Slot<'_>) -> Option<Written<'m, Self>> {
                match slot {
                    Slot::$slot(words) => words.write(),
                    _ => None,
                }
            }
            fn atomics<'m, 'a>(slot: &'m mut Slot<'a>) -> Option<&'m mut Atomics<'a, Self>> {
                match slot {
                    Slot::$slot(Words::Atomic(atomics)) => Some(atomics),
                    _ => None,
                }
            }
            fn slot(words: Words<'_, Self>) -> Slot<'_> {
                Slot::$slot(words)
            }
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
        }
    )*};
}
memory_words! {
    u8: Bytes;
    u16: Halves;
    u32: Words;
    u64: Wides;
}
