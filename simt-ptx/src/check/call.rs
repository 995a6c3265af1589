//! Calls: what is called, with what.

use super::Checker;
use super::types::compatible;
use crate::scope::Meaning;
use crate::span::Span;
use crate::syntax::{Call, FunctionKind, Instruction, Name, Operand, OperandKind, Prototype, Space, Type, Variable};

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

pub(super) const LAUNCH: &str = "kernels that start kernels: start them on the host";

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
                if let Some(targets) = call.targets {
                    let message = format!("`{name}` is called by its name, which has a prototype");
                    self.problem(targets.span, message, "one more", "remove this one");
                    return;
                }
                self.passed(&function.name, "result", &function.returns, call.returns, span);
                self.passed(&function.name, "argument", &function.parameters, call.arguments, span);
            }
            Some(Meaning::Register { ty, vector: None, .. }) => {
                if !compatible(Type::B64, ty, false) {
                    let message = format!("`{name}` is `.{}`, which is no address of a function", ty.text());
                    self.problem(span, message, "expected 64 bits", "take it by `mov.u64 %rd, function`");
                }
                self.call_indirect(&call);
            }
            Some(_) => self.problem(span, format!("`{name}` is no function"), "cannot be called", "name a `.func`"),
            None => {
                let help = format!("declare it before: `.extern .func {name};`, or write its body");
                self.problem(span, format!("no function is called `{name}`"), "not declared", help);
            }
        }
    }

    /// A call of what a register points to, by a prototype or a list of functions.
    fn call_indirect(&mut self, call: &Call<'a>) {
        let write = "write `name: .callprototype (results) _ (parameters);` in this block or in one around it";
        let span = call.callee.span;
        let Some(Operand { kind: OperandKind::Name(name), span: at }) = call.targets else {
            let message = format!("the call of what `{}` points to has no prototype", call.callee);
            let help = format!("{write}, and its name at the end of the call");
            self.problem(span, message, "needs one", help);
            return;
        };
        let found = self.labels.iter().rev().find_map(|labels| labels.prototypes.get(name.as_str()).copied());
        let (label, returns, parameters) = match found {
            Some((label, Prototype::Described { returns, parameters })) => (label, returns, parameters),
            Some((label, Prototype::Listed(functions))) => {
                let first = functions.first().and_then(|first| self.scopes.find(&first.text));
                // What is no function is said at the list.
                let Some(Meaning::Function(first)) = first else { return };
                (label, &first.returns[..], &first.parameters[..])
            }
            None => {
                self.problem(*at, format!("no prototype is called `{name}`"), "not one", write);
                return;
            }
        };
        self.passed(label, "result", returns, call.returns, span);
        self.passed(label, "argument", parameters, call.arguments, span);
    }

    /// The functions of a `.calltargets`, which return and take the same.
    pub(super) fn call_targets(&mut self, names: &'a [Name]) {
        let sizes = |all: &'a [Variable]| all.iter().map(Variable::bytes);
        let mut first = None;
        for name in names {
            match self.scopes.find(&name.text) {
                Some(Meaning::Function(function)) if function.kind == FunctionKind::Entry => {
                    let help = "put what both need into a `.func`, and list that";
                    self.problem(name.span, format!("`{name}` is a kernel"), "cannot be called", help);
                }
                Some(Meaning::Function(function)) => {
                    let first = *first.get_or_insert(function);
                    if !sizes(&first.parameters).eq(sizes(&function.parameters))
                        || !sizes(&first.returns).eq(sizes(&function.returns))
                    {
                        let message = format!("`{name}` has other parameters or results than `{}`", first.name);
                        let help = "functions of one list return and take the same: write a list for each kind";
                        self.problem(name.span, message, "is not called in the same way", help);
                    }
                }
                _ => {
                    let message = format!("no function is called `{name}`");
                    self.problem(name.span, message, "not declared", "declare it before this function");
                }
            }
        }
    }

    /// What is passed has the number and the sizes of what is declared.
    fn passed(&mut self, function: &Name, what: &str, declared: &'a [Variable], passed: &'a [Operand], span: Span) {
        if declared.len() != passed.len() {
            let (name, needs, has) = (function, declared.len(), passed.len());
            let message = format!("`{name}` has {needs} {what}s, and the call {has}");
            let help = format!("it is declared in line {}", name.span.line);
            self.problem(span, message, format!("expected {needs}"), help);
            return;
        }
        for (variable, operand) in declared.iter().zip(passed) {
            let fits = match &operand.kind {
                OperandKind::Name(name) => match self.scopes.find(name) {
                    Some(Meaning::Variable { of_function: true, .. }) => {
                        let message = format!("`{name}` is the function's own parameter, which no call can pass");
                        let help =
                            "declare a `.param` variable for the call, and copy the value by `ld.param` and `st.param`";
                        self.problem(operand.span, message, "of this function", help);
                        true
                    }
                    Some(Meaning::Variable { variable: given, .. }) if given.space == Space::Param => {
                        given.bytes() == variable.bytes()
                    }
                    Some(Meaning::Register { ty, vector, .. }) => {
                        vector == variable.vector
                            && variable.dimensions.is_empty()
                            && compatible(variable.ty, ty, vector.is_none())
                    }
                    None => {
                        self.undeclared(name, operand.span);
                        true
                    }
                    Some(_) => false,
                },
                OperandKind::Integer(_) | OperandKind::Float(_) => {
                    what == "argument" && variable.vector.is_none() && variable.dimensions.is_empty()
                }
                OperandKind::Sink => what == "result",
                _ => false,
            };
            if !fits {
                let message = format!("`{operand}` is not what `{function}` has for `{}`", variable.name);
                let help = format!("pass a `.param` variable, declared like `{variable}`");
                self.problem(operand.span, message, format!("expected `{variable}`"), help);
            }
        }
    }
}
