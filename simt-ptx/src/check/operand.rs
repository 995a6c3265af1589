//! What `mov` takes, and memory.

use super::Checker;
use super::types::compatible;
use crate::scope::Meaning;
use crate::syntax::{FunctionKind, Operand, OperandKind, Space, Type};
use crate::table::{Becomes, Form};

impl<'a> Checker<'a> {
    /// What `mov` writes.
    pub(super) fn move_to(&mut self, form: &Form<'a>, operand: &'a Operand) {
        let ty = form.ty(0).unwrap_or(Type::B32);
        match &operand.kind {
            OperandKind::Vector(elements) => self.parts(form, ty, operand, elements, true),
            OperandKind::Name(name) if self.whole_vector(name, ty) => {}
            _ => self.to(form, ty, operand, false),
        }
    }

    /// What `mov` and `cvta` read.
    pub(super) fn move_from(&mut self, form: &Form<'a>, operand: &'a Operand) {
        let ty = form.ty(0).unwrap_or(Type::B32);
        match &operand.kind {
            OperandKind::Vector(elements) => self.parts(form, ty, operand, elements, false),
            OperandKind::Name(name) if self.whole_vector(name, ty) => {}
            OperandKind::Name(name) | OperandKind::Sum(name, _) => match self.scopes.find(name) {
                Some(Meaning::Variable { .. } | Meaning::Function(_)) => self.symbol(form, ty, operand),
                None if matches!(operand.kind, OperandKind::Sum(..)) => self.undeclared(name, operand.span),
                _ => self.from(form, ty, operand, false),
            },
            _ => self.from(form, ty, operand, false),
        }
    }

    /// A `mov` has several registers on one side only.
    pub(super) fn move_of_parts(&mut self, form: &Form<'a>) {
        let several = |operand: &Operand| match &operand.kind {
            OperandKind::Vector(_) => true,
            OperandKind::Name(name) => {
                matches!(self.scopes.find(name), Some(Meaning::Register { vector: Some(_), .. }))
            }
            _ => false,
        };
        if form.vector().is_some() || !form.instruction.operands.iter().all(several) {
            return;
        }
        let name = form.instruction.full_name();
        let message = format!("`{name}` copies several registers to one, or one to several");
        let help = "write `mov.v2` or `mov.v4`, and the type of each";
        self.problem(form.instruction.name_span(), message, "both are several", help);
    }

    /// Whether a name is a vector of registers that has the size of a type, all of which `mov` copies.
    fn whole_vector(&self, name: &str, ty: Type) -> bool {
        let Some(Meaning::Register { ty: has, vector: Some(vector), .. }) = self.scopes.find(name) else {
            return false;
        };
        has.bits() * vector.elements() == ty.bits()
    }

    /// The address of a variable or a function.
    fn symbol(&mut self, form: &Form<'a>, ty: Type, operand: &Operand) {
        let wide = matches!(ty, Type::U64 | Type::S64 | Type::B64);
        // Addresses of shared memory fit 32 bits, and hand-written code has them so.
        let narrow = matches!(ty, Type::U32 | Type::S32 | Type::B32);
        let name = match &operand.kind {
            OperandKind::Name(name) | OperandKind::Sum(name, _) => name,
            _ => return,
        };
        let shared = matches!(
            self.scopes.find(name),
            Some(Meaning::Variable { variable, .. }) if matches!(variable.space, Space::Shared | Space::Local | Space::Const)
        );
        if let Some(Meaning::Function(function)) = self.scopes.find(name)
            && function.kind == FunctionKind::Entry
        {
            self.unsupported(format!("address of the kernel {name}"), super::call::LAUNCH, operand.span);
        } else if let Some(Meaning::Variable { variable, of_function: false, .. }) = self.scopes.find(name)
            && variable.space == Space::Param
        {
            let message = format!("`{name}` is what a call passes, which has no address");
            let help = "declare a `.local` variable, and take its address";
            self.problem(operand.span, message, "no address", help);
        } else if !(wide || narrow && shared) {
            let instruction = form.instruction.full_name();
            let message = format!("`{operand}` is an address, which does not fit what `{instruction}` moves");
            self.problem(operand.span, message, "64 bits", "use `mov.u64`, and a register of 64 bits");
        }
    }

    /// Registers that are joined to one, or filled with its parts.
    fn parts(&mut self, form: &Form<'a>, ty: Type, operand: &'a Operand, elements: &'a [Operand], to: bool) {
        let name = form.instruction.full_name();
        let count = u32::try_from(elements.len()).unwrap_or(u32::MAX);
        if !matches!(count, 2 | 4 | 8) || !matches!(ty, Type::B16 | Type::B32 | Type::B64 | Type::B128) {
            let message = format!("`{name}` does not take {count} registers as one");
            let help =
                "`mov.b32`, `mov.b64` and `mov.b128` take two or four registers, which have the size of one together";
            self.problem(operand.span, message, "not as one", help);
            return;
        }
        let bits = ty.bits() / count;
        for element in elements {
            match &element.kind {
                OperandKind::Sink if to => {}
                OperandKind::Integer(_) if !to => {}
                OperandKind::Float(_) if !to && bits >= 32 => {}
                OperandKind::Name(register) => match self.scopes.find(register) {
                    Some(Meaning::Register { ty: has, vector: None, .. })
                        if has.bits() == bits && has != Type::Pred => {}
                    Some(Meaning::Register { ty: has, .. }) => {
                        let message = format!(
                            "`{register}` is `.{}`, and {count} such do not make a `.{}`",
                            has.text(),
                            ty.text()
                        );
                        let help = format!("use registers of {bits} bits");
                        self.problem(element.span, message, format!("expected {bits} bits"), help);
                    }
                    Some(Meaning::Special(special)) if !to && special.ty.bits() == bits && !special.parts => {}
                    Some(_) => self.unfit(form, element, "a register"),
                    None => self.undeclared(register, element.span),
                },
                OperandKind::Component(..) if !to => self.from(form, bits_of(bits), element, false),
                _ => self.unfit(form, element, if to { "a register, or `_`" } else { "a register or a constant" }),
            }
        }
    }

    /// Memory.
    pub(super) fn address(&mut self, form: &Form<'a>, operand: &'a Operand) {
        let OperandKind::Address { base, .. } = &operand.kind else {
            self.unfit(form, operand, "an address in brackets: `[%rd1]`, `[%rd1+8]` or `[name]`");
            return;
        };
        let Some(base) = base else { return };
        let space = form.space();
        match self.scopes.find(&base.text) {
            Some(Meaning::Register { ty, vector: None, .. }) => {
                let short = matches!(space, Some(Space::Shared | Space::Local | Space::Const | Space::Param));
                let fits = compatible(Type::B64, ty, false) || short && compatible(Type::B32, ty, false);
                if !fits || matches!(ty, Type::F32 | Type::F64) {
                    let message = format!("`{base}` is `.{}`, which is no address", ty.text());
                    let help = match ty.bits() {
                        32 => "widen it with `cvt.u64.u32`",
                        _ => "an address is a register of 64 bits: `.b64`, `.u64` or `.s64`",
                    };
                    self.problem(base.span, message, "expected 64 bits", help);
                }
            }
            Some(Meaning::Variable { variable, of_function, .. }) => {
                if space.is_some_and(|space| space != variable.space) {
                    let (has, name) = (variable.space.text(), form.instruction.full_name());
                    let message = format!("`{base}` is in `.{has}`, and `{name}` is of another space");
                    self.problem(base.span, message, format!("in `.{has}`"), format!("write `.{has}` in `{name}`"));
                }
                let kernel = self.function.is_some_and(|function| function.kind == FunctionKind::Entry);
                let writes = matches!(form.becomes(), Becomes::Store | Becomes::Atomic | Becomes::Reduce);
                if writes && (variable.space == Space::Const || of_function && kernel) {
                    let message = format!("`{base}` cannot be written");
                    let help =
                        "parameters of kernels and `.const` are only read: write to a `.local` or `.global` variable";
                    self.problem(base.span, message, "only read", help);
                } else if space.is_none() && matches!(variable.space, Space::Param | Space::Const) {
                    let has = variable.space.text();
                    let message = format!("`{base}` is in `.{has}`, which has no generic addresses");
                    let help = format!("write `.{has}` in `{}`", form.instruction.full_name());
                    self.problem(base.span, message, format!("in `.{has}`"), help);
                }
            }
            None => self.undeclared(&base.text, base.span),
            Some(_) => {
                let message = format!("`{base}` is no address");
                self.problem(base.span, message, "expected a register or a variable", "take the address in a register");
            }
        }
    }
}

/// The type of as many bits.
fn bits_of(bits: u32) -> Type {
    match bits {
        8 => Type::B8,
        16 => Type::B16,
        32 => Type::B32,
        _ => Type::B64,
    }
}
