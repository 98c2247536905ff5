/** One to three whole numbers from 1; those left out are 1. */
export type Extent = number | [number] | [number, number] | [number, number, number];

/** A device by its numbers. */
export interface Numbers {
  banks: number;
  bank_bits: number;
  lanes: number;
  /** Whether lanes on one word share it: none, those on one word a step, or all. */
  broadcast: "none" | "one" | "any";
  sector_bytes: number;
  line_bytes: number;
}

interface Common {
  /** An id, as `lanescope devices` lists them ("cc9.0" unless said otherwise), or the numbers of a device of your own. */
  device?: string | Numbers;
  /** Requests of warps after which the run stops (10,000,000). */
  max_requests?: number;
  /** Steps of warps and blocks after which the run stops (20 for each request). */
  max_steps?: number;
  /** Seconds after which the run stops (2 for pictures, no limit for reports). */
  max_seconds?: number;
  /** A value that a thread reads twice, with no store or barrier between, counts twice. */
  count_repeated_reads?: boolean;
  /** What compiles the kernel before it is counted; left out: the one that was measured, else none. */
  compiler?: "none" | "nvcc-13";
}

interface Launched extends Common {
  /** Blocks along x, y, z. */
  grid?: Extent;
  /** Threads of a block along x, y, z; one warp unless said otherwise. Of WGSL instead of what @workgroup_size says. */
  block?: Extent;
}

/** Index expressions over declared arrays. */
export interface ExpressionQuestion extends Launched {
  /** One access a line, such as "tile[threadIdx.x][threadIdx.y]". */
  accesses: string | string[];
  /** Arrays and variables as in CUDA, such as "float tile[32][33]". */
  declarations?: string | string[];
  /** What an access without assignment does. */
  operation?: "load" | "store";
  /** Values of variables that have several. */
  values?: Record<string, number>;
}

/** A CUDA, HIP, C++ AMP or WGSL kernel, or one that a compiler made: PTX or SASS. */
export interface KernelQuestion extends Launched {
  /** The source. */
  kernel: string;
  /** Which kernel of it; the last one unless said otherwise. */
  kernel_name?: string;
  /** Macros and template parameters. */
  defines?: Record<string, string | number | boolean>;
  /** Values of parameters: numbers, or for an array as in "1048576,random:7,offset:4". */
  arguments?: Record<string, string | number | boolean>;
  /** Bytes of `extern __shared__` memory. */
  dynamic_shared_bytes?: number;
}

/** Whatever a link of the page opens. */
export interface LinkQuestion {
  /** The link, or its fragment. */
  link: string;
  max_requests?: number;
  /** Steps of warps and blocks after which the run stops (20 for each request). */
  max_steps?: number;
  /** Seconds after which the run stops (2 for pictures, no limit for reports). */
  max_seconds?: number;
}

export type Question = ExpressionQuestion | KernelQuestion | LinkQuestion;

/** The sums of the whole run, by the profiler's names. */
export interface Totals {
  shared_load_wavefronts: number;
  shared_load_bank_conflicts: number;
  shared_store_wavefronts: number;
  shared_store_bank_conflicts: number;
  shared_atomic_wavefronts: number;
  /** Of `ldmatrix`; the profiler counts them with shared loads. */
  matrix_load_wavefronts: number;
  /** Of `stmatrix`; the profiler counts them with shared stores. */
  matrix_store_wavefronts: number;
  /** Of `cp.async`, on the side of shared memory. */
  async_copy_wavefronts: number;
  global_load_requests: number;
  global_load_sectors: number;
  global_store_requests: number;
  global_store_sectors: number;
  /** Atomic operations on global memory whose old value nobody wants. */
  global_reduction_requests: number;
  global_reduction_sectors: number;
  /** Atomic operations on global memory that give the old value back. */
  global_atomic_requests: number;
  global_atomic_sectors: number;
}

/** One line and kind of operation; what does not apply is 0. */
export interface Line {
  /** The included file that it stands in; of the source, nothing. */
  file?: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  op:
    | "shared_load"
    | "shared_store"
    | "shared_atomic"
    | "matrix_load"
    | "matrix_store"
    | "async_copy"
    | "global_load"
    | "global_store"
    | "global_atomic"
    | "global_reduction";
  text: string;
  /** Of compiled code: the instruction without its operands. */
  opcode?: string;
  /** Of compiled code: the line of the source that it comes from, where the listing says. */
  source?: { file: string; line: number };
  /** How far the counts of the line can be relied on, as far as they depend on data. */
  certainty: "counted" | "assumed" | "partial";
  requests: number;
  wavefronts: number;
  ideal_wavefronts: number;
  conflicts: number;
  /** n of n-way. */
  ways: number;
  sectors: number;
  ideal_sectors: number;
  bytes_used: number;
  bytes_moved: number;
  /** What `sectors` counts where it is not sectors. */
  unit?: "lines" | "transactions";
  /** Whether the wavefronts are a lower bound. */
  at_least?: true;
  /** Why there is no number. */
  unknown?: string;
  /** What the model of the compiler did to the accesses of the line. */
  remarks?: { code: string; text: string; message: string }[];
}

/** A place in the source; lines and columns from 1. */
export interface Place {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

/** What is to be said about the source. */
export interface Diagnostic extends Place {
  severity: "note" | "warning" | "error";
  code: string;
  /** Of an expression: where lines are counted. */
  within?: "declarations" | "accesses";
  message: string;
  fix?: Place & { replacement: string };
  /** @deprecated The same as `fix`. */
  mend?: Place & { replacement: string };
}

/** An assumption, or what is missing. */
export interface Reason {
  /** Stays the same for ever, as `argument`, `contents` or `unread`. */
  code: string;
  /** What it makes of the answer. */
  status: "predicted" | "assumed" | "partial";
  message: string;
}

/** What the launch takes of both memories, and the least that would do. */
export interface Need {
  wavefronts: number;
  ideal_wavefronts: number;
  /** Lines or transactions where the device counts those. */
  sectors: number;
  ideal_sectors: number;
}

/** An access that costs more than it needs; what does not apply is 0. */
export interface Finding {
  /** The included file that it stands in; of the source, nothing. */
  file?: string;
  line: number;
  column: number;
  op: Line["op"];
  text: string;
  requests: number;
  wavefronts: number;
  ideal_wavefronts: number;
  /** n of n-way of the worst request. */
  ways: number;
  sectors: number;
  ideal_sectors: number;
  /** What `sectors` counts where it is not sectors. */
  unit?: "lines" | "transactions";
  /** Cycles of the pipe that the waste occupies, rounded to the nearest. */
  wasted_cycles: number;
  /** Its part of all waste in hundredths of a percent; those of all findings sum to 10,000. */
  share_basis_points: number;
  /** Its costliest request. */
  worst?: { block: [number, number, number]; warp: number; iteration: number };
}

export interface Report {
  /** The version of the document: it grows where a field goes or changes its meaning. Further fields may come at any time. */
  version: 1;
  /** The kernel's name; absent for expressions. */
  kernel?: string;
  /** The device's id. */
  device: string;
  /** Whether the totals are those of the whole launch, with nothing assumed: whether `status` is `counted`. */
  exact: boolean;
  /** Whose version of a kernel is counted: `none` is the kernel as written. */
  compiler?: "none" | "nvcc-13" | "ptxas-13";
  /** The answer in one sentence. */
  verdict: string;
  /**
   * `counted`: the whole launch. `predicted`: the whole launch, as the model of a compiler has it. `assumed`: the whole launch, if
   * the reasons hold. `partial`: not fully counted.
   */
  status: "counted" | "predicted" | "assumed" | "partial";
  /** What a prediction rests on. */
  basis?: "open-choice" | "loops-cut" | "accesses-changed" | "assembler-choice";
  /** The totals of the kernel as written, where these are others. */
  as_written?: Totals;
  /** What is assumed or missing; gaps first. */
  reasons: Reason[];
  totals: Totals;
  need: Need;
  /** The accesses that waste something, the costliest first. */
  findings: Finding[];
  lines: Line[];
  diagnostics: Diagnostic[];
  /** The other kernels of the text whose launch its host code has; of the command line alone. */
  others?: Report[];
}

/** What a source costs in all. */
export interface FixTotals {
  shared_requests: number;
  shared_wavefronts: number;
  shared_ideal: number;
  shared_conflicts: number;
  ways: number;
  global_units: number;
  global_ideal: number;
}

/** A change of the source that makes it cost less; pairs are before and after. */
export interface Fix {
  /** What it does. */
  fix: string;
  array: string;
  /** The changed line or declaration. */
  source: string;
  array_wavefronts: [number, number];
  before: FixTotals;
  after: FixTotals;
  shared_bytes: [number, number];
  blocks_per_sm: [number | null, number | null];
  warps_per_sm: [number | null, number | null];
  /** Parts of 10,000 of the 16,384 bytes of workgroup memory that WebGPU promises. */
  webgpu_share: [number, number];
  index_instructions: number;
  /** How it was proved. */
  proof: string;
  /** The line whose accesses cost more with it. */
  raises?: { line: number; from: number; to: number };
  /** Options of the command line that the changed source is launched with, where they are others. */
  launch_options?: string[];
  /** Where it puts the elements of shared arrays, as CuTe and Triton write layouts. */
  layouts?: { array: string; cute: string; cute_dsl: string; triton: string | null }[];
  /** Replacements in bytes of the file's UTF-8; of an included one, its name. */
  edits: { file?: string; start: number; end: number; replacement: string }[];
}

/** The fixes of a source, best first. */
export interface Fixes {
  /** Blocks that were counted. */
  blocks: number;
  now: FixTotals;
  arrays: { name: string; wavefronts: number; bound: number; places_tried: number }[];
  fixes: Fix[];
  notes: string[];
}

/** A layout under its accesses. */
export interface LayoutQuestion {
  /** CuTe's notation or C++, a swizzle, a TMA box, Triton's encodings; with accesses on further lines. */
  layout: string;
  /** Accesses, such as "ldmatrix.x4" or "row load 128". */
  accesses?: string[];
  /** A device by any of its names ("cc9.0" unless said otherwise). */
  device?: string;
  /** Also seek the cheapest swizzle or pitch that frees all accesses. */
  find?: boolean;
  /** Bytes that rows keep aligned to; that of the widest access unless said otherwise. */
  align?: number;
}

/** What some requests of a layout cost. */
export interface LayoutCost {
  requests: number;
  wavefronts: number;
  ideal_wavefronts: number;
  conflicts: number;
  ways: number;
}

/** A layout in place of the one that was asked for. */
export interface LayoutRemedy {
  change: string;
  /** In the notation of the question. */
  layout: string;
  free: boolean;
  added_bytes: number;
  operations: number;
  totals: LayoutCost | null;
  accesses: LayoutCost[];
}

/** A layout's numbers. */
export interface LayoutReport {
  layout: string;
  element: string;
  element_bytes: number;
  rows: number;
  columns: number;
  bytes: number;
  device: string;
  /** Whether no element type was given, so that `element` is assumed. */
  element_assumed: boolean;
  /** The access that the question had none instead of. */
  access_assumed: string | null;
  diagnostics: { severity: "error" | "warning"; message: string; start: number; end: number }[];
  totals: LayoutCost | null;
  accesses: ({ text: string; bits: number } & Partial<LayoutCost>)[];
  finding: {
    alignment_bytes: number;
    verdict: string;
    proof: "cheapest" | "none_is_free" | "undecided";
    tried: number;
    as_written: LayoutRemedy;
    remedies: LayoutRemedy[];
  } | null;
}

/** The answer to a row of a trace; `null` is what the row has none of. */
export interface TraceRow {
  row: number;
  instruction: string;
  pattern?: string;
  wavefronts: number | null;
  ideal_wavefronts: number | null;
  conflicts: number | null;
  ways: number | null;
  sectors: number | null;
  ideal_sectors: number | null;
  /** Whether the wavefronts are a lower bound. */
  at_least?: true;
  /** Whether what was measured agrees. */
  agrees?: boolean;
  /** Why there is no answer. */
  unknown?: string;
}

/** A trace's answers. */
export interface TraceReport {
  device: string;
  rows: TraceRow[];
  /** How many rows with measured columns agree. */
  agreement?: { rows: number; agree: number };
  errors: { row: number; line: number; column: number; title: string; message: string; answered: boolean }[];
  errors_left_out?: number;
}

/** Loads the WASM beside the module, or what is given instead; once. */
export declare function load(wasm?: string | URL | Request | Response | BufferSource | WebAssembly.Module): Promise<void>;

/** The report on a question. Throws a sentence when the question cannot be asked. */
export declare function analyze(question: Question): Report;

/** The picture of the question's dearest request, or of that on `line`, as self-contained SVG. */
export declare function svg(question: Question, options?: { line?: number; language?: "en" | "zh" }): string;

/** The fixes of a kernel (CUDA, HIP, WGSL) or of expressions, each proved on the changed source. */
export declare function fixes(question: Question): Fixes;

/** A layout's numbers. Throws a sentence where there is no layout. */
export declare function layout(question: LayoutQuestion): LayoutReport;

/** The answers to a recorded trace, a row each. Throws a sentence where its first line does not name the columns. */
export declare function trace(text: string, options?: { device?: string }): TraceReport;

/** The link that opens the question in the page published at `base`. */
export declare function link(question: Question, base?: string): string;
