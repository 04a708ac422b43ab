//! The energy wanted as a command line writes it: a target's text, in which the ground may be that of the bodies at rest.

use crate::energy::Target;
use crate::energy::target::TargetError;
use crate::scene::{Energy, Ground};

impl std::str::FromStr for Energy {
    type Err = TargetError;

    /// Such as `decay:half_life=2,ground=equilibrium`; see [`Target`].
    fn from_str(text: &str) -> Result<Self, TargetError> {
        let is_at_rest = |entry: &&str| entry.replace(' ', "") == "ground=equilibrium";
        let Some((kind, rest)) = text.split_once(':').filter(|(_, rest)| rest.split(',').any(|part| is_at_rest(&part)))
        else {
            return Ok(Self::from(&text.parse::<Target>()?));
        };
        let in_joules: Vec<&str> = rest.split(',').filter(|entry| !is_at_rest(entry)).collect();
        let mut target: Target = format!("{kind}:{}", in_joules.join(",")).parse()?;
        match target.ground_mut() {
            Some(_) => Ok(Self::from(&target).ground_at_equilibrium()),
            None => Err(TargetError::Syntax { text: text.to_owned(), problem: "`ground` has no use here".into() }),
        }
    }
}

impl Energy {
    /// Goes after another target, given as text, and keeps what belongs to none: where it starts, and whose it is.
    pub fn aim(&mut self, text: &str) -> Result<(), TargetError> {
        *self = Self { start_scale: self.start_scale, by: self.by, ..text.parse()? };
        Ok(())
    }

    /// Whether what it falls towards is still to be found.
    pub fn is_ground_to_be_found(&self) -> bool {
        matches!(self.ground, Ground::Named(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_aims_at_another_target_and_keeps_the_start() {
        let mut energy = Energy::default().start_scale(0.95);
        energy.aim("rest:at=2.5,ground=equilibrium").unwrap();
        assert_eq!(energy.rest_at, Some(2.5));
        assert!(energy.is_ground_to_be_found() && energy.start_scale == 0.95);
        let refused = energy.aim("curve:0=1,ground=equilibrium").unwrap_err().to_string();
        assert!(refused.contains("`ground` has no use here"), "{refused}");
        assert_eq!(energy.rest_at, Some(2.5), "what is refused changes nothing");
    }
}
