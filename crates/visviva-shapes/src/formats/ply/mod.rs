//! PLY, the polygon format of Stanford, as text or binary of either byte order: one object.
//!
//! The format: <https://paulbourke.net/dataformats/ply/>. Of vertices `x y z` and `s t` or `u v` are taken, of faces
//! `vertex_indices` and MeshLab's `texcoord`, of edges their ends; other elements and properties are passed over.

mod header;

use super::{Cursor, Encoding, Format, Objects, ReadError, Scalar, excerpt, node_index};
use crate::{PolygonMesh, Uvs};
use header::Element;
use nalgebra::Vector3;

pub const FORMAT: Format = Format { name: "PLY", endings: &["ply"], sniff, read: |data, _| read(data) };

fn sniff(data: &[u8]) -> bool {
    data.split(|&b| b == b'\n').next().is_some_and(|line| line.trim_ascii_end() == b"ply")
}

fn read(data: &[u8]) -> Result<Objects, ReadError> {
    if !sniff(data) {
        return Err(ReadError::NotRecognised { begins: excerpt(data) });
    }
    let mut cursor = Cursor::new(data);
    let elements = header::read(&mut cursor)?;
    let vertex_count = elements.iter().find(|element| element.name == "vertex").map_or(0, |element| element.count);
    let mut body = Body { vertex_count, ..Body::default() };
    for (index, element) in elements.iter().enumerate() {
        if elements[..index].iter().any(|earlier| earlier.name == element.name) {
            return Err(cursor.syntax(0, "every element once in the header", format!("{} again", element.name)));
        }
        match element.name.as_str() {
            "vertex" => body.vertices(&mut cursor, element)?,
            "face" => body.faces(&mut cursor, element)?,
            "edge" => body.edges(&mut cursor, element)?,
            _ if element.properties.is_empty() => {}
            _ => each_record(&mut cursor, element, |_, _| Ok(()))?,
        }
    }
    let Body { mut mesh, texture_of_vertex, texture_of_corner, .. } = body;
    mesh.uvs = if !texture_of_vertex.is_empty() {
        Some(Uvs { values: texture_of_vertex, of_corner: mesh.polygons.corners.clone() })
    } else if texture_of_corner.iter().any(|uv| *uv != [0.0; 2]) {
        Some(Uvs { of_corner: (0..texture_of_corner.len() as u32).collect(), values: texture_of_corner })
    } else {
        None
    };
    Ok(Objects { meshes: vec![mesh], ..Objects::default() })
}

#[derive(Debug, Default)]
struct Body {
    /// As the header has it
    vertex_count: usize,
    mesh: PolygonMesh,
    texture_of_vertex: Vec<[f64; 2]>,
    texture_of_corner: Vec<[f64; 2]>,
}

/// One record: a list for each property, of one value where it is a single number.
type Record = Vec<Vec<f64>>;

impl Body {
    fn vertices(&mut self, cursor: &mut Cursor, element: &Element) -> Result<(), ReadError> {
        let place = |name: &str| {
            let lacks = || cursor.syntax(0, &format!("a property {name} of the vertices"), "none in the header");
            element.number(&[name]).ok_or_else(lacks)
        };
        let [x, y, z] = [place("x")?, place("y")?, place("z")?];
        let texture = [["s", "t"], ["u", "v"], ["texture_u", "texture_v"]]
            .into_iter()
            .find_map(|[u, v]| element.number(&[u]).zip(element.number(&[v])));
        self.mesh.positions.reserve(cursor.capacity(element.count, 6));
        each_record(cursor, element, |record, _| {
            self.mesh.positions.push(Vector3::new(record[x][0], record[y][0], record[z][0]));
            self.texture_of_vertex.extend(texture.map(|(u, v)| [record[u][0], record[v][0]]));
            Ok(())
        })
    }

    fn faces(&mut self, cursor: &mut Cursor, element: &Element) -> Result<(), ReadError> {
        let Some(list) = element.list(&["vertex_indices", "vertex_index"]) else {
            return Err(cursor.syntax(0, "a list vertex_indices of the faces", "none in the header"));
        };
        let texture = element.list(&["texcoord"]);
        each_record(cursor, element, |record, start| {
            let count = record[list].len();
            if count < 3 {
                return Err(start.syntax("at least three corners", count.to_string()));
            }
            for &vertex in &record[list] {
                let vertex = start.vertex(vertex, self.vertex_count, "face", self.mesh.polygons.len())?;
                self.mesh.polygons.corners.push(vertex);
            }
            self.mesh.polygons.ends.push(self.mesh.polygons.corners.len() as u32);
            if let Some(texture) = texture {
                let given = record[texture].chunks_exact(2).map(|uv| [uv[0], uv[1]]);
                self.texture_of_corner.extend(given.chain(std::iter::repeat([0.0; 2])).take(count));
            }
            Ok(())
        })
    }

    fn edges(&mut self, cursor: &mut Cursor, element: &Element) -> Result<(), ReadError> {
        let Some((a, b)) = element.number(&["vertex1"]).zip(element.number(&["vertex2"])) else {
            return if element.properties.is_empty() { Ok(()) } else { each_record(cursor, element, |_, _| Ok(())) };
        };
        each_record(cursor, element, |record, start| {
            let vertex = |k: usize| start.vertex(record[k][0], self.vertex_count, "edge", self.mesh.lines.len());
            self.mesh.lines.push([vertex(a)?, vertex(b)?]);
            Ok(())
        })
    }
}

/// Where a record begins, for messages about it.
struct Start<'a, 'b> {
    cursor: &'a Cursor<'b>,
    pos: usize,
}

impl Start<'_, '_> {
    fn syntax(&self, expected: &str, found: String) -> ReadError {
        self.cursor.syntax(self.pos, expected, found)
    }

    fn vertex(&self, number: f64, count: usize, kind: &'static str, element: usize) -> Result<u32, ReadError> {
        let unknown = || {
            let (place, element) = (self.cursor.place_at(self.pos), element as u64);
            ReadError::UnknownNode { place, kind, element, node: number as i64 }
        };
        node_index(number as i64, count).filter(|&vertex| f64::from(vertex) == number).ok_or_else(unknown)
    }
}

/// Reads the records of an element; all their numbers must be finite.
fn each_record(
    cursor: &mut Cursor,
    element: &Element,
    mut take: impl FnMut(&Record, Start) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut record: Record = vec![Vec::new(); element.properties.len()];
    for _ in 0..element.count {
        cursor.begin_record();
        let pos = cursor.pos;
        for (property, values) in element.properties.iter().zip(&mut record) {
            values.clear();
            let length = match property.length {
                Some(kind) => {
                    let length = number(cursor, kind, "the length of a list")?;
                    cursor.count(length as i64, "the length of a list")?
                }
                None => 1,
            };
            for _ in 0..length {
                values.push(number(cursor, property.kind, &property.name)?);
            }
        }
        cursor.end_record()?;
        take(&record, Start { cursor, pos })?;
    }
    Ok(())
}

fn number(cursor: &mut Cursor, kind: Scalar, what: &str) -> Result<f64, ReadError> {
    let value = match cursor.encoding {
        Encoding::Text => cursor.parse_here(what)?,
        encoding => kind.real(cursor.bytes(kind.bytes(), what)?, encoding == Encoding::Big),
    };
    let finite = || cursor.syntax(cursor.pos, &format!("a finite number as {what}"), value.to_string());
    if value.is_finite() { Ok(value) } else { Err(finite()) }
}
