//! BYTE_STREAM_SPLIT (parquet-format, Encodings: 9): first bytes of all values, then all second bytes, and so on.

use crate::error::{Error, reserve};

/// Appends values of `width` bytes each.
pub(crate) fn split(values: &[u8], width: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    reserve(out, values.len())?;
    match width {
        4 => streams::<4>(values, out),
        8 => streams::<8>(values, out),
        _ => {
            for stream in 0..width {
                out.extend(values.iter().skip(stream).step_by(width));
            }
        }
    }
    Ok(())
}

fn streams<const N: usize>(values: &[u8], out: &mut Vec<u8>) {
    let values = values.as_chunks::<N>().0;
    for stream in 0..N {
        out.extend(values.iter().filter_map(|value| value.get(stream)));
    }
}

#[cfg(test)]
mod tests;
