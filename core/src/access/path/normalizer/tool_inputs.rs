//! Inputs of tools that are no shell: paths as the host decodes them (RES-19), operands of searches (RES-22).

use super::{PathNormalizer, Spelled, add, matters};
use crate::access::path::AccessPath;
use crate::access::path::flavour::{ends_with_separator, is_absolute, separator};
use crate::access::path::folding::normal_forms;
use crate::access::path::host_decoding::{Decoded, decode_file_url, decode_tool_input};
use crate::access::path::resolve_links::Standing;
use crate::text::non_blank;

impl PathNormalizer {
    /// The path that a tool input names, after the host's own decoding (HARD-024, RES-19). `None` when it names nothing.
    pub fn tool_path(&self, raw: &str) -> Option<AccessPath> {
        let typed = non_blank(raw)?;
        Some(self.decoded_path(typed, typed))
    }

    /// The path of the text with its blanks at both ends, for a host that does not trim (HARD-024). `None` when that is no
    /// other name, or names nothing that could matter.
    pub fn untrimmed_tool_path(&self, raw: &str) -> Option<AccessPath> {
        let typed = non_blank(raw).filter(|typed| *typed != raw)?;
        Some(self.decoded_path(typed, raw)).filter(matters)
    }

    fn decoded_path(&self, typed: &str, raw: &str) -> AccessPath {
        let decoded = match decode_tool_input(self.facts.platform, self.home(), raw) {
            Decoded::Path(path) => path,
            Decoded::UnknownHome => return self.unknown_home(typed, typed),
        };
        let text = self.existing_normal_form(&decoded);
        let spelled = Spelled { typed, cleaned: &text, by_parent: "GATES-D07" };
        let mut path = self.build(&self.cwd, &text, &spelled);
        // To the package a URL is a name like any other, inside the session directory.
        let url = decode_file_url(self.facts.platform, raw.strip_prefix('@').unwrap_or(raw)).is_some();
        if url && path.outside {
            path.outside_by = Some("HARD-024");
        }
        if text != decoded {
            let other = self.lexical(&decoded);
            let relative = self.session().relative(&other).unwrap_or_default();
            add(&mut path, [(decoded, "HARD-024"), (other, "HARD-024"), (relative, "HARD-024")]);
        }
        path
    }

    /// A further operand of a search tool, relative to its path operand, or to the session directory without one
    /// (HARD-058, RES-22). Patterns are not decoded and not expanded: their literal text is judged.
    pub fn search_operand(&self, base: Option<&AccessPath>, raw: &str) -> Option<AccessPath> {
        let typed = non_blank(raw)?;
        let base = match base {
            Some(base) if base.unknown_place && !is_absolute(self.facts.platform, typed) => {
                return Some(AccessPath::of_unknown_place(typed, typed));
            }
            Some(base) => base.lexical.as_str(),
            None => self.cwd.as_str(),
        };
        Some(self.build(base, typed, &Spelled { typed, cleaned: typed, by_parent: "GATES-D07" }))
    }

    /// The path with `d/` beside each of its values, unless it is known to be no folder: a deny of `d/*` covers `d` itself
    /// for tools that list or search (HARD-058, RES-22).
    pub fn with_folder_alias(&self, mut path: AccessPath) -> AccessPath {
        if path.exists && !path.is_directory {
            return path;
        }
        let platform = self.facts.platform;
        let resolved = path.further.iter().filter(|(_, by)| matches!(*by, "HARD-024" | "GATES-D07" | "GATES-D08" | "GATES-D19"));
        let folders: Vec<(String, &'static str)> = path
            .values
            .iter()
            .chain(resolved.map(|(text, _)| text))
            .filter(|value| *value != "*" && !ends_with_separator(platform, value))
            .map(|value| (format!("{value}{}", separator(platform)), "HARD-058"))
            .collect();
        add(&mut path, folders);
        path
    }

    /// The decoded text, or its other normal form when only that one exists (RES-19).
    fn existing_normal_form(&self, decoded: &str) -> String {
        let exists = |text: &str| {
            self.place(&self.cwd, text, |place| self.links().look(place).standing != Standing::Nothing).unwrap_or(false)
        };
        let forms = normal_forms(decoded);
        if forms.is_empty() || exists(decoded) {
            return decoded.to_owned();
        }
        forms.into_iter().find(|form| exists(form)).unwrap_or_else(|| decoded.to_owned())
    }
}
