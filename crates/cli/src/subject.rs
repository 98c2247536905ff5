//! What the command line names as the thing to analyse, as the page would hold it.

use crate::args::count::CountArgs;
use crate::args::expr::{ExpressionArgs, Op};
use crate::args::launch::KernelLaunchArgs;
use crate::args::picture::SubjectArgs;
use crate::device_choice::Choice;
use crate::{includes, input, output};
use lanescope_model::{Broadcast, CustomDevice};
use lanescope_share::{self as share, Device, Launch, Operation, Selection, Source, State};
use lanescope_syntax::bundled_files;
use std::path::Path;

/// Grid and block.
pub(crate) type Extents = [[u32; 3]; 2];

/// The state that a link, a kernel's file or expressions describe.
///
/// # Errors
/// When a file cannot be read or the link does not open.
pub(crate) fn state(args: &SubjectArgs) -> anyhow::Result<State> {
    let extents = [args.extents.grid, args.extents.block];
    match (&args.link, &args.file) {
        (Some(link), _) => opened(link),
        (None, Some(file)) => Ok(kernel(
            (file, input::text_of_at_most(file, input::MOST_TEXT_BYTES)?),
            &args.kernel,
            extents,
            &args.count,
        )),
        (None, None) => expression(&args.expression, extents, &args.count),
    }
}

/// The state that a link opens; what stands before `#` is left out.
fn opened(link: &str) -> anyhow::Result<State> {
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let opened = share::decode(fragment)?;
    for notice in opened.notices {
        crate::output::complain(&match notice {
            share::Notice::CutOff => {
                "warning: the link was cut off or changed on its way".to_owned()
            }
            share::Notice::Unknown { keys } => {
                format!("warning: left out, unknown here: {}", keys.join(", "))
            }
            share::Notice::Hidden { count } => {
                format!("warning: {count} invisible characters shown as U+FFFD")
            }
            other => format!("warning: {other:?}"),
        });
    }
    Ok(opened.state)
}

/// The state of expressions; `-` stands for standard input.
///
/// # Errors
/// When standard input cannot be read.
pub(crate) fn expression(
    args: &ExpressionArgs,
    [grid, block]: Extents,
    count: &CountArgs,
) -> anyhow::Result<State> {
    let accesses = match args.accesses.as_slice() {
        [only] if only == "-" => input::text(Path::new("-"))?.trim_end().to_owned(),
        accesses => accesses.join("\n"),
    };
    let source = Source::Expression {
        accesses,
        declarations: args.declarations.join("\n"),
    };
    let operation = match args.op {
        Op::Load => Operation::Load,
        Op::Store => Operation::Store,
    };
    let selection = Selection {
        values: args.values.clone(),
        ..Selection::default()
    };
    let launched = Launch {
        grid,
        block,
        ..Launch::default()
    };
    Ok(State {
        source,
        operation,
        selection,
        ..base(launched, count)
    })
}

/// The files that a state's source has brought along, by their names.
pub(crate) fn packed(state: &State) -> Vec<&str> {
    let Source::Kernel(text) = &state.source else {
        return Vec::new();
    };
    let files = bundled_files(text).into_iter().skip(1);
    files.map(|file| file.path).collect()
}

/// Says which files beside the source go with it.
pub(crate) fn name_packed(state: &State) {
    let packed = packed(state);
    if !packed.is_empty() {
        output::complain(&format!(
            "note: the link carries the included files too: {}; --no-includes leaves them out",
            packed.join(", ")
        ));
    }
}

/// Whether a file holds WGSL, by its name's ending.
pub(crate) fn is_wgsl(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("wgsl"))
}

/// The state of a kernel whose text the file at `path` holds. What it includes and is not read is said.
pub(crate) fn kernel(
    (path, text): (&Path, String),
    args: &KernelLaunchArgs,
    [grid, block]: Extents,
    count: &CountArgs,
) -> State {
    let choice = count.device.choice_of(path, &text);
    let is_alone = args.no_includes || is_wgsl(path) || lanescope_frontend::is_wgsl(&text);
    let source = Source::Kernel(if is_alone {
        text
    } else {
        let bundled = includes::bundled(path, &text, &args.folders);
        for warning in bundled.warnings() {
            output::complain(&format!("warning: {warning}"));
        }
        bundled.text
    });
    let launched = Launch {
        kernel: args.kernel.clone(),
        templates: Vec::new(),
        defines: args.defines.clone(),
        arguments: args.arguments.clone(),
        dynamic_shared_bytes: args.dynamic_shared.unwrap_or(0),
        grid,
        block,
        ..Launch::default()
    };
    State {
        source,
        device: device(&choice),
        ..base(launched, count)
    }
}

fn base(launched: Launch, args: &CountArgs) -> State {
    State {
        launch: launched,
        device: device(&args.device.choice()),
        repeated_reads: args.count_repeated_reads,
        ..State::default()
    }
}

fn device(choice: &Choice) -> Device {
    match choice.numbers {
        None => Device::Known(choice.device.id().to_owned()),
        Some(numbers) => Device::Custom(custom(numbers)),
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
