//! A rubber ball falls onto the floor and bounces, its energy decaying over five seconds: a scene written in code, stepped, and
//! its positions read.
//!
//!     cargo run --release --example bouncing_ball

use visviva::scene::{Body, Energy, Material, Scene};
use visviva::simulation::Simulation;
use visviva::solve::BodiesWorld;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = Scene::new("A ball that bounces")
        .body(
            Body::ball(0.05, 3)
                .material(Material::new(1e5).friction(0.5))
                .at([0.0, 0.0, 0.5])
                .velocity([0.3, 0.0, 0.0]),
        )
        .floor()
        .energy(Energy::decay(5.0).ground_at_equilibrium())
        .step("1/120")
        .duration(2.0);

    let mut built = scene.build()?;
    let mut world = BodiesWorld::new(built.model.clone(), built.solver)?;
    built.find_ground(&mut world)?;
    let integrator = built.integrator.build();
    let mut simulation = Simulation::new(&mut world, built.start.clone(), integrator, &built.plan, built.h)?;

    println!("     t [s]   lowest point [m]   along x [m]   energy [J]   wanted [J]");
    let ball = built.model.bodies[0].vertices.clone();
    while simulation.state.t < scene.run.duration.value {
        simulation.step()?;
        let vertices = &built.model.at_vertices(&simulation.state.x)[ball.clone()];
        let lowest = vertices.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        let along = vertices.iter().map(|x| x.x).sum::<f64>() / vertices.len() as f64;
        let energy = simulation.energy();
        if simulation.clock().steps % 12 == 0 {
            println!(
                "{:10.3} {lowest:18.4} {along:13.4} {:12.4} {:12.4}",
                simulation.state.t, energy.total, energy.level
            );
        }
    }
    Ok(())
}
