//! What the command line names as the thing to analyse.

use crate::analysis::Question;
use crate::args::{BudgetArgs, ExpressionArgs, KernelLaunchArgs, Op};
use crate::input;
use lanescope_lang::{Blocks, KernelOptions, Launch, parse_expression, parse_kernel};
use lanescope_model::{Device, Operation};
use std::path::Path;

/// An expression's two texts.
pub(crate) struct Expression {
    pub(crate) declarations: String,
    pub(crate) accesses: String,
}

impl Expression {
    /// The texts that the arguments give; `-` stands for standard input.
    ///
    /// # Errors
    /// When standard input cannot be read.
    pub(crate) fn read(args: &ExpressionArgs) -> anyhow::Result<Self> {
        let accesses = match args.accesses.as_slice() {
            [only] if only == "-" => input::text(Path::new("-"))?.trim_end().to_owned(),
            accesses => accesses.join("\n"),
        };
        Ok(Self {
            declarations: args.declarations.join("\n"),
            accesses,
        })
    }

    /// The question what its accesses cost.
    pub(crate) fn question(
        &self,
        args: &ExpressionArgs,
        [grid, block]: [[u32; 3]; 2],
        device: &Device,
        budget: &BudgetArgs,
    ) -> Question {
        let operation = match args.op {
            Op::Load => Operation::Load,
            Op::Store => Operation::Store,
        };
        let launch = Launch {
            variables: args.values.clone(),
            reread: budget.count_repeated_reads,
            ..Launch::new(grid, block)
        };
        Question {
            parsed: parse_expression(&self.declarations, &self.accesses, operation),
            source: format!("{}\n{}", self.declarations, self.accesses),
            first_line: self.declarations.split('\n').count(),
            launch,
            device: device.clone(),
            max_requests: budget.max_requests,
        }
    }
}

/// The question what a kernel's lines cost.
pub(crate) fn kernel_question(
    source: String,
    args: &KernelLaunchArgs,
    [grid, block]: [[u32; 3]; 2],
    device: &Device,
    budget: &BudgetArgs,
) -> Question {
    let options = KernelOptions {
        kernel: args.kernel.clone(),
        defines: args.defines.clone(),
    };
    let launch = Launch {
        arguments: args.arguments.clone(),
        dynamic_shared_bytes: args.dynamic_shared.into(),
        blocks: Blocks::All,
        reread: budget.count_repeated_reads,
        ..Launch::new(grid, block)
    };
    Question {
        parsed: parse_kernel(&source, &options),
        source,
        first_line: 0,
        launch,
        device: device.clone(),
        max_requests: budget.max_requests,
    }
}
