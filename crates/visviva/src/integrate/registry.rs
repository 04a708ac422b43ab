//! Every integrator by name, with what a user needs to choose one. A new method is one entry here.

use super::bdf2::Bdf2;
use super::blending::Blending;
use super::decoupled::Decoupled;
use super::newmark::Newmark;
use super::runge_kutta::RungeKutta;
use super::step::Integrator;
use super::symplectic::{Scheme, Symplectic};
use super::tableau::{SDIRK2_GAMMA, SDIRK2_GAMMA_LARGE, TABLEAUX, Tableau};
use crate::energy::{AlphaInterval, AlphaRule};
use crate::readable::did_you_mean;
use serde::{Deserialize, Serialize};

/// A method and what to know about it.
#[derive(Debug)]
pub struct Method {
    pub name: &'static str,
    pub order: &'static str,
    pub keeps_linear_momentum: bool,
    /// Whether and how it keeps energy
    pub energy: &'static str,
    /// det Q = 1 on the harmonic oscillator
    pub symplectic_on_linear: bool,
    /// Work a step
    pub cost: &'static str,
    pub when: &'static str,
    pub parameters: &'static [Parameter],
    /// Whether it directs the energy island by island where nothing else is said
    pub by_island: bool,
    build: fn(&Arguments<'_>) -> Result<Box<dyn Integrator>, SpecError>,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub default: &'static str,
    pub what: &'static str,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpecError {
    #[error("unknown integrator `{name}`{}; allowed are {}", did_you_mean(name, &names()), names().join(", "))]
    UnknownMethod { name: String },
    #[error("integrator {method} has no parameter `{name}`; it has {allowed}")]
    UnknownParameter { method: &'static str, name: String, allowed: String },
    #[error("integrator {method}: {parameter} = `{value}` is not allowed: {rule}")]
    BadValue { method: &'static str, parameter: &'static str, value: String, rule: String },
    #[error("integrator `{text}`: `{part}` is not name=value; write for example a-search:min=0.9,max=1.1")]
    Syntax { text: String, part: String },
}

fn names() -> Vec<&'static str> {
    METHODS.iter().map(|m| m.name).collect()
}

/// A method with its parameters, as a user writes it: `a-search` or `a-search:min=0.9,max=1.1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct IntegratorSpec {
    text: String,
}

impl IntegratorSpec {
    /// The name without parameters.
    pub fn name(&self) -> &str {
        self.text.split(':').next().unwrap_or_default()
    }

    pub fn method(&self) -> &'static Method {
        METHODS.iter().find(|m| m.name == self.name()).expect("a spec is checked when it is made")
    }

    pub fn build(&self) -> Box<dyn Integrator> {
        build(&self.text).expect("a spec is checked when it is made")
    }
}

impl std::str::FromStr for IntegratorSpec {
    type Err = SpecError;
    fn from_str(text: &str) -> Result<Self, SpecError> {
        build(text)?;
        Ok(Self { text: text.to_owned() })
    }
}

impl TryFrom<String> for IntegratorSpec {
    type Error = SpecError;
    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<IntegratorSpec> for String {
    fn from(spec: IntegratorSpec) -> String {
        spec.text
    }
}

impl std::fmt::Display for IntegratorSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

fn build(text: &str) -> Result<Box<dyn Integrator>, SpecError> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let method =
        METHODS.iter().find(|m| m.name == name).ok_or_else(|| SpecError::UnknownMethod { name: name.to_owned() })?;
    let mut given = Vec::new();
    for part in rest.split(',').filter(|part| !part.is_empty()) {
        let (key, value) =
            part.split_once('=').ok_or_else(|| SpecError::Syntax { text: text.to_owned(), part: part.to_owned() })?;
        if !method.parameters.iter().any(|p| p.name == key.trim()) {
            let names: Vec<_> = method.parameters.iter().map(|p| p.name).collect();
            let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(SpecError::UnknownParameter { method: method.name, name: key.trim().to_owned(), allowed });
        }
        given.push((key.trim(), value.trim()));
    }
    (method.build)(&Arguments { method, given })
}

/// The parameters given, falling back to the defaults in the table.
#[derive(Debug)]
struct Arguments<'a> {
    method: &'static Method,
    given: Vec<(&'a str, &'a str)>,
}

impl Arguments<'_> {
    fn text(&self, name: &'static str) -> &str {
        let default = self.method.parameters.iter().find(|p| p.name == name).map_or("", |p| p.default);
        self.given.iter().rev().find(|(key, _)| *key == name).map_or(default, |(_, value)| value)
    }

    fn refuse(&self, parameter: &'static str, rule: impl Into<String>) -> SpecError {
        let value = self.text(parameter).to_owned();
        SpecError::BadValue { method: self.method.name, parameter, value, rule: rule.into() }
    }

    fn number(&self, name: &'static str, rule: &str, allowed: impl Fn(f64) -> bool) -> Result<f64, SpecError> {
        let value: f64 = self.text(name).parse().map_err(|_| self.refuse(name, "it must be a number"))?;
        if value.is_finite() && allowed(value) { Ok(value) } else { Err(self.refuse(name, rule)) }
    }

    fn interval(&self) -> Result<AlphaInterval, SpecError> {
        let min = self.number("min", "it must be finite", |_| true)?;
        let max = self.number("max", "it must be finite", |_| true)?;
        AlphaInterval::new(min, max).map_err(|e| self.refuse("min", e.to_string()))
    }

    /// `alpha`: a number, or `search`.
    fn alpha(&self) -> Result<AlphaRule, SpecError> {
        match self.text("alpha") {
            "search" => Ok(AlphaRule::Search(self.interval()?)),
            _ => Ok(AlphaRule::Fixed(self.number("alpha", "it must be a finite number or `search`", |_| true)?)),
        }
    }

    fn decoupled(&self, tableau: Tableau) -> Result<Box<dyn Integrator>, SpecError> {
        Ok(Box::new(Decoupled::new(tableau, self.alpha()?)))
    }
}

fn runge_kutta(tableau: Tableau) -> Result<Box<dyn Integrator>, SpecError> {
    Ok(Box::new(RungeKutta::new(tableau)))
}

const THETA: Parameter = Parameter { name: "theta", default: "0.6", what: "0 explicit, ½ centred, 1 implicit Euler" };
const MIN: Parameter = Parameter { name: "min", default: "0", what: "least α" };
const MAX: Parameter = Parameter { name: "max", default: "1.1", what: "greatest α" };
const ALPHA: Parameter = Parameter { name: "alpha", default: "1", what: "a number, or `search` for the energy target" };

/// Fields in the order of a reader's questions; `build` last.
pub const METHODS: &[Method] = &[
    Method {
        name: "explicit-euler",
        order: "1",
        keeps_linear_momentum: true,
        energy: "gains at every step",
        symplectic_on_linear: false,
        cost: "1 gradient",
        when: "never; the yardstick of instability",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::theta_inner(0.0)),
    },
    Method {
        name: "symplectic-euler",
        order: "1",
        keeps_linear_momentum: true,
        energy: "bounded while h²k/m < 4",
        symplectic_on_linear: true,
        cost: "1 gradient",
        when: "soft problems at small steps",
        parameters: &[],
        by_island: false,
        build: |_| Ok(Box::new(Symplectic::new(Scheme::Euler))),
    },
    Method {
        name: "stormer-verlet",
        order: "2",
        keeps_linear_momentum: true,
        energy: "bounded while h²k/m < 4",
        symplectic_on_linear: true,
        cost: "1 gradient",
        when: "references at very small steps",
        parameters: &[],
        by_island: false,
        build: |_| Ok(Box::new(Symplectic::new(Scheme::Verlet))),
    },
    Method {
        name: "rk4",
        order: "4",
        keeps_linear_momentum: true,
        energy: "loses slowly at small steps",
        symplectic_on_linear: false,
        cost: "4 gradients",
        when: "smooth references at small steps",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::rk4()),
    },
    Method {
        name: "implicit-euler",
        order: "1",
        keeps_linear_momentum: true,
        energy: "loses, more at large steps",
        symplectic_on_linear: false,
        cost: "1 solve",
        when: "bodies that should come to rest",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::theta_inner(1.0)),
    },
    Method {
        name: "implicit-midpoint",
        order: "2",
        keeps_linear_momentum: true,
        energy: "kept on linear problems; explodes on stiff nonlinear ones",
        symplectic_on_linear: true,
        cost: "1 solve",
        when: "smooth motion without contact; positions may be inadmissible",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::theta_inner(0.5)),
    },
    Method {
        name: "trapezoidal",
        order: "2",
        keeps_linear_momentum: true,
        energy: "kept on linear problems; explodes on stiff nonlinear ones",
        symplectic_on_linear: true,
        cost: "1 solve",
        when: "smooth motion without contact",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::theta_outer(0.5)),
    },
    Method {
        name: "theta-inner",
        order: "1 (2 at θ = ½)",
        keeps_linear_momentum: true,
        energy: "loses for θ > ½",
        symplectic_on_linear: false,
        cost: "1 solve",
        when: "between midpoint and implicit Euler",
        parameters: &[THETA],
        by_island: false,
        build: |a| {
            runge_kutta(Tableau::theta_inner(a.number("theta", "it must lie in [0, 1]", |t| (0.0..=1.0).contains(&t))?))
        },
    },
    Method {
        name: "theta-outer",
        order: "1 (2 at θ = ½)",
        keeps_linear_momentum: true,
        energy: "loses for θ > ½",
        symplectic_on_linear: false,
        cost: "1 solve",
        when: "between trapezoidal and implicit Euler",
        parameters: &[THETA],
        by_island: false,
        build: |a| {
            runge_kutta(Tableau::theta_outer(a.number("theta", "it must lie in [0, 1]", |t| (0.0..=1.0).contains(&t))?))
        },
    },
    Method {
        name: "newmark",
        order: "2 (1 unless γ = ½)",
        keeps_linear_momentum: true,
        energy: "kept on linear problems at (¼, ½)",
        symplectic_on_linear: true,
        cost: "1 solve",
        when: "comparison with structural dynamics codes",
        parameters: &[
            Parameter { name: "beta", default: "0.25", what: "weight of the new acceleration in the position" },
            Parameter { name: "gamma", default: "0.5", what: "weight of the new acceleration in the velocity" },
        ],
        by_island: false,
        build: |a| {
            let beta = a.number("beta", "it must be positive; for β = 0 use stormer-verlet", |b| b > 0.0)?;
            let gamma = a.number("gamma", "it must be positive", |g| g > 0.0)?;
            Ok(Box::new(Newmark::new(beta, gamma)))
        },
    },
    Method {
        name: "bdf2",
        order: "2",
        keeps_linear_momentum: true,
        energy: "loses, less than implicit Euler",
        symplectic_on_linear: false,
        cost: "1 solve",
        when: "the usual choice elsewhere; references at small steps",
        parameters: &[],
        by_island: false,
        build: |_| Ok(Box::new(Bdf2::new())),
    },
    Method {
        name: "sdirk2",
        order: "2",
        keeps_linear_momentum: true,
        energy: "loses",
        symplectic_on_linear: false,
        cost: "2 solves",
        when: "second order without a second step to remember",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::sdirk2(SDIRK2_GAMMA)),
    },
    Method {
        name: "sdirk3",
        order: "3",
        keeps_linear_momentum: true,
        energy: "loses little at small steps",
        symplectic_on_linear: false,
        cost: "3 solves",
        when: "accurate references of stiff problems",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::sdirk3()),
    },
    Method {
        name: "tr-bdf2",
        order: "2",
        keeps_linear_momentum: true,
        energy: "loses",
        symplectic_on_linear: false,
        cost: "2 solves",
        when: "second order without a second step to remember",
        parameters: &[],
        by_island: false,
        build: |_| runge_kutta(Tableau::tr_bdf2()),
    },
    Method {
        name: "dirk",
        order: "of its table",
        keeps_linear_momentum: true,
        energy: "of its table",
        symplectic_on_linear: false,
        cost: "1 solve a stage",
        when: "any Runge–Kutta table by name; coupled stages are solved together",
        parameters: &[Parameter { name: "tableau", default: "crouzeix3", what: "a table's name" }],
        by_island: false,
        build: |a| runge_kutta(tableau(a)?),
    },
    Method {
        name: "blending",
        order: "2",
        keeps_linear_momentum: true,
        energy: "follows the target",
        symplectic_on_linear: false,
        cost: "2 solves (midpoint, implicit Euler)",
        when: "comparison with Dinev et al. 2018; noisy, and positions may be inadmissible",
        parameters: &[],
        by_island: false,
        build: |_| Ok(Box::new(Blending::new())),
    },
    Method {
        name: "a-1",
        order: "1",
        keeps_linear_momentum: true,
        energy: "kept on average, without control",
        symplectic_on_linear: true,
        cost: "1 solve",
        when: "lively motion where the energy may wander a little",
        parameters: &[],
        by_island: false,
        build: |_| Ok(Box::new(Decoupled::new(Tableau::theta_inner(1.0), AlphaRule::Fixed(1.0)))),
    },
    Method {
        name: "a-search",
        order: "1",
        keeps_linear_momentum: true,
        energy: "follows the target",
        symplectic_on_linear: false,
        cost: "1 solve",
        when: "the default: keep, decay or draw the energy at large steps",
        parameters: &[MIN, MAX],
        by_island: false,
        build: |a| Ok(Box::new(Decoupled::new(Tableau::theta_inner(1.0), AlphaRule::Search(a.interval()?)))),
    },
    Method {
        name: "a-spin",
        order: "1 (turns of stiff bodies: 2)",
        keeps_linear_momentum: true,
        energy: "follows the target, body by body; keeps spin, and what falls bounces back as high",
        symplectic_on_linear: false,
        cost: "1 solve",
        when: "bodies that fly, turn and bounce: what a-search does, with true turns and lasting bounces",
        parameters: &[MIN, MAX],
        by_island: true,
        build: |a| Ok(Box::new(Decoupled::turning(AlphaRule::Search(a.interval()?)))),
    },
    Method {
        name: "a-search-sparse",
        order: "1",
        keeps_linear_momentum: true,
        energy: "follows the target in the long run",
        symplectic_on_linear: false,
        cost: "1 solve",
        when: "less correction noise, looser energy control",
        parameters: &[
            MIN,
            MAX,
            Parameter { name: "restart", default: "true", what: "whether a correction restarts the count" },
        ],
        by_island: false,
        build: |a| {
            let restart = match a.text("restart") {
                "true" => true,
                "false" => false,
                _ => return Err(a.refuse("restart", "it must be true or false")),
            };
            let rule = AlphaRule::Sparse { interval: a.interval()?, restart };
            Ok(Box::new(Decoupled::new(Tableau::theta_inner(1.0), rule)))
        },
    },
    Method {
        name: "decoupled-sdirk2",
        order: "2",
        keeps_linear_momentum: true,
        energy: "kept on linear problems outside 19.5 < h²k/m < 280; follows the target with alpha=search",
        symplectic_on_linear: true,
        cost: "3 solves",
        when: "the paper's second-order candidate; unstable in a band of steps",
        parameters: &[ALPHA, MIN, MAX],
        by_island: false,
        build: |a| a.decoupled(Tableau::sdirk2(SDIRK2_GAMMA)),
    },
    Method {
        name: "decoupled-sdirk2-large",
        order: "2",
        keeps_linear_momentum: true,
        energy: "kept on linear problems at every step; follows the target with alpha=search",
        symplectic_on_linear: true,
        cost: "3 solves",
        when: "second order and stable on linear problems, with a large error constant",
        parameters: &[ALPHA, MIN, MAX],
        by_island: false,
        build: |a| a.decoupled(Tableau::sdirk2(SDIRK2_GAMMA_LARGE)),
    },
    Method {
        name: "decoupled",
        order: "of its table",
        keeps_linear_momentum: true,
        energy: "kept on linear problems where stable; follows the target with alpha=search",
        symplectic_on_linear: true,
        cost: "that of the table and of its adjoint",
        when: "research: the α-method over any Runge–Kutta table",
        parameters: &[Parameter { name: "tableau", default: "tr-bdf2", what: "a table's name" }, ALPHA, MIN, MAX],
        by_island: false,
        build: |a| a.decoupled(tableau(a)?),
    },
];

fn tableau(a: &Arguments<'_>) -> Result<Tableau, SpecError> {
    Tableau::by_name(a.text("tableau")).ok_or_else(|| {
        let names: Vec<_> = TABLEAUX.iter().map(|t| t.name).collect();
        a.refuse("tableau", format!("allowed are {}", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<IntegratorSpec>().unwrap_err().to_string()
    }

    #[test]
    fn every_method_builds_with_its_defaults_and_claims_its_order() {
        for method in METHODS {
            let integrator = method.name.parse::<IntegratorSpec>().unwrap().build();
            let claimed = method.order.chars().next().and_then(|c| c.to_digit(10));
            match method.name {
                "theta-inner" | "theta-outer" => assert_eq!(integrator.order(), 1),
                _ => assert!(claimed.is_none_or(|order| order == integrator.order()), "{}", method.name),
            }
        }
    }

    #[test]
    fn mistakes_are_answered_with_the_value_and_what_is_allowed() {
        for (text, parts) in [
            ("a-serch", vec!["a-serch", "a-search", "bdf2"]),
            ("a-search:min=2", vec!["[2, 1.1]"]),
            ("a-search:min=low", vec!["min", "low", "number"]),
            ("a-search:lower=1", vec!["lower", "min, max"]),
            ("bdf2:h=1", vec!["bdf2", "none"]),
            ("a-search:min", vec!["min", "name=value"]),
            ("theta-inner:theta=1.5", vec!["1.5", "[0, 1]"]),
            ("newmark:beta=0", vec!["beta", "0", "stormer-verlet"]),
            ("decoupled:tableau=euler", vec!["euler", "sdirk2-large"]),
            ("decoupled:alpha=seek", vec!["seek"]),
        ] {
            let message = error(text);
            for part in parts {
                assert!(message.contains(part), "{text}: {message}");
            }
        }
    }
}
