//! A launch that somebody gives: in a comment before the kernel, or in the settings.
//!
//! ```text
//! comment = "lanescope:" { word }
//! word    = "skip" | "allow" [ "=" rule { "," rule } ] | key "=" value
//! key     = "grid" | "block" | "kernel" | "dynamic-shared" | "define:" NAME | limit | NAME
//! limit   = "max-ways" | "max-sectors-per-request" | "max-waste"
//! ```

use crate::launch_args;
use crate::limits::{self, Limits};

/// What is given of one launch, and the limits that hold for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GivenLaunch {
    /// The kernel, with its template's arguments where it has some.
    pub(super) kernel: Option<String>,
    pub(super) grid: Option<[u32; 3]>,
    pub(super) block: Option<[u32; 3]>,
    pub(super) dynamic_shared: Option<u32>,
    pub(super) arguments: Vec<(String, String)>,
    pub(super) defines: Vec<(String, String)>,
    pub(super) limits: Limits,
}

/// A comment for this program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Directive {
    /// The line that it stands on, from 1.
    pub(super) line: u32,
    /// Where it begins in the text.
    pub(super) at: usize,
    /// Whether code stands before it on its line.
    pub(super) is_trailing: bool,
    /// Rules whose findings it accepts; all of them where it names none.
    pub(super) allows: Option<Vec<String>>,
    /// Whether the kernel after it is left out.
    pub(super) skips: bool,
    /// What it gives of a launch.
    pub(super) launch: Option<GivenLaunch>,
}

/// What a comment for this program begins with.
const MARK: &str = "lanescope:";

/// Every comment of `text` for this program, in order; of one that cannot be read, its line and why.
pub(super) fn directives(text: &str) -> Vec<Result<Directive, (u32, String)>> {
    let mut found = Vec::new();
    let (mut at, mut number) = (0, 0_u32);
    for line in text.split_inclusive('\n') {
        number = number.saturating_add(1);
        if let Some((before, words)) = comment(line) {
            let is_trailing = !before.trim().is_empty();
            let read = read(words).map(|directive| Directive {
                line: number,
                at: at + before.len(),
                is_trailing,
                ..directive
            });
            found.push(read.map_err(|why| (number, why)));
        }
        at += line.len();
    }
    found
}

/// What stands before a comment for this program, and its words.
fn comment(line: &str) -> Option<(&str, &str)> {
    let mark = line.find(MARK)?;
    let open = ["//", "/*"]
        .iter()
        .filter_map(|open| line[..mark].rfind(open))
        .max()?;
    let between = line[open..mark].trim_start_matches(['/', '*', '!']);
    if !between.trim().is_empty() {
        return None;
    }
    let words = &line[mark + MARK.len()..];
    Some((
        &line[..open],
        words.split("*/").next().unwrap_or(words).trim(),
    ))
}

fn read(words: &str) -> Result<Directive, String> {
    let mut directive = Directive::default();
    let mut launch = GivenLaunch::default();
    let mut gives_launch = false;
    for word in split(words) {
        match word.split_once('=') {
            None if word == "skip" => directive.skips = true,
            None if word == "allow" => directive.allows = Some(Vec::new()),
            None => return Err(format!("`{word}` has no value; write NAME=VALUE")),
            Some(("allow", rules)) => {
                directive.allows = Some(
                    rules
                        .split(',')
                        .map(|rule| rule.trim().to_owned())
                        .collect(),
                );
            }
            Some((key, value)) => {
                launch.take(key, value)?;
                gives_launch = true;
            }
        }
    }
    if !gives_launch && !directive.skips && directive.allows.is_none() {
        return Err(
            "it says nothing; write as in `lanescope: grid=64 block=256 n=2^20`".to_owned(),
        );
    }
    directive.launch = gives_launch.then_some(launch);
    Ok(directive)
}

/// The words of a comment: white space within brackets parts none.
fn split(words: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut depth = 0_u32;
    for sign in words.chars() {
        match sign {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (sign.is_whitespace() && depth == 0, found.last_mut()) {
            (false, Some(word)) => word.push(sign),
            (true, _) | (false, None) => found.push(String::new()),
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

impl GivenLaunch {
    /// Takes one setting.
    ///
    /// # Errors
    /// A sentence that says what to write.
    pub(super) fn take(&mut self, key: &str, value: &str) -> Result<(), String> {
        let named = |why: String| format!("{key}: {why}");
        let bare = value.trim().trim_start_matches('(').trim_end_matches(')');
        match key.trim() {
            "grid" => self.grid = Some(launch_args::extent(bare).map_err(named)?),
            "block" => self.block = Some(launch_args::extent(bare).map_err(named)?),
            "kernel" => self.kernel = Some(value.trim().to_owned()),
            "dynamic-shared" => {
                let bytes = number(bare).parse();
                self.dynamic_shared =
                    Some(bytes.map_err(|_| named("write a number of bytes".to_owned()))?);
            }
            "max-ways" => {
                let ways = bare.parse();
                self.limits.ways =
                    Some(ways.map_err(|_| named("write a whole number".to_owned()))?);
            }
            "max-sectors-per-request" => {
                self.limits.sectors_per_request = Some(limits::sectors(bare).map_err(named)?);
            }
            "max-waste" => self.limits.waste = Some(limits::waste(bare).map_err(named)?),
            other => match other.strip_prefix("define:") {
                Some(name) => self.defines.push((name.to_owned(), number(value.trim()))),
                None => {
                    let argument = format!("{other}={}", number(value.trim()));
                    self.arguments
                        .push(launch_args::argument(&argument).map_err(named)?);
                }
            },
        }
        Ok(())
    }
}

/// `2^20` as a number; any other text as it is.
fn number(text: &str) -> String {
    let power = text.split_once('^').and_then(|(base, exponent)| {
        let base: i64 = base.trim().parse().ok()?;
        base.checked_pow(exponent.trim().parse().ok()?)
    });
    power.map_or_else(|| text.to_owned(), |power| power.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Directive {
        let mut all = directives(text);
        assert_eq!(all.len(), 1, "{text}");
        all.remove(0).expect("it can be read")
    }

    #[test]
    fn a_comment_gives_launch_and_limits() {
        let read = only(
            "int a;\n// lanescope: grid=(64, 64) block=256 n=2^20 define:TILE=32 max-ways=1 max-waste=25%\n",
        );
        let launch = read.launch.expect("a launch");
        assert_eq!((read.line, read.is_trailing), (2, false));
        assert_eq!(
            (launch.grid, launch.block),
            (Some([64, 64, 1]), Some([256, 1, 1]))
        );
        assert_eq!(launch.arguments, [("n".to_owned(), "1048576".to_owned())]);
        assert_eq!(launch.defines, [("TILE".to_owned(), "32".to_owned())]);
        assert_eq!(
            (launch.limits.ways, launch.limits.waste),
            (Some(1), Some(0.25))
        );
    }

    #[test]
    fn a_template_s_arguments_may_have_spaces() {
        let read = only("/* lanescope: kernel=k<float, 32> block=32 */");
        assert_eq!(
            read.launch.and_then(|launch| launch.kernel).as_deref(),
            Some("k<float, 32>")
        );
    }

    #[test]
    fn a_trailing_comment_accepts_its_line() {
        let read = only("a[t] = 1; // lanescope: allow=bank-conflict,wasted-sectors");
        assert!(read.is_trailing && read.launch.is_none());
        assert_eq!(read.allows.map(|rules| rules.len()), Some(2));
        assert_eq!(only("// lanescope: allow").allows, Some(Vec::new()));
    }

    #[test]
    fn what_cannot_be_read_names_its_line() {
        for text in [
            "\n// lanescope: grid=0",
            "\n// lanescope: block",
            "\n// lanescope:",
            "\n// lanescope: n=abc",
        ] {
            let all = directives(text);
            assert!(matches!(all.as_slice(), [Err((2, _))]), "{text}: {all:?}");
        }
        assert!(directives("// see lanescope: grid=1\nf(\"lanescope: x\");").is_empty());
    }
}
