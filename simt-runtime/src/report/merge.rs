//! The report of several launches.

use super::Report;

impl Report {
    /// Adds the figures of another launch, for algorithms of several. Lines of the same number and text are added up, and
    /// what the other launch printed follows.
    ///
    /// The merged report keeps this one's kernel, policy and warp width: merge launches that share them.
    pub fn merge(&mut self, other: &Self) {
        self.issues += other.issues;
        self.marker_issues += other.marker_issues;
        self.thread_instructions += other.thread_instructions;
        self.marker_thread_instructions += other.marker_thread_instructions;
        self.guarded_off += other.guarded_off;
        self.branches += other.branches;
        self.diverged_branches += other.diverged_branches;
        if self.lane_histogram.len() < other.lane_histogram.len() {
            self.lane_histogram.resize(other.lane_histogram.len(), 0);
        }
        self.lane_histogram.iter_mut().zip(&other.lane_histogram).for_each(|(mine, other)| *mine += other);
        for line in &other.lines {
            match self.lines.iter_mut().find(|mine| mine.line == line.line && mine.text == line.text) {
                Some(mine) => {
                    mine.issues += line.issues;
                    mine.thread_instructions += line.thread_instructions;
                    mine.guarded_off += line.guarded_off;
                    mine.marker_issues += line.marker_issues;
                    mine.branches += line.branches;
                    mine.divergences += line.divergences;
                }
                None => self.lines.push(line.clone()),
            }
        }
        self.lines.sort_by_key(|line| line.line);
        for figure in &other.policy_figures {
            match self.policy_figures.iter_mut().find(|mine| mine.name == figure.name) {
                Some(mine) => mine.value = mine.total.of(mine.value, figure.value),
                None => self.policy_figures.push(figure.clone()),
            }
        }
        match (&mut self.clock, &other.clock) {
            (Some(mine), Some(other)) => mine.merge(other),
            (mine @ None, other) => mine.clone_from(other),
            (Some(_), None) => {}
        }
        self.prints.extend_from_slice(&other.prints);
    }
}
