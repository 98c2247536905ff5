//! Objects of nvcc 13 for two generations, and torn ones.

use lanescope_object::{
    Container, EntryKind, Object, ObjectError, ParameterPlace, container, entries, is_object_line,
    read,
};

const AMPERE: &[u8] = include_bytes!("data/tables_sm_80.cubin");
const BLACKWELL: &[u8] = include_bytes!("data/tables_sm_100.cubin");

#[test]
fn parameters_stand_where_the_source_says() {
    for (bytes, architecture) in [(AMPERE, 80), (BLACKWELL, 100)] {
        let object = read(bytes).expect("a cubin");
        assert_eq!(object.architecture, architecture);
        let names: Vec<&str> = object.kernels.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        let tables = object
            .kernels
            .iter()
            .find(|one| one.name == "_Z6tablesPfPKfc5Scalei")
            .expect("the kernel");
        assert_eq!(tables.shared_bytes, 32 * 33 * 4);
        let places: Vec<ParameterPlace> = tables.parameters.clone();
        // Only objects of the newest architectures say which are pointers.
        let says = architecture >= 100;
        let expected = [
            (0, 8, says),
            (8, 8, says),
            (16, 1, false),
            (24, 16, false),
            (40, 4, false),
        ];
        let expected: Vec<ParameterPlace> = (0..)
            .zip(expected)
            .map(|(position, (offset, bytes, is_pointer))| ParameterPlace {
                position,
                offset,
                bytes,
                is_pointer,
            })
            .collect();
        assert_eq!(places, expected);
    }
}

#[test]
fn banks_hold_what_is_initialised() {
    for bytes in [AMPERE, BLACKWELL] {
        let object = read(bytes).expect("a cubin");
        let variables: Vec<_> = object
            .constants
            .iter()
            .filter(|one| one.is_variable)
            .collect();
        let [permutation] = variables.as_slice() else {
            panic!("weights are zeros, which the host is to fill")
        };
        let words: Vec<u8> = permutation.bytes.chunks(4).map(|word| word[0]).collect();
        assert_eq!(
            (permutation.bank, words.as_slice()),
            (3, &[3, 1, 4, 1, 5, 9, 2, 6][..])
        );
        let table = object
            .constants
            .iter()
            .find(|one| one.bank == 2)
            .expect("a jump table");
        assert_eq!(table.function.as_deref(), Some("_Z6tablesPfPKfc5Scalei"));
        assert!(table.bytes.len() >= 24);
    }
}

#[test]
fn torn_objects_are_refused_and_never_panic() {
    for end in 0..AMPERE.len() {
        let _ = read(&AMPERE[..end]);
    }
    assert_eq!(read(&AMPERE[..4096]), Err(ObjectError::Truncated));
    assert_eq!(read(b"MZ"), Err(ObjectError::NotCubin));
    let mut narrow = AMPERE.to_vec();
    narrow[4] = 1;
    assert_eq!(read(&narrow), Err(ObjectError::Layout));
    // Every byte of the headers and tables changed once.
    let step = 7;
    for at in (0..AMPERE.len()).step_by(step) {
        for value in [0, 0x7f, 0xff] {
            let mut changed = AMPERE.to_vec();
            changed[at] = value;
            let _ = read(&changed);
        }
    }
}

#[test]
fn files_are_told_by_their_first_bytes() {
    assert_eq!(container(AMPERE), Some(Container::Cubin));
    let mut host = AMPERE.to_vec();
    host[18] = 62;
    assert_eq!(container(&host), Some(Container::Host));
    assert_eq!(container(b"!<arch>\n/ 0"), Some(Container::Host));
    for text in ["", "MZ is no program", "__global__ void f() {}", "\u{7f}EL"] {
        assert_eq!(container(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn lines_of_text_say_all_that_the_object_says() {
    for bytes in [AMPERE, BLACKWELL] {
        let object = read(bytes).expect("a cubin");
        let text = object.to_text();
        assert!(text.lines().all(is_object_line), "{text}");
        let listing = format!("/*0000*/ EXIT ;\n{text}{text}");
        assert_eq!(Object::all_of_text(&listing), [object.clone(), object]);
    }
    assert_eq!(
        Object::all_of_text("//@kernel f shared=0\n//@object sm_x\n"),
        []
    );
    let torn = Object::all_of_text("//@object sm_90\n//@constant 3 0 * abc\n//@kernel\n//@\n");
    assert_eq!(torn.len(), 1);
    assert!(torn[0].kernels.is_empty() && torn[0].constants.is_empty());
}

/// An entry of a fat binary as nvcc writes it.
fn entry(kind: u16, architecture: u32, flags: u64, unpacked: u64, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(kind.to_le_bytes());
    out.extend(0x101_u16.to_le_bytes());
    out.extend(64_u32.to_le_bytes());
    out.extend((payload.len() as u64).to_le_bytes());
    let packed = u32::try_from(payload.len()).expect("short");
    out.extend(if flags & 0xa000 == 0 { 0 } else { packed }.to_le_bytes());
    out.extend([0; 8]);
    out.extend(architecture.to_le_bytes());
    out.extend([0; 8]);
    out.extend(flags.to_le_bytes());
    out.extend([0; 8]);
    out.extend(unpacked.to_le_bytes());
    out.extend(payload);
    out
}

fn fat_binary(parts: &[Vec<u8>]) -> Vec<u8> {
    let body = parts.concat();
    let mut out = vec![0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
    out.extend((body.len() as u64).to_le_bytes());
    out.extend(body);
    out
}

#[test]
fn entries_of_a_fat_binary_are_unpacked() {
    let packed = [0x24, b'a', b'b', 2, 0, 0x10, b'c'];
    let parts = [
        entry(2, 80, 0x11, 0, AMPERE),
        entry(1, 90, 0x2011, 11, &packed),
        entry(1, 90, 0x8011, 11, &packed),
        entry(7, 90, 0x11, 0, b"other"),
    ];
    let mut file = b"a program\0".to_vec();
    file.extend(fat_binary(&parts));
    file.extend(fat_binary(&parts[..1]));
    let all = entries(&file);
    let kinds: Vec<(EntryKind, u16)> = all.iter().map(|one| (one.kind, one.architecture)).collect();
    let ptx = (EntryKind::Ptx, 90);
    assert_eq!(
        kinds,
        [(EntryKind::Cubin, 80), ptx, ptx, (EntryKind::Cubin, 80)]
    );
    assert_eq!(all[0].unpacked().as_deref(), Some(AMPERE));
    assert_eq!(all[1].unpacked().as_deref(), Some(&b"ababababab\x63"[..]));
    assert_eq!(all[2].unpacked(), None);
    for end in 0..file.len() {
        for one in entries(&file[..end]) {
            let _ = one.unpacked();
        }
    }
}

#[test]
fn fat_binaries_of_nvcc_are_unpacked() {
    let files = [
        &include_bytes!("data/scale_size.fatbin")[..],
        include_bytes!("data/scale_speed.fatbin"),
    ];
    for file in files {
        let all = entries(file);
        let [cubin, ptx] = all.as_slice() else {
            panic!("a cubin and a PTX text: {all:?}")
        };
        let unpacked = cubin.unpacked().expect("a cubin");
        let object = read(&unpacked).expect("a cubin");
        let names: Vec<&str> = object.kernels.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["_Z4turnPfPKfi", "_Z5scalePfPKffi"]);
        assert_eq!((cubin.architecture, ptx.architecture), (90, 80));
        let text = ptx.unpacked().expect("a text");
        assert_eq!(text.len(), ptx.unpacked_bytes());
        assert!(String::from_utf8_lossy(&text).contains(".visible .entry _Z5scalePfPKffi("));
    }
}

#[test]
fn torn_payloads_are_refused() {
    let whole = include_bytes!("data/scale_size.fatbin");
    // Behind the headers of the fat binary and of its first entry; every fifth byte is enough.
    for at in (0x50..whole.len()).step_by(5) {
        let mut file = whole.to_vec();
        file[at] ^= 0x5a;
        for one in entries(&file) {
            let unpacked = one.unpacked();
            assert!(unpacked.is_none_or(|bytes| bytes.len() == one.unpacked_bytes()));
        }
    }
    let huge = fat_binary(&[entry(1, 90, 0x8011, u64::MAX, &whole[0x50..])]);
    assert_eq!(entries(&huge)[0].unpacked(), None);
}
