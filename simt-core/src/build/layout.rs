//! What functions that are not generic know of a type: the builder is compiled once, not for each type of a kernel's.
//!
//! A generic function is compiled in the crate that has the kernel, with all iterators and closures in it, for each set of its
//! types. So a method that a kernel calls makes operands of what it is given, and hands these to a function of operands, with
//! what that has to know of their types as data.

use super::arena::{Leaf, Operand};
use super::base::{Kind, is_base};
use super::record::Column;
use super::shape::Shape;
use super::tuple::Leaves;
use super::{Composite, KernelData};
use crate::scalar::{Constant, ScalarType};
use smallvec::SmallVec;
use std::any::type_name;

type ShowLeaves = fn(&str, &mut dyn FnMut(&str, ScalarType));
type ShowColumns = fn(&str, &mut dyn FnMut(Column<'_>));

/// What is known of a type of values.
#[derive(Debug)]
pub(super) struct Layout {
    /// [`Composite::COUNT`]
    pub(super) count: u32,
    leaves: ShowLeaves,
    shape: fn() -> Shape,
    name: fn() -> &'static str,
}

/// What is known of a type that memory is made of.
#[derive(Debug)]
pub(super) struct Storage {
    pub(super) layout: &'static Layout,
    /// [`KernelData::COLUMNS`]
    pub(super) width: u32,
    columns: ShowColumns,
    cells: fn(u32, &mut dyn FnMut(u32, u32)),
}

/// A type's layout.
pub(super) trait HasLayout: Composite {
    const LAYOUT: &'static Layout = &Layout {
        count: Self::COUNT,
        leaves: <Self as Composite>::leaves,
        shape: <Self as Composite>::shape,
        name: type_name::<Self>,
    };
}

impl<T: Composite> HasLayout for T {}

/// A type's storage.
pub(super) trait HasStorage: KernelData {
    const STORAGE: &'static Storage = &Storage {
        layout: Self::LAYOUT,
        width: Self::COLUMNS,
        columns: <Self as KernelData>::columns,
        cells: <Self as KernelData>::cells,
    };
}

impl<T: KernelData> HasStorage for T {}

impl Layout {
    /// Calls `show` for each scalar, as [`Composite::leaves`] does.
    pub(super) fn show(&self, mut show: impl FnMut(&str, ScalarType)) {
        (self.leaves)("", &mut show);
    }

    /// The types of the scalars.
    pub(super) fn types(&self) -> SmallVec<[ScalarType; 4]> {
        let mut types = SmallVec::new();
        self.show(|_, ty| types.push(ty));
        types
    }

    /// What the scalars are to references.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = Vec::new();
        self.show(|path, _| {
            if let Some(base @ Kind::Element) = kinds.last_mut()
                && path.ends_with(".start")
            {
                *base = Kind::Slice;
            }
            kinds.push(if is_base(path) { Kind::Element } else { Kind::Scalar });
        });
        kinds
    }

    /// Whether a value has references in it.
    pub(super) fn has_bases(&self) -> bool {
        let mut has_any = false;
        self.show(|path, _| has_any |= is_base(path));
        has_any
    }

    /// Scalars that nothing asks for.
    pub(super) fn nothing(&self) -> Leaves {
        self.types().into_iter().map(|ty| Operand::Leaf(Leaf::Const(Constant { ty, bits: 0 }))).collect()
    }

    /// What a value consists of.
    pub(super) fn shape(&self) -> Shape {
        (self.shape)()
    }

    /// The type, if a value is a scalar.
    pub(super) fn scalar(&self) -> Option<ScalarType> {
        match (self.shape(), &self.types()[..]) {
            (Shape::Scalar, [ty]) => Some(*ty),
            _ => None,
        }
    }

    /// The type's name.
    fn name(&self) -> &'static str {
        (self.name)()
    }

    /// As [`Layout::name`], without paths.
    pub(super) fn short_name(&self) -> String {
        let mut name = self.name().to_owned();
        while let Some(end) = name.find("::") {
            let is_path = |letter: char| letter.is_alphanumeric() || "_:{}#".contains(letter);
            let start = name[..end].rfind(|letter| !is_path(letter)).map_or(0, |before| before + 1);
            name.replace_range(start..end + 2, "");
        }
        name
    }
}

impl Storage {
    /// Whether it is that of the same type.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        self.layout.name() == other.layout.name()
    }

    /// Calls `show` for each column, as [`KernelData::columns`] does.
    pub(super) fn show_columns(&self, mut show: impl FnMut(Column<'_>)) {
        (self.columns)("", &mut show);
    }

    /// The columns, by number: the type of the elements, and how many there are for each struct.
    pub(super) fn columns(&self) -> SmallVec<[(ScalarType, Option<u32>); 4]> {
        let mut columns = SmallVec::new();
        self.show_columns(|Column { ty, length, .. }| columns.push((ty, length)));
        columns
    }

    /// Calls `show` for each leaf, as [`KernelData::cells`] does.
    pub(super) fn cells(&self, mut show: impl FnMut(u32, u32)) {
        (self.cells)(0, &mut show);
    }

    /// How many elements the first column has for each of a slice's.
    pub(super) fn leading(&self) -> u32 {
        self.columns().first().and_then(|&(_, length)| length).unwrap_or(1)
    }
}
