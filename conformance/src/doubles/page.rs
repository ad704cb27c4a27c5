//! The page docs/doubles.md.

use std::fmt::Write as _;

use super::{ALL, WITNESSES};

/// The page that lists the doubles, in Markdown.
pub fn page() -> String {
    let mut text = format!(
        "<!-- Made by `portcullis doubles --page`; `.ci/run fresh` compares. -->\n\
         # Doubles\n\n\
         Who guards the scenarios? A suite that passes on a good gate says little until it has failed on bad ones. The program carries {} gates\n\
         that are wrong on purpose. Each is the reference with one thing changed around it (what it reads, what it is told, what is seen of it)\n\
         and breaks the requirements that its line names.\n\n\
         `portcullis doubles` plays the scenarios that name what it breaks on each of them and prints who noticed, `--whole` the whole suite. A double *escapes* when fewer than {WITNESSES} scenarios fail on it that\n\
         cover a requirement which it breaks, and that is exit code 1: the suite has a hole. Only scenarios that pass on the reference count.\n\
         `portcullis run --implementation double:NAME` shows how one fails; `portcullis serve --implementation double:NAME` puts it behind the\n\
         [protocol](protocol.md), for testing other runners. Doubles that hang or die are always played in a process of their own.\n\n\
         | double | what it does wrong | breaks |\n| --- | --- | --- |\n",
        ALL.len()
    );
    for double in ALL {
        let _ = writeln!(text, "| `{}` | {} | {} |", double.name, double.fault, double.breaks.join(", "));
    }
    text
}
