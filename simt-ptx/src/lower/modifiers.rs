//! The modifiers of an instruction, which are asked for one by one: what is left at the end is not known here.

use super::emit::Emitter;
use super::operands::scalar;
use super::pairs::half_of;
use crate::syntax::{Instruction, Type};
use simt_core::ScalarType;

/// Modifiers that have not been asked for.
pub(super) struct Modifiers<'m> {
    left: Vec<&'m str>,
    types: Vec<Type>,
}

impl<'m> Modifiers<'m> {
    pub(super) fn of(instruction: &'m Instruction) -> Self {
        let (mut left, mut types) = (Vec::new(), Vec::new());
        for modifier in &instruction.modifiers {
            match Type::from_text(&modifier.text) {
                Some(ty) => types.push(ty),
                None => left.push(modifier.text.as_str()),
            }
        }
        Self { left, types }
    }

    /// Whether it is there.
    pub(super) fn take(&mut self, name: &str) -> bool {
        let place = self.left.iter().position(|left| *left == name);
        place.map(|place| self.left.remove(place)).is_some()
    }

    /// Whether it is there, for another to ask.
    pub(super) fn has(&self, name: &str) -> bool {
        self.left.contains(&name)
    }

    /// The word of the table that is there, of those of a type: `Comparison::from_text`.
    pub(super) fn word<T>(&mut self, from_text: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (place, found) = self.left.iter().enumerate().find_map(|(at, word)| Some((at, from_text(word)?)))?;
        self.left.remove(place);
        Some(found)
    }

    /// The one of these that is there.
    pub(super) fn one_of<T: Copy>(&mut self, all: &[(&str, T)]) -> Option<T> {
        all.iter().find(|(name, _)| self.take(name)).map(|&(_, value)| value)
    }

    /// Takes those that mean nothing to the result of a launch.
    pub(super) fn ignore(&mut self, names: &[&str]) {
        self.left.retain(|left| !names.contains(left));
    }

    /// Takes those of a kind that mean nothing to it.
    pub(super) fn ignore_all(&mut self, is: impl Fn(&str) -> bool) {
        self.left.retain(|left| !is(left));
    }

    /// The type, if there is one that machines compute with.
    pub(super) fn ty(&self) -> Option<ScalarType> {
        scalar(*self.types.first()?)
    }

    /// All types, in their order.
    pub(super) fn types(&self) -> &[Type] {
        &self.types
    }

    /// The first modifier that has not been asked for.
    pub(super) fn rest(&self) -> Option<&'m str> {
        self.left.first().copied()
    }
}

impl<'m> Emitter<'m, '_> {
    /// Whether all modifiers have been asked for; else the instruction is out of scope.
    pub(super) fn only(&mut self, instruction: &'m Instruction, modifiers: &Modifiers<'m>) -> Option<()> {
        match modifiers.rest() {
            None => Some(()),
            Some(_) => self.unsupported(instruction, "it has a modifier that is not supported yet"),
        }
    }

    /// The type of an instruction of one; of a packed type that of its halves.
    pub(super) fn type_in(&mut self, instruction: &'m Instruction, modifiers: &Modifiers<'m>) -> Option<ScalarType> {
        let half = modifiers.types().first().copied().and_then(half_of);
        match half.or(modifiers.ty()) {
            Some(ty) => Some(ty),
            None if modifiers.types().contains(&Type::B128) => {
                self.unsupported(instruction, "values of 128 bits: use `.v2.b64`")
            }
            None => self.unsupported(instruction, "it has no such type"),
        }
    }
}
