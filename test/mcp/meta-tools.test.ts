import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { unknownTool } from '../../tools/contract/unknown-tool.ts';
import { createSearchTools } from '../../tools/meta/search-tools.ts';
import { type Connection, HTTP_CLIENTS, outputOf, textOf } from './support/clients.ts';
import { noteTools } from './support/notes.ts';
import { type Running, registryOf, startServer } from './support/server.ts';

const [[, connect]] = HTTP_CLIENTS as [(typeof HTTP_CLIENTS)[number]];

describe('search_tools', () => {
  const search = createSearchTools(noteTools());
  const found = async (query: string, limit = 5) => {
    // Input and call are what invoke would hand over; the tool uses only the scopes of the call.
    const output = (await search.run({ query, limit } as never, { caller: { scopes: SCOPES } } as never)) as {
      items: { name: string }[];
    };
    return output.items.map((item) => item.name);
  };

  test.each([
    ['delete', ['delete_note']],
    ['DELETING a note for good', ['delete_note']],
    ['borrar', ['delete_note']],
    ['send it to another system', ['send_note']],
    ['zebra', []],
    ['a', []],
  ])('%j finds first %j', async (query, first) => {
    expect((await found(query)).slice(0, 1)).toEqual(first);
  });

  test('a word that few tools have counts for more than one that all have', async () => {
    expect((await found('print note', 20))[0]).toBe('print_notes');
    expect((await found('counts', 20))[0]).toBe('count_notes');
  });

  test('gives no more than asked for', async () => {
    expect(await found('note', 2)).toHaveLength(2);
  });
});

describe('a tool that does not exist', () => {
  const known = ['render_template', 'create_branch', 'list_branches'];

  test.each([
    ['template_render', 'render_template'],
    ['renderTemplate', 'render_template'],
    ['render_templates', 'render_template'],
    ['list_branch', 'list_branches'],
  ])('%s was probably meant to be %s', (name, suggestion) => {
    expect(unknownTool(name, known)).toMatchObject({
      key: 'not_found.tool_close',
      params: { name, suggestion },
    });
  });

  test('that is like no other gets no suggestion', () => {
    expect(unknownTool('buy_milk', known)).toMatchObject({
      key: 'not_found.tool',
      params: { name: 'buy_milk' },
    });
  });
});

describe('run_tool', () => {
  let server: Running;
  let client: Connection;
  beforeAll(async () => {
    server = await startServer({ registry: registryOf(noteTools()) });
    client = await connect(server.url);
    await client.listTools();
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });
  const run = (name: string, args?: object) =>
    client.callTool('run_tool', { name, ...(args ? { arguments: args } : {}) });

  test('runs a tool found by search_tools with the arguments that its schema asks for', async () => {
    const search = await client.callTool('search_tools', { query: 'delete note', limit: 1 });
    expect(textOf(search)).toBe(
      'delete_note (delete): Deletes a note for good\n' +
        '  arguments: {"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}',
    );
    const answer = await run('delete_note', { id: 'note_1' });
    expect(outputOf(answer)).toEqual({ deleted: true });
  });

  test('answers with the faults of the tool it runs', async () => {
    expect(await run('send_note', { id: 'note_1' })).toMatchObject({
      isError: true,
      _meta: { code: 'unavailable', retry_after: 7 },
    });
    expect(textOf(await run('delete_note'))).toContain('id: ');
  });

  test('asks for the scope of the tool it runs', async () => {
    const reading = await connect(server.url, 'reading-key-of-ana');
    const answer = await reading.callTool('run_tool', { name: 'delete_note', arguments: { id: 'note_1' } });
    expect(answer).toMatchObject({ isError: true, _meta: { code: 'insufficient_scope' } });
    await reading.close();
  });

  test('suggests the name that was meant, as an error the model can correct', async () => {
    const answer = await run('note_delete', { id: 'note_1' });
    expect(answer).toMatchObject({ isError: true, _meta: { code: 'not_found', status: 404 } });
    expect(textOf(answer)).toContain("Did you mean 'delete_note'?");
  });

  test('reaches nothing outside the TOOLSETS of the operator', async () => {
    const bound = await startServer({ registry: registryOf(noteTools()), bound: { toolsets: ['meta'] } });
    const guest = await connect(bound.url);
    expect(await guest.callTool('run_tool', { name: 'delete_note' })).toMatchObject({
      isError: true,
      _meta: { code: 'not_found' },
    });
    await expect(guest.callTool('delete_note', { id: 'note_1' })).rejects.toMatchObject({ code: -32602 });
    await guest.close();
    await bound.close();
  });

  test('read_tool runs what reads, and sends what writes to run_tool', async () => {
    const read = (name: string, args: object) => client.callTool('read_tool', { name, arguments: args });
    expect(outputOf(await read('get_note', { id: 'note_1' }))).toMatchObject({ id: 'note_1' });
    for (const name of ['create_note', 'replace_note', 'delete_note', 'send_note']) {
      const answer = await read(name, { id: 'note_1' });
      expect(answer).toMatchObject({ isError: true, _meta: { code: 'bad_request' } });
      expect(textOf(answer)).toBe(`${name} changes something. Call it with run_tool.`);
    }
  });

  test('neither runs itself or the other', async () => {
    for (const [outer, inner] of [
      ['read_tool', 'run_tool'],
      ['read_tool', 'read_tool'],
      ['run_tool', 'run_tool'],
    ] as const)
      expect(await client.callTool(outer, { name: inner, arguments: { name: 'get_note' } })).toMatchObject({
        isError: true,
        _meta: { code: 'not_found' },
      });
  });
});
