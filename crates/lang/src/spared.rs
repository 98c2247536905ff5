//! Why an access of the source makes no request.

use crate::code::Inst;
use crate::{End, Outcome, Program, SiteId};

/// Why an access that stands in the source makes no request of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spared {
    /// The compiler joins it with that one into a wider access. As nvcc of CUDA 13 does for compute
    /// capability 9.0, where it was measured; other compilers may differ.
    Joined(SiteId),
    /// It stands in both branches of an `if`, and is one instruction with that one.
    Merged(SiteId),
    /// The thread still holds the value: it has read or written it before.
    Held,
    /// What it stores is overwritten before anything reads it.
    Overwritten,
    /// Nothing uses the value that it loads.
    Unused,
    /// It lies in constant memory or is the thread's own: neither is counted.
    Elsewhere,
    /// No thread of the blocks that ran comes to it.
    Unreached,
    /// The run ended before a thread came to it.
    Cut,
}

/// What became of an access where a compiler has changed the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The access of the source that its requests count for.
    pub counts_for: SiteId,
    /// Why it makes none, where it makes none.
    pub spared: Option<Spared>,
}

impl Spared {
    /// The access that does this one's work too, if one does.
    #[must_use]
    pub const fn other(self) -> Option<SiteId> {
        match self {
            Self::Joined(other) | Self::Merged(other) => Some(other),
            _ => None,
        }
    }

    /// The reason in words; `text` and `line` are those of [`Self::other`].
    #[must_use]
    pub fn said(self, text: &str, line: u32) -> String {
        match self {
            Self::Joined(_) => format!(
                "joined with {text} of line {line} into one wider access, as nvcc 13 does for CC 9.0"
            ),
            Self::Merged(_) => {
                format!("one instruction with {text} of line {line}, in the other branch")
            }
            Self::Held => "not read again: the thread still holds the value".into(),
            Self::Overwritten => "left out: overwritten before anything reads it".into(),
            Self::Unused => "left out: nothing uses the value".into(),
            Self::Elsewhere => "in constant memory or the thread's own: not counted".into(),
            Self::Unreached => "no thread of the blocks that ran gets here".into(),
            Self::Cut => "not known: the run was cut before a thread got here".into(),
        }
    }
}

impl Program {
    /// Why the access `id` made no request in the run that `outcome` tells of; means nothing for one
    /// that made some.
    #[must_use]
    pub fn spared(&self, id: SiteId, outcome: &Outcome) -> Spared {
        let at = id.0 as usize;
        let merged = self.site(id).and_then(|site| site.merged_into);
        let told = self.fates.get(at).and_then(|fate| fate.spared);
        let met = outcome.spared.get(at).copied().flatten().or(told);
        match (merged, met) {
            (Some(other), _) => Spared::Merged(other),
            (None, Some(why)) => why,
            (None, None) if self.asks(id) && outcome.end != End::Completed => Spared::Cut,
            (None, None) if self.asks(id) => Spared::Unreached,
            (None, None) => Spared::Unused,
        }
    }

    /// Whether an instruction is left that makes requests of the site.
    fn asks(&self, id: SiteId) -> bool {
        let mut insts = self.code.insts.iter();
        self.code.insts.is_empty()
            || insts.any(|inst| {
                matches!(inst, Inst::Request { site, .. } | Inst::Gather { site, .. }
                    | Inst::Issue { site } if *site == id)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, Budget, Launch, execute, parse_kernel};

    /// What became of each access of the body, by its text; `None` for those that made requests.
    fn spared(body: &str) -> Vec<(String, Option<Spared>)> {
        let source = format!(
            "__constant__ float c[4];
            __global__ void k(float* out, const float* in, int n) {{
              __shared__ float s[256];
              int t = threadIdx.x;
              {body}
            }}"
        );
        let parsed = parse_kernel(&source, &crate::KernelOptions::default());
        let mut requests = vec![0; parsed.program.sites().len()];
        let mut count = |access: &Access<'_>| {
            requests[access.site.0 as usize] += 1;
            true
        };
        let launch = Launch::new([1, 1, 1], [32, 1, 1]);
        let outcome = execute(&parsed.program, &launch, 32, Budget::default(), &mut count);
        let sites = parsed.program.sites().iter().enumerate();
        sites
            .map(|(at, site)| {
                let id = SiteId(u32::try_from(at).expect("few sites"));
                let why = (requests[at] == 0).then(|| parsed.program.spared(id, &outcome));
                (site.span.text(&source).to_owned(), why)
            })
            .collect()
    }

    /// The reasons alone.
    fn reasons(body: &str) -> Vec<Option<Spared>> {
        spared(body).into_iter().map(|(_, why)| why).collect()
    }

    #[test]
    fn a_neighbour_takes_it_along() {
        let found = spared("out[t] = s[4 * t] + s[4 * t + 1];");
        let joined = found.iter().position(|(_, why)| why.is_some());
        let joined = joined.expect("one is joined");
        let Some(Spared::Joined(other)) = found[joined].1 else {
            panic!("{found:?}");
        };
        assert!(
            found[other.0 as usize].0.starts_with("s[4 * t"),
            "{found:?}"
        );
        assert_ne!(other.0 as usize, joined);
    }

    #[test]
    fn both_branches_are_one_instruction() {
        let found = reasons("if (in[t] > 0) out[t] = s[t]; else out[t] = s[t] + 1;");
        let merged = |why: &&Option<Spared>| matches!(why, Some(Spared::Merged(_)));
        assert_eq!(found.iter().filter(merged).count(), 2, "{found:?}");
    }

    #[test]
    fn what_a_thread_holds_is_not_read_again() {
        let found = reasons("s[t] = in[t]; out[t] = s[t];");
        assert_eq!(found.iter().flatten().collect::<Vec<_>>(), [&Spared::Held]);
    }

    #[test]
    fn what_is_overwritten_or_never_used_is_left_out() {
        let found = reasons("out[t] = 1; out[t] = 2; float unused = in[t];");
        assert!(found.contains(&Some(Spared::Overwritten)), "{found:?}");
        assert!(found.contains(&Some(Spared::Unused)), "{found:?}");
    }

    #[test]
    fn constant_memory_and_what_no_thread_reaches_are_told_apart() {
        let found = reasons(
            "float own[4] = {}; float* p = n ? own : out; out[t] = p[t & 1]; if (t > 64) out[t] = in[t];",
        );
        assert!(found.contains(&Some(Spared::Elsewhere)), "{found:?}");
        assert!(found.contains(&Some(Spared::Unreached)), "{found:?}");
    }

    #[test]
    fn of_a_run_that_was_cut_nothing_is_said_to_be_unreached() {
        let source =
            "__global__ void k(int *a) { for (int i = 0; i < 99; i++) a[i] = i; a[100] = 1; }";
        let parsed = parse_kernel(source, &crate::KernelOptions::default());
        let budget = Budget {
            requests: 8,
            ..Budget::default()
        };
        let launch = Launch::new([1, 1, 1], [32, 1, 1]);
        let outcome = execute(&parsed.program, &launch, 32, budget, &mut |_: &Access<
            '_,
        >| true);
        let last = SiteId(u32::try_from(parsed.program.sites().len() - 1).expect("few sites"));
        assert_eq!(parsed.program.spared(last, &outcome), Spared::Cut);
    }
}
