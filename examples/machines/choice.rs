//! Names on the command line.

/// The names of `all` that are wanted, in their order: all of them if there is no word. A word stands for the name that is
/// equal to it, else for those that contain it.
///
/// # Errors
/// A word that no name contains.
pub(crate) fn chosen<'n>(what: &str, all: &[&'n str], wanted: &[String]) -> Result<Vec<&'n str>, String> {
    let mut chosen: Vec<&str> = Vec::new();
    for word in wanted {
        let is = |name: &&&str| name.eq_ignore_ascii_case(word);
        let has = |name: &&&str| name.to_lowercase().contains(&word.to_lowercase());
        let known = chosen.len();
        match all.iter().find(is) {
            Some(name) => chosen.push(name),
            None => chosen.extend(all.iter().filter(has)),
        }
        if chosen.len() == known {
            return Err(format!("there is no {what} `{word}`, only {}", all.join(", ")));
        }
    }
    Ok(all.iter().copied().filter(|name| wanted.is_empty() || chosen.contains(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&str; 3] = ["Ipdom", "Ipdom<SmallerFirst>", "Mimd"];

    fn of(words: &[&str]) -> Result<Vec<&'static str>, String> {
        chosen("policy", &ALL, &words.iter().map(|word| word.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn a_word_is_a_name_or_a_part_of_some() {
        assert_eq!(of(&[]), Ok(ALL.to_vec()));
        assert_eq!(of(&["mimd", "ipdom"]), Ok(vec!["Ipdom", "Mimd"]));
        assert_eq!(of(&["ipd"]), Ok(vec!["Ipdom", "Ipdom<SmallerFirst>"]));
        assert_eq!(of(&["Dwf"]).unwrap_err(), "there is no policy `Dwf`, only Ipdom, Ipdom<SmallerFirst>, Mimd");
    }
}
