//! Arguments held against the parameters of a kernel.

use crate::argument::{Buffer, FORMS, Given, Output};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::outputs::Target;
use crate::values::{self, Passed, Values, scalar};
use simt::Code;
use simt::core::ScalarType;
use simt::core::program::ParamKind;
use simt::host::{Argument, DeviceMemory};
use std::path::Path;

/// An argument that fits its parameter.
pub(crate) struct Bound {
    /// The parameter's name.
    pub(crate) name: String,
    /// As it stands on the command line.
    pub(crate) text: String,
    kind: Kind,
}

enum Kind {
    Scalar(ScalarType, u64),
    Bytes(Vec<u8>),
    Struct(Fields),
    /// Passes its address.
    Address(Buffer, ScalarType),
    /// Passes a slice.
    Slice(Buffer, Passed),
}

/// What an argument is during a launch.
pub(crate) enum Placed {
    Scalar(ScalarType, u64),
    /// With the addresses in it.
    Bytes(Vec<u8>, Vec<u64>),
    Slice(Values, Passed),
}

/// The arguments of a kernel, in order.
pub(crate) fn bind(code: &Code, texts: &[String], given: Vec<Given>) -> Result<Vec<Bound>, Failure> {
    let params: Vec<_> = code.params.iter().filter(|param| param.table.is_none()).collect();
    if params.len() != given.len() {
        let list: Vec<String> =
            params.iter().map(|param| format!("{}: {}", param.name, described(param.kind))).collect();
        let list = if list.is_empty() { "none".to_string() } else { list.join(", ") };
        let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        return Err(Failure::usage(format!(
            "--arg: kernel `{}` has {}, and there {} {}; write one --arg for each of: {list}",
            code.name,
            counted(params.len(), "parameter"),
            if given.len() == 1 { "is" } else { "are" },
            counted(given.len(), "argument")
        )));
    }
    let bound = params.iter().zip(texts).zip(given).map(|((param, text), given)| {
        let kind = fit(param.kind, given)
            .map_err(|error| error.within(&format!("--arg {text}, for parameter `{}`", param.name)))?;
        Ok(Bound { name: param.name.to_string(), text: text.clone(), kind })
    });
    bound.collect()
}

/// What a parameter takes.
fn described(kind: ParamKind) -> String {
    match kind {
        ParamKind::Scalar(ty) => ty.name().to_string(),
        ParamKind::Slice { element, writable: true } => format!("&mut [{}]", element.name()),
        ParamKind::Slice { element, .. } | ParamKind::Constant { element } => format!("&[{}]", element.name()),
        ParamKind::Atomic { element } => format!("&[Atomic of {}]", element.name()),
        ParamKind::Bytes { size, .. } => format!("{size} bytes"),
    }
}

fn fit(kind: ParamKind, given: Given) -> Result<Kind, Failure> {
    match (kind, given) {
        (ParamKind::Scalar(ty), Given::Number { ty: said, text }) => {
            let said = said.unwrap_or(ty);
            if said.machine().bits() != ty.machine().bits() {
                let (said, ty) = (said.name(), ty.name());
                return Err(Failure::usage(format!("it is {said}, and the parameter is {ty}: write {ty}:{text}")));
            }
            Ok(Kind::Scalar(ty, values::bits(said, &text).map_err(Failure::usage)?))
        }
        (ParamKind::Scalar(ty @ (ScalarType::U64 | ScalarType::I64)), Given::Buffer(buffer)) => {
            Ok(Kind::Address(buffer, ty))
        }
        (ParamKind::Scalar(ty), Given::Buffer(_)) => Err(Failure::usage(format!(
            "a buffer is passed by its address, and the parameter is {0}: write a number such as {0}:1",
            ty.name()
        ))),
        (ParamKind::Slice { element, .. } | ParamKind::Constant { element }, Given::Buffer(buffer)) => {
            if buffer.ty != element {
                let (ty, element) = (buffer.ty.name(), element.name());
                return Err(Failure::usage(format!(
                    "its elements are {ty}, and the parameter's {element}: write {element}"
                )));
            }
            if buffer.values.is_none() {
                return Err(Failure::usage("what a slice holds must be said: write =zero behind the count"));
            }
            let passed = match kind {
                ParamKind::Constant { .. } => Passed::Constant,
                ParamKind::Slice { writable: true, .. } => Passed::Mutable,
                _ => Passed::Shared,
            };
            Ok(Kind::Slice(buffer, passed))
        }
        (ParamKind::Bytes { size, .. }, Given::Bytes(bytes)) => {
            if bytes.len() != size as usize {
                return Err(Failure::usage(format!(
                    "it has {} bytes, and the parameter {size}: write all of them",
                    bytes.len()
                )));
            }
            Ok(Kind::Bytes(bytes))
        }
        (ParamKind::Bytes { size, .. }, Given::Struct(fields)) => {
            if fields.size() != size as usize {
                return Err(Failure::usage(format!(
                    "its fields are {} bytes together ({}), and the parameter has {size}: write all fields of the struct, in order",
                    fields.size(),
                    fields.described()
                )));
            }
            Ok(Kind::Struct(fields))
        }
        (ParamKind::Atomic { .. }, _) => Err(Failure::usage(
            "slices of atomics cannot be passed from here: let the parameter be u64, and use `atom.global` on its address",
        )),
        (ParamKind::Bytes { size, .. }, _) => Err(Failure::usage(format!(
            "the parameter is a struct of {size} bytes: write its fields, struct:u32:5,buf:f32:1024=iota, or bytes:0a0b..."
        ))),
        (kind, _) => Err(Failure::usage(format!("it is no {}: write {FORMS}", described(kind)))),
    }
}

impl Bound {
    /// Its buffers, each with what it is called in a report: of a struct's the byte of its address, `p+8`.
    pub(crate) fn buffers(&self) -> Vec<(String, &Buffer)> {
        match &self.kind {
            Kind::Address(buffer, _) | Kind::Slice(buffer, _) => vec![(self.name.clone(), buffer)],
            Kind::Struct(fields) => {
                fields.buffers().into_iter().map(|(at, buffer)| (format!("{}+{at}", self.name), buffer)).collect()
            }
            Kind::Scalar(..) | Kind::Bytes(_) => Vec::new(),
        }
    }

    /// The files that it is written to after the launch.
    pub(crate) fn saved(&self) -> impl Iterator<Item = Target<'_>> {
        fn save((_, buffer): (String, &Buffer)) -> Option<&str> {
            buffer.output.as_ref()?.save.as_deref()
        }
        let option = || format!("--arg {}", self.text);
        self.buffers().into_iter().filter_map(save).map(move |file| Target { option: option(), file: Path::new(file) })
    }

    /// Places it in memory.
    pub(crate) fn place(&self, memory: &mut DeviceMemory) -> Result<Placed, Failure> {
        match &self.kind {
            &Kind::Scalar(ty, bits) => Ok(Placed::Scalar(ty, bits)),
            Kind::Bytes(bytes) => Ok(Placed::Bytes(bytes.clone(), Vec::new())),
            Kind::Struct(fields) => {
                let buffers = self.buffers().into_iter();
                let addresses = buffers
                    .map(|(name, buffer)| self.allocate(memory, &name, buffer))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(Placed::Bytes(fields.bytes(&mut addresses.iter().copied()), addresses))
            }
            Kind::Slice(buffer, passed) => match &buffer.values {
                Some(values) => Ok(Placed::Slice(values.clone(), *passed)),
                None => Err(Failure::usage("what a slice holds must be said: write =zero behind the count")),
            },
            Kind::Address(buffer, ty) => Ok(Placed::Scalar(*ty, self.allocate(memory, &self.name, buffer)?)),
        }
    }

    /// The address of a buffer, with its values; `name` is what it is called in a report.
    fn allocate(&self, memory: &mut DeviceMemory, name: &str, buffer: &Buffer) -> Result<u64, Failure> {
        let bytes = buffer.count * values::size(buffer.ty);
        let at = memory.alloc(bytes as u64).map_err(|_| {
            Failure::usage(format!("--arg {}: the buffers have more than 4 GiB together: make them smaller", self.text))
        })?;
        // An error would name a line of this file otherwise, which is nothing that the user has written.
        memory.describe(at, format!("the buffer of parameter `{name}`, --arg {}", self.text));
        if let Some(values) = &buffer.values {
            values.write(memory, at)?;
        }
        Ok(at)
    }

    /// What each of its [buffers](Self::buffers) holds after the launch, if it is an output.
    pub(crate) fn after(
        &self,
        placed: &Placed,
        memory: &DeviceMemory,
    ) -> Result<Vec<(String, &Output, Values)>, Failure> {
        let mut outputs = Vec::new();
        for (number, (name, buffer)) in self.buffers().into_iter().enumerate() {
            let Some(output) = &buffer.output else { continue };
            let values = match (placed, placed.addresses().get(number)) {
                (Placed::Slice(values, _), _) => values.clone(),
                (_, Some(&at)) => Values::read(memory, buffer.ty, at, buffer.count).map_err(|error| {
                    error.within(&format!(
                        "--arg {}: the kernel has not written all of it; write =zero behind the count if it need not",
                        self.text
                    ))
                })?,
                (_, None) => continue,
            };
            outputs.push((name, output, values));
        }
        Ok(outputs)
    }
}

impl Placed {
    /// As the launch takes it.
    pub(crate) fn argument(&mut self) -> Result<Argument<'_>, Failure> {
        match self {
            &mut Self::Scalar(ty, bits) => scalar(ty, bits).ok_or_else(|| {
                Failure::usage(format!("a {} cannot be passed from here; take u16 for its bits", ty.name()))
            }),
            Self::Bytes(bytes, _) => Ok(Argument::bytes(bytes.clone())),
            Self::Slice(values, passed) => Ok(values.argument(*passed)),
        }
    }

    /// Where its buffers begin, if they are passed by address.
    pub(crate) fn addresses(&self) -> &[u64] {
        match self {
            Self::Scalar(_, bits) => std::slice::from_ref(bits),
            Self::Bytes(_, addresses) => addresses,
            Self::Slice(..) => &[],
        }
    }
}
