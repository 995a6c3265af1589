//! The language of memory programs as data (CUDA report, sections 4.1 and 4.4), with its text form.
//!
//! ```text
//! stm ::= ;  | yield;  | end;  | stm stm  | if (b) { stm } else { stm }  | op;
//! b   ::= true | false | !b | b and b | b or b | (b) | isCachedL1 | isCachedL2
//! op  ::= readMem | writeMem | atomOp | writeToRegs | releaseRegs | lock | unlock
//!       | (read | write | reserve | update | evict | discard | classifyFirst | classifyNormal)(L1 | L2)
//! ```
//!
//! An `else` may be left out. The report does not say what binds tighter: `!`, then `and`, then `or`, as everywhere, and
//! there are parentheses. Printing and then parsing is the identity.

mod parser;

pub use parser::SyntaxError;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A level of the cache hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The cache of a multiprocessor.
    L1,
    /// The cache of the device.
    L2,
}

/// A sequence of statements: a program, or a path of an `if`.
pub type Block = Arc<[Stm]>;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stm {
    /// `;`
    Skip,
    /// Ends the micro step.
    Yield,
    /// Ends the program.
    End,
    /// An operation.
    Op(Op),
    /// Goes one of two ways.
    If {
        /// The condition.
        cond: Condition,
        /// The path if it holds.
        then: Block,
        /// The path if it does not; empty if it is left out.
        otherwise: Block,
    },
}

/// A condition: always instantaneous.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// A constant.
    Constant(bool),
    /// Whether the requested address is cached.
    IsCached(Level),
    /// The negation of a condition.
    Not(Box<Condition>),
    /// Whether both conditions hold.
    And(Box<Condition>, Box<Condition>),
    /// Whether one of two conditions holds.
    Or(Box<Condition>, Box<Condition>),
}

/// Operations with their names; of caches, one for each level.
macro_rules! operations {
    ($(#[$doc:meta])* plain { $($(#[$plain_doc:meta])* $plain:ident = $plain_name:literal;)* }
     cached { $($(#[$cached_doc:meta])* $cached:ident = $l1:literal, $l2:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op {
            $($(#[$plain_doc])* $plain,)*
            $($(#[$cached_doc])* $cached(Level),)*
        }

        impl Op {
            /// Every operation.
            pub const ALL: &[Self] = &[
                $(Self::$plain,)*
                $(Self::$cached(Level::L1), Self::$cached(Level::L2),)*
            ];

            /// The operation's text.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$plain => $plain_name,)*
                    $(Self::$cached(Level::L1) => $l1, Self::$cached(Level::L2) => $l2,)*
                }
            }
        }
    };
}
operations! {
    /// An operation (CUDA report, section 4.4.3).
    plain {
        /// Memory to the value.
        ReadMem = "readMem";
        /// The value to memory.
        WriteMem = "writeMem";
        /// The new value of an atomic, from the old one and the operands.
        AtomOp = "atomOp";
        /// The value to the registers.
        WriteToRegs = "writeToRegs";
        /// The registers are ready.
        ReleaseRegs = "releaseRegs";
        /// Locks the banks of shared memory, all or none.
        Lock = "lock";
        /// Unlocks them.
        Unlock = "unlock";
    }
    cached {
        /// The line to the value; waits for the line to be filled.
        Read = "readL1", "readL2";
        /// The value to the line, which is reserved if there is none.
        Write = "writeL1", "writeL2";
        /// Reserves a line, and pins it.
        Reserve = "reserveL1", "reserveL2";
        /// Fills the line.
        Update = "updateL1", "updateL2";
        /// Removes the line; waits until it is clean and unpinned.
        Evict = "evictL1", "evictL2";
        /// Removes the line, dirty or not; waits until it is unpinned.
        Discard = "discardL1", "discardL2";
        /// The line goes before others.
        ClassifyFirst = "classifyFirstL1", "classifyFirstL2";
        /// The line goes after those.
        ClassifyNormal = "classifyNormalL1", "classifyNormalL2";
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A memory program.
///
/// ```
/// use simt_runtime::environment::{Program, programs};
///
/// let program: Program = programs::ST_GLOBAL_WB.parse().unwrap();
/// assert_eq!(program.to_string().parse::<Program>().unwrap(), program);
/// let error = "readL1;\n  yeild;".parse::<Program>().unwrap_err();
/// assert_eq!(error.to_string(), "2:3: `yeild` is no operation of memory programs");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program(pub Block);

impl FromStr for Program {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parser::parse(text).map(|statements| Self(statements.into()))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        block(f, &self.0, 0)
    }
}

fn block(f: &mut fmt::Formatter<'_>, statements: &[Stm], depth: usize) -> fmt::Result {
    let indent = depth * 4;
    for statement in statements {
        match statement {
            Stm::Skip => writeln!(f, "{:indent$};", "")?,
            Stm::Yield => writeln!(f, "{:indent$}yield;", "")?,
            Stm::End => writeln!(f, "{:indent$}end;", "")?,
            Stm::Op(op) => writeln!(f, "{:indent$}{op};", "")?,
            Stm::If { cond, then, otherwise } => {
                writeln!(f, "{:indent$}if ({cond}) {{", "")?;
                block(f, then, depth + 1)?;
                if !otherwise.is_empty() {
                    writeln!(f, "{:indent$}}} else {{", "")?;
                    block(f, otherwise, depth + 1)?;
                }
                writeln!(f, "{:indent$}}}", "")?;
            }
        }
    }
    Ok(())
}

impl Condition {
    /// The precedence of the operator.
    fn strength(&self) -> u8 {
        match self {
            Self::Or(..) => 0,
            Self::And(..) => 1,
            Self::Not(_) | Self::Constant(_) | Self::IsCached(_) => 2,
        }
    }

    fn show(&self, f: &mut fmt::Formatter<'_>, at_least: u8) -> fmt::Result {
        if self.strength() < at_least {
            return write!(f, "({self})");
        }
        match self {
            Self::Constant(value) => write!(f, "{value}"),
            Self::IsCached(level) => write!(f, "isCached{level:?}"),
            Self::Not(inner) => {
                f.write_str("!")?;
                inner.show(f, 2)
            }
            // Both associate to the left.
            Self::And(left, right) => {
                left.show(f, 1)?;
                f.write_str(" and ")?;
                right.show(f, 2)
            }
            Self::Or(left, right) => {
                left.show(f, 0)?;
                f.write_str(" or ")?;
                right.show(f, 1)
            }
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(f, 0)
    }
}
