//! What a launch counted, as a row of a table.

use serde::Serialize;
use serde_json::{Map, Value};
use simt::Report;
use simt::clock::Stall;

/// What is kept of a point: figures by name. [`of`](Self::of) takes those of a report, [`with`](Self::with) adds your own.
///
/// Their names are those of the methods of [`Report`] and [`ClockReport`](simt::clock::ClockReport); `stalls.memory` and the
/// like are shares of the cycles of warps ([`Stalls::share`](simt::clock::Stalls::share)), `memory.l1.hits` and the like what a
/// level of the hierarchy counted, `figures.` and a name what the policy did.
///
/// ```
/// use simt::prelude::*;
/// use simt_sweep::Figures;
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     x[global_id()] *= 2;
/// }
///
/// let mut x = [1; 64];
/// let report = Gpu::<Ipdom>::new(GpuConfig::fermi()).launch(Grid::new(1, 64), double(&mut x))?;
/// let figures = Figures::of(&report).with("sum", x.iter().sum::<u32>());
/// assert_eq!(figures.get("simd_efficiency"), Some(&1.0.into()));
/// assert_eq!(figures.get("sum"), Some(&128.into()));
/// assert_eq!(figures.get("cycles"), report.cycles().map(Into::into).as_ref());
/// assert!(figures.get("memory.l1.load_sectors").is_some());
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Figures(Map<String, Value>);

impl Figures {
    /// The figures of a report.
    pub fn of(report: &Report) -> Self {
        let mut figures = Self::default()
            .with("issues", report.issues())
            .with("marker_issues", report.marker_issues())
            .with("thread_instructions", report.thread_instructions())
            .with("executed_thread_instructions", report.executed_thread_instructions())
            .with("simd_efficiency", report.simd_efficiency())
            .with("simd_efficiency_with_markers", report.simd_efficiency_with_markers())
            .with("branches", report.branches())
            .with("diverged_branches", report.diverged_branches())
            .with("branch_efficiency", report.branch_efficiency());
        for figure in report.policy_figures() {
            figures = figures.with(format!("figures.{}", figure.name), figure.value);
        }
        let Some(clock) = report.clock() else { return figures };
        figures = figures
            .with("cycles", clock.cycles())
            .with("ipc", clock.ipc())
            .with("utilisation", clock.utilisation())
            .with("blocks_per_core", clock.blocks_per_core())
            .with("registers", clock.registers())
            .with("requests", clock.requests())
            .with("transactions", clock.transactions())
            .with("transactions_per_request", clock.transactions_per_request());
        // Places without a block are no warps.
        for &stall in Stall::ALL.iter().filter(|&&stall| stall != Stall::NoBlock) {
            figures = figures.with(format!("stalls.{}", stall.name()), clock.stalls().share(stall));
        }
        for level in clock.memory().map_or(&[][..], |memory| &memory.levels) {
            // Counters, which JSON can say.
            let counted = serde_json::to_value(level.figures).unwrap_or_default();
            for (name, value) in counted.as_object().into_iter().flatten().filter(|(_, value)| value.is_number()) {
                figures = figures.with(format!("memory.{}.{name}", level.name), value.clone());
            }
        }
        figures
    }

    /// The same with one figure more, or another value of it. A number that is none, `NaN`, or infinite is kept as that word,
    /// which JSON has no number for.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<FigureValue>) -> Self {
        self.0.insert(name.into(), value.into().0);
        self
    }

    /// The value of a figure.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}

/// A value of [`Figures`]: what becomes a [`Value`] of JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureValue(Value);

macro_rules! as_in_json {
    ($($ty:ty),*) => {$(
        impl From<$ty> for FigureValue {
            fn from(value: $ty) -> Self {
                Self(value.into())
            }
        }
    )*};
}

as_in_json!(Value, bool, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, &str, String, Map<String, Value>);

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl From<$ty> for FigureValue {
            fn from(value: $ty) -> Self {
                Self(if value.is_finite() { value.into() } else { value.to_string().into() })
            }
        }
    )*};
}

floats!(f32, f64);

impl<T: Into<FigureValue>> From<Option<T>> for FigureValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self(Value::Null), Into::into)
    }
}

impl<T: Into<FigureValue>> From<Vec<T>> for FigureValue {
    fn from(values: Vec<T>) -> Self {
        Self(values.into_iter().map(|value| value.into().0).collect())
    }
}

impl<T: Into<FigureValue>, const N: usize> From<[T; N]> for FigureValue {
    fn from(values: [T; N]) -> Self {
        Self(values.into_iter().map(|value| value.into().0).collect())
    }
}

/// What a point gave, as columns: parts of parts have names with dots between.
pub(crate) fn flat(value: &Value) -> Vec<(String, Value)> {
    fn add(value: &Value, name: &str, flat: &mut Vec<(String, Value)>) {
        let below = |part: &str| if name.is_empty() { part.to_string() } else { format!("{name}.{part}") };
        match value {
            Value::Object(map) => map.iter().for_each(|(part, value)| add(value, &below(part), flat)),
            Value::Array(list) => {
                list.iter().enumerate().for_each(|(part, value)| add(value, &below(&part.to_string()), flat));
            }
            // A value that is no part of anything.
            _ if name.is_empty() => flat.push(("value".to_string(), value.clone())),
            _ => flat.push((name.to_string(), value.clone())),
        }
    }
    let mut columns = Vec::new();
    add(value, "", &mut columns);
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_of_parts_have_columns() {
        let names = |value: &Value| flat(value).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(
            names(&json!({ "a": { "b": 1, "c": [2, { "d": 3 }] }, "e": "x" })),
            ["a.b", "a.c.0", "a.c.1.d", "e"]
        );
        assert_eq!(names(&json!(7)), ["value"]);
        assert!(names(&json!({})).is_empty());
    }

    #[test]
    fn what_is_no_number_is_kept_as_its_word() {
        let figures =
            Figures::default().with("odd", f64::NAN).with("up", f32::INFINITY).with("down", f64::NEG_INFINITY);
        let figures = figures.with("some", Some(0.5)).with("none", None::<u32>).with("list", [1.5, f64::NAN]);
        let expected =
            json!({ "odd": "NaN", "up": "inf", "down": "-inf", "some": 0.5, "none": null, "list": [1.5, "NaN"] });
        assert_eq!(serde_json::to_value(&figures).unwrap(), expected);
    }
}
