//! A layout text as a program whose run replays what its lanes ask for.

use lanescope_frontend::{
    ArrayId, DiagnosticKind, Lines, Parsed, Program, Recorded, SiteId, SourceArray, SourceSite,
    Span,
};
use lanescope_layouts::{Document, LaneRequest, Severity as Grade, parse};
use lanescope_model::Space;
use lanescope_syntax::sink::Sink;

/// Reads a layout text. Each access is a site; the run gives the requests of its lanes, warp by
/// warp, and does not depend on the launch's block.
#[must_use]
pub fn parse_layout(text: &str) -> Parsed {
    let document = parse(text);
    let mut sink = Sink::new(text);
    for found in &document.diagnostics {
        let span = Span::new(found.span.start, found.span.end);
        let fault = found.fault.clone();
        let kind = match found.severity {
            Grade::Error => DiagnosticKind::Layout { fault },
            Grade::Warning => DiagnosticKind::LayoutNote { fault },
        };
        sink.say(span, kind);
    }
    Parsed {
        program: program(text, &document),
        diagnostics: sink.into_list(),
    }
}

fn program(text: &str, document: &Document) -> Program {
    let lines = Lines::of(text);
    let mut program = Program {
        arrays: array(document).into_iter().collect(),
        is_expression: true,
        ..Program::default()
    };
    for request in &document.requests {
        let span = Span::new(request.span.start, request.span.end);
        let known = program.sites.iter().position(|site| site.span == span);
        let at = known.unwrap_or(program.sites.len());
        if known.is_none() {
            program.sites.push(site(request, span, &lines));
        }
        let site = SiteId(u32::try_from(at).unwrap_or(u32::MAX));
        program.recorded.push(Recorded {
            site,
            request: request.clone(),
        });
    }
    program.lines = lines;
    program
}

fn site(request: &LaneRequest, span: Span, lines: &Lines) -> SourceSite {
    let (line, column) = lines.place(span.start);
    SourceSite {
        span,
        line,
        column,
        array: Some(ArrayId(0)),
        space: Space::Shared,
        operation: request.operation,
        width: request.width,
        volatile: true,
        read_only: false,
        depends_on: None,
        reached_by: None,
    }
}

fn array(document: &Document) -> Option<SourceArray> {
    let placement = document.placement.as_ref()?;
    Some(SourceArray {
        name: "tile".to_owned(),
        span: Span::default(),
        line: 1,
        column: 1,
        space: Space::Shared,
        element: document.element.clone(),
        header_bytes: 0,
        element_bytes: placement.element_bytes(),
        extents: vec![placement.rows(), placement.columns()],
        bytes: None,
        restrict: false,
        base: 0,
    })
}
