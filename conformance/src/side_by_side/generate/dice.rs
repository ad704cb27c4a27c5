//! Chance that is the same for the same seed.

/// Throws for one case.
#[derive(Debug)]
pub(super) struct Dice(fastrand::Rng);

impl Dice {
    /// Those of a case; neighbours have nothing in common.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_add(1).wrapping_mul(0xd1b5_4a32_d192_ed03);
        Self(fastrand::Rng::with_seed(mixed))
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: u32) -> bool {
        self.0.u32(0..times.max(1)) == 0
    }

    /// A number below this one.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.usize(0..end.max(1))
    }

    /// One of these.
    pub(super) fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T
    where
        &'a T: Default,
    {
        let index = self.below(all.len());
        all.get(index).copied().unwrap_or_default()
    }

    /// Some of these, in their order.
    pub(super) fn some<'a>(&mut self, all: &[&'a str], one_in: u32) -> Vec<&'a str> {
        all.iter().copied().filter(|_| self.one_in(one_in)).collect()
    }
}
