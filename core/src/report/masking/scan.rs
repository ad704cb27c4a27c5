//! One walk over a text that finds bindings and hides their values.
//!
//! The walk knows where top-level shell words begin and which quotes are open; what is bound to what is decided at each name.

use super::MASK;
use super::names::{Binding, is_header_name, is_sensitive};
use super::quotes::{Quotes, mark_at};
use super::values::Reader;

/// The walk.
pub(super) struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    out: String,
    /// The text before this position is in `out`.
    copied: usize,
    at: usize,
    quotes: Quotes,
    /// Where the current top-level word begins, here and in `out`.
    word_start: usize,
    word_out: usize,
    /// The top-level word before this one.
    previous_word: &'t str,
    /// The current word was hidden whole.
    word_hidden: bool,
    /// The quotes do not balance, so that this is hardly a command: an apostrophe inside a word is one.
    is_prose: bool,
    /// Where the innermost open quote begins its text.
    quoted_from: Option<usize>,
}

/// A name with what stands around it.
#[derive(Clone, Copy)]
struct Name<'t> {
    start: usize,
    end: usize,
    /// Without dashes and dots around it.
    text: &'t str,
    is_option: bool,
    /// With one dash.
    is_short_option: bool,
}

impl<'t> Name<'t> {
    /// What is glued to a short option: `token` of `-Dtoken`. Empty for any other name.
    fn glued(self) -> &'t str {
        if !self.is_short_option {
            return "";
        }
        let mut characters = self.text.chars();
        characters.next();
        characters.as_str()
    }
}

/// A value that has to go.
struct Found {
    start: usize,
    end: usize,
    /// The quotes that are open around it.
    outer: Quotes,
    /// The quotes that are open where the walk goes on.
    quotes: Quotes,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            out: String::with_capacity(text.len()),
            copied: 0,
            at: 0,
            quotes: Quotes::default(),
            word_start: 0,
            word_out: 0,
            previous_word: "",
            word_hidden: false,
            is_prose: !balances(text.as_bytes()),
            quoted_from: None,
        }
    }

    pub(super) fn run(mut self) -> String {
        while let Some(byte) = self.byte(self.at) {
            match byte {
                b'\\' | b'\'' | b'"' => self.pass_mark(),
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' | b'`' => self.pass_delimiter(),
                b':' if self.slice(self.at, self.at + 3) == "://" => self.pass_url(),
                _ if is_name_byte(byte) => self.pass_name(),
                _ => self.at += 1,
            }
        }
        self.flush(self.text.len());
        self.out
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// A piece of the text; empty when its ends are no character boundaries, which no caller asks for.
    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn reader<'q>(&'q self, quotes: &'q Quotes) -> Reader<'q> {
        Reader { bytes: self.bytes, quotes }
    }

    fn flush(&mut self, to: usize) {
        self.out.push_str(self.text.get(self.copied..to).unwrap_or_default());
        self.copied = to.max(self.copied);
    }

    fn is_inside_a_word(&self, at: usize) -> bool {
        let is_letter = |at: usize| self.byte(at).is_some_and(is_name_byte);
        at > 0 && is_letter(at - 1) && is_letter(at + 1)
    }

    fn pass_mark(&mut self) {
        let Some((mark, length)) = mark_at(self.bytes, self.at) else {
            self.pass_escape();
            return;
        };
        self.at += length;
        if self.quotes.is_top_level() && mark.is_escaped() {
            return;
        }
        let opens = !self.quotes.closes(mark);
        if opens && self.is_prose && mark.is_apostrophe() && self.is_inside_a_word(self.at - length) {
            return;
        }
        self.quotes.pass(mark);
        self.quoted_from = opens.then_some(self.at);
    }

    /// A backslash in front of anything else. The letter behind it is no part of a name: `\nTOKEN=v`.
    fn pass_escape(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let run = rest.iter().take_while(|b| **b == b'\\').count();
        self.at += run;
        if run % 2 == 1 && self.byte(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.at += 1;
        }
    }

    fn pass_delimiter(&mut self) {
        if self.quotes.is_top_level() {
            let word = self.slice(self.word_start, self.at);
            if !word.is_empty() {
                self.previous_word = if self.word_hidden { MASK } else { word };
            }
            self.word_hidden = false;
            self.begin_word(self.at + 1);
        }
        self.at += 1;
    }

    fn begin_word(&mut self, at: usize) {
        self.flush(at);
        self.word_start = at;
        self.word_out = self.out.len();
    }

    /// `://user:password@`: the user part goes whole, since either half may be the secret.
    fn pass_url(&mut self) {
        let start = self.at + 3;
        let authority = self.bytes.get(start..).unwrap_or_default();
        let length = authority.iter().take_while(|b| !b"/?#\\\"'`<> \t\r\n".contains(b)).count();
        let authority = authority.get(..length).unwrap_or_default();
        let user = authority.iter().rposition(|b| *b == b'@');
        let has_password = user.is_some_and(|end| {
            let info = authority.get(..end).unwrap_or_default();
            info.iter().position(|b| *b == b':').is_some_and(|colon| colon + 1 < info.len())
        });
        match user {
            Some(end) if has_password => {
                self.hide(start, start + end);
                self.at = start + end;
            }
            _ => self.at = start,
        }
    }

    fn pass_name(&mut self) {
        let name = self.name_here();
        self.at = name.end;
        let found = self.default_value(name).or_else(|| self.bound_value(name));
        let Some(found) = found else { return };
        if self.is_stitched(&found) {
            self.hide_word(found.end);
            return;
        }
        if found.start < found.end {
            self.hide(found.start, found.end);
        }
        self.at = found.end;
        if found.quotes != self.quotes {
            self.quotes = found.quotes;
            self.quoted_from = None;
        }
    }

    fn name_here(&self) -> Name<'t> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = self.at + rest.iter().take_while(|b| is_name_byte(**b)).count();
        let run = self.slice(self.at, end);
        let text = run.trim_matches(['-', '.']);
        let is_option = run.starts_with('-') && !text.is_empty();
        Name { start: self.at, end, text, is_option, is_short_option: is_option && !run.starts_with("--") }
    }

    /// `${NAME:-value}` and its kin.
    fn default_value(&self, name: Name<'t>) -> Option<Found> {
        if !self.slice(0, name.start).ends_with("${") {
            return None;
        }
        let run = self.slice(name.start, self.text.len());
        let length = run.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let at = name.start + length;
        let operator = run.get(length..)?;
        let width = match operator.as_bytes() {
            [b':', b'-' | b'=' | b'+', ..] => 2,
            [b'-' | b'=' | b'+', ..] => 1,
            _ => return None,
        };
        if !is_sensitive(run.get(..length)?, Binding::Assignment) {
            return None;
        }
        // The brace that opened is one byte in front of the name.
        let behind = self.reader(&self.quotes).balanced(name.start - 1);
        let end = if self.byte(behind - 1) == Some(b'}') { behind - 1 } else { behind };
        Some(self.found(at + width, end.max(at + width)))
    }

    fn bound_value(&self, name: Name<'t>) -> Option<Found> {
        if name.text.is_empty() {
            return None;
        }
        let (closed, quotes) = self.closers(name.end);
        let has_quote = quotes != self.quotes;
        let operator = self.blanks(closed);
        match self.byte(operator)? {
            byte if name.is_option && operator > closed && byte != b'=' => self.next_word(name, operator, quotes),
            b'=' | b'+' | b':' => {
                if closed == name.end && operator == name.end {
                    self.direct(name)
                } else {
                    self.spaced(name, operator, quotes, has_quote)
                }
            }
            b',' if name.is_option && has_quote => self.next_item(name, operator, quotes),
            _ => None,
        }
    }

    /// Quotes and brackets that close behind a name: `"token"`, `["token"]`, `\"token\"`.
    fn closers(&self, from: usize) -> (usize, Quotes) {
        let mut quotes = self.quotes.clone();
        let mut at = from;
        for _ in 0..4 {
            if self.byte(at) == Some(b']') {
                at += 1;
            } else if let Some((mark, length)) = mark_at(self.bytes, at).filter(|(mark, _)| quotes.closes(*mark)) {
                quotes.pass(mark);
                at += length;
            } else {
                break;
            }
        }
        (at, quotes)
    }

    fn blanks(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Blanks, line ends, and continued lines.
    fn white(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.byte(at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
                Some(b'\\') if self.byte(at + 1) == Some(b'\n') => at += 2,
                _ => return at,
            }
        }
    }

    /// The operator touches the name: `name=value`, `name: value`, `name:value`.
    fn direct(&self, name: Name<'t>) -> Option<Found> {
        let rest = self.bytes.get(name.end..)?;
        match rest {
            [b'=', b'>', ..] => self.spaced(name, name.end, self.quotes.clone(), false),
            [b':', b'=', ..] => self.spaced(name, name.end, self.quotes.clone(), false),
            [b'=', ..] => self.assignment(name, name.end + 1),
            [b'+', b'=', ..] => self.assignment(name, name.end + 2),
            [b':', ..] => self.header(name, name.end + 1),
            _ => None,
        }
    }

    fn assignment(&self, name: Name<'t>, start: usize) -> Option<Found> {
        let binding = if name.is_option { Binding::Option } else { Binding::Assignment };
        if !is_sensitive(name.text, binding) && !is_sensitive(name.glued(), binding) {
            return None;
        }
        let reader = self.reader(&self.quotes);
        let end =
            if self.begins_quoted(name) && !self.is_payload() { reader.until_closing(start) } else { reader.shell_word(start) };
        Some(self.found(start, end))
    }

    fn header(&self, name: Name<'t>, start: usize) -> Option<Found> {
        let next = self.byte(start);
        let spaced = matches!(next, Some(b' ' | b'\t'));
        let escaped_blank = next == Some(b'\\') && matches!(self.byte(start + 1), Some(b' ' | b'\t'));
        let opens_quoted = self.begins_quoted(name);
        let is_header = is_header_name(name.text) || opens_quoted || self.follows_header_option(name);
        let is_url = self.slice(start, start + 2) == "//";
        if is_url
            || next == Some(b':')
            || !(spaced || escaped_blank || is_header)
            || !(is_sensitive(name.text, Binding::Key) || is_sensitive(name.glued(), Binding::Key))
        {
            return None;
        }
        let reader = self.reader(&self.quotes);
        let from = self.blanks(start);
        if let Some(end) = self.yaml_block(from) {
            return Some(self.found(from, end));
        }
        let end = if opens_quoted {
            reader.line(from, false, false)
        } else if spaced {
            reader.line(from, true, name.text.to_ascii_lowercase().ends_with("cookie"))
        } else {
            reader.shell_word(start)
        };
        Some(self.found(from.min(end), end))
    }

    /// `|` or `>` with nothing but the line's end behind it: the lines that are indented belong to the value.
    fn yaml_block(&self, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        let indicator = match rest {
            [b'|' | b'>', b'-' | b'+', ..] => 2,
            [b'|' | b'>', ..] => 1,
            _ => return None,
        };
        let mut at = self.blanks(from + indicator);
        let reader = self.reader(&self.quotes);
        let mut end = None;
        while self.byte(at) == Some(b'\n') && matches!(self.byte(at + 1), Some(b' ' | b'\t' | b'\n')) {
            at += 1;
            while self.byte(at).is_some_and(|byte| byte != b'\n') {
                if reader.closing_at(at).is_some() {
                    return Some(at);
                }
                at += 1;
            }
            end = Some(at);
        }
        end
    }

    /// A name in quotes, or blanks around the operator: JSON, source text, settings files.
    fn spaced(&self, name: Name<'t>, operator: usize, quotes: Quotes, has_quote: bool) -> Option<Found> {
        let width = match self.bytes.get(operator..)? {
            [b':', b'=', ..] | [b'=', b'>' | b'=', ..] | [b'+', b'=', ..] => 2,
            [b'=', ..] => 1,
            // `"name": value`, never `name : value`, which may be anything.
            [b':', ..] if has_quote => 1,
            _ => return None,
        };
        let binding = if has_quote { Binding::Key } else { Binding::Assignment };
        if !is_sensitive(name.text, binding) {
            return None;
        }
        let start = if has_quote { self.white(operator + width) } else { self.blanks(operator + width) };
        self.literal(start, quotes, has_quote)
    }

    /// `"--name", "value"`: a list of arguments written out.
    fn next_item(&self, name: Name<'t>, comma: usize, quotes: Quotes) -> Option<Found> {
        if !is_sensitive(name.text, Binding::Option) {
            return None;
        }
        let start = self.white(comma + 1);
        let (_, length) = mark_at(self.bytes, start)?;
        if self.byte(start + length) == Some(b'-') {
            return None;
        }
        self.literal(start, quotes, true)
    }

    /// `--name value`.
    fn next_word(&self, name: Name<'t>, from: usize, quotes: Quotes) -> Option<Found> {
        if !is_sensitive(name.text, Binding::Option) {
            return None;
        }
        let start = self.blanks_and_continued_lines(from);
        if self.byte(start) == Some(b'-') {
            return None;
        }
        let end = self.reader(&quotes).shell_word(start);
        Some(Found { start, end, outer: quotes.clone(), quotes })
    }

    fn blanks_and_continued_lines(&self, from: usize) -> usize {
        let mut at = self.blanks(from);
        while self.slice(at, at + 2) == "\\\n" {
            at = self.blanks(at + 2);
        }
        at
    }

    /// A value as source text writes it: quoted (its quotes stay), bracketed, or a word.
    fn literal(&self, start: usize, quotes: Quotes, is_json: bool) -> Option<Found> {
        let reader = self.reader(&quotes);
        if let Some((mark, length)) = reader.opening_at(start) {
            let (end, closing) = reader.until_same_mark(start + length, mark);
            let mut behind = quotes.clone();
            if closing.is_some() {
                // The walk passes the closing mark itself.
                behind.pass(mark);
            }
            return Some(Found { start: start + length, end, outer: quotes, quotes: behind });
        }
        let end = match self.byte(start)? {
            b'{' | b'[' | b'(' => reader.balanced(start),
            _ if is_json => reader.json_scalar(start),
            _ => reader.shell_word(start),
        };
        if is_json && self.slice(start, end) == "null" {
            return None;
        }
        Some(Found { start, end, outer: quotes.clone(), quotes })
    }

    fn found(&self, start: usize, end: usize) -> Found {
        Found { start, end, outer: self.quotes.clone(), quotes: self.quotes.clone() }
    }

    /// Whether the name is the first thing inside an open quote.
    fn begins_quoted(&self, name: Name<'t>) -> bool {
        self.quoted_from == Some(name.start)
    }

    /// Whether the word before says that this quoted word is a program: `sh -c`, `eval`.
    fn is_payload(&self) -> bool {
        let word = self.previous_word;
        let is_flag = word
            .strip_prefix('-')
            .and_then(|flags| flags.strip_suffix('c'))
            .is_some_and(|flags| flags.bytes().all(|b| b.is_ascii_lowercase()));
        self.quotes.depth() == 1 && (is_flag || matches!(word, "eval" | "--command"))
    }

    fn follows_header_option(&self, name: Name<'t>) -> bool {
        let glued = self.slice(name.start, name.end).starts_with("-H");
        glued || matches!(self.previous_word, "-H" | "--header" | "--proxy-header")
    }

    /// Whether the value touches the end of its quotes and the word goes on behind them.
    fn is_stitched(&self, found: &Found) -> bool {
        // A line's value ends before its blanks: `'Authorization: Bearer '"x"`.
        let at = if found.outer.is_top_level() { found.end } else { self.blanks(found.end) };
        let Some((mark, length)) = mark_at(self.bytes, at) else { return false };
        let goes_on = self.byte(at + length).is_some_and(|byte| !b" \t\r\n;&|<>()`".contains(&byte));
        found.outer.closes_all(mark) && goes_on
    }

    fn hide(&mut self, start: usize, end: usize) {
        self.flush(start);
        self.out.push_str(MASK);
        self.copied = end;
    }

    /// Hides the whole top-level word around a stitched value.
    fn hide_word(&mut self, closing: usize) {
        let closing = self.blanks(closing);
        let length = mark_at(self.bytes, closing).map_or(0, |(_, length)| length);
        let top = Quotes::default();
        let end = self.reader(&top).shell_word(closing + length);
        self.out.truncate(self.word_out);
        self.out.push_str(MASK);
        self.copied = end;
        self.at = end;
        self.word_hidden = true;
        self.quotes.clear();
        self.quoted_from = None;
    }
}

/// Whether anything in the text may bind a value: an operator, an option's dash, or an escape, behind which a name may begin
/// anywhere. Most texts of a record are words and paths, and need no walk.
pub(super) fn may_bind(text: &str) -> bool {
    let mut in_name = false;
    text.bytes().any(|byte| {
        let begins_option = byte == b'-' && !in_name;
        in_name = is_name_byte(byte);
        begins_option || matches!(byte, b'=' | b':' | b'+' | b'$' | b'\\')
    })
}

/// Whether every quote of the text is closed.
fn balances(bytes: &[u8]) -> bool {
    let mut quotes = Quotes::default();
    let mut at = 0;
    while at < bytes.len() {
        match mark_at(bytes, at) {
            Some((mark, length)) => {
                if !(quotes.is_top_level() && mark.is_escaped()) {
                    quotes.pass(mark);
                }
                at += length;
            }
            None => {
                let run = bytes.get(at..).unwrap_or_default().iter().take_while(|b| **b == b'\\').count();
                at += run.max(1);
            }
        }
    }
    quotes.is_top_level()
}

/// Letters, digits, `_`, `-`, `.`, and everything beyond ASCII.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || byte >= 0x80
}
