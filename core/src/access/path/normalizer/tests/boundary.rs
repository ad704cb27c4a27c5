//! Inside and outside (PATH-012, PATH-026, RES-20, RES-53).

use pretty_assertions::assert_eq;

use super::*;

#[rstest]
#[case::path_012("/etc/x", true)]
#[case::path_012("../x", true)]
#[case::path_012("/w/pp/x", true)]
#[case::path_012("/w/p", false)]
#[case::path_012("..x", false)]
#[case::path_012("/dev/null", false)]
#[case::path_011("/dev/tty", true)]
#[case::path_011("/dev/fd/0", true)]
#[case::path_011("/dev/nullx", true)]
#[case::ext_004("/dev/./null", false)]
#[case::ext_004("/dev/null/x", true)]
#[case::ext_003("../p/d", false)]
fn outside(#[case] text: &str, #[case] expected: bool) {
    let path = posix(&[]).tool_path(text).unwrap();
    assert_eq!((path.outside, path.outside_by), (expected, None));
}

#[rstest]
#[case::path_012_proc(&[("/proc/self", "-> 42"), ("/proc/42/root", "-> /"), ("/etc", "dir")], "/proc/self/root/etc", true, None)]
#[case::res_53(&[("/var/log/job", ""), ("/dev/stderr", "-> /var/log/job")], "/dev/stderr", false, None)]
#[case::path_012_safe_target(&[("/dev/null", ""), ("/w/p/nil", "-> /dev/null")], "nil", false, None)]
#[case::ext_003_out(&[("/etc/hosts", ""), ("/w/p/link", "-> /etc")], "/w/p/link/hosts", true, None)]
#[case::ext_005_in(&[("/w/p/a", ""), ("/sl", "-> /w/p")], "/sl/a", false, None)]
#[case::gates_d08(&[("/o", "dir"), ("/w/p/dangle", "-> /o/newfile")], "dangle", true, Some("GATES-D08"))]
#[case::gates_d07(&[("/etc", "dir"), ("/w/p/lnk", "-> /etc")], "lnk/../shadow", true, Some("GATES-D07"))]
#[case::gates_d07_textual_is_outside(&[("/w/p/a/b", "dir"), ("/w/p/lnk", "-> a/b")], "lnk/../../x", true, None)]
fn outside_by_links(
    #[case] entries: &[(&str, &str)],
    #[case] text: &str,
    #[case] outside: bool,
    #[case] by: Option<&'static str>,
) {
    let path = posix(entries).tool_path(text).unwrap();
    assert_eq!((path.outside, path.outside_by), (outside, by));
}

#[rstest]
#[case::path_012("file", false)]
#[case::path_012("/real/p/file", false)]
#[case::path_012("../out", true)]
#[case::path_012("/w/p", false)]
fn the_session_directory_may_be_a_link(#[case] text: &str, #[case] outside: bool) {
    let normalizer = posix(&[("/real/p", "dir"), ("/w/p", "-> /real/p")]);
    assert_eq!(normalizer.canonical_cwd(), "/real/p");
    assert_eq!(normalizer.tool_path(text).unwrap().outside, outside);
}

#[rstest]
#[case::path_026("/etc/x", &["/etc/x"])]
#[case::path_026("x", &["x"])]
fn path_026_without_a_session_directory_nothing_is_outside(#[case] text: &str, #[case] values: &[&str]) {
    let path = posix_at("", MemoryFiles::default()).tool_path(text).unwrap();
    assert_eq!((path.values.iter().map(String::as_str).collect::<Vec<_>>(), path.outside), (values.to_vec(), false));
}
