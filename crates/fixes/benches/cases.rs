// What is timed, by the benchmark and by the example that also runs in a browser.

/// Every request of a block as large as a square tile of words that writes it by rows and reads
/// it by columns.
fn tile(side: u64) -> (Shape, Patterns) {
    let mut patterns = Patterns::new();
    for warp in 0..side * side / 32 {
        for (operation, by_rows) in [(Operation::Store, true), (Operation::Load, false)] {
            let threads = (0..32).map(|lane| warp * 32 + lane);
            let place = |id: u64| {
                if by_rows {
                    id
                } else {
                    id % side * side + id / side
                }
            };
            let addresses: Vec<u64> = threads.map(|id| place(id) * 4).collect();
            let request = Request {
                space: Space::Shared,
                operation,
                width: Width::Bytes4,
                active: LaneMask::first(32),
                addresses: &addresses,
            };
            patterns.add(&request, 0);
        }
    }
    let shape = Shape::new(&[side, side], 4).expect("a tile has elements");
    (shape, patterns)
}

/// All paddings, swizzles, row XORs and the transposed layout; how many were tried.
fn search_tile((shape, patterns): &(Shape, Patterns)) -> usize {
    let front = search(<&Device>::default(), shape, patterns.all(), &|_| true);
    front.map_or(0, |front| front.tried)
}

/// All fixes of a kernel of a hundred lines, proved; how many there are.
fn advise_on_a_hundred_lines() -> usize {
    let source = Source::kernel(include_str!("../benches/hundred_lines.cu"));
    let integer = |value| ArgumentValue::Integer(value);
    let question = Question {
        source: &source,
        reader: &SourceReader::default(),
        launch: NamedLaunch::new([8, 8, 1], [256, 1, 1])
            .with("width", integer(250))
            .with("height", integer(250)),
        device: <&Device>::default(),
        budget: Budget::default(),
        registers: None,
    };
    advise(&question, &mut |_| true).suggestions.len()
}
