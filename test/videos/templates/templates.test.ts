import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readBuiltIns } from '../../../src/videos/templates/built-ins.ts';
import { createVideoTemplates, type VideoTemplates } from '../../../src/videos/templates/templates.ts';
import { Manifest } from '../../../src/videos/templates/video-template.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { faultOf } from '../composition/filler.ts';

let database: TestDatabase;
let folder: string;
let templates: VideoTemplates;

const manifest = Manifest.parse({ title: 'Mine' });
const content = (name: string, html = '<p id="stage">') => ({ name, html, manifest });

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'built-in-'));
  await writeBuiltIn(
    'hook',
    '<p id="stage"><img src="photo-1.jpg">{{photo-1.jpg}} <b style="background:url(photo-1.jpg)">photo-1.jpg</b>',
  );
  await writeBuiltIn('quote', '<q id="stage">');
  const builtIns = await readBuiltIns(pathToFileURL(`${folder}/`));
  templates = createVideoTemplates({ sql: database.sql, builtIns, check: async () => [] });
});
beforeEach(async () => {
  await database.reset();
  await database.sql`insert into accounts (id, name) values ('acc_a', 'A'), ('acc_b', 'B')`;
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function writeBuiltIn(name: string, html: string): Promise<void> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'template.html'), html);
  await writeFile(
    join(folder, name, 'template.json'),
    '{"title": "Ours", "sample": {"photo": "photo-1.jpg"}}',
  );
  await writeFile(join(folder, name, 'photo-1.jpg'), 'a photo');
}

const namesOf = async (account: string) =>
  (await templates.list(account)).map(({ name, builtIn }) => `${builtIn ? 'our' : 'own'} ${name}`);

test('the templates of the product are those of its folders, with their files under whole paths', async () => {
  const { templates: read, files } = await readBuiltIns(pathToFileURL(`${folder}/`));
  expect(read[0]).toEqual({
    name: 'hook',
    builtIn: true,
    version: null,
    html: '<p id="stage"><img src="built-in/hook/photo-1.jpg">{{photo-1.jpg}} <b style="background:url(built-in/hook/photo-1.jpg)">photo-1.jpg</b>',
    manifest: {
      ...Manifest.parse({ title: 'Ours', sample: { photo: 'built-in/hook/photo-1.jpg' } }),
      schema: {
        type: 'object',
        // What every built-in template takes.
        properties: anyFields('style', 'locale', 'brand'),
      },
    },
    tag: expect.stringMatching(/^[\w-]{43}$/),
  });
  const photo = { bytes: Buffer.from('a photo'), mediaType: 'image/jpeg' };
  expect([...files]).toEqual([
    ['built-in/hook/photo-1.jpg', photo],
    ['built-in/quote/photo-1.jpg', photo],
  ]);
});

test('an account has the templates of the product and its own', async () => {
  expect(await templates.save('acc_a', content('card'))).toMatchObject({ created: true, warnings: [] });
  expect(await namesOf('acc_a')).toEqual(['own card', 'our hook', 'our quote']);
  expect(await namesOf('acc_b')).toEqual(['our hook', 'our quote']);
});

test('a built-in template can not be replaced, deleted or rolled back, and has no versions', async () => {
  const refused = {
    code: 'built_in',
    status: 409,
    detail: "'hook' is a built-in video template, which can't be changed. Save yours under another name.",
    errors: [],
  };
  expect(await faultOf(templates.save('acc_a', content('hook')))).toEqual(refused);
  expect(await faultOf(templates.remove('acc_a', 'hook'))).toEqual(refused);
  expect(await faultOf(templates.rollback('acc_a', 'hook'))).toEqual(refused);
  expect(await templates.get('acc_a', 'hook')).toMatchObject({ builtIn: true, version: null });
  expect(await templates.versions('acc_a', 'hook', { limit: 10 })).toEqual({ items: [], next_cursor: null });
});

function anyFields(...names: string[]) {
  return Object.fromEntries(
    names.map((name) => [name, expect.objectContaining({ type: expect.any(String) })]),
  );
}

const html = (text: string) => `<p id="stage">${text}`;

/** The versions of a template as `version<-rolled back from`, newest first. */
async function versionsOf(name: string, account = 'acc_a'): Promise<string[]> {
  const { items } = await templates.versions(account, name, { limit: 100 });
  return items.map(({ version, rolled_back_from: from }) => `${version}${from === null ? '' : `<-${from}`}`);
}

test('every save is a version, and a rollback saves the content of an earlier one again', async () => {
  for (const text of ['one', 'two', 'three']) await templates.save('acc_a', content('card', html(text)));
  const { template, rolledBackFrom } = await templates.rollback('acc_a', 'card');
  expect([template.version, template.html, rolledBackFrom]).toEqual([4, html('two'), 2]);
  expect(await templates.get('acc_a', 'card')).toEqual(template);
  expect((await templates.rollback('acc_a', 'card', 1)).template).toMatchObject({
    version: 5,
    html: html('one'),
  });
  expect(await versionsOf('card')).toEqual(['5<-1', '4<-2', '3', '2', '1']);
  expect(await faultOf(templates.rollback('acc_a', 'card', 9))).toMatchObject({
    status: 404,
    detail: "Video template 'card' has no version 9. List its versions with list_video_template_versions.",
  });
});

test('versions are read in pages, and the last fifty are kept', async () => {
  for (let save = 0; save < 53; save++) await templates.save('acc_a', content('card', html(`${save}`)));
  const first = await templates.versions('acc_a', 'card', { limit: 30 });
  const second = await templates.versions('acc_a', 'card', {
    limit: 30,
    cursor: first.next_cursor ?? undefined,
  });
  const numbers = [...first.items, ...second.items].map(({ version }) => version);
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => 53 - index));
});

test('with one version there is nothing to roll back to', async () => {
  await templates.save('acc_a', content('card'));
  expect(await faultOf(templates.rollback('acc_a', 'card'))).toMatchObject({
    code: 'conflict',
    detail:
      "Video template 'card' has only one version, so there is nothing to roll back to. Save a new version instead.",
  });
});

test('a deleted template is gone with its versions; the name begins again', async () => {
  const { template } = await templates.save('acc_a', content('card'));
  await templates.save('acc_a', content('card', html('two')));
  expect(await faultOf(templates.remove('acc_a', 'card', [template.tag]))).toMatchObject({ status: 412 });
  expect(await faultOf(templates.remove('acc_b', 'card'))).toMatchObject({ status: 404 });
  await templates.remove('acc_a', 'card');
  expect(await faultOf(templates.versions('acc_a', 'card', { limit: 10 }))).toMatchObject({ status: 404 });
  expect(await faultOf(templates.remove('acc_a', 'card'))).toMatchObject({ status: 404 });
  await templates.save('acc_a', content('card'));
  expect(await versionsOf('card')).toEqual(['1']);
});

test('saving again takes the place of what there was', async () => {
  const first = await templates.save('acc_a', content('card'));
  const second = await templates.save('acc_a', content('card', '<b id="stage">'), {
    ifMatch: [first.template.tag],
  });
  expect(second).toMatchObject({ created: false, template: { html: '<b id="stage">' } });
  expect(await templates.get('acc_a', 'card')).toEqual(second.template);
  expect(
    await faultOf(templates.save('acc_a', content('card'), { ifMatch: [first.template.tag] })),
  ).toMatchObject({
    code: 'precondition_failed',
    status: 412,
  });
});

test('of two saves on one version the second is refused, also at the same time, and replaces nothing', async () => {
  await templates.save('acc_a', content('card'), { expectedVersion: 0 });
  const saves = ['<b id="stage">', '<i id="stage">'].map((html) =>
    templates.save('acc_a', content('card', html), { expectedVersion: 1 }),
  );
  const ended = await Promise.allSettled(saves);
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await faultOf(templates.save('acc_a', content('card'), { expectedVersion: 1 }))).toMatchObject({
    code: 'head_moved',
    status: 409,
    detail: expect.stringContaining("'card' is now at version 2; you expected 1."),
  });
  expect(await faultOf(templates.save('acc_a', content('card'), { expectedVersion: 0 }))).toMatchObject({
    code: 'name_taken',
    status: 409,
  });
  // One that someone else deleted does not come back unseen.
  expect(await faultOf(templates.save('acc_a', content('gone'), { expectedVersion: 3 }))).toMatchObject({
    code: 'conflict',
    status: 409,
    detail: expect.stringContaining("'gone' was deleted after you read it."),
  });
  expect((await templates.get('acc_a', 'card')).version).toBe(2);
  expect(await namesOf('acc_a')).not.toContain('own gone');
});

test('an earlier version is read by its number', async () => {
  await templates.save('acc_a', content('card', '<p id="stage">one'));
  await templates.save('acc_a', content('card', '<p id="stage">two'));
  expect(await templates.get('acc_a', 'card', 1)).toMatchObject({ version: 1, html: '<p id="stage">one' });
  expect(await faultOf(templates.get('acc_a', 'card', 3))).toMatchObject({ status: 404 });
  expect(await faultOf(templates.get('acc_b', 'card', 1))).toMatchObject({ status: 404 });
});

test("an unknown name is a 404 to a reader, a 422 to who asks for a video; another account's is unknown", async () => {
  await templates.save('acc_a', content('private'));
  expect(await faultOf(templates.get('acc_b', 'private'))).toMatchObject({
    status: 404,
    detail: "Video template 'private' not found. List video templates with list_video_templates.",
  });
  const detail = "Video template 'qoute' not found. Did you mean 'quote'?";
  expect(await faultOf(templates.get('acc_b', 'qoute'))).toMatchObject({ status: 404, detail });
  expect(await faultOf(templates.choose('acc_b', 'qoute'))).toEqual({
    code: 'validation_failed',
    status: 422,
    detail,
    errors: [{ loc: ['body', 'template'], msg: detail, type: 'validation_failed.video_template_close' }],
  });
  expect(await faultOf(templates.choose('acc_b', 'zzz'), 'es')).toMatchObject({
    status: 422,
    detail: 'No se encontró la plantilla de video «zzz». Consulta la lista con list_video_templates.',
  });
});

test('an account keeps two hundred, and may still replace one of them', async () => {
  await database.sql`
    insert into video_templates (account_id, name, html, manifest)
    select 'acc_a', 'card-' || i, '', '{"title": ""}' from generate_series(1, 200) i`;
  expect(await faultOf(templates.save('acc_a', content('card')))).toMatchObject({
    code: 'conflict',
    detail:
      'An account can have at most 200 video templates. Replace one of them, or delete one with delete_video_template.',
  });
  expect(await templates.save('acc_a', content('card-7'))).toMatchObject({ created: false });
  expect(await templates.save('acc_b', content('card'))).toMatchObject({ created: true });
});

test('what an account has saved goes with it', async () => {
  await templates.save('acc_a', content('card'));
  expect(await templates.saved('acc_a')).toEqual([{ ...content('card'), version: 1 }]);
  await database.sql`delete from accounts where id = 'acc_a'`;
  expect(await templates.saved('acc_a')).toEqual([]);
});
