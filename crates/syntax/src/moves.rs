//! Where stretches of a source stand after its text has changed.
//!
//! Two texts with the same tokens are the same program: blanks and comments between them move places and nothing else.
//! Of any other change, what stands before it and behind it stays.

use crate::token::Token;
use crate::{Diagnostic, DiagnosticKind, Fix, Lines, Sink, Span, lexer};

/// A stretch of the text before, and where it stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    before: Span,
    after: u32,
}

/// The way from the places of one text to those of another.
///
/// ```
/// use lanescope_syntax::{Moves, Span};
///
/// let moves = Moves::of_same_tokens("a[i] = 1;", "a[i] =\n  1; // one").expect("the same tokens");
/// assert_eq!(moves.span(Span::new(7, 8)), Span::new(9, 10));
/// assert_eq!(moves.place(Span::new(9, 10)), (2, 3));
/// assert!(Moves::of_same_tokens("a[i] = 1;", "a[i] = 11;").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// In the order of the text.
    pieces: Vec<Piece>,
    /// Bytes of the text before.
    bytes_before: u32,
    lines_before: Lines,
    lines: Lines,
}

impl Moves {
    /// Those between two texts whose tokens are the same; `None` of others, and where a text has stretches that are no
    /// tokens.
    #[must_use]
    pub fn of_same_tokens(before: &str, after: &str) -> Option<Self> {
        let (then, now) = (tokens(before)?, tokens(after)?);
        if !are_same(&then, &now) {
            return None;
        }
        let pieces = then.iter().zip(&now).map(|(then, now)| Piece {
            before: then.span,
            after: now.span.start,
        });
        Some(Self::between(before, after, pieces.collect()))
    }

    /// Those of an edit: of what is replaced nothing is left.
    #[must_use]
    pub fn of_edit(before: &str, after: &str) -> Self {
        let is_equal = |(one, other): &(u8, u8)| one == other;
        let start = before.bytes().zip(after.bytes()).take_while(is_equal);
        let start = start.count();
        let rest = before.len().min(after.len()) - start;
        let ends = before.bytes().rev().zip(after.bytes().rev()).take(rest);
        let end = ends.take_while(is_equal).count();
        let tail = Piece {
            before: Span::new(before.len() - end, before.len()),
            after: Span::new(after.len() - end, after.len()).start,
        };
        let head = Piece {
            before: Span::new(0, start),
            after: 0,
        };
        Self::between(before, after, vec![head, tail])
    }

    fn between(before: &str, after: &str, pieces: Vec<Piece>) -> Self {
        Self {
            pieces,
            bytes_before: Span::new(0, before.len()).end,
            lines_before: Lines::of(before),
            lines: Lines::of(after),
        }
    }

    /// Where `span` stands now; what is no place of the text stays what it is.
    #[must_use]
    pub fn span(&self, span: Span) -> Span {
        if span.end > self.bytes_before {
            return span;
        }
        let start = self.start(span.start);
        Span {
            start,
            end: self.end(span.end).max(start),
        }
    }

    /// Line and column of a stretch of the text after, both from 1.
    #[must_use]
    pub fn place(&self, after: Span) -> (u32, u32) {
        self.lines.place(after.start)
    }

    /// Where the first of what stood on `line` stands now, both from 1; lines that there were not stay what they are.
    #[must_use]
    pub fn line(&self, line: u32) -> u32 {
        let start = line
            .checked_sub(1)
            .and_then(|at| self.lines_before.starts.get(usize::try_from(at).ok()?));
        start.map_or(line, |start| self.lines.place(self.start(*start)).0)
    }

    /// The lines of the text after.
    #[must_use]
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Where the byte at `at`, or the first behind it that is left, stands now.
    fn start(&self, at: u32) -> u32 {
        let next = self.pieces.partition_point(|piece| piece.before.end <= at);
        let piece = self.pieces.get(next).or(self.pieces.last());
        piece.map_or(0, |piece| {
            let inside = at.clamp(piece.before.start, piece.before.end);
            piece.after + (inside - piece.before.start)
        })
    }

    /// The same of the end of a stretch: behind the last byte before `at` that is left.
    fn end(&self, at: u32) -> u32 {
        let next = self.pieces.partition_point(|piece| piece.before.start < at);
        let piece = next.checked_sub(1).and_then(|last| self.pieces.get(last));
        piece.map_or(0, |piece| {
            let inside = at.clamp(piece.before.start, piece.before.end);
            piece.after + (inside - piece.before.start)
        })
    }
}

impl Diagnostic {
    /// The same of the text after `moves`.
    #[must_use]
    pub fn moved(&self, moves: &Moves) -> Self {
        let span = moves.span(self.span);
        let (line, column) = moves.place(span);
        let fix = self.fix.as_ref().map(|fix| Fix {
            span: moves.span(fix.span),
            replacement: fix.replacement.clone(),
        });
        let mut kind = self.kind.clone();
        if let DiagnosticKind::Race {
            first_line,
            second_line,
            ..
        } = &mut kind
        {
            *first_line = moves.line(*first_line);
            *second_line = moves.line(*second_line);
        }
        Self {
            span,
            line,
            column,
            kind,
            fix,
        }
    }
}

/// The tokens of a text; `None` where something is to be said of them.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut sink = Sink::new(text);
    let tokens = lexer::lex(text, &mut sink);
    sink.into_list().is_empty().then_some(tokens)
}

/// Whether two lists of tokens are the same; a line that begins with `#` is one token, with its blanks and comments.
fn are_same(then: &[Token], now: &[Token]) -> bool {
    let mut pairs = then.iter().zip(now);
    then.len() == now.len() && pairs.all(|(then, now)| then.kind == now.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_moved(before: &str, after: &str) -> bool {
        Moves::of_same_tokens(before, after).is_some()
    }

    #[test]
    fn blanks_and_comments_move_places_alone() {
        let before = "#define N 4\n__global__ void k(float* a) { a[N] = 1; }\n";
        for after in [
            "#define N 4\n\n__global__ void k(float* a) { a[N] = 1; }\n",
            "#define N 4\n\n// four\n__global__ void k(float *a) {\n  a[N]=1; /* one */ }",
            "// A kernel.\n#define N 4\n__global__ void k(float* a) { a[N] = 1; }\n",
        ] {
            let moves = Moves::of_same_tokens(before, after).expect("the same tokens");
            for text in ["N 4", "a[N]", "a[N] = 1", "}"] {
                let at = before.find(text).expect("a part of it");
                let now = moves.span(Span::new(at, at + text.len()));
                let squeezed = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(squeezed(now.text(after)), squeezed(text), "{after}");
            }
        }
    }

    #[test]
    fn what_a_preprocessor_or_a_parser_sees_is_another_text() {
        let before = "#define F(x) x\nint a = 12;\nint b;";
        for after in [
            "#define F (x) x\nint a = 12;\nint b;",
            "#define F(x) x int a = 12;\nint b;",
            "#define F(x)\nx\nint a = 12;\nint b;",
            "#define F(x) x\nint a = 1 2;\nint b;",
            "#define F(x) x\nint a = 12; /*\nint b;",
            "#define F(x) x // itself\nint a = 12;\nint b;",
            "int a = 12;\nint b;",
        ] {
            assert!(!is_moved(before, after), "{after}");
        }
        assert!(is_moved(before, "#define F(x) x\nint a = 12; int b;"));
        assert!(!is_moved("#pragma unroll 4\nfor (;;) {}", "for (;;) {}"));
    }

    #[test]
    fn an_edit_leaves_what_stands_around_it() {
        let (before, after) = ("abc\ndef\nghi", "abc\ndxxf\n\nghi");
        let moves = Moves::of_edit(before, after);
        assert_eq!(moves.span(Span::new(0, 3)), Span::new(0, 3));
        assert_eq!(moves.span(Span::new(8, 11)).text(after), "ghi");
        assert_eq!(moves.line(3), 4);
        assert_eq!(moves.span(Span::LIBRARY), Span::LIBRARY);
        let gone = moves.span(Span::new(5, 6));
        assert!(gone.start <= gone.end);
        for texts in [["", "a"], ["a", ""], ["aa", "a"], ["ä", "ö"]] {
            let moves = Moves::of_edit(texts[0], texts[1]);
            let end = u32::try_from(texts[0].len()).expect("short");
            let all = moves.span(Span { start: 0, end });
            assert!(all.end as usize <= texts[1].len());
        }
    }
}
