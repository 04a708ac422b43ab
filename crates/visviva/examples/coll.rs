use visviva::study::collision::*;
fn main() {
    let hmax: usize = std::env::args().nth(1).map_or(3, |a| a.parse().unwrap());
    for case in Case::ALL {
        for (r, h) in PAPER_STEPS.iter().enumerate().take(hmax) {
            print!("{:12} 1/{:<6}", case.name(), (1.0 / h).round());
            for name in ["bdf2", "a-1", "a-search"] {
                let t = std::time::Instant::now();
                let s = Setup::new(case, name.parse().unwrap(), *h);
                let res = run(&s, |_, _| {}).unwrap();
                print!(
                    "  {:.4} ({:.3}) {:.2}s nit {} unc {}",
                    res.final_velocity.unwrap_or(f64::NAN),
                    paper_value(case, name, *h).unwrap(),
                    t.elapsed().as_secs_f64(),
                    res.tally.newton_iterations,
                    res.tally.unconverged
                );
            }
            println!();
            let _ = r;
        }
    }
}
