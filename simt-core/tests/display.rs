//! How programs print.

use crate::programs::{Maker, assign, collatz, continue_, evaluate, garbage, if_, stmt, sum_of_even, while_};
use proptest::prelude::*;
use simt_core::ScalarType;
use simt_core::program::{Block, Expr, ExprId, ParamId, Program, StmtKind, VarId};

#[track_caller]
fn check(program: &Program, expected: &str) {
    // Written as an indented block on lines of its own.
    let lines: Vec<_> = expected.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = lines[0].len() - lines[0].trim_start().len();
    let expected: String = lines.iter().map(|line| format!("{}\n", &line[indent..])).collect();
    assert_eq!(program.to_string(), expected, "\n{program}");
}

#[test]
fn collatz_prints_as_in_the_paper() {
    check(
        &collatz(),
        "
        kernel collatz(start: &[u32], steps: &mut [u32]) {  // call{Θ}
            i = global_id();
            if (i >= start.len()) {                         // sync{Θ} div{act}
                return;                                     // Δ ↦ r, until call
            }
            n = start[i];
            count = 0;
            while (n != 1) {                                // brk{Θ}
                if (n % 2 == 0) {                           // sync{Θ} div{act}
                    n = n / 2;
                } else {
                    n = 3 * n + 1;
                }
                count = count + 1;
            }
            steps[i] = count;
        }
        ",
    );
}

#[test]
fn a_step_and_the_token_of_continue_are_shown() {
    check(
        &sum_of_even(),
        "
        kernel sum_of_even(n: u32, out: &mut [u32]) {  // call{Θ}
            k = 0;
            sum = 0;
            while (k < n) {                            // brk{Θ} cont{act}
                if (k & 1 != 0) {                      // sync{Θ} div{act}
                    continue;                          // Δ ↦ c, until cont
                } else if (k == 100) {                 // sync{Θ} div{act}
                    break;                             // Δ ↦ b, until brk
                }
                sum = sum + k;
            } step {
                k = k + 1;
            }
            out[lane_id()] = sum;
        }
        ",
    );
}

#[test]
fn without_tokens_the_same_text_has_no_comments() {
    let program = sum_of_even();
    let with = program.to_string();
    let cut: Vec<_> = with.lines().map(|line| line.split("  //").next().unwrap_or_default().trim_end()).collect();
    assert_eq!(program.without_tokens().to_string().lines().collect::<Vec<_>>(), cut);
    assert!(!cut.iter().any(|line| line.contains('Θ') || line.ends_with(' ')));
}

/// A program whose conditions are the variable `c`, made anew wherever one is needed.
fn flow(make: impl FnOnce(&mut dyn FnMut() -> ExprId) -> Block) -> Program {
    let mut m = Maker::new("k");
    let c = m.variable("c", ScalarType::Bool);
    let body = make(&mut || m.get(c));
    m.finish(body)
}

#[test]
fn empty_blocks_take_no_lines() {
    let skip = || vec![stmt(StmtKind::Skip)];
    let program = flow(|c| {
        vec![
            if_(c(), vec![], vec![]),
            if_(c(), vec![], skip()),
            while_(c(), vec![], vec![]),
            while_(c(), vec![], skip()),
            if_(c(), skip(), vec![if_(c(), vec![], vec![])]),
        ]
    });
    check(
        &program,
        "
        kernel k() {          // call{Θ}
            if (c) {}         // sync{Θ} div{act}
            if (c) {          // sync{Θ} div{act}
            } else {
                ;
            }
            while (c) {}      // brk{Θ}
            while (c) {       // brk{Θ}
            } step {
                ;
            }
            if (c) {          // sync{Θ} div{act}
                ;
            } else if (c) {}  // sync{Θ} div{act}
        }
        ",
    );
}

#[test]
fn an_else_with_more_than_an_if_is_no_else_if() {
    let program = flow(|c| {
        let last = vec![if_(c(), vec![], vec![]), stmt(StmtKind::Skip)];
        vec![if_(c(), vec![], vec![if_(c(), vec![], last)])]
    });
    check(
        &program,
        "
        kernel k() {         // call{Θ}
            if (c) {         // sync{Θ} div{act}
            } else if (c) {  // sync{Θ} div{act}
            } else {
                if (c) {}    // sync{Θ} div{act}
                ;
            }
        }
        ",
    );
}

#[test]
fn a_continue_of_an_inner_loop_gives_the_outer_no_token() {
    let program = flow(|c| vec![while_(c(), vec![while_(c(), vec![continue_(0)], vec![])], vec![])]);
    check(
        &program,
        "
        kernel k() {           // call{Θ}
            while (c) {        // brk{Θ}
                while (c) {    // brk{Θ} cont{act}
                    continue;  // Δ ↦ c, until cont
                }
            }
        }
        ",
    );
}

#[test]
fn a_long_line_does_not_move_the_column() {
    let mut m = Maker::new("k");
    let long = m.variable("a_condition_with_so_long_a_name_that_it_needs_a_line_of_its_own", ScalarType::Bool);
    let cond = m.get(long);
    let program = m.finish(vec![if_(cond, vec![], vec![]), stmt(StmtKind::Return)]);
    check(
        &program,
        "
        kernel k() {  // call{Θ}
            if (a_condition_with_so_long_a_name_that_it_needs_a_line_of_its_own) {}  // sync{Θ} div{act}
            return;   // Δ ↦ r, until call
        }
        ",
    );
}

#[test]
fn names_are_unique() {
    let mut m = Maker::new("k");
    m.scalar("p", ScalarType::U32);
    let names = ["x", "", "x", "p", "x", "x'3", "_1"];
    let variables = names.map(|name| m.variable(name, ScalarType::U32));
    let program = m.finish(vec![]);
    let printed = variables.map(|var| program.variable_name(var));
    assert_eq!(printed, ["x", "_1", "x'2", "p'2", "x'3", "x'3'2", "_1'2"]);
}

#[test]
fn what_does_not_exist_prints_as_its_number() {
    let mut m = Maker::new("k");
    let cycle = m.node(Expr::Cast { value: ExprId(0) }, ScalarType::U8);
    let early = m.load(ParamId(4), ExprId(9), ScalarType::U8);
    let unknown = m.node(Expr::Var(VarId(3)), ScalarType::U8);
    let program = m.finish(vec![assign(VarId(8), cycle), evaluate(early), evaluate(unknown), evaluate(ExprId(7))]);
    let text = program.without_tokens().to_string();
    assert_eq!(text, "kernel k() {\n    ?v8 = ?e0 as u8;\n    ?p4[?e9];\n    ?v3;\n    ?e7;\n}\n");
}

#[test]
fn statements_nested_too_deeply_are_cut() {
    let cond = ExprId(0);
    let deep = (0..100_000).fold(vec![], |inner, _| vec![while_(cond, inner, vec![])]);
    let program = Program { body: deep, ..Program::default() };
    assert!(program.to_string().contains("...\n"));
    // Validation takes the program apart; dropping it as it is would overflow the stack.
    assert!(program.validate().is_err());
}

proptest! {
    #[test]
    fn printing_never_panics(program in garbage::any_program()) {
        prop_assert!(program.to_string().starts_with("kernel garbage("));
        prop_assert!(program.without_tokens().to_string().lines().count() >= 2);
    }
}
