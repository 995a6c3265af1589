//! Values by which a derived `==` or `<` is told from one that is written by hand: pairs of them, and what a derived one says.
//!
//! Nothing but what it does tells the two apart. So the pairs are those on which what people write differs from what they
//! derive: numbers of one remainder, letters in both cases, opposite numbers, neighbours, fields in another order.

use super::shape::{self, Choice, Scalars};
use crate::scalar::ScalarType;
use std::cmp::Ordering;

/// The bits of each scalar of a value, and of a tag its variant's sample.
pub(super) type Sample = Vec<u64>;

/// What values of a type consist of.
pub(super) struct Kinds {
    pub(super) types: Vec<ScalarType>,
    /// Their scalars; those that have a comparison of their own are one.
    pub(super) units: Vec<Scalars>,
}

/// How many scalars all samples of a type have together, about: as many as take some milliseconds.
const SCALARS: usize = 100_000;

impl Kinds {
    /// A value of which each scalar is `fill`, but where a tag is needed for the scalar `at` to be there.
    pub(super) fn filled(&self, fill: u64, at: Option<&Scalars>) -> Sample {
        let mut sample: Sample = self.types.iter().map(|&ty| of_number(ty, fill)).collect();
        for unit in &self.units {
            if let Some(variant) = unit.variants.get(fill as usize % unit.variants.len().max(1)) {
                sample[unit.first as usize] = variant.sample;
            }
        }
        for (tag, variant) in at.iter().flat_map(|unit| &unit.guards) {
            sample[*tag as usize] = variant.sample;
        }
        sample
    }

    /// One value for each variant that there is.
    pub(super) fn variants(&self) -> Vec<Sample> {
        let each = self.units.iter().flat_map(|unit| {
            unit.variants.iter().map(|variant| {
                let mut sample = self.filled(0, Some(unit));
                sample[unit.first as usize] = variant.sample;
                sample
            })
        });
        [self.filled(0, None)].into_iter().chain(each).collect()
    }

    /// Shows pairs of values until one is not as it should be.
    pub(super) fn all_pairs(&self, is_right: &mut dyn FnMut(&Sample, &Sample) -> bool) -> bool {
        let scalars: Vec<&Scalars> = self.units.iter().filter(|unit| unit.own.is_none()).collect();
        let most = SCALARS / (self.types.len() * self.types.len()).max(1);
        let mut both = |a: &Sample, b: &Sample| is_right(a, b) && is_right(b, a);
        scalars.iter().all(|unit| self.pairs_of(unit, most.max(40), &mut both))
            && (0..scalars.len()).all(|at| {
                // Where there are many fields, those that stand side by side.
                let others = scalars.len().min(at + 1 + (most / 8).max(1));
                scalars[at + 1..others].iter().all(|other| self.crossed(scalars[at], other, &mut both))
            })
            && self.random(most.clamp(20, 400), &mut both)
    }

    /// Values that differ in one scalar.
    fn pairs_of(&self, unit: &Scalars, most: usize, both: &mut dyn FnMut(&Sample, &Sample) -> bool) -> bool {
        let at = unit.first as usize;
        let pairs: Vec<(u64, u64)> = match &unit.variants[..] {
            [] => pairs(self.types[at]).into_iter().take(most).collect(),
            variants => {
                let all = variants.iter().take(40);
                all.clone().flat_map(|a| all.clone().map(|b| (a.sample, b.sample))).collect()
            }
        };
        // Around it, other scalars are these.
        [0, 1, 2, 3].into_iter().all(|fill| {
            let few = if fill == 0 { pairs.len() } else { pairs.len().min(60) };
            pairs[..few].iter().all(|&(a, b)| {
                let [mut left, mut right] = [self.filled(fill, Some(unit)), self.filled(fill, Some(unit))];
                (left[at], right[at]) = (a, b);
                both(&left, &right)
            })
        })
    }

    /// Values that differ in two scalars.
    fn crossed(&self, one: &Scalars, other: &Scalars, both: &mut dyn FnMut(&Sample, &Sample) -> bool) -> bool {
        if !one.variants.is_empty() || !other.variants.is_empty() {
            return true;
        }
        let [i, j] = [one, other].map(|unit| unit.first as usize);
        [(0, 1), (1, 2), (2, 6), (3, 1)].into_iter().all(|(a, b)| {
            let with = |first: u64, second: u64| {
                let mut sample = self.filled(0, Some(one));
                for (tag, variant) in &other.guards {
                    sample[*tag as usize] = variant.sample;
                }
                sample[i] = of_number(self.types[i], first);
                sample[j] = of_number(self.types[j], second);
                sample
            };
            both(&with(a, b), &with(b, a)) && both(&with(a, b), &with(2 * a, 2 * b)) && both(&with(b, b), &with(a, b))
        })
    }

    /// Values by chance, the same each time.
    fn random(&self, count: usize, both: &mut dyn FnMut(&Sample, &Sample) -> bool) -> bool {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..count).all(|number| {
            let mut draw = || -> Sample {
                let fill = next() % 4;
                let mut sample = self.filled(fill, None);
                for unit in self.units.iter().filter(|unit| unit.own.is_none()) {
                    let (at, drawn) = (unit.first as usize, next());
                    sample[at] = match unit.variants.len() as u64 {
                        0 if number % 2 == 0 => of_number(self.types[at], drawn % 4),
                        0 => of_number(self.types[at], drawn),
                        variants => unit.variants[(drawn % variants) as usize].sample,
                    };
                }
                sample
            };
            let (a, b) = (draw(), draw());
            both(&a, &b)
        })
    }

    /// Whether a derived `==` holds.
    pub(super) fn are_equal(&self, a: &Sample, b: &Sample) -> bool {
        self.order(a, b) == Some(Ordering::Equal)
    }

    /// What a derived `partial_cmp` says; types that have their own are equal.
    pub(super) fn order(&self, a: &Sample, b: &Sample) -> Option<Ordering> {
        for unit in &self.units {
            let is_there = unit.guards.iter().all(|(tag, variant)| a[*tag as usize] == variant.sample);
            if unit.own.is_some() || !is_there {
                continue;
            }
            let at = unit.first as usize;
            let order = match &unit.variants[..] {
                [] => order_of_scalars(self.types[at], a[at], b[at])?,
                variants => {
                    let ascending = ascending(self.types[at], variants);
                    let [a, b] = [a, b].map(|of| ascending.iter().position(|variant| variant.sample == of[at]));
                    a.cmp(&b)
                }
            };
            if order.is_ne() {
                return Some(if unit.reversed { order.reverse() } else { order });
            }
        }
        Some(Ordering::Equal)
    }
}

/// The variants in their order: by discriminant, but `Ok` before `Err`.
fn ascending(ty: ScalarType, variants: &[Choice]) -> Vec<Choice> {
    let mut variants = variants.to_vec();
    if ty != ScalarType::Bool {
        variants.sort_by_key(|variant| shape::number(ty, variant.tag));
    }
    variants
}

fn order_of_scalars(ty: ScalarType, a: u64, b: u64) -> Option<Ordering> {
    match ty {
        ScalarType::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        ScalarType::F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        // Of halves, samples are numbers above zero.
        _ => Some(shape::number(ty, a).cmp(&shape::number(ty, b))),
    }
}

/// The bits of a number, as far as the type has it.
fn of_number(ty: ScalarType, number: u64) -> u64 {
    match ty {
        ScalarType::Bool => number & 1,
        ScalarType::F32 => u64::from((number as f32).to_bits()),
        ScalarType::F64 => (number as f64).to_bits(),
        ty if ty.is_half() => number & 0x3fff,
        ty => number & mask(ty),
    }
}

fn mask(ty: ScalarType) -> u64 {
    u64::MAX >> (64 - ty.bits())
}

/// Pairs of bits of a type, the telling ones first.
fn pairs(ty: ScalarType) -> Vec<(u64, u64)> {
    let mut pairs = Vec::new();
    match ty {
        ScalarType::Bool => pairs.extend([(0, 0), (0, 1), (1, 1)]),
        ScalarType::F32 => {
            pairs.extend(floats().map(|(a, b)| ((a as f32).to_bits().into(), (b as f32).to_bits().into())));
        }
        ScalarType::F64 => pairs.extend(floats().map(|(a, b)| (a.to_bits(), b.to_bits()))),
        ty if ty.is_half() => pairs.extend((0..64).map(|bit| (0x3c00, (0x3c00 + bit * 7) & 0x7bff))),
        _ => pairs.extend(integers(ty)),
    }
    pairs
}

/// Numbers of one remainder, with the bits of which one differs, opposite ones, and letters.
fn integers(ty: ScalarType) -> impl Iterator<Item = (u64, u64)> {
    let (mask, bits) = (mask(ty), u64::from(ty.bits()));
    let small = (0..5_u64).flat_map(|a| (a..5).map(move |b| (a, b)));
    let opposite = [1, 2, 3, 5, 100].map(|number: u64| (number, number.wrapping_neg()));
    // The product divides by all numbers up to 22.
    let ends = [(0, mask), (0, mask >> 1), (mask >> 1, (mask >> 1) + 1), (mask, mask - 1), (0, 232_792_560)];
    let flipped = [0, b'c', b'X', b'0'].map(u64::from).into_iter().chain([mask, mask / 3]);
    let flipped = flipped.flat_map(move |a| (0..bits).map(move |bit| (a, a ^ 1 << bit)));
    let remainders = (1..=128_u64).map(|number| (0, number)).chain((1..=128).map(|number| (1, 1 + number)));
    let letters = (b'a'..=b'z').map(|letter| (u64::from(letter), u64::from(letter.to_ascii_uppercase())));
    let decimal = [10, 100, 256, 365, 360, 1000, 1024, 3600, 4096, 10_000, 65_536, 86_400, 1_000_000];
    let decimal = decimal.into_iter().flat_map(|number| [(0, number), (1, number + 1), (number, number - 1)]);
    let all = small.chain(opposite).chain(ends).chain(flipped).chain(letters).chain(remainders).chain(decimal);
    all.map(move |(a, b)| (a & mask, b & mask))
}

/// Floats that are near, opposite, of one whole part, and none.
fn floats() -> impl Iterator<Item = (f64, f64)> {
    let small = (0..4).flat_map(|a| (a..4).map(move |b| (f64::from(a), f64::from(b))));
    let special = [
        (0.0, -0.0),
        (f64::NAN, f64::NAN),
        (f64::NAN, 1.0),
        (f64::INFINITY, f64::INFINITY),
        (f64::INFINITY, f64::NEG_INFINITY),
        (1e30, f64::INFINITY),
        (1.0, 1.000_000_2),
        (0.0, 1e-40),
        (0.0, 1e-30),
        (1.25, 1.75),
        (1.2, 1.3),
    ];
    let opposite = [1.0, 2.5, 1e-3, 1e9].map(|number: f64| (number, -number));
    let near = (-12..=6).flat_map(|power| {
        let step = 10_f64.powi(power);
        [(0.0, step), (1.0, 1.0 + step), (-1.0, -1.0 - step)]
    });
    let turns = [360.0, 180.0, 90.0, std::f64::consts::PI, std::f64::consts::TAU].map(|turn| (0.0, turn));
    special.into_iter().chain(small).chain(opposite).chain(near).chain(turns)
}
