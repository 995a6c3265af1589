//! Memory programs as text and as data.

use proptest::prelude::*;
use simt_runtime::environment::{Condition, Level, Op, Program, ProgramName, Programs, Stm};

#[test]
fn golden_cuda_memory_the_programs_are_there_as_data() {
    let ours = |name: &&ProgramName| name.is_ours();
    assert_eq!(ProgramName::ALL.iter().filter(|name| !ours(name)).count(), 6);
    let programs = Programs::default();
    for &name in ProgramName::ALL {
        let parsed: Program = name.text().parse().expect("it is in the language");
        assert!(!parsed.0.is_empty() && programs.get(name) == &parsed, "{name:?}");
        assert_eq!(parsed.to_string().parse(), Ok(parsed), "{name:?}");
    }
    let skip: Program = "end;".parse().expect("it is in the language");
    let replaced = Programs::default().with(ProgramName::LdCa, skip.clone());
    assert!(replaced.get(ProgramName::LdCa) == &skip && replaced.get(ProgramName::LdCg) != &skip);
}

#[test]
fn a_mistake_has_its_place() {
    let error = |text: &str| text.parse::<Program>().expect_err("it is no program").to_string();
    assert_eq!(error("readL1\nyield;"), "2:1: `;` is expected, not `yield`");
    assert_eq!(error("if (isCachedL3) {}"), "1:5: `isCachedL3` is no condition");
    assert_eq!(error("if (true) { readMem;"), "1:21: `}` is expected, and the text ends");
    assert_eq!(error("end;\n}"), "2:1: there is no `{` that this closes");
    assert_eq!(error("ä;"), "1:1: `ä` is no operation of memory programs");
    assert_eq!(error("else;"), "1:1: `else` is no operation of memory programs");
    assert_eq!(error("if (!"), "1:6: a condition is expected, and the text ends");
    // However deep: an error, not the end of the parser's stack.
    assert!(error(&"if (true) {".repeat(100_000)).contains("nest deeper"));
    assert!(error(&format!("if ({}", "!".repeat(100_000))).contains("nest deeper"));
    assert!(error(&format!("if ({}", "(".repeat(100_000))).contains("nest deeper"));
}

#[test]
fn what_binds_tighter() {
    let cond = |text: &str| {
        let program: Program = format!("if ({text}) {{ }}").parse().expect("it is in the language");
        match &program.0[0] {
            Stm::If { cond, .. } => cond.to_string(),
            other => panic!("{other:?} is no if"),
        }
    };
    assert_eq!(cond("!true and false or (isCachedL1)"), "!true and false or isCachedL1");
    assert_eq!(cond("!(true and (false or isCachedL2))"), "!(true and (false or isCachedL2))");
    assert_eq!(cond("(true or false) or false"), "true or false or false");
    assert_eq!(cond("true or (false or false)"), "true or (false or false)");
}

fn conditions() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Condition::Constant),
        Just(Condition::IsCached(Level::L1)),
        Just(Condition::IsCached(Level::L2)),
    ];
    leaf.prop_recursive(6, 24, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| Condition::Not(Box::new(one))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Condition::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Condition::Or(Box::new(a), Box::new(b))),
        ]
    })
}

fn blocks() -> impl Strategy<Value = Vec<Stm>> {
    let leaf = prop_oneof![
        Just(Stm::Skip),
        Just(Stm::Yield),
        Just(Stm::End),
        prop::sample::select(Op::ALL).prop_map(Stm::Op),
    ];
    let statement = leaf.prop_recursive(4, 24, 4, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..4);
        (conditions(), block(), block()).prop_map(|(cond, then, otherwise)| Stm::If {
            cond,
            then: then.into(),
            otherwise: otherwise.into(),
        })
    });
    prop::collection::vec(statement, 0..6)
}

proptest! {
    #[test]
    fn printing_and_parsing_is_the_identity(block in blocks()) {
        let program = Program(block.into());
        prop_assert_eq!(program.to_string().parse::<Program>(), Ok(program));
    }

    #[test]
    fn no_text_panics(text in "(if|else|yield|end|readL1|true|and|or|isCachedL1|[(){};!\n ä]){0,40}") {
        let _ = text.parse::<Program>();
    }
}
