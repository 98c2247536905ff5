//! Circles of imports: how many modules of one crate may need each other, directly or through others.
//!
//! A module is a file; it needs the files that its paths from `crate`, `self` and `super` and the names of its own
//! children lead to. The modules that reach each other are a strongly connected component of that graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use walkdir::WalkDir;

use crate::workspace;

/// The crates that are looked at.
const ROOMS: [&str; 3] = ["crates/cli/src", "crates/simt/src", "web/app/src"];
/// The modules that the largest circle may have.
const MOST: usize = 6;

/// A module's path from the crate's root; the root's is empty.
type Module = Vec<String>;

/// Checks that no circle is larger than its room allows.
///
/// # Errors
/// Names the modules of each circle that is.
pub(crate) fn check() -> Result<()> {
    let mut faults = Vec::new();
    for room in ROOMS {
        let circles = circles(&imports(&workspace::root().join(room))?);
        for circle in circles.iter().filter(|circle| circle.len() > MOST) {
            let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            faults.push(format!(
                "{room}: {} modules need each other, more than {MOST}: {}; move what several need into a file of its own",
                circle.len(),
                names.join(", ")
            ));
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// Which modules each module below `root` needs.
fn imports(root: &Path) -> Result<BTreeMap<Module, BTreeSet<Module>>> {
    let mut texts = BTreeMap::new();
    for entry in WalkDir::new(root) {
        let entry = entry?;
        let module = entry.path().strip_prefix(root).ok().and_then(module_of);
        if let Some(module) = module {
            texts.insert(module, fs::read_to_string(entry.path())?);
        }
    }
    let all: BTreeSet<Module> = texts.keys().cloned().collect();
    let needed = |(module, text): (&Module, &String)| (module.clone(), needs(module, text, &all));
    Ok(texts.iter().map(needed).collect())
}

/// The module that a file is; `None` of what is no Rust, or tests.
fn module_of(file: &Path) -> Option<Module> {
    let name = file.to_str()?.strip_suffix(".rs")?;
    let mut parts: Module = name.split(['/', '\\']).map(str::to_owned).collect();
    if matches!(parts.last()?.as_str(), "mod" | "lib" | "main") {
        parts.pop();
    }
    let is_test = parts.iter().any(|part| part == "tests");
    (!is_test).then_some(parts)
}

/// The other modules that the text of `module` needs. The root, which names every module, is nobody's import.
fn needs(module: &Module, text: &str, all: &BTreeSet<Module>) -> BTreeSet<Module> {
    let code = code(text);
    let mut found = BTreeSet::new();
    for path in paths(&code) {
        let target = resolved(module, &path, all);
        if !target.is_empty() && target != *module {
            found.insert(target);
        }
    }
    found
}

/// `text` without comments and without the tests at its end.
fn code(text: &str) -> String {
    let before_tests = text.split("\nmod tests {").next();
    let lines = before_tests.unwrap_or(text).lines();
    let bare = lines.map(|line| line.split("//").next().unwrap_or(line));
    bare.collect::<Vec<_>>().join("\n")
}

/// Every path that the code names, those of `use` trees in full.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = String::new();
    let mut statements = code.split("use ");
    rest.push_str(statements.next().unwrap_or_default());
    for statement in statements {
        let (tree, after) = statement.split_once(';').unwrap_or((statement, ""));
        expand(
            &[],
            &tree.split_whitespace().collect::<Vec<_>>().join(" "),
            &mut found,
        );
        rest.push('\n');
        rest.push_str(after);
    }
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    for word in rest
        .split(|sign| !is_word(sign))
        .filter(|word| word.contains("::"))
    {
        found.push(word.split("::").map(str::to_owned).collect());
    }
    found
}

/// Adds the paths of a `use` tree behind `before`.
fn expand(before: &[String], tree: &str, found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let mut path = before.to_vec();
    let (head, group) = match tree.find('{') {
        Some(open) => (&tree[..open], Some(tree[open + 1..].trim_end_matches(' '))),
        None => (tree, None),
    };
    let names = head
        .split("::")
        .map(str::trim)
        .filter(|name| !name.is_empty());
    path.extend(names.map(|name| name.split(' ').next().unwrap_or(name).to_owned()));
    let Some(group) = group else {
        found.push(path);
        return;
    };
    let group = group.strip_suffix('}').unwrap_or(group);
    let (mut depth, mut start) = (0_u32, 0);
    for (at, sign) in group.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                expand(&path, &group[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        expand(&path, &group[start..], found);
    }
}

/// The file that a path of `module` leads to: the longest part of it that is a module. Without `crate`, `self` or
/// `super` a path may begin with a child; otherwise it leads nowhere, which is the root.
fn resolved(module: &Module, path: &[String], all: &BTreeSet<Module>) -> Module {
    let mut base = module.clone();
    let mut names = path.iter().peekable();
    match names.peek().map(|name| name.as_str()) {
        Some("crate") => {
            base.clear();
            names.next();
        }
        Some("self") => {
            names.next();
        }
        Some("super") => {
            while names.next_if(|name| *name == "super").is_some() {
                base.pop();
            }
        }
        Some(child) => {
            let mut own = module.clone();
            own.push(child.to_owned());
            if !all.contains(&own) {
                return Module::new();
            }
        }
        None => return Module::new(),
    }
    base.extend(names.cloned());
    while !base.is_empty() && !all.contains(&base) {
        base.pop();
    }
    base
}

/// The sets of two and more modules that reach each other.
fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<Module>> {
    let reached: BTreeMap<&Module, BTreeSet<Module>> = imports
        .keys()
        .map(|module| (module, reached(module, imports)))
        .collect();
    let mut circles: BTreeSet<BTreeSet<Module>> = BTreeSet::new();
    for (module, far) in &reached {
        let reaches_back = |other: &&Module| {
            let back = reached.get(other);
            back.is_some_and(|back| back.contains(*module))
        };
        let circle: BTreeSet<Module> = far.iter().filter(reaches_back).cloned().collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// The modules that `from` needs, directly or through others.
fn reached(from: &Module, imports: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut far = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if far.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::{Module, check, circles, needs, paths};
    use std::collections::{BTreeMap, BTreeSet};

    fn module(path: &str) -> Module {
        path.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn the_workspace_keeps_to_it() {
        check().unwrap();
    }

    #[test]
    fn paths_of_a_tree_are_told_in_full() {
        let found = paths("use crate::{a::{self, B}, c}; fn f() { super::d::e(); }");
        let paths: Vec<String> = found.iter().map(|path| path.join("::")).collect();
        assert_eq!(
            paths,
            ["crate::a::self", "crate::a::B", "crate::c", "super::d::e"]
        );
    }

    #[test]
    fn an_import_leads_to_the_file_that_it_names() {
        let all: BTreeSet<Module> = ["a", "a::b", "a::c", "d"].into_iter().map(module).collect();
        let text = "use super::c::{X, Y}; use crate::d; // use crate::a;\nfn f() { std::process::exit(1) }";
        let needed = needs(&module("a::b"), text, &all);
        assert_eq!(needed, [module("a::c"), module("d")].into());
        assert_eq!(
            needs(&module("a"), "use b::X;", &all),
            [module("a::b")].into()
        );
    }

    #[test]
    fn modules_that_reach_each_other_are_a_circle() {
        let imports: BTreeMap<Module, BTreeSet<Module>> = [
            (module("a"), [module("b")].into()),
            (module("b"), [module("c")].into()),
            (module("c"), [module("a"), module("d")].into()),
            (module("d"), BTreeSet::new()),
        ]
        .into();
        assert_eq!(circles(&imports), [["a", "b", "c"].map(module).into()]);
    }
}
