import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { Caller } from '../../../src/identity/caller.ts';
import { newBareCaller, newCaller, openTestApp, type TestApp, useTools } from '../../support/app.ts';
import { samples } from '../../support/samples.ts';
import { readZip, zipOf } from '../importing/archives.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

type Json = Record<string, unknown>;
type Account = { readonly caller: Caller; readonly call: ReturnType<typeof useTools> };

async function newAccount({ starters = false } = {}): Promise<Account> {
  const caller = starters ? await newCaller(app) : await newBareCaller(app);
  return { caller, call: useTools(app, caller) };
}

async function bundleOf({ caller }: Account, names?: readonly string[]): Promise<Buffer> {
  const { signal } = new AbortController();
  const request = { names, assets: true, mayReadAssets: true, signal, progress: () => {} };
  return app.templates.bundles.export(caller.accountId, request, ({ path }) => readFile(path));
}

async function filesOf(bundle: Buffer): Promise<Record<string, string>> {
  const files = await readZip(bundle);
  return Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()]));
}

const importOf = (bundle: Buffer, more: Json = {}) => ({ payload: bundle.toString('base64'), ...more });

async function makeHistory({ call }: Account): Promise<void> {
  await call('create_template', { name: 'card', kind: 'partial', html: '<b>{{title}}</b>' });
  await call('create_template', {
    name: 'offer',
    html: '<p>Hello {{name}}</p>{{> card}}',
    subject: 'For {{name}}',
    text: 'Hello {{name}}',
    css: 'p { color: red }',
    schema: { type: 'object', properties: { name: { type: 'string', default: 'you' } } },
    description: 'An offer',
    tags: ['sale', 'b'],
    message: 'First',
    fixtures: { ana: { name: 'Ana', title: 'Mug' } },
  });
  await call('update_template', { name: 'card', html: '<i>{{title}}</i>' });
  await call('create_branch', { template: 'offer', name: 'holiday', description: 'Snow' });
  await call('update_template', { name: 'offer', branch: 'holiday', html: '<p>Ho {{name}}</p>{{> card}}' });
  await call('merge_branch', { template: 'offer', branch: 'holiday' });
  await call('promote_template', { template: 'offer', to: 'staging', from: 'main' });
  await call('rollback_template', { template: 'offer', to: 'v1.0.0' });
}

test('a bundle is readable files and a list of everything else', async () => {
  const account = await newAccount();
  await makeHistory(account);
  const files = await filesOf(await bundleOf(account, ['offer']));
  expect(Object.keys(files)).toEqual([
    'stallhand.json',
    'templates/card/v1.0.0/mail.html',
    'templates/card/v1.0.1/mail.html',
    ...['v1.0.0', 'v1.0.1-holiday.1'].flatMap((version) =>
      ['mail.html', 'subject.txt', 'mail.txt', 'style.css', 'schema.json'].map(
        (file) => `templates/offer/${version}/${file}`,
      ),
    ),
    'templates/offer/fixtures/ana.json',
    'templates/card/template.json',
    'templates/offer/template.json',
  ]);
  expect(files['templates/offer/v1.0.0/mail.html']).toBe('<p>Hello {{name}}</p>{{> card}}');
  expect(JSON.parse(files['stallhand.json'] ?? '')).toEqual({
    format: 'stallhand-bundle',
    version: 2,
    templates: ['card', 'offer'],
  });
  expect(JSON.parse(files['templates/card/template.json'] ?? '')).toMatchObject({
    name: 'card',
    kind: 'partial',
  });
  expect(JSON.parse(files['templates/offer/template.json'] ?? '')).toMatchObject({
    name: 'offer',
    tags: ['sale', 'b'],
    branches: [
      { name: 'holiday', description: 'Snow', head: 'v1.0.1-holiday.1', base: 'v1.0.0' },
      { name: 'main', head: 'v1.0.2' },
    ],
    environments: { staging: 'v1.0.1', production: 'v1.0.0' },
    fixtures: ['ana'],
    versions: [
      { label: 'v1.0.0', message: 'First', uses: [{ kind: 'partial', name: 'card', version: 'v1.0.0' }] },
      { label: 'v1.0.1-holiday.1', uses: [{ name: 'card', version: 'v1.0.1' }] },
      { label: 'v1.0.1', parents: ['v1.0.0', 'v1.0.1-holiday.1'], folder: 'v1.0.1-holiday.1' },
      { label: 'v1.0.2', rolled_back_from: 'v1.0.0', folder: 'v1.0.0' },
    ],
  });
  expect(Object.values(files).join()).not.toMatch(/"(?:tpl|ver|acc)_/);
});

test('a bundle of the first version, with everything in its list, is read as well', async () => {
  const source = await newAccount();
  await makeHistory(source);
  const bundle = await bundleOf(source);
  const files = await filesOf(bundle);
  const templates = ['card', 'offer'].map((name) => {
    const { [`templates/${name}/template.json`]: text = '' } = files;
    delete files[`templates/${name}/template.json`];
    return JSON.parse(text);
  });
  const list = { format: 'stallhand-bundle', version: 1, templates };
  const old = await zipOf({ ...files, 'stallhand.json': JSON.stringify(list) });
  const target = await newAccount();
  expect(await target.call('import_templates', importOf(old))).toMatchObject({ skipped: [], notes: [] });
  expect((await bundleOf(target)).equals(bundle)).toBe(true);
});

test('an account exported, imported into an empty one and exported again is the same file', async () => {
  const source = await newAccount({ starters: true });
  await makeHistory(source);
  const bundle = await bundleOf(source);
  expect((await bundleOf(source)).equals(bundle)).toBe(true);
  const target = await newAccount();
  const answer = await target.call('import_templates', importOf(bundle));
  expect(answer).toMatchObject({ skipped: [], notes: [] });
  expect((await bundleOf(target)).equals(bundle)).toBe(true);
  const data = { name: 'Ana', title: 'Mug' };
  for (const choice of [{ version: 'v1.0.0' }, { environment: 'staging' }, { branch: 'main' }]) {
    const input = { template: 'offer', ...choice, data };
    const { html } = await source.call('render_template', input);
    expect((await target.call('render_template', input))['html']).toBe(html);
  }
});

test('names keep their letters: composed, and those that differ in case only', async () => {
  const source = await newAccount();
  for (const name of ['Cafe\u0301', 'offer', 'Offer', 'a.', 'a  b'])
    await source.call('create_template', { name, html: `<p>${name} {{x}}</p>` });
  await expect(source.call('create_template', { name: 'Caf\u00e9', html: 'x' })).rejects.toMatchObject({
    key: 'name_taken.template',
  });
  const bundle = await bundleOf(source);
  const target = await newAccount();
  expect(await target.call('import_templates', importOf(bundle))).toMatchObject({ skipped: [], notes: [] });
  expect((await bundleOf(target)).equals(bundle)).toBe(true);
});

test('a bundle that was unpacked and packed again, with a folder around it, is still one', async () => {
  const source = await newAccount();
  await makeHistory(source);
  const bundle = await bundleOf(source);
  const files = Object.entries(await filesOf(bundle)).map(([path, text]) => [`my bundle/${path}`, text]);
  const packed = await zipOf({ ...Object.fromEntries(files), '__MACOSX/my bundle/._stallhand.json': 'x' });
  const target = await newAccount();
  await target.call('import_templates', importOf(packed));
  expect((await bundleOf(target)).equals(bundle)).toBe(true);
});

test('what came in goes on: versions, merges and rollbacks follow the history', async () => {
  const source = await newAccount();
  await makeHistory(source);
  const target = await newAccount();
  const answer = await target.call('import_templates', importOf(await bundleOf(source, ['offer'])));
  expect((answer['created'] as { name: string }[]).map(({ name }) => name)).toEqual(['card', 'offer']);
  expect(
    await target.call('update_template', { name: 'offer', branch: 'holiday', subject: 'Snow' }),
  ).toMatchObject({
    version: expect.stringMatching(/-holiday\.2$/),
  });
  expect(await target.call('merge_branch', { template: 'offer', branch: 'holiday' })).toMatchObject({
    created: true,
  });
  expect(await target.call('rollback_template', { template: 'offer', to: 'v1.0.1' })).toMatchObject({
    rolled_back_from: 'v1.0.1',
  });
});

test('an account that has them already keeps its own: the same are skipped, others can be renamed or added', async () => {
  const source = await newAccount();
  await makeHistory(source);
  const bundle = await bundleOf(source);
  const again = await source.call('import_templates', importOf(bundle));
  expect(again['created']).toEqual([]);
  expect(new Set((again['skipped'] as { reason: string }[]).map(({ reason }) => reason))).toEqual(
    new Set(['identical']),
  );
  const small = await bundleOf(source, ['offer']);
  expect(await source.call('import_templates', importOf(small, { prefix: 'copy of ' }))).toMatchObject({
    created: [{ name: 'copy of card' }, { name: 'copy of offer' }],
  });
  const data = { name: 'Ana', title: 'Mug' };
  const { html } = await source.call('render_template', { template: 'offer', version: 'v1.0.1', data });
  expect(
    (await source.call('render_template', { template: 'copy of offer', version: 'v1.0.1', data }))['html'],
  ).toBe(html);
  await source.call('update_template', { name: 'offer', html: 'changed' });
  expect(await source.call('import_templates', importOf(small, { on_conflict: 'version' }))).toMatchObject({
    created: [{ name: 'offer' }],
    skipped: [{ name: 'card', reason: 'identical' }],
    notes: [{ code: 'import_history_left' }],
  });
});

type BundleFiles = Record<string, string>;

const LIST = 'stallhand.json';
const CARD = 'templates/card/template.json';

/** Changes a JSON file of a bundle. */
function edit(path: string, change: (value: Json) => void): (files: BundleFiles) => void {
  return (files) => {
    const value = JSON.parse(files[path] ?? '');
    change(value);
    files[path] = JSON.stringify(value);
  };
}

test.each<[string, (files: BundleFiles) => void, string]>([
  ['another format', edit(LIST, (list) => Object.assign(list, { format: 'zip' })), 'format'],
  ['a newer version', edit(LIST, (list) => Object.assign(list, { version: 3 })), 'version'],
  [
    'a template that it does not have',
    edit(LIST, (list) => Object.assign(list, { templates: ['card', 'ghost'] })),
    'templates/ghost/template.json',
  ],
  [
    'one template twice',
    edit(LIST, (list) => Object.assign(list, { templates: ['card', 'card'] })),
    'one name',
  ],
  [
    'a template in the folder of another',
    edit(CARD, (card) => Object.assign(card, { name: 'offer' })),
    'it is of offer',
  ],
  [
    'a time that no database has',
    edit(CARD, (card) => Object.assign(card, { created_at: '0000-01-01T00:00:00Z' })),
    'templates/card/template.json created_at',
  ],
  ['a changed file', (files) => Object.assign(files, { 'templates/card/v1.0.0/mail.html': 'x' }), 'sha256'],
  ['a missing file', (files) => delete files['templates/card/v1.0.0/mail.html'], 'missing'],
  ['a missing fixture', (files) => delete files['templates/offer/fixtures/ana.json'], 'missing'],
  [
    'a circle',
    edit(CARD, ({ versions }) => Object.assign((versions as Json[])[0] ?? {}, { parents: ['v1.0.1'] })),
    'not before it',
  ],
  [
    'a pointer to nothing',
    edit(CARD, (card) => Object.assign(card, { environments: { staging: 'v9.0.0' } })),
    'v9.0.0',
  ],
  [
    'no main',
    edit(CARD, ({ branches }) => Object.assign((branches as Json[])[0] ?? {}, { name: 'other' })),
    'main',
  ],
])('a bundle with %s is refused with its place', async (_case, change, said) => {
  const source = await newAccount();
  await makeHistory(source);
  const files = await filesOf(await bundleOf(source, ['offer']));
  change(files);
  const bundle = await zipOf(files);
  const target = await newAccount();
  const fault = await target.call('import_templates', importOf(bundle)).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ key: 'validation_failed.bundle' });
  expect(JSON.stringify((fault as Fault).params)).toContain(said);
});

test('an unknown template is not found, and another account sees nothing of it', async () => {
  const source = await newAccount();
  await makeHistory(source);
  const stranger = await newAccount();
  await expect(bundleOf(stranger, ['offer'])).rejects.toMatchObject({ code: 'not_found' });
  expect(Object.keys(await filesOf(await bundleOf(stranger))).join()).not.toContain('offer');
});

type Step = (account: Account) => Promise<unknown>;

const branch = fc.constantFrom('main', 'a', 'b/c');
const name = fc.constantFrom('one', 'two words', 'Ünï');
const html = fc
  .array(fc.constantFrom('<p>{{x}}</p>', '{{#if y}}<b>{{y}}</b>{{/if}}', '\r\n', 'ñ 🎉', '{{> part}}', ' '), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

/** One call of an operation; those that the state does not allow are answered with a Fault and change nothing. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(name, branch, html, fc.option(fc.string({ unit: 'grapheme', maxLength: 9 }), { nil: undefined }))
    .map(
      ([name, branch, html, subject]): Step =>
        ({ call }) =>
          call('update_template', {
            name,
            branch,
            html,
            ...(subject !== undefined && { subject }),
            message: 'm',
          }),
    ),
  html.map(
    (html): Step =>
      ({ call }) =>
        call('update_template', { name: 'part', html: html.replaceAll('{{> part}}', '') }),
  ),
  fc.tuple(name, branch).map(
    ([template, name]): Step =>
      ({ call }) =>
        call('create_branch', { template, name }),
  ),
  fc.tuple(name, branch).map(
    ([template, branch]): Step =>
      ({ call }) =>
        call('merge_branch', { template, branch, strategy: 'theirs' }),
  ),
  fc.tuple(name, branch).map(
    ([template, from]): Step =>
      ({ call }) =>
        call('promote_template', { template, from, to: 'staging', force: true }),
  ),
  fc.tuple(name, branch).map(
    ([template, branch]): Step =>
      ({ call }) =>
        call('rollback_template', { template, to: 'v1.0.0', branch }),
  ),
  fc.tuple(name, branch).map(
    ([template, branch]): Step =>
      ({ call }) =>
        call('delete_branch', { template, branch, force: true }),
  ),
  fc.tuple(name, fc.jsonValue({ maxDepth: 2 })).map(
    ([template, x]): Step =>
      ({ call }) =>
        call('save_fixture', { template, fixture: 'f', data: { x, '2': [x] } }),
  ),
);

test('whatever was done to templates, export and import keep every byte of it', async () => {
  const isFault = (error: unknown) => {
    if (!(error instanceof Fault)) throw error;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const source = await newAccount();
      await source.call('create_template', { name: 'part', kind: 'partial', html: '<i>{{x}}</i>' });
      for (const name of ['one', 'two words', 'Ünï'])
        await source.call('create_template', { name, html: '{{x}}' });
      for (const take of steps) await take(source).catch(isFault);
      const bundle = await bundleOf(source);
      const target = await newAccount();
      await target.call('import_templates', importOf(bundle));
      expect(await filesOf(await bundleOf(target))).toEqual(await filesOf(bundle));
      expect((await bundleOf(target)).equals(bundle)).toBe(true);
    }),
    { numRuns: samples(12, 4) },
  );
});
