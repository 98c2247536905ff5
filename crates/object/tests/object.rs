//! Objects of nvcc 13 for two generations, and torn ones.

use lanescope_object::{Container, ObjectError, ParameterPlace, container, read};

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
