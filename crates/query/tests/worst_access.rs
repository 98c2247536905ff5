//! Which access is looked at first, and which beside it.

use lanescope_cuda::parse_expression;
use lanescope_frontend::{Budget, NamedLaunch, execute};
use lanescope_ir::SiteId;
use lanescope_model::{Device, Operation};
use lanescope_simt::Access;

use lanescope_tally::{Counted, SiteTally, companion, worst};

/// Which of `accesses` costs most, and which is looked at beside it.
fn chosen(accesses: &str) -> [Option<u32>; 2] {
    let declarations = "__shared__ float s[32][33]; float *g;";
    let program = parse_expression(declarations, accesses, Operation::Load).program;
    let device = Device::by_id("cc9.0").expect("a profile");
    let sites = program.sites();
    let mut tallies: Vec<SiteTally> = (0..)
        .take(sites.len())
        .map(|site| SiteTally::new(SiteId(site)))
        .collect();
    let mut count = |access: &Access<'_>| {
        tallies[access.site.0 as usize].count(device, &access.request);
        true
    };
    let launch = NamedLaunch::new([1, 1, 1], [32, 1, 1]);
    execute(&program, &launch, 32, Budget::default(), &mut count);
    let counted = Counted {
        device: Some(device),
        sites,
        tallies: &tallies,
    };
    let site = worst(counted);
    let beside = site.and_then(|site| companion(counted, site));
    [site, beside].map(|site| site.map(|site| site.0))
}

#[test]
fn what_costs_more_comes_first_a_conflict_or_sectors_moved_for_nothing() {
    let sectors = "g[tx * 8]\ns[0][tx]\ns[0][tx * 2]";
    assert_eq!(chosen(sectors), [Some(0), Some(2)]);
    let conflict = "g[tx * 2]\ns[0][tx]\ns[0][tx * 32]";
    assert_eq!(chosen(conflict), [Some(2), Some(0)]);
}

#[test]
fn sectors_moved_for_nothing_come_before_a_place_that_is_free() {
    assert_eq!(chosen("s[0][tx]\ng[tx]\ng[tx * 8]"), [Some(2), Some(0)]);
}

#[test]
fn the_worst_of_the_other_memory_is_looked_at_beside() {
    assert_eq!(chosen("g[tx]\ng[tx * 8]\ns[0][tx * 4]"), [Some(1), Some(2)]);
}

#[test]
fn of_places_without_fault_the_first_in_shared_memory_is_looked_at() {
    assert_eq!(chosen("g[tx]\ns[1][tx]\ns[0][tx]"), [Some(1), Some(0)]);
}
