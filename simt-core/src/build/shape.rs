//! What values of a type consist of: names of fields and variants, as `{:?}` shows them, and which scalars are there, as `==`
//! compares them.

use crate::scalar::ScalarType;
use std::any::TypeId;

/// What values consist of; their scalars have the same order.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A scalar.
    Scalar,
    /// A struct, a tuple or an array.
    Fields(Fields),
    /// A `std::cmp::Reverse`, whose order is the other way round.
    Reverse(Fields),
    /// A tag, and the fields of each variant, as they are declared.
    Choices(Vec<Choice>),
}

/// The fields of a struct or a variant.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The name of the struct or the variant; of tuples and arrays none.
    pub name: &'static str,
    /// The type of the struct or the enum, if it is a user's.
    pub of: Option<TypeId>,
    /// How they are written.
    pub written: Written,
    /// Their names and what they are.
    pub parts: Vec<(&'static str, Shape)>,
}

/// How fields are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// `P { x: 1 }`
    Named,
    /// `P(1)` and `(1, 2)`
    Numbered,
    /// `[1, 2]`
    Listed,
    /// `None`
    Alone,
}

/// A variant.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The tag's bits.
    pub tag: u64,
    /// What [`Composite::made`](super::Composite::made) makes it of.
    pub sample: u64,
    /// What it has.
    pub fields: Fields,
}

/// What a scalar is of a value of some type, or several that have a comparison of their own.
#[derive(Clone, Debug)]
pub(super) struct Scalars {
    /// Which of the value's scalars it is, or the first of them.
    pub(super) first: u32,
    pub(super) count: u32,
    /// The type whose comparison they have.
    pub(super) own: Option<TypeId>,
    /// It is there only where these tags are: which scalar, and its variant.
    pub(super) guards: Vec<(u32, Choice)>,
    /// The variants, if it is a tag.
    pub(super) variants: Vec<Choice>,
    /// Whether its order is the other way round: of what a `Reverse` has.
    pub(super) reversed: bool,
}

impl Fields {
    /// The fields of a tuple or an array, which have no names.
    pub fn unnamed(written: Written, parts: Vec<Shape>) -> Self {
        Self { name: "", of: None, written, parts: parts.into_iter().map(|part| ("", part)).collect() }
    }
}

impl Choice {
    /// A variant of std, which is made of its tag.
    pub fn of_std(name: &'static str, tag: bool, value: Option<Shape>) -> Self {
        let tag = u64::from(tag);
        let written = if value.is_some() { Written::Numbered } else { Written::Alone };
        Self {
            tag,
            sample: tag,
            fields: Fields { name, of: None, written, parts: value.map(|value| ("", value)).into_iter().collect() },
        }
    }
}

impl Shape {
    /// Its scalars, in order.
    pub(super) fn scalars(&self) -> Vec<Scalars> {
        self.units(&|_| false)
    }

    /// Its scalars, in order; those of a type that has a comparison of its own are one.
    pub(super) fn units(&self, is_own: &dyn Fn(TypeId) -> bool) -> Vec<Scalars> {
        let mut all = Vec::new();
        self.collect((&[], false), is_own, &mut 0, &mut all);
        all
    }

    /// How many scalars there are.
    pub(super) fn count(&self) -> usize {
        let of = |fields: &Fields| fields.parts.iter().map(|(_, part)| part.count()).sum::<usize>();
        match self {
            Self::Scalar => 1,
            Self::Fields(fields) | Self::Reverse(fields) => of(fields),
            Self::Choices(variants) => 1 + variants.iter().map(|variant| of(&variant.fields)).sum::<usize>(),
        }
    }

    /// Whether all scalars are always there.
    pub(super) fn is_plain(&self) -> bool {
        let of = |fields: &Fields| fields.parts.iter().all(|(_, part)| part.is_plain());
        match self {
            Self::Scalar => true,
            Self::Fields(fields) | Self::Reverse(fields) => of(fields),
            Self::Choices(variants) => variants.len() == 1 && variants.iter().all(|variant| of(&variant.fields)),
        }
    }

    /// The user's type that it is of.
    fn of(&self) -> Option<TypeId> {
        match self {
            Self::Scalar | Self::Reverse(_) => None,
            Self::Fields(fields) => fields.of,
            Self::Choices(variants) => variants.first().and_then(|variant| variant.fields.of),
        }
    }

    fn collect(
        &self,
        (guards, reversed): (&[(u32, Choice)], bool),
        is_own: &dyn Fn(TypeId) -> bool,
        next: &mut u32,
        all: &mut Vec<Scalars>,
    ) {
        let (own, tag) = (self.of().filter(|of| is_own(*of)), *next);
        let mut push = |count: usize, variants: &[Choice]| {
            let (guards, variants) = (guards.to_vec(), variants.to_vec());
            all.push(Scalars { first: *next, count: count as u32, own, guards, variants, reversed });
            *next += count as u32;
        };
        if own.is_some() {
            return push(self.count(), &[]);
        }
        let each = |fields: &Fields, around: (&[(u32, Choice)], bool), next: &mut u32, all: &mut Vec<Scalars>| {
            fields.parts.iter().for_each(|(_, part)| part.collect(around, is_own, next, all));
        };
        match self {
            Self::Scalar => push(1, &[]),
            Self::Fields(fields) => each(fields, (guards, reversed), next, all),
            Self::Reverse(fields) => each(fields, (guards, !reversed), next, all),
            Self::Choices(variants) => {
                push(1, variants);
                for variant in variants {
                    let guards = [guards, &[(tag, variant.clone())]].concat();
                    each(&variant.fields, (&guards, reversed), next, all);
                }
            }
        }
    }
}

/// The number that bits of an integer type or of a `bool` are.
pub(super) fn number(ty: ScalarType, bits: u64) -> i128 {
    match ty {
        ScalarType::I8 => (bits as i8).into(),
        ScalarType::I16 => (bits as i16).into(),
        ScalarType::I32 | ScalarType::Isize => (bits as i32).into(),
        ScalarType::I64 => (bits as i64).into(),
        _ => bits.into(),
    }
}
