//! Messages of JSON-RPC 2.0.

use serde_json::{Value, json};

/// What a client says.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// Wants an answer.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    /// Wants none.
    Notice { method: String, params: Value },
    /// Answers something.
    Answer,
}

/// Why a request is not answered, with the protocol's number for it.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    code: i32,
    message: String,
}

impl Refusal {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(super) fn too_long(bytes: u32) -> Self {
        Self::new(-32600, format!("a message has more than {bytes} bytes"))
    }

    pub(super) fn no_such_method(method: &str) -> Self {
        Self::new(-32601, format!("there is no method `{method}`"))
    }

    pub(super) fn wrong_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }

    pub(super) fn busy(calls: usize) -> Self {
        Self::new(
            -32000,
            format!("{calls} calls run already, or one of this id; wait for them"),
        )
    }

    /// The answer to the request `id`.
    pub(super) fn answer(&self, id: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": self.code, "message": self.message } })
    }
}

/// The answer to the request `id`.
pub(super) fn result(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Reads a line.
///
/// # Errors
/// With the id that the message has, where it can be read.
pub(super) fn parse(line: &[u8]) -> Result<Incoming, (Value, Refusal)> {
    let message: Value = serde_json::from_slice(line).map_err(|error| {
        (
            Value::Null,
            Refusal::new(-32700, format!("no JSON: {error}")),
        )
    })?;
    let id = message.get("id").cloned();
    let refused = |why: &str| {
        let id = id.clone().unwrap_or(Value::Null);
        Err((id, Refusal::new(-32600, why)))
    };
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return refused("a message is an object of JSON-RPC 2.0");
    }
    let Some(method) = message.get("method") else {
        return match message.get("result").or_else(|| message.get("error")) {
            Some(_) => Ok(Incoming::Answer),
            None => refused("a message has a method, or a result"),
        };
    };
    let Some(method) = method.as_str().map(str::to_owned) else {
        return refused("a method is a text");
    };
    let params = message.get("params").cloned().unwrap_or(Value::Null);
    match id {
        None => Ok(Incoming::Notice { method, params }),
        Some(id) if id.is_string() || id.is_number() => {
            Ok(Incoming::Request { id, method, params })
        }
        Some(_) => Err((
            Value::Null,
            Refusal::new(-32600, "an id is a text or a number"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Incoming, parse};
    use serde_json::json;

    #[test]
    fn requests_notices_and_answers_are_told_apart() {
        let read = |text: &str| parse(text.as_bytes());
        let request = read(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        assert!(matches!(request, Ok(Incoming::Request { id, .. }) if id == json!(1)));
        let notice = read(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert!(matches!(notice, Ok(Incoming::Notice { .. })));
        let answer = read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
        assert_eq!(answer, Ok(Incoming::Answer));
    }

    #[test]
    fn what_is_wrong_is_said_with_the_id() {
        let code = |text: &str| parse(text.as_bytes()).map_err(|(id, refusal)| (id, refusal.code));
        assert_eq!(code("{"), Err((json!(null), -32700)));
        assert_eq!(code("[]"), Err((json!(null), -32600)));
        assert_eq!(code(r#"{"id":7,"method":"ping"}"#), Err((json!(7), -32600)));
        assert_eq!(
            code(r#"{"jsonrpc":"2.0","id":"a"}"#),
            Err((json!("a"), -32600))
        );
        assert_eq!(
            code(r#"{"jsonrpc":"2.0","id":"a","method":1}"#),
            Err((json!("a"), -32600))
        );
        assert_eq!(
            code(r#"{"jsonrpc":"2.0","id":[],"method":"x"}"#),
            Err((json!(null), -32600))
        );
    }
}
