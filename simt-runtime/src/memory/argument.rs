//! Arguments: host values, slices and atomics as memory of the device.

use super::slot::{Commit, Slot, Words};
#[cfg(feature = "half")]
use simt_core::half::{self, slice::HalfFloatSliceExt};
use simt_core::program::ParamKind;
use simt_core::{Atomic, Constant, Scalar, ScalarType};
use std::sync::{Arc, Mutex, PoisonError};

/// What an argument was passed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Scalar,
    Slice,
    Constant,
    Atomic,
}

/// An argument of a kernel call, bound but not yet launched.
#[derive(Debug)]
pub struct Argument<'a> {
    pub(crate) slot: Slot<'a>,
    kind: Kind,
    /// The first value that does not fit the device, if any: its index, and it as text.
    pub(crate) misfit: Option<(usize, String)>,
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
        Self { slot: T::share(slice), kind: Kind::Slice, misfit: misfit(slice.iter().copied()) }
    }

    /// A slice that threads read and write.
    pub fn slice_mut<T: Element>(slice: &'a mut [T]) -> Self {
        let misfit = misfit(slice.iter().copied());
        Self { slot: T::borrow(slice), kind: Kind::Slice, misfit }
    }

    /// A slice in constant memory.
    pub fn constant<T: Element>(slice: &'a [T]) -> Self {
        Self::slice(slice).into_constant()
    }

    /// The slice in constant memory.
    pub(super) fn into_constant(self) -> Self {
        Self { kind: Kind::Constant, ..self }
    }

    /// Atomics that threads work on together.
    ///
    /// The launch works on a copy of their values, which it takes when the call is made, and writes them back once it has
    /// succeeded: what other threads of the host do with them in between is overwritten.
    ///
    /// ```
    /// use simt::core::Atomic;
    /// use simt::Argument;
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
        let values = || atomics.iter().map(Atomic::get);
        let back: Back<'a, A::Value> =
            Box::new(move |values| atomics.iter().zip(values).for_each(|(atomic, value)| atomic.set(value)));
        Self { slot: A::Value::copied(values(), Some(back)), kind: Kind::Atomic, misfit: misfit(values()) }
    }

    /// One field of the structs of a slice, as a slice that threads read; `per` values a struct, one after the other.
    pub fn column<S, T: Element>(structs: &[S], per: usize, get: impl Fn(&S, usize) -> T) -> Self {
        let values = || structs.iter().flat_map(|each| (0..per).map(|index| get(each, index)));
        Self { slot: T::copied(values(), None), kind: Kind::Slice, misfit: misfit(values()) }
    }

    /// One field of the structs of a slice, as a slice that threads read and write; `per` values a struct, one after the
    /// other. The structs get them back when the launch has succeeded.
    ///
    /// ```
    /// use simt::Argument;
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
        let values: Vec<T> = {
            let structs = structs.lock().unwrap_or_else(PoisonError::into_inner);
            let get = &get;
            structs.iter().flat_map(|each| (0..per).map(move |index| get(each, index))).collect()
        };
        let structs = Arc::clone(structs);
        let back: Back<'a, T> = Box::new(move |values| {
            let mut structs = structs.lock().unwrap_or_else(PoisonError::into_inner);
            for each in structs.iter_mut() {
                values.take(per).enumerate().for_each(|(index, value)| set(each, index, value));
            }
        });
        let misfit = misfit(values.iter().copied());
        Self { slot: T::copied(values.into_iter(), Some(back)), kind: Kind::Slice, misfit }
    }

    /// What the argument is, in words.
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
            (Kind::Constant, _) => "a slice `#[constant] &[_]`",
            (Kind::Atomic, _) => "a slice of atomics",
        };
        format!("{elements} of {bits} bits each")
    }

    /// Whether the argument is what a parameter asks for, and has the layout that its type has on the device.
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
        }
    }
}

fn misfit<T: Element>(mut values: impl Iterator<Item = T>) -> Option<(usize, String)> {
    if !matches!(T::TYPE, ScalarType::Usize | ScalarType::Isize) {
        return None;
    }
    let mut index = 0;
    let value = values.find(|value| {
        index += 1;
        !value.fits()
    })?;
    Some((index - 1, format!("{value:?}")))
}

/// Takes values back to where they came from, in the same order.
type Back<'a, T> = Box<dyn FnOnce(&mut dyn Iterator<Item = T>) + Send + Sync + 'a>;

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
    /// Values that the caller has in another layout; if threads may write them, with the way back.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "only this crate implements and calls it: `Scalar` is sealed")]
    fn copied<'a>(values: impl Iterator<Item = Self>, back: Option<Back<'a, Self>>) -> Slot<'a>;
}

/// The device's words of values, and the way back.
macro_rules! copied {
    ($word:ty: $slot:ident) => {
        #[expect(private_interfaces, reason = "see the trait")]
        fn copied<'a>(values: impl Iterator<Item = Self>, back: Option<Back<'a, Self>>) -> Slot<'a> {
            let device: Vec<$word> = values.map(|value| value.to_bits64() as $word).collect();
            let commit = back.map(|back| -> Commit<'a, $word> {
                Box::new(move |device| back(&mut device.iter().map(|&word| Self::from_bits64(word.into()))))
            });
            Slot::$slot(Words::Copied(device, commit.map(|commit| (commit, Vec::new()))))
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
                Slot::$slot(Words::Unique(bytemuck::must_cast_slice_mut(slice), Vec::new()))
            }
            copied!($word: $slot);
        }
    )*)*};
}
elements! {
    u8 Bytes: u8 i8;
    u16 Halves: u16 i16;
    u32 Words: u32 i32 f32;
    u64 Wides: u64 i64 f64;
}

/// As `elements!`, of types that the crate `half` knows how to see as words.
#[cfg(feature = "half")]
macro_rules! halves {
    ($($host:ty)*) => {$(
        impl Element for $host {
            #[expect(private_interfaces, reason = "see the trait")]
            fn share(slice: &[Self]) -> Slot<'_> { Slot::Halves(Words::Shared(slice.reinterpret_cast())) }
            #[expect(private_interfaces, reason = "see the trait")]
            fn borrow(slice: &mut [Self]) -> Slot<'_> {
                Slot::Halves(Words::Unique(slice.reinterpret_cast_mut(), Vec::new()))
            }
            copied!(u16: Halves);
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
                let device = slice.iter().map(|value| value.to_bits64() as $word).collect();
                let commit = |device: &[$word]| {
                    for (host, &word) in slice.iter_mut().zip(device) {
                        *host = Self::from_bits64(word.into());
                    }
                };
                Slot::$slot(Words::Copied(device, Some((Box::new(commit), Vec::new()))))
            }
            copied!($word: $slot);
        }
    )*};
}
converted! {
    bool: u8 Bytes, |slice| Slot::Bytes(Words::Shared(bytemuck::must_cast_slice(slice)));
    usize: u32 Words, |slice| Self::copied(slice.iter().copied(), None);
    isize: u32 Words, |slice| Self::copied(slice.iter().copied(), None);
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
