//! The conditions that a hierarchy's config must meet.

use super::super::coalescing::Coalescing;
use super::super::kinds::Part;
use super::{HierarchyConfig, NamedLevel};
use std::borrow::Cow;

/// A field, its value and what it must be.
type Problem = (Cow<'static, str>, usize, &'static str);

/// Most of anything that queues or is tracked: what is more would be a mistake.
pub(in super::super) const MOST: u32 = 1 << 14;
/// Most cycles of a timing.
pub(in super::super) const LONGEST: u32 = 1 << 20;
/// Most bytes of a cache.
pub(in super::super) const LARGEST: u64 = 1 << 32;
/// Most levels.
const DEEPEST: usize = 16;

impl HierarchyConfig {
    /// Lines of all levels, on a machine of so many cores.
    pub(crate) fn lines(&self, cores: usize) -> u64 {
        let mut copies = cores as u64;
        let mut sum = 0u64;
        for level in self.levels.iter().map(|level| level.level.sizes()) {
            sum = sum.saturating_add(level.lines().saturating_mul(copies));
            copies = level.copies().map_or(copies, u64::from);
        }
        sum
    }

    /// Returns the first field that cannot work, with the value and what it must be. Fields of a level begin with its name, as
    /// `l1.ways`.
    pub fn problem(&self) -> Option<Problem> {
        let lines = || self.levels.iter().filter_map(|level| Some((level, level.cache()?.line)));
        self.list().or_else(|| self.levels.iter().find_map(of_level)).or_else(|| {
            let crossbar = self.levels.iter().find(|level| level.crossbar().is_some())?;
            let interleave = crossbar.crossbar()?.interleave;
            if lines().any(|(_, line)| !interleave.is_multiple_of(line)) {
                let must = "a multiple of the line of each cache";
                return Some((field(crossbar, "interleave"), interleave as usize, must));
            }
            let mut pairs = lines().zip(lines().skip(1));
            if let Some(((level, line), _)) = pairs.find(|((_, line), (_, next))| line > next) {
                let must = "at most that of the next cache: a line comes from one line";
                return Some((field(level, "line"), line as usize, must));
            }
            // The first cache takes the transactions.
            let line = lines().next().map_or(interleave, |(_, line)| line);
            for (name, of) in [("coalescing", self.coalescing), ("coalescing_past", self.coalescing_past)] {
                if let Some(problem) = rule(of, line, name) {
                    return Some(problem);
                }
            }
            let last = self.levels.last()?;
            let row = last.dram()?.row;
            let line = lines().next_back().map_or(0, |(_, line)| line);
            (row < line).then(|| (field(last, "row"), row as usize, "at least a line"))
        })
    }

    /// What is wrong with the list itself.
    fn list(&self) -> Option<Problem> {
        let Self { levels, .. } = self;
        let count = |part: Part| levels.iter().filter(|level| level.level.sizes().part() == part).count();
        let last = levels.last().is_some_and(|level| level.level.sizes().part() == Part::Last);
        if levels.len() > DEEPEST {
            return Some(("levels".into(), levels.len(), "at most 16 levels"));
        }
        if !last || count(Part::Last) != 1 || count(Part::Joins) != 1 {
            let must =
                "a list with one crossbar and, at its end, one memory module, with caches or other levels between";
            return Some(("levels".into(), levels.len(), must));
        }
        for (number, NamedLevel { name, .. }) in levels.iter().enumerate() {
            let right = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            if name.is_empty() || !name.bytes().all(right) {
                let must = "a level whose `name` is of letters, digits, `-` and `_`";
                return Some((format!("levels[{number}]").into(), number, must));
            }
            if levels[..number].iter().any(|level| level.name == *name) {
                return Some((format!("levels[{number}]").into(), number, "a level whose `name` no other has"));
            }
        }
        None
    }
}

/// A field of a level, by its name.
fn field(level: &NamedLevel, field: &str) -> Cow<'static, str> {
    format!("{}.{field}", level.name).into()
}

/// What is wrong with a level by itself.
fn of_level(level: &NamedLevel) -> Option<Problem> {
    let (name, value, must) = level.level.sizes().problem()?;
    Some((field(level, name), value, must))
}

/// The problem of a rule for a level that takes at most a `line` at once.
fn rule(rule: Coalescing, line: u32, field: &'static str) -> Option<Problem> {
    let (unit, whole) = match rule {
        Coalescing::PerThread => {
            return (line < 16).then_some((field.into(), 16, "a rule whose transactions fit into a line"));
        }
        Coalescing::Segments => (32, 128),
        Coalescing::Lines { line } => (line, line),
        Coalescing::Sectors { sector, line } => (sector, line),
    };
    if !unit.is_power_of_two() || !whole.is_power_of_two() || unit > whole {
        let must = "a rule whose sizes are powers of two, a sector at most a line";
        return Some((field.into(), unit as usize, must));
    }
    (whole > line).then_some((field.into(), whole as usize, "a rule whose transactions fit into a line"))
}

/// The first of some fields that is not between two values.
pub(in super::super) fn between(
    fields: &[(&'static str, u32)],
    least: u32,
    most: u32,
    must: &'static str,
) -> Option<(&'static str, usize, &'static str)> {
    let bad = fields.iter().find(|(_, value)| !(least..=most).contains(value));
    bad.map(|&(field, value)| (field, value as usize, must))
}
