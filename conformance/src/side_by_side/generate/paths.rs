//! Paths as calls name them.

use super::dice::Dice;

const INSIDE: [&str; 22] = [
    "src/main.rs",
    "README.md",
    "./README.md",
    ".env",
    "./.env",
    "config/.env.local",
    "secrets/key.pem",
    "src/../.env",
    "src",
    ".",
    "build/out.txt",
    "notes/a.md",
    "settings",
    "src/keys/key.pem",
    "${CWD}/src/main.rs",
    "${CWD}/.env",
    ".git/config",
    "deploy.sh",
    "skills/docs/SKILL.md",
    "docs/new file.md",
    "SRC/Main.rs",
    ".pi/extensions/pi-permission-system/config.json",
];
const OUTSIDE: [&str; 16] = [
    "/etc/passwd",
    "/etc/hosts",
    "/var/log/syslog",
    "/opt/data/a.csv",
    "~/notes/a.md",
    "~/.ssh/id_rsa",
    "${HOME}/.ssh/id_rsa",
    "$HOME/.npmrc",
    "../../shared/doc.md",
    "${HOME}/shared/doc.md",
    "../../notes/a.md",
    "~",
    "..",
    "/dev/null",
    "~/.aws/credentials",
    "${AGENT_DIR}/extensions/pi-permission-system/config.json",
];

/// A path, one in three outside of the session's directory.
pub(super) fn path(dice: &mut Dice) -> &'static str {
    if dice.one_in(3) { dice.pick(&OUTSIDE) } else { dice.pick(&INSIDE) }
}
