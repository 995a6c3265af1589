//! `simt ptx`: what is in a file of PTX.

use crate::failure::Failure;
use crate::source;
use simt::ptx::Module;
use simt_ptx::syntax::{Block, Function, FunctionKind, ItemKind, Registers, StatementKind, Variable};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What occurs in a body.
#[derive(Default)]
struct Counted {
    /// How many registers are declared of each type.
    registers: BTreeMap<&'static str, u64>,
    /// How often each opcode occurs.
    opcodes: BTreeMap<String, u64>,
}

pub(crate) fn list(path: &Path) -> Result<String, Failure> {
    if !source::is_ptx(path)? {
        return Err(Failure::usage(format!(
            "FILE: {} is not PTX; run it with `simt run`, or give a file that ends in .ptx",
            path.display()
        )));
    }
    let text = source::read(path)?;
    let file = path.display().to_string();
    let (tree, _) = simt_ptx::read_partly(&text).map_err(|problems| Failure::file(problems.render(&file)))?;
    // Says what is not supported as a launch does.
    let module = Module::read(path).map_err(|error| Failure::file(error.to_string()))?;
    let targets: Vec<&str> = tree.header.targets.iter().map(|target| &*target.text).collect();
    let (major, minor) = tree.header.version;
    let mut out = format!("{file}: PTX {major}.{minor} for {}\n", targets.join(", "));
    for item in &tree.items {
        match &item.kind {
            ItemKind::Function(function) if function.body.is_some() => describe(&mut out, function, &module),
            _ => {}
        }
    }
    if module.kernels().next().is_none() {
        out += "\nno kernels: `__global__` functions become `.entry`\n";
    }
    // A `write!` to a string cannot fail.
    match module.unsupported() {
        [] if !out.contains("  cannot be run:") => out += "\nall of it is supported\n",
        [] => {}
        lines => {
            let _ = writeln!(out, "\nnot supported:\n  {}", lines.join("\n  "));
        }
    }
    Ok(out)
}

fn describe(out: &mut String, function: &Function, module: &Module) {
    let Some(body) = &function.body else { return };
    let kind = if function.kind == FunctionKind::Entry { "kernel" } else { "function" };
    let _ = writeln!(out, "\n{kind} {}", function.name.text);
    for parameter in &function.parameters {
        let _ = writeln!(out, "  parameter {}", variable(parameter));
    }
    let mut counted = Counted::default();
    count(body, &mut counted);
    let registers: Vec<String> = counted.registers.iter().map(|(ty, count)| format!("{count} of .{ty}")).collect();
    let _ = writeln!(out, "  registers: {}", if registers.is_empty() { "none".into() } else { registers.join(", ") });
    let mut opcodes: Vec<(&String, &u64)> = counted.opcodes.iter().collect();
    opcodes.sort_by_key(|&(name, count)| (std::cmp::Reverse(*count), name));
    let all: u64 = counted.opcodes.values().sum();
    let opcodes: Vec<String> = opcodes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let _ = writeln!(out, "  {all} instructions: {}", opcodes.join(", "));
    if function.kind == FunctionKind::Entry {
        let _ = match module.code(&function.name.text) {
            Ok(_) => writeln!(out, "  can be run"),
            Err(why) => writeln!(out, "  cannot be run:\n    {}", why.to_string().replace('\n', "\n    ")),
        };
    }
}

/// A variable as PTX declares it.
fn variable(variable: &Variable) -> String {
    let dimensions = variable.dimensions.iter().map(|size| size.map_or("[]".into(), |size| format!("[{size}]")));
    format!("{}{}: .{}", variable.name.text, dimensions.collect::<String>(), variable.ty.text())
}

fn count(body: &Block, counted: &mut Counted) {
    // Blocks may nest as deep as the text says.
    let mut blocks = vec![body];
    while let Some(block) = blocks.pop() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Instruction(instruction) => {
                    *counted.opcodes.entry(instruction.opcode.text.clone()).or_default() += 1;
                }
                StatementKind::Block(inner) => blocks.push(inner),
                StatementKind::Registers(registers) => {
                    *counted.registers.entry(registers.ty.text()).or_default() += declared(registers);
                }
                _ => {}
            }
        }
    }
}

fn declared(registers: &Registers) -> u64 {
    registers.names.iter().map(|name| name.count.map_or(1, u64::from)).sum()
}
