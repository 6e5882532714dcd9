import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BREAD, hooksAnswer, raw } from '../hooks/hooks-answer.ts';
import { readEvents } from '../http/event-reader.ts';
import type { ModelAnswer } from '../peers/model-answer.ts';
import { booksOf } from '../quota/workshop.ts';
import { type ModelApp, openModelApp } from '../support/model-app.ts';
import { newBareKey, startTestServer, type TestServer } from '../support/server.ts';

const [one, two, three, four, five] = BREAD;
const soon = { 'retry-after-ms': '1' };
const down: ModelAnswer = { fails: 500, headers: soon };
const wrongKey: ModelAnswer = { fails: 401 };
const twice = (answer: ModelAnswer) => [answer, answer];
const whole = JSON.stringify({ hooks: BREAD.map(raw) });
/** Two finished hooks and the beginning of a third. */
const begun = JSON.stringify({ hooks: [one, two, three].map(raw) }).slice(0, -20);
const none = hooksAnswer();

/** What a provider answers to the requests of one generation of 5 hooks, and how many of them are delivered. */
const SITUATIONS: readonly (readonly [what: string, answers: readonly ModelAnswer[], delivered: number])[] = [
  ['a rate limit, twice', twice({ fails: 429, headers: soon }), 0],
  ['a rate limit, then an answer', [{ fails: 429, headers: soon }, hooksAnswer(...BREAD)], 5],
  ['an error of its own, twice', twice(down), 0],
  ['a wrong key', [wrongKey], 0],
  ['no credit', [{ fails: 402 }], 0],
  ['an unknown model', [{ fails: 404, message: 'model: does not exist' }], 0],
  ['a web page', [{ html: '<html>Sign in</html>' }], 0],
  ['a redirect', [{ fails: 307, headers: { location: 'http://127.0.0.1:9/' } }], 0],
  ['a connection that drops before the first word, twice', twice({ breaks: '' }), 0],
  ['JSON that stops in the middle, twice', twice({ text: '{"hooks":[{"text":"Your' }), 0],
  ['prose, then an answer', [{ text: 'Gladly!' }, hooksAnswer(...BREAD)], 5],
  ['an answer in a code fence', [{ text: `\`\`\`json\n${whole}\n\`\`\`` }], 5],
  ['no text, twice', twice({ text: '' }), 0],
  ['a refusal', [{ refusal: 'I cannot help with that.' }], 0],
  ['a content policy', [{ fails: 400, code: 'content_policy_violation', message: 'Rejected' }], 0],
  ['an answer cut before the first hook, twice', twice({ cut: '{"hooks":[{"text":"Your' }), 0],
  ['an answer cut before the first hook, then a whole one', [{ cut: '{"ho' }, hooksAnswer(...BREAD)], 5],
  ['an answer cut after two hooks, then the others', [{ cut: begun }, hooksAnswer(three, four, five)], 5],
  ['an answer cut after two hooks, then an error', [{ cut: begun }, wrongKey], 2],
  ['two of five, then none', [hooksAnswer(one, two), none], 2],
  ['thirty of five', [hooksAnswer(...BREAD, ...many(25))], 5],
  ['none, twice', twice(none), 0],
  ['one hook five times, then none', [hooksAnswer(one, one, one, one, one), none], 1],
  ['styles that nobody knows, twice', twice(hooksAnswer([one[0], 'loud'], [two[0], 'quiet'])), 0],
  ['a hook of 500 words among two, then none', [hooksAnswer(one, long(), two), none], 2],
  ['fields that nobody asked for', [{ text: JSON.stringify({ hooks: BREAD.map(more), price: 0 }) }], 5],
  ['a connection that drops after two hooks, then an error', [{ breaks: begun }, wrongKey], 2],
  ['a polite end after two hooks, then an error', [{ stops: begun }, wrongKey], 2],
  ['an error event after two hooks, then an error', [{ failsInStream: begun }, wrongKey], 2],
  ['one JSON body instead of a stream', [{ whole }], 5],
];

function many(count: number): (readonly [string, string])[] {
  return Array.from({ length: count }, (_, nth) => [`Loaf ${nth} of my ${nth * 7} cracked on top.`, 'list']);
}

function long(): readonly [string, string] {
  return ['sourdough '.repeat(500), 'curiosity'];
}

function more(hook: readonly [string, string]) {
  return { ...raw(hook), id: 'hook_mine', score: 1000, chars: -1 };
}

let hooks: ModelApp;
let server: TestServer;

beforeAll(async () => {
  hooks = await openModelApp();
  server = await startTestServer(hooks.app);
});
afterAll(async () => {
  await server.close();
  await hooks.close();
});

const FORMS = ['application/json', 'text/event-stream'] as const;
let cases = 0;

describe.each(['provider_a', 'provider_b'])('%s', (provider) => {
  describe.each(FORMS)('to a caller of %s', (accept) => {
    test.each(SITUATIONS)('%s: what is delivered is charged and kept', async (_, answers, count) => {
      cases++;
      const { key, accountId } = await newBareKey(hooks.app);
      const asked = hooks.server.requests.length;
      hooks.server.script(...answers);
      // A model of its own, so that failures of one case do not count against the next.
      const body = { topic: 'sourdough', language: 'en', count: 5, provider, model: `model-${cases}` };
      const response = await fetch(`${server.url}/api/v1/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
        body: JSON.stringify(body),
      });
      const delivered = await deliveredIn(response);
      expect({ delivered, ...(await books(accountId)) }).toEqual({
        delivered: expect.toSatisfy((ids: string[]) => ids.length === count),
        kept: delivered,
        charged: count,
        held: 0,
      });
      expect(hooks.server.requests).toHaveLength(asked + answers.length);
    });
  });
});

test('these are 120 situations', () => {
  expect([cases, SITUATIONS.length * 2 * FORMS.length]).toEqual([120, 120]);
});

type Details = { readonly details?: readonly { readonly id: string }[] };

/** The ids of the hooks a caller received. */
async function deliveredIn(response: Response): Promise<unknown[]> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const { details = [] } = (await response.json()) as Details;
    return details.map(({ id }) => id);
  }
  const received: unknown[] = [];
  for await (const { event, data } of readEvents(response)) if (event === 'hook') received.push(data['id']);
  return received;
}

async function books(accountId: string) {
  const { sql } = hooks.app.database;
  const { used } = await booksOf(sql, accountId);
  const kept = await sql`select id from hooks where account_id = ${accountId} order by seq`;
  const held = await sql`
    select id from quota_reservations where account_id = ${accountId} and state = 'held'`;
  return {
    kept: kept.map(({ id }) => id as unknown),
    charged: Object.values(used).reduce((sum, units) => sum + units, 0),
    held: held.length,
  };
}
