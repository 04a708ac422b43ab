//! `visviva verify DIR`: every written frame judged by exact predicates, from positions and shapes alone.

use super::study::progress;
use crate::fault_drawing::{Fault, FaultDrawing, show_corners};
use crate::scene_exceptions::SceneExceptions;
use anyhow::ensure;
use nalgebra::Vector3;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use visviva::run::{Condition, Damage, Frame, FrameFaults, FrameInfo, RunFolder, RunMesh};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Judged: all pairs of triangles of all surfaces, those of one body too, touching and coplanar ones included; wires of \
obstacles against the triangles of all others; bodies and wires inside solid and affine ones; the orientation of every tet and every affine body; every number. What the scene allows (obstacles through each other, pinned parts, \
contact switched off, laws without a bound on inversion) is reported but is no failure.
kinds in the VTU: 1 intersection, 3 inverted tet or affine body, 4 inside another body; wires are lines"
)]
pub struct VerifyArgs {
    /// The run folder; it may have been cut short
    dir: PathBuf,
    /// Count what the scene allows as a failure too
    #[arg(long)]
    strict: bool,
    /// Write the offending triangles and wires of the first bad frame
    #[arg(long, value_name = "FILE")]
    vtu: Option<PathBuf>,
    /// Print machine-readable results
    #[arg(long)]
    json: bool,
}

/// Problems told one by one.
const TOLD: usize = 10;

/// What was found, and what is wrong of it in the first bad frame, with its time [s].
#[derive(Debug)]
pub struct Verified {
    pub report: Report,
    pub drawing: Option<(f64, FaultDrawing)>,
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Report {
    run: String,
    clean: bool,
    frames: usize,
    triangles: usize,
    wires: usize,
    tets: usize,
    /// The least ratio of a tet's or an affine body's volume to that at rest
    smallest_j: Option<f64>,
    smallest_j_frame: Option<u64>,
    smallest_j_body: Option<String>,
    /// Files that are not as the run left them, and frames or rows that are missing
    damage: Vec<String>,
    problem_count: usize,
    bad_frames: usize,
    /// The first few
    problems: Vec<Problem>,
    /// What the scene allows, with how often it was found
    allowed: BTreeMap<String, usize>,
}

#[derive(Debug, Serialize)]
struct Problem {
    frame: u64,
    t: f64,
    /// `intersection`, `wire-intersection`, `inverted-tet`, `inverted-body`, `inside`, `wire-inside` or `not-finite`
    kind: &'static str,
    bodies: Vec<String>,
    /// Triangles, wires, tets or nodes, counted within their bodies
    indices: Vec<i64>,
    /// Corners of each [m]; nothing where they are no numbers
    positions: Vec<Vec<[Option<f64>; 3]>>,
    text: String,
}

impl VerifyArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let Verified { report, drawing } = verified(&self.dir, self.strict)?;
        if let (Some(path), Some((t, drawing))) = (&self.vtu, drawing) {
            drawing.write(path, Some(t))?;
            eprintln!("what is wrong in the first bad frame is in {}", path.display());
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            report.print();
        }
        let (dir, count, bad) = (self.dir.display(), report.problem_count, report.bad_frames);
        ensure!(count == 0, "{dir}: {count} problems in {bad} of {} frames", report.frames);
        ensure!(
            report.clean,
            "{dir}: what is left is free of problems, but not all is there as it was ({} files)",
            report.damage.len()
        );
        Ok(())
    }
}

/// Judges every frame of a run; `strict` counts what its scene allows too.
pub fn verified(dir: &Path, strict: bool) -> anyhow::Result<Verified> {
    let folder = RunFolder::open(dir)?;
    let mesh = folder.mesh()?;
    let Condition { damage, notes } = folder.condition();
    notes.iter().for_each(|note| eprintln!("note: {note}"));
    let frames = folder.frames()?;
    ensure!(!frames.is_empty(), "{}: the run has no frames to verify", dir.display());
    let exceptions = SceneExceptions::new(&folder, &mesh);
    let mut verification = Verification {
        mesh: &mesh,
        exceptions: &exceptions,
        strict,
        drawing: None,
        report: Report {
            run: dir.display().to_string(),
            clean: true,
            frames: frames.len(),
            triangles: mesh.triangles.len(),
            wires: mesh.wires.len(),
            tets: mesh.tets.len(),
            smallest_j: None,
            smallest_j_frame: None,
            smallest_j_body: None,
            damage: damage.iter().map(Damage::to_string).collect(),
            problem_count: 0,
            bad_frames: 0,
            problems: Vec::new(),
            allowed: BTreeMap::new(),
        },
    };
    let bar = progress(frames.len() as u64);
    for info in &frames {
        let judged = folder.read_frame(info.index).map_err(anyhow::Error::from);
        if let Err(error) = judged.and_then(|frame| verification.judge(info, &frame)) {
            verification.report.damage.push(format!("frame {} cannot be judged: {error}", info.index));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let Verification { mut report, drawing, .. } = verification;
    report.clean = report.problem_count == 0 && report.damage.is_empty();
    Ok(Verified { report, drawing: drawing.filter(|(_, drawing)| !drawing.is_empty()) })
}

impl Report {
    fn print(&self) {
        for damage in self.damage.iter().take(TOLD) {
            println!("{damage}");
        }
        if self.damage.len() > TOLD {
            println!("… and {} more files", self.damage.len() - TOLD);
        }
        for problem in &self.problems {
            println!("frame {}, t = {:.4} s: {}", problem.frame, problem.t, problem.text);
        }
        if self.problem_count > self.problems.len() {
            println!("… and {} more", self.problem_count - self.problems.len());
        }
        for (what, count) in &self.allowed {
            println!("allowed by the scene: {what}, {count} times");
        }
        if self.clean {
            let least = match (self.smallest_j, self.smallest_j_frame, &self.smallest_j_body) {
                (Some(j), Some(frame), Some(body)) => format!("; smallest J {j:.4} (`{body}`, frame {frame})"),
                _ => String::new(),
            };
            let Self { frames, triangles, tets, .. } = self;
            let wires = if self.wires > 0 { format!(", {} wires", self.wires) } else { String::new() };
            println!("clean: {frames} frames of {triangles} triangles{wires} and {tets} tets{least}");
        }
    }
}

struct Verification<'a> {
    mesh: &'a RunMesh,
    exceptions: &'a SceneExceptions<'a>,
    strict: bool,
    report: Report,
    /// Of the first bad frame, with its time
    drawing: Option<(f64, FaultDrawing)>,
}

impl Verification<'_> {
    fn judge(&mut self, info: &FrameInfo, frame: &Frame) -> anyhow::Result<()> {
        let mesh = self.mesh;
        let x = mesh.vertices(frame)?;
        let faults = mesh.faults(frame)?;
        let FrameFaults { not_finite, inverted, crossings, swallowed, least_volume, .. } = &faults;
        if let Some((j, body)) = least_volume.filter(|(j, _)| self.report.smallest_j.is_none_or(|least| *j < least)) {
            self.report.smallest_j = Some(j);
            self.report.smallest_j_frame = Some(info.index);
            self.report.smallest_j_body = Some(self.name(Some(body as usize)));
        }
        let before = self.report.problem_count;
        let mut shown = FaultDrawing::default();
        for &node in not_finite {
            let owner =
                mesh.bodies.iter().position(|body| (body.vertices[0]..body.vertices[1]).contains(&(node as usize)));
            let index = i64::from(node) - owner.map_or(0, |body| mesh.bodies[body].vertices[0] as i64);
            let text = format!("node {index} of `{}` is not finite: {:?}", self.name(owner), frame.x[node as usize]);
            self.add(info, "not-finite", &[owner], &[index], &[vec![x[node as usize]]], text);
        }
        for &tet in inverted {
            let owner = mesh.body_of_tet(tet);
            let index = i64::from(tet) - owner.map_or(0, |body| mesh.bodies[body].tets[0] as i64);
            let name = self.name(owner);
            let reason = owner.and_then(|body| self.exceptions.inversion(body));
            if self.excused(reason, || format!("`{name}`: inverted tets ({})", reason.unwrap_or(""))) {
                continue;
            }
            let corners = mesh.tets[tet as usize].map(|vertex| x[vertex as usize]);
            let text = format!("tet {index} of `{name}` is inverted or flat: {}", show_corners(&corners));
            for [a, b, c] in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] {
                let face = [corners[a], corners[b], corners[c]];
                shown.add(Fault::Inverted, owner.map_or(-1, |body| body as i64), index, face);
            }
            self.add(info, "inverted-tet", &[owner], &[index], &[corners.to_vec()], text);
        }
        for &body in &faults.turned {
            let body = body as usize;
            for (index, triangle) in (0..).zip(&mesh.triangles[mesh.bodies[body].triangle_range()]) {
                shown.add(Fault::Inverted, body as i64, index, triangle.map(|vertex| x[vertex as usize]));
            }
            let text = format!("`{}` is flat or turned inside out", self.name(Some(body)));
            self.add(info, "inverted-body", &[Some(body)], &[], &[], text);
        }
        for &pair in crossings {
            let owners = pair.map(|triangle| mesh.body_of_triangle(triangle));
            let [first, second] = owners.map(|owner| self.name(owner));
            let reason = self.exceptions.crossing(pair);
            if self.excused(reason, || format!("`{first}` through `{second}` ({})", reason.unwrap_or(""))) {
                continue;
            }
            let corners = pair.map(|triangle| mesh.triangles[triangle as usize].map(|vertex| x[vertex as usize]));
            let mut indices = [0; 2];
            for (i, triangle) in pair.into_iter().enumerate() {
                indices[i] = i64::from(triangle) - owners[i].map_or(0, |body| mesh.bodies[body].triangles[0] as i64);
                shown.add(Fault::Intersection, owners[i].map_or(-1, |body| body as i64), indices[i], corners[i]);
            }
            let [i, j] = indices;
            let [p, q] = corners.map(|corners| show_corners(&corners));
            let text = format!("triangle {i} of `{first}` at {p} intersects triangle {j} of `{second}` at {q}");
            self.add(info, "intersection", &owners, &indices, &corners.map(|c| c.to_vec()), text);
        }
        for &[inner, outer] in swallowed {
            let (inner, outer) = (inner as usize, outer as usize);
            let [a, b] = [inner, outer].map(|body| self.name(Some(body)));
            let reason = self.exceptions.surfaces(inner, outer);
            if self.excused(reason, || format!("`{a}` inside `{b}` ({})", reason.unwrap_or(""))) {
                continue;
            }
            for (index, triangle) in (0..).zip(&mesh.triangles[mesh.bodies[inner].triangle_range()]) {
                shown.add(Fault::Swallowed, inner as i64, index, triangle.map(|vertex| x[vertex as usize]));
            }
            let text = format!("`{a}` lies inside `{b}`");
            self.add(info, "inside", &[Some(inner), Some(outer)], &[], &[], text);
        }
        self.judge_wires(info, &faults, &x, &mut shown);
        if self.report.problem_count > before {
            self.report.bad_frames += 1;
            self.drawing.get_or_insert((info.t, shown));
        }
        Ok(())
    }

    fn judge_wires(&mut self, info: &FrameInfo, faults: &FrameFaults, x: &[Vector3<f64>], shown: &mut FaultDrawing) {
        let mesh = self.mesh;
        let number = |owner: Option<usize>| owner.map_or(-1, |body| body as i64);
        let ends = |wire: u32| mesh.wires[wire as usize].map(|vertex| x[vertex as usize]);
        let own_wire = |wire: u32, owner: Option<usize>| {
            i64::from(wire) - owner.map_or(0, |body| mesh.bodies[body].wires[0] as i64)
        };
        for &[wire, triangle] in &faults.wire_crossings {
            let owners = [mesh.body_of_wire(wire), mesh.body_of_triangle(triangle)];
            let [first, second] = owners.map(|owner| self.name(owner));
            let reason = self.exceptions.wire_crossing([wire, triangle]);
            if self.excused(reason, || format!("wires of `{first}` through `{second}` ({})", reason.unwrap_or(""))) {
                continue;
            }
            let i = own_wire(wire, owners[0]);
            let j = i64::from(triangle) - owners[1].map_or(0, |body| mesh.bodies[body].triangles[0] as i64);
            let (ends, corners) = (ends(wire), mesh.triangles[triangle as usize].map(|vertex| x[vertex as usize]));
            shown.add_wire(Fault::Intersection, number(owners[0]), i, ends);
            shown.add(Fault::Intersection, number(owners[1]), j, corners);
            let (p, q) = (show_corners(&ends), show_corners(&corners));
            let text = format!("wire {i} of `{first}` at {p} intersects triangle {j} of `{second}` at {q}");
            self.add(info, "wire-intersection", &owners, &[i, j], &[ends.to_vec(), corners.to_vec()], text);
        }
        for &[wire, outer] in &faults.swallowed_wires {
            let owners = [mesh.body_of_wire(wire), Some(outer as usize)];
            let [first, second] = owners.map(|owner| self.name(owner));
            let reason = owners[0].and_then(|body| self.exceptions.surfaces(body, outer as usize));
            if self.excused(reason, || format!("wires of `{first}` inside `{second}` ({})", reason.unwrap_or(""))) {
                continue;
            }
            let (i, ends) = (own_wire(wire, owners[0]), ends(wire));
            shown.add_wire(Fault::Swallowed, number(owners[0]), i, ends);
            let text = format!("wire {i} of `{first}` at {} lies inside `{second}`", show_corners(&ends));
            self.add(info, "wire-inside", &owners, &[i], &[ends.to_vec()], text);
        }
    }

    /// Whether the scene allows what was found; then it is only counted.
    fn excused(&mut self, reason: Option<&str>, what: impl Fn() -> String) -> bool {
        let excused = reason.is_some() && !self.strict;
        if excused {
            *self.report.allowed.entry(what()).or_default() += 1;
        }
        excused
    }

    fn add(
        &mut self,
        info: &FrameInfo,
        kind: &'static str,
        bodies: &[Option<usize>],
        indices: &[i64],
        positions: &[Vec<Vector3<f64>>],
        text: String,
    ) {
        self.report.problem_count += 1;
        if self.report.problems.len() == TOLD {
            return;
        }
        let number = |p: &Vector3<f64>| std::array::from_fn(|k| Some(p[k]).filter(|c| c.is_finite()));
        let bodies = bodies.iter().map(|body| self.name(*body)).collect();
        let positions = positions.iter().map(|corners| corners.iter().map(number).collect()).collect();
        let (frame, t, indices) = (info.index, info.t, indices.to_vec());
        self.report.problems.push(Problem { frame, t, kind, bodies, indices, positions, text });
    }

    fn name(&self, body: Option<usize>) -> String {
        body.map_or("no body", |body| &self.mesh.bodies[body].name).to_owned()
    }
}
