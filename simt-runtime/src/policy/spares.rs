//! Vectors that are used again: a policy whose groups come and go allocates nothing once it has had its largest.

/// What is worth being used again.
pub(super) trait Reused: Default {
    /// Whether it has allocated.
    fn has_room(&self) -> bool;
    /// Nothing is in it any more.
    fn clear(&mut self);
}

impl<T> Reused for Vec<T> {
    fn has_room(&self) -> bool {
        self.capacity() > 0
    }
    fn clear(&mut self) {
        Vec::clear(self);
    }
}

/// Vectors that nobody uses. They have no part in whether two policies are equal, and a copy does without them.
#[derive(Debug)]
pub(super) struct Spares<R>(Vec<R>);

impl<R: Reused> Spares<R> {
    /// An empty vector.
    pub(super) fn take(&mut self) -> R {
        self.0.pop().unwrap_or_default()
    }

    /// One that is used no more.
    pub(super) fn give(&mut self, mut vector: R) {
        if vector.has_room() {
            vector.clear();
            self.0.push(vector);
        }
    }
}

impl<R> Default for Spares<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R> Clone for Spares<R> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<R> PartialEq for Spares<R> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
