//! The mesh layer's claims: generators, checks, file formats, and that no file can make a reader panic.

mod chain_net;
mod checks;
mod formats;
mod generators;
mod real_models;
mod samples;
mod solid_surfaces;
mod spoiled_files;
