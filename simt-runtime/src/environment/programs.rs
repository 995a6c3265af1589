//! The memory programs: six of the report's, as its listings have them, and ours for what it leaves out.
//!
//! The report names more cache operators than it gives programs for, and says that others are analogous (section 4.5). Those
//! marked as ours fill the gap.

use super::language::Program;
use super::space::StateSpace;
use simt_core::program::{LoadAccess, StoreAccess};

/// Programs with their texts.
macro_rules! programs {
    ($($(#[$doc:meta])* $constant:ident, $name:ident, $ours:literal, $text:expr;)*) => {
        $($(#[$doc])* pub const $constant: &str = $text;)*

        /// The purpose of a memory program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ProgramName { $($(#[$doc])* $name,)* }

        impl ProgramName {
            /// Every program.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Its text.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $constant,)* }
            }

            /// Whether it is ours; the others are the report's.
            pub const fn is_ours(self) -> bool {
                match self { $(Self::$name => $ours,)* }
            }
        }
    };
}

/// The part of a load from L2 on, as in listing 4.2.
macro_rules! from_l2 {
    () => {
        "if (!isCachedL2)\n{\nreserveL2;\nyield;\n\nreadMem;\nyield;\n\nupdateL2;\n}\n\n\
         readL2;\nyield;\n\nwriteToRegs;\nyield;\n\nreleaseRegs;\nend;\n"
    };
}

programs! {
    /// Stores to global memory, `.wb` (CUDA report, listing 4.1).
    ST_GLOBAL_WB, StGlobalWb, false, "\
discardL1;
yield;

writeL2;
classifyNormalL2;
releaseRegs;
end;
";
    /// Loads of global and local memory, `.ca` (CUDA report, listing 4.2).
    LD_CA, LdCa, false, "\
if (!isCachedL1)
{
reserveL1;
yield;

if (!isCachedL2)
{
reserveL2;
yield;

readMem;
yield;

updateL2;
}

readL2;
yield;
updateL1;
}

readL1;
yield;

writeToRegs;
yield;

releaseRegs;
end;
";
    /// Stores to local memory, `.cg` (CUDA report, listing 4.3).
    ST_LOCAL_CG, StLocalCg, false, "\
writeL1;
classifyFirstL1;
yield;

releaseRegs;
end;
";
    /// Atomics on global memory (CUDA report, listing 4.4).
    ATOM_GLOBAL, AtomGlobal, false, "\
evictL1;
yield;

if (!isCachedL2)
{
reserveL2;
classifyNormalL2;
yield;

readMem;
yield;

updateL2;
yield;
}

readL2;
atomOp;
writeL2;
yield;
writeToRegs;
yield;
releaseRegs;
end;
";
    /// Atomics on shared memory (CUDA report, listing 4.5).
    ATOM_SHARED, AtomShared, false, "\
lock;
readMem;
yield;

atomOp;
yield;

writeMem;
yield;

unlock;
yield;

writeToRegs;
yield;
releaseRegs;
end;
";
    /// Results of arithmetic and the like (CUDA report, listing 4.6).
    REGISTER, Register, false, "\
writeToRegs;
yield;
releaseRegs;
end;
";
    /// Loads, `.cg`: not from L1. Ours.
    LD_CG, LdCg, true, concat!("evictL1;\nyield;\n\n", from_l2!());
    /// Loads, `.cs`: as `.ca`, with lines that go first. Ours.
    LD_CS, LdCs, true, "\
if (!isCachedL1)
{
reserveL1;
classifyFirstL1;
yield;

if (!isCachedL2)
{
reserveL2;
classifyFirstL2;
yield;

readMem;
yield;

updateL2;
}

readL2;
yield;
updateL1;
}

readL1;
yield;

writeToRegs;
yield;

releaseRegs;
end;
";
    /// Loads of global memory, `.cv` and `.volatile`: the data in L1 are discarded; L2 is what all agree on. Ours.
    LD_CV, LdCv, true, concat!("discardL1;\nyield;\n\n", from_l2!());
    /// Loads of local memory, `.lu`: the last use, so the line leaves L1 without a write-back. Ours.
    LD_LOCAL_LU, LdLocalLu, true, "\
if (!isCachedL1)
{
reserveL1;
yield;

if (!isCachedL2)
{
reserveL2;
yield;

readMem;
yield;

updateL2;
}

readL2;
yield;
updateL1;
}

readL1;
discardL1;
yield;

writeToRegs;
yield;

releaseRegs;
end;
";
    /// Stores to local memory, `.wb`: as listing 4.3, with a line that stays. Ours.
    ST_LOCAL_WB, StLocalWb, true, "\
writeL1;
classifyNormalL1;
yield;

releaseRegs;
end;
";
    /// Stores to global memory, `.cs`: as listing 4.1, with a line that goes first. Ours.
    ST_GLOBAL_CS, StGlobalCs, true, "\
discardL1;
yield;

writeL2;
classifyFirstL2;
releaseRegs;
end;
";
    /// Stores to global memory, `.wt`: as listing 4.1, and to memory at once. Ours.
    ST_GLOBAL_WT, StGlobalWt, true, "\
discardL1;
yield;

writeL2;
classifyNormalL2;
writeMem;
releaseRegs;
end;
";
    /// Listing 4.1 without its race: L1 loses the line after L2 has the value (hole H6). Ours.
    ST_GLOBAL_IN_ORDER, StGlobalInOrder, true, "\
writeL2;
classifyNormalL2;
yield;

discardL1;
releaseRegs;
end;
";
    /// Loads of shared and of constant memory. Ours.
    LD_UNCACHED, LdUncached, true, "\
readMem;
yield;

writeToRegs;
yield;

releaseRegs;
end;
";
    /// Stores to shared memory. Ours.
    ST_SHARED, StShared, true, "\
writeMem;
releaseRegs;
end;
";
}

impl ProgramName {
    /// The program of a load.
    pub const fn of_load(space: StateSpace, access: LoadAccess) -> Self {
        match (space, access) {
            (StateSpace::Shared | StateSpace::Const, _) => Self::LdUncached,
            // What a thread itself has stored is in L1 alone: `.cv` must not discard it.
            (_, LoadAccess::Plain | LoadAccess::Ca) | (StateSpace::Local, LoadAccess::Cv | LoadAccess::Volatile) => {
                Self::LdCa
            }
            (_, LoadAccess::Cg) => Self::LdCg,
            (_, LoadAccess::Cs) => Self::LdCs,
            (StateSpace::Global, LoadAccess::Cv | LoadAccess::Volatile) => Self::LdCv,
        }
    }

    /// The program of a store. Constant memory is written by the host only, and stores to it are stuck.
    pub const fn of_store(space: StateSpace, access: StoreAccess) -> Self {
        match (space, access) {
            (StateSpace::Shared | StateSpace::Const, _) => Self::StShared,
            (StateSpace::Local, StoreAccess::Cg | StoreAccess::Cs) => Self::StLocalCg,
            (StateSpace::Local, _) => Self::StLocalWb,
            (StateSpace::Global, StoreAccess::Cs) => Self::StGlobalCs,
            (StateSpace::Global, StoreAccess::Wt) => Self::StGlobalWt,
            (StateSpace::Global, _) => Self::StGlobalWb,
        }
    }
}

/// The programs, parsed; each can be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs(Vec<Program>);

impl Default for Programs {
    fn default() -> Self {
        let empty = || Program(Vec::new().into());
        // A test has shown that the texts above parse.
        Self(ProgramName::ALL.iter().map(|name| name.text().parse().unwrap_or_else(|_| empty())).collect())
    }
}

impl Programs {
    /// A program.
    pub fn get(&self, name: ProgramName) -> &Program {
        &self.0[name as usize]
    }

    /// The same programs, with another one for a purpose.
    #[must_use]
    pub fn with(mut self, name: ProgramName, program: Program) -> Self {
        self.0[name as usize] = program;
        self
    }
}
