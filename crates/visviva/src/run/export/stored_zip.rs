//! A ZIP archive whose entries are stored as they are (PKWARE, APPNOTE.TXT 6.3.3, sections 4.3.7, 4.3.12, 4.3.16).

use flate2::CrcWriter;
use std::io::{self, Seek, SeekFrom, Write};

/// All that its 32-bit places can say
pub const MOST_BYTES: u64 = u32::MAX as u64;

/// Needs version 2.0, names are UTF-8 (bit 11), stored, at the first moment of 1980: the same arrays give the same bytes.
const COMMON: [u8; 10] = [20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0];

#[derive(Debug)]
pub struct StoredZip<W> {
    out: W,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    crc: u32,
    length: u32,
    start: u32,
}

impl<W: Write + Seek> StoredZip<W> {
    pub fn new(out: W) -> Self {
        Self { out, entries: Vec::new() }
    }

    /// The sum of the content is known only after it: its place is left free and filled then.
    pub fn add(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut CrcWriter<&mut W>) -> io::Result<()>,
    ) -> io::Result<()> {
        let start = self.out.stream_position()?;
        let mut entry = Entry { name: name.to_owned(), crc: 0, length: 0, start: place(start)? };
        self.write_local(&entry)?;
        let first = self.out.stream_position()?;
        let mut counted = CrcWriter::new(&mut self.out);
        content(&mut counted)?;
        entry.crc = counted.crc().sum();
        let end = self.out.stream_position()?;
        entry.length = place(end - first)?;
        self.out.seek(SeekFrom::Start(start))?;
        self.write_local(&entry)?;
        self.out.seek(SeekFrom::Start(end))?;
        self.entries.push(entry);
        Ok(())
    }

    /// Writes the list of all entries.
    pub fn finish(mut self) -> io::Result<()> {
        let start = place(self.out.stream_position()?)?;
        for entry in &self.entries {
            self.out.write_all(b"PK\x01\x02\x14\x00")?;
            self.out.write_all(&COMMON)?;
            entry.write_sums(&mut self.out)?;
            // No comment, first disk, no attributes.
            self.out.write_all(&[0; 10])?;
            self.out.write_all(&entry.start.to_le_bytes())?;
            self.out.write_all(entry.name.as_bytes())?;
        }
        let length = place(self.out.stream_position()?)? - start;
        let count = u16::try_from(self.entries.len()).map_err(|_| too_long())?.to_le_bytes();
        self.out.write_all(b"PK\x05\x06\0\0\0\0")?;
        self.out.write_all(&[count, count].concat())?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&start.to_le_bytes())?;
        self.out.write_all(&[0; 2])
    }

    fn write_local(&mut self, entry: &Entry) -> io::Result<()> {
        self.out.write_all(b"PK\x03\x04")?;
        self.out.write_all(&COMMON)?;
        entry.write_sums(&mut self.out)?;
        self.out.write_all(entry.name.as_bytes())
    }
}

impl Entry {
    /// Sum, length as stored and as it is, length of the name, no more fields.
    fn write_sums(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.crc.to_le_bytes())?;
        out.write_all(&self.length.to_le_bytes())?;
        out.write_all(&self.length.to_le_bytes())?;
        out.write_all(&u16::try_from(self.name.len()).map_err(|_| too_long())?.to_le_bytes())?;
        out.write_all(&[0; 2])
    }
}

fn place(at: u64) -> io::Result<u32> {
    u32::try_from(at).map_err(|_| too_long())
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "more than an archive of this kind can hold")
}
