//! What pictures say, in Chinese.

use lanescope_model::Unit;

use crate::picture::{Phrase, Units};

pub(crate) const UNITS: &Units = &Units {
    lane: "lane",
    byte: "字节",
    word: "字",
    bank: "bank",
    sector: "扇区",
    line: "缓存行",
    colon: "：",
};

pub(crate) fn text(phrase: &Phrase<'_>) -> String {
    match *phrase {
        Phrase::BankTitle { ways: 0, .. } | Phrase::Nobody => "没有 lane 参与".into(),
        Phrase::BankTitle {
            ways: 1,
            wavefronts,
            ideal,
        } => {
            format!("没有 bank 冲突：{wavefronts} 个 wavefront，理想值 {ideal}")
        }
        Phrase::BankTitle {
            ways,
            wavefronts,
            ideal,
        } => {
            format!("{ways} 路 bank 冲突：{wavefronts} 个 wavefront，理想值 {ideal}")
        }
        Phrase::BankDescription {
            banks,
            bank_bytes,
            phases,
        } => format!(
            "横向为 bank 0 至 {}，每个 {bank_bytes} 字节；纵向为字；单元格列出需要该字的 lane。共 {phases} 个阶段，\
             自上而下。颜色与数字表示该 bank 需要的 wavefront 数。",
            banks.saturating_sub(1)
        ),
        Phrase::Phase {
            number,
            of,
            lanes,
            active,
            wavefronts,
        } => format!(
            "阶段 {number} / {of} · lane {lanes}，{active} 个参与 · {wavefronts} 个 wavefront"
        ),
        Phrase::BankAxis => "bank".into(),
        Phrase::WordAxis => "字".into(),
        Phrase::WavefrontAxis => "n 路".into(),
        Phrase::LaneAxis => "lane".into(),
        Phrase::Word {
            lanes,
            bank,
            address,
            wavefronts,
            ..
        } => format!(
            "lane {lanes}：bank {bank}，字节 {address}；该 bank 需要 {wavefronts} 个 wavefront"
        ),
        Phrase::Bank {
            bank,
            words,
            wavefronts,
        } => {
            format!("bank {bank}：{words} 个不同的字，{wavefronts} 个 wavefront")
        }
        Phrase::Lane { lane, banks: "" } => format!("lane {lane}：未参与"),
        Phrase::Lane { lane, banks } => format!("lane {lane}：bank {banks}"),
        Phrase::RowsSkipped(rows) => format!("{rows} 行未被访问"),
        Phrase::LinesSkipped(lines) => format!("{lines} 个缓存行未被访问"),
        Phrase::SectorTitle {
            unit,
            units,
            ideal,
            used,
            moved,
        } => format!(
            "{units} 个{}，理想值 {ideal}：传输 {moved} 字节，使用 {used} 字节",
            unit_name(unit)
        ),
        Phrase::SectorDescription { lines, line_bytes } => format!(
            "纵向为 {lines} 个 {line_bytes} 字节的缓存行，横向为扇区；被请求的字节加深，未传输的扇区只画边框。"
        ),
        Phrase::Request { number, of } => format!("硬件请求 {number} / {of}"),
        Phrase::Sector {
            address,
            bytes,
            moved: false,
            ..
        } => {
            format!("{address:#x} 处的 {bytes} 字节：未传输")
        }
        Phrase::Sector {
            address,
            used,
            bytes,
            lanes,
            ..
        } => {
            format!("{address:#x} 处的 {bytes} 字节：使用 {used} 字节，lane {lanes}")
        }
        Phrase::Ways(ways) => format!("{ways} 路"),
        Phrase::BytesUsed => "已使用".into(),
        Phrase::BytesWasted => "传输但未使用".into(),
        Phrase::NotMoved => "未传输".into(),
    }
}

fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Sector => "扇区",
        Unit::Line => "缓存行",
        Unit::Transaction => "事务",
    }
}
