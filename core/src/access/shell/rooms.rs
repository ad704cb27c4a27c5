//! Which rooms have something to say about a program by its name alone: one look-up for a command instead of one for each list.
//!
//! Decides nothing: every room keeps its list and looks into it again. A program that is missing here would be passed over,
//! so the table is made of the lists themselves.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::names::Names;
use super::{file_options, grant, operands, options, simple, spelling, wrappers};

/// A set of rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rooms(u8);

impl Rooms {
    /// Nobody looked at the name: every room has to look for itself.
    pub(crate) const ALL: Self = Self(u8::MAX);
    const NONE: Self = Self(0);
    /// It runs something: wrappers, carriers of program text, words that are no commands.
    pub(crate) const RUNS: Self = Self(1);
    /// It has dangerous options.
    pub(crate) const OPTIONS: Self = Self(2);
    /// A grant of it is narrow.
    pub(crate) const GRANTS: Self = Self(4);
    /// Not all of its operands are files.
    pub(crate) const OPERANDS: Self = Self(8);
    /// It may be one that only reads.
    pub(crate) const READS: Self = Self(16);
    /// It has options with a file glued to them.
    pub(crate) const GLUED: Self = Self(32);
    /// It leaves the directory.
    pub(crate) const MOVES: Self = Self(64);
    /// It has subcommands.
    pub(crate) const SUBCOMMANDS: Self = Self(128);

    /// The rooms that know a program of this name.
    pub(crate) fn of(name: &str) -> Self {
        // `python3.12`, `ld-linux-x86-64.so.2`: names with versions in them stand in no list.
        if name.starts_with("python") || name.starts_with("ld-") {
            return Self::ALL;
        }
        TABLE.get(name).copied().unwrap_or(Self::NONE)
    }

    /// Whether one of these rooms is in the set.
    pub(crate) const fn has(self, some: Self) -> bool {
        self.0 & some.0 != 0
    }
}

impl Default for Rooms {
    fn default() -> Self {
        Self::ALL
    }
}

static TABLE: LazyLock<HashMap<&'static str, Rooms>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    let mut enter = |rooms: Rooms, names: &mut dyn Iterator<Item = &'static str>| {
        for name in names {
            table.entry(name).or_insert(Rooms::NONE).0 |= rooms.0;
        }
    };
    let lists = |lists: &'static [Names]| lists.iter().flat_map(Names::iter);
    enter(Rooms::ALL, &mut simple::RESERVED.iter());
    enter(Rooms::RUNS, &mut lists(wrappers::LISTS).chain(simple::carriers()));
    enter(Rooms::OPTIONS, &mut options::programs());
    enter(Rooms::GRANTS, &mut grant::EXACT.iter().chain(lists(wrappers::LISTS)));
    enter(Rooms::OPERANDS, &mut operands::programs());
    enter(Rooms::READS, &mut lists(operands::READERS));
    enter(Rooms::GLUED, &mut file_options::programs());
    enter(Rooms::MOVES, &mut lists(simple::MOVERS));
    enter(Rooms::SUBCOMMANDS, &mut spelling::programs());
    table
});

#[cfg(test)]
mod tests {
    use std::mem::discriminant;

    use pretty_assertions::assert_eq;
    use proptest::prelude::*;

    use super::super::{BashProgram, PathWord, ShellFacts};
    use super::{Rooms, TABLE};
    use crate::access::path::posix;

    /// All that an analysis says but for the texts of units, in which blanks may differ.
    fn seen(command: &str) -> (Vec<String>, Vec<PathWord>) {
        let normalizer = posix(&[("/w/p/a", "file"), ("/w/p/x/y", "file"), ("/srv", "dir"), ("/w/p/out", "-> /srv")]);
        let facts = ShellFacts {
            resolver: &normalizer,
            is_promotable: &|token| token.ends_with('y'),
            could_hit_absolute: &|_| false,
            out_of_time: &|| false,
        };
        let program = BashProgram::parse(command, None, &facts).unwrap();
        let units = program.units.iter().map(|unit| {
            let floors: Vec<_> = unit.floors.iter().map(|floor| (floor.kind, floor.requirement)).collect();
            let words = |text: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            let text = words(&unit.text);
            let spellings =
                unit.spellings.iter().map(|(spelling, by)| (words(spelling), by)).filter(|(spelling, _)| *spelling != text);
            format!(
                "{text:?} {:?} {:?} {floors:?} {} {:?} {:?} {:?}",
                unit.context,
                unit.wrapper,
                unit.restrict_only,
                unit.introduced_by,
                discriminant(&unit.grant),
                spellings.collect::<Vec<_>>(),
            )
        });
        (units.collect(), program.paths)
    }

    fn check(name: &str, args: &str) {
        // Two blanks: nobody takes the short way.
        assert_eq!(seen(&format!("{name} {args}")), seen(&format!("{name}  {args}")), "{name} {args}");
        assert_eq!(seen(&format!("ls; {name} {args}")), seen(&format!("ls; {name}  {args}")), "{name} {args}");
    }

    const ARGS: &[&str] = &[
        "a b",
        "-c a",
        "-n a x/y",
        "-e a b.txt",
        "-exec rm x",
        "-xf a.tar",
        "-x rm",
        "-o out a",
        "-C /srv push",
        "sh -c a",
        "A=b rm x",
        "-c core.x=y status",
        "/srv",
        "-- /srv",
        "-S a",
        "-I a b",
        "--eval a .env",
        "-f .env a",
        "sudo rm x",
        "-",
    ];

    #[test]
    fn every_program_of_a_list_is_judged_the_same_on_the_short_way() {
        let plain = TABLE.keys().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
        let versions = ["python3.12", "ld-linux-x86-64.so.2", "ls", "make", "/usr/bin/env", "bin/sh", "cd/"];
        for name in plain.copied().chain(versions) {
            ARGS.iter().for_each(|args| check(name, args));
        }
    }

    #[test]
    fn a_name_in_no_list_is_known_to_nobody() {
        assert_eq!(Rooms::of("ls2"), Rooms::NONE);
        assert_eq!(Rooms::of("python3"), Rooms::ALL);
        assert!(Rooms::of("git").has(Rooms::OPTIONS) && !Rooms::of("git").has(Rooms::RUNS));
    }

    proptest! {
        #[test]
        fn any_name_is_judged_the_same_on_the_short_way(
            name in "[a-z][a-z0-9./-]{0,7}",
            args in "-{0,2}[a-zA-Z0-9./=:,]{1,6}( -{0,2}[a-zA-Z0-9./=:,]{1,6}| \"\\$[A-Za-z]{1,4}\"| \"[a-z /]{0,4}\"| '[^']{0,4}'| 2?>>? ?[a-z/]{1,4}){0,3}",
        ) {
            check(&name, &args);
        }
    }
}
