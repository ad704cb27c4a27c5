//! Shell words (EXT-001, EXT-002, EXT-006 to EXT-015, PATH-022 to PATH-024).

use super::{PathNormalizer, Spelled, add, matters};
use crate::access::path::flavour::is_absolute;
use crate::access::path::normalise::normalise;
use crate::access::path::shell_word::{CleanedWord, Meaning, WindowsWord, clean_word, is_clean, windows_word};
use crate::access::path::{AccessPath, Base, WordResolver};
use crate::host::{FileFaultKind, Platform};
use crate::text::js_trim;

/// The longest directory that words are resolved against.
const MAX_BASE: usize = 4096;

impl PathNormalizer {
    /// A home directory that nobody can tell. The package takes the text for a name below the base.
    pub(super) fn unknown_home(&self, typed: &str, text: &str) -> AccessPath {
        let named = self.build(&self.cwd, text, &Spelled { typed, cleaned: text, by_parent: "BASH-D18" });
        let mut path = AccessPath::of_unknown_place(typed, text);
        path.protected = named.protected;
        add(&mut path, named.values.into_iter().map(|value| (value, "HARD-018")));
        path
    }

    /// A relative word under a base that nobody can tell (EXT-006, EXT-010, RES-51).
    fn under_unknown_base(&self, typed: &str, text: &str) -> AccessPath {
        let assumed = self.build(&self.cwd, text, &Spelled { typed, cleaned: text, by_parent: "BASH-D18" });
        let mut path = AccessPath::of_unknown_place(typed, text);
        path.protected = assumed.protected;
        path.assumed = assumed.values.into_iter().filter(|value| value != text).collect();
        path
    }

    /// A path below Git Bash's own root (PATH-022, EXT-013): literal, in both spellings of the separator.
    fn posix_absolute(&self, typed: &str, cleaned: &str, text: &str) -> AccessPath {
        let mut path = AccessPath::literal(typed, text);
        let backslashed = text.replace('/', "\\");
        path.protected = self.protected().reason(&[&backslashed]);
        path.values.push(backslashed);
        add(&mut path, [(cleaned.to_owned(), "POLICY-D08"), (cleaned.replace('/', "\\"), "POLICY-D08")]);
        path
    }

    fn word(&self, typed: &str, cleaned: &str, base: &Base) -> AccessPath {
        let spelled = Spelled { typed, cleaned, by_parent: "BASH-D18" };
        match base {
            Base::Known(base) => self.build(base, cleaned, &spelled),
            Base::Unknown if is_absolute(self.facts.platform, cleaned) => self.build(&self.cwd, cleaned, &spelled),
            Base::Unknown => self.under_unknown_base(typed, cleaned),
        }
    }

    /// RES-50: a `file:` URL names its path; programs that read no URLs see a name below the base.
    fn url(&self, typed: &str, cleaned: &str, path: &str, base: &Base) -> AccessPath {
        let mut found = self.word(typed, path, base);
        let named = self.word(typed, cleaned, base);
        let named = named.values.into_iter().chain(named.assumed).map(|value| (value, "BASH-D10"));
        add(&mut found, named);
        found
    }
}

impl WordResolver for PathNormalizer {
    fn cwd(&self) -> &str {
        &self.cwd
    }

    fn platform(&self) -> Platform {
        self.facts.platform
    }

    fn resolve_word(&self, word: &str, base: &Base) -> Option<AccessPath> {
        let typed = js_trim(word);
        let CleanedWord { text, meaning } = clean_word(self.facts.platform, self.home(), word)?;
        Some(match meaning {
            Meaning::UnknownHome => self.unknown_home(typed, &text),
            Meaning::Url(path) => self.url(typed, &text, &path, base),
            Meaning::Plain if self.facts.platform == Platform::Windows => match windows_word(&text) {
                WindowsWord::Device => AccessPath::device(typed, &text),
                WindowsWord::PosixAbsolute { text: resolved } => self.posix_absolute(typed, &text, &resolved),
                WindowsWord::Native(native) => self.word(typed, &native, base),
                WindowsWord::DottedMount(native) => {
                    let mut path = self.word(typed, &native, base);
                    add(&mut path, [(text.clone(), "POLICY-D08"), (text.replace('/', "\\"), "POLICY-D08")]);
                    AccessPath { outside: true, outside_by: None, ..path }
                }
            },
            Meaning::Plain => self.word(typed, &text, base),
            Meaning::BracedHome(path) => {
                let mut found = self.word(typed, &path, base);
                let named = self.word(typed, &text, base);
                add(&mut found, named.values.into_iter().chain(named.assumed).map(|value| (value, "HARD-018")));
                found
            }
        })
    }

    fn home_directory(&self) -> Option<String> {
        let cleaned = clean_word(self.facts.platform, self.home(), "~")?;
        match cleaned.meaning {
            // A text without `..` is its own lexical form, whatever stands on the way: nobody has to look.
            Meaning::Plain if self.facts.platform == Platform::Posix => Some(self.lexical(&cleaned.text)),
            _ => self.resolve_word("~", &Base::Known(self.cwd.clone())).map(|path| path.lexical),
        }
    }

    fn exact_word(&self, word: &str, base: &Base) -> Option<AccessPath> {
        if word.is_empty() || is_clean(word) {
            return None;
        }
        let native = match self.facts.platform {
            Platform::Posix => word.to_owned(),
            Platform::Windows => match windows_word(word) {
                WindowsWord::Native(native) => native,
                _ => return None,
            },
        };
        Some(self.word(js_trim(word), &native, base)).filter(matters)
    }

    fn is_straight(&self, directory: &str) -> bool {
        // Names that a Windows volume folds are for the whole path to tell.
        self.facts.platform == Platform::Posix && !directory.is_empty() && self.canonical(directory) == directory
    }

    fn names_nothing(&self, word: &str, directory: &str) -> bool {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'+' | b'=' | b',' | b'%');
        let bare = !word.is_empty() && !word.starts_with('.') && word.bytes().all(plain);
        if !bare {
            return false;
        }
        let path = [directory.trim_end_matches('/'), "/", word].concat();
        let missing = matches!(self.facts.files.entry(&path), Err(fault) if fault.kind == FileFaultKind::NotFound);
        missing && self.protected().reason(&[&path]).is_none()
    }

    fn fold_directory(&self, word: &str, base: &Base) -> Base {
        let platform = self.facts.platform;
        let native = match platform {
            Platform::Posix => word.to_owned(),
            Platform::Windows => match windows_word(word) {
                WindowsWord::Native(native) => native,
                _ => return Base::Unknown,
            },
        };
        let base = match base {
            Base::Known(base) => base.as_str(),
            Base::Unknown if is_absolute(platform, &native) => self.cwd.as_str(),
            Base::Unknown => return Base::Unknown,
        };
        let folded = self.place(base, &native, |place| normalise(platform, place).into_string());
        // No system opens so long a path; a chain of `cd` must not make each word cost its length.
        folded.filter(|directory| directory.len() <= MAX_BASE).map_or(Base::Unknown, Base::Known)
    }
}
