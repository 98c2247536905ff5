//! What a card says of an answer: the words and sums that the page's card and the command line's have in common.

use lanescope_draw::Bar;
use lanescope_fixes::Totals;
use lanescope_locale::{Language, card, page};
use lanescope_tally::{Headline, Need, Reason, SiteTally, Standing, Status, Verdict};

/// An answer, as a card looks at it.
#[derive(Clone, Copy, Debug)]
pub struct CardAnswer<'a> {
    /// The language of the card.
    pub language: Language,
    /// How far the answer can be relied on.
    pub standing: &'a Standing,
    /// The sentence, and what it is about.
    pub verdict: &'a Verdict,
    /// What was counted, an access each.
    pub sites: &'a [SiteTally],
    /// The share that the verdict's access has of the waste, in hundredths of a percent; `None` where it is not shown.
    pub share_basis_points: Option<u64>,
    /// The kernel's name; empty of an expression.
    pub kernel: &'a str,
    /// The device's name.
    pub device: &'a str,
    /// The fix that is shown.
    pub gain: Option<CardGain<'a>>,
}

/// A fix, and what it changes.
#[derive(Clone, Copy, Debug)]
pub struct CardGain<'a> {
    /// What is written instead.
    pub change: &'a str,
    /// n of n-way, before and after.
    pub ways: [u32; 2],
    /// The totals of the runs that proved it, before and after.
    pub totals: &'a [Totals; 2],
}

/// The words of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardText {
    /// The one sentence.
    pub verdict: String,
    /// Whether it is a finding.
    pub is_bad: bool,
    /// The verdict's share of the waste, and what the fix makes of it.
    pub about: Vec<String>,
    /// The kernel and the device.
    pub subject: String,
    /// What the launch takes of the memory that the verdict is about, and with the fix.
    pub amounts: Vec<CardAmount>,
    /// How far the answer can be relied on, and the first thing that it assumes.
    pub status: String,
}

/// A sum of wavefronts, or of sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardAmount {
    name: &'static str,
    needed: u64,
    all: u64,
    said: String,
}

impl CardAmount {
    /// The amount as the card draws it.
    #[must_use]
    pub fn bar(&self) -> Bar<'_> {
        Bar {
            name: self.name,
            needed: self.needed,
            all: self.all,
            said: &self.said,
        }
    }
}

impl CardAnswer<'_> {
    /// The words of the card.
    #[must_use]
    pub fn text(&self) -> CardText {
        let headline = &self.verdict.headline;
        CardText {
            verdict: self.headline(),
            is_bad: headline.tone(self.standing.status) == "bad",
            about: self.about(),
            subject: match self.kernel {
                "" => self.device.to_owned(),
                name => format!("{name} · {}", self.device),
            },
            amounts: self.amounts(),
            status: self.status(),
        }
    }

    /// The verdict; what is predicted or assumed says so at the card's foot, but for a launch that was guessed.
    fn headline(&self) -> String {
        let headline = &self.verdict.headline;
        let is_blame = matches!(
            headline,
            Headline::Conflict { .. } | Headline::Scattered { .. }
        );
        match self.standing.status {
            Status::Predicted | Status::Assumed if !headline.is_good() && !is_blame => {
                headline.text(self.language)
            }
            Status::Counted | Status::Partial | Status::Predicted | Status::Assumed => {
                headline.qualified(self.standing, self.language)
            }
        }
    }

    fn about(&self) -> Vec<String> {
        let share = self.share_basis_points;
        let share = share.map(|share| card::share(self.language, share));
        let gain = self.gain.map(|gain| match gain.ways {
            [before, after] if before > after => {
                page::card_gain(self.language, gain.change, before, after)
            }
            _ => card::with(self.language, gain.change),
        });
        share.into_iter().chain(gain).collect()
    }

    fn amounts(&self) -> Vec<CardAmount> {
        let need = Need::of(self.sites);
        let is_of_units = matches!(
            self.verdict.headline,
            Headline::Scattered { .. } | Headline::Coalesced
        );
        let unit = need.unit.filter(|_| is_of_units);
        let of = |totals: &Totals| match unit {
            Some(_) => [totals.global.ideal, totals.global.units],
            None => [totals.shared.ideal, totals.shared.wavefronts],
        };
        let now = match unit {
            Some(_) => [need.ideal_units, need.units],
            None => [need.ideal_wavefronts, need.wavefronts],
        };
        // Both bars are of the runs that proved the fix.
        let pair = self.gain.map(|gain| gain.totals.each_ref().map(of));
        let pair = pair.filter(|[before, after]| after[1] < before[1]);
        let [first, second] = pair.map_or([now, [0; 2]], |pair| pair);
        if first[1] == 0 {
            return Vec::new();
        }
        let amount = |name, [needed, all]: [u64; 2], said| CardAmount {
            name,
            needed,
            all,
            said,
        };
        let said = card::amount(self.language, first[1], unit);
        let mut amounts = vec![amount(card::before(self.language), first, said)];
        if let Some(times) = first[1].saturating_mul(100).checked_div(second[1]) {
            let said = card::amount(self.language, second[1], unit);
            let said = format!("{said}, {}", card::fewer(self.language, times));
            amounts.push(amount(card::after(self.language), second, said));
        }
        amounts
    }

    fn status(&self) -> String {
        let is_assumed = |reason: &&Reason| reason.status() == Status::Assumed;
        let assumed = self.standing.reasons.iter().find(is_assumed);
        let given = assumed.map(|one| card::given(self.language, &one.text(self.language)));
        self.standing.status.text(self.language).to_owned() + &given.unwrap_or_default()
    }
}
