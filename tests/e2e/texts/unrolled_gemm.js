// A GEMM in SASS whose loops are unrolled whole, as `crates/query/benches/unrolled_gemm` prints it: a block of 256 threads
// makes 64 x 64 of C, in steps of eight along K, four by four results a thread.

/** Steps along K, which make about five thousand instructions. */
const STEPS = 33;
/** Along K, that a step takes. */
const DEPTH = 8;
/** Bytes of a tile of A, behind which that of B stands. */
const TILE_BYTES = 64 * DEPTH * 4;

const BEGIN = [
  "S2R R0, SR_TID.X",
  "S2R R3, SR_CTAID.X",
  "ULDC.64 UR4, c[0x0][0x118]",
  "IMAD.SHL.U32 R2, R0, 0x8, RZ",
  "IMAD R8, R3, 0x4000, R0",
  "IMAD.MOV.U32 R10, RZ, RZ, 0x4",
  "IMAD.WIDE R4, R8, R10, c[0x0][0x160]",
  "IMAD.WIDE R6, R0, R10, c[0x0][0x168]",
  "LOP3.LUT R20, R0, 0xf, RZ, 0xc0, !PT",
  "SHF.R.U32.HI R21, RZ, 0x4, R0",
  "IMAD.SHL.U32 R20, R20, 0x10, RZ",
  "IMAD.SHL.U32 R21, R21, 0x10, RZ",
];
const END = ["IMAD.SHL.U32 R8, R8, 0x4, RZ", "IMAD.WIDE R12, R8, R10, c[0x0][0x170]"];

const hex = (value) => `0x${value.toString(16)}`;
const upTo = (count, one) => Array.from({ length: count }, (_, index) => one(index));

/** Two elements a thread of each tile go to shared memory. */
function stage(step) {
  const load = (register, base) =>
    upTo(2, (part) => `LDG.E R${register + part}, [${base}.64+${hex(step * TILE_BYTES + part * 1024)}]`);
  const stores = ["BAR.SYNC 0x0", "STS.64 [R2], R22", `STS.64 [R2+${hex(TILE_BYTES)}], R24`, "BAR.SYNC 0x0"];
  return [...load(22, "R4"), ...load(24, "R6"), ...stores];
}

/** Four elements of either tile, and their sixteen products. */
function multiply(k) {
  const row = k * 64 * 4;
  const product = (index) => {
    const [sum, a, b] = [40 + index, 28 + (index >> 2), 32 + (index & 3)];
    return `FFMA R${sum}, R${a}, R${b}, R${sum}`;
  };
  return [`LDS.128 R28, [R21+${hex(row)}]`, `LDS.128 R32, [R20+${hex(TILE_BYTES + row)}]`, ...upTo(16, product)];
}

const steps = upTo(STEPS, (step) => [...stage(step), ...upTo(DEPTH, multiply).flat()]).flat();
const stores = upTo(4, (row) => `STG.E.128 [R12.64+${hex(row * 0x1000)}], R${40 + 4 * row}`);

/** The instructions, in order. */
export const INSTRUCTIONS = [...BEGIN, ...steps, ...END, ...stores, "EXIT"];

/** The listing as a disassembler prints it, an instruction on each line after the first. */
export const UNROLLED_GEMM = [
  "\t\tFunction : unrolled_gemm",
  ...INSTRUCTIONS.map((instruction, index) => {
    const address = (index * 16).toString(16).padStart(4, "0");
    return `        /*${address}*/                   ${instruction} ;`;
  }),
  "",
].join("\n");
