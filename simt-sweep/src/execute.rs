//! A point is run: errors and panics are results, too.

use crate::figures::flat;
use crate::point::Point;
use crate::store::Outcome;
use crate::sweep::{COLUMNS, Sweep};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// Where the last panic of the thread was.
    static PLACE: Cell<Option<String>> = const { Cell::new(None) };
}

/// Keeps the places of panics for the results of points, and has them not printed: of a process that does nothing else.
pub(crate) fn keep_places() {
    panic::set_hook(Box::new(|info| PLACE.set(info.location().map(ToString::to_string))));
}

/// Runs a point.
pub(crate) fn execute(sweep: &Sweep, point: &Point) -> Outcome {
    // What it leaves behind half done is its own: the next point begins anew.
    match panic::catch_unwind(AssertUnwindSafe(|| sweep.measure(point))) {
        Ok(Ok(measured)) => {
            let mut names = flat(&measured).into_iter().map(|(name, _)| name);
            let other = |name: &String| COLUMNS.contains(&name.as_str()) || point.column(name).is_some();
            match names.find(other) {
                Some(name) => Outcome::Failed(format!("the figure `{name}` has the name of another column: rename it")),
                None => Outcome::Done(measured),
            }
        }
        Ok(Err(error)) => Outcome::Failed(error),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a value that is no text");
            let place = PLACE.take().map_or(String::new(), |place| format!(" at {place}"));
            Outcome::Failed(format!("panicked{place}: {text}"))
        }
    }
}
