//! An instruction and its row together: what its modifiers say, as values.

use super::fitting;
use super::row::{Becomes, Row, Shape};
use crate::syntax::{Instruction, Space, Type, Vector, dotted};

dotted! {
    /// How a result is rounded.
    Rounding {
        /// To the nearest float, ties to even.
        Nearest = "rn",
        /// Towards zero.
        Zero = "rz",
        /// Down.
        Down = "rm",
        /// Up.
        Up = "rp",
        /// To the nearest integer, ties to even.
        NearestInteger = "rni",
        /// To an integer, towards zero.
        ZeroInteger = "rzi",
        /// To an integer, down.
        DownInteger = "rmi",
        /// To an integer, up.
        UpInteger = "rpi",
    }
}

dotted! {
    /// A comparison. Those of the second row are of unsigned integers, those of the third hold with a NaN, too.
    #[expect(missing_docs, reason = "each is the comparison of PTX of its name")]
    Comparison {
        Eq = "eq", Ne = "ne", Lt = "lt", Le = "le", Gt = "gt", Ge = "ge",
        Lo = "lo", Ls = "ls", Hi = "hi", Hs = "hs",
        Equ = "equ", Neu = "neu", Ltu = "ltu", Leu = "leu", Gtu = "gtu", Geu = "geu",
        /// Both are numbers.
        Num = "num",
        /// One is a NaN.
        Nan = "nan",
    }
}

dotted! {
    /// How a comparison and a predicate are joined.
    #[expect(missing_docs, reason = "each is the operation of its name")]
    Boolean { And = "and", Or = "or", Xor = "xor" }
}

dotted! {
    /// Which threads see the order of an access.
    Scope {
        /// Those of the block.
        Block = "cta",
        /// Those of the cluster.
        Cluster = "cluster",
        /// Those of the device; of `membar` it is written `.gl`.
        Device = "gpu",
        /// All threads.
        System = "sys",
    }
}

dotted! {
    /// The order of an access.
    Order {
        /// None with others, as if it had no modifier.
        Weak = "weak",
        /// Not to be left out or joined.
        Volatile = "volatile",
        /// None with others, but whole.
        Relaxed = "relaxed",
        /// What comes behind it stays behind it.
        Acquire = "acquire",
        /// What comes before it stays before it.
        Release = "release",
        /// Acquire and release in one.
        AcquireRelease = "acq_rel",
        /// One order of all.
        Sequential = "sc",
    }
}

dotted! {
    /// What an atomic, a reduction of lanes or of a barrier does.
    #[expect(missing_docs, reason = "each is the operation of PTX of its name")]
    AtomicOp {
        Add = "add", Min = "min", Max = "max", And = "and", Or = "or", Xor = "xor", Inc = "inc", Dec = "dec",
        Exchange = "exch", CompareAndSwap = "cas", Count = "popc",
    }
}

/// An instruction with its row.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// The row.
    pub row: &'static Row,
    /// The instruction.
    pub instruction: &'a Instruction,
}

impl<'a> Form<'a> {
    /// The form of an instruction: the first row that has its modifiers and takes as many operands, else the first that has its
    /// modifiers. None only for instructions that no parser has made.
    #[must_use]
    pub fn of(instruction: &'a Instruction) -> Option<Form<'a>> {
        let rows = || fitting(&instruction.opcode.text, &instruction.modifiers);
        let count = instruction.operands.len();
        let row = rows().find(|row| takes(row, count)).or_else(|| rows().next())?;
        Some(Form { row, instruction })
    }

    /// Whether the row takes as many operands as the instruction has.
    #[must_use]
    pub fn has_its_operands(&self) -> bool {
        takes(self.row, self.instruction.operands.len())
    }

    /// How many operands the rows take that have the instruction's modifiers.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let rows = fitting(&self.instruction.opcode.text, &self.instruction.modifiers);
        let mut counts: Vec<usize> = rows.map(|row| row.operands.len()).collect();
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// What it becomes.
    #[must_use]
    pub fn becomes(&self) -> Becomes {
        self.row.becomes
    }

    /// The types among its modifiers, in their order.
    pub fn types(&self) -> impl Iterator<Item = Type> {
        self.words().filter_map(Type::from_text)
    }

    /// A type among its modifiers, counted from 0.
    #[must_use]
    pub fn ty(&self, at: usize) -> Option<Type> {
        self.types().nth(at)
    }

    /// Whether it has a modifier.
    #[must_use]
    pub fn has(&self, modifier: &str) -> bool {
        self.instruction.has(modifier)
    }

    /// How its result is rounded, if it says so.
    #[must_use]
    pub fn rounding(&self) -> Option<Rounding> {
        self.words().find_map(Rounding::from_text)
    }

    /// Its comparison, of `setp` and `set`.
    #[must_use]
    pub fn comparison(&self) -> Option<Comparison> {
        self.words().find_map(Comparison::from_text)
    }

    /// How its comparison and its last operand are joined.
    #[must_use]
    pub fn boolean(&self) -> Option<Boolean> {
        self.words().find_map(Boolean::from_text)
    }

    /// The space of its memory; none is generic.
    #[must_use]
    pub fn space(&self) -> Option<Space> {
        self.words().find_map(|word| Space::from_text(word.split("::").next().unwrap_or_default()))
    }

    /// How many elements it loads or stores as a vector; none is one.
    #[must_use]
    pub fn vector(&self) -> Option<Vector> {
        self.words().find_map(Vector::from_text)
    }

    /// The order of its access, if it says so.
    #[must_use]
    pub fn order(&self) -> Option<Order> {
        self.words().find_map(Order::from_text)
    }

    /// Its scope, if it says so; `.gl` of `membar` is the device's.
    #[must_use]
    pub fn scope(&self) -> Option<Scope> {
        self.words().find_map(|word| Scope::from_text(if word == "gl" { "gpu" } else { word }))
    }

    /// What it does with memory, over lanes or over threads.
    #[must_use]
    pub fn atomic(&self) -> Option<AtomicOp> {
        self.words().find_map(AtomicOp::from_text)
    }

    fn words(&self) -> impl Iterator<Item = &'a str> {
        self.instruction.modifiers.iter().map(|name| name.text.as_str())
    }
}

/// Whether a row takes some number of operands.
fn takes(row: &Row, count: usize) -> bool {
    matches!(row.operands, [Shape::Call | Shape::Anything]) || row.operands.len() == count
}
