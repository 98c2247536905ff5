//! A fragment as keys and values.

use crate::escape;

/// The pairs of a fragment, unescaped, in order. A leading `#` or `?` and empty pairs are left out;
/// a part without `=` is a key with an empty value. `&amp;`, as careless HTML has it, is `&`.
pub(crate) fn read(fragment: &str) -> Vec<(String, String)> {
    fragment
        .strip_prefix(['#', '?'])
        .unwrap_or(fragment)
        .split('&')
        .map(|part| part.strip_prefix("amp;").unwrap_or(part))
        .filter(|part| !part.is_empty())
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .map(|(key, value)| (escape::read(key), escape::read(value)))
        .collect()
}

/// The fragment of `pairs`, without `#`.
pub(crate) fn write(pairs: &[(String, String)]) -> String {
    let mut link = String::new();
    for (index, (key, value)) in pairs.iter().enumerate() {
        if index > 0 {
            link.push('&');
        }
        link.push_str(key);
        link.push('=');
        escape::write(value, index + 1 == pairs.len(), &mut link);
    }
    link
}
