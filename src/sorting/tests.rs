#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{Steps, first_out_of_order};
use crate::column::{ColumnView, Cursor, Scratch, Shape, Validity, Values};
use crate::encoding::dictionary::Dictionary;
use crate::options::SortingColumn;
use crate::order::Order;
use crate::schema::{Leaf, LogicalType, PhysicalType};
use crate::testing::{Random, rounds};

const UP: SortingColumn = SortingColumn { column: 0, descending: false, nulls_first: false };

fn leaf() -> Leaf {
    Leaf {
        path: vec![0],
        physical: PhysicalType::Int32,
        logical: LogicalType::None,
        width: 4,
        max_definition: 1,
        max_repetition: 0,
        order: Order::Int32,
    }
}

/// Notes of `rows`, in pages of `page_rows`.
fn steps(rows: &[Option<i32>], sorting: SortingColumn, page_rows: usize) -> Steps {
    let mut bits = vec![0u8; rows.len().div_ceil(8)];
    let mut values = Vec::new();
    for (row, value) in rows.iter().enumerate() {
        if let Some(value) = value {
            bits[row / 8] |= 1 << (row % 8);
            values.extend_from_slice(&value.to_le_bytes());
        }
    }
    let leaf = leaf();
    let validity = Validity::Dense { bits: &bits, first: 0 };
    let view = ColumnView { rows: rows.len(), values: Values::Fixed(&values), validity };
    let mut cursor = Cursor::new(view, Shape::from(&leaf)).unwrap();
    let (mut scratch, mut steps) = (Scratch::default(), Steps::default());
    while cursor.remaining() > 0 {
        let page = cursor.take(page_rows.min(cursor.remaining()), &mut scratch).unwrap();
        steps.add(page, &leaf, sorting, &[], &Dictionary::default()).unwrap();
    }
    steps
}

#[test]
fn the_first_row_out_of_order_is_found() {
    let first = |rows: &[Option<i32>], sorting| first_out_of_order(&[steps(rows, sorting, 3)]);
    let down = SortingColumn { descending: true, ..UP };
    let nulls_first = SortingColumn { nulls_first: true, ..UP };
    assert_eq!(first(&[], UP), None);
    assert_eq!(first(&[Some(1), Some(1), Some(2), None, None], UP), None);
    assert_eq!(first(&[Some(1), Some(1), Some(2), None, Some(3)], UP), Some(4));
    assert_eq!(first(&[Some(1), Some(2), Some(3), Some(2), Some(1)], UP), Some(3));
    assert_eq!(first(&[None, None, Some(-5), Some(7)], nulls_first), None);
    assert_eq!(first(&[Some(-5), None], nulls_first), Some(1));
    // Whether nulls come first does not depend on the direction.
    assert_eq!(first(&[Some(9), Some(3), None], down), None);
    assert_eq!(first(&[None, Some(9), Some(3)], SortingColumn { nulls_first: true, ..down }), None);
}

#[test]
fn later_columns_decide_among_equals() {
    rounds(300, |random: &mut Random| {
        let count = random.below(60);
        let draw = |random: &mut Random| (!random.once_in(5)).then(|| random.below(3) as i32);
        let mut rows: Vec<(Option<i32>, Option<i32>)> = (0..count).map(|_| (draw(random), draw(random))).collect();
        // Rust sorts None first.
        rows.sort_unstable();
        if !random.once_in(3) && count > 1 {
            rows.swap(0, random.below(count));
        }
        let sorting = SortingColumn { nulls_first: true, ..UP };
        let page_rows = 1 + random.below(20);
        let columns = [
            steps(&rows.iter().map(|row| row.0).collect::<Vec<_>>(), sorting, page_rows),
            steps(&rows.iter().map(|row| row.1).collect::<Vec<_>>(), sorting, page_rows),
        ];
        let expected = (1..count).find(|&row| rows[row] < rows[row - 1]);
        assert_eq!(first_out_of_order(&columns), expected, "{rows:?}");
    });
}

#[test]
fn zeros_are_equal_whatever_their_sign() {
    let leaf = Leaf { physical: PhysicalType::Double, width: 8, order: Order::Double, max_definition: 0, ..leaf() };
    let check = |rows: &[f64]| {
        let values: Vec<u8> = rows.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = ColumnView::required(rows.len(), Values::Fixed(&values));
        let mut cursor = Cursor::new(view, Shape::from(&leaf)).unwrap();
        let (mut scratch, mut steps) = (Scratch::default(), Steps::default());
        let page = cursor.take(rows.len(), &mut scratch).unwrap();
        steps.add(page, &leaf, UP, &[], &Dictionary::default()).unwrap();
        first_out_of_order(&[steps])
    };
    assert_eq!(check(&[-1.0, 0.0, -0.0, 0.0, 1.0]), None);
    assert_eq!(check(&[0.0, -1.0]), Some(1));
}
