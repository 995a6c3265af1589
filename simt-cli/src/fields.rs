//! Structs that are passed by value, field by field: `struct:u32:1024,buf:f32:1024=iota`.
//!
//! Fields lie as C lays them out: each at a multiple of its size, a struct at one of its largest field's, which its size is, too.

use crate::argument::{self, Buffer, Given};
use crate::failure::Failure;
use crate::values::{bits, size};
use simt::core::ScalarType;

/// Bytes of an address.
const ADDRESS: usize = 8;

/// How deep structs nest.
const DEEPEST: usize = 16;

const FORMS: &str = "struct:u32:5,f32:0.5,buf:f32:1024=iota, with a type for each number, and (..) for a struct in it";

/// The fields of a struct, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fields(Vec<Field>);

#[derive(Clone, Debug, PartialEq)]
enum Field {
    Number(ScalarType, u64),
    /// The address of a buffer.
    Buffer(Buffer),
    Bytes(Vec<u8>),
    Struct(Fields),
}

impl Field {
    fn align(&self) -> usize {
        match self {
            Self::Number(ty, _) => size(*ty),
            Self::Buffer(_) => ADDRESS,
            Self::Bytes(_) => 1,
            Self::Struct(fields) => fields.align(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Number(ty, _) => size(*ty),
            Self::Buffer(_) => ADDRESS,
            Self::Bytes(bytes) => bytes.len(),
            Self::Struct(fields) => fields.size(),
        }
    }

    /// What it is, for a list of them.
    fn described(&self) -> String {
        match self {
            Self::Number(ty, _) => ty.name().to_string(),
            Self::Buffer(_) => "an address".to_string(),
            Self::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Self::Struct(fields) => format!("a struct of {} bytes", fields.size()),
        }
    }
}

impl Fields {
    /// Reads what stands behind `struct:`.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        Self::nested(text, 0)
    }

    fn nested(text: &str, depth: usize) -> Result<Self, Failure> {
        if depth == DEEPEST {
            return Err(Failure::usage(format!(
                "structs in structs are deeper than {DEEPEST}: write their fields in a row"
            )));
        }
        split(text)?.into_iter().map(|field| of_text(field, depth)).collect::<Result<_, _>>().map(Self)
    }

    /// How many bytes it has.
    pub(crate) fn size(&self) -> usize {
        self.bytes(&mut std::iter::repeat(0)).len()
    }

    fn align(&self) -> usize {
        self.0.iter().map(Field::align).max().unwrap_or(1)
    }

    /// Its bytes, with the addresses of its buffers in their order.
    pub(crate) fn bytes(&self, addresses: &mut dyn Iterator<Item = u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for field in &self.0 {
            bytes.resize(bytes.len().next_multiple_of(field.align()), 0);
            match field {
                Field::Number(ty, bits) => bytes.extend(&bits.to_le_bytes()[..size(*ty)]),
                Field::Buffer(_) => bytes.extend(addresses.next().unwrap_or(0).to_le_bytes()),
                Field::Bytes(own) => bytes.extend(own),
                Field::Struct(fields) => bytes.extend(fields.bytes(addresses)),
            }
        }
        bytes.resize(bytes.len().next_multiple_of(self.align()), 0);
        bytes
    }

    /// Where each field begins.
    fn places(&self) -> Vec<usize> {
        let mut end = 0_usize;
        let place = |field: &Field| {
            let at = end.next_multiple_of(field.align());
            end = at + field.size();
            at
        };
        self.0.iter().map(place).collect()
    }

    /// Its buffers in their order, each with the byte at which its address lies.
    pub(crate) fn buffers(&self) -> Vec<(usize, &Buffer)> {
        let mut buffers = Vec::new();
        for (at, field) in self.places().into_iter().zip(&self.0) {
            match field {
                Field::Buffer(buffer) => buffers.push((at, buffer)),
                Field::Struct(fields) => {
                    buffers.extend(fields.buffers().into_iter().map(|(own, buffer)| (at + own, buffer)));
                }
                Field::Number(..) | Field::Bytes(_) => {}
            }
        }
        buffers
    }

    /// What lies where.
    pub(crate) fn described(&self) -> String {
        let places = self.places().into_iter().zip(&self.0);
        places.map(|(at, field)| format!("{} at {at}", field.described())).collect::<Vec<_>>().join(", ")
    }
}

/// The fields between commas, but for those of structs among them.
fn split(text: &str) -> Result<Vec<&str>, Failure> {
    let (mut fields, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let unbalanced = || Failure::usage(format!("the parentheses of `{text}` do not match: write {FORMS}"));
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or_else(unbalanced)?,
            ',' if depth == 0 => {
                fields.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    fields.push(&text[start..]);
    if depth == 0 { Ok(fields) } else { Err(unbalanced()) }
}

fn of_text(text: &str, depth: usize) -> Result<Field, Failure> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        return Fields::nested(inner, depth + 1).map(Field::Struct);
    }
    match argument::parse(text)? {
        Given::Number { ty: Some(ty), text } => Ok(Field::Number(ty, bits(ty, &text).map_err(Failure::usage)?)),
        Given::Number { .. } => Err(Failure::usage(format!("the field `{text}` has no type: write {FORMS}"))),
        Given::Buffer(buffer) => Ok(Field::Buffer(buffer)),
        Given::Bytes(bytes) => Ok(Field::Bytes(bytes)),
        Given::Struct(_) => Err(Failure::usage(format!("a struct in a struct stands in parentheses: write {FORMS}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(text: &str) -> Vec<u8> {
        Fields::parse(text).unwrap().bytes(&mut [0x0102_0304_0506_0708, 9].into_iter())
    }

    #[test]
    fn fields_lie_as_c_lays_them_out() {
        assert_eq!(laid("u8:1,u32:2"), [1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(laid("u32:2,u8:1"), [2, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(laid("u16:7,bool:1,bytes:aabb,i8:-1"), [7, 0, 1, 0xaa, 0xbb, 0xff]);
        assert_eq!(laid("u32:1,buf:f32:4=zero")[8..], [8, 7, 6, 5, 4, 3, 2, 1]);
        // The inner struct has eight bytes behind its last field, and so does the outer one.
        let nested = "u8:1,(f64:1,u32:2),u8:3";
        assert_eq!((laid(nested).len(), laid(nested)[16], laid(nested)[24]), (32, 2, 3));
        let fields = Fields::parse("u8:1,(u32:2,buf:f32:4),out:u8:1").unwrap();
        assert_eq!(fields.buffers().iter().map(|(at, _)| *at).collect::<Vec<_>>(), [16, 24]);
        assert_eq!(fields.described(), "u8 at 0, a struct of 16 bytes at 8, an address at 24");
        assert_eq!(fields.size(), 32);
    }

    #[test]
    fn what_is_no_struct_says_what_to_write() {
        for (text, part) in [
            ("5", "the field `5` has no type"),
            ("", "the field `` has no type"),
            ("u32:5,", "the field `` has no type"),
            ("(u32:5", "parentheses"),
            ("u32:5)", "parentheses"),
            ("struct:u32:5", "stands in parentheses"),
            ("u8:300", "300 is no u8"),
            ("f16:1", "`f16` begins no argument"),
            ("buf:f32:many", "`many` is no count"),
            (&("(".repeat(20) + "u8:1" + &")".repeat(20)), "deeper than 16"),
        ] {
            let error = Fields::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
