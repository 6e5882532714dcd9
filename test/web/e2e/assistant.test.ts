import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../peers/model-server.ts';
import { turnsOf } from '../../peers/turns-of.ts';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { openServedApp } from '../../support/served-app.ts';
import { answer } from '../../templates/generation/mail.ts';
import { newPerson, type Person, type Sight } from './person.ts';
import { stepsOf, typeOver } from './steps.ts';
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
const { person, steps, read, send } = web;

const HTML =
  '<!DOCTYPE html>\n<html lang="en">\n<title>Note</title>\n<p>Hello {{name}}</p>\n<p>Packed by hand.</p>\n</html>\n';
const TYPED = 'It left today, {{name}}';
const PATH = '/v1/templates/parcel';

beforeAll(async () => {
  const fixtures = { sample: { name: 'Ana' } };
  await send('POST', '/v1/templates', { name: 'parcel', html: HTML, subject: 'A parcel', fixtures });
});

/** The parcel's email as a model gives it back. */
const edited = (change: Record<string, unknown>) =>
  answer({ html: HTML, subject: TYPED, preheader: '', css: '', text: '', variables: [], ...change });

const WARMER = HTML.replace('Hello', 'Dear');

async function ask(instruction: string): Promise<void> {
  await steps.press('Ask the assistant');
  await person.page.locator('[role="dialog"] textarea').fill(instruction);
  await steps.press('Write');
}

const subject = () => person.page.$eval('label input', ({ value }) => value);

async function branches(): Promise<string[]> {
  return (await read(`${PATH}/branches`)).items.map(({ name }: { name: string }) => name);
}

/** Waits until no branch but main is left. */
async function onlyMain(): Promise<void> {
  await expect.poll(branches, { timeout: 20_000 }).toEqual(['main']);
}

test('T8: the assistant gets what is typed and not saved, and Stop ends its work and leaves nothing', async () => {
  await person.open('/templates/parcel');
  const field = await person.page.waitForSelector('label input');
  await field?.evaluate((input) => (input as HTMLInputElement).select());
  // At once: key by key, a slow machine asks for a preview of half a tag, which is refused.
  await person.page.keyboard.sendCharacter(TYPED);
  model.script({ pauses: '{"subject": "Half a' });
  const asked = model.requests.length;
  await ask('Be warmer');
  const request = await model.arrived(asked);
  const { messages } = turnsOf(request.body);
  expect(JSON.parse(messages[0]?.text ?? '')).toMatchObject({
    instruction: 'Be warmer',
    template: { html: HTML, subject: TYPED },
  });
  await steps.see('characters');
  await steps.press('Stop');
  await steps.see('Stopped. Your text has not changed.');
  expect(await request.outcome).toBe('left');
  await onlyMain();
  expect(await subject()).toBe(TYPED);
});

test('T8: without an instruction nothing is sent', async () => {
  // By keys: a field that is emptied by a script gets its text back when the page draws it again.
  await person.page.focus('[role="dialog"] textarea');
  await person.page.keyboard.down('Control');
  await person.page.keyboard.press('a');
  await person.page.keyboard.up('Control');
  await person.page.keyboard.type('  ');
  await steps.press('Write');
  await steps.see('Enter what to change.');
  await steps.press('Cancel');
  await steps.gone('[role="dialog"]');
});

test('T8: the changes are shown first; discarding them leaves text and branches as they were', async () => {
  model.script(edited({ html: WARMER }));
  await ask('Be warmer');
  await person.page.waitForSelector('[role="dialog"] .cm-mergeView .cm-changedLine');
  const sides = await person.page.$$eval('[role="dialog"] .cm-content', (all) =>
    all.map(({ textContent }) => textContent ?? ''),
  );
  expect(sides).toEqual([
    expect.stringContaining('Hello {{name}}'),
    expect.stringContaining('Dear {{name}}'),
  ]);
  await steps.press('Discard');
  await person.page.waitForFunction(() => document.querySelector('.cm-mergeView') === null);
  await onlyMain();
  await steps.press('Cancel');
  await steps.gone('[role="dialog"]');
  expect(await person.page.$eval('.cm-content', ({ textContent }) => textContent)).toContain('Hello');
  expect(await subject()).toBe(TYPED);
});

test('T8: accepted changes are in the editor beside what was typed, and no version before they are saved', async () => {
  model.script(edited({ html: WARMER }));
  await ask('Be warmer');
  await steps.press('Accept');
  await steps.gone('[role="dialog"]');
  await person.page.waitForFunction(() =>
    document.querySelector('.cm-content')?.textContent?.includes('Dear'),
  );
  expect(await subject()).toBe(TYPED);
  await onlyMain();
  expect(await read(`${PATH}?include=html`)).toMatchObject({
    version: 'v1.0.0',
    html: HTML,
    subject: 'A parcel',
  });
  await person.page.reload({ waitUntil: 'networkidle0' });
  await person.page.waitForFunction(() =>
    document.querySelector('.cm-content')?.textContent?.includes('Dear'),
  );
  await steps.press('Save version');
  await person.page.locator('[role="dialog"] button[type=submit]').click();
  await steps.see('Saved v1.0.1');
  expect(await read(`${PATH}?include=html`)).toMatchObject({ html: WARMER, subject: TYPED });
});

test('T8: a result can be kept on a branch instead, which the editor then shows', async () => {
  model.script(edited({ html: WARMER.replace('by hand', 'with care') }));
  await ask('Say that we care');
  await steps.press('Keep on a branch');
  await person.page.waitForFunction(() => location.search.startsWith('?branch=assistant-'));
  await person.page.waitForFunction(() =>
    document.querySelector('.cm-content')?.textContent?.includes('with care'),
  );
  const [kept] = (await branches()).filter((name) => name !== 'main');
  expect(kept).toMatch(/^assistant-[0-9a-f]{8}$/);
});

test('all of it calls operations of openapi.json, and the browser complains of nothing', async () => {
  expect(await steps.wrongs(web.app.url)).toEqual({ unknown: [], complaints: [] });
});

const SIGHTS: readonly Required<Sight>[] = [
  { theme: 'dark', language: 'en', width: 1440 },
  { theme: 'light', language: 'es', width: 360 },
  { theme: 'light', language: 'es', width: 1440 },
  { theme: 'dark', language: 'en', width: 360 },
];

describe.each(SIGHTS)('$theme, $language, $width px', (sight) => {
  test('the field and the changes are accessible and whole', async () => {
    const other = await newPerson(web.browser, web.app.url, sight);
    const { press, see } = stepsOf(other);
    const [open, write, field] =
      sight.language === 'en'
        ? ['Ask the assistant', 'Write', 'HTML']
        : ['Pedir cambios al asistente', 'Escribir', 'HTML'];
    await other.open('/templates/parcel');
    await press(open);
    await other.page.locator('[role="dialog"] textarea').fill('Be warmer');
    const first = await looks(other);
    model.script(edited({ html: WARMER.replace('Packed', 'Wrapped'), preheader: 'Soon' }));
    await press(write);
    await other.page.waitForSelector('[role="dialog"] .cm-changedLine, [role="dialog"] .cm-insertedLine');
    await see(field);
    expect([first, await looks(other), other.complaints]).toEqual([[], [], []]);
    await other.leave();
  });
});

async function looks({ page }: Person): Promise<string[]> {
  // A dialog that still opens is see-through, which axe takes for too little contrast.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  return [...(await accessibilityFaults(page)), ...(await cutBoxes(page))];
}

test('T8: without an AI provider the server says which setting is missing, and the text stays', async () => {
  const bare = await openServedApp({ AUTH_MODE: 'open' });
  await bare.accounts.local();
  const other = await newPerson(web.browser, bare.url);
  const { press, see } = stepsOf(other);
  await other.open('/templates/welcome');
  await typeOver(other.page, 'label input', 'Typed and not saved');
  await press('Ask the assistant');
  await other.page.locator('[role="dialog"] textarea').fill('Be warmer');
  await press('Write');
  await see('No AI provider is configured on this server.');
  await press('Cancel');
  expect(await other.page.$eval('label input', ({ value }) => value)).toBe('Typed and not saved');
  await other.leave();
  await bare.close();
});
