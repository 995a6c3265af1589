//! Kernels whose times are known in advance.
