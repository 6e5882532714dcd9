import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { localizeFault, plainReader } from '../../src/language.ts';
import { type Connect, HTTP_CLIENTS, outputOf, partsOf, textOf } from './support/clients.ts';
import { createWatch, noteTools } from './support/notes.ts';
import { type Running, registryOf, startServer } from './support/server.ts';

const NOTE = { id: 'note_1', at: '2026-01-02T03:04:05Z', html: 'Hi', count: 1, data: {} };

describe.each(HTTP_CLIENTS)('%s', (_name, connect: Connect) => {
  const watch = createWatch();
  let server: Running;
  beforeAll(async () => {
    server = await startServer({ registry: registryOf(noteTools(watch)) });
  });
  afterAll(() => server.close());

  test('is told what the server is for', async () => {
    const client = await connect(server.url);
    expect(client.instructions()).toContain('search_tools');
    await client.close();
  });

  test('lists the core tools in brief, with their input and the hints that tell something', async () => {
    const client = await connect(server.url);
    const tools = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'create_note',
      'get_note',
      'search_tools',
      'read_tool',
      'run_tool',
    ]);
    expect(tools[1]).toMatchObject({
      title: 'Get a note',
      description: 'Answers with a note of the length asked for.',
      inputSchema: { type: 'object', required: ['id'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(tools[1]).not.toHaveProperty('outputSchema');
    await client.close();
  });

  test('lists the toolsets named in the address, with what their tools answer where it asks for that', async () => {
    const client = await connect(`${server.url}?toolsets=templates&structured=true`);
    const tools = await client.listTools();
    expect(tools.find(({ name }) => name === 'get_note')).toMatchObject({
      outputSchema: { type: 'object', required: ['id', 'html', 'count', 'at', 'data'] },
    });
    expect(tools.map(({ name }) => name)).not.toContain('search_tools');
    await client.close();
  });

  // Both SDKs check the structured content against the output schema they were listed, and throw where it does not fit.
  test.each(['?toolsets=templates&structured=true', '?structured=1'])(
    'gets the output as structured content that fits the output schema, and not as text, at /mcp%s',
    async (query) => {
      const client = await connect(`${server.url}${query}`);
      await client.listTools();
      const answer = await client.callTool('create_note', { html: 'Hi' });
      expect(answer).toMatchObject({ structuredContent: NOTE });
      expect(textOf(answer)).not.toContain('note_1');
      expect(answer.isError).toBeFalsy();
      await client.close();
    },
  );

  test('gets structured content by a header', async () => {
    const client = await connect(server.url, 'key-of-ana', { 'X-MCP-Structured': 'true' });
    await client.listTools();
    const answer = await client.callTool('create_note', { html: 'Hi' });
    expect(answer).toMatchObject({ structuredContent: NOTE });
    expect(answer.isError).toBeFalsy();
    await client.close();
  });

  test('gets a long text cut, in structured content that fits the output schema', async () => {
    const client = await connect(`${server.url}?toolsets=templates&structured=true`);
    await client.listTools();
    const answer = await client.callTool('get_note', { id: 'note_1', length: 20_000 });
    expect(answer.structuredContent).toMatchObject({ html: { bytes: 40_000 } });
    const sent = JSON.stringify(answer.structuredContent) + textOf(answer);
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(24_000);
    await client.close();
  });

  test.each(['', '?toolsets=templates'])('gets the output once, as text, at /mcp%s', async (query) => {
    const client = await connect(`${server.url}${query}`);
    const tools = await client.listTools();
    expect(tools.filter((tool) => tool.outputSchema)).toEqual([]);
    const answer = await client.callTool('create_note', { html: 'Hi' });
    expect([outputOf(answer), answer.structuredContent]).toEqual([NOTE, undefined]);
    await client.close();
  });

  test('gets an output that is a list', async () => {
    const client = await connect(`${server.url}?toolsets=templates&structured=true`);
    await client.listTools();
    const answer = await client.callTool('list_names');
    expect([outputOf(answer), answer.structuredContent]).toEqual([['one', 'two'], undefined]);
    await client.close();
  });

  test('calls a tool that was not listed', async () => {
    const client = await connect(`${server.url}?toolsets=templates&structured=true`);
    const answer = await client.callTool('delete_note', { id: 'note_1' });
    expect(answer).toMatchObject({ structuredContent: { deleted: true } });
    await client.close();
  });

  test('can call a tool without arguments', async () => {
    const client = await connect(server.url);
    const answer = await client.callTool('get_note');
    const summary = 'id: is required';
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toBe(
      localizeFault(new Fault('validation_failed.input', { summary }), plainReader('en')).detail,
    );
    await client.close();
  });

  test('gets malformed arguments back as an error the model can correct', async () => {
    const client = await connect(server.url);
    const answer = await client.callTool('get_note', { id: 'note_1', length: -1, colour: 'red' });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^.*length: .*; colour: .*$/);
    expect(answer._meta).toMatchObject({
      code: 'validation_failed',
      status: 422,
      request_id: expect.stringMatching(/^req_/),
    });
    await client.close();
  });

  test('gets what a fault carries, with texts of the account fenced as data', async () => {
    const client = await connect(server.url);
    const answer = await client.callTool('change_note', { id: 'note_1' });
    expect(answer._meta).toMatchObject({ code: 'merge_conflict', status: 409 });
    expect(partsOf(textOf(answer))).toEqual({
      said: localizeFault(new Fault('merge_conflict.fields', { count: 1 }), plainReader('en')).detail,
      data: '{"merge_token":"mt_1","conflicts":[{"id":"c1","ours":"<p>a</p>","theirs":"<p>b</p>"}]}',
    });
    await client.close();
  });

  test('is told when to try again', async () => {
    const client = await connect(server.url);
    const answer = await client.callTool('send_note', { id: 'note_1' });
    expect(answer).toMatchObject({
      isError: true,
      _meta: { code: 'unavailable', status: 503, retry_after: 7 },
    });
    await client.close();
  });

  test('learns nothing of the cause of a fault of ours', async () => {
    const client = await connect(server.url);
    const answer = await client.callTool('break_notes');
    expect(answer).toMatchObject({ isError: true, _meta: { code: 'internal', status: 500 } });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
    await client.close();
  });

  test('is told which scope its key lacks', async () => {
    const client = await connect(server.url, 'reading-key-of-ana');
    const answer = await client.callTool('create_note', { html: 'Hi' });
    expect(answer).toMatchObject({ isError: true, _meta: { code: 'insufficient_scope', status: 403 } });
    expect(textOf(answer)).toContain('templates:write');
    await client.close();
  });

  test('reads errors in its own language', async () => {
    const client = await connect(server.url, 'key-of-ana', { 'Accept-Language': 'es-MX,es;q=0.9' });
    const english = await connect(server.url, 'key-of-ana', { 'Accept-Language': 'en' });
    const args = { id: 'note_1', length: 1.5 };
    expect(textOf(await client.callTool('get_note', args))).toContain('debe ser un número entero');
    expect(textOf(await english.callTool('get_note', args))).toContain('must be a whole number');
    await Promise.all([client.close(), english.close()]);
  });

  test('asking for a tool that does not exist is told the closest name', async () => {
    const client = await connect(server.url);
    await expect(client.callTool('note_create', { html: '' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/'note_create'.*'create_note'.*search_tools/),
    });
    await client.close();
  });

  test('is told how far a call is, upwards, and at the end that it is done', async () => {
    const client = await connect(server.url);
    const notices: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const onprogress = (notice: (typeof notices)[number]) => {
      notices.push(notice);
      if (notice.progress === 1000) watch.heard.resolve();
    };
    const answer = await client.callTool('count_notes', { to: 1000 }, { onprogress });
    expect(outputOf(answer)).toEqual({ count: 1000 });
    expect(notices[0]).toEqual({ progress: 1, total: 1000, message: 'note 1' });
    expect(notices.at(-1)).toEqual({ progress: 1000, total: 1000, message: 'note 1000' });
    await client.close();
  });

  test('ends a call by cancelling it', async () => {
    const client = await connect(server.url);
    const cancel = new AbortController();
    const call = client.callTool('watch_notes', {}, { signal: cancel.signal });
    await watch.started.promise;
    cancel.abort();
    await expect(call).rejects.toThrow();
    await watch.aborted.promise;
    await client.close();
  });
});

// In the revisions between these two, a stream that breaks may be taken up again, so its calls go on.
describe.each(HTTP_CLIENTS.filter(([name]) => /2026-07-28|SSE/.test(name)))(
  '%s that leaves',
  (_name, connect) => {
    test('ends the call it was waiting for', async () => {
      const watch = createWatch();
      const server = await startServer({ registry: registryOf(noteTools(watch)) });
      const client = await connect(server.url);
      const call = client.callTool('watch_notes').catch(() => 'gone');
      await watch.started.promise;
      await client.close();
      await watch.aborted.promise;
      expect(await call).toBe('gone');
      await server.close();
    });
  },
);
