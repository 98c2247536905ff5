//! Whether what was measured ranks the kernels as the counts do.

use std::sync::Arc;

use leptos::prelude::*;

use crate::line::ranking;
use crate::session::Session;
use crate::sheet::Sheet;

/// A sentence, where a report has pairs that the counts order.
#[component]
pub(crate) fn RankingLine(sheet: Memo<Arc<Sheet>>) -> impl IntoView {
    let session = Session::here();
    move || {
        let is_software = session.of_report(|shown| shown.report.adapter.is_software())?;
        let sheet = sheet.read();
        let (found, furthest) = ranking(&sheet.lines);
        let said = session.language().ranking(&found, furthest, is_software);
        let line = view! {
            <p
                class="lab-ranking"
                data-testid="lab-ranking"
                data-ordered=found.ordered.to_string()
                data-agreeing=found.agreeing.to_string()
            >
                {said}
            </p>
        };
        (found.ordered > 0).then_some(line)
    }
}
