//! A launch, and what came of it.

use crate::{
    Argument, ArgumentValue, Buffer, KernelOptions, NamedLaunch, Omitted, SiteOrigin, SourceOutcome,
};
use lanescope_wire::{wire_enums, wire_structs};

wire_structs! {
    KernelOptions { kernel, defines, templates }
    NamedLaunch { grid, block, arguments, values, contents, variables, dynamic_shared_bytes, blocks }
    Argument { name, value }
    SiteOrigin { counts_for, omitted }
    Buffer { elements, base_offset, contents }
    SourceOutcome { end, requests, steps, blocks_done, blocks_total, executed, findings, omitted }
}

wire_enums! {
    ArgumentValue { Integer { 0: a }, Real { 0: a }, Buffer { 0: a } }
    Omitted {
        Held, Joined { 0: a }, Merged { 0: a }, Overwritten, Unused, Elsewhere, Cluster, Bulk, Texture,
        Unreached, Cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, Blocks, Budget, Contents, Program, execute};
    use lanescope_wire::Wire as _;

    /// A kernel that reads past its buffer, and at an address that a parameter decides which nobody gave.
    const KERNEL: &str = r#"
kernel "k" stage=source shared=0 {
  registers r0 r1 d2 d3 d4 d5 r6 r7
  place 0 0..0
  place 1 3..9 2:1
  parameter "in" "const int*" offset=0 bytes=8 array=a0 #1
  parameter "n" "int" offset=8 bytes=4 scalar=i32
  a0 "in" global "int" size=4 align=256
  s0 "in[n + 64 * t]" load global i32 bytes=4 array=a0 #1
b0:
  r0 = special.thread.x
  r1 = parameter.i32 8
  d2 = parameter.u64 0
  d3 = mul_wide.u32 r0, 256
  d4 = mul_wide.u32 r1, 4
  d5 = add.u64 d2, d3
  d5 = add.u64 d5, d4
  r6 = load s0 [d5] #1
  exit
}
"#;

    fn launch() -> NamedLaunch {
        let buffer = Buffer {
            elements: Some(64),
            base_offset: 4,
            contents: Contents::Random(7),
        };
        NamedLaunch {
            blocks: Blocks::First(2),
            variables: vec![("s".to_owned(), -3)],
            contents: vec![("in".to_owned(), vec![1, 2, 3].into())],
            ..NamedLaunch::new([4, 2, 1], [64, 1, 1])
        }
        .with("in", ArgumentValue::Buffer(buffer))
        .with("x", ArgumentValue::Real(0.5))
        .with("out", ArgumentValue::Integer(64))
    }

    #[test]
    fn a_launch_and_what_came_of_it_are_carried_whole() {
        let launch = launch();
        assert_eq!(
            NamedLaunch::of_bytes(&launch.to_bytes()),
            Some(launch.clone())
        );
        // A site at an address that nobody knows, and a store that no thread may make.
        let program = Program::new(KERNEL.parse().unwrap(), "", Vec::new());
        let outcome = execute(
            &program,
            &launch,
            32,
            Budget::default(),
            &mut |_: &Access<'_>| true,
        );
        assert!(outcome.findings.len() >= 2, "{:?}", outcome.findings);
        assert_eq!(SourceOutcome::of_bytes(&outcome.to_bytes()), Some(outcome));
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = launch().to_bytes();
        for cut in 0..bytes.len() {
            assert_eq!(NamedLaunch::of_bytes(&bytes[..cut]), None);
        }
    }
}
