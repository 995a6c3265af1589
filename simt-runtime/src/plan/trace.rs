//! The way of a segment through the code: over jumps, to where it ends.

use super::control::{Control, Waits, control};
use super::translate::Translator;
use super::{Part, PlanError};
use simt_core::code::{Code, Inst, JumpKind, Markers, Pc};

/// The most parts that a segment follows jumps to: enough for the glue between statements, and a bound on copies of code.
const MAX_PARTS: usize = 8;

/// Emits the segment that starts at an address, and returns how it ends.
pub(super) fn trace(
    code: &Code,
    stops: &[bool],
    start: Pc,
    translator: &mut Translator<'_>,
    parts: &mut Vec<Part>,
    waits: &mut Waits,
) -> Result<Control, PlanError> {
    let first = parts.len();
    let mut at = start;
    let mut jumps = 0;
    loop {
        let mut pc = at;
        let control = loop {
            translator.instruction(pc)?;
            let control = control(code, pc, translator, waits)?;
            if let Control::Next(next) = control
                && !stops[next.index()]
            {
                pc = next;
            } else {
                break control;
            }
        };
        // Only the last instruction can be one that does not count: a join, or a marker, which is a part of its own.
        let instructions = pc.0 - at.0 + u32::from(code.inst(pc).is_counted());
        if instructions > 0 {
            parts.push(Part { at, instructions });
        }
        if code.inst(pc).is_marker() {
            parts.push(Part { at: pc, instructions: 0 });
        }
        jumps += 1;
        let seen = |pc: Pc| parts[first..].iter().any(|part| pc >= part.at && pc.0 < part.at.0 + part.instructions);
        if let Control::Jump { target, kind } = control
            && (matches!(kind, JumpKind::Plain | JumpKind::Join) || code.markers != Markers::Tokens)
            && !stops[target.index()]
            && !seen(target)
            && jumps < MAX_PARTS
            && (target > pc || comes_to_a_branch(code, target))
        {
            at = target;
        } else {
            return Ok(control);
        }
    }
}

/// Whether threads at an address come to a branch, or to their end. Policies count branches and jumps to give others a turn: in
/// a loop without a branch they are to be told of its jump back.
fn comes_to_a_branch(code: &Code, mut at: Pc) -> bool {
    // A loop without one is left after as many instructions as there are.
    for _ in &code.insts {
        match code.inst(at) {
            Inst::Branch { .. } | Inst::Indirect { .. } | Inst::Exit => return true,
            Inst::Jump { target, .. } => at = *target,
            Inst::Return => return false,
            _ => at = at.next(),
        }
    }
    false
}
