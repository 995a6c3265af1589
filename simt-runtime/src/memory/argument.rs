//! Arguments: host values, slices and atomics as memory of the device.

use super::atomics::Atomics;
use super::slot::{Commit, MemoryWord, Slot, Words};
use super::undo::Undo;
use super::{FieldData, Misfit};
#[cfg(feature = "half")]
use simt_core::half::{self, slice::HalfFloatSliceExt};
use simt_core::program::{Param, ParamKind};
use simt_core::{Atomic, Constant, Scalar, ScalarType};
use std::sync::{Arc, Mutex, PoisonError};

/// The way in which an argument was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Scalar,
    Slice,
    Constant,
    Atomic,
    Bytes,
}

/// An argument of a kernel call, bound but not yet launched.
#[derive(Debug)]
pub struct Argument<'a> {
    pub(crate) slot: Slot<'a>,
    kind: Kind,
    /// The first value that does not fit the device, if any is known; values of atomics are read later.
    pub(crate) misfit: Option<Misfit>,
}

/// A slice of structs whose fields are arguments of their own: see [`Argument::column_mut`].
pub type Structs<'a, S> = Arc<Mutex<&'a mut [S]>>;

impl<'a> Argument<'a> {
    /// A scalar argument.
    pub fn scalar<T: Element>(value: T) -> Self {
        let misfit = (!value.fits()).then(|| (0, format!("{value:?}")));
        Self { slot: Slot::Scalar(Constant::of(value)), kind: Kind::Scalar, misfit }
    }

    /// A slice that threads read.
    pub fn slice<T: Element>(slice: &'a [T]) -> Self {
        Self { slot: T::share(slice), kind: Kind::Slice, misfit: misfit(slice) }
    }

    /// A slice that threads read and write.
    pub fn slice_mut<T: Element>(slice: &'a mut [T]) -> Self {
        let misfit = misfit(slice);
        Self { slot: T::borrow(slice), kind: Kind::Slice, misfit }
    }

    /// Bytes that are passed by value, such as those of a C struct: for a parameter of bytes, which code reads by address.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self { slot: Slot::Bytes(Words::Copied(bytes.into(), None)), kind: Kind::Bytes, misfit: None }
    }

    /// A slice in constant memory.
    pub fn constant<T: Element>(slice: &'a [T]) -> Self {
        Self::slice(slice).into_constant()
    }

    /// The table that a parameter brings along, if it is one.
    pub(crate) fn table(param: &Param) -> Option<Self> {
        let (table, element) = (param.table.as_ref()?, param.kind.element()?);
        let bits = if element == ScalarType::Bool { 8 } else { element.bits() };
        // Words of the device, which hold no more bits than the type has.
        let slot = match bits {
            8 => owned(table, |bits| bits as u8),
            16 => owned(table, |bits| bits as u16),
            32 => owned(table, |bits| bits as u32),
            _ => owned(table, |bits| bits),
        };
        Some(Self { slot, kind: Kind::Constant, misfit: None })
    }

    /// The slice in constant memory.
    pub(super) fn into_constant(self) -> Self {
        Self { kind: Kind::Constant, ..self }
    }

    /// Atomics that threads work on together.
    ///
    /// The launch works on a copy of their values, which it takes when it begins; what it has changed goes back once it has
    /// succeeded. The same atomics may be passed several times, also as slices that overlap: they are one memory.
    ///
    /// Launches that have atomics in common, wherever they were started, take turns: each sees all writes of the one before
    /// it. A launch that would wait for one that waits for it, as when an observer starts it on the atomics of the launch
    /// that it observes, is refused with [`ArgumentProblem::InUse`](crate::ArgumentProblem::InUse). One case is not noticed
    /// and never ends: an observer that waits for another thread of the host, which launches on these atomics.
    ///
    /// Threads of the host that work on the atomics themselves do not take turns. A launch does not see what they store
    /// after it has begun. Such a store stays if the launch does not change the element, and is overwritten if it does.
    ///
    /// ```
    /// use simt::core::Atomic;
    /// use simt::host::Argument;
    /// use std::sync::atomic::AtomicU32;
    ///
    /// let counters = [AtomicU32::new(1), AtomicU32::new(2)];
    /// let argument = Argument::atomic(&counters);
    /// assert_eq!(counters.each_ref().map(Atomic::get), [1, 2]);
    /// # drop(argument);
    /// ```
    pub fn atomic<A: Atomic>(atomics: &'a [A]) -> Self
    where
        A::Value: Element,
    {
        let slot = MemoryWord::slot(Words::Atomic(Atomics::<<A::Value as Element>::Word>::new(atomics)));
        Self { slot, kind: Kind::Atomic, misfit: None }
    }

    /// One field of the structs of a slice, as a slice that threads read; `per` values a struct, one after the other.
    pub fn column<S, T: Element>(structs: &[S], per: usize, get: impl Fn(&S, usize) -> T) -> Self {
        let (words, misfit) = words(structs.len(), per, &|each, index| get(&structs[each], index));
        Self { slot: T::Word::slot(Words::Copied(words, None)), kind: Kind::Slice, misfit }
    }

    /// One field of the structs of a slice, as a slice that threads read and write; `per` values a struct, one after the
    /// other. The structs get them back when the launch has succeeded. Each value belongs into one column: of two columns that
    /// have it, the later would overwrite what threads did to it in the earlier.
    ///
    /// ```
    /// use simt::host::Argument;
    /// use std::sync::{Arc, Mutex};
    ///
    /// struct Star { mass: f32, place: [f32; 3] }
    ///
    /// let mut stars = [Star { mass: 1.0, place: [0.0; 3] }];
    /// let structs = Arc::new(Mutex::new(&mut stars[..]));
    /// let mass = Argument::column_mut(&structs, 1, |star, _| star.mass, |star, _, mass| star.mass = mass);
    /// let place = Argument::column_mut(&structs, 3, |star, i| star.place[i], |star, i, x| star.place[i] = x);
    /// # drop((mass, place));
    /// ```
    pub fn column_mut<S: Send, T: Element>(
        structs: &Structs<'a, S>,
        per: usize,
        get: impl Fn(&S, usize) -> T,
        set: impl Fn(&mut S, usize, T) + Send + Sync + 'a,
    ) -> Self {
        let known = structs.lock().unwrap_or_else(PoisonError::into_inner);
        let (words, misfit) = words(known.len(), per, &|each, index| get(&known[each], index));
        let structs = Arc::clone(structs);
        let back: Commit<'a, T::Word> = Box::new(move |words| {
            let mut structs = structs.lock().unwrap_or_else(PoisonError::into_inner);
            put_back::<T>(words, structs.len(), per, &mut |each, index, value| set(&mut structs[each], index, value));
        });
        Self { slot: T::Word::slot(Words::Copied(words, Some((back, Undo::default())))), kind: Kind::Slice, misfit }
    }

    /// A description of the argument, for messages.
    pub(crate) fn describe(&self) -> String {
        let bits = self.slot.element_bits().unwrap_or_default();
        let elements = match (self.kind, self.slot.is_writable()) {
            (Kind::Scalar, _) => {
                return match &self.slot {
                    Slot::Scalar(constant) => format!("a `{}`", constant.ty),
                    _ => "a value".to_string(),
                };
            }
            (Kind::Slice, true) => "a slice `&mut [_]`",
            (Kind::Slice, false) => "a slice `&[_]`",
            (Kind::Bytes, _) => return format!("{} bytes by value", self.slot.length()),
            (Kind::Constant, _) => "a slice `#[constant] &[_]`",
            (Kind::Atomic, _) => "a slice of atomics",
        };
        format!("{elements} of {bits} bits each")
    }

    /// Whether the argument is of the kind that a parameter asks for, and has the layout of its type on the device.
    pub(crate) fn fits(&self, param: ParamKind) -> bool {
        let is_slice_of = |element: ScalarType| {
            let bits = if element == ScalarType::Bool { 8 } else { element.bits() };
            self.slot.element_bits() == Some(bits)
        };
        match param {
            ParamKind::Scalar(ty) => matches!(&self.slot, Slot::Scalar(constant) if constant.ty == ty),
            ParamKind::Slice { element, writable } => {
                self.kind == Kind::Slice && is_slice_of(element) && (self.slot.is_writable() || !writable)
            }
            ParamKind::Constant { element } => {
                matches!(self.kind, Kind::Slice | Kind::Constant) && is_slice_of(element)
            }
            ParamKind::Atomic { element } => self.kind == Kind::Atomic && is_slice_of(element),
            ParamKind::Bytes { size, .. } => self.kind == Kind::Bytes && self.slot.length() == size as usize,
        }
    }
}

/// The first value that does not fit the device.
fn misfit<T: Element>(values: &[T]) -> Option<Misfit> {
    // Without an early exit, so that many values are compared at once.
    let may_not_fit = matches!(T::TYPE, ScalarType::Usize | ScalarType::Isize);
    if !may_not_fit || values.iter().fold(true, |fit, value| fit & value.fits()) {
        return None;
    }
    let index = values.iter().position(|value| !value.fits())?;
    Some((index, format!("{:?}", values[index])))
}

/// The values of a field of so many structs, `per` each, and the first that does not fit the device. `get` is asked for those
/// of a struct by its number.
fn words<T: Element>(structs: usize, per: usize, get: &dyn Fn(usize, usize) -> T) -> (Vec<T::Word>, Option<Misfit>) {
    let (mut words, mut misfit) = (Vec::with_capacity(structs.saturating_mul(per)), None);
    for each in 0..structs {
        for index in 0..per {
            let value = get(each, index);
            if !value.fits() && misfit.is_none() {
                misfit = Some((words.len(), format!("{value:?}")));
            }
            words.push(value.to_word());
        }
    }
    (words, misfit)
}

/// Writes the values of a field to the structs, as [`words`] has read them.
fn put_back<T: Element>(words: &[T::Word], structs: usize, per: usize, set: &mut dyn FnMut(usize, usize, T)) {
    for (each, words) in (0..structs).zip(words.chunks_exact(per.max(1))) {
        for (index, &word) in words.iter().enumerate() {
            set(each, index, T::from_word(word));
        }
    }
}

/// A host type whose slices can be passed to a kernel: every scalar type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar type of the kernel language",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize"
)]
pub trait Element: Scalar + FieldData {
    /// The type's representation on the device.
    #[doc(hidden)]
    #[expect(private_bounds, reason = "only this crate implements it: `Scalar` is sealed")]
    type Word: MemoryWord;
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "only this crate implements and calls it: `Scalar` is sealed")]
    fn share(slice: &[Self]) -> Slot<'_>;
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "only this crate implements and calls it: `Scalar` is sealed")]
    fn borrow(slice: &mut [Self]) -> Slot<'_>;
    #[doc(hidden)]
    fn to_word(self) -> Self::Word;
    #[doc(hidden)]
    fn from_word(word: Self::Word) -> Self;
}

/// A value as a word of the device, and back.
macro_rules! words {
    ($word:ty) => {
        type Word = $word;
        #[inline(always)]
        fn to_word(self) -> $word {
            self.to_bits64() as $word
        }
        #[inline(always)]
        fn from_word(word: $word) -> Self {
            Self::from_bits64(word.into())
        }
    };
}

macro_rules! elements {
    ($($word:ident $slot:ident: $($host:ty)*;)*) => {$($(
        impl Element for $host {
            #[expect(private_interfaces, reason = "see the trait")]
            fn share(slice: &[Self]) -> Slot<'_> { Slot::$slot(Words::Shared(bytemuck::must_cast_slice(slice))) }
            #[expect(private_interfaces, reason = "see the trait")]
            fn borrow(slice: &mut [Self]) -> Slot<'_> {
                Slot::$slot(Words::Unique(bytemuck::must_cast_slice_mut(slice), Undo::default()))
            }
            words!($word);
        }
    )*)*};
}
elements! {
    u8 Bytes: u8 i8;
    u16 Halves: u16 i16;
    u32 Words: u32 i32 f32;
    u64 Wides: u64 i64 f64;
}

/// As `elements!`, for types that the crate `half` can view as words.
#[cfg(feature = "half")]
macro_rules! halves {
    ($($host:ty)*) => {$(
        impl Element for $host {
            #[expect(private_interfaces, reason = "see the trait")]
            fn share(slice: &[Self]) -> Slot<'_> { Slot::Halves(Words::Shared(slice.reinterpret_cast())) }
            #[expect(private_interfaces, reason = "see the trait")]
            fn borrow(slice: &mut [Self]) -> Slot<'_> {
                Slot::Halves(Words::Unique(slice.reinterpret_cast_mut(), Undo::default()))
            }
            words!(u16);
        }
    )*};
}
#[cfg(feature = "half")]
halves! { half::f16 half::bf16 }

/// Types with another layout on the device.
macro_rules! converted {
    ($($host:ty: $word:ident $slot:ident, |$slice:ident| $share:expr;)*) => {$(
        impl Element for $host {
            #[expect(private_interfaces, reason = "see the trait")]
            fn share($slice: &[Self]) -> Slot<'_> { $share }
            #[expect(private_interfaces, reason = "see the trait")]
            fn borrow(slice: &mut [Self]) -> Slot<'_> {
                let device = slice.iter().map(|value| value.to_word()).collect();
                let commit = |device: &[$word]| {
                    slice.iter_mut().zip(device).for_each(|(host, &word)| *host = Self::from_word(word));
                };
                Slot::$slot(Words::Copied(device, Some((Box::new(commit), Undo::default()))))
            }
            words!($word);
        }
    )*};
}
converted! {
    bool: u8 Bytes, |slice| Slot::Bytes(Words::Shared(bytemuck::must_cast_slice(slice)));
    usize: u32 Words, |slice| copied(slice);
    isize: u32 Words, |slice| copied(slice);
}

/// Words that threads read.
fn owned<W: MemoryWord>(table: &[u64], word: impl Fn(u64) -> W) -> Slot<'static> {
    MemoryWord::slot(Words::Copied(table.iter().map(|&bits| word(bits)).collect(), None))
}

/// Values that threads read, and that have another layout on the device.
fn copied<T: Element>(slice: &[T]) -> Slot<'_> {
    MemoryWord::slot(Words::Copied(slice.iter().map(|value| value.to_word()).collect(), None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU32};

    #[test]
    fn values_beyond_32_bits_are_noticed() {
        assert_eq!(Argument::slice(&[1usize, 1 << 40]).misfit, Some((1, "1099511627776".into())));
        assert_eq!(Argument::scalar(u64::MAX).misfit, None);
        assert!(Argument::scalar(isize::MIN).misfit.is_some());
    }

    #[test]
    fn an_argument_fits_the_parameter_it_was_made_for() {
        let (atomics, flags) = ([AtomicU32::new(0)], [AtomicBool::new(false)]);
        let slice = |element, writable| ParamKind::Slice { element, writable };
        let element = ScalarType::U32;
        assert!(Argument::atomic(&atomics).fits(ParamKind::Atomic { element }));
        assert!(Argument::atomic(&flags).fits(ParamKind::Atomic { element: ScalarType::Bool }));
        assert!(!Argument::atomic(&atomics).fits(ParamKind::Atomic { element: ScalarType::U64 }));
        assert!(!Argument::atomic(&atomics).fits(slice(element, false)));
        assert!(!Argument::slice_mut(&mut [1u32]).fits(ParamKind::Atomic { element }));
        assert!(Argument::constant(&[1u32]).fits(ParamKind::Constant { element }));
        assert!(!Argument::constant(&[1u32]).fits(slice(element, false)));
        assert!(!Argument::slice(&[1usize]).fits(slice(ScalarType::Usize, true)));
        assert!(Argument::slice_mut(&mut [1usize]).fits(slice(ScalarType::Usize, true)));
    }
}
