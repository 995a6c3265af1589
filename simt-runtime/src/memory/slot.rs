//! What a parameter of the kernel is on the device.

use simt_core::Constant;
use std::fmt;

/// A word that global memory is made of.
pub(crate) trait MemoryWord: Copy {
    fn words<'m>(slot: &'m Slot<'_>) -> Option<&'m [Self]>;
    fn words_mut<'m>(slot: &'m mut Slot<'_>) -> Option<&'m mut [Self]>;
}

/// Takes the device's words back to the caller.
pub(crate) type Commit<'a, T> = Box<dyn FnOnce(&[T]) + Send + Sync + 'a>;

/// Words of a slice parameter.
pub(crate) enum Words<'a, T> {
    /// Read only, where the caller has them.
    Shared(&'a [T]),
    /// Writable, where the caller has them; and what they were before the launch.
    Unique(&'a mut [T], Vec<T>),
    /// Copied, because the caller has them in another layout. If threads may write them, they go back in the end; beside it,
    /// what they were before the launch.
    Copied(Vec<T>, Option<(Commit<'a, T>, Vec<T>)>),
}

/// A parameter.
#[derive(Debug)]
pub(crate) enum Slot<'a> {
    Scalar(Constant),
    Bytes(Words<'a, u8>),
    Halves(Words<'a, u16>),
    Words(Words<'a, u32>),
    Wides(Words<'a, u64>),
}

impl<T: Copy + Into<u64>> Words<'_, T> {
    #[inline(always)]
    fn read(&self) -> &[T] {
        match self {
            Self::Shared(words) => words,
            Self::Unique(words, _) => words,
            Self::Copied(words, _) => words,
        }
    }

    #[inline(always)]
    fn write(&mut self) -> Option<&mut [T]> {
        match self {
            Self::Shared(_) => None,
            Self::Unique(words, _) => Some(words),
            Self::Copied(words, _) => Some(words),
        }
    }

    fn bits(&self, index: usize) -> Option<u64> {
        self.read().get(index).map(|&word| word.into())
    }

    fn show(&self, image: &mut Vec<u64>) {
        image.extend(self.read().iter().map(|&word| word.into()));
    }

    fn is_writable(&self) -> bool {
        matches!(self, Self::Unique(..) | Self::Copied(_, Some(_)))
    }

    fn keep(&mut self) {
        let (words, before) = match self {
            Self::Unique(host, before) => (&**host, before),
            Self::Copied(device, Some((_, before))) => (&**device, before),
            Self::Shared(_) | Self::Copied(_, None) => return,
        };
        before.clear();
        before.extend_from_slice(words);
    }

    fn restart(&mut self) {
        let (words, before) = match self {
            Self::Unique(host, before) => (&mut **host, before),
            Self::Copied(device, Some((_, before))) => (&mut **device, before),
            Self::Shared(_) | Self::Copied(_, None) => return,
        };
        if words.len() == before.len() {
            words.copy_from_slice(before);
        }
    }

    fn commit(self) {
        if let Self::Copied(device, Some((commit, _))) = self {
            commit(&device);
        }
    }
}

impl<T> fmt::Debug for Words<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, length) = match self {
            Self::Shared(words) => ("shared", words.len()),
            Self::Unique(words, _) => ("unique", words.len()),
            Self::Copied(words, _) => ("copied", words.len()),
        };
        write!(f, "{length} {kind}")
    }
}

/// Does the same with the words of whichever width the slot has.
macro_rules! with_words {
    ($slot:expr, $words:ident => $body:expr, scalar => $scalar:expr) => {
        match $slot {
            Slot::Scalar(_) => $scalar,
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
        with_words!(self, words => words.read().len(), scalar => 0)
    }

    /// Width of an element on the device; none of a scalar.
    pub(crate) fn element_bits(&self) -> Option<u32> {
        match self {
            Self::Scalar(_) => None,
            Self::Bytes(_) => Some(8),
            Self::Halves(_) => Some(16),
            Self::Words(_) => Some(32),
            Self::Wides(_) => Some(64),
        }
    }

    /// Whether threads may write it.
    pub(crate) fn is_writable(&self) -> bool {
        with_words!(self, words => words.is_writable(), scalar => false)
    }

    /// Remembers what the caller's words are, before the first thread can write them.
    pub(crate) fn keep(&mut self) {
        with_words!(self, words => words.keep(), scalar => ());
    }

    /// The launch succeeded: what was copied goes back to the caller.
    pub(crate) fn commit(self) {
        with_words!(self, words => words.commit(), scalar => ());
    }

    /// The words are again what they were before the launch.
    pub(crate) fn restart(&mut self) {
        with_words!(self, words => words.restart(), scalar => ());
    }

    /// The bits of an element.
    pub(crate) fn bits(&self, index: usize) -> Option<u64> {
        with_words!(self, words => words.bits(index), scalar => None)
    }

    /// Writes the bits of an element, if there is one and threads may write it.
    pub(crate) fn set_bits(&mut self, index: usize, bits: u64) {
        match self {
            Self::Scalar(_) => {}
            Self::Bytes(words) => set(words, index, bits as u8),
            Self::Halves(words) => set(words, index, bits as u16),
            Self::Words(words) => set(words, index, bits as u32),
            Self::Wides(words) => set(words, index, bits),
        }
    }

    /// Puts the bits of all elements behind those of others, if threads may write them.
    pub(crate) fn show(&self, image: &mut Vec<u64>) {
        if self.is_writable() {
            with_words!(self, words => words.show(image), scalar => ());
        }
    }
}

fn set<T: Copy + Into<u64>>(words: &mut Words<'_, T>, index: usize, word: T) {
    if let Some(element) = words.write().and_then(|words| words.get_mut(index)) {
        *element = word;
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
            fn words_mut<'m>(slot: &'m mut Slot<'_>) -> Option<&'m mut [Self]> {
                match slot {
                    Slot::$slot(words) => words.write(),
                    _ => None,
                }
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
