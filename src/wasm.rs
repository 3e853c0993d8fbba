//! The boundary to JavaScript: lanes of memory that values are copied into, and errors as numbers.

mod lanes;
mod settings;

use wasm_bindgen::prelude::*;

use self::lanes::{Carried, Lanes, Rows};
use self::settings::Settings;
use crate::column::Shape;
use crate::error::{Error, Limit, Setting, reserve};
use crate::file::FileWriter;
use crate::options::Codec;
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

    /// Compresses a page and keeps what comes out; gives its bytes.
    #[wasm_bindgen(method, structural, catch)]
    fn compress(this: &PageSink, column: u32, page: u32, page_bytes: u32) -> Result<u32, JsValue>;

    /// Copies what it kept.
    #[wasm_bindgen(method, structural)]
    fn give(this: &PageSink, address: u32);
}

/// Kinds of [`PageSink::take`].
const FILE_BYTES: u32 = 0;
const DATA_PAGE: u32 = 1;
const DICTIONARY_PAGE: u32 = 2;
const CHUNK_END: u32 = 3;

/// What [`WasmWriter::push`] takes for a column when rows are a sample: −1 in JavaScript.
const SAMPLE: usize = usize::MAX;

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

    fn compress(&mut self, column: usize, _: Codec, page: &[u8], out: &mut Vec<u8>) -> Result<usize, Error> {
        let address = page.as_ptr().addr() as u32;
        let size = self.sink.compress(column as u32, address, page.len() as u32).map_err(|thrown| {
            self.thrown = Some(thrown);
            Error::Sink
        })? as usize;
        let missing = size.saturating_sub(out.len());
        reserve(out, missing)?;
        out.resize(out.len() + missing, 0);
        self.sink.give(out.as_ptr().addr() as u32);
        Ok(size)
    }
}

/// A file writer with its lanes. Every method may throw `[code, a, b]`; the writer is unusable after that.
#[wasm_bindgen]
pub struct WasmWriter {
    file: FileWriter<JsSink>,
    /// Lanes of the open chunks by column, and those that wait for the next chunk.
    lanes: Vec<Option<Lanes>>,
    idle: Vec<Lanes>,
    /// The column that calls are about.
    column: usize,
    carried: Carried,
}

#[wasm_bindgen]
impl WasmWriter {
    #[wasm_bindgen(constructor)]
    pub fn new(numbers: &[f64], texts: &[u8], sink: PageSink) -> Result<WasmWriter, JsValue> {
        let settings = Settings::new(numbers, texts);
        let build = || {
            let (schema, columns, options) = settings.build()?;
            FileWriter::new(schema, columns, options, JsSink { sink, thrown: None })
        };
        let file = build().map_err(facts)?;
        Ok(Self { file, lanes: Vec::new(), idle: Vec::new(), column: 0, carried: Carried::default() })
    }

    /// `rows` of it, or 0: as many as its chunks will have.
    pub fn begin_row_group(&mut self, rows: f64) -> Result<(), JsValue> {
        let result = match rows as u64 {
            0 => self.file.begin_open_row_group(),
            rows => self.file.begin_row_group(rows),
        };
        self.outcome(result)
    }

    /// Begins a chunk and selects it.
    pub fn begin_chunk(&mut self, column: usize) -> Result<(), JsValue> {
        let result = self.file.begin_chunk(column).and_then(|()| {
            let missing = (column + 1).saturating_sub(self.lanes.len());
            reserve(&mut self.lanes, missing)?;
            self.lanes.resize_with(self.lanes.len() + missing, || None);
            if let Some(place) = self.lanes.get_mut(column) {
                *place = Some(self.idle.pop().unwrap_or_default());
            }
            self.column = column;
            Ok(())
        });
        self.outcome(result)
    }

    /// Selects an open chunk and its lanes.
    pub fn select(&mut self, column: usize) -> Result<(), JsValue> {
        let result = self.file.select(column).map(|()| self.column = column);
        self.outcome(result)
    }

    pub fn page_rows(&mut self, column: usize) -> Result<usize, JsValue> {
        let result = self.file.page_rows(column).ok_or(Error::State);
        self.outcome(result)
    }

    /// Most bytes that the next page of the selected chunk may take in PLAIN form.
    pub fn page_bytes(&self) -> usize {
        self.file.page_bytes()
    }

    /// Lanes of the selected chunk: 0 values, 1 offsets, 2 validity, 3 codes, 4 definition levels, 5 repetition levels.
    pub fn lane(&mut self, lane: u32, bytes: usize) -> Result<u32, JsValue> {
        let result = match (self.lanes.get_mut(self.column), lane) {
            (Some(Some(lanes)), lane) => lanes.grow(lane, bytes),
            _ => Err(Error::State),
        };
        self.outcome(result)
    }

    pub fn dictionary_open(&self) -> bool {
        self.file.dictionary_open()
    }

    /// Writes rows of the selected chunk and gives how many are left over. With [`SAMPLE`] in place of its column they
    /// are a sample, the first `new_entries` of them scattered: two functions in one, for a smaller module.
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
        let sample = column == SAMPLE;
        let result = match sample || column == self.column {
            true => self.push_rows(at, new_entries, last, sample),
            false => Err(Error::State),
        };
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
        let result = self.file.end_chunk().and_then(|()| {
            reserve(&mut self.idle, 1)?;
            self.idle.extend(self.lanes.get_mut(self.column).and_then(Option::take));
            Ok(())
        });
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
    fn push_rows(&mut self, at: Rows, new_entries: usize, last: bool, sample: bool) -> Result<usize, Error> {
        let shape = self.shape();
        let Some(Some(lanes)) = self.lanes.get_mut(self.column) else { return Err(Error::State) };
        if sample {
            self.file.sample(lanes.view(at, shape)?, new_entries)?;
            return Ok(0);
        }
        if new_entries > 0 {
            let (offsets, bytes) = lanes.entries(new_entries)?;
            self.file.hand_over(offsets, bytes)?;
        }
        let view = lanes.view(at, shape)?;
        let taken = match at.is_checked() {
            true => self.file.write_checked(view, last)?,
            false => self.file.write(view, last)?,
        };
        self.carried = if taken < at.rows { lanes.carry(at, taken, shape)? } else { Carried::default() };
        Ok(at.rows - taken)
    }

    fn shape(&self) -> Shape {
        self.file.schema().leaves().get(self.column).map(Shape::from).unwrap_or_default()
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
                Setting::Bloom => 5.0,
                Setting::Sorting => 6.0,
            };
            (8, which, 0.0)
        }
        Error::Schema { element } => (9, element as f64, 0.0),
        Error::State => (10, 0.0, 0.0),
        Error::Code { row } => (11, row as f64, 0.0),
        Error::Sink => (12, 0.0, 0.0),
        Error::View => (13, 0.0, 0.0),
        Error::Unsorted { row } => (14, row as f64, 0.0),
    };
    js_sys::Array::of3(&JsValue::from(code), &JsValue::from(a), &JsValue::from(b)).into()
}

/// A quarter of the bytes of the standard library's allocator.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
