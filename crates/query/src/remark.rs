//! Optimization remarks: what the compiler's model did to each access.

use crate::static_passes::Passes;
use crate::{Answer, Question};
use lanescope_frontend::{Omitted, SourceSite};
use lanescope_ir::SiteId;
use lanescope_locale::Language;
use lanescope_locale::compiler::{self, CompilerWords, Other};
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
    fn of(site: &SourceSite, source: &str, lines_before: u32) -> Self {
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
    /// The remark in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let other = self.other.as_ref().map(|other| Other {
            text: &other.text,
            place: other.place,
        });
        let words = CompilerWords::of(language);
        match self.remark {
            RemarkKind::Vectorized { bytes, .. } => compiler::vectorized(language, bytes, other),
            RemarkKind::Merged { .. } => compiler::merged(language, other),
            RemarkKind::Eliminated { .. } => compiler::eliminated(language, other),
            RemarkKind::PartlyEliminated { .. } => compiler::partly_eliminated(language, other),
            RemarkKind::Unchanged => words.unchanged.into(),
            RemarkKind::Known => words.known.into(),
            RemarkKind::Overwritten => words.overwritten.into(),
            RemarkKind::Unused => words.unused.into(),
            RemarkKind::Hoisted => words.hoisted.into(),
            RemarkKind::Sunk => words.sunk.into(),
            RemarkKind::Unrolled { times } => compiler::unrolled(language, times.into()),
            RemarkKind::Aggregated => words.aggregated.into(),
        }
    }
}

/// Why an access makes no request of its own; `text` and `line` are those of [`Omitted::other`].
#[must_use]
pub fn omitted_words(why: Omitted, text: &str, line: u32, language: Language) -> String {
    let words = CompilerWords::of(language);
    match why {
        Omitted::Joined(_) => compiler::omitted_joined(language, text, line),
        Omitted::Merged(_) => compiler::omitted_merged(language, text, line),
        Omitted::Held => words.omitted_held.into(),
        Omitted::Overwritten => words.omitted_overwritten.into(),
        Omitted::Unused => words.omitted_unused.into(),
        Omitted::Elsewhere => words.omitted_elsewhere.into(),
        Omitted::Cluster => words.omitted_cluster.into(),
        Omitted::Bulk => words.omitted_bulk.into(),
        Omitted::Texture => words.omitted_texture.into(),
        Omitted::Unreached => words.omitted_unreached.into(),
        Omitted::Cut => words.omitted_cut.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_share::{self as share, Source, State};

    fn remark_rows(compiler: Option<share::Compiler>) -> Vec<(u32, &'static str, String)> {
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
            .map(|one| {
                (
                    one.access.place,
                    one.remark.key(),
                    one.text(Language::English),
                )
            })
            .collect()
    }

    #[test]
    fn what_the_passes_did_is_said_by_access() {
        let rows = remark_rows(None);
        let overwritten = (
            5,
            "overwritten",
            "left out: overwritten before anything reads it".to_owned(),
        );
        assert!(rows.contains(&overwritten), "{rows:?}");
    }

    #[test]
    fn nothing_is_done_to_a_kernel_as_written() {
        assert_eq!(remark_rows(Some(share::Compiler::None)), []);
    }
}
