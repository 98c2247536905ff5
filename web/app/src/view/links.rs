//! The accesses of a source at their places in its text.

use lanescope_frontend::SiteId;
use wasm_bindgen::JsCast as _;
use web_sys::{Event, MouseEvent};

use crate::page::Page;
use crate::session::Session;
use lanescope_ui::element::{El, el};

/// The most accesses that are linked.
const MOST_LINKS: usize = 4_096;

/// A stretch of text, in bytes, that is an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) site: SiteId,
}

/// The accesses in a field whose text, `length` bytes, begins at byte `offset` of the source.
pub(crate) fn of_page(page: &Page, offset: u32, length: usize) -> Vec<Link> {
    let sites = (0..).map(SiteId).zip(page.answer.program.sites());
    let link = |(site, of): (SiteId, &lanescope_frontend::SourceSite)| {
        let start = usize::try_from(of.span.start.checked_sub(offset)?).ok()?;
        let end = usize::try_from(of.span.end.checked_sub(offset)?).ok()?;
        (start < end && end <= length).then_some(Link { start, end, site })
    };
    sites.take(MOST_LINKS).filter_map(link).collect()
}

/// `text` as elements: the accesses, and what lies between; of nested ones the innermost.
pub(super) fn spans(text: &str, links: &[Link]) -> Vec<El> {
    let is_inside = |at: &usize| text.is_char_boundary(*at);
    let edges = links.iter().flat_map(|link| [link.start, link.end]);
    let mut cuts: Vec<usize> = edges.filter(is_inside).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let pieces = cuts.iter().zip(cuts.iter().skip(1));
    pieces
        .map(|(from, to)| {
            let around = |link: &&Link| link.start <= *from && *to <= link.end;
            let inner = links.iter().filter(around);
            let inner = inner.min_by_key(|link| link.end - link.start);
            let span = el("span").text(text.get(*from..*to).unwrap_or_default());
            match inner {
                Some(link) => span.set("data-site", &link.site.0.to_string()),
                None => span,
            }
        })
        .collect()
}

/// Points at the access under the pointer: a plain field lies over the text, so that places decide.
pub(super) fn follow_pointer(session: Session, plain: &El, spans: &El) {
    let (spans, left) = (spans.clone(), session);
    let _ = plain
        .clone()
        .on("pointermove", move |event| {
            session.point_at(under(&event, &spans));
        })
        .on("pointerleave", move |_| left.point_at(None));
}

fn under(event: &Event, spans: &El) -> Option<SiteId> {
    let event = event.dyn_ref::<MouseEvent>()?;
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    let holds = |span: &El| {
        span.element().is_some_and(|span| {
            let place = span.get_bounding_client_rect();
            (place.left()..place.right()).contains(&x) && (place.top()..place.bottom()).contains(&y)
        })
    };
    let linked = |span: &El| span.element()?.get_attribute("data-site")?.parse().ok();
    let mut found = spans.children().into_iter();
    found
        .find_map(|span| linked(&span).filter(|_| holds(&span)))
        .map(SiteId)
}

/// An access as the editor's own script numbers it; -1: none.
pub(super) fn number(access: Option<SiteId>) -> i32 {
    access.map_or(-1, |SiteId(number)| i32::try_from(number).unwrap_or(-1))
}
