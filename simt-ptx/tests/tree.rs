//! What the tree has of a text: what parsing drops, no way round can show.

use simt_ptx::syntax::{
    Component, Float, Function, Initializer, ItemKind, Linkage, Module, Operand, OperandKind, Space, Statement,
    StatementKind, Type, Vector,
};
use simt_ptx::{parse, print, read};

const DECLARATIONS: &str = include_str!("written/declarations.ptx");

fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn function<'a>(module: &'a Module, name: &str) -> &'a Function {
    let mut functions = module.functions().filter(|function| function.name.text == name);
    functions.find(|function| function.body.is_some()).expect("the function is there")
}

fn statements(function: &Function) -> &[Statement] {
    &function.body.as_ref().expect("it has a body").statements
}

/// The operands of one instruction.
fn operands(text: &str) -> Vec<Operand> {
    let module = module(&format!(".version 8.0\n.target sm_75\n.entry kernel() {{ {text} }}"));
    match &statements(function(&module, "kernel"))[0].kind {
        StatementKind::Instruction(instruction) => instruction.operands.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn parameters_keep_what_they_say() {
    let module = module(DECLARATIONS);
    let kernel = function(&module, "launched");
    let pointers: Vec<_> = kernel.parameters.iter().map(|parameter| parameter.pointer.clone()).collect();
    let [Some(first), Some(second), None, None] = &pointers[..] else { panic!("{pointers:?}") };
    assert_eq!((first.space, first.align), (Some(Space::Global), Some(16)));
    assert_eq!((second.space, second.align), (None, Some(4)));
    let array = &kernel.parameters[2];
    assert_eq!((array.align, array.bytes(), array.alignment()), (Some(4), Some(12), 4));
    assert_eq!(kernel.directive("maxntid"), Some(&[128, 1, 1][..]));
    assert_eq!(kernel.directive("minnctapersm"), Some(&[2][..]));
    assert_eq!(kernel.linkage, Linkage::Weak);
    assert_eq!(function(&module, "required").directive("reqntid"), Some(&[32][..]));
}

#[test]
fn variables_keep_what_they_begin_with() {
    let module = module(DECLARATIONS);
    let variable = |name: &str| module.variables().find(|variable| variable.name.text == name).expect("it is there");
    let list = |name: &str| match &variable(name).initializer {
        Some(Initializer::List(list)) => list.clone(),
        other => panic!("{other:?}"),
    };
    let floats = list("weights").into_iter().map(|element| match element {
        Initializer::Float(float, _) => float,
        other => panic!("{other:?}"),
    });
    // The bits of 1, -1, and the doubles nearest to -0.5 and to a thousandth.
    let expected = [
        Float::Single(0x3f80_0000),
        Float::Single(0xbf80_0000),
        Float::Double((-0.5_f64).to_bits()),
        Float::Double(1e-3_f64.to_bits()),
    ];
    assert_eq!(floats.collect::<Vec<_>>(), expected);
    let text = list("$str").into_iter().map(|element| match element {
        Initializer::Integer(value, _) => u8::try_from(value).expect("a byte"),
        other => panic!("{other:?}"),
    });
    assert_eq!(text.collect::<Vec<_>>(), b"Hello");
    let addresses = list("pointers").into_iter().map(|element| match element {
        Initializer::Symbol { name, generic, offset, byte: None } => (name.text, generic, offset),
        other => panic!("{other:?}"),
    });
    let expected = [("counter", false, 0), ("weights", false, 4), ("counter", true, 0), ("weights", true, 8)];
    assert_eq!(
        addresses.collect::<Vec<_>>(),
        expected.map(|(name, generic, offset)| (name.to_string(), generic, offset))
    );
    let bytes = list("bytes").into_iter().map(|element| match element {
        Initializer::Symbol { generic, offset, byte, .. } => (generic, offset, byte),
        other => panic!("{other:?}"),
    });
    assert_eq!(bytes.collect::<Vec<_>>(), [(false, 0, Some(0)), (false, 0, Some(1)), (true, 4, Some(2))]);
    assert_eq!((variable("dynamic").linkage, variable("dynamic").bytes()), (Linkage::Extern, None));
    assert_eq!((variable("table").bytes(), variable("table").space), (Some(16), Space::Const));
    assert_eq!((variable("vector").vector, variable("vector").bytes()), (Some(Vector::V2), Some(8)));
    assert_eq!(variable("managed").attributes[0].text, "managed");
    // Each of several in one line has its own length and value.
    let line = ["first", "second", "third"].map(|name| (variable(name).bytes(), variable(name).initializer.is_some()));
    assert_eq!(line, [(Some(4), false), (Some(4), true), (Some(12), false)]);
}

#[test]
fn locations_keep_the_call_that_was_inlined() {
    let module = module(DECLARATIONS);
    let locations = statements(function(&module, "launched")).iter().filter_map(|statement| match &statement.kind {
        StatementKind::Location(location) => Some(location),
        _ => None,
    });
    let locations: Vec<_> = locations.collect();
    assert_eq!(locations.len(), 3);
    assert_eq!((locations[0].file, locations[0].line, locations[0].column), (1, 12, 5));
    assert_eq!(locations[2].inlined_at, Some((1, 20, 9)));
    assert_eq!(
        locations[2].function.as_ref().map(|(name, offset)| (&name.text[..], *offset)),
        Some(("$L__info_string0", 0))
    );
    let files: Vec<_> = module.files().map(|file| (file.number, &file.name[..], file.stamp)).collect();
    assert_eq!(files, [(1, "kernels/a.cu", Some((1_700_000_000, 1234))), (2, "kernels/b.h", None)]);
    let sections = module.items.iter().filter(|item| matches!(item.kind, ItemKind::Section(_)));
    assert_eq!(sections.count(), 2);
}

#[test]
fn operands_are_what_they_look_like() {
    let kinds = |text: &str| operands(text).into_iter().map(|operand| operand.kind).collect::<Vec<_>>();
    let name = |name: &str| OperandKind::Name(name.to_string());
    assert_eq!(kinds("mov.u32 %r1, %tid.y;"), [name("%r1"), OperandKind::Component("%tid".to_string(), Component::Y)]);
    assert_eq!(kinds("mov.u64 x, table+-8;"), [name("x"), OperandKind::Sum("table".to_string(), -8)]);
    assert_eq!(kinds("mov.f32 x, -0f3F800000;")[1], OperandKind::Float(Float::Single(0xbf80_0000)));
    assert_eq!(kinds("mov.f64 x, -1.0;")[1], OperandKind::Float(Float::Double((-1.0_f64).to_bits())));
    assert_eq!(kinds("mov.s32 x, -0x10;")[1], OperandKind::Integer(-16));
    assert_eq!(kinds("mov.u64 x, 0xFFFFFFFFFFFFFFFFU;")[1], OperandKind::Integer(i128::from(u64::MAX)));
    let address = |text: &str| match kinds(text).swap_remove(1) {
        OperandKind::Address { base, offset } => (base.map(|base| base.text), offset),
        other => panic!("{other:?}"),
    };
    assert_eq!(address("ld.u32 x, [%rd1];"), (Some("%rd1".to_string()), 0));
    assert_eq!(address("ld.u32 x, [%rd1+-4];"), (Some("%rd1".to_string()), -4));
    assert_eq!(address("ld.u32 x, [64];"), (None, 64));
    let vector = match kinds("ld.v2.u32 {_, %r1}, [x];").swap_remove(0) {
        OperandKind::Vector(elements) => elements.into_iter().map(|element| element.kind).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(vector, [OperandKind::Sink, name("%r1")]);
}

/// Lines and columns, of a text in which nothing begins at a tab stop.
#[test]
fn nodes_know_where_they_stand() {
    let text = ".version 8.0\n.target sm_75\n// a comment\n.entry kernel() {\n\t@!%p1 /* two\nlines */ add.rn.f32 %f1,\n  %f2, 1.0;\n}\n";
    let module = module(text);
    let statement = &statements(function(&module, "kernel"))[0];
    let StatementKind::Instruction(instruction) = &statement.kind else { panic!("{statement:?}") };
    let place = |span: simt_ptx::Span| (span.line, span.column, span.length);
    assert_eq!(place(statement.span), (5, 2, 1));
    assert_eq!(place(instruction.guard.as_ref().expect("it has one").register.span), (5, 4, 3));
    assert_eq!(place(instruction.opcode.span), (6, 10, 3));
    assert_eq!(place(instruction.name_span()), (6, 10, 10));
    assert_eq!(
        instruction.operands.iter().map(|operand| place(operand.span)).collect::<Vec<_>>(),
        [(6, 21, 3), (7, 3, 3), (7, 8, 3)]
    );
    assert_eq!(place(module.items[0].span), (4, 1, 6));
}

#[test]
fn printing_has_one_form() {
    let text = ".version  8.0 .target sm_75,debug .visible.entry k(.param.u64 p){.reg.b32 %r<3>;L:@%p bra.uni L;atom.add.release.gpu.u32 _,[p+4],0x10;}";
    let printed = "\
.version 8.0
.target sm_75, debug

.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<3>;
L:
  @%p bra.uni L;
  atom.release.gpu.add.u32 _, [p+4], 16;
}
";
    assert_eq!(print(&module(text)), printed);
}

#[test]
fn registers_of_a_row_are_those_it_counts() {
    let kernel =
        |body: &str| format!(".version 8.0\n.target sm_75\n.entry kernel() {{ .reg .b32 %r<12>; {body} ret; }}");
    for (body, fine) in [
        ("mov.b32 %r0, %r11;", true),
        ("mov.b32 %r0, %r12;", false),
        ("mov.b32 %r0, %r01;", false),
        ("mov.b32 %r0, %r;", false),
        // A row in an inner block hides the outer's registers as far as it goes.
        ("{ .reg .b64 %r<2>; mov.b64 %r0, %r1; mov.b32 %r2, %r3; }", true),
        ("{ .reg .b64 %r<2>; mov.b32 %r0, %r1; }", false),
        // A row whose name ends with a digit.
        (".reg .b32 %x1<3>; mov.b32 %x10, %x12;", true),
        ("{ .reg .b32 t; } mov.b32 t, %r0;", false),
    ] {
        assert_eq!(read(&kernel(body)).is_ok(), fine, "{body}");
    }
}

/// One mistake in a declaration is one error, though all that is declared there is missing.
#[test]
fn names_of_declarations_that_were_not_read_are_not_asked_for() {
    let kernel = |body: &str| format!(".version 8.0\n.target sm_75\n.entry kernel() {{ {body} ret; }}");
    let problems = |body: &str| read(&kernel(body)).expect_err("it has mistakes").problems.len();
    assert_eq!(problems(".reg .b33 %r<4>; mov.b32 %r0, %r1; add.s32 %r2, %r0, %r1;"), 1);
    // The `;` that is missing takes a declaration with it.
    assert_eq!(problems("mov.b32 % 1,\n .reg .b32 %r<4>;\n mov.b32 %r0, %r1;"), 1);
    let module = ".version 8.0\n.target sm_75\n.global .b33 data;\n.entry kernel() { st.global.b32 [data], 1; ret; }";
    assert_eq!(read(module).expect_err("it has mistakes").problems.len(), 1);
    // A mistake in an instruction leaves the names of others to be asked for.
    assert_eq!(problems(".reg .b32 %r<2>; mov.b32 %r0 %r1; add.s32 %r0, %r0, %r7;"), 2);
}

#[test]
fn problems_beyond_the_hundredth_are_counted() {
    let text = format!(".version 8.0\n.target sm_75\n.entry kernel() {{ {} ret; }}", "ad.s32 1;\n".repeat(250));
    let problems = read(&text).expect_err("it has mistakes");
    assert_eq!((problems.problems.len(), problems.more), (100, 150));
    let text = format!(".version 8.0\n.target sm_75\n.entry kernel() {{ {} ret; }}", "tex.2d a;\n".repeat(250));
    let problems = read(&text).expect_err("it is out of scope");
    assert_eq!((problems.problems.len(), problems.unsupported.len()), (0, 1));
    assert_eq!((problems.unsupported[0].count, problems.unsupported[0].first.line), (250, 3));
}

#[test]
fn types_have_their_sizes() {
    for ty in Type::ALL {
        let digits: String = ty.text().chars().filter(char::is_ascii_digit).collect();
        // `f16x2` has two of sixteen, `f32x2` two of thirty-two.
        let bits = match digits.as_str() {
            "162" => 32,
            "322" => 64,
            "" => continue,
            digits => digits.parse().expect("digits"),
        };
        assert_eq!(ty.bits(), bits, "{ty:?}");
        assert_eq!(Type::from_text(ty.text()), Some(*ty));
    }
}
