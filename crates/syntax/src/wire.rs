//! Places and diagnostics as bytes between the modules of one build.

use crate::{Construct, Contents, Diagnostic, DiagnosticKind, Fix, Lines, Scalar, Span, Thread};
use lanescope_wire::{Wire, wire_enums, wire_structs};

wire_structs! {
    Span { start, end }
    Lines { starts }
    Thread { block, thread, warp, lane }
}

wire_enums! {
    Contents { Zero, Iota, Random { 0: a } }
    Construct {
        Code { 0: a },
        Name,
        Type,
        Expression,
        Value,
        Declaration,
        Text,
        Comment,
        Directive,
        ConditionBefore,
        End,
        Nothing,
        TemplateArgument,
        ArraySize,
        BlockSize,
        VariableValue,
        BitFieldWidth,
        RangeFor,
        Binding,
        ParameterPack,
        AddressOfValue,
        Lambda,
        Cast,
        OutsideLoop { 0: a },
        Call,
        MemberFunction { 0: a },
        Overload { 0: a },
        InlineAssembly,
        AssemblyInstruction { 0: a },
        AsyncCopy,
        AsyncCopyOf { 0: a },
        SumOfHalves,
        PackedBitField,
        CopyOfUnknownLength,
        ConstantMemory { 0: a },
        ArrayContents { 0: a },
        Texture,
        Derivative,
        Bitcast,
        AnExpression,
        AStatement,
        Uninitialized,
        Parameter { 0: a },
        Unpredictable,
        InactiveLane,
        Forgotten,
        Unmodelled,
        UnreadValue,
        UnmodelledInstruction { 0: a },
    }
    Scalar { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64, SignedChar }
}

/// Carries these kinds as they are and every other as its text.
macro_rules! kinds {
    ($($variant:ident $({ $($field:ident),* })?,)*) => {
        impl Wire for DiagnosticKind {
            fn put(&self, out: &mut Vec<u8>) {
                let mut at = 1_u8;
                $(
                    if let Self::$variant $({ $($field),* })? = self {
                        at.put(out);
                        $( $( $field.put(out); )* )?
                        return;
                    }
                    at += 1;
                )*
                let _ = at;
                (0_u8, self.to_string()).put(out);
            }

            fn take(input: &mut &[u8]) -> Option<Self> {
                let found = u8::take(input)?;
                if found == 0 {
                    return String::take(input).map(|message| Self::Wgsl { message });
                }
                let mut at = 1_u8;
                $(
                    if found == at {
                        return Some(Self::$variant $({ $( $field: Wire::take(input)?, )* })?);
                    }
                    at += 1;
                )*
                let _ = at;
                None
            }
        }
    };
}

// All but those of a layout, which no worker reads.
kinds! {
    SourceTooLong { limit },
    TooManyTokens { limit },
    TooDeep { limit },
    TooLarge { limit },
    TooManySteps { limit },
    TooManyTypes { limit },
    TooManyBytes { limit },
    UnexpectedCharacter { character },
    Unterminated { what },
    BadNumber { text },
    Expected { expected, found },
    MissingInclude { name },
    MacroArguments { name, expected, found },
    UnknownName { name, suggestion },
    UnknownType { name, suggestion },
    UnknownFunction { name, suggestion },
    UnknownField { field, ty, suggestion },
    UnknownArgument { name, suggestion },
    ArgumentCount { name, expected, found },
    NotIndexable { found },
    NotAPointer { found },
    NotAssignable,
    NotConstant { what },
    Mismatch { expected, found },
    Redeclared { name },
    Recursion { name },
    Unsupported { what },
    LeftOut { what },
    Ignored { what },
    NoKernel,
    OtherLanguage { name },
    NeedsCompiler { library },
    UnknownKernel { name, suggestion },
    SeveralKernels { taken },
    MissingTemplateArgument { name, assumed },
    MissingArgument { name, assumed },
    AssumedType { name, assumed },
    AssumedName { name, assumed },
    NoAccess,
    TooManyValues { limit },
    DivisionByZero,
    BlockTooLarge { threads, limit },
    NoDynamicShared { name },
    GuessedLaunch { grid, block },
    NeverUsed,
    NoResult,
    PassesCut,
    AssemblerChoice,
    WarpAggregated,
    CompareAndSwapLoop,
    DependsOnData { array, contents },
    DependsOnUnknown { what },
    CompiledNote { fault },
    CompiledGap { fault },
    CompiledError { fault },
    ObjectAlone { kernels, architectures },
    OutOfRange { array, dimension, index, extent, thread },
    OutOfBounds { array, offset, bytes, overflow, thread },
    WildPointer { thread },
    Misaligned { array, offset, bytes, thread },
    DivergentBarrier { waits, missing },
    BarrierAfterReturn { waits, returned },
    Race { array, word, first_line, first, first_writes, second_line, second, second_writes },
    ReaderSlow,
    ReaderMissing,
    ReaderForbidden,
    Stopped { requests },
}

wire_structs! {
    Fix { span, replacement }
    Diagnostic { span, line, column, kind, fix }
}
