//! A page of a study: tables with what was printed beside ours, and pictures.

use std::fmt::Write;

/// A measured number, with the printed one if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) ours: f64,
    pub(crate) printed: Option<f64>,
}

impl From<f64> for Cell {
    fn from(ours: f64) -> Self {
        Self { ours, printed: None }
    }
}

impl Cell {
    pub(crate) fn beside(ours: f64, printed: f64) -> Self {
        Self { ours, printed: Some(printed) }
    }

    /// Ours, the printed number and their ratio.
    fn text(&self, digits: usize) -> String {
        match self.printed {
            Some(printed) if printed != 0.0 => {
                format!("{:.digits$} [{printed:.digits$}] ×{:.2}", self.ours, self.ours / printed)
            }
            Some(printed) => format!("{:.digits$} [{printed:.digits$}]", self.ours),
            None => format!("{:.digits$}", self.ours),
        }
    }
}

/// A table of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// What the numbers are, with their unit.
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<(String, Vec<Cell>)>,
    /// Digits behind the point.
    pub(crate) digits: usize,
}

impl Table {
    pub(crate) fn new(title: &str, columns: &[&str], digits: usize) -> Self {
        let columns = columns.iter().map(|column| column.to_string()).collect();
        Self { title: title.into(), columns, rows: Vec::new(), digits }
    }

    pub(crate) fn row(&mut self, name: &str, cells: impl IntoIterator<Item = impl Into<Cell>>) {
        self.rows.push((name.into(), cells.into_iter().map(Into::into).collect()));
    }

    fn markdown(&self) -> String {
        let mut text = format!("{}\n\n| |", self.title);
        // A `write!` to a string cannot fail.
        for column in &self.columns {
            let _ = write!(text, " {column} |");
        }
        text += "\n|---|";
        text += &"---:|".repeat(self.columns.len());
        text.push('\n');
        for (name, cells) in &self.rows {
            let _ = write!(text, "| {name} |");
            for cell in cells {
                let _ = write!(text, " {} |", cell.text(self.digits));
            }
            text.push('\n');
        }
        text
    }
}

/// A figure or table of the paper.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) text: String,
    pub(crate) tables: Vec<Table>,
    /// Names of files, and pictures.
    pub(crate) pictures: Vec<(String, String)>,
}

impl Page {
    pub(crate) fn markdown(&self, title: &str) -> String {
        let mut text = format!("# {title}\n\n");
        if !self.text.is_empty() {
            let _ = writeln!(text, "{}\n", self.text);
        }
        for (file, _) in &self.pictures {
            let _ = writeln!(text, "![{title}]({file})\n");
        }
        for table in &self.tables {
            let _ = writeln!(text, "{}", table.markdown());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_printed_stands_beside_ours() {
        let mut table = Table::new("IPC", &["a", "b"], 1);
        table.row("PDOM", [Cell::from(2.0), Cell::beside(3.0, 2.0)]);
        assert!(table.markdown().ends_with("| | a | b |\n|---|---:|---:|\n| PDOM | 2.0 | 3.0 [2.0] ×1.50 |\n"));
        let page = Page { tables: vec![table], pictures: vec![("a.svg".into(), String::new())], ..Page::default() };
        assert!(page.markdown("Figure 1").starts_with("# Figure 1\n\n![Figure 1](a.svg)\n\nIPC\n"));
    }
}
