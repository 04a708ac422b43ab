//! Drawing a figure to pixels, and writing files that are whole or absent.
use super::Figure;
use resvg::{tiny_skia, usvg};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::{fs, io};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ChartError {
    #[error("the figure is no valid SVG: {0}")]
    Svg(#[from] usvg::Error),
    #[error("a picture of {width} by {height} pixels cannot be drawn")]
    Size { width: f64, height: f64 },
    #[error("the picture could not be encoded: {0}")]
    Encode(String),
    #[error("{path} could not be written: {source}")]
    Write { path: PathBuf, source: io::Error },
}

/// Pixels of the PNG for one of the SVG.
const FILE_SCALE: f64 = 2.0;
/// Larger pictures would take gigabytes [px].
const LARGEST_SIDE: f64 = 16384.0;

/// Ubuntu Light, and Hack for the signs it lacks; nothing of the machine's own, so all draw alike.
static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
    let family = fonts.faces().next().and_then(|face| face.families.first()).map(|family| family.0.clone());
    if let Some(family) = family {
        fonts.set_sans_serif_family(family);
    }
    Arc::new(fonts)
});

/// Read with the fonts carried along.
pub(crate) fn parse(svg: &str) -> Result<usvg::Tree, usvg::Error> {
    let options = usvg::Options { fontdb: FONTS.clone(), font_family: "sans-serif".into(), ..Default::default() };
    usvg::Tree::from_str(svg, &options)
}

impl Figure {
    /// The figure as a PNG with `scale` pixels to one of its SVG.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, ChartError> {
        let tree = parse(&self.to_svg())?;
        let (width, height) = (tree.size().width() as f64 * scale, tree.size().height() as f64 * scale);
        let within = |side: f64| (1.0..=LARGEST_SIDE).contains(&side);
        let canvas = if within(width) && within(height) {
            tiny_skia::Pixmap::new(width.round() as u32, height.round() as u32)
        } else {
            None
        };
        let mut canvas = canvas.ok_or(ChartError::Size { width, height })?;
        let zoom = tiny_skia::Transform::from_scale(scale as f32, scale as f32);
        resvg::render(&tree, zoom, &mut canvas.as_mut());
        canvas.encode_png().map_err(|error| ChartError::Encode(error.to_string()))
    }

    /// Writes `stem`.svg and `stem`.png into a folder, made if absent, and returns both paths.
    pub fn write(&self, folder: &Path, stem: &str) -> Result<[PathBuf; 2], ChartError> {
        fs::create_dir_all(folder).map_err(|source| ChartError::Write { path: folder.into(), source })?;
        let png = self.to_png(FILE_SCALE)?;
        let paths = [folder.join(format!("{stem}.svg")), folder.join(format!("{stem}.png"))];
        write_whole(&paths[0], self.to_svg().as_bytes())?;
        write_whole(&paths[1], &png)?;
        Ok(paths)
    }
}

/// Writes beside the target and renames: a reader sees the old file or the new one.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ChartError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, path)).map_err(|source| {
        let _ = fs::remove_file(&part);
        ChartError::Write { path: path.into(), source }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Chart, Colour, Series};

    fn figure(series: Vec<Series>) -> Figure {
        let chart =
            Chart::new("Energy <of> the \"block\" & more", Axis::linear("time [s]"), Axis::log10("E [J]"), series);
        Figure::single(chart.guide_y(1e-2, "a < b"))
    }

    fn wave(count: usize) -> Vec<(f64, f64)> {
        (0..count).map(|k| (k as f64 * 1e-3, 1.5 + (k as f64 * 0.37).sin())).collect()
    }

    #[test]
    fn svg_parses_with_text_escaped_and_legend_complete() {
        let names = ["implicit-euler", "a-search:max=2", "x<y"];
        let figure = figure(names.iter().map(|name| Series::integrator(name, wave(50))).collect());
        let svg = figure.to_svg();
        assert!(parse(&svg).is_ok());
        assert!(svg.contains("&lt;of&gt; the &quot;block&quot; &amp; more") && svg.contains(">a &lt; b<"));
        for name in [">implicit-euler<", ">a-search:max=2<", ">x&lt;y<"] {
            assert_eq!(svg.matches(name).count(), 1, "{name}");
        }
        assert_eq!(svg, figure.to_svg());
    }

    #[test]
    fn panels_with_the_same_series_share_one_legend() {
        let panel =
            |name: &str| Chart::new("", Axis::linear("x"), Axis::linear("y"), vec![Series::integrator(name, wave(9))]);
        let shared = Figure::new("", 2, vec![panel("bdf2"), panel("bdf2"), panel("bdf2")]).to_svg();
        assert_eq!(shared.matches(">bdf2<").count(), 1);
        let apart = Figure::new("", 2, vec![panel("bdf2"), panel("a-1")]).to_svg();
        assert_eq!((apart.matches(">bdf2<").count(), apart.matches(">a-1<").count()), (1, 1));
    }

    #[test]
    fn png_has_the_same_bytes_twice_and_ink_on_it() {
        let figure = figure(vec![Series::integrator("a-search", wave(200))]);
        let png = figure.to_png(1.0).unwrap();
        assert_eq!(png, figure.to_png(1.0).unwrap());
        let picture = tiny_skia::Pixmap::decode_png(&png).unwrap();
        let inked = |rgb: [u8; 3]| picture.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == rgb).count();
        assert!(inked([0xD5, 0x5E, 0x00]) > 100, "the curve shows in its colour");
        assert!(inked([0xFF, 0xFF, 0xFF]) > 100_000, "most of the picture is paper");
    }

    #[test]
    fn text_is_drawn_without_any_font_of_the_machine() {
        let tree = parse(&figure(Vec::new()).to_svg()).unwrap();
        let drawn = |group: &usvg::Group| {
            let texts = group.children().iter().filter_map(|node| match node {
                usvg::Node::Text(text) => Some(text.flattened().has_children()),
                _ => None,
            });
            texts.collect::<Vec<_>>()
        };
        let texts = drawn(tree.root());
        assert!(texts.len() > 8 && texts.iter().all(|&t| t), "{texts:?}");
    }

    #[test]
    fn a_hundred_thousand_points_stay_below_300_kilobytes() {
        let chart = |series| Chart::new("", Axis::linear("x"), Axis::linear("y"), vec![series]);
        let colour = Colour(0, 0, 0);
        let noise: Vec<_> =
            (0..100_000u64).map(|k| ((k * 7919 % 99_991) as f64, (k * 104_729 % 99_989) as f64)).collect();
        for series in [Series::line("a", colour, wave(100_000)), Series::markers("b", colour, noise)] {
            let bytes = Figure::single(chart(series)).to_svg().len();
            assert!(bytes < 300_000, "{bytes}");
        }
    }

    #[test]
    fn blow_ups_gaps_and_nothing_at_all_are_drawn() {
        let wild = [f64::NAN, f64::INFINITY, 1e300, -1e300, 0.0, 1e-320, 1.0].map(|v| (v, v)).to_vec();
        for series in
            [vec![], vec![Series::line("empty", Colour(0, 0, 0), vec![])], vec![Series::integrator("bdf2", wild)]]
        {
            let mut figure = figure(series);
            assert!(figure.to_png(0.5).is_ok());
            for range in [(0.0, 0.0), (1.0, 1.0 + 1e-16), (0.0, 1e-310), (f64::NAN, 1.0), (-1e149, 1e149), (3.0, -3.0)]
            {
                figure.panels[0].y = Axis::linear("y").range(range.0, range.1);
                assert!(figure.to_png(0.5).is_ok(), "{range:?}");
            }
        }
        assert!(Figure::new("", 3, vec![]).to_png(1.0).is_ok());
        assert!(matches!(figure(vec![]).to_png(f64::NAN), Err(ChartError::Size { .. })));
    }

    #[test]
    fn files_appear_whole_and_leave_nothing_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        figure(vec![Series::integrator("a-1", wave(20))]).write(folder.path(), "energy").unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["energy.png", "energy.svg"]);
    }
}
