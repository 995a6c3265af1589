//! Long kernels, as generators write them: chains of hundreds of operators, and text that nests as deep as it may.

use simt::prelude::*;

/// Tokens as they are: no formatter puts each level on a line of its own.
macro_rules! as_is {
    ($($tokens:tt)*) => { $($tokens)* };
}

macro_rules! long {
    ($($number:literal)*) => {
        const NUMBERS: &[u32] = &[$($number),*];

        #[device]
        fn sum(n: u32) -> u32 {
            n $(.wrapping_mul(3).wrapping_add($number))*
        }

        #[kernel]
        fn chains(x: &[u32], bits: &mut [u32], sums: &mut [u32], rounds: &mut [u32]) {
            let i = global_id();
            let n = x[i];
            let mut changes = n;
            bits[i] = n $(^ (n << ($number as u32 % 32)))*;
            // The left parts are read before the right ones change them.
            sums[i] = sum(n) ^ changes $(^ { changes ^= $number; changes })*;
            let mut last = 0;
            // Each access may fault, so that each link is a branch.
            while last < 3 $(&& x[i] != $number)* || last == 0 {
                last += 1;
            }
            rounds[i] = last;
            if false $(|| n == $number)* {
                rounds[i] += 100;
            }
        }
    };
}
long! {
    856 703 550 397 244 91 947 794 641 488 335 182 29 885 732 579 426 273 120 976 823 670 517 364 211 58 914
    761 608 455 302 149 1005 852 699 546 393 240 87 943 790 637 484 331 178 25 881 728 575 422 269 116 972 819
    666 513 360 207 54 910 757 604 451 298 145 1001 848 695 542 389 236 83 939 786 633 480 327 174 21 877 724
    571 418 265 112 968 815 662 509 356 203 50 906 753 600 447 294 141 997 844 691 538 385 232 79 935 782 629
    476 323 170 17 873 720 567 414 261 108 964 811 658 505 352 199 46 902 749 596 443 290 137 993 840 687 534
    381 228 75 931 778 625 472 319 166 13 869 716 563 410 257 104 960 807 654 501 348 195 42 898 745 592 439
    286 133 989 836 683 530 377 224 71 927 774 621 468 315 162 9 865 712 559 406 253 100 956 803 650 497 344
    191 38 894 741 588 435 282 129 985 832 679 526 373 220 67 923 770 617 464 311 158 5 861 708 555 402 249 96
    952 799 646 493 340 187 34 890 737 584 431 278 125 981 828 675 522 369 216 63 919 766 613 460 307 154 1
    857 704 551 398 245 92 948 795 642 489 336 183 30 886 733 580 427 274 121 977 824 671 518 365 212 59 915
    762 609 456 303 150 1006 853 700 547 394 241 88 944 791 638 485 332 179 26 882 729 576 423 270 117 973 820
    667 514
}

#[test]
fn long_chains_are_what_they_are_on_the_host() {
    let x: Vec<u32> = (0..64).map(|i| i * 16).collect();
    for_each_policy!(P => {
        let (mut bits, mut sums, mut rounds) = (vec![0; 64], vec![0; 64], vec![0; 64]);
        Gpu::<P>::default().launch(Grid::new(1, 64), chains(&x, &mut bits, &mut sums, &mut rounds)).unwrap();
        for (i, &n) in x.iter().enumerate() {
            assert_eq!(bits[i], NUMBERS.iter().fold(n, |all, number| all ^ (n << (number % 32))), "{n}");
            let sum = NUMBERS.iter().fold(n, |all, &number| all.wrapping_mul(3).wrapping_add(number));
            let mut changes = n;
            let changed = NUMBERS.iter().fold(sum ^ changes, |all, number| {
                changes ^= number;
                all ^ changes
            });
            assert_eq!(sums[i], changed, "{n}");
            assert_eq!(rounds[i], if NUMBERS.contains(&n) { 101 } else { 3 }, "{n}");
        }
    });
}

as_is! {
    #[kernel]
    fn nested(x: &mut [u32]) {
        let n = x[global_id()];
        if n != 0 { if n != 1 { if n != 2 { if n != 3 { if n != 4 { if n != 5 { if n != 6 { if n != 7 {
        if n != 8 { if n != 9 { if n != 10 { if n != 11 { if n != 12 { if n != 13 { if n != 14 { if n != 15 {
        if n != 16 { if n != 17 { if n != 18 { if n != 19 { if n != 20 { if n != 21 { if n != 22 {
        if n != 23 { if n != 24 { if n != 25 { if n != 26 { if n != 27 { if n != 28 { if n != 29 {
        if n != 30 { if n != 31 { if n != 32 { if n != 33 { if n != 34 { if n != 35 { if n != 36 {
        if n != 37 { if n != 38 { if n != 39 { if n != 40 { if n != 41 { if n != 42 { if n != 43 {
        if n != 44 { if n != 45 { if n != 46 { if n != 47 { if n != 48 { if n != 49 { if n != 50 {
        if n != 51 { if n != 52 { if n != 53 { if n != 54 { if n != 55 { if n != 56 { if n != 57 {
        if n != 58 { if n != 59 { if n != 60 { if n != 61 { if n != 62 { if n != 63 { if n != 64 {
        if n != 65 { if n != 66 { if n != 67 { if n != 68 { if n != 69 { if n != 70 { if n != 71 {
        if n != 72 { if n != 73 { if n != 74 { if n != 75 { if n != 76 { if n != 77 { if n != 78 {
        if n != 79 { if n != 80 { if n != 81 { if n != 82 { if n != 83 { if n != 84 { if n != 85 {
        if n != 86 { if n != 87 { if n != 88 { if n != 89 { if n != 90 { if n != 91 { if n != 92 {
        if n != 93 { if n != 94 { if n != 95 { if n != 96 { if n != 97 { if n != 98 { if n != 99 {
        if n != 100 { if n != 101 { if n != 102 { if n != 103 { if n != 104 { if n != 105 { if n != 106 {
        if n != 107 { if n != 108 { if n != 109 { if n != 110 { if n != 111 { if n != 112 { if n != 113 {
        if n != 114 { if n != 115 { if n != 116 { if n != 117 { if n != 118 { if n != 119 { if n != 120 {
        if n != 121 { if n != 122 { if n != 123 { if n != 124 { if n != 125 {
        x[global_id()] = 1000 + n;
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
    }

    #[kernel]
    fn deep(x: &mut [u32]) {
        x[global_id()] = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((7 + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1);
    }
}

#[test]
fn text_may_nest_a_hundred_levels() {
    let mut x = [0, 1, 125, 126, 500];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 5), nested(&mut x)).unwrap();
    assert_eq!(x, [0, 1, 125, 1126, 1500]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 5), deep(&mut x)).unwrap();
    assert_eq!(x, [135; 5]);
    // The code that walks such a program is recursive, on the stack of a test's thread.
    assert!(nested::program().to_string().contains("1000"));
}
