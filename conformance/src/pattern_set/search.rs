//! The shortest value that one pattern matches, that none of the patterns overriding it does, and for which an ordered list
//! ends on a wanted entry: a search over the product of all of them, breadth first.
//!
//! A state is the set of places where the patterns stand. Wherever a pattern has come to a final star, what it overrides is
//! dropped; that keeps states few for lists as people write them. The search is exact; when it would take more work than
//! it may, it says so instead of guessing.

use std::collections::{BTreeMap, HashSet, VecDeque};

use portcullis_core::policy::PatternToken;

use super::shape::{Shape, ShapeState};
use super::{FRESH, LETTERS, PatternSet};

/// One question.
#[derive(Debug)]
pub struct Search<'s> {
    /// The value is one of these,
    pub target: &'s PatternSet,
    /// none of any of these,
    pub over: Vec<&'s PatternSet>,
    /// and the last of these that holds it is marked.
    pub last_of: Vec<(&'s PatternSet, bool)>,
    /// What values look like.
    pub shape: &'s dyn Shape,
    /// How many places may be looked at.
    pub budget: usize,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A shortest value.
    Witness(String),
    /// There is none.
    None,
    /// More work than allowed.
    Undecided,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Char(char),
    One,
    Many,
    End,
}

/// The patterns laid end to end. Rule 0 is the target, then come those over it, then the list.
struct Machine {
    cells: Vec<Cell>,
    rules: Vec<u32>,
    starts: Vec<u32>,
    list: u32,
    wanted: Vec<bool>,
}

type State = (Box<[u32]>, ShapeState);

impl Machine {
    fn new(search: &Search<'_>) -> Self {
        let list = 1 + search.over.len();
        let sets = std::iter::once(search.target).chain(search.over.iter().copied());
        let sets = sets.chain(search.last_of.iter().map(|(set, _)| *set));
        let mut machine = Self {
            cells: Vec::new(),
            rules: Vec::new(),
            starts: Vec::new(),
            list: number(list),
            wanted: search.last_of.iter().map(|(_, wanted)| *wanted).collect(),
        };
        for (rule, set) in sets.enumerate() {
            for tokens in &set.alternatives {
                machine.starts.push(number(machine.cells.len()));
                for token in tokens {
                    machine.push(
                        rule,
                        match token {
                            PatternToken::Char(c) => Cell::Char(*c),
                            PatternToken::One => Cell::One,
                            PatternToken::Many => Cell::Many,
                        },
                    );
                }
                machine.push(rule, Cell::End);
            }
        }
        machine
    }

    fn push(&mut self, rule: usize, cell: Cell) {
        self.cells.push(cell);
        self.rules.push(number(rule));
    }

    fn cell(&self, place: u32) -> Cell {
        self.cells.get(place as usize).copied().unwrap_or(Cell::End)
    }

    fn rule(&self, place: u32) -> u32 {
        self.rules.get(place as usize).copied().unwrap_or_default()
    }

    /// Whether everything that follows matches.
    fn is_final_star(&self, place: u32) -> bool {
        self.cell(place) == Cell::Many && self.cell(place + 1) == Cell::End
    }

    fn is_wanted(&self, rule: u32) -> bool {
        rule.checked_sub(self.list).and_then(|at| self.wanted.get(at as usize)).copied().unwrap_or(false)
    }

    /// Adds the places behind stars, and drops what can change nothing; nothing is left when no value can come of it.
    fn settle(&self, places: Vec<u32>) -> Option<Box<[u32]>> {
        let mut all = Vec::with_capacity(places.len() + 4);
        for mut place in places {
            all.push(place);
            while self.cell(place) == Cell::Many {
                place += 1;
                all.push(place);
            }
        }
        all.sort_unstable();
        all.dedup();
        // The last list entry that matches whatever follows, and the lists that rest on a final star.
        let mut floor = 0;
        let mut target_rests = false;
        for place in all.iter().copied().filter(|place| self.is_final_star(*place)) {
            match self.rule(place) {
                0 => target_rests = true,
                rule if rule < self.list => return None,
                rule => floor = floor.max(rule),
            }
        }
        all.retain(|place| {
            let rule = self.rule(*place);
            let rests = (rule == 0 && target_rests) || (rule == floor && floor > 0);
            if rests { self.is_final_star(*place) || self.is_end_after_star(*place) } else { rule < self.list || rule > floor }
        });
        let target = all.iter().any(|place| self.rule(*place) == 0);
        let hope = all.iter().any(|place| self.is_wanted(self.rule(*place)));
        (target && hope).then(|| all.into_boxed_slice())
    }

    fn is_end_after_star(&self, place: u32) -> bool {
        place.checked_sub(1).is_some_and(|before| self.is_final_star(before))
    }

    /// Whether a value that ends here is one.
    fn accepts(&self, places: &[u32]) -> bool {
        let ended: Vec<u32> =
            places.iter().filter(|place| self.cell(**place) == Cell::End).map(|place| self.rule(*place)).collect();
        let last = ended.iter().max().copied().unwrap_or_default();
        ended.contains(&0) && !ended.iter().any(|rule| (1..self.list).contains(rule)) && self.is_wanted(last)
    }
}

impl Search<'_> {
    /// A shortest value, if there is any.
    pub fn find(&self) -> Answer {
        let machine = Machine::new(self);
        let Some(start) = machine.settle(machine.starts.clone()) else { return Answer::None };
        let mut spent = 0_usize;
        let mut steps: Vec<(usize, char)> = vec![(0, FRESH)];
        let start: State = (start, ShapeState::default());
        let mut seen: HashSet<State> = HashSet::from([start.clone()]);
        let mut queue: VecDeque<(usize, State)> = VecDeque::from([(0, start)]);
        while let Some((at, (places, shape))) = queue.pop_front() {
            if self.shape.accepts(shape) && machine.accepts(&places) {
                return Answer::Witness(spell(&steps, at));
            }
            for (c, next) in self.moves(&machine, &places, shape) {
                let Some(shape) = self.shape.step(shape, c) else { continue };
                spent += next.len() + 1;
                if spent > self.budget {
                    return Answer::Undecided;
                }
                let Some(places) = machine.settle(next) else { continue };
                let state = (places, shape);
                if seen.insert(state.clone()) {
                    steps.push((at, c));
                    queue.push_back((steps.len() - 1, state));
                }
            }
        }
        Answer::None
    }

    /// Where each character leads that some pattern or the shape tells from others, and one that stands for all the rest.
    fn moves(&self, machine: &Machine, places: &[u32], shape: ShapeState) -> Vec<(char, Vec<u32>)> {
        let mut always: Vec<u32> = Vec::new();
        let mut by_char: BTreeMap<char, Vec<u32>> = self.shape.special(shape).into_iter().map(|c| (c, Vec::new())).collect();
        for place in places {
            match machine.cell(*place) {
                Cell::Char(c) => by_char.entry(c).or_default().push(place + 1),
                Cell::One => always.push(place + 1),
                Cell::Many => always.push(*place),
                Cell::End => {}
            }
        }
        let fresh = LETTERS.chars().chain([FRESH]).find(|c| !by_char.contains_key(c)).unwrap_or(FRESH);
        let mut moves = vec![(fresh, always.clone())];
        for (c, mut next) in by_char {
            next.extend_from_slice(&always);
            moves.push((c, next));
        }
        moves
    }
}

fn spell(steps: &[(usize, char)], mut at: usize) -> String {
    let mut letters = Vec::new();
    while at > 0 {
        let Some((before, c)) = steps.get(at).copied() else { break };
        letters.push(c);
        at = before;
    }
    letters.iter().rev().collect()
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
