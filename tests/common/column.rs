//! Columns as tests hold them, and the way into a file.

use parquill::{
    Codec, ColumnOptions, ColumnView, Element, Error, FileOptions, FileWriter, LogicalType, MemorySink, PhysicalType,
    Repetition, Schema, Sink, StatisticsLevel, Validity, Values,
};

use super::file::File;

/// A flat column: its leaf, its options, and a value or null for each row.
#[derive(Debug, Clone)]
pub struct Column {
    pub element: Element,
    pub options: ColumnOptions,
    pub rows: Vec<Option<Vec<u8>>>,
}

/// Options that leave a page as it was made: no codec, no dictionary.
pub const BARE: ColumnOptions = ColumnOptions {
    codec: Codec::None,
    encoding: None,
    dictionary: false,
    statistics: StatisticsLevel::Page,
    bloom: None,
};

/// The same, with a dictionary where it pays.
pub const DICTIONARY: ColumnOptions = ColumnOptions { dictionary: true, ..BARE };

pub fn leaf(name: &str, physical: PhysicalType, repetition: Repetition, logical: LogicalType) -> Element {
    Element {
        name: name.into(),
        repetition,
        children: 0,
        physical: Some(physical),
        type_length: 0,
        logical,
        field_id: None,
    }
}

impl Column {
    /// A required column.
    pub fn required<V: Into<Vec<u8>>>(
        physical: PhysicalType,
        options: ColumnOptions,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let rows = values.into_iter().map(|value| Some(value.into())).collect();
        Self { element: leaf("c", physical, Repetition::Required, LogicalType::None), options, rows }
    }

    /// A nullable column.
    pub fn nullable<V: Into<Vec<u8>>>(
        physical: PhysicalType,
        options: ColumnOptions,
        values: impl IntoIterator<Item = Option<V>>,
    ) -> Self {
        let rows = values.into_iter().map(|value| value.map(Into::into)).collect();
        Self { element: leaf("c", physical, Repetition::Optional, LogicalType::None), options, rows }
    }

    /// The same as strings.
    pub fn text(mut self) -> Self {
        self.element.logical = LogicalType::String;
        self
    }

    pub fn named(mut self, name: &str) -> Self {
        self.element.name = name.into();
        self
    }

    /// Lays out rows `range` as a view would find them, values dense.
    pub fn laid_out(&self, range: core::ops::Range<usize>) -> LaidOut {
        let rows = &self.rows[range];
        let mut out = LaidOut { rows: rows.len(), offsets: vec![0], ..LaidOut::default() };
        out.bits.resize(rows.len().div_ceil(8), 0);
        let boolean = self.element.physical == Some(PhysicalType::Boolean);
        let mut present = 0;
        for (row, value) in rows.iter().enumerate() {
            let Some(value) = value else {
                out.nulls = true;
                continue;
            };
            out.bits[row / 8] |= 1 << (row % 8);
            if boolean {
                out.bytes.resize(present / 8 + 1, 0);
                out.bytes[present / 8] |= value[0] << (present % 8);
            } else {
                out.bytes.extend_from_slice(value);
                out.offsets.push(out.bytes.len() as u32);
            }
            present += 1;
        }
        out
    }
}

/// Buffers of a view.
#[derive(Debug, Default)]
pub struct LaidOut {
    pub rows: usize,
    pub bytes: Vec<u8>,
    pub offsets: Vec<u32>,
    pub bits: Vec<u8>,
    pub nulls: bool,
}

impl LaidOut {
    pub fn view(&self, physical: Option<PhysicalType>) -> ColumnView<'_> {
        let values = match physical {
            Some(PhysicalType::Boolean) => Values::Bits { bits: &self.bytes, first: 0 },
            Some(PhysicalType::ByteArray) => Values::Bytes { offsets: &self.offsets, bytes: &self.bytes },
            _ => Values::Fixed(&self.bytes),
        };
        let validity = if self.nulls { Validity::Dense { bits: &self.bits, first: 0 } } else { Validity::All };
        ColumnView { rows: self.rows, values, validity }
    }
}

/// A writer for `columns` that has written nothing but the magic.
pub fn writer<S: Sink>(columns: &[Column], options: FileOptions, sink: S) -> Result<FileWriter<S>, Error> {
    let schema = Schema::new(columns.iter().map(|column| column.element.clone()).collect())?;
    FileWriter::new(schema, columns.iter().map(|column| column.options).collect(), options, sink)
}

/// Writes `columns` in row groups of at most `group_rows` rows, each chunk in one piece.
pub fn write_to<S: Sink>(
    columns: &[Column],
    options: FileOptions,
    group_rows: usize,
    sink: S,
) -> Result<FileWriter<S>, Error> {
    let mut writer = writer(columns, options, sink)?;
    let rows = columns[0].rows.len();
    for start in (0..rows).step_by(group_rows) {
        let range = start..rows.min(start + group_rows);
        writer.begin_row_group(range.len() as u64)?;
        for (index, column) in columns.iter().enumerate() {
            writer.begin_chunk(index)?;
            writer.write(column.laid_out(range.clone()).view(column.element.physical), true)?;
            writer.end_chunk()?;
        }
        writer.end_row_group()?;
    }
    writer.finish()?;
    Ok(writer)
}

/// The bytes of a file of `columns`.
pub fn write(columns: &[Column], options: FileOptions, group_rows: usize) -> Vec<u8> {
    write_to(columns, options, group_rows, MemorySink::default()).unwrap().into_sink().to_vec()
}

/// The same taken apart again, every value compared.
pub fn round_trip(columns: &[Column], options: FileOptions, group_rows: usize) -> File {
    let file = File::parse(&write(columns, options, group_rows));
    for (index, column) in columns.iter().enumerate() {
        let found: Vec<_> = file.row_groups.iter().flat_map(|group| group[index].values()).collect();
        assert!(found == column.rows, "values of {} differ", column.element.name);
    }
    file
}
