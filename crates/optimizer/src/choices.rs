//! Which accesses a compiler may treat otherwise than the source has them.
//!
//! The passes of this crate predict what one compiler does. A prediction may be wrong; whether a kernel leaves a compiler
//! anything to decide can be told with much more certainty. [`choices`] looks at a kernel as it is and names each access
//! that some compiler could merge with another, drop, widen, narrow, repeat, move, or make for other lanes at a time. Where
//! it names none, and the count as written agrees with the prediction, the count does not depend on a compiler.
//!
//! Every test errs on the side of naming an access:
//!
//! - **Bytes** (`pairs`): two accesses of one thread whose addresses are the same polynomial of the unknowns, or lie within
//!   16 bytes of each other, with no barrier on some way between them; each loop is peeled twice, so that neighbouring
//!   iterations are compared too.
//! - **Uses** (`uses`): loads of which a part is not needed, stores to arrays that nothing reads, and whatever lies in a
//!   thread's own memory, which may become registers.
//! - **Sinking** (`sinking`): loads whose value matters only in branches that some lanes take.
//! - **Control** (`control`): accesses on both sides of a divergent branch, divergent branches on related conditions, and
//!   loops that lanes may leave at different times or by more than one exit.
//!
//! Of PTX, which a compiler has made, its assembler leaves most as it is: [`assembler_choices_while`].
//!
//! NB: addresses that are equal for a reason that value numbering does not see (a table, an integer identity) are missed.

mod assembler;
mod control;
mod pairs;
mod peeling;
mod sinking;
mod uses;

pub use assembler::assembler_choices_while;

use std::collections::BTreeMap;

use lanescope_ir::{AddressSpace, Kernel, Op, SiteId};

use self::pairs::Neighbours;
use crate::facts::Facts;
use crate::work::Work;

/// Why a compiler may treat an access otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChoiceKind {
    /// Another access of the thread goes to the same bytes, and no barrier lies between.
    Repeated,
    /// Another access of the thread goes to neighbouring bytes: both may become one.
    Adjacent,
    /// Not all that is loaded is needed, or nothing reads what is stored.
    PartlyUsed,
    /// It lies in the thread's own memory, which may become registers.
    PrivateMemory,
    /// Both sides of a branch on which lanes part access memory, or only one side needs what was loaded before it.
    Branch,
    /// It is in a loop that lanes may leave at different times.
    Loop,
    /// All lanes of a warp change one place: one lane may do it for all.
    Aggregation,
    /// The kernel is too large to look at.
    NotAnalysed,
}

impl ChoiceKind {
    /// A name that stays the same, for scripts.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Repeated => "repeated",
            Self::Adjacent => "adjacent",
            Self::PartlyUsed => "partly-used",
            Self::PrivateMemory => "private-memory",
            Self::Branch => "branch",
            Self::Loop => "loop",
            Self::Aggregation => "aggregation",
            Self::NotAnalysed => "not-analysed",
        }
    }
}

/// An access that a compiler may treat otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The access.
    pub site: SiteId,
    /// Why; of several reasons the first in the order of [`ChoiceKind`].
    pub kind: ChoiceKind,
}

/// Names the accesses of `kernel` that a compiler may treat otherwise, by site, with no more than so much `work` (see
/// [`crate::optimize_within`]). A kernel that takes more has every access named as [`ChoiceKind::NotAnalysed`].
#[must_use]
pub fn choices(kernel: &Kernel, work: u64) -> Vec<Choice> {
    choices_while(kernel, work, || true)
}

/// [`choices`], for as long as `keep_going` says so, which is asked again and again.
#[must_use]
pub fn choices_while(
    kernel: &Kernel,
    work: u64,
    keep_going: impl Fn() -> bool + 'static,
) -> Vec<Choice> {
    let mut found = Found::default();
    let mut work = Work::new(work, keep_going);
    if look(kernel, &mut work, &mut found).is_none() {
        for at in 0..kernel.sites.len() {
            found.add(
                SiteId(u32::try_from(at).unwrap_or(u32::MAX)),
                ChoiceKind::NotAnalysed,
            );
        }
    }
    let list = found.kinds.into_iter();
    list.map(|(site, kind)| Choice { site, kind }).collect()
}

/// `None` where work runs out.
fn look(kernel: &Kernel, work: &mut Work, found: &mut Found) -> Option<()> {
    let facts = Facts::of(kernel, work)?;
    uses::find(kernel, work, found)?;
    control::find(kernel, &facts, work, found)?;
    sinking::find(kernel, &facts, work, found)?;
    pairs::find(kernel, &facts, Neighbours::Declared, work, found)?;
    for at in 0..facts.loops.all().len() {
        let peeled = peeling::peeled_twice(kernel, facts.loops.get(at)?);
        let facts = Facts::of(&peeled, work)?;
        pairs::find(&peeled, &facts, Neighbours::Declared, work, found)?;
    }
    Some(())
}

/// What was found so far.
#[derive(Debug, Default)]
struct Found {
    kinds: BTreeMap<SiteId, ChoiceKind>,
}

impl Found {
    fn add(&mut self, site: SiteId, kind: ChoiceKind) {
        let known = self.kinds.entry(site).or_insert(kind);
        *known = (*known).min(kind);
    }
}

/// The accesses of an instruction that make requests, or that would in another space: all but those of a thread's own and
/// of constant memory.
fn counted_sites<'k>(kernel: &'k Kernel, op: &'k Op) -> impl Iterator<Item = SiteId> + use<'k> {
    op.sites().into_iter().filter(|id| {
        let site = kernel.sites.get(id.index());
        site.is_some_and(|site| match space_of(kernel, *id).unwrap_or(site.space) {
            AddressSpace::Local | AddressSpace::Constant => false,
            AddressSpace::Generic
            | AddressSpace::Global
            | AddressSpace::Shared
            | AddressSpace::SharedCluster => true,
        })
    })
}

/// Which memory an access goes to: its array's, where that is known.
fn space_of(kernel: &Kernel, site: SiteId) -> Option<AddressSpace> {
    let site = kernel.sites.get(site.index())?;
    let array = site.array.and_then(|id| kernel.arrays.get(id.index()));
    Some(array.map_or(site.space, |array| array.space))
}
