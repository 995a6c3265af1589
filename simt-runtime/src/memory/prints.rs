//! The lines that threads print.

/// Most lines that a launch keeps.
const LIMIT: usize = 1 << 20;

/// The lines that threads have printed.
///
/// They are listed by block, then by thread, then by time: policies run threads in different orders, and the list must be
/// the same under all. For the same reason, if there are too many, the list's first lines are kept and not those printed
/// first.
#[derive(Debug, Default)]
pub(crate) struct Prints {
    lines: Vec<Line>,
    dropped: usize,
    limit: usize,
    block: usize,
    /// Threads of the block before the warp that runs.
    first: usize,
    width: usize,
}

#[derive(Debug)]
struct Line {
    block: usize,
    thread: usize,
    text: String,
    /// Whether what the thread prints next stands in the same line.
    open: bool,
}

impl Prints {
    pub(super) fn new(width: usize) -> Self {
        Self { lines: Vec::new(), dropped: 0, limit: LIMIT, block: 0, first: 0, width }
    }

    /// Removes all lines.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.dropped = 0;
    }

    pub(super) fn begin_block(&mut self, block: usize) {
        self.block = block;
    }

    pub(crate) fn select_warp(&mut self, warp: usize) {
        self.first = warp * self.width;
    }

    /// Adds a line of a lane of the warp that runs.
    pub(crate) fn push(&mut self, lane: usize, text: String) {
        self.add(lane, text, false);
    }

    /// Adds a text of a lane, which ends a line where it says so.
    pub(crate) fn push_text(&mut self, lane: usize, text: &str) {
        for line in text.split_inclusive('\n') {
            let ended = line.strip_suffix('\n');
            self.add(lane, ended.unwrap_or(line).to_string(), ended.is_none());
        }
    }

    fn add(&mut self, lane: usize, text: String, open: bool) {
        self.lines.push(Line { block: self.block, thread: self.first + lane, text, open });
        if self.lines.len() >= 2 * self.limit {
            self.drop_last();
        }
    }

    /// Adds the lines of other blocks.
    pub(crate) fn append(&mut self, other: Self) {
        self.lines.extend(other.lines);
        self.dropped += other.dropped;
        if self.lines.len() >= 2 * self.limit {
            self.drop_last();
        }
    }

    /// Sorts the lines, and drops those beyond the limit: later lines could only push them further back.
    fn drop_last(&mut self) {
        // A stable sort: of one thread's lines the earlier stay before the later.
        self.lines.sort_by_key(|line| (line.block, line.thread));
        self.dropped += self.lines.len().saturating_sub(self.limit);
        self.lines.truncate(self.limit);
    }

    /// The lines of one thread, as far as they were kept.
    pub(crate) fn of(&self, block: usize, thread: usize) -> Vec<String> {
        joined(self.lines.iter().filter(|line| (line.block, line.thread) == (block, thread)))
    }

    /// The lines in order; if some were dropped, the last one says how many.
    pub(crate) fn into_lines(mut self) -> Vec<String> {
        self.drop_last();
        let mut lines = joined(self.lines.iter());
        if self.dropped > 0 {
            lines.push(format!("({} more lines)", self.dropped));
        }
        lines
    }
}

/// Lines in order, of which some have been printed in parts.
fn joined<'a>(all: impl Iterator<Item = &'a Line>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = None;
    for line in all {
        let of = (line.block, line.thread);
        match lines.last_mut() {
            Some(last) if open == Some(of) => last.push_str(&line.text),
            _ => lines.push(line.text.clone()),
        }
        open = line.open.then_some(of);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_ordered_by_thread_and_then_by_time() {
        let mut prints = Prints::new(4);
        for (warp, lane, text) in [(1, 0, "a"), (0, 3, "b"), (0, 2, "c"), (1, 0, "d"), (0, 3, "e")] {
            prints.select_warp(warp);
            prints.push(lane, text.to_string());
        }
        prints.begin_block(1);
        prints.select_warp(0);
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        many.iter().for_each(|number| prints.push(1 - number.len() % 2, number.clone()));
        assert_eq!(prints.of(0, 3), ["b", "e"]);
        let before: Vec<String> = ["c", "b", "e", "a", "d"].map(str::to_string).to_vec();
        assert_eq!(prints.into_lines(), [&before[..], &many[..]].concat());
    }

    #[test]
    fn lines_may_be_printed_in_parts() {
        let mut prints = Prints::new(4);
        for (lane, text) in [(0, "a "), (1, "x"), (0, "b\n"), (0, "c\n\nd"), (1, ""), (1, "y")] {
            prints.push_text(lane, text);
        }
        prints.push(2, "z".to_string());
        assert_eq!(prints.of(0, 1), ["xy"]);
        assert_eq!(prints.into_lines(), ["a b", "c", "", "d", "xy", "z"]);
    }

    #[test]
    fn the_first_lines_of_the_list_are_kept_whatever_the_order() {
        let last = |order: &mut dyn Iterator<Item = usize>| {
            let mut prints = Prints { limit: 3, ..Prints::new(64) };
            order.for_each(|lane| prints.push(lane, lane.to_string()));
            prints.into_lines()
        };
        let expected = ["0", "1", "2", "(17 more lines)"];
        assert_eq!(last(&mut (0..20)), expected);
        assert_eq!(last(&mut (0..20).rev()), expected);
    }
}
