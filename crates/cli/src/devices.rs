//! `lanescope devices`: every profile with sources and confidence.

use crate::args::devices::DevicesArgs;
use crate::args::format::Format;
use crate::table::{Align, Table};
use crate::{fact_words, output};
use lanescope_model::{Device, Fact, Value};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;

/// Prints the devices asked for, or all.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn run(args: &DevicesArgs) -> anyhow::Result<ExitCode> {
    let chosen: Vec<Device> = args
        .devices
        .iter()
        .map(|choice| choice.device.clone())
        .collect();
    let devices = if chosen.is_empty() {
        Device::all()
    } else {
        &chosen
    };
    let text = match args.format {
        Format::Table => table(devices),
        Format::Json => report_of(devices)?,
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The devices chosen, or all where none is, as JSON.
///
/// # Errors
/// When they cannot be written as JSON.
pub(crate) fn json(chosen: &[Device]) -> anyhow::Result<String> {
    report_of(if chosen.is_empty() {
        Device::all()
    } else {
        chosen
    })
}

fn report_of(devices: &[Device]) -> anyhow::Result<String> {
    output::json(&Report {
        default: default_id(),
        devices: devices.iter().map(report).collect(),
    })
}

fn default_id() -> &'static str {
    <&Device>::default().id()
}

fn table(devices: &[Device]) -> String {
    let mut text = overview(devices).to_string();
    for device in devices {
        let _ = write!(
            text,
            "\n{}  {}\n{}{}",
            device.id(),
            device.name(),
            other_names(device),
            facts(device)
        );
    }
    text
}

/// A line with what else a device is called.
fn other_names(device: &Device) -> String {
    let names = [device.aliases(), device.names()].concat();
    match names.is_empty() {
        true => String::new(),
        false => format!("  also called: {}\n", names.join(", ")),
    }
}

fn overview(devices: &[Device]) -> Table {
    let mut table = Table::new(&[
        ("device", Align::Left),
        ("lanes", Align::Right),
        ("banks", Align::Right),
        ("bank bytes", Align::Right),
        ("sector", Align::Right),
        ("line", Align::Right),
        ("name", Align::Left),
    ]);
    for device in devices {
        let known = [
            device.banks(),
            device.bank_bytes(),
            device.sector_bytes(),
            device.line_bytes(),
        ];
        let numbers =
            known.map(|number| number.map_or("unknown".to_owned(), |number| number.to_string()));
        let mark = if device.id() == default_id() {
            " (default)"
        } else {
            ""
        };
        let id = format!("{}{mark}", device.id());
        let cells = [id, device.warp_lanes().to_string()]
            .into_iter()
            .chain(numbers);
        table.row(cells.chain([device.name().to_owned()]));
    }
    table
}

fn facts(device: &Device) -> Table {
    let mut table = Table::new(&[
        ("  what", Align::Left),
        ("value", Align::Left),
        ("confidence", Align::Left),
        ("source", Align::Left),
    ]);
    for fact in device.facts() {
        table.row([
            format!("  {}", fact_words::quantity(fact.quantity).1),
            fact_words::value(&fact.value),
            fact.confidence.key().to_owned(),
            fact.source.to_owned(),
        ]);
    }
    table
}

#[derive(Serialize)]
struct Report {
    default: &'static str,
    devices: Vec<DeviceReport>,
}

#[derive(Serialize)]
struct DeviceReport {
    id: &'static str,
    aliases: Vec<&'static str>,
    name: &'static str,
    warp_lanes: u32,
    banks: Option<u32>,
    bank_bytes: Option<u32>,
    sector_bytes: Option<u32>,
    line_bytes: Option<u32>,
    facts: Vec<FactReport>,
}

#[derive(Serialize)]
struct FactReport {
    quantity: String,
    /// A number where the value is one, otherwise null.
    number: Option<u32>,
    value: String,
    confidence: &'static str,
    source: &'static str,
}

fn report(device: &Device) -> DeviceReport {
    DeviceReport {
        id: device.id(),
        aliases: [device.aliases(), device.names()].concat(),
        name: device.name(),
        warp_lanes: device.warp_lanes(),
        banks: device.banks(),
        bank_bytes: device.bank_bytes(),
        sector_bytes: device.sector_bytes(),
        line_bytes: device.line_bytes(),
        facts: device.facts().iter().map(fact_report).collect(),
    }
}

fn fact_report(fact: &Fact) -> FactReport {
    FactReport {
        quantity: fact_words::quantity(fact.quantity).0,
        number: match fact.value {
            Value::Count(number) | Value::Bytes(number) => Some(number),
            _ => None,
        },
        value: fact_words::value(&fact.value),
        confidence: fact.confidence.key(),
        source: fact.source,
    }
}
