//! What `lanescope fix` offers for a kernel whose callers stand in the text: nothing that breaks them.

use crate::run::lanescope;

/// A transpose that is launched for two types and sides.
const TURN: &str = "template <typename T, int SIDE>
__global__ void turn(const T* from, T* to, int width) {
  BODY
}
void go(const double* a, double* b, const float* c, float* d) {
  turn<double, 16><<<dim3(4, 4), dim3(16, 16)>>>(a, b, 64);
  turn<float, 32><<<dim3(2, 2), dim3(32, 32)>>>(c, d, 64);
}
";

const NAIVE: &str = "int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  to[x * width + y] = from[y * width + x];";

const TILED: &str = "__shared__ T tile[SIDE][SIDE];
  int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = from[y * width + x];
  __syncthreads();
  x = blockIdx.y * SIDE + threadIdx.x, y = blockIdx.x * SIDE + threadIdx.y;
  to[y * width + x] = tile[threadIdx.x][threadIdx.y];";

#[test]
fn a_template_of_several_instances_gets_what_suits_all_of_them() {
    let text = TURN.replace("BODY", NAIVE);
    let ran = lanescope(&["fix", "-"], text.as_bytes());
    assert!(ran.err.contains("with other arguments too"), "{}", ran.err);
    assert!(!ran.out.contains("stage"), "{}", ran.out);
    // Launched once, it is staged.
    let once: String = text
        .lines()
        .filter(|line| !line.contains("turn<float"))
        .collect();
    let ran = lanescope(&["fix", "-"], once.as_bytes());
    assert!(ran.out.contains("stage"), "{}{}", ran.out, ran.err);
    assert!(!ran.err.contains("with other arguments too"), "{}", ran.err);
}

#[test]
fn padding_is_offered_whatever_a_template_is_made_for() {
    let ran = lanescope(&["fix", "-"], TURN.replace("BODY", TILED).as_bytes());
    assert!(
        ran.out.contains("tile[SIDE][SIDE + 1]"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn a_kernel_that_the_text_launches_keeps_its_parameters() {
    let kernel = "struct Point { float x, y, z; };
__global__ void length(const Point* points, float* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = points[i].x + points[i].y + points[i].z;
}
";
    let alone = ["fix", "-", "--grid", "4", "--block", "128"];
    let ran = lanescope(&alone, kernel.as_bytes());
    assert!(ran.out.contains("structure of arrays"), "{}", ran.out);
    assert!(!ran.err.contains("parameters"), "{}", ran.err);
    for call in [
        "length<<<4, 128>>>(a, b);",
        "auto run = &length; run<<<4, 128>>>(a, b);",
    ] {
        let launched = format!("{kernel}void go(Point* a, float* b) {{ {call} }}\n");
        let ran = lanescope(&["fix", "-"], launched.as_bytes());
        assert!(!ran.out.contains("structure of arrays"), "{}", ran.out);
        let why = "the kernel's parameters, and the text launches the kernel";
        assert_eq!(ran.err.matches(why).count(), 1, "{}", ran.err);
        assert!(ran.out.contains("__align__(16)"), "{}", ran.out);
    }
}
