//! The page itself: one file, built from `viewer/` and kept compressed in the repository, so that nobody needs Node to build
//! the program.

use flate2::read::GzDecoder;
use std::io::Read;

/// As it is sent to browsers.
pub const COMPRESSED: &[u8] = include_bytes!("../../../viewer/dist/page.html.gz");
/// Where a static page's run stands in it.
pub const PLACE_OF_THE_RUN: &str = "<!--visviva:embedded-->";

pub fn html() -> std::io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(COMPRESSED).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_page_is_whole_and_has_one_place_for_a_run() {
        let html = html().unwrap();
        assert_eq!(html.matches(PLACE_OF_THE_RUN).count(), 1);
        assert!(html.trim_end().ends_with("</html>"));
    }
}
