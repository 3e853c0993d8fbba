//! How a file is to be written: settled before the first byte.

use crate::error::{Error, Setting};
use crate::schema::PhysicalType;

/// A codec with its level, in the codec's own scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Codec {
    #[default]
    None,
    Snappy,
    /// Bare blocks: LZ4_RAW.
    Lz4,
    /// What the sink makes of a page ([`crate::Sink::compress`]); the number is the format's.
    External {
        id: u8,
    },
    /// Levels −5 to 9.
    Zstd {
        level: i8,
    },
}

impl Codec {
    /// The default level of zstd: fast, with matches tuned to pages of numbers.
    pub const ZSTD_DEFAULT_LEVEL: i8 = 1;

    /// From the format's `CompressionCodec` id and a level (which only zstd looks at); 16 more for one of the sink's.
    pub fn from_id(id: i32, level: i32) -> Result<Self, Error> {
        match id {
            0 => Ok(Self::None),
            1 => Ok(Self::Snappy),
            7 => Self::Lz4.check(),
            6 => {
                let level = i8::try_from(level).map_err(|_| Error::Setting(Setting::Level))?;
                Self::Zstd { level }.check()
            }
            17..=23 => Ok(Self::External { id: (id - 16) as u8 }),
            _ => Err(Error::Setting(Setting::Code)),
        }
    }

    pub(crate) fn check(self) -> Result<Self, Error> {
        match self {
            Self::Zstd { .. } if !cfg!(feature = "zstd") => Err(Error::Setting(Setting::Code)),
            Self::Lz4 if !cfg!(feature = "lz4") => Err(Error::Setting(Setting::Code)),
            Self::Zstd { level } if !(-5..=9).contains(&level) => Err(Error::Setting(Setting::Level)),
            codec => Ok(codec),
        }
    }

    /// The format's `CompressionCodec` id.
    pub fn id(self) -> i32 {
        match self {
            Self::None => 0,
            Self::Snappy => 1,
            Self::Zstd { .. } => 6,
            Self::Lz4 => 7,
            Self::External { id } => i32::from(id),
        }
    }
}

/// An encoding of values, by the format's ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    #[default]
    Plain = 0,
    Rle = 3,
    DeltaBinaryPacked = 5,
    DeltaLengthByteArray = 6,
    DeltaByteArray = 7,
    RleDictionary = 8,
    ByteStreamSplit = 9,
}

impl Encoding {
    /// All of them, in the order of their ids.
    pub const ALL: [Self; 7] = [
        Self::Plain,
        Self::Rle,
        Self::DeltaBinaryPacked,
        Self::DeltaLengthByteArray,
        Self::DeltaByteArray,
        Self::RleDictionary,
        Self::ByteStreamSplit,
    ];

    /// From the format's `Encoding` id.
    pub fn from_id(id: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.id() == id)
    }

    /// Whether the format lets values of `physical` be encoded so.
    pub fn fits(self, physical: PhysicalType) -> bool {
        use PhysicalType as P;
        match self {
            Self::Plain => true,
            Self::Rle => physical == P::Boolean,
            Self::DeltaBinaryPacked => matches!(physical, P::Int32 | P::Int64),
            Self::DeltaLengthByteArray => physical == P::ByteArray,
            Self::DeltaByteArray => matches!(physical, P::ByteArray | P::FixedLenByteArray),
            // Legal for booleans too, but most readers fail on it.
            Self::RleDictionary => physical != P::Boolean,
            Self::ByteStreamSplit => !matches!(physical, P::Boolean | P::ByteArray | P::Int96),
        }
    }

    /// The format's `Encoding` id.
    pub fn id(self) -> i32 {
        self as i32
    }
}

/// How much is said about the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum StatisticsLevel {
    None,
    Chunk,
    /// Chunk statistics and a column index.
    #[default]
    Page,
}

/// A split-block Bloom filter of a column chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BloomOptions {
    /// Share of absent values that the filter lets through, above 0 and below 1.
    pub false_positives: f64,
    /// Most bytes of the filter.
    pub most_bytes: usize,
}

impl Default for BloomOptions {
    fn default() -> Self {
        Self { false_positives: 0.01, most_bytes: 1 << 20 }
    }
}

/// Options of one leaf column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnOptions {
    pub codec: Codec,
    /// `None`: chosen per column chunk.
    pub encoding: Option<Encoding>,
    /// Whether a dictionary is tried when the encoding is left to the writer.
    pub dictionary: bool,
    pub statistics: StatisticsLevel,
    pub bloom: Option<BloomOptions>,
}

impl Default for ColumnOptions {
    fn default() -> Self {
        Self {
            codec: if cfg!(feature = "zstd") {
                Codec::Zstd { level: Codec::ZSTD_DEFAULT_LEVEL }
            } else {
                Codec::Snappy
            },
            encoding: None,
            dictionary: true,
            statistics: StatisticsLevel::Page,
            bloom: None,
        }
    }
}

/// Version of data pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PageVersion {
    #[default]
    V1,
    /// Levels are never compressed and each page says whether its values are.
    V2,
}

/// A column that rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortingColumn {
    /// The leaf.
    pub column: usize,
    pub descending: bool,
    pub nulls_first: bool,
}

/// What the automatic choice of an encoding may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compatibility {
    /// PLAIN and dictionaries: what all of 13 readers, releases from 2024 to 2026, read right.
    #[default]
    Broad,
    /// Every encoding that makes the chunk smaller and that the newest release of every engine reads.
    Modern,
}

/// Options of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOptions {
    pub compatibility: Compatibility,
    pub page_version: PageVersion,
    /// Most bytes of a data page's values in PLAIN form, of front-coded ones (DELTA_BYTE_ARRAY) as they are encoded, and
    /// in PLAIN form 64 times as many up to 8 MiB; a single larger value has a page of its own.
    pub page_bytes: usize,
    /// Most rows of a data page.
    pub page_rows: usize,
    /// Pages end where their content says so, so that equal stretches of a column give equal pages in any file; this is
    /// the least bytes of a page then, and `page_bytes` the most. Bytes are those of the values, nulls of fixed width
    /// counted as values, a boolean as one, a byte array as its bytes and 4.
    pub content_defined: Option<usize>,
    /// Most bytes of a dictionary in PLAIN form. One that the writer chose itself also ends at 2^18 entries.
    pub dictionary_bytes: usize,
    /// Most bytes of a string or binary bound.
    pub statistics_truncate_bytes: usize,
    /// Whether page headers carry the CRC-32 of the page.
    pub page_checksum: bool,
    /// Who wrote the file; empty for this crate's own name.
    pub created_by: String,
    /// What rows are sorted by within each row group, the most significant first. It is checked.
    pub sorting: Vec<SortingColumn>,
    /// Key-value metadata of the footer.
    pub key_values: Vec<(String, String)>,
}

impl Default for FileOptions {
    fn default() -> Self {
        Self {
            compatibility: Compatibility::Broad,
            page_version: PageVersion::V1,
            page_bytes: 1 << 20,
            page_rows: 20_000,
            content_defined: None,
            dictionary_bytes: 2 << 20,
            statistics_truncate_bytes: 64,
            page_checksum: true,
            created_by: String::new(),
            sorting: Vec::new(),
            key_values: Vec::new(),
        }
    }
}

impl FileOptions {
    /// Sizes from 1 to this: above it a page or dictionary could not be counted in `i32` any more.
    pub const MAX_SIZE: usize = 1 << 30;

    pub(crate) fn check(&self) -> Result<(), Error> {
        let sizes = [self.page_bytes, self.page_rows, self.dictionary_bytes, self.statistics_truncate_bytes];
        let content = self.content_defined.is_none_or(|least| (1..self.page_bytes).contains(&least));
        if content && sizes.iter().all(|&size| (1..=Self::MAX_SIZE).contains(&size)) {
            Ok(())
        } else {
            Err(Error::Setting(Setting::Size))
        }
    }
}
