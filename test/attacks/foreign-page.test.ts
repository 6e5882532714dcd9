import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAGS } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { silentLog } from '../support/app.ts';
import { type Exchange, startRecorder } from './recorder.ts';
import { type StartedServer, startServer } from './started-server.ts';

// A page on another port of this machine, in a real browser, against the server as `npm start` gives it: without
// credentials, so that a caller who gets through is the owner.

const script = await readFile(new URL('page-script.js', import.meta.url), 'utf8');

let server: StartedServer;
let recorder: Awaited<ReturnType<typeof startRecorder>>;
let foreign: Server;
let browser: Browser;
let page: Page;
/** What the operations are about. */
let ids: Record<'key' | 'store' | 'sheet' | 'config' | 'run' | 'video' | 'account', string>;

beforeAll(async () => {
  server = await startServer({ MCP_ENABLED: 'true', VIDEO_WORKERS: '0' });
  ids = await fill(server.rest);
  recorder = await startRecorder(server.port);
  foreign = createServer((req, res) => {
    const to = new URL(req.url ?? '', 'http://here').searchParams.get('to');
    if (to) res.writeHead(307, { location: to, 'access-control-allow-origin': '*' }).end();
    else if (req.url === '/script.js') res.setHeader('content-type', 'text/javascript').end(script);
    else res.setHeader('content-type', 'text/html').end('<body><script src="/script.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  const { executable, kind, environment } = await resolveBrowser({ log: silentLog });
  browser = await launch({
    executablePath: executable,
    headless: kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...process.env, LANG: 'en_US.UTF-8', ...environment },
    // It may reach this machine, unlike the browsers of the product, and open windows without a click.
    args: [
      '--no-sandbox',
      '--disable-popup-blocking',
      ...FLAGS.filter((flag) => !/prox|resolver/.test(flag)),
    ],
  });
  page = await browser.newPage();
  await page.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await browser?.close();
  foreign?.closeAllConnections();
  foreign?.close();
  await recorder?.close();
  await server?.stop();
});

type Rest = StartedServer['rest'];

/** An account that has something of everything. */
async function fill(rest: Rest): Promise<typeof ids> {
  const send = async (method: string, path: string, body: object) => {
    const answer = await rest(method, path, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const idOf = async (path: string, body: object) => String((await send('POST', path, body))['id']);
  await send('POST', '/v1/templates', { name: 'victim', html: '<p>one {{name}}</p>' });
  await send('PATCH', '/v1/templates/victim', { html: '<p>two {{name}}</p>' });
  await send('POST', '/v1/templates/victim/promote', { to: 'production', version: 'v1.0.1' });
  await send('PATCH', '/v1/templates/victim', { html: '<p>three {{name}}</p>' });
  await send('POST', '/v1/templates/victim/branches', { name: 'draft' });
  await send('POST', '/api/v1/generate', { topic: 'bread', provider: 'builtin' });
  const key = await idOf('/api/v1/api-keys', { name: 'script', scopes: ['templates:read'] });
  const video = await idOf('/videos', { title: 'Bread at seven', duration: 3 });
  const store = await idOf('/sync/store', { domain: 'demo.myshopify.com', store_access_token: 'demo' });
  const tokens = { access_token: 'demo', refresh_token: 'demo' };
  const sheet = await idOf('/sync/sheet', { spreadsheet_id: 'demo', name: 'Demo', ...tokens });
  const mappings = [
    { sheet_column: 'SKU', store_field: 'sku' },
    { sheet_column: 'Stock', store_field: 'inventory_quantity' },
  ];
  const pair = { store_id: store, sheet_id: sheet, direction: 'two_way' };
  const config = await idOf('/sync/config', { ...pair, mappings });
  const run = String((await send('POST', '/sync/run', { config_id: config }))['run_id']);
  const account = String((await rest('GET', '/api/v1/user/profile')).body['name']);
  return { key, store, sheet, config, run, video, account };
}

const STATE = [
  ...['/v1/templates', '/v1/templates/victim', '/v1/templates/victim/versions', '/v1/environments'],
  ...['/v1/templates/victim/branches', '/v1/templates/victim/environments/production/history', '/v1/audit'],
  ...['/videos', '/video-templates', '/api/v1/user/usage', '/api/v1/history', '/api/v1/brand-voices'],
  ...['/sync/stores', '/sync/sheets', '/sync/configs', '/sync/history', '/sync/conflicts', '/v1/jobs'],
  ...['/api/v1/user/profile', '/api/v1/members', '/api/v1/api-keys', '/api/v1/user/export'],
  ...['/api/v1/billing/summary', '/api/v1/billing/invoices', '/api/v1/auth/me'],
];

/** Everything the account has, as its owner reads it. */
async function stateOf(rest: Rest): Promise<Record<string, unknown>> {
  const answers = STATE.map(async (path) => {
    const { status, body } = await rest('GET', path);
    const { exported_at: _now, ...kept } = body;
    return [path, [status, kept]] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

type Operation = {
  readonly name: string;
  readonly how: string;
  readonly path: string;
  readonly method?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
};

const TEMPLATE = { name: 'pwned', html: 'evil' };
const TEMPLATES = '/v1/templates';
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const CALL = rpc('tools/call', { name: 'create_template', arguments: TEMPLATE });

const operations = (): readonly Operation[] => [
  // One operation, in every way there is to send it.
  { name: 'create a template: fields in the query', how: 'query', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: JSON as text', how: 'text', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: JSON without a type', how: 'untyped', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: JSON', how: 'json', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: readable request', how: 'cors', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: XMLHttpRequest', how: 'xhr', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: keepalive', how: 'keepalive', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: forged headers', how: 'forged', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: without a referrer', how: 'unnamed', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: redirected', how: 'redirected', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: beacon', how: 'beacon', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: JSON beacon', how: 'json beacon', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: form', how: 'form', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: multipart form', how: 'multipart', path: TEMPLATES, fields: TEMPLATE },
  {
    name: 'create a template: form that reads as JSON',
    how: 'form as JSON',
    path: TEMPLATES,
    fields: TEMPLATE,
  },
  {
    name: 'create a template: form with a query',
    how: 'form with a query',
    path: TEMPLATES,
    fields: TEMPLATE,
  },
  { name: 'create a template: form in a window', how: 'form in a window', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: sandboxed frame', how: 'sandboxed', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: data: page', how: 'data page', path: TEMPLATES, fields: TEMPLATE },
  { name: 'create a template: worker', how: 'worker', path: TEMPLATES, fields: TEMPLATE },
  // What would hurt, in the way that is most likely to work.
  {
    name: 'change a template',
    how: 'json',
    method: 'PATCH',
    path: `${TEMPLATES}/victim`,
    fields: { html: 'evil' },
  },
  {
    name: 'promote',
    how: 'query',
    path: `${TEMPLATES}/victim/promote`,
    fields: { to: 'production', from: 'main' },
  },
  {
    name: 'roll back',
    how: 'form with a query',
    path: `${TEMPLATES}/victim/rollback`,
    fields: { environment: 'production' },
  },
  { name: 'merge a branch', how: 'bare', path: `${TEMPLATES}/victim/branches/draft/merge` },
  { name: 'delete a template', how: 'method', method: 'DELETE', path: `${TEMPLATES}/victim` },
  {
    name: 'delete a template by a form',
    how: 'form',
    path: `${TEMPLATES}/victim`,
    fields: { _method: 'DELETE' },
  },
  {
    name: 'protect an environment',
    how: 'json',
    method: 'PATCH',
    path: '/v1/environments/production',
    fields: { freeze: true },
  },
  {
    name: 'generate hooks',
    how: 'query',
    path: '/api/v1/generate',
    fields: { topic: 'evil', provider: 'builtin' },
  },
  {
    name: 'generate hooks as events',
    how: 'events',
    path: '/api/v1/generate',
    fields: { topic: 'evil', provider: 'builtin' },
  },
  { name: 'create a video', how: 'query', path: '/videos', fields: { title: 'evil', duration: 3 } },
  { name: 'cancel a video', how: 'bare', path: `/videos/${ids.video}/cancel` },
  { name: 'create an API key', how: 'query', path: '/api/v1/api-keys', fields: { name: 'evil' } },
  { name: 'rotate an API key', how: 'bare', path: `/api/v1/api-keys/${ids.key}/rotate` },
  {
    name: 'invite a member',
    how: 'query',
    path: '/api/v1/members',
    fields: { email: 'evil@evil.example', role: 'admin' },
  },
  {
    name: 'delete the account',
    how: 'method',
    method: 'DELETE',
    path: `/api/v1/user?confirm=${ids.account}`,
  },
  { name: 'run a sync', how: 'form with a query', path: '/sync/run', fields: { config_id: ids.config } },
  { name: 'undo a sync run', how: 'bare', path: `/sync/history/${ids.run}/revert` },
  {
    name: 'disconnect a store',
    how: 'method',
    method: 'DELETE',
    path: `/sync/store/${ids.store}?cascade=true`,
  },
  {
    name: 'change stock',
    how: 'json',
    method: 'PUT',
    path: '/sync/demo/stock',
    fields: { side: 'store', sku: 'MUG-SEA', stock: 0 },
  },
  { name: 'call a tool over MCP', how: 'text', path: '/mcp', fields: CALL },
];

const secrets = (): readonly Operation[] => [
  { name: 'fetch', how: 'get', path: TEMPLATES },
  { name: 'opaque fetch', how: 'opaque', path: '/api/v1/user/export' },
  { name: 'script', how: 'script', path: '/api/v1/api-keys' },
  { name: 'module', how: 'import', path: '/api/v1/user/profile' },
  { name: 'style sheet', how: 'style', path: '/api/v1/history/export?format=txt' },
  { name: 'image', how: 'image', path: `/videos/${ids.video}/frame?t=0` },
  { name: 'video', how: 'video', path: `/videos/${ids.video}/file` },
  { name: 'frame', how: 'frame', path: '/docs/api' },
  { name: 'frame of a preview', how: 'frame', path: '/video-templates/default/preview' },
  { name: 'object', how: 'object', path: '/api/v1/user/export' },
  { name: 'window', how: 'window', path: '/v1/templates/victim?include=html' },
  { name: 'events of a video', how: 'stream', path: `/videos/${ids.video}/events` },
  { name: 'events of MCP', how: 'stream', path: '/sse' },
  { name: 'web socket', how: 'socket', path: '/mcp' },
  { name: 'MCP', how: 'cors', path: '/mcp', fields: rpc('tools/list', {}) },
  { name: 'MCP with JSON', how: 'json', path: '/mcp', fields: rpc('tools/list', {}) },
];

type Tried = { readonly read: unknown; readonly statuses: readonly (number | undefined)[] };

/** Tries an operation from a page, and waits until the server has answered what the page sent. */
async function attempt(from: Page, host: string, { how, path, method, fields }: Operation): Promise<Tried> {
  const before = recorder.exchanges.length;
  const given = JSON.stringify([how, `http://${host}:${recorder.port}${path}`, { method, fields }]);
  const read = await from.evaluate(`attack(...${given})`);
  const sent = () => recorder.exchanges.slice(before);
  await expect.poll(() => sent().length > 0 && sent().every(isAnswered)).toBe(true);
  return { read, statuses: sent().map(({ status }) => status) };
}

const isAnswered = ({ status }: Exchange) => status !== undefined;

describe.each([
  ['localhost', 'the same site'],
  ['127.0.0.1', 'another site'],
])('a page on another port that calls %s, for the browser %s', (host) => {
  test('tries 40 operations: none succeeds, and no answer can be read', async () => {
    const before = await stateOf(server.rest);
    const results: unknown[] = [];
    for (const operation of operations()) {
      const { read, statuses } = await attempt(page, host, operation);
      results.push([operation.name, read, statuses]);
    }
    expect(results).toEqual(operations().map(({ name }) => [name, null, [403]]));
    expect(results).toHaveLength(40);
    expect(await stateOf(server.rest)).toEqual(before);
  });

  test('reads nothing, in any way a page can show or run what is elsewhere', async () => {
    const results: unknown[] = [];
    for (const secret of secrets()) results.push([secret.name, (await attempt(page, host, secret)).read]);
    expect(results).toEqual(secrets().map(({ name }) => [name, null]));
  });
});

test('the same script on a page of the server itself can do it, so the attacks can be seen to succeed', async () => {
  const own = await browser.newPage();
  // Our pages load nothing, not even from here: the script is put into one of them by hand.
  await own.setBypassCSP(true);
  await own.goto(`http://localhost:${recorder.port}/health`);
  await own.evaluate(script);
  const before = await stateOf(server.rest);
  const done: unknown[] = [];
  for (const operation of [
    { name: 'create', how: 'json', path: TEMPLATES, fields: TEMPLATE },
    { name: 'promote', how: 'json', path: `${TEMPLATES}/victim/promote`, fields: { to: 'production' } },
    { name: 'merge', how: 'bare', path: `${TEMPLATES}/victim/branches/draft/merge` },
    { name: 'hooks', how: 'json', path: '/api/v1/generate', fields: { topic: 'tea', provider: 'builtin' } },
    { name: 'video', how: 'json', path: '/videos', fields: { title: 'Tea', duration: 3 } },
    { name: 'sync', how: 'json', path: '/sync/run', fields: { config_id: ids.config } },
    { name: 'delete', how: 'method', method: 'DELETE', path: `${TEMPLATES}/pwned` },
    { name: 'read', how: 'get', path: TEMPLATES },
    { name: 'fields in the query', how: 'query', path: TEMPLATES, fields: TEMPLATE },
  ]) {
    const { read, statuses } = await attempt(own, 'localhost', operation);
    done.push([operation.name, read !== null, statuses]);
  }
  expect(done).toEqual([
    ['create', true, [201]],
    ['promote', true, [200]],
    ['merge', true, [200]],
    ['hooks', true, [200]],
    ['video', true, [200]],
    ['sync', true, [200]],
    ['delete', true, [200]],
    ['read', true, [200]],
    ['fields in the query', true, [422]],
  ]);
  expect(await stateOf(server.rest)).not.toEqual(before);
});

test('a file is shown on other pages by its link, and only by that', async () => {
  const picture = { template: 'victim', format: 'png', data: { name: 'Ana' } };
  const exported = await server.rest('POST', '/v1/export', {
    body: picture,
    headers: { accept: 'application/json' },
  });
  const { pathname, search } = new URL(String(exported.body['url']));
  const shown = { name: 'by its link', how: 'image', path: pathname + search };
  expect(await attempt(page, '127.0.0.1', shown)).toEqual({ read: 'loaded', statuses: [200] });
  const bare = { name: 'without it', how: 'image', path: pathname };
  expect(await attempt(page, '127.0.0.1', bare)).toEqual({ read: null, statuses: [403] });
});

test('a preview opens in a window, where it runs without our origin', async () => {
  const preview = await browser.newPage();
  const answer = await preview.goto(`http://localhost:${recorder.port}/video-templates/default/preview`);
  expect(answer?.status()).toBe(200);
  expect(await preview.evaluate('[origin, document.querySelector("#stage") !== null]')).toEqual([
    'null',
    true,
  ]);
});
