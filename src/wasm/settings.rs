//! What JavaScript says about the file, in the format's own ids.

use crate::error::{Error, Setting};
use crate::options::{
    BloomOptions, Codec, ColumnOptions, Compatibility, Encoding, FileOptions, PageVersion, SortingColumn,
    StatisticsLevel,
};
use crate::schema::{Element, LogicalType, PhysicalType, Repetition, Schema, TimeUnit};

/// Numbers and texts in the order in which `pack` in src/js/settings.ts puts them. A deserializer of objects would do,
/// but takes a tenth of the module with all that it says about what is wrong.
pub(super) struct Settings<'a> {
    numbers: core::slice::Iter<'a, f64>,
    /// UTF-8, each behind its length in four bytes.
    texts: &'a [u8],
}

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

struct LeafSetting {
    codec: i32,
    level: i32,
    encoding: i32,
    dictionary: bool,
    statistics: u32,
    /// Share of false positives of a Bloom filter, 0 for none, and its most bytes.
    bloom_fpp: f64,
    bloom_bytes: usize,
}

impl<'a> Settings<'a> {
    pub fn new(numbers: &'a [f64], texts: &'a [u8]) -> Self {
        Self { numbers: numbers.iter(), texts }
    }

    fn number(&mut self) -> Result<f64, Error> {
        self.numbers.next().copied().ok_or(Error::Setting(Setting::Code))
    }

    fn signed(&mut self) -> Result<i32, Error> {
        self.number().map(|number| number as i32)
    }

    fn count(&mut self) -> Result<usize, Error> {
        self.number().map(|number| number as usize)
    }

    fn text(&mut self) -> Result<String, Error> {
        let missing = Error::Setting(Setting::Code);
        let (length, rest) = self.texts.split_first_chunk().ok_or(missing)?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(missing)?;
        self.texts = rest;
        core::str::from_utf8(text).map(String::from).map_err(|_| missing)
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        (0..self.count()?).map(|_| item(self)).collect()
    }

    pub fn build(mut self) -> Result<(Schema, Vec<ColumnOptions>, FileOptions), Error> {
        let mut options = FileOptions {
            compatibility: if self.count()? == 0 { Compatibility::Broad } else { Compatibility::Modern },
            page_version: if self.count()? == 2 { PageVersion::V2 } else { PageVersion::V1 },
            page_bytes: self.count()?,
            page_rows: self.count()?,
            content_defined: Some(self.count()?).filter(|&least| least > 0),
            dictionary_bytes: self.count()?,
            statistics_truncate_bytes: self.count()?,
            page_checksum: self.count()? != 0,
            created_by: self.text()?,
            ..FileOptions::default()
        };
        let elements = self.list(|from| from.element()?.build())?;
        let columns = self.list(|from| from.leaf()?.build())?;
        options.sorting = self.list(Self::sorting_column)?;
        options.key_values = self.list(|from| Ok((from.text()?, from.text()?)))?;
        Ok((Schema::new(elements)?, columns, options))
    }

    fn element(&mut self) -> Result<ElementSetting, Error> {
        Ok(ElementSetting {
            name: self.text()?,
            repetition: self.count()? as u32,
            children: self.count()?,
            physical: self.signed()?,
            type_length: self.count()?,
            logical: self.count()? as u32,
            a: self.count()? as u8,
            b: self.count()? as u8,
            field_id: self.signed()?,
        })
    }

    fn leaf(&mut self) -> Result<LeafSetting, Error> {
        Ok(LeafSetting {
            codec: self.signed()?,
            level: self.signed()?,
            encoding: self.signed()?,
            dictionary: self.count()? != 0,
            statistics: self.count()? as u32,
            bloom_fpp: self.number()?,
            bloom_bytes: self.count()?,
        })
    }

    fn sorting_column(&mut self) -> Result<SortingColumn, Error> {
        Ok(SortingColumn { column: self.count()?, descending: self.count()? != 0, nulls_first: self.count()? != 0 })
    }
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
