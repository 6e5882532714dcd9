import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openapi } from '../../../http/openapi/openapi.ts';
import { invoke } from '../../../tools/contract/invoke.ts';
import { loadPlugins } from '../../../tools/contract/plugins.ts';
import { productRegistry } from '../../../tools/index.ts';
import { callOf } from '../../support/app.ts';
import { noApp } from '../../support/no-app.ts';

const folder = fileURLToPath(new URL('../plugins', import.meta.url));
// The plug-in of these tests uses nothing of the app.
const call = callOf(noApp, { accountId: 'acc', actor: 'test', scopes: [], via: 'local' });

test('a plug-in with schemas of zod 3 is an operation like any other', async () => {
  const registry = productRegistry(await loadPlugins(folder));
  const tool = registry.find('shout_text');
  if (!tool) throw new Error('not found');
  expect(await invoke(tool, { text: 'hey', times: 2 }, call)).toEqual({
    output: { text: 'HEYHEY' },
    replayed: false,
  });
  await expect(invoke(tool, { text: 7 }, call)).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ loc: ['body', 'text'] }],
  });
  await expect(invoke(tool, { text: 'a', tone: 'b' }, call)).rejects.toMatchObject({
    code: 'validation_failed',
  });
  const operation = openapi(registry, '1').paths['/v1/plugins/shout']?.['post'];
  expect(JSON.stringify(operation)).toContain('What to shout');
});

test.each([
  ['does not load', 'export const a = ;', /broken\.mjs does not load/],
  ['exports nothing', '', /broken\.mjs exports no tool/],
  [
    'exports something else',
    'export const tool = { name: "do_it", run() {} };',
    /without title, description, effect/,
  ],
])('a file that %s stops the start with its name', async (_case, text, message) => {
  const broken = await mkdtemp(join(tmpdir(), 'stallhand-plugins-'));
  await writeFile(join(broken, 'broken.mjs'), text);
  await expect(loadPlugins(broken)).rejects.toThrow(message);
});

test('a folder that is not there stops the start', async () => {
  await expect(loadPlugins('/nowhere')).rejects.toThrow('TOOLS_PATH: cannot read the folder /nowhere');
});
