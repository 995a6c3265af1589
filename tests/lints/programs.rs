//! The programs of the kernels are those that Rust means.

use super::*;

#[track_caller]
fn check(program: &simt::Program, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(&program.without_tokens().to_string()), lines(expected));
    assert!(program.clone().validate().is_ok(), "a kernel's program is valid");
}

#[test]
fn operands_are_evaluated_in_rusts_order() {
    check(
        order::program(),
        "
        kernel order(n: u32, x: &mut [u32]) {
            a = n;
            _1 = a;
            a = 5;
            a = _1 + a;
            a = 7;
            a = a + 1;
            if (a > 3) {
                _2 = 1;
            } else {
                _2 = 2;
            }
            _3 = a as usize;
            x[_3] = x[_3] + _2;
            _4 = a;
            if (n > 0) {
                a = 9;
                _5 = a;
            } else {
                _5 = n;
            }
            i = _4;
            while (i < _5) {
                x[i as usize] = i;
            } step {
                i = i + 1;
            }
            _7 = n > 3;
            if (_7) {
                _7 = x[a as usize] == 1;
            }
            outside = _7 & (n < 7);
            while (true) {
                _9 = outside;
                if (_9) {
                    _9 = x[0] > 0;
                }
                if (_9) {
                } else {
                    break;
                }
                x[0] = x[0] - 1;
            }
        }",
    );
}

#[test]
fn every_statement_becomes_what_it_means() {
    check(
        statements::program(),
        "
        kernel statements(n: u32, left: u32, x: &[u32], out: &mut [u32]) {
            left'2 = left;
            i = global_id();
            x[0];
            _unused = n;
            if (i >= x.len()) {
                return;
            }
            x0 = x[i];
            x0'2 = x0 + 1;
            sum = 0;
            k = 0;
            while (k < n) {
                if (k == 2) {
                    continue;
                } else if (k > 32) {
                    break;
                } else {
                    sum = sum + k;
                }
            } step {
                k = k + 1;
            }
            _7 = 1;
            _8 = _7 <= x0'2;
            while (_8) {
                k'2 = _7;
                k'2 = k'2 * 2;
                sum = sum ^ k'2;
            } step {
                _8 = _7 != x0'2;
                _7 = _7 + 1;
            }
            _10 = 0;
            while (_10 < 2) {
                sum = sum - 1;
            } step {
                _10 = _10 + 1;
            }
            while ((sum < 40) & (left'2 > 0)) {
                sum = sum + 3;
                left'2 = left'2 - 1;
            }
            while (true) {
                sum = sum + 1;
                if (sum % 7 == 0) {
                    break;
                }
            }
            shadow = sum;
            sum = shadow + shadow;
            x[i];
            out[i] = sum;
            out[i] = out[i] << 1;
        }",
    );
}

#[test]
fn every_operator_becomes_what_it_means() {
    check(
        values::program(),
        "
        kernel values(a: i32, b: f32, flag: bool, x: &[i32], out: &mut [i32]) {
            arithmetic = (a + 1) * (a - 2) / 3 % 5;
            bits = (a & 255 | 1) ^ !a;
            shifts = (a << 2) + (a >> 1) + (1 << a as u32);
            float = -b * 2.0 + 0.001 - -1.5;
            compared = (a < 3) & (b >= 0.5) | !flag & (a != -2147483648);
            casts = b as i32 + a as u8 as i32 + flag as i32 + 97;
            if (compared) {
                _6 = bits;
            } else if (flag) {
                _6 = shifts;
            } else {
                _6 = casts;
            }
            chosen = _6;
            twice = chosen * 2;
            block = twice + 1;
            if (a == 0) {
                return;
            } else {
                _10 = block;
            }
            early = _10;
            dims = thread_idx().x + block_idx().y * block_dim().z + grid_dim().x + lane_id() + warp_id();
            _13 = dims < x.len();
            if (_13) {
                _13 = x[dims] > 0;
            }
            checked = _13;
            if (checked) {
                out[dims] = arithmetic + early + float as i32;
            }
        }",
    );
}

#[test]
fn kernels_of_macros_and_of_functions_are_kernels() {
    const SEVEN: u32 = 7;

    #[kernel]
    fn inner(out: &mut [u32]) {
        out[0] = SEVEN;
    }

    check(inner::program(), "kernel inner(out: &mut [u32]) {\nout[0] = 7;\n}");
    check(
        by_macro_f64::program(),
        "
        kernel by_macro_f64(x: &[f64], out: &mut [f64]) {
            i = global_id();
            value = x[i] + 0.5;
            while (value < 1.0) {
                value = value + 0.5;
            }
            out[i] = value;
        }",
    );
    let macros = by_macro_u32::program().to_string();
    assert!(macros.contains("while (value < 6)"), "an operand of a macro is one operand:\n{macros}");
    check(module::program(), "kernel restricted(out: &mut [u32]) {\nout[0] = 40;\n}");
    check(private_without_docs::program(), "kernel private_without_docs(out: &mut [usize]) {\nout[0] = 4294967295;\n}");
}

#[test]
fn a_statements_place_and_text_are_the_users() {
    let program = documented::program();
    let place = program.body[1].span;
    let line = program.source.line(place.line).unwrap_or_default();
    assert_eq!(program.source.file, "tests/lints.rs");
    assert_eq!(line, "    if i < x.len() {");
    assert_eq!(&line[place.column as usize - 1..place.end_column as usize - 1], "if i < x.len()");
    assert_eq!(program.source.line(program.source.first_line), Some("pub fn documented(x: &[f32], y: &mut [f32]) {"));
    // Of a kernel that a macro writes, the text is the macro's.
    let program = by_macro_f64::program();
    let place = program.body[0].span;
    assert_eq!(program.source.line(place.line).map(str::trim), Some("let i = global_id();"));
}

#[test]
fn what_a_kernel_passes_is_bound_when_it_is_called() {
    let (x, mut y) = ([1.0; 4], [0.0; 4]);
    let _call: KernelCall<'_> = documented(&x, &mut y);
    drop((empty(), allowed(1), expected(1)));
}
