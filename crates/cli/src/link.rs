//! `lanescope link`: the link that opens an expression or a kernel in the page.

use crate::args::{KernelLaunchArgs, LinkArgs, Op, SubjectArgs};
use crate::device_choice::Choice;
use crate::subject::Expression;
use crate::{input, output};
use lanescope_lang::{Argument, ArgumentValue, Buffer, Contents};
use lanescope_model::{Broadcast, CustomDevice};
use lanescope_share::{self as share, Length, Source, State, encode};
use std::process::ExitCode;

/// Prints the link; says on standard error when it is long.
///
/// # Errors
/// When a file cannot be read, or the link would be too long to open.
pub(crate) fn run(args: &LinkArgs) -> anyhow::Result<ExitCode> {
    let link = encode(&state(&args.subject)?);
    match Length::of(link.len()) {
        Length::Short => {}
        Length::Long => output::complain(&format!("note: {} characters", link.len())),
        Length::VeryLong => {
            output::complain(&format!(
                "warning: {} characters; chat programs may cut it off",
                link.len()
            ));
        }
        Length::TooLong => anyhow::bail!(
            "the link would have {} characters, too many to open",
            link.len()
        ),
    }
    output::print(&format!("{}#{link}\n", args.base))?;
    Ok(ExitCode::SUCCESS)
}

/// The page's state that the arguments describe.
fn state(args: &SubjectArgs) -> anyhow::Result<State> {
    let source = match &args.file {
        Some(file) => Source::Kernel(input::text(file)?),
        None => {
            let Expression {
                declarations,
                accesses,
            } = Expression::read(&args.expression)?;
            Source::Expression {
                accesses,
                declarations,
            }
        }
    };
    let operation = match args.expression.op {
        Op::Load => share::Operation::Load,
        Op::Store => share::Operation::Store,
    };
    let selection = share::Selection {
        values: args.expression.values.clone(),
        ..share::Selection::default()
    };
    Ok(State {
        source,
        operation,
        launch: launch(args),
        device: device(&args.device.choice),
        selection,
        ..State::default()
    })
}

fn launch(args: &SubjectArgs) -> share::Launch {
    let KernelLaunchArgs {
        kernel,
        arguments,
        defines,
        dynamic_shared,
    } = &args.launch;
    share::Launch {
        kernel: kernel.clone(),
        templates: Vec::new(),
        defines: defines.clone(),
        arguments: arguments.iter().map(argument).collect(),
        dynamic_shared_bytes: *dynamic_shared,
        grid: args.grid,
        block: args.block,
    }
}

/// The argument as the command line takes it.
fn argument(argument: &Argument) -> (String, String) {
    let value = match &argument.value {
        ArgumentValue::Integer(number) => number.to_string(),
        ArgumentValue::Real(number) => number.to_string(),
        ArgumentValue::Buffer(buffer) => buffer_text(buffer),
    };
    (argument.name.clone(), value)
}

fn buffer_text(buffer: &Buffer) -> String {
    let elements = buffer.elements.map(|elements| elements.to_string());
    let contents = match buffer.contents {
        Contents::Zero => None,
        Contents::Iota => Some("iota".to_owned()),
        Contents::Random(seed) => Some(format!("random:{seed}")),
    };
    let offset = (buffer.base_offset != 0).then(|| format!("offset:{}", buffer.base_offset));
    [elements, contents, offset]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(",")
}

fn device(choice: &Choice) -> share::Device {
    match choice.numbers {
        None => share::Device::Known(choice.device.id().to_owned()),
        Some(numbers) => share::Device::Custom(custom(numbers)),
    }
}

fn custom(numbers: CustomDevice) -> share::CustomDevice {
    let CustomDevice {
        banks,
        bank_bits,
        lanes,
        broadcast,
        sector_bytes,
        line_bytes,
    } = numbers;
    let broadcast = match broadcast {
        Broadcast::None => share::Broadcast::None,
        Broadcast::OneWordAStep => share::Broadcast::OneWord,
        Broadcast::AnyWord => share::Broadcast::Any,
    };
    share::CustomDevice {
        banks,
        bank_bits,
        lanes,
        broadcast,
        sector_bytes,
        line_bytes,
    }
}
