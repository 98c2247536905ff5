//! What is said of devices.

use lanescope_model::{CustomDeviceError, LaneMask, Quantity, Unknown, Value, Vendor};

sentences! { hardware:
    /// Who makes a device.
    fn vendor(vendor: Vendor) -> &'static str;
    /// Why four numbers make no device.
    fn custom_error(error: CustomDeviceError) -> String;
    /// Why there is no number.
    fn unknown(unknown: Unknown) -> String;
    /// What a number of a device is.
    fn quantity(quantity: Quantity) -> String;
    /// A number or rule of a device; `lane_list` writes sets of lanes.
    fn value(value: &Value, lane_list: &dyn Fn(LaneMask) -> String) -> String;
}
