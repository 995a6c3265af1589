//! Instructions: their guard, how many operands they have, and each of these.

use super::Checker;
use crate::scope::Meaning;
use crate::span::Span;
use crate::syntax::{Instruction, Operand, OperandKind, Type};
use crate::table::{Becomes, Form, Of, Shape};

impl<'a> Checker<'a> {
    pub(super) fn instruction(&mut self, instruction: &'a Instruction) {
        if let Some(guard) = &instruction.guard {
            self.predicate(&guard.register.text, guard.register.span);
        }
        // The parser has noted those that the table does not have.
        let Some(form) = Form::of(instruction) else { return };
        if let Becomes::Unsupported(reason) = form.becomes() {
            self.unsupported(instruction.full_name(), reason, instruction.name_span());
            return;
        }
        if !form.has_its_operands() {
            self.count(&form);
            return;
        }
        if let [Shape::Call] = form.row.operands {
            self.call(instruction);
            self.sequence_call(instruction);
            return;
        }
        self.sequence_access(&form);
        for (shape, operand) in form.row.operands.iter().zip(&instruction.operands) {
            self.shape(&form, *shape, operand);
        }
        if let Becomes::Move = form.becomes() {
            self.move_of_parts(&form);
        }
        if let Becomes::Barrier | Becomes::BarrierArrive | Becomes::BarrierReduce = form.becomes() {
            self.barrier_number(&form);
        }
    }

    /// A block has 16 barriers. The number of one is the first word of its operands.
    fn barrier_number(&mut self, form: &Form<'a>) {
        let operands = form.row.operands.iter().zip(&form.instruction.operands);
        let number = operands.filter(|(shape, _)| matches!(shape, Shape::From(_))).map(|(_, operand)| operand).next();
        if let Some(Operand { kind: OperandKind::Integer(number), span }) = number
            && !(0..16).contains(number)
        {
            let message = format!("there is no barrier {number}");
            self.problem(*span, message, "expected 0 to 15", "a block has 16 barriers: write the number of one");
        }
    }

    fn count(&mut self, form: &Form<'a>) {
        let instruction = form.instruction;
        let counts: Vec<String> = form.counts().iter().map(usize::to_string).collect();
        let (takes, has) = (counts.join(" or "), instruction.operands.len());
        let name = instruction.full_name();
        let message = format!("`{name}` takes {takes} operands, and has {has}");
        let mut letters = "abcefg".chars();
        let shapes: Vec<String> = form.row.operands.iter().map(|shape| shape.shown(&mut letters)).collect();
        let help = if shapes.is_empty() {
            format!("write `{name};`")
        } else {
            format!("write `{name} {};`", shapes.join(", "))
        };
        self.problem(instruction.name_span(), message, format!("takes {takes}"), help);
    }

    fn shape(&mut self, form: &Form<'a>, shape: Shape, operand: &'a Operand) {
        match shape {
            Shape::To(of) => self.to(form, self.of(form, of), operand, false),
            Shape::ToWider(of) => self.to(form, self.of(form, of), operand, true),
            Shape::ToPair(of) => self.pair(form, self.of(form, of), operand),
            Shape::ToVector(of) => self.vector(form, self.of(form, of), operand, true),
            Shape::From(of) => self.from(form, self.of(form, of), operand, false),
            Shape::FromWider(of) => self.from(form, self.of(form, of), operand, true),
            Shape::FromVector(of) => self.vector(form, self.of(form, of), operand, false),
            Shape::Constant(_) => self.constant(form, operand),
            Shape::Predicate => match &operand.kind {
                OperandKind::Name(name) | OperandKind::Not(name) => self.predicate(name, operand.span),
                OperandKind::Integer(_) => {}
                _ => self.unfit(form, operand, "a predicate, or `!` and a predicate"),
            },
            Shape::MoveTo => self.move_to(form, operand),
            Shape::MoveFrom => self.move_from(form, operand),
            Shape::Address => self.address(form, operand),
            Shape::Label => match &operand.kind {
                OperandKind::Name(name) => self.label(name, operand.span),
                _ => self.unfit(form, operand, "a label"),
            },
            Shape::Targets => match &operand.kind {
                OperandKind::Name(name) => self.targets(name, operand.span),
                _ => self.unfit(form, operand, "the label of a `.branchtargets`"),
            },
            Shape::Call | Shape::Anything => {}
        }
    }

    /// The type that an operand has by its row.
    fn of(&self, form: &Form<'a>, of: Of) -> Type {
        match of {
            Of::Type(at) => form.ty(at).unwrap_or(Type::B32),
            Of::Wide(at) => super::types::wide(form.ty(at).unwrap_or(Type::B32)),
            Of::Is(ty) => ty,
        }
    }

    /// Notes that an operand is not what its place takes.
    pub(super) fn unfit(&mut self, form: &Form<'a>, operand: &Operand, what: &str) {
        let name = form.instruction.full_name();
        let message = format!("`{operand}` is not what `{name}` takes here");
        self.problem(operand.span, message, format!("expected {what}"), format!("write {what}"));
    }

    /// A name that must be a predicate.
    pub(super) fn predicate(&mut self, name: &str, span: Span) {
        match self.scopes.find(name) {
            Some(Meaning::Register { ty: Type::Pred, vector: None, .. }) => {}
            None => self.undeclared(name, span),
            Some(_) => {
                let help = format!("make a predicate of it: `setp.ne.b32 %p, {name}, 0`");
                self.problem(span, format!("`{name}` is no predicate"), "expected a predicate", help);
            }
        }
    }

    /// Notes that a name means nothing here.
    pub(super) fn undeclared(&mut self, name: &str, span: Span) {
        let (message, help) = match self.scopes.beyond(name) {
            Some((row, count)) => {
                let message = format!("`{name}` is behind the last of `{row}<{count}>`");
                (message, format!("a row of {count} ends with `{row}{}`: declare more", count.saturating_sub(1)))
            }
            None if name.starts_with('%') => {
                let help = "declare it: `.reg .b32 name;`; a row of registers is `.reg .b32 %r<12>;`".to_string();
                (format!("no register is called `{name}`"), help)
            }
            None => (
                format!("nothing is called `{name}` here"),
                "declare it before, in this block or in one around it".into(),
            ),
        };
        self.problem(span, message, "not declared", help);
    }
}
