import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import { defineTool } from '../../tools/contract/define.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import type { RawTool } from '../../tools/mcp/mcp.ts';
import { serveStdioMcp } from '../../tools/mcp/serve-stdio.ts';
import type { OpenPartner, PartnerEvents } from '../../tools/mcp/stdio/conversation.ts';
import { startInProcess } from '../../tools/mcp/stdio/in-process.ts';
import { holdStdioConversation } from '../../tools/mcp/stdio/stdio.ts';
import { silentLog } from '../support/app.ts';
import { noApp } from '../support/no-app.ts';
import { outputOf, textOf } from './support/clients.ts';
import { noteTools } from './support/notes.ts';
import { registryOf } from './support/server.ts';

const CALLER = { accountId: 'acc_local', actor: 'local', scopes: SCOPES, via: 'local' } as const;
const MOVED = 'The process that had the database open ended during this call';

type Held = { readonly started: PromiseWithResolvers<void>; readonly go: PromiseWithResolvers<void> };
const held = (): Held => ({ started: Promise.withResolvers(), go: Promise.withResolvers() });

/** Tools that take as long as a test wants: of the first partner, then of the second, and so on. */
function waitingTools(turns: Held[]) {
  const wait = async () => {
    const turn = turns.shift();
    turn?.started.resolve();
    await turn?.go.promise;
    return { waited: true };
  };
  const shared = {
    title: 'Wait',
    description: 'Waits.',
    toolset: 'templates',
    scope: 'any',
    mcp: { core: true },
    input: z.strictObject({}),
    output: z.object({ waited: z.boolean() }),
    run: wait,
    examples: [{ title: 'wait', input: {} }],
  } as const;
  return [
    defineTool({ ...shared, name: 'read_slowly', effect: 'read' }),
    defineTool({ ...shared, name: 'write_slowly', effect: 'update' }),
  ];
}

const ASK_USER: RawTool = {
  shown: { name: 'ask_user', inputSchema: { type: 'object' } },
  async call(_args, ctx) {
    const form = { type: 'object', properties: {} } as const;
    const { action } = await ctx.mcpReq.elicitInput({ message: 'Sure?', requestedSchema: form });
    return { content: [{ type: 'text', text: action }] };
  },
};

type Options = { readonly turns?: Held[]; readonly failures?: Fault[]; readonly elicits?: true };

/** A conversation whose partners the test counts, fails and ends. */
async function converse(mode: 'legacy' | '2026-07-28', { turns = [], failures = [], elicits }: Options = {}) {
  const registry = registryOf([...noteTools(), ...waitingTools(turns)]);
  const extension = elicits && { tools: [ASK_USER] };
  const common = { log: silentLog, version: '1.2.3', extension };
  const partners: PartnerEvents[] = [];
  const open: OpenPartner = async (events) => {
    const failure = failures.shift();
    if (failure) throw failure;
    partners.push(events);
    const served = { ...common, app: noApp, registry, caller: CALLER, locale: 'en', baseUrl: '' } as const;
    return startInProcess((transport) => serveStdioMcp({ ...served, transport }), events);
  };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const conversation = await holdStdioConversation({
    ...common,
    catalogue: createCatalogue(registry),
    visit: { caller: CALLER, locale: 'en', baseUrl: '' },
    open,
    wire: far,
  });
  const versionNegotiation = { mode: mode === 'legacy' ? mode : { pin: mode } };
  const capabilities = elicits ? { elicitation: {} } : {};
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation, capabilities });
  await client.connect(near);
  return { client, conversation, partners };
}

describe.each(['legacy', '2026-07-28'] as const)('a client of %s', (mode) => {
  test('introductions and lists open nothing; the first call does', async () => {
    const { client, partners } = await converse(mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_note');
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('guide://lint');
    expect(partners).toHaveLength(0);

    const answer = await client.callTool({ name: 'get_note', arguments: { id: 'note_1' } });
    expect(outputOf(answer)).toMatchObject({ id: 'note_1' });
    await client.callTool({ name: 'get_note', arguments: { id: 'note_1' } });
    expect(partners).toHaveLength(1);
    await client.close();
  });

  test('a start that fails is told to who asks for a task', async () => {
    const { client } = await converse(mode, { failures: [new Fault('unavailable.database_full')] });
    const asked = client.request({ method: 'tasks/get', params: { taskId: 'job_x' } }, z.looseObject({}));
    await expect(asked).rejects.toThrow('out of disk space');
    await client.close();
  });

  test('a start that fails is told to the call, and the next call starts again', async () => {
    const failures = [new Fault('unavailable.database_full'), new Fault('unavailable.database_full')];
    const { client, partners } = await converse(mode, { failures });
    const refused = await client.callTool({ name: 'get_note', arguments: { id: 'note_1' } });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('The database is out of disk space.');
    await expect(client.readResource({ uri: 'guide://lint' })).rejects.toThrow('out of disk space');

    const answer = await client.callTool({ name: 'get_note', arguments: { id: 'note_1' } });
    expect(outputOf(answer)).toMatchObject({ id: 'note_1' });
    expect(partners).toHaveLength(1);
    await client.close();
  });

  test('when a partner ends, a read is asked again of the next, a write is told of', async () => {
    const turns = [held(), held(), held()];
    const { client, partners } = await converse(mode, { turns });
    const read = client.callTool({ name: 'read_slowly', arguments: {} });
    const write = client.callTool({ name: 'write_slowly', arguments: {} });
    await Promise.all(turns.slice(0, 2).map(({ started }) => started.promise));
    partners[0]?.closed();
    turns[0]?.go.resolve();

    const told = await write;
    expect(told.isError).toBe(true);
    expect(textOf(told)).toContain(MOVED);
    // The second partner's turn is the one that is left.
    for (const { go } of turns) go.resolve();
    expect(outputOf(await read)).toEqual({ waited: true });
    expect(partners).toHaveLength(2);
    await client.close();
  });

  test('a partner that is left has answered before, and the next call opens another', async () => {
    const turn = held();
    const { client, conversation, partners } = await converse(mode, { turns: [turn] });
    const write = client.callTool({ name: 'write_slowly', arguments: {} });
    await turn.started.promise;
    const left = conversation.leave();
    const next = client.callTool({ name: 'get_note', arguments: { id: 'note_1' } });
    turn.go.resolve();
    expect(outputOf(await write)).toEqual({ waited: true });
    await left;
    expect(outputOf(await next)).toMatchObject({ id: 'note_1' });
    expect(partners).toHaveLength(2);
    await client.close();
  });
});

test('a call that waits for the start hears so, and its own progress after it', async () => {
  const { client } = await converse('legacy');
  const heard: unknown[] = [];
  const onprogress = (notice: unknown) => heard.push(notice);
  await client.callTool({ name: 'get_note', arguments: { id: 'note_1' } }, { onprogress });
  expect(heard).toEqual([{ progress: 0, message: 'starting' }]);
  await client.close();
});

test('a question of a partner reaches the client, and an answer for an earlier one does not', async () => {
  const asked: string[] = [];
  const answers: PromiseWithResolvers<{ action: 'accept' }>[] = [];
  const { client, partners } = await converse('legacy', { elicits: true });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    const answer = Promise.withResolvers<{ action: 'accept' }>();
    answers.push(answer);
    return answer.promise;
  });
  const first = client.callTool({ name: 'ask_user', arguments: {} });
  await until(() => asked.length === 1);
  partners[0]?.closed();
  expect(textOf(await first)).toContain(MOVED);

  const second = client.callTool({ name: 'ask_user', arguments: {} });
  await until(() => asked.length === 2);
  answers[0]?.resolve({ action: 'accept' });
  // The next answer of the same client comes after it.
  await client.ping();
  const isDone = await Promise.race([second.then(() => true), Promise.resolve(false)]);
  expect(isDone).toBe(false);
  answers[1]?.resolve({ action: 'accept' });
  expect(textOf(await second)).toBe('accept');
  await client.close();
});

async function until(passes: () => boolean): Promise<void> {
  while (!passes()) await new Promise(setImmediate);
}
