//! The listing: code with addresses, source lines, and for each basic block the threads that will be active in it.
//!
//! ```text
//! kernel collatz(start: &[u32], steps: &mut [u32])
//! .markers post-dominators
//! .reg once usize %i, u32 %n, %count, once bool %3
//!                                                       ; Θ0 = all threads
//!   @0    ge.usize   %3, global_id(), start.len()       ; 8 | if i >= start.len() { return; }
//! ```
//! The mask of a block is written in terms of other blocks' masks: the taken or the other part of a branch, or all
//! threads that were at a branch once its paths have met. A policy may run fewer of them at a time.
//!
//! With labels instead of addresses, `{code:#}`, lines can be added and removed: `L12:` stands before what was at `@12`.
//!
//! The assembler reads it; masks and source lines are comments to it.

mod instruction;
mod masks;
mod names;
mod symbols;

use super::literal::literal;
use super::literal::name;
use super::markers_name;
use crate::analysis::reconvergence_points;
use crate::code::Cfg;
use crate::code::{Code, CodeFunction, Inst, Markers, Pc, Reg, Register, RegisterRole};
use crate::program::{Array, ArraySpace, FunctionId, Param, ParamKind};
use crate::scalar::Constant;
use crate::scalar::ScalarType;
use instruction::{instruction, may_part};
use names::Names;
use std::collections::BTreeSet;
use std::fmt;

/// Where comments begin, unless the instruction is longer.
const COMMENT: usize = 52;
/// Longest line of declarations.
const LINE: usize = 100;

/// The Rust type of an atomic.
fn atomic(element: ScalarType) -> String {
    let name = element.name();
    format!("Atomic{}{}", name[..1].to_ascii_uppercase(), &name[1..])
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constant = if matches!(self.kind, ParamKind::Constant { .. }) { "#[constant] " } else { "" };
        write!(f, "{constant}{}: ", name(&self.name))?;
        match self.kind {
            ParamKind::Scalar(ty) => write!(f, "{ty}"),
            ParamKind::Slice { element, writable: false } | ParamKind::Constant { element } => {
                write!(f, "&[{element}]")?;
                let Some(table) = &self.table else { return Ok(()) };
                let elements: Vec<String> = table.iter().map(|&bits| literal(Constant { ty: element, bits })).collect();
                write!(f, " = [{}]", elements.join(", "))
            }
            ParamKind::Slice { element, writable: true } => write!(f, "&mut [{element}]"),
            ParamKind::Atomic { element } => write!(f, "&[{}]", atomic(element)),
            ParamKind::Bytes { size, align } => write!(f, "bytes {size} align {align}"),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = f.alternate();
        let names = if labels { Names::of(self).with_labels() } else { Names::of(self) };
        let targets = if labels { targets(self) } else { BTreeSet::new() };
        let params: Vec<String> = self.params.iter().map(Param::to_string).collect();
        writeln!(f, "kernel {}({})", name(&self.name), params.join(", "))?;
        writeln!(f, ".markers {}", markers_name(self.markers))?;
        if let Some(bounds) = self.launch_bounds {
            writeln!(f, ".launch_bounds {}", bounds.threads)?;
        }
        let mut numbers = Numbers::default();
        declarations(f, self, &names, None, &mut numbers)?;
        // Code that is not valid need not have blocks.
        let blocks = if self.has_blocks() { blocks(self, &names) } else { vec![(0, self.insts.len() as u32, None)] };
        let nearest = match self.markers {
            Markers::PostDominators if self.has_blocks() => reconvergence_points(self),
            _ => vec![None; self.insts.len()],
        };
        let mut last = None;
        for (start, end, mask) in blocks {
            let begins = |function: &&CodeFunction| function.entry.0 == start;
            if let Some((function, id)) = self.functions.iter().zip(0..).find(|(function, _)| begins(function)) {
                let recursive = if function.recursive { " recursive" } else { "" };
                writeln!(f, "\nfunc {}{recursive}", names.function(FunctionId(id)))?;
                declarations(f, self, &names, Some(FunctionId(id)), &mut numbers)?;
                last = None;
            }
            if let Some(mask) = mask.filter(|_| !labels) {
                writeln!(f, "{:COMMENT$}  ; {mask}", "")?;
            }
            for pc in (start..end).map(Pc) {
                let nearest = nearest[pc.index()].filter(|_| may_part(self.inst(pc)));
                let address = if labels { String::new() } else { pc.to_string() };
                if targets.contains(&pc) {
                    writeln!(f, "{}:", names.address(pc))?;
                }
                let text = format!("  {address:<5} {}", instruction(self, &names, pc, nearest));
                let line = self.spans.get(pc.index()).map_or(0, |span| span.line);
                match self.source_at(pc).line(line).filter(|_| line != 0 && last != Some(line)) {
                    Some(source) => {
                        writeln!(f, "{text:COMMENT$}  ; {line:>4} | {}", source.trim())?;
                        last = Some(line);
                    }
                    None => writeln!(f, "{text}")?,
                }
            }
        }
        Ok(())
    }
}

/// The addresses that instructions name.
fn targets(code: &Code) -> BTreeSet<Pc> {
    let of_inst = |inst| Inst::target(inst).into_iter().chain(code.indirect_targets(inst));
    let calls = |inst: &&Inst| !matches!(inst, Inst::Call { .. });
    code.insts.iter().filter(calls).flat_map(of_inst).chain(code.reconvergence.iter().copied().flatten()).collect()
}

/// First and last address of each block, the end exclusive, and its active mask.
fn blocks(code: &Code, names: &Names) -> Vec<(u32, u32, Option<String>)> {
    let mut cfg = Cfg::new(code);
    // A path that ends at a `sync` goes on where the token says.
    for (target, index) in code.sync_targets().into_iter().zip(0..) {
        if let Some(target) = target {
            cfg.successors[cfg.block_of[index]] = vec![cfg.block_of[target.index()]];
        }
    }
    let masks = masks::masks(code, names, &cfg).into_iter().zip(0..);
    let ends = cfg.starts.iter().zip(&cfg.ends);
    ends.zip(masks).map(|((start, end), (mask, block))| (start.0, end.0, Some(format!("Θ{block} = {mask}")))).collect()
}

/// The numbers that the declarations so far have used.
#[derive(Default)]
struct Numbers {
    registers: usize,
    arrays: usize,
    symbols: usize,
}

/// The arrays, symbols and registers of a function, or of the kernel.
fn declarations(
    f: &mut fmt::Formatter<'_>,
    code: &Code,
    names: &Names,
    function: Option<FunctionId>,
    numbers: &mut Numbers,
) -> fmt::Result {
    let arrays = code.arrays.iter().enumerate().filter(|(_, array)| array.function == function);
    for (index, Array { element, length, dynamic, unset, row, space, atomic: is_atomic, .. }) in arrays {
        let space = if *space == ArraySpace::Shared { "shared" } else { "local" };
        let number = if index == numbers.arrays { String::new() } else { format!("#{index} ") };
        let element = if *is_atomic { atomic(*element) } else { element.to_string() };
        let ty = match (dynamic, row) {
            (true, 0 | 1) => format!("[{element}]"),
            (true, row) => format!("[[{element} x {row}]]"),
            (false, _) => format!("[{element} x {length}]{}", if *unset { " unset" } else { "" }),
        };
        writeln!(f, ".{space} {number}{}: {ty}", names.array(index))?;
        numbers.arrays = index + 1;
    }
    let symbols = code.symbols.iter().enumerate().filter(|(_, symbol)| symbol.function == function);
    for (index, symbol) in symbols {
        let number = if index == numbers.symbols { String::new() } else { format!("#{index} ") };
        writeln!(f, "{}", symbols::symbol(names, symbol, &number, index))?;
        numbers.symbols = index + 1;
    }
    let mut line = String::new();
    let mut kind = None;
    let registers = code.registers.iter().enumerate().filter(|(_, register)| register.function == function);
    for (index, register) in registers {
        let name = names.register(Reg(index as u32), function);
        let is_next = index == numbers.registers;
        numbers.registers = index + 1;
        let entry = if kind == Some(kind_of(register)) && is_next {
            name.clone()
        } else {
            described(register, index, is_next, &name)
        };
        kind = Some(kind_of(register));
        if !line.is_empty() && line.chars().count() + entry.chars().count() + 2 > LINE {
            writeln!(f, "{line}")?;
            line.clear();
        }
        if line.is_empty() {
            line = format!(".reg {}", described(register, index, is_next, &name));
        } else {
            line.push_str(", ");
            line.push_str(&entry);
        }
    }
    if line.is_empty() { Ok(()) } else { writeln!(f, "{line}") }
}

/// What the registers of one group have in common.
fn kind_of(register: &Register) -> (bool, bool, bool, RegisterRole, ScalarType) {
    (register.written_once, register.untyped, register.zeroed, register.role, register.ty)
}

/// A register with what it is.
fn described(register: &Register, index: usize, is_next: bool, name: &str) -> String {
    let number = if is_next { String::new() } else { format!("#{index} ") };
    let once = if register.written_once { "once " } else { "" };
    let untyped = if register.untyped { "untyped " } else { "" };
    let zeroed = if register.zeroed { "zeroed " } else { "" };
    let passing = if register.role == RegisterRole::Passing { "passing " } else { "" };
    format!("{number}{once}{untyped}{zeroed}{passing}{} {name}", register.ty)
}
