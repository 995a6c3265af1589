//! Global memory: the caller's slices, as words of the device.
//!
//! A kernel works on the caller's memory itself. `bool`, `usize` and `isize` slices that threads may write, and all
//! pointer-sized ones, have another layout on the device and are copied. Every slice that threads may write is kept as it
//! was until the launch has succeeded, so that a failing one leaves no trace.

use simt_core::{Constant, Scalar, ScalarType};

/// A word that memory is made of.
pub(crate) trait MemoryWord: Copy {
    fn words<'m>(slot: &'m Slot<'_>) -> Option<&'m [Self]>;
    fn words_mut<'m>(slot: &'m mut Slot<'_>) -> Option<&'m mut [Self]>;
}

/// Words of a slice parameter.
#[derive(Debug)]
pub(crate) enum Words<'a, T> {
    /// Read only, where the caller has them.
    Shared(&'a [T]),
    /// Read only, converted.
    Converted(Vec<T>),
    /// Writable, where the caller has them.
    Unique(&'a mut [T]),
}

/// What a parameter of the kernel is on the device.
#[derive(Debug)]
pub(crate) enum Slot<'a> {
    Scalar(Constant),
    Bytes(Words<'a, u8>),
    Halves(Words<'a, u16>),
    Words(Words<'a, u32>),
    Wides(Words<'a, u64>),
    /// Writable, with another layout on the device.
    Bools(&'a mut [bool], Vec<u8>),
    Sizes(&'a mut [usize], Vec<u32>),
    SignedSizes(&'a mut [isize], Vec<u32>),
}

impl<T> Words<'_, T> {
    fn len(&self) -> usize {
        match self {
            Self::Shared(words) => words.len(),
            Self::Converted(words) => words.len(),
            Self::Unique(words) => words.len(),
        }
    }
}

impl Slot<'_> {
    /// Number of elements; 0 of a scalar.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Scalar(_) => 0,
            Self::Bytes(words) => words.len(),
            Self::Halves(words) => words.len(),
            Self::Words(words) => words.len(),
            Self::Wides(words) => words.len(),
            Self::Bools(host, _) => host.len(),
            Self::Sizes(host, _) => host.len(),
            Self::SignedSizes(host, _) => host.len(),
        }
    }

    /// Width of an element on the device; none of a scalar.
    pub(crate) fn element_bits(&self) -> Option<u32> {
        match self {
            Self::Scalar(_) => None,
            Self::Bytes(_) | Self::Bools(..) => Some(8),
            Self::Halves(_) => Some(16),
            Self::Words(_) | Self::Sizes(..) | Self::SignedSizes(..) => Some(32),
            Self::Wides(_) => Some(64),
        }
    }

    /// Whether threads may write it.
    pub(crate) fn is_writable(&self) -> bool {
        matches!(
            self,
            Self::Bytes(Words::Unique(_))
                | Self::Halves(Words::Unique(_))
                | Self::Words(Words::Unique(_))
                | Self::Wides(Words::Unique(_))
                | Self::Bools(..)
                | Self::Sizes(..)
                | Self::SignedSizes(..)
        )
    }
}

macro_rules! memory_words {
    ($($word:ty: $slot:ident, [$($converted:ident)*];)*) => {$(
        impl MemoryWord for $word {
            #[inline(always)]
            fn words<'m>(slot: &'m Slot<'_>) -> Option<&'m [Self]> {
                match slot {
                    Slot::$slot(Words::Shared(words)) => Some(words),
                    Slot::$slot(Words::Converted(words)) => Some(words),
                    Slot::$slot(Words::Unique(words)) => Some(words),
                    $(Slot::$converted(_, words) => Some(words),)*
                    _ => None,
                }
            }
            #[inline(always)]
            fn words_mut<'m>(slot: &'m mut Slot<'_>) -> Option<&'m mut [Self]> {
                match slot {
                    Slot::$slot(Words::Unique(words)) => Some(words),
                    $(Slot::$converted(_, words) => Some(words),)*
                    _ => None,
                }
            }
        }
    )*};
}
memory_words! {
    u8: Bytes, [Bools];
    u16: Halves, [];
    u32: Words, [Sizes SignedSizes];
    u64: Wides, [];
}

/// The slices of a launch, by parameter.
#[derive(Debug)]
pub(crate) struct Memory<'a> {
    slots: Vec<Slot<'a>>,
    /// What writable slices held before the launch.
    before: Vec<Option<Snapshot>>,
}

#[derive(Debug)]
enum Snapshot {
    Bytes(Vec<u8>),
    Halves(Vec<u16>),
    Words(Vec<u32>),
    Wides(Vec<u64>),
}

impl<'a> Memory<'a> {
    pub(crate) fn new(arguments: Vec<Argument<'a>>) -> Self {
        let slots: Vec<_> = arguments.into_iter().map(|argument| argument.slot).collect();
        let before = slots
            .iter()
            .map(|slot| match slot {
                Slot::Bytes(Words::Unique(words)) => Some(Snapshot::Bytes(words.to_vec())),
                Slot::Halves(Words::Unique(words)) => Some(Snapshot::Halves(words.to_vec())),
                Slot::Words(Words::Unique(words)) => Some(Snapshot::Words(words.to_vec())),
                Slot::Wides(Words::Unique(words)) => Some(Snapshot::Wides(words.to_vec())),
                Slot::Scalar(_)
                | Slot::Bytes(_)
                | Slot::Halves(_)
                | Slot::Words(_)
                | Slot::Wides(_)
                | Slot::Bools(..)
                | Slot::Sizes(..)
                | Slot::SignedSizes(..) => None,
            })
            .collect();
        Self { slots, before }
    }

    /// The words of a slice parameter; none if the slice has words of another kind, which validation excludes.
    #[inline(always)]
    pub(crate) fn read<T: MemoryWord>(&self, slot: u16) -> &[T] {
        self.slots.get(slot as usize).and_then(T::words).unwrap_or(&[])
    }

    /// The words of a writable slice parameter.
    #[inline(always)]
    pub(crate) fn write<T: MemoryWord>(&mut self, slot: u16) -> &mut [T] {
        self.slots.get_mut(slot as usize).and_then(T::words_mut).unwrap_or(&mut [])
    }

    /// The value of a scalar parameter.
    pub(crate) fn scalar(&self, slot: usize) -> Option<Constant> {
        match self.slots.get(slot) {
            Some(Slot::Scalar(constant)) => Some(*constant),
            _ => None,
        }
    }

    /// The number of elements of a slice parameter.
    pub(crate) fn length(&self, slot: usize) -> usize {
        self.slots.get(slot).map_or(0, Slot::length)
    }

    /// The launch succeeded: converted slices go back to the caller.
    pub(crate) fn commit(self) {
        for slot in self.slots {
            match slot {
                Slot::Bools(host, device) => {
                    host.iter_mut().zip(device).for_each(|(host, device)| *host = device != 0);
                }
                Slot::Sizes(host, device) => {
                    host.iter_mut().zip(device).for_each(|(host, device)| *host = device as usize);
                }
                Slot::SignedSizes(host, device) => {
                    host.iter_mut().zip(device).for_each(|(host, device)| *host = device as i32 as isize);
                }
                Slot::Scalar(_) | Slot::Bytes(_) | Slot::Halves(_) | Slot::Words(_) | Slot::Wides(_) => {}
            }
        }
    }

    /// The launch failed: the caller's slices get back what they held.
    pub(crate) fn roll_back(self) {
        for (slot, before) in self.slots.into_iter().zip(self.before) {
            match (slot, before) {
                (Slot::Bytes(Words::Unique(host)), Some(Snapshot::Bytes(before))) => host.copy_from_slice(&before),
                (Slot::Halves(Words::Unique(host)), Some(Snapshot::Halves(before))) => host.copy_from_slice(&before),
                (Slot::Words(Words::Unique(host)), Some(Snapshot::Words(before))) => host.copy_from_slice(&before),
                (Slot::Wides(Words::Unique(host)), Some(Snapshot::Wides(before))) => host.copy_from_slice(&before),
                _ => {}
            }
        }
    }
}

/// An argument of a kernel call, bound but not yet launched.
#[derive(Debug)]
pub struct Argument<'a> {
    pub(crate) slot: Slot<'a>,
    /// The first value that does not fit the device, if any: its index, and it as text.
    pub(crate) misfit: Option<(usize, String)>,
}

impl<'a> Argument<'a> {
    /// A scalar argument.
    pub fn scalar<T: Element>(value: T) -> Self {
        let misfit = (!value.fits()).then(|| (0, format!("{value:?}")));
        Self { slot: Slot::Scalar(Constant::of(value)), misfit }
    }

    /// A slice that threads read.
    pub fn slice<T: Element>(slice: &'a [T]) -> Self {
        Self { slot: T::share(slice), misfit: misfit(slice) }
    }

    /// A slice that threads read and write.
    pub fn slice_mut<T: Element>(slice: &'a mut [T]) -> Self {
        let misfit = misfit(slice);
        Self { slot: T::borrow(slice), misfit }
    }
}

fn misfit<T: Element>(slice: &[T]) -> Option<(usize, String)> {
    if !matches!(T::TYPE, ScalarType::Usize | ScalarType::Isize) {
        return None;
    }
    let index = slice.iter().position(|value| !value.fits())?;
    Some((index, format!("{:?}", slice[index])))
}

/// A host type whose slices can be passed to a kernel: every scalar type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar type of the kernel language",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize"
)]
pub trait Element: Scalar {
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "only this crate implements and calls it: `Scalar` is sealed")]
    fn share(slice: &[Self]) -> Slot<'_>;
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "only this crate implements and calls it: `Scalar` is sealed")]
    fn borrow(slice: &mut [Self]) -> Slot<'_>;
}

macro_rules! elements {
    ($($slot:ident: $($host:ty)*;)*) => {$($(
        impl Element for $host {
            #[expect(private_interfaces, reason = "see the trait")]
            fn share(slice: &[Self]) -> Slot<'_> { Slot::$slot(Words::Shared(bytemuck::must_cast_slice(slice))) }
            #[expect(private_interfaces, reason = "see the trait")]
            fn borrow(slice: &mut [Self]) -> Slot<'_> { Slot::$slot(Words::Unique(bytemuck::must_cast_slice_mut(slice))) }
        }
    )*)*};
}
elements! {
    Bytes: u8 i8;
    Halves: u16 i16;
    Words: u32 i32 f32;
    Wides: u64 i64 f64;
}

impl Element for bool {
    #[expect(private_interfaces, reason = "see the trait")]
    fn share(slice: &[Self]) -> Slot<'_> {
        Slot::Bytes(Words::Shared(bytemuck::must_cast_slice(slice)))
    }
    #[expect(private_interfaces, reason = "see the trait")]
    fn borrow(slice: &mut [Self]) -> Slot<'_> {
        let device = slice.iter().map(|&value| u8::from(value)).collect();
        Slot::Bools(slice, device)
    }
}

macro_rules! pointer_sized {
    ($($host:ty: $slot:ident;)*) => {$(
        impl Element for $host {
            #[expect(private_interfaces, reason = "see the trait")]
            fn share(slice: &[Self]) -> Slot<'_> {
                Slot::Words(Words::Converted(slice.iter().map(|value| value.to_bits64() as u32).collect()))
            }
            #[expect(private_interfaces, reason = "see the trait")]
            fn borrow(slice: &mut [Self]) -> Slot<'_> {
                let device = slice.iter().map(|value| value.to_bits64() as u32).collect();
                Slot::$slot(slice, device)
            }
        }
    )*};
}
pointer_sized! { usize: Sizes; isize: SignedSizes; }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rolled_back_slice_is_as_before() {
        let (mut floats, mut flags, mut sizes) = ([1.5f32, 2.5], [true, false], [7usize]);
        let arguments =
            vec![Argument::slice_mut(&mut floats), Argument::slice_mut(&mut flags), Argument::slice_mut(&mut sizes)];
        let mut memory = Memory::new(arguments);
        memory.write::<u32>(0)[1] = 0;
        memory.write::<u8>(1)[0] = 0;
        memory.write::<u32>(2)[0] = 0;
        memory.roll_back();
        assert_eq!((floats, flags, sizes), ([1.5, 2.5], [true, false], [7]));
    }

    #[test]
    fn a_committed_slice_has_what_was_written() {
        let (mut bytes, mut flags, mut signed) = ([1i8], [true, false], [7isize]);
        let arguments =
            vec![Argument::slice_mut(&mut bytes), Argument::slice_mut(&mut flags), Argument::slice_mut(&mut signed)];
        let mut memory = Memory::new(arguments);
        memory.write::<u8>(0)[0] = 0xff;
        memory.write::<u8>(1)[1] = 1;
        memory.write::<u32>(2)[0] = u32::MAX;
        memory.commit();
        assert_eq!((bytes, flags, signed), ([-1], [true, true], [-1]));
    }

    #[test]
    fn values_beyond_32_bits_are_noticed() {
        assert_eq!(Argument::slice(&[1usize, 1 << 40]).misfit, Some((1, "1099511627776".into())));
        assert_eq!(Argument::scalar(u64::MAX).misfit, None);
        assert!(Argument::scalar(isize::MIN).misfit.is_some());
    }
}
