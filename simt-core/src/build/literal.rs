//! Structs that are put together.

use super::arena::{Leaf, Operand};
use super::fields::part;
use super::layout::HasLayout;
use super::record::Part;
use super::tuple::Leaves;
use super::{Builder, IntoValue, KernelData, Value};
use crate::scalar::Constant;
use crate::source::Span;
use smallvec::SmallVec;
use std::marker::PhantomData;

/// The fields of a struct from outside the kernel, one by one in their order.
#[derive(Debug)]
pub struct Gathered<'k> {
    k: &'k Builder,
    span: Span,
    leaves: Leaves,
}

impl Gathered<'_> {
    /// The next field.
    #[inline(never)]
    pub fn field<T: KernelData>(mut self, value: impl IntoValue<T>) -> Self {
        let operand = self.k.operand(self.span, value);
        self.k.append(T::LAYOUT, &mut self.leaves, operand);
        self
    }

    /// The struct.
    #[inline(never)]
    pub fn done<T: KernelData>(self) -> Value<T> {
        Value::new(self.k.whole(&self.leaves))
    }
}

/// A struct that is being put together.
#[derive(Debug)]
pub struct Record<'k, T> {
    k: &'k Builder,
    scalars: Known,
    ty: PhantomData<T>,
}

/// The scalars of a struct that are known so far.
#[derive(Debug)]
struct Known(SmallVec<[Option<Operand>; 4]>);

impl Known {
    fn none(count: u32) -> Self {
        Self(SmallVec::from_elem(None, count as usize))
    }

    /// Takes these for those from one on.
    fn put(&mut self, first: u32, leaves: &[Operand]) {
        for (place, leaf) in self.0.iter_mut().skip(first as usize).zip(leaves) {
            *place = Some(*leaf);
        }
    }

    /// Takes these for those that are not known.
    fn complete(&mut self, leaves: &[Operand]) {
        for (place, leaf) in self.0.iter_mut().zip(leaves) {
            place.get_or_insert(*leaf);
        }
    }

    fn all(&self) -> Leaves {
        self.0.iter().map(|leaf| leaf.unwrap_or(Operand::Never)).collect()
    }
}

impl<T: KernelData> Record<'_, T> {
    pub(super) fn put<U: KernelData>(
        mut self,
        span: Span,
        path: fn(Part<T>) -> Part<U>,
        value: impl IntoValue<U>,
    ) -> Self {
        let operand = self.k.operand(span, value);
        self.scalars.put(part(path).leaf, &self.k.leaves(U::LAYOUT, operand));
        self
    }

    /// `..value`, for the fields that are not named.
    pub fn others(mut self, at: u32, value: impl IntoValue<T>) -> Self {
        let operand = self.k.operand(self.k.span(at), value);
        self.scalars.complete(&self.k.leaves(T::LAYOUT, operand));
        self
    }

    /// `name: value`
    #[inline(never)]
    pub fn with<U: KernelData>(self, at: u32, path: fn(Part<T>) -> Part<U>, value: impl IntoValue<U>) -> Self {
        let span = self.k.span(at);
        self.put(span, path, value)
    }

    /// The struct.
    pub fn done(self) -> Value<T> {
        Value::new(self.k.whole(&self.scalars.all()))
    }

    /// The value that has this tag, in front of the fields of its variant; what no field of it is, nothing asks for.
    pub(super) fn tagged(mut self, tag: Constant) -> Value<T> {
        self.scalars.put(0, &[Operand::Leaf(Leaf::Const(tag))]);
        self.scalars.complete(&T::LAYOUT.nothing());
        self.done()
    }
}

impl Builder {
    /// A struct from outside the kernel, whose fields follow.
    pub fn gather(&self, span: Span) -> Gathered<'_> {
        Gathered { k: self, span, leaves: Leaves::new() }
    }

    /// `T { .. }`, whose fields follow. `literal` is never called: with it, rustc checks the fields' names.
    #[inline(never)]
    pub fn record<T: KernelData>(&self, _at: u32, _literal: impl FnOnce() -> T) -> Record<'_, T> {
        self.empty_record()
    }

    pub(super) fn empty_record<T: KernelData>(&self) -> Record<'_, T> {
        Record { k: self, scalars: Known::none(T::COUNT), ty: PhantomData }
    }

    /// Stands for a value in what is never called.
    ///
    /// # Panics
    /// Always.
    #[inline(never)]
    pub fn witness<T>(&self) -> T {
        unreachable!("a literal that is never evaluated")
    }
}
