//! A figure as SVG and PNG, and as files that are whole or absent.
use super::Figure;
use crate::drawing::PAPER;
use crate::image::{Image, ImageError};
use crate::partial_file::write_whole;
use std::fs;
use std::path::{Path, PathBuf};

/// Pixels of the PNG for one of the SVG.
const FILE_SCALE: f64 = 2.0;

impl Figure {
    /// The figure as an SVG document, the same bytes every time.
    pub fn to_svg(&self) -> String {
        let title = if self.title.is_empty() { self.panels.first().map_or("", |p| &p.title) } else { &self.title };
        self.drawing().to_svg(title)
    }

    /// The figure with `scale` pixels to one of its SVG.
    pub fn to_image(&self, scale: f64) -> Result<Image, ImageError> {
        let drawing = self.drawing();
        let side = |length: f64| (length * scale).round() as usize;
        let mut image = Image::new(side(drawing.size.0), side(drawing.size.1), PAPER.rgb())?;
        drawing.lay_over(&mut image, (0, 0), scale);
        Ok(image)
    }

    /// Writes `stem`.svg and `stem`.png into a folder, made if absent, and returns both paths.
    pub fn write(&self, folder: &Path, stem: &str) -> Result<[PathBuf; 2], ImageError> {
        fs::create_dir_all(folder).map_err(ImageError::write(folder))?;
        let image = self.to_image(FILE_SCALE)?;
        let [svg, png] = ["svg", "png"].map(|format| folder.join(format!("{stem}.{format}")));
        write_whole(&svg, self.to_svg().as_bytes()).map_err(ImageError::write(&svg))?;
        image.write_png(&png)?;
        Ok([svg, png])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Chart, Series};
    use crate::colour::Colour;

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
        assert!(roxmltree::Document::parse(&svg).is_ok());
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
    fn the_image_has_the_same_pixels_twice_and_ink_on_it() {
        let figure = figure(vec![Series::integrator("a-search", wave(200))]);
        let image = figure.to_image(1.0).unwrap();
        assert!(image == figure.to_image(1.0).unwrap());
        let inked = |rgb: [u8; 3]| image.pixels.iter().filter(|pixel| **pixel == rgb).count();
        assert!(inked([0xD5, 0x5E, 0x00]) > 100, "the curve shows in its colour");
        assert!(inked([0xFF, 0xFF, 0xFF]) > 100_000, "most of the picture is paper");
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
            assert!(figure.to_image(0.5).is_ok());
            for range in [(0.0, 0.0), (1.0, 1.0 + 1e-16), (0.0, 1e-310), (f64::NAN, 1.0), (-1e149, 1e149), (3.0, -3.0)]
            {
                figure.panels[0].y = Axis::linear("y").range(range.0, range.1);
                assert!(figure.to_image(0.5).is_ok(), "{range:?}");
            }
        }
        assert!(Figure::new("", 3, vec![]).to_image(1.0).is_ok());
        assert!(matches!(figure(vec![]).to_image(f64::NAN), Err(ImageError::Empty { .. })));
        assert!(matches!(figure(vec![]).to_image(1e300), Err(ImageError::TooLarge { .. })));
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
