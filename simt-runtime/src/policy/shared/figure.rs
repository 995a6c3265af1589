//! Figures that a policy counts.

/// A figure of a policy's own: a depth, an occupancy, a number of spills. The report shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of the figure, with its unit.
    pub name: &'static str,
    /// Its value for one warp, or for one block where threads are regrouped.
    pub value: u64,
    /// How the values of several warps or blocks are combined.
    pub total: FigureTotal,
}

/// How figures of several warps or blocks are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FigureTotal {
    /// They are added up.
    Sum,
    /// The highest counts.
    Highest,
}

impl Figure {
    /// A count.
    pub const fn sum(name: &'static str, value: u64) -> Self {
        Self { name, value, total: FigureTotal::Sum }
    }

    /// A high-water mark.
    pub const fn highest(name: &'static str, value: u64) -> Self {
        Self { name, value, total: FigureTotal::Highest }
    }
}

impl FigureTotal {
    /// Combines two values.
    pub(crate) fn of(self, left: u64, right: u64) -> u64 {
        match self {
            Self::Sum => left + right,
            Self::Highest => left.max(right),
        }
    }
}

/// The values that a policy reports.
#[cfg(test)]
pub(crate) fn gathered(figures: impl FnOnce(&mut dyn FnMut(Figure))) -> Vec<u64> {
    let mut values = Vec::new();
    figures(&mut |figure| values.push(figure.value));
    values
}

/// A value that a policy only counts, and that none of its decisions depends on: all such values are equal, so that they
/// have no part in whether two policies are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally<T>(pub T);

impl<T> PartialEq for Tally<T> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
