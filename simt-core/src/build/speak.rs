//! Messages of a kernel: printed lines, assertions, panics.
//!
//! A program's message has scalars only. So what is shown of a value of several is written out when the program is built, and
//! where it depends on a tag, a branch for each variant has its own message.

use super::arena::Operand;
use super::layout::{HasLayout, Layout};
use super::shape::{Fields, Shape, Written};
use super::{Builder, Composite, IntoValue, Never, Opened};
use crate::ops::{Int, Num};
use crate::program::{ExprId, Message, MessageId, Piece, StmtKind, Style};
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;
use std::borrow::Cow;
use std::fmt::Debug;

/// How many messages a statement may become.
const MESSAGES: usize = 256;

/// Makes the statement that has a message.
type Statement = fn(MessageId, Vec<ExprId>) -> StmtKind;

/// A value that a message shows, to be used once.
#[derive(Debug)]
pub struct Shown {
    span: Span,
    leaves: Vec<(ScalarType, Operand)>,
    shape: Shape,
}

/// A part of a text that is being written out.
#[derive(Clone)]
enum Part<'s> {
    Text(Cow<'static, str>),
    /// What begins at that scalar.
    Shape {
        shape: &'s Shape,
        first: usize,
        style: Style,
    },
}

/// What has been written out of a text.
#[derive(Clone, Default)]
struct Draft<'s> {
    pieces: Vec<Piece>,
    /// The parts to come, the last first.
    pending: Vec<Part<'s>>,
    /// Which scalars have been found to be which tags.
    tags: Vec<(usize, u64)>,
}

impl<'s> Draft<'s> {
    fn text(&mut self, text: impl Into<Cow<'static, str>>) {
        let text = text.into();
        match self.pieces.last_mut() {
            Some(Piece::Text(before)) => before.to_mut().push_str(&text),
            _ if text.is_empty() => {}
            _ => self.pieces.push(Piece::Text(text)),
        }
    }

    /// Writes until a tag decides: which scalar it is, and the shape.
    fn write(&mut self) -> Option<(usize, &'s Shape)> {
        while let Some(part) = self.pending.pop() {
            match part {
                Part::Text(text) => self.text(text),
                Part::Shape { shape: Shape::Scalar, first, style } => {
                    self.pieces.push(Piece::Value { arg: first as u32, style });
                }
                Part::Shape { shape: Shape::Fields(fields) | Shape::Reverse(fields), first, style } => {
                    self.fields(fields, first, style);
                }
                Part::Shape { shape: shape @ Shape::Choices(variants), first, style } => {
                    let tag = self.tags.iter().find(|(at, _)| *at == first).map(|(_, tag)| *tag);
                    let mut behind = first + 1;
                    for variant in variants {
                        let count: usize = variant.fields.parts.iter().map(|(_, part)| part.count()).sum();
                        if variants.len() == 1 || tag == Some(variant.tag) {
                            self.fields(&variant.fields, behind, style);
                        }
                        behind += count;
                    }
                    if variants.len() > 1 && tag.is_none() {
                        self.pending.push(Part::Shape { shape, first, style });
                        return Some((first, shape));
                    }
                }
            }
        }
        None
    }

    fn fields(&mut self, Fields { name, written, parts, .. }: &'s Fields, mut first: usize, style: Style) {
        let (open, close) = match written {
            _ if parts.is_empty() && !name.is_empty() => ("", ""),
            Written::Named => (" { ", " }"),
            Written::Numbered if name.is_empty() && parts.len() == 1 => ("(", ",)"),
            Written::Numbered => ("(", ")"),
            Written::Listed => ("[", "]"),
            Written::Alone => ("", ""),
        };
        let mut all = vec![Part::Text(Cow::Borrowed(name)), Part::Text(Cow::Borrowed(open))];
        for (number, (label, part)) in parts.iter().enumerate() {
            if number > 0 {
                all.push(Part::Text(Cow::Borrowed(", ")));
            }
            if *written == Written::Named {
                all.push(Part::Text(format!("{label}: ").into()));
            }
            all.push(Part::Shape { shape: part, first, style });
            first += part.count();
        }
        all.push(Part::Text(Cow::Borrowed(close)));
        self.pending.extend(all.into_iter().rev());
    }
}

/// The host's `{:?}` of the value that has these scalars.
type HostText = fn(&mut dyn FnMut(ScalarType) -> u64) -> String;

/// Whether the host's `{:?}` is the derived one, as far as a value of each variant tells.
fn shows_fields(shape: &Shape, types: &[ScalarType], host: HostText) -> bool {
    let scalars = shape.scalars();
    // Numbers that differ, and tags as they are wanted.
    let is_told = |wanted: &[(u32, u64, u64)]| {
        let tag = |at: usize| {
            let variants = &scalars[at].variants;
            let chosen = wanted.iter().rfind(|(tag, ..)| *tag as usize == at);
            let chosen = chosen.and_then(|(_, tag, _)| variants.iter().find(|variant| variant.tag == *tag));
            chosen.or_else(|| variants.iter().find(|variant| variant.sample == 0)).or(variants.first())
        };
        let bits = |at: usize| match types[at] {
            ScalarType::Bool => u64::from(at.is_multiple_of(2)),
            ScalarType::F32 => u64::from((at as f32 + 1.5).to_bits()),
            ScalarType::F64 => (at as f64 + 1.5).to_bits(),
            _ => at as u64 % 100 + 1,
        };
        let mut next = 0;
        let text = host(&mut |_| {
            next += 1;
            tag(next - 1).map_or_else(|| bits(next - 1), |variant| variant.sample)
        });
        let tags = (0..types.len()).filter_map(|at| Some((at, tag(at)?.tag))).collect();
        let whole = Part::Shape { shape, first: 0, style: debug() };
        let mut written = Draft { pieces: Vec::new(), pending: vec![whole], tags };
        written.write();
        let constants: Vec<Constant> = (0..types.len()).map(|at| Constant { ty: types[at], bits: bits(at) }).collect();
        text == (Message { pieces: written.pieces }).render(&constants)
    };
    let variants = scalars.iter().enumerate().flat_map(|(at, scalar)| {
        scalar.variants.iter().map(move |variant| {
            let around = scalar.guards.iter().map(|(tag, of)| (*tag, of.tag, of.sample));
            around.chain([(at as u32, variant.tag, variant.sample)]).collect::<Vec<_>>()
        })
    });
    is_told(&[]) && variants.into_iter().all(|wanted| is_told(&wanted))
}

/// `{:?}`
fn debug() -> Style {
    Style { form: crate::program::Form::Debug, ..Style::default() }
}

impl Builder {
    /// A value shown by `{}`.
    #[inline(never)]
    pub fn shown<T: Scalar>(&self, at: u32, value: impl IntoValue<T>) -> Shown {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.scalar_shown(span, T::TYPE, value)
    }

    fn scalar_shown(&self, span: Span, ty: ScalarType, value: Operand) -> Shown {
        let value = Operand::Node(self.node(span, ty, value));
        Shown { span, leaves: vec![(ty, value)], shape: Shape::Scalar }
    }

    /// A value shown by `{:?}`.
    #[inline(never)]
    pub fn shown_debug<T: Composite + Debug>(&self, at: u32, value: impl IntoValue<T>) -> Shown {
        let span = self.span(at);
        let value = self.operand(span, value);
        self.fields_shown(T::LAYOUT, span, value, |bits| format!("{:?}", T::made(bits)))
    }

    fn fields_shown(&self, layout: &Layout, span: Span, value: Operand, host: HostText) -> Shown {
        if let Some(ty) = layout.scalar() {
            return self.scalar_shown(span, ty, value);
        }
        if self.refuses_references(layout, span, "a kernel does not show slices: show their elements") {
            return self.scalar_shown(span, ScalarType::Bool, Operand::constant(false));
        }
        let (shape, types) = (layout.shape(), layout.types());
        if !shows_fields(&shape, &types, host) {
            let ty = layout.short_name();
            let message = format!(
                "kernels show a `{ty}` as `#[derive(Debug)]` does, and its `Debug` on the host is another: show its fields"
            );
            self.problem(span, message);
        }
        let leaves = types.into_iter().zip(self.leaves(layout, value)).collect();
        Shown { span, leaves, shape }
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
        self.say(self.span(at), pieces, &Vec::from(args), |message, args| StmtKind::Print { message, args });
    }

    /// `panic!(..)`
    #[inline(never)]
    pub fn panic<const N: usize>(&self, at: u32, pieces: &[Piece], args: [Shown; N]) -> Never {
        self.say(self.span(at), pieces, &Vec::from(args), |message, args| StmtKind::Panic { message, args });
        Never
    }

    /// The statement, or one for each variant.
    pub(super) fn say(&self, span: Span, pieces: &[Piece], shown: &[Shown], statement: Statement) {
        let mut leaves: Vec<(Span, ScalarType, Operand)> =
            shown.iter().flat_map(|shown| shown.leaves.iter().map(|&(ty, leaf)| (shown.span, ty, leaf))).collect();
        if shown.iter().all(|shown| matches!(shown.shape, Shape::Scalar)) {
            let message = self.message(pieces);
            let args = leaves.into_iter().map(|(span, ty, leaf)| self.node(span, ty, leaf)).collect();
            return self.emit(span, statement(message, args));
        }
        let firsts = shown.iter().scan(0, |next, shown| {
            let first = *next;
            *next += shown.leaves.len();
            Some(first)
        });
        let firsts: Vec<usize> = firsts.collect();
        let parts = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => Part::Text(text.clone()),
            Piece::Value { arg, style } => {
                let Shown { span, shape, .. } = &shown[*arg as usize];
                if style.alternate && !matches!(shape, Shape::Scalar) {
                    self.problem(*span, "`{:#?}` would be several lines: write `{:?}`".to_owned());
                }
                Part::Shape { shape, first: firsts[*arg as usize], style: *style }
            }
        });
        let written = Draft { pieces: Vec::new(), pending: parts.rev().collect(), tags: Vec::new() };
        if shown.iter().any(|shown| !shown.shape.is_plain()) {
            for (span, ty, leaf) in &mut leaves {
                *leaf = self.pin(*span, *ty, *leaf);
            }
        }
        let mut left = MESSAGES;
        self.say_variants(span, written, &leaves, statement, &mut left);
        if left == 0 {
            let message =
                format!("this text has more than {MESSAGES} forms, by its variants: show the values one by one");
            self.problem(span, message);
        }
    }

    fn say_variants(
        &self,
        span: Span,
        mut written: Draft<'_>,
        leaves: &[(Span, ScalarType, Operand)],
        statement: Statement,
        left: &mut usize,
    ) {
        let Some((at, Shape::Choices(variants))) = written.write() else {
            *left = left.saturating_sub(1);
            if *left > 0 {
                self.say_written(span, written.pieces, leaves, statement);
            }
            return;
        };
        let (_, ty, tag) = leaves[at];
        let known = tag.as_constant().map(|tag| tag.bits);
        let mut possible = variants.iter().filter(|variant| known.is_none_or(|known| known == variant.tag)).peekable();
        let mut opened = 0;
        while let Some(variant) = possible.next() {
            let mut written = written.clone();
            written.tags.push((at, variant.tag));
            if possible.peek().is_none() || *left == 0 {
                self.say_variants(span, written, leaves, statement, left);
                break;
            }
            let holds = self.has_tag(span, ty, tag, variant.tag, true);
            self.open(Opened::Then { cond: holds, span });
            opened += 1;
            self.say_variants(span, written, leaves, statement, left);
            self.begin_else();
        }
        (0..opened).for_each(|_| self.end_if());
    }

    /// The statement, with the values that its text shows.
    fn say_written(
        &self,
        span: Span,
        mut pieces: Vec<Piece>,
        leaves: &[(Span, ScalarType, Operand)],
        statement: Statement,
    ) {
        let arg = |piece: &Piece| if let Piece::Value { arg, .. } = piece { Some(*arg) } else { None };
        let mut used: Vec<u32> = pieces.iter().filter_map(arg).collect();
        used.sort_unstable();
        used.dedup();
        for piece in &mut pieces {
            if let Piece::Value { arg, .. } = piece {
                *arg = used.partition_point(|used| used < arg) as u32;
            }
        }
        let args =
            used.iter().map(|at| leaves[*at as usize]).map(|(span, ty, leaf)| self.node(span, ty, leaf)).collect();
        let message = self.message(&pieces);
        self.emit(span, statement(message, args));
    }

    pub(super) fn message(&self, pieces: &[Piece]) -> MessageId {
        let mut state = self.state.borrow_mut();
        let messages = &mut state.program.messages;
        messages.push(Message { pieces: pieces.to_vec() });
        MessageId(messages.len() as u32 - 1)
    }
}
