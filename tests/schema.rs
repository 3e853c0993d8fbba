//! Schemas that are taken, and those that are refused with the element that is wrong.

mod common;

use common::column::leaf;
use parquill::{Element, Error, LogicalType, PhysicalType, Repetition, Schema, TimeUnit};

fn group(name: &str, children: usize) -> Element {
    Element { children, physical: None, ..leaf(name, PhysicalType::Int32, Repetition::Required, LogicalType::None) }
}

fn int(name: &str) -> Element {
    leaf(name, PhysicalType::Int32, Repetition::Required, LogicalType::None)
}

#[test]
fn schemas_that_are_no_trees() {
    let wrong = |elements: Vec<Element>, element| {
        assert_eq!(Schema::new(elements.clone()), Err(Error::Schema { element }), "{elements:?}");
    };
    wrong(vec![int("a"), group("g", 0)], 1);
    wrong(vec![Element { children: 1, ..int("a") }, int("b")], 0);
    wrong(vec![group("g", 2), int("a")], 0);
    wrong(vec![group("g", usize::MAX), int("a")], 0);
    wrong(vec![int("a"), group("g", 1), group("h", 1)], 2);
    wrong(vec![], 0);
    wrong(vec![group("g", 1)], 0);
}

#[test]
fn names_are_unique_among_siblings_at_every_level() {
    let wrong = |elements: Vec<Element>, element| {
        assert_eq!(Schema::new(elements.clone()), Err(Error::Schema { element }), "{elements:?}");
    };
    wrong(vec![int("a"), int("b"), int("a")], 2);
    wrong(vec![int("a"), group("a", 1), int("b")], 1);
    wrong(vec![group("g", 2), int("a"), int("a")], 2);
    wrong(vec![group("g", 1), group("h", 3), int("a"), int("b"), int("b"), int("c")], 4);
    wrong(vec![group("g", 1), int("a"), group("g", 1), int("a")], 2);
    wrong(vec![int(""), int("")], 1);
    // The same name in another family, or in other letters, is another name.
    let right = [
        vec![int("a"), group("g", 1), int("a")],
        vec![group("g", 1), group("g", 1), int("g"), int("h")],
        vec![int("a"), int("A")],
    ];
    for elements in right {
        assert!(Schema::new(elements.clone()).is_ok(), "{elements:?}");
    }
}

#[test]
fn a_schema_of_many_columns_is_checked_in_reasonable_time() {
    let elements: Vec<Element> = (0..100_000).map(|column| int(&format!("{column}"))).collect();
    assert_eq!(Schema::new(elements).unwrap().leaves().len(), 100_000);
    let deep: Vec<Element> = (0..100_000).map(|level| group(&format!("{level}"), 1)).chain([int("a")]).collect();
    assert_eq!(Schema::new(deep).unwrap().leaves()[0].path.len(), 100_001);
}

#[test]
fn levels_must_fit_a_byte() {
    let optional = |levels: usize| {
        let group = |level| Element { repetition: Repetition::Optional, ..group(&format!("{level}"), 1) };
        Schema::new((0..levels).map(group).chain([int("a")]).collect())
    };
    assert_eq!(optional(255).unwrap().leaves()[0].max_definition, 255);
    assert_eq!(optional(256), Err(Error::Schema { element: 256 }));
}

#[test]
fn types_that_do_not_fit() {
    use LogicalType as L;
    use PhysicalType as P;
    let decimal = |precision, scale| L::Decimal { precision, scale };
    let integer = |bit_width| L::Integer { bit_width, signed: true };
    let (time, timestamp) = (|unit| L::Time { unit, utc: true }, |unit| L::Timestamp { unit, utc: true });
    let schema = |physical, type_length, logical| {
        Schema::new(vec![Element { type_length, ..leaf("a", physical, Repetition::Required, logical) }])
    };
    let wrong = [
        (P::FixedLenByteArray, 0, L::None),
        (P::FixedLenByteArray, 1 << 31, L::None),
        (P::FixedLenByteArray, 3, L::Float16),
        (P::FixedLenByteArray, 15, L::Uuid),
        (P::FixedLenByteArray, 11, L::Interval),
        (P::FixedLenByteArray, 5, L::String),
        (P::Int64, 0, L::String),
        (P::Int32, 0, L::Json),
        (P::Int64, 0, L::Date),
        (P::Int32, 0, timestamp(TimeUnit::Millis)),
        (P::Int64, 0, time(TimeUnit::Millis)),
        (P::Int32, 0, time(TimeUnit::Micros)),
        (P::Int32, 0, integer(64)),
        (P::Int64, 0, integer(32)),
        (P::Int32, 0, integer(7)),
        (P::Int32, 0, integer(0)),
        (P::Float, 0, L::Float16),
        (P::Int32, 0, decimal(0, 0)),
        (P::Int32, 0, decimal(10, 0)),
        (P::Int32, 0, decimal(5, 6)),
        (P::Int64, 0, decimal(19, 0)),
        (P::FixedLenByteArray, 1, decimal(3, 0)),
        (P::FixedLenByteArray, 15, decimal(36, 0)),
        (P::FixedLenByteArray, 17, decimal(39, 0)),
        (P::Double, 0, decimal(5, 2)),
        (P::ByteArray, 0, decimal(5, 2)),
        (P::Int32, 0, L::List),
        (P::ByteArray, 0, L::Map),
    ];
    for (physical, type_length, logical) in wrong {
        let found = schema(physical, type_length, logical);
        assert_eq!(found, Err(Error::Schema { element: 0 }), "{physical:?}({type_length}) {logical:?}");
    }
    let right = [
        (P::Int32, 0, decimal(9, 9)),
        (P::Int64, 0, decimal(18, 0)),
        (P::FixedLenByteArray, 1, decimal(2, 0)),
        (P::FixedLenByteArray, 4, decimal(9, 0)),
        (P::FixedLenByteArray, 16, decimal(38, 38)),
        (P::FixedLenByteArray, 16, L::Uuid),
        (P::FixedLenByteArray, 12, L::Interval),
        (P::FixedLenByteArray, 2, L::Float16),
        (P::Int32, 0, time(TimeUnit::Millis)),
        (P::Int64, 0, time(TimeUnit::Nanos)),
        (P::Int64, 0, timestamp(TimeUnit::Nanos)),
        (P::Int64, 0, integer(64)),
        (P::Int32, 0, L::Unknown),
    ];
    for (physical, type_length, logical) in right {
        assert!(schema(physical, type_length, logical).is_ok(), "{physical:?}({type_length}) {logical:?}");
    }
    // A group that would be a number.
    let date = Element { logical: L::Date, ..group("g", 1) };
    assert_eq!(Schema::new(vec![date, int("a")]), Err(Error::Schema { element: 0 }));
}

#[test]
fn leaves_know_their_path_and_levels() {
    use Repetition::{Optional, Repeated, Required};
    let with = |element: Element, repetition| Element { repetition, ..element };
    // required int, and a nullable list of nullable ints beside a required one in a nullable struct.
    let elements = vec![
        int("id"),
        with(group("s", 2), Optional),
        Element { logical: LogicalType::List, ..with(group("list", 1), Optional) },
        with(group("list", 1), Repeated),
        with(int("element"), Optional),
        with(int("x"), Required),
    ];
    let schema = Schema::new(elements).unwrap();
    let leaves: Vec<_> = schema
        .leaves()
        .iter()
        .map(|leaf| (leaf.path.clone(), leaf.max_definition, leaf.max_repetition, leaf.width))
        .collect();
    assert_eq!(leaves, [(vec![0], 0, 0, 4), (vec![1, 2, 3, 4], 4, 1, 4), (vec![1, 5], 1, 0, 4)]);
    assert_eq!((schema.top_level(), schema.elements().len()), (2, 6));
}

#[test]
fn widths_are_those_of_plain_values() {
    let width = |physical, type_length| {
        let element = Element { type_length, ..leaf("a", physical, Repetition::Required, LogicalType::None) };
        Schema::new(vec![element]).unwrap().leaves()[0].width
    };
    let expected = [
        (PhysicalType::Boolean, 0),
        (PhysicalType::Int32, 4),
        (PhysicalType::Int64, 8),
        (PhysicalType::Int96, 12),
        (PhysicalType::Float, 4),
        (PhysicalType::Double, 8),
        (PhysicalType::ByteArray, 0),
    ];
    for (physical, bytes) in expected {
        assert_eq!(width(physical, 0), bytes, "{physical:?}");
    }
    assert_eq!(width(PhysicalType::FixedLenByteArray, 7), 7);
}
