//! What a command says of a folder that is not as its run left it.

use visviva::run::{Condition, ShownFrame};

/// Files told one by one.
const TOLD: usize = 10;

/// On standard error, a line each.
pub fn warn(condition: &Condition) {
    condition.notes.iter().for_each(|note| eprintln!("note: {note}"));
    condition.damage.iter().take(TOLD).for_each(|damage| eprintln!("warning: {damage}"));
    if condition.damage.len() > TOLD {
        eprintln!("warning: and {} files more are not as the run left them", condition.damage.len() - TOLD);
    }
}

/// Where frames lie between two that were computed.
pub fn tell_interpolated(frames: &[ShownFrame]) {
    let count = frames.iter().filter(|frame| frame.is_interpolated()).count();
    if count > 0 {
        eprintln!(
            "note: {count} of {} frames are interpolated to even times: they are for the eye, and bodies may meet in them where \
             they do not in the run (--no-interpolation takes frames as they were computed)",
            frames.len()
        );
    }
}
