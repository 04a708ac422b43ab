//! The command as a user meets it: what it says, what it leaves, and how it ends.

mod affine;
mod bench;
mod contact;
mod contact_forces;
mod damaged_folders;
mod demo;
mod documentation;
mod even_frames;
mod everyday;
mod exports;
mod gallery;
mod going_on;
mod looking_at_runs;
mod made_up_run;
mod place;
mod plots;
mod refusals;
mod repeating;
mod running;
mod session;
mod shells;
mod signals;
mod small_scene;
mod studies;
mod thick_and_thin;
mod verify;
