// The rows of the report and the questions that can be put to them. No elements here.

// How a row can end, as the builder of the page codes it: the word says it, the colour and the icon repeat it.
const OUTCOMES = {
  p: { kind: 'passed', word: 'passed' },
  f: { kind: 'failed', word: 'failed' },
  e: { kind: 'errored', word: 'errored' },
  k: { kind: 'known', word: 'known failure' },
  s: { kind: 'skipped', word: 'skipped' },
  u: { kind: 'unscored', word: 'not scored' },
  n: { kind: 'notrun', word: 'not run' },
  '-': { kind: 'absent', word: 'no result' },
};

const LEVELS = ['baseline', 'hardened'];

/** Rows on one page of the list: what is not shown costs nothing. */
const PAGE = 100;

function report(index) {
  const names = index.runs.map((run) => run.name);
  const label = (run) =>
    names.indexOf(run.name) === names.lastIndexOf(run.name) ? run.name : `${run.name} ${run.version}${run.mark ?? ''}`;
  const runs = index.runs.map((run) => ({ ...run, label: label(run) }));
  const places = new Map();
  const rows = index.rows.map(([name, title, area, level, file, line, covers, outcomes], number) => {
    const place = places.get(file) ?? 0;
    places.set(file, place + 1);
    const requirements = covers.map((at) => index.requirements[at][0]);
    const haystack = `${name} ${title} ${requirements.join(' ')}`.toLowerCase();
    return {
      number,
      name,
      title,
      area: index.areas[area],
      level: LEVELS[level],
      file,
      place,
      line,
      requirements,
      outcomes,
      haystack,
    };
  });
  return { ...index, runs, rows, byName: new Map(rows.map((row) => [row.name, row])) };
}

/** The members of a filter, in the order in which an address names them. */
const FILTER = ['q', 'requirement', 'area', 'level', 'outcome', 'of'];

function matching(data, filter) {
  const words = (filter.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const requirement = (filter.requirement ?? '').trim().toUpperCase();
  const run = filter.of === undefined ? -1 : data.runs.findIndex((one) => one.label === filter.of);
  return data.rows.filter(
    (row) =>
      words.every((word) => row.haystack.includes(word)) &&
      (!requirement || row.requirements.includes(requirement)) &&
      (!filter.area || row.area === filter.area) &&
      (!filter.level || row.level === filter.level) &&
      (!filter.outcome || hasOutcome(row, filter.outcome, run)),
  );
}

function hasOutcome(row, outcome, run) {
  // What one passed and another did not; who skips says nothing about it.
  if (outcome === 'differ') return row.outcomes.includes('p') && /[fek]/.test(row.outcomes);
  const codes = run < 0 ? [...row.outcomes] : [row.outcomes[run]];
  if (outcome === 'bad') return codes.some((one) => one === 'f' || one === 'e');
  return codes.some((one) => OUTCOMES[one].word === outcome);
}

/** How many rows ended how, in the order of the words. */
function sums(rows, run) {
  const found = {};
  for (const row of rows) found[row.outcomes[run]] = (found[row.outcomes[run]] ?? 0) + 1;
  return Object.keys(OUTCOMES)
    .filter((one) => found[one] > 0)
    .map((one) => ({ ...OUTCOMES[one], number: found[one], text: counted(found[one], OUTCOMES[one].word) }));
}

/** Participles have no plural; failures and results do. */
function counted(number, word) {
  const many = /(?:failure|result)$/.test(word) ? `${word}s` : word;
  return count(number, word, many);
}

// Addresses. A row's name is its scenario's id, and the label of a table's row behind a slash.

function address(filter, page = 1) {
  const query = new URLSearchParams();
  for (const key of FILTER) if (filter[key]) query.set(key, filter[key]);
  if (page > 1) query.set('page', page);
  const text = query.toString();
  return `#/rows${text ? `?${text}` : ''}`;
}

function rowAddress(row, of) {
  const at = row.name.indexOf('/');
  const parts = at < 0 ? [row.name] : [row.name.slice(0, at), row.name.slice(at + 1)];
  const query = of ? `?${new URLSearchParams({ of })}` : '';
  return `#/scenario/${parts.map(encodeURIComponent).join('/')}${query}`;
}

/** What an address asks for; anything that is no address is the overview. */
function route(hash) {
  const [path, text = ''] = hash.replace(/^#/, '').split('?');
  const query = new URLSearchParams(text);
  const filter = Object.fromEntries(FILTER.filter((key) => query.get(key)).map((key) => [key, query.get(key)]));
  if (path === '/rows')
    return { view: 'rows', filter, page: Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1) };
  if (path.startsWith('/scenario/')) {
    try {
      return {
        view: 'scenario',
        name: path.slice('/scenario/'.length).split('/').map(decodeURIComponent).join('/'),
        of: query.get('of'),
      };
    } catch {
      return { view: 'scenario', name: path, of: null };
    }
  }
  return { view: 'overview' };
}

/** The details of the rows of one file are packed; they are unpacked when one of them is opened, and the last ones are kept. */
const unpacked = new Map();

async function details(row) {
  if (!unpacked.has(row.file)) {
    const element = document.getElementById(`details-${row.file}`);
    const bytes = Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    unpacked.set(row.file, await new Response(stream).json());
    if (unpacked.size > 4) unpacked.delete(unpacked.keys().next().value);
  }
  return unpacked.get(row.file)?.[row.place];
}
