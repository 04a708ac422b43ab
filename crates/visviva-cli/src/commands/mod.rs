//! The subcommands, one a file.

mod bench;
mod check;
mod compare;
mod demo;
pub mod export;
mod gallery;
mod integrators;
mod kept_runs;
mod materials;
pub mod measure;
mod mesh;
mod paper;
pub mod plot;
mod render;
mod resume;
mod run;
mod scenes;
mod study;
mod sweep;
pub mod verify;
mod view;

use crate::failure::{EXIT_CODES, INTERRUPTED, exit_code};
use crate::runner::say;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

/// Elastic bodies that keep their bounce: simulate soft and stiff bodies whose energy you direct.
#[derive(Debug, Parser)]
#[command(name = "visviva", version, max_term_width = 110, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// See what this is about in a minute: one ball, three integrators, a chart and a picture
    Demo(demo::DemoArgs),
    /// The paper's small worlds: tables and plots of what each integrator does to them
    #[command(subcommand)]
    Study(study::Study),
    /// The whole paper: its experiments run, its claims judged, one page
    Paper(paper::PaperArgs),
    /// Run one scene with several methods and steps, and lay them beside each other: table, plots, one page
    Compare(compare::CompareArgs),
    /// Run a scene into a run folder
    Run(run::RunArgs),
    /// Go on with a run that was interrupted, cut short or is to last longer, or branch from it with other wishes
    Resume(resume::ResumeArgs),
    /// Run a scene at many points: grids, lists and samples over any keys, gathered into one table
    Sweep(sweep::SweepArgs),
    /// Watch runs in a browser, side by side; without a folder choose scenes and runs there
    View(view::ViewArgs),
    /// Draw a run: frames, a film, a sheet, or many moments in one picture
    Render(render::RenderArgs),
    /// Draw energy, angular momentum, α and iterations of one run or of several together
    Plot(plot::PlotArgs),
    /// Write a run's motion for other programs: USD, glTF, point caches, OBJ, VTU, NumPy
    Export(export::ExportArgs),
    /// Judge every frame of a run by exact arithmetic: nothing intersects, nothing is inverted
    Verify(verify::VerifyArgs),
    /// Compare runs in numbers: turns, noise, energy off target, angular momentum against a reference
    Measure(measure::MeasureArgs),
    /// Time scenes beside the figures of the paper and of other programs; tables by phase and by step
    Bench(bench::BenchArgs),
    /// List the gallery, or tell about one of its scenes
    Scenes(scenes::ScenesArgs),
    /// Make the pictures and energy plots of the gallery, integrators beside each other
    Gallery(gallery::GalleryArgs),
    /// Validate a scene and report on it without running it
    Check(check::CheckArgs),
    /// Print the JSON schema of scene files, for editors
    Schema,
    /// Fill a closed surface with tetrahedra and report on them
    Mesh(mesh::MeshArgs),
    /// List everyday materials that bodies may name, with their numbers
    Materials(materials::MaterialsArgs),
    /// List every integrator: order, what it keeps, what it costs, when to use it
    Integrators(integrators::IntegratorsArgs),
}

/// Runs the command line and says how it went by one of the [exit codes](crate::failure).
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let parsed = with_negative_numbers(Cli::command()).try_get_matches_from(&args);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, &args),
    };
    let done = match cli.command {
        Command::Demo(args) => args.run(),
        Command::Study(study) => study.run(),
        Command::Integrators(args) => args.run(),
        Command::Mesh(args) => args.run(),
        Command::Materials(args) => args.run(),
        Command::Paper(args) => args.run(),
        Command::Compare(args) => args.run(),
        Command::Run(args) => args.run(),
        Command::Resume(args) => args.run(),
        Command::Sweep(args) => args.run(),
        Command::View(args) => args.run(),
        Command::Render(args) => args.run(),
        Command::Measure(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Plot(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Scenes(args) => args.run(),
        Command::Gallery(args) => args.run(),
        Command::Check(args) => args.run(),
        Command::Schema => {
            println!("{}", visviva::scene::json_schema());
            Ok(())
        }
    };
    match done {
        Ok(()) => 0,
        Err(error) => {
            let code = exit_code(&error);
            let kind = if code == INTERRUPTED { "" } else { "error: " };
            say(&format!("{kind}{error:#}"));
            code
        }
    }
}

/// `--h -1` is a value, which is refused in its own words, and no unknown flag.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_values = |argument: &clap::Arg| argument.get_action().takes_values();
    command
        .mut_args(|argument| if takes_values(&argument) { argument.allow_negative_numbers(true) } else { argument })
        .mut_subcommands(with_negative_numbers)
}

fn refuse(error: &clap::Error, args: &[OsString]) -> u8 {
    // Nothing can be done about a message that cannot be printed.
    let _ = error.print();
    if error.kind() == ErrorKind::InvalidSubcommand {
        let mut command = Cli::command();
        let mut parents = args.iter().skip(1).filter_map(|a| a.to_str());
        while let Some(inner) = parents.next().and_then(|name| command.find_subcommand(name).cloned()) {
            command = inner;
        }
        let names: Vec<_> = command.get_subcommands().map(|c| c.get_name()).collect();
        eprintln!("allowed are: {}", names.join(", "));
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}
