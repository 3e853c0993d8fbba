//! The footer: FileMetaData (parquet-format, parquet.thrift).

use crate::chunk::{Bound, ChunkFacts};
use crate::error::{Error, Limit, reserve};
use crate::options::{ColumnOptions, Encoding, FileOptions, PageVersion, SortingColumn, StatisticsLevel};
use crate::page::page_type;
use crate::schema::{Element, Leaf, LogicalType, PhysicalType, Schema, TimeUnit};
use crate::sink::PageKind;
use crate::thrift::{self, ListOf, Struct};

/// Application, version and build in the form that parquet-java parses.
const CREATED_BY: &str =
    concat!("parquill version ", env!("CARGO_PKG_VERSION"), " (build ", env!("CARGO_PKG_VERSION"), ")");

/// A chunk with the places of its indexes.
#[derive(Debug)]
pub(crate) struct ChunkEntry {
    pub facts: ChunkFacts,
    /// Offset and length.
    pub offset_index: (u64, usize),
    pub column_index: Option<(u64, usize)>,
    pub bloom: Option<(u64, usize)>,
}

/// A finished row group.
#[derive(Debug)]
pub(crate) struct RowGroup {
    pub rows: u64,
    pub chunks: Vec<ChunkEntry>,
}

/// Appends FileMetaData.
pub(crate) fn file_metadata(
    schema: &Schema,
    columns: &[ColumnOptions],
    options: &FileOptions,
    row_groups: &[RowGroup],
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let rows: u64 = row_groups.iter().map(|group| group.rows).sum();
    let bounded = (0..columns.len()).map(|column| bounded_throughout(column, row_groups)).collect();
    let context = Context { schema, columns, sorting: &options.sorting, bounded };
    reserve(out, size_estimate(schema, options, row_groups))?;
    thrift::structure(out, |file| {
        file.i32(1, 1);
        let elements = schema.elements();
        file.list(
            2,
            ListOf::Struct,
            Elements { root: true, elements: elements.iter() },
            |element, out| match element {
                Some(element) => schema_element(element, out),
                None => thrift::structure(out, |root| {
                    root.binary(4, b"schema");
                    root.i32(5, count(schema.top_level()));
                }),
            },
        );
        file.i64(3, rows.cast_signed());
        file.list(4, ListOf::Struct, row_groups.iter().enumerate(), |(ordinal, group), out| {
            thrift::structure(out, |to| row_group(ordinal, group, &context, to));
        });
        if !options.key_values.is_empty() {
            file.list(5, ListOf::Struct, options.key_values.iter(), |(key, value), out| {
                thrift::structure(out, |pair| {
                    pair.binary(1, key.as_bytes());
                    // SPEC: optional, but a key without a value stops Spark.
                    pair.binary(2, value.as_bytes());
                });
            });
        }
        let created_by = if options.created_by.is_empty() { CREATED_BY } else { &options.created_by };
        file.binary(6, created_by.as_bytes());
        file.list(7, ListOf::Struct, schema.leaves().iter(), |_, out| {
            thrift::structure(out, |order| order.structure(1, |_type_order| {}));
        });
    });
    Ok(())
}

/// Whether every chunk of `column` that holds values has a minimum, and a maximum.
///
/// Where only some have, readers that merge them over row groups (DataFusion) take them for bounds of the whole file
/// and lose the rows of the others. So it is all or none.
fn bounded_throughout(column: usize, row_groups: &[RowGroup]) -> [bool; 2] {
    let chunks = || row_groups.iter().filter_map(|group| group.chunks.get(column)).map(|chunk| &chunk.facts);
    let holds = |found: &Option<Bound>, facts: &ChunkFacts| found.is_some() || facts.null_count == facts.num_values;
    [chunks().all(|facts| holds(&facts.bounds[0], facts)), chunks().all(|facts| holds(&facts.bounds[1], facts))]
}

/// The root, then the elements: a list in Thrift starts with its length.
struct Elements<'a> {
    root: bool,
    elements: core::slice::Iter<'a, Element>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Option<&'a Element>;

    fn next(&mut self) -> Option<Self::Item> {
        if core::mem::take(&mut self.root) { Some(None) } else { self.elements.next().map(Some) }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let size = self.elements.len() + usize::from(self.root);
        (size, Some(size))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// Generous, so that serializing does not run into the end of memory half way.
fn size_estimate(schema: &Schema, options: &FileOptions, row_groups: &[RowGroup]) -> usize {
    let names: usize = schema.elements().iter().map(|element| element.name.len() + 64).sum();
    let pairs: usize = options.key_values.iter().map(|(key, value)| key.len() + value.len() + 16).sum();
    let paths: usize =
        schema.leaves().iter().map(|leaf| path(schema, leaf).map(|name| name.len() + 4).sum::<usize>()).sum();
    let group = |group: &RowGroup| -> usize {
        let bounds =
            |chunk: &ChunkEntry| chunk.facts.bounds.iter().flatten().map(|bound| bound.value.len()).sum::<usize>();
        group.chunks.iter().map(|chunk| 256 + bounds(chunk)).sum::<usize>() + paths
    };
    256 + names + pairs + options.created_by.len() + row_groups.iter().map(group).sum::<usize>()
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn schema_element(element: &Element, out: &mut Vec<u8>) {
    thrift::structure(out, |to| {
        if let Some(physical) = element.physical {
            to.i32(1, physical as i32);
            if physical == PhysicalType::FixedLenByteArray {
                to.i32(2, count(element.type_length));
            }
        }
        to.i32(3, element.repetition as i32);
        to.binary(4, element.name.as_bytes());
        if element.physical.is_none() {
            to.i32(5, count(element.children));
        }
        // SPEC: the deprecated ConvertedType stays beside LogicalType: DuckDB and hyparquet read only that for most types.
        if let Some(converted) = converted_type(element.logical) {
            to.i32(6, converted);
        }
        if let LogicalType::Decimal { precision, scale } = element.logical {
            to.i32(7, i32::from(scale));
            to.i32(8, i32::from(precision));
        }
        if let Some(id) = element.field_id {
            to.i32(9, id);
        }
        // SPEC: INTERVAL has a ConvertedType only.
        if !matches!(element.logical, LogicalType::None | LogicalType::Interval) {
            to.structure(10, |logical| logical_type(element.logical, logical));
        }
    });
}

fn converted_type(logical: LogicalType) -> Option<i32> {
    Some(match logical {
        LogicalType::String => 0,
        LogicalType::Map => 1,
        LogicalType::List => 3,
        LogicalType::Enum => 4,
        LogicalType::Decimal { .. } => 5,
        LogicalType::Date => 6,
        LogicalType::Time { unit: TimeUnit::Millis, .. } => 7,
        LogicalType::Time { unit: TimeUnit::Micros, .. } => 8,
        LogicalType::Timestamp { unit: TimeUnit::Millis, .. } => 9,
        LogicalType::Timestamp { unit: TimeUnit::Micros, .. } => 10,
        LogicalType::Integer { bit_width, signed } => {
            let first = if signed { 15 } else { 11 };
            first + i32::from(bit_width).trailing_zeros().cast_signed() - 3
        }
        LogicalType::Json => 19,
        LogicalType::Interval => 21,
        // BSON has one (20), but DuckDB and hyparquet refuse a file that names it.
        LogicalType::Bson
        | LogicalType::None
        | LogicalType::Unknown
        | LogicalType::Uuid
        | LogicalType::Float16
        | LogicalType::Time { unit: TimeUnit::Nanos, .. }
        | LogicalType::Timestamp { unit: TimeUnit::Nanos, .. } => return None,
    })
}

/// The LogicalType union: exactly one field, named by its id.
fn logical_type(logical: LogicalType, to: &mut Struct<'_>) {
    let time = |to: &mut Struct<'_>, unit: TimeUnit, utc: bool| {
        to.bool(1, utc);
        to.structure(2, |variant| variant.structure(unit as i16 + 1, |_unit| {}));
    };
    match logical {
        LogicalType::None | LogicalType::Interval => {}
        LogicalType::String => to.structure(1, |_| {}),
        LogicalType::Map => to.structure(2, |_| {}),
        LogicalType::List => to.structure(3, |_| {}),
        LogicalType::Enum => to.structure(4, |_| {}),
        LogicalType::Decimal { precision, scale } => to.structure(5, |decimal| {
            decimal.i32(1, i32::from(scale));
            decimal.i32(2, i32::from(precision));
        }),
        LogicalType::Date => to.structure(6, |_| {}),
        LogicalType::Time { unit, utc } => to.structure(7, |to| time(to, unit, utc)),
        LogicalType::Timestamp { unit, utc } => to.structure(8, |to| time(to, unit, utc)),
        LogicalType::Integer { bit_width, signed } => to.structure(10, |integer| {
            integer.i8(1, bit_width.cast_signed());
            integer.bool(2, signed);
        }),
        LogicalType::Unknown => to.structure(11, |_| {}),
        LogicalType::Json => to.structure(12, |_| {}),
        LogicalType::Bson => to.structure(13, |_| {}),
        LogicalType::Uuid => to.structure(14, |_| {}),
        LogicalType::Float16 => to.structure(15, |_| {}),
    }
}

/// What chunks are described with.
struct Context<'a> {
    schema: &'a Schema,
    columns: &'a [ColumnOptions],
    sorting: &'a [SortingColumn],
    /// For each column, whether its chunks give their minimum and their maximum.
    bounded: Vec<[bool; 2]>,
}

fn row_group(ordinal: usize, group: &RowGroup, context: &Context<'_>, to: &mut Struct<'_>) {
    let sum = |of: fn(&ChunkFacts) -> u64| group.chunks.iter().map(|chunk| of(&chunk.facts)).sum::<u64>();
    to.list(1, ListOf::Struct, group.chunks.iter(), |chunk, out| {
        thrift::structure(out, |to| column_chunk(chunk, context, to));
    });
    to.i64(2, sum(|facts| facts.uncompressed_bytes).cast_signed());
    to.i64(3, group.rows.cast_signed());
    if !context.sorting.is_empty() {
        to.list(4, ListOf::Struct, context.sorting.iter(), |sorting, out| {
            thrift::structure(out, |to| {
                to.i32(1, count(sorting.column));
                to.bool(2, sorting.descending);
                to.bool(3, sorting.nulls_first);
            });
        });
    }
    if let Some(first) = group.chunks.first() {
        to.i64(5, first.facts.start.cast_signed());
    }
    to.i64(6, sum(|facts| facts.compressed_bytes).cast_signed());
    // SPEC: an i16. Left out where it does not fit.
    if let Ok(ordinal) = i16::try_from(ordinal) {
        to.i16(7, ordinal);
    }
}

fn column_chunk(chunk: &ChunkEntry, context: &Context<'_>, to: &mut Struct<'_>) {
    // SPEC: deprecated but required; 0 is what readers expect.
    to.i64(2, 0);
    let column = chunk.facts.column;
    if let (Some(leaf), Some(options)) = (context.schema.leaves().get(column), context.columns.get(column)) {
        let bounded = context.bounded.get(column).copied().unwrap_or_default();
        to.structure(3, |to| column_metadata(chunk, leaf, *options, context.schema, bounded, to));
    }
    let (offset, length) = chunk.offset_index;
    to.i64(4, offset.cast_signed());
    to.i32(5, count(length));
    if let Some((offset, length)) = chunk.column_index {
        to.i64(6, offset.cast_signed());
        to.i32(7, count(length));
    }
}

fn column_metadata(
    chunk: &ChunkEntry,
    leaf: &Leaf,
    options: ColumnOptions,
    schema: &Schema,
    bounded: [bool; 2],
    to: &mut Struct<'_>,
) {
    let facts = &chunk.facts;
    let dictionary = facts.dictionary_page_bytes > 0;
    let pages = || Encoding::ALL.into_iter().zip(facts.pages).filter(|(_, pages)| *pages > 0);
    let used = |encoding: Encoding| match encoding {
        Encoding::Plain if dictionary => true,
        Encoding::Rle if leaf.max_definition > 0 || leaf.max_repetition > 0 => true,
        _ => pages().any(|(other, _)| other == encoding),
    };
    let encodings: Vec<i32> = Encoding::ALL.into_iter().filter(|&encoding| used(encoding)).map(Encoding::id).collect();
    to.i32(1, leaf.physical as i32);
    to.list(2, ListOf::I32, encodings.iter(), |encoding, out| thrift::zigzag(i64::from(*encoding), out));
    to.list(3, ListOf::Binary, path(schema, leaf), |name, out| thrift::binary(name.as_bytes(), out));
    to.i32(4, options.codec.id());
    to.i64(5, facts.num_values.cast_signed());
    to.i64(6, facts.uncompressed_bytes.cast_signed());
    to.i64(7, facts.compressed_bytes.cast_signed());
    to.i64(9, (facts.start + facts.dictionary_page_bytes).cast_signed());
    // SPEC: absent without a dictionary, never 0.
    if dictionary {
        to.i64(11, facts.start.cast_signed());
    }
    if options.statistics != StatisticsLevel::None {
        to.structure(12, |to| statistics(facts, leaf, bounded, to));
    }
    let data_page = page_type(PageKind::Data, facts.page_version == PageVersion::V2);
    let mut kinds = Vec::new();
    if dictionary {
        kinds.push((page_type(PageKind::Dictionary, false), Encoding::Plain, 1));
    }
    kinds.extend(pages().map(|(encoding, pages)| (data_page, encoding, pages)));
    to.list(13, ListOf::Struct, kinds.iter(), |(page_type, encoding, pages), out| {
        thrift::structure(out, |to| {
            to.i32(1, *page_type);
            to.i32(2, encoding.id());
            to.i32(3, *pages);
        });
    });
    if let Some((offset, length)) = chunk.bloom {
        to.i64(14, offset.cast_signed());
        to.i32(15, count(length));
    }
    let text = leaf.physical == PhysicalType::ByteArray;
    let levels = &facts.histograms;
    if options.statistics == StatisticsLevel::Page && (text || !levels.is_empty()) {
        to.structure(16, |size| {
            if text {
                size.i64(1, facts.value_bytes.cast_signed());
            }
            levels.write_chunk(size, 2, 3);
        });
    }
}

fn statistics(facts: &ChunkFacts, leaf: &Leaf, bounded: [bool; 2], to: &mut Struct<'_>) {
    to.i64(3, facts.null_count.cast_signed());
    let [min, max] = &facts.bounds;
    let [min, max] = [min.as_ref().filter(|_| bounded[0]), max.as_ref().filter(|_| bounded[1])];
    if let Some(max) = max {
        to.binary(5, &max.value);
    }
    if let Some(min) = min {
        to.binary(6, &min.value);
    }
    if let Some(max) = max {
        to.bool(7, max.exact);
    }
    if let Some(min) = min {
        to.bool(8, min.exact);
    }
    if leaf.order.is_float() {
        to.i64(9, facts.nan_count.cast_signed());
    }
}

fn path<'a>(schema: &'a Schema, leaf: &'a Leaf) -> impl ExactSizeIterator<Item = &'a str> {
    leaf.path.iter().map(|&element| schema.elements().get(element).map_or("", |element| element.name.as_str()))
}

/// The footer's end: the length of FileMetaData and the magic.
pub(crate) fn tail(metadata_bytes: usize) -> Result<[u8; 8], Error> {
    let length = i32::try_from(metadata_bytes)
        .map_err(|_| Error::Limit { what: Limit::PageBytes, size: metadata_bytes as u64 })?;
    let [a, b, c, d] = length.to_le_bytes();
    Ok([a, b, c, d, b'P', b'A', b'R', b'1'])
}
