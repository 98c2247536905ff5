//! What holds for every state and every link.

use lanescope_share::{
    Broadcast, Compiler, CustomDevice, Device, Embed, GuessedShape, Lab, Language, Launch,
    LinkError, MAX_FRAGMENT_BYTES, Notice, Opened, Operation, Selection, Site, Source, State,
    Theme, View, decode, decode_plain, encode, encode_plain,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Text as people write it, with all that an escape must get right.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z0-9_ ]{0,8}",
        "[\\[\\]()]{0,4}",
        "[%&=#+?.,;:|<>\"'`{}^*!~$@/\\\\-]{0,4}",
        "%[0-9A-F]{2}",
        Just("tile[tx][(ty*8+k)%32]".to_owned()),
        Just("共享内存🙂".to_owned()),
        Just("\n\t\r\n".to_owned()),
    ];
    vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn word() -> impl Strategy<Value = String> {
    "[a-z0-9][a-z0-9._-]{0,12}"
}

fn named() -> impl Strategy<Value = Vec<(String, String)>> {
    vec(("[A-Za-z_][a-z0-9_]{0,6}", text()), 0..3)
}

fn counts() -> impl Strategy<Value = [u32; 3]> {
    let count = || prop_oneof![Just(1), 1..2_000_u32, 1..u32::MAX];
    [count(), count(), count()]
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        (text(), text()).prop_map(|(accesses, declarations)| Source::Expression {
            accesses,
            declarations
        }),
        text().prop_map(Source::Kernel),
        vec(text(), 0..40).prop_map(|lines| Source::Kernel(lines.join("\n"))),
        (text(), prop_oneof![Just(String::new()), word()])
            .prop_map(|(layout, access)| Source::Layout { layout, access }),
        text().prop_map(Source::Trace),
    ]
}

fn launch() -> impl Strategy<Value = Launch> {
    let names = (option::of("[a-z_]{1,9}"), named(), named(), named());
    let guessed = any::<[bool; 2]>().prop_map(|[grid, block]| GuessedShape { grid, block });
    (names, any::<u32>(), counts(), counts(), guessed).prop_map(
        |((kernel, templates, defines, arguments), dynamic_shared_bytes, grid, block, guessed)| {
            Launch {
                kernel,
                templates,
                defines,
                arguments,
                dynamic_shared_bytes,
                grid,
                block,
                guessed,
            }
        },
    )
}

fn device() -> impl Strategy<Value = Device> {
    let broadcast = prop_oneof![
        Just(Broadcast::None),
        Just(Broadcast::OneWord),
        Just(Broadcast::Any)
    ];
    let custom = (any::<[u32; 5]>(), broadcast).prop_map(
        |([banks, bank_bits, lanes, sector_bytes, line_bytes], broadcast)| {
            Device::Custom(CustomDevice {
                banks,
                bank_bits,
                lanes,
                broadcast,
                sector_bytes,
                line_bytes,
            })
        },
    );
    prop_oneof![
        Just(Device::default()),
        word().prop_map(Device::Known),
        custom
    ]
}

fn selection() -> impl Strategy<Value = Selection> {
    let site = (1..500_u32, 1..4_u32).prop_map(|(line, nth)| Site { line, nth });
    (
        option::of(site),
        [0..9_u32, 0..2, 0..2],
        0..64_u32,
        any::<u64>(),
        vec(("[a-z]{1,4}", any::<i64>()), 0..3),
    )
        .prop_map(|(site, block, warp, iteration, values)| Selection {
            site,
            block,
            warp,
            iteration,
            values,
        })
}

fn lab() -> impl Strategy<Value = Lab> {
    let words = || vec(word(), 0..3);
    (
        option::of(word()),
        words(),
        words(),
        words(),
        option::of(text()),
    )
        .prop_map(|(experiment, variants, sizes, shapes, results)| Lab {
            experiment,
            variants,
            sizes,
            shapes,
            results,
        })
}

/// What can be chosen about how a state is shown.
type Shown = (
    View,
    Option<Language>,
    Option<Theme>,
    Embed,
    (bool, Option<Compiler>),
    Operation,
);

fn shown() -> impl Strategy<Value = Shown> {
    let view = prop_oneof![
        Just(View::Analysis),
        Just(View::Fix),
        Just(View::Devices),
        Just(View::Lab),
        Just(View::Gallery)
    ];
    let language = proptest::sample::select(Language::ALL);
    let theme = prop_oneof![Just(Theme::Dark), Just(Theme::Light)];
    let compiler = prop_oneof![Just(Compiler::None), Just(Compiler::Nvcc13)];
    let embed = any::<(bool, bool)>().prop_map(|(source, bare)| Embed { source, bare });
    let operation = prop_oneof![Just(Operation::Load), Just(Operation::Store)];
    (
        view,
        option::of(language),
        option::of(theme),
        embed,
        (any::<bool>(), option::of(compiler)),
        operation,
    )
}

fn unknown() -> impl Strategy<Value = Vec<(String, String)>> {
    vec(("zz[a-z]{0,6}", text()), 0..3)
}

fn state() -> impl Strategy<Value = State> {
    let what = (source(), launch(), device(), vec(word(), 0..3), selection());
    let pages = (option::of(word()), option::of(word()));
    (what, pages, lab(), shown(), unknown()).prop_map(
        |(what, (beside, lesson), lab, shown, unknown)| {
            let (source, launch, device, compared, selection) = what;
            let (view, language, theme, embed, (repeated_reads, compiler), operation) = shown;
            State {
                source,
                operation,
                launch,
                device,
                compared,
                selection,
                repeated_reads,
                compiler,
                view,
                beside,
                lesson,
                lab,
                language,
                theme,
                embed,
                unknown,
            }
        },
    )
}

/// Links of known keys with values of every kind, and noise.
/// What a plain expression's state keeps of any state.
fn plain(state: &State) -> State {
    let source = match &state.source {
        source @ Source::Expression { .. } => source.clone(),
        Source::Layout { layout: text, .. } | Source::Kernel(text) | Source::Trace(text) => {
            Source::Expression {
                accesses: text.clone(),
                declarations: String::new(),
            }
        }
    };
    let device = match &state.device {
        device @ Device::Known(_) => device.clone(),
        Device::Custom(_) => Device::default(),
    };
    State {
        source,
        operation: state.operation,
        launch: Launch {
            grid: state.launch.grid,
            block: state.launch.block,
            ..Launch::default()
        },
        device,
        selection: state.selection.clone(),
        language: state.language,
        theme: state.theme,
        embed: state.embed,
        ..State::default()
    }
}

fn fragment() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        proptest::sample::select(lanescope_share::KEYS).prop_map(|key| key.name.to_owned()),
        "[a-z]{0,3}".prop_map(String::from),
    ];
    let value = prop_oneof![
        text(),
        proptest::sample::select(lanescope_share::KEYS).prop_map(|key| key.example.to_owned()),
        "[0-9,.=]{0,8}",
        "[tz]\\.[A-Za-z0-9_-]{0,40}",
        any::<String>(),
    ];
    let part = (key, value).prop_map(|(key, value)| format!("{key}={value}"));
    prop_oneof![4 => vec(part, 0..6).prop_map(|parts| parts.join("&")), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_state_comes_back_from_its_link(state in state()) {
        let link = encode(&state);
        prop_assume!(link.len() <= MAX_FRAGMENT_BYTES);
        let opened = decode(&link).expect(&link);
        prop_assert_eq!(&opened.state, &state);
        prop_assert_eq!(encode(&opened.state), link);
    }

    #[test]
    fn a_link_is_made_of_characters_that_survive(state in state()) {
        let link = encode(&state);
        let survives = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$*+,;:@/?=^%&[]()".contains(&byte);
        prop_assert!(link.bytes().all(survives), "{}", link);
        let end = link.bytes().last().unwrap_or(b'=');
        prop_assert!(end.is_ascii_alphanumeric() || end == b'=', "{}", link);
    }

    #[test]
    fn what_opens_has_one_canonical_link(fragment in fragment()) {
        if let Ok(opened) = decode(&fragment) {
            let link = encode(&opened.state);
            prop_assume!(link.len() <= MAX_FRAGMENT_BYTES);
            let again = decode(&link).expect(&link);
            prop_assert_eq!(&again.state, &opened.state);
            prop_assert_eq!(encode(&again.state), link);
        }
    }

    #[test]
    fn a_plain_link_opens_as_any_link(fragment in fragment(), state in state()) {
        for fragment in [fragment, encode(&state), encode(&plain(&state))] {
            if let Some(plain) = decode_plain(&fragment) {
                let opened = decode(&fragment);
                prop_assert_eq!(opened, Ok(Opened { state: plain, notices: Vec::new() }));
            }
        }
    }

    #[test]
    fn a_plain_state_makes_the_link_of_any_state(state in state()) {
        let state = plain(&state);
        let link = encode_plain(&state);
        prop_assert_eq!(&link, &encode(&state));
        prop_assume!(link.len() <= MAX_FRAGMENT_BYTES);
        prop_assert_eq!(decode_plain(&link), decode(&link).ok().map(|opened| opened.state));
    }

    #[test]
    fn escaping_more_changes_nothing(state in state()) {
        let link = encode(&state);
        prop_assume!(link.len() <= MAX_FRAGMENT_BYTES / 3);
        let escaped: String = link.chars().map(|c| match c {
            '[' | ']' | '(' | ')' | '^' | '*' | '+' | ',' | ';' | ':' | '!' | '$' => format!("%{:02x}", c as u32),
            _ => c.to_string(),
        }).collect();
        prop_assert_eq!(decode(&escaped), decode(&link));
    }

    #[test]
    fn a_cut_link_says_so(state in state(), cut in any::<proptest::sample::Index>()) {
        // What the check leaves free may be cut unseen.
        let state = State { language: None, theme: None, embed: Embed::default(), ..state };
        let link = encode(&state);
        prop_assume!(link.len() <= MAX_FRAGMENT_BYTES && link.len() > AFTER_CHECK);
        let cut = &link[..AFTER_CHECK + cut.index(link.len() - AFTER_CHECK)];
        let is_noticed = decode(cut).is_ok_and(|opened| opened.state == state) || says_cut_off(cut);
        // What is left has by chance (1 in 3,844) the check of the whole link: then with any other it has not.
        prop_assert!(is_noticed || says_cut_off(&with_another_check(cut)), "{cut}");
    }
}

/// Characters of version and check.
const AFTER_CHECK: usize = "v=1&c=xx".len();

/// Whether a link says that it was cut off.
fn says_cut_off(link: &str) -> bool {
    match decode(link) {
        Ok(opened) => opened.notices.contains(&Notice::CutOff),
        Err(error) => matches!(error, LinkError::CutOff(_)),
    }
}

/// The link with another check.
fn with_another_check(link: &str) -> String {
    let (version, rest) = link.split_at("v=1&c=".len());
    let (check, rest) = rest.split_at(2);
    let other = if check == "00" { "11" } else { "00" };
    format!("{version}{other}{rest}")
}
