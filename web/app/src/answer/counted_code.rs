//! What a compiler made of a source, counted, by the lines and operations of that source.

use std::collections::BTreeMap;

use lanescope_frontend::SiteId;
use lanescope_model::Space;
use lanescope_query::Answer;
use lanescope_tally::{Kind, SiteTally};

use super::findings::Ranked;
use super::inside::{Inside, Place, insides, seen};
use super::source_text::short;

/// The accesses of compiled code that one line of the source does in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountedAccess {
    /// The line of the source; 0: of another file, or of none.
    pub(crate) line: u32,
    /// What is done there.
    pub(crate) kind: Kind,
    /// What all of its instructions cost; its site is the one that wastes most.
    pub(crate) tally: SiteTally,
    /// Its part of all waste, in basis points.
    pub(crate) share_basis_points: u32,
    /// Its instructions, without operands.
    pub(crate) opcodes: Vec<String>,
}

impl CountedAccess {
    fn new(line: u32, kind: Kind, tally: SiteTally) -> Self {
        Self {
            line,
            kind,
            tally,
            share_basis_points: 0,
            opcodes: Vec::new(),
        }
    }

    /// The memory that it asks.
    pub(crate) const fn space(&self) -> Space {
        match self.kind.is_shared() {
            true => Space::Shared,
            false => Space::Global,
        }
    }

    /// Wavefronts of shared memory, sectors (or what the device counts) of global memory.
    pub(crate) const fn units(&self) -> u64 {
        units(self.kind, &self.tally)
    }

    /// The costliest request of its site that wastes most; `None` where it is not known which.
    pub(crate) fn worst_request(&self, code: &Answer) -> Option<Inside> {
        let worst = self.tally.worst?;
        let place = Place {
            sites: vec![self.tally.site],
            block: worst.block,
            warp: worst.warp,
            iteration: worst.occurrence,
        };
        insides(code, &place, &seen(code, &place)).pop()
    }
}

/// The accesses of `code` that made a request, by the lines of the source `file`; `ranked` are its findings, whose order is
/// theirs.
pub(crate) fn counted_accesses(code: &Answer, file: &str, ranked: &[Ranked]) -> Vec<CountedAccess> {
    let mut found: BTreeMap<(u32, Kind), CountedAccess> = BTreeMap::new();
    let shares = ranked
        .iter()
        .map(|one| (one.tally.site, one.share_basis_points));
    let shares: BTreeMap<SiteId, u32> = shares.collect();
    // A site that wastes most comes first.
    let mut tallies: Vec<&SiteTally> = code.sites.iter().filter(|site| site.requests > 0).collect();
    tallies.sort_by_key(|tally| std::cmp::Reverse(shares.get(&tally.site).copied().unwrap_or(0)));
    for tally in tallies {
        let Some(kind) = kind(code, tally.site) else {
            continue;
        };
        let line = source_line(code, tally.site, file).unwrap_or(0);
        let empty = CountedAccess::new(line, kind, SiteTally::new(tally.site));
        let access = found.entry((line, kind)).or_insert(empty);
        let worst = access
            .tally
            .worst
            .or(tally.worst.filter(|_| access.tally.site == tally.site));
        access.tally.add(tally);
        access.tally.worst = worst;
        access.share_basis_points += shares.get(&tally.site).copied().unwrap_or(0);
        let opcode = code
            .text(tally.site)
            .split_whitespace()
            .next()
            .unwrap_or_default();
        if !access.opcodes.iter().any(|one| one == opcode) {
            access.opcodes.push(opcode.to_owned());
        }
    }
    let mut accesses: Vec<CountedAccess> = found.into_values().collect();
    accesses.sort_by_key(|access| std::cmp::Reverse(access.share_basis_points));
    accesses
}

/// What is done at a site.
pub(crate) fn kind(answer: &Answer, site: SiteId) -> Option<Kind> {
    let site = answer.program.site(site)?;
    Some(Kind::of(site.space, site.operation))
}

/// What the accesses of a source's line cost together, as predicted.
pub(crate) fn predicted_units(source: &Answer, line: u32, kind: Kind) -> u64 {
    let here = sites_at(source, line, kind).filter_map(|site| source.sites.get(site.index()));
    here.map(|tally| units(kind, tally))
        .fold(0, u64::saturating_add)
}

/// The accesses of a source's line that do so.
pub(crate) fn sites_at(source: &Answer, line: u32, kind: Kind) -> impl Iterator<Item = SiteId> {
    let sites = (0..).map(SiteId).zip(source.program.sites());
    let here = sites.filter(move |(id, site)| {
        source.line(*id) == line && Kind::of(site.space, site.operation) == kind
    });
    here.map(|(id, _)| id)
}

/// Sums by operation, as `lanescope kernel --against` has them.
pub(crate) fn totals(code: &Answer) -> BTreeMap<&'static str, u64> {
    let mut totals = BTreeMap::new();
    for tally in code.sites.iter().filter(|site| site.requests > 0) {
        if let Some(kind) = kind(code, tally.site) {
            let sum: &mut u64 = totals.entry(kind.words()).or_default();
            *sum = sum.saturating_add(units(kind, tally));
        }
    }
    totals
}

const fn units(kind: Kind, tally: &SiteTally) -> u64 {
    match kind.is_shared() {
        true => tally.shared.wavefronts,
        false => tally.global.units,
    }
}

/// The line of `file` that a site of compiled code comes from.
pub(crate) fn source_line(code: &Answer, site: SiteId, file: &str) -> Option<u32> {
    let kernel = code.program.lowered()?;
    let place = kernel.sites.get(site.index())?.place;
    let (of, line) = kernel.places.get(place.index())?.origin?;
    let path = kernel.files.get(usize::from(of))?;
    (short(path) == file).then_some(line)
}
