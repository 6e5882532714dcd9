import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Sql } from '../../src/platform/database/database.ts';
import { booksOf, heldUnits, mostAtOnce, newAccount, openQuota } from '../quota/workshop.ts';
import { copyEmbedded, openTestDatabase, testServer } from '../support/database.ts';
import { type Child, startChild } from './children.ts';

const PLAN = 50;
const CREDITS = 12;
const HOUR_MS = 3_600_000;

type Place = { readonly url: string | undefined; readonly dataDir: string; drop(): Promise<void> };

let place: Place;
let accountId: string;
const children: Child[] = [];

beforeEach(async () => {
  place = testServer ? await ofServer() : await copyEmbedded();
  accountId = await within(async (sql) => {
    await sql`create table deliveries (reservation text primary key, units integer not null)`;
    const id = await newAccount(sql);
    await openQuota(sql).quota.grantCredits(id, { credits: CREDITS, source: 'cs_1' });
    return id;
  });
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await place.drop();
});

async function ofServer(): Promise<Place> {
  const { url, dataDir, close } = await openTestDatabase();
  return { url, dataDir, drop: close };
}

/** Opens the database for this work only: the embedded one admits a single process at a time. */
async function within<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const { sql, close } = await openDatabase(place);
  return work(sql).finally(close);
}

function start(way: 'hang' | 'go'): Child {
  const child = startChild('quota-worker', place.dataDir, place.url ?? '', accountId, way);
  children.push(child);
  return child;
}

/** On a server three processes work at once and one of them is killed; embedded ones follow each other, the first is killed. */
async function workThrough(): Promise<void> {
  const doomed = start('hang');
  await doomed.line((line) => line === 'holding');
  const others = testServer ? [start('go'), start('go')] : [];
  await doomed.line((line) => line === 'turn 50');
  await doomed.kill();
  if (!testServer) others.push(start('go'));
  await Promise.all(others.map((other) => other.line((line) => line === 'turn 150')));
  for (const other of others) expect(await other.stop()).toBe(0);
}

test('kill -9 between reserving and settling: what was delivered is charged, the rest comes back, never more than 62 units are out', async () => {
  await workThrough();
  const acknowledged = children.flatMap(({ lines }) => lines.filter((line) => line.startsWith('delivered')));
  await within(async (sql) => {
    const held = await heldUnits(sql, accountId);
    expect(held).toBeGreaterThanOrEqual(5);
    const { quota, state } = openQuota(sql, { limit: PLAN });
    state.now = Date.now() + HOUR_MS;
    await Promise.all([quota.sweep(), quota.sweep()]);
    expect(await heldUnits(sql, accountId)).toBe(0);

    const { credits, used } = await booksOf(sql, accountId);
    const charged = Object.values(used).reduce((sum, units) => sum + units, 0) + CREDITS - credits;
    const deliveries = await sql`select reservation, units from deliveries`;
    const delivered = deliveries.reduce((sum, { units }) => sum + Number(units), 0);
    expect(charged).toBe(delivered);
    const stored = deliveries.map(({ reservation, units }) => `delivered ${reservation} ${units}`);
    expect(acknowledged.filter((line) => !stored.includes(line))).toEqual([]);

    const most = await mostAtOnce(sql, accountId);
    expect(most).toBeLessThanOrEqual(PLAN + CREDITS);
    process.stdout.write(
      `${delivered} delivered and charged, ${held} held by the killed, at most ${most} at once\n`,
    );
  });
});
