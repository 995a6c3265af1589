//! What is uniform.
