//! How much smaller than drawn a picture is on the screen, for what is written in it to stay readable.

use js_sys::Function;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use web_sys::Element;

use lanescope_ui::element::El;

/// The property of a frame that its style sheet goes by: units of the picture a pixel.
const ZOOM: &str = "--zoom";

#[wasm_bindgen]
extern "C" {
    type ResizeObserver;

    #[wasm_bindgen(constructor)]
    fn new(resized: &Function) -> ResizeObserver;

    #[wasm_bindgen(method)]
    fn observe(this: &ResizeObserver, element: &Element);
}

/// Has the frame of the picture `root` say its zoom whenever its size on the screen changes.
pub(super) fn follow(root: &El) {
    let Some(element) = root.element().cloned() else {
        return;
    };
    let picture = root.clone();
    let resized: Box<dyn FnMut()> = Box::new(move || {
        let frame = picture.element().and_then(|one| one.parent_element());
        if let (Some(zoom), Some(frame)) = (zoom(&picture), frame) {
            El::of(frame).put_style(ZOOM, &format!("{zoom:.3}"));
        }
    });
    let resized = Closure::wrap(resized).into_js_value();
    ResizeObserver::new(resized.unchecked_ref()).observe(&element);
}

fn zoom(picture: &El) -> Option<f64> {
    let element = picture.element()?;
    let view_box = element.get_attribute("viewBox")?;
    let units: f64 = view_box.split(' ').nth(2)?.parse().ok()?;
    let pixels = element.get_bounding_client_rect().width();
    (pixels > 0.0).then(|| units / pixels)
}
