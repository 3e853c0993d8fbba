//! The order of a leaf's values: what "smaller" means in statistics (parquet-format, ColumnOrder TYPE_ORDER).

use core::cmp::Ordering;

use crate::schema::{LogicalType, PhysicalType};

/// How two values in PLAIN form compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Boolean,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Float,
    Double,
    Float16,
    /// Unsigned bytewise: strings, binary, UUID.
    Bytes,
    /// Big-endian two's complement of equal width.
    Decimal,
    /// No order is defined: such a leaf has no bounds.
    Undefined,
}

impl Order {
    pub(crate) fn of(physical: PhysicalType, logical: LogicalType) -> Self {
        let unsigned = matches!(logical, LogicalType::Integer { signed: false, .. });
        match (physical, logical) {
            (PhysicalType::Int96, _) | (_, LogicalType::Unknown | LogicalType::Interval) => Self::Undefined,
            (PhysicalType::FixedLenByteArray, LogicalType::Decimal { .. }) => Self::Decimal,
            (_, LogicalType::Float16) => Self::Float16,
            (PhysicalType::Boolean, _) => Self::Boolean,
            (PhysicalType::Int32, _) if unsigned => Self::UInt32,
            (PhysicalType::Int32, _) => Self::Int32,
            (PhysicalType::Int64, _) if unsigned => Self::UInt64,
            (PhysicalType::Int64, _) => Self::Int64,
            (PhysicalType::Float, _) => Self::Float,
            (PhysicalType::Double, _) => Self::Double,
            (PhysicalType::ByteArray | PhysicalType::FixedLenByteArray, _) => Self::Bytes,
        }
    }

    /// Whether values can be NaN.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double | Self::Float16)
    }

    /// Compares two bounds in PLAIN form. Floats among them are never NaN.
    pub(crate) fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        let key = |bytes: &[u8]| {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(bytes) {
                *to = *from;
            }
            u64::from_le_bytes(word)
        };
        let low = |bytes: &[u8]| key(bytes) as u32;
        match self {
            Self::Boolean | Self::UInt32 | Self::UInt64 => key(a).cmp(&key(b)),
            Self::Int32 => low(a).cast_signed().cmp(&low(b).cast_signed()),
            Self::Int64 => key(a).cast_signed().cmp(&key(b).cast_signed()),
            Self::Float => f32::from_bits(low(a)).total_cmp(&f32::from_bits(low(b))),
            Self::Double => f64::from_bits(key(a)).total_cmp(&f64::from_bits(key(b))),
            Self::Float16 => float16_key(low(a) as u16).cmp(&float16_key(low(b) as u16)),
            Self::Bytes => a.cmp(b),
            // The sign is in the first byte alone.
            Self::Decimal => {
                let signed = |bytes: &[u8]| bytes.first().map(|byte| byte.cast_signed());
                signed(a).cmp(&signed(b)).then_with(|| a.cmp(b))
            }
            Self::Undefined => Ordering::Equal,
        }
    }
}

/// A half-precision bit pattern as an integer that sorts like its value: −0 before +0, NaN outside.
pub(crate) fn float16_key(bits: u16) -> i16 {
    let signed = bits.cast_signed();
    if signed < 0 { signed ^ i16::MAX } else { signed }
}

#[cfg(test)]
mod tests;
