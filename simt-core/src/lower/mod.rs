//! Program to code.
//!
//! [`Code::lower`] turns a program into code once per family of [`Markers`]. The instructions that a thread executes are
//! the same for every family, but for the markers: that is what makes policies comparable, and a test holds it.
//!
//! ```text
//! if (e) S1 else S2      ssy J'; bra.not e, ELSE; S1; join J; ELSE: S2; J: sync; J':
//! while (e) S step T     prebrk X; H: brk.not e, X; precont T'; S; sync; T': T; jmp H; X:
//! break; continue;       brk; cont
//! x = f(e);              mov param, e; preret R; call f; R: mov x, result
//! return;                exit in the kernel, ret in a function
//! match of integers      sub i, e, least; ssy J'; brx i, [..]; ...; J: sync; J':
//! ```
//! `ssy`, `prebrk`, `precont` and `sync` are there in the tokens family only, and `precont` with its `sync` only in loops
//! that have a `continue`. Convergence barriers are placed in the code without markers (`barriers`).
//!
//! * `statements/`: one shape a statement, into instructions of `values`: expressions and local value numbering;
//! * `barriers/`: where convergence barriers stand, by what [`analysis`] knows of the code;
//! * `families`: code that is there once, for policies of another family.

mod available;
mod barriers;
mod families;
mod statements;
mod values;

pub use barriers::Placement;

use crate::analysis;
use crate::code::{Code, Markers};
use crate::program::{Program, Validated};

/// How a program becomes code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LowerOptions {
    /// The family of markers.
    pub markers: Markers,
    /// Whether an `if` whose arms are short and have no effects becomes selects, as compilers do it. Off by default: a
    /// divergent branch that is not there cannot be seen.
    pub if_conversion: bool,
}

impl From<Markers> for LowerOptions {
    fn from(markers: Markers) -> Self {
        Self { markers, if_conversion: false }
    }
}

impl Markers {
    /// The rules by which convergence barriers are placed, if the family has any.
    pub const fn placement(self) -> Option<Placement> {
        match self {
            Self::None | Self::PostDominators | Self::Tokens => None,
            Self::HanoiBarriers => Some(Placement::HANOI),
            Self::PtxasBarriers => Some(Placement::PTXAS),
        }
    }
}

impl Code {
    /// The flat code of a program.
    pub fn lower(program: &Validated<Program>, options: impl Into<LowerOptions>) -> Self {
        let options = options.into();
        let mut code = statements::lower(program, options);
        if let Some(placement) = options.markers.placement() {
            code = Self { markers: options.markers, ..barriers::with_barriers(&code, placement) };
        }
        if options.markers == Markers::PostDominators {
            code.reconvergence = analysis::reconvergence_points(&code);
        }
        code
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
    pub fn code(&self, options: impl Into<LowerOptions>) -> Code {
        let nothing = || Self { name: self.name.clone(), source: self.source.clone(), ..Self::default() };
        match self.clone().validate().or_else(|_| nothing().validate()) {
            Ok(program) => program.code(options),
            Err(error) => unreachable!("a program without statements is valid: {error}"),
        }
    }
}

impl Validated<Program> {
    /// The flat code of the program with the markers of a family.
    pub fn code(&self, options: impl Into<LowerOptions>) -> Code {
        Code::lower(self, options)
    }
}
