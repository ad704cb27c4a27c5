use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;

struct Surroundings {
    variable: Option<&'static str>,
    home: Option<&'static str>,
    platform: Platform,
}

impl Environment for Surroundings {
    fn var(&self, name: &str) -> Option<String> {
        (name == "PI_CODING_AGENT_DIR").then_some(self.variable)?.map(str::to_owned)
    }

    fn home(&self) -> Option<String> {
        self.home.map(str::to_owned)
    }

    fn platform(&self) -> Platform {
        self.platform
    }
}

#[rstest]
#[case::unset(None, "/h/.pi/agent")]
#[case::empty(Some(""), "/h/.pi/agent")]
#[case::home_form(Some("~/z"), "/h/z")]
#[case::home(Some("~"), "/h")]
#[case::relative(Some("rel/dir"), "rel/dir")]
#[case::no_variables(Some("$HOME/q"), "$HOME/q")]
#[case::file_url(Some("file:///a/b"), "/a/b")]
#[case::file_url_decoded(Some("file:///a%20b"), "/a b")]
#[case::file_url_of_another_host(Some("file://host/a"), "file://host/a")]
#[case::no_trimming(Some(" /a "), " /a ")]
#[case::other_user(Some("~x/y"), "~x/y")]
fn cfg_002_agent_dir(#[case] variable: Option<&'static str>, #[case] expected: &str) {
    let surroundings = Surroundings { variable, home: Some("/h"), platform: Platform::Posix };
    assert_eq!(agent_dir(&surroundings), expected);
}

#[rstest]
#[case::none(None)]
#[case::empty(Some(""))]
#[case::relative(Some("home"))]
fn policy_d10_no_usable_home(#[case] home: Option<&'static str>) {
    let surroundings = Surroundings { variable: None, home, platform: Platform::Posix };
    assert_eq!(agent_dir(&surroundings), "/.pi/agent");
}

#[rstest]
#[case(None, "C:\\Users\\me\\.pi\\agent")]
#[case(Some("file:///D:/a/b"), "D:\\a\\b")]
fn cfg_002_on_windows(#[case] variable: Option<&'static str>, #[case] expected: &str) {
    let surroundings = Surroundings { variable, home: Some("C:\\Users\\me"), platform: Platform::Windows };
    assert_eq!(agent_dir(&surroundings), expected);
}

#[test]
fn cfg_001_places() {
    let places = PolicyLocations::new("/a", Some("/p"), Some("/x"), Platform::Posix);
    let extension = "/a/extensions/pi-permission-system";
    assert_eq!(places.global_config(), format!("{extension}/config.json"));
    assert_eq!(places.project_config().unwrap(), "/p/.pi/extensions/pi-permission-system/config.json");
    assert_eq!(places.agent_file("rev"), "/a/agents/rev.md");
    assert_eq!(places.project_agent_file("rev").unwrap(), "/p/.pi/agents/rev.md");
    assert_eq!(places.logs_dir(), format!("{extension}/logs"));
    assert_eq!(places.debug_log(), format!("{extension}/logs/pi-permission-system-debug.jsonl"));
    assert_eq!(places.review_log(), format!("{extension}/logs/pi-permission-system-permission-review.jsonl"));
    assert_eq!(places.mcp_servers(), "/a/mcp.json");
    assert_eq!(places.project_mcp_servers().unwrap(), "/p/.pi/mcp.json");
    assert_eq!(places.legacy_global_policy(), "/a/pi-permissions.jsonc");
    assert_eq!(places.legacy_project_policy().unwrap(), "/p/.pi/agent/pi-permissions.jsonc");
    assert_eq!(places.legacy_extension_config().unwrap(), "/x/config.json");
}

#[rstest]
#[case(None)]
#[case(Some(""))]
fn cfg_003_without_a_cwd_there_is_no_project(#[case] cwd: Option<&str>) {
    let places = PolicyLocations::new("/a", cwd, None, Platform::Posix);
    assert_eq!(
        [
            places.project_config(),
            places.project_agents_dir(),
            places.project_agent_file("x"),
            places.project_mcp_servers(),
            places.legacy_project_policy(),
            places.legacy_extension_config(),
        ],
        [const { None }; 6]
    );
}

#[test]
fn cfg_027_the_new_folder_is_no_legacy_root() {
    let places = PolicyLocations::new("/a/", None, Some("/a/extensions/pi-permission-system/"), Platform::Posix);
    assert_eq!(places.legacy_extension_config(), None);
}
