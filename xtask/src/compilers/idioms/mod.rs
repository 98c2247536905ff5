//! Random kernels of idioms of C++ and CUDA, as people write them.
//!
//! They are a blind set: nothing here follows from what a compiler does or from what the project makes of it. Each kernel mixes one
//! to four idioms, stays within its arrays, and no address or branch of it depends on what an array holds.

mod arithmetic;
mod classes;
mod control;
mod cooperation;
mod draft;
mod functions;
mod layouts;
mod shared;

use super::program::{Program, Value};
use super::random::Random;
use draft::{Draft, HOLE, Parameter, Part, Role};
use std::fmt::Write as _;

/// What an idiom asks of the block's shape; a later one has all that those before it have, [`Needs::Odd`] excepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    /// Nothing.
    Any,
    /// A number of threads that is no multiple of a warp's.
    Odd,
    /// Whole warps.
    Warps,
    /// Whole warps, and a power of two of threads.
    Power,
    /// Two dimensions, each a power of two.
    Tile,
}

/// One way to write something, and what writes it.
struct Idiom {
    name: &'static str,
    needs: Needs,
    role: Role,
    write: fn(&mut Draft),
}

const fn idiom(name: &'static str, write: fn(&mut Draft)) -> Idiom {
    Idiom {
        name,
        needs: Needs::Any,
        role: Role::Plain,
        write,
    }
}

const fn around(name: &'static str, write: fn(&mut Draft)) -> Idiom {
    Idiom {
        role: Role::Around,
        ..idiom(name, write)
    }
}

const fn together(name: &'static str, needs: Needs, write: fn(&mut Draft)) -> Idiom {
    Idiom {
        needs,
        role: Role::Convergent,
        ..idiom(name, write)
    }
}

/// Every idiom.
const IDIOMS: [Idiom; 73] = [
    idiom("constructor", classes::constructor),
    idiom("copy constructor", classes::copy),
    idiom("destructor", classes::destructor),
    idiom("call operator", classes::call_operator),
    idiom("subscript operator", classes::subscript),
    idiom("conversion operator", classes::conversion),
    idiom("overloads", classes::overloads),
    idiom("inheritance", classes::inheritance),
    idiom("default members", classes::default_members),
    idiom("arithmetic operators", classes::operators),
    idiom("nested structures", layouts::nested_structs),
    idiom("nested braces", layouts::nested_braces),
    idiom("designated initialisers", layouts::designated),
    idiom("bit-fields", layouts::bit_fields),
    idiom("enumerations", layouts::enumerations),
    idiom("union punning", layouts::union_pun),
    idiom("array of structures", layouts::array_of_structs),
    idiom("structure of arrays", layouts::struct_of_arrays),
    idiom("memcpy of values", layouts::value_copies),
    idiom("reinterpreted vectors", layouts::reinterpret),
    idiom("partly used vectors", layouts::partial_vectors),
    idiom("swizzled stores", layouts::swizzled_stores),
    idiom("narrow elements", layouts::narrow_elements),
    idiom("wide elements", layouts::wide_elements),
    idiom("local arrays", layouts::local_arrays),
    idiom("lambda by value", functions::lambda_by_value),
    idiom("lambda by reference", functions::lambda_by_reference),
    around("body in a lambda", functions::lambda_around),
    idiom("generic lambda", functions::lambda_generic),
    idiom("type templates", functions::template_types),
    idiom("value templates", functions::template_values),
    idiom("variadic templates", functions::variadic),
    idiom("constexpr if", functions::constexpr_if),
    idiom("constexpr functions", functions::constexpr_functions),
    idiom("aliases", functions::aliases),
    idiom("pointer walk", control::pointer_walk),
    idiom("while true", control::while_true),
    idiom("do while", control::do_while),
    idiom("goto", control::goto_labels),
    idiom("switch", control::switches),
    idiom("ternary and comma", control::ternaries),
    idiom("short circuits", control::short_circuits),
    idiom("early ways out", control::early_ways_out),
    idiom("nested loops", control::nested_loops),
    idiom("uneven loops", control::uneven_loops),
    around("grid stride", control::grid_stride),
    idiom("unroll pragmas", control::unrolled),
    around("guard", control::guard),
    together("shared line", Needs::Any, shared::line),
    together("transpose", Needs::Tile, shared::transpose),
    together("tiled product", Needs::Tile, shared::tile_product),
    together("shared cube", Needs::Any, shared::cube),
    together("carved shared memory", Needs::Any, shared::carved),
    together("halo", Needs::Any, shared::halo),
    idiom("plane stencil", shared::plane_stencil),
    together("shared structures", Needs::Any, shared::shared_structs),
    together(
        "block reduction",
        Needs::Power,
        cooperation::block_reduction,
    ),
    together("warp reduction", Needs::Warps, cooperation::warp_reduction),
    together("scan", Needs::Any, cooperation::scan),
    together("histogram", Needs::Any, cooperation::histogram),
    idiom("global atomics", cooperation::global_atomics),
    together("shuffles", Needs::Warps, cooperation::shuffles),
    together("ballots", Needs::Warps, cooperation::ballots),
    together("cooperative groups", Needs::Warps, cooperation::groups),
    idiom("wide indices", arithmetic::wide_indices),
    idiom("divisions", arithmetic::divisions),
    idiom("bit tricks", arithmetic::bit_tricks),
    idiom("macros", arithmetic::macros),
    together("volatile", Needs::Any, arithmetic::volatiles),
    idiom("read-only loads", arithmetic::read_only),
    idiom("launch bounds", arithmetic::launch_bounds),
    Idiom {
        needs: Needs::Odd,
        ..idiom("odd blocks", arithmetic::odd_blocks)
    },
    idiom("references", arithmetic::references),
];

/// Kernel `name`, the `number`-th, with the choices that `seed` gives.
pub(super) fn program(number: usize, seed: u64, name: &str) -> Program {
    let mut random = Random::new(seed);
    let idioms = mixed(&mut random, number % IDIOMS.len());
    let (grid, block) = shape(&mut random, &idioms);
    let element = random.pick(&["float", "float", "float", "int", "unsigned", "double"]);
    let form = Form::of(&mut random, grid, block);
    let mut draft = Draft::new(random, number, grid, block);
    draft.set("E", element);
    for (place, idiom) in idioms.iter().enumerate() {
        draft.begin(place, idiom.role);
        (idiom.write)(&mut draft);
    }
    finished(draft, &idioms, &form, name)
}

/// One to four idioms, the `first` among them.
fn mixed(random: &mut Random, first: usize) -> Vec<&'static Idiom> {
    let count = random.pick(&[1, 1, 2, 2, 2, 3, 3, 4]);
    let mut idioms = vec![&IDIOMS[first]];
    while idioms.len() < count {
        let other = &IDIOMS[usize::try_from(random.below(IDIOMS.len() as u64)).unwrap_or(0)];
        if fits(&idioms, other) {
            idioms.push(other);
        }
    }
    idioms
}

/// Whether a kernel of `idioms` can have another.
fn fits(idioms: &[&Idiom], other: &Idiom) -> bool {
    let of_role = |role| idioms.iter().filter(|idiom| idiom.role == role).count();
    let has_odd = |needs: Needs| needs == Needs::Odd;
    let is_clear = |idiom: &&Idiom| {
        idiom.name != other.name
            && !(has_odd(idiom.needs) && other.needs > Needs::Odd)
            && !(has_odd(other.needs) && idiom.needs > Needs::Odd)
    };
    let has_room = match other.role {
        Role::Plain => true,
        Role::Convergent => of_role(Role::Convergent) < 2,
        Role::Around => of_role(Role::Around) < 1,
    };
    has_room && idioms.iter().all(is_clear)
}

/// Grid and block that all `idioms` can do with.
fn shape(random: &mut Random, idioms: &[&Idiom]) -> ([u64; 3], [u64; 3]) {
    let needs = idioms.iter().map(|idiom| idiom.needs).max();
    let blocks: &[[u64; 3]] = match needs.unwrap_or(Needs::Any) {
        Needs::Any => &[
            [32, 1, 1],
            [64, 1, 1],
            [96, 1, 1],
            [100, 1, 1],
            [128, 1, 1],
            [128, 1, 1],
            [192, 1, 1],
            [256, 1, 1],
            [256, 1, 1],
            [384, 1, 1],
            [512, 1, 1],
            [16, 16, 1],
            [32, 8, 1],
            [48, 5, 1],
            [20, 10, 1],
            [8, 4, 4],
            [5, 5, 5],
        ],
        Needs::Odd => &[
            [48, 5, 1],
            [100, 1, 1],
            [33, 1, 1],
            [50, 3, 1],
            [7, 7, 1],
            [20, 6, 1],
            [250, 1, 1],
            [12, 12, 3],
            [130, 1, 1],
        ],
        Needs::Warps => &[
            [32, 1, 1],
            [64, 1, 1],
            [96, 1, 1],
            [128, 1, 1],
            [192, 1, 1],
            [256, 1, 1],
            [320, 1, 1],
            [512, 1, 1],
            [32, 4, 1],
            [48, 2, 1],
            [16, 6, 1],
        ],
        Needs::Power => &[
            [32, 1, 1],
            [64, 1, 1],
            [128, 1, 1],
            [256, 1, 1],
            [512, 1, 1],
            [1024, 1, 1],
            [32, 8, 1],
            [16, 16, 1],
            [8, 8, 2],
        ],
        Needs::Tile => &[
            [32, 8, 1],
            [16, 16, 1],
            [32, 32, 1],
            [8, 8, 1],
            [32, 4, 1],
            [16, 4, 1],
        ],
    };
    let grid = random.pick(&[
        [1, 1, 1],
        [2, 1, 1],
        [3, 1, 1],
        [4, 1, 1],
        [8, 1, 1],
        [2, 2, 1],
        [3, 2, 1],
    ]);
    (grid, random.pick(blocks))
}

/// What every kernel has, in the manner of one person.
struct Form {
    arrays: &'static str,
    thread: &'static str,
    index: &'static str,
    start: &'static str,
    end: &'static str,
}

impl Form {
    fn of(random: &mut Random, grid: [u64; 3], block: [u64; 3]) -> Self {
        let thread = match block {
            [_, 1, 1] => "threadIdx.x",
            [_, _, 1] => "«threadIdx.y * blockDim.x + threadIdx.x¦threadIdx.x + $W * threadIdx.y»",
            _ => "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
        };
        let index = match (grid, block) {
            ([_, 1, 1], [_, 1, 1]) => "blockIdx.x * «blockDim.x¦$T» + «threadIdx.x¦t»",
            ([_, 1, 1], _) => "blockIdx.x * $T + t",
            _ => "(blockIdx.y * gridDim.x + blockIdx.x) * $T + t",
        };
        Self {
            arrays: random.pick(&[
                "const $E* a, const $E* b, $E* out",
                "const $E* a, const $E* b, $E* out",
                "const $E* __restrict__ a, const $E* __restrict__ b, $E* __restrict__ out",
                "$E* a, $E* b, $E* out",
                "$E const* const a, const $E *b, $E *const out",
            ]),
            thread,
            index,
            start: random.pick(&["a[i]", "0", "t", "1", "b[@i]", "a[i] * b[i]", "$E(i) / 2"]),
            end: random.pick(&[
                "out[i] = v;",
                "out[i] = v;",
                "out[i] = v;",
                "out[i] += v;",
                "*(out + i) = v;",
                "out[@i] = v;",
                "if (i % 2 == 0) out[i / 2] = v;",
            ]),
        }
    }
}

fn finished(mut draft: Draft, idioms: &[&Idiom], form: &Form, name: &str) -> Program {
    let body = body(&mut draft);
    let head = draft.fill(&format!(
        "«const int¦int¦const auto¦const unsigned» i = {};\n    $E v = {};\n",
        form.index, form.start
    ));
    let thread = draft.fill(&format!("const int t = {};", form.thread));
    let end = draft.fill(form.end);
    let arrays = draft.fill(form.arrays);
    let names: Vec<&str> = idioms.iter().map(|idiom| idiom.name).collect();
    let mut source = format!("// {}\n", names.join(", "));
    for header in &draft.headers {
        let _ = writeln!(source, "#include <{header}>");
    }
    let extra = draft
        .parameters
        .iter()
        .fold(String::new(), |mut text, one| {
            let _ = write!(text, ", {}", one.declared);
            text
        });
    let _ = write!(
        source,
        "\n{}\n__global__ void {}{name}({arrays}{extra}) {{\n    {thread}\n    {head}{body}    {end}\n}}\n",
        draft.declarations, draft.attribute
    );
    let arrays =
        ["a", "b", "out"].map(|name| (name.to_owned(), Value::Array(Parameter::array_bytes())));
    let extra = draft.parameters.iter().map(|parameter| {
        let value = parameter
            .value
            .map_or(Value::Array(Parameter::array_bytes()), Value::Integer);
        (parameter.name.clone(), value)
    });
    Program {
        kind: names.join(" + "),
        idioms: names,
        source,
        grid: draft.grid,
        block: draft.block,
        dynamic_shared_bytes: draft.dynamic_shared_bytes,
        parameters: arrays.into_iter().chain(extra).collect(),
    }
}

/// The parts in an order in which every thread that a barrier waits for comes by.
fn body(draft: &mut Draft) -> String {
    let parts = std::mem::take(&mut draft.parts);
    let is_alone = parts.len() == 1;
    let of = |role| parts.iter().filter(move |part: &&Part| part.role == role);
    let plain: Vec<String> = of(Role::Plain)
        .map(|part| scoped(&part.text, is_alone))
        .collect();
    let mut plain = plain.concat();
    if let Some(part) = of(Role::Around).next() {
        if plain.is_empty() {
            plain = draft.fill("        v += «a[@i]¦a[t] * b[i]»;\n");
        }
        plain = indented(&part.text.replace(HOLE, plain.trim_end()));
    }
    let convergent: String = of(Role::Convergent)
        .map(|part| scoped(&part.text, is_alone))
        .collect();
    if plain.contains("return;") || draft.chance(50) {
        convergent + &plain
    } else {
        plain + &convergent
    }
}

/// A part whose names are seen by no other.
fn scoped(text: &str, is_alone: bool) -> String {
    if is_alone {
        indented(text)
    } else {
        format!("    {{\n{}    }}\n", indented(&indented(text)))
    }
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |mut lines, line| {
        let is_flush = line.is_empty() || line.starts_with('#');
        let _ = writeln!(lines, "{}{line}", if is_flush { "" } else { "    " });
        lines
    })
}

#[cfg(test)]
mod tests {
    use super::{IDIOMS, Needs, Role, program};
    use crate::compilers::program::Program;
    use std::collections::BTreeSet;

    fn programs() -> impl Iterator<Item = Program> {
        (0..4 * IDIOMS.len()).map(|at| program(at, 17 * at as u64 + 3, &format!("k{at}")))
    }

    #[test]
    fn every_idiom_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = IDIOMS.iter().map(|idiom| idiom.name).collect();
        assert_eq!(names.len(), IDIOMS.len());
    }

    #[test]
    fn templates_are_filled() {
        for Program { source, .. } in programs() {
            for mark in ['«', '»', '¦', '$', '@'] {
                assert!(!source.contains(mark), "{mark} in {source}");
            }
            assert!(!source.contains("NO_KEY"), "{source}");
            let opened = source.matches('{').count();
            assert_eq!(opened, source.matches('}').count(), "{source}");
        }
    }

    #[test]
    fn a_kernel_names_its_one_to_four_idioms_first() {
        let mut used = BTreeSet::new();
        for program in programs() {
            assert!((1..=4).contains(&program.idioms.len()));
            let comment = format!("// {}\n", program.idioms.join(", "));
            assert!(program.source.starts_with(&comment), "{}", program.source);
            used.extend(program.idioms);
        }
        assert_eq!(used.len(), IDIOMS.len());
    }

    #[test]
    fn a_block_has_the_shape_that_its_idioms_need() {
        for program in programs() {
            let threads: u64 = program.block.iter().product();
            let used = IDIOMS
                .iter()
                .filter(|idiom| program.idioms.contains(&idiom.name));
            for idiom in used {
                let fits = match idiom.needs {
                    Needs::Any => threads <= 1024,
                    Needs::Odd => !threads.is_multiple_of(32),
                    Needs::Warps => threads.is_multiple_of(32),
                    Needs::Power => threads.is_power_of_two() && threads >= 32,
                    Needs::Tile => program.block[1] > 1 && threads.is_power_of_two(),
                };
                assert!(fits, "{}: {:?}", idiom.name, program.block);
            }
        }
    }

    #[test]
    fn threads_that_left_are_not_waited_for() {
        for program in programs() {
            let converges = |idiom: &&super::Idiom| {
                idiom.role == Role::Convergent && program.idioms.contains(&idiom.name)
            };
            let has_barrier = IDIOMS.iter().any(|idiom| converges(&idiom));
            let Some(left) = program
                .source
                .rfind("\n    return;")
                .filter(|_| has_barrier)
            else {
                continue;
            };
            let kernel = &program.source[left..];
            assert!(!kernel.contains("__syncthreads"), "{}", program.source);
        }
    }

    #[test]
    fn a_seed_gives_the_same_kernel_again() {
        let of = |seed| program(5, seed, "k5").source;
        assert_eq!(of(9), of(9));
        assert!((10..20).any(|seed| of(seed) != of(9)));
    }
}
