//! The figures that the levels count.

use super::cache::CacheFigures;
use super::crossbar::CrossbarFigures;
use super::dram::DramFigures;
use super::kinds::LevelFigures;

/// A struct of counters that can be added and taken from each other, of one list of fields.
macro_rules! counters {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name {
            $($(#[$field_doc])* pub $field: u64,)*
        }

        impl $name {
            /// Returns what has been counted since there were `earlier`.
            pub fn since(&self, earlier: &Self) -> Self {
                Self { $($field: self.$field.saturating_sub(earlier.$field),)* }
            }

            /// Adds what another level of the kind has counted.
            pub(in crate::hierarchy) fn add(&mut self, other: &Self) {
                $(self.$field += other.$field;)*
            }
        }
    };
}

pub(super) use counters;

/// A line of a report.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// What it is a figure of, behind the level's name.
    pub(crate) what: &'static str,
    /// The figure.
    pub(crate) amount: Amount,
    /// What stands behind it.
    pub(crate) note: String,
}

/// A figure of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    /// A number of something.
    Count(u64),
    /// A part of a whole, from 0 to 1.
    Part(f64),
}

/// What a level has counted, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NamedFigures {
    /// The level's name, as in [`HierarchyConfig::levels`](super::HierarchyConfig::levels).
    pub name: String,
    /// Its figures, summed over the caches, ports and modules of the level.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub figures: LevelFigures,
}

/// The figures of a memory hierarchy, level by level.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id();
///     x[i] *= 2;
/// }
///
/// let mut x = [1; 1024];
/// let report = Gpu::<Ipdom>::new(GpuConfig::fermi()).launch(Grid::new(4, 256), double(&mut x))?;
/// let memory = report.clock().and_then(|clock| clock.memory()).expect("a machine with a hierarchy");
/// let names: Vec<&str> = memory.levels.iter().map(|level| level.name.as_str()).collect();
/// assert_eq!(names, ["l1", "crossbar", "l2", "dram"]);
/// assert_eq!(memory.cache("l1").map(|l1| l1.load_sectors), Some(32));
/// assert!(memory.cache("l3").is_none());
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HierarchyFigures {
    /// Each level's, from top to bottom.
    pub levels: Vec<NamedFigures>,
}

impl HierarchyFigures {
    /// Returns the figures of a level.
    pub fn level(&self, name: &str) -> Option<&LevelFigures> {
        self.levels.iter().find(|level| level.name == name).map(|level| &level.figures)
    }

    /// Returns the figures of a level of caches.
    pub fn cache(&self, name: &str) -> Option<&CacheFigures> {
        if let LevelFigures::Cache(figures) = self.level(name)? { Some(figures) } else { None }
    }

    /// Returns the figures of the crossbar.
    pub fn crossbar(&self) -> Option<&CrossbarFigures> {
        self.levels
            .iter()
            .find_map(|level| if let LevelFigures::Crossbar(figures) = &level.figures { Some(figures) } else { None })
    }

    /// Returns the figures of the memory modules.
    pub fn dram(&self) -> Option<&DramFigures> {
        self.levels
            .iter()
            .find_map(|level| if let LevelFigures::Dram(figures) = &level.figures { Some(figures) } else { None })
    }

    /// Adds figures to those of the level with this name; without one, they are the next level's from the top.
    pub fn add(&mut self, name: &str, figures: impl Into<LevelFigures>) {
        let figures = figures.into();
        match self.levels.iter_mut().find(|level| level.name == name) {
            Some(level) => level.figures.add(&figures),
            None => self.levels.push(NamedFigures { name: name.into(), figures }),
        }
    }

    /// Adds what another launch has counted.
    pub(crate) fn merge(&mut self, other: &Self) {
        other.levels.iter().for_each(|level| self.add(&level.name, level.figures));
    }

    /// Returns what has been counted since there were `earlier`: of one launch, or one interval of it.
    pub fn since(&self, earlier: &Self) -> Self {
        let levels = self.levels.iter().map(|NamedFigures { name, figures }| {
            let since = earlier.level(name).map_or(*figures, |earlier| figures.since(earlier));
            NamedFigures { name: name.clone(), figures: since }
        });
        Self { levels: levels.collect() }
    }
}

pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
