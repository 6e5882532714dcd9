import { afterEach, beforeEach, expect, test } from 'vitest';
import { type App, compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Sql } from '../../src/platform/database/database.ts';
import { RATE_NAMES } from '../../src/platform/rates.ts';
import { BREAD, hooksAnswer } from '../hooks/hooks-answer.ts';
import { type ModelServer, startModelServer } from '../peers/model-server.ts';
import { booksOf, heldUnits, mostAtOnce, openQuota } from '../quota/workshop.ts';
import { silentLog } from '../support/app.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { type Answer, newKey, useRest } from '../support/server.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

const PLAN = 50;
const CREDITS = 12;
const UNITS = PLAN + CREDITS;
const HOUR_MS = 3_600_000;
/** What the model of the doomed process answers before it goes silent, and how many calls then wait when it is killed. */
const ANSWERED = 4;
const WAITING = 3;
/** Calls to the others before, so that all are equally fast; units are left after these. */
const WARM = 4;

const RATE_LIMITS = JSON.stringify(
  Object.fromEntries(RATE_NAMES.map((name) => [name, { perSecond: 1_000_000, burst: 1_000_000 }])),
);

let database: TestDatabase;
let app: App;
let models: ModelServer[];
let servers: ServerProcess[];
let key: string;
let accountId: string;

// One embedded database has room for one process.
const onServer = test.runIf(testServer);

beforeEach(async () => {
  if (!testServer) return;
  database = await openTestDatabase();
  app = await compose(database, readConfig({ DATA_DIR: database.dataDir }), silentLog);
  ({ key, accountId } = await newKey(app));
  await app.quota.grantCredits(accountId, { credits: CREDITS, source: 'cs_1' });
  models = await Promise.all([startModelServer(), startModelServer(), startModelServer()]);
  servers = await Promise.all(models.map(({ url }) => start(url)));
});
afterEach(async () => {
  if (!testServer) return;
  await Promise.all(servers.map((server) => server.kill()));
  await Promise.all(models.map((model) => model.close()));
  await app.close();
});

function start(model: string): Promise<ServerProcess> {
  return startProcess(database.dataDir, {
    DATABASE_URL: database.url ?? '',
    AUTH_MODE: 'required',
    OPENAI_API_KEY: 'key-of-the-operator',
    OPENAI_BASE_URL: `${model}/v1`,
    RATE_LIMITS,
  });
}

type Asked = { readonly answers: Answer[]; readonly cut: number };

/** So many requests at once, in turn to each of these servers. Those of a server that dies have no answer. */
async function ask(count: number, of: readonly ServerProcess[]): Promise<Asked> {
  const body = { topic: 'sourdough', language: 'en', provider: 'provider_a', avoid_history: false };
  const asked = Array.from({ length: count }, (_, nth) => {
    const { url = '' } = of[nth % of.length] ?? {};
    const wish = { body: { ...body, count: nth % 2 === 0 ? 3 : 5 } };
    return useRest(url, key)('POST', '/api/v1/generate', wish).catch(() => undefined);
  });
  const answers = (await Promise.all(asked)).filter((answer) => answer !== undefined);
  return { answers, cut: count - answers.length };
}

onServer(
  'kill -9 of one of 3 servers while 200 generate: what was kept is charged, the rest comes back, and in the end exactly 62 hooks are out',
  async () => {
    const [doomed, ...living] = servers;
    const [mute, ...talking] = models;
    if (!doomed || !mute) throw new Error('nothing was started');
    const answer = hooksAnswer(...BREAD);
    mute.script(...Array.from({ length: ANSWERED }, () => answer));
    mute.script(...Array.from({ length: UNITS }, () => ({ silence: true }) as const));
    for (const model of talking) model.script(...Array.from({ length: 2 * UNITS }, () => answer));

    const early = ask(ANSWERED + WAITING, [doomed]);
    await mute.arrived(ANSWERED + WAITING - 1);
    const warm = await ask(WARM, living);
    const asked = talking.map((model) => model.arrived(model.requests.length));
    const crowd = ask(200 - ANSWERED - WAITING - WARM, servers);
    // Somebody gets one of the units that are left, and the others are still fighting for the rest.
    await Promise.race([mute.arrived(ANSWERED + WAITING), ...asked]);
    await doomed.kill();
    const first = [warm, ...(await Promise.all([early, crowd]))];
    const answers = first.flatMap((part) => part.answers);
    const cut = first.reduce((sum, part) => sum + part.cut, 0);
    expect(cut).toBeGreaterThanOrEqual(WAITING);
    const { sql } = database;
    const held = await heldUnits(sql, accountId);
    expect(held).toBeGreaterThanOrEqual(WAITING);
    expect(await chargedUnits(sql)).toBe((await keptHooks(sql)).length + held);

    const { quota, state } = openQuota(sql, { limit: PLAN });
    state.now = Date.now() + HOUR_MS;
    await Promise.all([quota.sweep(), quota.sweep()]);
    expect(await heldUnits(sql, accountId)).toBe(0);
    expect(await chargedUnits(sql)).toBe((await keptHooks(sql)).length);

    const again = await ask(100, living);
    expect(again.cut).toBe(0);
    const kept = await keptHooks(sql);
    expect([kept.length, await chargedUnits(sql)]).toEqual([UNITS, UNITS]);
    const all = [...answers, ...again.answers];
    expect(new Set(all.map(({ status, body }) => body['code'] ?? status))).toEqual(
      new Set([200, 'quota_exhausted']),
    );
    const delivered = all.flatMap(({ body }) => (body['details'] as { id: string }[] | undefined) ?? []);
    // What the killed server had stored and not sent yet is in the history.
    expect(delivered.map(({ id }) => id).filter((id) => !kept.includes(id))).toEqual([]);
    expect(await mostAtOnce(sql, accountId)).toBeLessThanOrEqual(UNITS);
    process.stdout.write(
      `${delivered.length} of ${kept.length} charged hooks reached a client, ${cut} requests were cut, ${held} units were held by the killed\n`,
    );
  },
);

async function chargedUnits(sql: Sql): Promise<number> {
  const { credits, used } = await booksOf(sql, accountId);
  return Object.values(used).reduce((sum, units) => sum + units, 0) + CREDITS - credits;
}

async function keptHooks(sql: Sql): Promise<unknown[]> {
  const rows = await sql`select id from hooks where account_id = ${accountId}`;
  return rows.map(({ id }) => id as unknown);
}
