//! Where instructions are from, by the `.loc` in front of them.

use super::walk;
use crate::syntax::{Function, FunctionKind, Location, StatementKind};
use simt_core::source::Span;
use std::collections::HashMap;

/// The number of a file, a line and a column.
type Place = (u32, u32, u32);

/// Most calls that are inlined in each other and followed outwards.
const DEEP: usize = 64;

/// The places of the instructions of a body, in one file of what a module was compiled from.
#[derive(Default)]
pub(super) struct Located {
    /// The number of the file; none if the module's own text is shown.
    pub(super) file: Option<u32>,
    /// Of each place the call that was inlined there last.
    inlined: HashMap<Place, Place>,
    at: Span,
}

impl Located {
    /// Those of a function: in the file that is shown if any of it is from there, else in its own. A kernel is shown with the file
    /// that was asked for.
    pub(super) fn of(function: &Function, shown: Option<u32>) -> Self {
        let in_file = |file| Self { file, ..Self::default() };
        let Some(body) = function.body.as_ref().filter(|_| shown.is_some() && function.kind == FunctionKind::Func)
        else {
            return in_file(shown);
        };
        let (mut located, mut is_shown, mut own) = (in_file(shown), false, None);
        walk(&body.statements, &mut |statement| {
            if let StatementKind::Location(location) = &statement.kind {
                located.locate(location);
                is_shown |= located.at.is_known();
                own = own.or((location.line > 0).then_some(location.file));
            }
        });
        in_file(if is_shown { shown } else { own.or(shown) })
    }

    /// Takes the place of a `.loc`, or of the call that was inlined there, which may be inlined itself. What is in the file by
    /// neither has no place.
    pub(super) fn locate(&mut self, location: &Location) {
        let place = (location.file, location.line, location.column);
        if let Some(call) = location.inlined_at {
            self.inlined.insert(place, call);
        }
        // Line 0 is what the compiler has added to what stands before.
        if Some(location.file) == self.file && location.line == 0 {
            return;
        }
        let calls = std::iter::successors(location.inlined_at, |call| self.inlined.get(call).copied()).take(DEEP);
        let found = std::iter::once(place).chain(calls).find(|&(file, line, _)| Some(file) == self.file && line > 0);
        self.at = found.map_or(Span::default(), |(_, line, column)| {
            let column = column.max(1);
            Span::new(line, column, line, column + 1)
        });
    }

    /// Where the instructions that follow are from.
    pub(super) fn at(&self) -> Span {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of places, each with the call that is inlined there, in file 1.
    fn lines(places: &[(Place, Option<Place>)]) -> Vec<u32> {
        let mut located = Located { file: Some(1), ..Located::default() };
        let line = |&((file, line, column), inlined_at): &(Place, Option<Place>)| {
            located.locate(&Location { file, line, column, function: None, inlined_at });
            located.at().line
        };
        places.iter().map(line).collect()
    }

    #[test]
    fn what_is_inlined_is_where_the_outermost_call_in_the_file_is() {
        assert_eq!(lines(&[((1, 7, 5), None), ((1, 0, 5), None), ((2, 3, 1), None), ((1, 8, 0), None)]), [7, 7, 0, 8]);
        assert_eq!(lines(&[((2, 3, 1), Some((1, 9, 2)))]), [9]);
        // Of another file, of which something of this file is called.
        assert_eq!(lines(&[((1, 4, 1), Some((2, 9, 2)))]), [4]);
        let (inner, outer) = ((2, 5, 1), (2, 6, 1));
        assert_eq!(lines(&[(outer, Some((1, 9, 2))), (inner, Some(outer))]), [9, 9]);
        assert_eq!(lines(&[(outer, Some((1, 9, 2))), (outer, None), (inner, Some((3, 1, 1)))]), [9, 0, 0]);
        // A circle, which no compiler writes.
        assert_eq!(lines(&[(outer, Some(inner)), (inner, Some(outer))]), [0, 0]);
    }
}
