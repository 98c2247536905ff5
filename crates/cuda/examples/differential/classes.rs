//! Random structures: members, constructors, copies, destructors, operators, bases, nested and nameless types, bit-fields.
//!
//! What a constructor, a copy, an assignment and a destructor do is seen: each folds a number of its own into a word that
//! the object points to. No expression has two operands that do so, since their order is open in C++.

use std::fmt::Write as _;

use crate::random::Random;

/// Types of members.
const MEMBERS: [&str; 9] = [
    "int",
    "unsigned",
    "short",
    "unsigned short",
    "signed char",
    "unsigned char",
    "char",
    "long long",
    "bool",
];

/// Types that a bit-field may have, with their most bits.
const UNITS: [(&str, u64); 8] = [
    ("int", 32),
    ("unsigned", 32),
    ("unsigned short", 16),
    ("unsigned char", 8),
    ("unsigned long long", 64),
    ("short", 16),
    ("signed char", 8),
    ("bool", 1),
];

/// A structure, and what its objects can do.
#[derive(Clone, Default)]
pub(crate) struct Class {
    /// Its name, with a template's arguments.
    pub(crate) name: String,
    /// Whether it is made from a list of its members, and says nothing of what is done with it.
    pub(crate) is_aggregate: bool,
    /// The numbers of arguments that its constructors take behind the log.
    pub(crate) arities: Vec<usize>,
    /// What follows an object to read a whole number.
    pub(crate) readable: Vec<String>,
    /// What follows an object that is not constant to name a member.
    pub(crate) writable: Vec<String>,
    /// Members of an aggregate that an initialiser may name, in their order.
    pub(crate) named: Vec<String>,
    /// Calls of members that change the object.
    pub(crate) changing: Vec<String>,
    /// Operators of two objects that give an object.
    pub(crate) has_plus: bool,
    /// `==` of two objects.
    pub(crate) has_equal: bool,
    /// Conversion to `int`.
    pub(crate) is_number: bool,
    /// The structure that it derives from.
    pub(crate) base: Option<usize>,
    /// Types inside it.
    pub(crate) inner: Vec<String>,
}

/// A structure of a number, which may use those before it; its text, and what it can do.
pub(crate) fn class(random: &mut Random, number: usize, before: &[Class]) -> (String, Class) {
    match random.below(5) {
        0 | 1 => aggregate(random, number, before),
        2 => template(random, number),
        _ => full(random, number, before),
    }
}

/// Members of a plain structure, written one a line.
fn members(random: &mut Random, class: &mut Class, before: &[Class], nested: bool) -> String {
    let mut text = String::new();
    let count = 1 + random.below(4);
    for at in 0..count {
        let name = format!("m{at}{}", if nested { "i" } else { "" });
        match random.below(if nested { 6 } else { 10 }) {
            0 => {
                let kind = random.pick(&MEMBERS[..7]);
                let length = 1 + random.below(3);
                let _ = writeln!(text, "  {kind} {name}[{length}];");
                for index in 0..length {
                    class.readable.push(format!(".{name}[{index}]"));
                    class.writable.push(format!(".{name}[{index}]"));
                }
            }
            1 => {
                let (kind, most) = random.pick(&UNITS);
                let fields = 1 + random.below(3);
                for field in 0..fields {
                    let bits = 1 + random.below(most.min(31));
                    let _ = writeln!(text, "  {kind} {name}b{field} : {bits};");
                    class.readable.push(format!(".{name}b{field}"));
                    class.writable.push(format!(".{name}b{field}"));
                }
                if random.chance(2) {
                    let _ = writeln!(text, "  {kind} : {};", random.pick(&[0, 3]));
                }
            }
            6 | 7 => {
                let mut inside = Class::default();
                let body = members(random, &mut inside, before, true).replace('\n', " ");
                let word = random.pick(&["struct", "struct", "union"]);
                let is_named = random.chance(6);
                let typed = is_named && random.chance(4);
                let tag = if typed {
                    format!(
                        "N{at}_{}",
                        class.name.replace(|c: char| !c.is_alphanumeric(), "")
                    )
                } else {
                    String::new()
                };
                if typed {
                    class.inner.push(format!("{}::{tag}", class.name));
                }
                let shown = if is_named {
                    name.clone()
                } else {
                    String::new()
                };
                let body = match is_named {
                    true => body,
                    // Its members are members of the whole.
                    false => body.replace(" m", &format!(" u{at}m")),
                };
                let _ = writeln!(text, "  {word} {tag} {{ {body} }} {shown};");
                let front = |one: &String| match is_named {
                    true => format!(".{name}{one}"),
                    false => format!(".u{at}{}", &one[1..]),
                };
                if word == "union" {
                    // Of a union the member that is written last is read; which one that is, is kept simple.
                    class.readable.extend(inside.readable.first().map(front));
                    class.writable.extend(inside.writable.first().map(front));
                } else {
                    class.readable.extend(inside.readable.iter().map(front));
                    class.writable.extend(inside.writable.iter().map(front));
                }
                continue;
            }
            8 if !before.is_empty() => {
                let at = usize::try_from(random.below(before.len() as u64)).unwrap_or(0);
                let ty = &before[at];
                if !ty.is_aggregate {
                    let _ = writeln!(text, "  int {name};");
                    class.readable.push(format!(".{name}"));
                    class.writable.push(format!(".{name}"));
                    continue;
                }
                let _ = writeln!(text, "  {} {name};", ty.name);
                class
                    .readable
                    .extend(ty.readable.iter().map(|one| format!(".{name}{one}")));
                class
                    .writable
                    .extend(ty.writable.iter().map(|one| format!(".{name}{one}")));
            }
            _ => {
                let kind = random.pick(&MEMBERS);
                let init = match random.below(4) {
                    0 if !nested => format!(" = {}", random.below(100)),
                    1 if !nested => format!("{{{}}}", random.below(100)),
                    _ => String::new(),
                };
                let _ = writeln!(text, "  {kind} {name}{init};");
                class.readable.push(format!(".{name}"));
                class.writable.push(format!(".{name}"));
                class.named.push(name);
            }
        }
    }
    text
}

fn aggregate(random: &mut Random, number: usize, before: &[Class]) -> (String, Class) {
    let mut class = Class {
        name: format!("A{number}"),
        is_aggregate: true,
        ..Class::default()
    };
    let body = members(random, &mut class, before, false);
    if class.named.len() != body.lines().count() {
        // Only where all members are numbers an initialiser may name them freely.
        class.named.clear();
    }
    let align = if random.chance(2) {
        format!("__align__({}) ", random.pick(&[8, 16]))
    } else {
        String::new()
    };
    let mut text = format!("struct {align}{} {{\n{body}", class.name);
    if random.chance(4)
        && let Some(one) = class.readable.first().cloned()
    {
        let _ = writeln!(
            text,
            "  __device__ int first() const {{ return (int){}; }}",
            &one[1..]
        );
        class.readable.push(".first()".into());
    }
    text += "};\n";
    (text, class)
}

/// A template of a structure with an array, and perhaps a specialisation of it.
fn template(random: &mut Random, number: usize) -> (String, Class) {
    let length = random.pick(&[2_u64, 3, 4]);
    let kind = random.pick(&["int", "short", "unsigned char", "long long"]);
    let other = random.pick(&["int", "short", "unsigned"]);
    let name = format!("T{number}");
    let mut text = format!(
        "template <typename T, int N> struct {name} {{\n  T v[N];\n  static constexpr int count = N + {};\n  using Item = T;\n",
        random.below(5)
    );
    text += "  __device__ T& operator[](int i) { return v[i % N]; }\n";
    text += "  __device__ T operator[](int i) const { return (T)(v[i % N] + 1); }\n";
    let _ = writeln!(
        text,
        "  __device__ int sum() const {{ int s = {}; for (int i = 0; i < N; ++i) s = s * 3 + (int)v[i]; return s; }}",
        random.below(9)
    );
    let _ = writeln!(
        text,
        "  template <typename U> __device__ int widths(U u) const {{ return (int)(sizeof(T) * 16 + sizeof(U)) + (int)u; }}"
    );
    text += "  __device__ void shift(int k) { for (auto& one : v) one = (T)(one + k); }\n};\n";
    let mut class = Class {
        name: format!("{name}<{kind}, {length}>"),
        is_aggregate: true,
        readable: [".sum()", ".count", ".v[0]", "[1]"]
            .map(String::from)
            .to_vec(),
        writable: vec![".v[0]".into(), "[1]".into()],
        changing: vec!["shift".into()],
        ..Class::default()
    };
    if random.chance(5) {
        let sizes = format!("(int)sizeof({name}<{other}, 2>)");
        let _ = match random.chance(5) {
            true => writeln!(
                text,
                "template <int N> struct {name}<{other}, N> {{ {other} a[N + 1]; unsigned char b; __device__ int sum() const {{ return {sizes}; }} }};"
            ),
            false => writeln!(
                text,
                "template <> struct {name}<{other}, 2> {{ {other} a; unsigned char b[3]; static constexpr int count = 77; }};"
            ),
        };
        class.inner.push(format!("{name}<{other}, 2>"));
        if kind == other {
            // Which of them it is depends on the length: kept apart.
            class.name = format!("{name}<unsigned short, {length}>");
        }
    }
    class
        .readable
        .push(format!(".widths((short){})", random.below(9)));
    (text, class)
}

/// A structure that says what is done with it.
fn full(random: &mut Random, number: usize, before: &[Class]) -> (String, Class) {
    let name = format!("C{number}");
    let mut class = Class {
        name: name.clone(),
        ..Class::default()
    };
    let bases: Vec<usize> = (0..before.len())
        .filter(|at| !before[*at].is_aggregate)
        .collect();
    if !bases.is_empty() && random.chance(6) {
        class.base = Some(random.pick(&bases));
    }
    let base = class.base.map(|at| before[at].clone());
    let word = random.pick(&["struct", "class"]);
    let mut text = format!("{word} {name}");
    if let Some(base) = &base {
        let _ = write!(text, " : public {}", base.name);
    }
    text += " {\npublic:\n";
    text += "  unsigned* g;\n";
    let (a, b) = (random.pick(&MEMBERS[..8]), random.pick(&MEMBERS[..8]));
    let later = random.below(50);
    let _ = writeln!(
        text,
        "  {a} a; {b} b = ({b})({later}); int c[2] = {{{}, 4}};",
        random.below(9)
    );
    let member = before
        .iter()
        .rev()
        .find(|one| !one.is_aggregate && random.chance(5));
    if let Some(member) = member {
        let _ = writeln!(text, "  {} part;", member.name);
        class.readable.push(".part.a".into());
    }
    class
        .readable
        .extend([".a", ".b", ".c[0]", ".c[1]"].map(String::from));
    class
        .writable
        .extend([".a", ".b", ".c[1]"].map(String::from));
    constructors(random, &mut text, &mut class, base.as_ref(), member);
    methods(random, &mut text, &mut class);
    if let Some(base) = &base {
        class.readable.push(format!(".{}::a", base.name));
        class.readable.push(format!(".{}::pick()", base.name));
    }
    text += "};\n";
    outside(random, &mut text, &mut class);
    (text, class)
}

fn constructors(
    random: &mut Random,
    text: &mut String,
    class: &mut Class,
    base: Option<&Class>,
    member: Option<&Class>,
) {
    let name = class.name.clone();
    let mut first = Vec::new();
    if let Some(base) = base {
        first.push(format!("{}(g_, x)", base.name));
    }
    let g = "g(g_)".to_owned();
    let mut list = first.clone();
    list.push(g);
    list.push("a(x)".to_owned());
    let by_list = random.chance(7);
    if by_list && random.chance(4) {
        list.push("b(a + 1)".to_owned());
    }
    if random.chance(3) {
        list.push("c{x, 5}".to_owned());
    }
    if member.is_some() {
        list.push("part(g_, x + 1)".to_owned());
    }
    let tag = random.below(90) + 1;
    let (list, assigned) = match by_list {
        true => (list.join(", "), ""),
        false => (
            list.iter()
                .filter(|one| **one != "a(x)")
                .cloned()
                .collect::<Vec<_>>()
                .join(", "),
            "a = x; ",
        ),
    };
    let explicit = random.pick(&["", "explicit "]);
    let _ = writeln!(
        text,
        "  __device__ {explicit}{name}(unsigned* g_, int x = {}) : {list} {{ {assigned}*g = *g * 31u + (unsigned)a + {tag}u; }}",
        random.below(20)
    );
    class.arities = vec![0, 1];
    if random.chance(6) {
        let _ = writeln!(
            text,
            "  __device__ {name}(unsigned* g_, int x, int y) : {name}(g_, x * 2) {{ b = ({})(y); *g += 5u; }}",
            random.pick(&["int", "short"])
        );
        class.arities.push(2);
    }
    if random.chance(6) {
        let mut list = Vec::new();
        if let Some(base) = base {
            list.push(format!("{}(o)", base.name));
        }
        list.push("g(o.g)".into());
        list.push("a(o.a)".into());
        list.push("b(o.b)".into());
        list.push("c{o.c[1], o.c[0]}".into());
        if member.is_some() {
            list.push("part(o.part)".into());
        }
        let _ = writeln!(
            text,
            "  __device__ {name}(const {name}& o) : {} {{ *g = *g * 37u + (unsigned)o.a + {}u; }}",
            list.join(", "),
            tag + 1
        );
        if random.chance(4) {
            let _ = writeln!(
                text,
                "  __device__ {name}& operator=(const {name}& o) {{ a = o.a; b = o.b; c[0] = o.c[0] + 1; *g = *g * 43u + {}u; return *this; }}",
                tag + 2
            );
        }
    }
    if random.chance(5) {
        let _ = writeln!(
            text,
            "  __device__ ~{name}() {{ *g = *g * 41u + (unsigned)a + {}u; }}",
            tag + 3
        );
    }
}

fn methods(random: &mut Random, text: &mut String, class: &mut Class) {
    let name = class.name.clone();
    let _ = writeln!(
        text,
        "  __device__ int pick() {{ return (int)a + {}; }}",
        random.below(9)
    );
    if random.chance(5) {
        let _ = writeln!(
            text,
            "  __device__ int pick() const {{ return (int)b * 2; }}"
        );
    }
    class.readable.push(".pick()".into());
    let _ = writeln!(
        text,
        "  __device__ {name}& add(int k) {{ a += k; c[k & 1]++; return *this; }}"
    );
    class.changing.push("add".into());
    if random.chance(5) {
        let _ = writeln!(
            text,
            "  __device__ int at(int i) {{ return c[i & 1]; }}\n  __device__ int at(unsigned i) {{ return (int)i * 3; }}\n  __device__ int at(char i) {{ return 100 + i; }}"
        );
        let argument = random.pick(&["1", "2u", "'a'", "(short)3", "true"]);
        class.readable.push(format!(".at({argument})"));
    }
    if random.chance(4) {
        let _ = writeln!(
            text,
            "  __device__ {name}& operator++() {{ ++a; return *this; }}\n  __device__ int operator++(int) {{ int old = (int)a; a += 2; return old; }}"
        );
        class.changing.push("++".into());
    }
    if random.chance(4) {
        let _ = writeln!(
            text,
            "  __device__ int& operator[](int i) {{ return c[i & 1]; }}\n  __device__ int operator()(int i, int j = 2) const {{ return (int)a * i + j; }}"
        );
        class.readable.push("[1]".into());
        class.readable.push("(3)".into());
        class.writable.push("[0]".into());
    }
    if random.chance(4) {
        let _ = writeln!(
            text,
            "  __device__ operator int() const {{ return (int)a - 3; }}"
        );
        class.is_number = true;
    }
    if random.chance(4) {
        let _ = writeln!(
            text,
            "  struct Inner {{ short s; {} i; }};\n  enum {{ SIZE = {} }};\n  using Word = unsigned short;",
            random.pick(&MEMBERS),
            random.below(50)
        );
        class.inner.push(format!("{name}::Inner"));
        class.inner.push(format!("{name}::Word"));
        class.inner.push(format!("{name}::c"));
    }
    if random.chance(3) {
        let _ = writeln!(
            text,
            "  __device__ static int twice(int k) {{ return k * 2 + {}; }}",
            random.below(9)
        );
        class.readable.push(".twice(4)".into());
    }
    if random.chance(3) {
        let _ = writeln!(
            text,
            "  __device__ {name}& operator+=(int k) {{ b += k; return *this; }}"
        );
        class.changing.push("+=".into());
    }
}

/// Operators and functions that are not members.
fn outside(random: &mut Random, text: &mut String, class: &mut Class) {
    let name = &class.name;
    if random.chance(5) {
        let _ = writeln!(
            text,
            "__device__ {name} operator+(const {name}& x, const {name}& y) {{ return {name}(x.g, (int)x.a + (int)y.b); }}"
        );
        class.has_plus = true;
    }
    if random.chance(4) && !class.is_number {
        let _ = writeln!(
            text,
            "__device__ bool operator==(const {name}& x, const {name}& y) {{ return x.a == y.a; }}"
        );
        class.has_equal = true;
    }
}
