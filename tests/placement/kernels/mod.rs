//! The kernels whose barriers are compared, by subject. A crate that takes them in says what its `Skeleton` of one is, and how
//! its macro `kernels!` makes it.

mod early;
mod exits;
mod locks;
mod loops;
mod uniform;
mod yields;

use crate::skeleton::Skeleton;

/// All of them, by name.
pub(crate) fn skeletons() -> Vec<(&'static str, Skeleton)> {
    let groups = [
        early::skeletons(),
        exits::skeletons(),
        locks::skeletons(),
        loops::skeletons(),
        uniform::skeletons(),
        yields::skeletons(),
    ];
    groups.into_iter().flatten().collect()
}
