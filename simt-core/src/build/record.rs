//! Structs: what `#[derive(KernelData)]` says of a type, and the parts that a kernel names.
//!
//! A program knows scalars only. So a struct is as many operands or variables as it has scalars, its *leaves*, from left
//! to right; a slice or array of structs is as many slices or arrays as they have fields, its *columns*, whose numbers
//! follow each other. A field that is an array of N has N times the leaves of an element, and as many columns as it has, each
//! with N times as many elements a struct. Which leaf is where in which column, [`KernelData::cells`] says.

use super::Composite;
use super::shape::{Fields, Shape, Written};
use crate::scalar::{Scalar, ScalarType};
use smallvec::SmallVec;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A type of which a kernel can have slices, arrays and variables: a scalar, or an array, tuple or struct of such types, the latter with `#[derive(KernelData)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the kernel language",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize",
    note = "a struct needs `#[derive(Clone, Copy, KernelData)]`"
)]
pub trait KernelData: Composite {
    /// What a [`Part`] of the type offers: its fields.
    type Fields: Copy;
    /// How many columns a slice has.
    const COLUMNS: u32;

    /// The fields of a part that begins there.
    fn fields(first: First) -> Self::Fields;

    /// Shows the columns, in order.
    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>));

    /// Shows where the leaves are, in order: the number of the column, of which the first is `column`, and which of the struct's
    /// elements there.
    fn cells(column: u32, show: &mut dyn FnMut(u32, u32));
}

/// A column of a slice or array.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// What stands behind the slice's name for it.
    pub path: &'a str,
    /// Type of its elements.
    pub ty: ScalarType,
    /// Elements for each struct, of a field that is an array.
    pub length: Option<u32>,
}

impl First {
    /// Behind the tag of an enum.
    pub const fn behind_tag(self) -> Self {
        Self { leaf: self.leaf + 1, column: self.column + 1 }
    }
}

/// Where a part begins, counted in leaves and in columns.
#[derive(Clone, Copy, Debug, Default)]
pub struct First {
    pub(super) leaf: u32,
    pub(super) column: u32,
}

/// A part of a struct, or the whole: its fields are parts, too.
pub struct Part<T: KernelData> {
    pub(super) first: First,
    fields: T::Fields,
}

// Not derived: a part is `Copy` and can be shown whatever its type parameter is.
impl<T: KernelData> Clone for Part<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: KernelData> Copy for Part<T> {}
impl<T: KernelData> fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("first", &self.first).finish_non_exhaustive()
    }
}

impl<T: KernelData> Part<T> {
    /// The part that begins at `first`, which becomes the begin of the one behind it.
    pub fn next(first: &mut First) -> Self {
        let part = Self { first: *first, fields: T::fields(*first) };
        *first = First { leaf: first.leaf + T::COUNT, column: first.column + T::COLUMNS };
        part
    }
}

impl<T: KernelData> Deref for Part<T> {
    type Target = T::Fields;

    fn deref(&self) -> &T::Fields {
        &self.fields
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar> KernelData for T {
    type Fields = NoFields<T>;
    const COLUMNS: u32 = 1;

    fn fields(_: First) -> NoFields<T> {
        NoFields(PhantomData)
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        show(Column { path, ty: T::TYPE, length: None });
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        show(column, 0);
    }
}

impl<T: Composite, const N: usize> Composite for [T; N] {
    const COUNT: u32 = N as u32 * T::COUNT;

    fn shape() -> Shape {
        Shape::Fields(Fields::unnamed(Written::Listed, vec![T::shape(); N]))
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        std::array::from_fn(|_| T::made(next))
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        for index in 0..N {
            T::leaves(&format!("{path}.{index}"), show);
        }
    }
}

impl<T: KernelData, const N: usize> KernelData for [T; N] {
    type Fields = NoFields<[T; N]>;
    const COLUMNS: u32 = T::COLUMNS;

    fn fields(_: First) -> NoFields<[T; N]> {
        NoFields(PhantomData)
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        T::columns(path, &mut |column| {
            let length = column.length.unwrap_or(1).saturating_mul(N as u32);
            show(Column { length: Some(length), ..column });
        });
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        let mut lengths = SmallVec::<[u32; 4]>::new();
        T::columns("", &mut |column| lengths.push(column.length.unwrap_or(1)));
        for element in 0..N as u32 {
            T::cells(column, &mut |at, inner| {
                let length = lengths.get((at - column) as usize).copied().unwrap_or(1);
                show(at, element * length + inner);
            });
        }
    }
}

macro_rules! impl_tuples {
    ($(($($part:ident $index:literal)*))*) => {$(
        impl<$($part: KernelData),*> KernelData for ($($part,)*) {
            type Fields = ($(Part<$part>,)*);
            const COLUMNS: u32 = 0 $(+ $part::COLUMNS)*;

            fn fields(mut first: First) -> Self::Fields {
                ($(Part::<$part>::next(&mut first),)*)
            }

            fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
                $($part::columns(&format!(concat!("{}.", $index), path), show);)*
            }

            fn cells(mut column: u32, show: &mut dyn FnMut(u32, u32)) {
                $(
                    $part::cells(column, show);
                    column += $part::COLUMNS;
                )*
                let _ = column;
            }
        }
    )*};
}
impl_tuples! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}

/// The fields of what has none.
#[derive(Debug)]
pub struct NoFields<T>(pub(super) PhantomData<T>);

// Not derived: there is nothing of the type in it.
impl<T> Clone for NoFields<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for NoFields<T> {}
