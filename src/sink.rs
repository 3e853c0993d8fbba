//! Where bytes leave the core, each once. Offsets are counted here and nowhere else.

use bytes::Bytes;

use crate::error::Error;
use crate::options::Codec;

/// What a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    Data,
    /// Goes before all data pages of its chunk, though it is finished after them.
    Dictionary,
}

/// Takes what the core has finished. All slices are lent for the call.
///
/// Pages of a chunk arrive while the chunk is open; its dictionary page, if any, last. At `end_chunk` they become
/// the next bytes of the file: the dictionary page, then the data pages in order.
pub trait Sink {
    /// The next bytes of the file: magic, indexes, footer.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error>;
    /// A page of the open chunk of `column`.
    fn page(&mut self, column: usize, kind: PageKind, header: &[u8], body: &[u8]) -> Result<(), Error>;
    /// The chunk of `column` is complete.
    fn end_chunk(&mut self, column: usize) -> Result<(), Error>;
    /// Compresses a page of `column` into the start of `out`, which may be longer; gives the bytes. For columns of
    /// [`Codec::External`].
    fn compress(&mut self, _column: usize, codec: Codec, _page: &[u8], _out: &mut Vec<u8>) -> Result<usize, Error> {
        Err(Error::Codec { codec: codec.id() })
    }
}

/// A sink that knows how long the file is.
#[derive(Debug)]
pub(crate) struct Counted<S> {
    pub sink: S,
    position: u64,
}

impl<S: Sink> Counted<S> {
    pub fn new(sink: S) -> Self {
        Self { sink, position: 0 }
    }

    /// Length of the file so far; pages count from the end of their chunk.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Appends to the file.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.position += bytes.len() as u64;
        self.sink.bytes(bytes)
    }

    /// Appends the chunk's pages, `bytes` in all, to the file; gives the offset where they begin.
    pub fn end_chunk(&mut self, column: usize, bytes: u64) -> Result<u64, Error> {
        let start = self.position;
        self.position += bytes;
        self.sink.end_chunk(column)?;
        Ok(start)
    }
}

/// Keeps the file in memory, as the parts it came in.
#[derive(Debug, Default)]
pub struct MemorySink {
    file: Vec<Bytes>,
    pages: Vec<Vec<Bytes>>,
}

impl MemorySink {
    /// The file's bytes in order.
    pub fn parts(&self) -> &[Bytes] {
        &self.file
    }

    /// The file in one piece.
    pub fn to_vec(&self) -> Vec<u8> {
        self.file.concat()
    }

    fn chunk(&mut self, column: usize) -> Result<&mut Vec<Bytes>, Error> {
        if self.pages.len() <= column {
            self.pages.resize_with(column + 1, Vec::new);
        }
        self.pages.get_mut(column).ok_or(Error::Sink)
    }
}

impl Sink for MemorySink {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.push(Bytes::copy_from_slice(bytes));
        Ok(())
    }

    fn page(&mut self, column: usize, kind: PageKind, header: &[u8], body: &[u8]) -> Result<(), Error> {
        let page = Bytes::from([header, body].concat());
        let pages = self.chunk(column)?;
        match kind {
            PageKind::Data => pages.push(page),
            PageKind::Dictionary => pages.insert(0, page),
        }
        Ok(())
    }

    fn end_chunk(&mut self, column: usize) -> Result<(), Error> {
        let mut pages = core::mem::take(self.chunk(column)?);
        self.file.append(&mut pages);
        Ok(())
    }
}
