//! What else the file system calls the same file: names that a volume folds (GATES-D19), names that Windows cuts before it opens
//! the file (HARD-024).

use super::{PathNormalizer, Spelled, add};
use crate::access::path::AccessPath;
use crate::access::path::flavour::{fold, is_separator, separator, split_root};
use crate::access::path::folding::{folded_forms, normal_forms, spelling_on_disk};
use crate::access::path::resolve_links::Reality;
use crate::host::Platform;

impl PathNormalizer {
    /// GATES-D19: what else the same file is called on a volume that folds names.
    pub(super) fn folded_spellings(&self, path: &AccessPath, reality: &Reality) -> Vec<(String, &'static str)> {
        if self.facts.platform == Platform::Windows {
            return Vec::new();
        }
        let files = self.facts.files.as_ref();
        let mut forms: Vec<String> = Vec::new();
        if self.folding.folds_case(files, reality.existing()) {
            forms.extend(path.values.iter().flat_map(|value| folded_forms(value)));
            if let Some(real) = spelling_on_disk(files, &path.canonical) {
                forms.extend(self.session().relative(&real));
                forms.push(real);
            }
        } else if path.exists {
            let same = normal_forms(&path.canonical).into_iter().filter(|form| files.entry(form).is_ok());
            for form in same {
                forms.extend(self.session().relative(&form));
                forms.push(form);
            }
        }
        forms.into_iter().map(|form| (form, "GATES-D19")).collect()
    }

    /// Windows opens `a.env.`, `a.env ` and `a.env::$DATA` as `a.env`: the file behind the text is judged too.
    pub(super) fn add_opened_name(&self, path: &mut AccessPath, reality: &Reality) {
        let Some(opened) = opened_text(self.facts.platform, &reality.plain) else { return };
        let spelled = Spelled { typed: &opened, cleaned: &opened, by_parent: "HARD-024" };
        let Some(other) = self.place("", &opened, |place| self.links().look(place)) else { return };
        let canonical = fold(self.facts.platform, other.canonical());
        let other = self.session().path(&spelled, &other);
        if other.outside && !path.outside {
            path.outside = true;
            path.outside_by = Some("HARD-024");
        }
        path.protected = path.protected.or_else(|| self.protected().reason(&[&other.lexical, &canonical]));
        add(path, other.values.into_iter().map(|value| (value, "HARD-024")));
    }
}

/// The absolute text with each name as Windows opens it, when one differs: without a stream's name, without dots and blanks at
/// its end. A name that is nothing but dots and blanks, two dots or more, goes up.
fn opened_text(platform: Platform, path: &str) -> Option<String> {
    if platform != Platform::Windows {
        return None;
    }
    let (root, names) = split_root(platform, path)?;
    let names: Vec<&str> = names.split(|c| is_separator(platform, c)).map(opened_name).collect();
    let opened = format!("{root}{}", names.join(&separator(platform).to_string()));
    (opened != path).then_some(opened)
}

fn opened_name(name: &str) -> &str {
    let plain = name.split(':').next().unwrap_or(name);
    match plain.trim_end_matches(['.', ' ']) {
        "" if plain.matches('.').count() > 1 => "..",
        "" => ".",
        opened => opened,
    }
}
