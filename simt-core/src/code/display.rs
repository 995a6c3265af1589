//! The listing: code with addresses, source lines, and for each basic block the threads that will be active in it.
//!
//! ```text
//! kernel collatz(start: &[u32], steps: &mut [u32])
//!                                            ; Θ0 = all threads
//!   @0   ge.usize   %7, global_id(), start.len()       8 | if i >= start.len() { return; }
//! ```
//! The mask of a block is written in terms of other blocks' masks: the taken or the other part of a branch, or everyone
//! who was at a branch once its paths have met. What the policy makes of that is the policy's affair.

use super::{Code, Inst, JumpKind, Marker, Operand, Pc, Reg};
use crate::analysis::{Cfg, immediate_post_dominators};
use crate::program::{Param, ParamKind};
use std::fmt;

/// Where the source column begins, unless the instruction is longer.
const SOURCE_COLUMN: usize = 52;

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ParamKind::Scalar(ty) => write!(f, "{}: {ty}", self.name),
            ParamKind::Slice { element, writable: false } => write!(f, "{}: &[{element}]", self.name),
            ParamKind::Slice { element, writable: true } => write!(f, "{}: &mut [{element}]", self.name),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<String> = self.params.iter().map(Param::to_string).collect();
        writeln!(f, "kernel {}({})", self.name, params.join(", "))?;
        let cfg = Cfg::new(self);
        let masks = masks(self, &cfg);
        let mut last_line = 0;
        for (block, (start, end)) in cfg.starts.iter().zip(&cfg.ends).enumerate() {
            writeln!(f, "{:SOURCE_COLUMN$}  ; Θ{block} = {}", "", masks[block])?;
            for pc in start.0..end.0 {
                let text = format!("  {:<5} {}", Pc(pc).to_string(), self.instruction(Pc(pc)));
                let line = self.spans[pc as usize].line;
                if line == last_line || line == 0 {
                    writeln!(f, "{text}")?;
                } else {
                    let source = self.source.line(line).unwrap_or_default().trim();
                    writeln!(f, "{text:SOURCE_COLUMN$} {line:>4} | {source}")?;
                    last_line = line;
                }
            }
        }
        Ok(())
    }
}

impl Code {
    /// One instruction as the listing prints it.
    ///
    /// # Panics
    /// If the address is not in the code.
    pub fn instruction(&self, pc: Pc) -> String {
        let reg = |reg: Reg| self.register(reg);
        let op = |operand: Operand| self.operand(operand);
        let name = |operation: &str, ty: &dyn fmt::Display| format!("{:<10}", format!("{operation}.{ty}"));
        let text = match *self.inst(pc) {
            Inst::Move { ty, dst, src } => format!("{} {}, {}", name("mov", &ty), reg(dst), op(src)),
            Inst::Unary { op: o, ty, dst, src } => format!("{} {}, {}", name(o.name(), &ty), reg(dst), op(src)),
            Inst::Binary { op: o, ty, dst, left, right } => {
                format!("{} {}, {}, {}", name(o.name(), &ty), reg(dst), op(left), op(right))
            }
            Inst::MulAdd { ty, dst, left, right, addend } => {
                format!("{} {}, {}, {}, {}", name("mad", &ty), reg(dst), op(left), op(right), op(addend))
            }
            Inst::Compare { op: o, ty, dst, left, right } => {
                format!("{} {}, {}, {}", name(o.name(), &ty), reg(dst), op(left), op(right))
            }
            Inst::Cast { from, to, dst, src } => {
                format!("{} {}, {}", name("cvt", &format_args!("{to}.{from}")), reg(dst), op(src))
            }
            Inst::Load { ty, dst, slice, index } => {
                format!("{} {}, {}[{}]", name("ld", &ty), reg(dst), self.param(slice), op(index))
            }
            Inst::Store { ty, slice, index, value } => {
                format!("{} {}[{}], {}", name("st", &ty), self.param(slice), op(index), op(value))
            }
            Inst::Branch { cond, when, target, .. } => {
                format!("{:<10} {}, {target}", if when { "bra" } else { "bra.not" }, op(cond))
            }
            Inst::Jump { target, kind } => {
                let name = match kind {
                    JumpKind::Plain => "jmp",
                    JumpKind::Join => "join",
                    JumpKind::Break => "brk",
                    JumpKind::Continue => "cont",
                };
                format!("{name:<10} {target}")
            }
            Inst::Exit => "exit".into(),
            Inst::Marker(Marker::PushSync(target)) => format!("{:<10} {target}", "ssy"),
            Inst::Marker(Marker::PushBreak(target)) => format!("{:<10} {target}", "prebrk"),
            Inst::Marker(Marker::PushContinue(target)) => format!("{:<10} {target}", "precont"),
            Inst::Marker(Marker::Pop) => "sync".into(),
        };
        match self.reconvergence[pc.index()] {
            Some(join) => format!("{text}, meet {join}"),
            None => text,
        }
    }

    /// A register's name: the variable's, numbered where several variables share it, or the number of a temporary.
    fn register(&self, reg: Reg) -> String {
        let index = reg.0 as usize;
        match &self.registers[index].name {
            Some(name) if !name.is_empty() => {
                let earlier = self.registers[..index].iter().filter(|r| r.name.as_ref() == Some(name)).count();
                if earlier == 0 { format!("%{name}") } else { format!("%{name}.{}", earlier + 1) }
            }
            _ => format!("%{index}"),
        }
    }

    fn param(&self, param: crate::program::ParamId) -> &str {
        &self.params[param.0 as usize].name
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Reg(reg) => self.register(reg),
            Operand::Const(constant) => constant.to_string(),
            Operand::Param(param) => self.param(param).to_string(),
            Operand::Len(param) => format!("{}.len()", self.param(param)),
            Operand::Builtin(builtin) => builtin.to_string(),
        }
    }
}

/// For each block, its threads in terms of those of other blocks.
fn masks(code: &Code, cfg: &Cfg) -> Vec<String> {
    let predecessors = cfg.predecessors();
    let post_dominators = immediate_post_dominators(&cfg.successors);
    (0..cfg.starts.len())
        .map(|block| {
            if predecessors[block].is_empty() {
                return if block == 0 { "all threads" } else { "no thread" }.to_string();
            }
            // The outermost branch whose paths meet here speaks for the inner ones.
            let branch = (0..cfg.starts.len())
                .find(|&b| cfg.successors[b].len() > 1 && post_dominators[b] == Some(block) && b < block);
            if let Some(branch) = branch {
                return format!("Θ{branch}, those that did not exit");
            }
            let parts = predecessors[block].iter().map(|&from| part(code, cfg, from, block));
            let entry = (block == 0).then(|| "all threads".to_string());
            entry.into_iter().chain(parts).collect::<Vec<_>>().join(" + ")
        })
        .collect()
}

/// The threads that go from one block to another.
fn part(code: &Code, cfg: &Cfg, from: usize, to: usize) -> String {
    let last = Pc(cfg.ends[from].0 - 1);
    if let Inst::Branch { cond, when, target, .. } = *code.inst(last)
        && cfg.successors[from].len() > 1
    {
        let taken = cfg.block_of[target.index()] == to;
        let not = if taken == when { "" } else { "!" };
        return format!("Θ{from} where {not}{}", code.operand(cond));
    }
    format!("Θ{from}")
}
