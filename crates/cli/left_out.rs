/// Files that a served page has no use for, by how their names begin: the lab, embeds and elements, the gallery, the stories, the documentation, and what keeps
/// a page for times without a network. The build script takes this file in, and so does `xtask`, which weighs the rest.
const LEFT_OUT: [&str; 7] = [
    "lab",
    "embed",
    "lane-s",
    "gallery",
    "stor",
    "docs",
    "sw.js",
];
