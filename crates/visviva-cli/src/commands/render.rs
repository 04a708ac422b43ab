//! `visviva render DIR`: pictures and films of a run.

use crate::args::colour_by;
use crate::condition;
use crate::failure::Usage;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use visviva::run::RunFolder;
use visviva_pictures::render::{Animation, Frames, Movie, Renderer};
use visviva_pictures::run::{ColourBy, Look, RunPictures};

#[derive(Debug, clap::Args)]
pub struct RenderArgs {
    /// The run folder; it may still be written to
    dir: PathBuf,
    /// Where pictures go; by default DIR/pictures
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Every frame as a PNG
    #[arg(long)]
    png: bool,
    /// An animated GIF (what is made when nothing is asked for)
    #[arg(long)]
    gif: bool,
    /// A film, through ffmpeg
    #[arg(long)]
    mp4: bool,
    /// A sheet of so many frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=400))]
    sheet: Option<u16>,
    /// So many frames in one picture, the earlier ones translucent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=400))]
    superimpose: Option<u16>,
    /// One frame, by its time [s]
    #[arg(long, value_name = "T")]
    at: Option<f64>,
    /// Colour by a field instead of by body
    #[arg(long, default_value = "body", value_parser = colour_by())]
    color_by: ColourBy,
    /// Factor on displacements from the rest shape
    #[arg(long, default_value = "1")]
    magnify: f64,
    /// Width and height [px]
    #[arg(long, default_value = "960x540", value_parser = size)]
    size: (usize, usize),
    /// Frames a second of films; by default those of the run
    #[arg(long)]
    fps: Option<f64>,
    /// Only every N-th frame
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Films of the frames as they were computed, though their times be uneven: none is interpolated
    #[arg(long)]
    no_interpolation: bool,
    /// Draw the mesh that is simulated, with its edges, in place of the surface that a file gave
    #[arg(long)]
    edges: bool,
    /// No ground
    #[arg(long)]
    no_ground: bool,
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let parse = || {
        let (w, h) = text.split_once('x')?;
        Some((w.parse().ok()?, h.parse().ok()?))
    };
    match parse() {
        Some((w, h)) if w > 0 && h > 0 => Ok((w, h)),
        Some(_) => Err(format!("{text}: an image needs an area")),
        None => Err(format!("`{text}` is not WIDTHxHEIGHT, such as 1920x1080")),
    }
}

impl RenderArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if !self.magnify.is_finite() {
            return Err(Usage(format!("--magnify {}: it must be finite", self.magnify)).into());
        }
        let look = Look {
            size: self.size,
            colour_by: self.color_by,
            magnify: self.magnify,
            mesh_edges: self.edges,
            ground: !self.no_ground,
            captions: true,
        };
        condition::warn(&RunFolder::open(&self.dir)?.condition());
        let run = RunPictures::open(&self.dir, look)?;
        let out = self.out.clone().unwrap_or_else(|| self.dir.join("pictures"));
        std::fs::create_dir_all(&out).with_context(|| format!("cannot make the folder {}", out.display()))?;
        let mut renderer = Renderer::new();
        let mut made = Vec::new();
        if let Some(n) = self.superimpose {
            let path = out.join("superimposed.png");
            run.superimposed(usize::from(n), &mut renderer)?.write_png(&path)?;
            made.push(path);
        }
        if let Some(n) = self.sheet {
            let path = out.join("sheet.png");
            run.sheet(usize::from(n), &mut renderer)?.write_png(&path)?;
            made.push(path);
        }
        if let Some(t) = self.at {
            let nearest = run.frames.iter().enumerate().min_by(|a, b| (a.1.t - t).abs().total_cmp(&(b.1.t - t).abs()));
            let (index, info) = nearest.context("the run has no frames")?;
            if run.frames.iter().all(|frame| frame.t < t) && (t - info.t) * run.scene.run.frame_rate > 0.5 {
                eprintln!("note: --at {t}: the last frame, which is shown, is of t = {} s", info.t);
            }
            let path = out.join(format!("frame-{:06}.png", info.index));
            renderer.draw(&run.picture(&[run.moment(index)?]))?.write_png(&path)?;
            made.push(path);
        }
        let nothing_else = made.is_empty() && !self.png && !self.mp4;
        if self.png || self.mp4 || self.gif || nothing_else {
            made.extend(self.films(&run, &out, self.gif || nothing_else, &mut renderer)?);
        }
        for path in made {
            println!("{}", path.display());
        }
        Ok(())
    }

    /// All films in one pass over the frames.
    fn films(
        &self,
        run: &RunPictures,
        out: &std::path::Path,
        gif: bool,
        renderer: &mut Renderer,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let rate = self.fps.unwrap_or(run.scene.run.frame_rate / f64::from(self.every));
        let (gif_path, mp4_path) = (out.join("film.gif"), out.join("film.mp4"));
        let mut frames = self.png.then(|| Frames::new(out, "frame")).transpose()?;
        let mut gif = gif.then(|| Animation::create(&gif_path, self.size, rate)).transpose()?;
        let mut movie = self.mp4.then(|| Movie::create(&mp4_path, self.size, rate)).transpose()?;
        let film: Vec<_> = run.film(!self.no_interpolation).into_iter().step_by(self.every as usize).collect();
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} frames  {eta} left")?;
        let bar = ProgressBar::new(film.len() as u64).with_style(style);
        for shown in &film {
            let states = [run.film_moment(shown)?];
            let image = renderer.draw(&run.picture(&states))?;
            if let Some(frames) = &mut frames {
                frames.add(image)?;
            }
            if let Some(gif) = &mut gif {
                gif.add(image)?;
            }
            if let Some(movie) = &mut movie {
                movie.add(image)?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        condition::tell_interpolated(&film);
        let mut made = Vec::new();
        if frames.is_some() {
            made.push(out.join("frame-00001.png"));
        }
        if let Some(gif) = gif {
            gif.finish()?;
            made.push(gif_path);
        }
        if let Some(movie) = movie {
            movie.finish()?;
            made.push(mp4_path);
        }
        Ok(made)
    }
}
