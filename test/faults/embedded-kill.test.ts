import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Sql } from '../../src/platform/database/database.ts';
import { copyEmbedded } from '../support/database.ts';
import { startChild } from './children.ts';

const EXAMPLE = fileURLToPath(new URL('../platform/database/example-migrations/', import.meta.url));
const ROUNDS = 20;

let place: Awaited<ReturnType<typeof copyEmbedded>>;
beforeAll(async () => {
  place = await copyEmbedded(EXAMPLE);
});
afterAll(() => place.drop());

test(`after each of ${ROUNDS} kills in the middle of writes, every acknowledged write is there and sums are exact`, async () => {
  await look(async (sql) => {
    await sql`insert into counters select 'c' || n, 1000 from generate_series(0, 3) n`;
  });
  const known = { there: new Set<number>(), gone: new Set<number>() };
  const reopenings: number[] = [];
  let first = 1;

  for (let round = 0; round < ROUNDS; round++) {
    const writer = startChild('writer', place.dataDir, String(first));
    await writer.line((line) => line.startsWith('note'));
    // Anywhere in the next 600 ms, spread evenly over the rounds.
    await delay((600 * ((round * 7) % ROUNDS)) / ROUNDS);
    await writer.kill();

    for (const line of writer.lines) {
      const [what, id] = line.split(' ');
      if (what === 'note') known.there.add(Number(id));
      if (what === 'gone') known.gone.add(Number(id));
    }
    first = Math.max(0, ...known.there) + 1000;
    const start = performance.now();
    const found = await look(async (sql) => {
      reopenings.push(performance.now() - start);
      return {
        notes: (await sql<{ id: number }[]>`select id from notes`).map(({ id }) => id),
        byIndex: (await sql`select count(*)::int as count from notes where id > 0`)[0]?.['count'],
        torn: (await sql`select id from notes where length(body) not between 350 and 400`).length,
        sum: (await sql`select sum(value)::int as sum from counters where name like 'c_'`)[0]?.['sum'],
      };
    });
    const there = new Set(found.notes);
    expect({
      round,
      lost: [...known.there].filter((id) => !there.has(id) && id % 7 !== 0),
      undead: [...known.gone].filter((id) => there.has(id)),
      ...{ byIndex: found.byIndex, torn: found.torn, sum: found.sum },
    }).toEqual({ round, lost: [], undead: [], byIndex: found.notes.length, torn: 0, sum: 4000 });
  }
  console.info(
    `${known.there.size} acknowledged writes; opened again in ${reopenings.map(Math.round).join(', ')} ms`,
  );
  expect(known.there.size).toBeGreaterThan(ROUNDS);
});

async function look<Result>(at: (sql: Sql) => Promise<Result>): Promise<Result> {
  const database = await openDatabase({ url: undefined, dataDir: place.dataDir });
  try {
    return await at(database.sql);
  } finally {
    await database.close();
  }
}
