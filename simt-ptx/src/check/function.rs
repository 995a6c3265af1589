//! Functions and their statements.

use super::sequence::Sequence;
use super::{Checker, Labels, MOST_REGISTERS};
use crate::scope::Meaning;
use crate::span::Span;
use crate::syntax::{
    self, Block, Function, FunctionKind, Labelled, Linkage, Registers, Space, Statement, StatementKind, Variable,
};

impl<'a> Checker<'a> {
    pub(super) fn function(&mut self, function: &'a Function) {
        self.function = Some(function);
        (self.registers, self.sequence) = (0, Sequence::default());
        self.scopes.enter();
        for variable in function.returns.iter().chain(&function.parameters) {
            self.variable(variable);
            self.declare(variable, true);
        }
        self.head(function);
        if let Some(body) = &function.body {
            self.block(body);
            self.sequence_end();
        } else if function.kind == FunctionKind::Entry && function.linkage != Linkage::Extern {
            let name = &function.name;
            let help = "write its body between `{` and `}`";
            self.problem(name.span, format!("the kernel `{name}` has no body"), "ends with `;`", help);
        }
        self.scopes.leave();
        self.function = None;
    }

    /// What kernels may have, and what functions.
    fn head(&mut self, function: &'a Function) {
        let (name, is_kernel) = (&function.name, function.kind == FunctionKind::Entry);
        let elsewhere = function.linkage == Linkage::Extern && function.body.is_some();
        if elsewhere || function.linkage == Linkage::Common {
            let (message, help) = match elsewhere {
                true => (format!("`{name}` is `.extern`, and has a body"), "write `.visible`, or remove the body"),
                false => {
                    (format!("`{name}` is `.common`"), "only variables in `.global` are: write `.visible` or `.weak`")
                }
            };
            self.problem(name.span, message, "not this", help);
        }
        for variable in function.parameters.iter().filter(|variable| is_kernel && variable.space == Space::Reg) {
            let message = format!("the kernel `{name}` has a parameter in a register");
            let help = "write `.param`, and read it by `ld.param`";
            self.problem(variable.name.span, message, "not in `.param`", help);
        }
        for directive in &function.directives {
            let text = directive.name.text.as_str();
            if matches!(text, "maxntid" | "reqntid" | "minnctapersm" | "maxnctapersm") && !is_kernel
                || text == "noreturn" && is_kernel
            {
                let (what, others) = if is_kernel { ("a kernel", "functions") } else { ("a function", "kernels") };
                let message = format!("`.{text}` is of {others}, and `{name}` is {what}");
                self.problem(directive.name.span, message, "not here", "remove it");
            }
        }
        if is_kernel {
            self.launch_directives(function);
        }
    }

    fn launch_directives(&mut self, function: &'a Function) {
        if let (Some(_), Some(_)) = (function.directive("maxntid"), function.directive("reqntid")) {
            let name = &function.name;
            let message = format!("`{name}` has `.maxntid` and `.reqntid`");
            self.problem(name.span, message, "of this kernel", "write one of them");
        }
        for directive in &function.directives {
            let dimensions = matches!(directive.name.text.as_str(), "maxntid" | "reqntid");
            let wrong = dimensions && (directive.values.is_empty() || directive.values.len() > 3);
            if wrong || dimensions && directive.values.contains(&0) {
                let message = format!("`.{}` needs one to three numbers, none of them 0", directive.name);
                self.problem(
                    directive.name.span,
                    message,
                    "of threads in each dimension",
                    "write `.maxntid 128, 1, 1`",
                );
            }
            if matches!(directive.name.text.as_str(), "explicitcluster" | "reqnctapercluster" | "blocksareclusters") {
                let reason = "clusters of blocks: the blocks of a launch share global memory only";
                self.unsupported(format!(".{}", directive.name), reason, directive.name.span);
            }
        }
    }

    fn declare(&mut self, variable: &'a Variable, of_function: bool) {
        let known = self.scopes.variable(variable, of_function);
        if let Some(known) = known {
            let first = match known {
                Meaning::Variable { variable, .. } => format!("first in line {}", variable.name.span.line),
                _ => "declared before".to_string(),
            };
            let name = &variable.name;
            let message = format!("`{name}` is declared twice in one scope");
            self.problem(name.span, message, first, "rename one, or put it between braces");
        }
    }

    /// A block is as deep as the parser lets it be.
    fn block(&mut self, block: &'a Block) {
        self.scopes.enter();
        let labels = self.labels_of(&block.statements);
        self.labels.push(labels);
        for statement in &block.statements {
            self.statement(statement);
        }
        self.labels.pop();
        self.scopes.leave();
    }

    /// The labels of a block, which branches in front of them name, too.
    fn labels_of(&mut self, statements: &'a [Statement]) -> Labels<'a> {
        let mut labels = Labels::default();
        for (name, labelled) in syntax::labels(statements) {
            let text = name.text.as_str();
            let known = labels.places.contains(text)
                || labels.branch_targets.contains(text)
                || labels.prototypes.contains_key(text);
            if known {
                let message = format!("the label `{name}` stands twice in one block");
                self.problem(name.span, message, "again", "rename one");
            }
            match labelled {
                Labelled::Place => drop(labels.places.insert(text)),
                Labelled::BranchTargets(_) => drop(labels.branch_targets.insert(text)),
                Labelled::Prototype(callee) => drop(labels.prototypes.insert(text, (name, callee))),
            }
        }
        labels
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Instruction(instruction) => self.instruction(instruction),
            StatementKind::Block(block) => self.block(block),
            StatementKind::Registers(registers) => self.declare_registers(registers),
            StatementKind::Variable(variable) => {
                self.variable(variable);
                if variable.linkage != Linkage::Internal {
                    let (name, linkage) = (&variable.name, variable.linkage.text().unwrap_or_default());
                    let message = format!("`{name}` is `.{linkage}`, and stands in a function");
                    let help = "declare it outside of functions, or without this word";
                    self.problem(name.span, message, "seen by this function only", help);
                }
                self.declare(variable, false);
            }
            StatementKind::BranchTargets(names) => {
                for name in names {
                    self.label(&name.text, name.span);
                }
            }
            StatementKind::CallTargets(names) => self.call_targets(names),
            StatementKind::Label(_)
            | StatementKind::Location(_)
            | StatementKind::Pragma(_)
            | StatementKind::CallPrototype { .. } => {}
        }
    }

    fn declare_registers(&mut self, registers: &'a Registers) {
        for name in self.scopes.registers(registers) {
            let message = format!("`{name}` is declared twice in one scope");
            self.problem(name.span, message, "declared before", "rename one, or put it between braces");
        }
        for name in &registers.names {
            self.declared_vector(&name.name, registers.vector, registers.ty);
        }
        let before = self.registers;
        self.registers += registers.names.iter().map(|name| u64::from(name.registers())).sum::<u64>();
        if before <= MOST_REGISTERS && self.registers > MOST_REGISTERS {
            let span = registers.names.first().map_or(Span::default(), |name| name.name.span);
            let message = format!("a function has more than {MOST_REGISTERS} registers");
            self.problem(span, message, "one row too many", "declare those that are used");
        }
    }

    /// A label that a branch goes to.
    pub(super) fn label(&mut self, name: &str, span: Span) {
        if self.labels.iter().any(|labels| labels.places.contains(name)) {
            return;
        }
        let listed = self.labels.iter().any(|labels| labels.branch_targets.contains(name));
        let (message, help) = if listed {
            (format!("`{name}` is a list of labels"), "go there with `brx.idx`, or name one of them")
        } else {
            (format!("no label is called `{name}`"), "a label stands in this block or in one around it: `name:`")
        };
        self.problem(span, message, "not a label here", help);
    }

    /// The label of a list of labels.
    pub(super) fn targets(&mut self, name: &str, span: Span) {
        if !self.labels.iter().any(|labels| labels.branch_targets.contains(name)) {
            let help = "write `name: .branchtargets L1, L2;` in this block or in one around it";
            self.problem(span, format!("no list of labels is called `{name}`"), "not such a list", help);
        }
    }
}
