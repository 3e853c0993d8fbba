//! What is looked at before a page is made: kinds of values, nulls, text.

use crate::column::{Dense, Page, Presence, Values, bit};
use crate::error::Error;
use crate::schema::{Leaf, LogicalType, PhysicalType};

/// Whether values of this kind belong into a leaf of this type.
pub(super) fn accepts(leaf: &Leaf, values: Values<'_>) -> bool {
    match values {
        Values::Fixed(_) => leaf.width > 0,
        Values::Int8(_) | Values::UInt8(_) | Values::Int16(_) | Values::UInt16(_) => {
            leaf.physical == PhysicalType::Int32
        }
        Values::Bits { .. } => leaf.physical == PhysicalType::Boolean,
        Values::Bytes { .. } | Values::Codes(_) => leaf.physical == PhysicalType::ByteArray,
    }
}

pub(super) fn check_page(page: Page<'_>, leaf: &Leaf, check_text: bool) -> Result<(), Error> {
    if let Presence::Bits(bits) = page.presence
        && leaf.max_definition == 0
    {
        let row = (0..page.rows).find(|&row| !bit(bits, row)).unwrap_or(0);
        return Err(Error::NullInRequired { row });
    }
    let text = matches!(leaf.logical, LogicalType::String | LogicalType::Enum | LogicalType::Json);
    match page.values {
        Dense::Bytes { offsets, bytes } if check_text && text => check_utf8(page, leaf, offsets, bytes),
        _ => Ok(()),
    }
}

/// All bytes at once first: only where they are wrong, or a value ends inside a character, value by value.
fn check_utf8(page: Page<'_>, leaf: &Leaf, offsets: &[u32], bytes: &[u8]) -> Result<(), Error> {
    let base = offsets.first().copied().unwrap_or(0);
    let end = (offsets.last().copied().unwrap_or(0) - base) as usize;
    let all = bytes.get(..end).unwrap_or_default();
    let whole = core::str::from_utf8(all)
        .is_ok_and(|text| offsets.iter().all(|&offset| text.is_char_boundary((offset - base) as usize)));
    if whole {
        return Ok(());
    }
    let wrong = offsets.windows(2).position(|pair| match *pair {
        [start, end] => {
            let value = bytes.get((start - base) as usize..(end - base) as usize).unwrap_or_default();
            core::str::from_utf8(value).is_err()
        }
        _ => false,
    });
    match wrong {
        Some(index) => Err(Error::InvalidUtf8 { row: page.row_of(index, leaf.max_definition) }),
        None => Ok(()),
    }
}
