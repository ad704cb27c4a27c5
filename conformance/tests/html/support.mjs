// What the tests share: the program that writes the pages, the browser that opens them, and the streams that they are made of.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Without a program or a browser there is no test that could pass: that is an error, never a skip. */
const program = process.env.PORTCULLIS ?? join(here, '../../../target/release/portcullis');
assert.ok(existsSync(program), `there is no program ${program}; build it, or name another in PORTCULLIS`);

const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const executablePath = BROWSERS.find((path) => path && existsSync(path));
assert.ok(executablePath, 'there is no Chromium; `.ci/run html` installs one, or name it in CHROMIUM');

export const suite = join(here, 'suite');
export const scratch = mkdtempSync(join(tmpdir(), 'portcullis-html-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

export function portcullis(args, options = {}) {
  const ended = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, cwd: suite, ...options });
  assert.ok(ended.status === 0 || ended.status === 1, `${args.join(' ')}: ${ended.stderr}`);
  return ended.stdout;
}

/** The lines of a run with its details. */
export function played(...args) {
  return portcullis(['run', '.', '--details', '--json-lines', '-', ...args]);
}

/** The page of some streams; its path. */
export function reportOf(name, ...streams) {
  const files = streams.map((stream, number) => {
    const file = join(scratch, `${name}-${number}.jsonl`);
    writeFileSync(file, stream);
    return file;
  });
  const page = join(scratch, `${name}.html`);
  portcullis(['report', 'html', ...files, '--output', page]);
  return page;
}

let browser;

export async function startBrowser() {
  // As root, and in containers, Chromium has no sandbox of its own to give.
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

export async function stopBrowser() {
  await browser?.close();
}

/** Opens a page as a person has it: a file. Gives it to the test, which fails when the page complains or asks for anything. */
export async function visit(path, { hash = '', width = 1280, scheme = 'light' } = {}, test) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const said = [];
  const asked = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => asked.push(request.url()));
  const url = pathToFileURL(path).href;
  try {
    await page.goto(url + hash);
    await test(page);
    assert.deepEqual(said, [], 'the page says nothing to the console');
    const others = asked.filter((one) => !one.startsWith(url) && !one.startsWith('blob:'));
    assert.deepEqual(others, [], 'the page asks for nothing');
  } finally {
    await context.close();
  }
}

/** What axe finds wrong, by the rules of WCAG 2.2 AA and its own good practice. */
export async function faults(page) {
  await page.evaluate(await import('node:fs').then(({ readFileSync }) => readFileSync(axe, 'utf8')));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
}

export async function isAccessible(page, what) {
  assert.deepEqual(await faults(page), [], what);
}

export async function fits(page, what) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= window, `${what}: ${wide} of ${window} pixels`);
}

export function nodes(page) {
  return page.evaluate(() => document.querySelectorAll('*').length);
}

/** A stream of many rows, as a large suite leaves it. */
export function large(name, rows, outcomeOf) {
  const lines = [
    {
      type: 'run',
      version: 1,
      rows,
      implementation: { name, version: '1.0.0', language: 'Any', capabilities: [], levels: ['baseline', 'hardened'] },
    },
  ];
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0, notRun: 0 };
  for (let number = 0; number < rows; number += 1) {
    const outcome = outcomeOf(number);
    counts[outcome] += 1;
    const id = `scenario-${Math.floor(number / 5)}`;
    const rest = {
      skipped: { reason: 'needs mcp' },
      failed: { failure: { step: 1, action: `bash: echo ${number}`, line: 1, mismatches: [] } },
    }[outcome];
    const seen = { outcome: 'allow', by: { gate: 'tool', surface: 'bash', rule: '*' } };
    lines.push({
      type: 'row',
      name: `${id}/case ${number}`,
      id,
      title: `title of ${number}`,
      suite: 'large',
      level: number % 3 === 0 ? 'hardened' : 'baseline',
      origin: { file: `scenarios/area-${number % 12}/file-${number % 120}.yaml`, line: number + 1 },
      outcome,
      ...rest,
      details: {
        covers: [`CFG-${String(number % 100).padStart(3, '0')}`],
        given: { policy: { '*': 'ask' } },
        steps: [{ bash: `echo ${number}`, expect: { outcome: 'allow' } }],
        played: [{ line: number + 2, action: `bash: echo ${number}`, seen }],
      },
    });
  }
  lines.push({ type: 'summary', ...counts });
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
