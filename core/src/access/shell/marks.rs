//! Which signs stand in a text, found in one look at each of its bytes. Most words are names: what asks for a sign first asks
//! here whether there can be one.

/// Groups of signs. A group that is missing stands nowhere in the text; one that is there may stand for any of its signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks(u8);

impl Marks {
    /// `/`
    pub(crate) const SLASH: Self = Self(1);
    /// `.`
    pub(crate) const DOT: Self = Self(2);
    /// `=`
    pub(crate) const EQUALS: Self = Self(4);
    /// `:`
    pub(crate) const COLON: Self = Self(8);
    /// `*`, `?`, `[`
    pub(crate) const GLOB: Self = Self(16);
    /// `{`, `}`
    pub(crate) const BRACE: Self = Self(32);
    /// `+`
    pub(crate) const PLUS: Self = Self(64);
    /// Whatever is no letter of ASCII, no digit and none of `_-,%]`.
    pub(crate) const OTHER: Self = Self(128);
    /// Nothing is known.
    pub(crate) const ALL: Self = Self(255);

    /// Looks at a text.
    pub(crate) fn of(text: &str) -> Self {
        let at = |byte: u8| GROUPS.get(usize::from(byte)).copied().unwrap_or(Self::OTHER.0);
        Self(text.bytes().fold(0, |marks, byte| marks | at(byte)))
    }

    /// Both groups.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a sign of one of these groups may stand there.
    pub(crate) const fn has(self, some: Self) -> bool {
        self.0 & some.0 != 0
    }
}

const GROUPS: [u8; 256] = {
    let mut groups = [0; 256];
    let mut byte = 0;
    #[expect(clippy::indexing_slicing, reason = "the index is below the length, and the compiler runs this")]
    while byte < groups.len() {
        groups[byte] = match byte as u8 {
            b'/' => Marks::SLASH.0,
            b'.' => Marks::DOT.0,
            b'=' => Marks::EQUALS.0,
            b':' => Marks::COLON.0,
            b'*' | b'?' | b'[' => Marks::GLOB.0,
            b'{' | b'}' => Marks::BRACE.0,
            b'+' => Marks::PLUS.0,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b',' | b'%' | b']' => 0,
            _ => Marks::OTHER.0,
        };
        byte += 1;
    }
    groups
};

/// Whether one of these signs stands in a text. One after the other is faster than all at once.
pub(crate) fn holds<const N: usize>(text: &str, signs: [u8; N]) -> bool {
    signs.iter().any(|sign| text.as_bytes().contains(sign))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Marks, holds};

    #[rstest]
    #[case("", 0)]
    #[case("aZ09_-,%]", 0)]
    #[case("a/b.c", 3)]
    #[case("--x=y:z", 12)]
    #[case("*{+}", 112)]
    #[case("a b", 128)]
    #[case("\u{e9}", 128)]
    #[case("~", 128)]
    fn marks(#[case] text: &str, #[case] expected: u8) {
        assert_eq!(Marks::of(text), Marks(expected));
    }

    #[test]
    fn signs_in_a_long_text() {
        let text = format!("{}*{}", "a".repeat(100), "b".repeat(100));
        assert!(holds(&text, [b'?', b'*']));
        assert!(!holds(&text, [b'?', b'c']));
        assert!(!holds("", [b'?']));
    }
}
