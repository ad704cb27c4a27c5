// The page of the whole suite on all gates, as `.ci/run report` writes it: large, and without a fault all the same.

import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { fits, isAccessible, nodes, startBrowser, stopBrowser, visit } from './support.mjs';

const path = process.env.REPORT;

before(startBrowser);

after(stopBrowser);

it('is there, and small enough to send', () => {
  assert.ok(path && existsSync(path), 'REPORT names no page; `.ci/run html` writes one');
  assert.ok(statSync(path).size < 8 * 1024 * 1024, `${statSync(path).size} bytes`);
});

it('shows three gates, every area, and no more elements than it needs', async () => {
  await visit(path, {}, async (page) => {
    const table = page.getByRole('table', { name: 'Areas' });
    assert.equal(await table.getByRole('columnheader').count(), 5);
    assert.ok((await table.getByRole('rowheader').count()) > 10);
    assert.ok((await nodes(page)) < 6000, `${await nodes(page)} elements`);
    await isAccessible(page, 'the overview');
  });
  await visit(path, { hash: '#/rows', width: 390, scheme: 'dark' }, async (page) => {
    assert.match(await page.locator('.count').innerText(), /^\d,\d{3} rows of \d,\d{3}, page 1 of \d+$/);
    assert.ok((await nodes(page)) < 6000, `${await nodes(page)} elements`);
    await fits(page, 'the list');
    await isAccessible(page, 'the list');
  });
});

it('walks through the gates of rows all over the suite', async () => {
  await visit(path, { hash: '#/rows' }, async (page) => {
    const areas = await page
      .getByLabel('Area')
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.value).filter(Boolean));
    let walks = 0;
    for (const area of areas) {
      await page.evaluate((name) => {
        location.hash = `#/rows?area=${encodeURIComponent(name)}`;
      }, area);
      await page.getByLabel('Area').and(page.locator(`select`)).waitFor();
      await page.locator('.rows tbody a').last().click();
      await page.getByRole('heading', { name: 'Steps' }).waitFor();
      walks += await page.locator('figure.walk').count();
      await fits(page, area);
    }
    assert.ok(walks > areas.length / 2, `${walks} walks in ${areas.length} areas`);
  });
});
