//! What can be done to a tree in memory, as the system does it: looks lead away from the tree where it has nothing to say, changes do not.

use std::io;

use portcullis_core::host::EntryKind;

use super::nodes::{Content, DIRECTORY_MODE, Nodes, Problem};
use super::{MAX_LINKS, MemoryFiles, Spot};

impl MemoryFiles {
    /// Makes a directory and its parents.
    pub(super) fn make_directories(&self, path: &str, mode: u32) -> io::Result<()> {
        let mut nodes = self.lock();
        let mut missing = Vec::new();
        let mut at = path.trim_end_matches('/');
        loop {
            let place = match self.own_place(&nodes, at, false) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(_) if self.is_above(at) => break,
                place => Some(place?),
            };
            match place.as_deref().map(|place| nodes.content(place)) {
                Some(Some(Content::Directory)) => break,
                Some(Some(Content::File(_))) => return Err(Problem::AlreadyExists.error()),
                Some(Some(Content::Link(_))) => match self.walk(&nodes, at, true) {
                    Ok(Spot::Here(place)) if matches!(nodes.content(&place), Some(Content::Directory)) => break,
                    _ => return Err(Problem::AlreadyExists.error()),
                },
                Some(None) | None => missing.push(at),
            }
            let Some((above, _)) = at.rsplit_once('/') else { break };
            at = above;
        }
        for path in missing.into_iter().rev() {
            let place = self.own_place(&nodes, path, false)?;
            nodes.add(place, Content::Directory, Some(mode));
        }
        Ok(())
    }

    /// Replaces the content of a file, or makes one.
    pub(super) fn write_file(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.put_bytes(path, bytes, false, None)
    }

    /// Writes at the end of a file or in place of its content; `mode` is that of a file that is made.
    pub(super) fn put_bytes(&self, path: &str, bytes: &[u8], append: bool, mode: Option<u32>) -> io::Result<()> {
        let mut nodes = self.lock();
        let place = self.opened(&nodes, path)?;
        match nodes.content(&place) {
            Some(Content::Directory) => return Err(Problem::IsADirectory.error()),
            Some(_) => nodes.change(&place, bytes, append),
            None => nodes.add(place, Content::File(bytes.into()), mode),
        }
        Ok(())
    }

    /// The place of a file that is opened to be made if it is not there. A path that asks for a directory by a `/` at its end, or by that
    /// of a link there, is none, whatever stands there.
    fn opened(&self, nodes: &Nodes, path: &str) -> io::Result<String> {
        let mut at = path.to_owned();
        for _ in 0..=MAX_LINKS {
            let place = self.own_place(nodes, at.trim_end_matches('/'), false)?;
            if at.ends_with('/') {
                return Err(Problem::IsADirectory.error());
            }
            at = match (nodes.content(&place), place.rsplit_once('/')) {
                (Some(Content::Link(target)), Some((above, _))) if !target.starts_with('/') => format!("{above}/{target}"),
                (Some(Content::Link(target)), _) => target.clone(),
                _ => return Ok(place),
            };
        }
        Err(Problem::Loop.error())
    }

    /// Makes a file or a link where nothing stands.
    pub(super) fn add_new(&self, path: &str, content: Content, mode: Option<u32>) -> io::Result<()> {
        let mut nodes = self.lock();
        let place = self.own_place(&nodes, path, false)?;
        if nodes.content(&place).is_some() {
            return Err(Problem::AlreadyExists.error());
        }
        nodes.add(place, content, mode);
        Ok(())
    }

    /// Sets the permission bits, links followed.
    pub(super) fn set_mode(&self, path: &str, mode: u32) -> io::Result<()> {
        let mut nodes = self.lock();
        let place = self.own_place(&nodes, path, true)?;
        if nodes.content(&place).is_none() {
            return Err(Problem::NotFound.error());
        }
        nodes.set_mode(&place, mode);
        Ok(())
    }

    pub(super) fn rename_entry(&self, from: &str, to: &str) -> io::Result<()> {
        let mut nodes = self.lock();
        let (from, to) = (self.own_place(&nodes, from, false)?, self.own_place(&nodes, to, false)?);
        let source_is_directory = match nodes.content(&from) {
            None => return Err(Problem::NotFound.error()),
            Some(content) => matches!(content, Content::Directory),
        };
        if from == to {
            return Ok(());
        }
        let is_below = |path: &str, above: &str| path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'));
        if is_below(&to, &from) {
            return Err(Problem::Invalid.error());
        }
        if is_below(&from, &to) {
            return Err(Problem::NotEmpty.error());
        }
        match nodes.content(&to) {
            Some(Content::Directory) if !source_is_directory => return Err(Problem::IsADirectory.error()),
            Some(Content::Directory) if !nodes.names(&to).is_empty() => return Err(Problem::NotEmpty.error()),
            Some(Content::File(_) | Content::Link(_)) if source_is_directory => return Err(Problem::NotADirectory.error()),
            _ => nodes.rename(&from, &to),
        }
        Ok(())
    }

    /// Removes a file or a link.
    pub(super) fn remove_one(&self, path: &str) -> io::Result<()> {
        let mut nodes = self.lock();
        let place = self.own_place(&nodes, path, false)?;
        match nodes.content(&place) {
            None => Err(Problem::NotFound.error()),
            Some(Content::Directory) => Err(Problem::IsADirectory.error()),
            Some(_) => {
                nodes.remove(&place);
                Ok(())
            }
        }
    }

    /// Removes a directory that holds nothing.
    pub(super) fn remove_empty(&self, path: &str) -> io::Result<()> {
        let mut nodes = self.lock();
        let place = self.own_place(&nodes, path, false)?;
        match nodes.content(&place) {
            None => return Err(Problem::NotFound.error()),
            Some(Content::Directory) if nodes.names(&place).is_empty() => nodes.remove(&place),
            Some(Content::Directory) => return Err(Problem::NotEmpty.error()),
            Some(_) => return Err(Problem::NotADirectory.error()),
        }
        Ok(())
    }

    /// Removes whatever stands there.
    pub(super) fn remove_all(&self, path: &str) -> io::Result<()> {
        let mut nodes = self.lock();
        match self.own_place(&nodes, path, false) {
            Ok(place) => nodes.remove(&place),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// What stands at a place of the tree, a final link not followed; where the path leads when it leads away.
    pub(super) fn look(&self, path: &str) -> io::Result<Result<(EntryKind, u32), String>> {
        let nodes = self.lock();
        let place = match self.walk(&nodes, path, false)? {
            Spot::Here(place) => place,
            Spot::Away(path) => return Ok(Err(path)),
        };
        let kind = match nodes.content(&place) {
            None => return Err(Problem::NotFound.error()),
            Some(Content::Directory) => EntryKind::Directory,
            Some(Content::File(_)) => EntryKind::File,
            Some(Content::Link(target)) => EntryKind::Symlink(target.clone()),
        };
        Ok(Ok((kind, nodes.get(&place).map_or(DIRECTORY_MODE, |node| node.mode))))
    }
}
