//! The gallery in English.

use crate::gallery::GalleryWords;

pub(crate) const LESSONS: &str = include_str!("lessons.md");

pub(crate) const WORDS: &GalleryWords = &GalleryWords {
    playground: "Playground",
    lab_page: "Lab",
    gallery: "Patterns",
    about: "What a warp does to memory, one pattern a page: each with its picture, its numbers and a live copy to change.",
    open: "Open in Lanescope",
    lab: "Measure on your GPU",
    counts: "What it costs",
    elsewhere: "On other devices",
    previous: "Previous",
    next: "Next",
    access: "access",
    does: "operation",
    device: "device",
    requests: "requests",
    wavefronts: "wavefronts",
    sectors: "sectors",
    ideal: "ideal",
    ways: "n-way",
    active_lanes: "active lanes",
    unknown: "not known",
    on: "On",
    subject_tiles: "Tiles and transposes",
    subject_reductions: "Reductions",
    subject_structures: "Structures",
    subject_vectors: "Vectors, swizzles, alignment",
    subject_half_warps: "CUDA 1.x: half-warps, 16 banks",
    subject_four_numbers: "A device as four numbers",
    subject_kernels: "Whole kernels",
};

pub(crate) fn active_in_all(lanes: &str, warp_lanes: u32) -> String {
    format!("{lanes} of {warp_lanes} lane slots are used on average.")
}

pub(crate) fn operation(key: &str) -> String {
    key.replace('_', " ")
}

pub(crate) fn other_unit(key: &str) -> &'static str {
    match key {
        "lines" => " lines",
        "transactions" => " transactions",
        _ => "",
    }
}
