#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{MAX_SYMBOLS, Table, normalize, suitable_log};
use crate::codec::zstd::tests::logarithmic;
use crate::testing::rounds;

#[test]
fn shares_fill_the_table_and_leave_nobody_out() {
    rounds(3000, |random| {
        let symbols = 2 + random.below(MAX_SYMBOLS - 2);
        let most = 1 + logarithmic(random, 16);
        let mut histogram: Vec<u32> = (0..symbols).map(|_| random.below(most + 1) as u32).collect();
        histogram[0] += 1;
        histogram[symbols - 1] += 1;
        let total: u32 = histogram.iter().sum();
        let log = suitable_log(total as usize, symbols - 1, 9);
        let normalized = normalize(&histogram, total, log);
        assert_eq!(normalized.counts.iter().map(|&count| i32::from(count)).sum::<i32>(), 1 << log, "{histogram:?}");
        for (count, times) in normalized.counts.iter().zip(&histogram) {
            assert_eq!(*count > 0, *times > 0, "{histogram:?}");
        }
    });
}

#[test]
fn costs_are_logarithms() {
    let mut table = Table::default();
    for count in 1..=256u32 {
        table.build(&normalize(&[count, 512 - count], 512, 9));
        let exact = -(f64::from(count) / 512.0).log2() * 256.0;
        let cost = table.cost(&[1]).unwrap() as f64;
        assert!((cost - exact).abs() < 4.5, "{count}: {cost} for {exact}");
    }
    assert_eq!(table.cost(&[1, 1, 1]), None, "a symbol without a place");
}
