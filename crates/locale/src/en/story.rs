//! The components of stories in English.

use super::{grouped, plural};
use crate::story::StoryWords;

pub(crate) const WORDS: &StoryWords = &StoryWords {
    stories: "Stories",
    about: "Classic articles on GPU memory, retold as pages that you can take apart. Every figure is computed.",
    patterns: "Patterns",
    about_patterns: "One pattern a page, as a reference: its picture, its numbers, and a live copy to change.",
    path: "The path",
    which: |order, of, minutes| format!("Story {order} of {of} · {minutes} minutes"),
    next: "Next",
    all_patterns: "All patterns, one by one",
    numbers: "The engine computed every number on this page from the code shown, as written, except those underlined with dots or \
              marked as published: they were measured or printed elsewhere.",
    open: "Open in Lanescope",
    live: "Show live here",
    run: "Run on this GPU",
    about_run: "Kernels and size are set. Each result is checked before it is timed; each time stands beside the first and the one before. \
                Nothing runs until you press.",
    lab: "Open in the lab",
    can: "Now you can",
    show: "Show the answer",
    published: "Published figures",
    back: "Back",
    forward: "Forward",
    play: "Play",
    stop: "Stop",
    step: "Step",
    each_value: "Each value",
    row: "row",
    word: "word",
    byte: "byte",
    requests: "requests",
    wavefronts: "wavefronts",
    lanes_each: "lanes that add",
    kernel: "kernel",
    divergence: "Divergence: lane slots that are used",
    queue: "Conflicts: wavefronts after the first",
    flow_legend: "Coloured dot: a lane that adds, in the colour of its warp. Grey dot: a lane that idles in a warp that is up. \
                  Speck: asleep with its whole warp. Below, for each warp: the banks, the words stored to, and the wavefronts.",
    flow_label: |step, of| format!("after step {step} of {of}"),
    rows_label: |lanes, wavefronts| {
        format!(
            "{} lit; the costliest request takes {}",
            plural(lanes, "lane"),
            plural(wavefronts, "wavefront")
        )
    },
    others: |words, bank| match words {
        0 => format!("No other lane asks for another word of bank {bank}."),
        1 => format!("One more word of bank {bank} is asked for: it has to wait."),
        _ => format!("{words} more words of bank {bank} are asked for: they queue."),
    },
    ways: |ways| format!("{ways}-way"),
    lanes_on: |lanes| format!("{lanes} on"),
    requests_in_wavefronts: |requests, wavefronts| {
        format!(
            "{} in {}",
            plural(requests, "request"),
            plural(wavefronts, "wavefront")
        )
    },
    lanes_of_warp: |mean, warp, lanes, requests| {
        format!("{mean} of {warp} lanes ({lanes} ÷ {requests})")
    },
    wavefronts_are: |wavefronts, requests, conflicts| {
        format!(
            "{} = {} + {}",
            plural(wavefronts, "wavefront"),
            plural(requests, "request"),
            plural(conflicts, "conflict")
        )
    },
    choose: "Choose",
    right_result: "the result is right",
    wrong_result: "the result is wrong",
    race: "a race: a thread reads what another one writes",
    no_race: "no race",
    conflicts: |conflicts| plural(conflicts, "bank conflict"),
    of_requests: |requests, enough| {
        format!(
            "{} to store, {} enough",
            plural(requests, "request"),
            grouped(enough)
        )
    },
    met: "Free of conflicts, without padding.",
    not_met: "Not there yet.",
};
