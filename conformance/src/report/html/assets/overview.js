// The first view: who was played, and the matrix of areas by implementation.

function overview(data) {
  const scenarios = new Set(data.rows.map((row) => row.name.split('/', 1)[0])).size;
  return [
    h('h1', { tabindex: '-1' }, 'Conformance report'),
    h(
      'p.lead',
      null,
      `${count(data.rows.length, 'row')} of ${count(scenarios, 'scenario')}, played on ${count(data.runs.length, 'implementation')}.`,
    ),
    quickSearch(),
    h(
      'section',
      { 'aria-labelledby': 'who' },
      h('h2', { id: 'who' }, 'Implementations'),
      h(
        'div.cards',
        null,
        data.runs.map((run, at) => card(data, run, at)),
      ),
    ),
    h('section', { 'aria-labelledby': 'matrix' }, h('h2', { id: 'matrix' }, 'Areas'), matrix(data)),
  ];
}

function quickSearch() {
  const input = h('input', {
    type: 'search',
    id: 'quick',
    name: 'q',
    autocomplete: 'off',
    placeholder: 'git push, CFG-014, symlink…',
  });
  const go = (event) => {
    event.preventDefault();
    location.hash = address({ q: input.value.trim() });
  };
  return h(
    'form.quick',
    { role: 'search', onsubmit: go },
    h('label', { for: 'quick' }, 'Search scenarios'),
    input,
    h('button', { type: 'submit' }, 'Search'),
  );
}

function card(data, run, at) {
  const about = [
    run.version,
    run.language,
    run.revision && `revision ${run.revision}`,
    run.notChosen > 0 && `${count(run.notChosen, 'row')} not chosen`,
  ]
    .filter(Boolean)
    .map(visible)
    .join(' · ');
  const found = sums(data.rows, at);
  return h(
    'article.card',
    null,
    h('h3', null, visible(run.label)),
    h('p.aside', null, about),
    bar(found),
    h(
      'ul.sums',
      null,
      found.map((sum) =>
        h('li', null, h('a', { href: address({ of: run.label, outcome: sum.word }) }, badge(sum.kind, sum.text))),
      ),
    ),
    run.complaints.length > 0 && [
      h('h4', null, 'Its list of known failures does not hold'),
      h(
        'ul.complaints',
        null,
        run.complaints.map((complaint) => h('li', null, visible(complaint))),
      ),
    ],
  );
}

/** The shares as a bar; the words beside it say the same. */
function bar(found) {
  const part = (sum) => {
    const element = h(`span.part.is-${sum.kind}`);
    element.style.setProperty('flex-grow', sum.number);
    return element;
  };
  return h('div.bar', { 'aria-hidden': 'true' }, found.map(part));
}

// The roles are said outright: on narrow screens the table is laid out as blocks, which takes them away.
function matrix(data) {
  const areas = [...data.areas].sort((one, other) => one.localeCompare(other, 'en'));
  const head = h(
    'tr',
    { role: 'row' },
    h('th', { role: 'columnheader', scope: 'col' }, 'Area'),
    h('th.number', { role: 'columnheader', scope: 'col' }, 'Rows'),
    data.runs.map((run) => h('th', { role: 'columnheader', scope: 'col' }, visible(run.label))),
  );
  const body = areas.map((area) => matrixRow(data, area));
  return h(
    'table.matrix',
    { role: 'table', 'aria-labelledby': 'matrix' },
    h('thead', { role: 'rowgroup' }, head),
    h('tbody', { role: 'rowgroup' }, body),
  );
}

function matrixRow(data, area) {
  const rows = data.rows.filter((row) => row.area === area);
  return h(
    'tr',
    { role: 'row' },
    h('th', { role: 'rowheader', scope: 'row' }, h('a', { href: address({ area }) }, visible(area))),
    h('td.number', { role: 'cell', 'data-label': 'rows' }, rows.length.toLocaleString('en')),
    data.runs.map((run, at) => matrixCell(run, area, sums(rows, at))),
  );
}

/** Green only when every row of the area passed. */
function matrixCell(run, area, found) {
  const whole = found.length === 1 && found[0].kind === 'passed';
  const words = found.map((sum) =>
    h(
      'a',
      {
        href: address({ area, of: run.label, outcome: sum.word }),
        class: `sum is-${sum.kind}`,
        // In a list of links there is no table around it.
        'aria-label': visible(`${sum.text}, ${area}, ${run.label}`),
      },
      icon(sum.kind),
      sum.text,
    ),
  );
  return h(
    'td',
    { role: 'cell', 'data-label': visible(run.label), class: whole ? 'is-whole' : 'is-part' },
    bar(found),
    h('div.cell-sums', null, words),
  );
}
