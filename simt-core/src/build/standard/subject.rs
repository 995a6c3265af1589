//! What a method of `std` is called of: a value, a variable, an element, or memory.

use super::super::arena::Operand;
use super::super::layout::{HasStorage, Layout, Storage};
use super::super::tuple::Leaves;
use super::super::{
    ArrayMut, ArrayRef, Atomic, AtomicRows, AtomicSlice, Builder, ByValue, Composite, ElementOf, Handle, IntoValue,
    KernelData, Let, Mutable, OnlyKernelsCallThis, ReadSlice, Receiver, Region, SliceMut, SliceRef, TakenBy, Value,
    WriteSlice,
};
use super::atomics::Atomics;
use crate::program::{LoadAccess, Memory, StoreAccess, VarId, Variable};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::cmp::{Ordering, Reverse};

/// `self` and `&self` of a method of `std`.
#[derive(Debug)]
pub enum ByReading {}

/// `&self` of a method that reads no element.
#[derive(Debug)]
pub enum ByLength {}

/// `&mut self` of a method of `std`.
#[derive(Debug)]
pub enum ByWriting {}

/// What a method is called of.
#[derive(Clone, Copy, Debug)]
pub(in crate::build) enum Subject {
    /// A value.
    Value(Operand),
    /// A variable, or a part of one: its first scalar, and how many there are.
    Variable { first: VarId, count: u32 },
    /// An element.
    Element(Stored),
    /// A slice or an array.
    Memory(Region),
    /// What a function has given, by its number.
    Items(u32),
}

/// Where an element is, and what it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::build) struct Stored {
    pub(super) memory: Memory,
    pub(super) index: Operand,
    storage: &'static Storage,
}

impl Stored {
    pub(in crate::build) fn new<T: KernelData>(memory: Memory, index: Operand) -> Self {
        Self { memory, index, storage: T::STORAGE }
    }

    /// Whether its scalars follow each other, as those of an array of them do: then it is read where it is.
    fn is_row(self) -> bool {
        matches!(self.storage.columns()[..], [(_, Some(_))])
    }

    fn load(self, k: &Builder, span: Span) -> Operand {
        k.load_all(self.storage, span, LoadAccess::Plain, self.memory, self.index)
    }
}

impl<H: Handle> TakenBy<ByReading> for H {}
impl<H: Handle> TakenBy<ByLength> for H {}
impl<T> TakenBy<ByWriting> for Mutable<T> {}
impl<T, S: WriteSlice<T>> TakenBy<ByWriting> for ElementOf<S, T> {}
impl<T> TakenBy<ByWriting> for SliceMut<T> {}
impl<T, const N: usize> TakenBy<ByWriting> for ArrayMut<T, N> {}

/// A value that is read where the method is, or before the arguments if they may change it.
fn read<T: Composite>(value: impl IntoValue<T>, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
    let operand = match held {
        true => call.k.keep::<T>(at, value).operand(call.k),
        false => call.k.operand(call.span, value),
    };
    call.subject = Some(Subject::Value(operand));
}

macro_rules! values {
    ($($by:ident: $($handle:ident)*;)*) => {$($(
        impl<T: Composite> Receiver<$by> for $handle<T> {
            fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
                read::<T>(self, call, at, held);
            }
        }
    )*)*};
}
values! {
    ByReading: Let Value;
    ByLength: Let Mutable Value;
}

/// Behind a parameter `&mut T` the variable: what consumes the reference changes it.
impl<T: Composite> Receiver<ByReading> for Mutable<T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
        if !held && call.k.is_behind(self.var, self.count) {
            call.subject = Some(Subject::Variable { first: self.var, count: self.count });
        } else {
            read::<T>(self, call, at, held);
        }
    }
}

macro_rules! never_written {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<$($generics)*> Receiver<ByWriting> for $handle {
            fn pass(self, _: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                unreachable!("it is not `TakenBy<ByWriting>`")
            }
        }
    )*};
}
never_written! {
    [T: KernelData] SliceRef<T>; [T: KernelData, const N: usize] ArrayRef<T, N>;
}

/// Only references are written through.
macro_rules! written_through {
    ($($handle:ident)*) => {$(
        impl<T: Composite> Receiver<ByWriting> for $handle<T> {
            fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
                read::<T>(self, call, at, held);
            }
        }

        impl<T> TakenBy<ByWriting> for $handle<&mut [T]> {}
    )*};
}
written_through!(Let Value);

impl<T: Composite> Receiver<ByWriting> for Mutable<T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
        call.subject = Some(Subject::Variable { first: self.var, count: self.count });
    }
}

impl<T: KernelData, S: ReadSlice<T>> Receiver<ByReading> for ElementOf<S, T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
        let (k, span) = (call.k, call.span);
        let stored = self.stored(k, span);
        if stored.is_row() {
            call.subject = Some(Subject::Element(stored));
        } else {
            read::<T>(Value::new(stored.load(k, span)), call, at, held);
        }
    }
}

impl<T: KernelData, S: ReadSlice<T>> Receiver<ByLength> for ElementOf<S, T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
        Receiver::<ByReading>::pass(self, call, at, held);
    }
}

impl<T: KernelData, S: ReadSlice<T>> Receiver<ByWriting> for ElementOf<S, T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
        call.subject = Some(Subject::Element(self.stored(call.k, call.span)));
    }
}

macro_rules! memory {
    ($($by:ident: $([$($generics:tt)*] $handle:ty;)*)*) => {$($(
        impl<T: KernelData $($generics)*> Receiver<$by> for $handle {
            fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                call.subject = Some(Subject::Memory(self.region));
            }
        }
    )*)*};
}
memory! {
    ByReading: [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
    ByLength: [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
    ByWriting: [] SliceMut<T>; [, const N: usize] ArrayMut<T, N>;
}

macro_rules! handles_of_memory {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T $($generics)*> Handle for $handle {
            type Of = [T];
        }
    )*};
}
handles_of_memory! {
    [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
}

/// Atomics are not read as values are; but they are so many, and there are references to them.
macro_rules! receivers_of_atomics {
    ($($by:ident: [$($generics:tt)*] $handle:ty;)*) => {$(
        impl<A: Atomic $($generics)*> Receiver<$by> for $handle {
            fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                call.subject = Some(Subject::Memory(self.region));
            }
        }
    )*};
}
receivers_of_atomics! {
    ByLength: [] AtomicSlice<A>;
    ByReading: [] AtomicSlice<A>;
    ByLength: [, const N: usize] AtomicRows<[A; N]>;
}

impl<A: Atomic> Handle for AtomicSlice<A> {
    type Of = Atomics<A>;
}

impl<A: Atomic, const N: usize> Handle for AtomicRows<[A; N]> {
    type Of = [[A::Value; N]];
}

macro_rules! constants {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        /// A constant of the host's.
        impl<$($generics)*> Handle for $ty {
            type Of = Self;
        }

        impl<$($generics)*> Receiver<ByReading> for $ty {
            fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
                read::<Self>(self, call, at, held);
            }
        }

        impl<$($generics)*> Receiver<ByValue> for $ty {
            fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                call.value::<Self>(self);
            }
        }
    )*};
}
constants! {
    [] u8; [] u16; [] u32; [] u64; [] i8; [] i16; [] i32; [] i64; [] f32; [] f64; [] bool; [] usize; [] isize;
    [] Ordering; [T: Composite + IntoValue<T>] Option<T>; [T: Composite + IntoValue<T>] Reverse<T>;
}

impl Builder {
    /// The value of what a method is called of.
    pub(super) fn subject_value(&self, span: Span, subject: Subject) -> Operand {
        match subject {
            Subject::Value(value) => value,
            Subject::Variable { first, count } => self.variables(first, count),
            Subject::Element(stored) => stored.load(self, span),
            Subject::Memory(_) | Subject::Items(_) => unreachable!("neither is a value of a kernel"),
        }
    }

    /// The scalars of what a method is called of, evaluated now.
    pub(super) fn subject_leaves(&self, layout: &Layout, span: Span, subject: Subject) -> Leaves {
        let value = self.subject_value(span, subject);
        self.pin_leaves(layout, span, &self.leaves(layout, value))
    }

    /// What a method is called of has another value from here on.
    pub(super) fn put_subject(&self, layout: &Layout, span: Span, subject: Subject, value: Operand) {
        match subject {
            Subject::Variable { first, .. } => self.replace(layout, span, first, value),
            Subject::Element(Stored { memory, index, storage }) => {
                self.store_all(storage, span, StoreAccess::Plain, memory, index, value);
            }
            Subject::Value(_) | Subject::Memory(_) | Subject::Items(_) => {
                unreachable!("it is not `TakenBy<ByWriting>`")
            }
        }
    }

    /// What a method is called of as memory that is read.
    pub(super) fn subject_memory(&self, storage: &Storage, span: Span, subject: Subject) -> Region {
        match self.subject_region(storage, span, subject) {
            Some(region) => self.seen_once(span, region),
            None => self.copied_subject(storage, span, subject),
        }
    }

    /// Where its elements are, if that is memory.
    pub(super) fn subject_region(&self, storage: &Storage, span: Span, subject: Subject) -> Option<Region> {
        match subject {
            Subject::Memory(region) => Some(region),
            Subject::Items(_) => None,
            Subject::Element(Stored { memory, index, storage: row }) => {
                let length = row.layout.count / storage.layout.count.max(1);
                Some(self.row_of(span, memory.into(), length as usize, index))
            }
            Subject::Value(_) | Subject::Variable { .. } => {
                let value = self.subject_value(span, subject);
                let slice = self.is_reference(value).then(|| self.leaves_of_elements(storage.layout, value));
                slice.map(|leaves| self.slice_of(storage, span, &leaves))
            }
        }
    }

    /// An array of the thread's with the elements of a value.
    pub(super) fn copied_subject(&self, storage: &Storage, span: Span, subject: Subject) -> Region {
        let leaves = self.leaves_of_elements(storage.layout, self.subject_value(span, subject));
        let length = leaves.len() / storage.layout.count.max(1) as usize;
        self.declare_filled(storage, span, "elements", length, &leaves).into()
    }

    /// As [`Builder::subject_memory`], of what is written, too.
    pub(super) fn change_memory(&self, storage: &Storage, span: Span, subject: Subject, change: impl FnOnce(Region)) {
        if let Some(region) = self.subject_region(storage, span, subject) {
            let mirror = self.reflect(span, region.memory);
            change(region);
            return self.reflected(span, mirror, true);
        }
        let region = self.copied_subject(storage, span, subject);
        change(region);
        // A variable has what the memory holds from here on.
        if let Subject::Variable { first, count } = subject {
            for (number, first) in (first.0..first.0 + count).step_by(storage.layout.count.max(1) as usize).enumerate()
            {
                let value = self.load_all(storage, span, LoadAccess::Plain, region.memory, Operand::constant(number));
                self.set_all(storage.layout, span, VarId(first), value);
            }
        }
    }

    /// The scalars of an array, of whatever length.
    fn leaves_of_elements(&self, layout: &Layout, value: Operand) -> Leaves {
        match value {
            Operand::Never => Leaves::new(),
            value => self.leaves(layout, value),
        }
    }

    /// `if flag { then } else { otherwise }`, of all scalars at once.
    pub(in crate::build) fn chosen(
        &self,
        layout: &Layout,
        span: Span,
        flag: Operand,
        then: &[Operand],
        otherwise: &[Operand],
    ) -> Leaves {
        if let Some(flag) = flag.as_constant() {
            return if flag.bits != 0 { then } else { otherwise }.iter().copied().collect();
        }
        let first = self.new_variables(layout, None, true, true);
        let set = |leaves: &[Operand]| self.block(|| self.set_all(layout, span, first, self.whole(leaves)));
        let (then, otherwise) = (set(then), set(otherwise));
        self.emit_if(span, flag, then, otherwise);
        self.leaves(layout, self.variables(first, layout.count))
    }

    /// A variable of the thread that is no name's.
    pub(in crate::build) fn changing<T: Scalar>(&self, span: Span, value: Operand) -> VarId {
        let variable = self.variable(Variable { name: None, ty: T::TYPE, mutable: true }, true);
        self.set(span, variable, T::TYPE, value);
        variable
    }

    /// An operand of type `usize` that keeps its value.
    pub(super) fn pinned_index(&self, span: Span, index: Operand) -> Operand {
        self.pin(span, ScalarType::Usize, index)
    }
}
