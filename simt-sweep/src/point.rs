//! A point of a sweep: what a kernel is run with.

use crate::choice::PolicyChoice;
use crate::nearest::nearest;
use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use simt::{GpuConfig, Grid, KernelCall, LaunchError, Report};
use std::fmt;
use std::sync::Arc;

/// Names with values, in the order of the sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pairs(pub(crate) Vec<(Arc<str>, Value)>);

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(&**name, value))?;
        map.end()
    }
}

/// A machine with values in its fields.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) machine: String,
    pub(crate) fields: Pairs,
    pub(crate) config: GpuConfig,
    /// The hash of the config.
    pub(crate) hash: String,
}

/// A point of a sweep: what its kernel is run with.
#[derive(Clone)]
pub struct Point {
    pub(crate) id: String,
    pub(crate) kernel: Arc<str>,
    /// Which of the sweep's kernels it is.
    pub(crate) index: usize,
    pub(crate) policy: PolicyChoice,
    pub(crate) setting: Arc<Setting>,
    pub(crate) inputs: Pairs,
}

impl Point {
    /// Its name, 16 digits of a hash of all that its result depends on.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The kernel's name.
    pub fn kernel(&self) -> &str {
        &self.kernel
    }

    /// The policy.
    pub fn policy(&self) -> PolicyChoice {
        self.policy
    }

    /// The machine's name.
    pub fn machine(&self) -> &str {
        &self.setting.machine
    }

    /// The machine, with the point's values in its fields.
    pub fn config(&self) -> &GpuConfig {
        &self.setting.config
    }

    /// The value of an input.
    ///
    /// # Errors
    /// If the sweep has no such input, or its value is none of this type.
    pub fn input<T: DeserializeOwned>(&self, name: &str) -> Result<T, InputError> {
        let Some((_, value)) = self.inputs.0.iter().find(|(found, _)| **found == *name) else {
            let names = self.inputs.0.iter().map(|(name, _)| &**name);
            return Err(InputError(format!("there is no input `{name}`; the nearest are {}", nearest(name, names))));
        };
        serde_json::from_value(value.clone()).map_err(|error| {
            InputError(format!("input `{name}` is {value}, and is asked for as another type: {error}"))
        })
    }

    /// Launches a kernel on the point's machine, under its policy, on one thread of the host: other points have the others.
    ///
    /// # Errors
    /// What the launch failed with.
    pub fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        self.policy.launch(self.setting.config.clone(), Some(1), grid, call)
    }

    /// The value of a column of the table that points are in: the kernel, a field and so on.
    pub(crate) fn column(&self, name: &str) -> Option<Value> {
        let pairs = self.setting.fields.0.iter().chain(&self.inputs.0);
        match name {
            "id" => Some(self.id.as_str().into()),
            "kernel" => Some(self.kernel().into()),
            "policy" => Some(self.policy.name().into()),
            "machine" => Some(self.machine().into()),
            _ => pairs.into_iter().find(|(found, _)| **found == *name).map(|(_, value)| value.clone()),
        }
    }

    /// The columns of [`column`](Self::column), in order.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        let pairs = self.setting.fields.0.iter().chain(&self.inputs.0);
        ["id", "kernel", "policy", "machine"].into_iter().chain(pairs.map(|(name, _)| &**name))
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(6))?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("kernel", &*self.kernel)?;
        map.serialize_entry("policy", self.policy.name())?;
        map.serialize_entry("machine", &self.setting.machine)?;
        map.serialize_entry("fields", &self.setting.fields)?;
        map.serialize_entry("inputs", &self.inputs)?;
        map.end()
    }
}

/// What it is, in a line.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} under {} on {}", self.id, self.kernel, self.policy.name(), self.setting.machine)?;
        self.setting.fields.0.iter().chain(&self.inputs.0).try_for_each(|(name, value)| write!(f, ", {name} {value}"))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({self})")
    }
}

/// An input that a point has not, or not as what it is asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InputError(String);
