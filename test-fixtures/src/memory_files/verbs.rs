//! What can be done to a tree in memory, as the system does it: looks lead away from the tree where it has nothing to say, changes do not.

use std::borrow::Cow;
use std::io;

use portcullis_core::host::EntryKind;

use super::nodes::{Content, Node, Nodes, Problem};
use super::{MAX_LINKS, MemoryFiles, Spot, split_last};

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
                    Ok(Spot::Here(_, Some(Node { content: Content::Directory, .. }))) => break,
                    _ => return Err(Problem::AlreadyExists.error()),
                },
                Some(None) | None => missing.push(at),
            }
            let Some((above, _)) = split_last(at) else { break };
            at = above;
        }
        for path in missing.into_iter().rev() {
            let place = self.own_place(&nodes, path, false)?;
            nodes.add(place.into_owned(), Content::Directory, Some(mode));
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
            None => nodes.add(place.into_owned(), Content::File(bytes.into()), mode),
        }
        Ok(())
    }

    /// The place of a file that is opened to be made if it is not there. A path that asks for a directory by a `/` at its end, or by that
    /// of a link there, is none, whatever stands there.
    fn opened<'p>(&self, nodes: &Nodes, path: &'p str) -> io::Result<Cow<'p, str>> {
        let mut at = Cow::from(path);
        for _ in 0..=MAX_LINKS {
            let place = match &at {
                Cow::Borrowed(at) => self.own_place(nodes, at.trim_end_matches('/'), false)?,
                Cow::Owned(at) => self.own_place(nodes, at.trim_end_matches('/'), false)?.into_owned().into(),
            };
            if at.ends_with('/') {
                return Err(Problem::IsADirectory.error());
            }
            at = match (nodes.content(&place), split_last(&place)) {
                (Some(Content::Link(target)), Some((above, _))) if !target.starts_with('/') => format!("{above}/{target}").into(),
                (Some(Content::Link(target)), _) => target.clone().into(),
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
        nodes.add(place.into_owned(), content, mode);
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
    pub(super) fn look<'p>(&self, path: &'p str) -> io::Result<Result<(EntryKind, u32), Cow<'p, str>>> {
        let nodes = self.lock();
        let node = match self.walk(&nodes, path, false)? {
            Spot::Here(_, Some(node)) => node,
            Spot::Here(_, None) => return Err(Problem::NotFound.error()),
            Spot::Away(path) => return Ok(Err(path)),
        };
        let kind = match &node.content {
            Content::Directory => EntryKind::Directory,
            Content::File(_) => EntryKind::File,
            Content::Link(target) => EntryKind::Symlink(target.clone()),
        };
        Ok(Ok((kind, node.mode)))
    }
}
