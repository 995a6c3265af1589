//! A sweep: what is run, and over what.

use crate::choice::{MachineChoice, PolicyChoice, policy};
use crate::error::SweepError;
use crate::field::with_fields;
use crate::point::{Pairs, Point, Setting};
use crate::select::DIGITS;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

/// Most points of a sweep.
const MOST: usize = 1 << 22;
/// Columns of the table of points that are no fields, inputs or figures.
pub(crate) const COLUMNS: [&str; 6] = ["number", "id", "kernel", "policy", "machine", "outcome"];

/// What is measured at a point.
type Measure = Box<dyn Fn(&Point) -> Result<Value, String> + Send + Sync>;

/// Whether a point is left in.
type Only = Box<dyn Fn(&Point) -> bool + Send + Sync>;

/// A field or input, with its values.
struct Dimension {
    name: Arc<str>,
    values: Vec<Value>,
}

/// Kernels over policies, machines, fields of machines and inputs: each combination is a point.
///
/// [The page of the crate](crate) shows one. Without `policies` it is [`Ipdom`](simt::policy::Ipdom), without `machines`
/// `functional`.
pub struct Sweep {
    name: String,
    /// Hashes: a version may be a long text.
    versions: Vec<String>,
    kernels: Vec<(String, Measure)>,
    policies: Option<Vec<PolicyChoice>>,
    machines: Option<Vec<MachineChoice>>,
    fields: Vec<Dimension>,
    inputs: Vec<Dimension>,
    only: Vec<Only>,
}

impl Sweep {
    /// A sweep without points; its name is that of the folder that keeps its results.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            versions: Vec::new(),
            kernels: Vec::new(),
            policies: None,
            machines: None,
            fields: Vec::new(),
            inputs: Vec::new(),
            only: Vec::new(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a kernel: a name, and what makes its inputs, launches it by [`Point::launch`] and returns what is kept: mostly
    /// [`Figures`](crate::Figures), but anything that serde can write. It must depend on nothing but the point.
    #[must_use]
    pub fn kernel<T: Serialize>(
        mut self,
        name: impl Into<String>,
        measure: impl Fn(&Point) -> Result<T, Box<dyn Error>> + Send + Sync + 'static,
    ) -> Self {
        let measure = move |point: &Point| {
            let measured = measure(point).map_err(|error| error.to_string())?;
            serde_json::to_value(measured).map_err(|error| format!("what was measured cannot be written: {error}"))
        };
        self.kernels.push((name.into(), Box::new(measure)));
        self
    }

    /// Adds policies: [`all`](crate::all) of them, or some by [`policy`](crate::policy()).
    #[must_use]
    pub fn policies(mut self, policies: impl IntoIterator<Item = PolicyChoice>) -> Self {
        self.policies.get_or_insert_default().extend(policies);
        self
    }

    /// Adds machines: names, such as `"fermi"`, or a name and a config.
    #[must_use]
    pub fn machines<M: Into<MachineChoice>>(mut self, machines: impl IntoIterator<Item = M>) -> Self {
        self.machines.get_or_insert_default().extend(machines.into_iter().map(Into::into));
        self
    }

    /// Adds a field of the machines with the values that it has, in turn: `"warp_width"`, `"clock.memory.l1.bytes"`. The names
    /// are those of [`GpuConfig`](simt::GpuConfig) in TOML, with the name of a level for its place in the list of levels.
    #[must_use]
    pub fn field<V: Into<Value>>(mut self, name: &str, values: impl IntoIterator<Item = V>) -> Self {
        self.fields.push(Dimension { name: name.into(), values: values.into_iter().map(Into::into).collect() });
        self
    }

    /// Adds an input of the kernels with the values that it has, in turn: see [`Point::input`].
    #[must_use]
    pub fn inputs<V: Into<Value>>(mut self, name: &str, values: impl IntoIterator<Item = V>) -> Self {
        self.inputs.push(Dimension { name: name.into(), values: values.into_iter().map(Into::into).collect() });
        self
    }

    /// Leaves out the points for which this is not so.
    #[must_use]
    pub fn only(mut self, only: impl Fn(&Point) -> bool + Send + Sync + 'static) -> Self {
        self.only.push(Box::new(only));
        self
    }

    /// Makes this part of the ids of all points, for what results depend on beside the points: the kernel's
    /// `program()`, a hash of sources, a date. With another version all points are other points, which have no results yet.
    #[must_use]
    pub fn version(mut self, version: impl fmt::Display) -> Self {
        self.versions.push(hex(&version.to_string()));
        self
    }

    /// All points, in the order of the sweep: kernel by kernel, machine by machine, fields and inputs in the order in which
    /// they were given, policy by policy. The number of a point is its index.
    ///
    /// # Errors
    /// What is wrong with the sweep.
    pub fn points(&self) -> Result<Vec<Point>, SweepError> {
        let policies = self.policies.clone().unwrap_or_else(|| vec![policy::<simt::policy::Ipdom>()]);
        let machines = self.machines.clone().unwrap_or_else(|| vec!["functional".into()]);
        self.check(&policies, &machines)?;
        let mut settings = Vec::new();
        let of_fields = product(&self.fields);
        for machine in &machines {
            for fields in &of_fields {
                let config = with_fields(machine.name(), machine.config()?, &fields.0)?;
                let text = serde_json::to_string(&config).unwrap_or_default();
                let (machine, fields) = (machine.name().to_string(), fields.clone());
                settings.push(Arc::new(Setting { machine, fields, hash: hex(&text), config }));
            }
        }
        let of_inputs = product(&self.inputs);
        let mut points = Vec::new();
        for (index, (kernel, _)) in self.kernels.iter().enumerate() {
            let kernel: Arc<str> = kernel.as_str().into();
            for (setting, inputs) in settings.iter().flat_map(|one| of_inputs.iter().map(move |inputs| (one, inputs))) {
                for policy in &policies {
                    let id = self.id(&kernel, setting, inputs, policy);
                    let (setting, inputs) = (Arc::clone(setting), inputs.clone());
                    points.push(Point { id, kernel: Arc::clone(&kernel), index, policy: *policy, setting, inputs });
                }
            }
        }
        let mut known: HashMap<&str, &Point> = HashMap::new();
        for point in &points {
            if let Some(other) = known.insert(&point.id, point) {
                return Err(SweepError::SamePoint { one: other.to_string(), other: point.to_string() });
            }
        }
        points.retain(|point| self.only.iter().all(|only| only(point)));
        if points.is_empty() { Err(SweepError::NoPoints) } else { Ok(points) }
    }

    /// What is measured at a point.
    pub(crate) fn measure(&self, point: &Point) -> Result<Value, String> {
        self.kernels[point.index].1(point)
    }

    fn check(&self, policies: &[PolicyChoice], machines: &[MachineChoice]) -> Result<(), SweepError> {
        let simple = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.name.is_empty() || !self.name.chars().all(simple) {
            let must = "it is a folder's, so write letters, digits, `-` and `_`";
            return Err(SweepError::Name { what: "a sweep", name: self.name.clone(), must });
        }
        let lists = [
            ("kernel", "kernel", self.kernels.len()),
            ("policy", "policies", policies.len()),
            ("machine", "machines", machines.len()),
        ];
        if let Some((what, method, _)) = lists.into_iter().find(|&(.., count)| count == 0) {
            return Err(SweepError::Nothing { what, method });
        }
        once("kernel", self.kernels.iter().map(|(name, _)| name))?;
        once("policy", policies.iter().map(PolicyChoice::name))?;
        once("machine", machines.iter().map(MachineChoice::name))?;
        let dimensions = || self.fields.iter().chain(&self.inputs);
        for Dimension { name, values } in dimensions() {
            if name.is_empty() || COLUMNS.contains(&&**name) {
                let must = "it must be none of the columns `number`, `id`, `kernel`, `policy`, `machine` and `outcome`";
                return Err(SweepError::Name { what: "a field or input", name: name.to_string(), must });
            }
            if values.is_empty() {
                return Err(SweepError::NoValues { dimension: name.to_string() });
            }
            once(name, values)?;
        }
        if let Some(name) = twice(dimensions().map(|one| &one.name)) {
            return Err(SweepError::SameName { name: name.to_string() });
        }
        let sizes = lists.into_iter().map(|(.., count)| count).chain(dimensions().map(|one| one.values.len()));
        let count = sizes.into_iter().try_fold(1usize, usize::checked_mul);
        if count.is_some_and(|count| count <= MOST) { Ok(()) } else { Err(SweepError::TooMany { most: MOST }) }
    }

    /// The hash of all that the result of a point depends on.
    fn id(&self, kernel: &str, setting: &Setting, inputs: &Pairs, policy: &PolicyChoice) -> String {
        let Self { name, versions, .. } = self;
        let Setting { machine, hash, .. } = setting;
        let engine = env!("CARGO_PKG_VERSION");
        let text = serde_json::to_string(&(name, engine, versions, kernel, machine, hash, inputs, policy.name()));
        // Texts and numbers are all that there is, and JSON can say them.
        hex(&text.unwrap_or_default())[..DIGITS].to_string()
    }
}

impl fmt::Debug for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernels: Vec<&str> = self.kernels.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Sweep").field("name", &self.name).field("kernels", &kernels).finish_non_exhaustive()
    }
}

/// The hash of a text, in hexadecimal.
pub(crate) fn hex(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        // A `write!` to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// All combinations of values, those of the last dimension in turn first.
fn product(dimensions: &[Dimension]) -> Vec<Pairs> {
    dimensions.iter().fold(vec![Pairs::default()], |found, Dimension { name, values }| {
        let more = |pairs: &Pairs, value: &Value| {
            let one = (Arc::clone(name), value.clone());
            Pairs(pairs.0.iter().cloned().chain([one]).collect())
        };
        found.iter().flat_map(|pairs| values.iter().map(move |value| more(pairs, value))).collect()
    })
}

/// What stands twice in a list.
fn twice<T: fmt::Display>(values: impl IntoIterator<Item = T>) -> Option<T> {
    let mut known = std::collections::HashSet::new();
    values.into_iter().find(|value| !known.insert(value.to_string()))
}

/// # Errors
/// If a value stands twice in a list.
fn once<T: fmt::Display>(dimension: &str, values: impl IntoIterator<Item = T>) -> Result<(), SweepError> {
    match twice(values) {
        Some(value) => Err(SweepError::Twice { dimension: dimension.to_string(), value: value.to_string() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
