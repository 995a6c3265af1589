//! Functions that give iterators: `fn set(&self) -> impl Iterator<Item = usize>`.
//!
//! An iterator is no value: it is the closures and the memory that it is made of. So a call of such a function is no call in
//! the program: the body stands in its place, with variables for the parameters.

use super::arena::{Leaf, Operand};
use super::base::Kind;
use super::function::{Definition, Given, OnlyKernelsCallThis};
use super::iterators::{Iterated, IteratorOf, OwnedItem, PassedItems};
use super::layout::Layout;
use super::region::Bounds;
use super::tuple::Leaves;
use super::{Builder, Composite};
use crate::program::ExprId;
use crate::scalar::ScalarType;
use crate::source::Span;
use std::collections::VecDeque;

/// The arguments that the parameters of a body in a call's place have not taken yet.
#[derive(Debug)]
pub(super) struct Inlined {
    args: VecDeque<ExprId>,
    given: VecDeque<Given>,
    span: Span,
}

impl<'k> OnlyKernelsCallThis<'k> {
    /// The iterator that a function gives, whose body is built here.
    #[inline(never)]
    pub fn inlined<T: Composite, I: Iterated<Item: OwnedItem<Owned = T>> + 'static>(
        self,
        definition: &Definition,
        body: impl FnOnce(&'k Builder) -> I,
    ) -> IteratorOf<T> {
        let Self { k, span, args, slices, bounds, given, .. } = self;
        let origin = k.defined_by(definition);
        let entered = k.enter(origin);
        let args = bounds.into_iter().chain(args).collect();
        let around = k.state.borrow_mut().inlined.replace(Inlined { args, given: given.into(), span });
        for passed in &slices {
            if let Some(subslice) = passed.subslice {
                let [start, length] = [(); 2].map(|()| k.inlined_scalar(ScalarType::Usize).unwrap_or(Operand::Never));
                k.set_bounds(subslice, Bounds { start, length: passed.length.map_or(length, Operand::constant) });
            }
        }
        let inner = k.nested(span, || body(k));
        k.state.borrow_mut().inlined = around;
        k.leave(entered);
        match inner {
            Some(inner) => IteratorOf::new(k, PassedItems::new(inner, origin)),
            None => IteratorOf::none(k),
        }
    }
}

impl Builder {
    /// The next scalar argument, evaluated, if a body stands in a call's place.
    fn inlined_scalar(&self, ty: ScalarType) -> Option<Operand> {
        let (arg, span) = {
            let mut state = self.state.borrow_mut();
            let inlined = state.inlined.as_mut()?;
            (inlined.args.pop_front(), inlined.span)
        };
        Some(arg.map_or(Operand::Never, |arg| self.pin(span, ty, Operand::Node(arg))))
    }

    /// The argument for the next parameter, by its scalars and bases, and where the call is; none of a function that is called.
    pub(super) fn inlined_argument(&self, layout: &Layout) -> Option<(Operand, Span)> {
        let span = self.state.borrow().inlined.as_ref()?.span;
        let (types, kinds) = (layout.types(), layout.kinds());
        let mut leaves = Leaves::new();
        while leaves.len() < types.len() {
            let number = leaves.len();
            if kinds[number] == Kind::Scalar {
                leaves.push(self.inlined_scalar(types[number])?);
                continue;
            }
            let given = self.state.borrow_mut().inlined.as_mut()?.given.pop_front();
            let base = given.and_then(|given| given.base);
            leaves.push(base.map_or(Operand::Never, |base| Operand::Leaf(Leaf::Base(base))));
            leaves.extend(given.and_then(|given| given.whole).into_iter().flatten());
        }
        Some((self.whole(&leaves), span))
    }
}
