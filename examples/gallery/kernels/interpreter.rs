//! An interpreter of a small stack machine: each thread runs one of several programs on its own input.
//!
//! Interpreters diverge more than most kernels: at each instruction lanes go as many ways as there are different operations.
//! The `match` on the operation is dense, so it becomes one indirect branch.

use simt::prelude::*;

use super::input::Random;

/// Operations; an instruction is `16 * operand + operation`.
const PUSH: u32 = 0;
const ADD: u32 = 1;
const SUBTRACT: u32 = 2;
const MULTIPLY: u32 = 3;
/// Pushes the operand-th value from the top.
const COPY: u32 = 4;
/// Replaces the operand-th value from the top by the top.
const SET: u32 = 5;
/// Pops, and goes to the operand unless it was zero.
const JUMP: u32 = 6;
const HALT: u32 = 7;

const STACK: usize = 8;

/// Runs program i modulo their number on the i-th input.
#[kernel]
pub(crate) fn interpret(first: &[u32], code: &[u32], input: &[i32], output: &mut [i32]) {
    let i = global_id();
    if i >= input.len() {
        return;
    }
    let start = first[i % first.len()];
    let mut stack = [0; STACK];
    stack[0] = input[i];
    let mut top = 0;
    let mut pc = start;
    output[i] = loop {
        let (operation, operand) = (code[pc as usize] % 16, code[pc as usize] / 16);
        pc += 1;
        match operation {
            PUSH => {
                top += 1;
                stack[top] = operand as i32;
            }
            ADD | SUBTRACT | MULTIPLY => {
                let right = stack[top];
                top -= 1;
                stack[top] = match operation {
                    ADD => stack[top].wrapping_add(right),
                    SUBTRACT => stack[top].wrapping_sub(right),
                    _ => stack[top].wrapping_mul(right),
                };
            }
            COPY => {
                top += 1;
                stack[top] = stack[top - 1 - operand as usize];
            }
            SET => {
                stack[top - operand as usize] = stack[top];
                top -= 1;
            }
            JUMP => {
                top -= 1;
                if stack[top + 1] != 0 {
                    pc = start + operand;
                }
            }
            HALT => break stack[top],
            _ => unreachable!("operation {operation}"),
        }
    };
}

/// Operations and operands, and what they mean in plain Rust.
type Program = (&'static [u32], fn(i32) -> i32);

const PROGRAMS: [Program; 3] = [
    // Factorial: below is the product, on top what is still to multiply.
    (
        &[
            PUSH, 1, COPY, 0, COPY, 2, MULTIPLY, 0, SET, 1, COPY, 1, PUSH, 1, SUBTRACT, 0, SET, 2, COPY, 1, JUMP, 1,
            HALT, 0,
        ],
        |n| (1..=n).fold(1, i32::wrapping_mul),
    ),
    // A polynomial.
    (&[COPY, 0, PUSH, 3, ADD, 0, MULTIPLY, 0, PUSH, 7, SUBTRACT, 0, HALT, 0], |n| n * (n + 3) - 7),
    // The sum of squares, down to 1.
    (
        &[
            PUSH, 0, COPY, 1, COPY, 2, MULTIPLY, 0, ADD, 0, COPY, 1, PUSH, 1, SUBTRACT, 0, SET, 2, COPY, 1, JUMP, 1,
            HALT, 0,
        ],
        |n| (1..=n).map(|k| k * k).sum(),
    ),
];

pub(crate) fn run<P: Policy>(gpu: &Gpu<P>) -> Result<Report, LaunchError> {
    let (mut first, mut code) = (Vec::new(), Vec::new());
    for (program, _) in PROGRAMS {
        first.push(code.len() as u32);
        code.extend(program.chunks(2).map(|pair| 16 * pair[1] + pair[0]));
    }
    let mut random = Random::new(14);
    let input: Vec<i32> = (0..200).map(|_| 1 + random.below(12) as i32).collect();
    let mut output = vec![0; input.len()];
    let report = gpu.launch(Grid::covering(input.len(), 64), interpret(&first, &code, &input, &mut output))?;
    let expected: Vec<i32> = input.iter().enumerate().map(|(i, &n)| PROGRAMS[i % 3].1(n)).collect();
    assert_eq!(output, expected);
    Ok(report)
}
