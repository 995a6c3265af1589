//! Fields of an item: `p.name`, where `p` may be a reference to an element or a value, which only rustc knows.

use super::iterators::OwnedItem;
use super::named::Behind;
use super::{Builder, IteratedMut, IteratedRef, KernelData, Let, Part};
use crate::source::Span;

/// An item that has fields.
#[diagnostic::on_unimplemented(
    message = "this has no fields in a kernel",
    label = "neither a value nor a reference to one"
)]
pub trait ItemFields {
    /// The item's type.
    type Whole: KernelData;
    /// What a field of it is: as the item, a reference or a value.
    type Field<U>;
    /// The field.
    fn field<U: KernelData>(self, k: &Builder, path: fn(Part<Self::Whole>) -> Part<U>) -> Self::Field<U>;
}

macro_rules! fields_of_elements {
    ($($name:ident)*) => {$(
        impl<T: KernelData> ItemFields for $name<T> {
            type Whole = T;
            type Field<U> = $name<U>;

            fn field<U: KernelData>(self, k: &Builder, path: fn(Part<T>) -> Part<U>) -> $name<U> {
                let (memory, index) = self.parts(k);
                $name::new(memory.column(super::fields::part(path).column), index)
            }
        }
    )*};
}
fields_of_elements!(IteratedRef IteratedMut);

impl<T: KernelData> ItemFields for Let<T> {
    type Whole = T;
    type Field<U> = Let<U>;

    fn field<U: KernelData>(self, k: &Builder, path: fn(Part<T>) -> Part<U>) -> Let<U> {
        k.part_of(self, path)
    }
}

/// An item of `.enumerate()` or `.zip(..)` that is not taken apart.
impl<A, B> ItemFields for (A, B)
where
    Self: OwnedItem<Owned: KernelData>,
{
    type Whole = <Self as OwnedItem>::Owned;
    type Field<U> = Let<U>;

    fn field<U: KernelData>(self, k: &Builder, path: fn(Part<Self::Whole>) -> Part<U>) -> Let<U> {
        k.part_of(self.owned(k, Span::default()), path)
    }
}

impl Builder {
    /// `item.name`
    #[inline(never)]
    pub fn item_field<I: ItemFields, U: KernelData>(
        &self,
        item: I,
        path: fn(Part<I::Whole>) -> Part<U>,
    ) -> I::Field<U> {
        item.field(self, path)
    }
}
