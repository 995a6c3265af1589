//! The flat form: instructions with addresses.
//!
//! What a program becomes stands at [`lower`](Code::lower), which turns it into code once per family of [`Markers`]; code
//! comes from its text form, too. Either way [`validate`](Code::validate) checks it before it runs.

mod address;
mod cfg;
mod inst;
mod marker;
mod parts;
pub(crate) mod shape;
mod spaces;
mod validate;

pub use address::{Operand, Pc, Reg, TableId, ValuesId};
pub use cfg::Cfg;
pub use inst::{Inst, JumpKind};
pub use marker::{BarrierReg, Marker};
pub use spaces::{Address, AddressSpace, Guard, InitialAddress, Initialiser, Modifier, Symbol, SymbolId};
pub use validate::CodeError;

use crate::program::{Array, FunctionId, LaunchBounds, Memory, Message, Param, give_lengths};
use crate::scalar::ScalarType;
use crate::source::{Source, Span};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// Which markers the code carries: what the compiler tells the reconvergence mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Markers {
    /// No markers.
    None,
    /// Each branch knows the address of its immediate post-dominator.
    PostDominators,
    /// Instructions that push and pop tokens (ESOP'12 section 2.3).
    Tokens,
    /// Convergence barriers where the Hanoi paper has them: as in [`PtxasBarriers`](Self::PtxasBarriers), but that threads that
    /// wait for a lock or flag in a loop meet behind the last strong write to it (section VI-C), and `yield` stands at the
    /// loop's head; with 8 registers.
    HanoiBarriers,
    /// Convergence barriers where NVIDIA's assembler `ptxas` puts them: at immediate post-dominators of branches that lanes
    /// may part at, once around a loop, early where paths of unstructured code meet before, and around calls from which
    /// lanes return one after the other; `break` where a path leaves for good, `yield` on the way back in loops with atomic,
    /// volatile or collective operations; with 12 registers. The rules are at the top of `lower/barriers`.
    PtxasBarriers,
}

impl Markers {
    /// Every family.
    pub const ALL: &[Self] =
        &[Self::None, Self::PostDominators, Self::Tokens, Self::HanoiBarriers, Self::PtxasBarriers];
}

/// A virtual register.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// The user's name of the variable it holds; a temporary has none.
    pub name: Option<Cow<'static, str>>,
    /// Type of its value.
    pub ty: ScalarType,
    /// Whether one instruction alone writes it, so that it holds one value per execution of that instruction.
    pub written_once: bool,
    /// Whether it holds bits: an instruction reads and writes it as any type that is as wide, and that machines compute in the
    /// same registers: see [`Register::holds`].
    pub untyped: bool,
    /// Whether it is zero, or false, where a thread begins, so that it may be read before it is written.
    pub zeroed: bool,
    /// The function that it belongs to; `None` for the kernel.
    pub function: Option<FunctionId>,
    /// What it is for.
    pub role: RegisterRole,
}

impl Register {
    /// Whether an instruction may read or write it as a type.
    ///
    /// ```
    /// # use simt_core::{ScalarType, code::{Register, RegisterRole}};
    /// # let register = |ty| Register {
    /// #     name: None, ty, written_once: false, untyped: true, zeroed: false, function: None, role: RegisterRole::Frame,
    /// # };
    /// assert!(register(ScalarType::U32).holds(ScalarType::F32));
    /// assert!(!register(ScalarType::U32).holds(ScalarType::U64));
    /// // A register has the bits above a narrow type: zeros, or those of its sign.
    /// assert!(!register(ScalarType::U16).holds(ScalarType::I16));
    /// ```
    pub fn holds(&self, ty: ScalarType) -> bool {
        let (own, other) = (self.ty.machine(), ty.machine());
        let extends = |ty: ScalarType| ty.bits() < 32 && ty.is_signed_int();
        self.ty == ty || self.untyped && own.bits() == other.bits() && extends(own) == extends(other)
    }
}

/// What a register is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RegisterRole {
    /// A variable or a temporary: each activation of its function has its own.
    #[default]
    Frame,
    /// Passes an argument or a result between activations, and is not kept by a call.
    Passing,
}

/// A function in flat code.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeFunction {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The text it was written as.
    pub source: Source,
    /// Its first instruction.
    pub entry: Pc,
    /// The address behind its last instruction.
    pub end: Pc,
    /// Whether it may be called while it is active.
    pub recursive: bool,
}

/// A kernel as flat instructions.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// The kernel's name.
    pub name: Cow<'static, str>,
    /// The text it was written as.
    pub source: Source,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its registers.
    pub registers: Vec<Register>,
    /// The functions that it calls, in the order of their addresses, behind the kernel.
    pub functions: Vec<CodeFunction>,
    /// The arrays that it and its functions declare.
    pub arrays: Vec<Array>,
    /// The memory that they declare by bytes.
    pub symbols: Vec<Symbol>,
    /// The texts that it prints.
    pub messages: Vec<Message>,
    /// The values that they show, with their types.
    pub values: Vec<Vec<(ScalarType, Operand)>>,
    /// The targets of indirect branches.
    pub tables: Vec<Vec<Pc>>,
    /// The instructions. The first is the entry; the last never falls through.
    pub insts: Vec<Inst>,
    /// Where each instruction was written.
    pub spans: Vec<Span>,
    /// For each instruction the address where threads that diverge there meet again: the immediate post-dominator of a
    /// branch. `None` for other instructions, for branches whose paths meet only at the end of the kernel, and unless the
    /// family is [`Markers::PostDominators`].
    pub reconvergence: Vec<Option<Pc>>,
    /// For each instruction what modifies it; empty if nothing modifies any.
    pub modifiers: Vec<Modifier>,
    /// The family of markers.
    pub markers: Markers,
    /// The most threads that its blocks may have, if it says so.
    pub launch_bounds: Option<LaunchBounds>,
}

impl Code {
    /// The instruction at an address.
    ///
    /// # Panics
    /// If the address is not in the code.
    #[inline]
    pub fn inst(&self, pc: Pc) -> &Inst {
        &self.insts[pc.index()]
    }

    /// The addresses that may come after the instruction at `pc`; none for `exit` and `ret`. Behind a call that is the next
    /// address: what the function does is another graph.
    pub fn successors(&self, pc: Pc) -> SmallVec<[Pc; 2]> {
        match *self.inst(pc) {
            Inst::Jump { target, .. } => smallvec![target],
            Inst::Branch { target, .. } if target == pc.next() => smallvec![target],
            Inst::Branch { target, .. } => smallvec![pc.next(), target],
            Inst::Indirect { table, .. } => {
                let mut targets = SmallVec::new();
                for &target in self.table(table) {
                    if !targets.contains(&target) {
                        targets.push(target);
                    }
                }
                targets
            }
            Inst::Exit | Inst::Return => smallvec![],
            _ => smallvec![pc.next()],
        }
    }

    /// The targets of an instruction, if it is an indirect branch.
    pub fn indirect_targets(&self, inst: &Inst) -> impl Iterator<Item = Pc> {
        let targets = match *inst {
            Inst::Indirect { table, .. } => self.table(table),
            _ => &[],
        };
        targets.iter().copied()
    }

    /// What an instruction reads.
    pub fn operands(&self, inst: &Inst) -> impl Iterator<Item = Operand> {
        let values = match *inst {
            Inst::Print { values, .. } | Inst::Panic { values, .. } => self.shown(values),
            _ => &[],
        };
        inst.operands().chain(values.iter().map(|&(_, operand)| operand))
    }

    /// The guard of the instruction at an address, if it has one.
    #[inline]
    pub fn guard(&self, pc: Pc) -> Option<Guard> {
        self.modifiers.get(pc.index()).and_then(|modifier| modifier.guard)
    }

    /// Whether the instruction at an address is a part of the one in front of it: see [`Modifier::continues`].
    #[inline]
    pub fn continues(&self, pc: Pc) -> bool {
        self.modifiers.get(pc.index()).is_some_and(|modifier| modifier.continues)
    }

    /// Whether the instruction at an address counts as one of the program's: markers, joins and parts of others do not.
    ///
    /// # Panics
    /// If the address is not in the code.
    #[inline]
    pub fn is_counted(&self, pc: Pc) -> bool {
        self.inst(pc).is_counted() && !self.continues(pc)
    }

    /// What the instruction at an address reads, with its guard: a guarded one reads what it may leave as it was, too.
    ///
    /// # Panics
    /// If the address is not in the code.
    pub fn reads(&self, pc: Pc) -> impl Iterator<Item = Operand> {
        let inst = self.inst(pc);
        let guard = self.guard(pc);
        let old = inst.destination().filter(|_| guard.is_some());
        self.operands(inst).chain(guard.map(|guard| guard.reg).into_iter().chain(old).map(Operand::Reg))
    }

    /// Whether it accesses memory by address, or declares some.
    pub fn uses_addresses(&self) -> bool {
        !self.symbols.is_empty() || self.insts.iter().any(|inst| inst.address().is_some())
    }

    /// The targets of an indirect branch.
    ///
    /// # Panics
    /// If the number is not of this code.
    pub fn table(&self, id: TableId) -> &[Pc] {
        &self.tables[id.0 as usize]
    }

    /// The values that a message shows.
    ///
    /// # Panics
    /// If the number is not of this code.
    pub fn shown(&self, id: ValuesId) -> &[(ScalarType, Operand)] {
        &self.values[id.0 as usize]
    }

    /// The code as a launch with so many bytes of shared memory for its dynamic array has it: see
    /// [`Program::with_shared_memory`](crate::program::Program::with_shared_memory).
    #[must_use]
    pub fn with_shared_memory(mut self, bytes: usize) -> Self {
        give_lengths(&mut self.arrays, bytes);
        for symbol in self.symbols.iter_mut().filter(|symbol| symbol.dynamic) {
            symbol.size = u32::try_from(bytes).unwrap_or(u32::MAX);
        }
        self
    }

    /// The name of a slice or array.
    ///
    /// # Panics
    /// If the number is not of this code.
    pub fn memory_name(&self, memory: Memory) -> &Cow<'static, str> {
        match memory {
            Memory::Param(param) => &self.params[param.0 as usize].name,
            Memory::Array(array) => &self.arrays[array.0 as usize].name,
        }
    }

    /// The function that an address belongs to; none for the kernel's own.
    pub fn function_at(&self, pc: Pc) -> Option<(FunctionId, &CodeFunction)> {
        let within = |function: &&CodeFunction| function.entry <= pc && pc < function.end;
        let index = self.functions.iter().position(|function| within(&function))?;
        Some((FunctionId(index as u32), &self.functions[index]))
    }

    /// The text that the instruction at an address comes from.
    pub fn source_at(&self, pc: Pc) -> &Source {
        self.function_at(pc).map_or(&self.source, |(_, function)| &function.source)
    }
}
