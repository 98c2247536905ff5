//! Pictures and tables to take away.

use lanescope_draw::{Drawing, Say, Theme, bank_legend, sector_legend, to_svg_in, with_link};
use lanescope_model::{Operation, Space};
use leptos::prelude::document;

use crate::png;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement,
    HtmlImageElement, Url,
};

/// Pixels of a PNG for each of the picture's own.
const SCALE: f64 = 2.0;

/// A table as text, cell by cell.
pub(crate) struct Table {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// As CSV, with a heading. What a spreadsheet would take for a formula is quoted as text.
    pub(crate) fn csv(&self) -> String {
        let heading = self.columns.join(",");
        let rows = self.rows.iter().map(|row| {
            row.iter()
                .map(|cell| csv_cell(cell))
                .collect::<Vec<_>>()
                .join(",")
        });
        std::iter::once(heading)
            .chain(rows)
            .map(|line| line + "\n")
            .collect()
    }

    /// As JSON: an array with an object for each row; numbers as numbers, empty cells as null.
    pub(crate) fn json(&self) -> String {
        let object = |row: &Vec<String>| {
            let pairs = self.columns.iter().zip(row);
            let members = pairs.map(|(name, cell)| format!("\"{name}\":{}", json_value(cell)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        format!(
            "[{}]\n",
            self.rows.iter().map(object).collect::<Vec<_>>().join(",\n")
        )
    }
}

fn csv_cell(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(cell);
    let guard = if is_formula { "'" } else { "" };
    if is_formula || cell.contains([',', '"', '\n', '\r']) {
        return format!("\"{guard}{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

/// Whether `cell` is a decimal number as this page writes it.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(fraction)
}

fn json_value(cell: &str) -> String {
    match cell {
        "" => "null".to_owned(),
        number if is_number(number) => number.to_owned(),
        text => json_text(text),
    }
}

fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// The operation as tables spell it.
pub(crate) const fn operation_key(operation: Operation) -> &'static str {
    match operation {
        Operation::Load => "load",
        Operation::Store => "store",
        Operation::Atomic => "atomic",
        Operation::Reduction => "reduction",
        Operation::Increment => "increment",
        Operation::CompareAndSwap => "compare-and-swap",
        Operation::MatrixLoad { .. } => "ldmatrix",
        Operation::MatrixStore { .. } => "stmatrix",
        Operation::AsyncCopy => "async-copy",
    }
}

/// Saves a table as a file.
pub(crate) fn save_table(table: &Table, stem: &str, as_json: bool) {
    if as_json {
        save_text(&table.json(), "application/json", &format!("{stem}.json"));
    } else {
        save_text(&table.csv(), "text/csv", &format!("{stem}.csv"));
    }
}

/// A picture with its legend as SVG in one theme, with the link to what it shows inside.
pub(crate) fn picture_svg(
    drawing: Drawing,
    space: Space,
    link: &str,
    theme: Theme,
    say: Say<'_>,
) -> String {
    let drawing = match space {
        Space::Shared => bank_legend(drawing, say),
        Space::Global => sector_legend(drawing, say),
    };
    with_link(&to_svg_in(&drawing, theme), link)
}

/// Saves a picture, as PNG where a link is given for it.
pub(crate) fn save_svg(svg: &str, stem: &str, png_link: Option<String>) {
    match png_link {
        Some(link) => save_png(svg, format!("{stem}.png"), link),
        None => save_text(svg, "image/svg+xml", &format!("{stem}.svg")),
    }
}

/// A picture as an address of its own.
pub(crate) fn data_url(svg: &str) -> String {
    let text = String::from(js_sys::encode_uri_component(svg));
    format!("data:image/svg+xml,{text}")
}

/// Has the browser save a text of this MIME type under a name.
pub(crate) fn save_text(text: &str, kind: &str, name: &str) {
    if let Some(url) = blob_url(text, kind) {
        download(&url, name);
    }
}

fn blob_url(text: &str, kind: &str) -> Option<String> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let bag = BlobPropertyBag::new();
    bag.set_type(kind);
    let blob = Blob::new_with_str_sequence_and_options(&parts, &bag).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}

/// Has the browser save what `url` holds, and lets go of it.
fn download(url: &str, name: &str) {
    if let Ok(element) = document().create_element("a") {
        let anchor: HtmlAnchorElement = element.unchecked_into();
        anchor.set_href(url);
        anchor.set_download(name);
        anchor.click();
    }
    let url = url.to_owned();
    leptos::prelude::set_timeout(
        move || {
            let _ = Url::revoke_object_url(&url);
        },
        std::time::Duration::from_secs(10),
    );
}

/// Has the browser draw the SVG and saves the pixels.
fn save_png(svg: &str, name: String, link: String) {
    draw_png(svg, link, SCALE, move |blob| save_blob(&blob, &name));
}

/// Puts a picture of the SVG and its link into the clipboard, or saves it where the browser takes no pictures there; `said` hears
/// once it is in the clipboard.
pub(crate) fn copy_png(svg: &str, stem: &str, link: String, said: impl FnOnce() + 'static) {
    let name = format!("{stem}.png");
    let text = link.clone();
    draw_png(svg, link, 1.0, move |blob| {
        if let Some(written) = write_to_clipboard(&blob, &text) {
            let heard = Closure::once_into_js(move |_: JsValue| said());
            let refused = Closure::once_into_js(move |_: JsValue| save_blob(&blob, &name));
            call(&written, "then", &[heard, refused]);
        } else {
            save_blob(&blob, &name);
        }
    });
}

fn save_blob(blob: &Blob, name: &str) {
    if let Ok(url) = Url::create_object_url_with_blob(blob) {
        download(&url, name);
    }
}

/// The promise of a clipboard that holds `png`, and `link` for where no picture can be pasted; `None` where there is no such clipboard.
fn write_to_clipboard(png: &Blob, link: &str) -> Option<JsValue> {
    let window = leptos::prelude::window();
    let made = js_sys::Reflect::get(&window, &"ClipboardItem".into()).ok()?;
    let made: js_sys::Function = made.dyn_into().ok()?;
    let kinds = js_sys::Object::new();
    js_sys::Reflect::set(&kinds, &"image/png".into(), png).ok()?;
    let bag = BlobPropertyBag::new();
    bag.set_type("text/plain");
    let parts = js_sys::Array::of1(&JsValue::from_str(link));
    let link = Blob::new_with_str_sequence_and_options(&parts, &bag).ok()?;
    js_sys::Reflect::set(&kinds, &"text/plain".into(), &link).ok()?;
    let item = js_sys::Reflect::construct(&made, &js_sys::Array::of1(&kinds)).ok()?;
    let clipboard = js_sys::Reflect::get(&window.navigator(), &"clipboard".into()).ok()?;
    call(&clipboard, "write", &[js_sys::Array::of1(&item).into()])
}

/// What a method of an object returns; `None` where there is no such method, or it throws.
fn call(object: &JsValue, method: &str, arguments: &[JsValue]) -> Option<JsValue> {
    let method = js_sys::Reflect::get(object, &method.into()).ok()?;
    let method: js_sys::Function = method.dyn_into().ok()?;
    let arguments: js_sys::Array = arguments.iter().collect();
    js_sys::Reflect::apply(&method, object, &arguments).ok()
}

/// Has the browser draw the SVG, `scale` pixels to each of its own, with the link inside.
fn draw_png(svg: &str, link: String, scale: f64, then: impl FnOnce(Blob) + 'static) {
    let Some(url) = blob_url(svg, "image/svg+xml") else {
        return;
    };
    let Ok(image) = HtmlImageElement::new() else {
        return;
    };
    let drawn = image.clone();
    let loaded = Closure::once_into_js(move || {
        if let Some(canvas) = canvas_of(&drawn, scale) {
            pixels_of(&canvas, &link, then);
        }
    });
    image.set_onload(Some(loaded.unchecked_ref()));
    image.set_src(&url);
}

fn canvas_of(image: &HtmlImageElement, scale: f64) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
    let (width, height) = (
        f64::from(image.width()) * scale,
        f64::from(image.height()) * scale,
    );
    canvas.set_width(pixels(width));
    canvas.set_height(pixels(height));
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.unchecked_into();
    context
        .draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, width, height)
        .ok()?;
    Some(canvas)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what a canvas can be"
)]
fn pixels(length: f64) -> u32 {
    length.clamp(1.0, 16_384.0) as u32
}

fn pixels_of(canvas: &HtmlCanvasElement, link: &str, then: impl FnOnce(Blob) + 'static) {
    let chunk = png::link_chunk(link);
    let save = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob.and_then(|blob| with_chunk(&blob, &chunk)) {
            then(blob);
        }
    });
    // Refused only for pictures of other origins; this one is the page's own.
    let _ = canvas.to_blob(save.unchecked_ref());
}

/// A PNG with one more chunk after its header.
fn with_chunk(png: &Blob, chunk: &[u8]) -> Option<Blob> {
    let header = png.slice_with_i32_and_i32(0, png::HEADER_BYTES).ok()?;
    let rest = png.slice_with_i32(png::HEADER_BYTES).ok()?;
    let chunk = js_sys::Uint8Array::from(chunk);
    let parts = js_sys::Array::of3(&header, &chunk, &rest);
    let bag = BlobPropertyBag::new();
    bag.set_type("image/png");
    Blob::new_with_blob_sequence_and_options(&parts, &bag).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(cell: &str) -> Table {
        Table {
            columns: vec!["a"],
            rows: vec![vec![cell.to_owned()]],
        }
    }

    #[test]
    fn formulas_and_quotes_are_quoted_in_csv() {
        assert_eq!(table("=1+1").csv(), "a\n\"'=1+1\"\n");
        assert_eq!(table("x,\"y\"").csv(), "a\n\"x,\"\"y\"\"\"\n");
        assert_eq!(table("-3").csv(), "a\n-3\n");
    }

    #[test]
    fn cells_keep_their_kind_in_json() {
        assert_eq!(table("12.5").json(), "[{\"a\":12.5}]\n");
        assert_eq!(table("").json(), "[{\"a\":null}]\n");
        assert_eq!(
            table("a\"\\\n\u{1}").json(),
            "[{\"a\":\"a\\\"\\\\\\n\\u0001\"}]\n"
        );
    }
}
