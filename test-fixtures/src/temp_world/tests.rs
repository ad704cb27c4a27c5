use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{TempWorld, WorldEntry};

fn text(text: &str) -> WorldEntry {
    WorldEntry::Text(text.to_owned())
}

#[rstest]
#[case::absolute(|_: &TempWorld| PathBuf::from("/etc/x"))]
#[case::above(|world: &TempWorld| world.cwd().join("../../../x"))]
#[case::beside(|world: &TempWorld| world.home().with_file_name("x"))]
fn nothing_is_written_outside(#[case] path: fn(&TempWorld) -> PathBuf) {
    let world = TempWorld::new().unwrap();
    let path = path(&world);
    assert_eq!(world.put(&path, &text("x")).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(world.remove(&path).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn nothing_is_written_behind_a_link_that_leads_outside() {
    let outside = tempfile::tempdir().unwrap();
    let world = TempWorld::new().unwrap();
    let link = world.cwd().join("out");
    world.put(&link, &WorldEntry::Symlink(outside.path().to_string_lossy().into_owned())).unwrap();
    assert!(world.put(&link.join("x"), &text("x")).is_err());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    // A link is replaced, not followed.
    world.put(&link, &text("mine")).unwrap();
    assert_eq!(fs::read_to_string(&link).unwrap(), "mine");
}

#[test]
fn a_change_of_the_same_length_is_seen() {
    let world = TempWorld::new().unwrap();
    let path = world.cwd().join("a");
    let stamp = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    world.put(&path, &text("one")).unwrap();
    let first = stamp(&path);
    world.put(&path, &text("two")).unwrap();
    let second = stamp(&path);
    world.put(&path, &text("six")).unwrap();
    assert!(first < second && second < stamp(&path));
}

#[test]
fn the_inventory_tells_everything_below_the_home() {
    let world = TempWorld::new().unwrap();
    world.put(&world.cwd().join("src/a"), &text("x")).unwrap();
    world.put(&world.cwd().join("l"), &WorldEntry::Symlink("src".into())).unwrap();
    let found: Vec<(String, WorldEntry)> = world.inventory().unwrap().into_iter().collect();
    let directory = |path: &str| (path.to_owned(), WorldEntry::Directory);
    assert_eq!(
        found,
        [
            directory(".pi"),
            directory(".pi/agent"),
            directory("work"),
            directory("work/app"),
            ("work/app/l".to_owned(), WorldEntry::Symlink("src".into())),
            directory("work/app/src"),
            ("work/app/src/a".to_owned(), text("x")),
        ]
    );
    world.remove(&world.cwd().join("src")).unwrap();
    world.remove(&world.cwd().join("nowhere")).unwrap();
    assert!(!world.cwd().join("src").exists());
}
