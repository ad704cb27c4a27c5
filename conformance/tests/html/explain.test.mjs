// The page of one explanation in a real Chromium.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { fits, isAccessible, portcullis, scratch, startBrowser, stopBrowser, visit } from './support.mjs';

const POLICY =
  '{\n  "permission": {\n    "*": "ask",\n    "bash": {\n      "git *": "allow",\n      "git push *": { "action": "deny", "reason": "</script> no" },\n      "sudo *": "allow"\n    }\n  }\n}\n';

function explained(name, ...call) {
  const page = join(scratch, `${name}.html`);
  portcullis(['explain', '--policy', 'policy.json', '--html', page, ...call], { cwd: scratch });
  return page;
}

before(async () => {
  writeFileSync(join(scratch, 'policy.json'), POLICY);
  await startBrowser();
});

after(stopBrowser);

it('says the verdict, shows the rule in its file, and walks', async () => {
  await visit(explained('deny', 'bash', 'git status && git push -f'), {}, async (page) => {
    assert.equal(await page.title(), 'deny: bash: git status && git push -f · Portcullis');
    assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /^deny\s+bash: git status && git push -f$/);
    assert.equal(await page.locator('mark').innerText(), '"git push *"');
    assert.match(await page.locator('.snippet').innerText(), /^policy\.json:6:7\s+6 │/);
    const stops = await page
      .getByRole('figure', { name: /^Walk through the gates/ })
      .locator('ol > li')
      .allInnerTexts();
    assert.match(stops.at(-1).replaceAll(/\s+/g, ' '), /^The call is blocked, by tool .* Reason: <\/script> no$/);
  });
});

it('says that nobody was asked, and what a yes would lead to', async () => {
  await visit(explained('ask', 'bash', 'sudo ls'), {}, async (page) => {
    await page.getByText('Nobody was asked here').first().waitFor();
    await page.getByText('After a yes, the call').waitFor();
    await page.getByText('it runs another program').first().waitFor();
  });
  await visit(explained('nobody', '--ui', 'none', 'bash', 'sudo ls'), {}, async (page) => {
    await page.getByText('Nobody is there to be asked.').waitFor();
  });
});

for (const scheme of ['light', 'dark']) {
  it(`${scheme}: no fault that axe finds, nothing to scroll sideways`, async () => {
    const page = explained('views', 'bash', "git push -f '\u202e' && sudo rm -rf / # </script>");
    for (const width of [1280, 390, 320]) {
      await visit(page, { scheme, width }, async (open) => {
        await isAccessible(open, `${width}`);
        await fits(open, `${width}`);
      });
    }
  });
}
