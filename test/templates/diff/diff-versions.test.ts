import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productRegistry } from '../../../tools/index.ts';
import { partsOf, toldOf } from '../../mcp/support/read-answer.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';

let app: TestApp;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
  call = useTools(app, await newBareCaller(app));
  await call('create_template', { name: 'welcome', html: '<p>Hello {{name}}</p>\n<p>Bye</p>' });
  const html = '<p>Hello {{name}}, {{coupon}}</p>\n<p>Bye</p>';
  await call('create_template', { from: 'welcome', name: 'black-friday', html });
});
afterAll(() => app.close());

const compare = (input: Record<string, unknown>) => call('diff_versions', { template: 'welcome', ...input });

/** The text of a diff as a model gets it. */
async function readBy(input: Record<string, unknown>): Promise<string> {
  const tool = productRegistry().find('diff_versions');
  if (!tool) throw new Error('no diff_versions');
  return partsOf(toldOf(tool, await compare(input))).data;
}

test.each(['black-friday@main', 'black-friday@production', 'black-friday@v1.0'])(
  'a template is compared with %s',
  async (to) => {
    expect(await compare({ to })).toMatchObject({
      from: 'v1.0.0',
      to: 'black-friday@v1.0.0',
      fields: ['html'],
      stats: { added: 1, removed: 1 },
      breaking: true,
      unified: expect.stringContaining('+<p>Hello {{name}}, {{coupon}}</p>'),
    });
  },
);

test('either side can be of another template', async () => {
  expect(await compare({ from: 'black-friday@main', to: 'main' })).toMatchObject({
    from: 'black-friday@v1.0.0',
    to: 'v1.0.0',
    unified: expect.stringContaining('-<p>Hello {{name}}, {{coupon}}</p>'),
  });
});

test.each([
  ['tokens', { tokens: [{ field: 'html' }] }],
  ['hunks', { hunks: [{ field: 'html' }] }],
  ['schema', { schema_changes: [{ variable: 'coupon', change: 'became_required', breaking: true }] }],
  ['structural', { nodes: expect.any(Array) }],
  ['visual', { image: { filename: 'welcome-v1.0.0-black-friday-v1.0.0.png' }, changed: expect.any(Number) }],
])('two templates are compared as %s', async (format, found) => {
  expect(await compare({ to: 'black-friday@main', format })).toMatchObject(found);
});

test.each([
  ['an unknown template', 'black-frida@main', 'not_found.template_close'],
  ['a name without a version, which is a branch,', 'black-friday', 'not_found.branch'],
  ['an unknown branch of it', 'black-friday@holiday', 'not_found.branch'],
])('%s is not found', async (_case, to, key) => {
  await expect(compare({ to })).rejects.toMatchObject({ key });
});

test.each(['unified', 'hunks', 'schema'])('equal versions say so to a model, as %s', async (format) => {
  expect(await readBy({ from: 'production', to: 'staging', format })).toBe(
    'No differences: v1.0.0 and v1.0.0 have the same content.',
  );
});

test('versions that differ are shown line by line', async () => {
  expect(await readBy({ to: 'black-friday@main' })).toContain('+<p>Hello {{name}}, {{coupon}}</p>');
});

describe('the end of a value', () => {
  test('is not spoken of where neither value ends with a newline', async () => {
    await call('create_template', { name: 'offer', html: '<p>a</p>', subject: 'Mugs' });
    await call('update_template', { template: 'offer', html: '<p>a</p>\n<p>b</p>', subject: 'Cups' });
    const changed = { template: 'offer', from: 'v1.0.0', to: 'main' };
    expect(await readBy(changed)).toBe(
      [
        '--- v1.0.0/html',
        '+++ v1.0.1/html',
        '@@ -1 +1,2 @@',
        ' <p>a</p>',
        '+<p>b</p>',
        '--- v1.0.0/subject',
        '+++ v1.0.1/subject',
        '@@ -1 +1 @@',
        '-Mugs',
        '+Cups',
        '',
      ].join('\n'),
    );
    expect(await compare(changed)).toMatchObject({ stats: { added: 2, removed: 1 } });
    expect(JSON.stringify(await compare({ ...changed, format: 'hunks' }))).not.toContain('no_newline');
  });

  test('is shown where it is what differs', async () => {
    await call('create_template', { name: 'ending', html: '<p>a</p>' });
    await call('update_template', { template: 'ending', html: '<p>a</p>\n' });
    expect(await readBy({ template: 'ending', from: 'v1.0.0', to: 'main' })).toBe(
      '--- v1.0.0/html\n+++ v1.0.1/html\n@@ -1 +1 @@\n-<p>a</p>\n\\ No newline at end of file\n+<p>a</p>\n',
    );
  });
});
