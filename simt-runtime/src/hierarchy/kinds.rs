//! The kinds of levels: one row a kind. A new kind is a file or folder with its config, figures and level, and its row here.

use super::cache::{Cache, CacheConfig, CacheFigures};
use super::crossbar::{Crossbar, CrossbarConfig, CrossbarFigures};
use super::dram::{Dram, DramConfig, DramFigures};
use super::figures::{HierarchyFigures, Shown};
use super::level::{Cycle, Full, Level, Reply, Request};

/// Where a level stands in a hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// Its name.
    pub(super) name: String,
    /// Its index in the list of levels.
    pub(super) number: usize,
    /// Whether all cores share it: it stands behind the crossbar.
    pub(super) shared: bool,
    /// How many of it stand side by side, if it has one for each core.
    pub(super) cores: usize,
}

/// What a hierarchy's list has to know of the config of a level, beside how to make the level.
pub(super) trait Sizes {
    /// Returns the kind's part in the list.
    fn part(&self) -> Part {
        Part::Between
    }

    /// Returns the first field that cannot work, with the value and what it must be.
    fn problem(&self) -> Option<(&'static str, usize, &'static str)>;

    /// Returns how many lines it keeps.
    fn lines(&self) -> u64 {
        0
    }

    /// Returns how many of each level stand behind it, if that is not as many as of it.
    fn copies(&self) -> Option<u32> {
        None
    }

    /// Lets a lone load go by, for the next level to serve it.
    fn pass(&self, load: &mut Lone);

    /// Returns the cycle in which the level answers a lone load whose bytes it has; none if it never has any.
    fn serve(&self, load: &Lone) -> Option<Cycle>;
}

/// Which part of a list a level can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Any but the last, any number of them.
    Between,
    /// What joins cores and partitions: there is one.
    Joins,
    /// The last.
    Last,
}

/// A load with nothing in its way, as far as it has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lone {
    /// When it is offered to the next level.
    pub(super) at: Cycle,
    /// The bytes that it asks for there.
    pub(super) bytes: u32,
    /// Cycles that its reply takes from there to the core.
    pub(super) back: Cycle,
}

/// A kind of level that can be made at its place in a list.
pub(super) trait Make {
    /// Its sizes.
    type Config;

    /// The level, over those that follow in the list.
    fn make(config: &Self::Config, place: &List<'_>) -> Self;
}

/// The levels of a list from one of them on.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    pub(super) levels: &'a [super::NamedLevel],
    pub(super) number: usize,
    pub(super) shared: bool,
    pub(super) cores: usize,
}

impl List<'_> {
    /// Where the first of them stands.
    pub(super) fn standing(&self) -> Standing {
        let name = self.levels[self.number].name.clone();
        Standing { name, number: self.number, shared: self.shared, cores: if self.shared { 1 } else { self.cores } }
    }

    /// The levels behind the first, which all cores share from then on if they are behind the crossbar.
    pub(super) fn next(&self, shared: bool) -> Self {
        Self { number: self.number + 1, shared, ..*self }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $level:ty, $config:ident, $figures:ident;)*) => {
        /// What a level is, and its sizes.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
        pub enum LevelConfig { $($(#[$doc])* $kind($config),)* }

        /// What a level has counted, by its kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
        #[allow(clippy::large_enum_variant, reason = "there are as many as levels")]
        pub enum LevelFigures { $($(#[$doc])* $kind($figures),)* }

        $(
            impl From<$config> for LevelConfig {
                fn from(config: $config) -> Self {
                    Self::$kind(config)
                }
            }

            impl From<$figures> for LevelFigures {
                fn from(figures: $figures) -> Self {
                    Self::$kind(figures)
                }
            }
        )*

        impl LevelConfig {
            /// The config as what the list has to know of it.
            pub(super) fn sizes(&self) -> &dyn Sizes {
                match self { $(Self::$kind(config) => config,)* }
            }
        }

        impl LevelFigures {
            /// Adds what another level of the kind has counted.
            pub(super) fn add(&mut self, other: &Self) {
                match (self, other) {
                    $((Self::$kind(mine), Self::$kind(other)) => mine.add(other),)*
                    _ => {}
                }
            }

            /// Returns what has been counted since there were `earlier`.
            pub fn since(&self, earlier: &Self) -> Self {
                match (self, earlier) {
                    $((Self::$kind(mine), Self::$kind(earlier)) => Self::$kind(mine.since(earlier)),)*
                    _ => *self,
                }
            }

            /// Returns what a report shows of it.
            pub(crate) fn shown(&self) -> Option<Shown> {
                match self { $(Self::$kind(figures) => figures.shown(),)* }
            }
        }

        /// A level of any kind, over those that follow it in the list.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant, reason = "there are as many as levels and partitions")]
        pub(super) enum AnyLevel { $($kind($level),)* }

        impl AnyLevel {
            /// The first level of a list, over the others.
            pub(super) fn of(list: &List<'_>) -> Self {
                match &list.levels[list.number].level {
                    $(LevelConfig::$kind(config) => Self::$kind(<$level>::make(config, list)),)*
                }
            }
        }

        impl Level for AnyLevel {
            #[inline]
            fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
                match self { $(Self::$kind(level) => level.offer(now, request),)* }
            }

            #[inline]
            fn full(&self) -> u128 {
                match self { $(Self::$kind(level) => level.full(),)* }
            }

            #[inline]
            fn may_have_room(&self, core: u16) -> bool {
                match self { $(Self::$kind(level) => level.may_have_room(core),)* }
            }

            #[inline]
            fn next_event(&self) -> Option<Cycle> {
                match self { $(Self::$kind(level) => level.next_event(),)* }
            }

            fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
                match self { $(Self::$kind(level) => level.advance(now, done),)* }
            }

            fn flush(&mut self) {
                match self { $(Self::$kind(level) => level.flush(),)* }
            }

            fn outstanding(&self) -> usize {
                match self { $(Self::$kind(level) => level.outstanding(),)* }
            }

            fn count(&self, sum: &mut HierarchyFigures) {
                match self { $(Self::$kind(level) => level.count(sum),)* }
            }

            #[inline]
            fn holds(&self, load: &Request) -> bool {
                match self { $(Self::$kind(level) => level.holds(load),)* }
            }

            fn fill(&mut self, number: usize, address: u64) {
                match self { $(Self::$kind(level) => level.fill(number, address),)* }
            }
        }
    };
}

kinds! {
    /// Caches: one a core in front of the crossbar, one a partition behind it.
    Cache: Cache<Box<AnyLevel>>, CacheConfig, CacheFigures;
    /// What joins cores and partitions. All that follows in the list stands once in each partition.
    Crossbar: Crossbar<AnyLevel>, CrossbarConfig, CrossbarFigures;
    /// Memory modules with their controllers, one a partition.
    Dram: Dram, DramConfig, DramFigures;
}
