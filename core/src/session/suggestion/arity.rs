//! The arity table (SESS-006): how many words of a command line name what it does.

/// Commands that one word names.
const ONE: [&str; 44] = [
    "make", "ls", "ll", "la", "cat", "less", "more", "head", "tail", "grep", "rg", "ag", "find", "touch", "mkdir", "rm", "cp",
    "mv", "ln", "chmod", "chown", "du", "df", "echo", "printf", "diff", "patch", "wc", "sort", "uniq", "awk", "sed", "tar",
    "zip", "unzip", "curl", "wget", "ssh", "scp", "rsync", "ping", "kill", "killall", "pkill",
];

/// Commands with a subcommand.
const TWO: [&str; 35] = [
    "git",
    "hg",
    "svn",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "bun add",
    "deno",
    "pip",
    "pip3",
    "uv",
    "cargo",
    "go",
    "bundle",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "gh",
    "fly",
    "vercel",
    "wrangler",
    "bazel",
    "terraform",
    "tofu",
    "pulumi",
    "systemctl",
    "service",
    "brew",
    "apt",
    "apt-get",
    "yum",
    "dnf",
];

/// Commands with a subcommand that has one of its own, or a script name.
const THREE: [&str; 27] = [
    "npm run",
    "npm exec",
    "pnpm run",
    "pnpm exec",
    "pnpm dlx",
    "yarn run",
    "bun run",
    "bun x",
    "deno run",
    "deno task",
    "deno compile",
    "uv run",
    "uv pip",
    "go run",
    "bundle exec",
    "docker compose",
    "docker container",
    "docker image",
    "docker network",
    "docker volume",
    "podman compose",
    "aws",
    "az",
    "gcloud",
    "gh pr",
    "gh issue",
    "gh repo",
];

/// The longest entry of the table has two words.
const LONGEST: usize = 2;

fn arity(words: &str) -> Option<usize> {
    let tables: [(usize, &[&str]); 3] = [(1, &ONE), (2, &TWO), (3, &THREE)];
    tables.into_iter().find(|(_, table)| table.contains(&words)).map(|(arity, _)| arity)
}

/// The words of a command that name what it does (SESS-006): the longest entry of the table that begins it decides how many;
/// without an entry the first word.
///
/// ```
/// use portcullis_core::session::suggestion::bash_prefix;
///
/// assert_eq!(bash_prefix(&["docker", "compose", "up", "-d"]), ["docker", "compose", "up"]);
/// assert_eq!(bash_prefix(&["mytool", "x"]), ["mytool"]);
/// ```
pub fn bash_prefix<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    let begins = |count: usize| {
        let words: Vec<String> = tokens.get(..count)?.iter().map(|word| word.to_lowercase()).collect();
        arity(&words.join(" "))
    };
    let count = (1..=LONGEST).rev().find_map(begins).unwrap_or(1);
    tokens.iter().take(count).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// SESS-006: 106 entries, none twice, none longer than the look-up reaches.
    #[test]
    fn sess_006_the_whole_table() {
        let all: Vec<&str> = ONE.iter().chain(&TWO).chain(&THREE).copied().collect();
        assert_eq!(all.len(), 106);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 106);
        assert!(all.iter().all(|entry| entry.split(' ').count() <= LONGEST));
    }
}
