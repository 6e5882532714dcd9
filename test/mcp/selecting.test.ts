import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { createLog } from '../../src/platform/log.ts';
import { serveStdioMcp } from '../../tools/mcp/serve-stdio.ts';
import { noApp } from '../support/no-app.ts';
import { type Connect, HTTP_CLIENTS, outputOf, textOf } from './support/clients.ts';
import { noteTools } from './support/notes.ts';
import { type Running, registryOf, startServer } from './support/server.ts';

const JSON_TYPES = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const ANA = { Authorization: 'Bearer key-of-ana', ...JSON_TYPES };
const USUAL = ['create_note', 'get_note', 'search_tools', 'read_tool', 'run_tool'];
const CREATE = { name: 'create_note', arguments: { html: 'Hi' } };

const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const INITIALIZE = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

let server: Running;
beforeAll(async () => {
  server = await startServer({ registry: registryOf(noteTools()) });
});
afterAll(() => server.close());

describe.each(HTTP_CLIENTS)('%s', (_name, connect: Connect) => {
  const listed = async (query: string, headers: Record<string, string> = {}, key = 'key-of-ana') => {
    const client = await connect(`${server.url}${query}`, key, headers);
    const tools = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };

  test.each<[string, Record<string, string>, string[]]>([
    ['', {}, USUAL],
    ['?tools=get_note,send_note', {}, ['get_note', 'send_note']],
    ['', { 'X-MCP-Tools': 'get_note, send_note' }, ['get_note', 'send_note']],
    ['', { 'X-MCP-Toolsets': 'meta' }, ['search_tools', 'read_tool', 'run_tool']],
    ['?exclude=create_note', {}, ['get_note', 'search_tools', 'read_tool', 'run_tool']],
    ['', { 'X-MCP-Exclude-Tools': 'run_tool' }, ['create_note', 'get_note', 'search_tools', 'read_tool']],
    ['?readonly=1', {}, ['get_note', 'search_tools', 'read_tool']],
    ['', { 'X-MCP-Readonly': 'true' }, ['get_note', 'search_tools', 'read_tool']],
    ['?readonly=false', { 'X-MCP-Readonly': 'true' }, ['get_note', 'search_tools', 'read_tool']],
    ['?tools=create_note,get_note', { 'X-MCP-Readonly': '1' }, ['get_note']],
    ['?toolsets=&tools=', { 'X-MCP-Toolsets': '' }, USUAL],
  ])('with %j and %j is listed what it selects', async (query, headers, names) => {
    expect(await listed(query, headers)).toEqual(names);
  });

  test('is listed nothing beyond the scopes of its key, and finds nothing beyond them', async () => {
    expect(await listed('', {}, 'reading-key-of-ana')).toEqual([
      'get_note',
      'search_tools',
      'read_tool',
      'run_tool',
    ]);
    const client = await connect(server.url, 'reading-key-of-ana');
    const found = await client.callTool('search_tools', { query: 'delete a note', limit: 20 });
    expect(textOf(found)).toContain('get_note');
    expect(textOf(found)).not.toContain('delete_note');
    await client.close();
  });

  test('that reads only gets to nothing else by any road', async () => {
    const client = await connect(`${server.url}?readonly=1`);
    await expect(client.callTool('create_note', { html: 'Hi' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool('run_tool', CREATE)).rejects.toMatchObject({ code: -32602 });
    expect(await client.callTool('read_tool', CREATE)).toMatchObject({
      isError: true,
      _meta: { code: 'not_found' },
    });
    const found = await client.callTool('search_tools', { query: 'create delete send note', limit: 20 });
    expect(textOf(found)).not.toMatch(/\((create|update|delete|external)\)/);
    expect(outputOf(await client.callTool('read_tool', { name: 'list_names' }))).toEqual(['one', 'two']);
    await client.close();
  });

  test('that excludes a tool cannot get it through run_tool, and a mistyped name does not suggest it', async () => {
    const client = await connect(`${server.url}?exclude=delete_note`);
    const answer = await client.callTool('run_tool', { name: 'delete_note', arguments: { id: 'note_1' } });
    expect(answer).toMatchObject({ isError: true, _meta: { code: 'not_found' } });
    expect(textOf(answer)).not.toContain("mean 'delete_note'");
    await client.close();
  });
});

describe('a request that selects what does not exist is refused', () => {
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { method: 'POST', headers: { ...ANA, ...headers }, body: '{}' });

  test.each<[string, Record<string, string>, RegExp]>([
    ['/mcp?read_only=true', {}, /'read_only'.*toolsets, tools, exclude, readonly, structured\./],
    ['/mcp?toolset=meta', {}, /'toolset'.*toolsets, tools, exclude, readonly, structured\./],
    ['/mcp?sessionId=x', {}, /'sessionId'/],
    ['/mcp?toolsets=notes', {}, /'notes'.*templates, meta, all\./],
    ['/mcp?tools=note_create', {}, /'note_create'.*create_note, get_note,/],
    ['/mcp?exclude=send_notes', {}, /'send_notes'.*create_note, get_note,/],
    ['/mcp?readonly=yes', {}, /'yes'.*true or false/],
    ['/mcp', { 'X-MCP-Toolsets': 'notes' }, /'notes'.*templates, meta, all\./],
    ['/mcp', { 'X-MCP-Tools': 'note_create' }, /'note_create'/],
    ['/mcp', { 'X-MCP-Exclude-Tools': 'send_notes' }, /'send_notes'/],
    ['/mcp', { 'X-MCP-Readonly': 'on' }, /'on'.*true or false/],
    ['/mcp?structured=yes', {}, /structured is 'yes'. Send true or false/],
    [
      '/messages?sessionId=x&write=1',
      {},
      /'write'.*toolsets, tools, exclude, readonly, structured, sessionId\./,
    ],
  ])('%s %j', async (path, headers, detail) => {
    const response = await post(path, headers);
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'bad_request',
      detail: expect.stringMatching(detail),
    });
  });
});

describe('a session of an older revision', () => {
  const post = (query: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp${query}`, { method: 'POST', headers: { ...ANA, ...headers }, body });
  const open = async (query: string, headers: Record<string, string> = {}) => {
    const response = await post(query, INITIALIZE, headers);
    await response.text();
    return { 'Mcp-Session-Id': response.headers.get('Mcp-Session-Id') ?? '' };
  };
  const create = async (query: string, session: Record<string, string>) =>
    (await post(query, message('tools/call', CREATE), session)).text();

  test.each<[string, Record<string, string>]>([
    ['?readonly=1', {}],
    ['', { 'X-MCP-Readonly': 'true' }],
    ['?exclude=create_note', {}],
  ])(
    'begun with %j and %j keeps to it when later requests leave it out or take it back',
    async (query, headers) => {
      const session = await open(query, headers);
      expect(await create('', session)).toContain('-32602');
      expect(await create('?readonly=false', session)).toContain('-32602');
      expect(await create('?tools=create_note', session)).toContain('-32602');
    },
  );

  test('begun without a selection can be narrowed by a request, for that request', async () => {
    const session = await open('');
    expect(await create('?readonly=1', session)).toContain('-32602');
    expect(await create('', session)).toContain('note_1');
  });

  test('over HTTP+SSE keeps to it too, whatever address its messages are sent to', async () => {
    const stream = await fetch(`${server.url}/sse?readonly=1`, { headers: ANA });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.unreachable();
    const read = async (end: RegExp) => {
      let text = '';
      while (!end.test(text)) text += (await reader.read()).value ?? '';
      return text;
    };
    const sessionId = /sessionId=([\w-]+)/.exec(await read(/sessionId=[\w-]+/))?.[1];
    const send = (body: string) =>
      fetch(`${server.url}/messages?sessionId=${sessionId}`, { method: 'POST', headers: ANA, body });
    await send(INITIALIZE);
    await read(/serverInfo/);
    await send(message('tools/call', CREATE));
    expect(await read(/"id":1/)).toContain('-32602');
    await reader.cancel();
  });
});

test("over stdio, the operator's selection holds for every call", async () => {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const server = serveStdioMcp({
    app: noApp,
    registry: registryOf(noteTools()),
    bound: { readOnly: true },
    caller: { accountId: 'acc_local', actor: 'local', scopes: SCOPES, via: 'local' },
    baseUrl: 'http://stallhand.test',
    locale: 'en',
    log: createLog('silent'),
    version: '1.2.3',
    stdin,
    stdout,
  });
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (text: string) => {
    stdin.write(`${text}\n`);
    return JSON.parse((await lines.next()).value ?? '');
  };
  await ask(INITIALIZE);
  const { result } = await ask(message('tools/list', {}));
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'get_note',
    'search_tools',
    'read_tool',
  ]);
  expect(await ask(message('tools/call', CREATE))).toMatchObject({ error: { code: -32602 } });
  await server.close();
});
