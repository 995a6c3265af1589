//! Declarations of modules, and what variables begin with.

use super::Checker;
use crate::scope::Meaning;
use crate::syntax::{
    Function, FunctionKind, Initializer, Item, ItemKind, Linkage, Module, Name, Space, Type, Variable, Vector,
};
use std::collections::HashMap;

/// What may stand behind the machine of `.target`.
const OPTIONS: &[&str] = &["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"];

const TEXTURE: &str = "textures and surfaces: read a buffer with `ld.global`, and interpolate in the kernel";

impl<'a> Checker<'a> {
    pub(super) fn module(&mut self, module: &'a Module) {
        if module.header.address_size == Some(32) {
            let span = module.header.version_span;
            let help = "compile for 64 bits, or write `.address_size 64` and 64-bit addresses";
            self.problem(span, "the module has 32-bit addresses", "of this module", help);
        }
        self.targets_of(module);
        self.twice(module);
        for item in &module.items {
            self.item(item);
        }
        for Item { kind, .. } in &module.items {
            if let ItemKind::Function(function) = kind {
                self.function(function);
            }
        }
    }

    /// A target is a machine, or says how modules are read.
    fn targets_of(&mut self, module: &Module) {
        let is_machine = |name: &str| {
            let number = name.strip_prefix("sm_").map(|number| number.strip_suffix(['a', 'f']).unwrap_or(number));
            number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
        };
        let targets = &module.header.targets;
        for name in targets.iter().filter(|name| !is_machine(&name.text) && !OPTIONS.contains(&name.text.as_str())) {
            let help =
                format!("write a machine, such as `sm_75`, and behind it what is wanted of {}", OPTIONS.join(", "));
            self.problem(name.span, format!("no target is called `{name}`"), "not known", help);
        }
        if let Some(first) =
            targets.first().filter(|_| !targets.iter().any(|name| !OPTIONS.contains(&name.text.as_str())))
        {
            let help = "write one, such as `sm_75`, in front";
            self.problem(first.span, "the module has no machine as its target", "expected a machine", help);
        }
    }

    /// Functions that have two bodies, or are declared in two ways.
    fn twice(&mut self, module: &'a Module) {
        let mut bodies: HashMap<&str, u32> = HashMap::new();
        let mut declared: HashMap<&str, &Function> = HashMap::new();
        for function in module.functions() {
            let name = &function.name;
            let first = *declared.entry(&name.text).or_insert(function);
            let sizes = |all: &'a [Variable]| all.iter().map(Variable::bytes);
            if !sizes(&first.parameters).eq(sizes(&function.parameters))
                || !sizes(&first.returns).eq(sizes(&function.returns))
            {
                let message = format!("`{name}` has other parameters or results than in line {}", first.name.span.line);
                self.problem(name.span, message, "declared in two ways", "declare it as its body has it");
            }
            if function.body.is_some()
                && let Some(line) = bodies.insert(&name.text, name.span.line)
            {
                let message = format!("`{name}` has two bodies");
                self.problem(name.span, message, format!("the other is in line {line}"), "rename one, or remove it");
            }
        }
    }

    fn item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Variable(variable) => {
                if let Some(Meaning::Variable { variable: other, .. }) = self.scopes.variable(variable, false) {
                    let declared =
                        [variable, other].map(|one| matches!(one.linkage, Linkage::Extern | Linkage::Common));
                    match declared {
                        // The definition counts, wherever its declaration stands.
                        [true, false] => drop(self.scopes.variable(other, false)),
                        [false, false] => self.again(variable, other),
                        [_, true] => {}
                    }
                }
                self.variable(variable);
                self.of_module(variable);
            }
            ItemKind::Registers(registers) => {
                let reason = "registers of no function: declare them in each";
                let span = registers.names.first().map_or(item.span, |name| name.name.span);
                self.unsupported(".reg of a module", reason, span);
                drop(self.scopes.registers(registers));
            }
            ItemKind::Alias { name, of } => {
                for name in [name, of] {
                    if !matches!(self.scopes.find(&name.text), Some(Meaning::Function(_))) {
                        let message = format!("no function is called `{name}`");
                        self.problem(
                            name.span,
                            message,
                            "not declared",
                            "both names of an alias are declared as `.func`",
                        );
                    }
                }
            }
            ItemKind::Function(_) | ItemKind::File(_) | ItemKind::Section(_) | ItemKind::Pragma(_) => {}
        }
    }

    /// What a variable may be that no function has.
    fn of_module(&mut self, variable: &Variable) {
        let (name, space) = (&variable.name, variable.space.text());
        if matches!(variable.space, Space::Param | Space::Local) {
            let message = format!("`{name}` is in `.{space}`, and stands in no function");
            self.problem(name.span, message, "of no function", "declare it in the function that has it");
        } else if variable.linkage == Linkage::Common && variable.space != Space::Global {
            let message = format!("`{name}` is `.common`, and in `.{space}`");
            self.problem(name.span, message, "not in `.global`", "write `.visible`, or declare it in `.global`");
        }
    }

    fn again(&mut self, variable: &Variable, other: &Variable) {
        let (name, line) = (&variable.name, other.name.span.line);
        let message = format!("`{name}` is declared twice in one scope");
        self.problem(name.span, message, format!("first in line {line}"), "rename one, or put it between braces");
    }

    /// A variable of a module or of a function.
    pub(super) fn variable(&mut self, variable: &'a Variable) {
        let name = &variable.name;
        if matches!(variable.ty, Type::Texref | Type::Samplerref | Type::Surfref) {
            self.unsupported(format!(".{}", variable.ty.text()), TEXTURE, variable.span);
            return;
        }
        if variable.ty == Type::Pred {
            let help = "store it as `.u32`, made with `selp`";
            self.problem(name.span, format!("`{name}` is a predicate in memory"), "predicates are registers", help);
        }
        self.declared_vector(name, variable.vector, variable.ty);
        let open = variable.dimensions.iter().any(Option::is_none);
        let first_only = variable.dimensions.iter().skip(1).all(Option::is_some);
        let elsewhere = variable.linkage == Linkage::Extern || variable.space == Space::Param;
        if open && !first_only {
            let message = format!("an inner dimension of `{name}` is open");
            self.problem(name.span, message, "only the first may be", "write its length");
        } else if open && !elsewhere && variable.initializer.is_none() {
            let help = "write its length; memory whose size the launch says is `.extern .shared`";
            self.problem(name.span, format!("`{name}` has no length"), "its first dimension is open", help);
        } else if !open && variable.bytes().is_none_or(|bytes| bytes > 1 << 40) {
            let help = "make it smaller, or pass a buffer as a parameter";
            self.problem(name.span, format!("`{name}` is larger than 1 TiB"), "too large", help);
        }
        let Some(initializer) = &variable.initializer else { return };
        if !matches!(variable.space, Space::Global | Space::Const) {
            let message = format!("`{name}` begins with a value, but is in `.{}`", variable.space.text());
            self.problem(
                name.span,
                message,
                "has no value at first",
                "write the value with `st`, or use `.global` or `.const`",
            );
            return;
        }
        self.initializer(variable, initializer, &variable.dimensions);
    }

    /// A declared vector has two or four elements, and 16 bytes at most.
    pub(super) fn declared_vector(&mut self, name: &Name, vector: Option<Vector>, ty: Type) {
        if let Some(vector) = vector.filter(|vector| *vector == Vector::V8 || vector.elements() * ty.bits() > 128) {
            let message = format!("`{name}` is a `.{}` of `.{}`", vector.text(), ty.text());
            self.problem(
                name.span,
                message,
                "too large",
                "a vector that is declared has two or four elements, and 16 bytes at most",
            );
        }
    }

    /// A list has no more elements than its dimension; `rest` are the dimensions from there on.
    fn initializer(&mut self, variable: &'a Variable, initializer: &'a Initializer, rest: &[Option<u64>]) {
        let name = &variable.name;
        match initializer {
            Initializer::List(list) => {
                let vector = u64::from(variable.vector.map_or(1, Vector::elements));
                let most = match rest.split_first() {
                    Some((most, _)) => *most,
                    None => Some(vector),
                };
                let count = u64::try_from(list.len()).unwrap_or(u64::MAX);
                if let Some(most) = most.filter(|most| count > *most) {
                    let message = format!("`{name}` has {most} elements, and begins with {count}");
                    self.problem(name.span, message, format!("has {most}"), "remove some, or make it longer");
                }
                let rest = rest.get(1..).unwrap_or_default();
                list.iter().for_each(|element| self.initializer(variable, element, rest));
            }
            Initializer::Symbol { name: symbol, .. } => match self.scopes.find(&symbol.text) {
                Some(Meaning::Function(function)) if function.kind == FunctionKind::Entry => {
                    self.unsupported(format!("address of the kernel {symbol}"), super::call::LAUNCH, symbol.span);
                }
                Some(Meaning::Function(_) | Meaning::Variable { .. }) => {
                    if variable.ty.bytes() < 8 && !matches!(initializer, Initializer::Symbol { byte: Some(_), .. }) {
                        let message = format!("the address of `{symbol}` does not fit `.{}`", variable.ty.text());
                        self.problem(symbol.span, message, "64 bits", "make the variable `.u64`");
                    }
                }
                _ => {
                    let message = format!("no variable or function is called `{symbol}`");
                    self.problem(symbol.span, message, "not declared", "declare it before this line");
                }
            },
            Initializer::Integer(_, span) if !super::types::takes_integers(variable.ty) => {
                let message = format!("`{name}` holds floats, and begins with an integer");
                self.problem(*span, message, "an integer", "write it as `1.0` or by its bits, `0f3F800000`");
            }
            Initializer::Float(float, span) if !super::types::takes_float(variable.ty, *float) => {
                let message = format!("`{name}` holds `.{}`, and begins with a float", variable.ty.text());
                self.problem(*span, message, "a float", "write it as an integer");
            }
            // What is too large is cut off, as assemblers do.
            Initializer::Integer(..) | Initializer::Float(..) => {}
        }
    }
}
