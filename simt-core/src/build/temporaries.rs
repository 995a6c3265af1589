//! Values that are changed where they are, in a variable that has no name: `P::new(7).bump()`, `f(&mut P { at: 3 })`.

use super::function::OnlyKernelsCallThis;
use super::iterators::OwnIterator;
use super::layout::HasLayout;
use super::standard::ByWriting;
use super::{
    Builder, ByMut, Composite, DeviceMethod, Handle, IntoValue, KernelData, Let, Mutable, Receiver, TakenBy, Value,
    ValueMut,
};

/// Can be the `self` of a method where it is a value that nothing else has.
#[diagnostic::on_unimplemented(
    message = "this method writes to its `self`, which may not be written here",
    label = "not a `let mut` variable, a field of one, or an element that may be written",
    note = "write `let mut` where the variable is declared, and `&mut [T]` for a slice"
)]
pub trait OfTemporary<By>: Handle {
    /// Passes it. `held` says whether an argument behind it may emit statements.
    fn pass_temporary(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool);
}

#[diagnostic::do_not_recommend]
impl<By, H: Receiver<By> + TakenBy<By>> OfTemporary<By> for H {
    fn pass_temporary(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
        self.pass(call, at, held);
    }
}

macro_rules! of_values {
    ($($handle:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: KernelData> OfTemporary<ByMut> for $handle<T> {
            fn pass_temporary(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, _: bool) {
                let place = call.k.lend_temporary::<T>(at, self);
                call.reference_mut::<T>(place);
            }
        }

        of_values!(@written [T: OwnIterator] $handle<T>: T);
        of_values!(@written [T: KernelData] $handle<Option<T>>: Option<T>);
    )*};
    (@written [$($generics:tt)*] $handle:ty: $of:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> OfTemporary<ByWriting> for $handle {
            fn pass_temporary(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
                Receiver::<ByWriting>::pass(call.k.unnamed_variable::<$of>(at, self), call, at, held);
            }
        }
    };
}
of_values!(Let Value);

impl Builder {
    /// `receiver.name(..)` of a value that nothing else has.
    #[inline(never)]
    pub fn method_of_temporary<H: OfTemporary<M::By>, M: DeviceMethod>(
        &self,
        at: u32,
        receiver: H,
        held: bool,
        _: impl FnOnce(&H::Of) -> M,
    ) -> M::Call<'_> {
        let mut call = OnlyKernelsCallThis::new(self, self.span(at));
        receiver.pass_temporary(&mut call, at, held);
        M::begin(call)
    }

    /// The name of a value before a point, that of a unit struct.
    #[inline(never)]
    pub fn unnamed<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Value<T> {
        Value::new(self.operand(self.span(at), value))
    }

    /// `&mut value`, of an expression.
    #[inline(never)]
    pub fn lend_temporary<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> ValueMut<T> {
        ValueMut::of(self.unnamed_variable::<T>(at, value))
    }

    /// A variable without a name that has a value.
    fn unnamed_variable<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Mutable<T> {
        let span = self.span(at);
        let value = self.operand(span, value);
        let first = self.new_variables(T::LAYOUT, None, true, false);
        self.set_all(T::LAYOUT, span, first, value);
        Mutable::new(first, T::COUNT)
    }
}
