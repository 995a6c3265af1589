//! A machine's fields by their names: `clock.memory.l1.bytes`.
//!
//! A config is looked at as the JSON that serde makes of it. A name goes down from field to field, and what a person would not
//! say may be left out: the kind of a part that has several (`hierarchy` in `clock.memory.hierarchy`), and the list that an
//! element with a name is in (`levels`).

use crate::error::SweepError;
use crate::nearest::nearest;
use serde_json::Value;
use simt::GpuConfig;

/// A config with other values in fields.
///
/// # Errors
/// A name that no field has, and a value that it cannot have.
pub(crate) fn with_fields(
    machine: &str,
    config: &GpuConfig,
    fields: &[(impl AsRef<str>, Value)],
) -> Result<GpuConfig, SweepError> {
    let mut changed = config.clone();
    for (name, value) in fields {
        let name = name.as_ref();
        let wrong =
            |reason: String| SweepError::Field { field: name.to_string(), machine: machine.to_string(), reason };
        let mut tree = serde_json::to_value(&changed).map_err(|error| wrong(error.to_string()))?;
        let before = std::mem::replace(found(&mut tree, name).map_err(wrong)?, value.clone());
        // One after the other, so that the error names the field.
        changed = serde_json::from_value(tree)
            .map_err(|error| wrong(format!("it cannot be {value}: {}", wanted(&before, name, &error.to_string()))))?;
    }
    Ok(changed)
}

/// What a field wants in place of a value that it cannot have, by the value that it has and serde's words.
fn wanted(has: &Value, name: &str, error: &str) -> String {
    if let Some((_, names)) = error.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("write {names}");
    }
    // Serde speaks of the types of Rust.
    if !error.starts_with("invalid ") {
        return error.to_string();
    }
    match has {
        Value::Number(number) if number.is_u64() => format!("write a whole number from 0 on, such as {number}"),
        Value::Number(number) => format!("write a number, such as {number}"),
        Value::Bool(_) => "write true or false".to_string(),
        Value::String(_) => format!("write a name, such as {has}"),
        Value::Object(_) | Value::Array(_) => {
            let mut parts = Vec::new();
            leaves(has, name, &mut parts);
            let (count, first) = (parts.len(), parts.first().map_or(name, |part| part));
            format!("it is no value but has {count} parts: name one of them, such as `{first}`")
        }
        Value::Null => match ["u64", "u32", "usize"].iter().any(|ty| error.ends_with(ty)) {
            true => "write a whole number from 0 on".to_string(),
            false => "it is of another kind".to_string(),
        },
    }
}

/// The place of a field.
///
/// # Errors
/// What is wrong with the name.
fn found<'t>(tree: &'t mut Value, name: &str) -> Result<&'t mut Value, String> {
    let mut names = Vec::new();
    leaves(tree, "", &mut names);
    let mut at = tree;
    for (number, part) in name.split('.').enumerate() {
        let before = name.split('.').take(number).collect::<Vec<_>>().join(".");
        if at.is_null() {
            return Err(format!("the machine has no `{before}`: take one that has"));
        }
        let Some(next) = step(at, part) else {
            let inner = |leaf: &&String| before.is_empty() || leaf.starts_with(&format!("{before}."));
            let mut inside: Vec<&String> = names.iter().filter(inner).collect();
            // A name that only lacks its beginning is meant so.
            let ends = |leaf: &&&String| leaf.ends_with(&format!(".{name}"));
            if names.iter().any(|leaf| ends(&&leaf)) {
                inside = names.iter().filter(|leaf| ends(&leaf)).collect();
            }
            let near = nearest(name, inside.iter().map(|leaf| leaf.as_str()));
            return Err(if inside.is_empty() {
                format!("`{before}` has no parts")
            } else {
                format!("there is no such field; the nearest are {near}")
            });
        };
        at = next;
    }
    Ok(at)
}

/// What a part of a name is, from one place on.
fn step<'t>(at: &'t mut Value, part: &str) -> Option<&'t mut Value> {
    match at {
        Value::Object(map) => {
            if map.contains_key(part) {
                map.get_mut(part)
            } else if map.len() == 1 {
                step(map.values_mut().next()?, part)
            } else {
                map.values_mut().filter(|value| value.is_array()).find_map(|list| step(list, part))
            }
        }
        Value::Array(list) => list.iter_mut().find(|element| name_of(element) == Some(part)),
        _ => None,
    }
}

fn name_of(element: &Value) -> Option<&str> {
    element.get("name")?.as_str()
}

/// The names of all fields that have a value of their own, as short as they can be.
fn leaves(at: &Value, name: &str, found: &mut Vec<String>) {
    let below = |part: &str| if name.is_empty() { part.to_string() } else { format!("{name}.{part}") };
    match at {
        Value::Object(map) if map.len() == 1 && !name.is_empty() => {
            map.values().for_each(|value| leaves(value, name, found));
        }
        Value::Object(map) => map.iter().for_each(|(part, value)| match value {
            Value::Array(list) if list.iter().any(|element| name_of(element).is_some()) => {
                leaves(value, name, found);
            }
            _ => leaves(value, &below(part), found),
        }),
        Value::Array(list) if list.iter().any(|element| name_of(element).is_some()) => {
            list.iter().for_each(|element| leaves(element, &below(name_of(element).unwrap_or_default()), found));
        }
        _ => found.push(name.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MACHINES;
    use simt::clock::MemoryTiming;

    fn set(config: &GpuConfig, name: &str, value: impl Into<Value>) -> Result<GpuConfig, String> {
        with_fields("it", config, &[(name, value.into())]).map_err(|error| error.to_string())
    }

    #[test]
    fn a_field_is_named_with_or_without_what_it_is_in() {
        for name in ["clock.memory.l1.bytes", "clock.memory.hierarchy.levels.l1.bytes", "clock.memory.levels.l1.bytes"]
        {
            let config = set(&GpuConfig::fermi(), name, 32 << 10).unwrap();
            let mut expected = GpuConfig::fermi();
            let Some(MemoryTiming::Hierarchy(memory)) = expected.clock.as_mut().map(|clock| &mut clock.memory) else {
                panic!("Fermi has a hierarchy")
            };
            memory.cache_mut("l1").expect("it has a first level").bytes = 32 << 10;
            assert_eq!(config, expected, "{name}");
        }
        let config = set(&GpuConfig::functional(), "warp_width", 8).unwrap();
        assert_eq!(config, GpuConfig { warp_width: 8, ..GpuConfig::functional() });
        // A field that is nothing can become something.
        assert_eq!(set(&GpuConfig::functional(), "work_limit", 9).unwrap().work_limit, Some(9));
        let ideal = set(&GpuConfig::fermi(), "clock.memory", serde_json::json!({ "ideal": { "latency": 7 } })).unwrap();
        assert_eq!(set(&ideal, "clock.memory.latency", 7).unwrap(), ideal);
    }

    #[test]
    fn every_field_that_an_error_can_name_is_one() {
        for machine in MACHINES {
            let config = (machine.config)();
            let mut tree = serde_json::to_value(&config).unwrap();
            assert_eq!(serde_json::from_value::<GpuConfig>(tree.clone()).unwrap(), config, "{}", machine.name);
            let mut names = Vec::new();
            leaves(&tree, "", &mut names);
            assert!(names.len() > 20 && names.contains(&"warp_width".to_string()), "{names:?}");
            for name in names {
                found(&mut tree, &name).unwrap();
            }
        }
    }

    #[test]
    fn a_name_that_no_field_has_is_answered_with_the_nearest() {
        let error = set(&GpuConfig::functional(), "warp_widht", 8).unwrap_err();
        assert!(error.contains("`warp_widht`") && error.contains("nearest are `warp_width`"), "{error}");
        let error = set(&GpuConfig::fermi(), "clock.memory.l1.size", 8).unwrap_err();
        assert!(error.contains("`clock.memory.l1.bytes`"), "{error}");
        assert!(!error.contains("l2"), "{error}");
        let error = set(&GpuConfig::fermi(), "l1.bytes", 8).unwrap_err();
        assert!(error.ends_with("the nearest are `clock.memory.l1.bytes`"), "{error}");
        let error = set(&GpuConfig::functional(), "clock.cores", 8).unwrap_err();
        assert!(error.contains("has no `clock`"), "{error}");
        let error = set(&GpuConfig::functional(), "warp_width.lanes", 8).unwrap_err();
        assert!(error.contains("`warp_width`"), "{error}");
        let error = set(&GpuConfig::functional(), "", 8).unwrap_err();
        assert!(error.contains("there is no such field"), "{error}");
    }

    #[test]
    fn a_value_of_the_wrong_type_names_its_field() {
        let error = set(&GpuConfig::fermi(), "clock.cores", "many").unwrap_err();
        assert!(error.contains("`clock.cores`") && error.contains("\"many\""), "{error}");
        let said = |name: &str, value: Value| set(&GpuConfig::fermi(), name, value).unwrap_err();
        for value in ["many".into(), (-1).into(), 1.5.into(), Value::Null] {
            let error = said("clock.cores", value);
            assert!(error.contains("write a whole number from 0 on, such as 1"), "{error}");
        }
        assert!(said("clock.scheduling", "fairest".into()).contains(": write one of `"));
        assert!(said("work_limit", "all".into()).ends_with("write a whole number from 0 on"));
        let error = said("clock.memory.l1", 5.into());
        assert!(error.contains(" parts: name one of them, such as `clock.memory.l1."), "{error}");
        for error in [error, said("clock.memory.levels", 5.into()), said("clock.memory", 5.into())] {
            assert!(!error.contains("expected") && !error.contains("struct"), "{error}");
        }
    }
}
