//! Panics that the builder itself adds: where std's own methods would panic.

use super::Builder;
use super::arena::Operand;
use crate::program::{Piece, StmtKind, Style};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;

/// The text of a panic, and the `usize`s in it.
pub(super) type Panic = (Vec<Piece>, Vec<Operand>);

pub(super) fn text(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(text.into())
}

pub(super) fn number(arg: u32) -> Piece {
    Piece::Value { arg, style: Style::default() }
}

impl Builder {
    /// `if (cond) { panic!(..) }`, unless it is known that there is none.
    pub(super) fn panic_if(&self, span: Span, cond: Operand, panic: impl FnOnce(&Self) -> Panic) {
        if cond.as_constant().is_some_and(|cond| cond.bits == 0) {
            return;
        }
        self.emit_panic_if(span, cond, panic(self));
    }

    fn emit_panic_if(&self, span: Span, cond: Operand, (pieces, values): Panic) {
        let message = self.message(&pieces);
        let panic = self.block(|| {
            let args = values.iter().map(|&value| self.node(span, ScalarType::Usize, value)).collect();
            self.emit(span, StmtKind::Panic { message, args });
        });
        self.emit_if(span, cond, panic, Vec::new());
    }
}
