//! The bytes that bulk copies move, of the same kernel as source, as PTX and as SASS.

use crate::run::lanescope;
use serde_json::{Value, json};

const SOURCE: &str = r#"
#include <cstdint>
__global__ void bulk(const float* in, float* out, int n) {
  __shared__ alignas(128) float tile[1024];
  __shared__ alignas(8) uint64_t bar;
  uint32_t b = (uint32_t)__cvta_generic_to_shared(&bar);
  uint32_t t = (uint32_t)__cvta_generic_to_shared(tile);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(b), "r"(1));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(4096));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(t), "l"(in + blockIdx.x * 1024), "r"(4096), "r"(b) : "memory");
  }
  __syncthreads();
  uint32_t done = 0;
  while (!done) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(b), "r"(0) : "memory");
  tile[threadIdx.x] *= 2;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(out + blockIdx.x * 1024), "r"(t), "r"(n * 4) : "memory");
}
"#;

const PTX: &str = r#"
.version 9.5
.target sm_90
.address_size 64

.visible .entry _Z4bulkPKfPfi(
	.param .u64 _Z4bulkPKfPfi_param_0,
	.param .u64 _Z4bulkPKfPfi_param_1,
	.param .u32 _Z4bulkPKfPfi_param_2
)
{
	.reg .pred 	%p<4>;
	.reg .f32 	%f<3>;
	.reg .b32 	%r<22>;
	.reg .b64 	%rd<7>;
	.shared .align 128 .b8 _ZZ4bulkPKfPfiE4tile[4096];
	.shared .align 8 .u64 _ZZ4bulkPKfPfiE3bar;

	ld.param.u64 	%rd1, [_Z4bulkPKfPfi_param_0];
	ld.param.u64 	%rd2, [_Z4bulkPKfPfi_param_1];
	ld.param.u32 	%r2, [_Z4bulkPKfPfi_param_2];
	mov.u32 	%r1, %tid.x;
	setp.ne.s32 	%p1, %r1, 0;
	@%p1 bra 	$L__BB0_2;

	mov.u32 	%r3, _ZZ4bulkPKfPfiE3bar;
	mov.u32 	%r4, 1;
	mbarrier.init.shared::cta.b64 [%r3], %r4;
	mov.u32 	%r8, 4096;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], %r8;
	mov.u32 	%r10, %ctaid.x;
	shl.b32 	%r11, %r10, 10;
	mul.wide.u32 	%rd4, %r11, 4;
	add.s64 	%rd3, %rd1, %rd4;
	mov.u32 	%r7, _ZZ4bulkPKfPfiE4tile;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r7], [%rd3], %r8, [%r3];

$L__BB0_2:
	bar.sync 	0;
	mov.u32 	%r13, _ZZ4bulkPKfPfiE3bar;

$L__BB0_3:
	mov.u32 	%r14, 0;
	{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%r13], %r14; selp.u32 %r12,1,0,p;}
	setp.eq.s32 	%p2, %r12, 0;
	@%p2 bra 	$L__BB0_3;

	shl.b32 	%r15, %r1, 2;
	mov.u32 	%r16, _ZZ4bulkPKfPfiE4tile;
	add.s32 	%r17, %r16, %r15;
	ld.shared.f32 	%f1, [%r17];
	add.f32 	%f2, %f1, %f1;
	st.shared.f32 	[%r17], %f2;
	bar.sync 	0;
	@%p1 bra 	$L__BB0_6;

	mov.u32 	%r20, %ctaid.x;
	shl.b32 	%r21, %r20, 10;
	mul.wide.u32 	%rd6, %r21, 4;
	add.s64 	%rd5, %rd2, %rd6;
	shl.b32 	%r19, %r2, 2;
	cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r16], %r19;

$L__BB0_6:
	ret;

}
"#;

/// As nvcc 13 compiles [`SOURCE`] for `sm_90`.
const SASS: &str = r#"
	.target	sm_90

//--------------------- .text._Z4bulkPKfPfi       --------------------------
	.section	.text._Z4bulkPKfPfi,"ax",@progbits
	.align	128
        .global         _Z4bulkPKfPfi
        .type           _Z4bulkPKfPfi,@function
        .size           _Z4bulkPKfPfi,(.L_x_11 - _Z4bulkPKfPfi)
        .other          _Z4bulkPKfPfi,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z4bulkPKfPfi:
.text._Z4bulkPKfPfi:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   S2R R0, SR_TID.X ;
        /*0020*/                   BSSY B0, `(.L_x_0) ;
        /*0030*/                   ISETP.NE.AND P1, PT, R0, RZ, PT ;
        /*0040*/               @P1 BRA `(.L_x_1) ;
        /*0050*/                   S2UR UR8, SR_CgaCtaId ;
        /*0060*/                   UMOV UR6, 0x400 ;
        /*0070*/                   UMOV UR4, 0x1 ;
        /*0080*/                   UIADD3 UR7, UR6, 0x1000, URZ ;
        /*0090*/                   IMAD.MOV.U32 R2, RZ, RZ, 0x1000 ;
        /*00a0*/                   UIADD3 UR4, -UR4, 0x100000, URZ ;
        /*00b0*/                   USHF.L.U32 UR5, UR4, 0xb, URZ ;
        /*00c0*/                   USHF.L.U32 UR4, UR4, 0x1, URZ ;
        /*00d0*/                   PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0 ;
        /*00e0*/                   S2UR UR10, SR_CTAID.X ;
        /*00f0*/                   ULEA UR9, UR8, UR7, 0x18 ;
        /*0100*/                   ULEA UR8, UR8, UR6, 0x18 ;
        /*0110*/                   UMOV UR6, 0x100 ;
        /*0120*/                   USHF.L.U32 UR7, UR10, 0xa, URZ ;
        /*0130*/                   FENCE.VIEW.ASYNC.S ;
.L_x_6:
        /*0140*/                   SYNCS.EXCH.64 URZ, [UR9], UR4 ;
        /*0150*/                   ULDC.64 UR4, c[0x0][0x210] ;
        /*0160*/                   UIMAD.WIDE.U32 UR4, UR7, 0x4, UR4 ;
        /*0170*/                   SYNCS.ARRIVE.TRANS64 RZ, [UR9], R2 ;
.L_x_2:
        /*0180*/               @P0 ELECT P2, URZ, PT ;
        /*0190*/                   UBLKCP.S.G [UR8], [UR4], UR6 ;
        /*01a0*/               @P2 PLOP3.LUT P0, PT, P2, PT, PT, 0x8, 0x0 ;
        /*01b0*/                   PLOP3.LUT P2, PT, PT, PT, PT, 0x8, 0x0 ;
        /*01c0*/               @P0 BRA.U.ANY `(.L_x_2) ;
.L_x_1:
        /*01d0*/                   BSYNC B0 ;
.L_x_0:
        /*01e0*/                   S2UR UR6, SR_CgaCtaId ;
        /*01f0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0200*/                   SHF.L.U32 R2, RZ, 0x1f, RZ ;
        /*0210*/                   UMOV UR4, 0x400 ;
        /*0220*/                   UIADD3 UR5, UR4, 0x1000, URZ ;
        /*0230*/                   ULEA UR5, UR6, UR5, 0x18 ;
.L_x_7:
        /*0240*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R2 ;
        /*0250*/              @!P0 BRA `(.L_x_3) ;
.L_x_4:
        /*0260*/                   ULEA UR7, UR6, UR4, 0x18 ;
        /*0270*/                   LEA R0, R0, UR7, 0x2 ;
        /*0280*/                   LDS R2, [R0] ;
        /*0290*/                   FADD R3, R2, R2 ;
        /*02a0*/                   STS [R0], R3 ;
        /*02b0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
.L_x_9:
        /*02c0*/               @P1 EXIT ;
        /*02d0*/                   S2UR UR8, SR_CTAID.X ;
        /*02e0*/                   ULDC UR6, c[0x0][0x220] ;
        /*02f0*/                   ULDC.64 UR4, c[0x0][0x218] ;
        /*0300*/                   USHF.L.U32 UR6, UR6, 0x2, URZ ;
        /*0310*/                   USHF.R.U32.HI UR6, URZ, 0x4, UR6 ;
        /*0320*/                   UPRMT UR6, UR6, 0x5410, URZ ;
        /*0330*/                   USHF.L.U32 UR8, UR8, 0xa, URZ ;
        /*0340*/                   UIMAD.WIDE.U32 UR4, UR8, 0x4, UR4 ;
        /*0350*/                   UBLKCP.G.S [UR4], [UR7], UR6 ;
.L_x_10:
        /*0360*/                   EXIT ;
.L_x_3:
        /*0370*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R2 ;
        /*0380*/              @!P0 BRA `(.L_x_3) ;
        /*0390*/                   BRA `(.L_x_4) ;
.L_x_5:
        /*03a0*/                   BRA `(.L_x_5);
        /*03b0*/                   NOP;
        /*03c0*/                   NOP;
        /*03d0*/                   NOP;
        /*03e0*/                   NOP;
        /*03f0*/                   NOP;
        /*0400*/                   NOP;
        /*0410*/                   NOP;
        /*0420*/                   NOP;
        /*0430*/                   NOP;
        /*0440*/                   NOP;
        /*0450*/                   NOP;
        /*0460*/                   NOP;
        /*0470*/                   NOP;
.L_x_11:


//--------------------- SYMBOLS --------------------------

	.type		.nv.reservedSmem.offset0,@object
	.size		.nv.reservedSmem.offset0,0x4
"#;

fn ran(text: &str, options: &[&str]) -> Value {
    let launch = [
        "kernel", "-", "--grid", "3", "--block", "1024", "--format", "json",
    ];
    let ran = lanescope(&[&launch, options].concat(), text.as_bytes());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("no JSON: {}", ran.err))
}

fn line_of(text: &str, part: &str) -> usize {
    1 + text
        .lines()
        .position(|line| line.contains(part))
        .expect("a line")
}

#[test]
fn what_barriers_expect_and_what_leaves_shared_memory_is_added() {
    let named = [
        "--arg",
        "in=f32[4096]",
        "--arg",
        "out=f32[4096]",
        "--arg",
        "n=1000",
    ];
    let placed = [
        "--arg",
        "0=f32[4096]",
        "--arg",
        "1=f32[4096]",
        "--arg",
        "2=1000",
    ];
    for (text, options, expects, leaves) in [
        (SOURCE, named, "expect_tx", "bulk_group"),
        (PTX, placed, "expect_tx", "bulk_group"),
        (SASS, placed, "SYNCS.ARRIVE", "UBLKCP.G.S"),
    ] {
        let copies = &ran(text, &options)["bulk_copies"];
        assert_eq!(copies["bytes"], 3 * (4_096 + 4_000), "{copies}");
        assert_eq!(copies["unsized_copies"], 0);
        let lines = json!([
            {"line": line_of(text, expects), "bytes": 3 * 4_096},
            {"line": line_of(text, leaves), "bytes": 3 * 4_000},
        ]);
        assert_eq!(copies["lines"], lines);
    }
}

#[test]
fn a_warp_executes_a_copy_once_in_sass() {
    // The whole first warp gets there, as where `@UP0 UBLKCP` stands behind `elect`.
    let text = SASS.replace(
        "ISETP.NE.AND P1, PT, R0, RZ, PT",
        "ISETP.GE.AND P1, PT, R0, 0x20, PT",
    );
    assert_ne!(text, SASS);
    let sizes = [
        "--arg",
        "0=f32[4096]",
        "--arg",
        "1=f32[4096]",
        "--arg",
        "2=1000",
    ];
    let lines = &ran(&text, &sizes)["bulk_copies"]["lines"];
    let leaves = json!({"line": line_of(&text, "UBLKCP.G.S"), "bytes": 3 * 4_000});
    assert_eq!(lines[1], leaves, "{lines}");
}

#[test]
fn bytes_that_nobody_gave_are_not_added() {
    let sizes = ["--arg", "in=f32[4096]", "--arg", "out=f32[4096]"];
    let text = SOURCE.replace("n * 4", "(int)in[threadIdx.x]");
    let copies = &ran(&text, &[&sizes[..], &["--arg", "n=1"]].concat())["bulk_copies"];
    assert_eq!(copies["bytes"], 3 * 4_096, "{copies}");
    assert_eq!(copies["unsized_copies"], 3);
}

#[test]
fn a_kernel_without_bulk_copies_has_no_row() {
    let text = "__global__ void k(float* x) { x[threadIdx.x] = 1; }";
    assert!(
        ran(text, &["--arg", "x=f32[4096]"])
            .get("bulk_copies")
            .is_none()
    );
}

/// A kernel that loads and stores a tensor's box and copies in bulk, as nvcc 13 compiles it for `sm_90`.
const TENSORS: &str = include_str!("tma.sass");

/// The remark on a line of a listing that makes no request.
fn remark(listing: &str, line: &str) -> String {
    let launch = ["kernel", "-", "--grid", "1", "--block", "128"];
    let ran = lanescope(&launch, listing.as_bytes());
    let start = format!("line {}, {line}", line_of(listing, line));
    let found = ran.out.lines().find(|remark| remark.starts_with(&start));
    found
        .unwrap_or_else(|| panic!("{line}: {}", ran.out))
        .to_owned()
}

#[test]
fn a_listing_says_that_tma_makes_no_wavefront_and_no_sector() {
    for line in ["UTMALDG.2D", "UTMASTG.2D", "UBLKCP.G.S"] {
        let remark = remark(TENSORS, line);
        assert!(remark.contains("moved by TMA"), "{remark}");
        assert!(remark.ends_with("no wavefront, no sector"), "{remark}");
    }
}

#[test]
fn memory_of_the_thread_s_own_and_textures_have_other_reasons() {
    for (line, reason) in [
        ("LDL R2, [R1]", "the thread's own: not counted"),
        (
            "TEX.SCR.B.LL R2, R0, R2, 2D",
            "a texture or surface: not counted",
        ),
    ] {
        let remark = remark(&TENSORS.replace("LDS R2, [R0]", line), line);
        assert!(remark.ends_with(reason), "{remark}");
    }
}
