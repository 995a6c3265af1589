//! Calls: what is called, with what.

use super::Checker;
use super::types::compatible;
use crate::scope::Meaning;
use crate::span::Span;
use crate::syntax::{Function, FunctionKind, Instruction, Operand, OperandKind, Space, Variable};

/// Functions without a body that a launch has itself.
const KNOWN: &[&str] = &["vprintf", "__assertfail"];

/// Functions of the device's runtime that are out of scope, each with the reason.
const OUTSIDE: &[(&str, &str)] = &[
    ("malloc", "memory that kernels ask for: allocate it on the host, and pass a pointer"),
    ("free", "memory that kernels ask for: allocate it on the host, and pass a pointer"),
    ("cudaMalloc", "memory that kernels ask for: allocate it on the host, and pass a pointer"),
    ("cudaFree", "memory that kernels ask for: allocate it on the host, and pass a pointer"),
    ("cudaGetParameterBuffer", LAUNCH),
    ("cudaGetParameterBufferV2", LAUNCH),
    ("cudaLaunchDevice", LAUNCH),
    ("cudaLaunchDeviceV2", LAUNCH),
    ("cudaDeviceSynchronize", LAUNCH),
    ("cudaCGGetIntrinsicHandle", "barriers of the whole grid: end the kernel, and start another"),
    ("cudaCGSynchronize", "barriers of the whole grid: end the kernel, and start another"),
];

const LAUNCH: &str = "kernels that start kernels: start them on the host";

impl<'a> Checker<'a> {
    pub(super) fn call(&mut self, instruction: &'a Instruction) {
        let Some(call) = instruction.as_call() else {
            let help = "write `call (result), function, (argument, argument);`, without what there is none of";
            self.problem(instruction.name_span(), "the operands are none of a call's", "expected a function", help);
            return;
        };
        let OperandKind::Name(name) = &call.callee.kind else { return };
        let span = call.callee.span;
        match self.scopes.find(name) {
            Some(Meaning::Function(function)) => {
                if let Some((_, reason)) = OUTSIDE.iter().find(|(outside, _)| outside == name) {
                    self.unsupported(format!("call {name}"), reason, span);
                    return;
                }
                if function.kind == FunctionKind::Entry {
                    let help = "put what both need into a `.func`, and call that";
                    self.problem(span, format!("`{name}` is a kernel"), "cannot be called", help);
                    return;
                }
                let has_body = function.body.is_some() || KNOWN.contains(&name.as_str());
                if !has_body {
                    let reason = "functions of other modules: put its body into this one";
                    self.unsupported(format!("call {name}"), reason, span);
                }
                self.passed(function, "result", &function.returns, call.returns, span);
                self.passed(function, "argument", &function.parameters, call.arguments, span);
            }
            Some(Meaning::Register { .. }) => {
                if let Some(Operand { kind: OperandKind::Name(targets), span }) = call.targets {
                    self.call_targets(targets, *span);
                }
                let reason = "calls of an address: branch over the functions that it may be, and call each by its name";
                self.unsupported("call of a register", reason, span);
            }
            Some(_) => self.problem(span, format!("`{name}` is no function"), "cannot be called", "name a `.func`"),
            None => {
                let help = format!("declare it before: `.extern .func {name};`, or write its body");
                self.problem(span, format!("no function is called `{name}`"), "not declared", help);
            }
        }
    }

    /// What is passed has the number and the sizes of what is declared.
    fn passed(&mut self, function: &Function, what: &str, declared: &'a [Variable], passed: &'a [Operand], span: Span) {
        if declared.len() != passed.len() {
            let (name, needs, has) = (&function.name, declared.len(), passed.len());
            let message = format!("`{name}` has {needs} {what}s, and the call {has}");
            let help = format!("it is declared in line {}", name.span.line);
            self.problem(span, message, format!("expected {needs}"), help);
            return;
        }
        for (variable, operand) in declared.iter().zip(passed) {
            let fits = match &operand.kind {
                OperandKind::Name(name) => match self.scopes.find(name) {
                    Some(Meaning::Variable { variable: given, .. }) if given.space == Space::Param => {
                        given.bytes() == variable.bytes()
                    }
                    Some(Meaning::Register { ty, vector: None, .. }) => {
                        variable.dimensions.is_empty() && compatible(variable.ty, ty, true)
                    }
                    None => {
                        self.undeclared(name, operand.span);
                        true
                    }
                    Some(_) => false,
                },
                OperandKind::Integer(_) | OperandKind::Float(_) => what == "argument" && variable.dimensions.is_empty(),
                OperandKind::Sink => what == "result",
                _ => false,
            };
            if !fits {
                let message = format!("`{operand}` is not what `{}` has for `{}`", function.name, variable.name);
                let help = format!("pass a `.param` variable, declared like `{variable}`");
                self.problem(operand.span, message, format!("expected `{variable}`"), help);
            }
        }
    }
}
