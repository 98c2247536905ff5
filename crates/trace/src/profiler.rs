//! Exports of Nsight Compute, which are no traces.

use super::records::SEPARATORS;

/// The most lines that are looked at: the profiler's own, and what the program printed.
const MOST_LINES: usize = 4_096;

/// The first two titles of its pages `raw` and `details`, `source`, and of tables that `source` has in it.
const TITLES: [[&str; 2]; 4] = [
    ["ID", "Process ID"],
    ["ID", "Kernel Name"],
    ["Address", "Source"],
    ["Line No", "Source"],
];

/// Rows that name what follows them on the page `source`.
const NAMES: [&str; 4] = ["Kernel Name", "File Path", "File Name", "Function Name"];

/// Whether a text is an export of the profiler, by its own lines or the titles of its tables.
#[must_use]
pub fn is_export(text: &str) -> bool {
    let mut lines = text.lines().take(MOST_LINES);
    lines.any(|line| line.starts_with("==PROF== ") || is_title(line))
}

fn is_title(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    let fields = SEPARATORS.map(|separator| {
        let mut fields = line
            .split(separator)
            .map(|field| field.trim().trim_matches('"'));
        [
            fields.next().unwrap_or_default(),
            fields.next().unwrap_or_default(),
        ]
    });
    fields.iter().any(|[first, second]| {
        TITLES.contains(&[first, second]) || NAMES.contains(first) && !second.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::is_export;

    #[test]
    fn pages_are_known_by_their_titles() {
        for text in [
            "==PROF== Connected to process 7\n",
            "\u{feff}\"ID\",\"Process ID\",\"Process Name\"\n",
            "hello\n\"ID\";\"Kernel Name\";\"Metric Name\"\n",
            "\"Kernel Name\",\"turn(float *)\"\n\"Address\",\"Source\"\n",
        ] {
            assert!(is_export(text), "{text}");
        }
        for text in [
            "instruction,lane0\nld.shared.b32,0\n",
            "0,4,8\n",
            "Kernel Name\n",
            "",
        ] {
            assert!(!is_export(text), "{text}");
        }
    }
}
