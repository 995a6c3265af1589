//! `Dim3` as a struct of kernels: what `thread_idx()` and the like give, and what they may be passed.

use super::structs::by_columns;
use super::{Argument, Columns, FieldData, HostData};
use crate::grid::Dim3;
use simt_core::build::{
    Builder, ByMut, ByValue, Column, Composite, Fields, First, Handle, Hold, IntoValue, KernelData,
    OnlyKernelsCallThis, Part, Receiver, Shape, Value, Written,
};
use simt_core::{ScalarType, Span};

impl Composite for Dim3 {
    const COUNT: u32 = 3;

    fn shape() -> Shape {
        let parts = ["x", "y", "z"].map(|name| (name, Shape::Scalar)).to_vec();
        Shape::Fields(Fields { name: "Dim3", of: None, written: Written::Named, parts })
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        let mut number = || usize::made(next);
        Self { x: number(), y: number(), z: number() }
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        ["x", "y", "z"].iter().for_each(|name| show(&format!("{path}.{name}"), ScalarType::Usize));
    }
}

/// The numbers of a `Dim3`, as parts.
#[derive(Clone, Copy, Debug)]
pub struct Dim3Fields {
    /// `d.x`
    pub x: Part<usize>,
    /// `d.y`
    pub y: Part<usize>,
    /// `d.z`
    pub z: Part<usize>,
}

impl KernelData for Dim3 {
    type Fields = Dim3Fields;
    const COLUMNS: u32 = 3;

    fn fields(mut first: First) -> Dim3Fields {
        Dim3Fields { x: Part::next(&mut first), y: Part::next(&mut first), z: Part::next(&mut first) }
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        ["x", "y", "z"].iter().for_each(|name| <usize as KernelData>::columns(&format!("{path}.{name}"), show));
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        (column..column + Self::COLUMNS).for_each(|column| show(column, 0));
    }
}

impl IntoValue<Self> for Dim3 {
    fn into_value(self, k: &Builder, span: Span) -> Value<Self> {
        k.gather(span).field::<usize>(self.x).field::<usize>(self.y).field::<usize>(self.z).done()
    }
}

impl Hold for Dim3 {
    type Held = Self;

    fn hold(self, _: &Builder, _: u32) -> Self {
        self
    }
}

impl Handle for Dim3 {
    type Of = Self;
}

impl Receiver<ByValue> for Dim3 {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
        call.value::<Self>(self);
    }
}

impl Receiver<ByMut> for Dim3 {
    fn pass(self, _: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
        unreachable!("a constant is not written")
    }
}

impl FieldData for Dim3 {
    fn columns<'a, S, C: Columns<'a, S>>(
        get: impl Fn(&S) -> Option<&Self> + Copy + Send + Sync + 'a,
        get_mut: impl Fn(&mut S) -> Option<&mut Self> + Copy + Send + Sync + 'a,
        columns: &mut C,
    ) {
        <usize as FieldData>::columns(
            move |each| Some(&get(each)?.x),
            move |each| Some(&mut get_mut(each)?.x),
            columns,
        );
        <usize as FieldData>::columns(
            move |each| Some(&get(each)?.y),
            move |each| Some(&mut get_mut(each)?.y),
            columns,
        );
        <usize as FieldData>::columns(
            move |each| Some(&get(each)?.z),
            move |each| Some(&mut get_mut(each)?.z),
            columns,
        );
    }
}

by_columns! { [] Dim3; }
