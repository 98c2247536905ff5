//! Random C++ types, and their layouts compared with those of a C++ compiler of this machine.
//!
//! nvcc lays types out as the host's compiler does, so that `g++` is the oracle of both.

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use lanescope_cuda::source::{RecordLayout, record_layouts};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// What `cargo xtask layouts` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// How many types
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The compiler
    #[arg(long, default_value = "g++")]
    compiler: PathBuf,
}

/// Types of one source, which may hold one another.
const TYPES_OF_SOURCE: usize = 20;

const SCALARS: [&str; 12] = [
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long long",
    "float",
    "double",
    "bool",
    "int *",
    "Small",
];

const WHOLE: [(&str, u64); 8] = [
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned int", 32),
    ("long long", 64),
    ("bool", 1),
];

/// Ways to limit the alignment of fields to `N`, and to end that.
const PACKS: [(&str, &str); 4] = [
    ("#pragma pack(push, N)", "#pragma pack(pop)\n"),
    ("#pragma pack(push)\n#pragma pack(N)", "#pragma pack(pop)\n"),
    ("#pragma pack(N)", "#pragma pack()\n"),
    ("_Pragma(\"pack(push, N)\")", "_Pragma(\"pack(pop)\")\n"),
];

/// A generator of numbers: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let at = usize::try_from(self.below(list.len() as u64)).ok()?;
        list.get(at)
    }
}

/// Generates types, lays them out, and prints where the two differ; whether none does.
///
/// # Errors
/// When the compiler cannot be run, or refuses a source.
pub(crate) fn compare(options: &Options) -> Result<bool> {
    let mut random = Random(options.seed);
    let (mut compared, mut different) = (0, 0);
    while compared < options.count {
        let source = source(&mut random);
        let (own, said) = record_layouts(&source.text);
        let theirs = compiled(&source, options)?;
        for one in &said {
            println!("line {}: {one}", one.line);
        }
        for name in &source.names {
            compared += 1;
            let own = own.iter().find(|layout| layout.name == *name);
            let theirs = theirs.get(name);
            if !is_same(own, theirs) {
                different += 1;
                println!("{name}: {own:?}\n    {theirs:?}\n{}", source.text);
            }
        }
        ensure!(different < 20, "too many types differ");
    }
    println!("{compared} types, {different} differ");
    Ok(different == 0)
}

fn is_same(own: Option<&RecordLayout>, theirs: Option<&RecordLayout>) -> bool {
    let (Some(own), Some(theirs)) = (own, theirs) else {
        return false;
    };
    let has = |field: &(String, u64)| own.fields.contains(field);
    own.bytes == theirs.bytes && own.align == theirs.align && theirs.fields.iter().all(has)
}

/// A source of random types.
struct Source {
    text: String,
    names: Vec<String>,
    /// Fields by type: the name, and whether it is a bit-field.
    fields: BTreeMap<String, Vec<(String, bool)>>,
}

fn source(random: &mut Random) -> Source {
    let mut source = Source {
        text: "enum class Small : unsigned short { A, B };\n".to_owned(),
        names: Vec::new(),
        fields: BTreeMap::new(),
    };
    for at in 0..TYPES_OF_SOURCE {
        structure(random, &mut source, at);
    }
    source
}

fn structure(random: &mut Random, source: &mut Source, at: usize) {
    let name = format!("T{at}");
    let pack = random.one_in(6).then(|| 1 << random.below(4));
    let (begin, end) = *random.pick(&PACKS).unwrap_or(&PACKS[0]);
    if let Some(pack) = pack {
        let _ = writeln!(source.text, "{}", begin.replace('N', &format!("{pack}")));
    }
    let is_union = random.one_in(8);
    let align = random.one_in(6).then(|| 1 << random.below(6));
    // g++ refuses an `alignas` under the natural alignment; `__attribute__` raises it alone.
    let align = align.map_or_else(String::new, |to: u64| {
        format!(" __attribute__((aligned({to})))")
    });
    let packed = " __attribute__((packed))";
    let is_packed = random.one_in(7) && pack.is_none();
    let is_before = is_packed && random.one_in(2);
    let behind = if is_packed && !is_before { packed } else { "" };
    let align = if is_before { align + packed } else { align };
    let word = if is_union { "union" } else { "struct" };
    let bases = if is_union {
        String::new()
    } else {
        bases(random, source)
    };
    let _ = writeln!(source.text, "{word}{align} {name}{bases} {{");
    let mut fields = Vec::new();
    for field in 0..random.below(7) {
        self::field(
            random,
            source,
            &format!("f{at}_{field}"),
            is_union,
            &mut fields,
        );
    }
    if !is_union && random.one_in(10) && pack.is_none() && !is_packed {
        let _ = writeln!(source.text, "  virtual void v{at}();");
    }
    if random.one_in(8) {
        let _ = writeln!(source.text, "  {name}() {{}}");
    }
    let _ = writeln!(source.text, "}}{behind};");
    if pack.is_some() {
        source.text += end;
    }
    source.names.push(name.clone());
    source.fields.insert(name, fields);
}

fn bases(random: &mut Random, source: &Source) -> String {
    let text = &source.text;
    let is_structure = |name: &&String| {
        let is_packed =
            text.contains(&format!(" {name} {{")) && text.contains(&format!("union {name} "));
        !is_packed && !text.contains(&format!("{name} {{ // union"))
    };
    let mut known: Vec<&String> = source
        .names
        .iter()
        .filter(is_structure)
        .filter(|name| !is_union_of(text, name))
        .collect();
    let mut list = Vec::new();
    while list.len() < 2 && random.one_in(4) {
        let Some(base) = random.pick(&known).copied() else {
            break;
        };
        known.retain(|name| *name != base);
        list.push(base.clone());
    }
    // One base of another would be ambiguous.
    let holds = |a: &String, b: &String| {
        source.names.iter().position(|name| name == a)
            == source.names.iter().position(|name| name == b)
    };
    list.dedup_by(|a, b| holds(a, b));
    match list.len() {
        0 => String::new(),
        _ => format!(" : {}", list.join(", ")),
    }
}

fn is_union_of(text: &str, name: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with("union") && line.split_whitespace().any(|word| word == name))
}

fn field(
    random: &mut Random,
    source: &mut Source,
    name: &str,
    in_union: bool,
    fields: &mut Vec<(String, bool)>,
) {
    let text = &mut source.text;
    if random.one_in(4) {
        let (of, most) = random.pick(&WHOLE).copied().unwrap_or(("int", 32));
        if random.one_in(10) && !in_union {
            let _ = writeln!(
                text,
                "  {of} : {};",
                if random.one_in(2) {
                    0
                } else {
                    1 + random.below(most)
                }
            );
            return;
        }
        let _ = writeln!(text, "  {of} {name} : {};", 1 + random.below(most));
        fields.push((name.to_owned(), true));
        return;
    }
    if random.one_in(12) {
        let _ = writeln!(
            text,
            "  union {{ int {name}; double {name}_u; short {name}_s[3]; }};"
        );
        fields.push((name.to_owned(), false));
        return;
    }
    let scalar = random.pick(&SCALARS).copied().unwrap_or("int");
    let plain: Vec<String> = source
        .names
        .iter()
        .filter(|name| !in_union && random.one_in(2) && !name.is_empty())
        .cloned()
        .collect();
    let of = match random.pick(&plain) {
        Some(one) if random.one_in(3) => one.as_str(),
        _ => scalar,
    };
    let extent = if random.one_in(5) {
        format!("[{}]", 1 + random.below(4))
    } else {
        String::new()
    };
    let align = if random.one_in(9) {
        let to = 1_u64 << random.below(6);
        format!(" __attribute__((aligned({to})))")
    } else if random.one_in(9) {
        " __attribute__((packed))".to_owned()
    } else {
        String::new()
    };
    let _ = writeln!(source.text, "  {of} {name}{extent}{align};");
    fields.push((name.to_owned(), false));
}

/// The layouts as the compiler has them: a program of all types, which prints them.
fn compiled(source: &Source, options: &Options) -> Result<BTreeMap<String, RecordLayout>> {
    let folder = crate::workspace::target().join("layouts");
    std::fs::create_dir_all(&folder)?;
    let (text, binary) = (folder.join("layouts.cpp"), folder.join("layouts"));
    std::fs::write(&text, program(source))?;
    let status = Command::new(&options.compiler)
        .args([
            "-w",
            "-O0",
            "-fno-access-control",
            "-Wno-invalid-offsetof",
            "-o",
        ])
        .arg(&binary)
        .arg(&text)
        .status()
        .context("could not run the C++ compiler")?;
    ensure!(
        status.success(),
        "the C++ compiler refused {}",
        text.display()
    );
    let output = Command::new(&binary).output()?;
    let mut found: BTreeMap<String, RecordLayout> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, what, number] = words[..] else {
            continue;
        };
        let number = number.parse()?;
        let layout = found.entry(name.to_owned()).or_default();
        match what {
            "size" => layout.bytes = number,
            "align" => layout.align = number,
            field => layout.fields.push((field.to_owned(), number)),
        }
    }
    Ok(found)
}

fn program(source: &Source) -> String {
    let mut text = "#include <cstdio>\n#include <cstring>\n#include <cstddef>\n".to_owned();
    text += &source.text;
    text += "template <typename T> static size_t first_bit(const T &one) {
  unsigned char bytes[sizeof(T)]; memcpy(bytes, (const void *)&one, sizeof(T));
  for (size_t i = 0; i < 8 * sizeof(T); i++) if (bytes[i / 8] >> (i % 8) & 1) return i;
  return 0;
}
int main() {\n";
    for (name, fields) in &source.fields {
        let _ = writeln!(
            text,
            "printf(\"{name} size %zu\\n{name} align %zu\\n\", sizeof({name}), alignof({name}));"
        );
        for (field, is_bits) in fields {
            if *is_bits {
                let _ = writeln!(
                    text,
                    "{{ alignas(64) unsigned char raw[sizeof({name})]; memset(raw, 0, sizeof raw); {name} &one = *({name} *)raw; one.{field} = -1; printf(\"{name} {field} %zu\\n\", first_bit(one)); }}"
                );
            } else {
                let _ = writeln!(
                    text,
                    "printf(\"{name} {field} %zu\\n\", 8 * offsetof({name}, {field}));"
                );
            }
        }
    }
    text += "}\n";
    // A function that is only declared leaves its table out.
    for (at, name) in source.names.iter().enumerate() {
        if source.text.contains(&format!("virtual void v{at}();")) {
            let _ = writeln!(text, "void {name}::v{at}() {{}}");
        }
    }
    text
}
