//! Pages that end where their content says so: edits leave other pages as they were, and neither row groups nor batches
//! move an end.

mod common;

use std::collections::HashSet;

use common::column::{BARE, Column, LaidOut, round_trip, write, writer};
use common::decode::Entry;
use common::file::{Chunk, File};
use common::nested::{self, list, list_entries};
use common::tables::{file_options, table};
use common::testing::{Random, rounds};
use parquill::{
    Codec, ColumnOptions, ColumnView, Encoding, Error, FileOptions, LogicalType, MemorySink, PageVersion, PhysicalType,
    Setting, Validity, Values,
};

const LEAST: usize = 2 << 10;
const MOST: usize = 16 << 10;

fn content_defined() -> FileOptions {
    FileOptions {
        page_bytes: MOST,
        page_rows: FileOptions::MAX_SIZE,
        content_defined: Some(LEAST),
        ..FileOptions::default()
    }
}

fn encoded(encoding: Encoding) -> ColumnOptions {
    ColumnOptions { encoding: Some(encoding), ..BARE }
}

/// Bytes of the data pages as they are stored, levels and values.
fn bodies<'c>(chunks: impl IntoIterator<Item = &'c Chunk>) -> Vec<&'c [u8]> {
    chunks.into_iter().flat_map(|chunk| chunk.data_pages().map(|page| page.body.as_slice())).collect()
}

fn chunks(file: &File) -> impl Iterator<Item = &Chunk> {
    file.row_groups.iter().map(|group| &group[0])
}

/// The first row of every page, counted from the start of the file.
fn starts(file: &File) -> Vec<usize> {
    let mut row = 0;
    let mut found = Vec::new();
    for (chunk, group) in chunks(file).zip(file.footer.structures(4)) {
        found.extend(chunk.offset_index.structures(1).iter().map(|page| row + page.int(3) as usize));
        row += group.int(3) as usize;
    }
    found
}

/// Pages of `after` that `before` does not have.
fn new_pages(before: &File, after: &File) -> usize {
    let known: HashSet<&[u8]> = bodies(chunks(before)).into_iter().collect();
    bodies(chunks(after)).into_iter().filter(|body| !known.contains(body)).count()
}

/// What an entry counts for the size of a page.
fn entry_bytes(column: &Column, value: Option<&[u8]>) -> usize {
    match column.element.physical.unwrap() {
        PhysicalType::Boolean => 1,
        PhysicalType::Int32 | PhysicalType::Float => 4,
        PhysicalType::Int64 | PhysicalType::Double => 8,
        PhysicalType::Int96 => 12,
        PhysicalType::FixedLenByteArray => column.element.type_length,
        PhysicalType::ByteArray => 4 + value.map_or(0, <[u8]>::len),
    }
}

fn text(random: &mut Random) -> Vec<u8> {
    let length = 3 + random.below(40);
    (0..length).map(|_| b'a' + random.below(26) as u8).collect()
}

/// A column of each kind with about sixty pages.
fn columns(random: &mut Random) -> Vec<Column> {
    let rows = 40_000;
    let longs: Vec<[u8; 8]> = (0..rows).map(|row| (row * 1000 + random.below(900) as u64).to_le_bytes()).collect();
    let codes: Vec<[u8; 4]> = (0..2 * rows).map(|_| (random.below(30) as i32).to_le_bytes()).collect();
    let doubles: Vec<_> =
        (0..rows).map(|_| (!random.once_in(5)).then(|| (random.below(1 << 30) as f64).to_le_bytes())).collect();
    let texts: Vec<Vec<u8>> = (0..15_000).map(|_| text(random)).collect();
    let words: Vec<Option<Vec<u8>>> = (0..20_000).map(|_| (!random.once_in(3)).then(|| text(random))).collect();
    let sorted: Vec<Vec<u8>> = {
        let mut values: Vec<Vec<u8>> = (0..15_000).map(|_| text(random)).collect();
        values.sort();
        values
    };
    let flags: Vec<[u8; 1]> = (0..400_000).map(|_| [u8::from(random.once_in(3))]).collect();
    let mut uuids = Column::required(
        PhysicalType::FixedLenByteArray,
        encoded(Encoding::ByteStreamSplit),
        (0..20_000).map(|_| random.bytes(16)),
    );
    uuids.element.type_length = 16;
    vec![
        Column::required(PhysicalType::Int64, encoded(Encoding::DeltaBinaryPacked), longs.clone()).named("delta"),
        Column::required(PhysicalType::Int64, ColumnOptions { codec: Codec::Zstd { level: 1 }, ..BARE }, longs)
            .named("zstd"),
        Column::required(PhysicalType::Int32, encoded(Encoding::RleDictionary), codes).named("dictionary"),
        Column::nullable(PhysicalType::Double, encoded(Encoding::ByteStreamSplit), doubles).named("doubles"),
        Column::required(PhysicalType::ByteArray, BARE, texts).text().named("texts"),
        Column::nullable(PhysicalType::ByteArray, encoded(Encoding::DeltaLengthByteArray), words).text().named("words"),
        Column::required(PhysicalType::ByteArray, encoded(Encoding::DeltaByteArray), sorted).text().named("sorted"),
        Column::required(PhysicalType::Boolean, encoded(Encoding::Rle), flags).named("flags"),
        uuids.named("uuids"),
    ]
}

#[test]
fn pages_keep_to_their_least_and_most_bytes() {
    let mut random = Random::new(1);
    for column in columns(&mut random) {
        let rows = column.rows.len();
        let file = round_trip(std::slice::from_ref(&column), content_defined(), rows);
        let starts = starts(&file);
        let ends = starts[1..].iter().copied().chain([rows]);
        let bytes = |from: usize, to: usize| {
            column.rows[from..to].iter().map(|value| entry_bytes(&column, value.as_deref())).sum::<usize>()
        };
        let sizes: Vec<usize> = starts.iter().zip(ends).map(|(&from, to)| bytes(from, to)).collect();
        let name = &column.element.name;
        assert!(sizes.iter().all(|&size| size <= MOST), "{name}: {sizes:?}");
        assert!(sizes[..sizes.len() - 1].iter().all(|&size| size >= LEAST), "{name}: {sizes:?}");
        // Few pages are cut by their size, so few ends move with an edit far away.
        let forced = sizes.iter().filter(|&&size| size + 64 > MOST).count();
        assert!(forced * 8 <= sizes.len() && sizes.len() > 40, "{name}: {forced} of {}", sizes.len());
    }
}

#[test]
fn edits_cost_few_new_pages() {
    let (mut all, mut changed, mut edits) = (0, 0, 0);
    for round in 0..4 {
        let mut random = Random::new(100 + round);
        for column in columns(&mut random) {
            for page_version in [PageVersion::V1, PageVersion::V2] {
                let options = FileOptions { page_version, ..content_defined() };
                let mut edited = column.clone();
                // Rows of the dictionary are changed to values that it has, else all codes would be others.
                const EDITS: usize = 3;
                for edit in 0..EDITS {
                    let at = random.below(edited.rows.len());
                    let count = 1 + random.below(5);
                    let some: Vec<_> =
                        (0..count).map(|_| column.rows[random.below(column.rows.len())].clone()).collect();
                    let end = edited.rows.len().min(at + count);
                    match edit {
                        0 => drop(edited.rows.splice(at..at, some)),
                        1 => drop(edited.rows.drain(at..end)),
                        _ => drop(edited.rows.splice(at..end, some)),
                    }
                }
                let write = |column: &Column| round_trip(std::slice::from_ref(column), options.clone(), usize::MAX);
                let (before, after) = (write(&column), write(&edited));
                let (new, pages) = (new_pages(&before, &after), bodies(chunks(&after)).len());
                assert!(new <= 5 * EDITS, "{}: {new} of {pages} pages are new", column.element.name);
                (all, changed, edits) = (all + pages, changed + new, edits + EDITS);
            }
        }
    }
    println!("{changed} of {all} pages are new after {edits} edits");
    assert!(changed * 2 <= edits * 4 && changed * 12 <= all, "{changed} of {all} pages, {edits} edits");
}

/// Lists of a few numbers each.
fn lists(random: &mut Random, rows: usize) -> Vec<Vec<Entry>> {
    let mut row = || {
        let count = random.below(6);
        (0..count).map(|_| (!random.once_in(8)).then(|| random.word().to_le_bytes())).collect()
    };
    list_entries((0..rows).map(|_| row()))
}

#[test]
fn pages_of_lists_hold_whole_rows_and_survive_edits() {
    let mut random = Random::new(5);
    let rows = lists(&mut random, 20_000);
    let write = |rows: &[Vec<Entry>], step| {
        let elements = list(PhysicalType::Int64, LogicalType::None);
        nested::write(elements, BARE, content_defined(), rows, step)
    };
    let before = write(&rows, usize::MAX);
    assert!(before.row_groups[0][0].entries() == rows.concat());
    let pages = bodies(chunks(&before)).len();
    let mut edited = rows.clone();
    edited.splice(7000..7001, lists(&mut random, 3));
    edited.drain(12_000..12_002);
    let after = write(&edited, usize::MAX);
    assert!(after.row_groups[0][0].entries() == edited.concat());
    let new = new_pages(&before, &after);
    assert!(pages > 60 && (1..=6).contains(&new), "{new} of {pages}");
    // A row of the largest size stands alone, whatever it is.
    edited[40] = [vec![Entry { repetition: 0, definition: 1, value: None }], {
        vec![Entry { repetition: 1, definition: 1, value: None }; MOST]
    }]
    .concat();
    let large = write(&edited, usize::MAX);
    assert!(large.row_groups[0][0].entries() == edited.concat());
    assert!(new_pages(&after, &large) <= 6);
}

/// Hands in `step` rows at a time, those that were not taken again with the next.
fn in_batches(column: &Column, options: FileOptions, step: usize, group_rows: usize) -> Vec<u8> {
    let mut writer = writer(std::slice::from_ref(column), options, MemorySink::default()).unwrap();
    let rows = column.rows.len();
    for first in (0..rows).step_by(group_rows) {
        let last = rows.min(first + group_rows);
        writer.begin_row_group((last - first) as u64).unwrap();
        writer.begin_chunk(0).unwrap();
        let (mut start, mut end) = (first, first);
        while end < last {
            end = last.min(end + step);
            let piece = column.laid_out(start..end);
            start += writer.write(piece.view(column.element.physical), end == last).unwrap();
        }
        writer.end_chunk().unwrap();
        writer.end_row_group().unwrap();
    }
    writer.finish().unwrap();
    writer.into_sink().to_vec()
}

#[test]
fn batches_move_no_end() {
    let mut random = Random::new(2);
    for mut column in columns(&mut random) {
        column.rows.truncate(30_000);
        let rows = column.rows.len();
        for group_rows in [rows, rows / 3 + 1] {
            let whole = write(std::slice::from_ref(&column), content_defined(), group_rows);
            for step in [977, 5000] {
                let batches = in_batches(&column, content_defined(), step, group_rows);
                assert!(batches == whole, "{}, {step} rows at a time", column.element.name);
            }
        }
    }
    let rows = lists(&mut random, 4000);
    let bytes = |step| {
        let elements = list(PhysicalType::Int64, LogicalType::None);
        nested::write_bytes(elements, BARE, content_defined(), &rows, step)
    };
    // A piece that makes no page is flushed by this helper: pages are whole ones only where pieces are larger.
    assert!(bytes(2000) == bytes(4000));
}

#[test]
fn row_groups_move_no_end() {
    let mut random = Random::new(3);
    for column in columns(&mut random) {
        let rows = column.rows.len();
        let whole = round_trip(std::slice::from_ref(&column), content_defined(), rows);
        let ends: HashSet<usize> = starts(&whole).into_iter().collect();
        for group_rows in [rows / 2, rows / 5 - 3, 1000] {
            let grouped = round_trip(std::slice::from_ref(&column), content_defined(), group_rows);
            let mut expected: Vec<usize> = ends.iter().copied().chain((0..rows).step_by(group_rows)).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(starts(&grouped), expected, "{}, groups of {group_rows}", column.element.name);
        }
    }
}

#[test]
fn equal_stretches_of_two_files_are_equal_pages() {
    let mut random = Random::new(4);
    for column in columns(&mut random) {
        // The order in which a dictionary meets its entries is no property of the stretch.
        if column.options.encoding == Some(Encoding::RleDictionary) {
            continue;
        }
        let rows = column.rows.len();
        let part = |from: usize, to: usize| Column { rows: column.rows[from..to].to_vec(), ..column.clone() };
        let write = |column: Column| round_trip(&[column], content_defined(), usize::MAX);
        // The second has the last three quarters of the first, and a tail of its own.
        let mut second = part(rows / 4, rows);
        second.rows.extend(part(0, rows / 8).rows);
        let (first, second) = (write(column.clone()), write(second));
        let pages = bodies(chunks(&second)).len();
        let new = new_pages(&first, &second);
        assert!(new <= 6, "{}: {new} of {pages}", column.element.name);
    }
}

/// The starts of pages of one chunk that came in one view.
fn starts_of(
    column: &Column,
    options: FileOptions,
    view: ColumnView<'_>,
    entries: Option<(&[u32], &[u8])>,
) -> Vec<usize> {
    let mut writer = writer(std::slice::from_ref(column), options, MemorySink::default()).unwrap();
    writer.begin_open_row_group().unwrap();
    writer.begin_chunk(0).unwrap();
    if let Some((offsets, bytes)) = entries {
        writer.hand_over(offsets, bytes).unwrap();
    }
    assert_eq!(writer.write(view, true), Ok(view.rows));
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    assert!(file.row_groups[0][0].values() == column.rows);
    starts(&file)
}

#[test]
fn the_form_of_a_view_moves_no_end() {
    let mut random = Random::new(6);
    let numbers: Vec<i8> = (0..40_000).map(|_| random.word() as i8).collect();
    let wide = Column::required(PhysicalType::Int32, BARE, numbers.iter().map(|&n| i32::from(n).to_le_bytes()));
    let expected = starts(&round_trip(std::slice::from_ref(&wide), content_defined(), usize::MAX));
    assert!(expected.len() > 10);
    let bytes: Vec<u8> = numbers.iter().map(|n| n.cast_unsigned()).collect();
    let view = |values| ColumnView::required(40_000, values);
    assert_eq!(starts_of(&wide, content_defined(), view(Values::Int8(&bytes)), None), expected);
    let shorts: Vec<u8> = numbers.iter().flat_map(|&n| i16::from(n).to_le_bytes()).collect();
    assert_eq!(starts_of(&wide, content_defined(), view(Values::Int16(&shorts)), None), expected);

    // Nulls dense, spaced, as levels.
    let rows: Vec<_> = numbers.iter().map(|&n| (n % 3 != 0).then(|| i32::from(n).to_le_bytes())).collect();
    let column = Column::nullable(PhysicalType::Int32, BARE, rows.clone());
    let LaidOut { bits, bytes, .. } = column.laid_out(0..40_000);
    let spaced: Vec<u8> = rows.iter().flat_map(|value| value.unwrap_or([7; 4])).collect();
    let definition: Vec<u8> = rows.iter().map(|value| u8::from(value.is_some())).collect();
    let views = [
        (&bytes, Validity::Dense { bits: &bits, first: 0 }),
        (&spaced, Validity::Spaced { bits: &bits, first: 0 }),
        (&bytes, Validity::Levels { definition: &definition, repetition: &[] }),
    ];
    let found = views.map(|(bytes, validity)| {
        let view = ColumnView { rows: 40_000, values: Values::Fixed(bytes), validity };
        starts_of(&column, content_defined(), view, None)
    });
    assert!(found[0].len() > 10 && found.iter().all(|starts| *starts == found[0]));

    // Strings, and codes of them.
    let words: Vec<Vec<u8>> = (0..200).map(|_| text(&mut random)).collect();
    let codes: Vec<u32> = (0..10_000).map(|_| random.below(200) as u32).collect();
    let texts = Column::required(
        PhysicalType::ByteArray,
        ColumnOptions { dictionary: true, ..BARE },
        codes.iter().map(|&code| words[code as usize].clone()),
    )
    .text();
    let plain = Column { options: BARE, ..texts.clone() };
    let expected = starts(&round_trip(&[plain], content_defined(), usize::MAX));
    let ends = words.iter().scan(0, |end, word| {
        *end += word.len() as u32;
        Some(*end)
    });
    let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
    let view = ColumnView::required(10_000, Values::Codes(&codes));
    assert_eq!(starts_of(&texts, content_defined(), view, Some((&offsets, &words.concat()))), expected);
    assert!(expected.len() > 10);
}

#[test]
fn what_never_changes_ends_by_its_size() {
    let column = Column::required(PhysicalType::Int64, BARE, vec![[7; 8]; 10_000]);
    let file = round_trip(&[column], content_defined(), usize::MAX);
    let rows = MOST / 8;
    assert_eq!(starts(&file), [0, rows, 2 * rows, 3 * rows, 4 * rows]);
    let nulls = Column::nullable(PhysicalType::ByteArray, BARE, vec![None::<Vec<u8>>; 10_000]);
    let file = round_trip(&[nulls], content_defined(), usize::MAX);
    assert_eq!(starts(&file), [0, MOST / 4, 2 * (MOST / 4)]);
}

#[test]
fn rows_of_a_page_have_their_limit_besides() {
    let mut random = Random::new(8);
    let column = Column::required(PhysicalType::Int64, BARE, (0..5000).map(|_| random.word().to_le_bytes()));
    let file = round_trip(&[column], FileOptions { page_rows: 100, ..content_defined() }, usize::MAX);
    let expected: Vec<usize> = (0..50).map(|page| page * 100).collect();
    assert_eq!(starts(&file), expected);
}

#[test]
fn random_tables_come_back() {
    rounds(60, |random| {
        let (columns, group_rows) = table(random);
        let mut options = file_options(random);
        options.page_bytes = options.page_bytes.max(2);
        options.content_defined = Some(1 + random.below(options.page_bytes - 1));
        round_trip(&columns, options.clone(), group_rows);
        let depth = random.below(4);
        let count = 1 + random.below(300);
        let rows = nested::rows(random, depth, count, false);
        let step = [count, 30][random.below(2)];
        let file = nested::write(nested::schema(depth, PhysicalType::Int64), BARE, options, &rows, step);
        assert!(file.row_groups[0][0].entries() == rows.concat());
    });
}

#[test]
fn the_least_bytes_lie_below_the_most() {
    let column = Column::required(PhysicalType::Int64, BARE, [[1; 8]]);
    for (least, fits) in [(0, false), (1, true), (MOST - 1, true), (MOST, false)] {
        let options = FileOptions { content_defined: Some(least), ..content_defined() };
        let result = writer(std::slice::from_ref(&column), options, MemorySink::default()).map(|_| ());
        assert_eq!(result, if fits { Ok(()) } else { Err(Error::Setting(Setting::Size)) }, "{least}");
    }
}
