import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import type { FaultKey } from '../../src/errors.ts';
import { LOCALES, localizeFault, plainReader } from '../../src/language.ts';
import type { ModelAnswer } from '../peers/model-answer.ts';
import { startModelServer } from '../peers/model-server.ts';
import { faultOf, GOOD, KEY, PROVIDER_CASES, providerTest, write } from './providers.ts';

type Expected = readonly [key: FaultKey, status: number, retryAfterSeconds?: number];
type Row = readonly [what: string, answers: readonly ModelAnswer[], expected: Expected];

const RETRY_IMMEDIATELY = { 'retry-after-ms': '1' };
const ECHO = `Incorrect API key provided: ${KEY}. You can find your API key at https://example.com.`;
const twice = (answer: ModelAnswer) => [answer, answer];

/** What the provider does, and the fault it becomes. A row with two answers is retried or asked again once. */
const FAILURES: readonly Row[] = [
  ['a key it does not know', [{ fails: 401, message: ECHO, code: KEY }], ['provider_auth.key', 502]],
  ['a key without the right', [{ fails: 403, message: ECHO }], ['provider_auth.key', 502]],
  ['no credit', [{ fails: 402 }], ['provider_billing.credit', 502]],
  [
    'a quota that is used up',
    [{ fails: 429, code: 'insufficient_quota', type: 'insufficient_quota' }],
    ['provider_billing.credit', 502],
  ],
  [
    'a credit balance too low',
    [{ fails: 400, message: 'Your credit balance is too low to access the API.' }],
    ['provider_billing.credit', 502],
  ],
  ['an unknown model', [{ fails: 404, message: 'model: does not exist' }], ['model_not_found.provider', 422]],
  [
    'an unknown model, in other words',
    [{ fails: 400, message: 'gpt-9 is not a valid model ID' }],
    ['model_not_found.provider', 422],
  ],
  ['an unknown path', [{ fails: 404, message: 'no such path' }], ['provider_unavailable.address', 502]],
  ['a refusal', [{ refusal: 'I cannot help with that.' }], ['topic_refused.provider', 422]],
  [
    'a content policy',
    [{ fails: 400, code: 'content_policy_violation', message: 'Rejected by our content policy' }],
    ['topic_refused.provider', 422],
  ],
  [
    'a prompt that is too long',
    [{ fails: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    ['too_large.model_input', 413],
  ],
  ['a body that is too large', [{ fails: 413 }], ['too_large.model_input', 413]],
  [
    'a request it does not take',
    [{ fails: 422, message: 'temperature is wrong' }],
    ['provider_unavailable.request', 502],
  ],
  [
    'a rate limit, twice',
    twice({ fails: 429, headers: RETRY_IMMEDIATELY }),
    ['provider_rate_limited.calls', 503, 1],
  ],
  [
    'a rate limit longer than there is time',
    [{ fails: 429, headers: { 'retry-after': '600' } }],
    ['provider_rate_limited.calls', 503, 600],
  ],
  [
    'a rate limit in milliseconds longer than there is time',
    [{ fails: 429, headers: { 'retry-after-ms': '600400' } }],
    ['provider_rate_limited.calls', 503, 601],
  ],
  [
    'an error of its own, twice',
    twice({ fails: 500, headers: RETRY_IMMEDIATELY }),
    ['provider_unavailable.down', 502, 1],
  ],
  [
    'overload, twice',
    twice({ fails: 529, headers: RETRY_IMMEDIATELY }),
    ['provider_unavailable.down', 502, 1],
  ],
  ['a reset connection, twice', twice({ breaks: GOOD }), ['provider_unavailable.down', 502]],
  ['a web page', [{ html: '<html>Sign in</html>' }], ['provider_unavailable.address', 502]],
  [
    'a web page as an error, twice',
    twice({ fails: 502, headers: { ...RETRY_IMMEDIATELY, 'content-type': 'text/html' } }),
    ['provider_unavailable.down', 502, 1],
  ],
  [
    'an answer cut at the limit, twice',
    twice({ cut: '{"subject":"Cand' }),
    ['provider_bad_output.length', 502],
  ],
  [
    'an answer cut at the limit, and no more than that',
    [{ cut: '{"subject":"Cand' }, { fails: 400, message: 'max_tokens is too large: at most 4096' }],
    ['provider_bad_output.length', 502],
  ],
  [
    'an answer cut at the limit, then prose',
    [{ cut: '{"subject":"Cand' }, { text: 'Candles!' }],
    ['provider_bad_output.answer', 502],
  ],
  [
    'a stream that ends politely in the middle, twice',
    twice({ stops: '{"subject":"Cand' }),
    ['provider_unavailable.down', 502],
  ],
  ['prose, twice', twice({ text: 'I would call it Candles.' }), ['provider_bad_output.answer', 502]],
  ['no text, twice', twice({ text: '' }), ['provider_bad_output.answer', 502]],
  ['the wrong shape, twice', twice({ text: '{"subject":""}' }), ['provider_bad_output.answer', 502]],
];

/** What the SDKs read unasked. */
const ENVIRONMENT = [
  'OPENAI_ORG_ID',
  'OPENAI_PROJECT_ID',
  'OPENAI_CUSTOM_HEADERS',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
];

describe.each(PROVIDER_CASES)('$name answers with', ({ protocol, open }) => {
  // Beside each other: some wait before they try again.
  describe.concurrent.each(['to a caller who waits', 'to a caller who listens'])('%s', (way) => {
    const options = way === 'to a caller who listens' ? { onText: () => {} } : {};

    providerTest.for(FAILURES)('%s', async ([_, answers, [key, status, retryAfterSeconds]], { peer }) => {
      peer.script(...answers);
      const fault = await faultOf(write(open(peer.url), options));
      expect([fault.key, fault.status, fault.retryAfterSeconds]).toEqual([key, status, retryAfterSeconds]);
      expect(peer.requests).toHaveLength(answers.length);
      expect(everythingSaid(fault)).not.toContain(KEY);
      expect(localizeFault(fault, plainReader('en')).detail).not.toMatch(/\{\w+\}/);
    });
  });

  providerTest('an error in the middle of a stream, twice', async ({ peer }) => {
    const error = { failsInStream: '{"subject":"Ca', type: 'overloaded_error' };
    // Pieces of the second try would not follow from those of the first.
    peer.script(error, { fails: 529 });
    const pieces: string[] = [];
    const fault = await faultOf(write(open(peer.url), { onText: (piece) => pieces.push(piece) }));
    expect([fault.key, pieces.join('')]).toEqual(['provider_unavailable.down', '{"subject":"Ca']);
  });

  test('no connection', async () => {
    const closed = await startModelServer();
    await closed.close();
    expect((await faultOf(write(open(closed.url)))).key).toBe('provider_unavailable.down');
  });

  providerTest('the key is where it belongs, and nothing of the environment is', async ({ peer }) => {
    for (const name of ENVIRONMENT) vi.stubEnv(name, 'x-of-the-environment: yes');
    peer.script({ text: GOOD });
    await write(open(peer.url));
    vi.unstubAllEnvs();
    const headers = peer.requests[0]?.headers;
    const credential = protocol === 'openai' ? { authorization: `Bearer ${KEY}` } : { 'x-api-key': KEY };
    expect(headers).toMatchObject(credential);
    expect(JSON.stringify(headers)).not.toContain('environment');
    expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('x-stainless'))).toEqual([]);
  });
});

/** What a log at debug level, an answer and a stack trace would show of a fault. */
function everythingSaid(fault: Awaited<ReturnType<typeof faultOf>>): string {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
  log.debug({ err: fault, cause: fault.cause }, 'failed');
  const spoken = LOCALES.map((locale) => JSON.stringify(localizeFault(fault, plainReader(locale))));
  return [...lines, ...spoken, JSON.stringify(fault), String(fault.stack), String(fault.cause)].join('\n');
}
