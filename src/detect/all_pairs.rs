//! What a few neighbours cost in all pairs of an encoding and a language, side by side: loops over all pairs that the
//! compiler turns into vector instructions.

use super::model::{
    Costs, LANGUAGES, LATIN_LANGUAGES, PAIRS, Pair, ascii_class, languages, place_of_cost,
    upper_classes,
};
use super::single_byte::{Neighbours, RARE_SIGNS, case_cost, cost_of_signs, symbol_cost};

/// The number of neighbours by which all pairs are compared.
pub(super) const FIRST: usize = 16;

/// All pairs, and room for whole vectors.
const LANES: usize = PAIRS.next_multiple_of(32);

/// Adds the cost of at most [`FIRST`] neighbours to the costs of all pairs, and the cost of all pairs of ASCII.
pub(super) fn add_to_all(costs: &mut [u32; PAIRS], neighbours: &Neighbours) {
    let Some(languages) = languages() else {
        return;
    };
    let mut is_latin = [false; LANES];
    for (is_latin, language) in is_latin.iter_mut().zip(languages) {
        *is_latin = usize::from(*language) < LATIN_LANGUAGES;
    }
    let all = neighbours.get();
    let some = &all[..FIRST.min(all.len())];
    let mut places = [[0; LANES]; FIRST];
    let mut others = [0; LANES];
    for (neighbour, places) in some.iter().zip(&mut places) {
        let from = classes(neighbour.first, &is_latin);
        let to = classes(neighbour.second, &is_latin);
        for lane in 0..LANES {
            places[lane] = place_of_cost(from[lane], to[lane]);
        }
        for lane in 0..LANES {
            let other = case_cost(from[lane], to[lane]) + symbol_cost(*neighbour, to[lane]);
            others[lane] += u16::from(other);
        }
    }
    let of_language: [u32; LANGUAGES] =
        core::array::from_fn(|language| neighbours.language_cost(language));
    for (number, cost) in costs.iter_mut().enumerate() {
        let language = usize::from(languages[number]);
        let Some(table) = Costs::of_language(language) else {
            continue;
        };
        let at = |places: &[u16; LANES]| table.at(places[number]);
        let letters: u32 = if some.len() == FIRST {
            // Without a loop.
            places.iter().map(at).sum()
        } else {
            places.iter().take(some.len()).map(at).sum()
        };
        *cost += letters + u32::from(others[number]) + of_language[language];
    }
    for neighbour in some.iter().filter(|near| near.signs & RARE_SIGNS != 0) {
        for (number, cost) in costs.iter_mut().enumerate() {
            let pair = Pair::get(number);
            *cost += pair.map_or(0, |pair| cost_of_signs(*neighbour, &pair));
        }
    }
}

/// The classes of a byte in all pairs.
fn classes(byte: u8, is_latin: &[bool; LANES]) -> [u8; LANES] {
    let mut classes = [0; LANES];
    if byte.is_ascii() {
        let of = [false, true].map(|is_latin| ascii_class(byte, is_latin));
        for (class, is_latin) in classes.iter_mut().zip(is_latin) {
            *class = if *is_latin { of[1] } else { of[0] };
        }
    } else if let Some(known) = upper_classes(byte) {
        classes[..PAIRS].copy_from_slice(known);
    }
    classes
}
