//! What a served page asks of its server, beside its files.

use super::files::Files;
use super::job::{self, Job, Sent};
use super::page::{Page, PageFile};
use super::queue::Queue;
use super::tools::Tools;
use crate::compiled::Scratch;
use anyhow::Context as _;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::path::PathBuf;

/// All that requests share.
pub(super) struct Service {
    pub(super) page: Page,
    pub(super) files: Files,
    pub(super) tools: Tools,
    pub(super) queue: Queue,
    /// The folder that holds those of the compilations.
    pub(super) scratch: PathBuf,
}

/// What goes back.
pub(super) enum Reply {
    File(PageFile),
    Json { status: u16, text: String },
}

/// A file that the page opens; its launch stays as in `link`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    file: usize,
    #[serde(default)]
    link: String,
}

/// A text that the page saves, over the `version` that it read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    file: usize,
    link: String,
    version: String,
}

impl Service {
    /// The answer to a request that was let in.
    pub(super) fn reply(&self, path: &str, body: Option<&[u8]>) -> Reply {
        let answer = match (path, body) {
            ("serve/status", None) => Ok(self.status()),
            ("serve/open", Some(body)) => self.open(body),
            ("serve/save", Some(body)) => self.save(body),
            ("serve/compile", Some(body)) => return self.compile(body),
            (path, None) => match self.page.file(path) {
                Some(file) => return Reply::File(file),
                None => return refused(404, "this is not in the served page"),
            },
            (_, Some(_)) => return refused(404, "there is nothing to send to here"),
        };
        match answer {
            Ok(value) => Reply::Json {
                status: 200,
                text: value.to_string(),
            },
            Err(error) => refused(400, &format!("{error:#}")),
        }
    }

    fn status(&self) -> Value {
        json!({ "tools": self.tools, "files": self.files.tabs() })
    }

    fn open(&self, body: &[u8]) -> anyhow::Result<Value> {
        let call: Open = read(body)?;
        let (text, version) = self.files.read(call.file)?;
        let link = job::fragment(text, &call.link)?;
        Ok(json!({ "link": link, "version": version }))
    }

    fn save(&self, body: &[u8]) -> anyhow::Result<Value> {
        let call: Save = read(body)?;
        let text = job::kernel_text(&call.link)?;
        let version = self.files.save(call.file, &text, &call.version)?;
        Ok(json!({ "version": version }))
    }

    fn compile(&self, body: &[u8]) -> Reply {
        let job = read::<Sent>(body).and_then(|sent| Job::of(&sent, &self.files));
        let job = match job {
            Ok(job) => job,
            Err(error) => return refused(400, &format!("{error:#}")),
        };
        let answer = self.queue.answer(job.key(), || {
            let scratch = Scratch::within(&self.scratch)?;
            job.run(scratch.path())
        });
        match answer {
            Some(Ok(text)) => Reply::Json {
                status: 200,
                text: text.to_string(),
            },
            Some(Err(error)) => refused(400, &format!("{error:#}")),
            None => refused(409, "a newer text has come"),
        }
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> anyhow::Result<T> {
    serde_json::from_slice(body).context("this is not what a page sends")
}

/// A sentence that says why not.
pub(super) fn refused(status: u16, why: &str) -> Reply {
    Reply::Json {
        status,
        text: json!({ "error": why }).to_string(),
    }
}
