//! Active lanes an instruction, against an H200's counters and against what a reduction is known for.

use crate::run::{golden, lanescope};
use lanescope_profiler::{LISTING_FIRST_LINE, listing, read};
use serde_json::Value;

fn kernel(args: &[&str], text: &str) -> Value {
    let args = [&["kernel", "-"], args, &["--format", "json"]].concat();
    let ran = lanescope(&args, text.as_bytes());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("no JSON: {}", ran.err))
}

/// What the source page of Nsight Compute says of each instruction of the kernel that is `nth` in it, as executed by
/// warps and by threads.
fn measured(page: &str, nth: usize) -> Vec<[u64; 2]> {
    let mut rows = csv::ReaderBuilder::new();
    let rows = rows.flexible(true).has_headers(false);
    let mut pages = Vec::new();
    for row in rows.from_reader(page.as_bytes()).records() {
        let row = row.expect("a row");
        match row.get(0) {
            Some("Kernel Name") => pages.push(Vec::new()),
            Some(address) if address.starts_with("0x") => {
                let count = |at: usize| row[at].parse::<u64>().expect("a count");
                let rows = pages.last_mut().expect("a kernel");
                rows.push([count(5), count(6)]);
            }
            _ => {}
        }
    }
    pages.swap_remove(nth)
}

#[test]
fn sass_executes_what_the_counters_of_the_device_say() {
    let text = std::fs::read_to_string(golden("profiler").join("source_sass.csv")).expect("a page");
    let export = read(&text).expect("an export");
    let [first, second] = ["0=f32[1048576]", "1=f32[1048576]"];
    let size = [
        "--arg", first, "--arg", second, "--arg", "2=128", "--arg", "3=128",
    ];
    let bytes = [
        "--arg",
        "0=u8[16384]",
        "--arg",
        "1=u32[256]",
        "--arg",
        "2=16384",
    ];
    let scale = ["--arg", first, "--arg", "1=2.0f", "--arg", "2=4"];
    let gather = [
        "--arg",
        first,
        "--arg",
        "1=u32[16384]",
        "--arg",
        "2=f32[16384]",
    ];
    let tile = ["--grid", "4,4", "--block", "32,32"];
    for (name, launch, options) in [
        ("transpose_naive", &tile[..], &size[..]),
        ("transpose_padded", &tile, &size),
        ("transpose_swizzled", &tile, &size),
        (
            "reduce_interleaved",
            &["--grid", "64", "--block", "256"],
            &size[..4],
        ),
        ("histogram", &["--grid", "4", "--block", "256"], &bytes),
        ("scale_strided", &["--grid", "16", "--block", "128"], &scale),
        ("gather", &["--grid", "64", "--block", "256"], &gather),
    ] {
        let of_name =
            |text: &str| text.contains(&format!("{name}(")) || text.contains(&format!("{name}<"));
        let profile = export
            .kernels
            .iter()
            .find(|one| of_name(&one.name))
            .expect(name);
        let heads = text
            .lines()
            .filter(|line| line.starts_with("\"Kernel Name\""));
        let nth = heads.into_iter().position(of_name).expect(name);
        let sass = listing(profile).expect("instructions");
        let value = kernel(&[launch, options].concat(), &sass);
        let divergence = &value["divergence"];
        assert_eq!(divergence["instructions_of"], "machine", "{name}: {value}");
        let mut counted = vec![[0; 2]; profile.instructions.len()];
        for line in divergence["lines"].as_array().expect("lines") {
            let at = line["line"].as_u64().expect("a line") - u64::from(LISTING_FIRST_LINE);
            let count = |field: &str| line[field].as_u64().expect("a count");
            counted[usize::try_from(at).expect("small")] =
                [count("warp_instructions"), count("thread_instructions")];
        }
        let measured = measured(&text, nth);
        assert_eq!(counted, measured, "{name}");
        let sum = |of: usize| measured.iter().map(|row| row[of]).sum::<u64>();
        assert_eq!(divergence["warp_instructions"], sum(0), "{name}");
        assert_eq!(divergence["thread_instructions"], sum(1), "{name}");
    }
}

/// The two reductions that textbooks set side by side: both free of bank conflicts, and told apart by lanes alone.
#[test]
fn divergent_and_sequential_reductions_differ_by_their_active_lanes() {
    let text = |step: &str| {
        format!(
            "__global__ void sum(const float* in, float* out) {{
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  {step}
  if (t == 0) out[blockIdx.x] = part[0];
}}"
        )
    };
    let divergent = "for (int s = 1; s < 256; s *= 2) { if (t % (2 * s) == 0) {
      part[t] += part[t + s];
    } __syncthreads(); }";
    let sequential = "for (int s = 128; s > 0; s >>= 1) { if (t < s) {
      part[t] += part[t + s];
    } __syncthreads(); }";
    let [divergent, sequential] = [divergent, sequential].map(|step| {
        let value = kernel(
            &["--grid", "64", "--block", "256", "--compiler", "none"],
            &text(step),
        );
        assert_eq!(value["totals"]["shared_load_bank_conflicts"], 0);
        let lines = value["divergence"]["lines"]
            .as_array()
            .expect("lines")
            .clone();
        let line = lines
            .iter()
            .find(|line| line["line"] == 7)
            .expect("the sum");
        let count = |field: &str| line[field].as_u64().expect("a count");
        (count("warp_instructions"), count("thread_instructions"))
    });
    // Threads that add: 128 + 64 + … + 1 in both. Warps that do: 8, 8, 8, 8, 8, 4, 2, 1 and 4, 2, 1, 1, 1, 1, 1, 1.
    let instructions = divergent.1 / 255 / 64;
    assert_eq!(divergent, (47 * 64 * instructions, 255 * 64 * instructions));
    let instructions = sequential.1 / 255 / 64;
    assert_eq!(
        sequential,
        (12 * 64 * instructions, 255 * 64 * instructions)
    );
}

#[test]
fn lanes_are_told_in_words_and_only_of_kernels() {
    let text =
        "__global__ void f(float* a) {\n  if (threadIdx.x < 8)\n    a[threadIdx.x] = 1.0f;\n}";
    let ran = lanescope(
        &["kernel", "-", "--grid", "2", "--block", "32"],
        text.as_bytes(),
    );
    assert!(
        ran.out.contains("of 32 lanes an instruction"),
        "{}",
        ran.out
    );
    let is_told = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        cells.len() == 3 && cells[0] == "3" && cells[2] == "8"
    };
    assert!(ran.out.lines().any(is_told), "{}", ran.out);
    let value = kernel(&["--grid", "2", "--block", "20"], text);
    assert_eq!(value["divergence"]["warp_lanes"], 32);
    let expression = lanescope(
        &[
            "expr",
            "a[tid]",
            "--decl",
            "float a[64]",
            "--format",
            "json",
        ],
        b"",
    );
    assert!(!expression.out.contains("divergence"), "{}", expression.out);
}
