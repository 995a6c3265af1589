//! Every form that 3,886 kernels of Rodinia, PolyBench-GPU, the CUDA samples and our own have, as three compilers write them,
//! is in the table: supported, or out of scope with a reason.

use simt_ptx::syntax::Instruction;
use simt_ptx::table::{Becomes, Form};
use simt_ptx::{Span, syntax::Name};

/// The forms, the most frequent first.
const FORMS: &str = include_str!("forms.txt");

/// What is out of scope, by the opcode, or by a modifier.
const OUTSIDE: &[&str] = &[
    "barrier.cluster",
    "clusterlaunchcontrol",
    "cp",
    "cvt.rna.tf32",
    "fence.proxy",
    "griddepcontrol",
    "mbarrier",
    "sust",
    "tex",
    "wmma",
];

fn instruction(form: &str) -> Instruction {
    let mut names = form.split('.').map(|word| Name::new(word, Span::default()));
    let opcode = names.next().expect("a form has an opcode");
    Instruction { guard: None, opcode, modifiers: names.collect(), operands: Vec::new() }
}

#[test]
fn every_form_of_real_programs_is_in_the_table() {
    let forms: Vec<&str> = FORMS.lines().collect();
    assert!(forms.len() > 600, "the list is there");
    let mut wrong = Vec::new();
    for form in forms {
        let instruction = instruction(form);
        let Some(found) = Form::of(&instruction) else {
            wrong.push(format!("{form} is not in the table"));
            continue;
        };
        let outside = OUTSIDE.iter().any(|name| form == *name || form.starts_with(&format!("{name}.")));
        match found.becomes() {
            Becomes::Unsupported(reason) if !outside => wrong.push(format!("{form} is out of scope: {reason}")),
            Becomes::Unsupported(_) => {}
            other if outside => wrong.push(format!("{form} is {other:?}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
