//! Commands of a memory module, worked by hand from its times.

use super::super::config::HierarchyConfig;
use super::super::dram::{Dram, DramConfig, Given, MemoryOrder};
use super::super::level::{AccessKind, Level, Request};
use super::driver::{dram_figures, load, of_all, store};
use super::parts::Parts;

/// TACO'09, Table I: tCL 9, tRP 13, tRC 34, tRAS 21, tRCD 12, tRRD 8, 8 bytes a cycle.
fn gddr3() -> DramConfig {
    HierarchyConfig::fung2009().module().clone()
}

/// The address of a column of a row of a bank.
fn at(bank: u64, row: u64, column: u64) -> u64 {
    (row * 8 + bank) * 2048 + column * 64
}

/// The commands given for requests that come in cycle 0, and the cycles of the replies by request.
fn commands(config: &DramConfig, requests: &[Request]) -> (Vec<Given>, Vec<u64>) {
    let mut level = Dram::new(config, of_all("dram"));
    for (id, &request) in requests.iter().enumerate() {
        level.offer(0, Request { id: id as u64, ..request }).expect("there is room");
    }
    let mut done = Vec::new();
    while let Some(now) = level.next_event() {
        level.advance(now, &mut done);
    }
    done.sort_by_key(|reply| reply.id);
    (level.given.clone(), done.iter().map(|reply| reply.at).collect())
}

/// A and C want one row of bank 0, B another, D has a bank of its own.
fn four() -> [Request; 4] {
    [load(0, at(0, 0, 0), 64), load(1, at(0, 1, 0), 64), load(2, at(0, 0, 1), 64), load(3, at(1, 0, 0), 64)]
}

/// All are seen in cycle 1. A's row is opened; D's tRRD later. tRCD after its activate A is read. The bus is free for the
/// next data 8 cycles later: C and D could be read then, and C is older, older than B's turn would be, too: it finds the row
/// open. Then the row may be closed for B: not before tRAS (22) and tRTP after C's read (27). D is read when the bus allows.
/// tRP after the precharge B's row is opened.
#[test]
fn fr_fcfs_reads_an_open_row_before_it_is_closed_for_what_is_older() {
    let (given, replies) = commands(&gddr3(), &four());
    let expected = [
        (1, 0, "ACT"),
        (9, 1, "ACT"),
        (13, 0, "RD"),
        (21, 0, "RD"),
        (27, 0, "PRE"),
        (29, 1, "RD"),
        (40, 0, "ACT"),
        (52, 0, "RD"),
    ];
    assert_eq!(given, expected);
    // tCL and eight cycles of data after each read.
    assert_eq!(replies, [30, 69, 38, 46]);
}

/// The same, one after the other: for B the row is closed tRAS after its activate, and opened again tRC after it; C has to
/// open A's row once more; D's comes last.
#[test]
fn fcfs_keeps_the_order() {
    let (given, replies) = commands(&DramConfig { order: MemoryOrder::Fcfs, ..gddr3() }, &four());
    let expected = [
        (1, 0, "ACT"),
        (13, 0, "RD"),
        (22, 0, "PRE"),
        (35, 0, "ACT"),
        (47, 0, "RD"),
        (56, 0, "PRE"),
        (69, 0, "ACT"),
        (81, 0, "RD"),
        (82, 1, "ACT"),
        (94, 1, "RD"),
    ];
    assert_eq!(given, expected);
    assert_eq!(replies, [30, 64, 98, 111]);
}

/// tRC where it is more than tRAS and tRP together, and tRRD over four banks.
#[test]
fn activates_keep_their_distances() {
    let config = DramConfig { t_rc: 50, ..gddr3() };
    let (given, _) = commands(&config, &[load(0, at(0, 0, 0), 8), load(1, at(0, 1, 0), 8)]);
    assert_eq!(given, [(1, 0, "ACT"), (13, 0, "RD"), (22, 0, "PRE"), (51, 0, "ACT"), (63, 0, "RD")]);
    let banks: Vec<Request> = (0..4).map(|bank| load(bank, at(bank, 0, 0), 8)).collect();
    let (given, _) = commands(&gddr3(), &banks);
    let activates: Vec<u64> = given.iter().filter(|given| given.2 == "ACT").map(|given| given.0).collect();
    assert_eq!(activates, [1, 9, 17, 25]);
}

/// Data of a write: tWL 4 after its command. A read may follow tWTR 5 after them, a precharge tWR 10.
#[test]
fn writes_hold_back_reads_and_precharges() {
    let (given, replies) = commands(&gddr3(), &[store(0, at(0, 0, 0), 64), load(1, at(0, 0, 1), 64)]);
    // Both could be given in cycle 13; the write is older. Its data: 17 to 25.
    assert_eq!(given, [(1, 0, "ACT"), (13, 0, "WR"), (30, 0, "RD")]);
    assert_eq!(replies, [25, 47]);
    let (given, _) = commands(&gddr3(), &[store(0, at(0, 0, 0), 64), load(1, at(0, 1, 0), 64)]);
    assert_eq!(given[..4], [(1, 0, "ACT"), (13, 0, "WR"), (35, 0, "PRE"), (48, 0, "ACT")]);
}

/// The bus rests for 2 cycles between the data of a read, 22 to 30, and those of a write, which come 4 after its command.
#[test]
fn the_bus_turns_between_reads_and_writes() {
    let (given, replies) = commands(&gddr3(), &[load(0, at(0, 0, 0), 64), store(1, at(0, 0, 1), 64)]);
    assert_eq!(given, [(1, 0, "ACT"), (13, 0, "RD"), (28, 0, "WR")]);
    assert_eq!(replies, [30, 40]);
    let atomic = Request { kind: AccessKind::Atomic, ..load(0, at(0, 0, 0), 64) };
    let (given, replies) = commands(&gddr3(), &[atomic]);
    assert_eq!(given, [(1, 0, "ACT"), (13, 0, "RD"), (28, 0, "WR")], "an atomic is a read and a write");
    assert_eq!(replies, [30], "and is answered once");
}

/// Reads gather and writes gather: in turns they come, but the bus turns only once.
#[test]
fn requests_of_one_direction_go_together() {
    let requests: Vec<Request> =
        (0..8).map(|id| if id % 2 == 0 { load(id, at(0, 0, id), 64) } else { store(id, at(0, 0, id), 64) }).collect();
    let (given, _) = commands(&gddr3(), &requests);
    let order: String = given.iter().map(|given| &given.2[..1]).collect();
    assert_eq!(order, "ARRRRWWWW");
}

/// A clock of 4 to 3: memory cycle `d` begins in the cores' cycle 3 d / 4, rounded up.
#[test]
fn clocks_may_differ() {
    let config = DramConfig { clock: 4, core_clock: 3, latency: 7, ..gddr3() };
    let (given, replies) = commands(&config, &four());
    assert_eq!(given[0].0, 1);
    // The ends of data 30, 69, 38, 46, and 7 more.
    assert_eq!(replies, [23 + 7, 52 + 7, 29 + 7, 35 + 7]);
}

#[test]
fn figures_count_commands_rows_and_the_bus() {
    let mut level = Dram::new(&gddr3(), of_all("dram"));
    for request in four() {
        level.offer(0, request).expect("there is room");
    }
    level.advance(1000, &mut Vec::new());
    let counted = dram_figures(&level);
    assert_eq!((counted.reads, counted.writes, counted.bytes, counted.busy_cycles), (4, 0, 256, 32));
    assert_eq!((counted.activates, counted.precharges), (3, 1));
    assert_eq!((counted.row_hits, counted.row_misses, counted.row_hit_rate()), (1, 3, 0.25));
}

/// B's precharge could be given in cycle 22, but C, which comes in cycle 15, wants the open row, though it can be read only
/// when the bus allows: A's 128 bytes occupy it from 22 to 38. So it is C, in 29, and the precharge tRTP later.
#[test]
fn a_row_that_is_wanted_again_is_not_closed() {
    let mut level = Dram::new(&gddr3(), of_all("dram"));
    let mut done = Vec::new();
    level.offer(0, load(0, at(0, 0, 0), 128)).expect("there is room");
    level.offer(0, load(1, at(0, 1, 0), 64)).expect("there is room");
    level.advance(15, &mut done);
    level.offer(15, load(2, at(0, 0, 1), 64)).expect("there is room");
    level.advance(1000, &mut done);
    assert_eq!(level.given[..4], [(1, 0, "ACT"), (13, 0, "RD"), (29, 0, "RD"), (35, 0, "PRE")]);
}
