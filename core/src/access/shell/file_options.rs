//! Short options whose value is a file, glued to them or behind other letters: `curl -so.env`, `tar -xzf.env` (HARD-017,
//! HARD-057: the output options of curl and wget are paths). Data, and one reader for all of it.
//!
//! Checked against the manual pages of curl, wget, GNU tar, coreutils, make, patch, Info-ZIP and gcc. A program or a letter that
//! stands in no row keeps the residual of RES-50: only a value that begins with `/`, `~/`, `./` or `../` is split off.

use super::names::Names;
use super::word::Word;

/// The short options of one program.
struct FileOptions {
    names: Names,
    /// Letters whose value is a file or a directory.
    files: &'static str,
    /// Letters with another value: what follows them in a cluster is no option.
    values: &'static str,
    /// Letters that always have one more letter behind them (`wget -nv`).
    pairs: &'static str,
}

const TABLE: &[FileOptions] = &[
    FileOptions { names: Names::of(&["curl"]), files: "oDKTbcE", values: "AdeFhHCmPQrtuUwxXyYz", pairs: "" },
    FileOptions { names: Names::of(&["wget"]), files: "OoaiP", values: "ABDeIlQRtTUwX", pairs: "n" },
    FileOptions { names: Names::of(&["tar", "gtar", "bsdtar"]), files: "fCTXg", values: "bFHIKLNV", pairs: "" },
    FileOptions { names: Names::of(&["cp", "mv", "gcp", "gmv"]), files: "t", values: "S", pairs: "" },
    FileOptions { names: Names::of(&["ln", "gln"]), files: "t", values: "S", pairs: "" },
    FileOptions { names: Names::of(&["install", "ginstall"]), files: "t", values: "gmoS", pairs: "" },
    FileOptions { names: Names::of(&["sort", "gsort"]), files: "oT", values: "kSt", pairs: "" },
    FileOptions { names: Names::of(&["shuf", "gshuf"]), files: "o", values: "in", pairs: "" },
    FileOptions { names: Names::of(&["make", "gmake"]), files: "CfoWI", values: "jlO", pairs: "" },
    FileOptions { names: Names::of(&["patch"]), files: "dior", values: "BDFgpVYz", pairs: "" },
    FileOptions { names: Names::of(&["unzip"]), files: "d", values: "OIP", pairs: "" },
    // One letter a word: the rest is the value.
    FileOptions {
        names: Names::of(&["cc", "gcc", "g++", "c++", "clang", "clang++", "ld"]),
        files: "oILB",
        values: "DUOWfmlgstxu",
        pairs: "",
    },
];

/// The programs of the table.
pub(super) fn programs() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|row| row.names.iter())
}

/// For each word behind the command word the byte at which a glued file starts; nothing for a program without such options.
pub(crate) fn glued(name: &str, words: &[Word]) -> Vec<Option<usize>> {
    let args = words.get(1..).unwrap_or_default();
    let Some(row) = TABLE.iter().find(|row| row.names.contains(name)) else { return Vec::new() };
    let mut options = true;
    args.iter()
        .map(|word| {
            let value = word.value();
            options &= value != "--";
            if options { row.glued(&value) } else { None }
        })
        .collect()
}

impl FileOptions {
    fn glued(&self, value: &str) -> Option<usize> {
        let cluster = value.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
        let mut letters = cluster.char_indices();
        while let Some((at, letter)) = letters.next() {
            if self.values.contains(letter) {
                return None;
            }
            if self.pairs.contains(letter) {
                letters.next();
            } else if self.files.contains(letter) {
                let start = 1 + at + letter.len_utf8();
                return (start < value.len()).then_some(start);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::TABLE;

    /// The value that the row of this program splits off.
    fn file<'w>(name: &str, word: &'w str) -> Option<&'w str> {
        TABLE.iter().find(|row| row.names.contains(name)).and_then(|row| row.glued(word)).and_then(|at| word.get(at..))
    }

    #[rstest]
    #[case::hard_017("curl", "-o.env", Some(".env"))]
    #[case::hard_017("curl", "-sSLo.env", Some(".env"))]
    #[case::hard_017("curl", "-o", None)]
    #[case::hard_017("curl", "-XPOST", None)]
    #[case::hard_017("curl", "-Hout: x", None)]
    #[case::hard_017("curl", "--output", None)]
    #[case::hard_017("wget", "-O.env", Some(".env"))]
    #[case::hard_017("wget", "-qO-", Some("-"))]
    #[case::hard_017("wget", "-nvO.env", Some(".env"))]
    #[case::hard_017("wget", "-np", None)]
    #[case::hard_017("tar", "-xzf.env", Some(".env"))]
    #[case::hard_017("tar", "-xzvf", None)]
    #[case::hard_017("cp", "-at.git", Some(".git"))]
    #[case::hard_017("make", "-j4", None)]
    #[case::hard_017("gcc", "-oout", Some("out"))]
    #[case::hard_017("gcc", "-Os", None)]
    fn glued_files(#[case] name: &str, #[case] word: &str, #[case] expected: Option<&str>) {
        assert_eq!(file(name, word), expected);
    }
}
