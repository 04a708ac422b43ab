//! Everything the library claims, in one program: twelve of them would link the same code twelve times.

mod affine;
mod arrows;
mod contact_world;
mod directing;
mod doubts;
mod exports;
mod joints;
mod linear;
mod mesh;
mod run_folder;
mod scenes;
mod session;
mod shells;
mod small_worlds;
mod solids;
mod viscosity;
