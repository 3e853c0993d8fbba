//! `codecs FOLDER ROUNDS SIZE,SIZE LEVEL,LEVEL KIND …`: both encoders natively, in turns. Reads `FOLDER/KIND-SIZE`;
//! writes one line a measurement: encoder, level, size, kind, bytes in, bytes out, nanoseconds of processor time.

use codecs::Encoder;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, rounds, sizes, levels, kinds @ ..] = &arguments[..] else { panic!("see the source") };
    let numbers = |list: &str| list.split(',').map(|number| number.parse().unwrap()).collect::<Vec<i32>>();
    let mut ours = codecs::Ours::default();
    let mut library = codecs::Library::default();
    let mut out = Vec::new();
    for _ in 0..rounds.parse().unwrap() {
        for size in numbers(sizes) {
            for kind in kinds {
                let content = std::fs::read(format!("{folder}/{kind}-{size}")).unwrap();
                for level in numbers(levels) {
                    let case = (level, size, &kind[..], &content[..]);
                    measure("ours", &mut ours, case, &mut out);
                    measure("c", &mut library, case, &mut out);
                }
            }
        }
    }
}

fn measure(name: &str, encoder: &mut impl Encoder, case: (i32, i32, &str, &[u8]), out: &mut Vec<u8>) {
    let (level, size, kind, content) = case;
    let start = nanoseconds();
    let bytes: usize = content.chunks(size as usize).map(|page| encoder.compress(page, level, out)).sum();
    let time = nanoseconds() - start;
    check(encoder, case, out);
    println!("{name} {level} {size} {kind} {} {bytes} {time}", content.len());
}

/// Has the C library read what was compared.
fn check(encoder: &mut impl Encoder, (level, size, kind, content): (i32, i32, &str, &[u8]), out: &mut Vec<u8>) {
    let mut decoder = zstd_safe::DCtx::create();
    let mut plain = vec![0; size as usize];
    for page in content.chunks(size as usize) {
        let bytes = encoder.compress(page, level, out);
        let found = decoder.decompress(&mut plain[..], &out[..bytes]);
        assert_eq!(found, Ok(page.len()), "{kind} of {size} bytes, level {level}");
        assert!(plain[..page.len()] == *page, "{kind} of {size} bytes, level {level}");
    }
}

/// Processor time of this thread.
fn nanoseconds() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is the caller's.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
