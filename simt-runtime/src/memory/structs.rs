//! Slices of structs as arguments: one for each field.

use super::{Argument, Element, Structs};
use simt_core::Atomic;
use simt_core::build::{AtomicAccess, AtomicRowAccess, IntoValue, KernelData, MemoryElement, PlainAccess};
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

/// A host type of which values and slices can be passed to a kernel: a scalar type, or a struct with `#[derive(KernelData)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the kernel language",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize",
    note = "a struct needs `#[derive(Clone, Copy, KernelData)]`"
)]
pub trait HostData: FieldData + Send + Sized {
    /// Adds the arguments for a value.
    fn pass(self, arguments: &mut Vec<Argument<'_>>);
    /// Adds the arguments for a slice that threads read.
    fn share<'a>(slice: &'a [Self], arguments: &mut Vec<Argument<'a>>);
    /// Adds the arguments for a slice that threads read and write.
    fn borrow<'a>(slice: &'a mut [Self], arguments: &mut Vec<Argument<'a>>);
    /// Adds the arguments for a slice in constant memory.
    fn constant<'a>(slice: &'a [Self], arguments: &mut Vec<Argument<'a>>) {
        let mut shared = Vec::new();
        Self::share(slice, &mut shared);
        arguments.extend(shared.into_iter().map(Argument::into_constant));
    }
}

impl<T: Element> HostData for T {
    fn pass(self, arguments: &mut Vec<Argument<'_>>) {
        arguments.push(Argument::scalar(self));
    }

    fn share<'a>(slice: &'a [Self], arguments: &mut Vec<Argument<'a>>) {
        arguments.push(Argument::slice(slice));
    }

    fn borrow<'a>(slice: &'a mut [Self], arguments: &mut Vec<Argument<'a>>) {
        arguments.push(Argument::slice_mut(slice));
    }
}

/// Types whose values and slices are passed by their columns.
macro_rules! by_columns {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> HostData for $ty {
            fn pass(self, arguments: &mut Vec<Argument<'_>>) {
                $crate::memory::pass_struct(&self, arguments);
            }

            fn share<'a>(slice: &'a [Self], arguments: &mut Vec<Argument<'a>>) {
                $crate::memory::share_structs(slice, arguments);
            }

            fn borrow<'a>(slice: &'a mut [Self], arguments: &mut Vec<Argument<'a>>) {
                $crate::memory::borrow_structs(slice, arguments);
            }
        }
    )*};
}
pub(super) use by_columns;

by_columns! {
    [T: FieldData + KernelData + Copy + Send, const N: usize] [T; N];
}

/// A host type of which slices can be passed as `&[T]`: [`HostData`], and atomics.
///
/// Whether they are atomics is a matter of the type: `Access` of [`MemoryElement`] says it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the kernel language",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize",
    note = "a struct needs `#[derive(Clone, Copy, KernelData)]`"
)]
pub trait SliceData: MemoryElement {
    /// Adds the arguments for a slice.
    fn share_slice<'a>(slice: &'a [Self], arguments: &mut Vec<Argument<'a>>);
}

#[diagnostic::do_not_recommend]
impl<T: MemoryElement<Access: Share<T>>> SliceData for T {
    fn share_slice<'a>(slice: &'a [Self], arguments: &mut Vec<Argument<'a>>) {
        T::Access::share(slice, arguments);
    }
}

/// The way to pass a slice with elements of this access.
#[diagnostic::on_unimplemented(
    message = "slices of `{T}` cannot be passed to a kernel",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize"
)]
pub trait Share<T> {
    /// Adds the arguments for a slice.
    fn share<'a>(slice: &'a [T], arguments: &mut Vec<Argument<'a>>);
}

impl<T: HostData> Share<T> for PlainAccess {
    fn share<'a>(slice: &'a [T], arguments: &mut Vec<Argument<'a>>) {
        T::share(slice, arguments);
    }
}

impl<A: Atomic<Value: Element>> Share<A> for AtomicAccess {
    fn share<'a>(slice: &'a [A], arguments: &mut Vec<Argument<'a>>) {
        arguments.push(Argument::atomic(slice));
    }
}

impl<A: Atomic<Value: Element>, const N: usize> Share<[A; N]> for AtomicRowAccess {
    fn share<'a>(slice: &'a [[A; N]], arguments: &mut Vec<Argument<'a>>) {
        arguments.push(Argument::atomic(slice.as_flattened()));
    }
}

/// A host type of which slices can be passed as `&mut [T]`: [`HostData`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the kernel language",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize",
    note = "a struct needs `#[derive(Clone, Copy, KernelData)]`"
)]
pub trait SliceMutData: MemoryElement {
    /// Adds the arguments for a slice.
    fn borrow_slice<'a>(slice: &'a mut [Self], arguments: &mut Vec<Argument<'a>>);
}

impl<T: MemoryElement<Access: Borrow<T>>> SliceMutData for T {
    fn borrow_slice<'a>(slice: &'a mut [Self], arguments: &mut Vec<Argument<'a>>) {
        T::Access::borrow(slice, arguments);
    }
}

/// The way to pass a slice that threads may write, with elements of this access; atomics have none.
#[diagnostic::on_unimplemented(
    message = "`{T}` is an atomic: threads write atomics through `&[..]`",
    label = "remove `mut`: write `&[{T}]`"
)]
pub trait Borrow<T> {
    /// Adds the arguments for a slice.
    fn borrow<'a>(slice: &'a mut [T], arguments: &mut Vec<Argument<'a>>);
}

impl<T: HostData> Borrow<T> for PlainAccess {
    fn borrow<'a>(slice: &'a mut [T], arguments: &mut Vec<Argument<'a>>) {
        T::borrow(slice, arguments);
    }
}

/// A type that a struct's field can have: a scalar, an array of scalars, or another struct.
///
/// Implemented for each scalar type and not for all elements: so rustc says of a type without the derive that this trait is
/// missing, and names neither elements nor the bounds of this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a kernel's struct",
    label = "neither a scalar nor an array of scalars nor a struct with `KernelData`",
    note = "a struct needs `#[derive(Clone, Copy, KernelData)]`"
)]
pub trait FieldData: IntoValue<Self> + Sized {
    /// Adds the columns of a field of `S`, which `get` and `get_mut` find in an `S`: `None` where it is that of another variant.
    /// Columns get their values back in order, so that what says which variant is there stands before its fields.
    fn columns<'a, S, C: Columns<'a, S>>(
        get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
        get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
        columns: &mut C,
    );
}

impl<T: FieldData + KernelData, const N: usize> FieldData for [T; N] {
    fn columns<'a, S, C: Columns<'a, S>>(
        get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
        get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
        columns: &mut C,
    ) {
        <T as FieldData>::columns(
            |each| Some(each),
            |each| Some(each),
            &mut OfArray::<S, _, _, _, N> { columns, get, get_mut, of: PhantomData },
        );
    }
}

/// The visitor of the columns of an array's elements: each has those of all elements, element by element.
struct OfArray<'c, S, C, G, M, const N: usize> {
    columns: &'c mut C,
    get: G,
    get_mut: M,
    of: PhantomData<fn(&S)>,
}

impl<'a, S, T, C, G, M, const N: usize> Columns<'a, T> for OfArray<'_, S, C, G, M, N>
where
    T: 'a,
    C: Columns<'a, S>,
    G: Fn(&S) -> Option<&[T; N]> + Copy + Send + Sync + 'a,
    M: Fn(&mut S) -> Option<&mut [T; N]> + Copy + Send + Sync + 'a,
{
    fn add<E: Element>(
        &mut self,
        per: usize,
        get: impl Fn(&T, usize) -> E,
        set: impl Fn(&mut T, usize, E) + Send + Sync + 'a,
    ) {
        let (array, array_mut) = (self.get, self.get_mut);
        self.columns.add(
            N * per,
            move |each, index| array(each).map_or(E::from_bits64(0), |array| get(&array[index / per], index % per)),
            move |each, index, value| {
                if let Some(array) = array_mut(each) {
                    set(&mut array[index / per], index % per, value);
                }
            },
        );
    }
}

macro_rules! scalar_fields {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl FieldData for $ty {
            fn columns<'a, S, C: Columns<'a, S>>(
                get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
                get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
                columns: &mut C,
            ) {
                columns.add(
                    1,
                    move |each, _| get(each).copied().unwrap_or_default(),
                    move |each, _, value| {
                        if let Some(field) = get_mut(each) {
                            *field = value;
                        }
                    },
                );
            }
        }
    )*};
}
scalar_fields! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize }
#[cfg(feature = "half")]
scalar_fields! { simt_core::half::f16 simt_core::half::bf16 }

macro_rules! tuple_fields {
    ($(($($part:ident $index:tt)*))*) => {$(
        impl<$($part: FieldData + KernelData),*> FieldData for ($($part,)*) {
            fn columns<'a, S, Visitor: Columns<'a, S>>(
                get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
                get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
                columns: &mut Visitor,
            ) {
                $(<$part as FieldData>::columns(
                    move |each| Some(&get(each)?.$index),
                    move |each| Some(&mut get_mut(each)?.$index),
                    columns,
                );)*
            }
        }

        by_columns! { [$($part: Copy + FieldData + KernelData + Send),*] ($($part,)*); }
    )*};
}
tuple_fields! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}

/// The visitor of the columns of a slice of `S`.
pub trait Columns<'a, S> {
    /// A column of so many values a struct.
    fn add<T: Element>(
        &mut self,
        per: usize,
        get: impl Fn(&S, usize) -> T,
        set: impl Fn(&mut S, usize, T) + Send + Sync + 'a,
    );
}

/// Adds the arguments for a struct.
pub fn pass_struct<S: FieldData + KernelData>(value: &S, arguments: &mut Vec<Argument<'_>>) {
    let mut columns = Vec::new();
    <S as FieldData>::columns(|each| Some(each), |each| Some(each), &mut Passed { value, columns: &mut columns });
    // A kernel has the parameters in the order of the leaves, in which those of a column are in order.
    S::cells(0, &mut |column, _| arguments.extend(columns.get_mut(column as usize).and_then(VecDeque::pop_front)));
}

/// Adds the arguments for a slice of structs that threads read.
pub fn share_structs<'a, S: FieldData>(slice: &'a [S], arguments: &mut Vec<Argument<'a>>) {
    <S as FieldData>::columns(|each| Some(each), |each| Some(each), &mut Shared { slice, arguments });
}

/// Adds the arguments for a slice of structs that threads read and write.
pub fn borrow_structs<'a, S: FieldData + Send>(slice: &'a mut [S], arguments: &mut Vec<Argument<'a>>) {
    let structs = Arc::new(Mutex::new(slice));
    S::columns(|each| Some(each), |each| Some(each), &mut Borrowed { structs, arguments });
}

struct Passed<'a, 's, S> {
    value: &'s S,
    columns: &'s mut Vec<VecDeque<Argument<'a>>>,
}

impl<'c, S> Columns<'c, S> for Passed<'_, '_, S> {
    fn add<T: Element>(
        &mut self,
        per: usize,
        get: impl Fn(&S, usize) -> T,
        _: impl Fn(&mut S, usize, T) + Send + Sync + 'c,
    ) {
        self.columns.push((0..per).map(|index| Argument::scalar(get(self.value, index))).collect());
    }
}

struct Shared<'a, 's, S> {
    slice: &'a [S],
    arguments: &'s mut Vec<Argument<'a>>,
}

impl<'a, S> Columns<'a, S> for Shared<'a, '_, S> {
    fn add<T: Element>(
        &mut self,
        per: usize,
        get: impl Fn(&S, usize) -> T,
        _: impl Fn(&mut S, usize, T) + Send + Sync + 'a,
    ) {
        self.arguments.push(Argument::column(self.slice, per, get));
    }
}

struct Borrowed<'a, 's, S> {
    structs: Structs<'a, S>,
    arguments: &'s mut Vec<Argument<'a>>,
}

impl<'a, S: Send> Columns<'a, S> for Borrowed<'a, '_, S> {
    fn add<T: Element>(
        &mut self,
        per: usize,
        get: impl Fn(&S, usize) -> T,
        set: impl Fn(&mut S, usize, T) + Send + Sync + 'a,
    ) {
        self.arguments.push(Argument::column_mut(&self.structs, per, get, set));
    }
}

/// The arguments of a call, in the order of the kernel's parameters.
#[derive(Debug, Default)]
#[must_use]
pub struct Arguments<'a> {
    list: Vec<Argument<'a>>,
}

impl<'a> Arguments<'a> {
    /// No arguments yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A value.
    pub fn scalar<T: HostData>(mut self, value: T) -> Self {
        value.pass(&mut self.list);
        self
    }

    /// A slice that threads read, or atomics.
    pub fn slice<T: SliceData>(mut self, slice: &'a [T]) -> Self {
        T::share_slice(slice, &mut self.list);
        self
    }

    /// A slice that threads read and write.
    pub fn slice_mut<T: SliceMutData>(mut self, slice: &'a mut [T]) -> Self {
        T::borrow_slice(slice, &mut self.list);
        self
    }

    /// A slice in constant memory.
    pub fn constant<T: HostData>(mut self, slice: &'a [T]) -> Self {
        T::constant(slice, &mut self.list);
        self
    }

    /// The list of them.
    pub fn finish(self) -> Vec<Argument<'a>> {
        self.list
    }
}
