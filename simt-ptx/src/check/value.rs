//! Operands that are values: registers, constants, parts of registers.

use super::Checker;
use super::types::{compatible, takes_float, takes_integers};
use crate::scope::Meaning;
use crate::syntax::{Component, Operand, OperandKind, Type, Vector};
use crate::table::Form;

impl<'a> Checker<'a> {
    /// A register that is written, or `_`.
    pub(super) fn to(&mut self, form: &Form<'a>, ty: Type, operand: &'a Operand, wider: bool) {
        match &operand.kind {
            OperandKind::Sink => {}
            OperandKind::Name(name) => match self.scopes.find(name) {
                Some(Meaning::Register { ty: has, vector: None, .. }) => self.width(form, ty, has, operand, wider),
                Some(Meaning::Special(_)) => self.read_only(operand),
                Some(_) => self.unfit(form, operand, "a register"),
                None => self.undeclared(name, operand.span),
            },
            OperandKind::Component(name, component) => match self.scopes.find(name) {
                Some(Meaning::Register { ty: has, vector: Some(vector), .. }) => {
                    self.component(form, operand, vector, *component);
                    self.width(form, ty, has, operand, wider);
                }
                Some(Meaning::Special(_)) => self.read_only(operand),
                None => self.undeclared(name, operand.span),
                Some(_) => self.unfit(form, operand, "a register"),
            },
            _ => self.unfit(form, operand, "a register, or `_`"),
        }
    }

    fn read_only(&mut self, operand: &Operand) {
        let message = format!("`{operand}` cannot be written");
        self.problem(operand.span, message, "the machine fills it", "write to a register of your own");
    }

    /// A register that is written, or that and a predicate.
    pub(super) fn pair(&mut self, form: &Form<'a>, ty: Type, operand: &'a Operand) {
        match &operand.kind {
            OperandKind::Pair(first, second) => {
                self.to(form, ty, first, false);
                self.to(form, Type::Pred, second, false);
            }
            _ => self.to(form, ty, operand, false),
        }
    }

    /// A register or a constant.
    pub(super) fn from(&mut self, form: &Form<'a>, ty: Type, operand: &'a Operand, wider: bool) {
        match &operand.kind {
            OperandKind::Name(name) => match self.scopes.find(name) {
                Some(Meaning::Register { ty: has, vector: None, .. }) => self.width(form, ty, has, operand, wider),
                Some(Meaning::Special(special)) if !special.parts => self.special(form, ty, name, special, operand),
                Some(Meaning::Special(_)) => {
                    self.unfit(form, operand, &format!("`{name}.x`, `{name}.y` or `{name}.z`"));
                }
                Some(Meaning::Variable { .. } | Meaning::Function(_)) => {
                    let message = format!("`{name}` is an address, which only `mov` and `cvta` take");
                    let help = format!("move it to a register before: `mov.u64 %rd, {name}`");
                    self.problem(operand.span, message, "expected a register or a constant", help);
                }
                Some(Meaning::Register { .. }) => self.unfit(form, operand, &format!("a part: `{name}.x`")),
                None => self.undeclared(name, operand.span),
            },
            OperandKind::Component(name, component) => match self.scopes.find(name) {
                Some(Meaning::Register { ty: has, vector: Some(vector), .. }) => {
                    self.component(form, operand, vector, *component);
                    self.width(form, ty, has, operand, wider);
                }
                Some(Meaning::Special(special)) if special.parts => self.special(form, ty, name, special, operand),
                None => self.undeclared(name, operand.span),
                Some(_) => self.unfit(form, operand, "a register or a constant"),
            },
            OperandKind::Not(name) if ty == Type::Pred => self.predicate(name, operand.span),
            OperandKind::Integer(_) => self.integer(form, ty, operand),
            OperandKind::Float(float) if takes_float(ty, *float) => {}
            OperandKind::Float(_) => self.unfit(form, operand, "an integer or a register"),
            OperandKind::Sum(name, _) if matches!(self.scopes.find(name), Some(Meaning::Variable { .. })) => {
                let message = format!("`{operand}` is an address, which only `mov` and `cvta` take");
                let help = format!("move it to a register before: `mov.u64 %rd, {operand}`");
                self.problem(operand.span, message, "expected a register or a constant", help);
            }
            OperandKind::Not(_) => self.unfit(form, operand, "a register or a constant, without `!`"),
            _ => self.unfit(form, operand, "a register or a constant"),
        }
    }

    /// A constant in the place of an integer, a predicate or bits.
    pub(super) fn integer(&mut self, form: &Form<'a>, ty: Type, operand: &Operand) {
        if !takes_integers(ty) {
            let help = match ty {
                Type::F32 => "a float, such as `1.0` or `0f3F800000`, or a register",
                Type::F64 => "a double, such as `1.0` or `0d3FF0000000000000`, or a register",
                _ => "a register: move the bits there before, with `mov.b16` or `mov.b32`",
            };
            self.unfit(form, operand, help);
        }
    }

    /// A constant that no register may replace.
    pub(super) fn constant(&mut self, form: &Form<'a>, operand: &'a Operand) {
        let of_lines = matches!(form.row.name, "discard" | "applypriority");
        match operand.kind {
            OperandKind::Integer(128) => {}
            OperandKind::Integer(_) if !of_lines => {}
            _ => self.unfit(form, operand, if of_lines { "the size of a line, 128" } else { "an integer" }),
        }
    }

    fn special(&mut self, form: &Form<'a>, ty: Type, name: &str, special: crate::table::Special, operand: &Operand) {
        match special.unsupported {
            Some(reason) => self.unsupported(name, reason, operand.span),
            // What fits 16 bits was read with `.u16` in the first versions.
            None if special.parts && ty.bits() == 16 => {}
            None => self.width(form, ty, special.ty, operand, false),
        }
    }

    fn component(&mut self, form: &Form<'a>, operand: &Operand, vector: Vector, component: Component) {
        if component.index() >= vector.elements() {
            self.unfit(form, operand, &format!("one of the {} parts", vector.elements()));
        }
    }

    /// Whether a register of a type may stand where an instruction has another.
    fn width(&mut self, form: &Form<'a>, ty: Type, has: Type, operand: &Operand, wider: bool) {
        if compatible(ty, has, wider) {
            return;
        }
        let name = form.instruction.full_name();
        let message = format!("`{operand}` is `.{}`, and `{name}` has `.{}` here", has.text(), ty.text());
        let at_least = if wider && ty != Type::Pred { " at least" } else { "" };
        let help = match (has.bits() == ty.bits(), ty, has) {
            (_, Type::Pred, _) => "make a predicate of it: `setp.ne.b32 %p, %r, 0`".to_string(),
            (_, _, Type::Pred) => "make a number of it: `selp.b32 %r, 1, 0, %p`".to_string(),
            (true, ..) => format!("copy the bits with `mov.b{}`, or convert the value with `cvt`", ty.bits()),
            (false, ..) => format!("convert it with `cvt`, or use a register of {} bits", ty.bits()),
        };
        self.problem(operand.span, message, format!("expected{at_least} {} bits", ty.bits()), help);
    }

    /// As many registers or constants as the modifier says.
    pub(super) fn vector(&mut self, form: &Form<'a>, ty: Type, operand: &'a Operand, to: bool) {
        // Registers may be wider than what memory has; those of a copy are as wide.
        let copies = form.row.name == "mov";
        let one = |checker: &mut Self, operand: &'a Operand| match to {
            true if copies && operand.kind == OperandKind::Sink => checker.unfit(form, operand, "a register"),
            true => checker.to(form, ty, operand, !copies),
            false => checker.from(form, ty, operand, !copies),
        };
        if let Some(vector) = form.vector().filter(|_| ty == Type::B128) {
            let message = format!("there is no `.{}` of `.{}`", vector.text(), ty.text());
            let help = "a vector has 16 bytes at most, or 32 as `.v4` of 64 bits and `.v8` of 32";
            self.problem(form.instruction.name_span(), message, "too large", help);
            return;
        }
        let Some(vector) = form.vector() else {
            // Braces around one are what some write.
            match &operand.kind {
                OperandKind::Vector(elements) if elements.len() == 1 => one(self, &elements[0]),
                _ => one(self, operand),
            }
            return;
        };
        match &operand.kind {
            OperandKind::Vector(elements) if elements.len() == vector.elements() as usize => {
                elements.iter().for_each(|element| one(self, element));
            }
            OperandKind::Name(name) => match self.scopes.find(name) {
                Some(Meaning::Register { ty: has, vector: Some(own), .. }) if own == vector => {
                    self.width(form, ty, has, operand, !copies);
                }
                // `mov.v4.u32 {..}, %tid`
                Some(Meaning::Special(special)) if !to && copies && special.parts && vector == Vector::V4 => {
                    self.special(form, ty, name, special, operand);
                }
                None => self.undeclared(name, operand.span),
                Some(_) => self.unfit(form, operand, &format!("{} registers in braces", vector.elements())),
            },
            _ => self.unfit(form, operand, &format!("{} registers in braces", vector.elements())),
        }
    }
}
