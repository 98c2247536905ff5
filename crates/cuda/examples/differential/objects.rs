//! Random kernels that make, copy, pass, change and destroy objects of random structures.

use std::fmt::Write as _;

use crate::classes::{Class, class};
use crate::generate::Kernel;
use crate::random::Random;

/// Functions of one name that types of numbers choose among.
const OVERLOADS: &str = "\
__device__ int which(char) { return 1; }
__device__ int which(signed char) { return 2; }
__device__ int which(unsigned char) { return 3; }
__device__ int which(short) { return 4; }
__device__ int which(int) { return 5; }
__device__ int which(unsigned) { return 6; }
__device__ int which(long long) { return 7; }
__device__ int which(unsigned long long) { return 8; }
__device__ int which(float) { return 9; }
__device__ int which(double) { return 10; }
__device__ int which(bool) { return 11; }
template <typename T> __device__ int which(T*) { return 12; }
template <typename T> __device__ int which(const T*) { return 13; }
";

/// Templates that take packs.
const PACKS: &str = "\
template <typename... T> __device__ int total(T... t) { return (0 + ... + (int)t); }
template <typename... T> __device__ int count(T... t) { return (int)sizeof...(T) * 10 + (int)sizeof...(t); }
template <typename... T> __device__ int bytes_of(T...) { return ((int)sizeof(T) + ... + 0); }
__device__ int last() { return -1; }
template <typename T, typename... R> __device__ int last(T t, R... r) { if constexpr (sizeof...(R) == 0) return (int)t; else return last(r...) * 2 + (int)t; }
template <typename... T> __device__ bool all(T... t) { return (... && (t > 0)); }
template <typename... T> __device__ void set_all(int k, T&... t) { ((t = k++), ...); }
template <typename F, typename... A> __device__ int apply(F f, A... a) { return f(a...); }
template <int... N> __device__ int digits() { int r = 0; ((r = r * 10 + N), ...); return r; }
template <typename A, typename B> struct same { static constexpr bool value = false; };
template <typename A> struct same<A, A> { static constexpr bool value = true; };
template <typename T> __device__ int kind_of(T) { if constexpr (same<T, int>::value) return 1; else if constexpr (sizeof(T) == 1) return 2; else return 3; }
__device__ constexpr int power(int b, int e) { int r = 1; for (int i = 0; i < e; ++i) r *= b; return r; }
enum class Hue : unsigned char { RED, GREEN = 7, BLUE };
";

/// The kernel of this number.
pub(crate) fn kernel(seed: u64) -> Kernel {
    let mut maker = Maker {
        random: Random::new(seed ^ 0x5bd1_e995),
        classes: Vec::new(),
        objects: Vec::new(),
        numbers: vec!["t".into()],
        names: 0,
        pad: "  ".into(),
    };
    maker.make()
}

/// A variable of a structure.
#[derive(Clone)]
struct Object {
    name: String,
    ty: usize,
    is_const: bool,
}

struct Maker {
    random: Random,
    classes: Vec<Class>,
    objects: Vec<Object>,
    /// Variables of whole numbers.
    numbers: Vec<String>,
    names: u32,
    pad: String,
}

/// An object that ends behind all others of its kernel, and shows what their ends have left.
const LAST: &str = "template <typename O> struct Last { unsigned* g; O out; __device__ ~Last() { out[(*g ^ (*g >> 11)) & 1023] = 1; } };\n";

impl Maker {
    fn make(&mut self) -> Kernel {
        let mut before = OVERLOADS.to_owned() + PACKS;
        for number in 0..1 + usize::try_from(self.random.below(4)).unwrap_or(0) {
            let (text, class) = class(&mut self.random, number, &self.classes);
            before += &text;
            self.classes.push(class);
        }
        for at in 0..self.classes.len() {
            before += &self.functions(at);
        }
        let mut body = String::from("  int t = threadIdx.x;\n  unsigned g = 1;\n");
        let ends_last = self.random.chance(2);
        if ends_last {
            before += LAST;
            body += "  Last<decltype(out)> ending{&g, out};\n";
        }
        for _ in 0..4 + self.random.below(7) {
            body += &self.statement(0);
        }
        for object in self.objects.clone() {
            let value = self.read_of(&object);
            let _ = writeln!(body, "  out[({value}) & 1023] = 1;");
        }
        if !ends_last {
            body += "  out[(g ^ (g >> 11)) & 1023] = 1;\n";
        }
        Kernel { before, body }
    }

    /// Functions that take and give objects of a structure.
    fn functions(&mut self, at: usize) -> String {
        let class = self.classes[at].clone();
        let (name, mut text) = (class.name.clone(), String::new());
        let read = |random: &mut Random| {
            let one = usize::try_from(random.below(class.readable.len() as u64)).unwrap_or(0);
            class.readable[one].clone()
        };
        let _ = writeln!(
            text,
            "__device__ int value{at}({name} x) {{ return (int)x{}; }}",
            read(&mut self.random)
        );
        let _ = writeln!(
            text,
            "__device__ int look{at}(const {name}& x) {{ return (int)x{}; }}",
            plain(&class)
        );
        if let Some(to) = class.writable.first() {
            let _ = writeln!(
                text,
                "__device__ int touch{at}({name}& x, int k) {{ x{to} = k; return k + 1; }}"
            );
        }
        let _ = writeln!(
            text,
            "__device__ int bind{at}({name}&) {{ return 1; }}\n__device__ int bind{at}(const {name}&) {{ return 2; }}\n__device__ int bind{at}({name}&&) {{ return 3; }}"
        );
        let _ = writeln!(
            text,
            "template <typename T> __device__ int size{at}(T x) {{ return (int)sizeof(T) + (int)sizeof(x{}); }}",
            read_place(&class)
        );
        let arguments = self.arguments(&class, "k");
        let start = self.start(&class, &arguments);
        let made = match self.random.below(3) {
            0 => format!("return {name}{start};"),
            1 => format!("{name} r{start}; return r;"),
            _ => format!("if (k > 20) return {name}{start}; return {name}{start};"),
        };
        let _ = writeln!(
            text,
            "__device__ {name} make{at}(unsigned* gp, int k) {{ {made} }}"
        );
        text.replace("&g,", "gp,")
            .replace("(&g)", "(gp)")
            .replace("{&g}", "{gp}")
    }

    fn number(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("{}", self.random.below(60)),
            1 => format!("(t & {})", self.random.pick(&[1, 3, 7])),
            2 => format!("(t * {} + {})", self.random.below(7), self.random.below(30)),
            3 if !self.objects.is_empty() => {
                let object = self.object();
                self.read_of(&object)
            }
            4 => format!("(int){}", self.constant()),
            _ => {
                let at = usize::try_from(self.random.below(self.numbers.len() as u64)).unwrap_or(0);
                self.numbers[at].clone()
            }
        }
    }

    /// What types and packs alone decide, or functions that only count.
    fn constant(&mut self) -> String {
        let class = self.class();
        let inner = self.classes[class].inner.clone();
        let name = self.classes[class].name.clone();
        match self.random.below(12) {
            0 => format!("sizeof({name})"),
            1 => format!("alignof({name})"),
            2 if !inner.is_empty() => format!(
                "sizeof({})",
                inner[usize::try_from(self.random.below(inner.len() as u64)).unwrap_or(0)]
            ),
            3 => format!(
                "which(({})t)",
                self.random.pick(&[
                    "char",
                    "signed char",
                    "unsigned char",
                    "short",
                    "int",
                    "unsigned",
                    "long long",
                    "float",
                    "double",
                    "bool"
                ])
            ),
            4 => format!(
                "which({})",
                self.random.pick(&[
                    "'a'",
                    "1",
                    "2u",
                    "3ll",
                    "1.0f",
                    "2.0",
                    "true",
                    "(short)1 + (short)2",
                    "t > 3",
                    "-t",
                    "t * 2u",
                    "&t",
                    "(const int*)&t",
                    "t ? 'a' : 'b'",
                    "(char)t + 'a'",
                    "+'a'",
                    "!t",
                    "(unsigned char)t << 1"
                ])
            ),
            5 => format!(
                "total({}, t, {})",
                self.random.below(9),
                self.random.pick(&["(short)4", "'a'", "2.5f", "true"])
            ),
            6 => format!(
                "{}(t, {})",
                self.random.pick(&["count", "bytes_of", "last", "all"]),
                self.random
                    .pick(&["(short)4, 7", "'a', 'b', 3", "2.5f", "true, (char)9, 8ll"])
            ),
            7 => format!(
                "digits<{}, {}, 3>()",
                self.random.below(9),
                self.random.below(9)
            ),
            8 => format!(
                "kind_of({})",
                self.random
                    .pick(&["t", "'a'", "2u", "(signed char)1", "2.0"])
            ),
            9 => format!("power({}, {})", self.random.below(5), self.random.below(5)),
            10 => self
                .random
                .pick(&["(int)Hue::GREEN", "(int)Hue::BLUE", "sizeof(Hue)"])
                .to_owned(),
            _ => format!(
                "apply([=](int x, int y) {{ return x * {} + y; }}, t, {})",
                self.random.below(5),
                self.random.below(9)
            ),
        }
    }

    fn class(&mut self) -> usize {
        usize::try_from(self.random.below(self.classes.len() as u64)).unwrap_or(0)
    }

    fn object(&mut self) -> Object {
        let at = usize::try_from(self.random.below(self.objects.len() as u64)).unwrap_or(0);
        self.objects[at].clone()
    }

    /// An expression that reads a whole number of an object and changes nothing.
    fn read_of(&mut self, object: &Object) -> String {
        let class = &self.classes[object.ty];
        let list = match object.is_const {
            true => vec![plain(class)],
            false => class.readable.clone(),
        };
        let at = usize::try_from(self.random.below(list.len() as u64)).unwrap_or(0);
        format!("(int){}{}", object.name, list[at])
    }

    /// What is given to make an object, each argument a number.
    fn arguments(&mut self, class: &Class, ty: &str) -> Vec<String> {
        if class.is_aggregate {
            let most = if class.writable.len() > 1 { 2 } else { 1 };
            return (0..self.random.below(most + 1))
                .map(|at| format!("{ty} + {at}"))
                .collect();
        }
        let at = usize::try_from(self.random.below(class.arities.len() as u64)).unwrap_or(0);
        let mut list = vec!["&g".to_owned()];
        list.extend((0..class.arities[at]).map(|at| format!("{ty} * {}", at + 1)));
        list
    }

    /// Parentheses or braces around arguments.
    fn start(&mut self, class: &Class, arguments: &[String]) -> String {
        let list = arguments.join(", ");
        if class.is_aggregate {
            if !class.named.is_empty() && self.random.chance(4) {
                let count =
                    usize::try_from(1 + self.random.below(class.named.len() as u64)).unwrap_or(1);
                let named: Vec<String> = class
                    .named
                    .iter()
                    .take(count)
                    .enumerate()
                    .map(|(at, name)| format!(".{name} = {at}"))
                    .collect();
                return format!("{{{}}}", named.join(", "));
            }
            return format!("{{{list}}}");
        }
        match self.random.chance(5) {
            true => format!("({list})"),
            false => format!("{{{list}}}"),
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("o{}", self.names)
    }

    fn declaration(&mut self) -> String {
        let at = self.class();
        let class = self.classes[at].clone();
        let (name, pad) = (self.name(), self.pad.clone());
        let number = self.number();
        let number = format!("({number})");
        let arguments = self.arguments(&class, &number);
        let start = self.start(&class, &arguments);
        let ty = &class.name;
        let other = self
            .objects
            .iter()
            .filter(|one| one.ty == at)
            .map(|one| one.name.clone())
            .next_back();
        let derived = self
            .objects
            .iter()
            .find(|one| self.classes[one.ty].base == Some(at))
            .map(|one| one.name.clone());
        let mut is_const = false;
        let text = match (self.random.below(10), other, derived) {
            (0, Some(other), _) => format!("{pad}{ty} {name} = {other};\n"),
            (1, Some(other), _) => format!("{pad}{ty} {name}({other});\n"),
            (2, Some(other), _) => format!("{pad}auto {name} = {other};\n"),
            (0..=2, None, Some(derived)) => format!("{pad}{ty} {name} = {derived};\n"),
            (3, ..) => format!("{pad}{ty} {name} = make{at}(&g, {number});\n"),
            (4, ..) => format!("{pad}auto {name} = make{at}(&g, {number});\n"),
            (5, ..) => format!("{pad}{ty} {name} = {ty}{start};\n"),
            (6, ..) => {
                is_const = true;
                format!("{pad}const {ty} {name}{start};\n")
            }
            (7, Some(other), _) if class.has_plus => {
                format!("{pad}{ty} {name} = {other} + {other};\n")
            }
            (8, ..) => {
                let text = format!("{pad}{ty} {name}[2] = {{{ty}{start}, {ty}{start}}};\n");
                self.objects.push(Object {
                    name: format!("{name}[{}]", self.random.below(2)),
                    ty: at,
                    is_const: false,
                });
                return text;
            }
            _ => format!("{pad}{ty} {name}{start};\n"),
        };
        self.objects.push(Object {
            name,
            ty: at,
            is_const,
        });
        text
    }

    fn statement(&mut self, depth: u32) -> String {
        let pad = self.pad.clone();
        if self.objects.is_empty() {
            return self.declaration();
        }
        let object = self.object();
        let class = self.classes[object.ty].clone();
        let at = object.ty;
        let number = self.number();
        match self.random.below(22) {
            0..=4 => self.declaration(),
            5 if !object.is_const && !class.writable.is_empty() => {
                let to = class.writable
                    [usize::try_from(self.random.below(class.writable.len() as u64)).unwrap_or(0)]
                .clone();
                let operator = self.random.pick(&["=", "=", "+=", "-=", "^="]);
                format!("{pad}{}{to} {operator} {number};\n", object.name)
            }
            6 if !object.is_const => self.change(&object, &class, &number),
            7 => {
                let name = format!("n{}", self.names);
                self.names += 1;
                let call = self.random.pick(&["value", "look", "bind", "size"]);
                self.numbers.push(name.clone());
                format!("{pad}int {name} = {call}{at}({});\n", object.name)
            }
            8 if !object.is_const && !class.writable.is_empty() => {
                format!("{pad}g += touch{at}({}, {number});\n", object.name)
            }
            9 => {
                let arguments = self.arguments(&class, "t");
                let start = self.start(&class, &arguments);
                let call = self.random.pick(&["value", "look", "bind", "size"]);
                format!(
                    "{pad}{{ int r = {call}{at}({}{start}); g += r; }}\n",
                    class.name
                )
            }
            10 => format!(
                "{pad}{{ int r = {}{at}(make{at}(&g, {number})); g = g * 3u + r; }}\n",
                self.random.pick(&["value", "bind", "look"])
            ),
            11 | 12 if depth < 2 => self.nest(depth, &number),
            13 => {
                let same: Vec<Object> = self
                    .objects
                    .iter()
                    .filter(|one| one.ty == at && !one.is_const)
                    .cloned()
                    .collect();
                match same.as_slice() {
                    [a, .., b] => match self.random.below(4) {
                        0 => format!("{pad}{} = {};\n", a.name, b.name),
                        1 if class.has_equal => {
                            format!("{pad}if ({} == {}) g += 9u;\n", a.name, b.name)
                        }
                        2 => format!(
                            "{pad}g += (t & 1 ? {} : {}){};\n",
                            a.name,
                            b.name,
                            plain(&class)
                        ),
                        _ => format!(
                            "{pad}{{ {} h = {}; {} = {}; {} = h; }}\n",
                            class.name, a.name, a.name, b.name, b.name
                        ),
                    },
                    _ => format!("{pad}g += {number};\n"),
                }
            }
            14 if class.is_number => format!(
                "{pad}g += {} + 1; if ({}) g ^= 2u;\n",
                object.name, object.name
            ),
            15 => match class.base {
                Some(base) => {
                    let ty = self.classes[base].name.clone();
                    match self.random.below(3) {
                        0 => format!("{pad}g += value{base}({});\n", object.name),
                        1 => format!("{pad}g += look{base}({});\n", object.name),
                        _ => format!(
                            "{pad}{{ const {ty}& r = {}; g += r{}; }}\n",
                            object.name,
                            plain(&self.classes[base])
                        ),
                    }
                }
                None => format!(
                    "{pad}{{ auto& r = {}; g += r{}; }}\n",
                    object.name,
                    plain(&class)
                ),
            },
            16 => {
                let by = self.random.pick(&["=", "&"]);
                format!(
                    "{pad}{{ auto f = [{by}](int k) {{ return (int){}{} + k; }}; g += f({}); }}\n",
                    object.name,
                    plain(&class),
                    self.random.below(9)
                )
            }
            17 => format!(
                "{pad}{{ auto p = &{}; g += p->{}; }}\n",
                object.name,
                inside(&plain(&class))
            ),
            18 => format!("{pad}g = g * 5u + {};\n", self.constant()),
            _ => format!("{pad}out[({number}) & 1023] = 1;\n"),
        }
    }

    fn change(&mut self, object: &Object, class: &Class, number: &str) -> String {
        let (pad, name) = (&self.pad, &object.name);
        let Some(first) = class.changing.first() else {
            return format!("{pad}g += {number};\n");
        };
        let at = usize::try_from(self.random.below(class.changing.len() as u64)).unwrap_or(0);
        match class.changing.get(at).unwrap_or(first).as_str() {
            "++" => match self.random.chance(5) {
                true => format!("{pad}++{name};\n"),
                false => format!("{pad}g += {name}++;\n"),
            },
            "+=" => format!("{pad}{name} += {number};\n"),
            "add" => format!("{pad}{name}.add({number}).add(1);\n"),
            other => format!("{pad}{name}.{other}({number});\n"),
        }
    }

    /// Statements inside a block, a loop, a branch or a switch, whose objects end there.
    fn nest(&mut self, depth: u32, number: &str) -> String {
        let pad = self.pad.clone();
        let (objects, numbers) = (self.objects.len(), self.numbers.len());
        self.pad.push_str("  ");
        let first = self.declaration();
        let second = self.statement(depth + 1);
        self.objects.truncate(objects);
        self.numbers.truncate(numbers);
        let third = self.statement(depth + 1);
        self.objects.truncate(objects);
        self.numbers.truncate(numbers);
        self.pad.clone_from(&pad);
        let (name, end) = (self.name(), 1 + self.random.below(4));
        let jump = self.random.pick(&["break", "continue"]);
        match self.random.below(6) {
            0 => format!("{pad}{{\n{first}{second}{pad}}}\n"),
            1 => format!(
                "{pad}for (int {name} = 0; {name} < {end}; ++{name}) {{\n{first}{pad}  if ((t + {name}) % 3 == 1) {jump};\n{second}{pad}}}\n"
            ),
            2 => format!(
                "{pad}if (({number}) & 1) {{\n{first}{second}{pad}}} else {{\n{third}{pad}}}\n"
            ),
            3 => format!(
                "{pad}switch (({number}) & 3) {{\n{pad}case 0: {{\n{third}{pad}}} break;\n{pad}case 2: g += 3u;\n{pad}default:\n{first}{second}{pad}}}\n"
            ),
            4 => format!(
                "{pad}switch (({number}) & 3) {{\n{pad}case 0: g += 2u;\n{pad}case 1: g *= 3u; break;\n{pad}case 3:\n{first}{pad}  if (t & 2) break;\n{second}{pad}}}\n"
            ),
            _ => format!(
                "{pad}{{ int {name} = 0; while ({name}++ < {end}) {{\n{first}{second}{pad}  if (g & 1) {jump};\n{pad}}} }}\n"
            ),
        }
    }
}

/// What reads a number of an object that may be constant.
fn plain(class: &Class) -> String {
    let first = class
        .readable
        .iter()
        .find(|one| !one.contains('(') && one.starts_with('.'));
    first
        .or(class.readable.first())
        .cloned()
        .unwrap_or_default()
}

/// A member that is no bit-field.
fn read_place(class: &Class) -> String {
    let is_place = |one: &&String| !one.contains('b') && one.starts_with('.');
    class
        .readable
        .iter()
        .find(is_place)
        .cloned()
        .unwrap_or_default()
}

/// What follows the arrow, of what follows the object.
fn inside(read: &str) -> String {
    read.trim_start_matches('.').to_owned()
}
