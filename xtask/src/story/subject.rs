//! Subjects: the kernels and accesses that a story counts.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use lanescope_share::{
    Broadcast, Compiler, CustomDevice, Device, Launch, Operation, Source, State,
};

use super::vars::{Vars, filled};
use crate::workspace;

/// Where kernels of stories are.
const KERNELS: &str = "web/stories/kernels";

/// Behind a line of a kernel: the name by which stories speak of it.
const LABEL: &str = " //@";

/// A text with how it is launched; `{…}` in it are numbers that the reader changes.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    text: Text,
    grid: [u32; 3],
    block: [u32; 3],
    device: String,
    is_store: bool,
    arguments: Vec<(String, String)>,
    /// Names of lines, from 1.
    labels: Vec<(String, u32)>,
}

#[derive(Clone, Debug)]
enum Text {
    Kernel(String),
    Access {
        declarations: String,
        accesses: String,
    },
    Layout {
        layout: String,
        access: String,
    },
}

impl Subject {
    /// `FILE option=value …`.
    pub(super) fn kernel(value: &str) -> Result<Self> {
        let (file, options) = value.split_once(' ').unwrap_or((value, ""));
        let path = workspace::root().join(KERNELS).join(file);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("there is no {KERNELS}/{file}: write the kernel there"))?;
        let (mut lines, mut labels) = (String::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let (code, label) = line.split_once(LABEL).unwrap_or((line, ""));
            if !label.is_empty() {
                labels.push((label.trim().to_owned(), number));
            }
            lines += code.trim_end();
            lines.push('\n');
        }
        let mut subject = Self::with(Text::Kernel(lines), options)?;
        subject.labels = labels;
        Ok(subject)
    }

    /// `option=value … | DECLARATIONS | ACCESSES`, where `\n` begins a new line.
    pub(super) fn access(value: &str) -> Result<Self> {
        let parts: Vec<&str> = value.split(" | ").collect();
        let [options, declarations, accesses] = parts[..] else {
            bail!("an access is `option=value … | declarations | accesses`");
        };
        let lines = |text: &str| text.trim().replace("\\n", "\n");
        Self::with(
            Text::Access {
                declarations: lines(declarations),
                accesses: lines(accesses),
            },
            options,
        )
    }

    /// `option=value … | LAYOUT | ACCESS`, where `\n` begins a new line.
    pub(super) fn layout(value: &str) -> Result<Self> {
        let parts: Vec<&str> = value.split(" | ").collect();
        let [options, layout, access] = parts[..] else {
            bail!("a layout is `option=value … | layout | access`");
        };
        Self::with(
            Text::Layout {
                layout: layout.trim().replace("\\n", "\n"),
                access: access.trim().to_owned(),
            },
            options,
        )
    }

    fn with(text: Text, options: &str) -> Result<Self> {
        let mut subject = Self {
            text,
            grid: [1; 3],
            block: [32, 1, 1],
            device: "cc9.0".to_owned(),
            is_store: false,
            arguments: Vec::new(),
            labels: Vec::new(),
        };
        for option in options.split_whitespace() {
            let (name, value) = option
                .split_once('=')
                .with_context(|| format!("`{option}` is no option: write name=value"))?;
            match name {
                "grid" => subject.grid = shape(value)?,
                "block" => subject.block = shape(value)?,
                "device" => value.clone_into(&mut subject.device),
                "op" => {
                    ensure!(value == "store", "`op=` is `store` (or is left out: load)");
                    subject.is_store = true;
                }
                _ => subject.arguments.push((name.to_owned(), value.to_owned())),
            }
        }
        Ok(subject)
    }

    /// The line that the story calls `label`; of an access `1`, `2`, ….
    pub(super) fn line(&self, label: &str) -> Result<u32> {
        if let Ok(line) = label.parse() {
            return Ok(line);
        }
        let found = self.labels.iter().find(|(name, _)| name == label);
        let known: Vec<&str> = self.labels.iter().map(|(name, _)| name.as_str()).collect();
        found.map(|(_, line)| *line).with_context(|| {
            format!(
                "no line is called `{label}`: mark it with `{LABEL}{label}` in the kernel (it has: {})",
                known.join(", ")
            )
        })
    }

    /// Threads of a block.
    pub(super) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Blocks of the grid.
    pub(super) fn blocks(&self) -> u64 {
        self.grid.iter().map(|size| u64::from(*size)).product()
    }

    /// The code, as it is shown.
    pub(super) fn code(&self, vars: &Vars) -> Result<String> {
        match &self.text {
            Text::Kernel(text) => filled(text, vars),
            Text::Access {
                declarations,
                accesses,
            } => filled(&format!("{declarations}\n{accesses}\n"), vars),
            Text::Layout { layout, .. } => filled(layout, vars),
        }
    }

    /// The same kernel with a text in place of each `{name}`.
    pub(super) fn with_parts(&self, parts: &BTreeMap<&str, &str>) -> Self {
        let mut own = self.clone();
        if let Text::Kernel(text) = &mut own.text {
            for (name, part) in parts {
                *text = text.replace(&format!("{{{name}}}"), part);
            }
        }
        own
    }

    /// The lines from one label to another, without what they have in common before them.
    pub(super) fn between(&self, from: &str, to: &str, vars: &Vars) -> Result<String> {
        let (from, to) = (self.line(from)?, self.line(to)?);
        let code = self.code(vars)?;
        let lines = (1..)
            .zip(code.lines())
            .filter(|(number, _)| (from..=to).contains(number));
        let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
        let indents = lines
            .iter()
            .map(|line| line.len() - line.trim_start().len());
        let indent = indents.min().unwrap_or(0);
        let lines: Vec<&str> = lines.iter().map(|line| &line[indent..]).collect();
        Ok(lines.join("\n"))
    }

    /// The page's state with this in it: a kernel as written.
    pub(super) fn state(&self, vars: &Vars) -> Result<State> {
        let source = match &self.text {
            Text::Kernel(text) => Source::Kernel(filled(text, vars)?),
            Text::Access {
                declarations,
                accesses,
            } => Source::Expression {
                declarations: filled(declarations, vars)?,
                accesses: filled(accesses, vars)?,
            },
            Text::Layout { layout, access } => Source::Layout {
                layout: filled(layout, vars)?,
                access: filled(access, vars)?,
            },
        };
        let is_kernel = matches!(self.text, Text::Kernel(_));
        Ok(State {
            source,
            operation: if self.is_store {
                Operation::Store
            } else {
                Operation::Load
            },
            launch: Launch {
                grid: self.grid,
                block: self.block,
                arguments: self.arguments.clone(),
                ..Launch::default()
            },
            device: device(&self.device)?,
            compiler: is_kernel.then_some(Compiler::None),
            ..State::default()
        })
    }
}

fn shape(text: &str) -> Result<[u32; 3]> {
    let mut shape = [1; 3];
    let sizes: Vec<&str> = text.split(',').collect();
    ensure!(sizes.len() <= 3, "`{text}` has more than three sizes");
    for (place, size) in shape.iter_mut().zip(sizes) {
        *place = size
            .parse()
            .with_context(|| format!("`{size}` is no size"))?;
    }
    Ok(shape)
}

/// An id, or `BANKSxLANES`: a machine of one's own numbers whose banks are 32 bits wide and broadcast, but for `…:none`.
fn device(text: &str) -> Result<Device> {
    let own = text
        .split_once('x')
        .filter(|_| text.starts_with(|c: char| c.is_ascii_digit()));
    let Some((banks, lanes)) = own else {
        return Ok(Device::Known(text.to_owned()));
    };
    let (lanes, broadcast) = match lanes.strip_suffix(":none") {
        Some(lanes) => (lanes, Broadcast::None),
        None => (lanes, Broadcast::Any),
    };
    let number = |text: &str| {
        text.parse()
            .with_context(|| format!("`{text}` is no number: write BANKSxLANES, as in 4x4"))
    };
    Ok(Device::Custom(CustomDevice {
        banks: number(banks)?,
        bank_bits: 32,
        lanes: number(lanes)?,
        broadcast,
        sector_bytes: 32,
        line_bytes: 128,
    }))
}
