//! Policies and machines by name.

use crate::failure::Failure;
use simt::GpuConfig;
use simt_sweep::{MACHINES, PolicyChoice, all};
use std::io::ErrorKind;
use std::path::Path;

/// The policies that are wanted, in the order of the table: a word is a whole name, else a part of some; `all` is all.
pub(crate) fn chosen(words: &[String]) -> Result<Vec<PolicyChoice>, Failure> {
    let all = all();
    let mut wanted = vec![false; all.len()];
    for word in words {
        let given = word;
        let word = word.trim().to_lowercase();
        let exact = all.iter().position(|policy| policy.name().to_lowercase() == word);
        let fits = |number: usize, policy: &PolicyChoice| match exact {
            Some(exact) => number == exact,
            None => word == "all" || !word.is_empty() && policy.name().to_lowercase().contains(&word),
        };
        let found: Vec<usize> = (0..all.len()).filter(|&number| fits(number, &all[number])).collect();
        if found.is_empty() {
            let names: Vec<&str> = all.iter().map(PolicyChoice::name).collect();
            return Err(Failure::usage(format!(
                "--policy: there is no policy `{given}`; write `all`, or one of {}",
                names.join(", ")
            )));
        }
        found.into_iter().for_each(|number| wanted[number] = true);
    }
    Ok(all.into_iter().zip(wanted).filter(|&(_, wanted)| wanted).map(|(row, _)| row).collect())
}

/// The machine of a name, or of a file of TOML.
pub(crate) fn config(word: &str) -> Result<GpuConfig, Failure> {
    if let Some(machine) = MACHINES.iter().find(|machine| machine.name.eq_ignore_ascii_case(word)) {
        return Ok((machine.config)());
    }
    if Path::new(word).extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("toml")) {
        let names: Vec<&str> = MACHINES.iter().map(|machine| machine.name).collect();
        return Err(Failure::usage(format!(
            "--machine: there is no machine `{word}`; write one of {}, or a file that ends in .toml",
            names.join(", ")
        )));
    }
    let text = std::fs::read_to_string(word).map_err(|error| {
        let give = if error.kind() == ErrorKind::InvalidData { "text in UTF-8" } else { "a file that is there" };
        Failure::file(format!("--machine: cannot read {word}: {error}; give {give}"))
    })?;
    let config = GpuConfig::from_toml(&text).map_err(|error| {
        Failure::file(format!(
            "--machine: {word} is no machine: {error}\nwhat is not given is as in `functional`, which has no `[clock]`: a table \
             that it lacks needs all its fields"
        ))
    })?;
    config.validate().map_err(|error| Failure::file(format!("--machine: {word}: {error}")))?;
    Ok(config)
}
