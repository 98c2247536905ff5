//! What the stories have to teach: the 36 items of the five articles, each with the place that tells it in every language.

use super::{all_rendered, stories};

/// What an article teaches, the story that tells it, and the anchor.
const ITEMS: [(&str, &str, &str); 36] = [
    (
        "reduction: divergent baseline, tid % (2 * s)",
        "reduction",
        "fall",
    ),
    (
        "reduction: interleaved is 2-way, 4-way, 8-way, step by step",
        "reduction",
        "steps",
    ),
    ("reduction: sequential addressing", "reduction", "fall"),
    (
        "reduction: 35 store conflicts a block, term by term",
        "reduction",
        "wastes",
    ),
    (
        "reduction: 4,587,520 conflicts of 2^25 floats",
        "reduction",
        "wastes",
    ),
    (
        "reduction: lane slots used, 5.4 and 21.3 of 32",
        "reduction",
        "wastes",
    ),
    (
        "reduction: published times, rates, factors of both kinds",
        "reduction",
        "worth",
    ),
    (
        "reduction: words 68 and 100, one bank a warp (slips)",
        "reduction",
        "steps",
    ),
    (
        "CUDA 1.x: stride 1 free, stride 4 a quarter of the speed",
        "first-gpus",
        "half",
    ),
    ("CUDA 1.x: data[3] is broadcast", "first-gpus", "half"),
    (
        "CUDA 1.x: stride 16, mended by rows of 17",
        "first-gpus",
        "half",
    ),
    (
        "CUDA 1.x: coalescing, alignment and widths",
        "first-gpus",
        "coalescing",
    ),
    (
        "CUDA 1.x: a lane that takes no part does no harm",
        "first-gpus",
        "coalescing",
    ),
    (
        "CUDA 1.x: 12-byte structures and three mends, on three generations",
        "first-gpus",
        "structures",
    ),
    (
        "CUDA 1.x: staging, stride 3 is free",
        "first-gpus",
        "structures",
    ),
    ("remedies: B[32][32] and B[32][33]", "remedies", "padding"),
    (
        "remedies: vectors and ldmatrix pad by a whole vector",
        "remedies",
        "vectors",
    ),
    (
        "remedies: Swizzle<3,0,3>, rows and columns are permutations",
        "remedies",
        "xor",
    ),
    (
        "remedies: TMA, i16, y16, x16 and the swizzled chunk",
        "remedies",
        "tma",
    ),
    (
        "remedies: TMA, mod 8 and back to an element",
        "remedies",
        "tma",
    ),
    (
        "remedies: TMA, three modes and four sizes of types",
        "remedies",
        "tma",
    ),
    ("C++ AMP: a device as four numbers", "four-numbers", "toy"),
    ("C++ AMP: four banks, four lanes", "four-numbers", "toy"),
    (
        "C++ AMP: a 32 x 32 tile, 13.05 to 7.60 ms",
        "four-numbers",
        "tile",
    ),
    ("C++ AMP: the 16 x 16 exercise", "four-numbers", "exercise"),
    (
        "C++ AMP: padding and occupancy",
        "four-numbers",
        "occupancy",
    ),
    (
        "C++ AMP: structures of even size",
        "four-numbers",
        "structures",
    ),
    (
        "C++ AMP: reduction of tiles of 512, 5.21 to 4.14 ms",
        "four-numbers",
        "sum",
    ),
    (
        "transpose: the formula of bandwidth, 117.6 and 112 GB/s",
        "transpose",
        "naive",
    ),
    (
        "transpose: copies along rows and columns as bounds",
        "transpose",
        "naive",
    ),
    (
        "transpose: naive, by rows and by columns",
        "transpose",
        "naive",
    ),
    (
        "transpose: unrolled, 86.9 past the bound of 83.4",
        "transpose",
        "naive",
    ),
    (
        "transpose: eight throughputs as sectors over time",
        "transpose",
        "throughput",
    ),
    (
        "transpose: L1, caching mode, block shapes",
        "transpose",
        "cache",
    ),
    (
        "transpose: diagonal blocks and partitions of 256 bytes",
        "transpose",
        "diagonal",
    ),
    (
        "transpose: the driver and the guard (slips)",
        "transpose",
        "slips",
    ),
];

/// Figures that the articles or our derivations give, as the stories must say them.
const FIGURES: [(&str, &[&str]); 5] = [
    (
        "reduction",
        &[
            "4,587,520",
            "255 ÷ 47",
            "255 ÷ 12",
            "43.0",
            "70.5",
            "91.0",
            "1.64",
            "2.11",
            "1.29",
        ],
    ),
    ("first-gpus", &["768", "24,576", "4,096", "3,072"]),
    (
        "remedies",
        &["Swizzle&lt;3,0,3&gt;", "Swizzle&lt;1,4,3&gt;"],
    ),
    (
        "four-numbers",
        &["41.1", "70.6", "42 %", "12.9", "16.2", "65,536"],
    ),
    (
        "transpose",
        &[
            "83.4", "86.9", "41.7", "127.8", "16.7", "133.9", "252.9", "31.6", "117.6",
        ],
    ),
];

/// Runs the engine on all that the stories name: numbers are computed, links lead somewhere, languages agree.
#[test]
fn the_stories_tell_the_whole_curriculum() {
    let stories = stories().unwrap();
    let all = all_rendered(&stories, None).unwrap();
    for (item, name, anchor) in ITEMS {
        let at = stories.iter().position(|story| story.name == name);
        for story in &all[at.unwrap_or_else(|| panic!("no story {name}"))] {
            assert!(
                story.anchors.contains(anchor),
                "{item}: {name}#{anchor} ({:?})",
                story.language
            );
        }
    }
    for (name, figures) in FIGURES {
        let at = stories.iter().position(|story| story.name == name).unwrap();
        for story in &all[at] {
            for figure in figures {
                assert!(
                    story.body.contains(figure),
                    "{name} ({:?}) does not say {figure}",
                    story.language
                );
            }
        }
    }
    let mut orders: Vec<u32> = stories.iter().map(|story| story.head.order).collect();
    orders.dedup();
    assert_eq!(orders.len(), stories.len(), "two stories have one place");
}

/// Words of a text without its head, components, links and numbers.
fn words(text: &str) -> usize {
    let body = text.splitn(3, "---\n").nth(2).unwrap_or_default();
    let prose = body
        .lines()
        .filter(|line| !line.starts_with(":::") && !line.starts_with('|'));
    prose.flat_map(str::split_whitespace).count()
}

#[test]
fn a_story_is_neither_a_note_nor_a_chapter() {
    for story in stories().unwrap() {
        let file = format!("{}/en/{}.md", super::FOLDER, story.name);
        let count = words(&super::read(&file).unwrap());
        assert!((300..=1_100).contains(&count), "{file}: {count} words");
    }
}
