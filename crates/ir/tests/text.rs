//! The text form: what is printed is read again as it was.

use lanescope_ir::analysis::converge;
use lanescope_ir::{BlockId, Fault, Kernel, Terminator};

const SAMPLE: &str = r#"
kernel "transpose \"x\"" stage=source shared=4224 shared_zeroed=1 shared_base=1024 local=16 barriers=2 block=32,8,1 {
  registers r30
  file "a.cu"
  place 0 0..0
  place 1 3..9 2:1 origin 0:12
  parameter "in" "const float*" offset=0 bytes=8 array=a0 #1
  parameter "n" "int" offset=8 bytes=4 scalar=i32
  variable "i" 0 1 -2 #1
  a0 "in" global "float" size=4 align=256 restrict
  a1 "tile" shared "float" size=4 [32] [33] bytes=4224 align=16 init=4:"00ff" #1
  s0 "in[i]" load global f32 bytes=4 array=a0 readonly align=4 #1
  s1 "v4" load shared f32 bytes=16 volatile align=16+8
  s2 "tile[0]" atomic shared u32 bytes=4 aggregated
  s3 "copy" store shared u32 bytes=16
  s4 "copy" load global u32 bytes=16
  s5 "LDSM" ldmatrix4 shared u16 bytes=16
  s6 "STSM" stmatrix1 shared u16 bytes=16
  s7 "TEX" load global u32 bytes=4
  s8 "cas" cas global u64 bytes=8
  unroll b1 4
  code 0x4000000000 b2
b0:
  r0 = special.thread.x
  r1 = parameter.i32 8
  d2 = parameter.u64 0, r0
  d2 = special.address.0
  p3 = ge.i32 r0, r1 #1
  p3 = lt.f32.unordered r0, 0x3f800000
  branch !p3, b1, b2, b2 #1
b1: // loads
  r4 = load s0 [d2 + r0 + 16]
  r4, r5, _, r6 = load s1 [r0 - 8]
  @p3 r7 = add.u32 r4, 0xffffffff
  @!p3 r7 = mad.i32 r4, r5, 3
  d8 = mul_wide.u32 r4, r5
  r4 = mov.f32 r5
  r4 = lop3.u32 0xe8, r5, r6, r7
  d8 = lop3.u64 0x80, d8, d2, 1
  r4 = bfi.u32 r4, r5, 0, 8
  r4, p3, _ = add_carry r4, r5, 0, p9, _
  r4 = select p3, r5, 7
  r4 = convert.i32.f32.rz.sat r5
  d8 = pack r4, r5
  r4, _ = unpack.32 d8
  r4 = atomic.add s2 [r0], 1
  atomic.max s2 [4096], r4
  d8 = atomic.cas s8 [d2], 1, d8
  store s0 [d2 + const 4 + 8], r4
  r4, r5, r6, r7 = ldmatrix.trans s5 [r0]
  stmatrix s6 [r0], r4
  async_copy.16.bypass s3 [r0], s4 [d2], r4
  async_copy.4 s3 [r0], s4 [d2]
  d8 = bulk s7, d2, 4
  r4, r5 = texture s7, r6, 3
  r4, p3 = shuffle.bfly r5, 16, 31
  r4 = shuffle.idx r5, r6, 0x1f1f
  r4 = vote.ballot p3
  r4, p3 = match.all.u32 r5
  r4 = reduce.add.inclusive.u32 r5
  r4 = active_mask
  p3 = elect
  barrier 0
  barrier.arrive 1, 64
  p3 = barrier_reduce.or p9, 0
  wide_barrier.arrive
  warp_sync 0xffffffff
  fence
  p3, _ = object_barrier [r0 + 8]
  arm c0, b2
  leave c0
  r4 = save_barrier c1
  restore_barrier c1, r4
  bounds.i32 r0, 32, a1, 0
  escape r4, d8
  r4, r5 = unmodelled.pure "HMMA", r6
  unmodelled "X"
  h10 = convert.f16.f32.rn r4
  y11 = convert.u8.u32.rz r4
  switch r0, b2, b1
b2:
  join c0
  indirect d2
b3:
  exit
}
"#;

fn read(text: &str) -> Kernel {
    match text.parse() {
        Ok(kernel) => kernel,
        Err(error) => panic!("{error}: {}", &text[error.at.min(text.len())..]),
    }
}

#[test]
fn what_is_printed_is_read_again() {
    // A register between named ones has to be declared, so that none is without a width.
    let text = SAMPLE.replace("r30", "r12");
    let kernel = read(&text);
    let printed = kernel.to_string();
    assert_eq!(read(&printed), kernel, "{printed}");
    assert_eq!(read(&printed).to_string(), printed);
    assert_eq!(kernel.places.len(), 2);
    assert_eq!(kernel.blocks[0].instructions[0].place.0, 0);
    assert_eq!(kernel.arrays[1].initial, [(4, vec![0, 255])]);
    assert_eq!(kernel.variables[0].values, [0, 1, -2]);
}

#[test]
fn a_gap_between_registers_is_an_error() {
    let error = SAMPLE.parse::<Kernel>().unwrap_err();
    assert_eq!(error.expected, "registers numbered without a gap");
}

#[test]
fn errors_say_where() {
    for (text, at) in [
        ("kernel \"k\" { b0:\n  r0 = add.u32 r0\n exit }", 24),
        ("kernel \"k\" { b0:\n  r0 = ad.u32 r0, r0\n exit }", 24),
        ("kernel \"k\" { b1: exit }", 13),
        ("kernel \"k\" { b0: r0 = mov.u32 d0; exit }", 30),
        ("kernel \"k", 7),
    ] {
        assert_eq!(text.parse::<Kernel>().unwrap_err().at, at, "{text}");
    }
}

fn faults(body: &str) -> Vec<Fault> {
    let text = format!(
        "kernel \"k\" {{\n a0 \"a\" shared \"int\" size=4\n s0 \"a\" load shared u32 bytes=4 array=a0\nb0:\n{body}\n}}"
    );
    match read(&text).verify() {
        Ok(()) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.fault).collect(),
    }
}

#[test]
fn verify_finds_widths_and_indices() {
    assert_eq!(faults("r0 = special.lane\n r1 = load s0 [r0]\n exit"), []);
    assert_eq!(faults("jump b7").len(), 1);
    assert_eq!(
        faults("r0 = special.lane\n r1 = load s3 [r0]\n exit").len(),
        1
    );
    assert_eq!(faults("r0, r1 = load s0 [0]\n exit").len(), 1);
    assert_eq!(faults("r0 = add.u64 1, 2\n exit").len(), 1);
    assert_eq!(faults("r0 = add.u32 0x100000000, 2\n exit").len(), 1);
    assert_eq!(faults("r0 = sqrt.u32 4\n exit").len(), 1);
    assert_eq!(faults("join c0\n exit").len(), 1);
    assert_eq!(
        faults("p0 = and.bool 1, 1\n branch p0, b0, b0, b9").len(),
        1
    );
    assert_eq!(faults("d0 = pack 1, 2\n r1, r2 = unpack.32 d0\n exit"), []);
    assert_eq!(faults("r0 = shl.u32 1, 4\n d1 = shl.u64 1, r0\n exit"), []);
}

/// The joins of a kernel's branches after [`converge`].
fn joins(blocks: &str) -> Vec<Option<u32>> {
    let mut kernel = read(&format!("kernel \"k\" {{\n{blocks}\n}}"));
    converge(&mut kernel);
    assert_eq!(kernel.verify(), Ok(()));
    let of = |terminator: &Terminator| match terminator {
        Terminator::Branch { join, .. } => Some(join.map(|BlockId(index)| index)),
        _ => None,
    };
    let blocks = kernel.blocks.iter();
    blocks.filter_map(|block| of(&block.terminator)).collect()
}

#[test]
fn branches_join_at_the_immediate_post_dominator() {
    // if, else
    assert_eq!(
        joins("b0: branch p0, b1, b2\nb1: jump b3\nb2: jump b3\nb3: fence; exit"),
        [Some(3)]
    );
    // loop
    assert_eq!(
        joins("b0: jump b1\nb1: branch p0, b2, b3\nb2: jump b1\nb3: fence; exit"),
        [Some(3)]
    );
    // early return: nobody to meet
    assert_eq!(
        joins("b0: branch p0, b2, b1\nb1: fence; jump b2\nb2: exit"),
        [None]
    );
    // if (a) { if (b) return; y } z
    let inner = "b0: branch p0, b1, b3\nb1: branch p1, b4, b2\nb2: fence; jump b3\nb3: fence; jump b4\nb4: exit";
    assert_eq!(joins(inner), [Some(3), None]);
    // if (a) { if (b) { w; return; } y } z, with two ends
    let inner = "b0: branch p0, b1, b4\nb1: branch p1, b2, b3\nb2: fence; exit\nb3: fence; jump b4\nb4: fence; exit";
    assert_eq!(joins(inner), [Some(4), None]);
    // both ways end apart
    assert_eq!(
        joins("b0: branch p0, b1, b2\nb1: fence; exit\nb2: fence; exit"),
        [None]
    );
}

#[test]
fn a_switch_gets_a_convergence_barrier() {
    let mut kernel = read(
        "kernel \"k\" {\nb0: switch r0, b1, b2, b3\nb1: jump b3\nb2: jump b3\nb3: fence; exit\n}",
    );
    converge(&mut kernel);
    assert_eq!(kernel.barriers, 1);
    assert!(kernel.to_string().contains("arm c0, b3"));
    assert!(kernel.to_string().contains("b3:\n  join c0"));
}
