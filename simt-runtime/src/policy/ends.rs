//! Where programs whose lanes wait for each other end.

/// Which programs end under a policy that every fair schedule ends: those of the table of the page on termination, in one
/// warp of 32 threads or in several. Each policy of this library has it as a constant, and a test launches them all.
///
/// A program that waits for a lock or a flag depends on which lanes issue first. None of these waits forever under a policy
/// that is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// ESOP'12, program 2: `if tid == 0 { lock = 1 } else { while lock != 1 {} }`.
    pub program_2: bool,
    /// The same with its arms the other way round.
    pub program_2_swapped: bool,
    /// ESOP'12, program 3: `while lock != tid {} lock += 1;`.
    pub program_3: bool,
    /// ESOP'12, program 4: `while next != 32 { if next == tid { next += 1 } }`.
    pub program_4: bool,
    /// A lock that is released behind the loop that takes it.
    pub lock_behind: bool,
    /// A lock that is released in the loop that takes it.
    pub lock_inside: bool,
    /// The same with the section in the `else`.
    pub lock_else: bool,
}

impl Ends {
    /// All end.
    pub const ALL: Self = Self::of_columns([true; 7]);
    /// None ends.
    pub const NONE: Self = Self::of_columns([false; 7]);

    /// The columns of the table of the page on termination.
    pub const COLUMNS: [&'static str; 7] = ["2", "2 swapped", "3", "4", "behind", "inside", "else"];

    /// From whether each ends, by column.
    pub const fn of_columns(
        [program_2, program_2_swapped, program_3, program_4, lock_behind, lock_inside, lock_else]: [bool; 7],
    ) -> Self {
        Self { program_2, program_2_swapped, program_3, program_4, lock_behind, lock_inside, lock_else }
    }

    /// Whether each ends, by column.
    pub const fn columns(self) -> [bool; 7] {
        let Self { program_2, program_2_swapped, program_3, program_4, lock_behind, lock_inside, lock_else } = self;
        [program_2, program_2_swapped, program_3, program_4, lock_behind, lock_inside, lock_else]
    }
}
