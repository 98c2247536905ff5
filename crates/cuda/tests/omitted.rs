//! Why accesses of a source make no request, as the compiler that is followed leaves them.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_frontend::{Access, Budget, KernelOptions, NamedLaunch, Omitted, SiteId, execute};
use lanescope_query::parse_compiled;

/// What became of each access of the body, by its text; `None` for those that made requests.
fn omitted(body: &str) -> Vec<(String, Option<Omitted>)> {
    let source = format!(
        "__constant__ float c[4];
        __global__ void k(float* out, const float* in, int n) {{
          __shared__ float s[256];
          int t = threadIdx.x;
          {body}
        }}"
    );
    let parsed = parse_compiled(&source, &KernelOptions::default());
    let mut requests = vec![0; parsed.program.sites().len()];
    let mut count = |access: &Access<'_>| {
        requests[access.site.0 as usize] += 1;
        true
    };
    let launch = NamedLaunch::new([1, 1, 1], [32, 1, 1]);
    let outcome = execute(&parsed.program, &launch, 32, Budget::default(), &mut count);
    let sites = parsed.program.sites().iter().enumerate();
    sites
        .map(|(at, site)| {
            let id = SiteId(u32::try_from(at).expect("few sites"));
            let why = (requests[at] == 0).then(|| parsed.program.omitted(id, &outcome));
            (site.span.text(&source).to_owned(), why)
        })
        .collect()
}

/// The reasons alone.
fn reasons(body: &str) -> Vec<Option<Omitted>> {
    omitted(body).into_iter().map(|(_, why)| why).collect()
}

#[test]
fn a_neighbour_takes_it_along() {
    let found = omitted("out[t] = s[4 * t] + s[4 * t + 1];");
    let joined = found.iter().position(|(_, why)| why.is_some());
    let joined = joined.expect("one is joined");
    let Some(Omitted::Joined(other)) = found[joined].1 else {
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
    let merged = |why: &&Option<Omitted>| matches!(why, Some(Omitted::Merged(_)));
    assert_eq!(found.iter().filter(merged).count(), 2, "{found:?}");
}

#[test]
fn what_a_thread_holds_is_not_read_again() {
    let found = reasons("s[t] = in[t]; out[t] = s[t];");
    assert_eq!(found.iter().flatten().collect::<Vec<_>>(), [&Omitted::Held]);
}

#[test]
fn what_is_overwritten_or_never_used_is_left_out() {
    let found = reasons("out[t] = 1; out[t] = 2; float unused = in[t];");
    assert!(found.contains(&Some(Omitted::Overwritten)), "{found:?}");
    assert!(found.contains(&Some(Omitted::Unused)), "{found:?}");
}

#[test]
fn constant_memory_and_what_no_thread_reaches_are_told_apart() {
    let found = reasons(
        "float own[4] = {}; float* p = n ? own : out; out[t] = p[t & 1]; if (t > 64) out[t] = in[t];",
    );
    assert!(found.contains(&Some(Omitted::Elsewhere)), "{found:?}");
    assert!(found.contains(&Some(Omitted::Unreached)), "{found:?}");
}

#[test]
fn of_a_run_that_was_cut_nothing_is_said_to_be_unreached() {
    let source = "__global__ void k(int *a) { for (int i = 0; i < 99; i++) a[i] = i; a[100] = 1; }";
    let parsed = parse_compiled(source, &KernelOptions::default());
    let budget = Budget {
        requests: 8,
        ..Budget::default()
    };
    let launch = NamedLaunch::new([1, 1, 1], [32, 1, 1]);
    let outcome = execute(&parsed.program, &launch, 32, budget, &mut |_: &Access<
        '_,
    >| true);
    let last = SiteId(u32::try_from(parsed.program.sites().len() - 1).expect("few sites"));
    assert_eq!(parsed.program.omitted(last, &outcome), Omitted::Cut);
}
