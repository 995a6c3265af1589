//! Texts that are no code: each mistake is found where it stands, and it is said what was expected.

use simt_core::code::Code;

/// A mistake in a kernel with parameters, arrays, registers and a function. The mistake stands between `<` and `>`.
#[track_caller]
fn refused(line: &str, message: &str) {
    let plain = line.replace(['«', '»'], "");
    let head = "kernel k(n: u32, x: &[u32], y: &mut [f32], h: &[AtomicU32])\n.shared s: [u32 x 4]\n";
    let registers = ".reg u32 %a, %b, bool %p, usize %i, once u32 %c, u64 %m, %unset\n";
    let set = "mov.u32 %a, 1\nmov.u32 %b, 2\nmov.bool %p, true\nmov.usize %i, 3\nmov.u64 %m, 7\n";
    let text = format!("{head}{registers}{set}{plain}\nL: exit\nfunc f\n.reg recursive_placeholder\nINNER: ret\n");
    let text = text.replace(".reg recursive_placeholder", ".reg u32 %own");
    let error = Code::parse(&text).expect_err("it is wrong");
    let column = line.chars().take_while(|&c| c != '«').count() as u32 + 1;
    assert_eq!((error.line(), error.column(), error.message()), (9, column, message), "{error}");
    assert!(!error.expected().is_empty());
    let shown = error.to_string();
    let carets = shown.lines().last().map_or(0, |last| last.matches('^').count());
    let expected = line.chars().skip_while(|&c| c != '«').skip(1).take_while(|&c| c != '»').count();
    assert_eq!(carets, expected.max(1), "{shown}");
}

#[test]
fn names_must_be_declared() {
    refused("mov.u32 «%d», 1", "there is no register `%d`");
    refused("mov.u32 %a, «%f.x»", "there is no register `%x`");
    refused("mov.u32 %a, «%g.x»", "there is no function `g`");
    refused("mov.u32 %a, «z»", "there is no parameter or array `z`");
    refused("mov.u32 %a, «n.2»", "there is no parameter or array `n.2`");
    refused("ld.u32 %a, «z»[0]", "there is no parameter or array `z`");
    refused("jmp «M»", "there is no label `M` here");
    refused("jmp «INNER»", "there is no label `INNER` here");
    refused("call «g»", "there is no function `g`");
    refused("mov.usize %i, «thread_id()»", "there is no special register `thread_id()`");
}

#[test]
fn instructions_must_exist() {
    refused("«mul24.u32» %a, %b, 1", "there is no instruction `mul24.u32`");
    refused("«add.u33» %a, %b, 1", "there is no instruction `add.u33`");
    refused("«add» %a, %b, 1", "there is no instruction `add`");
    refused("«add.u32.cg» %a, %b, 1", "there is no instruction `add.u32.cg`");
    refused("«ld.u32.ch» %a, x[0]", "there is no instruction `ld.u32.ch`");
    refused("«atom.u32.add.relaxed» h[0], 1", "there is no instruction `atom.u32.add.relaxed`");
    refused("«atom.u32.fetch_add» h[0], 1", "there is no instruction `atom.u32.fetch_add`");
    refused("«bar.max» %p, %p", "there is no instruction `bar.max`");
    refused(".«align» 4", "there is no directive `.align`");
    refused("«sin.u32 %a, %b»", "`sin.u32` is not defined");
    refused("«mad.bool %p, %p, %p, %p»", "`mad.bool` is not defined");
}

#[test]
fn operands_must_be_of_their_types() {
    refused("add.u32 %a, %b, «%m»", "the register is of type u64");
    refused("add.u32 «%m», %b, 1", "the register is of type u64");
    refused("add.u32 %a, %b, «-1»", "`-1` is no `u32`");
    refused("add.u32 %a, %b, «1.5»", "`1.5` is no `u32`");
    refused("mov.bool %p, «1»", "`1` is no `bool`");
    refused("mov.u64 %m, «n»", "this is of type u32");
    refused("mov.u32 %a, «x»", "`x` is a slice");
    refused("mov.u32 %a, «s»", "`s` is an array");
    refused("mov.usize %i, «n.len()»", "`n` is no slice");
    refused("mov.usize %i, «s.len()»", "`s` is an array");
    refused("mov.u32 %a, «x.len()»", "this is of type usize");
    refused("shl.u64 %m, %m, «%m»", "the register is of type u64");
    refused("bra «%a», L", "the register is of type u32");
    refused("brx «%i», [L]", "the register is of type usize");
    refused("ld.u32 %a, «x[%a]»", "the register is of type u32");
    refused("ld.u32 %a, «y[0]»", "its elements are of type f32");
    refused("st.u32 «x[0]», 1", "this slice is read-only");
    refused("ld.u32 %a, «h[0]»", "its elements are atomics");
    refused("st.u32 «h[0]», 1", "its elements are atomics");
    refused("atom.u32.swap.relaxed «s[0]», 1", "its elements are no atomics");
    refused("ld.u32 %a, «n[0]»", "the parameter is no slice");
    refused("print \"{}\", u32«»", "the line ends too early");
    refused("print \"{}\", «u64 %a»", "the register is of type u32");
    refused("bsync «B16»", "there is no convergence barrier B16");
}

#[test]
fn parts_must_be_there_and_no_more() {
    refused("add.u32 %a, %b«»", "the line ends too early");
    refused("add.u32 %a, %b, 1 «2»", "`2` does not belong here");
    refused("add.u32 %a «%»b, 1", "`%` does not belong here");
    refused("add.u32 «1», %b, 1", "`1` does not belong here");
    refused("ld.u32 %a, x «%»i", "`%` does not belong here");
    refused("jmp«»", "the line ends too early");
    refused("jmp «7»", "`7` does not belong here");
    refused("brx %a, [«]»", "`]` does not belong here");
    refused("print «hello»", "`hello` does not belong here");
    refused("print «\"{\"»", "a `{` is not closed; write `{{` for a brace");
    refused("«print \"{} {}\", u32 %a»", "the text shows value 1, counted from 0");
    refused("print «\"abc»", "the text in quotes does not end on its line");
    refused("mov.u32 %a, «$»1", "`$` means nothing here");
    refused("bsync «%»a", "`%` does not belong here");
    refused("exit «now»", "`now` does not belong here");
}

#[test]
fn predicates_are_registers_of_bool() {
    refused("@%p bra «%»p, L", "`%` does not belong here");
    refused("@«%a» bra L", "the register is of type u32");
    refused("@%z bra L".replace("%z", "«%z»").as_str(), "there is no register `%z`");
    refused("«@7» bra L", "this instruction is at @5, not at @7");
}

/// Any instruction of the CUDA report may have a guard; here a token has all lanes that run.
#[test]
fn guards_on_markers_are_refused() {
    #[track_caller]
    fn says(line: &str, instead: &str) {
        let text = format!("kernel k()\n.reg u32 %a, bool %p\nmov.bool %p, true\n@%p {line}\nL: exit");
        let error = Code::parse(&text).expect_err("it takes no predicate");
        let mnemonic = line.split(' ').next().unwrap_or_default();
        assert_eq!(error.message(), format!("`{mnemonic}` takes no predicate"));
        assert!(error.expected().starts_with(instead), "{error}");
    }
    for push in ["ssy L", "prebrk L", "precont L", "preret L"] {
        says(push, "it without one: the token has all lanes that run");
    }
    says("sync", "a branch to a `sync` of its own");
    for marker in ["yield", "bssy B0, L", "bsync B0", "warpsync 1", "join L"] {
        says(marker, "it without one: all threads that are there execute it");
    }
}

/// The CUDA report asks of each run that the stack has the token of a `sync`; here it is proved of the code.
#[test]
fn stacks_of_tokens_are_the_same_on_all_paths() {
    // Lanes that skip the `ssy` would come to the `sync` with a token less.
    let text = "kernel k()\n.reg bool %p\nmov.bool %p, true\nbra %p, SKIP\nssy JOIN\nSKIP: sync\nJOIN: exit";
    let error = Code::parse(text).expect_err("one path has a token more");
    assert_eq!((error.line(), error.message()), (5, "threads come to @3 with ssy @4 from here"));
    assert_eq!(error.expected(), "no tokens, as on another path");
    // That no thread goes the other way makes no difference.
    let always = text.replace("bra %p", "bra !%p");
    assert!(Code::parse(&always).is_err());
    assert!(Code::parse(&text.replace("bra %p, SKIP\n", "")).is_ok());
}

#[test]
fn addresses_must_be_right() {
    refused("«@6» mov.u32 %a, 1", "this instruction is at @5, not at @6");
    refused("jmp «@99»", "@99 is not an address of this function");
    refused("jmp «@7»", "@7 is not an address of this function");
}

/// Mistakes of a whole text: line, column, message.
#[track_caller]
fn refused_text(text: &str, line: u32, column: u32, message: &str) {
    let error = Code::parse(text).expect_err("it is wrong");
    assert_eq!((error.line(), error.column(), error.message()), (line, column, message), "{error}");
}

#[test]
fn texts_begin_with_a_kernel() {
    refused_text("", 1, 1, "there is no kernel");
    refused_text("; nothing\n\n// at all", 3, 1, "there is no kernel");
    refused_text("exit", 1, 1, "`exit` does not belong here");
    refused_text("kernel k", 1, 9, "the line ends too early");
    refused_text("kernel k()", 1, 1, "there are no instructions");
    refused_text("kernel k(a: u33)\nexit", 1, 13, "`u33` does not belong here");
    refused_text("kernel k(a: u32 b: u32)\nexit", 1, 17, "`b` does not belong here");
    refused_text("kernel k(a: u32, a: u32)\nmov.u32 a.3, 1", 2, 9, "`a` does not belong here");
    refused_text("kernel k(a: &mut [AtomicU32])\nexit", 1, 19, "a slice of atomics is neither `mut` nor constant");
    refused_text("kernel k(#[constant] a: u32)\nexit", 1, 25, "`u32` does not belong here");
    refused_text("kernel k()\nkernel l()\nexit", 2, 1, "there is a kernel already");
}

#[test]
fn declarations_are_checked() {
    refused_text("kernel k()\n.markers tokens\n.markers none\nexit", 3, 2, "the family of markers was named already");
    refused_text("kernel k()\n.markers post\nexit", 2, 10, "there is no family of markers `post`");
    refused_text("kernel k()\n.reg %a\nexit", 2, 6, "`%` does not belong here");
    refused_text("kernel k()\n.reg u32 %a, %a\nexit", 2, 14, "this register is declared already");
    refused_text("kernel k()\n.reg u32 %1, f32 %1\nexit", 2, 18, "this register is declared already");
    refused_text("kernel k()\n.reg #1 u32 %a\nexit", 2, 13, "there is no number 0 before 1");
    refused_text("kernel k()\n.reg #4000000000 u32 %a\nexit", 2, 22, "there is no number 0 before 4000000000");
    refused_text("kernel k()\n.reg u32 %a, #0 u32 %b\nexit", 2, 21, "number 0 is taken");
    refused_text("kernel k(s: u32)\n.shared s: [u32 x 4]\nexit", 2, 9, "`s` is declared already");
    refused_text("kernel k()\n.shared s: [u32 x 4294967296]\nexit", 2, 19, "`4294967296` does not belong here");
    refused_text("kernel k()\nexit\nfunc f\nret\nfunc f\nret", 5, 6, "there is a function `f` already");
    refused_text("kernel k()\nA: jmp A\nA: exit", 3, 1, "there is a label `A` already");
}

#[test]
fn control_ends_where_the_function_ends() {
    refused_text("kernel k()\nfence_block", 2, 1, "the code runs out behind this instruction");
    refused_text("kernel k(p: bool)\nbra p, @0", 2, 1, "the code runs out behind this instruction");
    refused_text("kernel k()\nL:\nexit\nfunc f\nfence_block", 5, 1, "the code runs out behind this instruction");
    refused_text("kernel k()\nfunc f\nret", 3, 1, "a function has no instructions");
    refused_text("kernel k()\nexit\nfunc f\nfunc g\nret", 2, 1, "a function has no instructions");
    refused_text("kernel k()\nret", 2, 1, "`ret` in a kernel");
    refused_text("kernel k()\njmp L\nL:", 2, 5, "@1 is not an address of this function");
    refused_text(
        "kernel k(p: bool)\n.markers none\nbra p, L, meet L\nL: exit",
        3,
        1,
        "a place to meet, which this family of markers or this instruction has not",
    );
}

const UNWRITTEN: &str = "a register may be read before it is written";

#[test]
fn registers_are_written_before_they_are_read() {
    let text = |body: &str| format!("kernel k(p: bool, x: &mut [u32])\n.reg u32 %a, %b\n{body}");
    refused_text(&text("mov.u32 %b, %a\nexit"), 3, 13, UNWRITTEN);
    refused_text(&text("st.u32 x[0], %a\nexit"), 3, 14, UNWRITTEN);
    refused_text(&text("print \"\", u32 %a\nexit"), 3, 11, UNWRITTEN);
    refused_text(&text("bra p, L\nmov.u32 %a, 1\nL: st.u32 x[0], %a\nexit"), 5, 17, UNWRITTEN);
    // Around a loop.
    refused_text(&text("L: bra p, M\nst.u32 x[0], %a\nM: mov.u32 %a, 1\nbra p, L\nexit"), 4, 14, UNWRITTEN);
    // Both arms; a loop that must run; code that no thread reaches; a path that panics.
    for fine in [
        "bra p, L\nmov.u32 %a, 1\njmp M\nL: mov.u32 %a, 2\nM: st.u32 x[0], %a\nexit",
        "L: mov.u32 %a, 1\nbra p, L\nst.u32 x[0], %a\nexit",
        "exit\nst.u32 x[0], %a\nexit",
        "bra p, L\nmov.u32 %a, 1\nbra p, M\nL: panic \"no\"\nM: st.u32 x[0], %a\nexit",
    ] {
        assert!(Code::parse(&text(fine)).is_ok(), "{fine}");
    }
}

#[test]
fn calls_pass_what_is_written() {
    let text = |body: &str, f: &str| {
        format!(
            "kernel k(p: bool)\n.reg u32 %r, %own\n{body}\nexit\nfunc f\n.reg passing u32 %in, %out, u32 %x, %param\n{f}"
        )
    };
    let double = "add.u32 %out, %in, %in\nret";
    assert!(Code::parse(&text("mov.u32 %f.in, 1\ncall f\nmov.u32 %r, %f.out", double)).is_ok());
    refused_text(&text("call f\nmov.u32 %r, %f.out", double), 8, 15, UNWRITTEN);
    refused_text(&text("mov.u32 %f.in, 1\nmov.u32 %r, %f.out\ncall f", double), 4, 13, UNWRITTEN);
    refused_text(
        &text("mov.u32 %f.in, 1\ncall f\nmov.u32 %r, %f.out", "bra p, L\nmov.u32 %out, 1\nL: ret"),
        5,
        13,
        UNWRITTEN,
    );
    // One call of two.
    refused_text(&text("bra p, L\nmov.u32 %f.in, 1\nL: call f\nmov.u32 %f.in, 1\ncall f", double), 11, 15, UNWRITTEN);
    // A function that does not return.
    assert!(Code::parse(&text("call f\nmov.u32 %own, %r", "exit")).is_ok());
    // A parameter is written by callers, and not read otherwise.
    assert!(Code::parse(&text("mov.u32 %f.param, 1\ncall f", "mov.u32 %x, %param\nret")).is_ok());
    refused_text(
        &text("mov.u32 %f.param, 1\nmov.u32 %r, %f.param", "ret"),
        4,
        13,
        "the register is another function's",
    );
    // A recursive function keeps its caller's registers, and so they are as before.
    let recursive = "bra p, L\nmov.u32 %in, 1\ncall f\nmov.u32 %out, %x\nL: mov.u32 %x, 1\nret";
    refused_text(&text("mov.u32 %f.in, 1\ncall f", recursive), 11, 15, UNWRITTEN);
    refused_text(&text("mov.u32 %f.param, 1\ncall f", "call f\nret"), 3, 9, "the register is another function's");
}

#[test]
fn a_register_that_is_once_is_written_by_one_instruction() {
    let text = "kernel k()\n.reg once u32 %a\nL: mov.u32 %a, 1\nmov.u32 %a, 2\nexit";
    refused_text(text, 4, 9, "the register is `once`, and @0 writes it, too");
    assert!(Code::parse("kernel k()\n.reg once u32 %a\nL: mov.u32 %a, 1\njmp L").is_ok());
}

#[test]
fn a_saved_barrier_is_nothing_to_compute_with() {
    let text = "kernel k(x: &mut [u64])\n.reg u64 %r\nbmov %r, B0\nst.u64 x[0], %r\nexit";
    refused_text(text, 4, 1, "a register that holds a saved convergence barrier is read");
}

#[test]
fn an_error_names_its_file() {
    let error = Code::parse_named("spin.simt", "kernel k()\n\tjump L").expect_err("it is wrong");
    let expected = "\
there is no instruction `jump`
 --> spin.simt:2:2
  |
2 | \tjump L
  | \t^^^^ expected an instruction; the docs of the module `text` list them";
    assert_eq!(error.to_string(), expected);
}

/// Threads that wait where not all come would be run twice, or after their end.
#[test]
fn places_to_meet_must_post_dominate() {
    #[track_caller]
    fn meets(body: &str, column: u32) {
        let text = format!(
            "kernel k(x: &mut [u32])\n.markers post-dominators\n.reg u32 %v, bool %p\nmov.bool %p, true\n{body}"
        );
        let error = Code::parse(&text).expect_err("not all come there");
        assert_eq!((error.line(), error.column()), (5, column), "{error}");
        assert!(error.message().starts_with("not all ways from here to the end come by"), "{error}");
    }
    meets("bra %p, OUT, meet J\njmp J\nJ: exit\nOUT: exit\n", 19);
    meets("L: bra %p, L, meet L\nexit\n", 20);
    meets("bra %p, A, meet A\njmp B\nA: jmp B\nB: exit\n", 17);
}

#[test]
fn any_post_dominator_will_do() {
    let text = "kernel k()\n.markers post-dominators\n.reg bool %p\nmov.bool %p, true\n\
                bra %p, A, meet C\njmp B\nA: jmp B\nB: jmp C\nC: exit\n";
    assert!(Code::parse(text).is_ok());
}
