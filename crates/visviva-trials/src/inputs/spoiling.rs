//! What becomes of a good file on bad days: bits flip, ends are missing, numbers lie, chunks come twice.

use std::ops::Range;
use visviva_trials::chance::Chance;

/// Numbers that programs stumble over.
const NUMBERS: [&str; 30] = [
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "1000",
    "1e-9",
    "1e9",
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "99999999999999999999",
    "0.1",
    "1/0",
];
/// Brackets that may be opened without end.
const NESTS: [&str; 10] = ["[", "{", "(", "<a>", "[[", "a.", "{a=", "[{", "<!--", "\""];
/// Words of one format in another's place, and such.
const WORDS: [&str; 14] =
    ["\n", "#", "\r\n", "=", ",", "\0", "\u{feff}", "true", "\"\"", "$End", "</VTKFile>", "&#0;", "é", "'"];
/// Ways to spoil a file, and those among them that only change numbers
const ALL: Range<usize> = 0..16;
const NUMBERS_LIE: Range<usize> = 7..11;
/// Longer inputs tell nothing more
const LONGEST: usize = 1 << 21;

/// A good file, spoiled in one to four ways; `others` are of the same format.
pub fn spoiled(good: &[u8], others: &[&[u8]], chance: &mut Chance) -> Vec<u8> {
    let mut data = good.to_vec();
    // Every other time only numbers lie: what is still well-formed goes deepest.
    let kinds = if chance.below(2) == 0 { NUMBERS_LIE } else { ALL };
    for _ in 0..=[0, 0, 0, 1, 1, 2, 3][chance.below(7)] {
        spoil(&mut data, kinds.start + chance.below(kinds.len()), others, chance);
        data.truncate(LONGEST);
    }
    data
}

fn spoil(data: &mut Vec<u8>, kind: usize, others: &[&[u8]], chance: &mut Chance) {
    let at = chance.below(data.len());
    let span = |data: &[u8], chance: &mut Chance| {
        let from = chance.below(data.len());
        let most = [4, 32, 256, data.len()][chance.below(4)];
        from..(from + 1 + chance.below(most)).min(data.len())
    };
    match kind {
        0 if !data.is_empty() => data[at] ^= 1 << chance.below(8),
        1 if !data.is_empty() => data[at] = chance.below(256) as u8,
        2 => data.truncate(at),
        3 => drop(data.drain(span(data, chance))),
        4 => {
            let chunk = data[span(data, chance)].to_vec();
            data.splice(at..at, chunk);
        }
        5 => {
            let (chunk, place) = (data[span(data, chance)].to_vec(), span(data, chance));
            data.splice(place, chunk);
        }
        6 => {
            let chunk = data[span(data, chance)].repeat([2, 10, 100, 3000][chance.below(4)]);
            data.splice(at..at, chunk.into_iter().take(LONGEST));
        }
        7 | 8 => {
            if let Some(number) = number_after(data, at) {
                data.splice(number, chance.of(&NUMBERS).bytes());
            }
        }
        9 => {
            let numbers = number_after(data, at).zip(number_after(data, chance.below(data.len())));
            if let Some((one, other)) = numbers {
                let other = data[other].to_vec();
                data.splice(one, other);
            }
        }
        10 => {
            if let Some(number) = number_after(data, at) {
                let text = String::from_utf8_lossy(&data[number.clone()]).into_owned();
                let near = [1i64, -1, 10, -2][chance.below(4)];
                if let Ok(value) = text.parse::<i64>() {
                    data.splice(number, value.wrapping_add(near).to_string().into_bytes());
                }
            }
        }
        11 => {
            let nest = chance.of(&NESTS).repeat([1, 3, 100, 5000][chance.below(4)]);
            data.splice(at..at, nest.into_bytes());
        }
        12 => drop(data.splice(at..at, chance.of(&WORDS).bytes())),
        13 => {
            // A binary number somewhere, of one size or the other.
            let value: u64 =
                [0, 1, u64::MAX, i64::MAX as u64, 0x7ff0 << 48, 0x7ff8 << 48, 1 << 32, 0x7f80_0000][chance.below(8)];
            let bytes = &value.to_le_bytes()[..[4, 8][chance.below(2)]];
            let end = (at + bytes.len()).min(data.len());
            data.splice(at..end, bytes.iter().copied());
        }
        14 => {
            // From a few bytes to all of them.
            for at in span(data, chance) {
                data[at] = chance.below(256) as u8;
            }
        }
        _ => {
            let other = chance.of(others);
            let (from, place) = (span(other, chance), span(data, chance));
            data.splice(place, other[from].iter().copied());
        }
    }
}

/// Where the next number in a text is.
fn number_after(data: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + data.get(at..)?.iter().position(u8::is_ascii_digit)?;
    let length = data[start..].iter().take_while(|b| b.is_ascii_digit() || b"+-.eE".contains(b)).count();
    Some(start..start + length)
}
