//! Claims about the linear systems: patterns, assembly, both solvers, and that the number of threads changes no bit.

mod assembly;
mod solvers;
mod tet_box;
mod threads;
