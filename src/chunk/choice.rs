//! Whether a dictionary is worth a try: a look at rows from all over the chunk, before its first page.

use super::pages::{Pages, byte_length};
use crate::column::{Page, byte_array_bytes};
use crate::error::{Error, reserve};

impl Pages {
    pub(super) fn sample(&mut self, page: Page<'_>, chunk_rows: u64, width: usize, limit: usize) -> Result<(), Error> {
        if page.present == 0 {
            return Ok(());
        }
        self.codes.clear();
        self.dictionary.encode_codes(page.values, usize::MAX, &mut self.codes)?;
        let distinct = self.dictionary.len();
        let entry_bytes = self.dictionary.plain_bytes() as f64 / distinct as f64;
        let mut uses: Vec<u8> = Vec::new();
        reserve(&mut uses, distinct)?;
        uses.resize(distinct, 0);
        for &code in &self.codes {
            if let Some(count) = uses.get_mut(code as usize) {
                *count = count.saturating_add(1);
            }
        }
        let used = |times: u8| uses.iter().filter(|&&count| count == times).count() as f64;
        let (once, twice) = (used(1), used(2));
        let values = chunk_rows as f64 * page.present as f64 / page.rows as f64;
        // Chao's estimate of all distinct values from those seen once and twice in a sample.
        let entries = (distinct as f64 + once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))).min(values);
        let dictionary_bytes = entries * entry_bytes;
        let coded_bytes = dictionary_bytes + values * entries.log2().ceil().max(1.0) / 8.0;
        let value_bytes = match width {
            0 => byte_array_bytes(page.present, byte_length(page.values)) as f64 / page.present as f64,
            width => width as f64,
        };
        self.dictionary_open = dictionary_bytes <= limit as f64 && coded_bytes < 0.8 * values * value_bytes;
        self.sampled = true;
        self.dictionary.open(width)
    }
}
