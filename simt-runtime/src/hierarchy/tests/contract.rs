//! The contract holds of each kind of level by itself, on requests of all kinds.

use super::super::cache::Cache;
use super::super::config::HierarchyConfig;
use super::super::contract::hold_level_to_contract;
use super::super::crossbar::Crossbar;
use super::super::dram::Dram;
use super::driver::{Flat, of_all, of_cores};
use super::parts::{Parts, least, middling};

/// A test of the contract for each level that is made of a config.
macro_rules! contract {
    ($($name:ident: $config:expr, $cores:expr, $make:expr;)*) => {$(
        #[test]
        fn $name() {
            let config: HierarchyConfig = $config;
            assert_eq!(config.problem(), None);
            let make: fn(&HierarchyConfig, usize) -> _ = $make;
            let line = config.caches().next().map_or(64, |cache| cache.line);
            hold_level_to_contract(|| make(&config, $cores), $cores, line.into());
        }
    )*};
}

fn dram(config: &HierarchyConfig, _: usize) -> Dram {
    Dram::new(config.module(), of_all("dram"))
}

fn first(config: &HierarchyConfig, cores: usize) -> Cache<Flat> {
    Cache::new(config.l1(), of_cores(cores), Flat::new(60, 2))
}

fn slice(config: &HierarchyConfig, _: usize) -> Cache<Dram> {
    Cache::new(config.l2(), of_all("l2"), Dram::new(config.module(), of_all("dram")))
}

fn crossbar(config: &HierarchyConfig, cores: usize) -> Crossbar<Flat> {
    Crossbar::new(config.joined(), of_cores(cores), |number| Flat::new(10 + u64::from(number), 3))
}

contract! {
    a_module_of_fung2009: HierarchyConfig::fung2009(), 1, dram;
    a_module_of_fermi: HierarchyConfig::fermi(), 1, dram;
    a_module_of_turing: HierarchyConfig::turing(), 1, dram;
    a_module_of_volta: HierarchyConfig::volta(), 1, dram;
    a_module_first_come_first_served: middling(HierarchyConfig::turing()), 1, dram;
    a_module_with_room_for_one: least(HierarchyConfig::fermi()), 1, dram;
    caches_written_back: HierarchyConfig::fung2009(), 3, first;
    caches_that_drop_what_is_written: HierarchyConfig::fermi(), 3, first;
    caches_written_through: HierarchyConfig::turing(), 3, first;
    caches_with_sectors: middling(HierarchyConfig::turing()), 2, first;
    caches_with_room_for_one: least(HierarchyConfig::turing()), 2, first;
    caches_written_back_with_room_for_one: least(HierarchyConfig::fung2009()), 2, first;
    a_slice_of_fermi: HierarchyConfig::fermi(), 4, slice;
    a_slice_of_middling_size: middling(HierarchyConfig::turing()), 4, slice;
    a_slice_with_room_for_one: least(HierarchyConfig::turing()), 4, slice;
    the_crossbar_of_fung2009: HierarchyConfig::fung2009(), 16, crossbar;
    the_crossbar_of_turing: HierarchyConfig::turing(), 30, crossbar;
    a_crossbar_with_room_for_one: least(HierarchyConfig::fermi()), 5, crossbar;
}
