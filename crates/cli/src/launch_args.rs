//! Grid, block and arguments as words of the command line.

use crate::array_file;
use lanescope_frontend::ArgumentValue;
use lanescope_query::argument_value;

/// Reads `X`, `X,Y` or `X,Y,Z`, each from 1; `x` may stand for the comma.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn extent(text: &str) -> Result<[u32; 3], String> {
    let mut extent = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).map(str::trim).collect();
    if parts.len() > extent.len() {
        return Err("write one to three numbers, as in 32,8".to_owned());
    }
    for (slot, part) in extent.iter_mut().zip(parts) {
        let number = part.parse().ok().filter(|number| *number > 0);
        *slot = number.ok_or_else(|| format!("`{part}` is no number from 1; write as in 32,8"))?;
    }
    Ok(extent)
}

/// Reads `NAME=VALUE` as two texts; a name alone stands for 1.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn named(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    if name.trim().is_empty() {
        return Err("write NAME=VALUE".to_owned());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Reads `NAME=INTEGER`.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn chosen(text: &str) -> Result<(String, i64), String> {
    let (name, value) = named(text)?;
    match argument_value(&value) {
        Ok(ArgumentValue::Integer(number)) => Ok((name, number)),
        _ => Err(format!(
            "`{value}` is no whole number; write as in stride=4"
        )),
    }
}

/// Reads `NAME=VALUE` and checks that VALUE can be read by [`argument_value`], or is `@FILE`.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn argument(text: &str) -> Result<(String, String), String> {
    let (name, text) = text.split_once('=').ok_or("write NAME=VALUE")?;
    if name.trim().is_empty() {
        return Err("write NAME=VALUE".to_owned());
    }
    match array_file::named(text) {
        Some(file) => array_file::parse(file).map(|_| ())?,
        None => argument_value(text)
            .map(|_| ())
            .map_err(|error| error.to_string())?,
    }
    Ok((name.trim().to_owned(), text.trim().to_owned()))
}

/// `THREAD,SM`: two numbers of registers.
pub(crate) fn registers(text: &str) -> Result<(u32, u32), String> {
    let parsed = text
        .split_once(',')
        .and_then(|(thread, sm)| Some((thread.trim().parse().ok()?, sm.trim().parse().ok()?)));
    parsed.ok_or_else(|| "two numbers, as in 32,65536".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_have_one_to_three_numbers() {
        assert_eq!(extent("32"), Ok([32, 1, 1]));
        assert_eq!(extent("32,8"), Ok([32, 8, 1]));
        assert_eq!(extent("8x8x4"), Ok([8, 8, 4]));
        for text in ["", "0", "1,2,3,4", "-1", "a", "4294967296"] {
            assert!(extent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn arguments_are_checked() {
        assert!(argument("in=@values.npy").is_ok());
        for text in [
            "in=@",
            "in=@a.bin:f31",
            "n",
            "=1",
            "n=",
            "n=abc",
            "n=f32[x]",
        ] {
            assert!(argument(text).is_err(), "{text}");
        }
        assert_eq!(argument("a=2.5f"), Ok(("a".to_owned(), "2.5f".to_owned())));
    }
}
