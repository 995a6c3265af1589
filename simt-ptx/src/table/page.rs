//! The table as a page.

use super::groups;
use super::row::{Becomes, Of, Row, Shape, Slot};
use std::fmt;

impl fmt::Display for Row {
    /// The row as one line: what is in `[]` may be there, of what is in `{}` one must be.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for slot in self.slots {
            let words: Vec<String> = super::words(slot).map(|word| format!(".{word}")).collect();
            match (slot, &words[..]) {
                (Slot::Rest, _) => f.write_str("...")?,
                (Slot::May(_), _) => write!(f, "[{}]", words.join(" "))?,
                (_, [one]) => f.write_str(one)?,
                _ => write!(f, "{{{}}}", words.join(" "))?,
            }
        }
        let mut letters = "abcefg".chars();
        for (at, shape) in self.operands.iter().enumerate() {
            write!(f, "{} {}", if at == 0 { "" } else { "," }, shape.shown(&mut letters))?;
        }
        Ok(())
    }
}

impl Shape {
    /// What stands for such an operand in a line: `d` is written, `p` a predicate, other letters are read.
    pub(crate) fn shown(self, letters: &mut std::str::Chars<'_>) -> String {
        match self {
            Shape::To(Of::Is(crate::syntax::Type::Pred)) => "q".to_string(),
            Shape::To(_) | Shape::ToWider(_) | Shape::MoveTo | Shape::ToVector(_) => "d".to_string(),
            Shape::ToPair(Of::Is(crate::syntax::Type::Pred)) => "q|r".to_string(),
            Shape::ToPair(_) => "d|q".to_string(),
            Shape::From(_) | Shape::FromWider(_) | Shape::FromVector(_) | Shape::MoveFrom => {
                letters.next().unwrap_or('x').to_string()
            }
            Shape::Constant(_) => "1".to_string(),
            Shape::Predicate => "p".to_string(),
            Shape::Address => "[address]".to_string(),
            Shape::Label => "label".to_string(),
            Shape::Targets => "targets".to_string(),
            Shape::Call => "(results), function, (arguments)[, prototype]".to_string(),
            Shape::Anything => "...".to_string(),
        }
    }
}

/// The table in Markdown: a section for each group, a line for each row.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "Of what stands in `[]` one may be there, of what stands in `{}` one must be; `...` is whatever stands there. Results \
         are `d`, or `q` if they are predicates; predicates that are read are `p`.\n",
    );
    for (group, rows) in groups() {
        page += &format!("\n## {}{}\n\n| form | becomes |\n|---|---|\n", &group[..1].to_uppercase(), &group[1..]);
        for row in rows {
            // A bar would end the cell.
            let form = row.to_string().replace('|', "\\|");
            let becomes = match row.becomes {
                Becomes::Unsupported(reason) => format!("out of scope: {reason}"),
                becomes => format!("`{becomes:?}`"),
            };
            page += &format!("| `{form}` | {becomes} |\n");
        }
    }
    page
}
