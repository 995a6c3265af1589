//! Patterns of arrays: the elements that they name.

use super::arena::{Leaf, Operand};
use super::layout::{HasLayout, HasStorage};
use super::tuple::Leaves;
use super::{ArrayMut, ArrayRef, Builder, Composite, KernelData, Let, Mutable, Region, SliceRef};
use crate::program::{ArraySpace, LoadAccess, Memory, StoreAccess};
use crate::scalar::Constant;
use crate::source::Span;

/// There are no other elements than those that the pattern takes.
pub const NO_REST: u8 = 0;
/// There may be others.
pub const REST: u8 = 1;
/// There may be others, and they get a name.
pub const NAMED_REST: u8 = 2;

/// A name whose elements a pattern takes: `FIRST` from the beginning, `LAST` from the end.
///
/// `N` is how many elements it has, as far as the patterns know. Of an array that is memory no type has the length; so it is
/// compared while the kernel is built.
#[diagnostic::on_unimplemented(
    message = "a pattern of an array for what is none in a kernel",
    label = "not an array",
    note = "patterns take arrays apart, `[a, b]`; of a slice, write `x[0]`"
)]
pub trait TakenApart<const FIRST: usize, const LAST: usize, const OTHERS: u8, const N: usize> {
    /// The array with these elements.
    type Array: Composite;

    /// The elements, evaluated now.
    fn listed(self, k: &Builder, span: Span) -> Let<Self::Array>;
}

#[diagnostic::do_not_recommend]
impl<U: Composite, const N: usize, const FIRST: usize, const LAST: usize, const OTHERS: u8, const K: usize>
    TakenApart<FIRST, LAST, OTHERS, K> for Let<[U; N]>
{
    type Array = [U; N];

    fn listed(self, _: &Builder, _: Span) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<U: Composite, const N: usize, const FIRST: usize, const LAST: usize, const OTHERS: u8, const K: usize>
    TakenApart<FIRST, LAST, OTHERS, K> for Mutable<[U; N]>
{
    type Array = [U; N];

    fn listed(self, k: &Builder, span: Span) -> Let<[U; N]> {
        let operand = k.variables(self.var, self.count);
        Let::new(k, k.pinned_value(<[U; N]>::LAYOUT, span, operand))
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelData, const FIRST: usize, const LAST: usize, const OTHERS: u8, const N: usize, const K: usize>
    TakenApart<FIRST, LAST, OTHERS, K> for ArrayRef<T, N>
{
    type Array = [T; N];

    fn listed(self, k: &Builder, span: Span) -> Let<[T; N]> {
        k.elements_at_ends::<T, N>(span, self.region, (FIRST, LAST, OTHERS))
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelData, const FIRST: usize, const LAST: usize, const OTHERS: u8, const N: usize, const K: usize>
    TakenApart<FIRST, LAST, OTHERS, K> for ArrayMut<T, N>
{
    type Array = [T; N];

    fn listed(self, k: &Builder, span: Span) -> Let<[T; N]> {
        k.elements_at_ends::<T, N>(span, self.region, (FIRST, LAST, OTHERS))
    }
}

/// An item of a `for` that a pattern of a struct or an array takes apart.
#[diagnostic::on_unimplemented(
    message = "a pattern of a struct or an array for a reference to one",
    label = "a reference",
    note = "items of `x.iter()` and of `&x` are references: write `&` before the pattern"
)]
pub trait WholeItem {
    /// The item's type.
    type Item: Composite;
    /// The item.
    fn whole(self) -> Let<Self::Item>;
}

impl<T: Composite> WholeItem for Let<T> {
    type Item = T;

    fn whole(self) -> Self {
        self
    }
}

/// Names for the elements at the ends of an array.
type Ends<T, const FIRST: usize, const LAST: usize> = ([Let<T>; FIRST], [Let<T>; LAST]);

/// An array that a pattern takes apart, which matches whatever is in it.
#[diagnostic::on_unimplemented(
    message = "this pattern does not match every length",
    label = "a slice, which may have another length",
    note = "a `let` of a pattern with `else` says what to do then"
)]
pub trait AllElements {
    /// The type of an element.
    type Item: Composite;
    /// A name for each element.
    type Listed;

    #[doc(hidden)]
    fn all(self, k: &Builder) -> Self::Listed;

    #[doc(hidden)]
    fn at_ends<const FIRST: usize, const LAST: usize>(self, k: &Builder) -> Ends<Self::Item, FIRST, LAST>;
}

impl<U: Composite, const N: usize> AllElements for Let<[U; N]> {
    type Item = U;
    type Listed = [Let<U>; N];

    fn all(self, k: &Builder) -> [Let<U>; N] {
        let leaves = k.leaves(<[U; N]>::LAYOUT, self.operand(k));
        std::array::from_fn(|index| k.item_of(&leaves, index))
    }

    fn at_ends<const FIRST: usize, const LAST: usize>(self, k: &Builder) -> Ends<U, FIRST, LAST> {
        let leaves = k.leaves(<[U; N]>::LAYOUT, self.operand(k));
        let behind = N.saturating_sub(LAST);
        (
            std::array::from_fn(|index| k.item_of(&leaves, index)),
            std::array::from_fn(|index| k.item_of(&leaves, behind + index)),
        )
    }
}

impl Builder {
    /// An item that a pattern takes apart.
    #[inline(never)]
    pub fn whole_item<I: WholeItem>(&self, item: I) -> Let<I::Item> {
        item.whole()
    }

    /// The elements of a name that patterns take apart.
    #[inline(never)]
    pub fn listed_items<const FIRST: usize, const LAST: usize, const OTHERS: u8, const N: usize, A>(
        &self,
        at: u32,
        name: A,
    ) -> Let<A::Array>
    where
        A: TakenApart<FIRST, LAST, OTHERS, N>,
    {
        name.listed(self, self.span(at))
    }

    /// A value, at a place of the user's: rustc shows that of a name which the macro has made nowhere.
    #[inline(never)]
    pub fn given<T>(&self, value: T) -> T {
        value
    }

    /// The elements of an array that has a name.
    #[inline(never)]
    pub fn items<A: AllElements>(&self, name: A) -> A::Listed {
        name.all(self)
    }

    /// Its first elements and its last ones, as far as it has them: rustc checks the pattern itself.
    #[inline(never)]
    pub fn items_at_ends<const FIRST: usize, const LAST: usize, A: AllElements>(
        &self,
        name: A,
    ) -> Ends<A::Item, FIRST, LAST> {
        name.at_ends(self)
    }

    /// The elements between them, as an array of the thread's.
    #[inline(never)]
    pub fn items_between<const FIRST: usize, const LAST: usize, U: KernelData, const N: usize>(
        &self,
        at: u32,
        name: Let<[U; N]>,
        title: &'static str,
    ) -> SliceRef<U> {
        let (span, leaves) = (self.span(at), self.leaves(<[U; N]>::LAYOUT, name.operand(self)));
        let number = N.saturating_sub(FIRST + LAST);
        if number == 0 {
            self.problem(
                span,
                format!("`{title}` has no elements, and a kernel has no arrays of length 0: write `..`"),
            );
        }
        let array: Memory = self.declare_arrays(U::STORAGE, span, title, number, ArraySpace::Local, false).into();
        for index in 0..number {
            let item: Let<U> = self.item_of(&leaves, FIRST + index);
            let value = item.operand(self);
            self.store_all(U::STORAGE, span, StoreAccess::Plain, array, Operand::constant(index), value);
        }
        SliceRef::new(array)
    }

    fn item_of<U: Composite>(&self, leaves: &[Operand], index: usize) -> Let<U> {
        let (first, count) = (index * U::COUNT as usize, U::COUNT as usize);
        match leaves.get(first..first + count) {
            Some(leaves) => Let::new(self, self.whole(leaves)),
            None => Let::new(self, self.whole(&vec![Operand::Never; count])),
        }
    }

    /// The elements that a pattern needs, evaluated; what is in the others' places nothing reads.
    fn elements_at_ends<T: KernelData, const N: usize>(
        &self,
        span: Span,
        array: Region,
        (first, last, others): (usize, usize, u8),
    ) -> Let<[T; N]> {
        let mut leaves = Leaves::new();
        for index in 0..N {
            if others != NAMED_REST && index >= first && index + last < N {
                leaves.extend(
                    T::LAYOUT.types().into_iter().map(|ty| Operand::Leaf(Leaf::Const(Constant { ty, bits: 0 }))),
                );
                continue;
            }
            let index = self.moved(span, array, Operand::constant(index));
            let element = self.load_all(T::STORAGE, span, LoadAccess::Plain, array.memory, index);
            leaves.extend(self.pin_leaves(T::LAYOUT, span, &self.leaves(T::LAYOUT, element)));
        }
        Let::new(self, self.whole(&leaves))
    }
}
