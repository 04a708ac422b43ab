//! A report that is made in pieces: experiments that are not judged anew stay as an earlier one has them.

use super::{ExperimentReport, PAGE, Report, TEXT};
use crate::{PaperError, Tier};
use std::path::Path;

/// The experiments of the report in a folder, with their figures.
pub fn experiments(folder: &Path, tier: Tier) -> Result<Vec<ExperimentReport>, PaperError> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|problem| PaperError::Kept { path, problem: problem.to_string() })
    };
    let (text, page) = (read(TEXT)?, read(PAGE)?);
    let fail = |problem: String| PaperError::Kept { path: folder.join(TEXT), problem };
    let report: Report = serde_json::from_str(&text).map_err(|error| fail(error.to_string()))?;
    if report.tier != tier {
        return Err(fail(format!("it is of the {} tier", report.tier.name())));
    }
    let with_figures = |experiment| ExperimentReport { figures: figures(&page, &experiment), ..experiment };
    Ok(report.experiments.into_iter().map(with_figures).collect())
}

/// What stands between the marks of figures in the experiment's section: no SVG and no picture in text contains them.
fn figures(page: &str, experiment: &ExperimentReport) -> Vec<String> {
    let opening = format!("<section id=\"{}\">", experiment.name);
    let section = page.split_once(&opening).map_or("", |(_, after)| after.split("</section>").next().unwrap_or(""));
    let begun = section.split("<figure>").skip(1);
    begun.filter_map(|figure| Some(figure.split_once("</figure>")?.0.to_owned())).collect()
}
