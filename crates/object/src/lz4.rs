//! LZ4 block decompression.
//!
//! A block is a row of sequences: a token, literals, and a match of at least four bytes some bytes back. The last has
//! literals only.

/// Bytes of a match beside those its token says.
const LEAST_MATCH: usize = 4;

/// What `block` unpacks to; `None` where it is damaged or does not have `size` bytes.
pub(crate) fn unpacked(block: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let mut at = 0;
    loop {
        let token = usize::from(*block.get(at)?);
        at += 1;
        let literals = length(token >> 4, block, &mut at)?;
        let end = at.checked_add(literals)?;
        out.extend_from_slice(block.get(at..end)?);
        at = end;
        if out.len() > size {
            return None;
        }
        if at == block.len() {
            return (out.len() == size).then_some(out);
        }
        let distance = usize::from(u16::from_le_bytes([*block.get(at)?, *block.get(at + 1)?]));
        at += 2;
        let count = length(token & 15, block, &mut at)?.checked_add(LEAST_MATCH)?;
        let from = out.len().checked_sub(distance).filter(|_| distance > 0)?;
        if out.len().checked_add(count)? > size {
            return None;
        }
        for back in from..from + count {
            // A match may reach into what it writes.
            out.push(*out.get(back)?);
        }
    }
}

/// A length of four bits, which further bytes continue while they are 255.
fn length(bits: usize, block: &[u8], at: &mut usize) -> Option<usize> {
    let mut length = bits;
    if bits < 15 {
        return Some(length);
    }
    loop {
        let more = *block.get(*at)?;
        *at += 1;
        length = length.checked_add(usize::from(more))?;
        if more < u8::MAX {
            return Some(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unpacked;

    #[test]
    fn a_match_repeats_what_it_writes() {
        // "ab", then eight bytes from two back, then "c".
        let block = [0x24, b'a', b'b', 2, 0, 0x10, b'c'];
        assert_eq!(
            unpacked(&block, 11).as_deref(),
            Some(&b"ababababab\x63"[..])
        );
    }

    #[test]
    fn damaged_blocks_are_refused() {
        for block in [&[][..], &[0x24, b'a'], &[0x04, 1, 0], &[0xff, 255, 255]] {
            assert_eq!(unpacked(block, 11), None);
        }
        // The right bytes, the wrong size.
        assert_eq!(unpacked(&[0x10, b'c'], 2), None);
    }
}
