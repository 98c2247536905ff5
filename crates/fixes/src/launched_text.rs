//! A fix that is launched otherwise: the launch in the text is changed with it.

use lanescope_frontend::{NamedLaunch, Severity};

use crate::advisor::Advisor;
use crate::headline::new_line;
use crate::record::Watch;
use crate::{Suggestion, Totals, Version};

/// Whether two launches have the same blocks.
fn has_shape_of(one: &NamedLaunch, other: &NamedLaunch) -> bool {
    let shape = |launch: &NamedLaunch| (launch.grid, launch.block, launch.dynamic_shared_bytes);
    shape(one) == shape(other)
}

impl Advisor<'_, '_> {
    /// Adds the edits of the launch that the text has, where the fix is launched otherwise; the text as it is then is read
    /// again, and costs what was `proved` of the launch `after`.
    pub(crate) fn launch_in_text(
        &self,
        found: &mut Suggestion,
        after: &NamedLaunch,
        proved: &Totals,
    ) {
        let before = &self.launch;
        if has_shape_of(before, after) || before.arguments != after.arguments {
            return;
        }
        let (source, reader) = (self.question.source, self.question.reader);
        let name = self.program.name().split('<').next().unwrap_or_default();
        let edits = reader.launch_edits(source, name, &found.edits, [before, after]);
        let Some(more) = edits else { return };
        let edits = [found.edits.as_slice(), more.as_slice()].concat();
        let Some(changed) = source.edited(&edits) else {
            return;
        };
        let parsed = reader.read(&changed, Version::Counted);
        let is_wrong = |severity: Severity| severity == Severity::Error;
        let mut severities = parsed
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.severity());
        if severities.any(is_wrong) {
            return;
        }
        let again = self.run(&parsed.program, after, &Watch::PLAIN);
        if again.is_none_or(|again| again.totals != *proved) {
            return;
        }
        found.is_launched_in_text = true;
        if found.snippet.is_empty() {
            found.snippet = new_line(&self.text, &changed.text());
        }
        found.edits = edits;
        found.source = changed;
    }
}
