//! What others needed for the same scenes: the paper, and other programs.

use std::str::FromStr;

/// What the paper measured of A-search (Xeon w5-2445 and RTX A1000).
#[derive(Debug)]
pub struct Paper {
    pub scene: &'static str,
    pub seconds: f64,
    pub newton: u64,
    /// Simulated [s]
    pub time: f64,
}

const fn paper(scene: &'static str, seconds: f64, newton: u64, time: f64) -> Paper {
    Paper { scene, seconds, newton, time }
}

pub const PAPER: &[Paper] = &[
    paper("rotating-cube-soft", 27.6, 902, 10.0),
    paper("rotating-cube-stiff", 43.8, 1500, 10.0),
    paper("twisted-bar", 113.5, 947, 10.0),
    paper("suspended-armadillo", 1458.7, 1870, 10.0),
    paper("bouncing-ball-soft", 75.0, 2681, 10.0),
    paper("bouncing-ball-medium", 68.3, 1683, 10.0),
    paper("bouncing-ball-stiff", 94.2, 2391, 10.0),
    paper("bouncing-ball-affine", 224.9, 8902, 10.0),
    paper("dice-roll", 326.6, 4659, 6.0),
    paper("vibrating-membrane", 286.5, 954, 3.0),
    paper("chain-net", 6612.0, 21683, 3.0),
    paper("armadillo-trampoline", 7570.9, 13145, 3.0),
];

/// Implicit Euler of STARK (Fernández-Fernández et al. 2024) on two cores: a gallery scene's name or a title, how many nodes that
/// scene has where its title alone does not tell, obstacles included, and [ms a step].
const STARK: &[(&str, Option<usize>, f64)] = &[
    ("rotating-cube-soft", None, 29.0),
    ("bouncing-ball-medium", None, 39.7),
    ("dice-roll", None, 317.0),
    ("peer cube", Some(1302), 24.9),
    ("peer ball", Some(1601), 35.4),
    ("peer dice", Some(5851), 221.0),
];

/// STARK's time for a scene [ms a step], known by its name or title and its number of nodes, obstacles included.
pub fn stark(scene: &str, title: &str, nodes: usize) -> Option<f64> {
    let is_meant = |(name, count): (&str, Option<usize>)| match count {
        None => name == scene,
        Some(count) => name == title && count == nodes,
    };
    STARK.iter().find(|(name, nodes, _)| is_meant((name, *nodes))).map(|(_, _, ms)| *ms)
}

/// Another program's times, as the command line gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct Peer {
    pub name: String,
    /// Of each scene [ms a step], where there is one
    pub ms: Vec<Option<f64>>,
}

impl FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("`{text}` is not NAME=MS: a name and milliseconds a step, such as STARK=35.4");
        let (name, figures) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wanted)?;
        let figure = |figure: &str| match figure.trim() {
            "" => Ok(None),
            figure => figure.parse().ok().filter(|ms: &f64| ms.is_finite() && *ms > 0.0).map(Some).ok_or_else(wanted),
        };
        let ms = figures.split(',').map(figure).collect::<Result<_, _>>()?;
        Ok(Self { name: name.to_owned(), ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_a_name_and_a_time_for_each_scene() {
        let peer: Peer = "STARK=35.4,,221".parse().unwrap();
        assert_eq!(peer, Peer { name: "STARK".into(), ms: vec![Some(35.4), None, Some(221.0)] });
        for wrong in ["STARK", "=3", "STARK=fast", "STARK=0", "STARK=-1", "STARK=inf"] {
            assert!(wrong.parse::<Peer>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_title_alone_is_not_enough_for_a_figure() {
        assert_eq!(stark("mine.toml", "peer ball", 1601), Some(35.4));
        assert_eq!(stark("mine.toml", "peer ball", 1602), None);
        assert_eq!(stark("mine.toml", "dice-roll", 1), None);
        assert_eq!(stark("dice-roll", "Dice", 1), Some(317.0));
    }
}
