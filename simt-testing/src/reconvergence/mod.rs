//! Maximal reconvergence: random structured programs in which every thread notes which lanes are active, compared with what
//! structured control flow prescribes.
//!
//! The idea is that of Vulkan's conformance tests for `VK_KHR_shader_maximal_reconvergence` (dEQP-VK.reconvergence). A point
//! of a program stores `active_mask()`. Two threads of a warp belong together at a point if they execute the same dynamic
//! instance of it: they came by the same calls, and are in the same iteration of each loop around it. Which threads belong
//! together follows from running each thread alone; no stack is involved.
//!
//! | policy | its masks |
//! |---|---|
//! | `TokenStack` | just those that belong together, everywhere: the tokens are those of structured control flow |
//! | `Ipdom`, `BlockCompaction` | the same, but for points behind exits ([`Reconvergence::behind_exits`]): there some are missing, never too many |
//! | `MinPc` | none missing in any program tried: an `if` or loop ends at the highest of its addresses, and lanes below go first |
//! | `NoReconvergence` | some are missing from the first divergence on, never too many |
//! | `Dwf` | some are missing, which run in another formed warp; and too many where threads of other iterations are at the same address |

mod emit;
mod exits;
mod generate;
mod threads;

use simt_core::LaneMask;
use simt_core::program::Program;
use simt_runtime::Argument;
use simt_runtime::Checks;
use simt_runtime::Gpu;
use simt_runtime::Grid;
use simt_runtime::LaunchError;
use simt_runtime::policy::Policy;
use simt_runtime::{Kernel, call};
use std::fmt;
use threads::Visit;

/// A statement of a structured program.
#[derive(Clone, Debug)]
enum Node {
    /// Stores `active_mask()`. Points have numbers.
    Point(usize),
    /// `if (e) S else S`
    If { cond: Condition, then: Vec<Node>, otherwise: Vec<Node> },
    /// `for i in 0..e S`
    Loop { trips: Value, body: Vec<Node> },
    /// `'a: { S }`
    Labelled(Vec<Node>),
    /// `break`, counted from the innermost loop or labelled block.
    Break(usize),
    /// `continue`
    Continue(usize),
    /// `return`
    Return,
    /// A call of the function of a number, which gets the number of the iteration around. Calls have numbers, too.
    Call { function: usize, site: u32 },
}

/// `(lane × lane_id() + iteration × i + plus) % below`, where *i* counts the innermost loop, or is what a function was given.
#[derive(Clone, Copy, Debug)]
struct Value {
    lane: u32,
    iteration: u32,
    plus: u32,
    below: u32,
}

/// Whether the value is less than `less`.
#[derive(Clone, Copy, Debug)]
struct Condition {
    value: Value,
    less: u32,
}

/// A random structured program with points: see the module.
#[derive(Clone, Debug)]
pub struct Structured {
    /// The kernel, then the functions. A function calls only those behind it.
    bodies: Vec<Vec<Node>>,
    points: usize,
}

/// How the masks of a policy compare with the prescribed ones, for points that threads visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// Just the threads that belong together.
    pub exact: u64,
    /// Some of those threads are missing.
    pub short: u64,
    /// Other threads were there, too, from another iteration or call. None of the other kinds excludes this one but `exact`.
    pub beyond: u64,
}

/// The masks of a policy, for two kinds of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reconvergence {
    /// At points where the immediate post-dominators of all branches before are where structured control flow meets.
    pub plain: Masks,
    /// At the others, behind exits: a `break`, `continue` or `return` in one of two nested statements goes past where the
    /// outer one ends, so that the post-dominator of the outer one's branch is further away than its end.
    pub behind_exits: Masks,
}

impl Structured {
    /// The random program of a seed.
    pub fn random(seed: u64) -> Self {
        generate::program(seed)
    }

    /// The program in the while-language. `&mut [u64]` is its parameter; a thread stores the masks that it saw one after the
    /// other.
    pub fn program(&self) -> Program {
        emit::program(self, self.longest())
    }

    /// The number of points that the thread that visits most visits: each thread has so many elements.
    fn longest(&self) -> usize {
        (0..64).map(|lane| threads::run(self, lane).len()).max().unwrap_or(0)
    }

    /// Runs the program under a policy, and compares each mask that a thread saw.
    ///
    /// # Errors
    /// If the launch fails.
    pub fn measure<P: Policy>(&self, warp_width: usize) -> Result<Reconvergence, LaunchError> {
        let visits: Vec<Vec<Visit>> = (0..warp_width).map(|lane| threads::run(self, lane as u32)).collect();
        let together = threads::together(&visits);
        let behind = exits::behind(self);
        let longest = self.longest();
        // Two warps, so that a policy that regroups threads has some to regroup.
        let mut seen = vec![0u64; 2 * warp_width * longest];
        let kernel = Kernel::from_program(self.program());
        let gpu = Gpu::<P>::default().with_warp_width(warp_width).with_checks(Checks::all());
        gpu.launch(Grid::new(1, 2 * warp_width), call(&kernel, vec![Argument::slice_mut(&mut seen)]))?;
        let mut result = Reconvergence::default();
        for (thread, seen) in seen.chunks(longest.max(1)).enumerate() {
            for (visit, &seen) in visits[thread % warp_width].iter().zip(seen) {
                let kind = if behind[visit.point] { &mut result.behind_exits } else { &mut result.plain };
                kind.count(LaneMask(seen), together[visit]);
            }
        }
        Ok(result)
    }
}

impl Masks {
    fn count(&mut self, seen: LaneMask, prescribed: LaneMask) {
        self.exact += u64::from(seen == prescribed);
        self.short += u64::from(!prescribed.is_subset(seen));
        self.beyond += u64::from(!seen.is_subset(prescribed));
    }
}

impl std::ops::AddAssign for Masks {
    fn add_assign(&mut self, other: Self) {
        self.exact += other.exact;
        self.short += other.short;
        self.beyond += other.beyond;
    }
}

impl std::ops::AddAssign for Reconvergence {
    fn add_assign(&mut self, other: Self) {
        self.plain += other.plain;
        self.behind_exits += other.behind_exits;
    }
}

impl fmt::Display for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} exact, {} short, {} beyond", self.exact, self.short, self.beyond)
    }
}
