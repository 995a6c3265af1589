//! Arrays of the host's, `const` and `static`, as memory that a kernel brings along.
//!
//! A table is a parameter in constant memory, one for each column, for which the launch passes the elements itself.

use super::arena::Operand;
use super::layout::{HasStorage, Storage};
use super::standard::ElementsArgument;
use super::{
    ArrayRef, Builder, Composite, Hold, IntoValue, KernelData, OfExtent, Region, SliceArgument, SliceRef, ValueRef,
};
use crate::program::{Param, ParamId, ParamKind};
use crate::source::Span;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

/// What a name from outside of a kernel stands for where it has elements.
#[diagnostic::on_unimplemented(
    message = "this has no elements in a kernel",
    label = "neither an array nor a slice of scalars or of values of a struct with `KernelData`",
    note = "a kernel reads `const` and `static` arrays, and arrays of arrays"
)]
pub trait Table {
    /// What it is in a kernel.
    type Memory;
    /// Makes it.
    fn table(&self, k: &Builder, span: Span, name: &'static str) -> Self::Memory;
}

impl<T: Copy + KernelData + IntoValue<T>, const N: usize> Table for [T; N] {
    type Memory = ArrayRef<T, N>;

    fn table(&self, k: &Builder, span: Span, name: &'static str) -> ArrayRef<T, N> {
        ArrayRef::new(k.table_of(span, name, self))
    }
}

impl<T: Copy + KernelData + IntoValue<T>> Table for [T] {
    type Memory = SliceRef<T>;

    fn table(&self, k: &Builder, span: Span, name: &'static str) -> SliceRef<T> {
        SliceRef::new(k.table_of(span, name, self))
    }
}

/// A `for` goes over references to the elements behind a reference.
impl<T: Copy + KernelData + IntoValue<T>, const N: usize> Table for &[T; N] {
    type Memory = SliceRef<T>;

    fn table(&self, k: &Builder, span: Span, name: &'static str) -> SliceRef<T> {
        self.as_slice().table(k, span, name)
    }
}

impl<T: Copy + KernelData + IntoValue<T>> Table for &[T] {
    type Memory = SliceRef<T>;

    fn table(&self, k: &Builder, span: Span, name: &'static str) -> SliceRef<T> {
        (**self).table(k, span, name)
    }
}

/// `NAME` of a `const` that is a reference, as an argument.
macro_rules! arguments {
    ($([$($length:tt)*] $table:ty;)*) => {$(
        impl<T: Copy + KernelData + IntoValue<T>, $($length)*> SliceArgument<T> for &$table {
            fn argument(self, k: &Builder, span: Span) -> Region {
                k.table_of(span, "elements", self)
            }
        }

        impl<T: Copy + KernelData + IntoValue<T>, $($length)*> ElementsArgument<T> for &$table {
            fn elements(self, k: &Builder, span: Span) -> Region {
                k.table_of(span, "elements", self)
            }
        }

        impl<T, $($length)*> Hold for &$table {
            type Held = Self;

            fn hold(self, _: &Builder, _: u32) -> Self {
                self
            }
        }
    )*};
}
arguments! {
    [] [T];
    [const N: usize] [T; N];
}

impl<T, const N: usize> OfExtent<N> for &[T; N] {}

/// A name from outside of the kernel before the point of a method, or behind a `&`: rustc takes it for a table if it is one,
/// and otherwise, behind `Deref`, for a value.
#[derive(Debug)]
pub struct ConstantReceiver<'c, T: ?Sized>(ConstantValue<'c, T>);

/// Such a name, of what is no table.
#[derive(Debug)]
pub struct ConstantValue<'c, T: ?Sized> {
    k: &'c Builder,
    constant: &'c T,
}

impl<'c, T: ?Sized> Deref for ConstantReceiver<'c, T> {
    type Target = ConstantValue<'c, T>;

    fn deref(&self) -> &ConstantValue<'c, T> {
        &self.0
    }
}

/// Can be passed as `&NAME`, of a constant of the host's that is no table.
#[diagnostic::on_unimplemented(
    message = "`&` of this constant is not supported in a kernel",
    label = "neither a scalar nor an array nor a struct with `KernelData`"
)]
pub trait LentConstant: Copy + Composite + IntoValue<Self> {}

#[diagnostic::do_not_recommend]
impl<T: Copy + Composite + IntoValue<T>> LentConstant for T {}

impl<T: Table + ?Sized> ConstantReceiver<'_, T> {
    /// The table.
    #[inline(never)]
    pub fn receiver(&self, at: u32, name: &'static str) -> T::Memory {
        self.k.table(at, name, self.constant)
    }

    /// `&NAME`
    #[inline(never)]
    pub fn lent(&self, at: u32, name: &'static str) -> T::Memory {
        self.receiver(at, name)
    }
}

impl<T> ConstantValue<'_, T> {
    /// The value.
    #[inline(never)]
    pub fn receiver(&self, _at: u32, _name: &'static str) -> T
    where
        T: Copy,
    {
        *self.constant
    }

    /// `&NAME`
    #[inline(never)]
    pub fn lent(&self, at: u32, _name: &'static str) -> ValueRef<T>
    where
        T: LentConstant,
    {
        self.k.lend_value(at, *self.constant)
    }
}

impl Builder {
    /// `NAME`, from outside of the kernel, before a point or behind a `&`.
    #[inline(never)]
    pub fn constant_receiver<'c, T: ?Sized>(&'c self, constant: &'c T) -> ConstantReceiver<'c, T> {
        ConstantReceiver(ConstantValue { k: self, constant })
    }

    /// `NAME`, an array from outside of the kernel.
    #[inline(never)]
    pub fn table<T: Table + ?Sized>(&self, at: u32, name: &'static str, table: &T) -> T::Memory {
        table.table(self, self.span(at), name)
    }

    /// One parameter for each column of the elements, unless it is there already.
    fn table_of<T: Copy + KernelData + IntoValue<T>>(&self, span: Span, name: &'static str, elements: &[T]) -> Region {
        let element = |index: usize| self.operand::<T>(span, elements[index]);
        self.table_from(T::STORAGE, span, name, elements.len(), &element)
    }

    fn table_from(
        &self,
        storage: &Storage,
        span: Span,
        name: &'static str,
        length: usize,
        element: &dyn Fn(usize) -> Operand,
    ) -> Region {
        let mut columns = Vec::new();
        storage.show_columns(|column| {
            let name: Cow<'static, str> = match column.path {
                "" => name.into(),
                path => format!("{name}{path}").into(),
            };
            columns.push((name, column.ty, column.length.unwrap_or(1), Vec::new()));
        });
        for index in 0..length {
            // A constant of the host's: each part of it is a constant.
            let mut leaves = self.leaves(storage.layout, element(index)).into_iter();
            // The leaves of a column are in the order of its elements.
            storage.cells(|column, _| {
                let constant = leaves.next().and_then(Operand::as_constant);
                columns[column as usize].3.extend(constant.map(|constant| constant.bits));
            });
        }
        let mut state = self.state.borrow_mut();
        let params = &mut state.program.params;
        let is_there = |first: usize| {
            let known = params[first..].iter();
            let known = known.map(|param| (&param.name, param.kind.element(), param.row, param.table.as_deref()));
            let wanted = columns.iter().map(|(name, ty, row, bits)| (name, Some(*ty), *row, Some(&bits[..])));
            params.len() - first >= columns.len() && known.take(columns.len()).eq(wanted)
        };
        let first = (0..params.len()).find(|&first| is_there(first)).unwrap_or(params.len());
        if first == params.len() {
            params.extend(columns.into_iter().map(|(name, element, row, bits)| {
                let kind = ParamKind::Constant { element };
                Param { name, kind, row, table: Some(Arc::from(bits)), span }
            }));
        }
        ParamId(first as u32).into()
    }
}
