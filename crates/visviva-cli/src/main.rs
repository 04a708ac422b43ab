use std::process::ExitCode;

fn main() -> ExitCode {
    visviva_cli::closed_pipe::end_quietly();
    ExitCode::from(visviva_cli::commands::run(std::env::args_os()))
}
