//! Whoever reads what the command says may stop reading.

/// `visviva … | head` closes standard output early: that is no failure worth a word. Nor can a terminal that is gone be told any.
pub fn end_quietly() {
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
