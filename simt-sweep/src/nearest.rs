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

/// Most names that are listed of those with a common beginning.
const FEW: usize = 3;

/// What an error says of names of which there are many: those that begin as the wrong one does or have it in them, nearest first,
/// if there are any, and where all are listed.
pub(crate) fn few<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>, list: &str) -> String {
    let wrong = wrong.to_lowercase();
    let begins = |name: &str| wrong.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
    // Of numbers and hashes half have the first digit by chance.
    let least = (wrong.chars().count() / 4).max(2);
    let is_close = |name: &&str| {
        let name = name.to_lowercase();
        begins(&name) >= least || wrong.chars().count() > least && name.contains(&wrong)
    };
    let mut close: Vec<&str> = names.into_iter().filter(is_close).collect();
    match close.len() {
        0 => list.to_string(),
        1 => format!("{list}, the nearest is `{}`", close[0]),
        _ => {
            close.sort_by_key(|name| strsim::damerau_levenshtein(&wrong, &name.to_lowercase()));
            close.truncate(FEW);
            format!("{list}, the nearest are {}", nearest(&wrong, close))
        }
    }
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

    #[test]
    fn of_many_names_those_with_a_common_beginning_are_listed() {
        let said = |wrong: &str, names: &[&'static str]| few(wrong, names.iter().copied(), "`all` has them");
        let ids = ["0123000000000000", "0124000000000000", "9123456789abcdef", "0123456789abcdee", "01234567000000ff"];
        let nearest = "`all` has them, the nearest are `0123456789abcdee`, `01234567000000ff`, `0123000000000000`";
        assert_eq!(said("0123456789abcdef", &ids), nearest);
        assert_eq!(said("01aa456789abcdef", &ids), "`all` has them");
        assert_eq!(said("cylces", &["cycles", "issues"]), "`all` has them, the nearest is `cycles`");
        assert_eq!(
            said("efficiency", &["simd_efficiency", "issues"]),
            "`all` has them, the nearest is `simd_efficiency`"
        );
        assert_eq!([said("m", &["n", "m1"]), said("", &["n"])], ["`all` has them"; 2]);
    }
}
