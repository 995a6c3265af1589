//! The slot of a kernel's parameter on the device.

use super::Misfit;
use super::atomics::Atomics;
use super::private::{Changes, Join, Marks, Private};
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

/// Words that are written. Where there are `marks`, each element that is written is to be marked.
pub(crate) struct Written<'m, T> {
    pub(crate) words: &'m mut [T],
    pub(crate) marks: Option<&'m mut Marks>,
}

impl<T> Default for Written<'_, T> {
    fn default() -> Self {
        Self { words: &mut [], marks: None }
    }
}

impl<T> Written<'_, T> {
    /// Writes an element, if there is one.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, word: T) {
        if let Some(element) = self.words.get_mut(index) {
            *element = word;
            if let Some(marks) = &mut self.marks {
                marks.mark(index);
            }
        }
    }
}

/// Words of a slice parameter.
pub(crate) enum Words<'a, T> {
    /// Read only, where the caller has them.
    Shared(&'a [T]),
    /// Writable, in the caller's memory; and the values before the launch.
    Unique(&'a mut [T], Vec<T>),
    /// Copied, because the caller has them in another layout. If threads may write them, they go back in the end; beside it,
    /// what they were before the launch.
    Copied(Vec<T>, Option<(Commit<'a, T>, Vec<T>)>),
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
    fn read(&self) -> &[T] {
        match self {
            Self::Shared(words) => words,
            Self::Unique(words, _) => words,
            Self::Copied(words, _) | Self::Private(Private { words, .. }) => words,
            Self::Atomic(atomics) => &atomics.words,
        }
    }

    #[inline(always)]
    fn write(&mut self) -> Option<Written<'_, T>> {
        let words = match self {
            Self::Shared(_) => return None,
            Self::Unique(words, _) => &mut **words,
            Self::Copied(words, _) => words,
            Self::Atomic(atomics) => &mut atomics.words,
            Self::Private(Private { words, marks, .. }) => return Some(Written { words, marks: Some(marks) }),
        };
        Some(Written { words, marks: None })
    }

    /// The same words for a part of the launch, whose changes are joined like this.
    fn of_part(&self, join: Join) -> Words<'_, T> {
        // Atomics are looked up among what is written, also where they are only read.
        if self.is_writable() && (join != Join::Unchanged || matches!(self, Self::Atomic(_))) {
            Words::Private(Private::new(self.read(), join))
        } else {
            Words::Shared(self.read())
        }
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

    fn show(&self, image: &mut Vec<u64>) {
        image.extend(self.read().iter().map(|&word| word.into()));
    }

    fn addresses(&self) -> Option<Range<usize>> {
        match self {
            Self::Atomic(atomics) => Some(atomics.addresses()),
            _ => None,
        }
    }

    fn is_writable(&self) -> bool {
        matches!(self, Self::Unique(..) | Self::Copied(_, Some(_)) | Self::Atomic(_) | Self::Private(_))
    }

    fn begin(&mut self) -> Option<Misfit> {
        match self {
            Self::Atomic(atomics) => atomics.load(),
            Self::Shared(_) | Self::Unique(..) | Self::Copied(..) | Self::Private(_) => None,
        }
    }

    fn keep(&mut self) {
        let (words, before) = match self {
            Self::Unique(host, before) => (&**host, before),
            Self::Copied(device, Some((_, before))) => (&**device, before),
            Self::Shared(_) | Self::Copied(_, None) | Self::Private(_) | Self::Atomic(_) => return,
        };
        before.clear();
        before.extend_from_slice(words);
    }

    fn restart(&mut self) {
        let (words, before) = match self {
            Self::Unique(host, before) => (&mut **host, before),
            Self::Copied(device, Some((_, before))) => (&mut **device, before),
            Self::Shared(_) | Self::Copied(_, None) | Self::Private(_) => return,
            Self::Atomic(Atomics { words, before, .. }) => (&mut **words, before),
        };
        if words.len() == before.len() {
            words.copy_from_slice(before);
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

    /// The same slot for a part of the launch that runs beside others, and whose changes are joined like this.
    pub(super) fn of_part(&self, join: Join) -> Slot<'_> {
        match self {
            Self::Scalar(value) => Slot::Scalar(*value),
            Self::Part(part) => Slot::Part(*part),
            Self::Bytes(words) => Slot::Bytes(words.of_part(join)),
            Self::Halves(words) => Slot::Halves(words.of_part(join)),
            Self::Words(words) => Slot::Words(words.of_part(join)),
            Self::Wides(words) => Slot::Wides(words.of_part(join)),
        }
    }

    /// What a part of the launch has written to this copy of `base`. It is as it was, then.
    pub(super) fn take_changes(&mut self, base: &Slot<'_>) -> SlotChanges {
        match (self, base) {
            (Slot::Bytes(Words::Private(own)), Slot::Bytes(base)) => SlotChanges::Bytes(own.take_changes(base.read())),
            (Slot::Halves(Words::Private(own)), Slot::Halves(base)) => {
                SlotChanges::Halves(own.take_changes(base.read()))
            }
            (Slot::Words(Words::Private(own)), Slot::Words(base)) => SlotChanges::Words(own.take_changes(base.read())),
            (Slot::Wides(Words::Private(own)), Slot::Wides(base)) => SlotChanges::Wides(own.take_changes(base.read())),
            _ => SlotChanges::None,
        }
    }

    /// What a part of the launch has changed is changed here.
    pub(super) fn apply(&mut self, changes: SlotChanges) {
        match (self, changes) {
            (Slot::Bytes(words), SlotChanges::Bytes(changes)) => apply(words, changes),
            (Slot::Halves(words), SlotChanges::Halves(changes)) => apply(words, changes),
            (Slot::Words(words), SlotChanges::Words(changes)) => apply(words, changes),
            (Slot::Wides(words), SlotChanges::Wides(changes)) => apply(words, changes),
            _ => {}
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

/// What a part of a launch has changed of a slot.
pub(crate) enum SlotChanges {
    None,
    Bytes(Changes<u8>),
    Halves(Changes<u16>),
    Words(Changes<u32>),
    Wides(Changes<u64>),
}

fn apply<T: MemoryWord>(words: &mut Words<'_, T>, changes: Changes<T>) {
    if let Some(Written { words, .. }) = words.write() {
        changes.apply(words);
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
