//! Matrices over F2, a column a word.

/// For each bit of the image, the argument that has that bit alone for its image: a right inverse
/// of the map that sends bit `i` to `columns[i]`, onto `bits` bits. `None` where the map does not
/// reach all of them.
pub(super) fn inverse(columns: &[u64], bits: u32) -> Option<Vec<u64>> {
    // (image, argument), each image with a leading bit that no other has.
    let mut reduced: Vec<(u64, u64)> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let (mut image, mut argument) = (*column, 1_u64 << at);
        for (other, its) in &reduced {
            if image & leading(*other) != 0 {
                image ^= other;
                argument ^= its;
            }
        }
        if image == 0 {
            continue;
        }
        for (other, its) in &mut reduced {
            if *other & leading(image) != 0 {
                *other ^= image;
                *its ^= argument;
            }
        }
        reduced.push((image, argument));
    }
    let of = |bit: u32| {
        let wanted = reduced.iter().find(|(image, _)| *image == 1 << bit);
        wanted.map(|(_, argument)| *argument)
    };
    (0..bits).map(of).collect()
}

const fn leading(word: u64) -> u64 {
    if word == 0 {
        0
    } else {
        1 << (63 - word.leading_zeros())
    }
}

/// The image of `argument` under the map that sends bit `i` to `columns[i]`.
pub(super) fn image(columns: &[u64], argument: u64) -> u64 {
    let bits = columns.iter().enumerate();
    bits.fold(0, |image, (at, column)| {
        if argument >> at & 1 == 1 {
            image ^ column
        } else {
            image
        }
    })
}
