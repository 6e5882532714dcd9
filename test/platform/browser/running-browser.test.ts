import { pino } from 'pino';
import type { Browser as Chromium } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { runBrowser } from '../../../src/platform/browser/running-browser.ts';

const wear = { pageUses: 100, browserUses: 100, browserMs: 60_000, browserBytes: 2 ** 30 };

test('a retired browser whose last page does not open is closed, and one that does not close is told of', async () => {
  const warnings: string[] = [];
  const log = pino({ base: null }, { write: (line) => void warnings.push(JSON.parse(line).msg) });
  const opening = Promise.withResolvers<never>();
  // All that opening a page asks of it first.
  const chromium = { connected: true, createBrowserContext: () => opening.promise } as unknown as Chromium;
  let closes = 0;
  const close = async () => {
    closes++;
    throw new Error('its profile cannot be removed');
  };
  const closed = Promise.resolve();
  const browser = runBrowser(
    { chromium, pid: 0, sandbox: true, profile: '', kill() {}, close, closed },
    wear,
    log,
  );
  const page = browser.acquire();
  browser.retire();
  expect(closes).toBe(0);
  opening.reject(new Error('no page'));
  await expect(page).rejects.toThrow('no page');
  expect(closes).toBe(1);
  // One turn of the event loop, so that an unhandled rejection would surface.
  await new Promise(setImmediate);
  expect(warnings).toEqual(['a browser did not close']);
});
