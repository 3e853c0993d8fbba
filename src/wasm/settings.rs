//! What JavaScript says about the file: plain objects whose numbers are the format's own ids.

use serde::Deserialize;

use crate::error::{Error, Setting};
use crate::options::{
    BloomOptions, Codec, ColumnOptions, Encoding, FileOptions, PageVersion, SortingColumn, StatisticsLevel,
};
use crate::schema::{Element, LogicalType, PhysicalType, Repetition, Schema, TimeUnit};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ElementSetting {
    name: String,
    repetition: u32,
    children: usize,
    physical: i32,
    type_length: usize,
    logical: u32,
    a: u8,
    b: u8,
    field_id: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LeafSetting {
    codec: i32,
    level: i32,
    encoding: i32,
    dictionary: bool,
    statistics: u32,
    /// Share of false positives of a Bloom filter, 0 for none, and its most bytes.
    #[serde(default)]
    bloom_fpp: f64,
    #[serde(default)]
    bloom_bytes: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Settings {
    elements: Vec<ElementSetting>,
    leaves: Vec<LeafSetting>,
    #[serde(default)]
    page_version: u32,
    page_bytes: usize,
    page_rows: usize,
    dictionary_bytes: usize,
    statistics_truncate_bytes: usize,
    page_checksum: bool,
    created_by: String,
    metadata: Vec<(String, String)>,
    /// Leaf, descending, nulls first.
    #[serde(default)]
    sorting: Vec<(usize, bool, bool)>,
}

impl Settings {
    pub fn build(self) -> Result<(Schema, Vec<ColumnOptions>, FileOptions), Error> {
        let elements = self.elements.into_iter().map(ElementSetting::build).collect::<Result<_, _>>()?;
        let columns = self.leaves.into_iter().map(LeafSetting::build).collect::<Result<_, _>>()?;
        let options = FileOptions {
            page_version: if self.page_version == 2 { PageVersion::V2 } else { PageVersion::V1 },
            page_bytes: self.page_bytes,
            page_rows: self.page_rows,
            dictionary_bytes: self.dictionary_bytes,
            statistics_truncate_bytes: self.statistics_truncate_bytes,
            page_checksum: self.page_checksum,
            created_by: self.created_by,
            sorting: self.sorting.into_iter().map(sorting_column).collect(),
            key_values: self.metadata,
        };
        Ok((Schema::new(elements)?, columns, options))
    }
}

fn sorting_column((column, descending, nulls_first): (usize, bool, bool)) -> SortingColumn {
    SortingColumn { column, descending, nulls_first }
}

impl ElementSetting {
    fn build(self) -> Result<Element, Error> {
        let unknown = Error::Setting(Setting::Code);
        let unit = match self.a {
            0 => TimeUnit::Millis,
            1 => TimeUnit::Micros,
            _ => TimeUnit::Nanos,
        };
        let flag = self.b != 0;
        Ok(Element {
            name: self.name,
            repetition: match self.repetition {
                0 => Repetition::Required,
                1 => Repetition::Optional,
                2 => Repetition::Repeated,
                _ => return Err(unknown),
            },
            children: self.children,
            physical: match self.physical {
                -1 => None,
                id => Some(PhysicalType::from_id(id).ok_or(unknown)?),
            },
            type_length: self.type_length,
            // The ids of the format's LogicalType union.
            logical: match self.logical {
                0 => LogicalType::None,
                1 => LogicalType::String,
                2 => LogicalType::Map,
                3 => LogicalType::List,
                4 => LogicalType::Enum,
                5 => LogicalType::Decimal { precision: self.a, scale: self.b },
                6 => LogicalType::Date,
                7 => LogicalType::Time { unit, utc: flag },
                8 => LogicalType::Timestamp { unit, utc: flag },
                9 => LogicalType::Interval,
                10 => LogicalType::Integer { bit_width: self.a, signed: flag },
                11 => LogicalType::Unknown,
                12 => LogicalType::Json,
                13 => LogicalType::Bson,
                14 => LogicalType::Uuid,
                15 => LogicalType::Float16,
                _ => return Err(unknown),
            },
            field_id: (self.field_id >= 0).then_some(self.field_id),
        })
    }
}

impl LeafSetting {
    fn build(self) -> Result<ColumnOptions, Error> {
        let unknown = Error::Setting(Setting::Code);
        Ok(ColumnOptions {
            codec: Codec::from_id(self.codec, self.level)?,
            encoding: match self.encoding {
                -1 => None,
                id => Some(Encoding::from_id(id).ok_or(unknown)?),
            },
            dictionary: self.dictionary,
            bloom: (self.bloom_fpp > 0.0)
                .then_some(BloomOptions { false_positives: self.bloom_fpp, most_bytes: self.bloom_bytes }),
            statistics: match self.statistics {
                0 => StatisticsLevel::None,
                1 => StatisticsLevel::Chunk,
                2 => StatisticsLevel::Page,
                _ => return Err(unknown),
            },
        })
    }
}
