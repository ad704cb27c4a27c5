//! Which names are sensitive, as data (HARD-052), and how a name is read word by word.
//!
//! A name is cut into words at everything that is no letter or digit, and where capitals begin (`apiKey`, `API_KEY`, `api-key`
//! are `api key`; `APIKey` too); digits at a word's end do not count. Words are compared whole: `monkey` is no key and
//! `tokenizer` no token.

/// How a value is bound to a name. Some short words mean a secret only where values are usually assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// A key of an object, of YAML, a header.
    Key,
    /// `name=value`.
    Assignment,
    /// `--name value`, `--name=value`.
    Option,
}

/// Words, or words that follow each other, that make a name sensitive.
const SENSITIVE: &[&[&str]] = &[
    &["token"],
    &["tokens"],
    &["secret"],
    &["secrets"],
    &["password"],
    &["passwords"],
    &["passwd"],
    &["passphrase"],
    &["passcode"],
    &["authorization"],
    &["cookie"],
    &["cookies"],
    &["credential"],
    &["credentials"],
    &["bearer"],
    &["jwt"],
    &["otp"],
    &["csrf"],
    &["api", "key"],
    &["api", "keys"],
    &["access", "key"],
    &["private", "key"],
    &["signing", "key"],
    &["encryption", "key"],
    &["auth", "key"],
    &["session", "key"],
    &["shared", "key"],
    &["account", "key"],
    &["service", "key"],
    &["ssh", "key"],
    &["mysql", "pwd"],
    // The same without a boundary.
    &["apikey"],
    &["apikeys"],
    &["accesskey"],
    &["privatekey"],
    &["secretkey"],
    &["authkey"],
    &["accountkey"],
    &["authtoken"],
    &["accesstoken"],
    &["refreshtoken"],
    &["sessiontoken"],
    &["sessionid"],
    &["clientsecret"],
    &["pgpassword"],
    &["sshpass"],
    &["userpassword"],
    &["dbpassword"],
];

/// Last words that make a name sensitive where it is assigned: `KEY=v`, `DB_PASS=v`, `GITHUB_PAT=v`.
const SENSITIVE_WHEN_ASSIGNED: &[&str] = &["key", "pass", "pat", "auth", "pin"];

/// Last words that make an option sensitive.
const SENSITIVE_OPTIONS: &[&str] = &["pass"];

/// Words in front of a last `key` that make it harmless.
const HARMLESS_KEYS: &[&str] =
    &["public", "primary", "foreign", "sort", "partition", "cache", "group", "index", "hot", "shortcut", "object", "lookup"];

/// Last words that say that the value is not the secret but something about it: `TOKEN_URL`, `--cookie-jar`, `password-file`.
const DESCRIBING: &[&str] = &[
    "file",
    "path",
    "dir",
    "directory",
    "url",
    "uri",
    "endpoint",
    "type",
    "name",
    "length",
    "len",
    "count",
    "limit",
    "jar",
    "stdin",
    "policy",
    "ttl",
    "expiry",
    "expires",
    "expiration",
    "format",
    "field",
];

/// Words beside `tokens` that make it a quantity: `max_tokens`.
const COUNTING: &[&str] = &["max", "min", "num", "total", "input", "output", "prompt", "completion", "new", "used", "usage"];

/// Whether a value bound to this name is masked.
pub(super) fn is_sensitive(name: &str, binding: Binding) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((last, before)) = words.split_last() else { return false };
    if DESCRIBING.contains(last) {
        return false;
    }
    if *last == "tokens" && before.iter().any(|word| COUNTING.contains(word)) {
        return false;
    }
    let by_last_word = match binding {
        Binding::Key => false,
        Binding::Assignment => SENSITIVE_WHEN_ASSIGNED.contains(last),
        Binding::Option => SENSITIVE_OPTIONS.contains(last),
    };
    let harmless_key = *last == "key" && before.last().is_some_and(|word| HARMLESS_KEYS.contains(word));
    (by_last_word && !harmless_key) || SENSITIVE.iter().any(|sequence| contains(&words, sequence))
}

/// Names that are headers whatever stands around them.
pub(super) fn is_header_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("x-") || matches!(lower.as_str(), "authorization" | "proxy-authorization" | "cookie" | "set-cookie")
}

fn contains(words: &[&str], sequence: &[&str]) -> bool {
    words.windows(sequence.len()).any(|window| window == sequence)
}

/// The words of a name in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous: Option<char> = None;
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_alphanumeric() {
            close(&mut word, &mut words);
            previous = None;
            continue;
        }
        let after_small = previous.is_some_and(|p| !p.is_uppercase()) && character.is_uppercase();
        // `APIKey`: the last capital of a run belongs to the small letters behind it.
        let before_small = previous.is_some_and(char::is_uppercase)
            && character.is_uppercase()
            && characters.peek().is_some_and(|next| next.is_lowercase());
        if after_small || before_small {
            close(&mut word, &mut words);
        }
        word.extend(character.to_lowercase());
        previous = Some(character);
    }
    close(&mut word, &mut words);
    words
}

fn close(word: &mut String, words: &mut Vec<String>) {
    let trimmed = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if !trimmed.is_empty() {
        words.push(trimmed.to_owned());
    }
    word.clear();
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Binding, is_sensitive, words};

    #[rstest]
    #[case("API_KEY", &["api", "key"])]
    #[case("apiKey", &["api", "key"])]
    #[case("APIKey", &["api", "key"])]
    #[case("x-api-key", &["x", "api", "key"])]
    #[case("_authToken2", &["auth", "token"])]
    #[case("AWS_SECRET_ACCESS_KEY", &["aws", "secret", "access", "key"])]
    #[case("--", &[])]
    #[case("123", &[])]
    fn a_name_is_read_word_by_word(#[case] name: &str, #[case] expected: &[&str]) {
        assert_eq!(words(name), expected);
    }

    /// HARD-052: which names, by kind of binding: key, assignment, option.
    #[rstest]
    #[case("token", true, true, true)]
    #[case("accessToken", true, true, true)]
    #[case("GITHUB_TOKEN", true, true, true)]
    #[case("password", true, true, true)]
    #[case("passwd", true, true, true)]
    #[case("client_secret", true, true, true)]
    #[case("api key", true, true, true)]
    #[case("X-Api-Key", true, true, true)]
    #[case("apikey", true, true, true)]
    #[case("Authorization", true, true, true)]
    #[case("Set-Cookie", true, true, true)]
    #[case("credentials", true, true, true)]
    #[case("private-key", true, true, true)]
    #[case("PGPASSWORD", true, true, true)]
    #[case("KEY", false, true, false)]
    #[case("STRIPE_KEY", false, true, false)]
    #[case("DB_PASS", false, true, true)]
    #[case("GITHUB_PAT", false, true, false)]
    #[case("PUBLIC_KEY", false, false, false)]
    #[case("sort_key", false, false, false)]
    #[case("monkey", false, false, false)]
    #[case("tokenizer", false, false, false)]
    #[case("secretary", false, false, false)]
    #[case("compass", false, false, false)]
    #[case("bypass", false, false, false)]
    #[case("max_tokens", false, false, false)]
    #[case("tokens", true, true, true)]
    #[case("token_url", false, false, false)]
    #[case("password-file", false, false, false)]
    #[case("cookie-jar", false, false, false)]
    #[case("PATH", false, false, false)]
    #[case("PWD", false, false, false)]
    #[case("author", false, false, false)]
    #[case("", false, false, false)]
    fn hard_052_sensitive_names(#[case] name: &str, #[case] key: bool, #[case] assignment: bool, #[case] option: bool) {
        let got = [Binding::Key, Binding::Assignment, Binding::Option].map(|binding| is_sensitive(name, binding));
        assert_eq!(got, [key, assignment, option], "{name}");
    }
}
