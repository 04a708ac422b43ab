//! Gmsh 4.1: nodes and elements in blocks, one for each geometric entity; text and binary hold the same numbers.

use super::{Builder, Kind};
use visviva_shapes::formats::{Cursor, ReadError};

pub(super) fn nodes(cursor: &mut Cursor, builder: &mut Builder) -> Result<(), ReadError> {
    let section = cursor.pos;
    let [blocks, count] = section_counts(cursor)?;
    builder.raw.positions.reserve(cursor.capacity(count, 8));
    let before = builder.raw.positions.len();
    for _ in 0..blocks {
        cursor.begin_record();
        let dimension = cursor.int("an entity's dimension")?;
        cursor.int("an entity's number")?;
        let parametric = cursor.int("whether nodes are parametric")?;
        let in_block = cursor.size("the number of nodes in the block")?;
        let in_block = cursor.count(in_block, "the number of nodes in the block")?;
        cursor.end_record()?;
        let mut tags = Vec::with_capacity(cursor.capacity(in_block, 2));
        for _ in 0..in_block {
            // Numbers may share a line here.
            cursor.begin_record();
            tags.push((cursor.pos, cursor.size("a node number")?));
        }
        for (start, tag) in tags {
            cursor.begin_record();
            let mut x = [0.0; 3];
            for k in 0..3 {
                x[k] = cursor.real("a coordinate")?;
            }
            // A node on a curve or surface also gives its parameters u, v, w.
            for _ in 0..if parametric != 0 { dimension.clamp(0, 3) } else { 0 } {
                cursor.real("a parametric coordinate")?;
            }
            cursor.end_record()?;
            builder.node(cursor, start, tag, x)?;
        }
    }
    let actual = builder.raw.positions.len() - before;
    check_count(cursor, section, "the node count", count, actual)
}

pub(super) fn elements(cursor: &mut Cursor, builder: &mut Builder) -> Result<(), ReadError> {
    let section = cursor.pos;
    let [blocks, count] = section_counts(cursor)?;
    let mut actual = 0;
    for _ in 0..blocks {
        cursor.begin_record();
        let start = cursor.pos;
        cursor.int("an entity's dimension")?;
        cursor.int("an entity's number")?;
        let code = cursor.int("an element type")?;
        let in_block = cursor.size("the number of elements in the block")?;
        let in_block = cursor.count(in_block, "the number of elements in the block")?;
        cursor.end_record()?;
        let kind = Kind::of(code, || cursor.place_at(start))?;
        for _ in 0..in_block {
            cursor.begin_record();
            let start = cursor.pos;
            let tag = cursor.size("an element number")?;
            builder.element(cursor, &kind, tag, start, Cursor::size)?;
            cursor.end_record()?;
        }
        actual += in_block;
    }
    check_count(cursor, section, "the element count", count, actual)
}

/// Blocks and members; the smallest and largest number that follow are of no use.
fn section_counts(cursor: &mut Cursor) -> Result<[usize; 2], ReadError> {
    let blocks = cursor.size("the number of blocks")?;
    let count = cursor.size("the total count")?;
    cursor.size("the smallest number")?;
    cursor.size("the largest number")?;
    cursor.end_record()?;
    Ok([cursor.count(blocks, "the number of blocks")?, cursor.count(count, "the total count")?])
}

fn check_count(cursor: &Cursor, pos: usize, what: &str, declared: usize, actual: usize) -> Result<(), ReadError> {
    if declared == actual {
        return Ok(());
    }
    let (place, declared, actual) = (cursor.place_at(pos), declared as u64, actual as u64);
    Err(ReadError::Count { place, what: what.into(), declared, actual })
}
