//! `a[i]` where `a` may be of a user's type: `m[(row, column)]` by `#[device] impl Index`.
//!
//! The macro knows no types. Where it cannot see that `a` is memory, rustc chooses between two methods of one name: that on
//! memory, and otherwise, behind `Deref`, the one that the type's own `Index` has.
//!
//! No variable has an address, so `index_mut` returns none: it takes what is to be done with the place, as a closure.

use super::function::OnlyKernelsCallThis;
use super::overloaded::{Nothing, Target};
use super::{
    Builder, ByMut, ByValue, Composite, ElementOf, Elements, FieldElements, FieldMemory, Hold, IntoIndex, IntoValue,
    KernelData, Let, Mutable, NamedMemory, NamedReceiver, ReadSlice, Receiver, TakenBy, Types, Value, WriteSlice,
};
use std::ops::{Deref, DerefMut};

/// `L`'s elements by indices of type `R`, in kernels.
#[diagnostic::on_unimplemented(
    message = "cannot index `{L}` by `{R}` in a kernel",
    label = "no index of `{L}`",
    note = "slices and arrays have elements, and a struct of your own by `#[device] impl std::ops::Index<..> for ..`"
)]
pub trait Index<L: ?Sized, R> {
    /// An element.
    type Output: Composite;
    /// Calls it, with what has the elements passed.
    fn call(call: OnlyKernelsCallThis<'_>, index: Value<R>) -> Value<Self::Output>;
}

/// Those that may be written.
#[diagnostic::on_unimplemented(
    message = "cannot write to `{L}` by an index `{R}` in a kernel",
    label = "no `IndexMut` of `{L}`",
    note = "write `#[device] impl std::ops::IndexMut<..> for ..`, too"
)]
pub trait IndexMut<L: ?Sized, R>: Index<L, R> {
    /// Calls it, with what has the elements passed.
    fn call_mut(call: OnlyKernelsCallThis<'_>, index: Value<R>, with: impl Changes<<Self as Index<L, R>>::Output>);
}

macro_rules! nothing {
    ($($second:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Index<Nothing<$second>, Nothing<$second>> for Types {
            type Output = ();

            fn call(_: OnlyKernelsCallThis<'_>, index: Value<Nothing<$second>>) -> Value<()> {
                Value::new(index.operand)
            }
        }

        #[diagnostic::do_not_recommend]
        impl IndexMut<Nothing<$second>, Nothing<$second>> for Types {
            fn call_mut(_: OnlyKernelsCallThis<'_>, _: Value<Nothing<$second>>, _: impl Changes<()>) {}
        }
    )*};
}
nothing! { false true }

/// What is done with a place, as a closure.
pub trait Changes<T>: Fn(Option<(Mutable<T>,)>, &Builder) -> Let<()> + Copy + 'static {}

impl<T, F: Fn(Option<(Mutable<T>,)>, &Builder) -> Let<()> + Copy + 'static> Changes<T> for F {}

/// `base[index]`, of a name.
#[derive(Debug)]
pub struct Subscript<'k, N, A>(OwnSubscript<'k, N, A>);

/// `base[index]`, of a user's type.
#[derive(Debug)]
pub struct OwnSubscript<'k, N, A> {
    k: &'k Builder,
    both: Option<(N, A)>,
}

impl<'k, N, A> Deref for Subscript<'k, N, A> {
    type Target = OwnSubscript<'k, N, A>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<N, A> DerefMut for Subscript<'_, N, A> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<N: NamedMemory<Memory: Elements>, A> Subscript<'_, N, A> {
    /// The value of an element of a row.
    #[inline(never)]
    pub fn read_inner<T: KernelData, const M: usize>(mut self, at: u32, inner: impl IntoIndex) -> Value<T>
    where
        N::Memory: ReadSlice<[T; M]>,
        A: IntoIndex,
    {
        let (k, base, index) = self.taken();
        k.load_inner(at, base.named(k, k.span(at)), index, inner)
    }

    /// An element of a row gets a value.
    #[inline(never)]
    pub fn write_inner<T: KernelData, const M: usize>(
        mut self,
        at: u32,
        inner: impl IntoIndex,
        value: impl IntoValue<T>,
    ) where
        N::Memory: WriteSlice<[T; M]>,
        A: IntoIndex,
    {
        let (k, base, index) = self.taken();
        k.store_inner(at, base.named(k, k.span(at)), value, index, inner);
    }

    /// `op=` of an element of a row.
    #[inline(never)]
    pub fn update_inner<T: KernelData, const M: usize, V>(
        mut self,
        at: u32,
        inner: impl IntoIndex,
        value: V,
        change: impl FnOnce(&Builder, Target<<N::Memory as ReadSlice<[T; M]>>::Column<T>, Value<usize>>, V),
    ) where
        N::Memory: ReadSlice<[T; M]> + Copy,
        A: IntoIndex,
    {
        let (k, base, index) = self.taken();
        let memory = base.named(k, k.span(at));
        let index = k.element_index(at, memory, index, inner);
        change(k, k.target(k.elements(memory), index), value);
    }

    /// The value of an element of memory.
    #[inline(never)]
    pub fn read<T: KernelData>(mut self, at: u32) -> Value<T>
    where
        N::Memory: ReadSlice<T>,
        A: IntoIndex,
    {
        let (k, base, index) = self.taken();
        k.load(at, base.named(k, k.span(at)), index)
    }

    /// An element before the point of a method.
    #[inline(never)]
    pub fn receiver<T: KernelData>(mut self, at: u32) -> ElementOf<N::Memory, T>
    where
        N::Memory: ReadSlice<T>,
        A: IntoIndex,
    {
        let (k, base, index) = self.taken();
        k.receiver_element(at, base.named(k, k.span(at)), index)
    }

    /// An element of memory gets a value.
    #[inline(never)]
    pub fn write<T: KernelData>(mut self, at: u32, value: impl IntoValue<T>)
    where
        N::Memory: WriteSlice<T>,
        A: IntoIndex,
    {
        let (k, base, index) = self.taken();
        k.store(at, base.named(k, k.span(at)), value, index);
    }

    /// `op=` of an element of memory.
    #[inline(never)]
    pub fn update<V>(mut self, at: u32, value: V, change: impl FnOnce(&Builder, Target<N::Memory, A>, V)) {
        let (k, base, index) = self.taken();
        change(k, k.target(base.named(k, k.span(at)), index), value);
    }
}

pub(super) type Output<L, R> = <Types as Index<L, R>>::Output;

// That a type has no such index is an error that `Index` explains, and no reason for rustc not to find the method: so what it
// has to be is asked of parameters of the method, which are not known yet where it is looked up.
impl<'k, N: NamedReceiver, A> OwnSubscript<'k, N, A> {
    /// The value of an element.
    #[inline(never)]
    pub fn read<H: Receiver<ByValue, Of = L>, L: ?Sized, R: Composite>(&mut self, at: u32) -> Value<Output<L, R>>
    where
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: Index<L, R>,
    {
        let (k, base, index) = self.taken();
        let span = k.span(at);
        let index = index.into_value(k, span);
        let mut call = OnlyKernelsCallThis::new(k, span);
        base.receiver(k).pass(&mut call, at, false);
        <Types as Index<L, R>>::call(call, index)
    }

    /// An element before the point of a method: its value.
    #[inline(never)]
    pub fn receiver<H: Receiver<ByValue, Of = L>, L: ?Sized, R: Composite>(&mut self, at: u32) -> Value<Output<L, R>>
    where
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: Index<L, R>,
    {
        self.read(at)
    }

    /// An element gets a value.
    #[inline(never)]
    pub fn write<H: Receiver<ByMut, Of = L> + TakenBy<ByMut>, L: ?Sized, R: Composite>(
        &mut self,
        at: u32,
        value: impl IntoValue<Output<L, R>>,
    ) where
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: IndexMut<L, R>,
        Output<L, R>: 'static,
    {
        let value = self.k.keep(at, value);
        self.change(at, move |k, place| k.assign(at, place, value));
    }

    /// `op=` of an element.
    #[inline(never)]
    pub fn update<H: Receiver<ByMut, Of = L> + TakenBy<ByMut>, L: ?Sized, R: Composite, V: Hold>(
        &mut self,
        at: u32,
        value: V,
        change: impl Fn(&Builder, Mutable<Output<L, R>>, V::Held) + Copy + 'static,
    ) where
        V::Held: Copy + 'static,
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: IndexMut<L, R>,
    {
        let value = value.hold(self.k, at);
        self.change(at, move |k, place| change(k, place, value));
    }

    /// The value of an element of an element.
    #[inline(never)]
    pub fn read_inner<H: Receiver<ByValue, Of = L>, L: ?Sized, R: Composite>(
        &mut self,
        at: u32,
        inner: impl IntoIndex,
    ) -> Value<<Output<L, R> as FieldElements>::Element>
    where
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: Index<L, R, Output: FieldElements>,
    {
        let (k, span) = (self.k, self.k.span(at));
        let row = self.read(at);
        let inner = k.operand::<usize>(span, inner);
        FieldElements::element(k, span, row, Value::new(inner))
    }

    /// An element of an element gets a value.
    #[inline(never)]
    pub fn write_inner<H: Receiver<ByMut, Of = L> + TakenBy<ByMut>, L: ?Sized, R: Composite>(
        &mut self,
        at: u32,
        inner: impl IntoIndex,
        value: impl IntoValue<<Output<L, R> as FieldElements>::Element>,
    ) where
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: IndexMut<L, R> + Index<L, R, Output: FieldElements>,
        <Output<L, R> as FieldElements>::Element: 'static,
    {
        let (value, inner) = (self.k.keep(at, value), self.k.keep::<usize>(at, inner));
        self.change(at, move |k, place| {
            let (span, value, inner) = (k.span(at), value.operand(k), Value::new(inner.operand(k)));
            FieldElements::change(k, span, place, inner, move |_| Value::new(value));
        });
    }

    /// `op=` of an element of an element.
    #[inline(never)]
    pub fn update_inner<H: Receiver<ByMut, Of = L> + TakenBy<ByMut>, L: ?Sized, R: Composite, V: Hold>(
        &mut self,
        at: u32,
        inner: impl IntoIndex,
        value: V,
        change: impl Fn(&Builder, Target<<Output<L, R> as FieldMemory>::MemoryMut, Let<usize>>, V::Held) + Copy + 'static,
    ) where
        V::Held: Copy + 'static,
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: IndexMut<L, R> + Index<L, R, Output: FieldElements>,
    {
        let (value, inner) = (value.hold(self.k, at), self.k.keep::<usize>(at, inner));
        self.change(at, move |k, place| {
            let held = FieldMemory::held(k, k.span(at), place);
            let memory = <Output<L, R> as FieldMemory>::memory_mut(held);
            change(k, k.target(memory, inner), value);
            <Output<L, R> as FieldMemory>::restore(k, k.span(at), held);
        });
    }

    fn change<H: Receiver<ByMut, Of = L>, L: ?Sized, R: Composite>(
        &mut self,
        at: u32,
        change: impl Fn(&Builder, Mutable<Output<L, R>>) + Copy + 'static,
    ) where
        N: NamedReceiver<Receiver = H>,
        A: IntoValue<R>,
        Types: IndexMut<L, R>,
    {
        let (k, base, index) = self.taken();
        let span = k.span(at);
        let index = index.into_value(k, span);
        let origin = k.origin();
        let mut call = OnlyKernelsCallThis::new(k, span);
        base.receiver(k).pass(&mut call, at, false);
        let with = move |place: Option<(Mutable<Output<L, R>>,)>, k: &Builder| {
            let Some((place,)) = place else { return k.tell(origin) };
            let entered = k.enter(origin);
            change(k, place);
            let nothing = k.no_value(at);
            k.leave(entered);
            nothing
        };
        <Types as IndexMut<L, R>>::call_mut(call, index, with);
    }
}

impl<'k, N, A> OwnSubscript<'k, N, A> {
    fn taken(&mut self) -> (&'k Builder, N, A) {
        let Some((base, index)) = self.both.take() else { unreachable!("an index is built once") };
        (self.k, base, index)
    }
}

impl Builder {
    /// `name[index]`
    #[inline(never)]
    pub fn subscript<N, A>(&self, name: N, index: A) -> Subscript<'_, N, A> {
        Subscript(self.own_subscript(name, index))
    }

    /// `base[index]`, whose index is none of memory.
    #[inline(never)]
    pub fn own_subscript<N, A>(&self, base: N, index: A) -> OwnSubscript<'_, N, A> {
        OwnSubscript { k: self, both: Some((base, index)) }
    }
}
