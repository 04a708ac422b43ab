//! An exporter that looks on: a session's frames in another program's format while it goes.

use super::{Observer, ObserverError, SeenFrame, Session, Summary};
use crate::run::export::{ExportFrame, Exported, Exporter};
use crate::run::{Frame, OutputError, RunMesh};

/// Hands every `every`-th frame to an exporter.
#[derive(Debug)]
pub struct LiveExport {
    exporter: Box<dyn Exporter>,
    every: u64,
    mesh: RunMesh,
}

impl LiveExport {
    pub fn new(exporter: Box<dyn Exporter>, every: u64) -> Self {
        Self { exporter, every: every.max(1), mesh: RunMesh::default() }
    }
}

impl Observer for LiveExport {
    fn begin(&mut self, session: &Session) -> Result<(), ObserverError> {
        self.mesh = session.mesh();
        Ok(self.exporter.begin(exported(&self.mesh, session))?)
    }

    fn frame(&mut self, session: &Session, frame: SeenFrame<'_>) -> Result<(), ObserverError> {
        if !frame.index.is_multiple_of(self.every) {
            return Ok(());
        }
        let nodes = Frame::from_flat(session.positions(), session.velocities());
        let (found, expected) = (nodes.x.len(), self.mesh.rest.len());
        let vertices = self.mesh.at_vertices(nodes.clone()).ok_or(OutputError::NodeCount { found, expected })?;
        let (index, t, contacts, interpolated) = (frame.index, session.time(), frame.contacts, false);
        let run = exported(&self.mesh, session);
        Ok(self
            .exporter
            .frame(run, &ExportFrame { index, t, nodes: &nodes, vertices: &vertices, interpolated, contacts })?)
    }

    fn end(&mut self, _session: &Session, _summary: &Summary) -> Result<(), ObserverError> {
        self.exporter.finish()?;
        Ok(())
    }
}

fn exported<'a>(mesh: &'a RunMesh, session: &'a Session) -> Exported<'a> {
    Exported { mesh, rate: session.scene().run.frame_rate, model: Some(session.model()) }
}
