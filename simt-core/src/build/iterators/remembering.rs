//! Methods of iterators that remember something: `.take_while(..)`, `.skip_while(..)`, `.fuse()`, `.scan(..)`.

use super::super::layout::HasLayout;
use super::Iterated;
use crate::build::arena::Operand;
use crate::build::{Builder, Composite, Let, Mutable};
use crate::program::{StmtKind, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// Iterators that remember by a variable that something has come about.
macro_rules! flagged {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<I, F> {
            inner: I,
            function: F,
            flag: VarId,
        }

        impl<I: Iterated, F: Copy> $name<I, F> {
            fn copied(self, k: &Builder, span: Span) -> Self {
                let flag = k.state_of(span, ScalarType::Bool, Operand::var(self.flag));
                Self { inner: self.inner.duplicate(k, span), flag, ..self }
            }

            fn restored(self, k: &Builder, span: Span, from: Self) {
                k.set(span, self.flag, ScalarType::Bool, Operand::var(from.flag));
                self.inner.restore(k, span, from.inner);
            }

            /// Remembers it.
            fn note(self, k: &Builder, span: Span) {
                k.set(span, self.flag, ScalarType::Bool, Operand::constant(true));
            }
        }
    )*};
}
flagged! {
    /// `.take_while(|x| ..)`
    TakeWhile;
    /// `.skip_while(|x| ..)`
    SkipWhile;
}

/// What copies its own variables, too.
macro_rules! state_of_both {
    () => {
        fn duplicate(self, k: &Builder, span: Span) -> Self {
            self.copied(k, span)
        }

        fn restore(self, k: &Builder, span: Span, from: Self) {
            self.restored(k, span, from);
        }
    };
}

impl<I: Iterated, F: Fn(I::Item, &Builder) -> Let<bool> + Copy> Iterated for TakeWhile<I, F> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        k.leave_if(span, Operand::var(self.flag), leave);
        let item = self.inner.step(k, span, leave);
        let holds = (self.function)(item, k).operand(k);
        let end = k.block(|| {
            self.note(k, span);
            k.emit(span, StmtKind::Break { out: leave });
        });
        let is_last = k.not_of(span, holds);
        k.emit_if(span, is_last, end, Vec::new());
        item
    }

    state_of_both!();
}

impl<I: Iterated, F: Fn(I::Item, &Builder) -> Let<bool> + Copy> Iterated for SkipWhile<I, F> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        k.open_loop(span);
        let item = self.inner.step(k, span, leave + 1);
        k.leave_if(span, Operand::var(self.flag), 0);
        let holds = (self.function)(item, k).operand(k);
        let is_first = k.not_of(span, holds);
        k.leave_if(span, is_first, 0);
        k.end_loop();
        self.note(k, span);
        item
    }

    state_of_both!();
}

/// `.fuse()`
#[derive(Clone, Copy, Debug)]
pub struct Ended<I> {
    inner: I,
    has_ended: VarId,
}

impl<I: Iterated> Iterated for Ended<I> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        k.leave_if(span, Operand::var(self.has_ended), leave);
        k.open_loop(span);
        k.open_loop(span);
        let item = self.inner.step(k, span, 0);
        k.emit(span, StmtKind::Break { out: 1 });
        k.end_loop();
        k.set(span, self.has_ended, ScalarType::Bool, Operand::constant(true));
        k.emit(span, StmtKind::Break { out: leave + 1 });
        k.end_loop();
        item
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        let has_ended = k.state_of(span, ScalarType::Bool, Operand::var(self.has_ended));
        Self { inner: self.inner.duplicate(k, span), has_ended }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set(span, self.has_ended, ScalarType::Bool, Operand::var(from.has_ended));
        self.inner.restore(k, span, from.inner);
    }
}

/// `.scan(state, |state, x| ..)`
#[derive(Debug)]
pub struct Scanned<I, S, F> {
    inner: I,
    state: Mutable<S>,
    function: F,
}

// Not derived: the state is a variable, whatever its type is.
impl<I: Copy, S, F: Copy> Clone for Scanned<I, S, F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I: Copy, S, F: Copy> Copy for Scanned<I, S, F> {}

impl<I, S, T, F> Iterated for Scanned<I, S, F>
where
    I: Iterated,
    S: Composite,
    T: Composite,
    F: Fn((Mutable<S>, I::Item), &Builder) -> Let<Option<T>> + Copy,
{
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        let item = self.inner.step(k, span, leave);
        let option = (self.function)((self.state, item), k);
        let is_none = k.not_of(span, k.is_present(option).operand);
        k.leave_if(span, is_none, leave);
        k.present_value(option)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        let first = k.new_variables(S::LAYOUT, None, true, false);
        k.set_all(S::LAYOUT, span, first, k.variables(self.state.var, S::COUNT));
        Self { inner: self.inner.duplicate(k, span), state: Mutable::new(first, S::COUNT), ..self }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set_all(S::LAYOUT, span, self.state.var, k.variables(from.state.var, S::COUNT));
        self.inner.restore(k, span, from.inner);
    }
}

impl Builder {
    /// `.take_while(|x| ..)`
    #[inline(never)]
    pub fn taken_while<I: Iterated, F: Fn(I::Item, &Self) -> Let<bool> + Copy>(
        &self,
        at: u32,
        inner: I,
        function: F,
    ) -> TakeWhile<I, F> {
        TakeWhile { inner, function, flag: self.flag_of(at) }
    }

    /// `.skip_while(|x| ..)`
    #[inline(never)]
    pub fn skipped_while<I: Iterated, F: Fn(I::Item, &Self) -> Let<bool> + Copy>(
        &self,
        at: u32,
        inner: I,
        function: F,
    ) -> SkipWhile<I, F> {
        SkipWhile { inner, function, flag: self.flag_of(at) }
    }

    /// `.fuse()`
    #[inline(never)]
    pub fn fused<I: Iterated>(&self, at: u32, inner: I) -> Ended<I> {
        Ended { inner, has_ended: self.flag_of(at) }
    }

    /// `.scan(state, |state, x| ..)`
    #[inline(never)]
    pub fn scanned<I, S, T, F>(&self, _at: u32, inner: I, state: Mutable<S>, function: F) -> Scanned<I, S, F>
    where
        I: Iterated,
        F: Fn((Mutable<S>, I::Item), &Self) -> Let<Option<T>> + Copy,
    {
        Scanned { inner, state, function }
    }

    fn flag_of(&self, at: u32) -> VarId {
        self.state_of(self.span(at), ScalarType::Bool, Operand::constant(false))
    }
}
