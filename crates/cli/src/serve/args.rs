//! The arguments of `lanescope serve`.

use clap::Args;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

/// Serve the page on this machine, with the real compiler behind it: counted numbers while you type
///
/// The page compiles what you type with this machine's nvcc, counts its SASS, and shows beside it what was predicted.
/// Nothing leaves this machine, and no GPU is needed. Files that are named are opened, watched, and saved from the page.
/// Only who has the printed address can use it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope serve\n  \
    lanescope serve transpose.cu --open\n  \
    lanescope serve src/reduce.cu -I include --port 8400\n\n\
    From another machine, forward the port: ssh -N -L 8400:127.0.0.1:8400 HOST")]
pub(crate) struct ServeArgs {
    /// Source files to open; the compiler may read what lies in their folders
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Folder whose files a source may include
    #[arg(long = "include", short = 'I', value_name = "FOLDER")]
    pub(super) folders: Vec<PathBuf>,
    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(super) port: u16,
    /// Address to listen on; one that other machines reach needs --token
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(super) host: IpAddr,
    /// Secret part of the address, of 16 letters or more [default: random]
    #[arg(long, value_name = "TEXT", value_parser = parse_token)]
    pub(super) token: Option<String>,
    /// Open the page in the browser
    #[arg(long)]
    pub(super) open: bool,
    /// Folder of the page, as `cargo xtask build` leaves it in dist/, instead of the page in this program
    #[arg(long, value_name = "FOLDER")]
    pub(super) page: Option<PathBuf>,
}

/// Reads a token that can stand in an address.
///
/// # Errors
/// A sentence that says what to write.
fn parse_token(text: &str) -> Result<String, String> {
    let is_plain = |one: u8| one.is_ascii_alphanumeric() || matches!(one, b'-' | b'_');
    match text.len() >= 16 && text.bytes().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("write 16 or more letters, digits, - or _".to_owned()),
    }
}
