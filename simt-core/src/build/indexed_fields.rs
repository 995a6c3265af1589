//! `variable.name[i]` where the field may be of a user's type: as for names (see `indexed`), rustc chooses.

use super::indexed::{Index, IndexMut, Output};
use super::overloaded::Target;
use super::record::Part;
use super::{
    Builder, Composite, FieldElements, Hold, IntoIndex, IntoValue, KernelData, Mutable, Place, Same, Types, Value,
};
use std::ops::{Deref, DerefMut};

type Path<T, F> = fn(Part<T>) -> Part<F>;

/// `variable.name[index]`
#[derive(Debug)]
pub struct FieldSubscript<'k, T: KernelData, F: KernelData, V, A>(OwnFieldSubscript<'k, T, F, V, A>);

/// `variable.name[index]`, of a field that is of a user's type.
#[derive(Debug)]
pub struct OwnFieldSubscript<'k, T: KernelData, F: KernelData, V, A> {
    k: &'k Builder,
    parts: Option<(V, Path<T, F>, A)>,
}

impl<'k, T: KernelData, F: KernelData, V, A> Deref for FieldSubscript<'k, T, F, V, A> {
    type Target = OwnFieldSubscript<'k, T, F, V, A>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: KernelData, F: KernelData, V, A> DerefMut for FieldSubscript<'_, T, F, V, A> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<T: KernelData, F: FieldElements, V, A: IntoIndex> FieldSubscript<'_, T, F, V, A> {
    /// An element of an array or a slice.
    #[inline(never)]
    pub fn read(mut self, at: u32) -> Value<F::Element>
    where
        V: IntoValue<T>,
    {
        let (k, variable, path, index) = self.taken();
        k.get_element(at, variable, path, index)
    }

    /// An element gets a value.
    #[inline(never)]
    pub fn write(mut self, at: u32, value: impl IntoValue<F::Element>)
    where
        V: Place<T>,
    {
        let (k, variable, path, index) = self.taken();
        k.put_element(at, variable, path, value, index);
    }

    /// `op=` of an element.
    #[inline(never)]
    pub fn update<U>(mut self, at: u32, value: U, change: impl FnOnce(&Builder, Target<F::MemoryMut, A>, U))
    where
        V: Place<T>,
    {
        let (k, variable, path, index) = self.taken();
        let held = k.spill_place(at, variable, path);
        change(k, k.target(k.spilled_array(held), index), value);
        k.restore(at, held);
    }
}

impl<'k, T: KernelData, F: KernelData, V, A> OwnFieldSubscript<'k, T, F, V, A> {
    fn taken(&mut self) -> (&'k Builder, V, Path<T, F>, A) {
        let Some((variable, path, index)) = self.parts.take() else { unreachable!("an index is built once") };
        (self.k, variable, path, index)
    }

    /// The value of an element.
    #[inline(never)]
    pub fn read<G: Composite, R: Composite>(&mut self, at: u32) -> Value<Output<G, R>>
    where
        V: IntoValue<T>,
        A: IntoValue<R>,
        Types: Same<F, G> + Index<G, R>,
    {
        let (k, variable, path, index) = self.taken();
        let field: Value<G> = Types::same(k.get(at, variable, path));
        k.own_subscript(field, index).read(at)
    }

    /// An element gets a value.
    #[inline(never)]
    pub fn write<G: Composite, R: Composite>(&mut self, at: u32, value: impl IntoValue<Output<G, R>>)
    where
        V: Place<T>,
        A: IntoValue<R>,
        Types: Same<F, G> + IndexMut<G, R>,
        Output<G, R>: 'static,
    {
        let (k, variable, path, index) = self.taken();
        let place = Mutable::<G>::new(k.get_place(variable, path).var, G::COUNT);
        k.own_subscript(place, index).write(at, value);
    }

    /// `op=` of an element.
    #[inline(never)]
    pub fn update<G: Composite, R: Composite, U: Hold>(
        &mut self,
        at: u32,
        value: U,
        change: impl Fn(&Builder, Mutable<Output<G, R>>, U::Held) + Copy + 'static,
    ) where
        U::Held: Copy + 'static,
        V: Place<T>,
        A: IntoValue<R>,
        Types: Same<F, G> + IndexMut<G, R>,
    {
        let (k, variable, path, index) = self.taken();
        let place = Mutable::<G>::new(k.get_place(variable, path).var, G::COUNT);
        k.own_subscript(place, index).update(at, value, change);
    }
}

impl Builder {
    /// `variable.name[index]`
    #[inline(never)]
    pub fn field_subscript<T: KernelData, F: KernelData, V, A>(
        &self,
        variable: V,
        path: fn(Part<T>) -> Part<F>,
        index: A,
    ) -> FieldSubscript<'_, T, F, V, A>
    where
        V: IntoValue<T>,
    {
        FieldSubscript(OwnFieldSubscript { k: self, parts: Some((variable, path, index)) })
    }
}
