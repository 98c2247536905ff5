//! Sources analysed.

use crate::compiled;
use crate::subject::Subject;
use crate::watch::Watch;
use lanescope_cli::engine::{self, Costliest, analysed, launched};
use lanescope_query::{Analysis, Question, Report, analyse, verdict};
use serde_json::{Value, json};

/// The analysis of a source, and what is to be said besides.
pub(crate) fn of(subject: Subject, watch: &Watch) -> anyhow::Result<(Analysis, Vec<String>)> {
    let state = subject.state()?;
    let record = subject.launch_record()?;
    let stop = watch.stop().clone();
    let mut notes = Vec::new();
    let analysis = match subject.kernel(&state, record.as_ref(), stop.clone()) {
        Some(asked) => {
            let complain = &mut |said: &str| notes.push(said.to_owned());
            let mut question = launched(subject.sized(asked, complain), complain)?;
            hold(&subject, &mut question)?;
            analysed(question)
        }
        None => analyse(engine::question(&state, subject.ask.max_requests(), stop)?),
    };
    Ok((analysis, notes))
}

/// Gives the question's arrays what they hold.
fn hold(subject: &Subject, question: &mut Question) -> anyhow::Result<()> {
    let parameters = question.parsed.program.parameters();
    let is_array = |name: &str| {
        let mut arrays = parameters.iter().filter(|one| one.array.is_some());
        arrays.any(|one| one.name == name)
    };
    let held = subject.contents()?.into_iter();
    let held: Vec<_> = held.filter(|(name, _)| is_array(name)).collect();
    question.launch.contents.extend(held);
    Ok(())
}

/// The report as JSON, the same for sources and for compiled code, which may have been made of `source`.
pub(crate) fn report(
    subject: Subject,
    source: Option<&Subject>,
    watch: &Watch,
) -> anyhow::Result<String> {
    let state = subject.state()?;
    if let Some(text) = subject.compiled_text(&state) {
        return compiled::report(&subject, &state, text, source, watch);
    }
    let (analysis, notes) = of(subject, watch)?;
    let mut report = serde_json::to_value(Report::of(&analysis))?;
    if let Value::Object(fields) = &mut report {
        fields.insert("verdict".to_owned(), verdict(&analysis).into());
        fields.insert("notes".to_owned(), notes.into());
        fields.insert("is_answered".to_owned(), analysis.is_answered().into());
        let launch = &analysis.question.launch;
        fields.insert(
            "launch".to_owned(),
            json!({ "grid": launch.grid, "block": launch.block }),
        );
    }
    Ok(report.to_string())
}

/// The fixes as the command line's JSON; with the `code` that a compiler made of the source, those of what its costliest line
/// touches come first, and the line is told.
pub(crate) fn fixes(
    subject: Subject,
    code: Option<&Subject>,
    watch: &Watch,
) -> anyhow::Result<String> {
    let state = subject.state()?;
    let record = subject.launch_record()?;
    let stop = watch.stop().clone();
    let mut question = match subject.kernel(&state, record.as_ref(), stop.clone()) {
        Some(asked) => launched(subject.sized(asked, &mut |_| {}), &mut |_| {})?,
        None => engine::question(&state, subject.ask.max_requests(), stop)?,
    };
    hold(&subject, &mut question)?;
    let costliest = match code {
        Some(code) => {
            let analysis = compiled::made_of(&subject, code, watch)?;
            Costliest::in_lines(&analysis.lines, "the code", subject.file_name().as_deref())?
        }
        None => None,
    };
    let mut keep_going = || !watch.stop().is_stopped();
    let found = engine::fixes_json(&state, &question, costliest.as_ref(), &mut keep_going)?;
    let Some(costliest) = costliest else {
        return Ok(found);
    };
    let mut found: Value = serde_json::from_str(&found)?;
    if let Value::Object(fields) = &mut found {
        fields.insert("costliest".to_owned(), serde_json::to_value(costliest)?);
    }
    Ok(found.to_string())
}
