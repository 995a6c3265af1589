//! One instruction as text.

use super::names::Names;
use crate::code::shape::Slot;
use crate::code::{Address, Code, Guard, Inst, Operand, Pc};
use crate::program::FunctionId;
use crate::text::{literal::literal, message};

/// Width of the column of mnemonics.
const MNEMONIC: usize = 10;

impl Code {
    /// One instruction as the listing prints it.
    ///
    /// # Panics
    /// If the address is not in the code.
    pub fn instruction(&self, pc: Pc) -> String {
        instruction(self, &Names::of(self), pc, None)
    }

    /// All instructions as text, by address.
    pub fn instructions(&self) -> Vec<String> {
        let names = Names::of(self);
        (0..self.insts.len() as u32).map(|pc| instruction(self, &names, Pc(pc), None)).collect()
    }
}

/// One instruction. `nearest` is the nearest address where all paths from it meet, as the analysis finds it: where the
/// code says another one, that is shown.
pub(super) fn instruction(code: &Code, names: &Names, pc: Pc, nearest: Option<Pc>) -> String {
    let inst = code.inst(pc);
    let here = code.function_at(pc).map(|(id, _)| id);
    let slots: Vec<String> = code.slots(inst).iter().map(|slot| slot_text(code, names, here, slot)).collect();
    let mnemonic = inst.mnemonic();
    let mut text = if slots.is_empty() { mnemonic } else { format!("{mnemonic:<MNEMONIC$} {}", slots.join(", ")) };
    if let Some(Guard { reg, when }) = code.guard(pc) {
        let not = if when { "" } else { "!" };
        text = format!("@{not}{} {text}", names.register(reg, here));
    }
    if code.continues(pc) {
        text = format!("+ {text}");
    }
    match (code.reconvergence.get(pc.index()).copied().flatten(), nearest) {
        (Some(meet), _) => text.push_str(&format!(", meet {}", names.address(meet))),
        (None, Some(_)) => text.push_str(", meet none"),
        (None, None) => {}
    }
    text
}

fn slot_text(code: &Code, names: &Names, here: Option<FunctionId>, slot: &Slot) -> String {
    let value = |operand| operand_text(names, here, operand);
    match *slot {
        Slot::Write(reg, _) => names.register(reg, here),
        Slot::Read(operand, _) => value(operand),
        Slot::Element(memory, index, _, _) => format!("{}[{}]", names.memory(memory), value(index)),
        Slot::Address(Address { offset, base, .. }) => {
            let offset = if offset == 0 { String::new() } else { format!("{offset:+}") };
            format!("[{}{offset}]", value(base))
        }
        Slot::Target(pc) => names.address(pc),
        Slot::Table(table) => {
            let targets = code.tables.get(table.0 as usize).map_or(&[][..], Vec::as_slice);
            format!("[{}]", targets.iter().map(|&pc| names.address(pc)).collect::<Vec<_>>().join(", "))
        }
        Slot::Barrier(barrier) => barrier.to_string(),
        Slot::Function(function) => names.function(function).to_string(),
        Slot::Message(id) => code.messages.get(id.0 as usize).map_or_else(|| "\"\"".into(), message::written),
        Slot::Shown(operand, ty) => format!("{ty} {}", value(operand)),
        Slot::Nothing => "_".into(),
    }
}

pub(super) fn operand_text(names: &Names, here: Option<FunctionId>, operand: Operand) -> String {
    match operand {
        Operand::Reg(reg) => names.register(reg, here),
        Operand::Const(constant) => literal(constant),
        Operand::Param(param) => names.param(param).to_string(),
        Operand::Len(memory) => format!("{}.len()", names.memory(memory)),
        Operand::Builtin(builtin) => builtin.to_string(),
        Operand::Symbol(symbol) => format!("&{}", names.symbol(symbol)),
        Operand::ParamAddress(param) => format!("&{}", names.param(param)),
    }
}

/// Whether threads may part at an instruction.
pub(super) const fn may_part(inst: &Inst) -> bool {
    matches!(inst, Inst::Branch { .. } | Inst::Indirect { .. })
}
