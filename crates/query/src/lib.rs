//! A state of the playground, analysed: what each line of it costs, the sums, one sentence and a picture.
//!
//! What the command line prints, what other people's programs get as JSON ([`Report`]) and what the pages of the
//! gallery are made of come from here, so that they agree.
//!
//! ```
//! use lanescope_query::{Question, analyse, verdict};
//!
//! // Eight lanes read every eighth word of a device with eight banks.
//! let link = "e=a[8*tid]&d=float a[64]&b=8&gpu=custom:8,32,8,any,32,128";
//! let state = lanescope_share::decode(link)?.state;
//! let analysis = analyse(Question::of(&state, 1_000)?);
//! assert_eq!(analysis.totals.shared_load_wavefronts, 8);
//! assert_eq!(verdict(&analysis), "8-way bank conflict on line 1 (custom): 8 shared load wavefronts, ideal 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Left out: reading files and writing text, which are the caller's; recorded traces; and the readers of WGSL, PTX and
//! SASS, whose programs a caller gives ([`Read::foreign`]).

mod analyse;
mod answer;
mod argument;
mod ask;
mod assumption;
mod blocks;
mod bulk_copies;
mod card;
mod carried;
mod classes;
mod coincidence;
mod compiler;
mod costliest;
mod count;
mod divergence;
mod error;
mod finding;
mod guessed_launch;
mod host_sizes;
mod l1;
mod launch_limit;
mod layout_text;
mod line;
mod loops;
mod moved;
mod picture;
mod prediction;
mod question;
mod ranges;
mod read;
mod recorded;
mod remark;
mod report;
mod shape;
mod source_reader;
mod static_passes;
mod stop;
mod verdict;
mod whole;

pub use analyse::{Analysis, analyse};
pub use answer::{Answer, FirstRun, answer, budget, screen_budget};
pub use argument::{ArgumentError, argument_text, argument_value};
pub use ask::Ask;
pub use assumption::assumption;
pub use bulk_copies::{BulkCopies, LineBulkCopies};
pub use card::{CardAmount, CardAnswer, CardGain, CardText};
pub use compiler::{Compiler, Unmeasured, unmeasured};
pub use divergence::{Divergence, LineDivergence, lanes_hundredths};
pub use error::{AskError, NoPicture};
pub use finding::{Finding, NeedReport, WorstReport, findings};
pub use host_sizes::take_host_sizes;
pub use l1::{L1, l1};
pub use lanescope_cuda::source::other_language;
pub use lanescope_simt::{Executor, InOrder};
pub use layout_text::parse_layout;
pub use line::{Line, Origin};
pub use loops::loop_values;
pub use picture::{Picture, picture};
pub use prediction::measured;
pub use question::{
    Question, device, device_macros, kernel_options, launch, own_block, readable_launch,
};
pub use read::{Read, layout_text, operation};
pub use recorded::{Mismatch, NotRecorded, recorded_arguments};
pub use remark::{AccessRemark, Named, omitted_words, remarks};
pub use report::{REPORT_VERSION, Report};
pub use shape::{GivenShape, found_launch, host_instance};
pub use source_reader::SourceReader;
pub use static_passes::{WORK, parse_compiled};
pub use stop::Stop;
pub use verdict::{qualification, verdict};
pub use whole::{Count, Effort, Whole};
