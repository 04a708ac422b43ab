use std::process::ExitCode;

fn main() -> ExitCode {
    visviva_cli::commands::run(std::env::args_os())
}
