'use strict';

// The few ways in which this page makes elements. Everything that comes from a scenario, a policy or an implementation is untrusted
// text: it goes through `visible` into text nodes and attributes, never through markup.

const SVG = 'http://www.w3.org/2000/svg';

// Control, format and bidirectional characters, and blanks that are not the blank: what a person would not see, or see as something else.
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

function escaped(character) {
  return `\\u{${character.codePointAt(0).toString(16)}}`;
}

/** The text on one line, with every invisible character escaped. */
function visible(text) {
  return String(text).replace(INVISIBLE, escaped);
}

/** The same with line feeds and tabs left as layout, for blocks. */
function visibleBlock(text) {
  return String(text).replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** `h('a.class', { href }, 'text')`. Children that are no nodes become text. */
function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  return append(element, children);
}

function code(text, name = 'code') {
  return h(name, null, visible(text));
}

// What is longer than its box can be scrolled with the keyboard; what is not is no stop on the way.
const boxes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollHeight > target.clientHeight + 1) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});

/** A block of text under a name. */
function block(text, label) {
  const element = h('pre', { role: 'group', 'aria-label': label }, h('code', null, visibleBlock(text)));
  boxes.observe(element);
  return element;
}

function hidden(text) {
  return h('span.visually-hidden', null, text);
}

// Icons: drawn on a field of 16 by 16. They never stand without a word.
const ICONS = {
  passed: ['M3.5 8.5l3 3 6-7'],
  failed: ['M4 4l8 8M12 4l-8 8'],
  errored: ['M8 2.5L14 13H2z', 'M8 6.5v3M8 11.4v.1'],
  known: ['M4 14V2.5h7.5l-2 3 2 3H4'],
  skipped: ['M3 4l4 4-4 4', 'M8.5 4l4 4-4 4'],
  unscored: ['M3.5 6h9M3.5 10h9'],
  notrun: ['M8 2.5a5.5 5.5 0 1 0 .01 0z', 'M5.5 8h5'],
  absent: ['M5 8h6'],
  enter: ['M2 8h9', 'M7.5 4.5L11 8l-3.5 3.5', 'M14 2.5v11'],
  ask: ['M2.5 3h11v7.5H8L5 13.5v-3H2.5z'],
  event: ['M4 14V2.5h8l-2 2.5 2 2.5H4'],
  raise: ['M8 13V4', 'M4.5 7.5L8 4l3.5 3.5'],
  lower: ['M8 3v9', 'M4.5 8.5L8 12l3.5-3.5'],
  rule: ['M3 4h10M3 8h10M3 12h6'],
  // The gate: an arch with its portcullis up, half way, or down.
  'gate-allow': ['M2.5 14V7a5.5 5.5 0 0 1 11 0v7', 'M5.5 2.5v2M8 1.8v2.7M10.5 2.5v2'],
  'gate-ask': ['M2.5 14V7a5.5 5.5 0 0 1 11 0v7', 'M5.5 2.5v6M8 1.8v6.7M10.5 2.5v6M3 6h10'],
  'gate-deny': ['M2.5 14V7a5.5 5.5 0 0 1 11 0v7', 'M5.5 2.5V14M8 1.8V14M10.5 2.5V14M3 6h10M3 10h10'],
  'gate-bypass': ['M2.5 14V7a5.5 5.5 0 0 1 11 0v7', 'M6 11.5L8 9.5l2 2'],
  'gate-null': ['M2.5 14V7a5.5 5.5 0 0 1 11 0v7'],
};

function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [key, value] of [
    ['viewBox', '0 0 16 16'],
    ['class', `icon icon-${name}`],
    ['aria-hidden', 'true'],
    ['focusable', 'false'],
  ]) {
    svg.setAttribute(key, value);
  }
  for (const line of ICONS[name] ?? ICONS.absent) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', line);
    svg.append(path);
  }
  return svg;
}

/** A state: icon, word and colour say the same. */
function badge(kind, word) {
  return h(`span.badge.is-${kind}`, null, icon(kind), word);
}

/** `count(1, 'row')`, `count(2, 'row')`. */
function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Data that the page carries. Parsed when it is needed. */
function carried(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

// The theme: as the system has it, unless the person says otherwise. A page from the file system may have no storage.
function startTheme() {
  const select = document.getElementById('theme');
  const keep = (theme) => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem('portcullis-theme', theme);
    } catch {
      // It lasts as long as the page, then.
    }
  };
  let kept = 'system';
  try {
    kept = localStorage.getItem('portcullis-theme') ?? kept;
  } catch {
    // Nothing was kept.
  }
  select.value = ['light', 'dark'].includes(kept) ? kept : 'system';
  document.documentElement.dataset.theme = select.value;
  select.addEventListener('change', () => keep(select.value));
}
