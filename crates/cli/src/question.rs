//! The question that a state asks.

use crate::analysis::Question;
use crate::{device_choice, instantiation, launch_args};
use anyhow::{anyhow, bail};
use lanescope_lang::layout::parse_layout;
use lanescope_lang::{Argument, KernelOptions, Launch, parse_expression, parse_kernel};
use lanescope_model::{self as model, CustomDevice};
use lanescope_share::{Broadcast, Device, Operation, Source, State};

/// What `state` costs is the question; at most `max_requests` are made for the answer.
///
/// # Errors
/// When the state names a device or a value that there is not, or its source is of a kind that the command line does
/// not analyse.
pub(crate) fn of(state: &State, max_requests: u64) -> anyhow::Result<Question> {
    let launch = launch(state)?;
    let device = device(&state.device)?;
    let warp_lanes = u64::from(device.warp_lanes());
    let whole = |parsed, source| Question {
        parsed,
        source,
        first_line: 0,
        launch,
        device,
        max_requests,
    };
    match &state.source {
        Source::Expression {
            accesses,
            declarations,
        } => {
            let parsed = parse_expression(declarations, accesses, operation(state.operation));
            let first_line = declarations.split('\n').count();
            Ok(Question {
                first_line,
                ..whole(parsed, format!("{declarations}\n{accesses}"))
            })
        }
        Source::Kernel(text) => Ok(whole(
            parse_kernel(text, &options(state, text)),
            text.clone(),
        )),
        Source::Wgsl(_) => bail!("WGSL is not analysed on the command line; open it in the page"),
        Source::Layout { layout, access } => {
            let text = format!(
                "{layout}
{access}"
            );
            let parsed = parse_layout(text.trim_end());
            let lanes = warp_lanes * parsed.program.own_warps().unwrap_or(1);
            let mut question = whole(parsed, text);
            question.launch.block = [u32::try_from(lanes).unwrap_or(u32::MAX), 1, 1];
            Ok(question)
        }
        Source::Trace(_) => bail!("the link holds a trace; give its rows to `lanescope trace`"),
    }
}

const fn operation(operation: Operation) -> model::Operation {
    match operation {
        Operation::Load => model::Operation::Load,
        Operation::Store => model::Operation::Store,
    }
}

/// Which kernel of `source` the state names, and its macros.
pub(crate) fn options(state: &State, source: &str) -> KernelOptions {
    let named = state
        .launch
        .kernel
        .as_deref()
        .map(|name| instantiation::split(name, source));
    let (kernel, values) = named.unzip();
    let given = state
        .launch
        .defines
        .iter()
        .chain(&state.launch.templates)
        .cloned();
    KernelOptions {
        kernel,
        defines: given.chain(values.unwrap_or_default()).collect(),
    }
}

fn launch(state: &State) -> anyhow::Result<Launch> {
    let argument = |(name, text): &(String, String)| {
        let value =
            launch_args::value(text).map_err(|message| anyhow!("argument `{name}`: {message}"))?;
        Ok(Argument {
            name: name.clone(),
            value,
        })
    };
    Ok(Launch {
        arguments: state
            .launch
            .arguments
            .iter()
            .map(argument)
            .collect::<anyhow::Result<_>>()?,
        variables: state.selection.values.clone(),
        dynamic_shared_bytes: state.launch.dynamic_shared_bytes.into(),
        reread: state.repeated_reads,
        ..Launch::new(state.launch.grid, state.launch.block)
    })
}

fn device(device: &Device) -> anyhow::Result<model::Device> {
    match device {
        Device::Known(id) => Ok(device_choice::parse(id).map_err(anyhow::Error::msg)?.device),
        Device::Custom(numbers) => Ok(model::Device::custom(CustomDevice {
            banks: numbers.banks,
            bank_bits: numbers.bank_bits,
            lanes: numbers.lanes,
            broadcast: match numbers.broadcast {
                Broadcast::None => model::Broadcast::None,
                Broadcast::OneWord => model::Broadcast::OneWordAStep,
                Broadcast::Any => model::Broadcast::AnyWord,
            },
            sector_bytes: numbers.sector_bytes,
            line_bytes: numbers.line_bytes,
        })?),
    }
}
