//! Machines as TOML: what a file says, over the machine that it begins with.

use super::{GpuConfig, NamedMachine};
use serde::Deserialize;
use serde::de::Error as _;
use toml::{Table, Value};

/// The one field of a file that a config has not.
#[derive(Deserialize)]
struct Begun {
    base: Option<Value>,
}

impl GpuConfig {
    /// A config from TOML; fields not given are those of [`GpuConfig::functional`]. Checks are a list of names.
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// let config = GpuConfig::from_toml("warp_width = 64").unwrap();
    /// assert_eq!(config.warp_width, 64);
    /// let config = GpuConfig::from_toml(r#"checks = ["I1", "S4"]"#).unwrap();
    /// assert_eq!(config.checks.iter().count(), 2);
    /// let config = GpuConfig::from_toml("[memory.environment]\nseed = 7\nl1 = { sets = 1, ways = 4 }").unwrap();
    /// assert!(matches!(config.memory, simt::environment::MemoryModel::Environment(environment) if environment.seed == 7));
    /// assert_eq!(GpuConfig::from_toml("load_splits = \"lazy\"").unwrap().load_splits, simt::policy::LoadSplits::Lazy);
    /// assert!(GpuConfig::from_toml("load_splits = \"often\"").is_err());
    /// assert_eq!(GpuConfig::from_toml("overflow = \"fault\"").unwrap().overflow, simt::Overflow::Fault);
    /// assert!(GpuConfig::from_toml("overflow = \"saturate\"").is_err());
    /// assert!(GpuConfig::from_toml("warp_widht = 64").unwrap_err().to_string().contains("warp_widht"));
    /// ```
    ///
    /// With `base` the fields not given are those of another of the [`MACHINES`](crate::MACHINES), in tables, too; a
    /// level of its memory is found by its name:
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// let config = GpuConfig::from_toml(r#"
    ///     base = "turing"
    ///
    ///     [clock]
    ///     cores = 4
    ///
    ///     [[clock.memory.hierarchy.levels]]
    ///     name = "l2"
    ///     ways = 8
    /// "#).unwrap();
    /// let mut turing = GpuConfig::turing();
    /// let clock = turing.clock.as_mut().unwrap();
    /// clock.cores = 4;
    /// let simt::clock::MemoryTiming::Hierarchy(memory) = &mut clock.memory else { panic!("Turing has caches") };
    /// memory.cache_mut("l2").unwrap().ways = 8;
    /// assert_eq!(config, turing);
    /// ```
    ///
    /// Lists but that of levels are given whole, as is a part that is of another kind than the base's:
    /// `clock.memory = { ideal = { latency = 100 } }`. What a base has cannot be taken out, nor a level added: such a
    /// machine is written without `base`, beginning with [`to_toml`](Self::to_toml).
    ///
    /// # Errors
    /// Text that is not TOML, or has a field that a config has not, a value of the wrong type, or a base that is none.
    pub fn from_toml(text: &str) -> Result<Self, toml::de::Error> {
        let Some(base) = toml::from_str::<Begun>(text)?.base else { return toml::from_str(text) };
        let found = base.as_str().and_then(NamedMachine::find);
        let machine = found.ok_or_else(|| {
            toml::de::Error::custom(format!("`base` is {base}: it must be one of {}", NamedMachine::names()))
        })?;
        let mut whole = Table::try_from((machine.config)()).map_err(toml::de::Error::custom)?;
        let mut given: Table = toml::from_str(text)?;
        given.remove("base");
        lay_over(&mut whole, given).map_err(|error| toml::de::Error::custom(format!("over {base}, {error}")))?;
        whole.try_into()
    }

    /// Returns the config as TOML, all of it: [`from_toml`](Self::from_toml) reads the same from it.
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// let text = GpuConfig::turing().to_toml().unwrap();
    /// assert!(text.contains("[clock]\ncores = 30\n"));
    /// assert_eq!(GpuConfig::from_toml(&text).unwrap(), GpuConfig::turing());
    /// ```
    ///
    /// # Errors
    /// A value that TOML cannot say.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }
}

/// Puts what is given in place of what is there, field by field.
fn lay_over(whole: &mut Table, given: Table) -> Result<(), String> {
    for (field, value) in given {
        match (whole.get_mut(&field), value) {
            (Some(Value::Table(there)), Value::Table(given)) if !is_another_kind(there, &given) => {
                lay_over(there, given)?;
            }
            (Some(Value::Array(there)), Value::Array(given)) if !given.is_empty() && are_named(there) => {
                given.into_iter().try_for_each(|element| lay_over_named(there, element, &field))?;
            }
            (_, value) => {
                whole.insert(field, value);
            }
        }
    }
    Ok(())
}

/// Whether a part that is one of several kinds, a table with the kind as its only field, is given as another: two kinds
/// of one part would be none.
fn is_another_kind(there: &Table, given: &Table) -> bool {
    there.len() == 1 && !given.is_empty() && there.keys().all(|kind| !given.contains_key(kind))
}

/// Whether the elements of a list are known by their names.
fn are_named(list: &[Value]) -> bool {
    !list.is_empty() && list.iter().all(|element| name_of(element).is_some())
}

fn name_of(element: &Value) -> Option<&str> {
    element.get("name")?.as_str()
}

/// Puts what is given in place of what the element with its name has.
fn lay_over_named(list: &mut [Value], given: Value, field: &str) -> Result<(), String> {
    let known = list.iter().filter_map(name_of).collect::<Vec<_>>().join(", ");
    let name = name_of(&given).ok_or_else(|| {
        format!("an element of `{field}` has no `name`: write that of what it changes, one of {known}")
    })?;
    let at = list.iter().position(|there| name_of(there) == Some(name)).ok_or_else(|| {
        format!("`{field}` has no `{name}`, but {known}: a machine that has others is written whole, without `base`")
    })?;
    match (&mut list[at], given) {
        (Value::Table(there), Value::Table(given))
            if given.get("kind").is_none_or(|kind| there.get("kind") == Some(kind)) =>
        {
            lay_over(there, given)
        }
        // One of another kind has none of its fields.
        (there, given) => {
            *there = given;
            Ok(())
        }
    }
}
