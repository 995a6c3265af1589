//! What GPGPU-Sim 4.2 counts of our own microkernels, run from PTX as RTX 2060 and as QV100: 32 blocks of 128 threads, `chase`
//! one thread. A kernel's text is in `kernels/`.

/// A kernel with its argument, and what the reference counts.
pub(crate) struct Row {
    pub(crate) kernel: &'static str,
    pub(crate) argument: u32,
    pub(crate) issues: u64,
    /// SIMD efficiency, to four decimals.
    pub(crate) efficiency: f64,
    /// Sectors of 32 bytes that the first level reads and writes beyond itself.
    pub(crate) read: u64,
    pub(crate) written: u64,
    /// Passes of shared memory besides one for each access.
    pub(crate) extra_passes: u64,
    /// Sectors looked up in the first level, and those of them that were not there.
    pub(crate) lookups: u64,
    pub(crate) misses: u64,
    /// Cycles of the RTX 2060 and the QV100, with 5,000 for the launch.
    pub(crate) cycles: [Option<u64>; 2],
    /// Of all of `y`: the sum of `y[i] * (2 i + 1)`, modulo 2^64.
    pub(crate) checksum: u64,
}

macro_rules! rows {
    ($($kernel:ident $argument:literal $issues:literal $efficiency:literal $read:literal $written:literal $extra:literal
       $lookups:literal $misses:literal $turing:tt $volta:literal $checksum:literal;)*) => {
        pub(crate) const ROWS: &[Row] = &[$(Row {
            kernel: stringify!($kernel),
            argument: $argument,
            issues: $issues,
            efficiency: $efficiency,
            read: $read,
            written: $written,
            extra_passes: $extra,
            lookups: $lookups,
            misses: $misses,
            cycles: [rows!(@cycles $turing), Some($volta)],
            checksum: $checksum,
        },)*];
    };
    (@cycles _) => { None };
    (@cycles $cycles:literal) => { Some($cycles) };
}

// kernel, argument, issues, efficiency, read, written, extra passes, lookups, misses, RTX 2060, QV100, checksum
rows! {
    stride 1 2432 1.0000 512 512 0 1024 1024 5770 5467 0x007f_4b0f_0e82_6753;
    stride 2 2432 1.0000 1024 512 0 1536 1536 5932 5485 0x007e_449e_2daf_d9e3;
    stride 8 2432 1.0000 4096 512 0 4608 4608 6361 5579 0x0081_6bc6_6cb7_8939;
    gather 1 3072 1.0000 4096 512 0 4608 4608 6048 5655 0x007e_b765_57ac_891e;
    bank 2 24_704 1.0000 0 512 2048 512 512 6865 6606 0x0000_0017_0555_0000;
    bank 32 24_704 1.0000 0 512 63_488 512 512 10_047 7906 0x0000_003f_2300_0000;
    chase 1 1938 0.0312 64 1 0 513 65 53_030 37_551 0x0000_0000_0000_0200;
    chase 32 1938 0.0312 512 1 0 513 513 193_094 113_256 0x0000_0000_0000_4000;
    trips 1 19_155 0.5925 512 14_883 0 29_766 512 7365 6890 0x007a_5bb8_9073_2745;
    nested 1 14_720 0.6140 512 13_848 0 27_696 512 7695 7206 0x008b_b8a3_feca_c550;
    fan 8 105_216 0.1825 512 131_072 0 262_144 512 17_703 14_858 0x0005_abbc_a000_0000;
    stride 4 2432 1.0000 2048 512 0 2560 2560 _ 5515 0x0081_eae2_0ced_c504;
    stride 32 2432 1.0000 4096 512 0 4608 4608 _ 5579 0x0081_7f42_b50b_13d7;
    bank 1 24_704 1.0000 0 512 0 512 512 _ 6588 0x0000_0013_02aa_8000;
    bank 3 24_704 1.0000 0 512 0 512 512 _ 6588 0x0000_001b_07ff_8000;
    bank 4 24_704 1.0000 0 512 6144 512 512 _ 6646 0x0000_001f_0aaa_0000;
    bank 8 24_704 1.0000 0 512 14_336 512 512 _ 6734 0x0000_002f_1554_0000;
    bank 16 24_704 1.0000 0 512 30_720 512 512 _ 6910 0x0000_003f_c608_0000;
    chase 4096 1938 0.0312 256 1 0 513 257 _ 69_999 0x0000_0000_0000_0000;
    fan 1 14_720 1.0000 512 16_384 0 32_768 512 _ 6850 0x0005_abbc_a000_0000;
    fan 2 27_648 0.5556 512 32_768 0 65_536 512 _ 7994 0x0005_abbc_a000_0000;
    fan 4 53_504 0.3110 512 65_536 0 131_072 512 _ 10_282 0x0005_abbc_a000_0000;
    fan 32 415_488 0.0832 512 131_072 0 262_144 512 _ 43_227 0x0005_abbc_a000_0000;
}
