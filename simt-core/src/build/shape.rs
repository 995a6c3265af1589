//! What values of a type consist of: names of fields and variants, as `{:?}` shows them, and which scalars are there, as `==`
//! compares them.

use crate::scalar::ScalarType;

/// What values consist of; their scalars have the same order.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A scalar.
    Scalar,
    /// A struct, a tuple or an array.
    Fields(Fields),
    /// A tag, and the fields of each variant, as they are declared.
    Choices(Vec<Choice>),
}

/// The fields of a struct or a variant.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The name of the struct or the variant; of tuples and arrays none.
    pub name: &'static str,
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

/// What a scalar is of a value of some type.
#[derive(Clone, Debug)]
pub(super) struct Scalars {
    /// It is there only where these tags are: which scalar, and its variant.
    pub(super) guards: Vec<(u32, Choice)>,
    /// The variants, if it is a tag.
    pub(super) variants: Vec<Choice>,
}

impl Fields {
    /// The fields of a tuple or an array, which have no names.
    pub fn unnamed(written: Written, parts: Vec<Shape>) -> Self {
        Self { name: "", written, parts: parts.into_iter().map(|part| ("", part)).collect() }
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
            fields: Fields { name, written, parts: value.map(|value| ("", value)).into_iter().collect() },
        }
    }
}

impl Shape {
    /// Its scalars, in order.
    pub(super) fn scalars(&self) -> Vec<Scalars> {
        let mut all = Vec::new();
        self.collect(&[], &mut all);
        all
    }

    /// How many scalars there are.
    pub(super) fn count(&self) -> usize {
        let of = |fields: &Fields| fields.parts.iter().map(|(_, part)| part.count()).sum::<usize>();
        match self {
            Self::Scalar => 1,
            Self::Fields(fields) => of(fields),
            Self::Choices(variants) => 1 + variants.iter().map(|variant| of(&variant.fields)).sum::<usize>(),
        }
    }

    /// Whether all scalars are always there.
    pub(super) fn is_plain(&self) -> bool {
        let of = |fields: &Fields| fields.parts.iter().all(|(_, part)| part.is_plain());
        match self {
            Self::Scalar => true,
            Self::Fields(fields) => of(fields),
            Self::Choices(variants) => variants.len() == 1 && variants.iter().all(|variant| of(&variant.fields)),
        }
    }

    fn collect(&self, guards: &[(u32, Choice)], all: &mut Vec<Scalars>) {
        match self {
            Self::Scalar => all.push(Scalars { guards: guards.to_vec(), variants: Vec::new() }),
            Self::Fields(fields) => fields.parts.iter().for_each(|(_, part)| part.collect(guards, all)),
            Self::Choices(variants) => {
                let tag = all.len() as u32;
                all.push(Scalars { guards: guards.to_vec(), variants: variants.clone() });
                for variant in variants {
                    let guards = [guards, &[(tag, variant.clone())]].concat();
                    variant.fields.parts.iter().for_each(|(_, part)| part.collect(&guards, all));
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
