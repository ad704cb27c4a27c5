// The list: filters, how many rows they leave, and one page of these.

/** The last filter that was looked at: a scenario's neighbours and the way back are those of its list. */
const listed = { filter: {}, page: 1, opened: null };

function rowsView(data, { filter, page }) {
  Object.assign(listed, { filter, page });
  const results = h('div', { id: 'results' });
  const show = (now, at) => showResults(data, results, now, at);
  const form = filterForm(data, filter, (now) => {
    Object.assign(listed, { filter: now, page: 1 });
    history.replaceState(null, '', address(now));
    show(now, 1);
  });
  show(filter, page);
  return [h('h1', { tabindex: '-1' }, 'Scenarios'), form, results];
}

function filterForm(data, filter, changed) {
  const fields = {
    q: h('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' }),
    requirement: h('input', { list: 'requirements', autocomplete: 'off', spellcheck: 'false' }),
    area: choice([...data.areas].sort(), 'all areas'),
    level: choice(LEVELS, 'both levels'),
    outcome: choice(
      [
        ['bad', 'failed or errored'],
        ['differ', 'implementations differ'],
        ...Object.values(OUTCOMES).map(({ word }) => word),
      ],
      'any outcome',
    ),
    of: choice(
      data.runs.map((run) => run.label),
      'any implementation',
    ),
  };
  for (const [key, field] of Object.entries(fields)) field.value = filter[key] ?? '';
  let waiting = 0;
  const tell = () =>
    changed(
      Object.fromEntries(
        FILTER.filter((key) => fields[key].value.trim()).map((key) => [key, fields[key].value.trim()]),
      ),
    );
  const labelled = (name, field) => {
    const id = `filter-${name.replaceAll(' ', '-').toLowerCase()}`;
    field.id = id;
    return h('div.field', null, h('label', { for: id }, name), field);
  };
  const clear = () => {
    for (const field of Object.values(fields)) field.value = '';
    tell();
    fields.q.focus();
  };
  const form = h(
    'form.filters',
    { role: 'search', 'aria-label': 'Filter scenarios', onsubmit: (event) => event.preventDefault() },
    labelled('Search', fields.q),
    labelled('Requirement', fields.requirement),
    labelled('Area', fields.area),
    labelled('Level', fields.level),
    labelled('Outcome', fields.outcome),
    labelled('Implementation', fields.of),
    h('button', { type: 'button', onclick: clear }, 'Clear'),
    h(
      'datalist',
      { id: 'requirements' },
      data.requirements.map(([id, title]) => h('option', { value: id }, visible(title))),
    ),
  );
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(tell, 80);
  });
  return form;
}

function choice(values, all) {
  const option = (value) =>
    Array.isArray(value) ? h('option', { value: value[0] }, value[1]) : h('option', { value }, visible(value));
  return h('select', null, h('option', { value: '' }, all), values.map(option));
}

function showResults(data, into, filter, page) {
  const found = matching(data, filter);
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const at = Math.min(page, pages);
  const shown = found.slice((at - 1) * PAGE, at * PAGE);
  const words = `${count(found.length, 'row')} of ${data.rows.length.toLocaleString('en')}`;
  document.getElementById('announce').textContent = words;
  into.replaceChildren(
    ...append(h('div'), [
      h('p.count', null, words, pages > 1 && `, page ${at} of ${pages}`),
      shown.length > 0
        ? rowTable(data, shown)
        : h('p.nothing', null, 'No row is like that. Clear a filter to see more.'),
      pages > 1 && pager(filter, at, pages),
    ]).childNodes,
  );
}

function rowTable(data, rows) {
  const column = (name) => h('th', { role: 'columnheader', scope: 'col' }, name);
  return h(
    'table.rows',
    { role: 'table', 'aria-label': 'Scenario rows' },
    h(
      'thead',
      { role: 'rowgroup' },
      h(
        'tr',
        { role: 'row' },
        column('Scenario'),
        column('Area'),
        column('Level'),
        data.runs.map((run) => column(visible(run.label))),
      ),
    ),
    h(
      'tbody',
      { role: 'rowgroup' },
      rows.map((row) => rowLine(data, row)),
    ),
  );
}

function rowLine(data, row) {
  const open = () => {
    listed.opened = row.name;
  };
  return h(
    'tr',
    { role: 'row' },
    h(
      'th',
      { role: 'rowheader', scope: 'row' },
      h('a', { href: rowAddress(row), 'data-row': row.number, onclick: open }, nameOf(row)),
      h('span.title', null, visible(row.title)),
    ),
    h('td', { role: 'cell', 'data-label': 'area' }, visible(row.area)),
    h('td', { role: 'cell', 'data-label': 'level' }, row.level),
    data.runs.map((run, at) => {
      const { kind, word } = OUTCOMES[row.outcomes[at]];
      return h('td', { role: 'cell', 'data-label': visible(run.label) }, badge(kind, word));
    }),
  );
}

/** The id, and the label of a table's row. */
function nameOf(row) {
  const at = row.name.indexOf('/');
  if (at < 0) return h('code', null, visible(row.name));
  return [
    h('code', null, visible(row.name.slice(0, at))),
    h('span.label', null, ' / ', code(row.name.slice(at + 1), 'bdi')),
  ];
}

function pager(filter, at, pages) {
  const to = (page, words) =>
    page >= 1 && page <= pages ? h('a', { href: address(filter, page) }, words) : h('span', { 'aria-hidden': 'true' });
  return h(
    'nav.pager',
    { 'aria-label': 'Pages of the list' },
    to(at - 1, '← Previous page'),
    h('span', null, `Page ${at} of ${pages}`),
    to(at + 1, 'Next page →'),
  );
}
