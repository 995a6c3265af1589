//! `iter` and `iter_mut`, which a struct's own methods may be, where only rustc knows which is meant: `list.iter()`.
//!
//! As for numbers (see `number_names`), what is not known yet is memory.

use super::super::iterators::IteratorOf;
use super::super::{
    Builder, Composite, IntoItems, Iterable, IteratedMuts, KernelData, Let, NamedMemory, Sequence, Value, WriteSlice,
};
use super::number_names::OtherSubject;
use std::ops::Deref;

/// What `.iter()` is called of that may be memory.
#[derive(Debug)]
pub struct IterSubject<'k, A>(OtherSubject<'k, A>);

/// What `.iter_mut()` is called of that may be memory.
#[derive(Debug)]
pub struct IterMutSubject<'k, A>(OtherSubject<'k, A>);

macro_rules! others {
    ($($subject:ident)*) => {$(
        impl<'k, A> Deref for $subject<'k, A> {
            type Target = OtherSubject<'k, A>;

            fn deref(&self) -> &OtherSubject<'k, A> {
                &self.0
            }
        }
    )*};
}
others!(IterSubject IterMutSubject);

/// Has the methods of memory, which rustc looks up.
#[derive(Debug)]
pub enum Memories {}

impl Memories {
    /// Finds `.iter()`; only its type is used.
    pub fn __fn_iter(&self) -> OfMemory {
        match *self {}
    }

    /// Finds `.iter_mut()`; only its type is used.
    pub fn __fn_iter_mut(&self) -> OfMemory {
        match *self {}
    }
}

/// A method of memory.
#[derive(Debug)]
pub struct OfMemory(());

/// What a method of memory gives.
#[derive(Debug)]
pub struct Given<S>(S);

impl<S> Given<S> {
    /// What is given, as it is.
    pub fn __rest(self) -> Self {
        self
    }
}

impl<A: NamedMemory<Memory: Iterable>> IterSubject<'_, A> {
    /// `memory.iter()`
    #[inline(never)]
    pub fn method(
        self,
        at: u32,
        _: bool,
        _: impl FnOnce(&Memories) -> OfMemory,
    ) -> Given<Sequence<<A::Memory as Iterable>::Items>> {
        let (k, memory) = self.taken();
        Given(k.iter(at, memory.named(k, k.span(at))))
    }
}

impl<A: NamedMemory<Memory: Iterable>> IterMutSubject<'_, A> {
    /// `memory.iter_mut()`
    #[inline(never)]
    pub fn method<T: KernelData>(
        self,
        at: u32,
        _: bool,
        _: impl FnOnce(&Memories) -> OfMemory,
    ) -> Given<Sequence<IteratedMuts<T>>>
    where
        A::Memory: WriteSlice<T>,
    {
        let (k, memory) = self.taken();
        Given(k.iter_mut::<T, _>(at, memory.named(k, k.span(at))))
    }
}

/// What `.iter()` gives, of memory or of a struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not gone over in a kernel",
    label = "neither memory nor a struct with `#[device] impl Iterator`"
)]
pub trait GivenItems {
    /// What a loop goes over.
    type Sequence;
    /// Makes what the loop goes over.
    fn sequence(self, k: &Builder, at: u32) -> Self::Sequence;
}

impl<S> GivenItems for Given<S> {
    type Sequence = S;

    fn sequence(self, _: &Builder, _: u32) -> S {
        self.0
    }
}

/// What a function gives that gives an iterator.
impl<T> GivenItems for IteratorOf<T> {
    type Sequence = Self;

    fn sequence(self, _: &Builder, _: u32) -> Self {
        self
    }
}

impl<T: Composite> GivenItems for Value<T>
where
    Let<T>: GivenItems,
{
    type Sequence = <Let<T> as GivenItems>::Sequence;

    fn sequence(self, k: &Builder, at: u32) -> Self::Sequence {
        k.keep::<T>(at, self).sequence(k, at)
    }
}

/// A value that is evaluated, as what a closure gives.
impl<T: Composite> GivenItems for Let<T>
where
    Self: NamedMemory<Memory: IntoItems>,
{
    type Sequence = <<Self as NamedMemory>::Memory as IntoItems>::Gone;

    fn sequence(self, k: &Builder, at: u32) -> Self::Sequence {
        self.named(k, k.span(at)).lent_items(k, at, false)
    }
}

impl Builder {
    /// What stands before the point of `.iter()`.
    #[inline(never)]
    pub fn iter_subject<A>(&self, receiver: A) -> IterSubject<'_, A> {
        IterSubject(OtherSubject::new(self, receiver))
    }

    /// What stands before the point of `.iter_mut()`.
    #[inline(never)]
    pub fn iter_mut_subject<A>(&self, receiver: A) -> IterMutSubject<'_, A> {
        IterMutSubject(OtherSubject::new(self, receiver))
    }

    /// What a loop goes over that a method has given.
    #[inline(never)]
    pub fn given_items<G: GivenItems>(&self, at: u32, given: G) -> G::Sequence {
        given.sequence(self, at)
    }
}
