//! Whether two codes are the same but for their source. Used by the tests of another crate, too.

use simt_core::code::{Code, Inst, TableId, ValuesId};
use simt_core::program::{Message, MessageId, Piece};
use simt_core::{Source, Span};

/// The code without its text, its messages, values and tables numbered as they are used.
fn essence(code: &Code) -> Code {
    let mut code = code.clone();
    code.source = Source::default();
    code.functions.iter_mut().for_each(|function| function.source = Source::default());
    code.spans.fill(Span::default());
    code.params.iter_mut().for_each(|param| param.span = Span::default());
    code.arrays.iter_mut().for_each(|array| array.span = Span::default());
    code.symbols.iter_mut().for_each(|symbol| symbol.span = Span::default());
    let (mut messages, mut values, mut tables) = (Vec::new(), Vec::new(), Vec::new());
    for inst in &mut code.insts {
        match inst {
            Inst::Print { message, values: shown, .. } | Inst::Panic { message, values: shown } => {
                messages.push(joined(&code.messages[message.0 as usize]));
                values.push(code.values[shown.0 as usize].clone());
                *message = MessageId(messages.len() as u32 - 1);
                *shown = ValuesId(values.len() as u32 - 1);
            }
            Inst::Indirect { table, .. } => {
                tables.push(code.tables[table.0 as usize].clone());
                *table = TableId(tables.len() as u32 - 1);
            }
            _ => {}
        }
    }
    Code { messages, values, tables, ..code }
}

/// The message, its texts in as few pieces as can be.
fn joined(message: &Message) -> Message {
    let mut pieces: Vec<Piece> = Vec::new();
    for piece in &message.pieces {
        match (pieces.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => *before = format!("{before}{text}").into(),
            (_, piece) => pieces.push(piece.clone()),
        }
    }
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    Message { pieces }
}

/// That two codes are the same, and print the same, but for the source, which is in comments.
#[track_caller]
pub(crate) fn check(code: &Code, read: &Code) {
    let (code, read) = (essence(code), essence(read));
    let text = code.to_string();
    assert_eq!(text, read.to_string());
    // One by one, because a message with all at once cannot be read.
    assert_eq!((&code.name, &code.params), (&read.name, &read.params), "\n{text}");
    assert_eq!((&code.functions, &code.arrays), (&read.functions, &read.arrays), "\n{text}");
    for (number, (code, read)) in code.registers.iter().zip(&read.registers).enumerate() {
        assert_eq!(code, read, "register {number}\n{text}");
    }
    for (pc, (code, read)) in code.insts.iter().zip(&read.insts).enumerate() {
        assert_eq!(code, read, "@{pc}\n{text}");
    }
    assert_eq!((&code.symbols, &code.modifiers), (&read.symbols, &read.modifiers), "\n{text}");
    assert_eq!((&code.messages, &code.values), (&read.messages, &read.values), "\n{text}");
    assert!(code == read, "the codes differ\n{text}");
}
