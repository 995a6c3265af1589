//! Why code is not valid, and where.

use crate::code::Pc;
use crate::source::Span;
use std::borrow::Cow;

/// Why code is not valid: the first rule it breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.render())]
pub struct CodeError(Box<Contents>);

/// Boxed, because a `Result` is as large as its error.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Contents {
    mistake: Mistake,
    kernel: Cow<'static, str>,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pc: Option<Pc>,
    /// Where it is declared, if it is about a declaration.
    span: Option<Span>,
    slot: Option<usize>,
    what: Cow<'static, str>,
    expected: Cow<'static, str>,
}

impl Mistake {
    pub(super) fn of_all(what: impl Into<Cow<'static, str>>, expected: &'static str) -> Self {
        Self { pc: None, span: None, slot: None, what: what.into(), expected: expected.into() }
    }

    pub(super) fn at(pc: Pc, what: impl Into<Cow<'static, str>>, expected: impl Into<Cow<'static, str>>) -> Self {
        Self { pc: Some(pc), span: None, slot: None, what: what.into(), expected: expected.into() }
    }

    /// In a declaration.
    pub(super) fn declared(span: Span, what: impl Into<Cow<'static, str>>, expected: &'static str) -> Self {
        Self { span: Some(span), ..Self::of_all(what, expected) }
    }

    /// In one of the parts of an instruction, as they are written.
    pub(super) fn slot(
        pc: Pc,
        slot: usize,
        what: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { slot: Some(slot), ..Self::at(pc, what, expected) }
    }

    /// In the last part of an instruction: there addresses stand.
    pub(super) fn target(
        pc: Pc,
        slots: usize,
        what: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { slot: slots.checked_sub(1), ..Self::at(pc, what, expected) }
    }
}

impl CodeError {
    pub(super) fn new(mistake: Mistake, kernel: Cow<'static, str>) -> Self {
        Self(Box::new(Contents { mistake, kernel }))
    }

    /// The instruction, if it is about one.
    pub fn pc(&self) -> Option<Pc> {
        self.0.mistake.pc
    }

    /// Where the declaration stands, if it is about one.
    pub fn span(&self) -> Option<Span> {
        self.0.mistake.span
    }

    /// Which part of the instruction as it is written, if it is about one: registers, values, elements and addresses count.
    pub fn slot(&self) -> Option<usize> {
        self.0.mistake.slot
    }

    /// What is wrong, without where.
    pub fn message(&self) -> &str {
        &self.0.mistake.what
    }

    /// What was expected instead.
    pub fn expected(&self) -> &str {
        &self.0.mistake.expected
    }

    fn render(&self) -> String {
        let Contents { mistake, kernel } = &*self.0;
        let at = mistake.pc.map_or_else(String::new, |pc| format!(" at {pc}"));
        format!("code of kernel `{kernel}`{at}: {}; expected {}", mistake.what, mistake.expected)
    }
}
