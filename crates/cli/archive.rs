/// The files of a page behind each other and pressed as one stream of LZMA: its modules have most of their code in common.
/// The window takes all of them in.
///
/// # Errors
/// When the encoder refuses its options, which are fixed here.
fn archive(files: &[Vec<u8>]) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    let bytes: usize = files.iter().map(Vec::len).sum();
    let window = u32::try_from(bytes.next_power_of_two()).unwrap_or(u32::MAX);
    let options = lzma_rust2::LzmaOptions {
        dict_size: window.clamp(1 << 16, 1 << 28),
        ..lzma_rust2::LzmaOptions::with_preset(9)
    };
    let mut writer =
        lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes as u64))?;
    for file in files {
        writer.write_all(file)?;
    }
    writer.finish()
}
