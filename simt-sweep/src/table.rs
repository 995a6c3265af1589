//! All points with their results, as a table.

use crate::error::SweepError;
use crate::figures::flat;
use crate::point::Point;
use crate::store::{Outcome, Store};
use crate::sweep::COLUMNS;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What became of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PointState {
    /// What was measured.
    Done {
        /// What the kernel's function returned.
        figures: Value,
    },
    /// It ended with an error or a panic, or took its process with it.
    Failed {
        /// The error's text.
        reason: String,
    },
    /// It was stopped.
    TimedOut {
        /// After so many seconds.
        seconds: f64,
    },
    /// It has not run.
    Missing,
    /// Its file was cut off or edited.
    Damaged {
        /// Where, and how it is known.
        reason: String,
    },
}

impl PointState {
    /// The word for it in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Done { .. } => "done",
            Self::Failed { .. } => "failed",
            Self::TimedOut { .. } => "timed_out",
            Self::Missing => "missing",
            Self::Damaged { .. } => "damaged",
        }
    }
}

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The number of the point: its index in [`Sweep::points`](crate::Sweep::points).
    pub number: usize,
    /// The point.
    #[serde(flatten)]
    pub point: Point,
    /// What became of it.
    #[serde(flatten)]
    pub state: PointState,
}

impl Row {
    /// The value of a column; none in a row that has not got it.
    pub fn value(&self, column: &str) -> Option<Value> {
        match column {
            "number" => Some(self.number.into()),
            "outcome" => Some(self.state.name().into()),
            _ => self.point.column(column).or_else(|| self.figures().remove(column)),
        }
    }

    /// What was measured, by column.
    pub(crate) fn figures(&self) -> BTreeMap<String, Value> {
        match &self.state {
            PointState::Done { figures } => flat(figures).into_iter().collect(),
            _ => BTreeMap::new(),
        }
    }
}

/// All points of a sweep with what became of them, in the order of the sweep: [`Sweep::merge`](crate::Sweep::merge) reads it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Table {
    /// A row for each point.
    pub rows: Vec<Row>,
    /// How many results in the folder are of points that the sweep has not: of other values, or another version.
    pub others: usize,
}

impl Table {
    /// # Errors
    /// If the folder cannot be read.
    pub(crate) fn read(points: Vec<Point>, store: &Store) -> Result<Self, SweepError> {
        store.open()?;
        let others = store.others(&points)?;
        let row = |(number, point): (usize, Point)| {
            let state = match store.read(&point) {
                Ok(Some(Outcome::Done(figures))) => PointState::Done { figures },
                Ok(Some(Outcome::Failed(reason))) => PointState::Failed { reason },
                Ok(Some(Outcome::TimedOut(seconds))) => PointState::TimedOut { seconds },
                Ok(None) => PointState::Missing,
                Err(reason) => PointState::Damaged { reason },
            };
            Row { number, point, state }
        };
        Ok(Self { rows: points.into_iter().enumerate().map(row).collect(), others })
    }

    /// Whether every point gave what is measured.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| matches!(row.state, PointState::Done { .. }))
    }

    /// The names of all columns: of points, then of figures, as far as any row has them.
    pub fn columns(&self) -> Vec<String> {
        let [number, .., outcome] = COLUMNS;
        let of_points = self.rows.first().into_iter().flat_map(|row| row.point.columns()).map(str::to_string);
        let of_figures: BTreeSet<String> = self.rows.iter().flat_map(|row| row.figures().into_keys()).collect();
        [number.to_string()].into_iter().chain(of_points).chain([outcome.to_string()]).chain(of_figures).collect()
    }

    /// As CSV, with a line of names: `outcome` is `done`, `failed`, `timed_out`, `missing` or `damaged`, and figures are there
    /// in rows that are done.
    pub fn csv(&self) -> String {
        let columns = self.columns();
        let mut to = csv::WriterBuilder::new().from_writer(Vec::new());
        // Memory can be written to, and all rows are as long as the first.
        let _ = to.write_record(&columns);
        for row in &self.rows {
            let mut figures = row.figures();
            let cells = columns.iter().map(|column| {
                let value = figures.remove(column).or_else(|| row.value(column));
                match value {
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) => text,
                    Some(value) => value.to_string(),
                }
            });
            let _ = to.write_record(cells);
        }
        String::from_utf8(to.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// As JSON, an object and a line for each point.
    pub fn json_lines(&self) -> String {
        self.rows.iter().fold(String::new(), |mut text, row| {
            // Names have no line ends that JSON would not write as `\n`.
            let _ = writeln!(text, "{}", serde_json::to_string(row).unwrap_or_default());
            text
        })
    }

    /// What is not there, point by point, with the reasons, and how many of what; empty if all is.
    pub fn problems(&self) -> String {
        let mut text = String::new();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for Row { number, point, state } in &self.rows {
            let (reason, name) = match state {
                PointState::Done { .. } => continue,
                PointState::Failed { reason } | PointState::Damaged { reason } => (format!(": {reason}"), state.name()),
                PointState::TimedOut { seconds } => (format!(" after {seconds} s"), "timed out"),
                PointState::Missing => (String::new(), state.name()),
            };
            *counts.entry(name).or_default() += 1;
            // Errors of launches have lines.
            let _ = writeln!(text, "point {number}, {point}: {name}{}", reason.replace('\n', "\n    "));
        }
        if !text.is_empty() {
            let runs = counts.contains_key("missing") || counts.contains_key("damaged");
            let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            let hint = if runs { "; `run` runs what is missing or damaged" } else { "" };
            let points = if self.rows.len() == 1 { "point" } else { "points" };
            let _ = writeln!(text, "of {} {points}: {}{hint}", self.rows.len(), counts.join(", "));
        }
        text
    }
}
