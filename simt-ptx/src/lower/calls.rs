//! Functions: what they are passed and what they return is in registers, one for each place of a `.param` that is accessed.

use super::callees::Class;
use super::emit::Emitter;
use super::operands::scalar;
use super::passed::{Callee, Known, PassedPlace};
use crate::scope::Meaning;
use crate::syntax::{Instruction, Operand as Written, OperandKind, Space, Variable};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Pc, ValuesId};
use simt_core::program::{Form, FunctionId, Message, MessageId, Piece, Style};

/// A place in a `.param` variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed(PassedPlace);

impl Passed {
    pub(super) fn new(place: PassedPlace) -> Self {
        Self(place)
    }

    /// Another place in it.
    pub(super) fn at(self, offset: u32) -> PassedPlace {
        PassedPlace { offset, ..self.0 }
    }

    pub(super) fn offset(self) -> u32 {
        self.0.offset
    }

    /// The function, whether it is returned, and its number.
    pub(super) fn variable(self) -> (Callee, bool, u32) {
        (self.0.function, self.0.returned, self.0.number)
    }
}

impl<'m> Emitter<'m, '_> {
    /// The place that an address of parameters means, if it is one of a function's, or of a call's.
    pub(super) fn passed_place(&mut self, written: &'m Written, writes: bool) -> Option<Passed> {
        let OperandKind::Address { base: Some(base), offset } = &written.kind else { return None };
        let offset = u32::try_from(*offset).ok()?;
        let Some(Meaning::Variable { variable, of_function, .. }) = self.scopes.find(&base.text) else {
            return None;
        };
        if !of_function {
            return if variable.space == Space::Param { self.of_call(&base.text, offset, writes) } else { None };
        }
        let (function, owner) = (self.function?, self.owner?);
        let of = |variables: &[Variable]| variables.iter().position(|own| own.name.text == base.text);
        let (returned, number) = match (of(&function.parameters), of(&function.returns)) {
            (Some(number), _) => (false, number),
            (None, number) => (true, number?),
        };
        let number = number as u32;
        let is_kept = self.kept.contains(&(returned, number));
        let function = if is_kept { Callee::Kept(owner) } else { self.callee(owner) };
        Some(Passed(PassedPlace { function, returned, number, offset }))
    }

    /// What a variable of a block is to the next call, or to the one before: the check lets no other be written or read.
    fn of_call(&mut self, name: &str, offset: u32, writes: bool) -> Option<Passed> {
        let at = if writes { self.next_call } else { self.next_call.checked_sub(1)? };
        let call = self.calls.get(at)?.as_call()?;
        let operands = if writes { call.arguments } else { call.returns };
        let is_own = |operand: &Written| matches!(&operand.kind, OperandKind::Name(own) if own == name);
        let number = operands.iter().position(is_own)? as u32;
        let OperandKind::Name(callee) = &call.callee.kind else { return None };
        let function = match (self.callees.indirect(&call), self.known(callee)) {
            (Some(indirect), _) => Callee::Signature(indirect.signature),
            (None, Some(known)) => Callee::Machine(known, self.owner),
            (None, None) => {
                let function = self.called(callee)?;
                self.callee(function)
            }
        };
        Some(Passed(PassedPlace { function, returned: !writes, number, offset }))
    }

    /// The number of a function that is called.
    pub(super) fn called(&mut self, name: &str) -> Option<FunctionId> {
        let Some(Meaning::Function(function)) = self.scopes.find(name) else { return None };
        if let Some(known) = self.functions.iter().position(|known| std::ptr::eq(*known, function)) {
            return Some(FunctionId(known as u32));
        }
        function.body.as_ref()?;
        self.functions.push(function);
        Some(FunctionId(self.functions.len() as u32 - 1))
    }

    /// The registers that a function is passed its arguments in.
    pub(super) fn callee(&self, function: FunctionId) -> Callee {
        match self.functions.get(function.0 as usize).map(|function| self.callees.class(&function.name.text)) {
            Some(Class::Signature(signature)) => Callee::Signature(signature),
            _ => Callee::Function(function),
        }
    }

    /// `call`
    pub(super) fn call(&mut self, instruction: &'m Instruction) -> Option<()> {
        let Some(call) = instruction.as_call() else { return self.miscounted(instruction) };
        let OperandKind::Name(name) = &call.callee.kind else { return self.miscounted(instruction) };
        if self.named_register(name).is_some() {
            return self.call_indirect(instruction, call);
        }
        if let Some(known) = self.known(name) {
            let Some(Meaning::Function(declared)) = self.scopes.find(name) else { return None };
            let callee = Callee::Machine(known, self.owner);
            self.arguments(instruction, callee, &declared.parameters, call.arguments)?;
            self.call_machine(instruction, known)?;
            return self.results(instruction, callee, &declared.returns, call.returns);
        }
        let Some(function) = self.called(name) else {
            let message = format!("the module has no body of the function `{name}`");
            self.problem(
                call.callee.span,
                message,
                "link it into the module: functions of other modules are not found",
            );
            return None;
        };
        let (declared, callee) = (self.functions[function.0 as usize], self.callee(function));
        self.arguments(instruction, callee, &declared.parameters, call.arguments)?;
        self.pass_activation(&[declared], callee);
        self.push_control(Inst::Call { function, target: Pc(0) });
        self.issue_next();
        self.results(instruction, callee, &declared.returns, call.returns)
    }

    /// Passes the arguments that are in no variables.
    pub(super) fn arguments(
        &mut self,
        instruction: &'m Instruction,
        callee: Callee,
        declared: &[Variable],
        passed: &'m [Written],
    ) -> Option<()> {
        for (number, operand) in (0..).zip(passed) {
            if let Some((place, ty)) = self.direct(instruction, (callee, false, number), declared, operand)? {
                self.store_passed(instruction, place, ty, std::slice::from_ref(operand))?;
            }
        }
        Some(())
    }

    /// Takes the results that go to no variables.
    pub(super) fn results(
        &mut self,
        instruction: &'m Instruction,
        callee: Callee,
        declared: &[Variable],
        passed: &'m [Written],
    ) -> Option<()> {
        for (number, operand) in (0..).zip(passed) {
            if let Some((place, ty)) = self.direct(instruction, (callee, true, number), declared, operand)? {
                self.load_passed(instruction, place, ty, std::slice::from_ref(operand))?;
            }
        }
        Some(())
    }

    /// What a call passes without a variable: a register or a constant, of a parameter that is a number.
    fn direct(
        &mut self,
        instruction: &'m Instruction,
        (function, returned, number): (Callee, bool, u32),
        declared: &[Variable],
        operand: &Written,
    ) -> Option<Option<(Passed, ScalarType)>> {
        if matches!(operand.kind, OperandKind::Sink) || self.is_variable(operand) {
            return Some(None);
        }
        let number_of = |variable: &Variable| {
            let plain = variable.dimensions.is_empty() && variable.vector.is_none();
            scalar(variable.ty).filter(|ty| plain && *ty != ScalarType::Bool)
        };
        let Some(ty) = declared.get(number as usize).and_then(number_of) else {
            return self.unsupported(instruction, "parameters are numbers, and structs in `.param` variables");
        };
        let place = PassedPlace { function, returned, number, offset: 0 };
        Some(Some((Passed(place), ty)))
    }

    /// Whether a variable is passed, which is then in the registers of the call.
    fn is_variable(&self, operand: &Written) -> bool {
        let OperandKind::Name(name) = &operand.kind else { return false };
        matches!(self.scopes.find(name), Some(Meaning::Variable { .. }))
    }

    /// A call of a function of the machine, whose arguments lie in registers.
    fn call_machine(&mut self, instruction: &'m Instruction, function: Known) -> Option<()> {
        let place = |returned, number| {
            Passed(PassedPlace { function: Callee::Machine(function, self.owner), returned, number, offset: 0 })
        };
        let (address, word) = (ScalarType::U64, ScalarType::U32);
        let types = match function {
            Known::Print => &[address, address][..],
            Known::Fail => &[address, address, word, address],
        };
        let places: Vec<(Passed, ScalarType)> =
            (0..).zip(types).map(|(number, &ty)| (place(false, number), ty)).collect();
        let result = place(true, 0);
        let arguments: Option<Vec<(ScalarType, Operand)>> =
            places.into_iter().map(|(place, ty)| Some((ty, self.taken(instruction, place, ty)?))).collect();
        let text = |text: &'static str| Piece::Text(text.into());
        let shown = |arg, form| Piece::Value { arg, style: Style { form, ..Style::default() } };
        let pieces = match function {
            Known::Print => vec![shown(0, Form::Format)],
            Known::Fail => vec![
                text("assertion `"),
                shown(0, Form::Text),
                text("` failed at "),
                shown(1, Form::Text),
                text(":"),
                shown(2, Form::Display),
                text(" in `"),
                shown(3, Form::Text),
                text("`"),
            ],
        };
        let (message, list) = (MessageId(self.messages.len() as u32), ValuesId(self.values.len() as u32));
        self.messages.push(Message { pieces });
        self.values.push(arguments?);
        let Known::Print = function else {
            self.push_control(Inst::Panic { message, values: list });
            return Some(());
        };
        let whole = self.whole(result, word);
        let count = whole.unwrap_or_else(|| self.temporary(word));
        self.push_control(Inst::Print { dst: Some(count), message, values: list });
        if whole.is_some() { Some(()) } else { self.give(instruction, result, word, Operand::Reg(count)) }
    }

    /// The function of the machine that has a name, unless the module has one of its own.
    fn known(&self, name: &str) -> Option<Known> {
        if matches!(self.scopes.find(name), Some(Meaning::Function(function)) if function.body.is_some()) {
            return None;
        }
        match name {
            "vprintf" => Some(Known::Print),
            "__assertfail" => Some(Known::Fail),
            _ => None,
        }
    }
}
