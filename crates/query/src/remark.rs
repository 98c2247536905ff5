//! Optimization remarks: what the compiler's model did to each access.

use crate::static_passes::Passes;
use crate::{Answer, Question};
use lanescope_cuda::source::Site;
use lanescope_ir::SiteId;
use lanescope_optimizer::RemarkKind;
use lanescope_tally::Kind;

/// What the static passes did to one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessRemark {
    /// The access.
    pub access: Named,
    /// Which memory, and what is done to it.
    pub kind: Kind,
    /// What was done.
    pub remark: RemarkKind,
    /// The other access that it is about, if it is about one.
    pub other: Option<Named>,
}

/// An access as readers know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its line, from 1, in the source with all files behind it.
    pub place: u32,
    /// Its text, in one line.
    pub text: String,
}

impl Named {
    fn of(site: &Site, source: &str, lines_before: u32) -> Self {
        let words = site.span.text(source).split_whitespace();
        Self {
            place: site.line.saturating_sub(lines_before),
            text: words.collect::<Vec<_>>().join(" "),
        }
    }
}

/// What was done to the accesses of a kernel, in the order of the source; nothing where it is counted as written.
#[must_use]
pub fn remarks(question: &Question) -> Vec<AccessRemark> {
    let passes = question.passes.as_ref();
    passes.map_or_else(Vec::new, |passes| {
        named(passes, &question.source, question.first_line)
    })
}

impl Answer {
    /// The same of what a page shows.
    #[must_use]
    pub fn remarks(&self) -> Vec<AccessRemark> {
        let passes = self.passes.as_ref();
        passes.map_or_else(Vec::new, |passes| {
            named(passes, &self.source, self.lines_before)
        })
    }
}

fn named(passes: &Passes, source: &str, lines_before: u32) -> Vec<AccessRemark> {
    let site = |id: SiteId| passes.sites.get(id.index());
    let name = |id: SiteId| Some(Named::of(site(id)?, source, lines_before));
    let remark = |one: &lanescope_optimizer::Remark| {
        let of = site(one.site)?;
        let other = one.kind.other().filter(|other| *other != one.site);
        Some(AccessRemark {
            access: name(one.site)?,
            kind: Kind::of(of.space, of.operation),
            remark: one.kind,
            other: other.and_then(name),
        })
    };
    let mut all: Vec<AccessRemark> = passes.remarks.iter().filter_map(remark).collect();
    all.sort_by_key(|one| one.access.place);
    all.dedup();
    all
}

impl AccessRemark {
    /// The remark in English.
    #[must_use]
    pub fn words(&self) -> String {
        let other = self
            .other
            .as_ref()
            .map(|other| format!("{} of line {}", other.text, other.place));
        let with = |words: &str| {
            let other = other.as_ref();
            other.map_or_else(String::new, |other| format!(" {words} {other}"))
        };
        match self.remark {
            RemarkKind::Vectorized { bytes, .. } => {
                format!("one access of {bytes} bytes{}", with("together with"))
            }
            RemarkKind::Merged { .. } => {
                format!("one instruction{} in the other branch", with("with"))
            }
            RemarkKind::Eliminated { .. } => {
                format!("left out: the thread holds the value{}", with("from"))
            }
            RemarkKind::PartlyEliminated { .. } => format!(
                "done only by lanes that do not hold the value{} yet",
                with("from")
            ),
            RemarkKind::Unchanged => "left out: its place holds the value already".into(),
            RemarkKind::Overwritten => "left out: overwritten before anything reads it".into(),
            RemarkKind::Unused => "left out: nothing uses the value".into(),
            RemarkKind::Hoisted => "done once, before the loop".into(),
            RemarkKind::Sunk => "moved into the branch that needs it".into(),
            RemarkKind::Unrolled { times } => format!("its loop is unrolled {times} times"),
            RemarkKind::Aggregated => "one lane does it for the warp".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_share::{self as share, Source, State};

    fn said(compiler: Option<share::Compiler>) -> Vec<(u32, &'static str, String)> {
        let text = "__global__ void k(const float *in, float *out) {
  int i = 2 * threadIdx.x;
  float a = in[i];
  float b = in[i + 1];
  out[i] = a;
  out[i] = b;
}";
        let state = State {
            source: Source::Kernel(text.to_owned()),
            compiler,
            ..State::default()
        };
        let question = Question::of(&state, 1_000).expect("it can be asked");
        let all = remarks(&question);
        all.iter()
            .map(|one| (one.access.place, one.remark.key(), one.words()))
            .collect()
    }

    #[test]
    fn what_the_passes_did_is_said_by_access() {
        let said = said(None);
        let overwritten = (
            5,
            "overwritten",
            "left out: overwritten before anything reads it".to_owned(),
        );
        assert!(said.contains(&overwritten), "{said:?}");
    }

    #[test]
    fn nothing_is_done_to_a_kernel_as_written() {
        assert_eq!(said(Some(share::Compiler::None)), []);
    }
}
