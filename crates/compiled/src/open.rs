//! What a program, library, fat binary or cubin that somebody opens comes to as text.

use crate::is_named;
use lanescope_frontend::Language;
use lanescope_object::{
    Container, Entry, EntryKind, Object, ObjectError, container, entries, is_object_line, read,
};
use std::collections::BTreeSet;

/// The most bytes of lines about objects that are kept without a listing, which says which of them are meant.
const MOST_BYTES: usize = 12 << 10;
/// The most bytes that the packed parts of a file are unpacked to, kind by kind.
const MOST_UNPACKED: usize = 512 << 20;
/// The most names that a fault lists.
const MOST_NAMES: usize = 5;

/// Why a file of compiled code opens nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// It is no file of a compiler.
    Foreign,
    /// It is a program or library without code for a GPU.
    NoGpuCode,
    /// It ends before what its headers promise.
    Truncated,
    /// It is one of 32 bits.
    Layout,
    /// None of its code can be unpacked.
    Packed,
    /// It has more kernels than can be kept without a listing.
    Large(Contents),
    /// It has none of the listing's functions for the listing's architecture.
    OtherCode(Contents),
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many kernels.
    pub kernels: usize,
    /// The first of them.
    pub names: Vec<String>,
    /// Architectures in order.
    pub architectures: Vec<u16>,
}

impl Contents {
    /// What objects hold.
    #[must_use]
    pub fn of(objects: &[Object]) -> Self {
        let kernels = objects.iter().flat_map(|object| &object.kernels);
        let names: BTreeSet<&str> = kernels.map(|kernel| kernel.name.as_str()).collect();
        let architectures: BTreeSet<u16> =
            objects.iter().map(|object| object.architecture).collect();
        let few = names.iter().take(MOST_NAMES);
        Self {
            kernels: names.len(),
            names: few.map(|name| crate::demangled(name)).collect(),
            architectures: architectures.into_iter().collect(),
        }
    }

    /// The first names, and how many follow.
    #[must_use]
    pub fn named(&self) -> String {
        let names = self.names.join(", ");
        match self.kernels.saturating_sub(self.names.len()) {
            0 => names,
            more => format!("{names}, … (+{more})"),
        }
    }

    /// `sm_80, sm_90`.
    #[must_use]
    pub fn generations(&self) -> String {
        let all = self
            .architectures
            .iter()
            .map(|architecture| format!("sm_{architecture}"));
        all.collect::<Vec<_>>().join(", ")
    }
}

/// The text that a file of compiled code comes to. Beside the listing of its code: that, with what the object says of it
/// as lines behind it. Alone: the PTX that it holds; else the lines about its objects, below which a listing can be put.
///
/// # Errors
/// [`OpenError`] where nothing in it can be read, or nothing belongs to the listing.
pub fn open(file: &[u8], beside: &str) -> Result<String, OpenError> {
    let whole = container(file).ok_or(OpenError::Foreign)?;
    let is_listed = Language::of(beside) == Language::Sass && has_code(beside);
    let packed = match whole {
        Container::Cubin => Vec::new(),
        Container::FatBinary | Container::Host => entries(file),
    };
    let objects = match whole {
        Container::Cubin => vec![read(file).map_err(of_object)?],
        Container::FatBinary | Container::Host => objects(&packed),
    };
    if is_listed && !objects.is_empty() {
        return with_objects(beside, &objects)
            .ok_or_else(|| OpenError::OtherCode(Contents::of(&objects)));
    }
    if let Some(text) = ptx(&packed) {
        return Ok(text);
    }
    if objects.iter().all(|object| object.kernels.is_empty()) {
        return Err(match packed.is_empty() {
            true => OpenError::NoGpuCode,
            false => OpenError::Packed,
        });
    }
    let lines: String = objects.iter().map(Object::to_text).collect();
    match lines.len() > MOST_BYTES {
        true => Err(OpenError::Large(Contents::of(&objects))),
        false => Ok(lines),
    }
}

/// `listing` with what the objects say of its code, instead of what stood there before; `None` where they have none of its
/// functions.
#[must_use]
pub fn with_objects(listing: &str, objects: &[Object]) -> Option<String> {
    let functions: BTreeSet<String> = lanescope_sass::functions(listing).into_iter().collect();
    let architectures = lanescope_sass::architectures(listing);
    let fits =
        |object: &&Object| architectures.is_empty() || architectures.contains(&object.architecture);
    let is_anonymous = functions.iter().all(|name| name.is_empty());
    let of_listing: Vec<Object> = objects
        .iter()
        .filter(fits)
        .map(|object| part(object, &functions, is_anonymous))
        .filter(|object| !object.kernels.is_empty())
        .collect();
    // A listing without names is that of an object with one kernel.
    let is_clear =
        !is_anonymous || matches!(of_listing.as_slice(), [one] if one.kernels.len() == 1);
    if of_listing.is_empty() || !is_clear {
        return None;
    }
    let kept = listing.lines().filter(|line| !is_object_line(line));
    let mut text: String = kept.flat_map(|line| [line, "\n"]).collect();
    text.truncate(text.trim_end().len());
    text.push_str("\n\n");
    text.extend(of_listing.iter().map(Object::to_text));
    Some(text)
}

/// What an object says of some functions.
fn part(object: &Object, functions: &BTreeSet<String>, is_all: bool) -> Object {
    let is_meant = |name: &str| {
        is_all
            || functions.contains(name)
            || functions.iter().any(|function| is_named(name, function))
    };
    let mut part = object.clone();
    part.kernels.retain(|kernel| is_meant(&kernel.name));
    part.constants
        .retain(|constant| constant.function.as_deref().is_none_or(is_meant));
    part
}

/// The object of a text's lines that a kernel belongs to: of the architecture of the listing, and with a kernel that
/// is called so, or, where nobody says which, that the listing has.
#[must_use]
pub fn object_of(text: &str, kernel: Option<&str>) -> Option<Object> {
    let objects = Object::all_of_text(text);
    if objects.is_empty() {
        return None;
    }
    let architectures = lanescope_sass::architectures(text);
    let functions = lanescope_sass::functions(text);
    let is_meant = |name: &str| match kernel {
        Some(wanted) => name == wanted || is_named(name, wanted),
        None => functions
            .iter()
            .any(|function| function.is_empty() || function == name),
    };
    let fits = |object: &Object| {
        let is_own = architectures.is_empty() || architectures.contains(&object.architecture);
        is_own && object.kernels.iter().any(|kernel| is_meant(&kernel.name))
    };
    // The newest, as of a listing for several architectures.
    let mut fitting: Vec<Object> = objects.into_iter().filter(fits).collect();
    fitting.sort_by_key(|object| object.architecture);
    fitting.pop()
}

/// Whether a text has instructions, not only lines about objects.
#[must_use]
pub fn has_code(text: &str) -> bool {
    text.lines()
        .any(|line| !line.trim().is_empty() && !is_object_line(line))
}

fn of_object(error: ObjectError) -> OpenError {
    match error {
        ObjectError::Layout => OpenError::Layout,
        // `ObjectError` may grow; what is no cubin is not asked for here.
        _ => OpenError::Truncated,
    }
}

/// The entries before those that would go over [`MOST_UNPACKED`].
fn within_limit<'e, 'f: 'e>(
    entries: impl Iterator<Item = &'e Entry<'f>>,
) -> impl Iterator<Item = &'e Entry<'f>> {
    let mut left = MOST_UNPACKED;
    entries.take_while(move |entry| {
        let rest = left.checked_sub(entry.unpacked_bytes());
        left = rest.unwrap_or(0);
        rest.is_some()
    })
}

/// The cubins among the entries.
fn objects(packed: &[Entry<'_>]) -> Vec<Object> {
    let cubins = packed.iter().filter(|one| one.kind == EntryKind::Cubin);
    let read = within_limit(cubins).filter_map(|one| read(&one.unpacked()?).ok());
    read.filter(|object| !object.kernels.is_empty()).collect()
}

/// The PTX text with a kernel, of the newest architecture.
fn ptx(packed: &[Entry<'_>]) -> Option<String> {
    let mut texts: Vec<&Entry<'_>> = packed
        .iter()
        .filter(|one| one.kind == EntryKind::Ptx)
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.architecture));
    within_limit(texts.into_iter()).find_map(|one| {
        let bytes = one.unpacked()?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches('\0');
        (Language::of(text) == Language::Ptx && text.contains(".entry")).then(|| text.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{OpenError, open};

    const CUBIN: &[u8] = include_bytes!("../../object/tests/data/tables_sm_80.cubin");

    /// A listing of the cubin's kernel, cut short.
    const LISTING: &str = "code for sm_80\n\tFunction : _Z6tablesPfPKfc5Scalei\n /*0000*/ EXIT ;\n";

    #[test]
    fn a_cubin_gives_a_listing_what_it_lacks() {
        let text = open(CUBIN, LISTING).expect("its listing");
        assert!(text.starts_with(LISTING.trim_end()), "{text}");
        let parsed = crate::read(&text, None).expect("a listing");
        let names = parsed.program.parameters().iter();
        let places: Vec<&str> = names.map(|name| name.ty.as_str()).collect();
        // The structure of 16 bytes is left out: nothing reads it.
        assert_eq!(
            places,
            [
                "8 bytes at 0x0",
                "8 bytes at 0x8",
                "1 bytes at 0x10",
                "4 bytes at 0x28"
            ]
        );
        assert_eq!(open(CUBIN, &text).as_ref(), Ok(&text), "once is enough");
        let other = LISTING.replace("sm_80", "sm_90");
        assert!(matches!(open(CUBIN, &other), Err(OpenError::OtherCode(_))));
        let other = LISTING.replace("tables", "chairs");
        assert!(matches!(open(CUBIN, &other), Err(OpenError::OtherCode(_))));
    }

    #[test]
    fn a_cubin_alone_asks_for_its_listing() {
        let lines = open(CUBIN, "").expect("a cubin");
        let parsed = crate::read(&lines, None).expect("lines about an object");
        let [said] = parsed.diagnostics.as_slice() else {
            panic!("one sentence: {:?}", parsed.diagnostics)
        };
        let said = said.to_string();
        assert!(
            said.contains("sm_80") && said.contains("cuobjdump -sass FILE"),
            "{said}"
        );
        let pasted = crate::read(&format!("{lines}\n{LISTING}"), None).expect("a listing");
        assert_eq!(pasted.program.parameters().len(), 4);
    }

    #[test]
    fn files_that_open_nothing_say_why() {
        assert_eq!(open(b"PNG\0", ""), Err(OpenError::Foreign));
        assert_eq!(
            open(&CUBIN[..CUBIN.len() / 2], ""),
            Err(OpenError::Truncated)
        );
        assert_eq!(open(b"\x7fELF\x02\x01\x01", ""), Err(OpenError::NoGpuCode));
        let mut old = CUBIN.to_vec();
        old[4] = 1;
        assert_eq!(open(&old, ""), Err(OpenError::Layout));
    }

    #[test]
    fn a_fat_binary_of_nvcc_opens_its_ptx() {
        const PACKED: &[u8] = include_bytes!("../../object/tests/data/scale_size.fatbin");
        let text = open(PACKED, "").expect("PTX");
        let parsed = crate::read(&text, Some("scale")).expect("PTX");
        assert_eq!(parsed.program.parameters().len(), 4);
        assert_eq!(parsed.program.sites().len(), 2);
        // The header of the first entry stays, so that only its payload is damaged; then there is no second one.
        let torn = &PACKED[..PACKED.len() - 600];
        assert!(open(torn, "").is_ok_and(|lines| lines.starts_with("//@object sm_90")));
        let mut damaged = torn.to_vec();
        damaged[0x50..0x60].fill(0);
        assert_eq!(open(&damaged, ""), Err(OpenError::Packed));
    }

    #[test]
    fn what_is_unpacked_is_bounded() {
        // Twenty texts that promise 64 MiB each.
        let mut entry = vec![1, 0, 1, 1, 64, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0];
        entry.resize(40, 0);
        entry.extend(0x8011_u64.to_le_bytes());
        entry.resize(56, 0);
        entry.extend((64_u64 << 20).to_le_bytes());
        entry.extend([0x28, 0xb5, 0x2f, 0xfd]);
        let body = entry.repeat(20);
        let mut file = vec![0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
        file.extend((body.len() as u64).to_le_bytes());
        file.extend(&body);
        let packed = super::entries(&file);
        assert_eq!(packed.len(), 20);
        assert_eq!(super::within_limit(packed.iter()).count(), 8);
        assert_eq!(open(&file, ""), Err(OpenError::Packed));
    }

    #[test]
    fn a_fat_binary_opens_its_ptx() {
        let ptx = b".version 8.0\n.target sm_80\n.visible .entry f() { ret; }\n\0";
        let mut entry = Vec::new();
        entry.extend(1_u16.to_le_bytes());
        entry.extend(0x101_u16.to_le_bytes());
        entry.extend(64_u32.to_le_bytes());
        entry.extend((ptx.len() as u64).to_le_bytes());
        entry.resize(28, 0);
        entry.extend(80_u32.to_le_bytes());
        entry.resize(64, 0);
        entry.extend(ptx);
        let mut file = vec![0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
        file.extend((entry.len() as u64).to_le_bytes());
        file.extend(&entry);
        let text = open(&file, "").expect("PTX");
        assert!(
            text.starts_with(".version 8.0") && text.ends_with("}\n"),
            "{text:?}"
        );
        entry[40] = 0;
        let at = file.len() - entry.len() + 41;
        file[at] = 0x80;
        assert_eq!(open(&file, ""), Err(OpenError::Packed));
    }
}
