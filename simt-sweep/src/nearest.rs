//! Names that are near to one that is not known.

/// Most names that an error lists.
const MOST: usize = 12;

/// The names for an error, nearest first.
pub(crate) fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let wrong = wrong.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&wrong, &name.to_lowercase());
    let mut names: Vec<(usize, &str)> = names.into_iter().map(|name| (distance(name), name)).collect();
    // Those that are as near keep their order.
    names.sort_by_key(|&(distance, _)| distance);
    let more = if names.len() > MOST { ", ..." } else { "" };
    let names: Vec<String> = names.iter().take(MOST).map(|(_, name)| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_string() } else { names.join(", ") + more }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first() {
        assert_eq!(nearest("hanio", ["Ipdom", "Hanoi"]), "`Hanoi`, `Ipdom`");
        assert_eq!(nearest("x", []), "none");
        assert!(nearest("x", ["y"; 13]).ends_with("`y`, ..."));
    }
}
