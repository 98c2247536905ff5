//! What the engine counts of a subject, request by request.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use lanescope_fixes::Occupancy;
use lanescope_frontend::{End, execute};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
use lanescope_query::{Analysis, Question, analyse, l1};
use lanescope_share::{State, encode};
use lanescope_simt::{Access, Observer};
use lanescope_tally::{Kind, Status, Sums, Tally};

use super::ratio::Ratio;
use super::subject::Subject;
use super::vars::Vars;

/// Requests that a launch whose requests are looked at one by one may make.
const MOST_REQUESTS: u64 = 200_000;

/// One request of a warp.
#[derive(Clone, Debug)]
pub(super) struct WarpRequest {
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) warp: u32,
    /// How often the warp came here before: the step of a loop.
    pub(super) step: u64,
    /// By lane: its byte address, where it takes part.
    pub(super) lanes: Vec<Option<u64>>,
    operation: Operation,
    width: Width,
    pub(super) sums: Sums,
}

impl WarpRequest {
    /// Lanes that take part.
    pub(super) fn active(&self) -> u64 {
        self.lanes.iter().flatten().count() as u64
    }

    /// By bank: the wavefronts that it needs, its phases one after the other.
    pub(super) fn bank_wavefronts(&self, device: &Device) -> Result<Vec<u32>> {
        let addresses: Vec<u64> = self.lanes.iter().map(|lane| lane.unwrap_or(0)).collect();
        let on = self
            .lanes
            .iter()
            .enumerate()
            .filter(|(_, lane)| lane.is_some());
        let request = Request {
            space: Space::Shared,
            operation: self.operation,
            width: self.width,
            active: LaneMask(on.fold(0, |mask, (lane, _)| mask | 1 << lane)),
            addresses: &addresses,
        };
        let report = device
            .shared_report(&request)
            .map_err(|unknown| anyhow!("the model has no number for this: {unknown:?}"))?;
        let mut banks = vec![0; report.banks as usize];
        for used in report.phases.iter().flat_map(|phase| &phase.banks) {
            banks[used.bank as usize] += used.wavefronts;
        }
        Ok(banks)
    }
}

/// A subject at one value of each number, run.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) analysis: Analysis,
    /// Of a launch of one block; empty of a larger one.
    pub(super) requests: Vec<WarpRequest>,
}

/// Which requests are meant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen {
    pub(super) line: Option<u32>,
    pub(super) is_store: Option<bool>,
    pub(super) step: Option<u64>,
    pub(super) warp: Option<u32>,
    pub(super) lane: Option<usize>,
}

impl Chosen {
    fn has(self, line: u32, kind: Kind) -> bool {
        let stores = matches!(
            kind,
            Kind::SharedStore | Kind::GlobalStore | Kind::MatrixStore
        );
        self.line.is_none_or(|own| own == line) && self.is_store.is_none_or(|own| own == stores)
    }

    pub(super) fn takes(self, asked: &WarpRequest) -> bool {
        self.has(asked.line, asked.kind)
            && self.step.is_none_or(|step| step == asked.step)
            && self.warp.is_none_or(|warp| warp == asked.warp)
    }
}

/// All runs so far, by the link of what was run.
#[derive(Default)]
pub(super) struct Runs {
    known: RefCell<BTreeMap<String, Rc<Run>>>,
}

impl Runs {
    /// `subject` at `vars`, run once.
    pub(super) fn of(&self, subject: &Subject, vars: &Vars) -> Result<Rc<Run>> {
        let state = subject.state(vars)?;
        let key = encode(&state);
        if let Some(run) = self.known.borrow().get(&key) {
            return Ok(Rc::clone(run));
        }
        let run = Rc::new(run(&state, subject.blocks() == 1)?);
        self.known.borrow_mut().insert(key, Rc::clone(&run));
        Ok(run)
    }
}

/// Says only what is counted: what is guessed or cut off is no number for a story.
fn run(state: &State, is_looked_into: bool) -> Result<Run> {
    let analysis = analyse(Question::of(state, u64::MAX / 64)?);
    let error = analysis.diagnostics.iter().find(|found| {
        !analysis.is_answered() || found.severity() == lanescope_frontend::Severity::Error
    });
    if let Some(error) = error {
        bail!("the engine says: {}", error);
    }
    ensure!(
        analysis.standing.status == Status::Counted,
        "the engine does not call it counted but {:?}: {:?}; give its arguments, or choose another kernel",
        analysis.standing.status,
        analysis.standing.reasons
    );
    let requests = if is_looked_into {
        requests(&analysis)?
    } else {
        Vec::new()
    };
    Ok(Run { analysis, requests })
}

/// Every request of the launch, with what the tally makes of it alone.
fn requests(analysis: &Analysis) -> Result<Vec<WarpRequest>> {
    let question = &analysis.question;
    let mut watched = Watched {
        analysis,
        device: &question.device,
        requests: Vec::new(),
    };
    let lanes = question.device.warp_lanes();
    let program = analysis.program();
    let outcome = execute(
        program,
        &question.launch,
        lanes,
        question.budget(),
        &mut watched,
    );
    ensure!(
        outcome.end == End::Complete,
        "a block makes more than {MOST_REQUESTS} requests: choose a smaller launch"
    );
    Ok(watched.requests)
}

struct Watched<'a> {
    analysis: &'a Analysis,
    device: &'a Device,
    requests: Vec<WarpRequest>,
}

impl Observer for Watched<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        let mut tally = Tally::new(self.device);
        tally.access(access);
        let kind = Kind::of(request.space, request.operation);
        let site = self.analysis.program().site(access.site);
        let lanes = request.addresses.iter().enumerate();
        self.requests.push(WarpRequest {
            line: site.map_or(0, |site| self.analysis.question.line_of(site)),
            kind,
            warp: access.warp,
            step: access.occurrence,
            lanes: lanes
                .map(|(lane, address)| request.active.contains(lane).then_some(*address))
                .collect(),
            operation: request.operation,
            width: request.width,
            sums: tally.site(access.site),
        });
        self.requests.len() < usize::try_from(MOST_REQUESTS).unwrap_or(usize::MAX)
    }
}

/// The fields that a subject has, as the guide lists them.
const FIELDS: &str = "requests, wavefronts, ideal, conflicts, ways, sectors, ideal_sectors, bytes_used, bytes_moved, lanes, \
     word, banks_on, shared_bytes, resident, l1_requested, l1_distinct, \
     steps, threads, blocks, warp, banks";

impl Run {
    /// Field `name` of the requests that are `chosen`.
    pub(super) fn field(&self, subject: &Subject, chosen: Chosen, name: &str) -> Result<Ratio> {
        let device = &self.analysis.question.device;
        let whole = |number: u64| Ok(Ratio::whole(number.into()));
        match name {
            "threads" => return whole(subject.threads().into()),
            "blocks" => return whole(subject.blocks()),
            "warp" => return whole(device.warp_lanes().into()),
            "banks" => return whole(device.banks().context("it has no banks")?.into()),
            "steps" => {
                let taken = self.requests.iter().filter(|asked| chosen.takes(asked));
                return whole(taken.map(|asked| asked.step + 1).max().unwrap_or(0));
            }
            "shared_bytes" => return whole(self.occupancy(subject).shared_bytes),
            "resident" => {
                let blocks = self.occupancy(subject).blocks;
                return whole(
                    blocks.context("the model does not know how much fits on this device")?,
                );
            }
            "l1_requested" => return whole(l1(&self.analysis.question).counts.requested),
            "l1_distinct" => return whole(l1(&self.analysis.question).counts.distinct),
            "word" => {
                let lane = chosen.lane.context("say whose: lane[5].word")?;
                let taken = self.chosen(chosen)?;
                let address = taken[0].lanes.get(lane).copied().flatten();
                return whole(address.with_context(|| format!("lane {lane} takes no part"))? / 4);
            }
            "banks_on" => {
                let banks = self.chosen(chosen)?[0].bank_wavefronts(device)?;
                return whole(banks.into_iter().filter(|count| *count > 0).count() as u64);
            }
            "lanes" => {
                let taken = self.chosen(chosen)?;
                return whole(taken.into_iter().map(WarpRequest::active).sum());
            }
            _ => {}
        }
        let sums = self.sums(chosen)?;
        whole(match name {
            "requests" => sums.requests,
            "wavefronts" => sums.wavefronts,
            "ideal" => sums.ideal_wavefronts,
            "conflicts" => sums.conflicts,
            "ways" => sums.ways.into(),
            "sectors" => sums.sectors,
            "ideal_sectors" => sums.ideal_sectors,
            "bytes_used" => sums.bytes_used,
            "bytes_moved" => sums.bytes_moved,
            _ => bail!("a subject has no `{name}`: it has {FIELDS}"),
        })
    }

    /// How much of a multiprocessor a block takes, whatever its registers.
    fn occupancy(&self, subject: &Subject) -> Occupancy {
        let shared = self.analysis.program().shared_bytes();
        let device = &self.analysis.question.device;
        Occupancy::of(device, shared, subject.threads().into(), None)
    }

    /// The requests that are `chosen`, one by one: at least one.
    pub(super) fn chosen(&self, chosen: Chosen) -> Result<Vec<&WarpRequest>> {
        let taken: Vec<&WarpRequest> = self
            .requests
            .iter()
            .filter(|asked| chosen.takes(asked))
            .collect();
        ensure!(
            !taken.is_empty(),
            "nothing is asked for there, or the launch has more than one block"
        );
        Ok(taken)
    }

    /// Steps that the requests that are `chosen` take, of at least one.
    pub(super) fn steps(&self, chosen: Chosen) -> Result<u64> {
        let last = self.chosen(chosen)?.iter().map(|one| one.step).max();
        Ok(last.map_or(0, |last| last + 1))
    }

    /// The sums of the requests that are `chosen`: at least one.
    pub(super) fn sums(&self, chosen: Chosen) -> Result<Sums> {
        let mut sums = Sums::default();
        if chosen.step.is_none() && chosen.warp.is_none() {
            let lines = self.analysis.lines.iter();
            for line in lines.filter(|line| chosen.has(line.line, line.kind)) {
                sums.add(&line.sums);
            }
        } else {
            ensure!(
                !self.requests.is_empty(),
                "steps are told apart in launches of one block"
            );
            for asked in self.requests.iter().filter(|asked| chosen.takes(asked)) {
                sums.add(&asked.sums);
            }
        }
        ensure!(sums.requests > 0, "nothing is asked for there");
        if let Some(unknown) = sums.unknown {
            bail!("the model has no number for this: {unknown:?}");
        }
        Ok(sums)
    }
}
