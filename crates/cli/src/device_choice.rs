//! The device named on the command line.

use crate::usage::nearest;
use lanescope_model::{Broadcast, CustomDevice, Device};

/// A device, and the numbers it was made of if it is the user's own.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) device: Device,
    pub(crate) numbers: Option<CustomDevice>,
}

impl Choice {
    /// A profile of the model.
    pub(crate) fn of(device: &Device) -> Self {
        Self {
            device: device.clone(),
            numbers: None,
        }
    }
}

/// The device that `text` names: an id or another name of a profile, or `custom:` and six numbers as links have them.
///
/// # Errors
/// A sentence that says what to write instead.
pub(crate) fn parse(text: &str) -> Result<Choice, String> {
    match text.strip_prefix("custom:") {
        Some(numbers) => custom(numbers),
        None => Device::by_name(text)
            .map(Choice::of)
            .ok_or_else(|| unknown(text)),
    }
}

fn unknown(text: &str) -> String {
    let ids: Vec<&str> = Device::all().iter().map(Device::id).collect();
    let named = |device: &'static Device| {
        let targets = device.aliases().iter().chain(device.names());
        std::iter::once(device.id()).chain(targets.copied())
    };
    let names = Device::all().iter().flat_map(named);
    let meant =
        nearest(text, names).map_or_else(String::new, |name| format!("did you mean `{name}`? "));
    format!(
        "no device `{text}`; {meant}there are {}, other names of theirs such as `h100` and `sm_90`, and `custom:…` (see `lanescope devices`)",
        ids.join(", ")
    )
}

const CUSTOM_FORM: &str = "`custom:BANKS,BITS,LANES,BROADCAST,SECTOR,LINE`, as in `custom:16,32,16,one,32,128`; BROADCAST is none, one or any";

fn custom(text: &str) -> Result<Choice, String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let &[banks, bits, lanes, broadcast, sector, line] = parts.as_slice() else {
        return Err(format!("a device of your own is {CUSTOM_FORM}"));
    };
    let number = |text: &str| {
        text.parse::<u32>()
            .map_err(|_| format!("`{text}` is no number; write {CUSTOM_FORM}"))
    };
    let numbers = CustomDevice {
        banks: number(banks)?,
        bank_bits: number(bits)?,
        lanes: number(lanes)?,
        broadcast: broadcast_of(broadcast)?,
        sector_bytes: number(sector)?,
        line_bytes: number(line)?,
    };
    let device = Device::custom(numbers).map_err(|error| error.to_string())?;
    Ok(Choice {
        device,
        numbers: Some(numbers),
    })
}

fn broadcast_of(text: &str) -> Result<Broadcast, String> {
    match text {
        "none" => Ok(Broadcast::None),
        "one" => Ok(Broadcast::OneWordAStep),
        "any" => Ok(Broadcast::AnyWord),
        _ => Err(format!(
            "`{text}` is no kind of broadcast; write {CUSTOM_FORM}"
        )),
    }
}
