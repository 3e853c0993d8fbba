//! Pages of front-coded strings end by what the encoding makes of them: cut by their plain size, values that are all
//! but the same would each begin a page of its own and be written in full.

use crate::column::Cursor;
use crate::encoding::delta_byte_array::common;

/// What lengths take, about.
const LENGTH_BYTES: usize = 2;
/// How many times larger than its encoded size a page may be in PLAIN form, and up to how many bytes: readers unpack
/// it as a whole.
const MOST_TIMES: usize = 64;
const MOST_BYTES: usize = 8 << 20;

/// Most bytes of a page in PLAIN form.
pub(super) fn most_plain(bytes: usize) -> usize {
    bytes.saturating_mul(MOST_TIMES).min(MOST_BYTES).max(bytes)
}

/// How many of the next rows make a page: at most `most`, with at most `bytes` bytes encoded, its first value not
/// counted. The flag says whether no further row could join it.
pub(super) fn fit(cursor: &Cursor<'_>, most: usize, bytes: usize) -> (usize, bool) {
    let plain = cursor.fit(most, bytes);
    if plain.0 == most || plain == (cursor.remaining(), false) {
        return plain;
    }
    let limit = most_plain(bytes);
    let (mut rows, mut plain_bytes, mut coded_bytes) = (0, 0, 0);
    let mut before: Option<&[u8]> = None;
    let mut good = 0;
    for entry in cursor.entries() {
        if entry.starts_row {
            if coded_bytes > bytes || plain_bytes > limit {
                return (good.max(1), true);
            }
            good = rows;
            if rows == most {
                return (most, true);
            }
            rows += 1;
        }
        let Some(slot) = entry.slot else { continue };
        let value = cursor.byte_array(slot);
        plain_bytes += 4 + value.len();
        if let Some(before) = before {
            coded_bytes += LENGTH_BYTES + value.len() - common(before, value);
        }
        before = Some(value);
    }
    if coded_bytes > bytes || plain_bytes > limit { (good.max(1), true) } else { (rows, rows == most) }
}
