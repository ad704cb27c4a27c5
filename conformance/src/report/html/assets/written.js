// Values of JSON, written as a person would write them in a scenario file: indented, without quotes where none are needed.

// What would read as something else without quotes.
const NEEDS_QUOTES = /^$|^[\s\-?:,[\]{}#&*!|>'"%@`~=]|[:#]\s|:$|\s$|^(?:true|false|null|yes|no|on|off)$|^[\d.+]/i;

function scalar(value) {
  if (typeof value !== 'string') return JSON.stringify(value);
  const shown = visible(value);
  return NEEDS_QUOTES.test(value) || shown !== value ? `"${shown.replaceAll('"', '\\"')}"` : value;
}

function isSimple(value) {
  return value === null || typeof value !== 'object';
}

/** Short lists and maps of simple values stand on one line. */
function inline(value) {
  if (isSimple(value)) return typeof value === 'string' && value.includes('\n') ? null : scalar(value);
  const parts = Array.isArray(value)
    ? value.map((item) => (isSimple(item) ? scalar(item) : null))
    : Object.entries(value).map(([key, item]) => (isSimple(item) ? `${scalar(key)}: ${scalar(item)}` : null));
  if (parts.includes(null)) return null;
  const text = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (parts.length === 0) return Array.isArray(value) ? '[]' : '{}';
  return Array.isArray(value) && text.length <= 72 ? text : null;
}

function lines(value, indent) {
  const short = inline(value);
  if (short !== null) return [indent + short];
  if (typeof value === 'string') return value.split('\n').map((line) => indent + visible(line));
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, indent));
  return Object.entries(value).flatMap(([key, item]) => member(key, item, indent));
}

function itemLines(item, indent) {
  const [first, ...rest] = lines(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

function member(key, item, indent) {
  const name = `${indent}${scalar(key)}:`;
  const short = inline(item);
  if (short !== null) return [`${name} ${short}`];
  const mark = typeof item === 'string' ? ' |' : '';
  return [name + mark, ...lines(item, `${indent}  `)];
}

/** The text of a value. */
function written(value) {
  return lines(value, '').join('\n');
}
