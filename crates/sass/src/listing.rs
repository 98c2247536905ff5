//! A listing cut into functions and rows.
//!
//! One pass over the lines. Understood are the listings of `cuobjdump -sass` (with and without encodings), of
//! `nvdisasm` (with labels, `-g`, `-gi`, `-c`, `-hex`) and what Compiler Explorer leaves of them, where rows may have
//! neither address nor semicolon.
//!
//! ```text
//! row     = [ "/*" hex "*/" ] [ "{" ] [ "@" [ "!" ] predicate ] opcode [ operands ] [ ";" ] [ "}" ] [ "/*" … "*/" ]
//! label   = name ":"
//! title   = "Function : " name | ".section .text." name | ".text." name ":" | "// " name
//! origin  = "//## File \"" path "\", line " number [ " inlined at …" ]
//! ```

use crate::diagnostic::{Diagnostic, Severity};
use crate::operand::{Name, predicate};
use crate::table;
use lanescope_locale::sass_fault::SassFault;
use std::collections::BTreeMap;

/// The most rows that are read.
const MOST_ROWS: usize = 400_000;
/// The most bytes that are read.
pub(crate) const MOST_BYTES: usize = 64 << 20;
/// Bytes of an instruction since sm_70.
pub(crate) const ROW_BYTES: u64 = 16;

/// An instruction as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row<'a> {
    /// Its address in the function.
    pub(crate) address: u64,
    /// Its predicate, and whether it is negated.
    pub(crate) guard: Option<(Name, bool)>,
    /// The opcode with its modifiers.
    pub(crate) opcode: &'a str,
    /// The text behind it.
    pub(crate) operands: &'a str,
    /// Labels of an indirect branch, where the listing has them.
    pub(crate) targets: &'a str,
    /// Line of the listing, from 1.
    pub(crate) line: u32,
    /// Column in bytes, from 1.
    pub(crate) column: u32,
    /// First byte in the text.
    pub(crate) start: u32,
    /// Byte behind the last.
    pub(crate) end: u32,
    /// File and line of the source.
    pub(crate) origin: Option<(u16, u32)>,
}

/// A function of a listing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Function<'a> {
    /// Its name as written, mangled or not; empty where there is none.
    pub(crate) name: &'a str,
    /// `sm_…`, where the listing says.
    pub(crate) architecture: Option<u16>,
    /// Its instructions.
    pub(crate) rows: Vec<Row<'a>>,
    /// Addresses of labels.
    pub(crate) labels: BTreeMap<&'a str, u64>,
}

/// What a listing holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing<'a> {
    /// Functions with at least one instruction.
    pub(crate) functions: Vec<Function<'a>>,
    /// Source files.
    pub(crate) files: Vec<&'a str>,
    /// What is to be said of it.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads the lines.
pub(crate) fn listing(text: &str) -> Listing<'_> {
    let mut reader = Reader::default();
    let mut start = 0_usize;
    for (number, line) in (1_u32..).zip(text.split_inclusive('\n')) {
        if reader.rows >= MOST_ROWS {
            let fault = SassFault::FirstRows { rows: MOST_ROWS };
            let note = Diagnostic::at(Severity::Warning, number, fault);
            reader.listing.diagnostics.push(note);
            break;
        }
        reader.line(line, number, start);
        start += line.len();
    }
    reader.finish()
}

/// The state between lines.
#[derive(Default)]
struct Reader<'a> {
    listing: Listing<'a>,
    current: Function<'a>,
    /// Labels that stand before the next row.
    pending: Vec<&'a str>,
    architecture: Option<u16>,
    origin: Option<(u16, u32)>,
    /// Whether a row came since the last source line.
    row_since_origin: bool,
    rows: usize,
    in_text: bool,
    files: BTreeMap<&'a str, u16>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &'a str, number: u32, start: usize) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return;
        }
        if let Some(comment) = trimmed.strip_prefix("//") {
            self.comment(comment);
        } else if let Some(name) = trimmed.strip_prefix("Function :") {
            self.begin(name.trim());
        } else if let Some(architecture) = architecture(trimmed) {
            self.architecture = Some(architecture);
        } else if trimmed.starts_with('.') && !trimmed.ends_with(':') {
            self.directive(trimmed);
        } else if let Some(label) = label(trimmed) {
            self.label(label);
        } else {
            self.row(line, number, start);
        }
    }

    fn comment(&mut self, comment: &'a str) {
        if let Some(origin) = comment.strip_prefix("## File \"") {
            self.origin(origin);
            return;
        }
        let name = comment.trim();
        let is_name = !name.is_empty()
            && !name.starts_with('-')
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "_$.".contains(c));
        if is_name && self.listing.functions.is_empty() && self.current.rows.is_empty() {
            self.begin(name);
        }
    }

    /// `path", line 5 inlined at …`: the first line before a row is the innermost.
    fn origin(&mut self, text: &'a str) {
        let Some((path, rest)) = text.split_once("\", line ") else {
            return;
        };
        if !std::mem::take(&mut self.row_since_origin) && self.origin.is_some() {
            return;
        }
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let line = rest.get(..digits).and_then(|digits| digits.parse().ok());
        self.origin = self.file(path).zip(line);
    }

    fn file(&mut self, path: &'a str) -> Option<u16> {
        if let Some(index) = self.files.get(path) {
            return Some(*index);
        }
        let index = u16::try_from(self.listing.files.len()).ok()?;
        self.listing.files.push(path);
        self.files.insert(path, index);
        Some(index)
    }

    fn directive(&mut self, text: &'a str) {
        let mut words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        match (words.next(), words.next()) {
            (Some(".section"), Some(section)) => match section.strip_prefix(".text.") {
                Some(name) => self.begin(name),
                None => self.in_text = false,
            },
            (Some(".target"), Some(target)) => {
                self.architecture = number_behind(target, "sm_").or(self.architecture);
            }
            (Some(".headerflags"), Some(flags)) => {
                self.architecture = number_behind(flags, "EF_CUDA_SM").or(self.architecture);
            }
            _ => {}
        }
        if self.current.architecture.is_none() {
            self.current.architecture = self.architecture;
        }
    }

    fn label(&mut self, label: &'a str) {
        if let Some(name) = label.strip_prefix(".text.") {
            if self.current.name != name {
                self.begin(name);
            }
            self.in_text = true;
            return;
        }
        if label.starts_with('.') || label.starts_with('$') || self.in_text {
            self.pending.push(label);
        } else {
            self.begin(label);
            self.pending.push(label);
            self.in_text = false;
        }
    }

    /// Starts a function.
    fn begin(&mut self, name: &'a str) {
        self.end();
        self.current.name = name;
        self.current.architecture = self.architecture;
        self.in_text = false;
    }

    fn end(&mut self) {
        let function = std::mem::take(&mut self.current);
        self.pending.clear();
        self.origin = None;
        if !function.rows.is_empty() {
            self.listing.functions.push(function);
        }
    }

    fn row(&mut self, line: &'a str, number: u32, start: usize) {
        let Some(mut row) = row(line, number, start) else {
            return;
        };
        let next = self
            .current
            .rows
            .last()
            .map(|last| last.address + ROW_BYTES);
        match (row.address, next) {
            // No address written: they follow each other.
            (u64::MAX, next) => row.address = next.unwrap_or(0),
            // Addresses start again: another function, whose name is not known.
            (address, Some(next)) if address < next => {
                let labels = std::mem::take(&mut self.pending);
                self.begin("");
                self.pending = labels;
            }
            _ => {}
        }
        for label in self.pending.drain(..) {
            self.current.labels.insert(label, row.address);
        }
        if self.current.architecture.is_none() {
            self.current.architecture = self.architecture;
        }
        row.origin = self.origin;
        self.row_since_origin = true;
        self.rows += 1;
        self.current.rows.push(row);
    }

    fn finish(mut self) -> Listing<'a> {
        self.end();
        self.listing
    }
}

/// `code for sm_90`, `arch = sm_90`.
fn architecture(line: &str) -> Option<u16> {
    let is_title = line.starts_with("code for ") || line.starts_with("arch ");
    is_title.then(|| number_behind(line, "sm_")).flatten()
}

fn number_behind(text: &str, prefix: &str) -> Option<u16> {
    let rest = text.get(text.find(prefix)? + prefix.len()..)?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest.get(..digits)?.parse().ok()
}

/// A line that is a name and a colon.
fn label(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?;
    let is_plain = !name.is_empty() && !name.starts_with("/*") && !name.contains(';');
    is_plain.then_some(name)
}

/// One instruction; its address is `u64::MAX` where none is written.
fn row(line: &str, number: u32, start: usize) -> Option<Row<'_>> {
    let (address, text) = address(line.trim());
    let has_end = text.contains(';');
    let code = text.split(';').next().unwrap_or_default();
    let (code, targets) = match code.split_once("(*\"BRANCH_TARGETS") {
        Some((code, targets)) => (code, targets.split('"').next().unwrap_or_default()),
        None => (code, ""),
    };
    let code = code.split("/*").next().unwrap_or_default();
    let code = code.trim_matches(|c: char| c.is_whitespace() || c == '{' || c == '}');
    let (guard, code) = guarded(code)?;
    let (opcode, operands) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    let is_opcode = opcode.starts_with(|c: char| c.is_ascii_uppercase())
        && opcode
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._".contains(c));
    let is_known = || table::find(opcode.split('.').next().unwrap_or_default()).is_some();
    if !is_opcode || (address.is_none() && !is_known()) {
        return None;
    }
    // A row whose semicolon is missing was cut off, unless its listing has none.
    if address.is_some() && !has_end && !is_known() {
        return None;
    }
    let column = line.len() - line.trim_start().len();
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let end = start + column + line.trim().len();
    Some(Row {
        address: address.unwrap_or(u64::MAX),
        guard,
        opcode,
        operands,
        targets,
        line: number,
        column: place(column + 1),
        start: place(start + column),
        end: place(end),
        origin: None,
    })
}

/// `/*0010*/` and what follows it.
fn address(text: &str) -> (Option<u64>, &str) {
    let parsed = text.strip_prefix("/*").and_then(|rest| {
        let (digits, rest) = rest.split_once("*/")?;
        let address = u64::from_str_radix(digits.trim(), 16).ok()?;
        Some((address, rest.trim_start()))
    });
    // Far beyond any function: sums of addresses stay within 64 bits.
    match parsed.filter(|(address, _)| *address < 1 << 40) {
        Some((address, rest)) => (Some(address), rest),
        None => (None, text),
    }
}

/// A guard and what follows it; `None` where one is begun and cannot be read.
type Guarded<'a> = (Option<(Name, bool)>, &'a str);

fn guarded(code: &str) -> Option<Guarded<'_>> {
    let Some(rest) = code.strip_prefix('@') else {
        return Some((None, code));
    };
    let (name, code) = rest.split_once(char::is_whitespace)?;
    let negated = name.starts_with('!');
    let name = predicate(name.trim_start_matches('!'))?;
    Some((Some((name, negated)), code.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuobjdump_with_encodings() {
        let text = "\tcode for sm_75\n\t\tFunction : _Z1kPf\n\t.headerflags\t@\"EF_CUDA_SM75\"\n\
            /*0000*/  IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;  /* 0x00000a00ff017624 */\n\
            \x20                              /* 0x000fe400078e00ff */\n\
            /*0010*/  @!P0 EXIT ; /* 0x1 */\n/*0020*/  NOP; /* 0x1 */\n";
        let listing = listing(text);
        let [function] = listing.functions.as_slice() else {
            panic!("one function")
        };
        assert_eq!(function.name, "_Z1kPf");
        assert_eq!(function.architecture, Some(75));
        let opcodes: Vec<_> = function.rows.iter().map(|row| row.opcode).collect();
        assert_eq!(opcodes, ["IMAD.MOV.U32", "EXIT", "NOP"]);
        assert!(function.rows[1].guard.is_some_and(|(_, negated)| negated));
        assert_eq!((function.rows[1].address, function.rows[1].line), (16, 6));
    }

    #[test]
    fn nvdisasm_with_labels_and_lines() {
        let text = ".section\t.text._Z1kPf,\"ax\",@progbits\n_Z1kPf:\n.text._Z1kPf:\n\
            \t//## File \"/a/k.cuh\", line 7 inlined at \"/a/k.cu\", line 9\n\t//## File \"/a/k.cu\", line 9\n\
            /*0000*/ S2R R0, SR_TID.X ;\n.L_x_0:\n\t//## File \"/a/k.cu\", line 10\n\
            /*0010*/ BRX R4 -0x20   (*\"BRANCH_TARGETS .L_x_0,.L_x_1\"*);\n$inner:\n.L_x_1:\n/*0020*/ EXIT ;\n";
        let listing = listing(text);
        let [function] = listing.functions.as_slice() else {
            panic!("one function")
        };
        assert_eq!(function.name, "_Z1kPf");
        assert_eq!(listing.files, ["/a/k.cuh", "/a/k.cu"]);
        let origins: Vec<_> = function.rows.iter().map(|row| row.origin).collect();
        assert_eq!(origins, [Some((0, 7)), Some((1, 10)), Some((1, 10))]);
        assert_eq!(function.labels.get(".L_x_0"), Some(&16));
        assert_eq!(function.labels.get("$inner"), Some(&32));
        assert_eq!(function.rows[1].targets.trim(), ".L_x_0,.L_x_1");
    }

    #[test]
    fn rows_without_addresses_follow_each_other() {
        let listing =
            listing("k(float*):\n S2R R0, SR_TID.X \n.L_x_1:\n @P0 BRA `(.L_x_1) \n EXIT \n");
        let [function] = listing.functions.as_slice() else {
            panic!("one function")
        };
        assert_eq!(function.name, "k(float*)");
        assert_eq!(function.rows.len(), 3);
        assert_eq!(function.labels.get(".L_x_1"), Some(&16));
    }

    #[test]
    fn addresses_that_start_again_start_a_function() {
        let rows = "/*0000*/ NOP ;\n/*0010*/ EXIT ;\n/*0000*/ EXIT ;\n";
        assert_eq!(listing(rows).functions.len(), 2);
    }

    #[test]
    fn what_is_no_row_is_passed_over() {
        for text in [
            "",
            "hello world\n",
            "/*zz*/ x\n",
            "@P0\n",
            "/* 0x12 */\n",
            ":\n",
            "@\n/**/\n",
            "/*ffffffffffffffff*/ NOP ;",
        ] {
            assert!(
                listing(text)
                    .functions
                    .iter()
                    .all(|function| function.rows.len() <= 1),
                "{text}"
            );
        }
    }
}
