//! Which instruction becomes what; branches and ends.

use super::arithmetic::TwoOp;
use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::constant;
use crate::syntax::{Instruction, OperandKind};
use simt_core::ScalarType;
use simt_core::code::{Inst, JumpKind, Operand, TableId, ValuesId};
use simt_core::ops::{BinaryOp, NumericOp};
use simt_core::program::{Message, MessageId, Piece};

impl<'m> Emitter<'m, '_> {
    /// Emits an instruction; `None` if something was wrong, which has been said.
    pub(super) fn lowered(&mut self, instruction: &'m Instruction) -> Option<()> {
        let binary = TwoOp::Binary;
        let numeric = TwoOp::Numeric;
        match instruction.opcode.text.as_str() {
            "add" => self.sum(instruction, false, false),
            "sub" => self.sum(instruction, true, false),
            "addc" => self.sum(instruction, false, true),
            "subc" => self.sum(instruction, true, true),
            "mul" => self.product(instruction, false),
            "mad" | "fma" => self.product(instruction, true),
            "div" => self.of_two(instruction, binary(BinaryOp::Div), binary(BinaryOp::Div)),
            "rem" => self.of_two(instruction, binary(BinaryOp::Rem), binary(BinaryOp::Rem)),
            "min" => self.of_two(instruction, numeric(NumericOp::Min), numeric(NumericOp::Min)),
            "max" => self.of_two(instruction, numeric(NumericOp::Max), numeric(NumericOp::Max)),
            "abs" => self.of_one(instruction, NumericOp::Abs),
            "neg" => self.negated(instruction),
            "sqrt" => self.of_one(instruction, NumericOp::Sqrt),
            "rcp" => self.of_one(instruction, NumericOp::Recip),
            "rsqrt" => self.reciprocal_root(instruction),
            "ex2" => self.of_one(instruction, NumericOp::Exp2),
            "lg2" => self.of_one(instruction, NumericOp::Log2),
            "sin" => self.of_one(instruction, NumericOp::Sin),
            "cos" => self.of_one(instruction, NumericOp::Cos),
            "tanh" => self.of_one(instruction, NumericOp::Tanh),
            "copysign" => self.copied_sign(instruction),
            "and" => self.logic(instruction, BinaryOp::And),
            "or" => self.logic(instruction, BinaryOp::Or),
            "xor" => self.logic(instruction, BinaryOp::Xor),
            "not" => self.inverted(instruction),
            "shl" => self.shift(instruction, true),
            "shr" => self.shift(instruction, false),
            "popc" => self.counted(instruction, NumericOp::CountOnes),
            "clz" => self.counted(instruction, NumericOp::LeadingZeros),
            "brev" => self.of_one(instruction, NumericOp::ReverseBits),
            "bfind" => self.highest_bit(instruction),
            "bfe" => self.field(instruction),
            "bfi" => self.inserted(instruction),
            "prmt" | "shf" | "dp4a" => self.of_words(instruction),
            name @ ("sad" | "mul24" | "cnot") => self.of_table(instruction, name),
            "setp" => self.set_predicate(instruction),
            "set" => self.set(instruction),
            "selp" => self.selected(instruction),
            "slct" => self.selected_by_sign(instruction),
            "testp" => self.tested(instruction),
            "cvt" => self.converted(instruction),
            "mov" => self.moved(instruction),
            "cvta" => self.converted_address(instruction),
            "isspacep" => self.in_space(instruction),
            "ld" | "ldu" => self.loaded(instruction),
            "st" => self.stored(instruction),
            "atom" => self.atomic(instruction, true),
            "red" => self.atomic(instruction, false),
            "membar" | "fence" => self.fence(instruction),
            "bra" => self.branch(instruction),
            "brx" => self.indirect(instruction),
            "call" => self.call(instruction),
            "ret" => {
                self.push_control(if self.owner.is_some() { Inst::Return } else { Inst::Exit });
                Some(())
            }
            "exit" => {
                self.push_control(Inst::Exit);
                Some(())
            }
            "trap" => self.trap(),
            "bar" | "barrier" => self.barrier(instruction),
            "vote" => self.vote(instruction),
            "shfl" => self.shuffle(instruction),
            "activemask" => self.active_mask(instruction),
            // What takes time and changes nothing.
            "nanosleep" | "prefetch" | "prefetchu" | "pmevent" | "discard" | "applypriority" => {
                let dst = self.temporary(ScalarType::U32);
                self.push(Inst::Move { ty: ScalarType::U32, dst, src: constant(0, ScalarType::U32) });
                Some(())
            }
            _ => self.unsupported(instruction, "it is not supported yet"),
        }
    }

    fn branch(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        modifiers.ignore(&["uni"]);
        self.only(instruction, &modifiers)?;
        let [target] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let label = match &target.kind {
            OperandKind::Name(name) => self.scopes.label(name),
            _ => None,
        };
        let Some(label) = label else {
            self.problem(target.span, "this is no label of the function", "declare it: `name:`");
            return None;
        };
        let target = simt_core::code::Pc(0);
        let inst = match self.take_guard() {
            Some(guard) => Inst::Branch { cond: Operand::Reg(guard.reg), when: guard.when, target, leaves: false },
            None => Inst::Jump { target, kind: JumpKind::Plain },
        };
        self.push_jump(inst, label);
        Some(())
    }

    /// `brx.idx`
    fn indirect(&mut self, instruction: &'m Instruction) -> Option<()> {
        let [index, table] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let OperandKind::Name(name) = &table.kind else { return self.miscounted(instruction) };
        let targets = self.scopes.targets(name);
        let labels = targets.map(|targets| targets.iter().map(|name| self.scopes.label(&name.text)).collect());
        let Some(Some(labels)) = labels else {
            self.problem(table.span, format!("`{name}` names no labels"), "write `name: .branchtargets A, B;`");
            return None;
        };
        let index = self.read(index, ScalarType::U32)?;
        let table = TableId(self.tables.len() as u32);
        self.tables.push(Vec::new());
        self.table_labels.push((table, labels));
        self.push_control(Inst::Indirect { index, table });
        Some(())
    }

    /// `trap`: ends the launch.
    fn trap(&mut self) -> Option<()> {
        let message = MessageId(self.messages.len() as u32);
        self.messages.push(Message { pieces: vec![Piece::Text("trap".into())] });
        let values = ValuesId(self.values.len() as u32);
        self.values.push(Vec::new());
        self.push_control(Inst::Panic { message, values });
        Some(())
    }
}
