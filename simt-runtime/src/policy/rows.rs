//! The policies of this library, a row each: whatever lists them reads it here.

/// Passes the rows of all policies to a macro: `policy_rows! { [macro path] arguments }` calls it with the arguments in
/// braces, then the rows of policies of warps and those of policies of blocks. A row is
///
/// * the module, and the types that [`for_each_policy!`](crate::for_each_policy) runs: of a policy with a parameter those
///   that differ in more than details;
/// * `prelude`: the names that kernels' files need; `more`: what else of the module is public;
/// * the row of the table of [`policy::all`](crate::policy::all): the mechanism, the hardware or paper that has it, whether
///   it is fair, and what to use it for.
#[doc(hidden)]
#[macro_export]
macro_rules! policy_rows {
    ([$($then:tt)*] $($with:tt)*) => { $($then)* ! {
        { $($with)* }
        warps {
            ipdom [Ipdom, Ipdom<SmallerFirst>] {
                prelude [Ipdom] more [StackEntry]
                "[`Ipdom`]", "a stack of paths that meet at immediate post-dominators",
                "TACO'09 section 2.2; GPGPU-Sim", "no",
                "model what simulators and textbooks call the SIMT stack"
            };
            token_stack [TokenStack, TokenStack<FallThroughFirst>] {
                prelude [TokenStack] more [DisableState, Token, TokenKind, TokenState]
                "[`TokenStack`]", "tokens and disable masks; the `else` path runs first",
                "ESOP'12; NVIDIA before Volta", "no",
                "follow NVIDIA's structured mechanism and its formal semantics"
            };
            no_reconvergence [NoReconvergence] {
                prelude [NoReconvergence] more []
                "[`NoReconvergence`]", "lanes that parted never meet again",
                "TACO'09 (NREC)", "no",
                "see what reconvergence is worth"
            };
            min_pc [MinPc] {
                prelude [MinPc] more []
                "[`MinPc`]", "the lanes at the lowest address go first and wait for no others",
                "Collange 2011", "no",
                "model stack-less machines; needs no compiler support"
            };
            stack_less [StackLess<RoundRobin>, StackLess<Oldest>, StackLess<MostLanes>, StackLess<Random>] {
                prelude [StackLess] more [MostLanes, Oldest, Random, RoundRobin, Split, SplitPlace, SplitSchedule, Splits]
                "[`StackLess`]", "splits run as a schedule says, and merge where they happen to meet",
                "ESOP'12 section 5.2", "by schedule",
                "see what a kernel needs of its machine: fairness, joins"
            };
            mimd [Mimd] {
                prelude [Mimd] more []
                "[`Mimd`]", "every lane issues alone",
                "TACO'09 section 6 (MIMD)", "yes",
                "have an upper bound"
            };
            warp_subdivision [WarpSubdivision] {
                prelude [WarpSubdivision] more [AtPostDominators, BranchLimited, ByPc, LoadSplits, Remerge]
                "[`WarpSubdivision`]", "both sides of a branch run in turns, and meet at the immediate post-dominator",
                "ISCA'10", "no",
                "see what a stack's order costs"
            };
            multi_path [MultiPath] {
                prelude [MultiPath] more []
                "[`MultiPath`]", "every path issues in turns; tables of splits and of the points where they meet",
                "HPCA 2014", "no",
                "see what a stack's order costs, and what meeting by chance saves"
            };
            likely_convergence [LikelyConvergence] {
                prelude [LikelyConvergence] more []
                "[`LikelyConvergence`]", "a stack whose paths also meet where many of them come by, but not all",
                "HPCA 2011", "no",
                "see what reconvergence before the post-dominator is worth"
            };
            hanoi [Hanoi] {
                prelude [Hanoi] more []
                "[`Hanoi`]", "barrier registers and two stacks; `yield` runs the sibling path",
                "NVIDIA Turing, as *Control Flow Management in Modern GPUs* has it", "no",
                "model Turing as its paper does"
            };
            convergence_barriers [ConvergenceBarriers] {
                prelude [ConvergenceBarriers] more []
                "[`ConvergenceBarriers`]", "barriers as `ptxas` places them, groups that take turns",
                "NVIDIA since Volta", "at yields",
                "model independent thread scheduling"
            };
        }
        blocks {
            dwf [Dwf<Majority>, Dwf<Minority>, Dwf<TimeStamp>, Dwf<LowestPc>, Dwf<PdomPriority>] {
                prelude [Dwf, Majority, Minority, TimeStamp, LowestPc, PdomPriority]
                more [DwfConfig, DwfHeap, DwfTable, FormedWarp, HomeLanes, WarpPool, WarpSchedule]
                "[`Dwf`]", "warps are formed anew from the threads of all warps",
                "TACO'09 section 4", "by schedule",
                "see what regrouping threads is worth"
            };
            block_compaction [BlockCompaction] {
                prelude [BlockCompaction] more []
                "[`BlockCompaction`]",
                "a stack for the block; its threads are packed into warps at each divergence",
                "HPCA 2011", "no",
                "regroup threads and keep regular code in its warps"
            };
        }
    } };
}

/// Runs a block of code once per policy type, so that a test or bench covers them all in one line.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn squares(x: &mut [u32]) {
///     let i = global_id();
///     x[i] = (i * i) as u32;
/// }
///
/// let mut names = Vec::new();
/// for_each_policy!(P => {
///     let mut x = [0; 8];
///     Gpu::<P>::default().launch(Grid::new(1, 8), squares(&mut x))?;
///     assert_eq!(x, [0, 1, 4, 9, 16, 25, 36, 49]);
///     names.push(P::NAME);
/// });
/// assert!(names.contains(&"Ipdom"));
/// # Ok::<(), LaunchError>(())
/// ```
#[macro_export]
macro_rules! for_each_policy {
    ($policy:ident => $body:expr) => {
        $crate::for_each_warp_policy!($policy => $body);
        $crate::for_each_block_policy!($policy => $body);
    };
}

/// As [`for_each_policy!`](crate::for_each_policy), for those that keep the threads of a warp together: each is a
/// [`WarpPolicy`](crate::WarpPolicy). Of a policy with a parameter there are those that differ; the rest is tested in
/// `tests/policies/conformance.rs`.
#[macro_export]
macro_rules! for_each_warp_policy {
    ($policy:ident => $body:expr) => {
        $crate::policy_rows! { [$crate::under_warp_policies] $policy $body }
    };
}

/// As [`for_each_policy!`](crate::for_each_policy), for those that regroup the threads of several warps: each is a
/// [`BlockPolicy`](crate::BlockPolicy).
#[macro_export]
macro_rules! for_each_block_policy {
    ($policy:ident => $body:expr) => {
        $crate::policy_rows! { [$crate::under_block_policies] $policy $body }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! under_warp_policies {
    (
        { $policy:ident $body:expr }
        warps { $($file:ident [$($name:ident $(<$of:ident>)?),*] $rest:tt;)* }
        blocks $blocks:tt
    ) => { $crate::under_policies! { $policy $body; $($($name $(<$of>)?,)*)* } };
}

#[doc(hidden)]
#[macro_export]
macro_rules! under_block_policies {
    (
        { $policy:ident $body:expr }
        warps $warps:tt
        blocks { $($file:ident [$($name:ident $(<$of:ident>)?),*] $rest:tt;)* }
    ) => { $crate::under_policies! { $policy $body; $($($name $(<$of>)?,)*)* } };
}

#[doc(hidden)]
#[macro_export]
macro_rules! under_policies {
    ($policy:ident $body:expr; $($name:ident $(<$of:ident>)?,)*) => {{
        $({
            #[allow(dead_code, reason = "the block need not name the policy")]
            type $policy = $crate::policy::$name $(<$crate::policy::$of>)?;
            $body;
        })*
    }};
}
