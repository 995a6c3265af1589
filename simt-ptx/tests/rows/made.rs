//! Instructions made from the table: of each row all choices of each slot, the others at their first.

use simt_ptx::syntax::Type;
use simt_ptx::table::{Becomes, Of, Row, Shape, Slot, groups};

/// A kernel with registers of all types, a label and a list of labels; the instructions stand where the bar is.
pub(crate) const FRAME: &str = ".version 9.0
.target sm_100
.address_size 64
.global .align 16 .b32 data[64];
.func (.param .b32 r) twice(.param .b32 x) { ret; }
.entry kernel(.param .u64 p)
{
    .reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .b128 %rq<8>;
    .reg .f32 %f<8>; .reg .f64 %fd<8>;
    .param .b32 sent, back;
label:
targets: .branchtargets label;
    call (back), twice, (sent);
|
    call (back), twice, (sent);
    ret;
}
";

/// The instructions of a row, without their `;`.
pub(crate) fn instructions(row: &Row) -> Vec<String> {
    let choices: Vec<Vec<Option<&str>>> = row.slots.iter().map(words).collect();
    let mut chosen: Vec<Vec<Option<&str>>> = vec![choices.iter().map(|words| words[0]).collect()];
    for (at, words) in choices.iter().enumerate() {
        for word in &words[1..] {
            let mut other = chosen[0].clone();
            other[at] = *word;
            chosen.push(other);
        }
    }
    // Converted types matter together.
    if row.becomes == Becomes::Convert {
        let types: Vec<usize> = (0..row.slots.len()).filter(|at| matches!(row.slots[*at], Slot::Type(_))).collect();
        for first in &choices[types[0]] {
            for second in &choices[types[1]] {
                let mut other = chosen[0].clone();
                (other[types[0]], other[types[1]]) = (*first, *second);
                chosen.push(other);
            }
        }
    }
    chosen.iter().map(|chosen| instruction(row, &chosen.iter().flatten().copied().collect::<Vec<_>>())).collect()
}

/// What may fill a slot; that nothing does comes first.
fn words(slot: &Slot) -> Vec<Option<&'static str>> {
    match slot {
        Slot::Is(words) => words.iter().copied().map(Some).collect(),
        Slot::May(words) => std::iter::once(None).chain(words.iter().copied().map(Some)).collect(),
        Slot::Type(types) => types.iter().map(|ty| Some(ty.text())).collect(),
        Slot::Rest => vec![None],
    }
}

fn instruction(row: &Row, modifiers: &[&str]) -> String {
    let types: Vec<Type> = modifiers.iter().filter_map(|word| Type::from_text(word)).collect();
    let vector = modifiers.iter().find_map(|word| ["v2", "v4", "v8"].iter().position(|vector| vector == word));
    let of = |of: Of| match of {
        Of::Type(at) => types[at],
        Of::Wide(at) => match types[at] {
            Type::U16 | Type::S16 => Type::B32,
            _ => Type::B64,
        },
        Of::Is(ty) => ty,
    };
    let mut number = 0;
    let operands = row.operands.iter().map(|shape| {
        number += 1;
        let several = |ty: Type| match vector {
            Some(log) => {
                let all: Vec<String> = (0..2_usize << log).map(|at| register(ty, at)).collect();
                format!("{{{}}}", all.join(", "))
            }
            None => register(ty, number),
        };
        match *shape {
            Shape::To(ty) | Shape::ToWider(ty) | Shape::From(ty) | Shape::FromWider(ty) => register(of(ty), number),
            Shape::ToPair(ty) => register(of(ty), number) + "|%p7",
            Shape::ToVector(ty) | Shape::FromVector(ty) => several(of(ty)),
            Shape::Constant(_) => "128".to_string(),
            Shape::Predicate => "%p2".to_string(),
            Shape::MoveTo | Shape::MoveFrom => register(types[0], number),
            Shape::Address if modifiers.contains(&"param") && row.becomes == Becomes::Load => "[back]".to_string(),
            Shape::Address if modifiers.contains(&"param") => "[sent]".to_string(),
            Shape::Address => "[%rd7]".to_string(),
            Shape::Label => "label".to_string(),
            Shape::Targets => "targets".to_string(),
            Shape::Call => "(back), twice, (sent)".to_string(),
            Shape::Anything => String::new(),
        }
    });
    let operands: Vec<String> = operands.collect();
    let name: Vec<&str> = std::iter::once(row.name).chain(modifiers.iter().copied()).collect();
    format!("{} {}", name.join("."), operands.join(", "))
}

/// A register that may stand where a type is.
fn register(ty: Type, number: usize) -> String {
    let file = match ty {
        Type::Pred => "p",
        Type::F32 => "f",
        Type::F64 => "fd",
        _ if ty.bits() <= 16 => "rs",
        _ if ty.bits() == 32 => "r",
        _ if ty.bits() == 64 => "rd",
        _ => "rq",
    };
    format!("%{file}{}", number % 8)
}

/// The rows that are not out of scope.
pub(crate) fn supported() -> impl Iterator<Item = &'static Row> {
    groups().flat_map(|(_, rows)| rows).filter(|row| !matches!(row.becomes, Becomes::Unsupported(_)))
}
