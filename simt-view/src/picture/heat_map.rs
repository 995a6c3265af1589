//! Rows and columns of fields: the darker, the more.

use super::{Picture, PictureError, label, longest, short_name, svg, text};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// What a field of a heat map shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// A share, from 0 to 1: a percentage, on white to blue.
    Share(f64),
    /// A word on red, where there is no share: that a launch never ends, say.
    Word(String),
}

/// The height of a row, and the room around all.
const ROW: u32 = 24;
const MARGIN: u32 = 12;

/// From this share on the field is so dark that white is read on it more easily than black.
const DARK: f64 = 0.65;

impl Picture {
    /// A heat map: a field for each row and column. The note below it says what shares and words are.
    ///
    /// ```
    /// use simt_view::picture::{Field, Picture};
    ///
    /// let lock = vec![Field::Share(0.32), Field::Word("livelock".to_string())];
    /// let columns = ["Ipdom", "Dwf<Majority>"].map(String::from);
    /// let note = "SIMD efficiency in %, from white to blue; red does not end";
    /// let picture = Picture::heat_map("Locks", note, &columns, &[("spin_lock".to_string(), lock)])?;
    /// assert_eq!(picture.csv(), "Locks,Ipdom,Dwf<Majority>\nspin_lock,0.3200,livelock\n");
    /// # Ok::<(), simt_view::PictureError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn heat_map(
        title: &str,
        note: &str,
        columns: &[String],
        rows: &[(String, Vec<Field>)],
    ) -> Result<Self, PictureError> {
        let words = rows.iter().flat_map(|(_, fields)| fields).filter_map(|field| match field {
            Field::Word(word) => Some(word),
            Field::Share(_) => None,
        });
        let column = 34.max(8 + 5 * longest(words));
        let left = MARGIN + 8 + 7 * longest(rows.iter().map(|(name, _)| name));
        let top = MARGIN + 8 + 6 * longest(columns);
        let fields = (column * columns.len() as u32, ROW * rows.len() as u32);
        let wide = (left + fields.0 + MARGIN).max(left + 7 * note.chars().count() as u32);
        let svg = svg((wide, top + fields.1 + ROW + MARGIN), |area| {
            for (number, name) in (0..).zip(columns) {
                let at = ((left + column * number + column / 2) as i32, top as i32 - 6);
                area.draw(&Text::new(short_name(name), at, label(14, &BLACK, HPos::Left, FontTransform::Rotate270)))?;
            }
            for (number, (name, fields)) in (0..).zip(rows) {
                let above = (top + ROW * number) as i32;
                let (right, middle) = (label(14, &BLACK, HPos::Right, FontTransform::None), above + ROW as i32 / 2);
                area.draw(&Text::new(short_name(name), (left as i32 - 8, middle), right))?;
                for (number, field) in (0..).zip(fields.iter().take(columns.len())) {
                    let from = (left + column * number) as i32;
                    let corners = [(from, above), (from + column as i32 - 1, above + ROW as i32 - 1)];
                    let (colour, ink, shown) = look(field);
                    area.draw(&Rectangle::new(corners, colour.filled()))?;
                    let style = label(13, ink, HPos::Center, FontTransform::None);
                    area.draw(&Text::new(text(&shown), (from + column as i32 / 2, middle), style))?;
                }
            }
            let at = (left as i32, (top + fields.1 + ROW) as i32 - 6);
            area.draw(&Text::new(text(note), at, label(14, &BLACK, HPos::Left, FontTransform::None)))?;
            Ok(())
        })?;
        let value = |field: &Field| match field {
            Field::Share(share) => format!("{share:.4}"),
            Field::Word(word) => word.clone(),
        };
        let row = |(name, fields): &(String, Vec<Field>)| {
            let values = (0..columns.len()).map(|column| fields.get(column).map_or(String::new(), value));
            std::iter::once(name.clone()).chain(values).collect()
        };
        let heads = std::iter::once(title.to_string()).chain(columns.iter().cloned()).collect();
        Ok(Self { title: title.to_string(), svg, columns: heads, rows: rows.iter().map(row).collect() })
    }
}

/// The colours of a field and of its text, and the text.
fn look(field: &Field) -> (RGBColor, &'static RGBColor, String) {
    match field {
        Field::Share(share) => {
            let share = share.clamp(0.0, 1.0);
            let shade = |to: u8| (255.0 - (255.0 - f64::from(to)) * share) as u8;
            let ink = if share > DARK { &WHITE } else { &BLACK };
            (RGBColor(shade(8), shade(48), shade(107)), ink, format!("{:.0}", 100.0 * share))
        }
        Field::Word(word) => (RGBColor(192, 57, 43), &WHITE, word.clone()),
    }
}
