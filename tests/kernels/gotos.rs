//! Random programs of jumps to anywhere, with and without tokens, in functions too, against threads that run one by one.
//!
//! Each line computes something, stores it, and ends its thread when its fuel is used up; so every program ends.

use simt::core::code::Markers;
use simt::core::code::{Inst, Operand, Pc, Reg, RegisterRole};
use simt::core::ops::{evaluate_binary, evaluate_cast, evaluate_compare};
use simt::core::program::FunctionId;
use simt::core::{Constant, ScalarType};
use simt::host::{Argument, Kernel};
use simt::{Code, Grid};

const PROGRAMS: usize = 150;

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn of<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.below(items.len())]
    }
}

const PLAIN: [&str; 8] = ["bra %p, L", "bra.not %p, L", "jmp L", "brx %n, [L, L, L]", "call f", "call g", "", "exit"];
const TOKENS: [&str; 14] = [
    "bra %p, L",
    "bra.not %p, L",
    "brx %n, [L, L]",
    "jmp L",
    "brk %p, L",
    "brk L",
    "cont L",
    "ssy L",
    "ssy L",
    "prebrk L",
    "precont L",
    "sync",
    "sync",
    "exit",
];

/// Lines `L0` to `L<len>` that go to each other; the last is an end.
fn lines(numbers: &mut Numbers, jumps: &[&str], end: &str) -> String {
    let len = 3 + numbers.below(6);
    let mut text = String::new();
    for line in 0..=len {
        let (factor, bits) = (2 * numbers.below(500) + 3, 1 + numbers.below(3));
        // A register that is written in one place alone may share its row with others.
        text.push_str(&format!(
            "L{line}: mad.u32 %v, %v, {factor}, {line}
            shr.u32 %t{line}, %v, {}
            and.u32 %n, %t{line}, {bits}
            eq.u32 %p, %n, 0
            st.u32 x[global_id()], %v
            eq.u32 %q, %fuel, 0
            @%q {end}
            sub.u32 %fuel, %fuel, 1
            xor.u32 %v, %v, %t{}\n",
            5 + numbers.below(9),
            if numbers.below(4) == 0 { numbers.below(len + 1) } else { line },
        ));
        let jump = if line == len { end } else { numbers.of(jumps) };
        for (index, part) in jump.split('L').enumerate() {
            let target = if index == 0 { String::new() } else { format!("L{}", numbers.below(len + 1)) };
            text.push_str(&target);
            text.push_str(part);
        }
        text.push('\n');
    }
    let temporaries: String = (0..=len).map(|line| format!(", once u32 %t{line}")).collect();
    let registers = format!(".reg passing u32 %v, u32 %n, bool %p, %q{temporaries}\n");
    registers + &text
}

fn program(numbers: &mut Numbers, tokens: bool) -> String {
    let (family, jumps) = if tokens { ("tokens", &TOKENS[..]) } else { ("none", &PLAIN[..]) };
    let body = lines(numbers, jumps, "exit");
    let load = "ld.u32 %v, x[global_id()]\nrem.u32 %fuel, %v, 30\n";
    let body = body.replacen("L0:", &format!("{load}L0:"), 1);
    let mut text = format!("kernel gotos(x: &mut [u32])\n.markers {family}\n.reg passing u32 %fuel\n{body}");
    if !tokens {
        // One function that calls no other, and one that may call itself.
        for (name, jumps) in [("f", &PLAIN[..4]), ("g", &PLAIN[..7])] {
            let body = lines(numbers, jumps, "ret").replace("%fuel", "%own_fuel");
            let begin = "mov.u32 %v, 77\nmov.u32 %own_fuel, 7\n".to_string() + "L0:";
            let body = body.replacen("L0:", &begin, 1).replace(".reg passing u32 %v", ".reg u32 %v, %own_fuel");
            text.push_str(&format!("func {name}\n{body}"));
        }
    }
    text
}

/// One thread: its registers, where it is, and what it will return to with the registers it gets back then.
struct Thread<'c> {
    code: &'c Code,
    id: u32,
    registers: Vec<u64>,
    calls: Vec<(Pc, Vec<(usize, u64)>)>,
    executed: u64,
}

impl Thread<'_> {
    fn value(&self, operand: Operand) -> Constant {
        match operand {
            Operand::Reg(Reg(reg)) => {
                Constant { ty: self.code.registers[reg as usize].ty, bits: self.registers[reg as usize] }
            }
            Operand::Const(constant) => constant,
            Operand::Builtin(_) => Constant { ty: ScalarType::Usize, bits: u64::from(self.id) },
            Operand::Param(_) | Operand::Len(_) | Operand::Symbol(_) | Operand::ParamAddress(_) => {
                panic!("the programs use none of these")
            }
        }
    }

    fn set(&mut self, reg: Reg, value: Constant) {
        self.registers[reg.0 as usize] = value.bits;
    }

    fn binary(&self, op: simt::core::ops::BinaryOp, left: Operand, right: Operand) -> Constant {
        evaluate_binary(op, self.value(left), self.value(right)).expect("no division by zero")
    }

    /// Runs to the end; false if calls nest too deep.
    fn run(&mut self, element: &mut u32) -> bool {
        use simt::core::ops::BinaryOp::{Add, Mul};
        let mut pc = Pc(0);
        loop {
            let inst = *self.code.inst(pc);
            self.executed += u64::from(inst.is_counted());
            let mut next = pc.next();
            match inst {
                Inst::Move { dst, src, .. } => self.set(dst, self.value(src)),
                Inst::Binary { op, dst, left, right, .. } => self.set(dst, self.binary(op, left, right)),
                Inst::MulAdd { dst, left, right, addend, .. } => {
                    let product = Operand::Const(self.binary(Mul, left, right));
                    self.set(dst, self.binary(Add, product, addend));
                }
                Inst::Compare { op, dst, left, right, .. } => {
                    let holds = evaluate_compare(op, self.value(left), self.value(right));
                    self.set(dst, Constant::of(holds));
                }
                Inst::Cast { to, dst, src, .. } => self.set(dst, evaluate_cast(self.value(src), to)),
                Inst::Load { dst, .. } => self.set(dst, Constant::of(*element)),
                Inst::Store { value, .. } => *element = self.value(value).bits as u32,
                Inst::Branch { cond, when, target, .. } if (self.value(cond).bits != 0) == when => next = target,
                Inst::Branch { .. } | Inst::Marker(_) => {}
                Inst::Jump { target, .. } => next = target,
                Inst::Indirect { index, table } => {
                    let table = self.code.table(table);
                    next = table[(self.value(index).bits as usize).min(table.len() - 1)];
                }
                Inst::Call { function, target } => {
                    if self.calls.len() > 200 {
                        return false;
                    }
                    self.calls.push((next, self.kept(pc, function)));
                    next = target;
                }
                Inst::Return => {
                    let (back, kept) = self.calls.pop().expect("a function returns");
                    kept.into_iter().for_each(|(reg, bits)| self.registers[reg] = bits);
                    next = back;
                }
                Inst::Exit => return true,
                other => panic!("the programs have no {other:?}"),
            }
            pc = next;
        }
    }

    /// The registers that a caller gets back: its own ones, if the function may be active already.
    fn kept(&self, call: Pc, function: FunctionId) -> Vec<(usize, u64)> {
        let here = self.code.function_at(call).map(|(id, _)| id);
        let is_kept = |reg: &usize| {
            let register = &self.code.registers[*reg];
            register.function == here && register.role == RegisterRole::Frame
        };
        let recursive = self.code.functions[function.0 as usize].recursive;
        (0..self.registers.len()).filter(|_| recursive).filter(is_kept).map(|reg| (reg, self.registers[reg])).collect()
    }
}

/// Programs that are code, one after the other, run everywhere and as threads alone.
fn check(tokens: bool) {
    let mut numbers = Numbers(if tokens { 7 } else { 8 });
    let (mut run, mut tried) = (0, 0);
    while run < PROGRAMS {
        tried += 1;
        assert!(tried < 200 * PROGRAMS, "{run} of {tried} texts are code that ends");
        let text = program(&mut numbers, tokens);
        let Ok(code) = Code::parse(&text) else { continue };
        let start: Vec<u32> = (0..20).map(|i| i * 7919 + numbers.below(1000) as u32).collect();
        let mut expected = start.clone();
        let alone = code.for_markers(Markers::None);
        let mut executed = 0;
        let ends = expected.iter_mut().zip(0..).all(|(element, id)| {
            let registers = vec![0; alone.registers.len()];
            let mut thread = Thread { code: &alone, id, registers, calls: Vec::new(), executed: 0 };
            let ends = thread.run(element);
            executed += thread.executed;
            ends
        });
        if !ends {
            continue;
        }
        run += 1;
        let kernel = Kernel::from_code(code);
        simt::for_each_policy!(P => for width in [8, 32] {
            let mut x = start.clone();
            let gpu = simt::Gpu::<P>::default().with_warp_width(width);
            let launched = gpu.launch(Grid::new(2, 10), simt::host::call(&kernel, vec![Argument::slice_mut(&mut x)]));
            let report = launched.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(x, expected, "{}\n{text}", std::any::type_name::<P>());
            assert_eq!(report.thread_instructions(), executed, "{}\n{text}", std::any::type_name::<P>());
        });
    }
}

#[test]
fn jumps_to_anywhere() {
    check(false);
}

#[test]
fn jumps_with_tokens() {
    check(true);
}
