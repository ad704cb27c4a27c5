//! Lists of names that are asked for every command: most commands stand in none of them, and the list says so at a glance.

/// A list of names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    all: &'static [&'static str],
    /// One bit for what each name looks like from outside.
    looks: u64,
}

impl Names {
    pub(crate) const fn of(all: &'static [&'static str]) -> Self {
        let mut looks = 0;
        let mut at = 0;
        while at < all.len() {
            #[expect(clippy::indexing_slicing, reason = "the index is below the length, and the compiler runs this")]
            let name = all[at];
            looks |= look(name);
            at += 1;
        }
        Self { all, looks }
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().copied()
    }

    /// Whether the name is one of them.
    #[inline]
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.looks & look(name) != 0 && self.all.contains(&name)
    }
}

/// First letter, last letter, length.
#[inline]
const fn look(name: &str) -> u64 {
    let (first, last) = match name.as_bytes() {
        [] => (0, 0),
        [only] => (*only as usize, *only as usize),
        [first, .., last] => (*first as usize, *last as usize),
    };
    1 << ((first * 5 + last * 11 + name.len()) % 64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Names;

    const NAMES: Names = Names::of(&["", "[", "sh", "bash", "sudo", "\u{e9}"]);

    proptest! {
        /// The look never hides a name.
        #[test]
        fn names_are_found(name in "\\PC{0,3}|sh|bash|sudo") {
            prop_assert_eq!(NAMES.contains(&name), NAMES.all.contains(&name.as_str()));
        }
    }

    #[test]
    fn each_name_is_found() {
        assert!(NAMES.all.iter().all(|name| NAMES.contains(name)));
    }
}
