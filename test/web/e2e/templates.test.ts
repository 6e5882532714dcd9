import { expect, test } from 'vitest';
import { typeOver } from './steps.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person, read, send } = web;
const { fill, press, see } = web.steps;

test('T1: a new template starts from nothing, opens in the editor, and is live nowhere', async () => {
  await person.open('/templates');
  await press('New template');
  await fill('Name', 'parcel');
  await press('Create the template');
  await person.page.waitForFunction(() => location.pathname === '/templates/parcel');
  await see('v1.0.0');
  expect((await read('/v1/templates/parcel')).environments).toEqual({});
});

test('T2: the preview is what the server renders of the text as it is typed', async () => {
  const { page } = person;
  await page.locator('.cm-content').click();
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type('<p id="said">Parcel of {{order.number}}', { delay: 1 });
  const shown = page.waitForResponse(
    async (response) =>
      response.url().endsWith('/v1/render') && (await response.text()).includes('Parcel of'),
  );
  const rendered = await (await shown).json();
  expect(rendered.html).toContain('Parcel of');
  const element = await page.waitForSelector('iframe[title="Preview of parcel"]');
  const frame = await element?.contentFrame();
  await frame?.waitForSelector('#said');
  expect(await frame?.$eval('#said', (said) => said.textContent)).toContain('Parcel of');
});

test('a variable without a value is marked in the margin', async () => {
  await person.page.waitForSelector('.cm-gutter-lint .cm-lint-marker-warning');
});

// A slow machine, slowed down by four, takes its time for 130 keys.
test('no key is lost or comes twice, however slow the browser is', { timeout: 300_000 }, async () => {
  const { page } = person;
  await page.emulateCPUThrottling(4);
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ');
  await page.keyboard.type(words);
  await page.emulateCPUThrottling(null);
  await page.waitForFunction(
    (all) => document.querySelector('.cm-content')?.textContent?.includes(all),
    {},
    words,
  );
});

test('what is typed survives a reload, and is no version before it is saved', async () => {
  await person.page.reload({ waitUntil: 'networkidle0' });
  await see('Not saved');
  expect(await person.page.$eval('.cm-content', (code) => code.textContent)).toContain('Parcel of');
  expect((await read('/v1/templates/parcel/versions')).items).toHaveLength(1);
});

test('T2: saving asks for one line, makes a version with it, and forgets the draft', async () => {
  await press('Save version');
  await fill('What did you change?', 'The number of the order');
  const dialog = await person.page.waitForSelector('[role=dialog] form');
  await dialog?.evaluate((form) => (form as HTMLFormElement).requestSubmit());
  await person.page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  const { items } = await read('/v1/templates/parcel/versions');
  expect(items.map(({ message }: { message: string }) => message)[0]).toBe('The number of the order');
  await person.page.waitForFunction(() => !document.body.textContent?.includes('Not saved'));
});

test('T3: each version has its author and message, and leads to what changed since', async () => {
  await person.open('/templates/parcel');
  const rail = await person.page.waitForSelector('ol[aria-label="Versions of parcel, newest first"] a');
  expect(await rail?.evaluate(({ textContent }) => textContent)).toMatch(
    /v\d\.\d\.\d.*The number of the order · \S+/,
  );
  const first = await person.page.$$('ol[aria-label="Versions of parcel, newest first"] a');
  await first.at(-1)?.click();
  await person.page.waitForFunction(() => location.pathname === '/templates/parcel/diff');
});

test('T3: an earlier version comes back as a new one, and Undo brings back what was there', async () => {
  const html = async () => (await read('/v1/templates/parcel?include=html')).html;
  const typed = await html();
  await press('Roll back to v1.0.0');
  await person.page.waitForFunction(() => location.pathname === '/templates/parcel');
  await see('has the content of v1.0.0 again');
  expect(await html()).toContain('Hello {{name}}');
  expect((await read('/v1/templates/parcel/versions')).items).toHaveLength(3);
  await press('Undo');
  await expect.poll(html).toBe(typed);
  expect((await read('/v1/templates/parcel/versions')).items).toHaveLength(4);
});

test('T6: a promotion shows what customers see now and will see, and does it', async () => {
  const { items } = await read('/v1/templates/welcome/versions');
  const subject = 'Good to see you, {{name}}';
  await send('PATCH', '/v1/templates/welcome', { subject, expected_head: items[0].version });
  await person.open('/templates/welcome/environments');
  await press('Promote to staging');
  await person.page.waitForSelector('[role=dialog]');
  await person.page.locator('[role=dialog] button[data-variant=filled]').click();
  await person.page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  await press('Promote to production');
  const said = await person.page.waitForSelector('[role=dialog]');
  expect(await said?.evaluate((dialog) => dialog.textContent)).toMatch(
    /Customers see now.*v1\.0\.0.*Afterwards.*v1\.0\.1|v1\.1\.0/,
  );
  await person.page.locator('[role=dialog] button[data-variant=filled]').click();
  await person.page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  const { environments, version } = await read('/v1/templates/welcome');
  expect(environments).toEqual({ staging: version, production: version });
});

test('T6: production goes back to the version before, and the history keeps both moves', async () => {
  await press('Roll back to v1.0.0');
  await person.page.waitForSelector('[role=dialog]');
  await person.page.locator('[role=dialog] button[data-variant=filled]').click();
  await person.page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  expect((await read('/v1/templates/welcome')).environments.production).toBe('v1.0.0');
  const { items } = await read('/v1/templates/welcome/environments/production/history');
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    'rolled_back',
    'promoted',
    'created',
  ]);
});

test('T2: two people on one branch: the second save says so, keeps the text, and overwrites nothing unseen', async () => {
  const { page } = person;
  await person.open('/templates/receipt');
  const before = await read('/v1/templates/receipt');
  await typeOver(page, 'label:has(span) input', 'My subject');
  await send('PATCH', '/v1/templates/receipt', {
    subject: 'Their subject',
    expected_head: before.version,
  });
  await press('Save version');
  const dialog = await page.waitForSelector('[role=dialog] form');
  await dialog?.evaluate((form) => (form as HTMLFormElement).requestSubmit());
  await see('Someone saved another version');
  expect((await read('/v1/templates/receipt?include=html')).subject).toBe('Their subject');
  await press('Save mine as the newest');
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  const { items } = await read('/v1/templates/receipt/versions');
  expect(items).toHaveLength(3);
  expect((await read('/v1/templates/receipt?include=html')).subject).toBe('My subject');
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(person.calls.length).toBeGreaterThan(20);
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the refused save, and renders of an expression that was half typed.
  expect(complaints.filter((one) => !/status of (409|422)/.test(one))).toEqual([]);
});
