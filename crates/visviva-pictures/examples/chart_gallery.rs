//! One figure of every kind, to look at after a change to the charts: `chart_gallery FOLDER`.
use std::path::Path;
use visviva_pictures::ImageError;
use visviva_pictures::chart::{Axis, Chart, Dash, Figure, Series};
use visviva_pictures::colour::{Colour, body_colour, field_colour};

const MAIN: [&str; 4] = ["implicit-euler", "bdf2", "a-1", "a-search"];
const ALL: [&str; 18] = [
    "explicit-euler",
    "symplectic-euler",
    "stormer-verlet",
    "implicit-euler",
    "implicit-midpoint",
    "trapezoidal",
    "theta-inner",
    "theta-outer",
    "newmark",
    "bdf2",
    "sdirk2",
    "tr-bdf2",
    "blending",
    "a-1",
    "a-search",
    "a-search-sparse",
    "decoupled",
    "reference",
];

fn curve(count: usize, end: f64, f: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    (0..count).map(|k| k as f64 * end / (count - 1) as f64).map(|t| (t, f(t))).collect()
}

fn decay(rate: f64, level: f64) -> Vec<(f64, f64)> {
    curve(100_000, 2.0, move |t| level * (-rate * t).exp() * (1.0 + 0.05 * (40.0 * t).sin() * (300.0 * t).cos()))
}

fn energies() -> Figure {
    let series =
        MAIN.iter().zip([2.0, 0.8, 0.3, 0.02]).map(|(name, rate)| Series::integrator(name, decay(rate, 1.4e-3)));
    let chart = Chart::new(
        "Total energy of a bouncing block",
        Axis::linear("time t [s]"),
        Axis::linear("energy E [J]"),
        series.collect(),
    );
    Figure::single(
        chart
            .subtitle("h = 10^-3 s, k = 2×10^5 N m^-1")
            .guide_y(1.4e-3, "E_{0}")
            .guide_x(0.45, "first contact")
            .guide_x(0.6, "release"),
    )
}

fn convergence() -> Figure {
    let panel = |title: &str, names: &[&str]| {
        let series = names.iter().enumerate().map(|(k, name)| {
            let order = 1 + k % 3;
            let points =
                (0..7).map(|i| 10f64.powf(-1.0 - 0.5 * i as f64)).map(|h| (h, (0.3 + k as f64) * h.powi(order as i32)));
            Series::integrator(name, points.collect()).with_markers()
        });
        Chart::new(title, Axis::log10("step h [s]"), Axis::log10("error ‖x − x^{*}‖ [m]"), series.collect())
    };
    Figure::new(
        "Convergence against the reference",
        2,
        vec![
            panel("Free flight", &MAIN),
            panel("Contact", &MAIN).guide_y(1e-8, "tolerance"),
            panel("Stiff contact", &MAIN).subtitle("penalty 10^9 N/m; markers are runs"),
            panel("Friction", &MAIN),
        ],
    )
}

fn everything() -> Figure {
    let lines = |shift: f64| {
        let series = ALL.iter().enumerate();
        series
            .map(move |(k, name)| Series::integrator(name, curve(200, 6.0, |t| (t + shift).sin() + 0.35 * k as f64)))
            .collect()
    };
    let chart =
        |title: &str, shift| Chart::new(title, Axis::linear("time [ms]"), Axis::linear("height [m]"), lines(shift));
    Figure::new("", 2, vec![chart("All integrators", 0.0), chart("Again, half a period later", 3.0)])
        .sized(1100.0, 640.0)
}

fn space_time() -> Figure {
    let nodes = (0..31).map(|k| {
        let x = k as f64 / 30.0;
        let path = curve(20_000, 4e-4, |t| 1.0 + x - 900.0 * t + 0.2 * (1.0 - x) * (2e4 * t - 3.0 * x).sin().max(0.0));
        Series::line(format!("node {k}"), field_colour(x), path).width(1.0).unlisted()
    });
    let wall = Series::line("wall", Colour(0, 0, 0), vec![(0.0, 0.7), (4e-4, 0.7)]).dash(Dash::Dashed);
    let chart = Chart::new(
        "Node paths of a bar meeting a wall",
        Axis::linear("time t [s]"),
        Axis::linear("place x [m]"),
        nodes.chain([wall]).collect(),
    );
    Figure::single(chart).legend_right()
}

fn costs() -> Figure {
    let bars = |label: &str, k: usize, f: fn(usize) -> f64| {
        Series::bars(label, body_colour(k), (0..18).map(|i| (i as f64, f(i))).collect())
    };
    let series = vec![
        bars("Newton iterations", 4, |i| 3.0 + (i * 7 % 11) as f64),
        bars("line-search cuts", 0, |i| (i * 5 % 7) as f64),
    ];
    let wide = Chart::new("Work per step", Axis::linear("").named(ALL), Axis::linear("count per step"), series.clone());
    let few = Chart::new(
        "Four of them",
        Axis::linear("integrator").named(MAIN),
        Axis::log10("wall time [s]"),
        vec![Series::bars("time", body_colour(2), vec![(0.0, 0.02), (1.0, 0.05), (2.0, 0.3), (3.0, 7.0)])],
    );
    Figure::new("Costs", 2, vec![wide, few]).sized(1050.0, 420.0)
}

fn odd_ones() -> Figure {
    let black = Colour(0, 0, 0);
    let chart = |title: &str, series| Chart::new(title, Axis::linear("x [m]"), Axis::linear("y [m]"), vec![series]);
    let gap = curve(200, 1.0, |t| if (0.4..0.5).contains(&t) { f64::NAN } else { 1e6 + 3e5 * t * t });
    let orbit = (0..100_000).map(|k| k as f64 * 0.01).map(|t| (t.cos(), 0.7 * (t + 0.3).sin())).collect();
    let cloud = (0..3000u64).map(|k| ((k * 7919 % 2999) as f64 * 1e-6, (k * 104_729 % 2_003) as f64)).collect();
    Figure::new(
        "Odd data",
        3,
        vec![
            chart("Empty", Series::line("none", black, vec![])),
            chart("Constant", Series::line("constant", body_colour(4), curve(9, 1.0, |_| 3.25))),
            chart(
                "Drift about one",
                Series::line("drift", body_colour(5), curve(99, 1.0, |t| 1.0 + 3e-10 * t * (20.0 * t).sin())),
            ),
            chart("A gap, large numbers", Series::line("gap", body_colour(5), gap))
                .guide_y(1.1e6, "yield")
                .guide_y(1.105e6, "fracture"),
            chart(
                "A thousand turns, and a title that is too long for one line",
                Series::line("orbit", body_colour(2), orbit),
            ),
            chart(
                "Cloud",
                Series::markers("a rather long label of a cloud of many points", body_colour(6), cloud).opacity(0.6),
            ),
        ],
    )
    .sized(1150.0, 720.0)
}

fn crowded() -> Figure {
    let chart = |title: &str, x: Axis, y: Axis, names: &[&str], f: fn(f64) -> f64| {
        let series = names.iter().enumerate();
        let series =
            series.map(|(k, name)| Series::integrator(name, curve(60, 1.0, |t| f(t) * (1.0 + 0.1 * k as f64))));
        Chart::new(title, x, y, series.collect())
    };
    let parameters = ["a-search", "a-search:max=2", "a-search:max=4", "newmark:beta=0.3025,gamma=0.6", "leapfrog"];
    let time = || Axis::linear("time [s]");
    let guided = chart("Guides at the edges", time(), Axis::linear("force [N]"), &parameters, |t| -3.2e7 * (1.0 + t));
    Figure::new(
        "",
        3,
        vec![
            guided.guide_x(0.0, "very first contact").guide_x(0.05, "second").guide_x(0.98, "the last of all contacts"),
            chart("Part of a decade", time(), Axis::log10("gap [m]"), &MAIN, |t| 2e-5 * (1.0 + t)),
            chart("Range given", time().range(0.2, 0.4), Axis::log10("gap [m]").range(1e-9, 1e-3), &ALL, |t| {
                (-40.0 * t).exp()
            }),
        ],
    )
    .sized(960.0, 300.0)
    .legend_right()
}

fn main() -> Result<(), ImageError> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "runs/chart-gallery".into());
    let figures = [
        ("energies", energies()),
        ("convergence", convergence()),
        ("everything", everything()),
        ("space-time", space_time()),
        ("costs", costs()),
        ("odd", odd_ones()),
        ("crowded", crowded()),
    ];
    for (stem, figure) in figures {
        for path in figure.write(Path::new(&folder), stem)? {
            println!("{}", path.display());
        }
    }
    Ok(())
}
