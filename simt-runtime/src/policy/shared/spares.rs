//! Vectors for reuse: a policy whose groups come and go allocates nothing once it has had the most groups of its run.

/// Vectors that are not in use. They have no part in whether two policies are equal, and a copy has none.
#[derive(Debug)]
pub(crate) struct Spares<T>(Vec<Vec<T>>);

impl<T> Spares<T> {
    /// An empty vector.
    pub(crate) fn take(&mut self) -> Vec<T> {
        self.0.pop().unwrap_or_default()
    }

    /// One that is used no more.
    pub(crate) fn give(&mut self, mut vector: Vec<T>) {
        if vector.capacity() > 0 {
            vector.clear();
            self.0.push(vector);
        }
    }
}

impl<T> Default for Spares<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Clone for Spares<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Spares<T> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
