//! The skills that the system prompt lists (TOOL-014 to TOOL-016): denied ones are cut out of the prompt and kept in the
//! result, so that their files stay guarded (RES-23, POLICY-D17).

use std::collections::HashMap;

use crate::policy::PermissionState;
use crate::text::js_trim;

const OPEN: &str = "<available_skills>";
const CLOSE: &str = "</available_skills>";

/// One entry of the prompt with the answer for its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSkill {
    /// Its name, decoded.
    pub name: String,
    /// Its description, decoded.
    pub description: String,
    /// Its file as the prompt spells it, decoded.
    pub location: String,
    /// The answer.
    pub state: PermissionState,
    /// The rule's reason, for denies.
    pub reason: Option<String>,
}

/// What became of the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilteredSkills {
    /// The prompt without what is hidden; byte for byte the old one when nothing is.
    pub prompt: String,
    /// All entries in the order of the prompt, denied ones included.
    pub skills: Vec<ListedSkill>,
}

/// Asks for each distinct name once, and hides what is denied.
///
/// ```
/// use portcullis_core::handlers::agent_prep::filter_skills;
/// use portcullis_core::policy::PermissionState;
///
/// let prompt = "Hi.\n<available_skills><skill><name>a</name><description/>\
///     <description>d</description><location>/s/a.md</location></skill></available_skills>";
/// let listing = filter_skills(prompt, |_| (PermissionState::Deny, None));
/// assert_eq!(listing.prompt, "Hi.");
/// assert_eq!(listing.skills.len(), 1, "its file stays guarded");
/// ```
pub fn filter_skills(prompt: &str, mut ask: impl FnMut(&str) -> (PermissionState, Option<String>)) -> FilteredSkills {
    let mut answers: HashMap<String, (PermissionState, Option<String>)> = HashMap::new();
    let mut skills = Vec::new();
    let mut text = String::new();
    let mut rest = prompt;
    while let Some((before, body, after)) = section(rest) {
        let entries: Vec<ListedSkill> = entries(body)
            .map(|(name, description, location)| {
                let (state, reason) = answers.entry(name.clone()).or_insert_with(|| ask(&name)).clone();
                ListedSkill { name, description, location, state, reason }
            })
            .collect();
        let visible: Vec<&ListedSkill> = entries.iter().filter(|skill| skill.state != PermissionState::Deny).collect();
        text.push_str(before);
        if visible.len() == entries.len() {
            text.extend([OPEN, body, CLOSE]);
        } else if visible.is_empty() {
            text.truncate(text.trim_end_matches(['\n', '\r']).len());
        } else {
            text.push_str(&render(&visible));
        }
        skills.extend(entries);
        rest = after;
    }
    text.push_str(rest);
    FilteredSkills { prompt: text, skills }
}

/// What stands before the next section, its body, what follows. An unclosed one ends the search.
fn section(text: &str) -> Option<(&str, &str, &str)> {
    let (before, opened) = text.split_once(OPEN)?;
    let (body, after) = opened.split_once(CLOSE)?;
    Some((before, body, after))
}

/// Name, description, location of each whole entry.
fn entries(body: &str) -> impl Iterator<Item = (String, String, String)> + '_ {
    let mut rest = body;
    let blocks = std::iter::from_fn(move || {
        let (block, after) = rest.split_once("<skill>")?.1.split_once("</skill>")?;
        rest = after;
        Some(block)
    });
    blocks.filter_map(|block| {
        let name = element(block, "<name>", "</name>")?;
        let description = element(block, "<description>", "</description>")?;
        let location = element(block, "<location>", "</location>")?;
        (!name.is_empty() && !location.is_empty()).then_some((name, description, location))
    })
}

fn element(block: &str, open: &str, close: &str) -> Option<String> {
    let (text, _) = block.split_once(open)?.1.split_once(close)?;
    Some(decode(js_trim(text)))
}

/// The five named entities, once; numbers are not decoded.
const ENTITIES: [(&str, char); 5] = [("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&apos;", '\''), ("&amp;", '&')];

fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        decoded.push_str(before);
        let entity = ENTITIES.iter().find_map(|(entity, c)| Some((after.strip_prefix(entity.get(1..)?)?, *c)));
        let (after, c) = entity.unwrap_or((after, '&'));
        decoded.push(c);
        rest = after;
    }
    decoded.push_str(rest);
    decoded
}

fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        match ENTITIES.iter().find(|(_, plain)| *plain == c) {
            Some((entity, _)) => encoded.push_str(entity),
            None => encoded.push(c),
        }
    }
    encoded
}

/// TOOL-016: five lines an entry.
fn render(skills: &[&ListedSkill]) -> String {
    let mut lines = vec![OPEN.to_owned()];
    for skill in skills {
        lines.push("  <skill>".to_owned());
        lines.push(format!("    <name>{}</name>", encode(&skill.name)));
        lines.push(format!("    <description>{}</description>", encode(&skill.description)));
        lines.push(format!("    <location>{}</location>", encode(&skill.location)));
        lines.push("  </skill>".to_owned());
    }
    lines.push(CLOSE.to_owned());
    lines.join("\n")
}

#[cfg(test)]
mod tests;
