//! Tiles that are carved out of one shared array by pointers: where each begins, and what moves when the rows of one alone
//! become longer.

use lanescope_frontend::SourceArray;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Function, TypeExpr, TypeKind};

use crate::code::{Code, declared_by, is_name, statements};
use crate::length_sum::LengthSum;
use crate::literal::Literal;
use crate::rewrite::operand;
use crate::row_pitch::declared_size;
use crate::{Edit, Note};

/// The most tiles of one array that are looked at.
const MOST_TILES: usize = 6;

/// A pointer into the array, as the kernel declares it.
struct Carved<'c> {
    /// The pointer's name; of the array its own.
    name: String,
    /// Bytes from the array's beginning, as the text says and with variables spelled out; `None` where it does not say.
    at: [Option<LengthSum>; 2],
    /// What is added to the pointer that it is made of.
    offsets: Vec<&'c Expr>,
    /// Bytes of what the last of them counts.
    unit: u64,
    /// Which tile that pointer is.
    base: Option<usize>,
    /// Bytes of an element.
    element: u64,
}

/// The tiles of one array, the array itself first.
pub(crate) struct Tiles<'c> {
    all: Vec<Carved<'c>>,
    /// The array's bytes and where its size stands, where it is declared with one.
    whole: Option<(u64, &'c Expr)>,
}

/// Rows of a tile that become longer.
#[derive(Clone, Copy)]
pub(crate) struct TileGrowth<'p> {
    /// The pointer's name.
    pub(crate) tile: &'p str,
    /// Elements of a row, as written.
    pub(crate) pitch: &'p str,
    /// What that is, where the text says so.
    pub(crate) row: Option<u64>,
    /// Elements more.
    pub(crate) more: u64,
    /// The changes that make them longer, which may move what is carved out of the tile.
    pub(crate) own: &'p [Edit],
}

/// What stands in the way of longer rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InTheWay {
    /// Where this pointer begins behind the others, the text does not say as a sum of lengths.
    Pointer(String),
    /// The array's declared size would have to grow by the rows of this tile, and what they are long is no number.
    Size(String),
}

impl InTheWay {
    /// What is to be said of the array.
    pub(crate) fn note(self, array: String) -> Note {
        match self {
            Self::Pointer(pointer) => Note::PointerKept { array, pointer },
            Self::Size(pointer) => Note::SizeKept { array, pointer },
        }
    }
}

impl<'c> Tiles<'c> {
    /// Those that the kernel declares; `None` where there are fewer than two, or too many.
    pub(crate) fn of(
        code: &'c Code<'_>,
        kernel: &'c Function,
        array: &SourceArray,
    ) -> Option<Self> {
        let start = Some(LengthSum::number(0));
        let element = array.element_bytes.max(1);
        let mut all = vec![Carved {
            name: array.name.clone(),
            at: [start.clone(), start],
            offsets: Vec::new(),
            unit: element,
            base: None,
            element,
        }];
        let body = statements(&kernel.body);
        for one in declared_by(&body) {
            if let Some(tile) = carved(code, &all, one) {
                all.push(tile);
            }
        }
        let size = declared_size(code, array).filter(|_| array.extents.len() == 1);
        let whole = array.bytes.zip(size);
        (3..=MOST_TILES + 1)
            .contains(&all.len())
            .then_some(Self { all, whole })
    }

    /// The pointers' names, each with the bytes of an element.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = (&str, u64)> {
        let pointers = self.all.iter().skip(1);
        pointers.map(|tile| (&*tile.name, tile.element))
    }

    /// What makes room behind a tile whose rows become longer, as far as the text says where the others begin.
    pub(crate) fn moved(&self, growth: TileGrowth<'_>) -> Moved<'c> {
        let [written, spelled] = [0, 1].map(|form| self.moved_as(growth, form));
        match spelled.in_the_way {
            None if written.in_the_way.is_some() => spelled,
            Some(_) | None => written,
        }
    }

    /// The same by places as written, 0, or with variables spelled out, 1.
    fn moved_as(&self, growth: TileGrowth<'_>, form: usize) -> Moved<'c> {
        let mut moved = Moved::default();
        let mut pointers = self.all.iter().skip(1);
        let own = pointers.find(|tile| tile.name == growth.tile);
        let Some((own, begin)) = own.and_then(|own| Some((own, own.at(form)?))) else {
            moved.in_the_way = own.map(|own| InTheWay::Pointer(own.name.clone()));
            return moved;
        };
        let behind = self.behind(begin, form, &mut moved.in_the_way);
        let Some(next) = self.next(&behind, &mut moved.in_the_way) else {
            return moved;
        };
        let Some(added) = growth.added(own, &next, begin) else {
            let pointer = behind.first().map(|(tile, _)| tile.name.clone());
            moved.in_the_way = pointer.map(InTheWay::Pointer);
            return moved;
        };
        if let Some((bytes, size)) = self.whole {
            let element = self.all.first().map_or(1, |array| array.element);
            // However long the tile is, it lies in the array.
            let more = added
                .number_of(element)
                .or_else(|| growth.most_added(own, bytes)?.number_of(element));
            moved.push(
                size,
                more.map(Count::Number),
                InTheWay::Size(own.name.clone()),
            );
        }
        for (tile, _) in &behind {
            // What is made of a tile that moves moves along.
            let base = tile.base.and_then(|base| self.all.get(base));
            let is_along =
                base.is_none_or(|base| behind.iter().any(|(one, _)| one.name == base.name));
            let is_changed = tile.offsets.iter().any(|offset| growth.changes(offset));
            let offset = tile
                .offsets
                .last()
                .copied()
                .filter(|_| !is_along && !is_changed);
            if let Some(offset) = offset {
                let more = added.count(tile.unit);
                moved.push(offset, more, InTheWay::Pointer(tile.name.clone()));
            }
        }
        moved
    }

    /// The tiles that begin behind `begin`, and where; what may begin behind or before it is in the way.
    fn behind(
        &self,
        begin: &LengthSum,
        form: usize,
        in_the_way: &mut Option<InTheWay>,
    ) -> Vec<(&Carved<'c>, &LengthSum)> {
        let mut behind = Vec::new();
        for tile in &self.all {
            match tile.at(form) {
                Some(at) if at.is_at_most(begin) => {}
                Some(at) if begin.is_at_most(at) => behind.push((tile, at)),
                Some(_) | None => *in_the_way = Some(InTheWay::Pointer(tile.name.clone())),
            }
        }
        behind
    }

    /// Where what lies behind a tile begins first; `None` where nothing does.
    fn next(
        &self,
        behind: &[(&Carved<'c>, &LengthSum)],
        in_the_way: &mut Option<InTheWay>,
    ) -> Option<LengthSum> {
        let Some((last, _)) = behind.last() else {
            return self.whole.map(|(bytes, _)| LengthSum::number(bytes));
        };
        let is_first = |one: &&(&Carved<'c>, &LengthSum)| {
            let mut others = behind.iter();
            others.all(|(_, other)| one.1.is_at_most(other))
        };
        let first = behind.iter().find(is_first).map(|(_, at)| (*at).clone());
        if first.is_none() {
            *in_the_way = Some(InTheWay::Pointer(last.name.clone()));
        }
        first
    }
}

impl Carved<'_> {
    const fn at(&self, form: usize) -> Option<&LengthSum> {
        let [written, spelled] = &self.at;
        if form == 0 {
            written.as_ref()
        } else {
            spelled.as_ref()
        }
    }
}

/// What makes room behind tiles.
#[derive(Default)]
pub(crate) struct Moved<'c> {
    /// Offsets and sizes, and what is added to each.
    more: Vec<(&'c Expr, Count)>,
    /// What does not move because the text does not say where to.
    pub(crate) in_the_way: Option<InTheWay>,
}

/// What is added to an offset or a size.
enum Count {
    Number(u64),
    Text(String),
}

impl<'c> Moved<'c> {
    fn push(&mut self, at: &'c Expr, more: Option<Count>, otherwise: InTheWay) {
        match more {
            Some(more) => self.more.push((at, more)),
            None => self.in_the_way = Some(otherwise),
        }
    }

    /// Takes what makes room behind another tile.
    pub(crate) fn take(&mut self, other: Self) {
        self.more.extend(other.more);
        let in_the_way = self.in_the_way.take();
        self.in_the_way = in_the_way.or(other.in_the_way);
    }

    /// The changes of the text, one for each offset.
    pub(crate) fn edits(&self, code: &Code<'_>) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        for (at, _) in &self.more {
            let start = at.span.start;
            let of_it = self.more.iter().filter(|(one, _)| one.span == at.span);
            let is_known = |edit: &Edit| edit.span.start == start || edit.span.end == at.span.end;
            if !edits.iter().any(is_known) {
                edits.push(longer(code, at, of_it.map(|(_, more)| more)));
            }
        }
        edits
    }
}

/// The change of what is added to a pointer, or of a size, that adds all these.
fn longer<'m>(code: &Code<'_>, at: &Expr, all: impl Iterator<Item = &'m Count>) -> Edit {
    let (mut number, mut more) = (0_u64, Vec::new());
    for one in all {
        match one {
            Count::Number(count) => number = number.saturating_add(*count),
            Count::Text(text) => more.push(text.clone()),
        }
    }
    let text = code.at(at.span);
    let is_sum = matches!(
        at.kind,
        ExprKind::Binary("+" | "-" | "*" | "/" | "%", ..) | ExprKind::Cast(..)
    );
    let literal = Literal::of(text);
    let first =
        match literal.and_then(|literal| Some((literal, literal.value.checked_add(number)?))) {
            Some((literal, sum)) => literal.with(sum),
            None => {
                if number > 0 {
                    more.push(number.to_string());
                }
                let is_kept = is_sum || operand(text) == text;
                if is_kept {
                    let end = at.span.end as usize;
                    let added: String = more.iter().map(|one| format!(" + {one}")).collect();
                    return Edit::new(end, end, added);
                }
                operand(text)
            }
        };
    let parts = std::iter::once(first).chain(more);
    let (start, end) = (at.span.start as usize, at.span.end as usize);
    Edit::new(start, end, parts.collect::<Vec<_>>().join(" + "))
}

impl TileGrowth<'_> {
    /// What lies behind the tile moves by, which begins at `begin` and is followed at `next`.
    fn added(&self, own: &Carved<'_>, next: &LengthSum, begin: &LengthSum) -> Option<Added> {
        let bytes = next.minus(begin)?;
        let extent = bytes.divided(own.element);
        if let (Some(_), Some(bytes)) = (self.row, bytes.as_number()) {
            return self.most_added(own, bytes);
        }
        let extent = extent?;
        let whole = match self.row {
            Some(row) => extent.divided(row),
            None => extent.divided_by_name(self.pitch),
        };
        let rows = match whole {
            Some(rows) => rows.factor(),
            None => format!("{} / {}", extent.factor(), operand(self.pitch)),
        };
        let bytes = self.more.checked_mul(own.element)?;
        Some(Added::Rows { rows, bytes })
    }

    /// The most that this is of a tile in an array of so many bytes; `None` where a row's length is no number.
    fn most_added(&self, own: &Carved<'_>, bytes: u64) -> Option<Added> {
        let rows = bytes.div_ceil(self.row?.checked_mul(own.element)?);
        let more = self.more.checked_mul(own.element)?;
        rows.checked_mul(more).map(Added::Number)
    }

    /// Whether the longer rows change an offset themselves.
    fn changes(&self, offset: &Expr) -> bool {
        let (start, end) = (offset.span.start, offset.span.end);
        let mut own = self.own.iter();
        own.any(|edit| start <= edit.span.start && edit.span.end <= end)
    }
}

/// How far something moves.
enum Added {
    /// So many bytes.
    Number(u64),
    /// So many bytes for each row of as many as the text says.
    Rows { rows: String, bytes: u64 },
}

impl Added {
    /// The number of elements of `bytes`, if it is one.
    fn number_of(&self, bytes: u64) -> Option<u64> {
        match self {
            Self::Number(added) => Some(added.div_ceil(bytes.max(1))),
            Self::Rows { .. } => None,
        }
    }

    /// The same in elements of `unit` bytes; `None` where they are none for certain.
    fn count(&self, unit: u64) -> Option<Count> {
        match self {
            Self::Number(_) => self.number_of(unit).map(Count::Number),
            Self::Rows { rows, bytes } => {
                let times = bytes.checked_div(unit)?;
                let is_whole = times.checked_mul(unit) == Some(*bytes);
                let text = match times {
                    1 => rows.clone(),
                    _ => format!("{rows} * {times}"),
                };
                is_whole.then_some(Count::Text(text))
            }
        }
    }
}

/// The tile that a declaration makes of one that is known.
fn carved<'c>(
    code: &Code<'_>,
    known: &[Carved<'_>],
    declaration: &'c Declaration,
) -> Option<Carved<'c>> {
    let init = declaration.init.as_ref()?;
    let is_pointer =
        matches!(declaration.ty.kind, TypeKind::Pointer { .. }) || declaration.ty.is_deduced();
    let Parts {
        root,
        offsets,
        cast,
    } = Parts::of(init)?;
    let is_root = |tile: &Carved<'_>| is_name(root, &tile.name);
    let base = known.iter().position(is_root).filter(|_| is_pointer)?;
    let ty = known.get(base)?;
    let unit_of = |counted: Option<&TypeExpr>| {
        let unit = counted.and_then(|ty| pointee(code, ty));
        unit.unwrap_or(ty.element)
    };
    let at = [false, true].map(|spells_out| {
        let [written, spelled] = &ty.at;
        let begin = if spells_out { spelled } else { written }.clone()?;
        offsets.iter().try_fold(begin, |begin, (offset, counted)| {
            let count = LengthSum::of(code, offset, spells_out)?;
            begin.plus(&count.times(&LengthSum::number(unit_of(*counted)))?)
        })
    });
    let element = [Some(&declaration.ty), cast]
        .into_iter()
        .flatten()
        .find_map(|ty| pointee(code, ty));
    Some(Carved {
        name: declaration.name.to_string(),
        at,
        unit: unit_of(offsets.last().and_then(|(_, counted)| *counted)),
        offsets: offsets.into_iter().map(|(offset, _)| offset).collect(),
        base: Some(base),
        element: element.unwrap_or(ty.element),
    })
}

/// What a pointer is made of.
struct Parts<'c> {
    /// Another pointer.
    root: &'c Expr,
    /// What is added to it, each with the type that it is cast to before.
    offsets: Vec<(&'c Expr, Option<&'c TypeExpr>)>,
    /// The type that all is cast to.
    cast: Option<&'c TypeExpr>,
}

impl<'c> Parts<'c> {
    fn of(expr: &'c Expr) -> Option<Self> {
        let plain = |root| Self {
            root,
            offsets: Vec::new(),
            cast: None,
        };
        match &expr.kind {
            ExprKind::Name(_) => Some(plain(expr)),
            ExprKind::Cast(ty, inner) => {
                let cast = Some(&**ty);
                Some(Self {
                    cast,
                    ..Self::of(inner)?
                })
            }
            ExprKind::Prefix("&", inner) => match &inner.kind {
                ExprKind::Index(base, offset) => {
                    matches!(base.kind, ExprKind::Name(_)).then(|| Self {
                        offsets: vec![(&**offset, None)],
                        ..plain(base)
                    })
                }
                _ => None,
            },
            ExprKind::Binary("+", base, offset) => {
                let mut parts = Self::of(base)?;
                parts.offsets.push((offset, parts.cast));
                Some(parts)
            }
            _ => None,
        }
    }
}

/// Bytes of what a pointer points to.
fn pointee(code: &Code<'_>, ty: &TypeExpr) -> Option<u64> {
    let TypeKind::Pointer { to, .. } = &ty.kind else {
        return None;
    };
    Some(code.layout_of(to)?.bytes)
}
