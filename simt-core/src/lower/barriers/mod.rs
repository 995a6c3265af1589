//! Where convergence barriers are put: `bssy` where lanes may part, `bsync` where they meet.
//!
//! The rules are those that `ptxas`, NVIDIA's assembler, was found to follow (release 13.5, machine code of some 180 kernels
//! and functions for sm_75 and later). The Hanoi paper shows the same instructions in the same places but for two, which
//! [`Placement`] has. Whatever the rules do or leave out, results are the same: a barrier decides which lanes run together.
//!
//! 1. *Post-dominators.* A branch that lanes may part at has its `bsync` at the beginning of its immediate post-dominator,
//!    and its `bssy` before the branch; of several branches with one post-dominator the first one's is enough (`place`).
//!    Where the join is the head of a loop behind the branch, lanes meet before the loop.
//! 2. *Loops.* What is left of a loop has its `bssy` before the loop, once for all iterations. `continue` is a branch.
//! 3. *Not for uniform branches* ([`Divergence`](crate::analysis::Divergence)), nor for one with a barrier of the block on
//!    its way, before which stands a `warpsync` instead.
//! 4. *Not where the join only ends.* In a function the caller has it: its `call` stands between `bssy` and `bsync`.
//! 5. *Early exits* need nothing, as `exit` leaves every barrier: lanes meet where the paths meet that do not end by
//!    themselves. The exception is a loop that lanes leave by a `return` with work behind it (`exits`). Its `bsync` stands
//!    there if the loop has no other exits, or if more instructions come behind the `return`, up to the kernel's end, than
//!    behind the other exits; instructions of a loop count a hundred times. Lanes that leave by the other exits then leave as
//!    if they ended. Compared are the exits at the head and the end of a loop that is tested at its end, and the block where
//!    exits come together or meet a path from elsewhere; if none of the former is a `return`, all exits, but only of a loop
//!    that has none of either kind. Where lanes vote there is no such `bsync`.
//! 6. *Early.* Each barrier may have one more inside it, where paths meet before the post-dominator, though not all do
//!    (`early`). Lanes that part in that one and do not leave it meet at the post-dominators that are left. The place is,
//!    * in a loop that only some lanes leave, behind an exit. If the loop yields, and if only some lanes can leave at each of
//!      several exits: of the exits at its head and end, or if it has none there of all, the one with most instructions behind
//!      it before the join, provided that it stands behind the loop. If the loop does not yield: the last exit, where another
//!      goes to the join and the loop begins again soon.
//!    * Otherwise it is where lanes meet that stay in the loop, in each iteration, or where paths of the branch meet: the last
//!      such place, and of several the one with the fewest `break`s.
//! 7. *`break`* where a path can no longer come to the `bsync`, before the branch; not if it only exits.
//! 8. *`yield`* in each loop that lanes may run in different numbers and that has an atomic, volatile or collective
//!    operation, or a call of what has one; and in those with such an operation that are around it or come behind (`loops`).
//! 9. The `yield` is on the way back.
//!
//! Registers are numbered from 0 (`registers`): a barrier has the lowest that no barrier around it has. A function's begin
//! above those that its callers need, and where there are not enough, participants of the innermost are saved by `bmov`.
//!
//! Code with a circle that has two entries gets no barriers: which of them goes before the other is not known.

mod early;
mod exits;
mod insert;
mod loops;
mod place;
mod registers;
mod tokens;
mod ways;

use crate::analysis::Divergence;
use crate::code::{Code, Inst, Operand, Pc, Reg};
use crate::source::Span;
pub(super) use tokens::with_tokens;
use ways::Ways;

/// What the two sources of placement differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// How many barrier registers there are.
    pub registers: u8,
    /// Whether lanes that take a lock meet behind its release (Hanoi, section VI-C and Figure 7), not at the end of the loop.
    pub after_release: bool,
    /// Whether the `yield` stands at the loop's head (Hanoi, Figure 7), not on the way back.
    pub yield_at_head: bool,
}

impl Placement {
    /// As in the Hanoi paper; 8 registers are those of the design whose cost it gives (section IX-A).
    pub const HANOI: Self = Self { registers: 8, after_release: true, yield_at_head: true };
    /// As `ptxas` does for sm_75; it uses 12 registers before it saves any.
    pub const PTXAS: Self = Self { registers: 12, after_release: false, yield_at_head: false };
}

/// Where threads set a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Point {
    /// On the ways into the loop with this header.
    Loop(usize),
    /// At the end of a block, before its last instruction.
    Tail(usize),
}

impl Point {
    /// The block that dominates what comes behind the point.
    const fn block(self) -> usize {
        match self {
            Self::Loop(block) | Self::Tail(block) => block,
        }
    }
}

/// Where its participants wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    /// At the beginning of a block, for those that come from the region.
    Head(usize),
    /// Behind an instruction.
    After(usize),
}

/// A barrier.
#[derive(Clone, Debug, PartialEq)]
struct Barrier {
    point: Point,
    /// The block where its participants wait.
    join: usize,
    meeting: Meeting,
    /// The blocks between the two.
    region: Vec<bool>,
    /// Edges on which threads leave the region for good.
    breaks: Vec<(usize, usize)>,
    /// The number of the register, from that of the function on.
    register: u8,
    /// Where the participants are kept from the point to the meeting.
    spilled: Option<Reg>,
    span: Span,
}

/// What stands between instructions of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Item {
    Set(usize),
    Sync(usize),
    Break(usize, Option<(Operand, bool)>),
    Save(usize, Reg),
    Restore(usize, Reg),
    Yield(Span),
    WarpSync(Span),
}

/// The code with barriers. It has no other markers.
pub(super) fn with_barriers(code: &Code, placement: Placement) -> Code {
    let mut code = insert::without_markers(code);
    let mut graph = Ways::new(&code);
    let divergence = Divergence::new(&code, &graph);
    let returns = exits::returns(&code, &graph, &divergence);
    graph.leave(returns.iter().flatten().flat_map(|found| found.left.iter().copied()));
    let mut barriers = place::barriers(&code, &graph, &divergence, &returns);
    early::add(&code, &graph, &divergence, &mut barriers);
    if placement.after_release {
        loops::delay(&code, &graph, &mut barriers.list);
    }
    registers::assign(&mut code, &graph, placement.registers, &mut barriers);
    let items = insert::Items::new(&code, &graph, &divergence, placement, &barriers);
    insert::insert(&code, &graph, &barriers, &items)
}

/// The address of a block's last instruction.
fn last(graph: &Ways, block: usize) -> Pc {
    Pc(graph.cfg.ends[block].0 - 1)
}

/// The instructions of a block, with their addresses.
fn insts<'a>(code: &'a Code, graph: &Ways, block: usize) -> impl DoubleEndedIterator<Item = (usize, &'a Inst)> {
    let range = graph.cfg.starts[block].index()..graph.cfg.ends[block].index();
    range.map(|index| (index, &code.insts[index]))
}
