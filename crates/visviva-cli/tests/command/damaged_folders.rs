//! A little of the campaign against run folders; `visviva-trials folders` is the whole of it.

use visviva_trials::folders::{Arguments, run};

#[test]
fn damaged_folders_are_met_without_silence_or_loss() {
    let program = Some(env!("CARGO_BIN_EXE_visviva").into());
    assert!(run(&Arguments { count: 40, seed: 7, first: 0, program, place: None, threads: 2 }).unwrap());
}
