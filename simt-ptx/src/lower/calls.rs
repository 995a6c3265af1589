//! Functions: what they are passed and what they return is in registers, one for each place of a `.param` that is accessed.

use super::callees::Class;
use super::emit::Emitter;
use super::operands::scalar;
use super::passed::{Callee, Known, PassedPlace};
use crate::scope::Meaning;
use crate::syntax::{Instruction, Operand as Written, OperandKind, Space, StatementKind, Variable};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Pc, ValuesId};
use simt_core::program::{Form, FunctionId, Message, MessageId, Piece, Style};

/// A place in a `.param` variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed(PassedPlace);

impl Passed {
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
    pub(super) fn passed_place(&mut self, written: &'m Written) -> Option<Passed> {
        let OperandKind::Address { base: Some(base), offset } = &written.kind else { return None };
        let offset = u32::try_from(*offset).ok()?;
        let Some(Meaning::Variable { variable, of_function, scope }) = self.scopes.find(&base.text) else {
            return None;
        };
        if !of_function {
            return if variable.space == Space::Param { self.of_call(scope, &base.text, offset) } else { None };
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

    /// What a variable of a block is to the call that names it.
    fn of_call(&mut self, scope: usize, name: &str, offset: u32) -> Option<Passed> {
        let mut found = None;
        super::walk(self.blocks.statements_of(scope), &mut |statement| {
            let StatementKind::Instruction(instruction) = &statement.kind else { return };
            let Some(call) = instruction.as_call() else { return };
            let place = |all: &[Written]| {
                all.iter().position(|operand| matches!(&operand.kind, OperandKind::Name(own) if own == name))
            };
            let (returned, number) = match (place(call.arguments), place(call.returns)) {
                (Some(number), _) => (false, number),
                (None, Some(number)) => (true, number),
                (None, None) => return,
            };
            found.get_or_insert((call, returned, number as u32));
        });
        let (call, returned, number) = found?;
        let OperandKind::Name(callee) = &call.callee.kind else { return None };
        let function = match (self.callees.indirect(&call), self.known(callee)) {
            (Some(indirect), _) => Callee::Signature(indirect.signature),
            (None, Some(known)) => Callee::Machine(known, self.owner),
            (None, None) => {
                let function = self.called(callee)?;
                self.callee(function)
            }
        };
        Some(Passed(PassedPlace { function, returned, number, offset }))
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
            for (number, operand) in (0..).zip(call.arguments) {
                self.is_variable(operand, (Callee::Machine(known, self.owner), false, number))?;
            }
            return self.call_machine(known);
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
        if matches!(operand.kind, OperandKind::Sink) || self.is_variable(operand, (function, returned, number))? {
            return Some(None);
        }
        let number_of = |variable: &Variable| {
            let plain = variable.space == Space::Param && variable.dimensions.is_empty() && variable.vector.is_none();
            scalar(variable.ty).filter(|_| plain)
        };
        let Some(ty) = declared.get(number as usize).and_then(number_of) else {
            return self.unsupported(instruction, "parameters are numbers in `.param` variables");
        };
        let place = PassedPlace { function, returned, number, offset: 0 };
        Some(Some((Passed(place), ty)))
    }

    /// Whether a variable is passed, which is then in the registers of the call: none of another call, and no parameter of the
    /// function itself.
    fn is_variable(&mut self, operand: &Written, place: (Callee, bool, u32)) -> Option<bool> {
        let OperandKind::Name(name) = &operand.kind else { return Some(false) };
        let Some(Meaning::Variable { of_function, scope, .. }) = self.scopes.find(name) else { return Some(false) };
        let own = if of_function { None } else { self.of_call(scope, name, 0) };
        if own.map(Passed::variable) == Some(place) {
            return Some(true);
        }
        let whose = if of_function { "the function's own parameter" } else { "what another call passes" };
        let help = "declare a `.param` variable for this call, in a block with it, and copy the value by `ld.param` and `st.param`";
        self.problem(operand.span, format!("`{name}` is {whose}, and this call cannot pass it, too"), help);
        None
    }

    /// A call of a function of the machine, whose arguments lie in registers.
    fn call_machine(&mut self, function: Known) -> Option<()> {
        let of = Callee::Machine(function, self.owner);
        let mut argument = |number: u32, ty: ScalarType| {
            let place = PassedPlace { function: of, returned: false, number, offset: 0 };
            (ty, Operand::Reg(self.passing(place, ty)))
        };
        let (address, word) = (ScalarType::U64, ScalarType::U32);
        let text = |text: &'static str| Piece::Text(text.into());
        let shown = |arg, form| Piece::Value { arg, style: Style { form, ..Style::default() } };
        let (pieces, values) = match function {
            Known::Print => (vec![shown(0, Form::Format)], vec![argument(0, address), argument(1, address)]),
            Known::Fail => (
                vec![
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
                vec![argument(0, address), argument(1, address), argument(2, word), argument(3, address)],
            ),
        };
        let (message, list) = (MessageId(self.messages.len() as u32), ValuesId(self.values.len() as u32));
        self.messages.push(Message { pieces });
        self.values.push(values);
        self.push_control(match function {
            Known::Print => Inst::Print { message, values: list },
            Known::Fail => Inst::Panic { message, values: list },
        });
        Some(())
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
