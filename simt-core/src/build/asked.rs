//! What a type's comparisons are, asked of the host's: as derived, or those of a `#[device] impl`.
//!
//! A function that is generic says `T: PartialOrd`, and tuples, arrays, options and derived structs compare their parts by the
//! parts' comparisons. Only the host's traits lead from there to an `impl`. So while a question is asked, the host's `eq` of a
//! `#[device] impl` does not compare: it says which it is, and that its operands are equal.

use super::arena::Operand;
use super::layout::{HasLayout, Layout};
use super::samples::{Kinds, Sample};
use super::shape::{Scalars, Shape};
use super::{Builder, Composite};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::any::TypeId;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Which of the host's traits is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    Equality,
    /// `PartialOrd`
    Partial,
    /// `Ord`
    Total,
}

/// Emits the call of a comparison: a `bool`, an `Option<Ordering>` or an `Ordering` of two values that are pinned.
pub(super) type Call = fn(&Builder, Span, Operand, Operand) -> Operand;

/// What has been found out of a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Compared {
    /// Whether it is a derived one, but for types in it that have their own.
    pub(super) is_derived: bool,
    /// These types, and their comparisons.
    pub(super) own: Rc<[(TypeId, Call)]>,
}

impl Compared {
    pub(super) fn call(&self, of: TypeId) -> Option<Call> {
        self.own.iter().find(|(own, _)| *own == of).map(|(_, call)| *call)
    }
}

struct Question {
    comparison: Comparison,
    /// Where the operands are.
    left: RangeInclusive<usize>,
    right: RangeInclusive<usize>,
    found: Vec<(TypeId, Call)>,
    /// These types, and whether their comparison was asked the other way round, as a `Reverse` does.
    ways: Vec<(TypeId, bool)>,
    /// A comparison was asked of other operands than a derived one asks it of.
    is_amiss: bool,
}

// The host's `eq` has no other way to be told. Results do not depend on it: what is known of a type is always the same.
thread_local! {
    static QUESTION: RefCell<Option<Question>> = const { RefCell::new(None) };
    static KNOWN: RefCell<HashMap<(TypeId, Comparison), Compared>> = RefCell::new(HashMap::new());
}

/// Answers a question, if one is asked: that the operands' type has this comparison.
pub(super) fn answer<T: Composite>(comparison: Comparison, a: &T, b: &T, call: Call) -> bool {
    answer_of(comparison, [std::ptr::from_ref(a).addr(), std::ptr::from_ref(b).addr()], (TypeId::of::<T>(), call))
}

fn answer_of(comparison: Comparison, [a, b]: [usize; 2], found: (TypeId, Call)) -> bool {
    let answered = QUESTION.try_with(|question| {
        let Ok(mut question) = question.try_borrow_mut() else { return false };
        let Some(question) = &mut *question else { return false };
        let place = |address: usize, of: &RangeInclusive<usize>| of.contains(&address).then(|| address - of.start());
        let straight = (place(a, &question.left), place(b, &question.right));
        let reversed = (place(a, &question.right), place(b, &question.left));
        let way = match (straight, reversed) {
            ((Some(a), Some(b)), _) if a == b => Some((found.0, false)),
            (_, (Some(a), Some(b))) if a == b => Some((found.0, true)),
            _ => None,
        };
        match way {
            Some(way) if question.comparison == comparison => {
                if !question.ways.contains(&way) {
                    question.ways.push(way);
                }
                if !question.found.iter().any(|(of, _)| *of == found.0) {
                    question.found.push(found);
                }
            }
            _ => question.is_amiss = true,
        }
        true
    });
    answered.unwrap_or(false)
}

/// What the host says of a pair of values.
enum Said {
    IsEqual(bool),
    Order(Option<Ordering>),
    /// What its functions say does not agree.
    Nonsense,
}

type Ask<'a> = &'a dyn Fn(&Sample, &Sample) -> Said;

/// Asks about a pair of values; the question is then the answered one.
fn asked<T: Composite>(comparison: Comparison, a: &Sample, b: &Sample, compare: fn(&T, &T) -> Said) -> Said {
    let (a, b) = (T::made(&mut bits_of(a)), T::made(&mut bits_of(b)));
    begin(comparison, [std::ptr::from_ref(&a).addr(), std::ptr::from_ref(&b).addr()], size_of::<T>());
    compare(&a, &b)
}

fn bits_of(sample: &Sample) -> impl FnMut(ScalarType) -> u64 {
    let mut bits = sample.iter();
    move |_| bits.next().copied().unwrap_or_default()
}

/// From here on, a question is asked about operands of that size at these addresses.
fn begin(comparison: Comparison, operands: [usize; 2], size: usize) {
    let [left, right] = operands.map(|address| address..=address + size);
    QUESTION.with_borrow_mut(|question| {
        let found = question.take().map(|question| (question.found, question.ways, question.is_amiss));
        let (found, ways, is_amiss) = found.unwrap_or_default();
        *question = Some(Question { comparison, left, right, found, ways, is_amiss });
    });
}

/// What is known of a type, or found out now.
fn known<T: Composite>(comparison: Comparison, ask: Ask<'_>) -> Compared {
    known_of(comparison, TypeId::of::<T>(), T::LAYOUT, ask)
}

fn known_of(comparison: Comparison, of: TypeId, layout: &Layout, ask: Ask<'_>) -> Compared {
    // Whose values have one scalar, which is the value.
    if layout.scalar().is_some() {
        return Compared { is_derived: true, own: Rc::default() };
    }
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&(of, comparison)).cloned()) {
        return known;
    }
    let (shape, types) = (layout.shape(), layout.types().to_vec());
    // A derived comparison does not panic.
    let compared = catch_unwind(AssertUnwindSafe(|| found_out(&shape, types, ask))).unwrap_or_default();
    QUESTION.with_borrow_mut(Option::take);
    KNOWN.with_borrow_mut(|known| known.insert((of, comparison), compared.clone()));
    compared
}

fn found_out(shape: &Shape, types: Vec<ScalarType>, ask: Ask<'_>) -> Compared {
    let mut kinds = Kinds { types, units: shape.scalars() };
    for sample in kinds.variants() {
        ask(&sample, &sample);
    }
    let found = || {
        let found = QUESTION
            .with_borrow(|question| question.as_ref().map(|question| (question.found.clone(), question.is_amiss)));
        found.unwrap_or_default()
    };
    let own: Rc<[(TypeId, Call)]> = found().0.into();
    kinds.units = shape.units(&|of| own.iter().any(|(own, _)| *own == of));
    let is_derived = kinds.all_pairs(&mut |a, b| match ask(a, b) {
        Said::IsEqual(equal) => equal == kinds.are_equal(a, b),
        Said::Order(order) => order == kinds.order(a, b),
        Said::Nonsense => false,
    });
    let is_as_nested = QUESTION.with_borrow(|question| {
        let ways = question.iter().flat_map(|question| question.ways.iter().map(|way| (question.comparison, *way)));
        ways.into_iter().all(|(comparison, (of, reversed))| {
            // Whether two are equal, a `Reverse` does not ask the other way round.
            let is_it = |unit: &Scalars| (unit.reversed && comparison != Comparison::Equality) == reversed;
            kinds.units.iter().any(|unit| unit.own == Some(of) && is_it(unit))
        })
    });
    let (found, is_amiss) = found();
    Compared { is_derived: is_derived && is_as_nested && !is_amiss && found.len() == own.len(), own }
}

/// What `==` of a type is.
pub(super) fn equality<T: Composite + PartialEq>() -> Compared {
    let compare = |a: &T, b: &T| match a == b {
        equal if (a != b) == equal => Said::Nonsense,
        equal => Said::IsEqual(equal),
    };
    let ask = |a: &Sample, b: &Sample| asked::<T>(Comparison::Equality, a, b, compare);
    known::<T>(Comparison::Equality, &ask)
}

/// What `<` of a type is.
pub(super) fn partial_order<T: Composite + PartialOrd>() -> Compared {
    let compare = |a: &T, b: &T| {
        let order = a.partial_cmp(b);
        let agrees = (a < b) == (order == Some(Ordering::Less)) && (a >= b) == order.is_some_and(Ordering::is_ge);
        if agrees { Said::Order(order) } else { Said::Nonsense }
    };
    let ask = |a: &Sample, b: &Sample| asked::<T>(Comparison::Partial, a, b, compare);
    known::<T>(Comparison::Partial, &ask)
}

/// What `cmp` of a type is.
pub(super) fn total_order<T: Composite + Ord>() -> Compared {
    let ask = |a: &Sample, b: &Sample| asked::<T>(Comparison::Total, a, b, |a, b| Said::Order(Some(a.cmp(b))));
    known::<T>(Comparison::Total, &ask)
}
