//! The folders of one serving session in a temp dir (FIX-001).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use portcullis_core::authority::forwarding::{ForwardedRequest, ForwardedResponse, read_request};
use portcullis_core::authority::forwarding::{ForwardingRoot, InboxLocation, read_response};
use tempfile::TempDir;

use super::messages::{RequestBuilder, ResponseBuilder};

/// An inbox on disk (`createForwardingTempDir`); the whole tree goes away when the value is dropped, in a panic too.
///
/// ```
/// use portcullis_test_fixtures::ForwardingTempDir;
///
/// let dir = ForwardingTempDir::new("parent-session");
/// let request = dir.request().id("r1").write();
/// assert_eq!(request["targetSessionId"], "parent-session");
/// assert_eq!(dir.request_files(), ["r1.json"]);
/// assert_eq!(dir.read_request("r1").unwrap().message, "Allow git push?");
///
/// let root = dir.forwarding_dir().to_path_buf();
/// drop(dir);
/// assert!(!root.exists());
/// ```
#[derive(Debug)]
pub struct ForwardingTempDir {
    folder: TempDir,
    root: ForwardingRoot,
    root_dir: PathBuf,
    location: InboxLocation,
    session_id: String,
}

/// An inbox that is being arranged.
#[must_use = "nothing happens before `build`"]
pub struct ForwardingTempDirBuilder {
    session_id: String,
    responses: bool,
}

impl ForwardingTempDirBuilder {
    /// Whether `responses` is made; without it a server finds it missing.
    pub fn responses_dir(mut self, made: bool) -> Self {
        self.responses = made;
        self
    }

    /// Makes the folders.
    pub fn build(self) -> ForwardingTempDir {
        let folder = fine(tempfile::Builder::new().prefix("permission-forwarding-").tempdir());
        // The temp dir itself may be reached through a link; the inbox is not.
        let base = fine(fs::canonicalize(folder.path()));
        let root_dir = base.join("forwarding");
        let root = ForwardingRoot::at(&root_dir.to_string_lossy());
        let location = fine(root.location(&self.session_id).map_err(io::Error::other));
        fine(fs::create_dir_all(location.requests()));
        if self.responses {
            fine(fs::create_dir_all(location.responses()));
        }
        ForwardingTempDir { folder, root, root_dir, location, session_id: self.session_id }
    }
}

impl ForwardingTempDir {
    /// The inbox of this session, with both folders.
    pub fn new(session_id: &str) -> Self {
        Self::builder(session_id).build()
    }

    /// An inbox that is being arranged.
    pub fn builder(session_id: &str) -> ForwardingTempDirBuilder {
        ForwardingTempDirBuilder { session_id: session_id.to_owned(), responses: true }
    }

    /// The root below which all sessions have their folders.
    pub fn forwarding_dir(&self) -> &Path {
        &self.root_dir
    }

    /// The same for the code under test.
    pub fn root(&self) -> &ForwardingRoot {
        &self.root
    }

    /// Where the messages of the session lie.
    pub fn location(&self) -> &InboxLocation {
        &self.location
    }

    /// The serving session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The folder of requests.
    pub fn requests(&self) -> PathBuf {
        self.location.requests().into()
    }

    /// The folder of responses.
    pub fn responses(&self) -> PathBuf {
        self.location.responses().into()
    }

    /// A request that is being arranged (`writeRequest`).
    pub fn request(&self) -> RequestBuilder {
        RequestBuilder::new(self.requests(), &self.session_id)
    }

    /// A response that is being arranged.
    pub fn response(&self, id: &str) -> ResponseBuilder {
        ResponseBuilder::new(self.responses().join(format!("{id}.json")), &self.session_id)
    }

    /// The names in `requests`, sorted; none when it is missing.
    pub fn request_files(&self) -> Vec<String> {
        names(&self.requests())
    }

    /// The names in `responses`, sorted; none when it is missing.
    pub fn response_files(&self) -> Vec<String> {
        names(&self.responses())
    }

    /// The request of this id, when there is one that can be read.
    pub fn read_request(&self, id: &str) -> Option<ForwardedRequest> {
        read_request(&fs::read(self.location.request_file(id)).ok()?).ok()
    }

    /// The response of this id, when there is one that can be read.
    pub fn read_response(&self, id: &str) -> Option<ForwardedResponse> {
        read_response(&fs::read(self.location.response_file(id)).ok()?, 0).ok()
    }

    /// Everything below the root, with `/` behind folders, sorted.
    pub fn tree(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.root_dir.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let name = path.strip_prefix(&self.root_dir).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                found.push(if is_dir { format!("{name}/") } else { name });
                if is_dir {
                    open.push(path);
                }
            }
        }
        found.sort();
        found
    }

    /// Keeps the tree, to look at after a failure.
    pub fn into_path(self) -> PathBuf {
        self.folder.keep()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[expect(clippy::panic, reason = "a fixture that cannot be built fails the test")]
pub(super) fn fine<T>(result: io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("the forwarding folders cannot be built: {error}"))
}
