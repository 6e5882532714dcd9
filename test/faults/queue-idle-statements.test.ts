import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createQueue, type Queue } from '../../src/platform/queue/queue.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const statements: string[] = [];
let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await openTestDatabase({ onQuery: (statement) => statements.push(statement) });
  queue = createQueue({ database, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await queue.close();
  await database.close();
});

const NAMES = ['letters', 'pallets', 'parcels'];

async function add(name: string, id: string): Promise<void> {
  await database.sql.begin((tx) => queue.add(tx, name, [{ accountId: 'acc_test', id, priorAttempts: 0 }]));
}

test('an idle process sends at most one statement a second, whatever it could work on', async () => {
  const handled: string[] = [];
  for (const name of NAMES)
    await queue.work(name, {
      concurrency: 4,
      handle: async ({ id }) => void handled.push(id),
      abandoned: async () => {},
    });
  for (const name of NAMES) await add(name, name);
  await vi.waitFor(() => expect(handled.toSorted()).toEqual(NAMES));
  // The statements that settle those jobs.
  await delay(1_000);
  statements.length = 0;
  await delay(5_000);
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(5);
});

test('a job costs four statements: added, fetched, completed, and the fetch that finds no other', async () => {
  const { promise: handled, resolve: handle } = Promise.withResolvers<void>();
  await queue.work('single', { concurrency: 1, handle: async () => handle(), abandoned: async () => {} });
  await delay(500);
  statements.length = 0;
  await add('single', 'one');
  await handled;
  await delay(500);
  const own = statements.filter((statement) => /'single'|job_common/.test(statement));
  expect(own, own.join('\n')).toHaveLength(4);
});
