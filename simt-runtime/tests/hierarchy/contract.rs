//! The contract of levels holds of whole hierarchies, on requests of all kinds: those of machines, and those that none has.

use super::lists::{alone, second_of_cores, third, without_second};
use super::parts::{least, middling};
use simt_runtime::hierarchy::HierarchyConfig;
use simt_testing::{hold_level_to_contract, whole_hierarchy};

/// A test of the contract for each config, with so many cores.
macro_rules! contract {
    ($($name:ident: $config:expr, $cores:expr;)*) => {$(
        #[test]
        fn $name() {
            let config: HierarchyConfig = $config;
            let line = config.caches().next().map_or(64, |cache| cache.line);
            hold_level_to_contract(|| whole_hierarchy(&config, $cores), $cores, line.into());
        }
    )*};
}

contract! {
    all_of_fung2009: HierarchyConfig::fung2009(), 16;
    all_of_fermi: HierarchyConfig::fermi(), 15;
    all_of_turing: HierarchyConfig::turing(), 30;
    all_of_volta: HierarchyConfig::volta(), 30;
    all_of_ampere: HierarchyConfig::ampere(), 46;
    all_of_middling_size: middling(HierarchyConfig::turing()), 7;
    all_of_fung2009_at_its_least: least(HierarchyConfig::fung2009()), 7;
    all_of_fermi_at_its_least: least(HierarchyConfig::fermi()), 7;
    all_of_turing_at_its_least: least(HierarchyConfig::turing()), 7;
    all_with_a_third_level: third(), 12;
    all_with_a_third_level_of_middling_size: middling(third()), 7;
    all_with_a_third_level_at_its_least: least(third()), 7;
    all_without_a_second_level: without_second(), 15;
    all_without_a_second_level_of_middling_size: middling(without_second()), 7;
    all_with_two_levels_a_core: second_of_cores(), 12;
    all_with_two_levels_a_core_of_middling_size: middling(second_of_cores()), 7;
    all_with_two_levels_a_core_at_its_least: least(second_of_cores()), 7;
    all_with_a_level_a_core_that_is_written_back: least(alone()), 7;
    all_without_caches: without_caches(), 7;
}

fn without_caches() -> HierarchyConfig {
    let mut config = HierarchyConfig::fung2009();
    config.remove("l1");
    config
}
