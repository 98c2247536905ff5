//! Types that hold several elements.

/// Elements of a vector by their names.
pub(crate) const FIELDS: [&str; 4] = ["x", "y", "z", "w"];
/// The types that come as vectors, with the vectors' names and the most elements of one.
const VECTORS: [(&str, &str, u64); 6] = [
    ("float", "float", 4),
    ("int", "int", 4),
    ("unsigned", "uint", 4),
    ("unsigned int", "uint", 4),
    ("uint", "uint", 4),
    ("double", "double", 2),
];

/// The vector of so many elements of the array.
pub(crate) fn vector_of(element: &str, count: u64) -> Option<String> {
    let (_, vector, most) = VECTORS.iter().find(|(of, ..)| **of == *element)?;
    (count <= *most && count <= 4).then(|| format!("{vector}{count}"))
}

/// The type that moves so many bytes at once.
const fn raw(bytes: u64) -> Option<&'static str> {
    match bytes {
        2 => Some("unsigned short"),
        4 => Some("unsigned"),
        8 => Some("uint2"),
        16 => Some("uint4"),
        _ => None,
    }
}

/// The type that moves `count` elements, which are so many bytes, at once.
pub(crate) fn moved_as(element: &str, count: u64, bytes: u64) -> Option<String> {
    vector_of(element, count).or_else(|| raw(bytes).map(str::to_owned))
}
