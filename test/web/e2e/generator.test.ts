import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryOf, PROVIDER_IDS } from '../../../src/ai/providers.ts';
import { BREAD, hooksAnswer, raw } from '../../hooks/hooks-answer.ts';
import { type ModelServer, startModelServer } from '../../peers/model-server.ts';
import { newPerson } from './person.ts';
import { useWeb } from './use-web.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());

const web = useWeb(() => ({
  OPENAI_API_KEY: 'key-of-the-operator',
  OPENAI_BASE_URL: `${model.url}/v1`,
}));
const { person } = web;
const { press, see } = web.steps;

const said = () =>
  person.page.$$eval('ol > li:not([aria-hidden])', (lines) =>
    lines.map((line) => [line.querySelector('p')?.textContent, line.querySelector('.chip')?.textContent]),
  );

const write = () => person.page.locator('form button[type=submit]').click();

const generations = () => person.calls.filter((call) => call === 'POST /api/v1/generate').length;

test('H1: the topic of the address is in the form, with five hooks by OpenAI', async () => {
  await person.open('/generator?topic=sourdough%20%26%20rye');
  const form = await person.page.$eval('form', (element) => [...new FormData(element as HTMLFormElement)]);
  expect(Object.fromEntries(form)).toMatchObject({
    topic: 'sourdough & rye',
    provider: 'provider_a',
    model: '',
    api_key: '',
  });
  expect(await person.page.$eval('input[type=radio]:checked', (radio) => Reflect.get(radio, 'value'))).toBe(
    '5',
  );
  const providers = await person.page.$$eval('select[name=provider] option', (options) =>
    options.map((option) => option.textContent),
  );
  expect(providers).toEqual([...PROVIDER_IDS.map((id) => entryOf(id).label), 'Built-in patterns']);
  const key = await person.page.$eval('input[name=api_key]', ({ type, autocomplete }) => [
    type,
    autocomplete,
  ]);
  expect(key).toEqual(['password', 'off']);
});

test('the tabs of the specification lead to the hook pages, and this one is the current one', async () => {
  const tabs = await person.page.$$eval('main .tabs a', (links) =>
    links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')]),
  );
  expect(tabs).toEqual(TABS);
});

const TABS = [
  ['Generator', '/generator', 'page'],
  ['History', '/history', null],
  ['Billing', '/billing', null],
  ['Profile', '/profile', null],
  ['Docs', '/docs', null],
];

test('H2: an empty topic is refused under the field and nothing is sent', async () => {
  await person.page.locator('textarea[name=topic]').fill('  ');
  await write();
  const field = await person.page.waitForSelector('textarea[name=topic][aria-invalid=true]');
  const described = await field?.evaluate(
    (element) => element.closest('[class*=InputWrapper-root]')?.textContent,
  );
  expect(described).toContain('Topic is required');
  expect(await field?.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(generations()).toBe(0);
});

test('H4: hooks appear one by one; what is empty is not sent; the button waits', async () => {
  const [first, second] = [BREAD[0], BREAD[1]];
  // The first hook is whole, the second has begun: the model says no more until it is left.
  const begun = `{"hooks":[${JSON.stringify(raw(first))},{"text":"${second[0].slice(0, 9)}`;
  model.script({ pauses: begun });
  await person.page.locator('textarea[name=topic]').fill('sourdough bread');
  const request = person.page.waitForRequest((one) => one.url().endsWith('/api/v1/generate'));
  await write();
  expect(JSON.parse((await request).postData() ?? '')).toEqual({
    topic: 'sourdough bread',
    count: 5,
    provider: 'provider_a',
  });
  await see(first[0]);
  expect(await said()).toEqual([[first[0], 'CURIOSITY']]);
  expect(
    await person.page.$eval('form button[type=submit]', (button) => Reflect.get(button, 'disabled')),
  ).toBe(true);
});

test('H4: Stop ends the work at the provider, keeps the finished hook, and charges for it alone', async () => {
  await press('Stop');
  await see('You keep the finished hook');
  expect(await (await model.arrived(0)).outcome).toBe('left');
  // The server settles after the browser has left: the page asks until it has.
  await expect.poll(async () => (await web.read('/api/v1/user/usage')).hooks_used).toBe(1);
  expect((await said()).map(([text]) => text)).toEqual([BREAD[0][0]]);
});

test('H5, H6: each hook has its text and style; usage is read again after a success', async () => {
  model.script(hooksAnswer(...BREAD.slice(1), ['Bake it on the lid, not in the pot.', 'how_to']));
  const before = person.calls.filter((call) => call.endsWith('/user/usage')).length;
  const usage = person.page.waitForResponse(
    async (response) => response.url().endsWith('/user/usage') && (await response.json()).hooks_used === 6,
  );
  await write();
  await usage;
  expect(await said()).toEqual([
    ...BREAD.slice(1).map(([text, style]) => [text, LABELS[style]]),
    ['Bake it on the lid, not in the pot.', 'HOW TO'],
  ]);
  expect(person.calls.filter((call) => call.endsWith('/user/usage')).length).toBeGreaterThan(before);
});

const LABELS: Readonly<Record<string, string>> = {
  question: 'QUESTION',
  storytelling: 'STORY',
  urgency: 'URGENCY',
  list: 'LIST',
};

test('H5: Copy writes to the clipboard, and each button says so for itself', async () => {
  const { page } = person;
  await page.evaluate(() => {
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    Object.defineProperty(globalThis, 'copied', { value: copied });
  });
  const labels = () =>
    page.$$eval('li button:first-of-type', (buttons) => buttons.map((button) => button.textContent));
  await press('Copy hook 1');
  await press('Copy hook 3');
  await page.waitForSelector('::-p-aria([name="Copied hook 3"][role="button"])');
  expect((await labels())[1]).toBe('Copy hook 2');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'copied'))).toEqual([BREAD[1][0], BREAD[3][0]]);
  await page.waitForFunction(() => !document.querySelector('ol')?.textContent?.includes('Copied'));
  expect(await labels()).toEqual([1, 2, 3, 4, 5].map((place) => `Copy hook ${place}`));
});

test('H5: where the browser refuses to copy, the text is selected and the button says how', async () => {
  const { page } = person;
  await page.evaluate(() => {
    navigator.clipboard.writeText = async () => {
      throw new DOMException('refused', 'NotAllowedError');
    };
  });
  await press('Copy hook 2');
  await page.waitForSelector('::-p-aria([name="Press Ctrl+C hook 2"][role="button"])');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(BREAD[2][0]);
});

test('H8: three more in the style of a hook come below the others', async () => {
  const more = [
    ['Is your oven lying about its heat?', 'question'],
    ['What does a baker smell before the timer rings?', 'question'],
    ['Would you eat a loaf that took three days?', 'question'],
  ] as const;
  model.script(hooksAnswer(...more));
  const request = person.page.waitForRequest((one) => one.url().endsWith('/api/v1/generate'));
  await person.page.locator('li:nth-child(1) ::-p-text(3 more)').click();
  expect(JSON.parse((await request).postData() ?? '')).toMatchObject({ count: 3, styles: ['question'] });
  await see(more[2][0]);
  expect((await said()).map(([text]) => text).slice(-3)).toEqual(more.map(([text]) => text));
});

test('H3: without a key of the server or of one’s own, the message begins as specified and nothing is sent', async () => {
  const spanish = await newPerson(web.browser, web.app.url, { language: 'es' });
  await spanish.open('/generator?topic=pan');
  await spanish.page.select('select[name=provider]', 'provider_b');
  await spanish.page.locator('form button[type=submit]').click();
  const field = await spanish.page.waitForSelector('input[name=api_key][aria-invalid=true]');
  const described = await field?.evaluate(
    (element) => element.closest('[class*=InputWrapper-root]')?.textContent,
  );
  expect(described).toContain('API key requerida');
  expect(spanish.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await spanish.leave();
});

test('H4: an error is said in a red banner with the request’s ID, and the next start clears it', async () => {
  model.script({ fails: 401 });
  await person.page.locator('form button[type=submit]').click();
  const banner = await person.page.waitForSelector('[role=alert]');
  expect(await banner?.evaluate((element) => element.textContent)).toMatch(/req_\w+/);
  expect(await person.page.$eval('textarea[name=topic]', ({ value }) => value)).toBe('sourdough bread');
  model.script({ pauses: '{"hooks":[' });
  await person.page.locator('form button[type=submit]').click();
  await person.page.waitForFunction(() => document.querySelector('[role=alert]') === null);
  await press('Stop');
  await see('Stopped');
});

test('a key of one’s own is sent, and kept in this tab only when the person says so', async () => {
  const { page } = person;
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  await page.locator('input[name=api_key]').fill('sk-of-mine');
  expect(await kept()).not.toContain('sk-of-mine');
  await page.locator('::-p-aria([name="Keep it in this tab"][role="checkbox"])').click();
  await expect.poll(kept).toContain('sk-of-mine');
  await page.reload({ waitUntil: 'networkidle0' });
  expect(await page.$eval('input[name=api_key]', ({ value }) => value)).toBe('sk-of-mine');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('sk-of-mine');
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(person.calls.length).toBeGreaterThan(10);
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the answer of the provider that failed.
  expect(complaints.filter((one) => !/status of 502/.test(one))).toEqual([]);
});
