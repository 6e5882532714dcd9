import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newPerson, openBrowser } from './person.ts';

let app: ServedApp;
let browser: Browser;

beforeAll(async () => {
  app = await openServedApp({ AUTH_MODE: 'open' });
  await app.accounts.local();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

test.each([
  ['en', '/templates/nothing', "Template 'nothing' not found. The page 'Templates' lists them all."],
  [
    'es',
    '/templates/nothing',
    'No se encontró la plantilla «nothing». La página «Plantillas» las muestra todas.',
  ],
  ['en', '/videos/vid_none', "Video 'vid_none' not found. The page 'Videos' lists them all."],
] as const)(
  'G4: a failed call says what to press, and names no request (%s, %s)',
  async (language, path, words) => {
    const person = await newPerson(browser, app.url, { language });
    await person.open(path);
    const banner = await person.page.waitForSelector('[role=alert]');
    expect(await banner?.evaluate(({ textContent }) => textContent)).toContain(words);
    await person.leave();
  },
);

test('every other caller reads the call to make', async () => {
  const [rest, web] = await Promise.all(
    [{}, { 'stallhand-client': 'web' }].map(async (headers) => {
      const { detail } = await (await fetch(`${app.url}/v1/templates/nothing`, { headers })).json();
      return detail;
    }),
  );
  expect([rest, web]).toEqual([
    "Template 'nothing' not found. List templates with GET /v1/templates.",
    "Template 'nothing' not found. The page 'Templates' lists them all.",
  ]);
});
