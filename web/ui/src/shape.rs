//! Three numbers in one field: `32, 8`.

/// A shape as the field shows it: without the ones at its end.
#[must_use]
pub fn spell([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}, {y}"),
        _ => format!("{x}, {y}, {z}"),
    }
}

/// One to three numbers from 1, with commas, blanks or `x` between.
#[must_use]
pub fn read(text: &str) -> Option<[u32; 3]> {
    let mut shape = [1; 3];
    let mut count = 0;
    for part in text
        .split([',', ' ', 'x', '×', ';', '，'])
        .filter(|part| !part.is_empty())
    {
        *shape.get_mut(count)? = part.parse().ok().filter(|number| *number > 0)?;
        count += 1;
    }
    (count > 0).then_some(shape)
}

#[cfg(test)]
mod tests {
    use super::{read, spell};

    #[test]
    fn reads_what_it_spells() {
        for shape in [[32, 1, 1], [32, 8, 1], [1, 1, 4], [2, 1, 4]] {
            assert_eq!(read(&spell(shape)), Some(shape));
        }
    }

    #[test]
    fn refuses_what_is_no_shape() {
        for text in ["", "0", "a", "1,2,3,4", "-1", "99999999999", "1.5"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
