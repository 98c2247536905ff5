//! Zstandard decompression of a frame whose size is known.

use ruzstd::decoding::FrameDecoder;

/// The largest window that a frame may ask for: what nvcc's levels use at most, and 8 MiB, which RFC 8878 recommends
/// every decoder to support.
const LEAST_WINDOW: u64 = 8 << 20;

/// What `frame` unpacks to; `None` where it is damaged or does not have `size` bytes.
pub(crate) fn unpacked(frame: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(LEAST_WINDOW.max(size as u64));
    let mut out = vec![0; size];
    let written = decoder.decode_all(frame, &mut out).ok()?;
    (written == size).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::unpacked;

    /// A frame of one block: a byte repeated (RFC 8878, 3.1.1).
    fn repeated(byte: u8, count: u32) -> Vec<u8> {
        // One segment, its size in four bytes; the last block, of the kind that repeats.
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
        frame.extend(count.to_le_bytes());
        frame.extend(&((count << 3) | 0b011).to_le_bytes()[..3]);
        frame.push(byte);
        frame
    }

    #[test]
    fn a_frame_has_the_size_that_is_promised() {
        let frame = repeated(b'x', 5);
        assert_eq!(unpacked(&frame, 5).as_deref(), Some(&b"xxxxx"[..]));
        assert_eq!(unpacked(&frame, 4), None);
        assert_eq!(unpacked(&frame, 6), None);
    }

    #[test]
    fn damaged_frames_are_refused() {
        let frame = repeated(b'x', 5);
        for end in 0..frame.len() {
            assert_eq!(unpacked(&frame[..end], 5), None, "{end} bytes");
        }
        // A window of 2 TiB.
        let wide = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0x2b, 0x00, 0x00, b'x'];
        assert_eq!(unpacked(&wide, 5), None);
    }
}
