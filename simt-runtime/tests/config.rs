//! Configs from unlikely texts: an error that names what is wrong, or a config that a check accepts or not.

use proptest::prelude::*;
use simt_runtime::GpuConfig;

const FIELDS: [&str; 10] = [
    "warp_width",
    "step_limit",
    "call_depth",
    "shared_memory",
    "local_memory",
    "if_conversion",
    "statistics",
    "checks",
    "warp_widht",
    "[warp_width]",
];

const VALUES: [&str; 15] = [
    "0",
    "1",
    "32",
    "64",
    "65536",
    "-1",
    "1e9",
    "9223372036854775808",
    "true",
    "false",
    "\"x\"",
    "[1]",
    "[\"I1\"]",
    "{}",
    "",
];

/// Lines that are nearly right.
fn lines() -> impl Strategy<Value = String> {
    let field = proptest::sample::select(&FIELDS[..]);
    let value = proptest::sample::select(&VALUES[..]);
    let line = (field, value).prop_map(|(field, value)| format!("{field} = {value}\n"));
    proptest::collection::vec(line, 0..4).prop_map(|lines| lines.concat())
}

fn check(text: &str) {
    match GpuConfig::from_toml(text) {
        Ok(config) => {
            if let Err(error) = config.validate() {
                assert!(text.contains(error.to_string().split('`').nth(1).expect("it names a field")), "{error}");
            }
        }
        Err(error) => assert!(!error.message().is_empty()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]
    #[test]
    fn fields_and_values_in_any_order(text in lines()) {
        check(&text);
    }

    #[test]
    fn any_text(text in "[a-z_=0-9\\[\\]{}\"'.#\n -]{0,60}") {
        check(&text);
    }
}

#[test]
fn a_wrong_value_is_an_error_that_names_its_field() {
    let error = GpuConfig::from_toml("warp_width = true").expect_err("no number");
    assert!(error.to_string().contains("warp_width"), "{error}");
    assert!(GpuConfig::from_toml("step_limit = -1").is_err());
    let error = GpuConfig::from_toml("checks = [\"I9\"]").expect_err("no check");
    assert!(error.to_string().contains("I9"), "{error}");
    assert!(GpuConfig::from_toml("checks = []").is_ok_and(|config| config.checks.is_empty()));
    assert!(GpuConfig::from_toml("").is_ok_and(|config| config == GpuConfig::functional()));
}
