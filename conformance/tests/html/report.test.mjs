// The report in a real Chromium: what a person finds, with the mouse, with the keyboard, with a screen reader, on a phone.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fits, isAccessible, large, nodes, played, reportOf, startBrowser, stopBrowser, visit } from './support.mjs';

const ROWS = 5153;
const HOSTILE_ROW = "hostile-texts/echo '</script><script>hacked()</script>'";

let reference;
let always;
let small;
let big;

const address = (name, query = '') => {
  const at = name.indexOf('/');
  const parts = at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
  return `#/scenario/${parts.map(encodeURIComponent).join('/')}${query}`;
};

const rowsOf = (stream) =>
  stream
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((line) => line.type === 'row');
const ended = (stream, outcome) => rowsOf(stream).filter((row) => row.outcome === outcome).length;

before(async () => {
  reference = played();
  always = played('--implementation', 'always-allow');
  small = reportOf('small', reference, always);
  const outcomes = (every, outcome) => (number) => (number % every === 0 ? outcome : 'passed');
  big = reportOf(
    'big',
    large('reference', ROWS, () => 'passed'),
    large('package', ROWS, outcomes(7, 'failed')),
    large('other', ROWS, outcomes(5, 'skipped')),
  );
  await startBrowser();
});

after(stopBrowser);

describe('the overview', () => {
  it('shows areas by implementation, and calls green only what passed as a whole', async () => {
    await visit(small, {}, async (page) => {
      assert.equal(await page.title(), 'Conformance report · Portcullis');
      const table = page.getByRole('table', { name: 'Areas' });
      assert.deepEqual(await table.getByRole('columnheader').allTextContents(), [
        'Area',
        'Rows',
        'portcullis',
        'always-allow',
      ]);
      assert.deepEqual(await table.getByRole('rowheader').allTextContents(), ['walks']);
      const cells = table.getByRole('row').nth(1).getByRole('cell');
      assert.match(await cells.nth(1).innerText(), /^8 passed$/);
      assert.match(await cells.nth(2).innerText(), /failed/);
      assert.equal(await cells.nth(1).getAttribute('class'), 'is-whole');
      assert.equal(await cells.nth(2).getAttribute('class'), 'is-part');
    });
  });

  it('says every state in a word beside its colour, and shows nothing that did not pass as passed', async () => {
    await visit(big, {}, async (page) => {
      for (const badge of await page.locator('.badge, .sum').all()) {
        const kind = (await badge.getAttribute('class')).match(/is-(\w+)/)[1];
        const words = { passed: 'passed', failed: 'failed', skipped: 'skipped' };
        assert.match(await badge.innerText(), new RegExp(`^[\\d,]+ ${words[kind]}$`));
      }
      assert.equal(await page.locator('td.is-whole').count(), 12, 'only the first implementation passed whole areas');
    });
  });

  it('leads from a number to the rows behind it', async () => {
    await visit(big, {}, async (page) => {
      await page
        .getByRole('row', { name: /^area-3 / })
        .getByRole('link', { name: /^\d+ failed, area-3, package$/ })
        .click();
      assert.equal(await page.getByLabel('Area').inputValue(), 'area-3');
      assert.equal(await page.getByLabel('Outcome').inputValue(), 'failed');
      assert.equal(await page.getByLabel('Implementation').inputValue(), 'package');
      const expected = Array.from({ length: ROWS }, (_, number) => number).filter(
        (number) => number % 12 === 3 && number % 7 === 0,
      ).length;
      assert.match(await page.locator('.count').innerText(), new RegExp(`^${expected} rows of 5,153`));
    });
  });

  it('searches', async () => {
    await visit(small, {}, async (page) => {
      await page.getByLabel('Search scenarios').fill('push');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/rows\?q=push$/);
      assert.equal(await page.locator('.count').innerText(), '2 rows of 8');
    });
  });
});

describe('the list', () => {
  const count = (page) => page.locator('.count').innerText();

  it('filters by every part, tells the number aloud, and keeps the filter in the address', async () => {
    await visit(small, { hash: '#/rows' }, async (page) => {
      assert.equal(await count(page), '8 rows of 8');
      await page.getByLabel('Search').fill('session yes');
      await page.waitForFunction(() => document.querySelector('.count').textContent === '1 row of 8');
      assert.equal(await page.getByRole('status').textContent(), '1 row of 8');
      await page.getByRole('button', { name: 'Clear' }).click();
      assert.equal(await count(page), '8 rows of 8');
      for (const [label, value, rows] of [
        ['Requirement', 'rule-012', '2 rows of 8'],
        ['Level', 'hardened', '1 row of 8'],
        ['Outcome', 'failed or errored', `${ended(always, 'failed')} rows of 8`],
        ['Area', 'walks', '8 rows of 8'],
      ]) {
        const field = page.getByLabel(label);
        if (label === 'Requirement') await field.fill(value);
        else await field.selectOption(value);
        await page.waitForFunction(
          ([text, key]) => location.hash.includes(key) && document.querySelector('.count').textContent === text,
          [rows, `${label.toLowerCase()}=`],
        );
        await page.getByRole('button', { name: 'Clear' }).click();
      }
      await page.getByLabel('Outcome').selectOption('passed');
      await page.getByLabel('Implementation').selectOption('portcullis');
      await page.waitForFunction(() => document.querySelector('.count').textContent === '8 rows of 8');
      await page.getByLabel('Search').fill('nothing is like this');
      await page.getByText('No row is like that').waitFor();
      await page.reload();
      assert.equal(await page.getByLabel('Search').inputValue(), 'nothing is like this');
    });
  });

  it('finds the rows that one passed and another did not', async () => {
    await visit(big, { hash: '#/rows' }, async (page) => {
      await page.getByLabel('Outcome').selectOption('implementations differ');
      const expected = Array.from({ length: ROWS }, (_, number) => number).filter((number) => number % 7 === 0).length;
      await page.waitForFunction(
        (text) => document.querySelector('.count').textContent.startsWith(text),
        `${expected} rows of 5,153`,
      );
    });
  });

  it('holds one page of rows, however many there are', async () => {
    await visit(big, { hash: '#/rows' }, async (page) => {
      assert.equal(await count(page), '5,153 rows of 5,153, page 1 of 52');
      assert.ok((await nodes(page)) < 6000, `${await nodes(page)} elements`);
      await page.getByRole('link', { name: 'Next page →' }).click();
      assert.equal(await count(page), '5,153 rows of 5,153, page 2 of 52');
      assert.match(page.url(), /page=2/);
      await page.goBack();
      assert.equal(await count(page), '5,153 rows of 5,153, page 1 of 52');
      await page.getByLabel('Search').fill('case 51');
      const expected = Array.from({ length: ROWS }, (_, number) => number).filter((number) =>
        `${number} ${Math.floor(number / 5)} cfg-${number % 100}`.includes('51'),
      ).length;
      await page.waitForFunction(
        (text) => document.querySelector('.count').textContent.startsWith(text),
        `${expected} rows of 5,153`,
      );
      assert.ok((await nodes(page)) < 6000, `${await nodes(page)} elements`);
    });
  });
});

describe('a scenario', () => {
  it('is opened by its address, and leads back to its list', async () => {
    await visit(small, { hash: '#/rows?q=push' }, async (page) => {
      await page.getByRole('link', { name: 'is-refused / git push -f' }).click();
      await page.getByRole('heading', { name: 'a later rule denies', level: 1 }).waitFor();
      assert.ok(
        await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading === document.activeElement),
        'the heading has the focus',
      );
      const here = page.url();
      await page.goBack();
      assert.equal(await page.locator('.count').innerText(), '2 rows of 8');
      assert.equal(await page.evaluate(() => document.activeElement.textContent), 'is-refused / git push -f');
      await page.goto('about:blank');
      await page.goto(here);
      await page.getByRole('heading', { name: 'a later rule denies', level: 1 }).waitFor();
      await page.getByRole('link', { name: '← Previous' }).click();
      await page.getByText('git push origin main').first().waitFor();
    });
  });

  it('says so when there is none of this name', async () => {
    await visit(small, { hash: '#/scenario/%E0%A4%A' }, async (page) => {
      await page.getByRole('heading', { name: 'No such scenario' }).waitFor();
    });
  });

  it('shows what was given, expected and got', async () => {
    await visit(small, { hash: address('asks-and-remembers') }, async (page) => {
      await page.getByRole('heading', { name: 'Given' }).waitFor();
      assert.match(await page.getByLabel('What was given').innerText(), /^policy:\n {2}"\*": ask\n {2}bash:/);
      assert.match(
        await page.getByLabel('Expected of step 2').innerText(),
        /resolution: session_approved\nprompts: \[\]/,
      );
      assert.match(
        await page.getByLabel('Got in step 1', { exact: true }).innerText(),
        /^outcome: allow\nby:\n {2}gate: tool/,
      );
      assert.equal(await page.getByRole('heading', { level: 3 }).count(), 2);
    });
  });

  it('draws the walk of its call, in the order in which it went', async () => {
    const row = rowsOf(reference).find((line) => line.name === 'is-refused/git push -f');
    const { trace } = row.details.played[0];
    await visit(small, { hash: address(row.name) }, async (page) => {
      const walk = page.getByRole('figure', { name: 'Walk through the gates: bash: git push -f is blocked' });
      await walk.waitFor();
      const stops = (await walk.locator('ol > li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
      assert.equal(stops.length, trace.gates.length + 2);
      assert.match(stops[0], /^The call enters\s+bash: git push -f$/);
      for (const [at, gate] of trace.gates.entries())
        assert.ok(stops[at + 1].startsWith(`gate ${gate.gate}`), stops[at + 1]);
      const last = stops.at(-2);
      const { file, line } = trace.gates.at(-1).questions[0].winner.location;
      for (const text of [
        'tool denies',
        'git push -f',
        'decides',
        'deny by rule git push * on bash (global)',
        `${file}:${line}`,
        'permissions:decision',
        'policy_deny',
      ]) {
        assert.ok(last.includes(text), `${text}: ${last}`);
      }
      assert.match(stops.at(-1), /^The call is blocked, by tool/);
      assert.ok(stops.at(-1).includes(trace.end.reason));
      const tree = await walk.ariaSnapshot();
      assert.match(
        tree,
        /figure "Walk through the gates.*"'?:\n\s+- list:\n\s+- listitem:\n\s+- heading "The call enters" \[level=4\]/,
      );
      assert.match(tree, /heading "gate tool denies" \[level=4\]/);
    });
  });

  it('shows the question to a person, the answer, and what was stored', async () => {
    await visit(small, { hash: address('asks-and-remembers') }, async (page) => {
      const walk = page.getByRole('figure').first();
      const text = (await walk.innerText()).replaceAll(/\s+/g, ' ');
      assert.match(
        text,
        /A question to a person .*npm test.* Answer: yes, for this session stored for the session: bash npm/,
      );
      const second = (await page.getByRole('figure').nth(1).innerText()).replaceAll(/\s+/g, ' ');
      assert.match(second, /allowed for this session by the grant npm/);
    });
  });

  it('says when nobody could be asked, and which floor raised an answer', async () => {
    await visit(small, { hash: address('nobody-is-there') }, async (page) => {
      await page.getByText('nobody could be asked').waitFor();
    });
    await visit(small, { hash: address('loader-is-raised') }, async (page) => {
      await page.getByText('raised to ask: a variable in front of it may load code <loader-variable>').waitFor();
    });
  });

  it('says of an implementation without a trace that it gives none', async () => {
    await visit(small, { hash: address('goes-ahead', '?of=always-allow') }, async (page) => {
      await page.getByText('always-allow gives no trace').waitFor();
      assert.equal(await page.getByRole('figure').count(), 0);
      assert.equal(await page.getByRole('radio', { name: /always-allow/ }).isChecked(), true);
    });
  });

  it('shows what differs', async () => {
    await visit(small, { hash: address('is-refused/git push -f', '?of=always-allow') }, async (page) => {
      const table = page.getByRole('table', { name: 'What differs' });
      await table.waitFor();
      assert.match(await table.innerText(), /outcome\s+block\s+allow/);
    });
  });
});

describe('without a mouse', () => {
  it('finds, opens and leaves a scenario with the keyboard alone', async () => {
    await visit(small, {}, async (page) => {
      const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const focused = () => page.evaluate(() => document.activeElement.textContent || document.activeElement.id);
      await press('Tab', 'Tab', 'Tab');
      assert.equal(await focused(), 'Scenarios');
      await press('Enter');
      await page.getByRole('heading', { name: 'Scenarios' }).waitFor();
      await press('Tab');
      assert.equal(await focused(), 'filter-search');
      await page.keyboard.type('session');
      await page.waitForFunction(() => document.querySelector('.count').textContent === '1 row of 8');
      // Five more fields, the button, and the row.
      await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
      assert.equal(await focused(), 'asks-and-remembers');
      await press('Enter');
      await page.getByRole('heading', { name: 'Steps' }).waitFor();
      await page.getByRole('radio', { name: /^portcullis/ }).focus();
      await press('ArrowRight');
      await page.getByText('always-allow gives no trace').first().waitFor();
      assert.match(page.url(), /of=always-allow/);
      await press('ArrowLeft');
      await page.locator('.walk-fold > summary').first().focus();
      const before = await page.getByRole('figure').count();
      await press('Enter');
      assert.equal(await page.getByRole('figure').count(), before - 1);
      await page.getByRole('link', { name: '↑ All scenarios' }).focus();
      await press('Enter');
      await page.getByText('1 row of 8').first().waitFor();
      assert.equal(await focused(), 'asks-and-remembers');
    });
  });
});

describe('themes', () => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  it('follows the system until it is told otherwise, and remembers', async () => {
    await visit(small, { scheme: 'dark' }, async (page) => {
      const dark = await background(page);
      await page.getByLabel('Theme').selectOption('light');
      const light = await background(page);
      assert.notEqual(dark, light);
      await page.reload();
      assert.equal(await background(page), light);
      await page.getByLabel('Theme').selectOption('system');
      assert.equal(await background(page), dark);
    });
  });
});

describe('every view, in both themes, wide and narrow', () => {
  const views = [
    '#/',
    '#/rows',
    '#/rows?q=nothing+at+all',
    address(HOSTILE_ROW),
    address('asks-and-remembers'),
    address('loader-is-raised'),
    address('is-refused/git push -f', '?of=always-allow'),
    '#/scenario/none',
  ];
  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390, 320]) {
      it(`${scheme}, ${width} pixels: no fault that axe finds, nothing to scroll sideways`, async () => {
        for (const hash of views) {
          await visit(small, { hash, width, scheme }, async (page) => {
            await page.locator('[aria-busy]').waitFor({ state: 'detached' });
            for (const fold of await page.locator('details:not([open]) > summary').all())
              if (await fold.isVisible()) await fold.click();
            await isAccessible(page, hash);
            await fits(page, hash);
          });
        }
      });
    }
  }

  it('a large suite fits on a phone', async () => {
    for (const hash of ['#/', '#/rows']) await visit(big, { hash, width: 390 }, (page) => fits(page, hash));
  });
});

describe('hostile texts', () => {
  it('stay texts, with what cannot be seen made visible', async () => {
    const names = rowsOf(reference)
      .map((row) => row.name)
      .filter((name) => name.startsWith('hostile-texts/'));
    assert.equal(names.length, 2);
    for (const hash of ['#/', '#/rows', ...names.map((name) => address(name))]) {
      await visit(small, { hash }, async (page) => {
        await page.evaluate(() => {
          window.hacked = () => document.body.setAttribute('data-hacked', '');
        });
        await page.locator('[aria-busy]').waitFor({ state: 'detached' });
        assert.equal(await page.locator('[data-hacked], main script, main img, main b').count(), 0);
        const text = await page.locator('body').evaluate((body) =>
          [...body.children]
            .filter((one) => one.tagName !== 'SCRIPT')
            .map((one) => one.textContent)
            .join(''),
        );
        assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u0007]/, 'nothing turns the text around');
        if (hash.includes('hostile')) assert.ok(text.includes('</script><img src=x onerror=hacked()> stays a text'));
      });
    }
  });
});
