import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';

let app: TestApp;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  call = useTools(app, await newBareCaller(app));
});
afterAll(() => app.close());

const hello = { name: 'hello', html: '<p>Hello {{name}}</p>' };

test('a new template is at v1.0.0 on main, and both environments show it', async () => {
  expect(await call('create_template', { ...hello, subject: 'Hi {{name}}', tags: ['greeting'] })).toEqual({
    id: expect.stringMatching(/^tpl_/),
    name: 'hello',
    kind: 'template',
    description: '',
    tags: ['greeting'],
    version: 'v1.0.0',
    alias: 'v1.0',
    branch: 'main',
    environments: { staging: 'v1.0.0', production: 'v1.0.0' },
    variables: [{ name: 'name', type: 'string', required: true }],
    warnings: [],
    created_at: expect.any(String),
    updated_at: expect.any(String),
    etag: expect.any(String),
  });
});

test('a later version moves no environment', async () => {
  await call('create_template', hello);
  const version = await call('update_template', {
    name: 'hello',
    html: '<p>Hi {{name}}</p>',
    message: 'Shorter',
  });
  expect(version).toMatchObject({
    template: 'hello',
    version: 'v1.0.1',
    branch: 'main',
    parents: ['v1.0.0'],
    seq: 2,
    bump: 'patch',
    bump_reason: 'callers see the same variables',
    message: 'Shorter',
    author: 'test',
    created: true,
    environments: [],
  });
  expect(await call('get_template', { name: 'hello' })).toMatchObject({
    version: 'v1.0.1',
    environments: { staging: 'v1.0.0', production: 'v1.0.0' },
  });
});

test.each([
  ['a new required variable', { html: '<p>{{name}} {{coupon}}</p>' }, 'v2.0.0', 'coupon: became_required'],
  ['a new optional variable', { html: '<p>{{name}}{{#if coupon}}!{{/if}}</p>' }, 'v1.1.0', 'coupon: added'],
  ['the same variables', { subject: 'For {{name}}' }, 'v1.0.1', 'callers see the same variables'],
])('%s makes %s', async (_case, change, version, reason) => {
  await call('create_template', hello);
  expect(await call('update_template', { name: 'hello', ...change })).toMatchObject({
    version,
    bump_reason: reason,
  });
});

test('the caller may choose the bump, or a greater unused version', async () => {
  await call('create_template', hello);
  expect(await call('update_template', { name: 'hello', html: 'a', bump: 'minor' })).toMatchObject({
    version: 'v1.1.0',
  });
  expect(await call('update_template', { name: 'hello', html: 'b', version: 'v3.0' })).toMatchObject({
    version: 'v3.0.0',
    alias: 'v3.0',
  });
  await expect(
    call('update_template', { name: 'hello', html: 'c', version: 'v2.0.0' }),
  ).rejects.toMatchObject({ code: 'version_exists' });
  await expect(
    call('update_template', { name: 'hello', html: 'c', version: 'v3.0.0' }),
  ).rejects.toMatchObject({ code: 'version_exists' });
});

test('metadata alone, or the same content again, makes no version', async () => {
  await call('create_template', hello);
  expect(await call('update_template', { name: 'hello', description: 'Says hello' })).toMatchObject({
    created: false,
    version: 'v1.0.0',
  });
  expect(await call('update_template', { name: 'hello', html: hello.html })).toMatchObject({
    created: false,
    version: 'v1.0.0',
  });
  expect(await call('get_template', { name: 'hello' })).toMatchObject({ description: 'Says hello' });
});

test('an empty text removes a field', async () => {
  await call('create_template', { ...hello, subject: 'Hi' });
  await call('update_template', { name: 'hello', subject: '' });
  expect(await call('get_template', { name: 'hello', include: 'html' })).not.toHaveProperty('subject');
});

test('a version is found by its label, its short label, its hash and as latest', async () => {
  await call('create_template', hello);
  const { sha256 } = await call('get_version', { template: 'hello', version: 'v1.0' });
  for (const version of ['v1.0.0', 'latest', `sha256:${sha256}`, String(sha256).slice(0, 8)]) {
    expect(await call('get_version', { template: 'hello', version })).toMatchObject({
      version: 'v1.0.0',
      html: hello.html,
    });
  }
  for (const version of ['v9.9', 'nonsense', 'ffffffff']) {
    await expect(call('get_version', { template: 'hello', version })).rejects.toMatchObject({
      code: 'not_found',
    });
  }
});

test('versions are listed newest first, in pages', async () => {
  await call('create_template', hello);
  for (const html of ['1', '2', '3']) await call('update_template', { name: 'hello', html });
  const labels = (page: Record<string, unknown>) =>
    (page['items'] as { version: string }[]).map(({ version }) => version);
  const first = await call('list_versions', { template: 'hello', limit: 3 });
  const second = await call('list_versions', { template: 'hello', limit: 3, cursor: first['next_cursor'] });
  expect([...labels(first), ...labels(second)]).toEqual(['v1.0.3', 'v1.0.2', 'v1.0.1', 'v1.0.0']);
  expect(second).toHaveProperty('next_cursor', null);
});

test('a rollback is a new version with the old content', async () => {
  await call('create_template', hello);
  await call('update_template', { name: 'hello', html: '<p>Oops</p>' });
  expect(await call('rollback_template', { template: 'hello', to: 'v1.0.0' })).toMatchObject({
    version: 'v1.0.2',
    branch: 'main',
    rolled_back_from: 'v1.0.0',
  });
  expect(await call('get_template', { name: 'hello', include: 'html' })).toMatchObject({ html: hello.html });
  await expect(call('rollback_template', { template: 'hello', to: 'v1.0.0' })).rejects.toMatchObject({
    key: 'conflict.same_content',
  });
});

test('a change made on a head that has moved writes nothing and names the head', async () => {
  await call('create_template', hello);
  await call('update_template', { name: 'hello', html: '<p>first</p>', expected_head: 'v1.0' });
  await expect(
    call('update_template', { name: 'hello', html: '<p>second</p>', expected_head: 'v1.0.0' }),
  ).rejects.toMatchObject({
    code: 'head_moved',
    params: { branch: 'main', head: 'v1.0.1', expected: 'v1.0.0' },
    data: { head: 'v1.0.1' },
  });
});

test('a version of a draft branch has no label of its own choice', async () => {
  await call('create_template', hello);
  await call('create_branch', { template: 'hello', name: 'draft' });
  await expect(
    call('update_template', { name: 'hello', branch: 'draft', html: 'x', version: 'v9.0.0' }),
  ).rejects.toMatchObject({
    key: 'validation_failed.draft_version',
  });
});

test('20 changes of one template at once, none of them naming a head, all last', async () => {
  await call('create_template', hello);
  const changes = Array.from({ length: 20 }, (_, i) =>
    call('update_template', { name: 'hello', text: `text ${i}` }),
  );
  const results = await Promise.allSettled(changes);
  const done = results.filter(({ status }) => status === 'fulfilled').length;
  expect((await call('list_versions', { template: 'hello' }))['items']).toHaveLength(done + 1);
  expect(done).toBeGreaterThan(10);
});

test('a stale entity tag is refused', async () => {
  const caller = await newBareCaller(app);
  const tools = useTools(app, caller);
  const { etag } = await tools('create_template', hello);
  const stale = useTools(app, caller, { ifMatch: [String(etag)] });
  expect(await stale('update_template', { name: 'hello', html: 'a' })).toMatchObject({ created: true });
  await expect(stale('update_template', { name: 'hello', html: 'b' })).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  await expect(stale('delete_template', { name: 'hello' })).rejects.toMatchObject({
    code: 'precondition_failed',
  });
});

test('two changes of different fields at once both last', async () => {
  await call('create_template', hello);
  await Promise.all([
    call('update_template', { name: 'hello', subject: 'A subject' }),
    call('update_template', { name: 'hello', text: 'A text' }),
  ]);
  expect(await call('get_template', { name: 'hello', include: 'html' })).toMatchObject({
    subject: 'A subject',
    text: 'A text',
  });
});

test('of 200 writers at once on one branch none is lost, every version has its own name, and the rest are told the head moved', async () => {
  await call('create_template', hello);
  const writers = Array.from({ length: 200 }, (_, i) =>
    call('update_template', { name: 'hello', html: `<p>writer ${i}</p>` }),
  );
  const results = await Promise.allSettled(writers);
  const written = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'head_moved'));
  const labels = new Set(written.map(({ version }) => version));
  expect(labels.size).toBe(written.length);
  const stored: { version: string; parents: string[] }[] = [];
  for (let cursor: unknown; ; ) {
    const page = await call('list_versions', {
      template: 'hello',
      limit: 200,
      ...(cursor ? { cursor } : {}),
    });
    stored.push(...(page['items'] as typeof stored));
    cursor = page['next_cursor'];
    if (!cursor) break;
  }
  expect(stored.length).toBe(written.length + 1);
  for (const label of labels) expect(stored.map(({ version }) => version)).toContain(label);
  // One chain: each version's parent is the one before it.
  expect(stored.map(({ parents }) => parents[0])).toEqual([
    ...stored.slice(1).map(({ version }) => version),
    undefined,
  ]);
});

test('of 40 writers at once who name no head, every one is saved', async () => {
  await call('create_template', {
    name: 'list',
    html: Array.from({ length: 40 }, (_, i) => `<i>${i}.</i>`).join(''),
  });
  const writers = Array.from({ length: 40 }, (_, i) =>
    call('update_template', { name: 'list', edits: [{ old: `>${i}.`, new: `>item ${i}.` }] }),
  );
  expect((await Promise.allSettled(writers)).map(({ status }) => status)).toEqual(
    writers.map(() => 'fulfilled'),
  );
  const { html } = await call('get_template', { name: 'list', include: 'html' });
  expect(html).toBe(Array.from({ length: 40 }, (_, i) => `<i>item ${i}.</i>`).join(''));
});

test('of 200 writers who all read the same head, exactly one writes', async () => {
  await call('create_template', hello);
  const writers = Array.from({ length: 200 }, (_, i) =>
    call('update_template', { name: 'hello', html: `<p>writer ${i}</p>`, expected_head: 'v1.0.0' }),
  );
  const results = await Promise.allSettled(writers);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await call('list_versions', { template: 'hello' }))['items']).toHaveLength(2);
});

test('a word of a 60 kB mail is changed without sending the mail', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => `<p>Row ${index}, with text as mails have it</p>`);
  await call('create_template', { name: 'long', html: rows.join('\n') });
  expect(await call('get_template', { name: 'long', find: 'row 700,' })).toMatchObject({
    version: 'v1.0.0',
    html_part: { total_lines: 1_000, found: 1, text: expect.stringContaining('701| <p>Row 700, with') },
  });
  const edits = [{ old: 'Row 700, with text', new: 'Row 700, with a coupon' }];
  expect(await call('update_template', { name: 'long', edits, expected_head: 'v1.0.0' })).toMatchObject({
    version: 'v1.0.1',
    created: true,
  });
  const whole = await call('get_template', { name: 'long', include: 'html' });
  expect(whole).toMatchObject({ html_lines: 1_000 });
  expect(whole['html']).toBe(rows.join('\n').replace('Row 700, with text', 'Row 700, with a coupon'));
});

test('edits that do not fit are refused, and nothing is saved', async () => {
  await call('create_template', { name: 'hello', html: '<p>Hi</p>\n<p>Hi</p>' });
  const edits = [{ old: 'Hi', new: 'Hello' }];
  await expect(call('update_template', { name: 'hello', edits })).rejects.toMatchObject({
    key: 'validation_failed.edit_repeated',
    params: { lines: '1, 2', count: 2 },
  });
  await expect(call('update_template', { name: 'hello', html: 'x', edits })).rejects.toMatchObject({
    key: 'validation_failed.edit_and_field',
  });
  expect(await call('get_template', { name: 'hello' })).toMatchObject({ version: 'v1.0.0' });
});
