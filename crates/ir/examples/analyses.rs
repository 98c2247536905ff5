//! Reads a kernel in the text form and prints what the analyses find.

use lanescope_ir::analysis::{ControlFlow, Dominators, Loops, Uniformity, converge};
use lanescope_ir::{Kernel, Register};

const KERNEL: &str = r#"kernel "sum" {
  a0 "in" global "float" size=4
  s0 "in[i]" load global f32 bytes=4 array=a0
b0:
  r0 = special.thread.x
  r1 = parameter.i32 8
  d2 = special.address.0
  jump b1
b1:
  p3 = lt.i32 r0, r1
  branch p3, b2, b3
b2:
  d4 = convert.i64.i32.rz r0
  d5 = mad.i64 d4, 4, d2
  r6 = load s0 [d5]
  escape r6
  r0 = add.i32 r0, 32
  jump b1
b3:
  exit
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut kernel: Kernel = KERNEL.parse()?;
    kernel.verify().map_err(|errors| format!("{errors:?}"))?;
    converge(&mut kernel);
    let flow = ControlFlow::of(&kernel);
    let loops = Loops::of(&flow, &Dominators::of(&flow));
    for one in loops.all() {
        println!("a loop at b{} of {} blocks", one.header.0, one.blocks.len());
    }
    let uniformity = Uniformity::of(&kernel, &flow);
    for register in (0..7).map(Register) {
        let kind = if uniformity.is_uniform(register) {
            "uniform"
        } else {
            "divergent"
        };
        println!("register {}: {kind}", register.0);
    }
    print!("{kernel}");
    Ok(())
}
