//! Litmus tests in PTX on the memory environment: each has the results of its twin in Rust, those that it allows and no others.

#[path = "../support/litmus.rs"]
mod litmus;

use litmus::{config, gpu};
use simt::host::{Argument, DeviceMemory, Kernel, call};
use simt::policy::StackLess;
use simt::prelude::*;
use simt::ptx::Module;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU32;

/// What a launch leaves of its last buffer.
type Seen = BTreeSet<Vec<u32>>;

/// A kernel of three buffers, `%rd1` to `%rd3`, in which each block does something else.
fn kernel(blocks: &[&str]) -> Kernel {
    let mut body = String::new();
    for (number, block) in blocks.iter().enumerate() {
        body += &format!("setp.ne.u32 %p1, %r1, {number};\n@%p1 bra NOT{number};\n{block}\nret;\nNOT{number}:\n");
    }
    let text = format!(
        ".version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2)
        {{
            .reg .b32 %r<9>;
            .reg .b64 %rd<4>;
            .reg .pred %p<3>;
            ld.param.u64 %rd1, [p0];
            ld.param.u64 %rd2, [p1];
            ld.param.u64 %rd3, [p2];
            mov.u32 %r1, %ctaid.x;
            {body}
            ret;
        }}"
    );
    Module::parse(&text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"))
}

/// What comes out of many seeds, of buffers that begin so.
fn outcomes<P: Policy>(kernel: &Kernel, blocks: usize, buffers: [&[u32]; 3], seeds: u64) -> Seen {
    let run = |seed| {
        let mut memory = DeviceMemory::new();
        let places = buffers.map(|values| memory.upload(values).expect("room"));
        let call = call(kernel, places.map(Argument::scalar).into()).with_memory(&mut memory);
        gpu::<P>(config(seed)).launch(Grid::new(blocks, 1), call).unwrap_or_else(|error| panic!("{error}"));
        memory.read(places[2], buffers[2].len()).expect("written")
    };
    (0..seeds).map(run).collect()
}

/// The same of a kernel in Rust.
fn twin<P: Policy, const N: usize>(
    kernel: for<'a> fn(&'a mut [u32], &'a mut [u32], &'a mut [u32]) -> KernelCall<'a>,
    blocks: usize,
    first: u32,
    seeds: u64,
) -> Seen {
    let run = |seed| {
        let (mut x, mut y, mut seen) = ([first], [0], [0; N]);
        let call = kernel(&mut x, &mut y, &mut seen);
        gpu::<P>(config(seed)).launch(Grid::new(blocks, 1), call).unwrap_or_else(|error| panic!("{error}"));
        seen.to_vec()
    };
    (0..seeds).map(run).collect()
}

/// The first block sends a word by stores and fences, the second has it by loads.
fn message(send: &str, wait: &str, early: &str, late: &str) -> Kernel {
    let second = format!(
        "{early}
        WAIT: {wait} %r3, [%rd2];
        setp.eq.u32 %p2, %r3, 0;
        @%p2 bra WAIT;
        {late} %r4, [%rd1];
        st.global.u32 [%rd3+4], %r4;"
    );
    kernel(&[send, &second])
}

const EARLY: &str = "ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd3], %r2;";

fn last(seen: &Seen) -> BTreeSet<u32> {
    seen.iter().map(|seen| seen[1]).collect()
}

#[test]
fn golden_cuda_memory_messages_in_ptx_come_as_in_rust() {
    let of = |kernel: &Kernel| outcomes::<Ipdom>(kernel, 2, [&[1], &[0], &[0; 2]], 300);
    let (fenced, volatile) =
        ("st.global.u32 [%rd1], 7; membar.gl; st.volatile.global.u32 [%rd2], 1;", "ld.volatile.global.u32");
    let stale = of(&message(fenced, volatile, EARLY, "ld.global.u32"));
    assert_eq!(stale, twin::<Ipdom, 2>(litmus::careless, 2, 1, 300));
    assert_eq!(stale, [[1, 1], [1, 7], [7, 7]].map(Vec::from).into(), "old for ever, old and then new, always new");
    // Whatever it is called that does not ask L1.
    for late in ["ld.volatile.global.u32", "ld.global.cv.u32", "ld.global.cg.u32", "ld.volatile.u32"] {
        let fresh = of(&message(fenced, volatile, EARLY, late));
        assert_eq!(fresh, twin::<Ipdom, 2>(litmus::careful, 2, 1, 300), "{late}");
        assert_eq!(last(&fresh), [7].into(), "{late}");
    }
    assert_eq!(last(&of(&message(fenced, volatile, EARLY, "ld.global.ca.u32"))), [1, 7].into());
    for fence in ["fence.sc.gpu", "fence.acq_rel.sys", "membar.cta"] {
        let send = fenced.replace("membar.gl", fence);
        assert_eq!(last(&of(&message(&send, volatile, EARLY, "ld.volatile.global.u32"))), [7].into(), "{fence}");
    }
    // Without a fence where it is sent.
    let hasty = of(&message(&fenced.replace("membar.gl;", ""), volatile, "", "ld.volatile.global.u32"));
    assert_eq!(hasty, twin::<Ipdom, 2>(litmus::hasty, 2, 1, 300));
    assert_eq!(last(&hasty), [1, 7].into());
    // By orders, of which either alone is not enough.
    let send = |order: &str| format!("st.global.u32 [%rd1], 7; st.{order}.gpu.global.u32 [%rd2], 1;");
    let ordered = |store: &str, load: &str| {
        of(&message(&send(store), &format!("ld.{load}.gpu.global.u32"), EARLY, "ld.global.u32"))
    };
    let rust: Seen = (0..300)
        .map(|seed| {
            let (mut data, flag, mut seen) = ([1], [AtomicU32::new(0)], [0; 2]);
            let call = litmus::ordered(&mut data, &flag, &mut seen);
            gpu::<Ipdom>(config(seed)).launch(Grid::new(2, 1), call).expect("it ends");
            seen.to_vec()
        })
        .collect();
    assert_eq!(ordered("release", "acquire"), rust);
    assert_eq!(last(&rust), [7].into());
    for (store, load) in [("relaxed", "acquire"), ("release", "relaxed"), ("relaxed", "relaxed")] {
        assert_eq!(last(&ordered(store, load)), [1, 7].into(), "{store} {load}");
    }
}

#[test]
fn golden_cuda_memory_stores_in_ptx_are_seen_late_as_in_rust() {
    fn check<P: Policy>() {
        let buffers = |fence: &str| {
            kernel(&[
                &format!("st.global.u32 [%rd1], 1; {fence} ld.global.cg.u32 %r2, [%rd2]; st.global.u32 [%rd3], %r2;"),
                &format!("st.global.u32 [%rd2], 1; {fence} ld.global.cg.u32 %r2, [%rd1]; st.global.u32 [%rd3+4], %r2;"),
            ])
        };
        let of = |fence| outcomes::<P>(&buffers(fence), 2, [&[0], &[0], &[0; 2]], 300);
        let in_order: Seen = [[0, 1], [1, 0], [1, 1]].map(Vec::from).into();
        let late = &in_order | &[vec![0, 0]].into();
        assert_eq!((of(""), of("membar.gl;")), (late.clone(), in_order.clone()), "{}", P::name());
        let rust = |kernel| twin::<P, 2>(kernel, 2, 0, 300);
        assert_eq!(
            (rust(litmus::store_buffers), rust(litmus::fenced_store_buffers)),
            (late, in_order),
            "{}",
            P::name()
        );
    }
    check::<Ipdom>();
    check::<TokenStack>();
    check::<Hanoi>();
    check::<StackLess>();
}

#[test]
fn golden_cuda_memory_independent_reads_in_ptx_are_those_of_rust() {
    let reads = |late: &str| {
        let both = |first: u32, second: u32, at: u32| {
            format!(
                "ld.global.u32 %r2, [%rd{second}]; st.global.u32 [%rd3+{at}], %r2;
                WAIT{at}: ld.volatile.global.u32 %r2, [%rd{first}];
                setp.eq.u32 %p2, %r2, 0;
                @%p2 bra WAIT{at};
                {late} %r2, [%rd{second}]; st.global.u32 [%rd3+{at}], %r2;"
            )
        };
        kernel(&["st.global.u32 [%rd1], 1;", "st.global.u32 [%rd2], 1;", &both(1, 2, 0), &both(2, 1, 4)])
    };
    let of = |late| outcomes::<Ipdom>(&reads(late), 4, [&[0], &[0], &[0; 2]], 600);
    let rust = |kernel| twin::<Ipdom, 2>(kernel, 4, 0, 600);
    let in_order: Seen = [[0, 1], [1, 0], [1, 1]].map(Vec::from).into();
    // Neither sees the word that the other has seen: by the old lines of their L1 caches, which L2 alone has not.
    let apart = &in_order | &[vec![0, 0]].into();
    assert_eq!((of("ld.global.u32"), of("ld.volatile.global.u32")), (apart.clone(), in_order.clone()));
    let twins = (rust(litmus::independent_reads), rust(litmus::volatile_independent_reads));
    assert_eq!(twins, (apart, in_order));
}

#[test]
fn golden_cuda_memory_a_thread_of_ptx_sees_its_own_stores() {
    let own = kernel(&["st.global.u32 [%rd1], 5; ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd3], %r2;"]);
    for own_order in [true, false] {
        let run = |seed| {
            let environment = simt::environment::EnvironmentConfig { own_order, ..config(seed) };
            let mut memory = DeviceMemory::new();
            let [x, y, seen] = [0; 3].map(|value: u32| memory.upload(&[value]).expect("room"));
            let launch = call(&own, [x, y, seen].map(Argument::scalar).into()).with_memory(&mut memory);
            gpu::<Ipdom>(environment.clone()).launch(Grid::new(1, 1), launch).expect("it ends");
            let (mut slice, mut twin) = ([0], [9]);
            gpu::<Ipdom>(environment)
                .launch(Grid::new(1, 1), litmus::own_store(&mut slice, &mut twin))
                .expect("it ends");
            (memory.read::<u32>(seen, 1).expect("written")[0], twin[0])
        };
        let (seen, twins): (BTreeSet<u32>, BTreeSet<u32>) = (0..100).map(run).unzip();
        assert_eq!(seen, twins);
        assert_eq!(seen, if own_order { [5].into() } else { [0, 5].into() });
    }
}

/// Vectors of all widths, shared memory behind a barrier, and atomics.
#[test]
fn a_kernel_of_ptx_without_races_has_one_result() {
    let text = ".version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 from, .param .u64 to, .param .u64 total)
        {
            .reg .b16 %h<5>;
            .reg .b32 %r<9>;
            .reg .b64 %rd<9>;
            .shared .align 16 .b8 tile[128];
            ld.param.u64 %rd1, [from];
            ld.param.u64 %rd2, [to];
            ld.param.u64 %rd3, [total];
            mov.u32 %r1, %tid.x;
            mul.wide.u32 %rd4, %r1, 16;
            add.u64 %rd5, %rd1, %rd4;
            ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd5];
            mul.lo.u32 %r6, %r1, 16;
            mov.u32 %r7, tile;
            add.u32 %r6, %r6, %r7;
            st.shared.v2.u32 [%r6], {%r5, %r4};
            st.shared.v2.u32 [%r6+8], {%r3, %r2};
            bar.sync 0;
            xor.b32 %r6, %r6, 16;
            ld.shared.v2.u64 {%rd6, %rd7}, [%r6];
            ld.shared.v4.u16 {%h1, %h2, %h3, %h4}, [%r6];
            add.u64 %rd8, %rd2, %rd4;
            st.global.v2.u64 [%rd8], {%rd6, %rd7};
            cvt.u32.u16 %r8, %h1;
            red.global.add.u32 [%rd3], %r8;
            ret;
        }";
    let kernel = Module::parse(text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"));
    let from: Vec<u32> = (0..32).map(|i| i * 3 + 1).collect();
    let mut expected = vec![0; 32];
    for i in 0..32 {
        expected[((i / 4) ^ 1) * 4 + 3 - i % 4] = from[i];
    }
    let total: u32 = from.iter().skip(3).step_by(4).sum();
    simt::for_each_policy!(P => for seed in 0..6 {
        let mut memory = DeviceMemory::new();
        let x = memory.upload(&from).expect("room");
        let y = memory.alloc(128).expect("room");
        let sum = memory.upload(&[0u32]).expect("room");
        let launch = call(&kernel, [x, y, sum].map(Argument::scalar).into()).with_memory(&mut memory);
        gpu::<P>(config(seed)).launch(Grid::new(1, 8), launch).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(memory.read::<u32>(y, 32).expect("written"), expected, "{} {seed}", P::name());
        assert_eq!(memory.read::<u32>(sum, 1).expect("written"), [total], "{} {seed}", P::name());
    });
}
