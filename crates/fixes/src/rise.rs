//! Lines whose accesses cost more with a fix than without.

use std::collections::BTreeMap;

use lanescope_frontend::Program;

use crate::record::Record;
use crate::{FixKind, Rise};

/// The line that costs the most more; `None` where none does, or where the fix leaves other accesses.
pub(crate) fn rise(kind: &FixKind, [before, after]: [(&Program, &Record); 2]) -> Option<Rise> {
    let [first, second] = [before.0.sites(), after.0.sites()];
    if !kind.keeps_accesses() || first.len() != second.len() {
        return None;
    }
    let mut lines: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for (at, site) in (0_u32..).zip(first) {
        let cost = |record: &Record| record.costs.get(&at).copied().unwrap_or(0);
        let (from, to) = lines.entry(site.line).or_default();
        *from += cost(before.1);
        *to += cost(after.1);
    }
    let rises = lines.into_iter().filter(|(_, (from, to))| to > from);
    let most = rises.max_by_key(|(line, (from, to))| (to - from, std::cmp::Reverse(*line)))?;
    let (line, (from, to)) = most;
    Some(Rise { line, from, to })
}
