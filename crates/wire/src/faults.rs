//! What is wrong with compiled code, as bytes.

use lanescope_locale::compiled_fault::CompiledFault;
use lanescope_locale::other_text::OtherText;
use lanescope_locale::ptx_fault::{PtxError, PtxFault};
use lanescope_locale::sass_fault::SassFault;

use crate::wire_enums;

wire_enums! {
    CompiledFault { Ptx { 0: a }, NoPtx { 0: a }, Sass { 0: a } }
    OtherText {
        Empty, Ptx, Sass, AmdAssembly, Llvm, Mlir, Cuda, Wgsl, Encodings, NoPtx, NoSass,
    }
    PtxError {
        NotPtx { 0: a },
        TooLong { mebibytes: a },
        NoKernel,
        Several { 0: a },
        Unknown { 0: a, 1: b },
    }
    PtxFault {
        Unexpected { 0: a },
        MissingSemicolon { 0: a },
        MissingInstruction,
        NotAnOperand { 0: a },
        EndsInInstruction,
        OpenDeclaration,
        UnopenedBrace,
        NotADirective { 0: a },
        UnnamedFunction,
        EndsInFunction,
        NoValue,
        MissingOperand,
        VectorLength,
        AddressOfParameter { 0: a },
        AddressOfFunction { 0: a },
        PredicateOrNumber,
        MissingAddress,
        GenericAddress { 0: a },
        KernelTooLong,
        NotWritable,
        MemoryNotModelled { 0: a },
        TooDeep,
        NotAPredicate { 0: a },
        UnknownLabel,
        NoTargets,
        HoldsAddresses { 0: a },
        NotDeclared { 0: a },
        ContentsNotKnown { 0: a },
        CallOfNothing,
        Recursion { 0: a },
        CalledTooDeep { 0: a },
        NoBody { 0: a },
        IndirectCall { 0: a },
        UnknownInstruction { 0: a },
        CountedAsTwo { 0: a },
        VectorMismatch,
        NarrowRegister,
        UndeclaredParameter,
        NotAParameter { 0: a },
        ReadOnlyParameter,
        PartialReduction,
        AsyncCopyBytes,
        NotARegister { 0: a },
        ReadOnlyRegister { 0: a },
        UndeclaredRegister { 0: a },
        MissingHead,
    }
    SassFault {
        TooLong { mebibytes: a },
        NotSass { 0: a },
        ArchitectureAssumed { taken: a },
        SeveralArchitectures { found: a, taken: b },
        InitialConstants,
        UnknownFunction { wanted: a, names: b },
        FirstRows { rows: a },
        NotModelled { opcode: a, times: b },
        CutOff { function: a },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wire as _;

    #[test]
    fn faults_come_back_as_they_went() {
        let all = vec![
            CompiledFault::Ptx(PtxFault::NoBody("f".into())),
            CompiledFault::Ptx(PtxFault::MissingHead),
            CompiledFault::NoPtx(PtxError::NotPtx(OtherText::NoPtx)),
            CompiledFault::NoPtx(PtxError::Unknown("f".into(), vec!["g".into()])),
            CompiledFault::Sass(SassFault::SeveralArchitectures {
                found: vec![80, 90],
                taken: 90,
            }),
            CompiledFault::Sass(SassFault::NotModelled {
                opcode: "FOO".into(),
                times: 3,
            }),
        ];
        assert_eq!(Vec::of_bytes(&all.to_bytes()), Some(all));
    }
}
