//! Fixes that are launched otherwise: the launch that the text has is changed with them, and every output says so.

use crate::run::lanescope;
use serde_json::Value;

/// A reduction that is launched by `HOST`.
const TOTAL: &str = "__global__ void total(const float* from, float* to) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = from[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = part[0];
}
";

const FIRST_ADD: &str = "first add while loading, blocks half as large";

/// Blocks four threads wide.
const NARROW: &str = "__global__ void twice(const float* a, float* b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[y * w + x] = 2 * a[y * w + x];
}
";

/// The fix of this kind as `given` asks for it, and what was said besides.
fn fixed(text: &str, kind: &str, given: [&str; 2]) -> (String, String) {
    let json = lanescope(&["fix", "-", "--format", "json"], text.as_bytes());
    let value: Value = serde_json::from_str(&json.out).expect("JSON");
    let all = value["fixes"].as_array().expect("fixes");
    let at = all.iter().position(|one| one["fix"] == kind);
    let pick = (at.expect(kind) + 1).to_string();
    let [option, value] = given;
    let ran = lanescope(
        &["fix", "-", option, value, "--pick", &pick],
        text.as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    (ran.out, ran.err)
}

#[test]
fn a_patch_changes_the_kernel_and_its_launch() {
    for (host, launched) in [
        (
            "total<<<64, 256>>>(a, b);",
            "\n+void go(float* a, float* b) { total<<<64, 128>>>(a, b); }",
        ),
        (
            "constexpr unsigned N = 256u; total<<<64, N>>>(a, b);",
            "constexpr unsigned N = 128u; total<<<64, N>>>(a, b);",
        ),
        (
            "const int n = 256; dim3 grid(16384 / n), block(n); total<<<grid, block>>>(a, b);",
            "const int n = 256; dim3 grid(16384 / n), block(n / 2); total<<<grid, block>>>(a, b);",
        ),
    ] {
        let text = format!("{TOTAL}void go(float* a, float* b) {{ {host} }}\n");
        let (patch, stderr) = fixed(&text, FIRST_ADD, ["--format", "patch"]);
        assert!(patch.contains(launched), "{patch}");
        assert!(patch.contains("+  part[t] = from["), "{patch}");
        assert!(!stderr.contains("launch it with"), "{stderr}");
        // The changed text is launched so.
        let (changed, _) = fixed(&text, FIRST_ADD, ["--as", "cuda"]);
        let counted = |shape: &[&str]| {
            let all = [&["kernel", "-", "--format", "json"], shape].concat();
            let value: Value =
                serde_json::from_str(&lanescope(&all, changed.as_bytes()).out).expect("JSON");
            value["totals"].clone()
        };
        let given = counted(&["--grid", "64", "--block", "128"]);
        assert_eq!(counted(&[]), given);
        assert!(given.is_object(), "{given}");
    }
}

#[test]
fn a_fix_of_the_launch_alone_edits_the_launch() {
    let text = format!(
        "{NARROW}int main() {{ float *a, *b; dim3 block(4, 64); dim3 grid(250, 16); \
         twice<<<grid, block>>>(a, b, 1000, 1000); }}\n"
    );
    let (patch, _) = fixed(&text, "blocks 8 threads wide", ["--format", "patch"]);
    assert!(
        patch.contains("dim3 block(8, 64); dim3 grid(125, 16);"),
        "{patch}"
    );
    let sarif = lanescope(&["fix", "-", "--format", "sarif"], text.as_bytes()).out;
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    let fix = &sarif["runs"][0]["results"][0]["fixes"][0];
    let replaced = fix["artifactChanges"][0]["replacements"]
        .as_array()
        .unwrap();
    let inserted: Vec<&str> = replaced
        .iter()
        .filter_map(|one| one["insertedContent"]["text"].as_str())
        .collect();
    assert_eq!(inserted, ["8", "125"]);
}

#[test]
fn a_launch_that_is_not_in_the_text_is_told_in_every_format() {
    let asked = |format: &str| {
        let launch = ["fix", "-", "--grid", "250,16", "--block", "4,64"];
        let sizes = ["--arg", "w=1000", "--arg", "h=1000", "--format", format];
        lanescope(&[launch.as_slice(), &sizes].concat(), NARROW.as_bytes())
    };
    let alone = "# only the launch changes: --block 8,64,1 --grid 125,16,1\n";
    assert_eq!(asked("patch").out, alone);
    assert_eq!(asked("diff").out, alone);
    let sarif: Value = serde_json::from_str(&asked("sarif").out).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    let message = result["message"]["text"].as_str().unwrap();
    assert!(
        message.ends_with("only the launch changes: --block 8,64,1 --grid 125,16,1"),
        "{message}"
    );
    assert!(result.get("fixes").is_none());
}

/// What the host computes stays; the note says what to launch.
#[test]
fn a_launch_that_cannot_be_edited_is_told() {
    let host = "void go(float* a, float* b, int t) { total<<<64, 256>>>(a, b); total<<<64, t>>>(a, b); }\n";
    let text = format!("{TOTAL}{host}");
    let (patch, stderr) = fixed(&text, FIRST_ADD, ["--format", "patch"]);
    assert!(
        patch.starts_with("# launch it with --block 128,1,1\n--- a/"),
        "{patch}"
    );
    assert!(!patch.contains("+void go"), "{patch}");
    assert!(
        stderr.contains("launch it with --block 128,1,1"),
        "{stderr}"
    );
}

/// Another shape changes by the same factor; where it cannot, nothing is offered that the text would launch wrongly.
#[test]
fn every_shape_that_is_launched_changes() {
    let host = |width: u32| {
        format!(
            "void go(float* a, float* b) {{ total<<<64, 256>>>(a, b); total<<<1, {width}>>>(b, a); }}\n"
        )
    };
    let text = format!("{TOTAL}{}", host(64));
    let (patch, stderr) = fixed(&text, FIRST_ADD, ["--format", "patch"]);
    assert!(
        patch.contains("total<<<64, 128>>>(a, b); total<<<1, 32>>>(b, a);"),
        "{patch}"
    );
    assert!(!stderr.contains("launch it with"), "{stderr}");
    let text = format!("{TOTAL}{}", host(1));
    let ran = lanescope(&["fix", "-"], text.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.out.contains(FIRST_ADD), "{}", ran.out);
}

#[test]
fn dynamic_shared_memory_grows_in_the_launch() {
    let text = "__global__ void turn(const float* from, float* to) {
  extern __shared__ float box[];
  box[threadIdx.y * 32 + threadIdx.x] = from[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  to[threadIdx.y * 32 + threadIdx.x] = box[threadIdx.x * 32 + threadIdx.y];
}
void go(float* a, float* b) { turn<<<1, dim3(32, 32), 32 * 32 * sizeof(float)>>>(a, b); }
";
    let (patch, stderr) = fixed(text, "pad by 1", ["--format", "patch"]);
    assert!(
        patch.contains("32 * 32 * sizeof(float) + 124>>>"),
        "{patch}"
    );
    assert!(!stderr.contains("launch it with"), "{stderr}");
}

/// The launch passes the size of a structure: that grows with the rows of its member.
#[test]
fn a_launch_that_passes_the_size_of_a_structure_takes_what_it_grows_by() {
    let kernel = |tile: &str, bytes: &str| {
        format!(
            "{tile}
__global__ void turn(const float* in, float* out) {{
  extern __shared__ char memory[];
  Tile& tile = *reinterpret_cast<Tile*>(memory);
  int x = threadIdx.x, y = threadIdx.y;
  tile.a[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = tile.a[x][y];
}}
void go(const float* in, float* out) {{ turn<<<1, dim3(32, 32), {bytes}>>>(in, out); }}
"
        )
    };
    for (bytes, launched) in [
        ("sizeof(Tile)", "sizeof(Tile)>>>"),
        ("2 * sizeof(Tile) - 4096", "2 * sizeof(Tile) - 4096>>>"),
    ] {
        let text = kernel("struct Tile { float a[32][32]; };", bytes);
        let ran = lanescope(&["fix", "-", "--as", "cuda"], text.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains("float a[32][33];"), "{}", ran.out);
        assert!(ran.out.contains(launched), "{}", ran.out);
        assert!(!ran.err.contains("--dynamic-shared"), "{}", ran.err);
        let again = lanescope(&["fix", "-", "--format", "json"], ran.out.as_bytes());
        let json: serde_json::Value = serde_json::from_str(&again.out).expect("JSON");
        assert_eq!(json["now"]["shared_conflicts"], 0, "{}", again.out);
    }
}
