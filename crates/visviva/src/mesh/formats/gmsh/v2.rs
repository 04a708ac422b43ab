//! Gmsh 2: nodes as `number x y z`; elements one a line in text, in runs of one type in binary.

use super::{Builder, Kind};
use visviva_shapes::formats::{Cursor, Encoding, ReadError};

pub(super) fn nodes(cursor: &mut Cursor, builder: &mut Builder) -> Result<(), ReadError> {
    let count = section_count(cursor, "the number of nodes")?;
    builder.raw.positions.reserve(cursor.capacity(count, 8));
    for _ in 0..count {
        cursor.begin_record();
        let start = cursor.pos;
        let tag = cursor.int("a node number")?;
        let mut x = [0.0; 3];
        for k in 0..3 {
            x[k] = cursor.real("a coordinate")?;
        }
        cursor.end_record()?;
        builder.node(cursor, start, tag, x)?;
    }
    Ok(())
}

pub(super) fn elements(cursor: &mut Cursor, builder: &mut Builder) -> Result<(), ReadError> {
    let count = section_count(cursor, "the number of elements")?;
    let mut done = 0;
    while done < count {
        cursor.begin_record();
        let start = cursor.pos;
        if cursor.encoding == Encoding::Text {
            let tag = cursor.int("an element number")?;
            let code = cursor.int("an element type")?;
            let kind = Kind::of(code, || cursor.place_at(start))?;
            skip_tags(cursor)?;
            builder.element(cursor, &kind, tag, start, Cursor::int)?;
            cursor.end_record()?;
            done += 1;
            continue;
        }
        let code = cursor.int("an element type")?;
        let kind = Kind::of(code, || cursor.place_at(start))?;
        let run = cursor.int("the length of a run of elements")?;
        let run = cursor.count(run, "a positive number of elements")?;
        let tags = cursor.int("the number of tags")?;
        let tags = cursor.count(tags, "a number of tags")?;
        if run == 0 || run > count - done {
            let what = "the element count".into();
            let (declared, actual) = (count as u64, (done + run) as u64);
            return Err(ReadError::Count { place: cursor.place_at(start), what, declared, actual });
        }
        for _ in 0..run {
            let start = cursor.pos;
            let tag = cursor.int("an element number")?;
            cursor.bytes(tags.saturating_mul(4), "an element's tags")?;
            builder.element(cursor, &kind, tag, start, Cursor::int)?;
        }
        done += run;
    }
    Ok(())
}

/// The counts of version 2 are text even in a binary file, and end their line.
fn section_count(cursor: &mut Cursor, what: &str) -> Result<usize, ReadError> {
    let count = cursor.parse(what)?;
    cursor.line();
    Ok(count)
}

fn skip_tags(cursor: &mut Cursor) -> Result<(), ReadError> {
    let tags = cursor.int("the number of tags")?;
    for _ in 0..cursor.count(tags, "a number of tags")? {
        cursor.int("a tag")?;
    }
    Ok(())
}
