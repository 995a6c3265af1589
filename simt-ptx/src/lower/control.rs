//! Which instruction becomes what; branches and ends.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::constant;
use crate::syntax::{Instruction, OperandKind};
use crate::table::{Becomes, Binary, Carry, Form, Ternary, Unary};
use simt_core::ScalarType;
use simt_core::code::{Inst, JumpKind, Operand, TableId, ValuesId};
use simt_core::ops::{BinaryOp, NumericOp};
use simt_core::program::{Message, MessageId, Piece};

impl<'m> Emitter<'m, '_> {
    /// Emits an instruction; `None` if something was wrong, which has been said.
    pub(super) fn lowered(&mut self, instruction: &'m Instruction) -> Option<()> {
        let Some(form) = Form::of(instruction) else {
            return self.unsupported(instruction, "no row of the table has it");
        };
        match form.becomes() {
            Becomes::Unary(op) => self.unary(instruction, op),
            Becomes::Binary(op) => match op {
                Binary::Add => self.sum(instruction, false, false),
                Binary::Sub => self.sum(instruction, true, false),
                Binary::MulLo | Binary::MulHi | Binary::MulWide => self.product(instruction, false),
                Binary::Mul24Lo | Binary::Mul24Hi => self.of_table(instruction, "mul24"),
                Binary::And => self.logic(instruction, BinaryOp::And),
                Binary::Or => self.logic(instruction, BinaryOp::Or),
                Binary::Xor => self.logic(instruction, BinaryOp::Xor),
                Binary::Shl => self.shift(instruction, true),
                Binary::Shr => self.shift(instruction, false),
                Binary::CopySign => self.copied_sign(instruction),
                Binary::Div => self.divided(instruction, BinaryOp::Div),
                Binary::Rem => self.divided(instruction, BinaryOp::Rem),
                Binary::Min => self.least(instruction, NumericOp::Min),
                Binary::Max => self.least(instruction, NumericOp::Max),
                Binary::BitMask | Binary::SignExtend => self.of_words(instruction),
            },
            Becomes::Ternary(op) => match op {
                Ternary::MadLo | Ternary::MadHi | Ternary::MadWide | Ternary::Fma => self.product(instruction, true),
                Ternary::Mad24Lo | Ternary::Mad24Hi => self.product_of_24(instruction),
                Ternary::Sad => self.of_table(instruction, "sad"),
                Ternary::BitExtract => self.field(instruction),
                Ternary::BitInsert => self.inserted(instruction),
                Ternary::Min3 => self.least(instruction, NumericOp::Min),
                Ternary::Max3 => self.least(instruction, NumericOp::Max),
                Ternary::Lookup3 => self.looked_up(instruction),
                Ternary::Permute
                | Ternary::FunnelLeft
                | Ternary::FunnelRight
                | Ternary::Dot4
                | Ternary::Dot2
                | Ternary::FindNth
                | Ternary::AbsDiff4
                | Ternary::AbsDiff4Add => self.of_words(instruction),
            },
            Becomes::Carry(op) => match op {
                Carry::Add => self.sum(instruction, false, false),
                Carry::AddC => self.sum(instruction, false, true),
                Carry::Sub => self.sum(instruction, true, false),
                Carry::SubC => self.sum(instruction, true, true),
                Carry::MadLo => self.product_with_carry(instruction, false, false),
                Carry::MadHi => self.product_with_carry(instruction, true, false),
                Carry::MadCLo => self.product_with_carry(instruction, false, true),
                Carry::MadCHi => self.product_with_carry(instruction, true, true),
            },
            Becomes::Compare => self.set_predicate(instruction),
            Becomes::CompareValue => self.set(instruction),
            Becomes::Select => self.selected(instruction),
            Becomes::SelectBySign => self.selected_by_sign(instruction),
            Becomes::TestFloat => self.tested(instruction),
            Becomes::Convert => self.converted(instruction),
            Becomes::Move => self.moved(instruction),
            Becomes::ToGeneric | Becomes::FromGeneric => self.converted_address(instruction),
            Becomes::IsSpace => self.in_space(instruction),
            Becomes::Load => self.loaded(instruction),
            Becomes::Store => self.stored(instruction),
            Becomes::Atomic => self.atomic(instruction, true),
            Becomes::Reduce => self.atomic(instruction, false),
            Becomes::Fence => self.fence(instruction),
            Becomes::Branch => self.branch(instruction),
            Becomes::BranchIndexed => self.indirect(instruction),
            Becomes::Call => self.call(instruction),
            Becomes::Return => {
                self.return_kept();
                self.push_control(if self.owner.is_some() { Inst::Return } else { Inst::Exit });
                Some(())
            }
            Becomes::Exit => {
                self.push_control(Inst::Exit);
                Some(())
            }
            Becomes::Trap => self.trap(),
            Becomes::Barrier | Becomes::BarrierArrive | Becomes::BarrierReduce | Becomes::WarpBarrier => {
                self.barrier(instruction)
            }
            Becomes::Vote => self.vote(instruction),
            Becomes::Shuffle => self.shuffle(instruction),
            Becomes::ActiveMask => self.active_mask(instruction),
            // What takes time and changes nothing.
            Becomes::Sleep | Becomes::Nothing => {
                let dst = self.temporary(ScalarType::U32);
                self.push(Inst::Move { ty: ScalarType::U32, dst, src: constant(0, ScalarType::U32) });
                Some(())
            }
            Becomes::ConvertPair => self.converted_pair(instruction),
            Becomes::Match => self.matched(instruction),
            Becomes::WarpReduce => self.reduced(instruction),
            Becomes::Elect => self.elected(instruction),
            Becomes::Unsupported(reason) => self.unsupported(instruction, reason),
        }
    }

    fn unary(&mut self, instruction: &'m Instruction, op: Unary) -> Option<()> {
        let function = match op {
            Unary::Neg => return self.negated(instruction),
            Unary::Not => return self.inverted(instruction),
            Unary::Cnot => return self.of_table(instruction, "cnot"),
            Unary::Popc => return self.counted(instruction, NumericOp::CountOnes),
            Unary::Clz => return self.counted(instruction, NumericOp::LeadingZeros),
            Unary::Bfind => return self.highest_bit(instruction),
            Unary::Rsqrt => return self.reciprocal_root(instruction),
            Unary::Abs => NumericOp::Abs,
            Unary::Brev => NumericOp::ReverseBits,
            Unary::Rcp => NumericOp::Recip,
            Unary::Sqrt => NumericOp::Sqrt,
            Unary::Sin => NumericOp::Sin,
            Unary::Cos => NumericOp::Cos,
            Unary::Ex2 => NumericOp::Exp2,
            Unary::Lg2 => NumericOp::Log2,
            Unary::Tanh => NumericOp::Tanh,
        };
        self.of_one(instruction, function)
    }

    fn branch(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        modifiers.ignore(&["uni"]);
        self.only(instruction, &modifiers)?;
        let [target] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let label = match &target.kind {
            OperandKind::Name(name) => self.blocks.label(name),
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
        let targets = self.blocks.targets(name);
        let labels = targets.map(|targets| targets.iter().map(|name| self.blocks.label(&name.text)).collect());
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
