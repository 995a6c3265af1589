//! Policies and machines by name.

use crate::failure::Failure;
use simt::GpuConfig;
use simt::clock::NamedMachine;
use simt_sweep::{PolicyChoice, all};
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

/// The machine of a name, or of a file of TOML, that an option has.
pub(crate) fn config(option: &str, word: &str) -> Result<GpuConfig, Failure> {
    if let Some(machine) = NamedMachine::find(word) {
        return Ok((machine.config)());
    }
    if Path::new(word).extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("toml")) {
        return Err(Failure::usage(format!(
            "{option}: there is no machine `{word}`; write one of {}, or a file that ends in .toml",
            NamedMachine::names()
        )));
    }
    let text = std::fs::read_to_string(word).map_err(|error| Failure::unread(word, &error).within(option))?;
    let config = GpuConfig::from_toml(&text).map_err(|error| {
        let note = if error.message().starts_with("missing field") {
            "\nwhat is not given is as in the machine that `base` names, without it as in `functional`, which has no `[clock]`: a \
             table that it lacks needs all its fields; begin with base = \"turing\", or another machine that has the table, and \
             write what differs"
        } else {
            ""
        };
        Failure::file(format!("{option}: {word} is no machine: {}{note}", error.to_string().trim_end()))
    })?;
    config.validate().map_err(|error| Failure::file(format!("{option}: {word}: {error}")))?;
    Ok(config)
}
