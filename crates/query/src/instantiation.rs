//! A kernel named with its template's arguments, as in `matmul<32>`.

/// The kernel's own name and its template's parameters with their values, by the order in which `source` has them;
/// values without a parameter are left out.
pub(crate) fn split(name: &str, source: &str) -> (String, Vec<(String, String)>) {
    let Some((plain, rest)) = name.split_once('<') else {
        return (name.to_owned(), Vec::new());
    };
    let plain = plain.trim();
    let values = list(rest.trim_end().strip_suffix('>').unwrap_or(rest));
    let parameters = parameters(plain, source).into_iter().zip(values);
    (plain.to_owned(), parameters.collect())
}

/// The names of the template parameters of the function `name`.
fn parameters(name: &str, source: &str) -> Vec<String> {
    let header = calls(name, source).find_map(|at| {
        let before = source.get(..at)?;
        let (_, header) = before.rsplit_once("template")?;
        // A body or another function between: the header is another's.
        (!header.contains(['{', '}', ';'])).then_some(header)
    });
    let Some((_, inside)) = header.and_then(|header| header.split_once('<')) else {
        return Vec::new();
    };
    list(closed(inside))
        .iter()
        .filter_map(|parameter| parameter_name(parameter))
        .collect()
}

/// Where `name` stands as a word with a parenthesis after it.
fn calls<'a>(name: &'a str, source: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    source
        .match_indices(name)
        .map(|(at, _)| at)
        .filter(move |at| {
            let (before, after) = source.split_at(*at);
            let after = after.get(name.len()..).unwrap_or("");
            !name.is_empty() && !before.ends_with(is_word) && after.trim_start().starts_with('(')
        })
}

/// What stands before the `>` that closes the list.
fn closed(text: &str) -> &str {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' if depth == 0 => return text.get(..at).unwrap_or(text),
            '>' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text
}

/// The parts between commas that stand in no brackets.
fn list(text: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let parts = text.split(|c| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// The name in `int T = 4`.
fn parameter_name(parameter: &str) -> Option<String> {
    let declared = parameter.split('=').next()?;
    declared.split_whitespace().next_back().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "template <int A> __device__ int f(int x) { return A; }\n\
        template<typename T, int TILE = 16,\n  bool (*F)(int, int)>\n__global__ void k(T* a) { f<2>(1); }\n\
        __global__ void plain(int* a) { a[0] = f<3>(0); }";

    fn split_text(name: &str) -> String {
        let (name, values) = split(name, SOURCE);
        let values: Vec<String> = values
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{name} {}", values.join(" "))
    }

    #[test]
    fn arguments_go_to_parameters_in_order() {
        assert_eq!(split_text("k<float, 32>"), "k T=float TILE=32");
        assert_eq!(split_text("k < vec<int, 4> >"), "k T=vec<int, 4>");
        assert_eq!(split_text("k"), "k ");
        assert_eq!(split_text("plain<1>"), "plain ");
        assert_eq!(split_text("nobody<1>"), "nobody ");
        assert_eq!(split_text("<"), " ");
    }
}
