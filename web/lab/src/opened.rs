//! What the page begins with, as a link says.

use lanescope_lab::report::Report;
use lanescope_model::Device;
use lanescope_share::{self as share, State};

use crate::settings::Settings;

/// The device of the predictions where a link names none.
const USUAL_DEVICE: &str = "cc9.0";

/// What a link opens.
pub(crate) struct Opened {
    pub(crate) settings: Settings,
    /// The id of the device of the predictions.
    pub(crate) device: String,
    /// Names in the link that there are not.
    pub(crate) strange: Vec<String>,
    pub(crate) report: Option<Report>,
    /// The link holds results that cannot be read.
    pub(crate) is_unreadable: bool,
}

impl Opened {
    /// What the link to `state` opens.
    pub(crate) fn of(state: &State) -> Self {
        let (settings, mut strange) = Settings::linked(&state.lab);
        let (device, unknown) = device(&state.device);
        strange.extend(unknown);
        let results = state.lab.results.as_deref();
        let report = results.map(serde_json::from_str::<Report>);
        Self {
            settings,
            device,
            strange,
            is_unreadable: matches!(report, Some(Err(_))),
            report: report.and_then(Result::ok),
        }
    }
}

/// The id of the device, and the one that was named and that there is not.
fn device(named: &share::Device) -> (String, Option<String>) {
    let usual = || USUAL_DEVICE.to_owned();
    match named {
        share::Device::Known(id) => match Device::by_id(id) {
            Some(device) => (device.id().to_owned(), None),
            None => (usual(), Some(id.clone())),
        },
        share::Device::Custom(_) => (usual(), None),
    }
}

#[cfg(test)]
mod tests {
    use lanescope_share::{Device, Lab, State};

    use super::{Opened, USUAL_DEVICE};

    #[test]
    fn a_device_that_there_is_not_is_said() {
        let state = State {
            device: Device::Known("cc0.0".to_owned()),
            ..State::default()
        };
        let opened = Opened::of(&state);
        assert_eq!(opened.device, USUAL_DEVICE);
        assert_eq!(opened.strange, ["cc0.0"]);
    }

    #[test]
    fn results_that_cannot_be_read_are_said() {
        let with = |results: Option<&str>| {
            let results = results.map(str::to_owned);
            let lab = Lab {
                results,
                ..Lab::default()
            };
            Opened::of(&State {
                lab,
                ..State::default()
            })
        };
        assert!(with(Some("{")).is_unreadable);
        assert!(with(Some("{")).report.is_none());
        assert!(!with(None).is_unreadable);
    }
}
