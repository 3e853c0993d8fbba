//! RLE / bit-packed hybrid (parquet-format, Encodings: RLE = 3), without length prefix.

use super::bit_pack;
use crate::error::{Error, reserve};

/// The low bit of a run's header: 1 for a bit-packed run, whose count is in groups of 8.
pub(crate) const BIT_PACKED_RUN: u64 = 1;

/// Values of one group of a bit-packed run.
const GROUP: usize = 8;

/// Appends a ULEB128 number.
#[inline(never)]
pub(crate) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Shortest run that an RLE run stores in fewer bytes than bit packing, both headers around it counted.
fn shortest_run(width: u32) -> usize {
    let rle_bytes = 2 + 2 + width.div_ceil(8) as usize;
    (rle_bytes * GROUP).div_ceil(width as usize).next_multiple_of(GROUP)
}

/// Appends `values` (all below 2^width, width 1 to 32) as runs.
///
/// A run of equal values is looked for at each group of 8 and, once long enough, followed to its end; everything
/// between two such runs is packed in one piece.
pub(crate) fn hybrid<T: Copy + PartialEq + Into<u32>>(
    values: &[T],
    width: u32,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let shortest = shortest_run(width);
    let mut literals = values;
    let mut literal_count = 0;
    let mut ahead = values;
    while let Some((group, _)) = ahead.split_first_chunk::<GROUP>() {
        let [first, others @ ..] = *group;
        let mut step = GROUP;
        if others.iter().all(|&other| other == first) {
            let run = ahead.iter().take_while(|&&next| next == first).count();
            if run >= shortest {
                literal_run(literals.get(..literal_count).unwrap_or_default(), width, out)?;
                rle_run(run, first.into(), width, out)?;
                ahead = ahead.get(run..).unwrap_or_default();
                literals = ahead;
                literal_count = 0;
                continue;
            }
            // Too short to pay: its whole groups join the literals without being looked at again.
            step = run / GROUP * GROUP;
        }
        ahead = ahead.get(step..).unwrap_or_default();
        literal_count += step;
    }
    literal_run(literals, width, out)
}

fn rle_run(count: usize, value: u32, width: u32, out: &mut Vec<u8>) -> Result<(), Error> {
    reserve(out, 16)?;
    varint((count as u64) << 1, out);
    out.extend(value.to_le_bytes().iter().take(width.div_ceil(8) as usize));
    Ok(())
}

/// A bit-packed run; values that do not fill the last group are padded with zeros.
fn literal_run<T: Copy + Into<u32>>(values: &[T], width: u32, out: &mut Vec<u8>) -> Result<(), Error> {
    let groups = values.len().div_ceil(GROUP);
    if groups == 0 {
        return Ok(());
    }
    reserve(out, 16 + groups * width as usize)?;
    varint((groups as u64) << 1 | BIT_PACKED_RUN, out);
    let end = out.len() + groups * width as usize;
    bit_pack::pack(values, width, out)?;
    out.resize(end, 0);
    Ok(())
}

#[cfg(test)]
mod tests;
