//! Reports as JSON are what their schema says.

use super::{GIVEN, saxpy};

/// The schema that is beside the sources.
fn schema() -> impl Fn(&serde_json::Value) -> Result<(), String> {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    let schema = serde_json::from_str(include_str!("../../report.schema.json")).expect("the schema is JSON");
    compiler.add_resource("report.schema.json", schema).expect("the schema has a name");
    let index = compiler.compile("report.schema.json", &mut schemas).expect("the schema is one");
    move |value| schemas.validate(value, index).map_err(|error| format!("{error:#}"))
}

#[test]
fn the_report_as_json_is_what_the_schema_says() {
    let valid = schema();
    let words = ["--arg", "out:f32:50=ones", "--report", "json", "--policy", "Ipdom,Hanoi"];
    for machine in ["functional", "turing", "fung2009"] {
        let said = saxpy(&[&GIVEN[..], &words, &["--machine", machine]].concat());
        let mut value: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
        assert_eq!(valid(&value), Ok(()), "on {machine}");
        assert_eq!(value["nsight_compute"]["issues"], "smsp__inst_executed.sum");
        assert!(value["nsight_compute"]["marker_issues"].is_null());
        // Each number of the report has a row in the table of figures.
        let named = |path: &str| value["nsight_compute"].get(path).is_some();
        let mut unnamed = Vec::new();
        numbers(&value["runs"][0]["report"], "", &mut |path| {
            // What levels of memory count is in lists of their own.
            let level = path.starts_with("clock.memory.levels") || path.starts_with("clock.samples");
            if !level && !named(path) {
                unnamed.push(path.to_string());
            }
        });
        assert_eq!(unnamed, Vec::<String>::new());
        value["runs"][0]["report"]["surplus"] = 1.into();
        assert!(valid(&value).is_err(), "what the schema does not know is refused");
    }
    let failed = saxpy(&[
        "--arg",
        "50",
        "--arg",
        "2",
        "--arg",
        "buf:f32:49=iota",
        "--arg",
        "out:f32:50=ones",
        "--report",
        "json",
    ]);
    assert_eq!(valid(&serde_json::from_str(&failed.out).expect("it is JSON")), Ok(()));
}

/// The paths of all numbers, without the places in lists.
fn numbers(value: &serde_json::Value, path: &str, tell: &mut dyn FnMut(&str)) {
    match value {
        serde_json::Value::Number(_) => tell(path),
        serde_json::Value::Array(list) => list.iter().for_each(|one| numbers(one, path, tell)),
        serde_json::Value::Object(fields) => {
            for (name, one) in fields {
                numbers(one, &format!("{path}{}{name}", if path.is_empty() { "" } else { "." }), tell);
            }
        }
        _ => {}
    }
}
