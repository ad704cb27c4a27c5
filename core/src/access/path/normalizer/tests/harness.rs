//! Protected paths (HARD-056) and exempt reads (PATH-014, RES-21).

use pretty_assertions::assert_eq;

use super::*;

#[rstest]
#[case::hard_056(".pi/extensions/pi-permission-system/config.json", Some(ProtectedReason::PolicyFile))]
#[case::hard_056_git(".git/hooks/pre-commit", Some(ProtectedReason::GitHook))]
#[case::hard_056_link("lnk", Some(ProtectedReason::AgentFile))]
#[case::hard_056_into_a_link("real/config.json", Some(ProtectedReason::PolicyFile))]
#[case::res_24_folder(".pi", Some(ProtectedReason::ParentFolder))]
#[case::res_24_other("src/a", None)]
fn protected_paths(#[case] text: &str, #[case] reason: Option<ProtectedReason>) {
    let normalizer = posix(&[
        ("/home/u/.pi/agent/agents/a.md", ""),
        ("/w/p/lnk", "-> /home/u/.pi/agent/agents/a.md"),
        ("/w/p/real", "dir"),
        ("/w/p/.pi/extensions/pi-permission-system", "-> ../../real"),
    ]);
    assert_eq!(normalizer.tool_path(text).unwrap().protected, reason);
    assert_eq!(normalizer.resolve_word(text, &Base::Unknown).unwrap().protected, reason, "as if in the session directory");
}

fn is_infra(tool: &str, path: &str, configured: &[&str]) -> bool {
    let normalizer = posix_at("/w", MemoryFiles::default());
    let entries = InfrastructureEntries {
        package_roots: vec!["/usr/lib/node_modules".into()],
        configured: configured.iter().map(|entry| (*entry).to_owned()).collect(),
    };
    normalizer.is_infrastructure_read(tool, &normalizer.tool_path(path).unwrap(), &entries)
}

#[rstest]
#[case::path_014("read", "/opt/x/y", &["/opt/x"], true)]
#[case::path_014("ls", "/opt/x/y", &["/opt/x"], true)]
#[case::path_014("write", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("edit", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("bash", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("Read", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("read", "/opt/xy", &["/opt/x"], false)]
#[case::path_014("read", "/opt/x", &["/opt/x/"], false)]
#[case::path_014("read", "/home/u/d", &["~/d"], true)]
#[case::path_014("read", "/home/u/d/x", &["$HOME/d"], true)]
#[case::path_014("read", "/home/u/d/x", &["~/d/*"], true)]
#[case::path_014("read", "/a/b/c", &["/a/*"], true)]
#[case::path_014("read", "/a", &["/a/*"], false)]
#[case::path_014("read", "/a/bXc", &["/a/b?c"], true)]
#[case::path_014("read", "/a/b/c", &["/a/b?c"], true)]
#[case::path_014("read", "/a/bXc/d", &["/a/b?c"], false)]
#[case::path_014("read", "/any/thing", &["*"], true)]
#[case::path_014("read", "/any", &[""], false)]
#[case::path_014("read", "/w/.pi/git", &[], true)]
#[case::path_014("read", "/w/.pi/x", &[], false)]
#[case::cfg_026("ls", "/w/.pi/npm/x", &[], true)]
#[case::cfg_026("grep", "/opt/a/b/pkg/c", &["/opt/**/pkg/**"], true)]
#[case::cfg_026("read", "/home/u/k/x", &["~/k"], true)]
#[case::cfg_026("read", "/w/a", &["."], false)]
#[case::cfg_026_package_root("read", "/usr/lib/node_modules/pkg/README.md", &[], true)]
#[case::hard_025("read", "/home/u/.pi/agent/skills/a.md", &[], true)]
#[case::hard_025("read", "/home/u/.pi/agent/auth.json", &[], false)]
#[case::res_21_folder("find", "/home/u/.pi/agent/agents", &[], true)]
#[case::res_21_file("read", "/home/u/.pi/agent/settings.json", &[], true)]
#[case::res_21_file("read", "/home/u/.pi/agent/AGENTS.md", &[], true)]
#[case::res_21_git("read", "/home/u/.pi/agent/git/x", &[], true)]
#[case::res_21_other("read", "/home/u/.pi/agent/models.json", &[], false)]
#[case::res_21_root("ls", "/home/u/.pi/agent", &[], false)]
#[case::res_21_never("read", "/home/u/.pi/agent/auth.json", &["~/.pi", "*"], false)]
#[case::res_21_never("read", "/home/u/.pi/agent/sessions/s.jsonl", &["/"], false)]
#[case::res_21_logs("read", "/home/u/.pi/agent/extensions/pi-permission-system/logs/x.jsonl", &["/"], false)]
#[case::res_21_beside_logs("read", "/home/u/.pi/agent/extensions/pi-permission-system/README.md", &[], true)]
#[case::res_21_walks("grep", "/home/u/.pi", &["~/.pi"], false)]
#[case::res_21_lists("ls", "/home/u/.pi", &["~/.pi"], true)]
#[case::res_21_walks("find", "/home/u/.pi/agent/extensions", &[], false)]
fn infrastructure(#[case] tool: &str, #[case] path: &str, #[case] configured: &[&str], #[case] expected: bool) {
    assert_eq!(is_infra(tool, path, configured), expected);
}

#[test]
fn path_014_links_lead_out_of_the_exemption() {
    let normalizer = posix(&[("/etc/x", ""), ("/opt/x/lnk", "-> /etc/x"), ("/opt/alias", "-> /opt/real"), ("/opt/real/a", "")]);
    let entries = InfrastructureEntries { configured: vec!["/opt/x".into(), "/opt/alias".into()], ..Default::default() };
    let exempt = |path| normalizer.is_infrastructure_read("read", &normalizer.tool_path(path).unwrap(), &entries);
    assert!(!exempt("/opt/x/lnk"));
    assert!(!exempt("/opt/alias/a"), "an entry that is itself a link does not match its target");
    assert!(exempt("/opt/x/plain"));
}

#[rstest]
#[case::path_015("read", "/home/u/.pi/agent/auth.json", true)]
#[case::path_015("read", "/home/u/.pi/agent/sessions/x", true)]
#[case::path_015("write", "/home/u/.pi/agent/auth.json", false)]
#[case::path_015("read", "/home/u/.pi/x", false)]
fn the_packages_exemption(#[case] tool: &str, #[case] path: &str, #[case] expected: bool) {
    let normalizer = posix(&[]);
    let path = normalizer.tool_path(path).unwrap();
    let entries = InfrastructureEntries::default();
    assert_eq!(normalizer.is_baseline_infrastructure_read(tool, &path, &entries), expected);
}
