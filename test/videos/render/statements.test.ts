import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { ask, endOf, openAccount, openNode, stopNodes } from './workshop.ts';

const statements: string[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase({ onQuery: (statement) => statements.push(statement) });
  await openAccount(database);
});
afterEach(stopNodes);
afterAll(() => database.close());

test.each([1, 4])(
  'a followed video of a second costs at most 80 statements, with %i workers',
  async (workers) => {
    const { videos } = await openNode(database, { workers });
    await endOf(videos, (await ask(videos, { title: `warm ${workers}`, duration: 1 })).id);
    await delay(500);
    statements.length = 0;
    const video = await endOf(videos, (await ask(videos, { title: `new ${workers}`, duration: 1 })).id);
    // The queue settles the last step after the video has ended.
    await delay(500);
    expect(video.status).toBe('completed');
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(80);
  },
);
