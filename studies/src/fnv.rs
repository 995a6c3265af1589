//! The hash by which points are kept, and sources are known.

/// FNV-1a, of 64 bits.
pub(crate) fn fnv(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_hash_of_its_authors() {
        // G. Fowler, L. C. Noll and K.-P. Vo, test vectors of FNV-1a.
        assert_eq!([fnv(b""), fnv(b"a"), fnv(b"foobar")], ["cbf29ce484222325", "af63dc4c8601ec8c", "85944171f73967e8"]);
    }
}
