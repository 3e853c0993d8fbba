//! Decompressors of other hands give back what was a page: `snap` for Snappy, `ruzstd` for Zstandard, for LZ4 one
//! made from the description of its blocks.

mod common;

use common::column::{BARE, Column, round_trip, writer};
use common::page::Page;
use common::testing::{Random, rounds};
use common::thrift::read;
use parquill::{
    Codec, ColumnOptions, ColumnView, Error, FileOptions, PageKind, PhysicalType, Sink, StatisticsLevel, Values,
};

const LEVELS: core::ops::RangeInclusive<i8> = -5..=9;

/// Of every way to look for matches the quickest and the most thorough.
const CORNERS: [i8; 6] = [-5, 1, 2, 4, 5, 9];

fn all_levels() -> Vec<i8> {
    LEVELS.collect()
}

/// Takes pages apart as they come; values are of no interest here.
struct Pages {
    codec: Codec,
    pages: Vec<Page>,
}

impl Sink for Pages {
    fn bytes(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn page(&mut self, _: usize, _: PageKind, header: &[u8], body: &[u8]) -> Result<(), Error> {
        let (fields, taken) = read(header);
        assert_eq!((taken, fields.int(3) as usize), (header.len(), body.len()), "compressed_page_size");
        self.pages.push(Page::new(0, fields, header.len(), body, i64::from(self.codec.id())));
        Ok(())
    }

    fn end_chunk(&mut self, _: usize) -> Result<(), Error> {
        Ok(())
    }
}

/// Writes each of `contents` as one page: a required column of single bytes is its own page body.
fn pages(contents: &[Vec<u8>], codec: Codec) -> Vec<Page> {
    let options = ColumnOptions { codec, statistics: StatisticsLevel::None, ..BARE };
    let mut column = Column::required(PhysicalType::FixedLenByteArray, options, Vec::<Vec<u8>>::new());
    column.element.type_length = 1;
    let file = FileOptions { page_rows: 1 << 24, page_bytes: 1 << 24, page_checksum: false, ..FileOptions::default() };
    let mut writer = writer(&[column], file, Pages { codec, pages: Vec::new() }).unwrap();
    writer.begin_row_group(contents.iter().map(|content| content.len() as u64).sum()).unwrap();
    writer.begin_chunk(0).unwrap();
    for content in contents {
        writer.write(ColumnView::required(content.len(), Values::Fixed(content)), true).unwrap();
    }
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    writer.into_sink().pages
}

/// Every codec, one encoder for all pages: whatever it keeps from one page must not show in the next.
fn check(contents: &[Vec<u8>], levels: &[i8]) {
    let zstd = levels.iter().map(|&level| Codec::Zstd { level });
    for codec in [Codec::None, Codec::Snappy, Codec::Lz4].into_iter().chain(zstd) {
        for (page, content) in pages(contents, codec).iter().zip(contents) {
            assert!(
                page.plain == *content,
                "{codec:?}, {} bytes: {:02x?}",
                content.len(),
                &content[..content.len().min(64)]
            );
            if let Codec::Zstd { .. } = codec {
                check_frame(&page.body, content.len());
            }
        }
    }
}

/// One frame that says its content's size, in one segment up to 8 MiB, without checksum and dictionary.
fn check_frame(frame: &[u8], size: usize) {
    assert_eq!(frame[..4], [0x28, 0xb5, 0x2f, 0xfd], "magic");
    let descriptor = frame[4];
    assert_eq!(descriptor & 0b1111, 0, "checksum, dictionary, reserved and unused bits");
    let single_segment = descriptor >> 5 & 1 == 1;
    assert_eq!(single_segment, size <= 8 << 20);
    let at = if single_segment { 5 } else { 6 };
    let field = |bytes: usize| (0..bytes).map(|byte| usize::from(frame[at + byte]) << (8 * byte)).sum::<usize>();
    let content_size = match descriptor >> 6 {
        0 => field(1),
        1 => field(2) + 256,
        2 => field(4),
        _ => field(8),
    };
    assert_eq!(content_size, size, "content size");
    // Never larger than stored blocks would be.
    assert!(frame.len() <= size + (size / (128 << 10) + 1) * 3 + 14, "{} bytes for {size}", frame.len());
}

fn repeated(unit: &[u8], count: usize) -> Vec<u8> {
    unit.iter().copied().cycle().take(count).collect()
}

/// Bytes that a skewed choice makes: few of them are frequent.
fn skewed(random: &mut Random, count: usize, skew: u32) -> Vec<u8> {
    (0..count).map(|_| (random.word().leading_zeros() * skew) as u8 ^ (random.word() >> 63) as u8).collect()
}

#[test]
fn every_small_size() {
    let mut random = Random::new(1);
    let mut contents = Vec::new();
    for size in 1..300 {
        contents.push(random.bytes(size));
        contents.push(vec![size as u8; size]);
        contents.push(repeated(b"abcd", size));
        contents.push(skewed(&mut random, size, 1));
    }
    check(&contents, &all_levels());
}

#[test]
fn sizes_around_the_limits_of_headers_and_blocks() {
    let mut random = Random::new(2);
    let limits =
        [255, 256, 257, 1023, 1024, 1025, 4095, 4096, 16_383, 16_384, 65_791, 65_792, 131_071, 131_072, 131_073];
    let mut contents = Vec::new();
    for size in limits {
        contents.push(random.bytes(size));
        contents.push(skewed(&mut random, size, 3));
        contents.push(repeated(b"parquet", size));
        contents.push(vec![0; size]);
    }
    check(&contents, &CORNERS);
}

#[test]
fn a_mebibyte_of_every_nature() {
    const SIZE: usize = 1 << 20;
    let mut random = Random::new(3);
    let numbers = |step: u64| (0..SIZE as u64 / 8).flat_map(move |row| (row * step).to_le_bytes()).collect::<Vec<u8>>();
    let incompressible = random.bytes(SIZE);
    // The same half a mebibyte apart: offsets of the whole page.
    let twice = repeated(&incompressible[..SIZE / 2], SIZE);
    // Blocks that change their nature: stored, one byte only, compressed.
    let mixed = [
        random.bytes(128 << 10),
        vec![7; 128 << 10],
        skewed(&mut random, 256 << 10, 2),
        random.bytes(100 << 10),
        repeated(b"0123456789", 300 << 10),
        incompressible[..128 << 10].to_vec(),
    ]
    .concat();
    let text: Vec<u8> = (0..SIZE / 8).flat_map(|row| format!("{:07} ", row * 7919 % 99_991).into_bytes()).collect();
    let floats: Vec<u8> =
        (0..SIZE / 8).flat_map(|row| ((row as f64 * 0.37).sin() * 1000.0).round().to_le_bytes()).collect();
    check(
        &[
            incompressible,
            numbers(1),
            numbers(0x0101_0101),
            twice,
            mixed,
            text,
            floats,
            vec![0; SIZE],
            skewed(&mut random, SIZE, 1),
            skewed(&mut random, SIZE, 4),
        ],
        &CORNERS,
    );
}

#[test]
fn more_than_a_window() {
    // 9 MiB: what is common lies further back than decoders must look.
    let mut random = Random::new(4);
    let part = random.bytes(200_000);
    let content = [part.clone(), skewed(&mut random, 9 << 20, 2), part].concat();
    for codec in
        [Codec::Snappy, Codec::Lz4, Codec::Zstd { level: 1 }, Codec::Zstd { level: 3 }, Codec::Zstd { level: 5 }]
    {
        let contents = [content.clone(), content[..8 << 20].to_vec()];
        for (page, content) in pages(&contents, codec).iter().zip(&contents) {
            assert!(page.plain == *content, "{codec:?}");
            if let Codec::Zstd { .. } = codec {
                check_frame(&page.body, content.len());
            }
        }
    }
}

#[test]
fn a_stored_block_leaves_no_offsets_behind() {
    const BLOCK: usize = 128 << 10;
    let mut random = Random::new(8);
    let copy = |content: &mut Vec<u8>, offset: usize, count: usize| {
        let from = content.len() - offset;
        for at in from..from + count {
            content.push(content[at]);
        }
    };
    // A block that has the decoder remember offsets of 1000 and 600.
    let mut content = random.bytes(1000);
    while content.len() < BLOCK - 2000 {
        copy(&mut content, 1000, 300);
        content.extend(random.bytes(3));
        copy(&mut content, 600, 200);
        content.extend(random.bytes(3));
    }
    content.extend(random.bytes(BLOCK - content.len()));
    // One that saves too little with its one short match, and is stored. It stands at its start, where finders still
    // look at every byte.
    content.extend(random.bytes(40));
    copy(&mut content, 31, 6);
    content.extend(random.bytes(2 * BLOCK - content.len()));
    // One that goes on with the offset of the match that nobody saw, and with those before it.
    for round in 0..200 {
        for offset in [[31, 600, 31], [1000, 600, 1000]][round % 2] {
            content.extend(random.bytes(4));
            copy(&mut content, offset, 40);
        }
    }
    check(&[content], &all_levels());
}

#[test]
fn random_mixtures_come_back() {
    rounds(24, |random| {
        let contents: Vec<Vec<u8>> = (0..6)
            .map(|_| {
                let mut content = random.bytes(1);
                let most = [200, 5000, 150_000][random.below(3)];
                for _ in 0..random.below(40) {
                    let count = 1 + random.below(most / 10);
                    match random.below(6) {
                        0 => content.extend(random.bytes(count)),
                        1 => content.extend(vec![random.word() as u8; count]),
                        2 => {
                            let skew = 1 + random.below(5) as u32;
                            content.extend(skewed(random, count, skew));
                        }
                        // Copies from before, overlapping ones too.
                        3 | 4 => {
                            let from = random.below(content.len());
                            for at in from..from + count {
                                content.push(content[at]);
                            }
                        }
                        _ => {
                            let width = 1 + random.below(9);
                            let unit = random.bytes(width);
                            content.extend(repeated(&unit, count));
                        }
                    }
                }
                content
            })
            .collect();
        check(&contents, &CORNERS);
    });
}

#[test]
fn every_alphabet_size_has_a_code() {
    // Literals only: all bytes differ from their neighbours' pattern, so that Huffman codes carry the page.
    let mut random = Random::new(5);
    let mut contents = Vec::new();
    for symbols in 2..=256usize {
        let mut bytes: Vec<u8> = (0..4000)
            .map(|_| {
                let (a, b) = (random.below(symbols), random.below(symbols));
                a.min(b) as u8
            })
            .collect();
        // Every symbol occurs.
        bytes.iter_mut().zip(0..symbols).for_each(|(byte, symbol)| *byte = symbol as u8);
        contents.push(bytes);
    }
    check(&contents, &CORNERS);
}

#[test]
fn codes_that_would_be_too_long_are_shortened() {
    // Fibonacci counts make the deepest of all Huffman trees.
    let mut counts = vec![1usize, 1];
    while counts.len() < 20 {
        counts.push(counts[counts.len() - 1] + counts[counts.len() - 2]);
    }
    for shift in [0, 100, 235] {
        let mut bytes: Vec<u8> =
            counts.iter().enumerate().flat_map(|(symbol, &count)| vec![(symbol + shift) as u8; count]).collect();
        // Shuffled, so that there is nothing to match.
        let mut random = Random::new(6);
        for at in (1..bytes.len()).rev() {
            bytes.swap(at, random.below(at + 1));
        }
        check(&[bytes], &CORNERS);
    }
}

#[test]
fn levels_of_one_writer_do_not_disturb_each_other() {
    let column = |level: i8| {
        let values = (0..5000u64).map(|row| (row * row % 1000).to_le_bytes());
        let options = ColumnOptions { codec: Codec::Zstd { level }, ..BARE };
        Column::required(PhysicalType::Int64, options, values).named(&format!("{level}"))
    };
    let mut columns: Vec<Column> = LEVELS.map(column).collect();
    columns.extend(LEVELS.rev().map(|level| column(level).named(&format!("again {level}"))));
    for (codec, name) in [(Codec::Snappy, "snappy"), (Codec::Lz4, "lz4"), (Codec::None, "none")] {
        columns.insert(9, Column { options: ColumnOptions { codec, ..BARE }, ..column(1).named(name) });
    }
    round_trip(&columns, FileOptions { page_rows: 700, ..FileOptions::default() }, 2500);
}
