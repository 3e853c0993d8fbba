//! The worked examples of parquet-format's documents, each as what it becomes in a file: bytes of a page's body, of a
//! filter, or levels. Named after the document and the section.

mod common;

use common::bloom::xxh64;
use common::column::{BARE, Column, round_trip};
use common::decode::{Entry, crc};
use common::file::Chunk;
use common::nested;
use common::page::Page;
use common::testing::{Run, runs};
use parquill::{BloomOptions, ColumnOptions, Encoding, FileOptions, LogicalType, PageVersion, PhysicalType};

const VERSIONS: [PageVersion; 2] = [PageVersion::V1, PageVersion::V2];

fn with(encoding: Encoding) -> ColumnOptions {
    ColumnOptions { encoding: Some(encoding), ..BARE }
}

fn version(page_version: PageVersion) -> FileOptions {
    FileOptions { page_version, ..FileOptions::default() }
}

fn chunk(column: Column, options: FileOptions) -> Chunk {
    let rows = column.rows.len();
    round_trip(&[column], options, rows).row_groups.remove(0).remove(0)
}

/// The values of the one data page, in both versions.
fn values(column: Column) -> Vec<u8> {
    let of = |page_version| {
        let chunk = chunk(column.clone(), version(page_version));
        chunk.data_pages().next().unwrap().sections(&chunk).values.to_vec()
    };
    assert_eq!(of(PageVersion::V1), of(PageVersion::V2));
    of(PageVersion::V1)
}

fn ints(encoding: Encoding, values: &[i32]) -> Column {
    Column::required(PhysicalType::Int32, with(encoding), values.iter().map(|value| value.to_le_bytes()))
}

fn texts(encoding: Encoding, values: &[&str]) -> Column {
    Column::required(PhysicalType::ByteArray, with(encoding), values.iter().map(|value| value.as_bytes())).text()
}

/// `count` bytes of which the first are `bytes`.
fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out[..bytes.len()].copy_from_slice(bytes);
    out
}

#[test]
fn encodings_plain_of_every_type() {
    let plain = |physical, value: Vec<u8>| {
        let mut column = Column::required(physical, with(Encoding::Plain), [value.clone()]);
        column.element.type_length = if physical == PhysicalType::FixedLenByteArray { value.len() } else { 0 };
        values(column)
    };
    // LSB first: rows 1, 3 and 8.
    let flags = (0..9u8).map(|row| [u8::from(matches!(row, 0 | 2 | 7))]);
    assert_eq!(values(Column::required(PhysicalType::Boolean, BARE, flags)), [0b1000_0101, 0]);
    assert_eq!(plain(PhysicalType::Int32, 0x0102_0304i32.to_le_bytes().to_vec()), [4, 3, 2, 1]);
    assert_eq!(plain(PhysicalType::Int64, (-2i64).to_le_bytes().to_vec()), [254, 255, 255, 255, 255, 255, 255, 255]);
    assert_eq!(plain(PhysicalType::Int96, (1..=12).collect()), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    assert_eq!(plain(PhysicalType::Float, 1f32.to_le_bytes().to_vec()), [0, 0, 0x80, 0x3f]);
    assert_eq!(plain(PhysicalType::Double, (-2f64).to_le_bytes().to_vec()), [0, 0, 0, 0, 0, 0, 0, 0xc0]);
    assert_eq!(plain(PhysicalType::ByteArray, b"abc".to_vec()), *b"\x03\0\0\0abc");
    assert_eq!(plain(PhysicalType::FixedLenByteArray, b"abc".to_vec()), *b"abc");
}

#[test]
fn encodings_hybrid_packs_0_to_7_in_3_bits() {
    // Codes are numbers of first appearances, so these are their own: width, header of one group, three bytes.
    let body = values(ints(Encoding::RleDictionary, &[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(body, [3, 0b0000_0011, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
}

#[test]
fn encodings_hybrid_repeats_a_value_in_whole_bytes() {
    // 300 times code 1 of two: run length 300 << 1 in two bytes, the value in one.
    let rows: Vec<i32> = (0..308).map(|row| i32::from(row >= 8)).collect();
    assert_eq!(values(ints(Encoding::RleDictionary, &rows)), [1, 3, 0, 0xd8, 0x04, 1]);
}

/// Where a length stands before runs: of levels in version 1, of booleans in both, of dictionary indices in neither.
#[test]
fn encodings_hybrid_table_of_lengths() {
    for page_version in VERSIONS {
        let flags = (0..16u8).map(|row| (row != 3).then_some([row & 1]));
        let nullable = Column::nullable(PhysicalType::Boolean, with(Encoding::Rle), flags);
        let found = chunk(nullable, version(page_version));
        let page = &found.pages[0];
        // Levels: two groups of one bit, 3 bytes; values: 15 in two groups.
        let levels = [5, 0b1111_0111, 0xff];
        let rle = [3, 0, 0, 0, 5, 0b0101_0010, 0b0101_0101];
        let expected = match page_version {
            PageVersion::V1 => [&[3, 0, 0, 0][..], &levels, &rle].concat(),
            PageVersion::V2 => [&levels[..], &rle].concat(),
        };
        assert_eq!(page.plain, expected, "{page_version:?}");
        let found = chunk(ints(Encoding::RleDictionary, &[5, 6, 5]), version(page_version));
        assert_eq!(found.pages[1].plain, [1, 3, 0b010]);
        // Repetition and definition levels of a list: [1], [].
        let one = |repetition, definition, value: Option<i64>| Entry {
            repetition,
            definition,
            value: value.map(|value| value.to_le_bytes().to_vec()),
        };
        let rows = [vec![one(0, 2, Some(1)), one(1, 2, Some(2))], vec![one(0, 0, None)]];
        let elements = nested::list(PhysicalType::Int64, LogicalType::None);
        let file = nested::write(elements, BARE, version(page_version), &rows, 2);
        let plain = &file.row_groups[0][0].pages[0].plain;
        let expected = match page_version {
            PageVersion::V1 => vec![2, 0, 0, 0, 3, 0b010, 3, 0, 0, 0, 3, 0b1010, 0],
            PageVersion::V2 => vec![3, 0b010, 3, 0b1010, 0],
        };
        assert_eq!(plain[..plain.len() - 16], expected, "{page_version:?}");
    }
}

/// The document's blocks have 8 values for brevity, which the format does not allow: here they have 128, in 4 miniblocks.
#[test]
fn encodings_delta_example_1() {
    // First value 1 (zigzag 2); the smallest difference 1, all of them it: no bits.
    let body = values(ints(Encoding::DeltaBinaryPacked, &[1, 2, 3, 4, 5]));
    assert_eq!(body, [0x80, 0x01, 4, 5, 2, /* block */ 2, 0, 0, 0, 0]);
}

#[test]
fn encodings_delta_example_2() {
    // First value 7 (14); smallest −2 (3); 0 0 0 3 3 3 3 in 2 bits each, padded to 32 values.
    let body = values(ints(Encoding::DeltaBinaryPacked, &[7, 5, 3, 1, 2, 3, 4, 5]));
    let packed: [u8; 8] = padded(&[0b1100_0000, 0b0011_1111]);
    assert_eq!(body, [&[0x80, 0x01, 4, 8, 14, /* block */ 3, 2, 0, 0, 0][..], &packed].concat());
}

#[test]
fn encodings_delta_length_example() {
    // Lengths 5 5 6 6: differences 0 1 0 in one bit.
    let body = values(texts(Encoding::DeltaLengthByteArray, &["Hello", "World", "Foobar", "ABCDEF"]));
    let lengths = [0x80, 0x01, 4, 4, 10, /* block */ 0, 1, 0, 0, 0, 0b010, 0, 0, 0];
    assert_eq!(body, [&lengths[..], b"HelloWorldFoobarABCDEF"].concat());
}

#[test]
fn encodings_delta_strings_example() {
    let body = values(texts(Encoding::DeltaByteArray, &["axis", "axle", "babble", "babyhood"]));
    // Prefixes 0 2 0 3: differences 2 −2 3, above −2: 4 0 5 in three bits.
    let prefixes: [u8; 12] = padded(&[0b0100_0100, 0b1]);
    // Suffixes 4 2 6 5: differences −2 4 −1, above −2: 0 6 1 in three bits.
    let suffixes: [u8; 12] = padded(&[0b0111_0000, 0]);
    let expected = [
        &[0x80, 0x01, 4, 4, 0, 3, 3, 0, 0, 0][..],
        &prefixes,
        &[0x80, 0x01, 4, 4, 8, 3, 3, 0, 0, 0],
        &suffixes,
        b"axislebabbleyhood",
    ];
    assert_eq!(body, expected.concat());
}

#[test]
fn encodings_byte_stream_split_example() {
    let elements = [[0xaa, 0xbb, 0xcc, 0xdd], [0x00, 0x11, 0x22, 0x33], [0xa3, 0xb4, 0xc5, 0xd6]];
    let column = Column::required(PhysicalType::Float, with(Encoding::ByteStreamSplit), elements);
    let streams = [0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6];
    assert_eq!(values(column), streams);
}

#[test]
fn readme_a_thousand_nulls_are_one_run() {
    let column = || Column::nullable(PhysicalType::Int64, BARE, vec![None::<[u8; 8]>; 1000]);
    // 1000 << 1 in two bytes, level 0, nothing else.
    assert_eq!(chunk(column(), version(PageVersion::V1)).pages[0].plain, [3, 0, 0, 0, 0xd0, 0x0f, 0]);
    assert_eq!(chunk(column(), version(PageVersion::V2)).pages[0].plain, [0xd0, 0x0f, 0]);
}

#[test]
fn readme_a_required_flat_column_has_values_only() {
    for page_version in VERSIONS {
        let found = chunk(ints(Encoding::Plain, &[1, 2]), version(page_version));
        assert_eq!(found.pages[0].plain, [1, 0, 0, 0, 2, 0, 0, 0]);
    }
}

#[test]
fn readme_checksums_are_of_the_bytes_behind_the_header() {
    for page_version in VERSIONS {
        let rows = (0..20).map(|row| (row != 3).then_some([row % 4; 8]));
        let options = ColumnOptions { codec: parquill::Codec::Snappy, ..with(Encoding::RleDictionary) };
        let found = chunk(Column::nullable(PhysicalType::Int64, options, rows), version(page_version));
        let kinds: Vec<i64> = found.pages.iter().map(Page::kind).collect();
        assert_eq!(kinds[0], Page::DICTIONARY);
        // Of version 2 levels and values alike.
        assert!(found.pages.iter().all(|page| page.header.int(4) as i32 as u32 == crc(&page.body)));
    }
}

#[test]
fn readme_order_of_primitive_types() {
    let bounds = |column: Column| {
        let found = chunk(column, FileOptions::default());
        let statistics = found.meta.structure(12);
        (statistics.binary(6).to_vec(), statistics.binary(5).to_vec())
    };
    assert_eq!(bounds(Column::required(PhysicalType::Boolean, BARE, [[1u8], [0]])), (vec![0], vec![1]));
    let signed = bounds(ints(Encoding::Plain, &[1, -1, 0]));
    assert_eq!(signed, ((-1i32).to_le_bytes().to_vec(), 1i32.to_le_bytes().to_vec()));
    let floats = [0f32, -0.0].map(f32::to_le_bytes);
    let zeros = bounds(Column::required(PhysicalType::Float, BARE, floats));
    assert_eq!(zeros, ((-0f32).to_le_bytes().to_vec(), 0f32.to_le_bytes().to_vec()));
    assert_eq!(bounds(texts(Encoding::Plain, &["\u{7f}", "é", "a"])), (b"a".to_vec(), "é".as_bytes().to_vec()));
}

/// Of parquet-testing's bloom_filter.xxhash.bin: 1024 bytes that hold four words, one bit in each of a block's words.
#[test]
fn bloom_filter_of_four_words() {
    const BITS: [(usize, [u32; 8]); 4] = [
        (4, [20, 9, 10, 7, 9, 31, 28, 27]),
        (5, [23, 28, 0, 28, 5, 21, 30, 19]),
        (7, [2, 22, 22, 19, 26, 13, 4, 1]),
        (10, [21, 11, 8, 29, 23, 27, 8, 12]),
    ];
    // As many distinct values beside them as make 32 blocks of a filter.
    let words = ["hello", "parquet", "bloom", "filter"];
    let bloom = Some(BloomOptions { false_positives: 1e-12, most_bytes: 1024 });
    let options = ColumnOptions { bloom, ..BARE };
    let filler: Vec<String> = (0..200).map(|row| format!("{row}")).collect();
    let rows: Vec<&str> = words.into_iter().chain(filler.iter().map(String::as_str)).collect();
    let column = Column::required(PhysicalType::ByteArray, options, rows.iter().map(|row| row.as_bytes())).text();
    let filter = chunk(column, FileOptions::default()).bloom.unwrap();
    assert_eq!(filter.0.len(), 32);
    for (block, bits) in BITS {
        for (word, bit) in bits.into_iter().enumerate() {
            assert!(filter.0[block][word] >> bit & 1 == 1, "block {block}, word {word}, bit {bit}");
        }
    }
    // The same by the rule: block from the upper half of the hash, bits from the lower.
    let blocks: Vec<u64> = words.iter().map(|word| ((xxh64(word.as_bytes()) >> 32) * 32) >> 32).collect();
    let mut found = blocks.clone();
    found.sort_unstable();
    assert_eq!(found, [4, 5, 7, 10]);
}

/// The schema of the paper that README names: a document with links and names in several languages.
#[cfg(not(target_arch = "wasm32"))]
fn document() -> Vec<parquill::Element> {
    use PhysicalType::{ByteArray, Int64};
    use common::column::leaf;
    use common::nested::group;
    use parquill::Element;
    use parquill::Repetition::{Optional, Repeated, Required};
    let text = |name: &str, repetition| leaf(name, ByteArray, repetition, LogicalType::String);
    let number = |name: &str, repetition| leaf(name, Int64, repetition, LogicalType::None);
    let family = |name: &str, repetition, children| Element { children, ..group(name, repetition, LogicalType::None) };
    vec![
        number("DocId", Required),
        family("Links", Optional, 2),
        number("Backward", Repeated),
        number("Forward", Repeated),
        family("Name", Repeated, 2),
        family("Language", Repeated, 2),
        text("Code", Required),
        text("Country", Optional),
        text("Url", Optional),
    ]
}

/// One column of the paper's two documents: repetition level, definition level, value.
#[cfg(not(target_arch = "wasm32"))]
type Striped = Vec<(u8, u8, Option<Vec<u8>>)>;

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn readme_nested_encoding_by_the_documents_of_the_paper() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquill::{ColumnView, FileWriter, MemorySink, Schema, Validity, Values};

    let number = |number: u64| Some(number.to_le_bytes().to_vec());
    let text = |text: &str| Some(text.as_bytes().to_vec());
    let columns: [Striped; 6] = [
        vec![(0, 0, number(10)), (0, 0, number(20))],
        vec![(0, 1, None), (0, 2, number(10)), (1, 2, number(30))],
        vec![(0, 2, number(20)), (1, 2, number(40)), (1, 2, number(60)), (0, 2, number(80))],
        vec![(0, 2, text("en-us")), (2, 2, text("en")), (1, 1, None), (1, 2, text("en-gb")), (0, 1, None)],
        vec![(0, 3, text("us")), (2, 2, None), (1, 1, None), (1, 3, text("gb")), (0, 1, None)],
        vec![(0, 2, text("http://A")), (1, 2, text("http://B")), (1, 1, None), (0, 2, text("http://C"))],
    ];
    for page_version in VERSIONS {
        let schema = Schema::new(document()).unwrap();
        let levels: Vec<[u16; 2]> =
            schema.leaves().iter().map(|leaf| [leaf.max_repetition, leaf.max_definition]).collect();
        assert_eq!(levels, [[0, 0], [1, 2], [1, 2], [2, 2], [2, 3], [1, 2]]);
        let mut writer = FileWriter::new(schema, vec![BARE; 6], version(page_version), MemorySink::default()).unwrap();
        writer.begin_row_group(2).unwrap();
        for (index, striped) in columns.iter().enumerate() {
            let repetition: Vec<u8> = striped.iter().map(|entry| entry.0).collect();
            let definition: Vec<u8> = striped.iter().map(|entry| entry.1).collect();
            let values: Vec<&[u8]> = striped.iter().filter_map(|entry| entry.2.as_deref()).collect();
            let ends = values.iter().scan(0, |end, value| {
                *end += value.len() as u32;
                Some(*end)
            });
            let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
            let bytes = values.concat();
            let values =
                if index < 3 { Values::Fixed(&bytes) } else { Values::Bytes { offsets: &offsets, bytes: &bytes } };
            let validity = match index {
                0 => Validity::All,
                _ => Validity::Levels { definition: &definition, repetition: &repetition },
            };
            writer.begin_chunk(index).unwrap();
            writer.write(ColumnView { rows: 2, values, validity }, true).unwrap();
            writer.end_chunk().unwrap();
        }
        writer.end_row_group().unwrap();
        writer.finish().unwrap();
        let bytes = writer.into_sink().to_vec();
        common::file::File::parse(&bytes);
        // Put together again by another reader.
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        let expected = [
            "{DocId: 10, Links: {Backward: [], Forward: [20, 40, 60]}, Name: [{Language: [{Code: \"en-us\", Country: \
             \"us\"}, {Code: \"en\", Country: null}], Url: \"http://A\"}, {Language: [], Url: \"http://B\"}, {Language: \
             [{Code: \"en-gb\", Country: \"gb\"}], Url: null}]}",
            "{DocId: 20, Links: {Backward: [10, 30], Forward: [80]}, Name: [{Language: [], Url: \"http://C\"}]}",
        ];
        assert_eq!(rows, expected, "{page_version:?}");
    }
}

#[test]
fn runs_of_the_examples_are_as_they_were_meant() {
    let body = values(ints(Encoding::RleDictionary, &[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(runs(&body[1..], 3), [Run::Packed { values: (0..8).collect() }]);
}
