// One decision: the verdict, the rule in its file, and the walk through the gates.

const VERDICTS = {
  allow: 'It goes ahead without a question.',
  ask: 'A person is asked.',
  deny: 'It is refused without a question.',
};

function explanationView(explanation, floors) {
  const { verdict } = explanation;
  const nobody = verdict === 'ask' && !explanation.hasUi;
  return [
    h(
      'h1.verdict',
      null,
      h(`span.badge.is-${verdict}`, null, icon(`gate-${verdict}`), verdict),
      ' ',
      code(explanation.call),
    ),
    h('p.lead', null, nobody ? 'A person would be asked, and nobody is there: it is refused.' : VERDICTS[verdict]),
    h('section', { 'aria-labelledby': 'why' }, h('h2', { id: 'why' }, 'What decided'), decider(explanation.by, floors)),
    explanation.issues.length > 0 && faults(explanation.issues),
    h(
      'section',
      { 'aria-labelledby': 'walk' },
      h('h2', { id: 'walk' }, 'The walk through the gates'),
      h(
        'div.step',
        null,
        walk(explanation.trace, explanation.call, { level: 3, floors, supposed: explanation.hasUi ? 'yes' : 'nobody' }),
      ),
    ),
  ];
}

function decider(by, floors) {
  return [
    factList([['gate', by.gate], by.surface && ['surface', by.surface], by.value && ['for', by.value]].filter(Boolean)),
    h(
      'div.questions.why',
      null,
      by.rule ? ruleLine(by.rule) : by.surface && h('p.rule', null, 'no rule matches'),
      (by.steps ?? []).map((step) => stepLine(step, floors)),
    ),
    by.snippet && snippet(by.snippet, by.rule),
  ];
}

/** The line of the file, with the rule's key marked. */
function snippet({ file, line, column, text }, rule) {
  const letters = [...text];
  const from = Math.max(0, column - 1);
  const length = keyLength(letters.slice(from).join(''), rule);
  const part = (start, end) => visible(letters.slice(start, end).join(''));
  return h(
    'figure.snippet',
    null,
    h('figcaption.aside', null, code(`${file}:${line}:${column}`)),
    h(
      'pre',
      null,
      h(
        'code',
        null,
        h('span.aside', null, `${line} │ `),
        part(0, from),
        h('mark', null, part(from, from + length)),
        part(from + length),
      ),
    ),
  );
}

function keyLength(rest) {
  const key = rest.startsWith('"') ? /^"(?:[^"\\]|\\.)*"/.exec(rest) : /^[^:,]+/.exec(rest);
  return key ? [...key[0]].length : 1;
}

function faults(issues) {
  return h(
    'section',
    { 'aria-labelledby': 'faults' },
    h('h2', { id: 'faults' }, 'Faults of the policy files'),
    h(
      'ul',
      null,
      issues.map((issue) => h('li', null, visible(issue))),
    ),
  );
}

startTheme();
const explanation = carried('explanation');
document.title = `${explanation.verdict}: ${visible(explanation.call)} · Portcullis`;
append(document.getElementById('main'), explanationView(explanation, carried('floors')));
