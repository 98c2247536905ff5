//! The findings as annotations of a workflow on GitHub.

use super::finding::{Finding, Level};
use super::outcome::Outcome;
use super::text::{message, sums};

/// A command of the workflow for each finding that nothing accepts, and the sums.
pub(super) fn text(outcome: &Outcome) -> String {
    let found = outcome.findings().filter(|one| one.accepted.is_none());
    let lines: String = found.map(annotation).collect();
    format!("{lines}{}\n", sums(outcome))
}

fn annotation(finding: &Finding) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut said = message(finding);
    if let Some(fix) = &finding.fix {
        said = format!(
            "{said}\nProved fix: {} ({}). Suggestion:\n{}",
            fix.description,
            fix.proof,
            fix.suggestion.trim_end()
        );
    }
    let region = finding.region;
    let place = match finding.file.is_empty() {
        true => String::new(),
        false => format!(
            "file={},line={},endLine={},",
            property(&finding.file),
            region.line,
            region.end_line
        ),
    };
    format!(
        "::{command} {place}title={}::{}\n",
        property(finding.rule.key()),
        data(&said)
    )
}

/// A text as a command carries it.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A text as a property of a command carries it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::property;

    #[test]
    fn a_file_s_name_ends_no_command() {
        assert_eq!(
            property("a:b,c%\n::error::"),
            "a%3Ab%2Cc%25%0A%3A%3Aerror%3A%3A"
        );
    }
}
