//! Names of WGSL for names of the source.

use std::collections::BTreeSet;

/// The keywords, reserved words and predeclared names of WGSL, and the names that the emitted text has of its own.
///
/// # Source
/// WGSL, candidate recommendation draft of August 2025, keyword summary and predeclared identifiers.
const TAKEN: &str = "\
    alias break case const const_assert continue continuing default diagnostic discard else enable false \
    fn for if let loop override requires return struct switch true var while NULL Self abstract active \
    alignas alignof as asm asm_fragment async attribute auto await become cast catch class co_await \
    co_return co_yield coherent column_major common compile compile_fragment concept const_cast \
    consteval constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast \
    enum explicit export extends extern external fallthrough filter final finally friend from fxgroup \
    get goto groupshared highp impl implements import inline instanceof interface layout lowp macro \
    macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline \
    nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset \
    partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref \
    regardless register reinterpret_cast require resource restrict self set shared sizeof smooth snorm \
    static static_assert static_cast std subroutine super target template this thread_local throw trait \
    try type typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual \
    volatile wgsl where with writeonly yield bool i32 u32 f32 f16 array atomic vec2 vec3 vec4 mat2x2 \
    mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 ptr sampler sampler_comparison texture_1d \
    texture_2d texture_2d_array texture_3d texture_cube texture_cube_array texture_multisampled_2d \
    texture_depth_multisampled_2d texture_external texture_storage_1d texture_storage_2d \
    texture_storage_2d_array texture_storage_3d texture_depth_2d texture_depth_2d_array \
    texture_depth_cube texture_depth_cube_array read write read_write function private workgroup uniform \
    storage rgba8unorm rgba8snorm rgba8uint rgba8sint rgba16unorm rgba16snorm rgba16uint rgba16sint \
    rgba16float rg8unorm rg8snorm rg8uint rg8sint rg16unorm rg16snorm rg16uint rg16sint rg16float \
    r32uint r32sint r32float rg32uint rg32sint rg32float rgba32uint rgba32sint rgba32float bgra8unorm \
    r8unorm r8snorm r8uint r8sint r16unorm r16snorm r16uint r16sint r16float rgb10a2unorm rgb10a2uint \
    rg11b10ufloat bitcast all any select arrayLength abs acos acosh asin asinh atan atanh atan2 ceil \
    clamp cos cosh countLeadingZeros countOneBits countTrailingZeros cross degrees determinant distance \
    dot dot4U8Packed dot4I8Packed exp exp2 extractBits faceForward firstLeadingBit firstTrailingBit \
    floor fma fract frexp insertBits inverseSqrt ldexp length log log2 max min mix modf normalize pow \
    quantizeToF16 radians reflect refract reverseBits round saturate sign sin sinh smoothstep sqrt step \
    tan tanh transpose trunc dpdx dpdxCoarse dpdxFine dpdy dpdyCoarse dpdyFine fwidth fwidthCoarse \
    fwidthFine textureDimensions textureGather textureGatherCompare textureLoad textureNumLayers \
    textureNumLevels textureNumSamples textureSample textureSampleBias textureSampleCompare \
    textureSampleCompareLevel textureSampleGrad textureSampleLevel textureSampleBaseClampToEdge \
    textureStore atomicLoad atomicStore atomicAdd atomicSub atomicMax atomicMin atomicAnd atomicOr \
    atomicXor atomicExchange atomicCompareExchangeWeak pack4x8snorm pack4x8unorm pack4xI8 pack4xU8 \
    pack4xI8Clamp pack4xU8Clamp pack2x16snorm pack2x16unorm pack2x16float unpack4x8snorm unpack4x8unorm \
    unpack4xI8 unpack4xU8 unpack2x16snorm unpack2x16unorm unpack2x16float storageBarrier textureBarrier \
    workgroupBarrier workgroupUniformLoad subgroupAdd subgroupExclusiveAdd subgroupInclusiveAdd \
    subgroupAll subgroupAnd subgroupAny subgroupBallot subgroupBroadcast subgroupBroadcastFirst \
    subgroupElect subgroupMax subgroupMin subgroupMul subgroupExclusiveMul subgroupInclusiveMul \
    subgroupOr subgroupShuffle subgroupShuffleDown subgroupShuffleUp subgroupShuffleXor subgroupXor \
    quadBroadcast quadSwapDiagonal quadSwapX quadSwapY i64 u64 f64 push_constant r64uint \
    args Arguments thread thread_index group groups lanes local exchange exchange_flags any_left grid_index";

/// Hands out names, each once.
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self {
            taken: TAKEN.split(' ').map(str::to_owned).collect(),
        }
    }

    /// A name like `wanted` that no other has: letters, digits and underscores.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let plain: String = wanted
            .chars()
            .map(|letter| if is_plain(letter) { letter } else { '_' })
            .collect();
        let plain = plain.trim_matches('_');
        let begins = plain
            .chars()
            .next()
            .is_some_and(|one| one.is_ascii_alphabetic());
        let mut name = if begins {
            plain.to_owned()
        } else {
            format!("k{plain}")
        };
        if is_own(&name) {
            name.push('_');
        }
        let mut free = name.clone();
        let mut number = 2;
        while !self.taken.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }
}

/// Whether a name looks like those of registers, masks and temporaries.
fn is_own(name: &str) -> bool {
    let (letter, number) = name.split_at(1);
    ["r", "m", "t", "b"].contains(&letter)
        && !number.is_empty()
        && number.chars().all(|one| one.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_are_words_that_nothing_else_has() {
        let mut names = Names::new();
        assert_eq!(names.take("out"), "out");
        assert_eq!(names.take("out"), "out_2");
        assert_eq!(names.take("select"), "select_2");
        assert_eq!(names.take("r12"), "r12_");
        assert_eq!(names.take("__row"), "row");
        assert_eq!(names.take("k<8, float>"), "k_8__float");
        assert_eq!(names.take(""), "k");
    }
}
