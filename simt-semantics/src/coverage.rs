//! The names of the rules, and which of them have been applied.

use std::collections::BTreeSet;
use std::fmt;

macro_rules! define_rules {
    ($(#[$doc:meta])* $enum:ident { $($(#[$row:meta])* $name:ident = $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $enum { $($(#[$row])* $name,)* }

        impl $enum {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The paper's name for it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

define_rules! {
    /// A rule of the warp semantics (ESOP'12, Table 2).
    Rule {
        /// `;`
        Skip = "skip";
        /// `x = e;` and its kin.
        Assign = "assign";
        /// `if`
        If = "if";
        /// A `while` that is met for the first time.
        While = "while";
        /// A `while` that has pushed its token; underlined in the paper.
        WhileAgain = "while′";
        /// `break`
        Break = "break";
        /// `continue`, which the paper has not.
        Continue = "continue";
        /// A call.
        Call = "call";
        /// `return`
        Return = "return";
        /// A token.
        Token = "token";
        /// Statements that no thread executes.
        Inact = "inact";
        /// An operation of several threads together, which the paper has not.
        Collective = "collective";
    }
}

define_rules! {
    /// A rule of the thread semantics (ESOP'12, Table 4).
    ThreadRule {
        /// `;`
        Skip = "skip";
        /// Evaluates.
        AssignRead = "assign rd";
        /// Writes.
        AssignWrite = "assign wr";
        /// The condition holds.
        IfTrue = "if tt";
        /// The condition does not hold.
        IfFalse = "if ff";
        /// The condition holds.
        WhileTrue = "while tt";
        /// The condition does not hold.
        WhileFalse = "while ff";
        /// The condition holds again.
        WhileAgainTrue = "while′ tt";
        /// The condition no longer holds.
        WhileAgainFalse = "while′ ff";
        /// `break`
        Break = "break";
        /// `continue`, which the paper has not.
        Continue = "continue";
        /// A call.
        Call = "call";
        /// `return`
        Return = "return";
        /// A context.
        Context = "context";
        /// An operation of several threads together, which the paper has not.
        Collective = "collective";
    }
}

/// How often each rule has been applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    warp: [u64; Rule::ALL.len()],
    thread: [u64; ThreadRule::ALL.len()],
}

impl Coverage {
    /// Counts a warp transition.
    pub fn warp(&mut self, rule: Rule) {
        self.warp[rule as usize] += 1;
    }

    /// Counts a thread transition.
    pub fn thread(&mut self, rule: ThreadRule) {
        self.thread[rule as usize] += 1;
    }

    /// How often a rule of the warp semantics has been applied.
    pub fn of(&self, rule: Rule) -> u64 {
        self.warp[rule as usize]
    }

    /// How often a rule of the thread semantics has been applied.
    pub fn of_thread(&self, rule: ThreadRule) -> u64 {
        self.thread[rule as usize]
    }

    /// Adds what another has counted.
    pub fn add(&mut self, other: &Self) {
        self.warp.iter_mut().zip(other.warp).for_each(|(sum, count)| *sum += count);
        self.thread.iter_mut().zip(other.thread).for_each(|(sum, count)| *sum += count);
    }

    /// The rules that were never applied, by name; those of threads with a star.
    pub fn missing(&self) -> BTreeSet<String> {
        let warp = Rule::ALL.iter().filter(|rule| self.of(**rule) == 0).map(ToString::to_string);
        let thread = ThreadRule::ALL.iter().filter(|rule| self.of_thread(**rule) == 0).map(|rule| format!("{rule}*"));
        warp.chain(thread).collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Rule::ALL.iter().try_for_each(|&rule| writeln!(f, "{:12} {}", rule.name(), self.of(rule)))?;
        ThreadRule::ALL.iter().try_for_each(|&rule| writeln!(f, "{:12} {}", format!("{rule}*"), self.of_thread(rule)))
    }
}
