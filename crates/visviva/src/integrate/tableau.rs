//! Runge–Kutta methods as tables (A, b), and the adjoint of each.
//!
//! The adjoint of (A, b) is (e bᵀ − A, b): the step that the method with −h undoes.

/// A Butcher tableau of an autonomous problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Tableau {
    /// Rows of A
    pub a: Vec<Vec<f64>>,
    pub b: Vec<f64>,
    pub order: u32,
}

/// A tableau the decoupled method can be built over, by name.
#[derive(Debug)]
pub struct NamedTableau {
    pub name: &'static str,
    pub what: &'static str,
    pub table: fn() -> Tableau,
}

/// γ of the L-stable SDIRK2 methods: both roots of γ² − 2γ + ½.
pub const SDIRK2_GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
pub const SDIRK2_GAMMA_LARGE: f64 = 1.0 + std::f64::consts::FRAC_1_SQRT_2;

pub const TABLEAUX: &[NamedTableau] = &[
    NamedTableau { name: "explicit-euler", what: "explicit Euler", table: || Tableau::theta_inner(0.0) },
    NamedTableau { name: "implicit-euler", what: "implicit Euler", table: || Tableau::theta_inner(1.0) },
    NamedTableau {
        name: "implicit-midpoint",
        what: "implicit midpoint, symmetric",
        table: || Tableau::theta_inner(0.5),
    },
    NamedTableau { name: "trapezoidal", what: "trapezoidal rule, symmetric", table: || Tableau::theta_outer(0.5) },
    NamedTableau { name: "heun", what: "explicit trapezoidal rule", table: Tableau::heun },
    NamedTableau { name: "rk4", what: "the classical explicit method of order 4", table: Tableau::rk4 },
    NamedTableau {
        name: "sdirk2", what: "Alexander's SDIRK2, γ = 1 − 1/√2", table: || Tableau::sdirk2(SDIRK2_GAMMA)
    },
    NamedTableau {
        name: "sdirk2-large",
        what: "SDIRK2 with γ = 1 + 1/√2",
        table: || Tableau::sdirk2(SDIRK2_GAMMA_LARGE),
    },
    NamedTableau { name: "sdirk3", what: "Alexander's L-stable SDIRK of order 3", table: Tableau::sdirk3 },
    NamedTableau { name: "crouzeix3", what: "Crouzeix's two-stage DIRK of order 3", table: Tableau::crouzeix3 },
    NamedTableau { name: "tr-bdf2", what: "a trapezoidal stage, then a BDF2 stage", table: Tableau::tr_bdf2 },
    NamedTableau { name: "gauss4", what: "two-stage Gauss–Legendre, symplectic, order 4", table: Tableau::gauss4 },
    NamedTableau { name: "radau3", what: "two-stage Radau IIA, order 3", table: Tableau::radau3 },
];

impl Tableau {
    pub fn by_name(name: &str) -> Option<Self> {
        TABLEAUX.iter().find(|t| t.name == name).map(|t| (t.table)())
    }

    fn new(order: u32, a: &[&[f64]], b: &[f64]) -> Self {
        Self { a: a.iter().map(|row| row.to_vec()).collect(), b: b.to_vec(), order }
    }

    /// z₁ = z₀ + h f((1 − θ) z₀ + θ z₁)
    pub fn theta_inner(theta: f64) -> Self {
        Self::new(if theta == 0.5 { 2 } else { 1 }, &[&[theta]], &[1.0])
    }

    /// z₁ = z₀ + h ((1 − θ) f(z₀) + θ f(z₁))
    pub fn theta_outer(theta: f64) -> Self {
        let row = [1.0 - theta, theta];
        Self::new(if theta == 0.5 { 2 } else { 1 }, &[&[0.0, 0.0], &row], &row)
    }

    pub fn heun() -> Self {
        Self::new(2, &[&[0.0, 0.0], &[1.0, 0.0]], &[0.5, 0.5])
    }

    pub fn rk4() -> Self {
        let a: [&[f64]; 4] = [&[0.0; 4], &[0.5, 0.0, 0.0, 0.0], &[0.0, 0.5, 0.0, 0.0], &[0.0, 0.0, 1.0, 0.0]];
        Self::new(4, &a, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0])
    }

    /// Order 2 for γ = 1 ± 1/√2 (Alexander 1977).
    pub fn sdirk2(gamma: f64) -> Self {
        Self::new(2, &[&[gamma, 0.0], &[1.0 - gamma, gamma]], &[1.0 - gamma, gamma])
    }

    /// γ is the middle root of γ³ − 3γ² + 3γ/2 − 1/6 (Alexander 1977).
    pub fn sdirk3() -> Self {
        let g = 0.435_866_521_508_459;
        let b1 = -1.5 * g * g + 4.0 * g - 0.25;
        let b2 = 1.5 * g * g - 5.0 * g + 1.25;
        Self::new(3, &[&[g, 0.0, 0.0], &[0.5 * (1.0 - g), g, 0.0], &[b1, b2, g]], &[b1, b2, g])
    }

    pub fn crouzeix3() -> Self {
        let g = 0.5 + 3f64.sqrt() / 6.0;
        Self::new(3, &[&[g, 0.0], &[1.0 - 2.0 * g, g]], &[0.5, 0.5])
    }

    /// Bank et al. 1985; γ = 2 − √2.
    pub fn tr_bdf2() -> Self {
        let d = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
        let w = 2f64.sqrt() / 4.0;
        Self::new(2, &[&[0.0, 0.0, 0.0], &[d, d, 0.0], &[w, w, d]], &[w, w, d])
    }

    pub fn gauss4() -> Self {
        let r = 3f64.sqrt() / 6.0;
        Self::new(4, &[&[0.25, 0.25 - r], &[0.25 + r, 0.25]], &[0.5, 0.5])
    }

    pub fn radau3() -> Self {
        Self::new(3, &[&[5.0 / 12.0, -1.0 / 12.0], &[0.75, 0.25]], &[0.75, 0.25])
    }

    pub fn stage_count(&self) -> usize {
        self.b.len()
    }

    /// c_i = Σ_j a_ij
    pub fn node(&self, i: usize) -> f64 {
        self.a[i].iter().sum()
    }

    /// Stages can be solved one after the other.
    pub fn is_diagonally_implicit(&self) -> bool {
        self.a.iter().enumerate().all(|(i, row)| row[i + 1..].iter().all(|&a| a == 0.0))
    }

    /// The last stage is the end of the step: an admissible position.
    pub fn is_stiffly_accurate(&self) -> bool {
        self.a.last() == Some(&self.b)
    }

    /// The first stage is the start of the step.
    pub fn starts_explicitly(&self) -> bool {
        self.a[0].iter().all(|&a| a == 0.0)
    }

    /// (e bᵀ − A, b), its stages in the order in which they can be solved one by one where there is one.
    pub fn adjoint(&self) -> Self {
        let s = self.stage_count();
        // a_ij = b_j is meant where rounding leaves a trace.
        let entry = |i: usize, j: usize| {
            let a = self.b[j] - self.a[i][j];
            if a.abs() < 4.0 * f64::EPSILON { 0.0 } else { a }
        };
        let backwards = Self {
            a: (0..s).map(|i| (0..s).map(|j| entry(s - 1 - i, s - 1 - j)).collect()).collect(),
            b: self.b.iter().rev().copied().collect(),
            order: self.order,
        };
        if backwards.is_diagonally_implicit() {
            return backwards;
        }
        Self { a: (0..s).map(|i| (0..s).map(|j| entry(i, j)).collect()).collect(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ over the rooted trees up to order 4 that b, A, c must satisfy.
    fn order_of(t: &Tableau) -> u32 {
        let s = t.stage_count();
        let c: Vec<f64> = (0..s).map(|i| t.node(i)).collect();
        let sum = |f: &dyn Fn(usize) -> f64| (0..s).map(|i| t.b[i] * f(i)).sum::<f64>();
        let ac = |i: usize, f: &dyn Fn(usize) -> f64| (0..s).map(|j| t.a[i][j] * f(j)).sum::<f64>();
        let close = |x: f64, y: f64| (x - y).abs() < 1e-13;
        let mut order = 0;
        let conditions: [Vec<bool>; 4] = [
            vec![close(sum(&|_| 1.0), 1.0)],
            vec![close(sum(&|i| c[i]), 0.5)],
            vec![close(sum(&|i| c[i] * c[i]), 1.0 / 3.0), close(sum(&|i| ac(i, &|j| c[j])), 1.0 / 6.0)],
            vec![
                close(sum(&|i| c[i].powi(3)), 0.25),
                close(sum(&|i| c[i] * ac(i, &|j| c[j])), 0.125),
                close(sum(&|i| ac(i, &|j| c[j] * c[j])), 1.0 / 12.0),
                close(sum(&|i| ac(i, &|j| ac(j, &|k| c[k]))), 1.0 / 24.0),
            ],
        ];
        for conditions in conditions {
            if !conditions.into_iter().all(|met| met) {
                break;
            }
            order += 1;
        }
        order
    }

    #[test]
    fn every_tableau_and_its_adjoint_satisfy_the_order_conditions_they_claim_and_no_more() {
        for named in TABLEAUX {
            let table = (named.table)();
            assert_eq!(order_of(&table), table.order, "{}", named.name);
            assert_eq!(order_of(&table.adjoint()), table.order, "adjoint of {}", named.name);
        }
    }

    #[test]
    fn the_adjoint_of_the_adjoint_is_the_method() {
        for named in TABLEAUX {
            let table = (named.table)();
            let twice = table.adjoint().adjoint();
            let s = table.stage_count();
            // Stages may come back in the opposite order.
            let matches = |place: &dyn Fn(usize) -> usize| {
                (0..s).all(|i| (0..s).all(|j| (twice.a[place(i)][place(j)] - table.a[i][j]).abs() < 1e-15))
            };
            assert!(matches(&|i| i) || matches(&|i| s - 1 - i), "{}: {twice:?}", named.name);
        }
    }

    #[test]
    fn the_adjoint_of_implicit_euler_is_explicit_euler() {
        assert_eq!(Tableau::theta_inner(1.0).adjoint(), Tableau::theta_inner(0.0));
        assert!(Tableau::sdirk2(SDIRK2_GAMMA).adjoint().is_diagonally_implicit());
        assert!(!Tableau::crouzeix3().adjoint().is_diagonally_implicit());
    }
}
