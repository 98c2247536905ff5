//! A layout as a program.

#[test]
fn a_layout_runs_as_a_program() {
    let text = "type f16\ntile = Swizzle<3,3,3> o (64,64):(64,1)\ntile\nldmatrix.x4 at (0,8)\nload tv ((4,8,2),(2,4)):((128,1,8),(64,16))";
    let parsed = lanescope_query::parse_layout(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    assert_eq!(parsed.program.own_warps(), Some(2));
    let spans: Vec<_> = parsed
        .program
        .sites()
        .iter()
        .map(|site| (site.line, site.span.text(text)))
        .collect();
    assert_eq!(spans[0], (4, "ldmatrix.x4 at (0,8)"));
    let mut seen = Vec::new();
    let mut watch = |access: &lanescope_frontend::Access<'_>| {
        seen.push((
            access.site.0,
            access.warp,
            access.occurrence,
            access.request.active.count(),
        ));
        true
    };
    let outcome = lanescope_frontend::execute(
        &parsed.program,
        &lanescope_frontend::NamedLaunch::default(),
        32,
        lanescope_frontend::Budget::default(),
        &mut watch,
    );
    assert_eq!((outcome.requests, outcome.blocks_done), (17, 1));
    assert_eq!(seen[..3], [(0, 0, 0, 32), (1, 0, 0, 32), (1, 0, 1, 32)]);
}
