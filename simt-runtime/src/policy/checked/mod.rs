//! Checks of the machine while it runs: the invariants with which the CUDA report proves that warps execute what each of
//! their threads would execute alone (chapter 6), for any launch under any policy.
//!
//! * `shadow`: an address per lane beside the policy, and the laws that hold of every policy;
//! * `tokens`: the laws that also hold of a policy with a stack of tokens;
//! * `of_warp`: the policy that runs another one and checks it;
//! * `of_block`: both of these for a policy that regroups the threads of a block;
//! * `lanes`: the address of each lane of a warp;
//! * `guard`: the laws that policies of users are held to whether checks are asked for or not.
//!
//! A launch without checks, under a policy of this library, runs none of this.

mod guard;
mod hooks;
mod lanes;
mod of_block;
mod of_warp;
mod shadow;
mod tokens;

pub(crate) use guard::Guard;
pub use hooks::{BlockChecking, WarpChecking};
pub(crate) use of_block::CheckedBlock;
pub(crate) use of_warp::Checked;
pub(crate) use shadow::BrokenCheck;

use std::fmt;

macro_rules! checks {
    ($($name:ident, $policies:literal, $section:literal, $statement:literal;)*) => {
        /// An invariant of the machine: a row of the table at [`Checks`].
        ///
        /// ```
        /// use simt::checks::Check;
        ///
        /// assert_eq!(Check::I1.name(), "I1");
        /// assert_eq!(Check::I1.section(), "6.4, active consistency");
        /// assert!(Check::I1.statement().contains("is at the address"));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum Check {
            $(#[doc = $statement] $name,)*
        }

        impl Check {
            /// All of them, in the order of the table at [`Checks`].
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// Its name: `I1`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// The text of the invariant.
            pub const fn statement(self) -> &'static str {
                match self { $(Self::$name => $statement,)* }
            }

            /// Its source: section of the CUDA report, and its name there.
            pub const fn section(self) -> &'static str {
                match self { $(Self::$name => $section,)* }
            }

            /// The policies that it is checked for.
            pub const fn policies(self) -> &'static str {
                match self { $(Self::$name => $policies,)* }
            }
        }

        /// Which invariants a launch checks while it runs: a set of [`Check`]s.
        ///
        /// Beside the policy the launch keeps the address at which each thread would be if it ran alone (CUDA report,
        /// section 6.3), compares after every step what the policy has done, and ends with [`LaunchError::Check`] where an
        /// invariant does not hold. That costs time, and nothing when it is off.
        ///
        /// Policies that are none of this library's are held to their trait's laws in any case, by the lanes that they let run:
        /// [`LaunchError::Policy`](crate::LaunchError::Policy). Checks look at all lanes, and stop at the first wrong step.
        ///
        /// By default nothing is checked, but with the feature `testing` everything is: switch it on for the
        /// `dev-dependencies`, and it is for all tests.
        ///
        /// A *token policy* shows its stack ([`WarpChecking::with_tokens`]); δ is the disable state of a lane, and a
        /// lane's *activation token* the topmost token that has it and that its δ awaits (section 6.4).
        ///
        /// | check | policies | CUDA report | what must hold |
        /// |---|---|---|---|
        $(#[doc = concat!("| ", stringify!($name), " | ", $policies, " | ", $section, " | ", $statement, " |")])*
        ///
        /// Lanes that wait at a collective may be overtaken by lanes of tokens further down, which the report does not have.
        /// Until the tokens that were overtaken are gone, I5 and I6 are about the tokens below them only, and S3 to S5 and
        /// T3 about none.
        ///
        /// ```
        /// use simt::prelude::*;
        /// use simt::checks::Check;
        ///
        /// #[kernel]
        /// fn double(x: &mut [u32]) {
        ///     x[global_id()] *= 2;
        /// }
        ///
        /// let checks = Checks::all().without(Check::T5);
        /// assert!(checks.contains(Check::I1) && !checks.contains(Check::T5));
        /// Gpu::<Ipdom>::default().with_checks(checks).launch(Grid::new(1, 2), double(&mut [1, 2]))?;
        /// # Ok::<(), LaunchError>(())
        /// ```
        ///
        /// [`LaunchError::Check`]: crate::LaunchError::Check
        /// [`WarpChecking::with_tokens`]: crate::WarpChecking::with_tokens
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(from = "Vec<Check>", into = "Vec<Check>"))]
        pub struct Checks(u32);
    };
}

checks! {
    I1, "all", "6.4, active consistency", "A lane that runs is at the address at which its thread would be alone.";
    I2, "all", "6.4, inactive consistency", "A lane that waits goes on at the address at which its thread would be alone: that of its split and, under a token policy, of its activation token.";
    I3, "all", "6.4, inv (1)", "A lane that has not ended runs or waits in a split and, under a token policy, has an activation token if it waits.";
    I4, "all", "6.4, inv (2)", "A lane runs, or all have ended, or some wait at a collective or a convergence barrier.";
    I5, "token policies", "6.4, inv (3)", "A lane that runs is in every token but div.";
    I6, "token policies", "6.4, inv (4)", "A lane that waits is in every token but div below its activation token.";
    I7, "all", "6.4, inv (5)", "No lane is in two splits and, under a token policy, none that runs has a δ.";
    I8, "token policies", "6.4, inv (6)", "No token is without lanes.";
    S1, "token policies", "6.2, stack consistency (1)", "At a `brk` (`cont`) there is the brk (cont) token of that loop, and the lanes that leave are in it.";
    S2, "token policies", "6.2, stack consistency (2)", "At a `ret` there is a call token that has the lanes.";
    S3, "token policies", "6.2, stack consistency (3)", "At a `sync` the topmost token is one of this function: no call token.";
    S4, "token policies", "6.2, stack consistency (4)", "At a `sync` with div tokens on top, below them is a token of this function and of the address where the `sync` leads, which has the lanes that run and those of the div tokens.";
    S5, "token policies", "6.2, stack consistency (5)", "At a `sync` with no div token on top, the topmost token is of the address where the `sync` leads.";
    S6, "token policies", "6.2, stack consistency (6)", "At a call there is a call token of the address behind it, which has the lanes.";
    P, "the code", "6.2, program address consistency", "Branches, jumps and markers name addresses of their own function, calls the entry of a function.";
    T1, "all", "6.4", "A lane that has ended never runs or waits again; under a token policy, δ = exit is for ever.";
    T2, "token policies", "5.4.1", "δ changes for lanes that execute only, or back to none by a brk, cont or call token that has the lane and is popped.";
    T3, "token policies", "5.4.1", "A step pushes one token, or pops some, or leaves the stack as it is.";
    T4, "all", "5.4.1, 5.7.1", "Lanes without a thread never run or wait.";
    T5, "token policies", "5.4.1, taken and notTaken", "No lane that runs is in a div token.";
    T6, "all", "5.4.1, unwind", "When all lanes have ended there is no split left and, under a token policy, no token, and every δ is exit.";
    T7, "token policies", "6.4, Lemma 2", "A token that is popped and wakes no lane changes no δ: a lane whose δ was taken back runs.";
}

impl Checks {
    /// The set of all checks.
    pub const fn all() -> Self {
        Self((1 << Check::ALL.len()) - 1)
    }

    /// The empty set.
    pub const fn none() -> Self {
        Self(0)
    }

    /// These checks and another one.
    #[must_use]
    pub const fn with(self, check: Check) -> Self {
        Self(self.0 | 1 << check as u32)
    }

    /// These checks without one.
    #[must_use]
    pub const fn without(self, check: Check) -> Self {
        Self(self.0 & !(1 << check as u32))
    }

    /// Whether the set contains a check.
    pub const fn contains(self, check: Check) -> bool {
        self.0 >> check as u32 & 1 == 1
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The checks, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL.into_iter().filter(move |&check| self.contains(check))
    }
}

impl Default for Checks {
    /// The empty set; with the feature `testing`, the set of all checks.
    fn default() -> Self {
        if cfg!(feature = "testing") { Self::all() } else { Self::none() }
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> Self {
        checks.into_iter().fold(Self::none(), Self::with)
    }
}

impl From<Vec<Check>> for Checks {
    fn from(checks: Vec<Check>) -> Self {
        checks.into_iter().collect()
    }
}

impl From<Checks> for Vec<Check> {
    fn from(checks: Checks) -> Self {
        checks.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        for check in Check::ALL {
            assert!(Checks::all().contains(check) && !Checks::none().contains(check));
            let one = Checks::none().with(check);
            assert_eq!(one.iter().collect::<Vec<_>>(), [check]);
            assert_eq!(one.without(check), Checks::none());
            assert_eq!(Checks::all().without(check).iter().count(), Check::ALL.len() - 1);
        }
        assert_eq!(format!("{:?}", [Check::T1, Check::I1].into_iter().collect::<Checks>()), "{I1, T1}");
    }

    #[test]
    fn they_are_on_in_tests() {
        assert_eq!(Checks::default(), Checks::all());
    }
}
