import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BREAD, hooksAnswer } from '../../hooks/hooks-answer.ts';
import { type ModelServer, startModelServer } from '../../peers/model-server.ts';
import { type Keys, keysOf } from './keyboard.ts';
import { newPerson, type Person } from './person.ts';
import { stepsOf } from './steps.ts';
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

beforeAll(() => {
  void web.app.videos.start();
});

describe('by keyboard alone: hooks', () => {
  let person: Person;
  let keys: Keys;
  beforeAll(async () => {
    person = await newPerson(web.browser, web.app.url);
    await person.page
      .browserContext()
      .overridePermissions(web.app.url, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
    keys = await keysOf(person);
  });

  test('H4: Ctrl Enter in the topic writes the hooks, and the focus stays where one types', async () => {
    model.script(hooksAnswer(...BREAD));
    await person.open('/dashboard');
    await keys.press('g');
    await keys.press('h');
    await keys.isAt('Write hooks', 'heading');
    await keys.to('Topic', 'textbox');
    await keys.type('sourdough bread');
    await keys.press('Control+Enter');
    await person.page.waitForSelector(`::-p-text(${BREAD[4][0]})`);
    await keys.isAt('Topic', 'textbox');
  });

  test('H5: Enter on a Copy button copies that hook, and the button says so and keeps the focus', async () => {
    await keys.to('Copy hook 2', 'button');
    await keys.press('Enter');
    await keys.isAt('Copied hook 2', 'button');
    expect(await person.page.evaluate(() => navigator.clipboard.readText())).toBe(BREAD[1][0]);
  });

  test('I1: the history finds it by its topic; what a row opens gives the focus back to it', async () => {
    await keys.backTo('History', 'link');
    await keys.press('Enter');
    await keys.isAt('History', 'heading');
    await keys.to('Search by topic', 'textbox');
    await keys.type('sourdough');
    await keys.to('sourdough bread', 'button');
    await keys.press('Enter');
    await person.page.waitForSelector(
      '[role=dialog] ::-p-text(Which sourdough step do you skip on Mondays?)',
    );
    await keys.isAt('Close', 'button');
    await keys.press('Escape');
    await keys.isAt('sourdough bread', 'button');
  });

  test('none of this made the browser complain, or called what openapi.json does not have', async () => {
    expect(await stepsOf(person).wrongs(web.app.url)).toEqual({ unknown: [], complaints: [] });
  });
});

describe('by keyboard alone: a video', () => {
  let person: Person;
  let keys: Keys;
  beforeAll(async () => {
    person = await newPerson(web.browser, web.app.url);
    keys = await keysOf(person);
  });

  test('V1: from the list of templates to the form, at its heading', async () => {
    await person.open('/videos/templates');
    await keys.to('New video from Hook', 'link');
    await keys.press('Enter');
    await keys.isAt('New video', 'heading');
  });

  test('V2: the form is filled in and rendered; the page of the video opens at its heading, and plays', async () => {
    await keys.to('Title', 'textbox');
    await keys.type('Market day');
    await keys.to('Seconds', 'textbox');
    await keys.write('1');
    await keys.to('Quality', 'combobox');
    await keys.type('d');
    await keys.backTo('Render 1 s', 'button');
    await keys.press('Enter');
    await keys.isAt(/^Market day/, 'heading');
    await person.page.waitForSelector('video');
    await keys.to('Market day');
    await keys.press('Space');
    await person.page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
    const [video] = await web.read('/videos');
    expect(video).toMatchObject({ title: 'Market day', template: 'hook', duration: 1, status: 'completed' });
  });

  test('none of this made the browser complain, or called what openapi.json does not have', async () => {
    const { unknown, complaints } = await stepsOf(person).wrongs(web.app.url);
    expect(unknown).toEqual([]);
    // A browser reports a preview that waits for a field.
    expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([]);
  });
});
