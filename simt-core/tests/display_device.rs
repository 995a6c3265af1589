//! How functions, arrays, labels and the statements of several threads print.

use crate::programs::device::{atomic, every_statement, value};
use crate::programs::{Maker, break_, call, continue_, evaluate, stmt, while_};
use simt_core::ScalarType;
use simt_core::ops::AtomicOp;
use simt_core::program::{
    ArrayId, ArraySpace, AtomicOrder, BarrierOp, Block, CollectiveOp, Expr, ExprId, FunctionId, LoadAccess, MessageId,
    Piece, Program, StmtKind, StoreAccess,
};

#[track_caller]
fn check(program: &Program, expected: &str) {
    // Written as an indented block behind an empty line.
    let indent = expected.len() - expected.trim_start().len() - 1;
    let lines = expected.lines().skip(1).map(|line| line.get(indent..).unwrap_or_default());
    let expected = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(program.to_string(), expected, "\n{program}");
}

#[test]
fn a_program_of_every_statement() {
    check(
        &every_statement(),
        r#"
        kernel every(#[constant] x: &[u32], out: &mut [u32], hist: &[AtomicU32]) {  // call{Θ}
            shared tile: [u32; 4];
            k = 0;
            s = 0;
            'a: while (k < 4) {           // brk(a){Θ} cont(a){act}
                while (true) {            // brk{Θ}
                    if (k == 1) {         // sync{Θ} div{act}
                        continue 'a;      // Δ ↦ c(a), until cont(a)
                    } else if (k == 2) {  // sync{Θ} div{act}
                        break 'a;         // Δ ↦ b(a), until brk(a)
                    }
                    break;                // Δ ↦ b, until brk
                }
            } step {
                k = k + 1;
            }
            s = sum(3);                   // call{Θ}
            hist[1].fetch_add(k, Relaxed);
            k = hist[0].compare_exchange(3, 9, AcqRel);
            tile[thread_idx().x] = s;
            sync_threads();
            s = sync_barrier_count(1, 64, true);
            votes = ballot_mask(1, true);
            s = shuffle_xor(tile[thread_idx().x], 1);
            flag = any(false);
            fence_block();
            println!("k = {}", k);
            out[0] = x[0] + s;
            if (flag) {                   // sync{Θ} div{act}
                panic!("{} is too large{}", k, votes);
            }
        }

        fn sum(n: u32) -> _1: u32 {
            local kept: [u32; 4];
            if (n == 0) {                 // sync{Θ} div{act}
                _1 = 0;
                return;                   // Δ ↦ r, until call
            }
            kept[0] = n;
            _2 = sum(n - 1);              // call{Θ}
            _1 = kept[0] + _2;
        }
        "#,
    );
}

/// Loops whose condition is the variable `c`, nested; the innermost one holds the statements.
fn nested(loops: usize, block: Block) -> Program {
    let mut m = Maker::new("k");
    let c = m.variable("c", ScalarType::Bool);
    let body = (0..loops).fold(block, |inner, _| vec![while_(m.get(c), inner, vec![])]);
    m.finish(body)
}

#[test]
fn a_loop_has_a_label_if_another_one_inside_leaves_it() {
    check(
        &nested(3, vec![break_(2), continue_(2), continue_(0), break_(1), break_(0)]),
        "
        kernel k() {                  // call{Θ}
            'a: while (c) {           // brk(a){Θ} cont(a){act}
                'b: while (c) {       // brk(b){Θ}
                    while (c) {       // brk{Θ} cont{act}
                        break 'a;     // Δ ↦ b(a), until brk(a)
                        continue 'a;  // Δ ↦ c(a), until cont(a)
                        continue;     // Δ ↦ c, until cont
                        break 'b;     // Δ ↦ b(b), until brk(b)
                        break;        // Δ ↦ b, until brk
                    }
                }
            }
        }
        ",
    );
}

#[test]
fn an_exit_of_its_own_loop_needs_no_label_but_its_tokens_do() {
    let mut m = Maker::new("k");
    let c = m.variable("c", ScalarType::Bool);
    let inner = while_(m.get(c), vec![break_(1)], vec![]);
    let body = vec![while_(m.get(c), vec![inner, break_(0)], vec![])];
    check(
        &m.finish(body),
        "
        kernel k() {           // call{Θ}
            'a: while (c) {    // brk(a){Θ}
                while (c) {    // brk{Θ}
                    break 'a;  // Δ ↦ b(a), until brk(a)
                }
                break;         // Δ ↦ b(a), until brk(a)
            }
        }
        ",
    );
}

#[test]
fn an_exit_of_a_loop_that_there_is_not_prints() {
    let text = nested(1, vec![break_(1), continue_(7)]).to_string();
    assert!(text.contains("break '?1;") && text.contains("continue '?7;"), "{text}");
    // A step is in no loop around it.
    let mut m = Maker::new("k");
    let c = m.variable("c", ScalarType::Bool);
    let inner = while_(m.get(c), vec![], vec![break_(1), break_(0)]);
    let body = vec![while_(m.get(c), vec![inner], vec![])];
    let text = m.finish(body).to_string();
    assert!(text.contains("break '?1;") && text.contains("break;"), "{text}");
}

#[test]
fn there_are_enough_labels() {
    let inner = |loops: u32| (1..loops).map(break_).collect();
    let text = nested(60, inner(60)).to_string();
    let labels: std::collections::BTreeSet<&str> =
        text.lines().filter_map(|line| line.trim().strip_prefix('\'')?.split_once(':')).map(|pair| pair.0).collect();
    assert_eq!(labels.len(), 59);
    assert!(["a", "z", "a1", "f2"].iter().all(|label| labels.contains(label)), "{labels:?}");
}

/// The statement's line in a program that has little else.
#[track_caller]
fn check_line(expected: &str, make: impl FnOnce(&mut Maker) -> StmtKind) {
    let mut m = Maker::new("k");
    let kind = make(&mut m);
    let text = m.finish(vec![stmt(kind)]).without_tokens().to_string();
    assert_eq!(text.lines().rev().nth(1), Some(format!("    {expected}").as_str()), "{text}");
}

#[test]
fn accesses_name_their_cache_operators() {
    for &access in LoadAccess::ALL {
        let expected = match access {
            LoadAccess::Plain => "x[1];".to_string(),
            access => format!("x.load_{}(1);", access.name()),
        };
        check_line(&expected, |m| {
            let (x, index) = (m.slice("x", ScalarType::U8), m.constant(1usize));
            StmtKind::Evaluate { value: m.node(Expr::Load { slice: x.into(), index, access }, ScalarType::U8) }
        });
    }
    for &access in StoreAccess::ALL {
        let expected = match access {
            StoreAccess::Plain => "x[1] = 2;".to_string(),
            access => format!("x.store_{}(1, 2);", access.name()),
        };
        check_line(&expected, |m| {
            let (x, index, value) = (m.slice_mut("x", ScalarType::U8), m.constant(1usize), m.constant(2u8));
            StmtKind::Store { slice: x.into(), index, value, access }
        });
    }
}

#[test]
fn barriers_print_as_they_are_called() {
    let line = |expected: &str, op, named: bool, reduces: bool| {
        check_line(expected, |m| {
            let (index, threads) = (named.then(|| m.constant(3u32)), named.then(|| m.constant(64u32)));
            let value = reduces.then(|| m.constant(true));
            StmtKind::Barrier { op, index, threads, value, result: None }
        });
    };
    line("sync_threads();", BarrierOp::Sync, false, false);
    line("sync_threads_and(true);", BarrierOp::And, false, true);
    line("sync_threads_or(true);", BarrierOp::Or, false, true);
    line("sync_threads_count(true);", BarrierOp::Count, false, true);
    line("sync_barrier(3, 64);", BarrierOp::Sync, true, false);
    line("arrive_barrier(3, 64);", BarrierOp::Arrive, true, false);
    line("sync_barrier_count(3, 64, true);", BarrierOp::Count, true, true);
    check_line("sync_barrier(_, 64);", |m| {
        let threads = Some(m.constant(64u32));
        StmtKind::Barrier { op: BarrierOp::Sync, index: None, threads, value: None, result: None }
    });
}

#[test]
fn two_functions_or_arrays_of_one_name_are_told_apart() {
    let mut m = Maker::new("f");
    m.slice("a", ScalarType::U8);
    let (first, second) = (m.function("f", vec![], None), m.function("g", vec![], None));
    let third = m.function("g", vec![], None);
    let arrays = [m.shared("a", ScalarType::U8), m.shared("b", ScalarType::U8)];
    let b = m.variable("b", ScalarType::U8);
    let body = vec![call(first, vec![], None), call(second, vec![], None), call(third, vec![], None)];
    let program = m.finish(body);
    assert_eq!([first, second, third].map(|id| program.function_name(id)), ["f'2", "g", "g'2"]);
    assert_eq!(arrays.map(|id| program.memory_name(id.into())), ["a'2", "b"]);
    assert_eq!(program.variable_name(b), "b'2");
}

#[test]
fn what_does_not_exist_prints_as_its_number() {
    let mut m = Maker::new("k");
    let f = m.function("f", vec![simt_core::program::VarId(9)], None);
    let loaded = m.load(ArrayId(4), ExprId(77), ScalarType::U8);
    let unknown = |kind| stmt(kind);
    m.body(f, vec![evaluate(loaded)]);
    m.array("lost", ScalarType::U8, ArraySpace::Local, Some(FunctionId(8)));
    let program = m.finish(vec![
        call(FunctionId(5), vec![ExprId(8)], None),
        unknown(StmtKind::Print { message: MessageId(3), args: vec![ExprId(9)] }),
        unknown(StmtKind::Collective { op: CollectiveOp::Any, mask: Some(ExprId(99)), args: vec![], result: None }),
        unknown(atomic(AtomicOp::Swap, ArrayId(6), ExprId(55), vec![], None, AtomicOrder::SeqCst)),
    ]);
    let lines = [
        "kernel k() {",
        "    local lost: [u8; 4];",
        "    ?f5(?e8);",
        "    println!(?m3, ?e9);",
        "    any_mask(?e99);",
        "    ?a6[?e55].swap(SeqCst);",
        "}",
        "",
        "fn f(?v9: ?) {",
        "    ?a4[?e77];",
        "}\n",
    ];
    assert_eq!(program.without_tokens().to_string(), lines.join("\n"));
}

#[test]
fn messages_print_as_format_strings() {
    check_line(r#"println!("{{}} = {}\n", 7);"#, |m| {
        let message = m.message(vec![Piece::Text("{} = ".into()), value(0), Piece::Text("\n".into())]);
        StmtKind::Print { message, args: vec![m.constant(7u8)] }
    });
}
