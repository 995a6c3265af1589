//! Well-formedness of code: what code must be before anything runs it.
//!
//! Code that [`Code::lower`] makes keeps these rules by construction; code that was written by hand, as text or as data,
//! need not. After `validate`, what runs the code relies on them.
//!
//! # The rules
//!
//! The whole
//! 1. has at least one instruction, and a span and a reconvergence address (or none) for each, and if any has a guard, a guard
//!    (or none);
//! 2. consists of the kernel and behind it the functions, in the order of their numbers, without gaps;
//!    each has at least one instruction, and its last one never falls through; no two functions share a name.
//!
//! An instruction (`types`)
//! 3. names registers, parameters, arrays, functions, messages, values, tables and barriers that exist;
//! 4. names registers of its own function, and of others those that pass values or are parameters:
//!    it only writes the latter, and only if that function is not recursive;
//! 5. reads and writes values of the types of its operation, which is defined on them;
//!    a constant is of the operand's type and has no bits beyond its width;
//! 6. loads from slices and arrays of the type, stores to writable ones, at an index that is a `usize`;
//!    atomics are read and written by atomic operations only;
//! 7. goes to addresses of its own function; a call goes to the entry of its function; only functions return;
//! 8. shows as many values as its message names.
//!    Symbols (`symbols`) have a size, an alignment that is a power of two, and initialisers that fit. Memory by address is
//!    not written in constant and parameter space, and has no `bool`s.
//!    A guard is a `bool`, stands before no control instruction, and before none that writes a register which is `once`.
//! 9. A register that is `once` has at most one instruction that writes it. What a `bmov` saved is read by `bmov` only.
//!
//! The flow (`assigned`, `tokens`)
//! 10. writes a register before it reads it, on every path, calls included: machines do not clear registers, and results
//!     would depend on what ran before. A register may be written by a function's caller, and by a function for its caller.
//!     A guarded write does not count, and one that is `zeroed` need not be written.
//! 11. if the family is [`Markers::Tokens`], pushes and pops tokens alike on all paths that meet.
//! 12. Only if the family is [`Markers::PostDominators`], an instruction has a reconvergence address, and it is a branch;
//!     and all ways from it to the end come by that address (`meets`).

mod assigned;
mod error;
mod meets;
mod symbols;
mod tokens;
mod types;

pub use error::CodeError;

use super::{Code, Inst, Markers, Pc, Reg};
use crate::program::Validated;
use error::Mistake;

/// What a check found: nothing, or a mistake.
type Check = Result<(), Mistake>;

impl Code {
    /// Checks that the code is one that can be run.
    ///
    /// ```
    /// use simt_core::code::{Code, Inst, Markers};
    /// use simt_core::program::Program;
    ///
    /// let code = Program::default().code(Markers::None);
    /// assert!(code.clone().validate().is_ok());
    /// let endless = Code { insts: Vec::new(), ..code };
    /// assert_eq!(endless.validate().unwrap_err().message(), "there are no instructions");
    /// ```
    ///
    /// # Errors
    /// The first broken rule; the list of rules is at the top of this function's source file.
    pub fn validate(self) -> Result<Validated<Self>, CodeError> {
        match self.check() {
            Ok(()) => Ok(Validated::trusted(self)),
            Err(mistake) => Err(CodeError::new(mistake, self.name)),
        }
    }

    /// Checks that each branch, jump and marker names addresses of its own function, and each call the entry of a function
    /// (rules 2 and 7; CUDA report, section 6.2, program address consistency). A part of what [`Code::validate`] checks.
    ///
    /// # Errors
    /// The first instruction that does not.
    pub fn check_addresses(&self) -> Result<(), CodeError> {
        let checked = self.check_sections().and_then(|()| self.check_targets());
        checked.map_err(|mistake| CodeError::new(mistake, self.name.clone()))
    }

    /// The registers that some path reads before it has written them, in code that breaks no other rule: with them
    /// [`zeroed`](super::Register::zeroed) it is valid. For code from elsewhere, whose registers need not be written.
    ///
    /// ```
    /// use simt_core::code::{Code, Reg};
    ///
    /// let text = "kernel k(x: u64)\n.reg zeroed u32 %v, bool %p\nlt.u32 %p, %v, 1\n@%p mov.u32 %v, 2\nst.global.u32 [x], %v\nexit";
    /// let mut code = Code::parse(text)?.into_inner();
    /// code.registers[0].zeroed = false;
    /// assert_eq!(code.unwritten()?, [Reg(0)]);
    /// assert!(code.validate().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first other rule that is broken.
    pub fn unwritten(&self) -> Result<Vec<Reg>, CodeError> {
        let pops = self.check_all_but_writes().map_err(|mistake| CodeError::new(mistake, self.name.clone()))?;
        Ok(assigned::missing(self, &pops).into_iter().collect())
    }

    fn check(&self) -> Check {
        let pops = self.check_all_but_writes()?;
        assigned::check(self, &pops)
    }

    /// Checks rules 1 to 9, 11 and 12; returns where each `sync` leads.
    fn check_all_but_writes(&self) -> Result<Vec<Option<Pc>>, Mistake> {
        self.check_sections()?;
        self.check_targets()?;
        meets::check(self)?;
        symbols::check(self)?;
        types::check(self)?;
        tokens::check(self)
    }

    /// Whether the code can be printed with its blocks: sections and targets are as they must be.
    pub(crate) fn has_blocks(&self) -> bool {
        self.check_sections().and_then(|()| self.check_targets()).is_ok()
    }

    /// First and last address of the kernel and of each function, the end exclusive.
    fn sections(&self) -> impl Iterator<Item = (usize, usize)> {
        let end = self.insts.len();
        let kernel = (0, self.functions.first().map_or(end, |function| function.entry.index()));
        std::iter::once(kernel).chain(self.functions.iter().map(|f| (f.entry.index(), f.end.index())))
    }

    fn check_sections(&self) -> Check {
        let len = self.insts.len();
        if len == 0 {
            return Err(Mistake::of_all("there are no instructions", "at least `exit`"));
        }
        if self.spans.len() != len || self.reconvergence.len() != len {
            return Err(Mistake::of_all("spans or reconvergence addresses are missing", "one for each instruction"));
        }
        if !self.modifiers.is_empty() && self.modifiers.len() != len {
            return Err(Mistake::of_all("modifiers are missing", "one for each instruction"));
        }
        let mut next = 0;
        for (entry, end) in self.sections() {
            if entry != next || end <= entry || end > len {
                let last = Pc(next.saturating_sub(1) as u32);
                return Err(Mistake::at(last, "a function has no instructions", "functions one behind the other"));
            }
            if !self.insts[end - 1].never_falls_through() {
                let expected = "a jump, `exit` or `ret` as the last instruction";
                return Err(Mistake::at(Pc(end as u32 - 1), "the code runs out behind this instruction", expected));
            }
            next = end;
        }
        if next != len {
            return Err(Mistake::at(Pc(next as u32), "this instruction belongs to no function", "the end"));
        }
        for (index, function) in self.functions.iter().enumerate() {
            if self.functions[..index].iter().any(|other| other.name == function.name) {
                let what = format!("there are two functions `{}`", function.name);
                return Err(Mistake::at(function.entry, what, "another name"));
            }
        }
        Ok(())
    }

    fn check_targets(&self) -> Check {
        for (entry, end) in self.sections() {
            let inside = |pc: Pc| (entry..end).contains(&pc.index());
            for (index, inst) in self.insts.iter().enumerate().take(end).skip(entry) {
                let pc = Pc(index as u32);
                match *inst {
                    Inst::Call { function, target } => {
                        if self.functions.get(function.0 as usize).is_none_or(|callee| callee.entry != target) {
                            return Err(Mistake::slot(pc, 0, "there is no such function", "the entry of a function"));
                        }
                        continue;
                    }
                    Inst::Indirect { table, .. } => match self.tables.get(table.0 as usize) {
                        Some(targets) if !targets.is_empty() => {}
                        _ => return Err(Mistake::slot(pc, 1, "there are no targets", "at least one")),
                    },
                    Inst::Return if entry == 0 => {
                        return Err(Mistake::at(pc, "`ret` in a kernel", "`exit`"));
                    }
                    _ => {}
                }
                let targets = inst.target().into_iter().chain(self.indirect_targets(inst));
                // The place to meet is written behind the target.
                let slots = self.slots(inst).len();
                let meet = self.reconvergence[index].map(|meet| (meet, slots + 1));
                for (target, slots) in targets.map(|target| (target, slots)).chain(meet) {
                    if !inside(target) {
                        let what = format!("{target} is not an address of this function");
                        let expected = format!("{} to {}", Pc(entry as u32), Pc(end as u32 - 1));
                        return Err(Mistake::target(pc, slots, what, expected));
                    }
                    if self.continues(target) {
                        let what = format!("{target} is a part of the instruction in front of it");
                        return Err(Mistake::target(
                            pc,
                            slots,
                            what,
                            "the address of an instruction that does not begin with `+`",
                        ));
                    }
                }
                let may_meet = matches!(inst, Inst::Branch { .. } | Inst::Indirect { .. });
                if self.reconvergence[index].is_some() && !(may_meet && self.markers == Markers::PostDominators) {
                    let what = "a place to meet, which this family of markers or this instruction has not";
                    return Err(Mistake::at(pc, what, "`.markers post-dominators` and a branch"));
                }
            }
        }
        Ok(())
    }
}
