//! `lanescope mcp`: a session of the protocol over the program's standard input and output.

use crate::schema::schema;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const TRANSPOSE: &str = "__global__ void t(float *out, const float *in) {\n  __shared__ float tile[32][32];\n  \
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];\n  __syncthreads();\n  \
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n}\n";

/// A client that has begun a session.
struct Session {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Session {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_lanescope"))
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a server");
        let (input, output) = (server.stdin.take(), server.stdout.take().expect("a pipe"));
        Self {
            server,
            input,
            output: BufReader::new(output),
            last: 0,
        }
    }

    fn begun() -> Self {
        let mut session = Self::start();
        let client = json!({ "name": "test", "version": "1" });
        let hello =
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let hello = session.ask("initialize", &hello);
        assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(hello["result"]["serverInfo"]["name"], "lanescope");
        assert!(hello["result"]["capabilities"]["tools"].is_object());
        session
            .write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        session
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input, "{line}").expect("a server that listens");
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .expect("a server that speaks");
        serde_json::from_str(&line).expect("a message")
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.write(&message.to_string());
        self.last
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        let answer = self.read();
        assert_eq!(
            (&answer["jsonrpc"], &answer["id"]),
            (&json!("2.0"), &json!(id))
        );
        answer
    }

    fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let answer = self.ask(
            "tools/call",
            &json!({ "name": name, "arguments": arguments }),
        );
        answer["result"].clone()
    }

    /// Ends the input, and returns what is said after that.
    fn end(mut self) -> Vec<Value> {
        drop(self.input.take());
        let lines = self.output.lines();
        let rest =
            lines.map(|line| serde_json::from_str(&line.expect("a line")).expect("a message"));
        let rest = rest.collect();
        assert!(self.server.wait().expect("an end").success());
        rest
    }
}

#[test]
fn wgsl_has_the_block_that_is_asked_for() {
    let mut session = Session::begun();
    let kernel = "@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n\
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_id) t: vec3<u32>) { out[t.x] = 1.0; }\n";
    let mut report = |question: Value| {
        let answer = session.call("analyse", &question);
        answer["structuredContent"].clone()
    };
    let text = report(json!({ "kernel": kernel }));
    assert_eq!(text["totals"]["global_store_requests"], 2);
    let given = report(json!({ "kernel": kernel, "block": 128 }));
    assert_eq!(given["totals"]["global_store_requests"], 4);
    let refused = report(json!({ "kernel": kernel, "block": 100_000 }));
    assert_eq!(refused["totals"]["global_store_requests"], 0);
    assert_eq!(refused["diagnostics"][0]["severity"], "error", "{refused}");
}

#[test]
fn a_client_lists_the_tools_and_calls_each() {
    let mut session = Session::begun();
    let tools = session.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let tools = tools.as_array().expect("tools");
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["analyse", "fix", "layout", "devices"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(jsonschema::validator_for(&tool["inputSchema"]).is_ok());
        assert!(
            tool["description"]
                .as_str()
                .is_some_and(|text| text.len() > 40)
        );
    }

    let question = json!({ "kernel": TRANSPOSE, "block": [32, 32] });
    assert!(jsonschema::is_valid(&tools[0]["inputSchema"], &question));
    let answer = session.call("analyse", &question);
    assert_eq!(answer["isError"], false, "{answer}");
    let report = &answer["structuredContent"];
    assert_eq!(report["totals"]["shared_load_wavefronts"], 1024, "{report}");
    assert!(jsonschema::is_valid(&tools[0]["outputSchema"], report));
    assert!(schema("report.schema.json").is_valid(report));
    let text = answer["content"][0]["text"].as_str().expect("a text");
    assert_eq!(
        &serde_json::from_str::<Value>(text).expect("the same as text"),
        report
    );

    let fixes = session.call("fix", &question);
    let fixes = fixes["structuredContent"]["fixes"]
        .as_array()
        .expect("fixes");
    assert!(
        fixes
            .iter()
            .any(|fix| fix.to_string().contains("tile[32][33]")),
        "{fixes:?}"
    );

    let layout =
        json!({ "layout": "type f16; (64,64):(64,1)", "accesses": ["ldmatrix.x4"], "find": true });
    let found = session.call("layout", &layout);
    assert_eq!(found["isError"], false, "{found}");
    assert!(
        found["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("Swizzle<")),
        "{found}"
    );

    let devices = session.call("devices", &json!({ "names": ["h100", "gfx942"] }));
    let devices = devices["structuredContent"]["devices"]
        .as_array()
        .expect("devices");
    assert_eq!(devices.len(), 2);
    assert!(session.end().is_empty());
}

#[test]
fn what_is_wrong_is_said_and_the_session_goes_on() {
    let mut session = Session::begun();
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    let unknown = session.ask("tools/call", &json!({ "name": "mend" }));
    assert_eq!(code(&unknown), Some(-32602), "{unknown}");
    assert_eq!(
        code(&session.ask("resources/list", &json!({}))),
        Some(-32601)
    );
    session.write("{");
    assert_eq!(code(&session.read()), Some(-32700));
    for (tool, arguments, word) in [
        ("analyse", json!({}), "nothing"),
        (
            "analyse",
            json!({ "kernel": TRANSPOSE, "blok": 32 }),
            "blok",
        ),
        (
            "analyse",
            json!({ "kernel": TRANSPOSE, "device": "sm_1" }),
            "sm_1",
        ),
        ("layout", json!({ "layout": "" }), ""),
        ("devices", json!({ "names": ["nothing"] }), "nothing"),
    ] {
        let answer = session.call(tool, &arguments);
        assert_eq!(answer["isError"], true, "{tool} {arguments}: {answer}");
        let said = answer["content"][0]["text"].as_str().expect("a sentence");
        assert!(
            !said.is_empty() && said.contains(word),
            "{tool} {arguments}: {said}"
        );
    }
    let pong = session.ask("ping", &json!({}));
    assert_eq!(pong["result"], json!({}));
    session.end();
}

#[test]
fn a_call_that_is_cancelled_is_not_answered_and_what_runs_at_the_end_is() {
    let endless = "__global__ void k(float *out) { while (true) out[threadIdx.x]++; }";
    let endless = json!({ "kernel": endless, "grid": 1_000_000, "block": 1024, "max_seconds": 600, "max_requests": 4_000_000_000_u64 });
    let mut session = Session::begun();
    let cancelled = session.send(
        "tools/call",
        &json!({ "name": "analyse", "arguments": endless }),
    );
    let cancel = json!({ "requestId": cancelled, "reason": "test" });
    session.write(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel })
            .to_string(),
    );
    let last = session.send("tools/call", &json!({ "name": "devices", "arguments": {} }));
    let rest = session.end();
    let ids: Vec<&Value> = rest.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(last)]);
}

#[test]
fn an_older_client_is_answered_in_its_version_and_a_newer_one_in_ours() {
    for (asked, got) in [("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-06-18")] {
        let mut session = Session::start();
        let hello = session.ask("initialize", &json!({ "protocolVersion": asked }));
        assert_eq!(hello["result"]["protocolVersion"], got);
        session.end();
    }
}
