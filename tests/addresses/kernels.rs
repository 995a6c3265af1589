//! Kernels by address, in each state space.

use crate::kernel;
use simt::host::{Argument, DeviceMemory, call};
use simt::policy::Ipdom;
use simt::{Gpu, Grid};

const SAXPY: &str = "
    kernel saxpy(n: u32, a: f32, x: u64, y: u64)
    .reg u32 %i, u64 %at, %px, %py, f32 %x, %y, bool %in
        cvt.u32.usize %i, global_id()
        ge.u32        %in, %i, n
    @%in exit
        cvt.u64.u32   %at, %i
        mad.u64       %px, %at, 4, x
        mad.u64       %py, %at, 4, y
        ld.global.f32 %x, [%px]
        ld.global.f32 %y, [%py]
        mul_add.f32   %y, a, %x, %y
        st.global.f32 [%py], %y
        exit";

#[test]
fn saxpy() {
    let kernel = kernel(SAXPY);
    let (x, y): (Vec<f32>, Vec<f32>) = (0..100).map(|i| (i as f32 * 0.5, 100.0 - i as f32)).unzip();
    let expected: Vec<f32> = x.iter().zip(&y).map(|(&x, &y)| 3.0f32.mul_add(x, y)).collect();
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let (px, py) = (memory.upload(&x).expect("room"), memory.upload(&y).expect("room"));
        let arguments =
            vec![Argument::scalar(100u32), Argument::scalar(3.0f32), Argument::scalar(px), Argument::scalar(py)];
        let launched = gpu.launch(Grid::new(4, 32), call(&kernel, arguments).with_memory(&mut memory));
        launched.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(memory.read::<f32>(py, 100).expect("written"), expected);
        assert_eq!(memory.read::<f32>(px, 100).expect("written"), x);
    });
}

/// Each thread follows a list, whose nodes are a value and the address of the next, from a head of its own.
#[test]
fn pointers_in_memory_lead_from_node_to_node() {
    let kernel = kernel(
        "kernel chase(heads: u64, sums: u64)
        .reg u64 %at, %node, %out, u32 %v, %sum, bool %end
            cvt.u64.usize %at, global_id()
            mad.u64       %node, %at, 8, heads
            mad.u64       %out, %at, 4, sums
            ld.global.u64 %node, [%node]
            mov.u32       %sum, 0
        NEXT:
            eq.u64        %end, %node, 0
        @%end bra DONE
            ld.generic.u32 %v, [%node]
            add.u32       %sum, %sum, %v
            ld.generic.u64 %node, [%node+8]
            bra NEXT
        DONE:
            st.global.u32 [%out], %sum
            exit",
    );
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let (mut nodes, mut next) = (Vec::new(), 0u64);
        for value in 0..40u32 {
            let node = memory.alloc(16).expect("room");
            memory.write(node, &[value]).expect("there");
            memory.write(node + 8, &[next]).expect("there");
            nodes.push(node);
            next = node;
        }
        let heads = memory.upload(&nodes).expect("room");
        let sums = memory.alloc(40 * 4).expect("room");
        let call = call(&kernel, vec![Argument::scalar(heads), Argument::scalar(sums)]).with_memory(&mut memory);
        gpu.launch(Grid::new(2, 20), call).unwrap_or_else(|error| panic!("{error}"));
        let expected: Vec<u32> = (0..40).map(|last| (0..=last).sum()).collect();
        assert_eq!(memory.read::<u32>(sums, 40).expect("written"), expected);
    });
}

/// A function that knows only generic addresses works on shared, local, constant, parameter and global memory.
#[test]
fn windows_of_all_spaces_are_reached_by_generic_addresses() {
    let kernel = kernel(
        "kernel windows(out: u64, pair: bytes 16 align 8)
        .shared tile: 128 align 4
        .local own: 16 align 8
        .const table: 8 align 4 = \"0a00000014000000\"
        .global base: 4 align 4 = \"e8030000\"
        .reg u64 %at, %out, %t, u32 %i, %s, %v, %sum, bool %is
            cvt.u32.usize %i, thread_idx().x
            cvt.u64.u32   %at, %i
            mov.u32       %s, &tile
            mad.u32       %s, %i, 4, %s
            st.shared.u32 [%s], %i
            mul.u32       %v, %i, 100
            st.local.u32  [&own+8], %v
            bar.sync
            mov.u32       %sum, 0
            ; the neighbour's element of the tile, through its generic address
            xor.u32       %s, %i, 1
            cvt.u64.u32   %t, %s
            mad.u64       %t, %t, 4, &tile
            cvta.shared   %add.p, %t
            isspacep.shared %is, %add.p
        @%is add.u32      %sum, %sum, 1000000
            call          add
            add.u32       %sum, %sum, %add.r
            cvta.local    %add.p, &own
            add.u64       %add.p, %add.p, 8
            isspacep.local %is, %add.p
        @%is add.u32      %sum, %sum, 2000000
            isspacep.global %is, %add.p
        @%is add.u32      %sum, %sum, 7
            call          add
            add.u32       %sum, %sum, %add.r
            cvta.const    %add.p, &table
            add.u64       %add.p, %add.p, 4
            call          add
            add.u32       %sum, %sum, %add.r
            cvta.param    %add.p, &pair
            add.u64       %add.p, %add.p, 8
            call          add
            add.u32       %sum, %sum, %add.r
            cvta.global   %add.p, &base
            isspacep.global %is, %add.p
        @%is add.u32      %sum, %sum, 4000000
            call          add
            add.u32       %sum, %sum, %add.r
            cvta.to.shared %t, %add.p
            mad.u64       %out, %at, 4, out
            st.global.u32 [%out], %sum
            exit
        func add
        .reg passing u64 %p, passing u32 %r
            ld.generic.u32 %r, [%p]
            ret",
    );
    let pair: Vec<u8> = [0u64, 70_000].iter().flat_map(|value| value.to_le_bytes()).collect();
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let out = memory.alloc(64 * 4).expect("room");
        let arguments = vec![Argument::scalar(out), Argument::bytes(pair.clone())];
        let launched = gpu.launch(Grid::new(2, 32), call(&kernel, arguments).with_memory(&mut memory));
        launched.unwrap_or_else(|error| panic!("{error}"));
        let expected: Vec<u32> = (0..32).map(|i| 7_000_000 + (i ^ 1) + i * 100 + 20 + 70_000 + 1000).collect();
        // Both blocks write the same.
        assert_eq!(memory.read::<u32>(out, 32).expect("written"), expected);
    });
}

#[test]
fn generic_atomics_count_in_shared_and_global_memory() {
    let kernel = kernel(
        "kernel count(totals: u64)
        .shared bins: 16 align 4
        .global launches: 4 align 4
        .reg u32 %i, %bin, %old, %v, u64 %g, %s, bool %first, %four
            cvt.u32.usize %i, thread_idx().x
            lt.u32        %four, %i, 4
            mov.u32       %bin, &bins
            mad.u32       %bin, %i, 4, %bin
        @%four st.shared.u32 [%bin], 0
            bar.sync
            and.u32       %bin, %i, 3
            cvt.u64.u32   %s, %bin
            mad.u64       %s, %s, 4, &bins
            cvta.shared   %s, %s
            atom.generic.u32.fetch_add.relaxed %old, [%s], %i
            bar.sync
            mad.u64       %g, 0, 0, totals
            cvt.u64.u32   %s, %i
            mad.u64       %g, %s, 4, totals
        @!%four exit
            mov.u32       %bin, &bins
            mad.u32       %bin, %i, 4, %bin
            ld.shared.u32 %v, [%bin]
            atom.generic.u32.fetch_add.relaxed [%g], %v
            eq.u32        %first, %i, 0
        @%first atom.global.u32.fetch_add.relaxed [&launches], 1
            exit",
    );
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let totals = memory.upload(&[0u32; 4]).expect("room");
        for launches in 1..3 {
            let call = call(&kernel, vec![Argument::scalar(totals)]).with_memory(&mut memory);
            gpu.launch(Grid::new(3, 40), call).unwrap_or_else(|error| panic!("{error}"));
            let bin = |bin| (0..40).filter(|i| i % 4 == bin).sum::<u32>() * 3 * launches;
            assert_eq!(memory.read::<u32>(totals, 4).expect("written"), [bin(0), bin(1), bin(2), bin(3)]);
            // A global variable outlives its launch.
            let counter = memory.symbol("launches").expect("declared");
            assert_eq!(memory.read::<u32>(counter, 1).expect("written"), [3 * launches]);
        }
    });
}

/// Every width of memory through every width of register, and what is in memory, byte by byte.
#[test]
fn narrow_values_are_extended_as_rust_does() {
    let kernel = kernel(
        "kernel narrow(from: u64, to: u64)
        .reg u8 %u8, i8 %i8, u16 %u16, i16 %i16, u32 %u, i32 %i, u64 %w, i64 %s, f32 %f, f64 %d
            ld.global.u8       %u8, [from]
            st.global.u8       [to], %u8
            ld.global.i8.i32   %i, [from]
            st.global.i32      [to+4], %i
            ld.global.u8.u32   %u, [from]
            st.global.u32      [to+8], %u
            ld.global.i8.u16   %u16, [from]
            st.global.u16      [to+12], %u16
            ld.global.i16.i64  %s, [from+2]
            st.global.i64      [to+16], %s
            ld.global.u16.u64  %w, [from+2]
            st.global.u64      [to+24], %w
            st.global.u8.u64   [to+32], %w
            st.global.u16.u32  [to+34], %u
            ld.global.i8       %i8, [from]
            cvt.i32.i8         %i, %i8
            st.global.i32      [to+36], %i
            ld.global.i16      %i16, [from+2]
            st.global.i16      [to+40], %i16
            ld.global.f32      %f, [from+4]
            cvt.f64.f32        %d, %f
            st.global.f64      [to+48], %d
            exit",
    );
    let bytes = [0x9c_u8, 0, 0xfe, 0x80, 0, 0, 0x20, 0xc1];
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let (from, to) = (memory.upload(&bytes).expect("room"), memory.alloc(56).expect("room"));
        memory.fill(to, 0xaa, 56).expect("there");
        let arguments = vec![Argument::scalar(from), Argument::scalar(to)];
        gpu.launch(Grid::new(1, 1), call(&kernel, arguments).with_memory(&mut memory)).expect("it runs");
        let read = memory.read_bytes(to, 56).expect("written");
        let word = |at: usize| u32::from_le_bytes(read[at..at + 4].try_into().expect("four"));
        let wide = |at: usize| u64::from_le_bytes(read[at..at + 8].try_into().expect("eight"));
        assert_eq!(read[..4], [0x9c, 0xaa, 0xaa, 0xaa]);
        assert_eq!((word(4) as i32, word(8), word(12)), (-100, 0x9c, 0xaaaa_ff9c));
        assert_eq!((wide(16) as i64, wide(24)), (i64::from(0x80fe_u16 as i16), 0x80fe));
        assert_eq!((word(32), word(36) as i32), (0x009c_aafe, -100));
        assert_eq!((word(40), f64::from_bits(wide(48))), (0xaaaa_80fe, -10.0));
    });
}

#[test]
fn dynamic_shared_memory_is_as_large_as_the_grid_says() {
    let text = "kernel dynamic(out: u64)
        .shared head: 4 align 4
        .shared tail: dynamic align 16
        .reg u32 %i, %s, %v, u64 %at, bool %first
            cvt.u32.usize %i, thread_idx().x
            mov.u32       %s, &tail
            mad.u32       %s, %i, 4, %s
            st.shared.u32 [%s], %i
            bar.sync
            ld.shared.u32 %v, [&tail+4]
            cvt.u64.u32   %at, %i
            mad.u64       %at, %at, 4, out
            st.global.u32 [%at], %v
            exit";
    let kernel = kernel(text);
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let out = memory.alloc(32 * 4).expect("room");
        let with = |bytes| Grid::new(1, 32).with_shared_memory(bytes);
        let enough = call(&kernel, vec![Argument::scalar(out)]).with_memory(&mut memory);
        gpu.launch(with(128), enough).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(memory.read::<u32>(out, 32).expect("written"), [1; 32]);
        let little = call(&kernel, vec![Argument::scalar(out)]).with_memory(&mut memory);
        let error = gpu.launch(with(124), little).expect_err("one word is missing").to_string();
        assert!(error.contains("beyond the end of `tail`") && error.contains("`tail` has 124 bytes"), "{error}");
    });
}

/// Addresses in initialisers: a table of addresses, generic and of their own spaces.
#[test]
fn initialisers_hold_addresses() {
    let kernel = kernel(
        "kernel tables(out: u64)
        .global first: 4 align 4 = \"01000000\"
        .const second: 8 align 4 = \"0000000002000000\"
        .global table: 24 align 8 = \"\", at 0 &first, at 8 generic &second+4, at 16 &table+8
        .reg u64 %p, u32 %a, %b, bool %is
            ld.global.u64  %p, [&table]
            ld.generic.u32 %a, [%p]
            ld.global.u64  %p, [&table+16]
            ld.global.u64  %p, [%p]
            isspacep.const %is, %p
            ld.generic.u32 %b, [%p]
            add.u32        %a, %a, %b
        @%is add.u32       %a, %a, 10
            st.global.u32  [out], %a
            exit",
    );
    let mut memory = DeviceMemory::new();
    let out = memory.alloc(4).expect("room");
    let call = call(&kernel, vec![Argument::scalar(out)]).with_memory(&mut memory);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), call).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(memory.read::<u32>(out, 1).expect("written"), [13]);
    let second = memory.symbol("second").expect("declared");
    assert_eq!(memory.read::<u32>(second, 2).expect("it has values"), [0, 2]);
}

/// Whole warps, whose lanes are at neighbours, apart, in reverse, or at one place; of all types.
#[test]
fn warps_access_as_their_lanes_would() {
    let types = [("u8", 1), ("i8", 1), ("u16", 2), ("u32", 4), ("f32", 4), ("u64", 8), ("f64", 8)];
    for (ty, bytes) in types {
        for (index, of) in [
            ("mov.u64 %o, %i", (|i| i) as fn(usize) -> usize),
            ("mul.u64 %o, %i, 3", |i| i * 3),
            ("sub.u64 %o, 255, %i", |i| 255 - i),
            ("shr.u64 %o, %i, 2", |i| i / 4),
            ("xor.u64 %o, %i, 1", |i| i ^ 1),
        ] {
            let text = format!(
                "kernel copy(from: u64, to: u64, below: u32)
                .reg u64 %i, %o, %a, {ty} %v, u32 %n, bool %p
                    cvt.u64.usize %i, global_id()
                    cvt.u32.usize %n, global_id()
                    lt.u32        %p, %n, below
                    {index}
                    mad.u64       %a, %o, {bytes}, from
                    ld.global.{ty} %v, [%a]
                    mad.u64       %a, %o, {bytes}, to
                @%p st.generic.{ty} [%a], %v
                    exit"
            );
            let kernel = kernel(&text);
            everywhere!(|gpu| {
                for below in [128u32, 90] {
                    let mut memory = DeviceMemory::new();
                    // No float of these bytes is a NaN.
                    let values: Vec<u8> = (0..384 * bytes).map(|byte| (byte * 11 % 101) as u8).collect();
                    let (from, to) = (memory.upload(&values).expect("room"), memory.alloc(values.len() as u64));
                    let to = to.expect("room");
                    let arguments = vec![Argument::scalar(from), Argument::scalar(to), Argument::scalar(below)];
                    let launched = gpu.launch(Grid::new(2, 64), call(&kernel, arguments).with_memory(&mut memory));
                    launched.unwrap_or_else(|error| panic!("{error}"));
                    let written: Vec<usize> = (0..below as usize).map(of).collect();
                    for element in 0..384 {
                        let at = element * bytes;
                        let found = memory.read_bytes(to + at as u64, bytes).ok();
                        let expected = written.contains(&element).then(|| values[at..at + bytes].to_vec());
                        assert_eq!(found, expected, "{ty} {index} {element}");
                    }
                }
            });
        }
    }
}

/// NaNs in memory are Rust's, whichever the lanes computed.
#[test]
fn stored_nans_are_canonical() {
    let kernel = kernel(
        "kernel nans(x: u64)
        .reg u64 %a, f32 %v
            cvt.u64.usize %a, global_id()
            mad.u64       %a, %a, 4, x
            ld.global.f32 %v, [%a]
            st.global.f32 [%a], %v
            exit",
    );
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let x = memory.upload(&[0xffc1_2345_u32; 40]).expect("room");
        let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
        gpu.launch(Grid::new(1, 40), call).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(memory.read::<u32>(x, 40).expect("written"), [f32::NAN.to_bits(); 40]);
    });
}
