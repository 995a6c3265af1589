//! The typed builder: the calls that `#[kernel]` emits, which build a [`Program`].
//!
//! ```text
//! let y = 2.0 * x[i];      let y = k.bind(3, "y", k.mul(2, 2.0, k.load(1, x, i)));
//! ```
//!
//! Each Rust operator becomes a method over `impl IntoValue<T>`, so rustc infers and checks the kernel's types as it does
//! in plain Rust, and reports a mistake at the user's own token. Every method takes, first of all, the number of its place
//! in the kernel's table of spans.
//!
//! What the builder guarantees, beyond types:
//!
//! * **Order.** Expressions of a [`Program`] have no effects and are evaluated where their statement executes. A method
//!   emits no statement unless its documentation says so, and the macro calls the methods in Rust's order of evaluation.
//!   Where a later operand may emit statements, the macro holds the earlier one ([`Builder::hold`]).
//! * **One use.** A [`Value`] is neither `Copy` nor `Clone`, so each node of the arena has one user. Leaves (constants,
//!   variables, parameters, builtins) become nodes only when they are used: folding a constant leaves nothing behind.
//! * **Blocks.** Opening and closing methods come in pairs; the statements between them go into the innermost open block.
//! * **Compile time in proportion to the kernel.** A kernel is one function of the host with a call for each operation, and
//!   LLVM's passes take time in the square of the copies in a function, or worse. So the generic methods, which are compiled
//!   in the user's crate, are not inlined, and a name's handle fits in two registers.
//!
//! | file | what it holds |
//! |---|---|
//! | `handle` | what a kernel's names stand for while it is built: [`Value`], [`Let`], [`Mutable`], [`SliceRef`], [`SliceMut`] |
//! | `traits` | which handle can be used where, and what rustc says if it cannot |
//! | `state`, `arena` | what is known of the program that is built; nodes, folding of constants, temporaries |
//! | `operators` | arithmetic, comparisons, casts, builtins |
//! | `overloaded`, `one_operand`, `indexed`, `indexed_fields` | operators of users' types; indices of them |
//! | `conversion` | conversions of users' types |
//! | `fieldwise`, `partwise` | comparisons of structs and tuples; of values in which parts have their own |
//! | `asked`, `samples` | whether a comparison is a derived one, asked of the host's |
//! | `bytes` | ASCII, and integers from their bytes |
//! | `numeric` | the numeric methods of std |
//! | `options`, `absent` | `Option` and `Result`, and those of the host |
//! | `unwrapped`, `propagated`, `mapped` | what methods, and `?`, make of them |
//! | `checked`, `derived`, `mixed` | those that tell whether they have a result; that are made of others; of mixed sign |
//! | `tuple`, `layout` | values of several scalars; what is known of their types |
//! | `function`, `callees`, `instances` | device functions and their calls |
//! | `inlined` | functions that give iterators, whose bodies stand where they are called |
//! | `callee` | what can be called, and passed |
//! | `closure`, `captured`, `captures` | closures, what `move` copies, and what they capture where they are passed to functions |
//! | `base`, `carried`, `coerced` | references as values |
//! | `reference`, `place`, `array_references` | references to variables, to elements and to arrays, as arguments |
//! | `named`, `rows` | references to elements, as names; elements that are memory |
//! | `receiver`, `receiver_parts` | methods of users' structs; fields before their point |
//! | `standard` | methods of `std` that a struct of a user's may have, too |
//! | `nameable`, `known_length` | what a `let` and a parameter name |
//! | `names` | `let`, assignment, parameters |
//! | `region` | memory, and subslices of it |
//! | `memory` | elements and lengths |
//! | `element` | what memory is made of, and what can be passed as a slice |
//! | `table` | `const` and `static` arrays of the host's |
//! | `array` | local and shared arrays |
//! | `bulk` | all elements at once |
//! | `sorting` | sorts and searches with a closure |
//! | `items`, `slice_items` | patterns of arrays, and of slices |
//! | `atomic` | atomics |
//! | `collective` | operations of a warp, barriers, fences |
//! | `record`, `fields`, `literal`, `reverse` | structs, and that of std |
//! | `spill`, `slice_fields` | their fields that are arrays, and slices |
//! | `gone_fields` | their fields that something goes over |
//! | `mirror`, `lasting` | such arrays as memory to which references stay |
//! | `lent_fields` | such references that functions return |
//! | `homes` | local arrays in place of their variables, when all is built |
//! | `variant` | enums |
//! | `guard` | panics that the builder itself adds |
//! | `shape` | what values of a type consist of |
//! | `speak` | printed lines, assertions, panics |
//! | `branch` | `if`, `&&`, `\|\|` |
//! | `matching` | what patterns need |
//! | `repeat` | `while`, `loop`, `for`, labelled blocks, `break`, `continue`, `return` |
//! | `range` | `for` over ranges that run backwards or in steps |
//! | `ranges` | ranges as values |
//! | `iterable`, `iterate` | what has `.iter()`, and what iterators end in |
//! | `iterators` | iterators as values |
//! | `sequence`, `adapted`, `pieces` | `for` over elements, what makes another of it, and over subslices |

mod absent;
mod adapted;
mod arena;
mod array;
mod array_references;
mod asked;
mod atomic;
mod base;
mod branch;
mod bulk;
mod bytes;
mod callee;
mod callees;
mod captured;
mod captures;
mod carried;
mod carries;
mod checked;
mod closure;
mod coerced;
mod collective;
#[cfg(test)]
mod control_tests;
mod conversion;
mod derived;
mod element;
mod fields;
mod fieldwise;
mod float_atomic;
mod float_parts;
mod function;
mod gone_fields;
mod guard;
mod handle;
pub mod homes;
pub mod indexed;
mod indexed_fields;
mod inlined;
mod instances;
mod item_fields;
mod items;
mod iterable;
mod iterate;
pub mod iterators;
mod known_length;
mod lasting;
mod layout;
mod lent;
mod lent_fields;
mod limits;
mod literal;
mod mapped;
mod matching;
mod memory;
mod mirror;
mod mixed;
mod nameable;
mod named;
mod names;
mod numeric;
mod one_operand;
mod operators;
mod options;
pub mod overloaded;
mod own_order;
mod partwise;
mod pieces;
mod place;
mod propagated;
mod range;
mod ranges;
mod receiver;
mod receiver_parts;
mod record;
mod reference;
mod region;
mod repeat;
mod reverse;
mod rows;
mod samples;
mod sequence;
mod shape;
mod slice_fields;
mod slice_items;
mod sorting;
mod speak;
mod spill;
mod standard;
mod starred;
mod state;
mod std_atomic;
mod std_function;
mod table;
mod temporaries;
#[cfg(test)]
mod tests;
mod traits;
mod tuple;
mod unwrapped;
mod variant;

pub use crate::program::{Align, Builtin, Form, LoadAccess, Piece, StoreAccess, Style};
pub use adapted::{Sequenced, Zips};
pub use array::{ArrayType, SharedArray};
pub use array_references::{ConvertedArgument, OfExtent};
pub use atomic::{AtomicBits, AtomicMemory, AtomicNum, AtomicRowMemory};
pub use callee::{Callee, DeviceFunction, Hold, Of, OtherFunction};
pub use carried::{CarriedArray, CarriedArrayMut, RefAtomic, RefMut, ReferenceValue};
pub use closure::{Begins, CallWith, Entered, MayBeUnused, Origin, ReturnValue, Told};
pub use coerced::{Coerced, LentField};
pub use conversion::{BegunFrom, BegunTryFrom, DeviceFrom, DeviceTryFrom};
pub use element::{
    AtomicAccess, AtomicRowAccess, ElementAccess, MemoryElement, PlainAccess, SliceArgument, SliceMutArgument,
};
pub use float_atomic::{AtomicF32, AtomicF64};
pub use function::{Definition, OnlyKernelsCallThis};
pub use gone_fields::{GoneField, OwnPlace};
pub use handle::{ArrayMut, ArrayRef, AtomicRows, AtomicSlice, Left, Let, Mutable, Never, SliceMut, SliceRef, Value};
pub use indexed_fields::{FieldSubscript, OwnFieldSubscript};
pub use item_fields::ItemFields;
pub use items::{NAMED_REST, NO_REST, REST, TakenApart, WholeItem};
pub use iterable::{AtomicItems, Iterable};
pub use iterate::Totalled;
pub use known_length::OfLength;
pub use lasting::LastingFields;
pub use lent::{PerhapsReference, SeenBehind};
pub use limits::{ConstantOfType, IntLimits, Limit, NumLimits, ScalarLimits};
pub use literal::{Gathered, Record};
pub use mapped::MappedValue;
pub use matching::PatternConstant;
pub use nameable::{AnyResult, HasResult, Nameable, Named, NamedValue, NumberResult, OtherNameable, RefusedResult};
pub use named::{Behind, IteratedMut, IteratedMuts, IteratedRef, IteratedRefs, PassedName, Referred, RefersTo, Seen};
pub use numeric::Lossless;
pub use options::Variants;
pub use own_order::{
    OfType, OwnEq, OwnOrder, OwnTotalOrder, answers_equality, answers_partial_order, answers_total_order,
};
pub use pieces::{Cut, Pieces};
pub use place::{AtomicArgument, AtomicRef, AtomicReference, ElementMut, ElementPlace, LentElement};
pub use propagated::{Leaving, Propagates};
pub use range::Walk;
pub use ranges::{Contains, Counted, Counts, HasLength, RangeFields};
pub use receiver::{
    ByMut, ByValue, DeviceMethod, ElementOf, Handle, HasMethod, NamedReceiver, NoMethod, Receiver, TakenBy,
};
pub use receiver_parts::{NumberedPart, Parts};
pub use record::{Column, First, KernelData, NoFields, Part};
pub use reference::{Changeable, Lent, LentMut, RefArgument, RefMutArgument, Referent, ValueMut, ValueRef, referring};
pub use region::{Ends, Region, Sliced, SlicedMut};
pub use rows::{NamedMemory, Rows};
pub use sequence::{BehindReference, Copied, Enumerated, IntoItems, ItemParts, Items, Moved, Sequence, Zipped};
pub use shape::{Choice, Fields, Shape, Written};
pub use slice_items::{Apart, TakenByLength};
pub use speak::Shown;
pub use spill::{FieldElements, FieldMemory, Lasting, Spilled};
pub use standard::{
    AtomicValue, ByLength, ByReading, ByWriting, ByteMethods, ElementsArgument, ExtremeMethods, ItemsMethods,
    IteratorMethods, NumberCall, NumberReceiver, Numbers, OfNumber, OfOption, OptionCall, OptionMethods,
    OptionReceiver, OptionSubject, Options, Ordered, OrderingMethods, OtherSubject, RangeMethods, ResultMethods,
    ScalarMethods, SliceMethods, Subjected, TryConverted, WithBytes, number_functions,
};
pub use starred::{Starred, StarredValue};
pub use std_atomic::Atomic;
pub use std_function::{OfTwo, StdFunctionCall};
pub use table::{ConstantReceiver, ConstantValue, LentConstant, Table};
pub use temporaries::OfTemporary;
pub use traits::{Elements, IntoIndex, IntoValue, IsIndex, Place, ReadSlice, Same, Types, WriteSlice};
pub use tuple::{Composite, Field, Tuple};
pub use variant::{Castable, Variant};

use crate::ops::Overflow;
use crate::program::{Block, LaunchBounds, Program, Stmt, StmtKind};
use crate::source::{Source, Span};
use state::{Open, Opened, State};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// Builds one kernel's program.
///
/// ```
/// use simt_core::build::{Builder, Builtin};
///
/// // fn double(x: &mut [u32]) { let i = global_id(); if i < x.len() { x[i] *= 2; } }
/// let k = Builder::new("double", "double.rs", 1, "", "");
/// let x = k.slice_mut::<u32>(0, "x");
/// let i = k.bind(0, "i", k.builtin(0, Builtin::GlobalId));
/// k.begin_if(0, k.lt(0, i, k.len(0, x)));
/// k.mul_at(0, x, 2, i);
/// k.begin_else();
/// k.end_if();
/// assert_eq!(k.finish().body.len(), 2);
/// ```
#[derive(Debug)]
pub struct Builder {
    /// The places, by number.
    spans: RefCell<Rc<[Span]>>,
    /// What the operators and methods of integers do where they overflow.
    overflow: Overflow,
    state: RefCell<State>,
}

impl Builder {
    /// A builder of a kernel whose text begins on the line `first_line` of `file`. `spans` holds its places, as
    /// [`Definition::spans`] does.
    pub fn new(name: &'static str, file: &'static str, first_line: u32, text: &'static str, spans: &str) -> Self {
        let source = Source { file: Cow::Borrowed(file), first_line, text: Cow::Borrowed(text) };
        let program = Program { name: Cow::Borrowed(name), source, ..Program::default() };
        let open = vec![Open { kind: Opened::Kernel, stmts: Block::new() }];
        let state = RefCell::new(State { program, open, ..State::default() });
        Self { spans: RefCell::new(places(spans)), overflow: Overflow::Wrap, state }
    }

    /// The builder, before it has built anything, of a program whose arithmetic does this where it overflows.
    #[must_use]
    pub fn with_overflow(self, overflow: Overflow) -> Self {
        Self { overflow, ..self }
    }

    /// `launch_bounds(threads)` of the kernel at this place
    pub fn launch_bounds(&self, at: u32, threads: usize) {
        let bounds = LaunchBounds { threads: u32::try_from(threads).unwrap_or(u32::MAX), span: self.span(at) };
        self.state.borrow_mut().program.launch_bounds = Some(bounds);
    }

    /// The builder: a way for the macro to give it a place of more than one token, which rustc shows.
    pub fn here(&self) -> &Self {
        self
    }

    /// The program that was built.
    ///
    /// # Panics
    /// If a block is still open: the macro closes what it opens.
    pub fn finish(self) -> Program {
        self.build_functions();
        self.pass_captures();
        let State { mut program, mut open, lent_elements, copies, passing, .. } = self.state.into_inner();
        match open.pop() {
            Some(Open { kind: Opened::Kernel, stmts }) => program.body = stmts,
            other => unreachable!("the macro closes what it opens: {other:?}"),
        }
        let seen = place::seen_by_others(&program, &lent_elements);
        program.problems.extend(seen);
        let passing: Vec<_> = passing.into_iter().map(|(_, array)| array).collect();
        homes::settle(&mut program, &copies, &passing);
        program
    }

    /// The place with a number; no place if the table does not have it.
    fn span(&self, at: u32) -> Span {
        self.spans.borrow().get(at as usize).copied().unwrap_or_default()
    }

    /// Appends a statement to the innermost open block.
    fn emit(&self, span: Span, kind: StmtKind) {
        let mut state = self.state.borrow_mut();
        match state.open.last_mut() {
            Some(block) => block.stmts.push(Stmt { kind, span }),
            None => unreachable!("the kernel's body is open until `finish`"),
        }
    }

    fn open(&self, kind: Opened) {
        self.state.borrow_mut().open.push(Open { kind, stmts: Block::new() });
    }

    /// Closes the innermost open block.
    fn close(&self) -> Open {
        let mut state = self.state.borrow_mut();
        state.open.pop().unwrap_or_else(|| unreachable!("the kernel's body is open until `finish`"))
    }
}

/// The places of a table as text.
fn places(table: &str) -> Rc<[Span]> {
    let number = |digits: &str| digits.parse().unwrap_or(0);
    let place = |row: &str| {
        let mut numbers = row.split([':', '-']).map(number);
        let mut next = || numbers.next().unwrap_or(0);
        Span::new(next(), next(), next(), next())
    };
    table.split_ascii_whitespace().map(place).collect()
}
