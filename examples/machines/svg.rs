//! The common part of all pictures: the file around them, text, and the colours of the occupancy classes.

/// An SVG file with a title.
pub(crate) fn document(width: f64, height: f64, title: &str, content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"16\" y=\"22\" font-size=\"15\">{}</text>\n{content}</svg>\n",
        escaped(title)
    )
}

/// Text with escaped tags: policies have names like `Dwf<Majority>`.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The colour of an occupancy class among so many: nothing issued, few to many threads, and stalls.
pub(crate) fn colour(class: usize, classes: usize) -> String {
    match class {
        0 => "#7f7f7f".into(),
        1 => "#c7c7c7".into(),
        class if class + 1 == classes => "#c0392b".into(),
        class => {
            // From a pale yellow to a dark blue.
            let part = (class - 2) as f64 / (classes.max(5) - 4) as f64;
            let shade = |from: f64, to: f64| (from + (to - from) * part) as u8;
            format!("#{:02x}{:02x}{:02x}", shade(255.0, 8.0), shade(237.0, 48.0), shade(160.0, 107.0))
        }
    }
}

/// Names beside their colours, in one line.
pub(crate) fn legend(x: f64, y: f64, entries: &[(String, String)]) -> String {
    let mut at = x;
    let mut text = String::new();
    for (name, colour) in entries {
        text += &format!(
            "<rect x=\"{at}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/><text x=\"{}\" y=\"{y}\">{}</text>\n",
            y - 9.0,
            at + 14.0,
            escaped(name)
        );
        at += 30.0 + 7.0 * name.len() as f64;
    }
    text
}

/// Whether all tags that are opened are closed, in their order: browsers show no other files.
#[cfg(test)]
pub(crate) fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once('<') {
        let Some((tag, behind)) = after.split_once('>') else { return false };
        if before.contains('>') || tag.contains('<') || tag.matches('"').count() % 2 != 0 {
            return false;
        }
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            Some(_) => {}
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap_or(tag)),
        }
        rest = behind;
    }
    open.is_empty() && rest.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_well_formed() {
        let svg = document(9.0, 9.0, "a < b", &legend(1.0, 2.0, &[("W1-4".into(), colour(2, 11))]));
        assert!(is_well_formed(&svg), "{svg}");
        for wrong in ["<a>", "<a></b>", "<a", "<a x=\"1></a>", "a > b", "<a></a></a>"] {
            assert!(!is_well_formed(wrong), "{wrong}");
        }
    }

    #[test]
    fn every_class_has_a_colour_of_its_own() {
        let colours: std::collections::BTreeSet<_> = (0..11).map(|class| colour(class, 11)).collect();
        assert_eq!(colours.len(), 11);
        assert_eq!((colour(2, 11), colour(9, 11)), ("#ffeda0".to_string(), "#08306b".to_string()));
    }
}
