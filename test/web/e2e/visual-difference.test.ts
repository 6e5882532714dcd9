import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newPerson, openBrowser, type Person } from './person.ts';
import { type Steps, stepsOf } from './steps.ts';

let app: ServedApp;
let browser: Browser;
let person: Person;
let steps: Steps;

beforeAll(async () => {
  app = await openServedApp({ AUTH_MODE: 'open' });
  await app.accounts.local();
  const poster = (color: string) => `<div style="height:300px;background:${color}">Hello, {{name}}</div>`;
  await send('POST', { name: 'poster', html: poster('#ffffff'), fixtures: { sample: { name: 'Ana' } } });
  await send('PATCH', { html: poster('#12543f') }, '/poster');
  browser = await openBrowser();
  person = await newPerson(browser, app.url);
  steps = stepsOf(person);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function send(method: string, body: object, path = '') {
  const response = await fetch(`${app.url}/v1/templates${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

/** Chooses one of the views by the arrow keys, as a person without a mouse does. */
async function chooseView(name: string): Promise<void> {
  const radio = await person.page.waitForSelector(`::-p-aria([name="${name}"][role="radio"])`);
  await radio?.focus();
  await person.page.keyboard.press('Space');
}

/** The color that a reader sees near the top of a picture, at a share of its width. */
async function colorOf(alt: string, share: number): Promise<string> {
  const picture = await person.page.waitForSelector(`::-p-aria([name="${alt}"][role="image"])`);
  await picture?.evaluate((image) => (image as HTMLImageElement).decode());
  const box = await picture?.evaluate((image) => {
    const { left, top, width } = (image.parentElement ?? image).getBoundingClientRect();
    return { left, top: top + scrollY, width };
  });
  if (!box) throw new Error('the picture has no box');
  const clip = {
    x: Math.round(box.left + box.width * share),
    y: Math.round(box.top) + 60,
    width: 2,
    height: 2,
  };
  const png = await person.page.screenshot({ clip, encoding: 'base64', captureBeyondViewport: false });
  return person.page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas?.drawImage(bitmap, 0, 0);
    const [red, green, blue] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
    return `${red} ${green} ${blue}`;
  }, png);
}

const WHITE = '255 255 255';
const GREEN = '18 84 63';

test('T5: two versions are seen side by side, with the share of pixels that differ', async () => {
  await person.open('/templates/poster/diff?from=v1.0.0&to=main');
  await chooseView('Side by side');
  await steps.see('% of the pixels differ');
  expect(await colorOf('Screenshot of v1.0.0', 0.5)).toBe(WHITE);
  expect(await colorOf('Screenshot of v1.0.1', 0.5)).toBe(GREEN);
});

test('T5: one lies over the other, and the arrow keys move the line between them', async () => {
  await chooseView('Slider');
  expect(await colorOf('Screenshot of v1.0.1', 0.25)).toBe(WHITE);
  expect(await colorOf('Screenshot of v1.0.1', 0.75)).toBe(GREEN);
  const slider = await person.page.waitForSelector('::-p-aria([name="How much of v1.0.0 is shown"])');
  await slider?.focus();
  await person.page.keyboard.press('Home');
  expect(await colorOf('Screenshot of v1.0.1', 0.25)).toBe(GREEN);
  await person.page.keyboard.press('End');
  expect(await colorOf('Screenshot of v1.0.1', 0.75)).toBe(WHITE);
});

test('T5: only the pixels that differ, in red; what is chosen is in the address', async () => {
  await chooseView('Pixels');
  expect(await colorOf('What differs between v1.0.0 and v1.0.1', 0.5)).toMatch(/^2\d\d \d{1,2} \d{1,2}$/);
  await steps.choose('Device', 'mobile');
  await steps.choose('Colors', 'dark');
  expect(new URL(person.page.url()).searchParams.toString()).toBe(
    'from=v1.0.0&to=main&view=pixels&device=mobile&scheme=dark',
  );
  const picture = await person.page.waitForSelector('img[src*="/v1/files/"]');
  await picture?.evaluate((image) => (image as HTMLImageElement).decode());
});

/** The file that a click downloads: what the server sent for it. */
async function fileOf(name: string) {
  const answer = person.page.waitForResponse((response) => response.url().endsWith('/v1/export'));
  await steps.press(name);
  const response = await answer;
  const request = JSON.parse(response.request().postData() ?? '{}');
  return { type: response.headers()['content-type'], status: response.status(), request };
}

test('each version is downloaded as a PDF, from the changes and from the editor, filled with the sample', async () => {
  await person.open('/templates/poster/diff?from=v1.0.0&to=main&view=both');
  const pdf = { type: 'application/pdf', status: 200 };
  const asked = { template: 'poster', format: 'pdf', data: { name: 'Ana' } };
  expect(await fileOf('Download v1.0.0 as PDF')).toEqual({
    ...pdf,
    request: { ...asked, version: 'v1.0.0' },
  });
  await person.open('/templates/poster');
  await steps.see('Hello');
  expect(await fileOf('Download v1.0.1 as PDF')).toEqual({
    ...pdf,
    request: { ...asked, version: 'v1.0.1' },
  });
});

test('T5: a difference of a few pixels is not told as none', async () => {
  const card = (dot: string) =>
    `<div style="height:300px;background:#ffffff"><div style="width:4px;height:4px;background:${dot}"></div></div>`;
  await send('POST', { name: 'card', html: card('#ffffff') });
  await send('PATCH', { html: card('#12543f') }, '/card');
  await person.open('/templates/card/diff?from=v1.0.0&to=main');
  await chooseView('Side by side');
  await steps.see('0.1% of the pixels differ');
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(await steps.wrongs(app.url)).toEqual({ unknown: [], complaints: [] });
});
