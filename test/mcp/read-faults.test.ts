import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import { defineTool } from '../../tools/contract/define.ts';
import { HTTP_CLIENTS } from './support/clients.ts';
import { type Running, registryOf, startServer } from './support/server.ts';

const SECRET = 'connect ECONNREFUSED postgres://stallhand:hunter2@db.internal';
const OURS = 'Something went wrong on our side.';

/** Tools that requests of every kind that read end at, with the fields those send. */
const TOOLS = [
  failing('list_templates', ['q', 'limit', 'cursor']),
  failing('get_template', ['template', 'include', 'branch', 'environment', 'version']),
  failing('diff_versions', ['template', 'from', 'to']),
  failing('get_job', ['job_id'], new Fault('unavailable.database_busy')),
];

function failing(name: string, fields: readonly string[], error: Error = new Error(SECRET)) {
  return defineTool({
    name,
    title: name,
    description: 'Fails.',
    toolset: 'templates',
    effect: 'read',
    scope: 'templates:read',
    input: z.object(Object.fromEntries(fields.map((field) => [field, z.unknown().optional()]))),
    output: z.object({}),
    run: () => Promise.reject(error),
    examples: [{ title: name, input: {} }],
  });
}

let server: Running;
beforeAll(async () => {
  server = await startServer({ registry: registryOf(TOOLS) });
});
afterAll(() => server.close());

describe.each(HTTP_CLIENTS)('%s', (_name, connect) => {
  test('is told of a failure without its cause, whatever it reads', async () => {
    const client = await connect(server.url);
    const reads = {
      list: () => client.listResources(),
      read: () => client.readResource('template://welcome@main'),
      prompt: () => client.getPrompt('review_changes', { template: 'welcome' }),
      word: () => client.complete('template://{template}@{ref}', 'template', 'wel'),
    };
    for (const read of Object.values(reads)) {
      const error = await read().then(
        () => undefined,
        (thrown: Error & { code?: number }) => thrown,
      );
      expect(error?.code).toBe(-32603);
      expect(error?.message).toContain(OURS);
      expect(error?.message).not.toContain('hunter2');
    }
    await client.close();
  });

  test('is told a fault in its own words', async () => {
    const client = await connect(server.url);
    await expect(client.readResource('job://job_1')).rejects.toThrow(
      'The database is busy. Try again in a moment.',
    );
    await client.close();
  });
});
