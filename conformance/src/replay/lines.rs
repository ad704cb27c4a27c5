//! Lines of a log that may be of any size: one after another, in bounded memory.

use std::io::{self, BufRead};

/// No line that a gate writes is longer.
const LONGEST: usize = 1024 * 1024;

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawLine<'l> {
    /// Its bytes without the line end.
    Bytes(&'l [u8]),
    /// It is longer than 1 MiB; its rest was skipped.
    TooLong,
}

/// Reads lines.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    longest: usize,
}

impl<R: BufRead> Lines<R> {
    /// Over an input.
    pub fn new(input: R) -> Self {
        Self { input, line: Vec::new(), longest: LONGEST }
    }

    /// The next line; none at the end. The last line needs no line end.
    pub fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        self.line.clear();
        let mut any = false;
        let mut too_long = false;
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                break;
            }
            any = true;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            too_long |= self.line.len() + part.len() > self.longest;
            if !too_long {
                self.line.extend_from_slice(part);
            }
            let used = end.map_or(bytes.len(), |at| at + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(Some(if too_long { RawLine::TooLong } else { RawLine::Bytes(&self.line) }))
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use pretty_assertions::assert_eq;
    use proptest::prelude::*;

    use super::*;

    fn all(bytes: &[u8], buffer: usize, longest: usize) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines { input: BufReader::with_capacity(buffer, bytes), line: Vec::new(), longest };
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push(match line {
                RawLine::Bytes(bytes) => Some(bytes.to_vec()),
                RawLine::TooLong => None,
            });
        }
        found
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(all(b"a\n\r\nb", 8, 9), [Some(b"a".to_vec()), Some(Vec::new()), Some(b"b".to_vec())]);
        assert_eq!(all(b"", 8, 9), Vec::<Option<Vec<u8>>>::new());
        assert_eq!(all(b"aaaa\nb\n", 1, 3), [None, Some(b"b".to_vec())]);
    }

    proptest! {
        /// Whatever stands in a file and however it arrives: the lines are those between line feeds.
        #[test]
        fn lines_are_what_stands_between_line_feeds(
            bytes in prop::collection::vec(prop::sample::select(b"ab\n\"{\r".to_vec()), 0..60),
            buffer in 1..9_usize,
        ) {
            let mut expected: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            if expected.last().is_some_and(Vec::is_empty) {
                expected.pop();
            }
            let expected: Vec<Option<Vec<u8>>> = expected
                .into_iter()
                .map(|line| (line.len() <= 7).then(|| line.strip_suffix(b"\r").unwrap_or(&line).to_vec()))
                .collect();
            prop_assert_eq!(all(&bytes, buffer, 7), expected);
        }
    }
}
