// The walk through the gates as a picture: the call that enters, each gate that it meets with what it asked and which rule decided, the
// question to a person, the event that is left behind, and the end. It is a list with headings, so that whoever cannot see the rail,
// the arches and the colours reads or hears the same in the same order. It reads the trace of the core and adds nothing to it.

const GAVE = { allow: 'allows', ask: 'asks', deny: 'denies' };

const LOST = {
  pattern_does_not_match: 'does not match',
  later_rule_wins: 'matches, but a later rule wins',
  milder_spelling: 'matches a further spelling only, which no allow may use',
  unknown_place: 'no allow for a path whose directory nobody knows',
};

const ANSWERS = {
  approved: 'yes, this once',
  approved_for_session: 'yes, for this session',
  denied: 'no',
  denied_with_reason: 'no, with a reason',
  confirmation_unavailable: 'nobody could be asked',
};

const SUPPOSED = {
  yes: 'Nobody was asked here; what follows is what a yes leads to.',
  nobody: 'Nobody is there to be asked.',
};

const ENDS = {
  allow: 'goes ahead',
  continue: 'goes on to the agent',
  handled: 'is taken from the agent',
  block: 'is blocked',
};

const RESULT_OF_END = { allow: 'allow', continue: 'allow', handled: 'deny', block: 'deny' };

/** More questions of one gate than these are folded away, but for the one that decides. */
const QUESTIONS_SHOWN = 5;

/**
 * @param trace the trace of one call, as the core gives it
 * @param call what was called, in a few words
 * @param how `level`: of its headings; `floors`: what the sentinels of floors mean, in words; `supposed`: nobody was asked and nothing was written, this is what
 *   would happen if the person said `yes`, or if there was `nobody`
 */
function walk(trace, call, how = {}) {
  const label = `Walk through the gates: ${visible(call)} ${ENDS[trace.end.outcome] ?? trace.end.outcome}`;
  const gates = trace.gates ?? [];
  return h(
    'figure.walk',
    { 'aria-label': label },
    h(
      'ol',
      null,
      entrance(trace, call, how),
      gates.map((gate) => gateStop(gate, how)),
      exit(trace, how),
    ),
  );
}

/** The heading of a stop, and those of the parts in it. */
function title({ level = 4 }, ...children) {
  return h(`h${level}.stop-title`, null, ...children);
}

function partTitle({ level = 4 }, ...children) {
  return h(`h${level + 1}.part-title`, null, ...children);
}

function stop(kind, mark, ...children) {
  return h(
    `li.stop.is-${kind}`,
    null,
    h('span.mark', { 'aria-hidden': 'true' }, icon(mark)),
    h('div.stop-body', null, ...children),
  );
}

function entrance(trace, call, how) {
  return stop(
    'call',
    'enter',
    title(how, 'The call enters'),
    h('p.call', null, code(call)),
    surroundings(trace.snapshot ?? {}),
  );
}

/** A word of the core's closed lists, for people. */
function words(word) {
  return visible(word ?? '').replaceAll('_', ' ');
}

/** What the call was judged with, as far as it is worth a word. */
function surroundings(snapshot) {
  const facts = [];
  if (snapshot.agent)
    facts.push(['agent', snapshot.agent + (snapshot.agent_from_tag ? ' (known from a prompt tag only)' : '')]);
  for (const [key, name] of [
    ['not_read', 'scope not read'],
    ['broken', 'scope broken'],
    ['ignored_settings', 'setting ignored'],
    ['known_limits', 'known limit'],
    ['inherited', 'inherited'],
  ]) {
    for (const value of snapshot[key] ?? []) facts.push([name, value]);
  }
  return facts.length > 0 ? factList(facts) : null;
}

function factList(facts) {
  return h(
    'dl.facts',
    null,
    facts.map(([key, value]) =>
      h('div', null, h('dt', null, key), h('dd', null, value instanceof Node ? value : code(value))),
    ),
  );
}

function gateStop(gate, how) {
  const outcome = gate.outcome ?? {};
  const kind = outcome.gave === 'check' ? outcome.state : outcome.gave;
  const unreached = !gate.ran && kind !== 'null';
  const questions = gate.questions ?? [];
  const heading = title(how, hidden('gate '), code(gate.gate), ' ', gave(outcome, unreached));
  const item = stop(
    kind,
    `gate-${kind}`,
    heading,
    questionList(questions, outcome.deciding, how.floors ?? {}),
    gate.ask && asked(gate.ask, how),
    gate.decision && eventLeft(gate.decision, how),
  );
  if (unreached) item.classList.add('is-unreached');
  return item;
}

function gave(outcome, unreached) {
  const behind = unreached ? ' (not reached: an earlier gate ended the call)' : '';
  if (outcome.gave === 'null') return h('span.gave', null, 'does not apply');
  if (outcome.gave === 'bypass')
    return h(
      'span.gave',
      null,
      'lets it pass: ',
      words((outcome.reason ?? '').replace(/^permission_request\./, '')),
      behind,
    );
  return h('span.gave.state', null, GAVE[outcome.state] ?? outcome.state, behind);
}

function questionList(questions, deciding, floors) {
  if (questions.length === 0) return null;
  const items = questions.map((question, index) => questionItem(question, index === deciding, floors));
  const shown = items.filter((_, index) => index < QUESTIONS_SHOWN || index === deciding);
  const folded = items.filter((item) => !shown.includes(item));
  return [
    h('ul.questions', null, shown),
    folded.length > 0 &&
      h(
        'details',
        null,
        h('summary', null, `${count(folded.length, 'more question')} to the rules`),
        h('ul.questions', null, folded),
      ),
  ];
}

function questionItem(question, decides, floors) {
  const values = (question.values ?? []).length > 0 ? question.values : ['*'];
  const head = h(
    'p.asked-about',
    null,
    h('span.surface', null, visible(question.surface ?? '')),
    question.direction && ` (${question.direction})`,
    ' ',
    values.flatMap((value, index) => [index > 0 && ' or ', code(value)]),
    decides && h('span.decides', null, 'decides'),
  );
  return h(
    'li',
    { class: decides ? 'is-deciding' : null },
    head,
    (question.further ?? []).length > 0 &&
      h(
        'p.aside',
        null,
        'deny and ask rules also see ',
        question.further.flatMap((value, index) => [index > 0 && ', ', code(value)]),
      ),
    question.winner ? ruleLine(question.winner) : h('p.rule', null, 'no rule matches'),
    (question.steps ?? []).map((step) => stepLine(step, floors)),
    (question.tightenings ?? [])
      .filter((one) => one.before !== one.after && !(question.steps ?? []).some(hasRequirement(one)))
      .map(tightened),
    otherRules(question),
  );
}

function hasRequirement(tightening) {
  return (step) => step.requirement === tightening.requirement;
}

function tightened({ requirement, before, after, subject }) {
  return raised('raise', [`${before} becomes ${after} for `, code(subject ?? '')], requirement);
}

/** Pattern, answer, who wrote it, and where it is written. */
function ruleLine(rule) {
  const place = rule.location && `${rule.location.file}:${rule.location.line}`;
  const source =
    rule.surface === '*' && rule.layer === 'default'
      ? [`${rule.action} by the universal default`]
      : [
          h(`span.action.is-${rule.action}`, null, rule.action),
          ' by rule ',
          code(rule.pattern),
          ' on ',
          code(rule.surface),
        ];
  return h(
    'p.rule',
    null,
    icon('rule'),
    h(
      'span',
      null,
      source,
      h('span.origin', null, ` (${rule.origin})`),
      rule.reason && [', because: ', visible(rule.reason)],
    ),
    place && h('span.place', null, hidden('written in '), code(place)),
  );
}

function stepLine(step, floors) {
  switch (step.step) {
    case 'rules':
      return null;
    case 'clamp':
      return raised('raise', 'raised to ask: a policy file is broken', 'HARD-012');
    case 'grant':
      return raised('lower', ['allowed for this session by the grant ', code(step.pattern)]);
    case 'grant_refused':
      return raised('raise', ['the grant ', code(step.pattern), ' does not count here'], step.requirement);
    case 'floor':
      return raised(
        'raise',
        ['raised to ask: ', floors[step.sentinel] ?? 'a floor', ' ', code(step.sentinel)],
        step.requirement,
      );
    case 'permissive':
      return raised('lower', 'let through by the permissive mode');
    case 'protected':
      return raised('raise', 'raised to ask: it is one of the files that the gate itself lives by', 'HARD-056');
    default:
      return raised('raise', visible(step.step));
  }
}

/** What raised or lowered the answer of the rules. */
function raised(mark, text, requirement) {
  return h(
    `p.raised.is-${mark === 'lower' ? 'allow' : 'ask'}`,
    null,
    icon(mark),
    h('span', null, text, requirement && [' ', h('span.requirement', null, requirement)]),
  );
}

/** Rules that matched and lost; those that match nothing are counted. */
function otherRules(question) {
  const lost = (question.rules ?? []).filter((one) => one.lost && one.lost !== 'pattern_does_not_match');
  const silent =
    (question.silent ?? 0) + (question.rules ?? []).filter((one) => one.lost === 'pattern_does_not_match').length;
  const rest = silent > 0 ? `${count(silent, 'rule does', 'rules do')} not match` : null;
  if (lost.length === 0) return rest && h('p.aside', null, rest);
  return h(
    'details.lost',
    null,
    h('summary', null, `${count(lost.length, 'other rule matches', 'other rules match')}${rest ? `, ${rest}` : ''}`),
    h(
      'ul',
      null,
      lost.map((one) => h('li', null, ruleLine(one.rule), h('p.aside', null, LOST[one.lost] ?? one.lost))),
    ),
  );
}

function asked(ask, how) {
  const suggestion = ask.suggestion ?? [];
  const grants = suggestion.flatMap(([surface, pattern], index) => [
    index > 0 && ', ',
    visible(surface),
    ' ',
    code(pattern),
  ]);
  return h(
    'div.ask',
    null,
    partTitle(how, icon('ask'), 'A question to a person'),
    h('pre', null, visibleBlock(ask.message ?? '')),
    h(
      'p.answer',
      null,
      how.supposed ? SUPPOSED[how.supposed] : [h('strong', null, 'Answer: '), ANSWERS[ask.answer] ?? words(ask.answer)],
    ),
    suggestion.length > 0 &&
      h('p.aside', null, ask.stored ? 'stored for the session: ' : 'a yes for the session would store: ', grants),
  );
}

function eventLeft(event, how) {
  const by = event.decidedBy ?? {};
  const who = [by.kind, by.name, by.where === 'serving' && 'in the serving session', by.cause]
    .filter(Boolean)
    .join(', ');
  const facts = [
    ['result', event.result],
    ['resolution', event.resolution],
    ['surface', event.surface],
    ['value', event.value],
    ['pattern', event.matchedPattern],
    ['origin', event.origin],
    ['decided by', words(who)],
    ['reason', by.reason],
  ].filter(([, value]) => value);
  return h(
    'div.event',
    null,
    partTitle(
      how,
      icon('event'),
      how.supposed ? 'It would leave the event ' : 'It leaves the event ',
      code('permissions:decision'),
    ),
    factList(facts),
  );
}

function exit(trace, how) {
  const { outcome, gate, reason } = trace.end;
  const result = RESULT_OF_END[outcome] ?? 'null';
  const by = gate && gate !== 'none' ? [result === 'allow' ? 'last checked by ' : 'by ', code(gate)] : [];
  return stop(
    `end.is-${result}`,
    result === 'allow' ? 'passed' : 'failed',
    title(
      how,
      how.supposed === 'yes' && wasAsked(trace) ? 'After a yes, the call ' : 'The call ',
      h('span.state', null, ENDS[outcome] ?? visible(outcome)),
      by.length > 0 && [', ', by],
    ),
    (trace.tightenings ?? []).length > 0 &&
      h('p.aside', null, 'beyond the npm package: ', tighteningNames(trace.tightenings)),
    reason && h('pre', null, visibleBlock(reason)),
  );
}

function wasAsked(trace) {
  return (trace.gates ?? []).some((gate) => gate.ask);
}

function tighteningNames(list) {
  const names = [...new Set(list.map((one) => one.requirement))];
  return names.flatMap((name, index) => [index > 0 && ', ', h('span.requirement', null, name)]);
}
