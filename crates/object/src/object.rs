//! What a cubin says of its kernels.

use crate::attribute::{self, Attributes};
use crate::elf::{self, Elf, MACHINE_CUDA, RELOCATIONS};
use crate::{Container, ObjectError, container};
use std::collections::BTreeSet;

/// A cubin: kernels for one architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// `sm_…`.
    pub architecture: u16,
    /// Its kernels, by section.
    pub kernels: Vec<KernelInfo>,
    /// What constant banks hold as it is loaded.
    pub constants: Vec<Constant>,
}

/// What an object says of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelInfo {
    /// Its name as mangled.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<ParameterPlace>,
    /// Bytes of static shared memory, without those that the system reserves.
    pub shared_bytes: u64,
    /// Threads of a block along x, y, z, where the source fixes them (`__reqd_work_group_size`, `.reqntid`).
    pub block: Option<[u32; 3]>,
}

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParameterPlace {
    /// Its position, from 0.
    pub position: u32,
    /// Bytes from the first parameter's first byte.
    pub offset: u32,
    /// Its bytes.
    pub bytes: u32,
    /// Whether the object says that it is a pointer, as those for sm_100 and later do.
    pub is_pointer: bool,
}

/// Bytes of a constant bank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constant {
    /// The bank, as in `c[0x3]`.
    pub bank: u32,
    /// The function that it is for; `None`: all.
    pub function: Option<String>,
    /// Bytes from the bank's first.
    pub offset: u32,
    /// What is there.
    pub bytes: Vec<u8>,
    /// Whether it is a variable of the source, which the host may write before the launch.
    pub is_variable: bool,
}

/// Shared memory that the system keeps for itself since sm_90; it counts among a section's bytes.
const RESERVED_SHARED: u64 = 0x400;
/// The bank of `__constant__` variables.
const VARIABLES: u32 = 3;
/// The bank of parameters, which the launch fills.
const PARAMETERS: u32 = 0;
/// The most bytes of a bank.
const MOST_BANK_BYTES: usize = 64 << 10;

/// Reads a cubin.
///
/// # Errors
/// [`ObjectError`] when it is none, or cut off.
pub fn read(bytes: &[u8]) -> Result<Object, ObjectError> {
    match container(bytes) {
        Some(Container::Cubin) => {}
        Some(Container::Host) if elf::machine(bytes).is_none() => {
            return Err(ObjectError::Truncated);
        }
        Some(Container::Host | Container::FatBinary) | None => return Err(ObjectError::NotCubin),
    }
    debug_assert_eq!(elf::machine(bytes), Some(MACHINE_CUDA));
    let elf = elf::read(bytes)?;
    let architecture = architecture(&elf);
    let code = |name: &str| name.strip_prefix(".text.").map(str::to_owned);
    let names = elf.sections.iter().filter_map(|section| code(section.name));
    Ok(Object {
        architecture,
        kernels: names
            .filter_map(|name| kernel(&elf, name, architecture))
            .collect(),
        constants: constants(&elf),
    })
}

/// Until CUDA 12 the lowest byte of the flags, since CUDA 13 (version 8 of the interface) the second.
const fn architecture(elf: &Elf<'_>) -> u16 {
    let byte = if elf.abi_version >= 8 {
        elf.flags >> 8
    } else {
        elf.flags
    };
    (byte & 0xff) as u16
}

/// A kernel by name; `None` of a function that is none: it has no parameters' bank.
fn kernel(elf: &Elf<'_>, name: String, architecture: u16) -> Option<KernelInfo> {
    let section = |prefix: &str| {
        let wanted = format!("{prefix}.{name}");
        elf.sections.iter().find(|section| section.name == wanted)
    };
    section(".nv.constant0")?;
    let info = section(".nv.info").map(|section| attribute::read(section.bytes));
    let Attributes { parameters, block } = info.unwrap_or_default();
    let shared = section(".nv.shared").map_or(0, |section| section.size);
    let reserved = if architecture >= 90 {
        RESERVED_SHARED
    } else {
        0
    };
    Some(KernelInfo {
        parameters,
        block,
        shared_bytes: shared.saturating_sub(reserved),
        name,
    })
}

/// `3` of `.nv.constant3`, `2` and `kernel` of `.nv.constant2.kernel`.
fn bank(section: &str) -> Option<(u32, Option<&str>)> {
    let rest = section.strip_prefix(".nv.constant")?;
    let (number, function) = match rest.split_once('.') {
        Some((number, function)) => (number, Some(function)),
        None => (rest, None),
    };
    Some((number.parse().ok()?, function))
}

/// What banks hold: tables of the compiler whole; of variables those that are initialised to something.
fn constants(elf: &Elf<'_>) -> Vec<Constant> {
    let filled = filled_in(elf);
    let mut found = Vec::new();
    for (index, section) in elf.sections.iter().enumerate() {
        let Some((bank, function)) = bank(section.name) else {
            continue;
        };
        let is_known = bank != PARAMETERS && !filled.contains(section.name);
        if !is_known || section.bytes.len() > MOST_BANK_BYTES {
            continue;
        }
        let whole = Constant {
            bank,
            function: function.map(str::to_owned),
            offset: 0,
            bytes: section.bytes.to_vec(),
            is_variable: bank == VARIABLES,
        };
        if bank == VARIABLES {
            found.extend(variables(elf, index, &whole));
        } else {
            found.push(whole);
        }
    }
    found
}

/// Sections that relocations change.
fn filled_in<'a>(elf: &Elf<'a>) -> BTreeSet<&'a str> {
    let is_relocation = |kind| RELOCATIONS.contains(&kind);
    let relocations = elf.sections.iter();
    let relocations =
        relocations.filter(|relocation| is_relocation(relocation.kind) && relocation.size > 0);
    relocations
        .filter_map(|relocation| {
            let name = relocation.name.strip_prefix(".rela");
            name.or_else(|| relocation.name.strip_prefix(".rel"))
        })
        .collect()
}

/// Variables of a bank that are not all zeros: those the host is to fill before the launch.
fn variables(elf: &Elf<'_>, section: usize, whole: &Constant) -> Vec<Constant> {
    let of_bank = elf.symbols.iter();
    let of_bank = of_bank.filter(|symbol| symbol.is_object && symbol.section == section);
    of_bank
        .filter_map(|symbol| {
            let from = usize::try_from(symbol.value).ok()?;
            let size = usize::try_from(symbol.size).ok()?;
            let bytes = whole.bytes.get(from..from.checked_add(size)?)?;
            bytes.iter().any(|byte| *byte != 0).then(|| Constant {
                offset: u32::try_from(from).unwrap_or(u32::MAX),
                bytes: bytes.to_vec(),
                ..whole.clone()
            })
        })
        .collect()
}
