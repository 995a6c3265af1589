//! A figure over a column of the table: lines if the column's values are numbers, else bars.

use crate::chart::{Along, Chart};
use crate::error::SweepError;
use crate::nearest::{few, nearest};
use crate::table::{PointState, Row, Table};
use serde_json::Value;

/// Most lines, or bars of a group: more cannot be told apart.
const MOST: usize = 24;
/// Most values of a column that an error lists, whatever was asked for.
const FEW_VALUES: usize = 3;

/// What is to be drawn.
pub(crate) struct Picture<'p> {
    pub(crate) table: &'p Table,
    pub(crate) title: &'p str,
    pub(crate) x: &'p str,
    pub(crate) y: &'p str,
    /// The columns that each have a line of their own; if there is none, all that differ.
    pub(crate) by: &'p [String],
    /// Columns that must have a value.
    pub(crate) only: &'p [String],
}

impl Picture<'_> {
    /// # Errors
    /// If a column is not there, or nothing can be drawn.
    pub(crate) fn svg(&self) -> Result<String, SweepError> {
        let chart = self.chart()?;
        chart
            .svg(self.title, self.x, self.y)
            .map_err(|error| SweepError::Plot(format!("the picture cannot be drawn: {error}")))
    }

    fn chart(&self) -> Result<Chart, SweepError> {
        let rows = self.rows()?;
        let mut places: Vec<Value> = Vec::new();
        let mut series: Vec<(String, Vec<Option<f64>>)> = Vec::new();
        let by = self.by(&rows)?;
        for row in &rows {
            let at = row.value(self.x).unwrap_or_default();
            let place = places.iter().position(|known| *known == at).unwrap_or_else(|| {
                places.push(at.clone());
                places.len() - 1
            });
            let name = named(row, &by, self.y);
            let line = series.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                series.push((name.clone(), Vec::new()));
                series.len() - 1
            });
            let values = &mut series[line].1;
            values.resize(values.len().max(place + 1), None);
            let value = row.value(self.y).and_then(|value| value.as_f64());
            if values[place].is_some() {
                let is_open = |column: &String| *column != self.x && !by.contains(column);
                let differ: Vec<String> = differing(&rows).into_iter().filter(is_open).collect();
                return Err(SweepError::Plot(format!(
                    "several points are `{name}` at {} {at}: give one value of another column by --where, or a line to each by \
                     --by; these differ: {}",
                    self.x,
                    differ.join(", ")
                )));
            }
            values[place] = value;
        }
        if series.len() > MOST {
            return Err(SweepError::Plot(format!(
                "there would be {} lines, and {MOST} are the most: name fewer columns by --by, and give one value of the others \
                 by --where",
                series.len()
            )));
        }
        series.iter_mut().for_each(|(_, values)| values.resize(places.len(), None));
        let numbers: Option<Vec<f64>> = places.iter().map(Value::as_f64).collect();
        let names = || Along::Names(places.iter().map(shown).collect());
        Ok(Chart { along: numbers.map_or_else(names, Along::Numbers), series })
    }

    /// The rows that are drawn.
    fn rows(&self) -> Result<Vec<&Row>, SweepError> {
        let columns = self.table.columns();
        let is_column = |option: &str, name: &str| {
            let near =
                || few(name, columns.iter().map(String::as_str), "the first line of what `merge` writes has all");
            columns
                .iter()
                .any(|column| column == name)
                .then_some(())
                .ok_or_else(|| SweepError::Plot(format!("{option}: there is no column `{name}`; {}", near())))
        };
        is_column("--x", self.x)?;
        is_column("--y", self.y)?;
        self.by.iter().try_for_each(|name| is_column("--by", name))?;
        let mut rows: Vec<&Row> =
            self.table.rows.iter().filter(|row| matches!(row.state, PointState::Done { .. })).collect();
        for only in self.only {
            let Some((name, value)) = only.split_once('=') else {
                return Err(SweepError::Plot(format!("--where {only}: write a column, `=` and its value")));
            };
            is_column("--where", name)?;
            let mut known: Vec<String> = rows.iter().filter_map(|row| row.value(name)).map(|one| shown(&one)).collect();
            rows.retain(|row| row.value(name).is_some_and(|found| shown(&found) == value));
            if rows.is_empty() {
                known.sort();
                known.dedup();
                let known = known.iter().map(String::as_str);
                let near = match known.len() {
                    count if count <= FEW_VALUES => format!("there are {}", nearest(value, known)),
                    count => few(value, known, &format!("`merge` writes the {count} values that there are")),
                };
                return Err(SweepError::Plot(format!("--where {only}: no point that is done has it; {near}")));
            }
        }
        let has = |row: &&&Row| row.value(self.y).is_some_and(|value| value.is_number());
        match rows.iter().find(has) {
            Some(_) => Ok(rows),
            None => Err(SweepError::Plot(format!("--y {}: no point that is done has a number there", self.y))),
        }
    }

    /// The columns that have a line each.
    fn by(&self, rows: &[&Row]) -> Result<Vec<String>, SweepError> {
        let given = !self.by.is_empty();
        let by = if given { self.by.to_vec() } else { differing(rows) };
        if given && by.iter().any(|column| column == self.x) {
            return Err(SweepError::Plot(format!("--by: `{}` lies along the picture, by --x", self.x)));
        }
        Ok(by.into_iter().filter(|column| column != self.x).collect())
    }
}

/// The columns of points, but for their ids, whose values differ.
fn differing(rows: &[&Row]) -> Vec<String> {
    let columns = rows.first().into_iter().flat_map(|row| row.point.columns()).filter(|column| *column != "id");
    let differs = |column: &&str| rows.iter().any(|row| row.value(column) != rows[0].value(column));
    columns.filter(differs).map(str::to_string).collect()
}

/// The name of a row's line.
fn named(row: &Row, by: &[String], otherwise: &str) -> String {
    let values = by.iter().map(|column| {
        let value = row.value(column).unwrap_or_default();
        // Texts say what they are of; numbers do not.
        if value.is_string() { shown(&value) } else { format!("{column} {}", shown(&value)) }
    });
    let name = values.collect::<Vec<_>>().join(", ");
    if name.is_empty() { otherwise.to_string() } else { name }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}
