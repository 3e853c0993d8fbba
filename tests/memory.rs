//! What a page costs in allocations once the buffers are there: nothing. And an allocator that has no more to give
//! is an error, not an end of the program.

// The module has an allocator of its own, which leaves no place for one that counts.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::column::{BARE, Column, DICTIONARY, LaidOut, writer};
use parquill::{
    BloomOptions, Codec, ColumnOptions, ColumnView, Encoding, Error, FileOptions, FileWriter, PageKind, PageVersion,
    PhysicalType, Sink, Validity, Values,
};

thread_local! {
    /// Allocations of this thread, growing ones too.
    static COUNT: Cell<u64> = const { Cell::new(0) };
    /// Bytes that this thread has, and the most that it had.
    static BYTES: Cell<(i64, i64)> = const { Cell::new((0, 0)) };
    /// Allocations of at least `.0` bytes that are still granted: `.1`.
    static GRANTED: Cell<(usize, u64)> = const { Cell::new((usize::MAX, 0)) };
}

struct Counting;

impl Counting {
    fn hold(bytes: i64) {
        let (now, most) = BYTES.get();
        BYTES.set((now + bytes, most.max(now + bytes)));
    }

    /// Whether `bytes` are to be had.
    fn ask(bytes: usize) -> bool {
        COUNT.set(COUNT.get() + 1);
        let (large, left) = GRANTED.get();
        if bytes < large {
            return true;
        }
        GRANTED.set((large, left.saturating_sub(1)));
        left > 0
    }
}

// SAFETY: everything is handed to the system's allocator as it came; a refusal is the null that the contract foresees.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !Self::ask(layout.size()) {
            return std::ptr::null_mut();
        }
        Self::hold(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        Self::hold(-(layout.size() as i64));
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !Self::ask(layout.size()) {
            return std::ptr::null_mut();
        }
        Self::hold(layout.size() as i64);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !Self::ask(size) {
            return std::ptr::null_mut();
        }
        Self::hold(size as i64 - layout.size() as i64);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts bytes and pages, keeps nothing.
#[derive(Debug, Default)]
struct Counter {
    bytes: usize,
    pages: usize,
}

impl Sink for Counter {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.bytes += bytes.len();
        Ok(())
    }

    fn page(&mut self, _column: usize, _kind: PageKind, header: &[u8], body: &[u8]) -> Result<(), Error> {
        self.bytes += header.len() + body.len();
        self.pages += 1;
        Ok(())
    }

    fn end_chunk(&mut self, _column: usize) -> Result<(), Error> {
        Ok(())
    }
}

const CODECS: [Codec; 7] = [
    Codec::None,
    Codec::Snappy,
    Codec::Lz4,
    Codec::Zstd { level: -5 },
    Codec::Zstd { level: 1 },
    Codec::Zstd { level: 3 },
    Codec::Zstd { level: 9 },
];

const PAGES: usize = 64;
/// Pages before counting begins: buffers grow to their size, and every kind of page has been there once.
const WARM_UP: usize = 8;
const PAGE_BYTES: usize = 64 << 10;
const PAGE_ROWS: usize = PAGE_BYTES / 8;

fn options(page_version: PageVersion) -> FileOptions {
    FileOptions { page_version, page_bytes: PAGE_BYTES, page_rows: PAGE_ROWS, ..FileOptions::default() }
}

/// Writes pages of `column`, over and over the same rows, and counts what the last `PAGES` of them allocate.
fn allocations(column: &Column, codec: Codec, version: PageVersion) -> u64 {
    let column = &Column { options: ColumnOptions { codec, ..column.options }, ..column.clone() };
    let physical = column.element.physical;
    let parts: Vec<LaidOut> = (0..column.rows.len() / PAGE_ROWS)
        .map(|part| column.laid_out(part * PAGE_ROWS..(part + 1) * PAGE_ROWS))
        .collect();
    let mut writer = writer(std::slice::from_ref(column), options(version), Counter::default()).unwrap();
    writer.begin_row_group(((WARM_UP + PAGES) * PAGE_ROWS) as u64).unwrap();
    writer.begin_chunk(0).unwrap();
    let write = |writer: &mut FileWriter<Counter>, pages: usize| {
        for part in parts.iter().cycle().take(pages) {
            assert_eq!(writer.write(part.view(physical), true).unwrap(), PAGE_ROWS);
        }
    };
    write(&mut writer, WARM_UP);
    let (capacities, before, pages) = (writer.buffer_capacities(), COUNT.get(), writer.sink_mut().pages);
    write(&mut writer, PAGES);
    let count = COUNT.get() - before;
    assert!(writer.sink_mut().pages >= pages + PAGES);
    assert_eq!(writer.buffer_capacities(), capacities, "buffers have grown");
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    count
}

fn check(name: &str, column: &Column) {
    for codec in CODECS {
        for version in [PageVersion::V1, PageVersion::V2] {
            let count = allocations(column, codec, version);
            println!("{name}, {codec:?}, {version:?}: {count} allocations for {PAGES} pages");
            assert_eq!(count, 0, "{name}, {codec:?}, {version:?}");
        }
    }
}

/// Four pages of rows.
const ROWS: usize = 4 * PAGE_ROWS;

#[test]
fn pages_of_integers_allocate_nothing() {
    let values = (0..ROWS as i64).map(|row| (row * row).to_le_bytes());
    check("required int64", &Column::required(PhysicalType::Int64, BARE, values));
}

#[test]
fn pages_of_dictionary_strings_allocate_nothing() {
    // Short enough for a page of as many rows as the index foresees.
    let values = (0..ROWS).map(|row| (row % 5 > 0).then(|| format!("{:03}", row * 7 % 900)));
    check("nullable strings with a dictionary", &Column::nullable(PhysicalType::ByteArray, DICTIONARY, values).text());
}

#[test]
fn pages_of_other_shapes_allocate_nothing() {
    let nullable = |row: usize| !row.is_multiple_of(3);
    let longs = (0..ROWS).map(|row| nullable(row).then(|| (row * 31).to_le_bytes()));
    check("nullable int64", &Column::nullable(PhysicalType::Int64, BARE, longs));
    let coded = (0..ROWS).map(|row| nullable(row).then(|| (row % 1000).to_le_bytes()));
    check("nullable int64 with a dictionary", &Column::nullable(PhysicalType::Int64, DICTIONARY, coded));
    let flags = (0..ROWS).map(|row| nullable(row).then_some([(row % 2) as u8]));
    check("nullable booleans", &Column::nullable(PhysicalType::Boolean, BARE, flags));
    let texts = (0..ROWS).map(|row| nullable(row).then(|| format!("{row:03}")));
    check("nullable strings", &Column::nullable(PhysicalType::ByteArray, BARE, texts).text());
    let doubles = (0..ROWS).map(|row| (row as f64 / 7.0).to_le_bytes());
    check("doubles", &Column::required(PhysicalType::Double, BARE, doubles));
}

#[test]
fn pages_of_every_encoding_allocate_nothing() {
    let with = |encoding| ColumnOptions { encoding: Some(encoding), ..BARE };
    let present = |row: usize| !row.is_multiple_of(5);
    let longs = |row: usize| present(row).then(|| (row as u64 * row as u64 % 100_003).to_le_bytes());
    let texts = |row: usize| present(row).then(|| format!("{:03}", row % 1000));
    let flags = |row: usize| present(row).then_some([u8::from(row.is_multiple_of(3))]);
    for encoding in [Encoding::DeltaBinaryPacked, Encoding::ByteStreamSplit] {
        let column = Column::nullable(PhysicalType::Int64, with(encoding), (0..ROWS).map(longs));
        check(&format!("int64, {encoding:?}"), &column);
    }
    for encoding in [Encoding::DeltaLengthByteArray, Encoding::DeltaByteArray] {
        let column = Column::nullable(PhysicalType::ByteArray, with(encoding), (0..ROWS).map(texts)).text();
        check(&format!("strings, {encoding:?}"), &column);
    }
    check("booleans, Rle", &Column::nullable(PhysicalType::Boolean, with(Encoding::Rle), (0..ROWS).map(flags)));
    for encoding in [Encoding::DeltaByteArray, Encoding::ByteStreamSplit] {
        let rows = (0..ROWS as u64).map(|row| (row % 4096).to_be_bytes());
        let mut column = Column::required(PhysicalType::FixedLenByteArray, with(encoding), rows);
        column.element.type_length = 8;
        check(&format!("fixed bytes, {encoding:?}"), &column);
    }
}

#[test]
fn bloom_filters_allocate_nothing_for_a_page() {
    let bloom = Some(BloomOptions::default());
    let longs = (0..ROWS as i64).map(|row| (row * row).to_le_bytes());
    check("int64", &Column::required(PhysicalType::Int64, ColumnOptions { bloom, ..BARE }, longs));
    let texts = (0..ROWS).map(|row| format!("{:03}", row % 900));
    check("strings", &Column::required(PhysicalType::ByteArray, ColumnOptions { bloom, ..DICTIONARY }, texts).text());
}

#[test]
fn pages_that_end_by_their_content_allocate_nothing() {
    let mixed = |row: usize| (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
    let texts = (0..ROWS).map(|row| (row % 7 > 0).then(|| format!("{:x}", mixed(row))));
    let columns = [
        Column::required(PhysicalType::Int64, BARE, (0..ROWS).map(|row| mixed(row).to_le_bytes())),
        Column::nullable(PhysicalType::ByteArray, BARE, texts.clone()).text(),
        Column::nullable(PhysicalType::ByteArray, BARE_FRONT, texts).text(),
    ];
    for column in columns {
        let options = FileOptions { content_defined: Some(PAGE_BYTES / 8), ..options(PageVersion::V1) };
        let mut writer = writer(std::slice::from_ref(&column), options, Counter::default()).unwrap();
        writer.begin_row_group(8 * ROWS as u64).unwrap();
        writer.begin_chunk(0).unwrap();
        let whole = column.laid_out(0..ROWS);
        let write = |writer: &mut FileWriter<Counter>| {
            assert_eq!(writer.write(whole.view(column.element.physical), true), Ok(ROWS));
        };
        (0..4).for_each(|_| write(&mut writer));
        let (before, pages) = (COUNT.get(), writer.sink_mut().pages);
        (0..4).for_each(|_| write(&mut writer));
        assert_eq!(COUNT.get() - before, 0);
        assert!(writer.sink_mut().pages - pages > 20);
    }
}

/// Strings as what they do not share.
const BARE_FRONT: ColumnOptions = ColumnOptions { encoding: Some(Encoding::DeltaByteArray), ..BARE };

#[test]
fn slots_of_nulls_are_left_out_without_allocating() {
    let column = Column::nullable(PhysicalType::Int32, BARE, Vec::<Option<[u8; 4]>>::new());
    let narrow = vec![0x5a; PAGE_ROWS * 2];
    let bits = vec![0b1011_0110; PAGE_ROWS / 8 + 1];
    let mut writer = writer(&[column], options(PageVersion::V1), Counter::default()).unwrap();
    writer.begin_row_group(((WARM_UP + PAGES) * PAGE_ROWS) as u64).unwrap();
    writer.begin_chunk(0).unwrap();
    let validity = Validity::Spaced { bits: &bits, first: 3 };
    let view = ColumnView { rows: PAGE_ROWS, values: Values::Int16(&narrow), validity };
    (0..WARM_UP).for_each(|_| assert_eq!(writer.write(view, true), Ok(PAGE_ROWS)));
    let before = COUNT.get();
    (0..PAGES).for_each(|_| assert_eq!(writer.write(view, true), Ok(PAGE_ROWS)));
    assert_eq!(COUNT.get() - before, 0);
}

#[test]
fn a_second_chunk_finds_its_buffers() {
    let values = (0..ROWS).map(|row| format!("entry number {}", row * 7 % 900));
    let column = Column::required(PhysicalType::ByteArray, DICTIONARY, values).text();
    let whole = column.laid_out(0..ROWS);
    let view = whole.view(column.element.physical);
    let mut writer = writer(std::slice::from_ref(&column), options(PageVersion::V1), Counter::default()).unwrap();
    let mut counts = Vec::new();
    for _ in 0..6 {
        writer.begin_row_group(ROWS as u64).unwrap();
        let before = COUNT.get();
        writer.begin_chunk(0).unwrap();
        writer.write(view, true).unwrap();
        writer.end_chunk().unwrap();
        counts.push(COUNT.get() - before);
        writer.end_row_group().unwrap();
    }
    println!("allocations per chunk: {counts:?}");
    // What the footer keeps of a chunk, and nothing that depends on its rows.
    assert!(counts[1..].iter().all(|&count| count <= 10), "{counts:?}");
}

/// A whole file, with every buffer that grows with the data.
fn whole_file(columns: &[Column], parts: &[LaidOut], rows: usize) -> Result<(), Error> {
    let options = FileOptions { page_bytes: 256 << 10, page_rows: 100_000, ..FileOptions::default() };
    let mut writer = writer(columns, options, Counter::default())?;
    for _ in 0..2 {
        writer.begin_row_group(rows as u64)?;
        for (index, (column, part)) in columns.iter().zip(parts).enumerate() {
            writer.begin_chunk(index)?;
            writer.sample(part.view(column.element.physical), 0)?;
            writer.write_checked(part.view(column.element.physical), true)?;
            writer.end_chunk()?;
        }
        writer.end_row_group()?;
    }
    writer.finish()
}

#[test]
fn large_allocations_that_fail_are_errors() {
    // Above the table that `lz4_flex` makes once a file, 16 KiB: that crate cannot be refused.
    const LARGE: usize = (32 << 10) + 1;
    let rows = 60_000usize;
    let with = |column: Column, codec| Column { options: ColumnOptions { codec, ..column.options }, ..column };
    let texts = (0..rows).map(|row| (row % 4 > 0).then(|| format!("{:06}", row % 9000)));
    let wide = (0..rows).map(|row| format!("{row:030}"));
    let longs: Vec<[u8; 8]> = (0..rows as u64).map(|row| (row * row).to_be_bytes()).collect();
    let encoded = |physical, encoding, values: &[[u8; 8]]| {
        let options = ColumnOptions { encoding: Some(encoding), bloom: Some(BloomOptions::default()), ..BARE };
        Column::required(physical, options, values.iter().copied())
    };
    let columns = [
        with(Column::nullable(PhysicalType::ByteArray, DICTIONARY, texts).text(), Codec::Zstd { level: 3 }).named("a"),
        with(Column::required(PhysicalType::ByteArray, BARE, wide), Codec::Zstd { level: 9 }).named("b"),
        with(
            Column::required(PhysicalType::Int64, DICTIONARY, (0..rows).map(|row| (row % 20_000).to_le_bytes())),
            Codec::Zstd { level: 1 },
        )
        .named("c"),
        Column::nullable(PhysicalType::Boolean, BARE, (0..rows).map(|row| (row % 3 > 0).then_some([1]))).named("d"),
        with(encoded(PhysicalType::Int64, Encoding::DeltaBinaryPacked, &longs), Codec::Lz4).named("e"),
        with(encoded(PhysicalType::Int64, Encoding::ByteStreamSplit, &longs), Codec::Snappy).named("f"),
        with(encoded(PhysicalType::ByteArray, Encoding::DeltaByteArray, &longs), Codec::Lz4).named("g"),
        with(encoded(PhysicalType::ByteArray, Encoding::DeltaLengthByteArray, &longs), Codec::None).named("h"),
    ];
    let parts: Vec<LaidOut> = columns.iter().map(|column| column.laid_out(0..rows)).collect();
    let mut granted = 0;
    loop {
        GRANTED.set((LARGE, granted));
        let result = whole_file(&columns, &parts, rows);
        GRANTED.set((usize::MAX, 0));
        match result {
            Ok(()) => break,
            Err(Error::Memory { bytes }) => assert!(bytes > 0),
            other => panic!("after {granted} large allocations: {other:?}"),
        }
        granted += 1;
    }
    println!("{granted} large allocations, each of them refused once");
    assert!(granted > 10);
}

/// Most bytes that a writer of such columns has at once, one page of `rows` numbers for each column.
fn most_bytes(codec: Codec, columns: usize, rows: usize) -> i64 {
    let values = (0..rows as u64).map(|row| (row * row % 100_003).to_le_bytes());
    let column = Column::required(PhysicalType::Int64, ColumnOptions { codec, ..BARE }, values);
    let part = column.laid_out(0..rows);
    let columns: Vec<Column> = (0..columns).map(|index| column.clone().named(&format!("{index}"))).collect();
    let options = FileOptions { page_bytes: 8 * rows, page_rows: rows, ..FileOptions::default() };
    let (before, _) = BYTES.get();
    BYTES.set((before, before));
    let mut writer = writer(&columns, options, Counter::default()).unwrap();
    writer.begin_row_group(rows as u64).unwrap();
    for index in 0..columns.len() {
        writer.begin_chunk(index).unwrap();
        writer.write(part.view(column.element.physical), true).unwrap();
        writer.end_chunk().unwrap();
    }
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    BYTES.get().1 - before
}

#[test]
fn encoders_of_zstd_are_small() {
    const PAGE: i64 = 1 << 20;
    // What the page takes at worst once it is compressed.
    let buffers = most_bytes(Codec::None, 1, 1 << 17) + PAGE + 64;
    for (level, most) in [(-5, 1 << 20), (1, 1 << 20), (3, 4 << 20), (5, 4 << 20), (9, 4 << 20)] {
        let state = most_bytes(Codec::Zstd { level }, 1, 1 << 17) - buffers;
        println!("level {level}: {state} bytes beside the buffers");
        assert!(state <= most, "level {level}: {state} bytes");
    }
}

#[test]
fn a_hundred_columns_share_one_encoder() {
    for codec in CODECS {
        let [one, many] = [1, 100].map(|columns| most_bytes(codec, columns, 1 << 13));
        println!("{codec:?}: {one} bytes for a column, {many} for a hundred");
        // What the footer says of a column, and statistics.
        assert!(many - one < 100 * 6000, "{codec:?}: {} bytes for each column more", (many - one) / 99);
    }
}
