//! What a checker asks of a policy. Each policy has a constant, `CHECKING`; by default it is guarded.

use super::{BrokenCheck, Guard};
use crate::policy::TokenState;

/// What [`Checks`](crate::Checks) may ask of a [`WarpPolicy`](crate::WarpPolicy), and whether its steps are compared with
/// where its lanes are: its constant [`CHECKING`](crate::WarpPolicy::CHECKING).
#[derive(Debug)]
pub struct WarpChecking<P> {
    tokens: Option<fn(&P) -> Option<TokenState<'_>>>,
    broken: Option<fn(&P) -> Option<&BrokenCheck>>,
    guard: Guard,
    /// Whether the policy is certainly one of the list of this library, which this crate has compiled.
    listed: bool,
}

/// The same of a [`BlockPolicy`](crate::BlockPolicy).
#[derive(Debug)]
pub struct BlockChecking<P> {
    broken: Option<BrokenInWarp<P>>,
    guard: Guard,
    /// Whether the policy is certainly one of the list of this library, which this crate has compiled.
    listed: bool,
}

/// Which check a policy has broken, and in which warp.
type BrokenInWarp<P> = fn(&P) -> Option<(usize, &BrokenCheck)>;

impl<P> WarpChecking<P> {
    /// The steps of the policy are compared, and it has no stack of tokens.
    pub const GUARDED: Self = Self::by(Guard::ON);

    /// A policy that is tested under all checks.
    pub(crate) const TRUSTED: Self = Self { listed: true, ..Self::by(Guard::OFF) };

    /// As the guard says.
    pub(crate) const fn by(guard: Guard) -> Self {
        Self { tokens: None, broken: None, guard, listed: false }
    }

    /// A policy with a parameter, which may be one of a user's.
    pub(crate) const fn with_any_parameter(self) -> Self {
        Self { listed: false, ..self }
    }

    /// A mechanism with tokens, which shows its stack and its disable states: there is more to check then.
    #[must_use]
    pub const fn with_tokens(self, tokens: fn(&P) -> Option<TokenState<'_>>) -> Self {
        Self { tokens: Some(tokens), ..self }
    }

    /// A policy that checks another one, and tells what that has broken.
    pub(crate) const fn with_broken(self, broken: fn(&P) -> Option<&BrokenCheck>) -> Self {
        Self { broken: Some(broken), listed: false, ..self }
    }

    /// The stack and the disable states, of a mechanism with tokens.
    #[inline(always)]
    pub fn tokens(self, policy: &P) -> Option<TokenState<'_>> {
        self.tokens.and_then(|tokens| tokens(policy))
    }

    #[inline(always)]
    pub(crate) fn broken(self, policy: &P) -> Option<&BrokenCheck> {
        self.broken.and_then(|broken| broken(policy))
    }

    pub(crate) const fn guard(self) -> Guard {
        self.guard
    }

    pub(crate) const fn is_listed(self) -> bool {
        self.listed
    }
}

impl<P> BlockChecking<P> {
    /// The steps of the policy are compared.
    pub const GUARDED: Self = Self::by(Guard::ON);

    /// A policy that is tested under all checks.
    pub(crate) const TRUSTED: Self = Self { listed: true, ..Self::by(Guard::OFF) };

    /// As the guard says.
    pub(crate) const fn by(guard: Guard) -> Self {
        Self { broken: None, guard, listed: false }
    }

    /// A policy that is listed with each of its parameters that are trusted.
    pub(crate) const fn with_listed_parameters(self) -> Self {
        Self { listed: !self.guard.is_on(), ..self }
    }

    /// A policy that checks another one, and tells what that has broken.
    pub(crate) const fn with_broken(self, broken: BrokenInWarp<P>) -> Self {
        Self { broken: Some(broken), listed: false, ..self }
    }

    #[inline(always)]
    pub(crate) fn broken(self, policy: &P) -> Option<(usize, &BrokenCheck)> {
        self.broken.and_then(|broken| broken(policy))
    }

    pub(crate) const fn guard(self) -> Guard {
        self.guard
    }

    pub(crate) const fn is_listed(self) -> bool {
        self.listed
    }
}

// By hand: a copy of a table of methods needs no copy of the policy.
impl<P> Copy for WarpChecking<P> {}
impl<P> Clone for WarpChecking<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for BlockChecking<P> {}
impl<P> Clone for BlockChecking<P> {
    fn clone(&self) -> Self {
        *self
    }
}
