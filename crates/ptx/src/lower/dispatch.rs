//! The table of instructions: which function lowers which opcode.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::Opcode;
use crate::parser::shorten;
use lanescope_ir::{BinaryOp, Op, Terminator, UnaryOp};
use lanescope_locale::ptx_fault::PtxFault;

/// Instructions that change no value and move no data that is counted: hints to caches and schedulers, and ends of
/// groups of asynchronous work, whose data is taken as there at once.
const SILENT: [&str; 11] = [
    "prefetch",
    "prefetchu",
    "applypriority",
    "discard",
    "nanosleep",
    "pmevent",
    "setmaxnreg",
    "griddepcontrol",
    "brkpt",
    "stackrestore",
    "clusterlaunchcontrol",
];

impl<'t> Lowering<'_, 't> {
    /// Lowers one instruction; `self.guard` holds its predicate.
    pub(super) fn dispatch(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        match opcode.base {
            "mov" => self.mov(opcode, operands),
            "cvta" => self.convert_address(opcode, operands),
            "isspacep" => self.is_space(opcode, operands),
            "cvt" => self.cvt(opcode, operands),
            "selp" => self.select_predicate(opcode, operands),
            "slct" => self.select_sign(opcode, operands),
            "add" | "sub" if opcode.has("cc") => {
                self.add_carry(opcode, operands, opcode.base == "sub", false)
            }
            "addc" | "subc" => self.add_carry(opcode, operands, opcode.base == "subc", true),
            "mad" if opcode.has("cc") => self.multiply_add_carry(opcode, operands, false),
            "madc" => self.multiply_add_carry(opcode, operands, true),
            "add" => self.two(opcode, operands, BinaryOp::Add),
            "sub" => self.two(opcode, operands, BinaryOp::Subtract),
            "div" => self.two(opcode, operands, BinaryOp::Divide),
            "rem" => self.two(opcode, operands, BinaryOp::Remainder),
            "min" => self.extremum(opcode, operands, BinaryOp::Minimum),
            "max" => self.extremum(opcode, operands, BinaryOp::Maximum),
            "and" => self.two(opcode, operands, BinaryOp::And),
            "or" => self.two(opcode, operands, BinaryOp::Or),
            "xor" => self.two(opcode, operands, BinaryOp::Xor),
            "copysign" => self.copy_sign(opcode, operands),
            "mul" => self.multiply(opcode, operands),
            "mad" | "fma" => self.multiply_add(opcode, operands),
            "mul24" | "mad24" => self.multiply_24(opcode, operands),
            "sad" => self.sum_absolute_difference(opcode, operands),
            "shl" => self.shift(opcode, operands, BinaryOp::ShiftLeft),
            "shr" => self.shift(opcode, operands, BinaryOp::ShiftRight),
            "neg" => self.one(opcode, operands, UnaryOp::Negate),
            "abs" => self.one(opcode, operands, UnaryOp::Abs),
            "not" => self.one(opcode, operands, UnaryOp::Not),
            "brev" => self.one(opcode, operands, UnaryOp::ReverseBits),
            "rcp" => self.one(opcode, operands, UnaryOp::Reciprocal),
            "sqrt" => self.one(opcode, operands, UnaryOp::Sqrt),
            "rsqrt" => self.one(opcode, operands, UnaryOp::ReciprocalSqrt),
            "sin" => self.one(opcode, operands, UnaryOp::SinApprox),
            "cos" => self.one(opcode, operands, UnaryOp::CosApprox),
            "lg2" => self.one(opcode, operands, UnaryOp::Log2Approx),
            "ex2" => self.one(opcode, operands, UnaryOp::Exp2),
            "tanh" => self.one(opcode, operands, UnaryOp::Tanh),
            "cnot" => self.logical_not(opcode, operands),
            "popc" => self.count(opcode, operands, UnaryOp::PopCount),
            "clz" => self.count(opcode, operands, UnaryOp::LeadingZeros),
            "bfind" => self.find_leading(opcode, operands),
            "bfe" | "szext" => self.extract(opcode, operands),
            "bfi" => self.insert(opcode, operands),
            "bmsk" => self.bit_mask(opcode, operands),
            "lop3" => self.lop3(opcode, operands),
            "shf" => self.funnel_shift(opcode, operands),
            "prmt" => self.permute(opcode, operands),
            "dp4a" | "dp2a" => self.dot_product(opcode, operands),
            "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" => {
                self.video(opcode, operands);
            }
            "setp" => self.set_predicate(opcode, operands),
            "set" => self.set_value(opcode, operands),
            "testp" => self.test_property(opcode, operands),
            "ld" | "ldu" => self.load(opcode, operands),
            "st" => self.store(opcode, operands),
            "atom" | "red" => self.atomic(opcode, operands),
            "cp" => self.copy(opcode, operands),
            "ldmatrix" => self.load_matrix(opcode, operands),
            "stmatrix" => self.store_matrix(opcode, operands),
            "wmma" => self.wmma(opcode, operands),
            "mma" | "movmatrix" | "fns" | "mapa" | "getctarank" | "istypep" => {
                self.unmodelled(opcode.text, operands, true);
            }
            "wgmma" => self.warp_group_matrix(opcode, operands),
            "tcgen05" => self.tensor_memory(opcode, operands),
            "createpolicy" => {
                let policy = lanescope_ir::Operand::Constant(0);
                self.write(operands.first(), lanescope_ir::ScalarType::U64, policy);
            }
            "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" => {
                self.texture(opcode, operands)
            }
            "shfl" => self.shuffle(opcode, operands),
            "vote" => self.vote(opcode, operands),
            "match" => self.match_lanes(opcode, operands),
            "redux" => self.reduce_lanes(opcode, operands),
            "activemask" => self.active_mask(operands),
            "elect" => self.elect(operands),
            "bar" | "barrier" => self.barrier(opcode, operands),
            "membar" | "fence" => self.emit(Op::Fence),
            "mbarrier" => self.object_barrier(opcode, operands),
            "bra" => self.branch(operands),
            "brx" => self.branch_indexed(opcode, operands),
            "call" => self.call(opcode, operands),
            "ret" => self.give_back(),
            "exit" | "trap" => self.terminate_guarded(Terminator::Exit),
            base if SILENT.contains(&base) => {}
            _ => self.not_known(opcode, operands),
        }
    }

    /// An opcode that is not in the table. Arithmetic on packed values is pure, whatever it is called.
    fn not_known(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let is_video =
            matches!(opcode.base.as_bytes(), [b'v', .., b'2' | b'4']) || opcode.base == "vset";
        if !is_video {
            self.note(PtxFault::UnknownInstruction(shorten(opcode.text)));
        }
        self.unmodelled(opcode.text, operands, is_video);
    }
}
