// Draws docs/guide/walk.png, the picture of docs/guide/explain.md: `node conformance/tests/html/picture.mjs` behind `.ci/run html`,
// which builds the program and installs the browser. Letters look otherwise on other machines, so no test compares the picture.

import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { executablePath, portcullis, scratch } from './support.mjs';

const cli = fileURLToPath(new URL('../cli', import.meta.url));
const to = fileURLToPath(new URL('../../../docs/guide/walk.png', import.meta.url));
const page = join(scratch, 'picture.html');
portcullis(['explain', '--policy', 'policy.json', '--html', page, 'bash', 'git push --force'], { cwd: cli });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const tab = await browser.newPage({ viewport: { width: 760, height: 600 }, colorScheme: 'light' });
await tab.goto(pathToFileURL(page).href);
await tab.locator('div.step').screenshot({ path: to });
await browser.close();
