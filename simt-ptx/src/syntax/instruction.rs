//! Statements.

use super::types::{Type, Variable, Vector};
use super::{Name, Operand, OperandKind};
use crate::span::Span;

/// Statements between braces, with names of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What stands in it.
    pub statements: Vec<Statement>,
    /// Where its `}` stands.
    pub end: Span,
}

/// A statement, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it begins.
    pub span: Span,
}

/// What stands in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// A place that branches name.
    Label(Name),
    /// An instruction.
    Instruction(Instruction),
    /// Statements with names of their own.
    Block(Block),
    /// Registers.
    Registers(Registers),
    /// A variable.
    Variable(Variable),
    /// Where in the source the next instructions are from.
    Location(Location),
    /// Texts for the compiler.
    Pragma(Vec<String>),
    /// Labels that a `brx.idx` may go to: `.branchtargets`, behind its label.
    BranchTargets(Vec<Name>),
    /// Functions that an indirect call may call: `.calltargets`, behind its label.
    CallTargets(Vec<Name>),
    /// What an indirect call returns and takes: `.callprototype`, behind its label.
    CallPrototype {
        /// What it returns.
        returns: Vec<Variable>,
        /// What it takes.
        parameters: Vec<Variable>,
        /// Whether it does not return.
        no_return: bool,
    },
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The predicate that says which lanes do it.
    pub guard: Option<Guard>,
    /// What stands in front of the first dot: `add`.
    pub opcode: Name,
    /// What stands behind the dots, in the order of the table: `rn`, `f32`.
    pub modifiers: Vec<Name>,
    /// Its operands.
    pub operands: Vec<Operand>,
}

impl Instruction {
    /// The opcode with its modifiers: `add.rn.f32`.
    #[must_use]
    pub fn full_name(&self) -> String {
        self.modifiers.iter().fold(self.opcode.text.clone(), |name, modifier| name + "." + &modifier.text)
    }

    /// Where opcode and modifiers stand.
    #[must_use]
    pub fn name_span(&self) -> Span {
        let ends = self.modifiers.iter().map(|modifier| modifier.span);
        ends.fold(self.opcode.span, |all, end| if all.to(end).length > all.length { all.to(end) } else { all })
    }

    /// Whether it has a modifier.
    #[must_use]
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|own| own.text == modifier)
    }

    /// What a `call` calls, and with what; none if it is no call, or its operands are none of a call's.
    #[must_use]
    pub fn as_call(&self) -> Option<Call<'_>> {
        if self.opcode.text != "call" {
            return None;
        }
        let (returns, rest) = split_list(&self.operands);
        let (callee, rest) = rest.split_first()?;
        let (arguments, rest) = split_list(rest);
        let targets = match rest {
            [] => None,
            [targets] => Some(targets),
            _ => return None,
        };
        let named = |operand: &Operand| matches!(operand.kind, OperandKind::Name(_));
        let call = Call { returns, callee, arguments, targets };
        (named(callee) && targets.is_none_or(named)).then_some(call)
    }
}

/// The operands of a list in parentheses, if that is the first, and what stands behind it.
fn split_list(operands: &[Operand]) -> (&[Operand], &[Operand]) {
    match operands {
        [Operand { kind: OperandKind::List(list), .. }, rest @ ..] => (list, rest),
        rest => (&[], rest),
    }
}

/// The parts of a `call`.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Where the results go.
    pub returns: &'a [Operand],
    /// The function, or a register that holds its address: a name.
    pub callee: &'a Operand,
    /// What it is called with.
    pub arguments: &'a [Operand],
    /// The `.calltargets` or `.callprototype` of an indirect call: a name.
    pub targets: Option<&'a Operand>,
}

/// What stands in front of an instruction: `@%p1` or `@!%p1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Whether lanes do the instruction whose predicate is false.
    pub negated: bool,
    /// The predicate.
    pub register: Name,
}

/// A `.reg`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Of how many `ty` each is a vector.
    pub vector: Option<Vector>,
    /// Their type.
    pub ty: Type,
    /// Their names.
    pub names: Vec<RegisterName>,
}

/// A name of a `.reg`, or that of a row of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterName {
    /// The name: `%r` of `%r<12>`.
    pub name: Name,
    /// Of a row how many: `%r<12>` declares `%r0` to `%r11`.
    pub count: Option<u32>,
}

/// A `.loc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of the file.
    pub file: u32,
    /// The line, from 1; 0 is none.
    pub line: u32,
    /// The column, from 1; 0 is none.
    pub column: u32,
    /// The label of the function's name in a debug section, and what is added to it.
    pub function: Option<(Name, u64)>,
    /// File, line and column of the call that was inlined here.
    pub inlined_at: Option<(u32, u32, u32)>,
}
