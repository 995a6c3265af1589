//! Operands.

use super::Name;
use crate::span::Span;

/// A float as it is written, with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// The bits of a single: `0f3F800000`.
    Single(u32),
    /// The bits of a double: `0d3FF0000000000000`, or the double nearest to a decimal, `1.0`.
    Double(u64),
}

/// An element of a vector, or a dimension of `%tid` and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// `.x` or `.r`
    X,
    /// `.y` or `.g`
    Y,
    /// `.z` or `.b`
    Z,
    /// `.w` or `.a`
    W,
}

impl Component {
    /// What is written so, without the dot.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Component> {
        Some(match text {
            "x" | "r" => Component::X,
            "y" | "g" => Component::Y,
            "z" | "b" => Component::Z,
            "w" | "a" => Component::W,
            _ => return None,
        })
    }

    /// How it is written, without the dot.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Component::X => "x",
            Component::Y => "y",
            Component::Z => "z",
            Component::W => "w",
        }
    }

    /// Its number, from 0.
    #[must_use]
    pub fn index(self) -> u32 {
        self as u32
    }
}

/// An operand, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// Where it stands.
    pub span: Span,
}

/// What an operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// A register, special register, variable, label or function, by its name: `%r1`, `%laneid`, `table`.
    Name(String),
    /// A part of it: `%tid.x`.
    Component(String, Component),
    /// The address of a variable and something: `table+8`.
    Sum(String, i64),
    /// A predicate's opposite: `!%p1`.
    Not(String),
    /// An integer, from -2^63 to 2^64 - 1.
    Integer(i128),
    /// A float.
    Float(Float),
    /// Memory: `[%rd1+8]`.
    Address {
        /// A register or variable; none if the address is a number, which is then `offset`.
        base: Option<Name>,
        /// What is added.
        offset: i64,
    },
    /// What else stands in brackets; only instructions that are out of scope have it: `[image, {%r1, %r2}]`.
    Brackets(Vec<Operand>),
    /// Several registers or values as one: `{%r1, %r2}`.
    Vector(Vec<Operand>),
    /// A result that is not wanted: `_`.
    Sink,
    /// Two results: `%p1|%p2`.
    Pair(Box<Operand>, Box<Operand>),
    /// Arguments or results of a call: `(param0, param1)`.
    List(Vec<Operand>),
}
