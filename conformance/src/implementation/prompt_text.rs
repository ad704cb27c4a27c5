//! System prompts as hosts write them: the one a world implies, and what is listed in one.

use crate::scenario::SkillEntry;

/// The prompt of a world: its active tools and its skills.
pub(super) fn world_prompt(tools: &[String], skills: &[SkillEntry]) -> String {
    let mut text = String::from("You are a coding agent.\n\nAvailable tools:\n");
    for tool in tools {
        text.push_str(&format!("- {tool}: the tool {tool}\n"));
    }
    text.push_str("\nGuidelines:\n- Be concise.\n");
    if !skills.is_empty() {
        text.push_str("\n<available_skills>\n");
        for skill in skills {
            text.push_str(&format!(
                "  <skill>\n    <name>{}</name>\n    <description>{}</description>\n    <location>{}</location>\n  </skill>\n",
                encode(&skill.name),
                encode(&skill.description),
                encode(&skill.location),
            ));
        }
        text.push_str("</available_skills>\n");
    }
    text
}

fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => encoded.push_str("&amp;"),
            '<' => encoded.push_str("&lt;"),
            '>' => encoded.push_str("&gt;"),
            '"' => encoded.push_str("&quot;"),
            '\'' => encoded.push_str("&apos;"),
            other => encoded.push(other),
        }
    }
    encoded
}

/// Names of the bullets below `Available tools:`, up to the next header.
pub fn listed_tools(prompt: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in prompt.lines().skip_while(|line| line.trim() != "Available tools:").skip(1) {
        let line = line.trim();
        if let Some(bullet) = line.strip_prefix("- ") {
            names.push(bullet.split([':', ' ']).next().unwrap_or_default().to_owned());
        } else if !line.is_empty() && line.ends_with(':') {
            break;
        }
    }
    names
}

/// Names of the skills in `<available_skills>` sections.
pub fn listed_skills(prompt: &str) -> Vec<String> {
    let mut names = Vec::new();
    for section in prompt.split("<available_skills>").skip(1) {
        let body = section.split("</available_skills>").next().unwrap_or_default();
        for entry in body.split("<skill>").skip(1) {
            let name = entry.split("<name>").nth(1).and_then(|rest| rest.split("</name>").next());
            if let Some(name) = name {
                names.push(decode(name.trim()));
            }
        }
    }
    names
}

fn decode(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::{listed_skills, listed_tools, world_prompt};
    use crate::scenario::SkillEntry;
    use pretty_assertions::assert_eq;

    #[test]
    fn what_is_written_is_read() {
        let skill = SkillEntry { name: "a<b".into(), location: "/x/SKILL.md".into(), description: "d & e".into() };
        let prompt = world_prompt(&["read".into(), "bash".into()], &[skill]);
        assert_eq!(listed_tools(&prompt), ["read", "bash"]);
        assert_eq!(listed_skills(&prompt), ["a<b"]);
    }
}
