//! Two characters that tell a link that is not as it was made.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The keys a reader may add or change without harm to the check.
const FREE: [&str; 4] = ["c", "lang", "theme", "embed"];

/// The check of a link's keys and unescaped values in their order: FNV-1a of `key=value&` for
/// each pair but those of how it is shown, modulo 62 squared, as two digits of base 62.
pub(crate) fn check(pairs: &[(String, String)]) -> String {
    let hash = pairs
        .iter()
        .filter(|(key, _)| !FREE.contains(&key.as_str()))
        .flat_map(|(key, value)| [key.as_str(), "=", value, "&"])
        .flat_map(str::bytes)
        .fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
    [hash / 62 % 62, hash % 62].map(digit).into_iter().collect()
}

fn digit(value: u32) -> char {
    DIGITS
        .get(value as usize)
        .map_or('0', |&digit| char::from(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter()
            .map(|&(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn theme_and_language_are_free() {
        let plain = pairs(&[("v", "1"), ("e", "a[tx]")]);
        let themed = pairs(&[
            ("v", "1"),
            ("c", "xx"),
            ("e", "a[tx]"),
            ("theme", "dark"),
            ("lang", "zh"),
        ]);
        assert_eq!(check(&plain), check(&themed));
    }

    #[test]
    fn every_cut_of_a_value_changes_it() {
        let whole = "__global__ void k(float* a) { a[threadIdx.x * 33] = 0; }";
        let check_of = |value: &str| check(&pairs(&[("v", "1"), ("k", value)]));
        let same = (0..whole.len())
            .filter(|&end| check_of(&whole[..end]) == check_of(whole))
            .count();
        assert_eq!(same, 0);
    }
}
