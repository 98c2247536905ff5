//! Loads and stores.

use lanescope_ir::{Address, Operand, Register, ScalarType, SiteId};

use crate::Note;
use crate::RefusalKind;
use crate::expression::Expr;
use crate::kinds::{Kind, Scalar};
use crate::memory::{Memory, Space, access_text};
use crate::writer::Writer;

impl Writer<'_, '_> {
    /// The memory of an access and the type of its elements.
    pub(crate) fn memory(&self, site: SiteId) -> Result<(Memory, ScalarType), RefusalKind> {
        let memory = self.facts.memories.of_site(site).cloned();
        let element = self
            .facts
            .kernel
            .sites
            .get(site.index())
            .map(|one| one.element);
        memory.zip(element).ok_or(RefusalKind::Invalid)
    }

    /// The index of an access in parts of so many words; constants outside of the array are refused.
    fn place(
        &mut self,
        memory: &Memory,
        address: &Address,
        site: SiteId,
        part_words: u32,
    ) -> Result<String, RefusalKind> {
        let shift = (part_words * 4).trailing_zeros();
        let index = self.index(address, shift)?;
        let constant = index
            .strip_suffix('u')
            .and_then(|text| text.parse::<u64>().ok());
        let elements = memory.words.map(|words| words / u64::from(part_words));
        if let (Some(at), Some(elements)) = (constant, elements)
            && at >= elements
        {
            let access = access_text(self.facts.kernel, site);
            return Err(RefusalKind::OutOfBounds { access });
        }
        Ok(index)
    }

    /// [`Self::place`] of an access of so many words, which the text watches where that is asked for.
    fn watched_place(
        &mut self,
        memory: &Memory,
        address: &Address,
        site: SiteId,
        [words, part_words]: [u32; 2],
    ) -> Result<String, RefusalKind> {
        let index = self.place(memory, address, site, part_words)?;
        // A load that all threads make together is made by some that the kernel leaves out.
        if self.facts.uniform_loads.contains(&site) {
            return Ok(index);
        }
        Ok(self.watched(memory, index, [words / part_words, part_words * 4]))
    }

    pub(crate) fn load(
        &mut self,
        dst: &[Option<Register>],
        address: &Address,
        site: SiteId,
    ) -> Result<(), RefusalKind> {
        let (memory, element) = self.memory(site)?;
        let bytes = element.bytes() as usize * dst.len();
        if bytes < 4 {
            return self.narrow_load(dst, address, site, &memory, element);
        }
        let words = self.loaded(&memory, address, site, bytes / 4)?;
        let parts = match element.bytes() {
            8 => words
                .chunks(2)
                .map(|pair| {
                    let text: Vec<&str> = pair.iter().map(|one| one.text.as_str()).collect();
                    Expr::pair(format!("vec2<u32>({})", text.join(", ")))
                })
                .collect(),
            4 => words,
            size => {
                let each = 4 / size;
                let part = |at: u32| {
                    let word = words.get((at / each) as usize)?;
                    Some(field(word, &format!("{}u", at % each * size * 8), element))
                };
                (0..).map_while(part).collect::<Vec<_>>()
            }
        };
        for (register, part) in dst.iter().zip(parts) {
            if let Some(register) = register {
                self.assign_loaded(*register, element, part);
            }
        }
        Ok(())
    }

    /// The words of a load, of 64-bit elements as `u32`.
    fn loaded(
        &mut self,
        memory: &Memory,
        address: &Address,
        site: SiteId,
        words: usize,
    ) -> Result<Vec<Expr>, RefusalKind> {
        if words < memory.components as usize {
            return self.components(memory, address, site, words);
        }
        let count = u32::try_from(words).unwrap_or(u32::MAX);
        let index = self.watched_place(memory, address, site, [count, memory.components])?;
        let name = &memory.name;
        if memory.components > 1 {
            let whole = self.temporary(&format!("{name}[{index}]"));
            let parts = ["x", "y", "z", "w"].iter().take(words);
            return Ok(parts
                .map(|part| Expr::word(memory.scalar, format!("{whole}.{part}")))
                .collect());
        }
        let is_uniform = self.facts.uniform_loads.contains(&site);
        let one = |this: &mut Self, index: String| {
            let text = match (memory.is_atomic, is_uniform) {
                (true, _) => format!("atomicLoad(&{name}[{index}])"),
                (false, true) => format!("workgroupUniformLoad(&{name}[{index}])"),
                (false, false) => format!("{name}[{index}]"),
            };
            if words == 1 {
                text
            } else {
                this.temporary(&text)
            }
        };
        let first = if words == 1 {
            index
        } else {
            self.temporary(&index)
        };
        let mut all = Vec::new();
        for at in 0..words {
            let index = if at == 0 {
                first.clone()
            } else {
                format!("{first} + {at}u")
            };
            all.push(Expr::word(memory.scalar, one(self, index)));
        }
        Ok(all)
    }

    /// Some components of a vector, as a load of fewer words than an element has.
    fn components(
        &mut self,
        memory: &Memory,
        address: &Address,
        site: SiteId,
        words: usize,
    ) -> Result<Vec<Expr>, RefusalKind> {
        let accessed = u32::try_from(words).unwrap_or(u32::MAX);
        let index = self.watched_place(memory, address, site, [accessed, 1])?;
        let first = self.temporary(&index);
        let (name, count) = (&memory.name, memory.components);
        let one = |at: usize| {
            let at = if at == 0 {
                first.clone()
            } else {
                format!("({first} + {at}u)")
            };
            let text = format!("{name}[{at} / {count}u][{at} % {count}u]");
            Expr::word(memory.scalar, text)
        };
        Ok((0..words).map(one).collect())
    }

    /// The index of a half; constants outside of the array are refused.
    fn half_place(
        &mut self,
        memory: &Memory,
        address: &Address,
        site: SiteId,
    ) -> Result<String, RefusalKind> {
        let index = self.index(address, 1)?;
        let constant = index
            .strip_suffix('u')
            .and_then(|text| text.parse::<u64>().ok());
        match (constant, memory.words) {
            (Some(at), Some(words)) if at >= words * 2 => {
                let access = access_text(self.facts.kernel, site);
                Err(RefusalKind::OutOfBounds { access })
            }
            _ => Ok(self.watched(memory, index, [1, 2])),
        }
    }

    /// A load of a byte or of half a word.
    fn narrow_load(
        &mut self,
        dst: &[Option<Register>],
        address: &Address,
        site: SiteId,
        memory: &Memory,
        element: ScalarType,
    ) -> Result<(), RefusalKind> {
        let name = &memory.name;
        if memory.is_half {
            let index = self.half_place(memory, address, site)?;
            let helper = self.helper("bits_of_half");
            if let [Some(register)] = dst {
                let part = Expr::u32(format!("{helper}({name}[{index}])"));
                self.assign_loaded(*register, element, part);
            }
            return Ok(());
        }
        let accessed = element.bytes() * u32::try_from(dst.len()).unwrap_or(1);
        let (word, bit) = self.narrow_place(memory, address, accessed)?;
        let text = if memory.is_atomic {
            format!("atomicLoad(&{name}[{word}])")
        } else {
            format!("{name}[{word}]")
        };
        let word = Expr::u32(Expr::word(memory.scalar, text).as_word(Scalar::U32));
        let each = element.bits().max(8);
        let count = dst.len();
        let word = if count > 1 {
            Expr::u32(self.temporary(&word.text))
        } else {
            word
        };
        for (at, register) in (0_u32..).zip(dst) {
            if let Some(register) = register {
                let bit = if at == 0 {
                    bit.clone()
                } else {
                    format!("{bit} + {}u", at * each)
                };
                let part = field(&word, &bit, element);
                self.assign_loaded(*register, element, part);
            }
        }
        Ok(())
    }

    /// The word of a narrow access to so many bytes, and its first bit there.
    fn narrow_place(
        &mut self,
        memory: &Memory,
        address: &Address,
        accessed_bytes: u32,
    ) -> Result<(String, String), RefusalKind> {
        let index = self.index(address, 0)?;
        let index = self.watched(memory, index, [accessed_bytes, 1]);
        let bytes = self.temporary(&index);
        Ok((format!("{bytes} >> 2u"), format!("({bytes} & 3u) * 8u")))
    }

    /// Gives a register an element that was loaded: narrow ones with zeros above where the register is narrow too.
    fn assign_loaded(&mut self, register: Register, element: ScalarType, part: Expr) {
        let bits = self.facts.kernel.registers.get(register.index());
        let is_narrow = bits.is_some_and(|bits| *bits < 32) && element.bits() < 32;
        let part = match (element, self.kind(register)) {
            (ScalarType::Bool, Kind::Flag) => {
                Expr::flag(format!("{} != 0u", part.inner_word(Scalar::U32)))
            }
            _ if is_narrow && element.is_signed() => {
                let mask = element.mask();
                Expr::u32(format!("{} & {mask}u", part.inner_word(Scalar::U32)))
            }
            _ => part,
        };
        self.assign(register, part);
    }

    pub(crate) fn store(
        &mut self,
        src: &[Operand],
        address: &Address,
        site: SiteId,
    ) -> Result<(), RefusalKind> {
        let (memory, element) = self.memory(site)?;
        let bytes = element.bytes() as usize * src.len();
        if bytes < 4 {
            return self.narrow_store(src, address, site, &memory, element);
        }
        let words = self.words_of(src, element, memory.scalar)?;
        let count = u32::try_from(words.len()).unwrap_or(u32::MAX);
        let index = self.watched_place(&memory, address, site, [count, memory.components])?;
        let name = &memory.name;
        if memory.components > 1 {
            let (count, scalar) = (memory.components, memory.scalar.name());
            let parts = words.join(", ");
            self.line(&format!("{name}[{index}] = vec{count}<{scalar}>({parts});"));
            return Ok(());
        }
        let first = if words.len() == 1 {
            index
        } else {
            self.temporary(&index)
        };
        for (at, word) in words.iter().enumerate() {
            let index = if at == 0 {
                first.clone()
            } else {
                format!("{first} + {at}u")
            };
            if memory.is_atomic {
                self.line(&format!("atomicStore(&{name}[{index}], {word});"));
            } else {
                self.line(&format!("{name}[{index}] = {word};"));
            }
        }
        Ok(())
    }

    /// Elements as words.
    fn words_of(
        &mut self,
        src: &[Operand],
        element: ScalarType,
        scalar: Scalar,
    ) -> Result<Vec<String>, RefusalKind> {
        let mut words = Vec::new();
        match element.bytes() {
            8 => {
                for operand in src {
                    let pair = self.pair(*operand)?;
                    let whole = if src.len() > 1 || pair.text.len() > 12 {
                        self.temporary(&pair.text)
                    } else {
                        pair.inner()
                    };
                    for part in ["x", "y"] {
                        words.push(Expr::u32(format!("{whole}.{part}")).as_word(scalar));
                    }
                }
            }
            4 => {
                for operand in src {
                    words.push(self.word(*operand, scalar)?.text);
                }
            }
            size => {
                for part in src.chunks(4 / size as usize) {
                    let text = self.joined(part, element)?;
                    words.push(Expr::u32(text).as_word(scalar));
                }
            }
        }
        Ok(words)
    }

    /// Narrow elements side by side in a word.
    fn joined(&mut self, src: &[Operand], element: ScalarType) -> Result<String, RefusalKind> {
        let mut parts = Vec::new();
        for (at, operand) in src.iter().enumerate() {
            let word = self.word(*operand, Scalar::U32)?;
            let mask = element.mask();
            let masked = format!("({} & {mask}u)", word.inner());
            let by = at * element.bytes() as usize * 8;
            parts.push(if by == 0 {
                masked
            } else {
                format!("({masked} << {by}u)")
            });
        }
        Ok(parts.join(" | "))
    }

    /// A store of a byte or of half a word: other lanes may store to the rest of the word.
    fn narrow_store(
        &mut self,
        src: &[Operand],
        address: &Address,
        site: SiteId,
        memory: &Memory,
        element: ScalarType,
    ) -> Result<(), RefusalKind> {
        let value = self.joined(src, element)?;
        if memory.is_half {
            let index = self.half_place(memory, address, site)?;
            let (name, helper) = (&memory.name, self.helper("half_of_bits"));
            self.line(&format!("{name}[{index}] = {helper}({value});"));
            return Ok(());
        }
        let value = self.temporary(&value);
        let accessed = element.bytes() * u32::try_from(src.len()).unwrap_or(1);
        let (word, bit) = self.narrow_place(memory, address, accessed)?;
        let bit = self.temporary(&bit);
        let bits = element.bits().max(8) * u32::try_from(src.len()).unwrap_or(1);
        let mask = u32::MAX >> (32 - bits.clamp(1, 32));
        let name = &memory.name;
        let (kept, put) = (format!("~({mask}u << {bit})"), format!("{value} << {bit}"));
        if memory.space == Space::Function {
            self.line(&format!(
                "{name}[{word}] = ({name}[{word}] & {kept}) | ({put});"
            ));
            return Ok(());
        }
        self.notes.insert(Note::NarrowStores(name.clone()));
        let cast = |text: &str| Expr::u32(text).as_word(memory.scalar);
        self.line(&format!("atomicAnd(&{name}[{word}], {});", cast(&kept)));
        self.line(&format!("atomicOr(&{name}[{word}], {});", cast(&put)));
        Ok(())
    }
}

/// An element in a word, from bit `bit` on.
fn field(word: &Expr, bit: &str, element: ScalarType) -> Expr {
    let bits = element.bits().max(8);
    if element.is_signed() {
        let text = format!("extractBits({}, {bit}, {bits}u)", word.as_word(Scalar::I32));
        Expr::word(Scalar::I32, text)
    } else {
        Expr::u32(format!(
            "extractBits({}, {bit}, {bits}u)",
            word.as_word(Scalar::U32)
        ))
    }
}
