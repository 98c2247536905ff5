//! The command line as one document: `lanescope man --markdown`.

use clap::{Arg, Command};
use std::fmt::Write as _;

/// Markdown with a part for each command: what it does, how it is called, its arguments and options, examples.
pub(crate) fn markdown(program: &mut Command) -> String {
    let mut text = String::from("# The command line\n");
    part(&mut text, program, &|_| true);
    let commands = program.get_subcommands_mut();
    for command in commands.filter(|command| !command.is_hide_set() && command.get_name() != "help")
    {
        let _ = writeln!(text, "\n## `lanescope {}`", command.get_name());
        part(&mut text, command, &|arg| !arg.is_global_set());
    }
    text
}

/// A command with those of its arguments that `is_own`.
fn part(text: &mut String, command: &mut Command, is_own: &dyn Fn(&Arg) -> bool) {
    if let Some(about) = command.get_long_about().or_else(|| command.get_about()) {
        let about = about.to_string();
        let _ = writeln!(text, "\n{}.", about.trim_end_matches('.'));
    }
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let _ = writeln!(text, "\n```sh\n{usage}\n```");
    let is_shown = |arg: &&Arg| {
        !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str()) && is_own(arg)
    };
    let (arguments, options): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .filter(is_shown)
        .partition(|arg| arg.is_positional());
    table(text, "argument", &arguments);
    table(text, "option", &options);
    if let Some(behind) = command.get_after_help() {
        let behind = behind.to_string();
        let (kind, behind) = match behind.strip_prefix("Examples:") {
            Some(examples) => ("sh", examples),
            None => ("text", behind.as_str()),
        };
        let lines = behind.trim_matches('\n').lines();
        let lines: Vec<&str> = lines
            .map(|line| line.strip_prefix("  ").unwrap_or(line))
            .collect();
        let _ = writeln!(text, "\n```{kind}\n{}\n```", lines.join("\n").trim());
    }
}

fn table(text: &mut String, kind: &str, rows: &[&Arg]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n| {kind} | |\n| --- | --- |");
    for arg in rows {
        let _ = writeln!(text, "| `{}` | {} |", cell(&name(arg)), cell(&about(arg)));
    }
}

/// As it is typed: `-o, --output <FILE>`.
fn name(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let flags: Vec<String> = short.into_iter().chain(long).collect();
    let takes_values = arg.get_num_args().is_none_or(|count| count.takes_values());
    let values = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> = values.iter().map(|value| format!("<{value}>")).collect();
    match (flags.is_empty(), takes_values && !values.is_empty()) {
        (true, _) => values.join(" "),
        (false, true) => format!("{} {}", flags.join(", "), values.join(" ")),
        (false, false) => flags.join(", "),
    }
}

/// What it means, with its values and what it is without.
fn about(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help());
    let mut about = help.map_or_else(String::new, ToString::to_string);
    let values = arg.get_possible_values();
    let names: Vec<String> = values
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !names.is_empty() && arg.get_action().takes_values() {
        let _ = write!(about, ": {}", names.join(", "));
    }
    let defaults: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    if !defaults.is_empty() && arg.get_action().takes_values() && !arg.is_hide_default_value_set() {
        let _ = write!(about, " (default {})", defaults.join(", "));
    }
    about
}

/// On one line, with the bar of tables escaped.
fn cell(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}
