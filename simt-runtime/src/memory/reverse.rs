//! `std::cmp::Reverse` in memory of the host: the columns of what it has.

use super::structs::by_columns;
use super::{Argument, Columns, FieldData, HostData};
use simt_core::build::KernelData;
use std::cmp::Reverse;

impl<T: FieldData + KernelData> FieldData for Reverse<T> {
    fn columns<'a, S, C: Columns<'a, S>>(
        get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
        get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
        columns: &mut C,
    ) {
        <T as FieldData>::columns(move |each| Some(&get(each)?.0), move |each| Some(&mut get_mut(each)?.0), columns);
    }
}

by_columns! { [T: Copy + FieldData + KernelData + Send] Reverse<T>; }
