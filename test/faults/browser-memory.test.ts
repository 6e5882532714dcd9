import { afterAll, expect, test } from 'vitest';
import { createBrowser } from '../../src/platform/browser/browser.ts';
import { processMemory } from '../../src/platform/browser/running-browser.ts';
import { A4, patient } from '../platform/browser/support.ts';
import { silentLog } from '../support/app.ts';

const browser = createBrowser({
  executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
  pages: 2,
  log: silentLog,
});
afterAll(() => browser.close());

const MIB = 1024 * 1024;
const rows = Array.from({ length: 400 }, (_, n) => `<tr><td>${n}</td><td>A thing of the shop</td></tr>`);
const html = `<h1>Invoice</h1><table>${rows.join('')}</table>`;

/** MiB of this process and of the browser under it. */
async function memory(): Promise<number> {
  return Math.round(((await processMemory(process.pid)) ?? 0) / MIB);
}

test.skipIf(process.platform !== 'linux')('200 prints need no more memory than 40', async () => {
  const figures: Record<number, number> = {};
  for (let count = 1; count <= 200; count++) {
    await browser.print(html, { ...A4, tagged: count % 2 === 0 }, patient);
    if (count % 40 === 0) figures[count] = await memory();
  }
  console.log('MiB after so many prints:', figures);
  expect(figures[200]).toBeLessThan((figures[40] ?? 0) * 1.25 + 50);
});
