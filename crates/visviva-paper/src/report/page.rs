//! The page: one HTML file with everything in it.

use super::{ExperimentReport, Report, RunReport};
use crate::judge::{Judged, Verdict, readable};
use std::fmt::Write;
use visviva::readable::duration;

const STYLE: &str = include_str!("style.css");

/// Writing to a text cannot fail.
macro_rules! put {
    ($page:expr, $($part:tt)*) => {
        let _ = write!($page, $($part)*);
    };
}

pub fn of(report: &Report) -> String {
    let mut page = String::new();
    let title = escaped(&report.title);
    put!(page, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n");
    put!(
        page,
        "<meta name=\"viewport\" content=\"width=device-width\"><style>\n{STYLE}</style></head>\n<body><main>\n"
    );
    put!(page, "<h1>{title}</h1>\n<p>Made by <code>{}</code>", escaped(&report.command));
    put!(page, ", program {}, tier {}. ", escaped(&report.program), report.tier.name());
    put!(page, "The steps of all runs took {}", duration(report.run_s));
    put!(page, "; this command took {}.</p>\n", duration(report.wall_s));
    if report.experiments.iter().any(|experiment| !experiment.claims.is_empty()) {
        overview(&mut page, report);
    }
    report.experiments.iter().for_each(|experiment| section(&mut page, report, experiment));
    page += "</main></body></html>\n";
    page
}

fn overview(page: &mut String, report: &Report) {
    let Report { holds, fails, not_decidable, .. } = report;
    put!(page, "<p class=\"count\"><b class=\"holds\">{holds} hold</b> <b class=\"fails\">{fails} fail</b> ");
    put!(page, "<b class=\"open\">{not_decidable} not decidable at this tier</b></p>\n<table class=\"claims\">\n");
    for experiment in &report.experiments {
        for claim in &experiment.claims {
            put!(page, "<tr><td>{}</td><td><a href=\"#{}\">{}</a></td>", badge(claim), claim.id, escaped(&claim.says));
            put!(page, "<td>{}</td></tr>\n", escaped(&experiment.title));
        }
    }
    *page += "</table>\n";
}

fn badge(claim: &Judged) -> String {
    let class = match claim.verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::NotDecidable => "open",
    };
    format!("<b class=\"{class}\">{}</b>", claim.verdict.in_words())
}

fn section(page: &mut String, report: &Report, experiment: &ExperimentReport) {
    put!(page, "<section id=\"{}\"><h2>{}</h2>\n", experiment.name, escaped(&experiment.title));
    put!(page, "<p>{}</p>\n", escaped(&experiment.about));
    if !experiment.place.is_empty() {
        put!(page, "<p class=\"small\">In the paper: {}.</p>\n", escaped(&experiment.place));
    }
    if !experiment.left_out.is_empty() {
        put!(page, "<p class=\"small\">At this tier: {}</p>\n", escaped(&experiment.left_out));
    }
    put!(page, "<p class=\"small\"><code>{}</code>", escaped(&experiment.command));
    if experiment.program != report.program {
        put!(page, " (judged by program {})", escaped(&experiment.program));
    }
    put!(page, "</p>\n");
    experiment.claims.iter().for_each(|claim| verdict(page, claim));
    experiment.figures.iter().for_each(|figure| {
        put!(page, "<figure>{figure}</figure>\n");
    });
    if !experiment.runs.is_empty() && !experiment.columns.is_empty() {
        runs(page, experiment);
    }
    *page += "</section>\n";
}

fn verdict(page: &mut String, claim: &Judged) {
    put!(page, "<div class=\"claim\" id=\"{}\"><p>{} {}</p>\n", claim.id, badge(claim), escaped(&claim.says));
    if !claim.reason.is_empty() {
        put!(
            page,
            "<p class=\"small\">Not decidable at this tier: {}.</p>\n",
            escaped(claim.reason.trim_end_matches('.'))
        );
    }
    if !claim.remark.is_empty() {
        put!(page, "<p>{}</p>\n", escaped(&claim.remark));
    }
    if !claim.checks.is_empty() {
        let failed = claim.checks.iter().filter(|check| check.holds == Some(false)).count();
        let open = if failed > 0 { " open" } else { "" };
        put!(page, "<details{open}><summary>{} checked</summary><table>\n", claim.checks.len());
        for check in &claim.checks {
            let word = check.holds.map_or("–", |holds| if holds { "yes" } else { "no" });
            let side = |value: Option<f64>| value.map_or("–".to_owned(), readable);
            let (left, right) = (side(check.left), side(check.right));
            put!(
                page,
                "<tr><td>{word}</td><td>{left}</td><td>{right}</td><td><code>{}</code></td></tr>\n",
                escaped(&check.text)
            );
        }
        *page += "</table></details>\n";
    }
    put!(page, "<p class=\"small\"><code>{}</code></p></div>\n", claim.id);
}

fn runs(page: &mut String, experiment: &ExperimentReport) {
    put!(
        page,
        "<details open><summary>{} runs</summary><table class=\"runs\">\n<tr><th>run</th><th>h [s]</th>",
        experiment.runs.len()
    );
    experiment.columns.iter().for_each(|column| {
        put!(page, "<th>{}</th>", escaped(column));
    });
    *page += "<th></th></tr>\n";
    for run in &experiment.runs {
        put!(
            page,
            "<tr title=\"{}\"><td>{}</td><td>{}</td>",
            escaped(&run.command),
            escaped(&run.name),
            escaped(&run.h)
        );
        cells(run).for_each(|cell| {
            put!(page, "<td>{cell}</td>");
        });
        put!(page, "<td>{}</td></tr>\n", escaped(&run.note));
    }
    *page += "</table></details>\n";
}

/// Ours, and the paper's in brackets.
fn cells(run: &RunReport) -> impl Iterator<Item = String> {
    run.values.iter().zip(&run.paper).map(|(ours, paper)| {
        let ours = ours.map_or("–".to_owned(), readable);
        paper.map_or(ours.clone(), |paper| format!("{ours} <span class=\"paper\">({})</span>", readable(paper)))
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
