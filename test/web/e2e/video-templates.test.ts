import { expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person, steps, read, send } = web;

const PATH = '/video-templates/opening';
const PAGE = '/videos/templates/opening';

/** Replaces the text of the open part, by keys alone. */
async function retype(text: string): Promise<void> {
  const { page } = person;
  await page.focus('.cm-content');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.evaluate((typed) => document.execCommand('insertText', false, typed), text);
}

async function save(): Promise<void> {
  await person.page.keyboard.down('Control');
  await person.page.keyboard.press('s');
  await person.page.keyboard.up('Control');
}

/** Gives up what was typed, and waits until this browser has forgotten it. */
async function discard(): Promise<void> {
  await steps.press('Discard what you typed');
  await person.page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('stallhand', 1);
        opening.onsuccess = () => {
          const count = opening.result.transaction('drafts').objectStore('drafts').count();
          count.onsuccess = () => {
            opening.result.close();
            resolve(count.result === 0);
          };
        };
      }),
    { polling: 100 },
  );
}

const codeHas = (text: string) =>
  person.page.waitForFunction(
    (said) => document.querySelector('.cm-content')?.textContent?.includes(said),
    {},
    text,
  );

/** The line that a mark stands at. */
const markedLine = () =>
  person.page.waitForFunction(() => {
    const mark = document.querySelector('.cm-lint-marker-error');
    const numbers = [...document.querySelectorAll('.cm-lineNumbers .cm-gutterElement')];
    const top = mark?.closest('.cm-gutterElement')?.getBoundingClientRect().top;
    return numbers.find((one) => one.getBoundingClientRect().top === top && one.textContent)?.textContent;
  });

test('V1: a template of the product opens as a copy under a name of its own', async () => {
  await person.open('/videos/templates');
  await steps.follow('Hook');
  await steps.follow('Start from a copy');
  await steps.fill('Name', 'Opening Day');
  await steps.press('Create the template');
  await steps.see('must have 1 to 100 lowercase letters');
  await steps.fill('Name', 'opening');
  await steps.press('Create the template');
  await steps.at(/^\/videos\/templates\/opening$/);
  await codeHas('doctype');
  const { html } = await read('/video-templates/hook');
  expect(await read(PATH)).toMatchObject({ html, version: 1, manifest: { title: 'Opening' } });
});

test('V1: a name that is taken is refused at its field, and replaces nothing', async () => {
  await person.open('/videos/templates?new=1');
  await steps.fill('Name', 'opening');
  await steps.press('Create the template');
  await steps.see("A video template named 'opening' already exists.");
  expect(await read(PATH)).toMatchObject({ version: 1 });
});

const HTML =
  '<!doctype html>\n<html>\n<body>\n<div id="stage"><h1>{{title}}, {{place}}</h1></div>\n</body>\n</html>\n';

test('V1: the preview plays what is typed, before it is saved', async () => {
  await person.open(PAGE);
  await codeHas('doctype');
  const asked = person.page.waitForRequest((request) => (request.postData() ?? '').includes('{{place}}'));
  await retype(HTML);
  await asked;
  await person.open(`${PAGE}?part=sample`);
  await retype('{ "title": "We open", "place": "in Porto" }');
  await expect
    .poll(
      async () => {
        const element = await person.page.$('iframe[title="Preview of the video"]:not([data-coming])');
        const frame = await element?.contentFrame();
        return frame?.$eval('#stage', (stage) => stage.textContent).catch(() => '');
      },
      { timeout: 20_000 },
    )
    .toBe('We open, in Porto');
  expect((await read(PATH)).version).toBe(1);
});

test('what is typed survives a reload, and one key saves it as a version from inside the source', async () => {
  await person.open(PAGE);
  await codeHas('{{place}}');
  await steps.see('Not saved');
  await person.page.focus('.cm-content');
  await save();
  await steps.see('Saved v2');
  expect(await read(PATH)).toMatchObject({
    html: HTML,
    version: 2,
    manifest: { sample: { title: 'We open', place: 'in Porto' } },
  });
  await person.page.waitForFunction(() => !document.body.textContent?.includes('Not saved'));
});

test('V1: what is wrong is marked at its line: broken JSON, and an expression that is never closed', async () => {
  const { page } = person;
  const part = (name: string) => page.locator(`::-p-aria([name="${name}"][role="tab"])`).click();
  await person.open(PAGE);
  await part('Schema');
  await codeHas('object');
  await retype('{\n  "type": "object",\n  "properties": {,}\n}');
  expect(await (await markedLine()).jsonValue()).toBe('3');
  await steps.see('1 error');
  await discard();
  await part('HTML');
  await codeHas('{{place}}');
  await retype(HTML.replace('{{place}}', '{{#if place}}'));
  expect(await (await markedLine()).jsonValue()).toBe('4');
  await discard();
});

test('V1: a script that fails while the template plays is marked at its line', async () => {
  const script = '<script>\nconst open = true;\nnope.fail();\n</script>';
  const html = HTML.replace('</body>', `${script}\n</body>`);
  const saved = await fetch(`${web.app.url}/video-templates/scripted`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ html, manifest: { title: 'Scripted', scripts: true } }),
  });
  expect(saved.status).toBe(201);
  await person.open('/videos/templates/scripted');
  await codeHas('nope.fail');
  expect(await (await markedLine()).jsonValue()).toBe('7');
});

test('of two people who save on one version the second is told, compares, and loses nothing', async () => {
  await person.open(PAGE);
  await codeHas('{{place}}');
  await retype(HTML.replace('{{place}}', 'mine'));
  const { manifest } = await read(PATH);
  await send('PUT', PATH, { html: HTML.replace('{{place}}', 'theirs'), manifest });
  await save();
  await steps.see('Someone saved another version');
  expect((await read(PATH)).html).toContain('theirs');
  await steps.press('Compare');
  await steps.see('Changes since v3');
  await person.page.waitForSelector('.cm-changedText, .cm-deletedText');
  await steps.follow('Back to the editor');
  await codeHas('mine');
  await steps.press('Save version');
  await steps.press('Save mine as the newest');
  await steps.see('Saved v4');
  expect((await read(PATH)).html).toContain('mine');
});

test('an earlier version shows what changed since, and comes back as a new one, which can be undone', async () => {
  await person.open(`${PAGE}?version=2`);
  await steps.see('Changes since v2');
  await steps.press('Roll back to v2');
  await steps.see('v2 is in use again, saved as v5');
  expect(await read(PATH)).toMatchObject({ html: HTML, version: 5 });
  await steps.press('Undo');
  await steps.see('v4 is in use again, saved as v6');
  expect((await read(PATH)).html).toContain('mine');
});

test('the palette finds a template of the account, and starts a new one', async () => {
  const { page } = person;
  await person.open('/dashboard');
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector('[role=dialog] input');
  await steps.see('New video template');
  await page.keyboard.type('Video template opening');
  await page.waitForFunction(() =>
    document.querySelector('[role=dialog]')?.textContent?.includes('Video template opening'),
  );
  await page.keyboard.press('Enter');
  await steps.at(/^\/videos\/templates\/opening$/);
});

test('V1: a template is deleted after a question, and its newest version can be brought back', async () => {
  await person.open(PAGE);
  await steps.press('Delete the template');
  await steps.see('All its versions are deleted.');
  await person.page.locator('[role=dialog] button[type=submit]').click();
  await steps.at(/^\/videos\/templates$/);
  await steps.see('Deleted opening');
  expect((await fetch(`${web.app.url}${PATH}`)).status).toBe(404);
  await steps.press('Undo');
  await steps.see('Restored opening as version 1');
  expect(await read(PATH)).toMatchObject({ version: 1, html: expect.stringContaining('mine') });
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports refused saves and previews, and the script that fails on purpose.
  expect(complaints.filter((one) => !/status of (409|422)|nope is not defined/.test(one))).toEqual([]);
});
