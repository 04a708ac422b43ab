//! A rubber ball falls onto the floor and bounces, its energy decaying over five seconds: a scene written in code, stepped, and
//! its positions read.
//!
//!     cargo run --release --example bouncing_ball

use visviva::Session;
use visviva::energy::Target;
use visviva::scene::{Body, Energy, Material, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Body::ball(0.05, 3).material(Material::new(1e5).friction(0.5)).at([0.0, 0.0, 0.5]);
    let scene = Scene::new("A ball that bounces")
        .body(ball.velocity([0.3, 0.0, 0.0]))
        .floor()
        .energy(Energy::decay(5.0).ground_at_equilibrium())
        .step("1/120");

    let mut session = Session::new(scene)?;
    let ball = session.model().bodies[0].vertices.clone();
    println!("     t [s]   lowest point [m]   energy [J]   wanted [J]");
    for tenth in 1..=20 {
        session.run_until(0.1 * f64::from(tenth))?;
        if tenth == 10 {
            // From here on it keeps what it has.
            session.set_target(Target::Conserve)?;
        }
        let lowest = session.vertices()[ball.clone()].iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        let energies = session.energies();
        println!("{:10.3} {lowest:18.4} {:12.4} {:12.4}", session.time(), energies.total, energies.wanted);
    }
    Ok(())
}
