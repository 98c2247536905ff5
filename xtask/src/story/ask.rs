//! `ask`: a question before its answer.
//!
//! ```text
//! :::ask
//! How many wavefronts?
//! - [ ] {4}
//! - [x] {8}
//! What is said then.
//! :::
//! ```

use anyhow::Result;

use super::block::Directive;
use super::expression::Scope;
use super::prose;
use super::teller::Teller;

const WRONG: &str = "- [ ] ";
const RIGHT: &str = "- [x] ";

pub(super) fn ask(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let place = directive.place.below(1);
    let lines: Vec<&str> = directive.prose()?.lines().collect();
    let is_answer = |line: &&str| line.starts_with(WRONG) || line.starts_with(RIGHT);
    let first = lines.iter().position(is_answer);
    let last = lines.iter().rposition(is_answer);
    let (Some(first), Some(last)) = (first, last) else {
        return Err(directive
            .place
            .fault("a question has answers: lines `- [ ] …`, the right one `- [x] …`"));
    };
    if lines.iter().filter(|line| line.starts_with(RIGHT)).count() != 1 {
        return Err(directive
            .place
            .fault("one answer is right: mark it `- [x] …`"));
    }
    let mut answers = String::new();
    for (index, line) in lines.iter().enumerate().take(last + 1).skip(first) {
        let (text, is_right) = match (line.strip_prefix(RIGHT), line.strip_prefix(WRONG)) {
            (Some(text), _) => (text, " data-right"),
            (None, Some(text)) => (text, ""),
            (None, None) => {
                return Err(place
                    .below(index)
                    .fault("between answers stands nothing else"));
            }
        };
        let text = prose::line(teller, scope, text, &place.below(index))?;
        answers += &format!("<button type=\"button\"{is_right}>{text}</button>");
    }
    let question = prose::line(teller, scope, &lines[..first].join("\n"), &place)?;
    let explanation = prose::paragraphs(
        teller,
        scope,
        &lines[last + 1..].join("\n"),
        &place.below(last + 1),
    )?;
    let (id, show) = (teller.figure("ask"), teller.words.show);
    Ok(format!(
        "<lane-ask id=\"{id}\" class=\"card ask\" role=\"group\" aria-labelledby=\"{id}-question\">\n<p class=\"question\" id=\"{id}-question\">{question}</p>\n\
         <div class=\"answers\">{answers}</div>\n\
         <details><summary>{show}</summary>\n<div class=\"told\" role=\"status\">{explanation}</div></details>\n</lane-ask>\n"
    ))
}
