//! The flat form: instructions with addresses.
//!
//! [`Code::lower`] turns a program into code once per family of [`Markers`]. The instructions that a thread executes are
//! the same for every family, but for the markers: that is what makes policies comparable, and a test holds it.
//!
//! ```text
//! if (e) S1 else S2      ssy J'; bra.not e, ELSE; S1; join J; ELSE: S2; J: sync; J':
//! while (e) S step T     prebrk X; H: bra.not e, X; precont T'; S; sync; T': T; jmp H; X:
//! break; continue;       brk; cont
//! return;                exit
//! ```
//! `ssy`, `prebrk`, `precont` and `sync` are there in the tokens family only, and `precont` with its `sync` only in loops
//! that have a `continue`.

mod display;
mod inst;
mod lower;
mod values;

pub use inst::{Inst, JumpKind, Marker, Operand, Pc, Reg};

use crate::analysis;
use crate::program::{Param, Program, Validated};
use crate::scalar::ScalarType;
use crate::source::{Source, Span};
use std::borrow::Cow;

/// Which markers the code carries: what the compiler tells the reconvergence mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Markers {
    /// Nothing.
    None,
    /// Each branch knows the address of its immediate post-dominator.
    PostDominators,
    /// Instructions that push and pop tokens (ESOP'12 section 2.3).
    Tokens,
}

impl Markers {
    /// Every family.
    pub const ALL: &[Self] = &[Self::None, Self::PostDominators, Self::Tokens];
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
    /// The instructions. The first is the entry; the last never falls through.
    pub insts: Vec<Inst>,
    /// Where each instruction was written.
    pub spans: Vec<Span>,
    /// For each instruction the address where threads that diverge there meet again: the immediate post-dominator of a
    /// branch. `None` for other instructions, for branches whose paths meet only at the end of the kernel, and unless the
    /// family is [`Markers::PostDominators`].
    pub reconvergence: Vec<Option<Pc>>,
    /// The family of markers.
    pub markers: Markers,
}

impl Code {
    /// The flat code of a program.
    pub fn lower(program: &Validated<Program>, markers: Markers) -> Self {
        let mut code = lower::lower(program, markers);
        if markers == Markers::PostDominators {
            code.reconvergence = analysis::reconvergence_points(&code);
        }
        code
    }

    /// The instruction at an address.
    ///
    /// # Panics
    /// If the address is not in the code.
    #[inline]
    pub fn inst(&self, pc: Pc) -> &Inst {
        &self.insts[pc.index()]
    }

    /// The addresses that may come after the instruction at `pc`; none for `exit`.
    pub fn successors(&self, pc: Pc) -> impl Iterator<Item = Pc> + use<> {
        let (first, second) = match *self.inst(pc) {
            Inst::Jump { target, .. } => (Some(target), None),
            Inst::Branch { target, .. } => (Some(pc.next()), Some(target).filter(|&t| t != pc.next())),
            Inst::Exit => (None, None),
            Inst::Move { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::MulAdd { .. }
            | Inst::Compare { .. }
            | Inst::Cast { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Marker(_) => (Some(pc.next()), None),
        };
        first.into_iter().chain(second)
    }
}

impl Program {
    /// The flat code of the program with the markers of a family; it prints with addresses and source lines.
    ///
    /// A program that is not valid, which no launch runs, has the code of one that does nothing;
    /// [`validate`](Program::validate) says what is wrong with it.
    ///
    /// ```
    /// use simt_core::code::Markers;
    /// use simt_core::program::Program;
    /// assert!(Program::default().code(Markers::Tokens).to_string().contains("exit"));
    /// ```
    pub fn code(&self, markers: Markers) -> Code {
        let nothing = || Self { name: self.name.clone(), source: self.source.clone(), ..Self::default() };
        match self.clone().validate().or_else(|_| nothing().validate()) {
            Ok(program) => program.code(markers),
            Err(error) => unreachable!("a program without statements is valid: {error}"),
        }
    }
}

impl Validated<Program> {
    /// The flat code of the program with the markers of a family.
    pub fn code(&self, markers: Markers) -> Code {
        Code::lower(self, markers)
    }
}
