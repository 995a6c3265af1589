//! SIMD efficiencies as a picture: kernels in rows, policies in columns.

use simt_view::picture::Field;
use simt_view::{Picture, PictureError};

/// Of each kernel and policy the efficiency, or how the launch does not end.
///
/// # Errors
/// If it cannot be drawn.
pub(crate) fn heat_map<'k>(
    policies: &[&str],
    kernels: impl Iterator<Item = (&'k str, Vec<Result<f64, &'static str>>)>,
) -> Result<Picture, PictureError> {
    let field = |cell: Result<f64, &str>| match cell {
        Ok(efficiency) => Field::Share(efficiency),
        // Not all words for it fit into a field.
        Err(how) => Field::Word(if how.contains(' ') { "no end" } else { how }.to_string()),
    };
    let rows: Vec<(String, Vec<Field>)> =
        kernels.map(|(kernel, cells)| (kernel.to_string(), cells.into_iter().map(field).collect())).collect();
    let ends = rows.iter().flat_map(|(_, fields)| fields).all(|field| matches!(field, Field::Share(_)));
    let note = format!("SIMD efficiency in %, from white to blue{}", if ends { "" } else { "; red does not end" });
    let policies: Vec<String> = policies.iter().map(|policy| policy.to_string()).collect();
    Picture::heat_map("kernel", &note, &policies, &rows)
}
