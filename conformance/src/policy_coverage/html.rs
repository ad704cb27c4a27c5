//! The policy file as a page, with how often each rule decided in the margin. One file, no script, nothing loaded.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use portcullis_core::report::escape::visible;

use super::formats::words;
use super::{Coverage, RuleHits};

const STYLE: &str = "\
:root{color-scheme:light dark;--back:#fff;--text:#1c2024;--dim:#60646c;--line:#e0e3e8;--hit:#116329;--hit-back:#e6f6ea;\
--miss:#a40e26;--miss-back:#ffebe9}\
@media(prefers-color-scheme:dark){:root{--back:#111418;--text:#e6e9ee;--dim:#9aa2ad;--line:#2a3038;--hit:#7ee2a0;\
--hit-back:#10281a;--miss:#ff9b9b;--miss-back:#3a1518}}\
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}\
h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin-top:2rem}\
p{color:var(--dim)}\
.file{overflow-x:auto;border:1px solid var(--line);border-radius:6px}\
table{border-collapse:collapse;width:100%}\
.file td,.file th{font:13px/1.6 ui-monospace,monospace;padding:0 .6rem;vertical-align:top}\
.file td.code{white-space:pre;width:100%}\
.number,.hits{text-align:right;color:var(--dim);white-space:nowrap;user-select:none}\
tr.hit .hits,tr.hit .code{background:var(--hit-back)}tr.hit .hits{color:var(--hit);font-weight:600}\
tr.miss .hits,tr.miss .code{background:var(--miss-back)}tr.miss .hits{color:var(--miss);font-weight:600}\
.names{width:auto}.names td,.names th{padding:.15rem .8rem;border-bottom:1px solid var(--line);text-align:left}\
.names td+td{text-align:right}";

/// The page. `text` is the policy file as it stands.
pub fn html(coverage: &Coverage, text: &str) -> String {
    let mut by_line: BTreeMap<u32, Vec<&RuleHits>> = BTreeMap::new();
    for hit in &coverage.rules {
        if let Some(place) = &hit.rule.location {
            by_line.entry(place.line).or_default().push(hit);
        }
    }
    let file = escaped(&visible(coverage.file.as_deref().unwrap_or_default()));
    let reached = coverage.rules.iter().filter(|hit| hit.hits > 0).count();
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Coverage of {file}</title>\n\
         <style>{STYLE}</style>\n<h1>Coverage of {file}</h1>\n\
         <p>{reached} of {} rules are reached by {} rows ({} %). The margin says how many questions each rule answered.</p>\n",
        coverage.rules.len(),
        coverage.rows,
        coverage.percent()
    );
    for name in &coverage.failed {
        let _ = writeln!(page, "<p><strong>Did not pass:</strong> {}</p>", escaped(name));
    }
    page.push_str("<div class=\"file\" tabindex=\"0\" role=\"region\" aria-label=\"The policy file\"><table>\n");
    page.push_str("<thead><tr><th class=\"hits\" scope=\"col\">hits</th><th class=\"number\" scope=\"col\">line</th>");
    page.push_str("<th scope=\"col\" style=\"text-align:left\">policy</th></tr></thead>\n<tbody>\n");
    for (number, line) in (1_u32..).zip(text.lines()) {
        let (class, hits, title) = margin(by_line.get(&number).map(Vec::as_slice).unwrap_or_default());
        let title = if title.is_empty() { String::new() } else { format!(" title=\"{}\"", escaped(&title)) };
        let _ = writeln!(
            page,
            "<tr{class} id=\"L{number}\"><td class=\"hits\"{title}>{hits}</td><td class=\"number\">{number}</td><td class=\"code\">{}</td></tr>",
            escaped(line)
        );
    }
    page.push_str("</tbody></table></div>\n");
    for (heading, names) in [("Gates", &coverage.gates), ("Surfaces", &coverage.surfaces)] {
        let _ = write!(
            page,
            "<h2>{heading}</h2>\n<table class=\"names\"><thead><tr><th>name</th><th>times</th></tr></thead><tbody>\n"
        );
        for name in names {
            let hits = if name.hits == 0 { "never".to_owned() } else { name.hits.to_string() };
            let _ = writeln!(page, "<tr><td>{}</td><td>{hits}</td></tr>", escaped(&name.name));
        }
        page.push_str("</tbody></table>\n");
    }
    page.push_str("</html>\n");
    page
}

/// How a line is marked: its class, what stands in the margin, and the rules one by one.
fn margin(rules: &[&RuleHits]) -> (&'static str, String, String) {
    let Some(least) = rules.iter().map(|hit| hit.hits).min() else { return ("", String::new(), String::new()) };
    let each = rules.iter().map(|hit| {
        let dead = hit.dead_by.map(|by| format!(", line {by} matches all that it does")).unwrap_or_default();
        format!("{}: {}{dead}", words(hit), if hit.hits == 0 { "never".to_owned() } else { hit.hits.to_string() })
    });
    let title = each.collect::<Vec<_>>().join("; ");
    if least == 0 {
        let shown = if rules.iter().all(|hit| hit.dead_by.is_some()) { "dead" } else { "never" };
        return (" class=\"miss\"", shown.to_owned(), title);
    }
    (" class=\"hit\"", rules.iter().map(|hit| hit.hits).sum::<u64>().to_string(), title)
}

/// A text that is nothing but text, within an element and within an attribute in double quotes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // What turns the direction of a text around, or is not there to be seen.
            '\t' => safe.push('\t'),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
                let _ = write!(safe, "<em>U+{:04X}</em>", u32::from(letter));
            }
            letter if letter.is_control() => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}
