//! Each row of the table parses, prints and checks, with each of its modifiers and types, and finds itself.

mod made;

use made::{FRAME, instructions, supported};
use simt_ptx::lower::{Shown, lower};
use simt_ptx::syntax::{Module, StatementKind};
use simt_ptx::table::Form;
use simt_ptx::{parse, print, read};

/// The text of a kernel that has these instructions.
fn kernel(instructions: &[String]) -> String {
    FRAME.replace("|\n", &(instructions.join(";\n") + ";\n"))
}

/// The forms of the instructions of a kernel but for those of the frame, by the texts of their rows.
fn rows(module: &Module) -> Vec<String> {
    let body = module.functions().filter_map(|function| function.body.as_ref()).last().expect("it has a kernel");
    let instructions = body.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Instruction(instruction) => Some(instruction),
        _ => None,
    });
    let rows = instructions.map(|instruction| Form::of(instruction).expect("it has a row").row.to_string());
    let mut rows: Vec<String> = rows.skip(1).collect();
    rows.truncate(rows.len().saturating_sub(2));
    rows
}

#[test]
fn each_row_with_each_choice_is_read_and_finds_itself() {
    let mut count = 0;
    for row in supported() {
        let instructions = instructions(row);
        count += instructions.len();
        let text = kernel(&instructions);
        let module = read(&text).unwrap_or_else(|problems| panic!("{row}:\n{problems}"));
        assert_eq!(parse(&print(&module)).as_ref(), Ok(&module));
        // A row that has an alternative for the same modifiers is found by the number of its operands.
        for (found, instruction) in rows(&module).iter().zip(&instructions) {
            let row = row.to_string();
            assert!(
                *found == row || row.starts_with("min[.relu]") || row.starts_with("max[.relu]"),
                "{instruction}: {found}, not {row}"
            );
        }
    }
    assert!(count > 1500, "only {count} instructions are made");
}

/// With one operand more, or one less, no row is taken for another.
#[test]
fn operands_are_counted() {
    for row in supported().filter(|row| row.name != "call") {
        let one = instructions(row).swap_remove(0);
        let more = if row.operands.is_empty() { format!("{one} %p1") } else { format!("{one}, %p1, %p1, %p1") };
        for wrong in [more, one.split(' ').next().unwrap_or_default().to_string()] {
            if wrong == one.trim() {
                continue;
            }
            assert!(read(&kernel(std::slice::from_ref(&wrong))).is_err(), "{wrong}");
        }
    }
}

/// What is checked and does not run, each with the reason.
const DOES_NOT_RUN: &[(&str, &str)] = &[
    ("b128", "values of 128 bits: use `.v2.b64`"),
    // Of parameters that a register points to.
    ("st.param::func", "param memory is only read"),
];

#[test]
fn each_row_becomes_code() {
    let mut wrong = Vec::new();
    for row in supported() {
        for instruction in instructions(row) {
            let text = kernel(std::slice::from_ref(&instruction));
            let module = read(&text).expect("another test has read it");
            let shown = Shown { text: &text, file: "k.ptx", number: None, others: &[] };
            let expected = DOES_NOT_RUN.iter().find(|(name, _)| instruction.contains(name));
            match (lower(&module, "kernel", &text, shown), expected) {
                (Ok(_), None) => {}
                (Ok(_), Some(_)) => wrong.push(format!("{instruction} runs")),
                (Err(problems), Some((_, reason))) if problems.to_string().contains(reason) => {}
                (Err(problems), _) => wrong.push(format!("{instruction}: {problems}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
