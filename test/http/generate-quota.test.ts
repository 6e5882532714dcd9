import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPrompts } from '../../src/ai/prompts.ts';
import type { App } from '../../src/app.ts';
import { createHooks } from '../../src/hooks/hooks.ts';
import { createOpenaiWriter } from '../../src/providers/openai.ts';
import { BREAD, hooksAnswer, raw } from '../hooks/hooks-answer.ts';
import type { ModelAnswer } from '../peers/model-answer.ts';
import { booksOf } from '../quota/workshop.ts';
import { type ModelApp, openModelApp } from '../support/model-app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../support/server.ts';
import { readEvents } from './event-reader.ts';

const PLAN = 50;
const CREDITS = 12;
const SECRET_WORD = 'cinnamon';
/** The operator's key of `openModelApp`. */
const SERVER_KEY = 'key-of-the-operator';

let hooks: ModelApp;
let server: TestServer;
let key: string;
let accountId: string;
let logged = '';

beforeAll(async () => {
  hooks = await openModelApp();
  const lines = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  server = await startTestServer(hooks.app, {}, { log: pino({ level: 'trace' }, lines) });
});
beforeEach(async () => {
  ({ key, accountId } = await newBareKey(hooks.app));
});
afterAll(async () => {
  await server.close();
  await hooks.close();
});

const asked = {
  topic: `${SECRET_WORD} sourdough`,
  language: 'en',
  provider: 'provider_a',
  avoid_history: false,
};

/** Units charged, by the balances and by the ledger alike, and hooks kept. */
async function charged({ database: { sql } }: Pick<App, 'database'> = hooks.app) {
  const { used, credits } = await booksOf(sql, accountId);
  const kept = await sql`select id from hooks where account_id = ${accountId}`;
  const held = await sql`
    select id from quota_reservations where account_id = ${accountId} and state = 'held'`;
  return {
    plan: Object.values(used).reduce((sum, units) => sum + units, 0),
    credits,
    kept: kept.length,
    held: held.length,
  };
}

test('of 200 requests at once against 62 units, exactly 62 hooks are delivered and charged; the others hear why not', async () => {
  const crowd = await openModelApp();
  const busy = await startTestServer(crowd.app);
  ({ key, accountId } = await newBareKey(crowd.app));
  await crowd.app.quota.grantCredits(accountId, { credits: CREDITS, source: 'cs_1' });
  // One answer per unit, the most model calls there can be. Unused answers do no harm.
  crowd.server.script(...Array.from({ length: PLAN + CREDITS }, () => hooksAnswer(...BREAD)));
  const rest = useRest(busy.url, key);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, nth) =>
      rest('POST', '/api/v1/generate', { body: { ...asked, count: nth % 2 === 0 ? 3 : 5 } }),
    ),
  );
  const granted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  const sums = await charged(crowd.app);
  await busy.close();
  await crowd.close();

  expect(granted.flatMap(({ body }) => body['hooks'])).toHaveLength(PLAN + CREDITS);
  expect(sums).toEqual({ plan: PLAN, credits: 0, kept: PLAN + CREDITS, held: 0 });
  expect(granted.length + refused.length).toBe(200);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body['code']}`))).toEqual(
    new Set(['402 quota_exhausted']),
  );
});

/** Asks for a stream, and leaves after so many hooks. Gives their texts. */
async function leaveAfter(count: number): Promise<unknown[]> {
  const leaving = new AbortController();
  const response = await fetch(`${server.url}/api/v1/generate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ ...asked, count: 5 }),
    signal: leaving.signal,
  });
  const heard: unknown[] = [];
  for await (const { event, data } of readEvents(response)) {
    expect(event).toBe('hook');
    heard.push(data['text']);
    if (heard.length === count) break;
  }
  leaving.abort();
  return heard;
}

test.each([1, 2, 3])(
  'who leaves a stream after %i hooks pays for what was sent, and the rest comes back',
  async (count) => {
    const before = hooks.server.requests.length;
    // The model stops after so many until its client has gone, so that what was sent is known.
    const begun = JSON.stringify({ hooks: BREAD.slice(0, count).map(raw) }).slice(0, -1);
    hooks.server.script({ pauses: begun });
    expect(await leaveAfter(count)).toEqual(BREAD.slice(0, count).map(([text]) => text));
    expect(await (await hooks.server.arrived(before)).outcome).toBe('left');
    await expect.poll(() => charged()).toEqual({ plan: count, credits: 0, kept: count, held: 0 });
  },
);

describe('a failure of the provider charges nothing and says what happened:', () => {
  const soon = { 'retry-after-ms': '1' };
  const twice = (answer: ModelAnswer) => [answer, answer];
  const FAILURES: readonly (readonly [string, readonly ModelAnswer[], number, string])[] = [
    [
      'the key is wrong (401)',
      [{ fails: 401, message: `Incorrect API key ${SERVER_KEY}` }],
      502,
      'provider_auth',
    ],
    ['too many requests (429)', twice({ fails: 429, headers: soon }), 503, 'provider_rate_limited'],
    [
      'an error (500)',
      twice({ fails: 500, headers: soon, message: SERVER_KEY }),
      502,
      'provider_unavailable',
    ],
    ['a refusal', [{ refusal: 'I will not.' }], 422, 'topic_refused'],
    [
      'an answer cut short, twice',
      [{ cut: '{"hooks":[{"text":"Your sou' }, { cut: '{"hooks":[{"text":"Your sourd' }],
      502,
      'provider_bad_output',
    ],
    [
      'JSON that stops in the middle',
      twice({ text: '{"hooks":[{"text":"Your sou' }),
      502,
      'provider_bad_output',
    ],
    ['no hooks', twice(hooksAnswer()), 502, 'provider_bad_output'],
    ['hooks without text', twice(hooksAnswer(['', 'list'], [' ', 'list'])), 502, 'provider_bad_output'],
  ];

  test.each(FAILURES)('%s', async (what, script, status, code) => {
    for (const accept of ['application/json', 'text/event-stream']) {
      hooks.server.script(...script);
      const answer = await useRest(server.url, key)('POST', '/api/v1/generate', {
        // A model of its own, so that one case does not count against the next.
        body: { ...asked, model: `${code} ${what.length} ${accept}`.replaceAll(/\W+/g, '-') },
        headers: { accept },
      });
      expect({ accept, status: answer.status, code: answer.body['code'] }).toEqual({ accept, status, code });
      expect(JSON.stringify(answer)).not.toContain(SERVER_KEY);
      expect(await charged()).toEqual({ plan: 0, credits: 0, kept: 0, held: 0 });
    }
  });

  test('no answer in time', async () => {
    const { database, entitlements, quota, visitorQuota, brandVoices } = hooks.app;
    const writer = createOpenaiWriter({
      provider: 'openai',
      model: 'slow',
      baseUrl: `${hooks.server.url}/v1`,
      apiKey: SERVER_KEY,
    });
    const impatient = createHooks({
      ...{ sql: database.sql, entitlements, quota, visitorQuota, byokFree: false, totalTimeoutMs: 50 },
      prompts: createPrompts('prompts'),
      voices: brandVoices,
      brandVoice: async () => undefined,
      writers: { choose: async () => writer, isReady: () => true },
      defaultProvider: undefined,
    });
    const hasty = await startTestServer({ ...hooks.app, hooks: impatient });
    hooks.server.script({ silence: true });
    const { status, body } = await useRest(hasty.url, key)('POST', '/api/v1/generate', { body: asked });
    await hasty.close();
    expect([status, body['code']]).toEqual([504, 'provider_timeout']);
    expect(await charged()).toEqual({ plan: 0, credits: 0, kept: 0, held: 0 });
  });
});

test('no log line of all this holds a key or a topic', () => {
  expect(logged).toContain('generate_hooks');
  for (const secret of [SERVER_KEY, 'sh_live_', SECRET_WORD]) expect(logged).not.toContain(secret);
});
