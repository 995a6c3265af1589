//! Reconvergence policies: which lanes of a warp issue next, and where lanes that parted meet again.
//!
//! A policy is one file and one row of the table in `rows`; [`all`] lists them. It sees program counters and sets of lanes or
//! threads, never values: the engine tells it what the last control instruction did and asks what to run next.
//!
//! * `warp`, `block`: the traits [`WarpPolicy`] and [`BlockPolicy`]; `any`: [`Policy`], which is either;
//! * `timing`: what a clock asks of a policy; `checked`: policies that check another one, and what they ask of it;
//! * `config`: what a policy is told of its machine; `ends`: which programs that wait end under it;
//! * `boxed`: any policy behind a pointer;
//! * `shared`: what several policies are made of.

// First: their macros are used by the others.
#[macro_use]
mod block;
#[macro_use]
mod rows;
#[macro_use]
mod warp;

mod any;
mod block_compaction;
mod boxed;
pub(crate) mod checked;
mod config;
mod convergence_barriers;
mod dwf;
mod ends;
mod hanoi;
mod ipdom;
mod likely_convergence;
mod mimd;
mod min_pc;
mod multi_path;
mod no_reconvergence;
mod shared;
mod stack_less;
mod timing;
mod token_stack;
mod warp_subdivision;

pub use any::{Policy, PolicyVisitor};
pub use block::{BlockBranch, BlockPolicy, BlockSplit, BlockStart, WarpPart};
pub(crate) use boxed::{BoxedBlockPolicy, BoxedWarpPolicy};
use checked::Guard;
pub use checked::{BlockChecking, Check, Checks, WarpChecking};
pub use config::{PolicyConfig, PolicyTiming};
pub use ends::Ends;
#[cfg(test)]
use shared::gathered;
pub(crate) use shared::mixed;
pub use shared::{
    BarrierMarker, Branch, ConvergenceBarrier, FallThroughFirst, Figure, FigureTotal, LargerFirst, PathOrder,
    SmallerFirst, StatePart, Stops, TakenFirst, Tally, ThreadMask, WarpSplit, WarpStart,
};
pub use timing::{BlockTiming, WarpTiming};
pub use warp::WarpPolicy;

/// Makes the re-exports of all policies, and the module [`all`] with their table.
macro_rules! policies {
    (
        {}
        $($kind:ident {
            $($file:ident [$($run:tt)*] {
                prelude [$($prelude:ident),*] more [$($more:ident),*]
                $name:literal, $mechanism:literal, $source:literal, $fair:literal, $purpose:literal
            };)*
        })*
    ) => {
        $($(pub use $file::{$($prelude,)* $($more,)*};)*)*

        /// The policies of this library, and the schedules that kernels' files name: what the prelude has of them.
        ///
        /// | policy | mechanism | hardware or paper | fair | use it to |
        /// |---|---|---|---|---|
        $($(#[doc = concat!(
            "| ", $name, " | ", $mechanism, " | ", $source, " | ", $fair, " | ", $purpose, " |"
        )])*)*
        ///
        /// *Fair*: every thread that can go on does so after finitely many issues. [`Ends`](super::Ends) is what follows from
        /// it. "At yields" is fair to loops that wait by atomic or volatile operations.
        pub mod all {
            $($(pub use super::{$($prelude),*};)*)*

            /// By row: the names of the policies without their parameters, and whether they are fair, as the table says it.
            #[cfg(test)]
            pub(super) const FAIR: &[(&str, &str)] = &[$($(($name, $fair)),*),*];
        }
    };
}

policy_rows! { [policies] }

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table says of fairness is what the policies say of themselves.
    #[test]
    fn the_table_says_which_policies_are_fair() {
        let mut rows = all::FAIR.to_vec();
        for_each_policy!(P => {
            let name = P::name().split('<').next().unwrap_or_default();
            let row = rows.iter().find(|(policy, _)| policy.trim_matches(['[', '`', ']']) == name);
            let (_, fair) = row.unwrap_or_else(|| panic!("{name} has a row"));
            match *fair {
                "yes" => assert!(P::is_fair(), "{name}"),
                "no" | "at yields" => assert!(!P::is_fair(), "{name}"),
                other => assert_eq!(other, "by schedule", "{name}"),
            }
        });
        rows.dedup();
        assert_eq!(rows.len(), all::FAIR.len(), "no policy has two rows");
    }
}
