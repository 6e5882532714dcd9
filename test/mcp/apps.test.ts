import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/identity/caller.ts';
import { hasRest } from '../../tools/contract/define.ts';
import { isForApps } from '../../tools/contract/registry.ts';
import { productRegistry } from '../../tools/index.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import { newKey } from '../support/server.ts';
import { HEADER, openPairs, type Pairs, stocked } from '../support/sync-pairs.ts';
import { connectPlain, connectWithApps, ERAS, type Era } from './support/app-clients.ts';
import { textOf } from './support/read-answer.ts';

/** Each tool with an app, as the list of all tools has it. */
const APP_OF: Readonly<Record<string, string>> = {
  get_template: 'mail',
  render_template: 'mail',
  preview_template: 'mail',
  diff_versions: 'diff',
  create_video: 'video',
  get_video: 'video',
  generate_hooks: 'hooks',
  submit_hooks: 'hooks',
  get_generation: 'hooks',
  preview_sync: 'sync',
  run_sync: 'sync',
  get_sync_run: 'sync',
  revert_sync_run: 'sync',
};
const FOR_APPS = ['promote_confirmed', 'apply_plan', 'undo_run', 'read_for_app'];

let pairs: Pairs;
let key: string;
const clients: Client[] = [];
beforeAll(async () => {
  pairs = await openPairs();
  ({ key } = await newKey(pairs.app));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await pairs.close();
});

async function connect(era: Era = '2026-07-28', query = '', as = key): Promise<Client> {
  const client = await connectWithApps(`${pairs.url}/mcp${query}`, as, era);
  clients.push(client);
  return client;
}

const call = (client: Client, name: string, input: object = {}) =>
  client.callTool({ name, arguments: { ...input } });
const outputOf = (answer: object) => Reflect.get(answer, 'structuredContent') as Record<string, unknown>;
const uiOf = (tool: { _meta?: object | undefined }) => Reflect.get(tool._meta ?? {}, 'ui');
const namesFor = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe.each(ERAS)('a client of the era %s', (era) => {
  test('that shows apps is told which app shows what a tool answers, and which tools only apps call', async () => {
    const { tools } = await (await connect(era, '?toolsets=all')).listTools();
    const told = Object.fromEntries(tools.flatMap((tool) => (tool._meta ? [[tool.name, uiOf(tool)]] : [])));
    expect(told).toEqual({
      ...Object.fromEntries(
        Object.entries(APP_OF).map(([tool, app]) => [tool, { resourceUri: `ui://stallhand/${app}.html` }]),
      ),
      ...Object.fromEntries(FOR_APPS.map((tool) => [tool, { visibility: ['app'] }])),
    });
  });

  test('that shows none sees nothing of them, and calls none of their tools', async () => {
    const client = await connectPlain(`${pairs.url}/mcp?toolsets=all`, key, era);
    clients.push(client);
    const { tools } = await client.listTools();
    expect(tools.filter(({ _meta }) => _meta)).toEqual([]);
    expect(tools.map(({ name }) => name)).not.toEqual(expect.arrayContaining([FOR_APPS[0]]));
    expect((await client.listResources()).resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
    for (const name of FOR_APPS)
      await expect(call(client, name, { plan_id: 'run_x' })).rejects.toThrow(`Tool '${name}' not found`);
    const { _meta } = await call(client, 'submit_hooks', hooksAbout(`a ${era} oven`));
    expect(_meta?.['stallhand/id']).toBeUndefined();
  });

  test('reads each app as one file that declares no outside host', async () => {
    const client = await connect(era);
    const { resources } = await client.listResources();
    const apps = resources.filter(({ uri }) => uri.startsWith('ui:'));
    expect(apps.map(({ uri, mimeType }) => `${uri} ${mimeType}`)).toEqual(
      ['mail', 'diff', 'video', 'hooks', 'sync'].map(
        (name) => `ui://stallhand/${name}.html text/html;profile=mcp-app`,
      ),
    );
    for (const { uri } of apps) {
      const [page] = (await client.readResource({ uri })).contents;
      expect(page).toMatchObject({
        uri,
        mimeType: 'text/html;profile=mcp-app',
        _meta: {
          ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] } },
        },
      });
      const html = String(Reflect.get(page ?? {}, 'text'));
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(60_000);
      expect(html).not.toMatch(/(?:https?:)?\/\/[a-z]|<link|\ssrc=|@import|url\(/i);
      expect(html).toContain("default-src 'none'; script-src 'sha256-");
    }
    await expect(client.readResource({ uri: 'ui://stallhand/../mail.html' })).rejects.toThrow();
  });
});

const hooksAbout = (thing: string) => ({
  topic: 'Sourdough bread',
  hooks: [{ text: `Your sourdough is not flat. You have ${thing}.`, style: 'contrarian' }],
  language: 'en',
});

describe('what a model sees of apps', () => {
  const catalogue = createCatalogue(productRegistry());
  const all = catalogue.select([]);

  test('is nothing: without the parts that hosts keep to themselves, both lists are the same', () => {
    const shown = all
      .listedWithApps({ scopes: SCOPES })
      .filter((tool) => !uiOf(tool)?.visibility)
      .map(({ _meta, ...tool }) => tool);
    expect(shown).toEqual(all.listed({ scopes: SCOPES }));
  });

  test('is the same facts as text', async () => {
    const plain = await connectPlain(`${pairs.url}/mcp`, key, '2026-07-28');
    clients.push(plain);
    const input = { template: 'receipt', fixture: 'sample' };
    const [app, text] = await Promise.all(
      [await connect(), plain].map((client) => call(client, 'render_template', input)),
    );
    const facts = (answer: typeof app) =>
      textOf(answer ?? {}).replaceAll(/data-[0-9a-f]+|"render_ms":[\d.]+/g, '');
    expect(facts(app)).toEqual(facts(text));
    expect(app?.structuredContent).toBeUndefined();
  });

  test('names the ID of what the app shows, and only that', async () => {
    const { _meta } = await call(await connect(), 'submit_hooks', hooksAbout('a cold fridge'));
    expect(_meta?.['stallhand/id']).toMatch(/^gen_\w+$/);
  });

  test.each(FOR_APPS)('does not reach %s through run_tool, read_tool or search_tools', async (name) => {
    const client = await connect();
    for (const by of ['run_tool', 'read_tool']) {
      const answer = await call(client, by, { name, arguments: {} });
      expect([answer.isError, answer._meta?.['code']]).toEqual([true, 'not_found']);
    }
    expect(textOf(await call(client, 'search_tools', { query: name }))).not.toContain(name);
  });

  test('and REST and the command line have none of the tools for apps', () => {
    expect(productRegistry().tools.filter(isForApps).filter(hasRest)).toEqual([]);
  });
});

describe('a tool for apps', () => {
  test('reads the whole of an email that an answer for a model cuts, between marks', async () => {
    const client = await connect();
    const html = `<p>${'Long. '.repeat(20_000)}</p>`;
    await call(client, 'create_template', { name: 'long', html });
    const { structuredContent } = await call(client, 'read_for_app', {
      name: 'render_template',
      arguments: { template: 'long', branch: 'main' },
    });
    const members = Object.keys(structuredContent ?? {});
    expect(members).toEqual([
      expect.stringMatching(/^<data-\w{16}>$/),
      'name',
      'output',
      expect.stringMatching(/^~<\/data-\w{16}>$/),
    ]);
    expect(outputOf({ structuredContent })['output']).toMatchObject({ html: expect.stringContaining(html) });
  });

  test('reads nothing that no app shows', async () => {
    const answer = await call(await connect(), 'read_for_app', { name: 'list_api_keys', arguments: {} });
    expect([answer.isError, answer._meta?.['code']]).toEqual([true, 'validation_failed']);
  });

  test('is not there without the scope, nor its tool for models', async () => {
    const scopes: Scope[] = ['templates:read', 'templates:render'];
    const { key: narrow } = await newKey(pairs.app, scopes);
    const client = await connect('2026-07-28', '', narrow);
    expect(await namesFor(client)).not.toContain('promote_confirmed');
    const answer = await call(client, 'promote_confirmed', SHOWN);
    expect([answer.isError, answer._meta?.['code']]).toEqual([true, 'insufficient_scope']);
    const read = await call(client, 'read_for_app', { name: 'get_sync_run', arguments: { id: 'run_x' } });
    expect([read.isError, read._meta?.['code']]).toEqual([true, 'insufficient_scope']);
  });

  test.each(['?exclude=promote_template', '?readonly=true', '?toolsets=videos'])(
    'is not there where the conversation may not use the one it stands for: %s',
    async (query) => {
      const client = await connect('2026-07-28', query);
      const names = await namesFor(client);
      expect(names).toContain('read_for_app');
      expect(names).not.toContain('promote_confirmed');
      await expect(call(client, 'promote_confirmed', SHOWN)).rejects.toThrow(
        "Tool 'promote_confirmed' not found",
      );
    },
  );

  test('reads nothing with a tool that the conversation may not use', async () => {
    const client = await connect('2026-07-28', '?exclude=render_template');
    const answer = await call(client, 'read_for_app', {
      name: 'render_template',
      arguments: { template: 'welcome' },
    });
    expect([answer.isError, answer._meta?.['code']]).toEqual([true, 'not_found']);
  });
});

const SHOWN = { template: 'welcome', to: 'production', version: 'v1.0.1', replaces: 'v1.0.0' };

describe('a click on Promote', () => {
  test('promotes the version that was shown, once', async () => {
    const client = await connect();
    await call(client, 'update_template', { name: 'welcome', subject: 'Good morning' });
    const promoted = await call(client, 'promote_confirmed', SHOWN);
    expect(outputOf(promoted)).toMatchObject({ status: 'promoted', version: 'v1.0.1', previous: 'v1.0.0' });

    await call(client, 'update_template', { name: 'welcome', subject: 'Good evening' });
    const late = await call(client, 'promote_confirmed', { ...SHOWN, version: 'v1.0.2' });
    expect([late.isError, textOf(late)]).toEqual([
      true,
      'production changed to v1.0.1 during this promotion. Review it, then promote again.',
    ]);
  });

  test.each([
    ['latest', { version: 'latest' }],
    ['a short version', { version: 'v1.0' }],
    ['force', { force: true }],
    ['no word on what is replaced', { replaces: undefined }],
  ])('takes exact versions and nothing else: not %s', async (_name, change) => {
    const answer = await call(await connect(), 'promote_confirmed', { ...SHOWN, ...change });
    expect([answer.isError, answer._meta?.['code']]).toEqual([true, 'validation_failed']);
  });

  test('does not pass the checks of a promotion', async () => {
    const client = await connect();
    await call(client, 'create_template', { name: 'note', html: '<p>Hi</p>', environments: ['production'] });
    await call(client, 'update_template', { name: 'note', html: '<p>Hi {{name}}</p>' });
    const answer = await call(client, 'promote_confirmed', {
      template: 'note',
      to: 'production',
      version: 'v2.0.0',
      replaces: 'v1.0.0',
    });
    expect([answer.isError, answer._meta?.['code']]).toEqual([true, 'breaking_change']);
  });
});

describe('a click on a plan', () => {
  const stock = { products: stocked({ A: 1, B: 2 }), rows: [HEADER, ['A', 10], ['B', 2]] };

  test('applies it once, and undoes it', async () => {
    const pair = await pairs.open(stock);
    const client = await connect('2026-07-28', '', pair.key);
    const planned = await call(client, 'preview_sync', { ...pair.ids, direction: 'sheet_to_store' });
    const plan_id = planned._meta?.['stallhand/id'];
    await call(client, 'apply_plan', { plan_id });
    await expect.poll(() => pair.stock()).toEqual({ A: 10, B: 2 });
    await expect
      .poll(async () => {
        const run = await call(client, 'read_for_app', { name: 'get_sync_run', arguments: { id: plan_id } });
        return outputOf(run)['output'];
      })
      .toMatchObject({ status: 'succeeded', changed: 1 });
    const again = await call(client, 'apply_plan', { plan_id });
    expect([again.isError, again._meta?.['code']]).toEqual([true, 'conflict']);

    await call(client, 'undo_run', { run_id: plan_id });
    await expect.poll(() => pair.stock()).toEqual({ A: 1, B: 2 });
  });

  test("does nothing with another account's plan", async () => {
    const pair = await pairs.open(stock);
    const owner = await connect('2026-07-28', '', pair.key);
    const planned = await call(owner, 'preview_sync', { ...pair.ids, direction: 'sheet_to_store' });
    const id = planned._meta?.['stallhand/id'];
    const stranger = await connect();
    const answers = [
      await call(stranger, 'apply_plan', { plan_id: id }),
      await call(stranger, 'undo_run', { run_id: id }),
      await call(stranger, 'read_for_app', { name: 'get_sync_run', arguments: { id } }),
    ];
    expect(answers.map(({ isError, _meta }) => [isError, _meta?.['code']])).toEqual(
      answers.map(() => [true, 'not_found']),
    );
    expect(pair.stock()).toEqual({ A: 1, B: 2 });
  });
});

const INSPECTOR = new URL(
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  import.meta.url,
);

test.each(['legacy', 'modern'])('the MCP inspector reads every app in the era %s', async (era) => {
  const url = `${pairs.url}/mcp?toolsets=all`;
  const asks = ['--method', 'tools/list', '--app-info', '--advertise-apps', '--protocol-era', era];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [INSPECTOR.pathname, '--cli', url, ...asks, '--header', `Authorization: Bearer ${key}`],
    // It keeps a folder of its own in the home of who runs it.
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, HOME: tmpdir() } },
  );
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const apps = lines.filter(({ hasApp }) => hasApp);
  expect(Object.fromEntries(apps.map(({ toolName, ...rest }) => [toolName, rest]))).toEqual(
    Object.fromEntries(
      Object.entries(APP_OF).map(([tool, app]) => [
        tool,
        {
          hasApp: true,
          resourceUri: `ui://stallhand/${app}.html`,
          resourceMimeType: 'text/html;profile=mcp-app',
          csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
          permissions: { clipboardWrite: {} },
          prefersBorder: true,
        },
      ]),
    ),
  );
});
