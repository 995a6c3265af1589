//! Messages of a kernel: printed lines, assertions, panics.

use super::{Builder, IntoValue, Never};
use crate::ops::{Int, Num};
use crate::program::{ExprId, Message, MessageId, Piece, StmtKind};
use crate::scalar::Scalar;

/// A value that a message shows, to be used once.
#[derive(Debug)]
pub struct Shown {
    value: ExprId,
}

impl Builder {
    /// A value shown by `{}` or `{:?}`.
    #[inline(never)]
    pub fn shown<T: Scalar>(&self, at: u32, value: impl IntoValue<T>) -> Shown {
        let span = self.span(at);
        let value = self.operand(span, value);
        Shown { value: self.node(span, T::TYPE, value) }
    }

    /// A value shown by `{:x}`, `{:X}`, `{:b}` or `{:o}`.
    #[inline(never)]
    pub fn shown_bits<T: Int>(&self, at: u32, value: impl IntoValue<T>) -> Shown {
        self.shown(at, value)
    }

    /// A value shown by `{:e}`.
    #[inline(never)]
    pub fn shown_number<T: Num>(&self, at: u32, value: impl IntoValue<T>) -> Shown {
        self.shown(at, value)
    }

    /// `println!(..);`
    #[inline(never)]
    pub fn print<const N: usize>(&self, at: u32, pieces: &[Piece], args: [Shown; N]) {
        let message = self.message(pieces);
        self.emit(self.span(at), StmtKind::Print { message, args: args.map(|shown| shown.value).into() });
    }

    /// `panic!(..)`
    #[inline(never)]
    pub fn panic<const N: usize>(&self, at: u32, pieces: &[Piece], args: [Shown; N]) -> Never {
        let message = self.message(pieces);
        self.emit(self.span(at), StmtKind::Panic { message, args: args.map(|shown| shown.value).into() });
        Never
    }

    pub(super) fn message(&self, pieces: &[Piece]) -> MessageId {
        let mut state = self.state.borrow_mut();
        let messages = &mut state.program.messages;
        messages.push(Message { pieces: pieces.to_vec() });
        MessageId(messages.len() as u32 - 1)
    }
}
