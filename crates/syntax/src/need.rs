//! What a kernel needs of a text: the limits on a source count that alone.

use crate::bundle::bundled_files;
use crate::diagnostic::DiagnosticKind;
use crate::preprocessor::tokens_of_files;
use crate::reach::Reach;
use crate::sink::Sink;
use crate::token::{Kind, Token};
use crate::{Limits, Span};

/// The tokens of a preprocessed text where they keep to [`Limits::tokens`] and [`Limits::source_bytes`], or else those that
/// the kernel needs where these do. Where they do not either, or there is no kernel, the last token alone is left, and
/// `sink` hears why. Files that are given with the text, which `bundle` has, may add as much as they hold.
#[must_use]
pub fn within_limits(
    tokens: Vec<Token>,
    reach: Option<&Reach>,
    bundle: &str,
    sink: &mut Sink,
) -> Vec<Token> {
    let limits = with_files(bundle);
    if excess(&tokens, limits).is_none() {
        return tokens;
    }
    let mut needed = match reach {
        Some(reach) => reach.needed(tokens),
        None => tokens,
    };
    if let Some((span, kind)) = excess(&needed, limits) {
        sink.say_last(span, kind);
        needed.drain(..needed.len().saturating_sub(1));
    }
    needed
}

/// The limits on a source with these files.
fn with_files(bundle: &str) -> Limits {
    let files = bundled_files(bundle);
    let limits = Limits::DEFAULT;
    let source = files.first().map_or(bundle.len(), |file| file.text.len());
    Limits {
        tokens: limits.tokens + tokens_of_files(bundle, &files),
        source_bytes: limits.source_bytes + bundle.len().saturating_sub(source) as u64,
        ..limits
    }
}

/// The first place past a limit; what the library's own headers bring is not counted.
fn excess(tokens: &[Token], limits: Limits) -> Option<(Span, DiagnosticKind)> {
    let (mut count, mut bytes) = (0, 0);
    let counted = |token: &&Token| token.span != Span::LIBRARY && token.kind != Kind::End;
    for token in tokens.iter().filter(counted) {
        count += 1;
        bytes += bytes_of(token);
        if count > limits.tokens {
            let limit = limits.tokens;
            return Some((token.span, DiagnosticKind::TooManyTokens { limit }));
        }
        if bytes > limits.source_bytes {
            let limit = limits.source_bytes;
            return Some((token.span, DiagnosticKind::SourceTooLong { limit }));
        }
    }
    None
}

/// The bytes that a token is written with, wherever a macro has put it; numbers are taken to be short.
fn bytes_of(token: &Token) -> u64 {
    let bytes = match &token.kind {
        Kind::Name(text) | Kind::Text(text) | Kind::Directive(text) => text.len(),
        Kind::Punct(sign) => sign.len(),
        Kind::Whole { .. } | Kind::Real { .. } => 4,
        Kind::Unroll(_) | Kind::Pack(_) | Kind::End => 0,
    };
    bytes as u64
}
