//! A recorded launch as the launch of a program.

use lanescope_frontend::{Argument, ArgumentValue, Buffer, Program, SourceParameter};
use lanescope_launches::{LaunchRecord, RecordedPointer};
use std::fmt;

/// Why a parameter got no value from a recorded launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRecorded {
    /// The parameter.
    pub name: String,
    /// Its argument, counted from 1.
    pub position: u32,
    /// What is wrong with that.
    pub why: Mismatch,
}

/// What a recorded argument lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The launch has no such argument.
    Missing,
    /// It has another size than the parameter's type.
    Size {
        /// Bytes recorded.
        recorded: u64,
        /// Bytes of the type.
        declared: u64,
    },
    /// Its bytes were not recorded.
    NoBytes,
}

impl fmt::Display for NotRecorded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            position,
            why,
        } = self;
        write!(
            out,
            "parameter `{name}` is not set by the recorded launch: "
        )?;
        match why {
            Mismatch::Missing => write!(out, "it has no argument {position}"),
            Mismatch::Size { recorded, declared } => write!(
                out,
                "argument {position} has {recorded} bytes, the parameter's type {declared}"
            ),
            Mismatch::NoBytes => write!(out, "argument {position} has no bytes in it"),
        }
    }
}

/// The arguments that `record` gives the parameters of `program`, by position, and the parameters that it gives none.
#[must_use]
pub fn recorded_arguments(
    program: &Program,
    record: &LaunchRecord,
) -> (Vec<Argument>, Vec<NotRecorded>) {
    let (mut given, mut missing) = (Vec::new(), Vec::new());
    for (at, parameter) in program.parameters().iter().enumerate() {
        match value(program, at, parameter, record) {
            Ok(value) => given.extend(value.map(|value| Argument {
                name: parameter.name.clone(),
                value,
            })),
            Err((position, why)) => missing.push(NotRecorded {
                name: parameter.name.clone(),
                position: position.saturating_add(1),
                why,
            }),
        }
    }
    (given, missing)
}

/// `None` for what is no parameter of the kernel.
fn value(
    program: &Program,
    at: usize,
    parameter: &SourceParameter,
    record: &LaunchRecord,
) -> Result<Option<ArgumentValue>, (u32, Mismatch)> {
    let Some(passed) = parameter.passed else {
        return Ok(None);
    };
    let argument = usize::try_from(passed.position)
        .ok()
        .and_then(|position| record.arguments.get(position))
        .ok_or((passed.position, Mismatch::Missing))?;
    let (recorded, declared) = (u64::from(argument.bytes), passed.of_bytes);
    if recorded != declared {
        return Err((passed.position, Mismatch::Size { recorded, declared }));
    }
    if let (Some(pointer), Some(id)) = (argument.pointer, parameter.array) {
        let array = program.array(id);
        let (bytes, header) =
            array.map_or((1, 0), |array| (array.element_bytes, array.header_bytes));
        return Ok(Some(buffer(pointer, bytes, header)));
    }
    argument
        .bits(passed.offset, program.passed_bytes(at))
        .and_then(|bits| program.passed_value(at, bits))
        .map(Some)
        .ok_or((passed.position, Mismatch::NoBytes))
}

/// What a pointer may reach: the elements from where it points to the allocation's end.
fn buffer(pointer: RecordedPointer, element_bytes: u64, header_bytes: u64) -> ArgumentValue {
    let bytes = pointer.bytes_from_here().saturating_sub(header_bytes);
    ArgumentValue::Buffer(Buffer {
        elements: Some(bytes / element_bytes.max(1)),
        base_offset: pointer.modulo,
        ..Buffer::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_cuda::parse_kernel;
    use lanescope_frontend::KernelOptions;
    use lanescope_launches::nth;

    const SOURCE: &str = "struct Box { int side; float scale; double *to; short pads[2]; };
        __device__ int table[4];
        __global__ void k(const float *in, Box box, bool on, unsigned long long n) {
            in += table[0]; if (on) box.to[n] = in[box.side + box.pads[1]] * box.scale;
        }";

    fn given(arguments: &str) -> (Vec<(String, ArgumentValue)>, Vec<String>) {
        let parsed = parse_kernel(SOURCE, &KernelOptions::default());
        let text = format!(r#"{{"kernel":"k","grid":1,"block":32,"arguments":[{arguments}]}}"#);
        let record = nth(&text, None).expect("a record");
        let (given, missing) = recorded_arguments(&parsed.program, &record);
        let given = given.into_iter().map(|one| (one.name, one.value)).collect();
        (given, missing.iter().map(ToString::to_string).collect())
    }

    const POINTER: &str = r#"{"bytes":8,"pointer":{"base_off":16,"range":4096,"mod":528}}"#;

    #[test]
    fn parameters_are_read_by_type_from_their_bytes() {
        let (given, missing) = given(&format!(
            "{POINTER},{}",
            r#"{"bytes":24,"hex":"0300000000002040040200f0ff7f0000050006000000"},
               {"bytes":1,"hex":"01"},{"bytes":8,"hex":"feffffffffffffff"}"#
        ));
        assert_eq!(missing, Vec::<String>::new());
        let buffer = |elements, base_offset| {
            ArgumentValue::Buffer(Buffer {
                elements,
                base_offset,
                ..Buffer::default()
            })
        };
        let expected = [
            ("in", buffer(Some(1020), 528)),
            ("box.side", ArgumentValue::Integer(3)),
            ("box.scale", ArgumentValue::Real(2.5)),
            ("box.to", buffer(None, 516)),
            ("box.pads[0]", ArgumentValue::Integer(5)),
            ("box.pads[1]", ArgumentValue::Integer(6)),
            ("on", ArgumentValue::Integer(1)),
            ("n", ArgumentValue::Integer(-2)),
        ];
        assert_eq!(
            given,
            expected.map(|(name, value)| (name.to_owned(), value))
        );
    }

    #[test]
    fn a_null_pointer_points_to_no_element() {
        let (given, _) = given(r#"{"bytes":8,"hex":"0000000000000000"}"#);
        let nothing = Buffer {
            elements: Some(0),
            ..Buffer::default()
        };
        let expected = ("in".to_owned(), ArgumentValue::Buffer(nothing));
        assert_eq!(given, [expected]);
    }

    #[test]
    fn what_the_record_does_not_set_is_said() {
        let (given, missing) = given(&format!(
            "{POINTER},{{\"bytes\":4,\"hex\":\"00000000\"}},{{\"bytes\":1}}"
        ));
        assert_eq!(given.len(), 1);
        let said =
            |name, why| format!("parameter `{name}` is not set by the recorded launch: {why}");
        let size = "argument 2 has 4 bytes, the parameter's type 24";
        assert_eq!(
            missing,
            [
                said("box.side", size),
                said("box.scale", size),
                said("box.to", size),
                said("box.pads[0]", size),
                said("box.pads[1]", size),
                said("on", "argument 3 has no bytes in it"),
                said("n", "it has no argument 4"),
            ]
        );
    }
}
