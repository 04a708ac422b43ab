//! USD as text (.usda), for Blender, Houdini, Maya and whatever else reads it: a mesh a body, its points in time samples.
//!
//! <https://openusd.org/release/api/usd_geom_page_front.html>: UsdGeomMesh, UsdGeomBasisCurves, UsdGeomSubset; materials are
//! UsdPreviewSurfaces.

mod text;

use super::at_the_end::{AtTheEnd, file_in};
use super::looks::{Materials, body_colours, palette_colour};
use super::motion::Motion;
use super::{Format, names};
use crate::run::error::{At, OutputError};
use crate::run::whole_file;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use text::{counts, number, quoted, triple, tuples};

pub const FORMAT: Format = Format {
    name: "usd",
    aliases: &["usda"],
    what: "for Blender, Houdini and Maya: one file with every body, its polygons, UVs, materials' names and motion",
    folder: "usd",
    uses_materials: false,
    unwieldy: None,
    exporter: |place| Box::new(AtTheEnd::new(place, write)),
};

fn write(motion: &Motion, place: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let path = file_in(place, "motion.usda")?;
    whole_file::write_in_parts(&path, |out| Stage::new(motion).write(out)).at(&path)?;
    Ok(vec![path])
}

/// All that is written.
struct Stage<'a> {
    motion: &'a Motion,
    codes: Vec<f64>,
    prims: Vec<Prim>,
    materials: Materials<'a>,
    material_names: Vec<String>,
}

/// What is shown of a body, under a name of its own.
struct Prim {
    body: usize,
    shape: Shape,
    name: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Polygons,
    Wires,
}

/// Where materials are, as Blender has it
const MATERIALS: &str = "_materials";
/// Of wires: they have none, and nothing would be seen of them `[m]`
const WIRE_WIDTH: f64 = 1e-3;

impl<'a> Stage<'a> {
    fn new(motion: &'a Motion) -> Self {
        let bodies = &motion.bodies;
        let shapes = |body: usize| {
            let polygons = (!bodies[body].polygons.is_empty()).then_some((body, Shape::Polygons));
            let wires = (!bodies[body].wires.is_empty()).then_some((body, Shape::Wires));
            polygons.into_iter().chain(wires)
        };
        let shapes: Vec<(usize, Shape)> = (0..bodies.len()).flat_map(shapes).collect();
        let shown = shapes.iter().map(|&(body, _)| bodies[body].name.as_str());
        let names = names::identifiers([MATERIALS].into_iter().chain(shown)).into_iter().skip(1);
        let prims = shapes.iter().zip(names).map(|(&(body, shape), name)| Prim { body, shape, name }).collect();
        let materials = Materials::of(bodies);
        let material_names = names::identifiers(materials.names.iter().copied());
        Self { motion, codes: motion.time_codes(), prims, materials, material_names }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let rate = self.motion.rate;
        let (first, last) = (self.codes[0], self.codes[self.codes.len() - 1]);
        writeln!(out, "#usda 1.0\n(")?;
        writeln!(out, "    defaultPrim = \"root\"\n    doc = \"A motion from visviva, in metres and seconds\"")?;
        writeln!(out, "    endTimeCode = {last}\n    framesPerSecond = {rate}\n    metersPerUnit = 1")?;
        writeln!(out, "    startTimeCode = {first}\n    timeCodesPerSecond = {rate}\n    upAxis = \"Z\"\n)\n")?;
        writeln!(out, "def Xform \"root\"\n{{")?;
        let colours = body_colours(&self.motion.bodies);
        for prim in &self.prims {
            match prim.shape {
                Shape::Polygons => self.write_mesh(out, prim, colours[prim.body])?,
                Shape::Wires => self.write_curves(out, prim, colours[prim.body])?,
            }
        }
        self.write_materials(out)?;
        writeln!(out, "}}")
    }

    fn write_mesh(&self, out: &mut impl Write, prim: &Prim, colour: [f64; 3]) -> io::Result<()> {
        let body = &self.motion.bodies[prim.body];
        let parts = self.materials.parts(prim.body);
        // A body of one material is bound as a whole.
        let whole = parts.first().filter(|(_, polygons)| polygons.len() == body.polygons.len()).map(|part| part.0);
        let schemas = whole.map_or("", |_| BINDING);
        writeln!(
            out,
            "    def Mesh \"{}\" (\n{schemas}        displayName = {}\n    )\n    {{",
            prim.name,
            quoted(&body.name)
        )?;
        writeln!(out, "        uniform bool doubleSided = {}", u8::from(body.kind == "shell"))?;
        let sizes: Vec<u32> = body.polygons.iter().map(|polygon| polygon.len() as u32).collect();
        writeln!(out, "        int[] faceVertexCounts = {}", counts(&sizes))?;
        writeln!(out, "        int[] faceVertexIndices = {}", counts(&body.polygons.corners))?;
        self.write_motion(out, prim)?;
        write_colour(out, colour)?;
        if let Some(uvs) = &body.uvs {
            writeln!(out, "        texCoord2f[] primvars:st = {} (", tuples(&uvs.values))?;
            writeln!(out, "            interpolation = \"faceVarying\"\n        )")?;
            writeln!(out, "        int[] primvars:st:indices = {}", counts(&uvs.of_corner))?;
        }
        writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
        if let Some(material) = whole {
            writeln!(out, "        rel material:binding = <{}>", self.material_path(material))?;
        } else if !parts.is_empty() {
            writeln!(out, "        uniform token subsetFamily:materialBind:familyType = \"nonOverlapping\"")?;
            for (material, polygons) in &parts {
                self.write_subset(out, *material, polygons)?;
            }
        }
        writeln!(out, "    }}\n")
    }

    /// The polygons of a material.
    fn write_subset(&self, out: &mut impl Write, material: usize, polygons: &[usize]) -> io::Result<()> {
        let polygons: Vec<u32> = polygons.iter().map(|&polygon| polygon as u32).collect();
        writeln!(
            out,
            "\n        def GeomSubset \"{}\" (\n{BINDING}        )\n        {{",
            self.material_names[material]
        )?;
        writeln!(out, "            uniform token elementType = \"face\"")?;
        writeln!(out, "            uniform token familyName = \"materialBind\"")?;
        writeln!(out, "            int[] indices = {}", counts(&polygons))?;
        writeln!(out, "            rel material:binding = <{}>\n        }}", self.material_path(material))
    }

    /// Wires as straight curves of two points each.
    fn write_curves(&self, out: &mut impl Write, prim: &Prim, colour: [f64; 3]) -> io::Result<()> {
        let body = &self.motion.bodies[prim.body];
        writeln!(
            out,
            "    def BasisCurves \"{}\" (\n        displayName = {}\n    )\n    {{",
            prim.name,
            quoted(&body.name)
        )?;
        writeln!(out, "        int[] curveVertexCounts = {}", counts(&vec![2; body.wires.len()]))?;
        self.write_motion(out, prim)?;
        write_colour(out, colour)?;
        writeln!(out, "        uniform token type = \"linear\"")?;
        writeln!(
            out,
            "        float[] widths = [{WIRE_WIDTH}] (\n            interpolation = \"constant\"\n        )\n    }}\n"
        )
    }

    /// Points, velocities and the box round them: once, or in every frame.
    fn write_motion(&self, out: &mut impl Write, prim: &Prim) -> io::Result<()> {
        let samples = if self.motion.moves(prim.body)? { self.codes.len() } else { 1 };
        let positions = |frame: usize| self.motion.positions(prim.body, frame).map(|points| self.shown(prim, points));
        let velocities = |frame: usize| self.motion.velocities(prim.body, frame).map(|points| self.shown(prim, points));
        self.write_samples(out, "float3[] extent", samples, |frame| Ok(tuples(&extent(&positions(frame)?))))?;
        self.write_samples(out, "point3f[] points", samples, |frame| Ok(tuples(&positions(frame)?)))?;
        if samples > 1 {
            self.write_samples(out, "vector3f[] velocities", samples, |frame| Ok(tuples(&velocities(frame)?)))?;
        }
        Ok(())
    }

    /// Curves share no points.
    fn shown(&self, prim: &Prim, points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
        match prim.shape {
            Shape::Polygons => points,
            Shape::Wires => {
                let wires = self.motion.bodies[prim.body].wires.as_flattened();
                wires.iter().map(|&vertex| points[vertex as usize]).collect()
            }
        }
    }

    fn write_samples(
        &self,
        out: &mut impl Write,
        attribute: &str,
        samples: usize,
        value: impl Fn(usize) -> io::Result<String>,
    ) -> io::Result<()> {
        if samples == 1 {
            return writeln!(out, "        {attribute} = {}", value(0)?);
        }
        writeln!(out, "        {attribute}.timeSamples = {{")?;
        for (frame, code) in self.codes.iter().enumerate().take(samples) {
            writeln!(out, "            {code}: {},", value(frame)?)?;
        }
        writeln!(out, "        }}")
    }

    fn material_path(&self, material: usize) -> String {
        format!("/root/{MATERIALS}/{}", self.material_names[material])
    }

    fn write_materials(&self, out: &mut impl Write) -> io::Result<()> {
        if self.material_names.is_empty() {
            return Ok(());
        }
        writeln!(out, "    def Scope \"{MATERIALS}\"\n    {{")?;
        for (index, name) in self.material_names.iter().enumerate() {
            let (path, original) = (self.material_path(index), quoted(self.materials.names[index]));
            writeln!(
                out,
                "        def Material \"{name}\" (\n            displayName = {original}\n        )\n        {{"
            )?;
            writeln!(out, "            token outputs:surface.connect = <{path}/Surface.outputs:surface>\n")?;
            writeln!(out, "            def Shader \"Surface\"\n            {{")?;
            writeln!(out, "                uniform token info:id = \"UsdPreviewSurface\"")?;
            writeln!(out, "                color3f inputs:diffuseColor = {}", triple(palette_colour(index)))?;
            writeln!(out, "                float inputs:roughness = {}", number(0.5))?;
            writeln!(out, "                token outputs:surface\n            }}\n        }}\n")?;
        }
        writeln!(out, "    }}")
    }
}

const BINDING: &str = "        prepend apiSchemas = [\"MaterialBindingAPI\"]\n";

fn write_colour(out: &mut impl Write, colour: [f64; 3]) -> io::Result<()> {
    writeln!(out, "        color3f[] primvars:displayColor = [{}] (", triple(colour))?;
    writeln!(out, "            interpolation = \"constant\"\n        )")
}

/// The least and the greatest coordinates.
fn extent(points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let reach = |pick: fn(f64, f64) -> f64, from: f64| {
        std::array::from_fn(|axis| points.iter().map(|point| point[axis]).fold(from, pick))
    };
    [reach(f64::min, f64::INFINITY), reach(f64::max, f64::NEG_INFINITY)]
}
