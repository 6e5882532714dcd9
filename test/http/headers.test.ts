import helmet from 'helmet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../tools/contract/define.ts';
import { productRegistry } from '../../tools/index.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';
import { newKey, startTestServer, type TestServer } from '../support/server.ts';

const failOddly = defineTool({
  toolset: 'plugins',
  effect: 'read',
  scope: 'any',
  name: 'fail_oddly',
  title: 'Fail',
  description: 'Fail in a way nobody has foreseen.',
  rest: { route: 'GET /v1/odd' },
  input: z.object({}),
  output: z.object({}),
  async run() {
    throw new Error('odd');
  },
  examples: [{ title: 'one', input: {} }],
});

let app: TestApp;
let server: TestServer;
let links: Record<'page' | 'pdf', string>;
let bearer: Record<string, string>;
let etag: string;

beforeAll(async () => {
  app = await openTestApp();
  const registry = productRegistry([failOddly]);
  server = await startTestServer(app, { PUBLIC_URL: 'https://stall.example' }, { registry });
  const { accountId, key } = await newKey(app);
  await givePlan(app, accountId, 'enterprise');
  bearer = { authorization: `Bearer ${key}` };
  const save = (mediaType: string, filename: string) =>
    app.files.save(accountId, { bytes: Buffer.from('x'), mediaType, filename });
  links = {
    page: (await save('text/html', 'a.html')).path,
    pdf: (await save('application/pdf', 'a.pdf')).path,
  };
  etag = (await fetch(`${server.url}/v1/templates/welcome`, { headers: bearer })).headers.get('etag') ?? '';
});
afterAll(async () => {
  await server.close();
  await app.close();
});

/** What an answer must say of itself, beyond what all say. */
const DATA = {
  csp: "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  opener: 'same-origin',
  embed: 'same-origin',
  cache: 'no-store',
};
const SANDBOX = { ...DATA, csp: "sandbox; frame-ancestors 'self'", opener: 'unsafe-none' };
const SHARED = { ...SANDBOX, embed: 'cross-origin', cache: expect.stringMatching(/^private, max-age=\d+/) };

type Ask = {
  method?: string;
  path: string | (() => string);
  headers?: Record<string, string>;
  body?: string;
};

const key = () => bearer;
const json = { 'content-type': 'application/json' };
const render = JSON.stringify({ template: 'welcome', data: { name: 'Ana' } });

const ANSWERS: readonly (readonly [string, number, Ask & { as?: typeof key }, object])[] = [
  ['JSON of a tool', 200, { path: '/v1/templates', as: key }, DATA],
  ['JSON with an entity tag', 200, { path: '/v1/templates/welcome', as: key }, DATA],
  [
    'nothing new',
    304,
    { path: '/v1/templates/welcome', as: () => ({ ...bearer, 'if-none-match': etag }) },
    DATA,
  ],
  [
    'something new',
    201,
    { method: 'POST', path: '/v1/templates', as: key, headers: json, body: '{"name":"a","html":"b"}' },
    DATA,
  ],
  ['JSON for everybody', 200, { path: '/api/v1/config' }, DATA],
  ['a person', 200, { path: '/api/v1/auth/me', as: key }, DATA],
  ['a table', 200, { path: '/api/v1/history/export?format=csv', as: key }, SANDBOX],
  [
    'HTML that others wrote',
    200,
    { method: 'POST', path: '/v1/render', as: key, headers: { ...json, accept: 'text/html' }, body: render },
    SANDBOX,
  ],
  [
    'a page of ours',
    200,
    { path: '/docs/api' },
    {
      ...DATA,
      csp: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  ],
  [
    'a preview',
    200,
    { path: '/video-templates/default/preview', as: key },
    {
      ...SANDBOX,
      csp: expect.stringMatching(/^sandbox allow-scripts; default-src 'none'; .*; frame-ancestors 'self'$/),
    },
  ],
  [
    'code of a preview',
    200,
    { path: '/video-templates/engine/player.ts' },
    { ...DATA, embed: 'cross-origin', cache: 'public, no-cache' },
  ],
  ['text', 200, { path: '/llms.txt' }, DATA],
  ['OpenAPI', 200, { path: '/openapi.json' }, DATA],
  ['a probe', 200, { path: '/health' }, DATA],
  ['a file by its link', 200, { path: () => links.page }, SHARED],
  [
    'a PDF by its link',
    200,
    { path: () => links.pdf },
    { ...SHARED, csp: "frame-ancestors 'self'", opener: 'same-origin' },
  ],
  [
    'a file of the account',
    200,
    { path: () => String(links.page.split('?')[0]), as: key },
    { ...SHARED, embed: 'same-origin' },
  ],
  ['a wrong link', 404, { path: '/v1/files/fil_1?token=a' }, DATA],
  ['events', 200, { path: '/sse', as: key }, { ...DATA, cache: expect.stringMatching(/no-(store|cache)/) }],
  ['MCP', 400, { method: 'POST', path: '/mcp', as: key, headers: json, body: '{}' }, DATA],
  ['a method that is not there', 405, { method: 'PUT', path: '/mcp', as: key }, DATA],
  ['no body', 200, { method: 'HEAD', path: '/v1/templates', as: key }, DATA],
  ['options', 200, { method: 'OPTIONS', path: '/v1/templates' }, DATA],
  ['broken JSON', 400, { method: 'POST', path: '/v1/templates', as: key, headers: json, body: '{' }, DATA],
  ['no credential', 401, { path: '/v1/templates' }, DATA],
  ['a foreign page', 403, { path: '/v1/templates', headers: { origin: 'https://evil.example' } }, DATA],
  ['a path that is not there', 404, { path: '/nowhere', as: key }, DATA],
  [
    'a body that is no JSON',
    415,
    { method: 'POST', path: '/v1/templates', as: key, headers: { 'content-type': 'text/plain' }, body: 'x' },
    DATA,
  ],
  [
    'an invalid input',
    422,
    { method: 'POST', path: '/v1/templates', as: key, headers: json, body: '{}' },
    DATA,
  ],
  ['an invalid video', 422, { method: 'POST', path: '/videos', as: key, headers: json, body: '{}' }, DATA],
  ['a fault of ours', 500, { path: '/v1/odd', as: key }, DATA],
];

async function ask(url: string, { method = 'GET', path, headers, body, as }: Ask & { as?: typeof key }) {
  const gone = new AbortController();
  const answer = await fetch(`${url}${typeof path === 'string' ? path : path()}`, {
    method,
    headers: { ...headers, ...as?.() },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: gone.signal,
  });
  // Events would go on.
  gone.abort();
  return answer;
}

/** What helmet sets when it is told nothing. */
function defaultHeaders(): string[] {
  const names: string[] = [];
  const res = { setHeader: (name: string) => void names.push(name.toLowerCase()), removeHeader() {} };
  helmet()({} as never, res as never, () => {});
  return names;
}

test.each(ANSWERS)(
  '%s (%i) has every header of helmet and of the OWASP list',
  async (_kind, status, sent, own) => {
    const { status: got, headers } = await ask(server.url, sent);
    expect(got).toBe(status);
    expect(defaultHeaders().filter((name) => !headers.has(name))).toEqual([]);
    expect({
      type: headers.get('x-content-type-options'),
      referrer: headers.get('referrer-policy'),
      https: headers.get('strict-transport-security'),
      frame: headers.get('x-frame-options'),
      filter: headers.get('x-xss-protection'),
      agent: headers.get('origin-agent-cluster'),
      camera: /(^|, )camera=\(\)/.test(headers.get('permissions-policy') ?? ''),
      framework: headers.get('x-powered-by'),
      server: headers.get('server'),
      reading: headers.get('access-control-allow-credentials'),
    }).toEqual({
      type: 'nosniff',
      referrer: 'no-referrer',
      https: 'max-age=31536000; includeSubDomains',
      frame: 'SAMEORIGIN',
      filter: '0',
      agent: '?1',
      camera: true,
      framework: null,
      server: null,
      reading: null,
    });
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors '(none|self)'/);
    expect({
      csp: headers.get('content-security-policy'),
      opener: headers.get('cross-origin-opener-policy'),
      embed: headers.get('cross-origin-resource-policy'),
      cache: headers.get('cache-control'),
    }).toEqual(own);
  },
);

test.each([
  ['without a public address', {}],
  ['with a public address over HTTP', { PUBLIC_URL: 'http://stall.example' }],
])('%s nothing demands HTTPS', async (_case, settings) => {
  const plain = await startTestServer(app, settings as Record<string, string>);
  const { headers } = await ask(plain.url, { path: '/health' });
  expect(headers.get('strict-transport-security')).toBe(null);
  await plain.close();
});
