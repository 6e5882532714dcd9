import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase, type Sql } from '../../src/platform/database/database.ts';
import { mapBounded } from '../../src/platform/map-bounded.ts';
import { RATE_NAMES } from '../../src/platform/rates.ts';
import { type ServerProcess, startProcess } from '../faults/server-process.ts';
import { BREAD, raw } from '../hooks/hooks-answer.ts';
import type { ModelAnswer } from '../peers/model-answer.ts';
import { type ModelRequest, type ModelServer, startModelServer } from '../peers/model-server.ts';
import { silentLog } from '../support/app.ts';
import { copyEmbedded, openTestDatabase, testServer } from '../support/database.ts';
import { useRest } from '../support/server.ts';
import { GOOD, answer as mailAnswer } from '../templates/generation/mail.ts';

/** US dollars a day: of the server, and of each account. */
const CEILING = 3;
const ACCOUNT_CEILING = 0.8;
const CALLS = 1000;
const CONCURRENCY = 60;
/** Requests that the provider has got when a server is killed. */
const KILLED_AFTER = 60;
const PEOPLE = 24;
const OWN_KEY = 'sk-own';

/** What the provider charges, whatever the server believes. The operator has told no price of house-model. */
const LIST: Readonly<Record<string, readonly [number, number]>> = {
  'gpt-5.6-luna': [0.2, 1.2],
  'gpt-5.6-terra': [2, 12],
  'claude-haiku-4-5': [1, 5],
  'house-model': [20, 120],
};
const DEAR: readonly [number, number] = [150, 600];

const SETTINGS = {
  AUTH_MODE: 'required',
  AI_DAILY_BUDGET: String(CEILING),
  AI_ACCOUNT_DAILY_BUDGET: String(ACCOUNT_CEILING),
  AI_MODELS: 'gpt-5.6-terra,house-model',
  AI_OWN_KEYS_TO_BASE_URL: 'true',
  OPENAI_API_KEY: 'key-of-the-operator',
  ANTHROPIC_API_KEY: 'key-of-the-operator',
  // Nothing else may hold the callers back.
  ANONYMOUS_HOOKS: '1000',
  ANONYMOUS_HOOKS_TOTAL: '1000000',
  TRUSTED_PROXIES: 'loopback',
  RATE_LIMITS: JSON.stringify(
    Object.fromEntries(RATE_NAMES.map((name) => [name, { perSecond: 1_000_000, burst: 1_000_000 }])),
  ),
};

type Place = { readonly url: string | undefined; readonly dataDir: string; drop(): Promise<void> };
/** Session tokens of free accounts, the first with verified addresses. */
type People = { readonly verified: readonly string[]; readonly unverified: readonly string[] };

let place: Place;
let model: ModelServer;
let servers: ServerProcess[];
/** The killed server has started again. */
let restarted: Promise<unknown> = Promise.resolve();
let people: People;
const bill = createBill();

beforeAll(async () => {
  place = testServer ? await ofServer() : await copyEmbedded();
  people = await register();
  model = await startModelServer(bill.answer);
  // One embedded database has room for one process.
  servers = await Promise.all(Array.from({ length: testServer ? 2 : 1 }, start));
});
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.kill()));
  await model?.close();
  await place?.drop();
});

async function ofServer(): Promise<Place> {
  const { url, dataDir, close } = await openTestDatabase();
  return { url, dataDir, drop: close };
}

/** Two dozen free accounts, and four whose addresses are not verified. */
async function register(): Promise<People> {
  const database = await openDatabase(place);
  const app = await compose(database, readConfig({ ...SETTINGS, DATA_DIR: place.dataDir }), silentLog);
  const tokens = await mapBounded(
    Array.from({ length: PEOPLE + 4 }, (_, nth) => nth),
    4,
    async (nth) => {
      const email = `p${nth}@shop.example`;
      const person = { email, password: 'correct horse battery', name: '' };
      const entered = await app.signIn.register(person, { address: `192.0.2.${nth}`, locale: 'en' });
      if (entered.state !== 'signed_in') throw new Error(entered.state);
      if (nth < PEOPLE) await database.sql`update users set email_verified = true where email = ${email}`;
      return entered.token;
    },
  );
  await app.close();
  return { verified: tokens.slice(0, PEOPLE), unverified: tokens.slice(PEOPLE) };
}

function start(): Promise<ServerProcess> {
  return startProcess(place.dataDir, {
    ...SETTINGS,
    DATABASE_URL: place.url ?? '',
    OPENAI_BASE_URL: `${model.url}/v1`,
    ANTHROPIC_BASE_URL: model.url,
  });
}

/** The provider's books. It charges every request that it does not reject, in full, as soon as it comes. */
function createBill() {
  const dollars = new Map<string, number>();
  const models = new Set<string>();
  let requests = 0;

  return {
    dollars,
    models,
    answer(request: Omit<ModelRequest, 'outcome'>): ModelAnswer {
      const text = JSON.stringify(request.body);
      const nth = requests++;
      if (nth % 9 === 5) return { fails: 429, headers: { 'retry-after-ms': '1' } };
      const name = String(request.body['model']);
      const [inputPrice, outputPrice] = LIST[name] ?? DEAR;
      // More tokens than any tokenizer makes of a prompt, and an answer to its last token, all written to the cache.
      const input = Math.ceil(text.length / 2);
      const output = Number(request.body['max_completion_tokens'] ?? request.body['max_tokens']);
      const cost = (input * 1.25 * inputPrice + output * outputPrice) / 1e6;
      const isOwn = JSON.stringify(request.headers).includes(OWN_KEY);
      const [who = 'unknown'] = /who-\w+/.exec(text) ?? [];
      const account = isOwn ? 'own key' : who;
      dollars.set(account, (dollars.get(account) ?? 0) + cost);
      if (!isOwn) models.add(name);
      return behave(nth, text, { input, output, streams: request.body['stream'] === true });
    },
    total: () =>
      [...dollars].filter(([who]) => who !== 'own key').reduce((sum, [, dollars]) => sum + dollars, 0),
  };
}

/** Everything a provider does that ends in more requests, or in none that says what it cost. */
function behave(
  nth: number,
  text: string,
  { streams, ...usage }: { input: number; output: number; streams: boolean },
): ModelAnswer {
  const good = text.includes('mail for')
    ? mailAnswer(GOOD).text
    : JSON.stringify({ hooks: BREAD.slice(0, 3).map(raw) });
  if (text.includes('leaves')) return streams ? { pauses: good.slice(0, 40) } : { silence: true };
  if (nth % 9 === 1) return { text: good, usage: null };
  if (nth % 9 === 2) return { text: 'I would rather talk about it.', usage };
  if (nth % 9 === 3) return { cut: good.slice(0, 100), usage };
  if (nth % 36 === 4) return { breaks: good };
  return { text: good, usage };
}

const MODELS = [undefined, 'gpt-5.6-pro-max', undefined, 'gpt-5.6-terra', 'claude-opus-4-1', 'house-model'];

/** One hostile call: a visitor of ever another network, or a free account; either route; sometimes it does not wait. */
async function attack(nth: number): Promise<string> {
  await restarted;
  const { url = '' } = servers[nth % servers.length] ?? {};
  const isVisitor = nth % 5 < 2;
  const isUnverified = nth % 50 === 4;
  const who = nth % PEOPLE;
  const token = isUnverified ? people.unverified[nth % 4] : people.verified[who];
  const marks = `who-${isVisitor ? 'visitor' : who} ${nth % 20 === 7 ? 'leaves' : 'stays'} ${nth}`;
  const name = MODELS[nth % MODELS.length];
  const choice = { provider: nth % 2 ? 'provider_a' : 'provider_b', ...(name && { model: name }) };
  const hooks = { topic: `hooks for ${marks}`, count: 10, language: 'en', avoid_history: false, ...choice };
  const own = nth % 25 === 12 ? { api_key: OWN_KEY } : {};
  const routes = [
    ['/api/v1/generate', { ...hooks, ...own }],
    ['/v1/generate', { prompt: `mail for ${marks}`, ...choice }],
    ['/v1/templates/welcome/edit', { instruction: `mail for ${marks}`, ...choice }],
  ] as const;
  const [path, body] = (isVisitor ? routes[0] : routes[nth % 3]) ?? routes[0];
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: nth % 4 === 0 ? 'text/event-stream' : 'application/json',
      ...(isVisitor ? { 'x-forwarded-for': addressOf(nth) } : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(marks.includes('leaves') ? 400 : 120_000),
  }).catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  if (!answer || text === undefined) return 'cut';
  const [, code = ''] = /"code":"(\w+)"/.exec(text) ?? [];
  return `${answer.status} ${code}`.trim();
}

function addressOf(nth: number): string {
  return nth % 2 ? `203.0.${nth % 256}.${nth % 250}` : `2001:db8:${nth.toString(16)}::1`;
}

/** All attacks, so many at once; counts how they end. */
async function attacks(): Promise<Record<string, number>> {
  const numbers = Array.from({ length: CALLS }, (_, nth) => nth);
  const ends = await mapBounded(numbers, CONCURRENCY, attack);
  return Object.fromEntries([...Map.groupBy(ends, (end) => end)].map(([end, all]) => [end, all.length]));
}

/** kill -9 of the first server with all it is doing, and another in its place. */
async function restart(): Promise<void> {
  await servers[0]?.kill();
  servers[0] = await start();
}

async function counted(sql: Sql): Promise<number> {
  const [row] = await sql`select sum(used)::float8 / 1e9 as dollars from ai_days`;
  return Number(row?.['dollars']);
}

test('1,000 hostile calls, and a kill -9 among them, cost no more at the provider than the ceilings', async () => {
  const running = attacks();
  await model.arrived(KILLED_AFTER);
  restarted = restart();
  const ends = await running;

  // No process runs any more, so the embedded database can be opened here.
  await Promise.all(servers.map((server) => server.kill()));
  const database = await openDatabase(place);
  const dollars = await counted(database.sql);
  await database.close();
  process.stdout.write(`${JSON.stringify(ends)}\n`);
  process.stdout.write(
    `${model.requests.length} requests; $${bill.total().toFixed(4)} of $${CEILING} spent, $${dollars.toFixed(4)} counted, $${(bill.dollars.get('own key') ?? 0).toFixed(4)} with own keys\n`,
  );
  expect(bill.total()).toBeLessThanOrEqual(CEILING);
  // Most of it can be used.
  expect(bill.total()).toBeGreaterThan(CEILING / 3);
  for (const [who, dollars] of bill.dollars)
    if (who !== 'own key') expect([who, dollars <= ACCOUNT_CEILING]).toEqual([who, true]);
  expect([...bill.models].filter((name) => !Object.hasOwn(LIST, name))).toEqual([]);
  expect(ends).toMatchObject({
    '402 ai_budget_exhausted': expect.any(Number),
    '422 model_not_allowed': expect.any(Number),
    '403 forbidden': expect.any(Number),
  });
  expect(Object.keys(ends).filter((end) => end.startsWith('500'))).toEqual([]);

  expect(dollars).toBeGreaterThanOrEqual(bill.total());
  expect(dollars).toBeLessThanOrEqual(CEILING);
});

test('an own key still works when the budget is used up, and is outside it', async () => {
  servers = await Promise.all([start()]);
  const before = bill.total();
  const rest = useRest(servers[0]?.url ?? '', people.verified[0]);
  const body = { topic: 'hooks for who-own', count: 3, language: 'en', avoid_history: false };
  const ends: number[] = [];
  for (let tries = 0; tries < 5; tries++)
    ends.push(
      (
        await rest('POST', '/api/v1/generate', {
          body: { ...body, provider: 'provider_a', api_key: OWN_KEY },
        })
      ).status,
    );
  expect(ends).toContain(200);
  expect(bill.total()).toBe(before);
});
