//! Which points are meant: ids, numbers, ranges of numbers, shards.

use crate::error::SweepError;
use crate::nearest::few;
use crate::point::Point;
use std::collections::HashMap;
use std::str::FromStr;

/// Digits of an id.
pub(crate) const DIGITS: usize = 16;

/// A part of so many: `3/8` is the third of eight, which has every eighth point, from the third on.
///
/// ```
/// use simt_sweep::Shard;
///
/// let shard: Shard = "3/8".parse()?;
/// assert_eq!((shard.number(), shard.of()), (3, 8));
/// assert!("0/0".parse::<Shard>().is_err() && "9/8".parse::<Shard>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// Which it is, from 1 on.
    pub fn number(self) -> usize {
        self.number
    }

    /// How many there are.
    pub fn of(self) -> usize {
        self.of
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parsed {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some((_, of)) if of > 0 => Err(format!("of {of} shards the first is 1/{of} and the last {of}/{of}")),
            _ => Err("write the number of the shard, from 1 on, and how many there are, such as 3/8".to_string()),
        }
    }
}

/// The points that words name, all if there is none, and of those a shard; each once, in the order of the sweep.
///
/// # Errors
/// A word that is none, or names what is not there.
pub(crate) fn selected<'p>(
    points: &'p [Point],
    words: &[String],
    shard: Option<Shard>,
) -> Result<Vec<&'p Point>, SweepError> {
    let mut wanted = vec![words.is_empty(); points.len()];
    let numbers: HashMap<&str, usize> =
        points.iter().enumerate().map(|(number, point)| (point.id.as_str(), number)).collect();
    for word in words {
        let (first, last) = range(points, &numbers, word)
            .map_err(|reason| SweepError::Selection { asked: format!("`{word}`"), reason })?;
        wanted[first..=last].fill(true);
    }
    let chosen = points.iter().zip(wanted).filter(|&(_, wanted)| wanted).map(|(point, _)| point);
    Ok(match shard {
        Some(Shard { number, of }) => chosen.skip(number - 1).step_by(of).collect(),
        None => chosen.collect(),
    })
}

/// The first and the last point that a word names.
fn range(points: &[Point], numbers: &HashMap<&str, usize>, word: &str) -> Result<(usize, usize), String> {
    let is_id = |word: &str| word.len() == DIGITS && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_id(word) {
        let number = numbers.get(word.to_lowercase().as_str()).copied();
        let near = || few(word, points.iter().map(|point| point.id.as_str()), "`points --ids` lists them");
        return number
            .map(|number| (number, number))
            .ok_or_else(|| format!("there is no point of this id; {}", near()));
    }
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
        return Err(format!(
            "this is neither an id of {DIGITS} digits, nor a number or a range of numbers such as 0-99"
        ));
    };
    if first > last {
        return Err(format!("the range ends before it begins: write {last}-{first}"));
    }
    if last >= points.len() {
        return Err(format!("the sweep has {} points, whose numbers are 0-{}", points.len(), points.len() - 1));
    }
    Ok((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sweep;

    fn points() -> Vec<Point> {
        Sweep::new("numbers").kernel("none", |_| Ok(0)).inputs("n", 0..10).points().unwrap()
    }

    fn chosen(words: &[&str], shard: Option<&str>) -> Result<Vec<u32>, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_string()).collect();
        let points = points();
        let chosen = selected(&points, &words, shard.map(|shard| shard.parse().unwrap()));
        Ok(chosen.map_err(|error| error.to_string())?.iter().map(|point| point.input("n").unwrap()).collect())
    }

    #[test]
    fn words_name_points_once_and_in_order() {
        assert_eq!(chosen(&[], None), Ok((0..10).collect()));
        assert_eq!(chosen(&["7", "2-4", "3-5"], None), Ok(vec![2, 3, 4, 5, 7]));
        let id = points()[6].id.clone();
        assert_eq!(chosen(&[&id, "0"], None), Ok(vec![0, 6]));
        assert_eq!(chosen(&[&id.to_uppercase()], None), Ok(vec![6]));
    }

    #[test]
    fn shards_have_each_point_once() {
        let mut all: Vec<u32> = (1..=4).flat_map(|number| chosen(&[], Some(&format!("{number}/4"))).unwrap()).collect();
        assert_eq!(chosen(&[], Some("2/4")), Ok(vec![1, 5, 9]));
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        assert_eq!(chosen(&["5-7"], Some("3/3")), Ok(vec![7]));
        // More shards than points: some have none.
        assert_eq!(chosen(&["5"], Some("20/20")), Ok(vec![]));
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let has = |word: &str, text: &str| {
            let error = chosen(&[word], None).unwrap_err();
            assert!(error.contains(text) && error.contains(word), "{error}");
        };
        has("10", "numbers are 0-9");
        has("3-10", "numbers are 0-9");
        has("7-3", "write 3-7");
        has("0123456789abcdef", "`points --ids` lists them");
        has("abc", "neither an id");
        has("-", "neither an id");
        has("3-", "neither an id");
        has("", "neither an id");
        for shard in ["0/0", "0/8", "9/8", "3", "/", "a/b", "1/-1", ""] {
            assert!(shard.parse::<Shard>().is_err(), "{shard}");
        }
        assert!("9/8".parse::<Shard>().unwrap_err().contains("8/8"));
    }
}
