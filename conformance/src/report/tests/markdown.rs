use pretty_assertions::assert_eq;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{failed, hostile, row, run_of, skipped};
use crate::report::Format;
use crate::run::Verdict;

fn events(text: &str) -> Vec<Event<'_>> {
    Parser::new_ext(text, Options::all()).collect()
}

/// What a text of a scenario could have made, and did not.
#[test]
fn hostile_texts_are_texts() {
    let text = Format::Markdown.render(&hostile()).unwrap();
    let mut html = Vec::new();
    let mut headings = 0;
    for event in events(&text) {
        match event {
            Event::Start(
                Tag::Heading { .. }
                | Tag::Paragraph
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell
                | Tag::List(None)
                | Tag::Item
                | Tag::CodeBlock(_)
                | Tag::HtmlBlock,
            ) => {}
            Event::Start(tag) => panic!("{tag:?} in\n{text}"),
            Event::End(TagEnd::Heading(_)) => headings += 1,
            Event::Html(part) => html.push(part.to_string()),
            Event::InlineHtml(part) => panic!("{part} in\n{text}"),
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {
                panic!("{event:?} in\n{text}")
            }
            _ => {}
        }
    }
    assert_eq!(headings, 5);
    let tags: Vec<&str> =
        html.iter().flat_map(|part| part.split('<').skip(1)).filter_map(|part| part.split('>').next()).collect();
    let failure = ["details", "summary", "/summary", "/details"];
    assert_eq!(tags, [failure, failure].concat());
}

#[test]
fn the_table_has_a_cell_for_each_outcome() {
    let text = Format::Markdown.render(&hostile()).unwrap();
    let (mut rows, mut cells) = (Vec::new(), 0);
    for event in events(&text) {
        match event {
            Event::End(TagEnd::TableCell) => cells += 1,
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => rows.push(std::mem::take(&mut cells)),
            _ => {}
        }
    }
    // Each of the hostile rows stands in a folder of the same name: one area.
    assert_eq!(rows, [8, 8]);
}

#[test]
fn a_page_reads_well() {
    let rows = vec![row("a", Verdict::Passed), row("b", failed("allow")), row("c", skipped("needs mcp"))];
    let expected = "\
## Portcullis: ❌ failed

gate 1\\.2: 1 passed, 1 failed, 1 skipped.

| area | passed | failed | errored | as expected | not scored | skipped | not run |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| area | 1 | 1 |  |  |  | 1 |  |

### What failed

<details><summary>b: title of b</summary>

```text
FAILED b  scenarios/area/file.yaml:7
  title of b
  step 1 (line 9): bash: x
    outcome:
      - block
      + allow
```

</details>

### Skipped

- 1 row: needs mcp
";
    assert_eq!(Format::Markdown.render(&run_of(rows)).unwrap(), expected);
}

/// A page of a job holds a megabyte, and is dropped whole when it is longer.
#[test]
fn many_and_long_failures_fit_a_page() {
    let rows = (0..3_000).map(|number| row(&format!("r{number}"), failed(&"x".repeat(50_000)))).collect();
    let text = Format::Markdown.render(&run_of(rows)).unwrap();
    assert!(text.len() < 1_000_000, "{}", text.len());
    assert!(text.contains("\n2950 rows more:\n") && text.contains("\n- r2999\n"));
}
