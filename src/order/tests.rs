#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use core::cmp::Ordering::{Equal, Greater, Less};

use super::{Order, float16_key};
use crate::schema::{LogicalType, PhysicalType};

#[test]
fn order_follows_the_logical_type_first() {
    use LogicalType as L;
    use PhysicalType as P;
    let unsigned = |bit_width| L::Integer { bit_width, signed: false };
    let signed = |bit_width| L::Integer { bit_width, signed: true };
    let decimal = L::Decimal { precision: 5, scale: 2 };
    let expected = [
        (P::Boolean, L::None, Order::Boolean),
        (P::Int32, L::None, Order::Int32),
        (P::Int32, signed(8), Order::Int32),
        (P::Int32, unsigned(16), Order::UInt32),
        (P::Int32, L::Date, Order::Int32),
        (P::Int32, decimal, Order::Int32),
        (P::Int64, L::None, Order::Int64),
        (P::Int64, unsigned(64), Order::UInt64),
        (P::Int64, decimal, Order::Int64),
        (P::Int96, L::None, Order::Undefined),
        (P::Float, L::None, Order::Float),
        (P::Double, L::None, Order::Double),
        (P::ByteArray, L::None, Order::Bytes),
        (P::ByteArray, L::String, Order::Bytes),
        (P::ByteArray, L::Json, Order::Bytes),
        (P::FixedLenByteArray, L::None, Order::Bytes),
        (P::FixedLenByteArray, L::Uuid, Order::Bytes),
        (P::FixedLenByteArray, L::Float16, Order::Float16),
        (P::FixedLenByteArray, decimal, Order::Decimal),
        (P::FixedLenByteArray, L::Interval, Order::Undefined),
        (P::Int32, L::Unknown, Order::Undefined),
    ];
    for (physical, logical, order) in expected {
        assert_eq!(Order::of(physical, logical), order, "{physical:?} {logical:?}");
    }
}

#[test]
fn bounds_compare_by_value() {
    let ordered: [(Order, &[&[u8]]); 8] = [
        (Order::Boolean, &[&[0], &[1]]),
        (Order::Int32, &[&i32::MIN.to_le_bytes(), &(-1i32).to_le_bytes(), &[0; 4], &256i32.to_le_bytes()]),
        (Order::UInt32, &[&[0; 4], &255u32.to_le_bytes(), &256u32.to_le_bytes(), &u32::MAX.to_le_bytes()]),
        (Order::Int64, &[&i64::MIN.to_le_bytes(), &(-1i64).to_le_bytes(), &[0; 8], &i64::MAX.to_le_bytes()]),
        (Order::UInt64, &[&[0; 8], &(1u64 << 63).to_le_bytes(), &u64::MAX.to_le_bytes()]),
        // A value before those that begin with it; unsigned bytes.
        (Order::Bytes, &[b"", b"\0", b"a", b"a\0", b"ab", b"b", b"\x80", b"\xff"]),
        // −32768, −256, −1, 0, 1, 256 in two bytes.
        (Order::Decimal, &[&[0x80, 0], &[0xff, 0], &[0xff, 0xff], &[0, 0], &[0, 1], &[1, 0]]),
        // −∞, −1, −smallest, −0, +0, smallest, 1, 65504, ∞ in half precision.
        (
            Order::Float16,
            &[&[0, 0xfc], &[0, 0xbc], &[1, 0x80], &[0, 0x80], &[0, 0], &[1, 0], &[0, 0x3c], &[0xff, 0x7b], &[0, 0x7c]],
        ),
    ];
    for (order, values) in ordered {
        for (left, a) in values.iter().enumerate() {
            for (right, b) in values.iter().enumerate() {
                assert_eq!(order.compare(a, b), left.cmp(&right), "{order:?}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn floats_compare_by_value_with_minus_zero_first() {
    let values =
        [f64::NEG_INFINITY, f64::MIN, -1.0, -f64::MIN_POSITIVE, -0.0, 0.0, 5e-324, 1.5, f64::MAX, f64::INFINITY];
    for pair in values.windows(2) {
        assert_eq!(Order::Double.compare(&pair[0].to_le_bytes(), &pair[1].to_le_bytes()), Less, "{pair:?}");
        assert_eq!(Order::Double.compare(&pair[1].to_le_bytes(), &pair[0].to_le_bytes()), Greater, "{pair:?}");
    }
    let values = [f32::NEG_INFINITY, f32::MIN, -1.0, -0.0, 0.0, 1e-45, 1.5, f32::MAX, f32::INFINITY];
    for pair in values.windows(2) {
        assert_eq!(Order::Float.compare(&pair[0].to_le_bytes(), &pair[1].to_le_bytes()), Less, "{pair:?}");
    }
}

#[test]
fn what_has_no_order_is_equal() {
    assert_eq!(Order::Undefined.compare(b"a", b"b"), Equal);
}

#[test]
fn half_precision_keys_ascend_with_the_number() {
    // Every finite pattern and the infinities, in numeric order.
    let negative = (0x8000..=0xfc00u16).rev();
    let positive = 0..=0x7c00u16;
    let keys: Vec<i16> = negative.chain(positive).map(float16_key).collect();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn only_floats_can_be_nan() {
    let floats = [Order::Float, Order::Double, Order::Float16];
    let others = [Order::Boolean, Order::Int32, Order::UInt64, Order::Bytes, Order::Decimal, Order::Undefined];
    assert!(floats.into_iter().all(Order::is_float));
    assert!(!others.into_iter().any(Order::is_float));
}
