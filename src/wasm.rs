//! The boundary to JavaScript: lanes of memory that values are copied into, and errors as numbers.

use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::column::{self, ColumnView, Shape, Validity, Values, bits};
use crate::error::{Error, Limit, Setting, reserve};
use crate::file::FileWriter;
use crate::options::{Codec, ColumnOptions, Encoding, FileOptions, PageVersion, StatisticsLevel};
use crate::schema::{Element, LogicalType, PhysicalType, Repetition, Schema, TimeUnit};
use crate::sink::{PageKind, Sink};

#[wasm_bindgen]
extern "C" {
    /// Takes finished bytes; they are lent for the call.
    pub type PageSink;

    #[wasm_bindgen(method, structural, catch)]
    fn take(
        this: &PageSink,
        kind: u32,
        column: u32,
        head: u32,
        head_bytes: u32,
        body: u32,
        body_bytes: u32,
    ) -> Result<(), JsValue>;
}

/// Kinds of [`PageSink::take`].
const FILE_BYTES: u32 = 0;
const DATA_PAGE: u32 = 1;
const DICTIONARY_PAGE: u32 = 2;
const CHUNK_END: u32 = 3;

/// Forms of the values lane.
const PLAIN: u32 = 0;
const I8: u32 = 1;
const U8: u32 = 2;
const I16: u32 = 3;
const U16: u32 = 4;
const BITS: u32 = 5;
const BYTES: u32 = 6;
const BYTES_CHECKED: u32 = 7;
const CODES: u32 = 8;

/// Hands pages to JavaScript and keeps what it threw.
struct JsSink {
    sink: PageSink,
    thrown: Option<JsValue>,
}

impl JsSink {
    fn send(&mut self, kind: u32, column: usize, head: &[u8], body: &[u8]) -> Result<(), Error> {
        let address = |bytes: &[u8]| bytes.as_ptr().addr() as u32;
        self.sink.take(kind, column as u32, address(head), head.len() as u32, address(body), body.len() as u32).map_err(
            |thrown| {
                self.thrown = Some(thrown);
                Error::Sink
            },
        )
    }
}

impl Sink for JsSink {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.send(FILE_BYTES, 0, bytes, &[])
    }

    fn page(&mut self, column: usize, kind: PageKind, header: &[u8], body: &[u8]) -> Result<(), Error> {
        let kind = match kind {
            PageKind::Data => DATA_PAGE,
            PageKind::Dictionary => DICTIONARY_PAGE,
        };
        self.send(kind, column, header, body)
    }

    fn end_chunk(&mut self, column: usize) -> Result<(), Error> {
        self.send(CHUNK_END, column, &[], &[])
    }
}

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
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
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
            statistics: match self.statistics {
                0 => StatisticsLevel::None,
                1 => StatisticsLevel::Chunk,
                2 => StatisticsLevel::Page,
                _ => return Err(unknown),
            },
        })
    }
}

/// Memory that JavaScript copies a page's rows into. Lanes only grow.
#[derive(Default)]
struct Lanes {
    values: Vec<u8>,
    offsets: Vec<u32>,
    validity: Vec<u8>,
    codes: Vec<u32>,
    definition: Vec<u8>,
    repetition: Vec<u8>,
    /// For bits that have to move within a byte.
    moved: Vec<u8>,
}

fn grow<T: Default + Clone>(lane: &mut Vec<T>, bytes: usize) -> Result<u32, Error> {
    let length = bytes.div_ceil(size_of::<T>());
    let missing = length.saturating_sub(lane.len());
    if missing > 0 {
        reserve(lane, missing)?;
        // All of what was allocated: the next larger page then needs no new memory.
        lane.resize(lane.capacity(), T::default());
    }
    Ok(lane.as_ptr().addr() as u32)
}

/// Where the rows of a call lie in the lanes.
#[derive(Clone, Copy)]
struct Rows {
    rows: usize,
    form: u32,
    nulls: u32,
    validity_bit: usize,
    values_bit: usize,
    /// Levels in the level lanes.
    entries: usize,
}

/// How nulls are told.
const NO_NULLS: u32 = 0;
const DENSE: u32 = 1;
const SPACED: u32 = 2;
/// Definition levels only: nothing on the path repeats.
const DEFINITION: u32 = 3;
/// Definition and repetition levels.
const LEVELS: u32 = 4;

impl Lanes {
    fn view(&self, at: Rows, shape: Shape) -> Result<ColumnView<'_>, Error> {
        let bits = self.validity.as_slice();
        let definition = self.definition.get(..at.entries).ok_or(Error::View)?;
        let repetition = self.repetition.get(..at.entries);
        let validity = match at.nulls {
            NO_NULLS => Validity::All,
            DENSE => Validity::Dense { bits, first: at.validity_bit },
            SPACED => Validity::Spaced { bits, first: at.validity_bit },
            DEFINITION => Validity::Levels { definition, repetition: &[] },
            LEVELS => Validity::Levels { definition, repetition: repetition.ok_or(Error::View)? },
            _ => return Err(Error::View),
        };
        let slots = match validity {
            Validity::Dense { bits, first } => bits::count_ones(bits, first, at.rows),
            Validity::Levels { definition, .. } => column::count_level(definition, shape.max_definition),
            Validity::All | Validity::Spaced { .. } => at.rows,
        };
        let values = match at.form {
            PLAIN => Values::Fixed(&self.values),
            I8 => Values::Int8(&self.values),
            U8 => Values::UInt8(&self.values),
            I16 => Values::Int16(&self.values),
            U16 => Values::UInt16(&self.values),
            BITS => Values::Bits { bits: &self.values, first: at.values_bit },
            BYTES | BYTES_CHECKED => Values::Bytes {
                // Beyond the end lies what an earlier page left.
                offsets: self.offsets.get(..=slots).ok_or(Error::View)?,
                bytes: &self.values,
            },
            CODES => Values::Codes(&self.codes),
            _ => return Err(Error::View),
        };
        Ok(ColumnView { rows: at.rows, values, validity })
    }

    /// Moves the rows behind the first `taken` to the start.
    fn carry(&mut self, at: Rows, taken: usize, shape: Shape) -> Result<Carried, Error> {
        let rows = at.rows - taken;
        let mut entries = 0;
        let (from, slots) = match at.nulls {
            DENSE => {
                let passed = bits::count_ones(&self.validity, at.validity_bit, taken);
                (passed, bits::count_ones(&self.validity, at.validity_bit + taken, rows))
            }
            DEFINITION | LEVELS => {
                let repetition = self.repetition.get(..at.entries).filter(|_| at.nulls == LEVELS);
                let starts = repetition.map(|levels| levels.iter().enumerate().filter(|(_, level)| **level == 0));
                let first = starts.map_or(taken, |mut starts| starts.nth(taken).map_or(at.entries, |(entry, _)| entry));
                let (before, after) = self.definition.get(..at.entries).ok_or(Error::View)?.split_at(first);
                let count = |levels: &[u8]| column::count_level(levels, shape.max_definition);
                let counts = (count(before), count(after));
                entries = after.len();
                self.definition.copy_within(first..at.entries, 0);
                if at.nulls == LEVELS {
                    self.repetition.copy_within(first..at.entries, 0);
                }
                counts
            }
            _ => (taken, rows),
        };
        if matches!(at.nulls, DENSE | SPACED) {
            bits::align(&self.validity, at.validity_bit + taken, rows, &mut self.moved)?;
            copy_to_start(&mut self.validity, &self.moved);
        }
        let bytes = self.carry_values(at, from, slots, shape.width)?;
        Ok(Carried { bytes, entries })
    }

    /// Moves `slots` values from value `from` on to the start; gives their bytes in the values lane.
    fn carry_values(&mut self, at: Rows, from: usize, slots: usize, width: usize) -> Result<usize, Error> {
        let stride = match at.form {
            I8 | U8 => 1,
            I16 | U16 => 2,
            _ => width,
        };
        match at.form {
            BITS => {
                bits::align(&self.values, at.values_bit + from, slots, &mut self.moved)?;
                copy_to_start(&mut self.values, &self.moved);
                Ok(self.moved.len())
            }
            BYTES | BYTES_CHECKED => {
                let first = self.offsets.first().copied().unwrap_or(0);
                let ends = self.offsets.get(from..=from + slots).ok_or(Error::View)?;
                let (start, end) = ends.first().copied().zip(ends.last().copied()).ok_or(Error::View)?;
                let bytes = (start - first) as usize..(end - first) as usize;
                let size = bytes.len();
                self.values.copy_within(bytes, 0);
                self.offsets.copy_within(from..=from + slots, 0);
                self.offsets.iter_mut().take(slots + 1).for_each(|offset| *offset -= start);
                Ok(size)
            }
            CODES => {
                self.codes.copy_within(from..from + slots, 0);
                Ok(0)
            }
            _ => {
                self.values.copy_within(from * stride..(from + slots) * stride, 0);
                Ok(slots * stride)
            }
        }
    }
}

fn copy_to_start(lane: &mut [u8], bytes: &[u8]) {
    for (to, from) in lane.iter_mut().zip(bytes) {
        *to = *from;
    }
}

/// What the carried rows take up.
#[derive(Default)]
struct Carried {
    bytes: usize,
    entries: usize,
}

/// A file writer with its lanes. Every method may throw `[code, a, b]`; the writer is unusable after that.
#[wasm_bindgen]
pub struct WasmWriter {
    file: FileWriter<JsSink>,
    lanes: Lanes,
    column: usize,
    shape: Shape,
    carried: Carried,
}

#[wasm_bindgen]
impl WasmWriter {
    #[wasm_bindgen(constructor)]
    pub fn new(settings: JsValue, sink: PageSink) -> Result<WasmWriter, JsValue> {
        let settings: Settings = serde_wasm_bindgen::from_value(settings)?;
        let build = || {
            let elements = settings.elements.into_iter().map(ElementSetting::build).collect::<Result<_, _>>()?;
            let columns = settings.leaves.into_iter().map(LeafSetting::build).collect::<Result<_, _>>()?;
            let options = FileOptions {
                page_version: if settings.page_version == 2 { PageVersion::V2 } else { PageVersion::V1 },
                page_bytes: settings.page_bytes,
                page_rows: settings.page_rows,
                dictionary_bytes: settings.dictionary_bytes,
                statistics_truncate_bytes: settings.statistics_truncate_bytes,
                page_checksum: settings.page_checksum,
                created_by: settings.created_by,
                key_values: settings.metadata,
            };
            FileWriter::new(Schema::new(elements)?, columns, options, JsSink { sink, thrown: None })
        };
        let file = build().map_err(facts)?;
        Ok(Self { file, lanes: Lanes::default(), column: 0, shape: Shape::default(), carried: Carried::default() })
    }

    pub fn begin_row_group(&mut self, rows: f64) -> Result<(), JsValue> {
        let result = self.file.begin_row_group(rows as u64);
        self.outcome(result)
    }

    pub fn begin_chunk(&mut self, column: usize) -> Result<(), JsValue> {
        self.column = column;
        self.shape = self.file.schema().leaves().get(column).map(Shape::from).unwrap_or_default();
        let result = self.file.begin_chunk(column);
        self.outcome(result)
    }

    pub fn page_rows(&mut self, column: usize) -> Result<usize, JsValue> {
        let result = self.file.page_rows(column).ok_or(Error::State);
        self.outcome(result)
    }

    /// Lanes: 0 values, 1 offsets, 2 validity, 3 codes, 4 definition levels, 5 repetition levels.
    pub fn lane(&mut self, lane: u32, bytes: usize) -> Result<u32, JsValue> {
        let result = match lane {
            0 => grow(&mut self.lanes.values, bytes),
            1 => grow(&mut self.lanes.offsets, bytes),
            2 => grow(&mut self.lanes.validity, bytes),
            3 => grow(&mut self.lanes.codes, bytes),
            4 => grow(&mut self.lanes.definition, bytes),
            5 => grow(&mut self.lanes.repetition, bytes),
            _ => Err(Error::State),
        };
        self.outcome(result)
    }

    pub fn sample(
        &mut self,
        rows: usize,
        form: u32,
        nulls: u32,
        validity_bit: usize,
        values_bit: usize,
        entries: usize,
    ) -> Result<(), JsValue> {
        let at = Rows { rows, form, nulls, validity_bit, values_bit, entries };
        let result = self.lanes.view(at, self.shape).and_then(|view| self.file.sample(view));
        self.outcome(result)
    }

    pub fn dictionary_open(&self) -> bool {
        self.file.dictionary_open()
    }

    #[expect(clippy::too_many_arguments, reason = "plain numbers cross the boundary at no cost, an object would not")]
    pub fn push(
        &mut self,
        column: usize,
        rows: usize,
        form: u32,
        nulls: u32,
        validity_bit: usize,
        values_bit: usize,
        new_entries: usize,
        last: bool,
        entries: usize,
    ) -> Result<usize, JsValue> {
        let at = Rows { rows, form, nulls, validity_bit, values_bit, entries };
        let result = if column == self.column { self.push_rows(at, new_entries, last) } else { Err(Error::State) };
        self.outcome(result)
    }

    /// Bytes of the values lane that the carried rows take.
    pub fn carried_bytes(&self) -> usize {
        self.carried.bytes
    }

    /// Levels of the carried rows.
    pub fn carried_entries(&self) -> usize {
        self.carried.entries
    }

    pub fn end_chunk(&mut self) -> Result<(), JsValue> {
        let result = self.file.end_chunk();
        self.outcome(result)
    }

    pub fn end_row_group(&mut self) -> Result<(), JsValue> {
        let result = self.file.end_row_group();
        self.outcome(result)
    }

    pub fn finish(&mut self) -> Result<(), JsValue> {
        let result = self.file.finish();
        self.outcome(result)
    }

    pub fn position(&self) -> f64 {
        self.file.position() as f64
    }
}

impl WasmWriter {
    fn push_rows(&mut self, at: Rows, new_entries: usize, last: bool) -> Result<usize, Error> {
        let lanes = &mut self.lanes;
        if new_entries > 0 {
            let offsets = lanes.offsets.get(..=new_entries).ok_or(Error::View)?;
            self.file.hand_over(offsets, &lanes.values)?;
        }
        let view = lanes.view(at, self.shape)?;
        let taken = match at.form {
            BYTES_CHECKED => self.file.write_checked(view, last)?,
            _ => self.file.write(view, last)?,
        };
        self.carried = if taken < at.rows { lanes.carry(at, taken, self.shape)? } else { Carried::default() };
        Ok(at.rows - taken)
    }

    /// What the sink threw goes through as it is.
    fn outcome<T>(&mut self, result: Result<T, Error>) -> Result<T, JsValue> {
        result.map_err(|error| match (error, self.file.sink_mut().thrown.take()) {
            (Error::Sink, Some(thrown)) => thrown,
            _ => facts(error),
        })
    }
}

/// An error as `[code, a, b]`.
fn facts(error: Error) -> JsValue {
    let (code, a, b) = match error {
        Error::NullInRequired { row } => (1, row as f64, 0.0),
        Error::InvalidUtf8 { row } => (2, row as f64, 0.0),
        Error::Limit { what, size } => {
            let what = match what {
                Limit::PageBytes => 0.0,
                Limit::PageValues => 1.0,
                Limit::ChunkBytes => 2.0,
                Limit::ValueBytes => 3.0,
            };
            (3, what, size as f64)
        }
        Error::Memory { bytes } => (4, bytes as f64, 0.0),
        Error::RowCount { expected, found } => (5, expected as f64, found as f64),
        Error::Codec { codec } => (6, f64::from(codec), 0.0),
        Error::Offsets { row } => (7, row as f64, 0.0),
        Error::Setting(setting) => {
            let which = match setting {
                Setting::ColumnCount => 0.0,
                Setting::Size => 1.0,
                Setting::Level => 2.0,
                Setting::Encoding => 3.0,
                Setting::Code => 4.0,
            };
            (8, which, 0.0)
        }
        Error::Schema { element } => (9, element as f64, 0.0),
        Error::State => (10, 0.0, 0.0),
        Error::Code { row } => (11, row as f64, 0.0),
        Error::Sink => (12, 0.0, 0.0),
        Error::View => (13, 0.0, 0.0),
    };
    js_sys::Array::of3(&JsValue::from(code), &JsValue::from(a), &JsValue::from(b)).into()
}
