//! Areas "page", "codec" and, for the one case that is the core's, "sink".

use crate::common::column::{BARE, Column, DICTIONARY, round_trip, write, writer};
use crate::common::file::File;
use crate::common::nested::{self, list, list_entries, schema};
use crate::common::page::Page;
use crate::common::thrift;
use crate::{
    CODECS, VERSIONS, chunk_of, compressed, doubles, encoded, ints, nullable_ints, nullable_texts, only_chunk,
    page_rows, pages, texts, version,
};
use parquill::{
    Codec, ColumnOptions, ColumnView, Encoding, Error, FileOptions, LogicalType, MemorySink, PageKind, PageVersion,
    PhysicalType, Sink, StatisticsLevel, Validity, Values,
};

#[test]
fn hc_68_a_page_of_version_2_without_values_is_not_compressed() {
    for codec in CODECS {
        for encoding in [None, Some(Encoding::Plain), Some(Encoding::ByteStreamSplit), Some(Encoding::RleDictionary)] {
            let options = ColumnOptions { codec, encoding, ..BARE };
            let column = Column::nullable(PhysicalType::Float, options, [None::<[u8; 4]>; 2]);
            let chunk = chunk_of(column, version(PageVersion::V2));
            let page = &chunk.pages[0];
            let [levels, stored] = [page.inner().int(5) as usize, page.body.len()];
            assert_eq!((page.inner().bool(7), stored), (false, levels), "{codec:?} {encoding:?}");
        }
        // Delta encodings have their header even so, and a compressed page must be smaller.
        let nulls = Column::nullable(
            PhysicalType::Int64,
            ColumnOptions { codec, ..encoded(Encoding::DeltaBinaryPacked) },
            [None::<[u8; 8]>; 2],
        );
        assert!(!chunk_of(nulls, version(PageVersion::V2)).pages[0].inner().bool(7));
    }
}

#[test]
fn hc_69_counts_of_version_2_do_not_need_statistics() {
    for statistics in [StatisticsLevel::None, StatisticsLevel::Chunk, StatisticsLevel::Page] {
        let column = nullable_ints([Some(1), None, None, Some(4)], ColumnOptions { statistics, ..BARE });
        let chunk = chunk_of(column, version(PageVersion::V2));
        assert_eq!([1, 2, 3].map(|id| chunk.pages[0].inner().int(id)), [4, 2, 4], "num_values, num_nulls, num_rows");
        assert_eq!(chunk.meta.has(12), statistics != StatisticsLevel::None);
    }
}

#[test]
fn hc_72_sizes_of_a_row_group() {
    for page_version in VERSIONS {
        let zstd = compressed(Codec::Zstd { level: 1 });
        let columns = [
            doubles(std::iter::repeat_n(0.0, 100_000), zstd).named("z"),
            doubles(std::iter::repeat_n(0.0, 100_000), BARE).named("y"),
        ];
        let file = round_trip(&columns, version(page_version), 60_000);
        for (group, chunks) in file.footer.structures(4).into_iter().zip(&file.row_groups) {
            let sum = |field: i64| chunks.iter().map(|chunk| chunk.meta.int(field)).sum::<i64>();
            assert_eq!((group.int(2), group.int(6)), (sum(6), sum(7)), "total_byte_size, total_compressed_size");
            assert!(group.int(2) > group.int(3) * 16 && group.int(6) < group.int(3) * 9);
            assert_eq!(group.int(5), chunks[0].pages[0].offset as i64, "file_offset");
        }
    }
}

#[test]
fn hc_74_only_chunks_with_a_dictionary_say_where_it_is() {
    for page_version in VERSIONS {
        for codec in CODECS {
            let columns = [
                texts(["k"; 200], ColumnOptions { codec, ..DICTIONARY }).named("a"),
                doubles([0.1, 0.2].into_iter().cycle().take(200), compressed(codec)).named("b"),
            ];
            let file = round_trip(&columns, version(page_version), 200);
            let [a, b] = file.row_groups[0].as_slice() else { panic!("two columns") };
            assert_eq!(a.meta.int(11), a.pages[0].offset as i64);
            assert!(a.meta.int(9) > a.meta.int(11));
            assert!(!b.meta.has(11));
        }
    }
}

#[test]
fn hc_75_offsets_of_row_groups_rise_and_chunks_have_none() {
    let file = round_trip(&[ints(0..10_000, BARE)], FileOptions::default(), 2500);
    let groups = file.footer.structures(4);
    let starts: Vec<i64> = groups.iter().map(|group| group.int(5)).collect();
    assert!(starts.len() == 4 && starts[0] == 4 && starts.is_sorted_by(|a, b| a < b), "{starts:?}");
    assert!(groups.iter().all(|group| group.structures(1)[0].int(2) == 0));
    // Readers that split a file take the groups whose middle lies in their part: each is taken once.
    let middles: Vec<i64> = groups.iter().map(|group| group.int(5) + group.int(6) / 2).collect();
    for parts in 1..9 {
        let part = 50_000 / parts + 1;
        let taken: usize = (0..parts).map(|at| middles.iter().filter(|middle| **middle / part == at).count()).sum();
        assert_eq!(taken, 4);
    }
}

#[test]
fn hc_76_no_row_is_torn_between_pages() {
    let int = |value: i32| value.to_le_bytes();
    let rows = [vec![Some(int(7)), None, Some(int(8))], vec![None, Some(int(9))], vec![Some(int(3)); 500]];
    for page_version in VERSIONS {
        for encoding in [Encoding::Plain, Encoding::DeltaBinaryPacked, Encoding::RleDictionary] {
            let entries = list_entries(rows.clone());
            let options = FileOptions { page_bytes: 8, ..version(page_version) };
            let elements = list(PhysicalType::Int32, LogicalType::None);
            let chunk = only_chunk(nested::write(elements, encoded(encoding), options, &entries, 3));
            assert!(chunk.entries() == entries.concat());
            assert_eq!(pages(&chunk), [3, 2, 500]);
            assert!(chunk.entries.iter().all(|page| page[0].repetition == 0));
            if page_version == PageVersion::V2 {
                let rows: Vec<i64> = chunk.data_pages().map(|page| page.inner().int(3)).collect();
                assert_eq!(rows, [1, 1, 1]);
            }
        }
    }
}

#[test]
fn hc_78_pages_have_a_limit_of_rows() {
    for page_version in VERSIONS {
        let nulls = nullable_ints(std::iter::repeat_n(None, 500_000), BARE);
        let chunk = chunk_of(nulls, version(page_version));
        assert_eq!(pages(&chunk), [20_000; 25]);
        let same = texts(std::iter::repeat_n("", 100_000), ColumnOptions::default());
        assert_eq!(pages(&chunk_of(same, version(page_version))), [20_000; 5]);
    }
}

#[test]
fn hc_79_there_are_no_empty_pages() {
    let column = nullable_ints([None; 12], BARE);
    for page_version in VERSIONS {
        let options = FileOptions { page_rows: 4, ..version(page_version) };
        let mut writer = writer(std::slice::from_ref(&column), options, MemorySink::default()).unwrap();
        writer.begin_open_row_group().unwrap();
        writer.begin_chunk(0).unwrap();
        let view = |rows| {
            let validity = Validity::Dense { bits: &[0, 0], first: 0 };
            ColumnView { rows, values: Values::Fixed(&[]), validity }
        };
        let mut waiting = 0;
        for _ in 0..12 {
            waiting += 1;
            waiting -= writer.write(view(waiting), false).unwrap();
            assert_eq!(writer.write(view(0), true), Ok(0));
        }
        assert_eq!((waiting, writer.write(view(0), true)), (0, Ok(0)));
        writer.end_chunk().unwrap();
        writer.end_row_group().unwrap();
        writer.finish().unwrap();
        assert_eq!(pages(&only_chunk(File::parse(&writer.into_sink().to_vec()))), [4; 3]);
    }
}

#[test]
fn hc_80_no_rows_are_no_row_groups() {
    let columns = [ints([], BARE).named("a"), texts([""; 0], BARE).named("s")];
    let bytes = write(&columns, FileOptions::default(), 1);
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let file = File::parse(&bytes);
    assert_eq!((file.footer.int(3), file.footer.list(4).len()), (0, 0));
    let names: Vec<&str> = file.footer.structures(2).iter().map(|element| element.text(4)).collect();
    assert_eq!(names[1..], ["a", "s"]);
    // A group that was opened must have rows.
    let mut writer = writer(&columns[..1], FileOptions::default(), MemorySink::default()).unwrap();
    writer.begin_open_row_group().unwrap();
    writer.begin_chunk(0).unwrap();
    assert_eq!(writer.end_chunk(), Err(Error::RowCount { expected: 1, found: 0 }));
}

// HC-83 (more than 32,767 row groups) is in footer.rs: it takes a file of its own size.

#[test]
fn hc_84_names_and_counters_of_the_schema() {
    let file = round_trip(&[ints([7], BARE)], FileOptions::default(), 1);
    let elements = file.footer.structures(2);
    let fields = |at: usize| elements[at].0.keys().copied().collect::<Vec<_>>();
    assert_eq!((fields(0), elements[0].text(4), elements[0].int(5)), (vec![4, 5], "schema", 1));
    assert_eq!(fields(1), [1, 3, 4]);
    assert!([1, 2, 3, 4, 6, 7].iter().all(|id| file.footer.has(*id)));
}

#[test]
fn hc_85_the_writer_names_itself_as_java_reads_it() {
    let file = round_trip(&[ints([1], BARE)], FileOptions::default(), 1);
    let (name, rest) = file.footer.text(6).split_once(" version ").unwrap();
    let (version, build) = rest.split_once(" (build ").unwrap();
    assert_eq!(name, "parquill");
    assert!(version.split('.').count() == 3 && version.split('.').all(|part| part.parse::<u32>().is_ok()));
    assert!(build.len() > 1 && build.ends_with(')'));
}

#[test]
fn hc_87_no_dictionary_for_a_column_of_nulls() {
    for options in [DICTIONARY, encoded(Encoding::RleDictionary), ColumnOptions::default()] {
        for page_version in VERSIONS {
            let chunk = chunk_of(nullable_texts([None, None], options), version(page_version));
            assert_eq!((chunk.pages.len(), chunk.pages[0].encoding()), (1, Encoding::Plain));
            assert!(!chunk.meta.has(11));
        }
    }
}

#[test]
fn hc_115_no_spare_bytes_behind_a_page() {
    // Decoders stop at the page's end or panic; sizes around what buffers are made for.
    for size in [1usize, 2, 8, (64 << 10) - 1, 64 << 10, (64 << 10) + 1] {
        for codec in CODECS {
            for page_version in VERSIONS {
                let content: Vec<[u8; 1]> = (0..size).map(|at| [(at / 3 % 7) as u8]).collect();
                let mut column = Column::required(PhysicalType::FixedLenByteArray, compressed(codec), content);
                column.element.type_length = 1;
                let options = FileOptions { page_rows: 1 << 20, ..version(page_version) };
                let chunk = chunk_of(column, options);
                assert_eq!(chunk.pages[0].header.int(2) as usize, size);
            }
        }
    }
}

#[test]
fn hc_116_headers_say_what_comes_out_of_the_decoder() {
    let mut rows = Vec::new();
    for row in 0..5000u64 {
        let entry = |repetition, definition, value: Option<u64>| crate::common::decode::Entry {
            repetition,
            definition,
            value: value.map(|value| value.to_le_bytes().to_vec()),
        };
        // null, or [[n], []]
        rows.push(match row % 9 {
            0 => vec![entry(0, 0, None)],
            _ => vec![entry(0, 5, Some(row % 11)), entry(1, 3, None)],
        });
    }
    // Two writers in turn, and one file for each codec and version.
    for page_version in VERSIONS {
        for codec in CODECS {
            let options = FileOptions { page_version, ..page_rows(333) };
            for step in [5000, 700] {
                let elements = schema(2, PhysicalType::Int64);
                let options = options.clone();
                let chunk =
                    only_chunk(nested::write(elements, ColumnOptions { codec, ..DICTIONARY }, options, &rows, step));
                assert!(chunk.entries() == rows.concat());
                assert!(chunk.pages[0].is_dictionary());
            }
        }
    }
}

#[test]
fn hc_119_the_dictionary_page_is_compressed_too() {
    for page_version in VERSIONS {
        for codec in CODECS {
            let options = ColumnOptions { codec, encoding: Some(Encoding::RleDictionary), ..DICTIONARY };
            let chunk =
                chunk_of(texts((0..900).map(|row| format!("word-{}", row % 300)), options), version(page_version));
            let page = &chunk.pages[0];
            assert_eq!((page.kind(), page.num_values(), page.encoding()), (Page::DICTIONARY, 300, Encoding::Plain));
            assert_eq!(page.body.len() < page.plain.len(), codec != Codec::None);
        }
    }
}

/// Keeps nothing but the footer.
#[derive(Default)]
struct Last(Vec<u8>);

impl Sink for Last {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.len() > 8 {
            self.0 = bytes.to_vec();
        }
        Ok(())
    }

    fn page(&mut self, _: usize, _: PageKind, _: &[u8], _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn end_chunk(&mut self, _: usize) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn hc_127_positions_go_on_beyond_4_gib() {
    const ROWS: usize = 4 << 20;
    let options = ColumnOptions { statistics: StatisticsLevel::None, ..BARE };
    let column = Column::required(PhysicalType::Int64, options, Vec::<[u8; 8]>::new());
    let file = FileOptions { page_rows: ROWS, page_bytes: ROWS * 8, page_checksum: false, ..FileOptions::default() };
    let mut writer = writer(&[column], file, Last::default()).unwrap();
    let values = vec![0; ROWS * 8];
    // 45 × 4 pages of 32 MiB.
    for _ in 0..45 {
        writer.begin_row_group(4 * ROWS as u64).unwrap();
        writer.begin_chunk(0).unwrap();
        for _ in 0..4 {
            writer.write(ColumnView::required(ROWS, Values::Fixed(&values)), true).unwrap();
        }
        writer.end_chunk().unwrap();
        writer.end_row_group().unwrap();
    }
    writer.finish().unwrap();
    let (footer, _) = thrift::read(&writer.sink_mut().0);
    let starts: Vec<i64> = footer.structures(4).iter().map(|group| group.int(5)).collect();
    assert!(starts.is_sorted_by(|a, b| a + (128 << 20) < *b && a + (129 << 20) > *b));
    assert!(starts[44] > 1 << 32);
    assert_eq!(footer.structures(4)[44].structures(1)[0].structure(3).int(9), starts[44]);
}
