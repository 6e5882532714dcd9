import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RateName } from '../../src/platform/rates.ts';
import { createRateLimits } from '../../src/rate-limits/rate-limits.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { samples } from '../support/samples.ts';

let database: TestDatabase;
let queries = 0;
let callers = 0;

beforeAll(async () => {
  database = await openTestDatabase({ onQuery: () => queries++ });
});
afterAll(() => database.close());

/** An account that has made no call yet. */
const someone = () => `acc_${callers++}`;

const START = Date.parse('2026-11-21T12:00:00Z');

/** Nodes of one server, with a clock of the test's. */
function nodes(count: number, rates: Parameters<typeof createRateLimits>[0]['rates'] = {}) {
  const clock = { now: START };
  const made = Array.from({ length: count }, () =>
    createRateLimits({ sql: database.sql, rates, now: () => clock.now }),
  );
  return { clock, made };
}

test('of 200 calls at once on three nodes, exactly the burst of a slow rate is allowed', async () => {
  const { made: limits } = nodes(3);
  const who = someone();
  const states = await Promise.all(
    Array.from({ length: 200 }, (_, at) => limits[at % 3]?.take('generate', who)),
  );
  expect(states.filter((state) => state?.waitSeconds === 0)).toHaveLength(20);
});

test('a slow rate says how much remains, when it is full again, and how long to wait', async () => {
  const { clock, made } = nodes(1);
  const [limits] = made;
  const who = someone();
  const sign = { name: 'sign_in', limit: 5, windowSeconds: 60 };
  const take = () => limits?.take('sign_in', who);
  expect(await take()).toEqual({ ...sign, remaining: 4, resetSeconds: 12, waitSeconds: 0 });
  for (let more = 0; more < 3; more++) await take();
  expect(await take()).toEqual({ ...sign, remaining: 0, resetSeconds: 60, waitSeconds: 0 });
  const refused = { ...sign, remaining: 0, resetSeconds: 60, waitSeconds: 12 };
  expect(await take()).toEqual(refused);
  clock.now += 11_000;
  expect(await take()).toMatchObject({ remaining: 0, waitSeconds: 1 });
  clock.now += 1_000;
  expect(await take()).toEqual({ ...sign, remaining: 0, resetSeconds: 60, waitSeconds: 0 });
  clock.now += 3_600_000;
  expect(await take()).toMatchObject({ remaining: 4, waitSeconds: 0 });
});

test('calls after a refusal cost the database nothing', async () => {
  const { made } = nodes(1);
  const who = someone();
  for (let call = 0; call < 6; call++) await made[0]?.take('sign_in', who);
  queries = 0;
  expect(await made[0]?.take('sign_in', who)).toMatchObject({ waitSeconds: 12 });
  expect(queries).toBe(0);
});

test('callers and kinds of calls have limits of their own', async () => {
  const { made } = nodes(1);
  const [one, other] = [someone(), someone()];
  for (let call = 0; call < 6; call++) await made[0]?.take('sign_in', one);
  expect(await made[0]?.take('sign_in', one)).toMatchObject({ remaining: 0, waitSeconds: 12 });
  expect(await made[0]?.take('sign_in', other)).toMatchObject({ remaining: 4, waitSeconds: 0 });
  expect(await made[0]?.take('generate', one)).toMatchObject({ remaining: 19, waitSeconds: 0 });
});

const moves = fc.array(
  fc.record({ waitMs: fc.nat(20_000), node: fc.nat(2), calls: fc.integer({ min: 1, max: 7 }) }),
  {
    maxLength: 12,
  },
);

test('a slow rate allows what a bucket in one place would, however calls are spread over nodes and time', async () => {
  const rate = { perSecond: 0.5, burst: 5 };
  await fc.assert(
    fc.asyncProperty(moves, async (steps) => {
      const { clock, made } = nodes(3, { sync: rate });
      const who = someone();
      const bucket = { tokens: 5, at: clock.now };
      for (const { waitMs, node, calls } of steps) {
        clock.now += waitMs;
        for (let call = 0; call < calls; call++) {
          bucket.tokens = Math.min(5, bucket.tokens + ((clock.now - bucket.at) / 1000) * rate.perSecond);
          bucket.at = clock.now;
          // Sums of thousandths are not exact in binary.
          const allowed = bucket.tokens > 1 - 1e-9;
          if (allowed) bucket.tokens -= 1;
          const state = await made[node]?.take('sync', who);
          expect(state?.waitSeconds === 0).toBe(allowed);
          expect(state?.remaining).toBe(Math.max(0, Math.floor(bucket.tokens + 1e-9)));
        }
      }
    }),
    { numRuns: samples(25, 8) },
  );
});

test('a fast rate never allows more than burst, what has flowed in, and a lease for each node', async () => {
  const rate = { perSecond: 10, burst: 40 };
  await fc.assert(
    fc.asyncProperty(moves, async (steps) => {
      const { clock, made } = nodes(3, { write: rate });
      const who = someone();
      let allowed = 0;
      for (const { waitMs, node, calls } of steps) {
        clock.now += waitMs / 10;
        for (let call = 0; call < calls * 4; call++)
          if ((await made[node]?.take('write', who))?.waitSeconds === 0) allowed++;
        const flowed = ((clock.now - START) / 1000) * rate.perSecond;
        expect(allowed).toBeLessThanOrEqual(rate.burst + flowed + 3 * rate.perSecond);
      }
    }),
    { numRuns: samples(20, 8) },
  );
});

test('alone on one node, all of the burst of a fast rate can be used, and no more', async () => {
  const { made } = nodes(1);
  const who = someone();
  const states = [];
  for (let call = 0; call < 250; call++) states.push(await made[0]?.take('read', who));
  expect(states.filter((state) => state?.waitSeconds === 0)).toHaveLength(240);
  expect(states.at(-1)).toEqual({
    name: 'read',
    limit: 240,
    windowSeconds: 2,
    remaining: 0,
    resetSeconds: 2,
    waitSeconds: 1,
  });
});

test('a node that holds some of a fast rate leaves most to the others', async () => {
  const { made } = nodes(8);
  const who = someone();
  for (const limits of made) expect(await limits.take('read', who)).toMatchObject({ waitSeconds: 0 });
});

test('a fast rate asks the database once for many calls, and not at all while it is away', async () => {
  const { made } = nodes(1);
  const who = someone();
  await made[0]?.take('read', who);
  queries = 0;
  for (let call = 0; call < 50; call++) await made[0]?.take('read', who);
  expect(queries).toBe(0);
  // Stands for a database that does not answer.
  const gone = Object.assign(() => Promise.reject(new Error('gone')), {}) as unknown as typeof database.sql;
  const alone = createRateLimits({ sql: gone });
  expect(await alone.take('read', who)).toMatchObject({ waitSeconds: 0 });
  await expect(alone.take('generate', who)).rejects.toThrow('gone');
});

test('many calls at once on an empty node ask the database once', async () => {
  const { made } = nodes(1);
  const who = someone();
  queries = 0;
  await Promise.all(Array.from({ length: 40 }, () => made[0]?.take('read', who)));
  expect(queries).toBe(1);
});

test.each<[RateName, number]>([
  ['sign_in', 5],
  ['generate', 20],
  ['sync', 10],
  ['anonymous_generate', 5],
])('of %s, %i calls are allowed at once', async (name, burst) => {
  const { made } = nodes(1);
  const who = someone();
  const states = [];
  for (let call = 0; call <= burst; call++) states.push(await made[0]?.take(name, who));
  expect(states.map((state) => state?.waitSeconds === 0)).toEqual([...Array(burst).fill(true), false]);
});

test('a call that counts for more than the burst begins when all of it is there, and the next wait for the rest', async () => {
  const { clock, made } = nodes(2, { generate: { perSecond: 0.5, burst: 4 } });
  const who = someone();
  const [one, other] = made;
  await one?.take('generate', who);
  expect(await one?.take('generate', who, 10)).toMatchObject({ remaining: 3, waitSeconds: 2 });
  clock.now += 2_000;
  const begun = await one?.take('generate', who, 10);
  expect(begun).toMatchObject({ remaining: 0, resetSeconds: 20, waitSeconds: 0 });
  expect(await other?.take('generate', who)).toMatchObject({ remaining: 0, waitSeconds: 14 });
  clock.now += 14_000;
  expect(await other?.take('generate', who)).toMatchObject({ remaining: 0, waitSeconds: 0 });
});

test('full buckets are swept away, others stay', async () => {
  await database.sql`delete from rate_buckets`;
  const limits = createRateLimits({ sql: database.sql });
  await database.sql`insert into rate_buckets values ('full', now() - interval '1 second', 1)`;
  await limits.take('generate', 'acc_kept');
  await limits.sweep();
  expect((await database.sql`select key from rate_buckets`).map(({ key }) => key)).toEqual([
    'generate acc_kept',
  ]);
});
