//! Neighbours of a window, as wide as they are aligned.

use lanescope_ir::AddressSpace;

use super::window::Candidate;

/// Accesses of 16 bits close together that are joined, at most: longer runs come of loops that are joined before they
/// are written out.
const HALVES: usize = 32;

/// A wider access: its members with their bytes from its beginning.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    pub(super) members: Vec<(usize, u64)>,
    pub(super) is_store: bool,
    pub(super) bytes: u64,
}

/// Finds the wide accesses of a run of candidates.
pub(super) fn join(list: &[Candidate], widest: u64, found: &mut Vec<Wide>) {
    let mut done = vec![false; list.len()];
    for (at, candidate) in list.iter().enumerate() {
        if done.get(at) != Some(&false) {
            continue;
        }
        let mut group = vec![candidate];
        for (other, done) in list.iter().zip(&mut done).skip(at + 1) {
            if !*done && other.joins(candidate) {
                *done = true;
                group.push(other);
            }
        }
        if group.len() > 1 {
            split(list, &group, widest, found);
        }
    }
}

/// Cuts the accesses of one aligned piece into wide ones.
fn split(list: &[Candidate], group: &[&Candidate], widest: u64, found: &mut Vec<Wide>) {
    let Some(site) = group.first() else { return };
    let near = |other: &&Candidate| {
        other.location.array == site.location.array
            && other.is_store == site.is_store
            && other
                .location
                .address
                .distance(site.location.address)
                .is_some_and(|distance| distance.unsigned_abs() < 1024)
    };
    if site.location.bytes == 2 && list.iter().filter(near).count() > HALVES {
        return;
    }
    let widest = widest.min(middle(list, site));
    let all = group.iter().fold(0, |all, location| all | location.bytes());
    let mut pieces = Vec::new();
    cut(all, 16, 0, site.alignment.min(widest), site, &mut pieces);
    for (from, bytes) in pieces {
        let members: Vec<(usize, u64)> = group
            .iter()
            .filter(|site| from <= site.behind && site.behind + site.location.bytes <= from + bytes)
            .map(|access| (access.at, access.behind - from))
            .collect();
        if members.len() > 1 {
            found.push(Wide {
                members,
                is_store: site.is_store,
                bytes,
            });
        }
    }
}

/// What is known of an address that a loop moves in which several iterations are one piece: it is counted from the
/// middle one of all that four iterations ask of this place.
fn middle(list: &[Candidate], candidate: &Candidate) -> u64 {
    // Barriers and branches part iterations of one piece.
    let same = list
        .iter()
        .filter(|other| other.site == candidate.site)
        .count();
    let iterations = candidate.iterations.min(same);
    if !candidate.moves || iterations < 2 {
        return 16;
    }
    let near = list.iter().filter(|other| {
        let distance = other.location.address.distance(candidate.location.address);
        other.location.array == candidate.location.array
            && other.is_store == candidate.is_store
            && distance.is_some_and(|distance| distance.unsigned_abs() < 1024)
    });
    let joined = near.count() * iterations.min(4) / iterations;
    let bytes = (joined as u64 / 2).saturating_mul(candidate.location.bytes);
    1 << bytes.trailing_zeros().min(4)
}

/// Cuts the bytes `all` of a piece of `size` bytes at `from` into accesses of at most `widest`.
fn cut(
    all: u32,
    size: u64,
    from: u64,
    widest: u64,
    candidate: &Candidate,
    found: &mut Vec<(u64, u64)>,
) {
    let place = ((1_u32 << size) - 1) << from;
    let here = place & all;
    if here == 0 || size == 0 {
        return;
    }
    let is_whole = here == place;
    if size <= widest
        && (is_whole
            || !candidate.is_store && size >= 4 && three_quarters(here >> from, size, candidate))
    {
        found.push((from, size));
    } else if size > candidate.location.bytes.min(4) {
        cut(all, size / 2, from, widest, candidate, found);
        cut(all, size / 2, from + size / 2, widest, candidate, found);
    }
}

/// Whether three quarters of `size` bytes are asked for; of global memory the first three.
fn three_quarters(bytes: u32, size: u64, candidate: &Candidate) -> bool {
    if size == 8 {
        return false;
    }
    let fills = candidate.location.space == AddressSpace::Shared;
    let quarter = size / 4;
    let mask = (1_u32 << quarter) - 1;
    let is_full = |at: u64| (bytes >> (at * quarter)) & mask == mask;
    let count = (0..4).filter(|at| is_full(*at)).count();
    count == 3 && (fills || !is_full(3))
}
