import { beforeAll, expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person, steps, read, send } = web;

const BASE = {
  html: '<h1>Hello, {{name}}</h1>\n<p>It left today.</p>\n<p>Packed by hand.</p>\n',
  subject: 'It left today',
};
const PATH = '/v1/templates/parcel';

beforeAll(async () => {
  await send('POST', '/v1/templates', { name: 'parcel', ...BASE, fixtures: { sample: { name: 'Ana' } } });
  await branchOff('holiday', { html: BASE.html.replace('Hello', 'Merry days'), subject: 'With a ribbon' });
  await save({ html: BASE.html.replace('Hello', 'Good day').replace('by hand', 'in Cádiz') });
  await save({ subject: 'On its way' });
});

const save = (change: object) => send('PATCH', PATH, change);

async function branchOff(name: string, change: object) {
  await send('POST', `${PATH}/branches`, { name });
  await save({ branch: name, ...change });
}

const main = () => read(`${PATH}?include=html`);

const isOff = (name: string) =>
  person.page.$eval(
    `::-p-aria([name="${name}"][role="button"])`,
    (one) => (one as HTMLButtonElement).disabled,
  );

/** Waits until the button can be pressed. */
const isOn = (name: string) =>
  person.page.waitForSelector(`::-p-xpath(//button[contains(., "${name}") and not(@disabled)])`);

/** Chooses by the words of an option, with the keyboard alone. */
async function choose(words: string): Promise<void> {
  const option = await person.page.waitForSelector(`::-p-xpath(//label[contains(., "${words}")]/input)`);
  await option?.focus();
  await person.page.keyboard.press('Space');
}

/** The text of the email in the result. */
async function resultSays(text: string): Promise<void> {
  const element = await person.page.waitForSelector('iframe[title="Result of the merge of parcel"]');
  const frame = await element?.contentFrame();
  await frame?.waitForFunction((said) => document.body.textContent?.includes(said), {}, text);
}

/** The subject of the email in the result. */
const subjectIs = (subject: string) =>
  person.page.waitForFunction(
    (said) => document.querySelector('[aria-label=Result] p')?.textContent?.startsWith(said),
    {},
    subject,
  );

test('T4: the editor of a branch leads to its merge, which names every place that both sides changed', async () => {
  await person.open('/templates/parcel?branch=holiday');
  await steps.follow('Merge');
  await steps.at(/\/templates\/parcel\/merge$/);
  await steps.see('Both branches changed the same words in 2 places');
  const places = await person.page.$$eval('fieldset legend', (all) => all.map((one) => one.textContent));
  expect(places).toEqual(['HTML, line 1choose', 'Subjectchoose']);
  expect(await isOff('Merge into main')).toBe(true);
});

test('T4: what fits together is in the result at once, and each choice when it is made', async () => {
  await resultSays('Good day, Ana');
  await resultSays('Packed in Cádiz.');
  await choose('Merry days');
  await resultSays('Merry days, Ana');
  expect(await isOff('Merge into main')).toBe(true);
  expect((await main()).html).toContain('Good day');
});

test('T4: own words can be written in place of both', async () => {
  const own = await person.page.$$('::-p-xpath(//label[contains(., "Your own words")]/input)');
  await own[1]?.focus();
  await person.page.keyboard.press('Space');
  await steps.fill('Your own words: Subject', 'On its way, with a ribbon');
  await steps.see('2 of 2 chosen');
  await subjectIs('On its way, with a ribbon');
});

test('T4: a side that changes in between is said; the choices it does not touch stay', async () => {
  await save({ subject: 'Sent from Cádiz' });
  await steps.press('Merge into main');
  await steps.see('Try again');
  expect((await main()).subject).toBe('Sent from Cádiz');
  await steps.press('Try again');
  await steps.see('1 of 2 chosen');
  await choose('With a ribbon');
  await steps.see('2 of 2 chosen');
});

test('T4: the same is said when a choice is made after a side has changed', async () => {
  await save({ subject: 'Sent from Seville' });
  await steps.press('Choose all from holiday');
  await steps.press('Try again');
  await steps.see('1 of 2 chosen');
  await choose('With a ribbon');
  await steps.see('2 of 2 chosen');
});

test('T4: the merge writes what was chosen as a version of main, and deletes the branch if asked', async () => {
  await person.page.locator('::-p-aria([name="Delete holiday afterwards"][role="checkbox"])').click();
  await isOn('Merge into main');
  await steps.press('Merge into main');
  await steps.at(/\/templates\/parcel$/);
  await steps.see('Merged holiday');
  expect(await main()).toMatchObject({
    html: '<h1>Merry days, {{name}}</h1>\n<p>It left today.</p>\n<p>Packed in Cádiz.</p>\n',
    subject: 'With a ribbon',
  });
  const { items } = await read(`${PATH}/branches`);
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['main']);
});

test('T4: a choice is read by the server before it can be merged, and own words that make no template are refused', async () => {
  await branchOff('broken', { html: '<h1>Three</h1>\n' });
  await save({ html: '<h1>Two</h1>\n' });
  await person.open('/templates/parcel/merge?branch=broken');
  await choose('Your own words');
  await steps.fill('Your own words: HTML, line 1', '{{#if name}}Never closed');
  expect(await isOff('Merge into main')).toBe(true);
  await person.page.waitForSelector('.banner.err');
  expect(await isOff('Merge into main')).toBe(true);
  await choose('Three');
  await isOn('Merge into main');
});

test('T4: a template without another branch, and a branch with nothing new, say what to do', async () => {
  await person.open('/templates/receipt/merge');
  await steps.see('This template has only the branch main');
  await send('POST', '/v1/templates/receipt/branches', { name: 'same' });
  await person.open('/templates/receipt/merge?branch=same');
  await steps.see('main already has every change of same');
  expect(await isOff('Merge into main')).toBe(true);
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the merge that was refused.
  expect(complaints.filter((one) => !/status of (409|422)/.test(one))).toEqual([]);
});
