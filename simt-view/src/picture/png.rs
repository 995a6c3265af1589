//! Pictures as pixels.

use super::{Picture, PictureError};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

impl Picture {
    /// As PNG on white, so many pixels for one of the SVG.
    ///
    /// # Errors
    /// If the system has no fonts, which the picture's texts are drawn with, or the picture is too big.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, PictureError> {
        let mut options = Options::default();
        let fonts = options.fontdb_mut();
        fonts.load_system_fonts();
        // Which is the system's for texts without serifs is not known everywhere.
        let found = fonts.faces().find(|face| face.families.iter().any(|(name, _)| name.contains("Sans")));
        let found = found.or_else(|| fonts.faces().next()).and_then(|face| face.families.first().cloned());
        let Some((family, _)) = found else {
            return Err(PictureError::drawing("the system has no fonts: install some, such as DejaVu, or use the SVG"));
        };
        fonts.set_sans_serif_family(family);
        let tree = Tree::from_str(&self.svg, &options).map_err(PictureError::drawing)?;
        let size = tree.size().to_int_size().scale_by(scale);
        let pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
        let mut pixels = pixels.ok_or_else(|| PictureError::drawing("it has no size, or is too big"))?;
        pixels.fill(Color::WHITE);
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(PictureError::drawing)
    }
}
