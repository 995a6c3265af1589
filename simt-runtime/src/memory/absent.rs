//! Options and results in memory of the host: which one it is as a column, and a column for what each may hold.
//!
//! What is not there is zero in its column. A value that threads have made of another variant begins with zeros, too, before its
//! columns come back.

use super::structs::by_columns;
use super::{Argument, Columns, FieldData, HostData};
use simt_core::build::{Composite, KernelData};
use std::marker::PhantomData;

/// A value whose scalars are zero.
fn zero<T: Composite>() -> T {
    T::made(&mut |_| 0)
}

/// Adds the column of a flag.
fn add_flag<'a, S, T, C: Columns<'a, S>>(
    get: impl Fn(&S) -> Option<&T> + Copy + Send + Sync + 'a,
    get_mut: impl Fn(&mut S) -> Option<&mut T> + Copy + Send + Sync + 'a,
    columns: &mut C,
    is_set: fn(&T) -> bool,
    made: fn(bool) -> T,
) where
    T: 'a,
{
    columns.add(
        1,
        move |each, _| get(each).is_some_and(is_set),
        move |each, _, flag| match get_mut(each) {
            Some(value) if is_set(value) != flag => *value = made(flag),
            _ => {}
        },
    );
}

/// Each: the generics, and a type that has no column.
macro_rules! without_columns {
    ($($(#[$doc:meta])* [$($generics:tt)*] $ty:ty;)*) => {$(
        $(#[$doc])*
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> FieldData for $ty {
            fn columns<'a, S, C: Columns<'a, S>>(
                _: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
                _: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
                _: &mut C,
            ) {
            }
        }
    )*};
}
without_columns! {
    /// What is there of `Option<()>` and `Result<(), E>`.
    [] ();
    /// A mark of a type.
    [T: 'static] PhantomData<T>;
}

impl<T: FieldData + KernelData> FieldData for Option<T> {
    fn columns<'a, S, C: Columns<'a, S>>(
        get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
        get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
        columns: &mut C,
    ) {
        add_flag(get, get_mut, columns, Self::is_some, |is_some| is_some.then(zero));
        <T as FieldData>::columns(move |each| get(each)?.as_ref(), move |each| get_mut(each)?.as_mut(), columns);
    }
}

impl<T: FieldData + KernelData, E: FieldData + KernelData> FieldData for Result<T, E> {
    fn columns<'a, S, C: Columns<'a, S>>(
        get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
        get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
        columns: &mut C,
    ) {
        let made = |is_ok| if is_ok { Ok(zero()) } else { Err(zero()) };
        add_flag(get, get_mut, columns, Self::is_ok, made);
        <T as FieldData>::columns(
            move |each| get(each)?.as_ref().ok(),
            move |each| get_mut(each)?.as_mut().ok(),
            columns,
        );
        <E as FieldData>::columns(
            move |each| get(each)?.as_ref().err(),
            move |each| get_mut(each)?.as_mut().err(),
            columns,
        );
    }
}

by_columns! {
    [T: FieldData + KernelData + Copy + Send] Option<T>;
    [T: FieldData + KernelData + Copy + Send, E: FieldData + KernelData + Copy + Send] Result<T, E>;
}
