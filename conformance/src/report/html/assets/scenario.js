// One row: what was given, each step with what was expected and got, and the walk of its call through the gates.

function scenarioView(data, { name, of }) {
  const row = data.byName.get(name);
  if (!row) {
    return [
      h('h1', { tabindex: '-1' }, 'No such scenario'),
      h('p', null, 'This report has no row named ', code(name), '.'),
      h('p', null, h('a', { href: '#/rows' }, 'All scenarios')),
    ];
  }
  const body = h('div', { id: 'scenario', 'aria-busy': 'true' }, h('p.aside', null, 'Unpacking the details…'));
  details(row)
    .then(
      (found) => showDetails(data, row, found, of, body),
      (error) =>
        body.replaceChildren(h('p.nothing', null, `The details could not be unpacked: ${visible(error.message)}`)),
    )
    .finally(() => body.removeAttribute('aria-busy'));
  return [neighbours(data, row, of), scenarioHead(data, row), body];
}

/** The walks of so few steps are all open; of more only the one that matters most. */
const ALL_OPEN = 3;

/** The way back and to the rows before and behind, in the list that one came from. */
function neighbours(data, row, of) {
  const found = matching(data, listed.filter);
  const list = found.includes(row) ? found : data.rows;
  const at = list.indexOf(row);
  const to = (other, words) => other && h('a', { href: rowAddress(other, of), title: visible(other.name) }, words);
  return h(
    'nav.neighbours',
    { 'aria-label': 'Scenario' },
    h('a', { href: address(found.includes(row) ? listed.filter : {}, listed.page) }, '↑ All scenarios'),
    h('span.aside', null, `${(at + 1).toLocaleString('en')} of ${list.length.toLocaleString('en')}`),
    to(list[at - 1], '← Previous'),
    to(list[at + 1], 'Next →'),
  );
}

function scenarioHead(data, row) {
  const titles = new Map(data.requirements);
  const requirement = (id) =>
    h(
      'li',
      null,
      h('a.requirement', { href: address({ requirement: id }), title: visible(titles.get(id) ?? '') }, visible(id)),
    );
  return h(
    'header.scenario-head',
    null,
    h('h1', { tabindex: '-1' }, visible(row.title)),
    h('p.name', null, nameOf(row)),
    factList(
      [
        ['area', h('a', { href: address({ area: row.area }) }, visible(row.area))],
        ['level', row.level],
        ['file', `${data.files[row.file]}:${row.line}`],
        row.requirements.length > 0 && ['covers', h('ul.requirements', null, row.requirements.map(requirement))],
      ].filter(Boolean),
    ),
  );
}

function showDetails(data, row, found, of, body) {
  const runs = data.runs.map((run, at) => ({ ...run, at, row: found?.runs?.[at] ?? null })).filter((run) => run.row);
  const wanted = runs.find((run) => run.label === of);
  const chosen = wanted ?? runs.find((run) => run.row.played) ?? runs[0];
  const steps = h('div', { id: 'steps' });
  const show = (run) => {
    const shown = run ? stepsOf(data, found, run) : [];
    steps.replaceChildren(...append(h('div'), shown).childNodes);
  };
  body.replaceChildren(
    ...append(h('div'), [
      found?.note && h('p.note', null, visible(found.note)),
      outcomesOf(runs, row),
      found?.given && givenOf(found.given),
      h(
        'section',
        { 'aria-labelledby': 'steps-title' },
        h('h2', { id: 'steps-title' }, 'Steps'),
        runs.length > 1 && chooser(runs, chosen, row, show),
        steps,
      ),
    ]).childNodes,
  );
  show(chosen);
}

function outcomesOf(runs, row) {
  const line = (run) => {
    const { kind, word } = OUTCOMES[row.outcomes[run.at]];
    const { decided, reason, message, expectedFailure, unscored } = run.row;
    const remarks = [
      decided,
      reason,
      message,
      expectedFailure && `known: ${expectedFailure}`,
      unscored && `not scored: ${unscored}`,
    ].filter(Boolean);
    return h(
      'tr',
      { role: 'row' },
      h('th', { role: 'rowheader', scope: 'row' }, visible(run.label)),
      h('td', { role: 'cell' }, badge(kind, word)),
      h(
        'td',
        { role: 'cell' },
        remarks.map((text) => h('p', null, visible(text))),
      ),
    );
  };
  const head = h(
    'tr',
    { role: 'row' },
    ['Implementation', 'Outcome', 'What decided, or why'].map((name) =>
      h('th', { role: 'columnheader', scope: 'col' }, name),
    ),
  );
  const table = h(
    'table.outcomes',
    { role: 'table', 'aria-labelledby': 'outcomes' },
    h('thead', { role: 'rowgroup' }, head),
    h('tbody', { role: 'rowgroup' }, runs.map(line)),
  );
  return h('section', { 'aria-labelledby': 'outcomes' }, h('h2', { id: 'outcomes' }, 'Outcome'), table);
}

function givenOf(given) {
  const empty = Object.keys(given).length === 0;
  return h(
    'section',
    { 'aria-labelledby': 'given' },
    h('h2', { id: 'given' }, 'Given'),
    empty ? h('p.aside', null, 'Nothing: the world as it is without a word.') : block(written(given), 'What was given'),
  );
}

/** Whose answers are shown: native radio buttons, so that arrow keys work. */
function chooser(runs, chosen, row, show) {
  const pick = (run) => {
    history.replaceState(null, '', rowAddress(row, run.label));
    show(run);
    document.getElementById('announce').textContent = `Showing ${visible(run.label)}`;
  };
  const radio = (run) =>
    h(
      'label',
      null,
      h('input', { type: 'radio', name: 'implementation', checked: run === chosen, onchange: () => pick(run) }),
      h(
        'span',
        null,
        icon(OUTCOMES[row.outcomes[run.at]].kind),
        visible(run.label),
        hidden(`, ${OUTCOMES[row.outcomes[run.at]].word}`),
      ),
    );
  return h('fieldset.chooser', null, h('legend', null, 'Show what was got from'), runs.map(radio));
}

function stepsOf(data, found, run) {
  const steps = found.steps ?? [];
  const played = run.row.played ?? [];
  const failure = run.row.failure;
  const all = Math.max(steps.length, played.length, failure?.step ?? 0);
  if (all === 0) {
    return [
      h(
        'p.nothing',
        null,
        'The stream holds no steps of this row. Run with ',
        code('--details'),
        ' to have them here.',
      ),
      failure && mismatches(failure),
    ];
  }
  const last = played.findLastIndex((step) => step.trace);
  const open = failure ? failure.step - 1 : last;
  const items = Array.from({ length: all }, (_, at) =>
    stepItem(data, {
      number: at + 1,
      written: steps[at],
      played: played[at],
      failure: failure?.step === at + 1 ? failure : null,
      run,
      open: at === open || all <= ALL_OPEN,
    }),
  );
  return [
    h('ol.steps', null, items),
    run.row.repeat && [h('h3', null, 'Repeat'), block(run.row.repeat, 'The command that repeats this row')],
    run.row.standardError && [h('h3', null, 'Standard error'), block(run.row.standardError, 'Standard error')],
  ];
}

function stepItem(data, step) {
  const { expect, ...does } = step.written ?? {};
  const title = step.played?.action ?? step.failure?.action ?? Object.keys(does)[0] ?? 'step';
  return h(
    'li.step',
    null,
    h(
      'h3',
      null,
      hidden('Step '),
      h('span.step-number', { 'aria-hidden': 'true' }, step.number),
      hidden(`${step.number}: `),
      code(title),
    ),
    step.written && saysMore(does, title) && block(written(does), `Step ${step.number} as written`),
    step.failure && mismatches(step.failure),
    h(
      'div.pair',
      null,
      h(
        'div',
        null,
        h('h4', null, 'Expected'),
        expect
          ? block(written(expect), `Expected of step ${step.number}`)
          : h('p.aside', null, 'Nothing in particular.'),
      ),
      h('div', null, h('h4', null, 'Got'), gotOf(step, expect)),
    ),
    walkOf(data, step, title),
  );
}

/** Whether a step as it was written says more than its title. */
function saysMore(does, title) {
  const [[key, value] = [], ...others] = Object.entries(does);
  return key !== undefined && (others.length > 0 || `${key}: ${value}` !== title);
}

function mismatches(failure) {
  const line = (one) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, visible(one.what)),
      h('td', null, h('pre', null, visibleBlock(one.expected))),
      h('td', null, h('pre', null, visibleBlock(one.got))),
    );
  const head = h(
    'tr',
    null,
    ['What differs', 'Expected', 'Got'].map((name) => h('th', { scope: 'col' }, name)),
  );
  return h(
    'table.mismatches',
    { 'aria-label': 'What differs' },
    h('thead', null, head),
    h('tbody', null, failure.mismatches.map(line)),
  );
}

/** `review log has` is looked for in `reviewLog`. */
function seenKey(key) {
  return key.replace(/ (?:has|lacks)$/, '').replace(/ (\w)/g, (_, letter) => letter.toUpperCase());
}

/** What could be seen of what the step expects something of, and behind a fold all of it. */
function gotOf(step, expect) {
  const seen = step.played?.seen;
  if (!seen)
    return h(
      'p.aside',
      null,
      step.run.row.played ? 'Not played: the row had ended.' : 'The stream holds no answer of this step.',
    );
  const keys = [...new Set(['outcome', 'by', ...Object.keys(expect ?? {}).map(seenKey)])];
  const short = Object.fromEntries(keys.filter((key) => seen[key] !== undefined).map((key) => [key, seen[key]]));
  const { trace, ...rest } = seen;
  return [
    Object.keys(short).length > 0
      ? block(written(short), `Got in step ${step.number}`)
      : h('p.aside', null, 'Nothing of it was seen.'),
    h(
      'details',
      null,
      h('summary', null, 'Everything that could be seen'),
      block(written(rest), `Everything seen in step ${step.number}`),
    ),
  ];
}

/** The walk; of whoever gives no trace it is said so. */
function walkOf(data, step, title) {
  const { played, run } = step;
  if (!played || (!played.trace && played.seen.outcome === undefined)) return null;
  const summary = (...words) => h('summary', null, h('h4', null, ...words));
  if (played.trace) {
    const gates = (played.trace.gates ?? []).length;
    return h(
      'details.walk-fold',
      { open: step.open },
      summary('The walk through the gates', h('span.aside', null, ` ${count(gates, 'gate')}`)),
      walk(played.trace, title, { floors: data.floors }),
    );
  }
  if (played.seen.trace) {
    return h(
      'details.walk-fold',
      { open: step.open },
      summary('The explanation, as a text'),
      block(played.seen.trace, 'Explanation'),
    );
  }
  return h(
    'p.no-trace',
    null,
    icon('absent'),
    h('span', null, visible(run.label), ' gives no trace: what it answered is above, the way there is not known.'),
  );
}
