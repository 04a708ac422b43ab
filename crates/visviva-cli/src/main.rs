use std::process::ExitCode;

fn main() -> ExitCode {
    end_quietly_on_a_closed_pipe();
    visviva_cli::commands::run(std::env::args_os())
}

/// `visviva … | head` closes standard output early: that is no failure worth a word. Nor can a terminal that is gone be told any.
fn end_quietly_on_a_closed_pipe() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if message.starts_with("failed printing to stdout") && message.contains("Broken pipe") {
            std::process::exit(0);
        }
        if message.starts_with("failed printing to std") {
            std::process::exit(1);
        }
        usual(panic);
    }));
}
