//! A program: what a source says, whatever its language.

use crate::bits::value_of_bits;
use crate::{ArgumentValue, Buffer, Implied, Lines, Span};
use lanescope_ir::{ArrayId, SiteId};
use lanescope_locale::parameter_role::ParameterRole;
use lanescope_model::{Operation, Space, Width};

/// An access of the text: of [`lanescope_ir::Site`] what a reader of the text is shown. It adds where it stands in the text,
/// which memory it turns out to name, and which contents decide it ([`crate::mark_data_dependence`]); it leaves out what only
/// the run asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSite {
    /// The text of the access, as in `tile[threadIdx.x][threadIdx.y]`.
    pub span: Span,
    /// Its line, from 1.
    pub line: u32,
    /// Its column in bytes, from 1.
    pub column: u32,
    /// The array it touches, where that is known before the launch.
    pub array: Option<ArrayId>,
    /// Which memory (as far as known before the launch).
    pub space: Space,
    /// What it does there.
    pub operation: Operation,
    /// Bytes a lane.
    pub width: Width,
    /// Whether every read counts, whatever was read before.
    pub volatile: bool,
    /// Whether nothing that the kernel stores changes what it reads (`const` and `__restrict__`).
    pub read_only: bool,
    /// The array whose contents decide the address.
    pub depends_on: Option<ArrayId>,
    /// The array whose contents decide whether the site is reached at all.
    pub reached_by: Option<ArrayId>,
}

/// Sectors, lines and alignment depend on no higher bits of a buffer's address.
const POINTER_PERIOD: u64 = 1024;

/// An array in shared memory or a buffer in global memory, as the text declares it: of [`lanescope_ir::Array`] what a reader of
/// the text is shown, with where it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceArray {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Line of its declaration, from 1.
    pub line: u32,
    /// Column of its declaration in bytes, from 1.
    pub column: u32,
    /// Which memory it lies in.
    pub space: Space,
    /// The element's type, as in `float`.
    pub element: String,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Bytes before the first of the elements that the launch counts: the fields of a structure
    /// that ends with an array of any size.
    pub header_bytes: u64,
    /// Its dimensions, the outermost first; empty when only the launch knows its size.
    pub extents: Vec<u64>,
    /// Bytes of the whole; `None` when only the launch knows.
    pub bytes: Option<u64>,
    /// Whether the pointer to it is `__restrict__`: stores elsewhere do not change it.
    pub restrict: bool,
    /// Address of its first byte in its space, as [`lanescope_model::Request::addresses`] counts (less the
    /// launch's `base_offset`).
    pub base: u64,
}

/// A variable of an expression that takes each of several values: [`lanescope_ir::Variable`] with where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVariable {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its values, in the order written; at least one.
    pub values: Vec<i64>,
}

/// A parameter that the launch gives a value. To [`lanescope_ir::Parameter`] it adds where it stands in the text, which bytes of
/// the launch's arguments it is (a field of a structure is one of several), what it stands for, and what it is where nobody
/// gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceParameter {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Line of its declaration, from 1.
    pub line: u32,
    /// Column of its declaration in bytes, from 1.
    pub column: u32,
    /// Its type, as in `const float*`.
    pub ty: String,
    /// The buffer, if it is a pointer.
    pub array: Option<ArrayId>,
    /// Where the launch passes its bytes; `None` for what the source declares outside the kernel's parameters.
    pub passed: Option<Passed>,
    /// What it stands for, where the author of the kernel wrote no parameter of this name.
    pub role: Option<ParameterRole>,
    /// What a launch that does not give it passes.
    pub implied: Option<Implied>,
}

/// Where the bytes of a parameter, or of a part of one, stand among a launch's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The argument, counted from 0.
    pub position: u32,
    /// Bytes from the argument's beginning.
    pub offset: u64,
    /// Bytes of the whole argument.
    pub of_bytes: u64,
}

/// The kernel that runs, and what its text says of it: where accesses, arrays and parameters stand, and what they are called.
///
/// It does not depend on the language of the text. A program without kernel has its requests ready (a layout), or is shown
/// where another thread runs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The name of the kernel; empty for an expression.
    pub name: String,
    /// By [`SiteId`], in the order of the kernel.
    pub sites: Vec<SourceSite>,
    /// By [`ArrayId`].
    pub arrays: Vec<SourceArray>,
    /// Of an expression.
    pub variables: Vec<SourceVariable>,
    /// What the launch gives values to.
    pub parameters: Vec<SourceParameter>,
    /// By parameter: its type.
    pub parameter_types: Vec<crate::scalar::Scalar>,
    /// The names of all kernels of the source, in order.
    pub kernels: Vec<String>,
    /// Numbers that the source leaves to its pipeline (WGSL's overrides), in order, with the values that they have.
    pub overrides: Vec<(String, String)>,
    /// Bytes of statically declared shared memory of a block.
    pub shared_bytes: u64,
    /// Whether it is a list of accesses and no kernel.
    pub is_expression: bool,
    /// Threads of a block, where the source says so and not the launch.
    pub block: Option<[u32; 3]>,
    /// Where the lines of the source begin.
    pub lines: Lines,
    /// The requests of a program that has no code: a layout's.
    pub recorded: Vec<Recorded>,
    /// The kernel that runs.
    pub lowered: Option<std::sync::Arc<lanescope_ir::Kernel>>,
    /// By site of that kernel: what a compiler has made of it; empty where each site stands for itself.
    pub origins: Vec<crate::SiteOrigin>,
}

/// A request held ready, and the site it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The access it belongs to.
    pub site: SiteId,
    /// What its lanes ask for.
    pub request: lanescope_layouts::LaneRequest,
}

impl Program {
    /// The kernel's name; empty for an expression.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of all kernels in the source, in order.
    #[must_use]
    pub fn kernels(&self) -> &[String] {
        &self.kernels
    }

    /// Every place that touches memory, by [`SiteId`], in the order of the kernel.
    #[must_use]
    pub fn sites(&self) -> &[SourceSite] {
        &self.sites
    }

    /// The site with this id, if the program has it.
    #[must_use]
    pub fn site(&self, id: SiteId) -> Option<&SourceSite> {
        self.sites.get(id.0 as usize)
    }

    /// Arrays and buffers, by [`ArrayId`].
    #[must_use]
    pub fn arrays(&self) -> &[SourceArray] {
        &self.arrays
    }

    /// The array with this id, if the program has it.
    #[must_use]
    pub fn array(&self, id: ArrayId) -> Option<&SourceArray> {
        self.arrays.get(id.0 as usize)
    }

    /// The variables with several values, for sliders.
    #[must_use]
    pub fn variables(&self) -> &[SourceVariable] {
        &self.variables
    }

    /// Warps of one block that the source itself names (a layout's); `None` where the launch does.
    #[must_use]
    pub fn own_warps(&self) -> Option<u64> {
        let warps = self
            .recorded
            .iter()
            .map(|recorded| recorded.request.warp + 1);
        warps.max()
    }

    /// Threads of a block along x, y, z that the source itself names (WGSL's `@workgroup_size`);
    /// a run takes these whatever the launch says. `None` where the launch does.
    #[must_use]
    pub fn block(&self) -> Option<[u32; 3]> {
        self.block
    }

    /// What the launch gives values to.
    #[must_use]
    pub fn parameters(&self) -> &[SourceParameter] {
        &self.parameters
    }

    /// The value that bytes of a launch give to parameter `at` of [`Program::parameters`]: `bits` read by its type, a
    /// pointer as a buffer of any size whose address has these lowest bits. `None` where there is no such parameter.
    #[must_use]
    pub fn passed_value(&self, at: usize, bits: u64) -> Option<ArgumentValue> {
        let parameter = self.parameters.get(at)?;
        if parameter.array.is_some() {
            return Some(ArgumentValue::Buffer(Buffer {
                elements: (bits == 0).then_some(0),
                base_offset: bits % POINTER_PERIOD,
                ..Buffer::default()
            }));
        }
        Some(value_of_bits(*self.parameter_types.get(at)?, bits))
    }

    /// Bytes that parameter `at` of [`Program::parameters`] takes of its argument; 0 where there is none.
    #[must_use]
    pub fn passed_bytes(&self, at: usize) -> u64 {
        self.parameter_types
            .get(at)
            .map_or(0, |scalar| scalar.bytes())
    }

    /// Whether it is a list of accesses and no kernel.
    #[must_use]
    pub fn is_expression(&self) -> bool {
        self.is_expression
    }

    /// Line and column of a byte of the source.
    #[must_use]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Bytes of statically declared shared memory of a block.
    #[must_use]
    pub fn shared_bytes(&self) -> u64 {
        self.shared_bytes
    }
}
