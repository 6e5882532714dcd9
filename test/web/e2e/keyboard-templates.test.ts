import { beforeAll, describe, expect, test } from 'vitest';
import { type Keys, keysOf } from './keyboard.ts';
import { newPerson, type Person } from './person.ts';
import { stepsOf } from './steps.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { read, send } = web;

describe('by keyboard alone: a first template, from nothing to customers', () => {
  let person: Person;
  let keys: Keys;
  beforeAll(async () => {
    person = await newPerson(web.browser, web.app.url);
    keys = await keysOf(person);
  });

  test('the first stop of a first visit skips the navigation', async () => {
    await person.open('/');
    await keys.press('Tab');
    await keys.isAt('Skip to the page', 'link');
    await keys.press('Enter');
    await keys.press('Tab');
    expect(await person.page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  test('the palette gives the focus back when it closes, and leads to the form of a new template', async () => {
    await keys.backTo('Templates', 'link');
    await keys.press('Control+k');
    await keys.isAt('Search or run a command');
    await keys.press('Escape');
    await keys.isAt('Templates', 'link');
    await keys.command('New template');
    await keys.isAt('Name', 'textbox');
  });

  test('T1: Escape closes the form and leaves the focus on the page; its button opens it again', async () => {
    await keys.press('Escape');
    await keys.isAt('Templates', 'heading');
    await keys.to('New template', 'button');
    await keys.press('Enter');
    await keys.isAt('Name', 'textbox');
    await keys.press('Escape');
    await keys.isAt('New template', 'button');
  });

  test('T1: Enter creates the template, and the editor opens at its heading', async () => {
    await keys.press('Enter');
    await keys.isAt('Name', 'textbox');
    await keys.type('parcel');
    await keys.press('Enter');
    await keys.isAt('parcel', 'heading');
  });

  test('T2: Ctrl S asks for one line, saves the version, and the focus is in the source again', async () => {
    await keys.to('HTML of parcel', 'textbox');
    await keys.write('<h1>Your parcel, {{name}}</h1>');
    await keys.press('Control+s');
    await keys.isAt('What did you change?', 'textbox');
    await keys.type('The first words');
    await keys.press('Enter');
    await keys.isAt('HTML of parcel', 'textbox');
    const { items } = await read('/v1/templates/parcel/versions');
    expect(items.map(({ message }: { message: string }) => message)[0]).toBe('The first words');
    expect((await read('/v1/templates/parcel?include=html')).html).toContain('Your parcel, {{name}}');
  });

  test('T2: what the Save button opens gives the focus back to it, after a save too', async () => {
    await keys.type(' ');
    await keys.backTo('Save version', 'button');
    await keys.press('Enter');
    await keys.isAt('What did you change?', 'textbox');
    await keys.press('Escape');
    await keys.isAt('Save version', 'button');
    await keys.press('Enter');
    await keys.isAt('What did you change?', 'textbox');
    await keys.press('Enter');
    await keys.isAt('Save version', 'button');
    expect((await read('/v1/templates/parcel/versions')).items).toHaveLength(3);
  });

  test('T6: it is promoted to staging, then to production', async () => {
    await keys.backTo('Environments', 'link');
    await keys.press('Enter');
    await keys.isAt('Environments', 'heading');
    for (const [environment, after] of [
      ['staging', 'Same as staging'],
      ['production', 'Same as production'],
    ] as const) {
      await keys.to(`Promote to ${environment}`, 'button');
      await keys.press('Enter');
      await keys.isAt('Close', 'button');
      await keys.to('Note', 'textbox');
      await keys.to(`Promote to ${environment}`, 'button');
      await keys.press('Space');
      await keys.isAt(after, 'button');
    }
    const { environments, version } = await read('/v1/templates/parcel');
    expect(environments).toEqual({ staging: version, production: version });
  });

  test('none of this made the browser complain, or called what openapi.json does not have', async () => {
    const { unknown, complaints } = await stepsOf(person).wrongs(web.app.url);
    expect(unknown).toEqual([]);
    // A browser reports the preview of a variable that is not closed yet.
    expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([]);
  });
});

describe('by keyboard alone: a branch is merged', () => {
  let person: Person;
  let keys: Keys;
  const path = '/v1/templates/notice';
  beforeAll(async () => {
    await send('POST', '/v1/templates', {
      name: 'notice',
      html: '<h1>Hello, {{name}}</h1>\n<p>It left today.</p>\n',
      subject: 'It left today',
      fixtures: { sample: { name: 'Ana' } },
    });
    await send('POST', `${path}/branches`, { name: 'holiday' });
    await send('PATCH', path, { branch: 'holiday', subject: 'With a ribbon' });
    await send('PATCH', path, { subject: 'On its way' });
    person = await newPerson(web.browser, web.app.url);
    keys = await keysOf(person);
  });

  test('T4: from the list to the branch: another branch shows at the heading of the editor', async () => {
    await person.open('/templates');
    await keys.to('notice', 'link');
    await keys.press('Enter');
    await keys.isAt('notice', 'heading');
    await person.page.waitForSelector('option[value=holiday]');
    await keys.to('Branches', 'combobox');
    await keys.press('ArrowDown');
    await person.page.waitForFunction(() => location.search === '?branch=holiday');
    await keys.isAt('notice', 'heading');
  });

  test('T4: the merge opens at its heading; the arrows choose a side, Enter merges, and the editor of main opens', async () => {
    await keys.to('Merge', 'link');
    await keys.press('Enter');
    await keys.isAt('Merge holiday into main', 'heading');
    await keys.to(/It left today/, 'radio');
    await keys.press('Space');
    await keys.press('ArrowDown');
    await keys.isAt(/On its way/, 'radio');
    await keys.press('ArrowDown');
    await keys.isAt(/With a ribbon/, 'radio');
    await person.page.waitForSelector(
      '::-p-xpath(//button[contains(., "Merge into main") and not(@disabled)])',
    );
    await keys.backTo('Merge into main', 'button');
    await keys.press('Enter');
    await keys.isAt('notice', 'heading');
    expect((await read(`${path}?include=html`)).subject).toBe('With a ribbon');
  });

  test('none of this made the browser complain, or called what openapi.json does not have', async () => {
    expect(await stepsOf(person).wrongs(web.app.url)).toEqual({ unknown: [], complaints: [] });
  });
});
