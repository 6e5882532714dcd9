import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startAimock } from '../peers/aimock.ts';
import { type ModelServer, startModelServer } from '../peers/model-server.ts';
import { BRIEF, faultOf, GOOD, PROVIDER_CASES, write } from './providers.ts';

const MAIL = { subject: 'Candles, half price' };
const RETRY_IMMEDIATELY = { 'retry-after-ms': '1' };

let peer: ModelServer;

beforeEach(async () => {
  peer = await startModelServer();
});
afterEach(() => peer.close());

describe.each(PROVIDER_CASES)('$name', ({ protocol, reasoningTokens, open }) => {
  test('an answer comes with its model and tokens, and costs what the operator says', async () => {
    peer.script({ text: GOOD, usage: { input: 1200, output: 300 } });
    const written = await write(open(peer.url, { model: 'm-1', prices: { 'm-1': [1, 6] } }));
    expect(written).toEqual({
      answer: MAIL,
      model: 'm-1',
      usage: { input_tokens: 1200, output_tokens: 300, cost_usd: 0.003 },
      cut: false,
    });
  });

  test('a caller may name another model, whose cost is null without a price', async () => {
    peer.script({ text: GOOD, model: 'm-2-2026-08-01' });
    const written = await write(open(peer.url, { model: 'm-1', prices: { 'm-1': [1, 6] } }), {
      model: 'm-2',
    });
    expect(peer.requests[0]?.body['model']).toBe('m-2');
    expect(written).toEqual({
      answer: MAIL,
      model: 'm-2-2026-08-01',
      usage: { input_tokens: 100, output_tokens: 20, cost_usd: null },
      cut: false,
    });
  });

  test('the pieces of a stream are the text of the answer', async () => {
    peer.script({ text: GOOD, usage: { input: 10, output: 5 } });
    const pieces: string[] = [];
    const written = await write(open(peer.url), { onText: (piece) => pieces.push(piece) });
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(GOOD);
    expect(written.answer).toEqual(MAIL);
    expect(written.usage).toEqual({ input_tokens: 10, output_tokens: 5, cost_usd: null });
  });

  test.each([
    '```json\n{"subject":"A"}\n```',
    'Here it is:\n{"subject":"A"}\nEnjoy!',
    '<think>{}</think>{"subject":"A"}',
  ])('a server that ignores the form is understood: %j', async (text) => {
    peer.script({ text });
    expect((await write(open(peer.url))).answer).toEqual({ subject: 'A' });
  });

  test('an answer of the wrong shape is asked for again, with the problem, and all tokens count', async () => {
    peer.script({ text: '{"subject":"A","tone":"loud"}' }, { text: GOOD });
    const written = await write(open(peer.url));
    expect(written.answer).toEqual(MAIL);
    expect(written.usage).toMatchObject({ input_tokens: 200, output_tokens: 40 });
    const said = JSON.stringify(peer.requests[1]?.body['messages']);
    expect(said).toContain('loud');
    expect(said).toContain('Your answer cannot be used.');
    expect(said).toContain('tone');
  });

  test('the provider is asked for a stream, also when nobody listens to it', async () => {
    peer.script({ text: GOOD });
    await write(open(peer.url));
    expect(peer.requests[0]?.body['stream']).toBe(true);
  });

  test('a server that does not stream is understood, and its text is one piece', async () => {
    peer.script({ whole: GOOD });
    const pieces: string[] = [];
    const written = await write(open(peer.url), { onText: (piece) => pieces.push(piece) });
    expect([written.answer, pieces]).toEqual([MAIL, [GOOD]]);
    expect(written.usage).toMatchObject({ input_tokens: 100, output_tokens: 20 });
  });

  test('a text cut at the limit that is still whole is accepted', async () => {
    peer.script({ cut: GOOD });
    expect(await write(open(peer.url))).toMatchObject({ answer: MAIL, cut: false });
  });

  test('a text cut at the limit is asked for once more, with twice the limit and no words about it', async () => {
    peer.script({ cut: '{"subject":"Cand' }, { text: GOOD });
    const written = await write(open(peer.url));
    expect(written).toMatchObject({
      answer: MAIL,
      usage: { input_tokens: 200, output_tokens: 40 },
      cut: false,
    });
    const limit = BRIEF.maxTokens + reasoningTokens;
    expect(peer.requests.map(({ body }) => body['max_tokens'])).toEqual([limit, 2 * limit]);
    const [first, second] = peer.requests.map(({ body }) => [body['messages'], formOf(body)]);
    expect(second).toEqual(first);
  });

  test('what is finished of a cut text is the answer where that is of use', async () => {
    peer.script({ cut: '{"subject":"Cand' });
    const finished = (text: string) => ({ subject: text.slice(12) });
    const brief = { ...BRIEF, answer: { ...BRIEF.answer, finished } };
    const written = await open(peer.url).write(brief, { signal: new AbortController().signal });
    expect(written).toMatchObject({ answer: { subject: 'Cand' }, cut: true });
    expect(peer.requests).toHaveLength(1);
  });

  test('a request that fails is made once more', async () => {
    peer.script({ fails: 529, headers: RETRY_IMMEDIATELY }, { text: GOOD });
    expect((await write(open(peer.url))).answer).toEqual(MAIL);
  });

  test('the schema is given up where it is refused, and not tried again', async () => {
    const writer = open(peer.url);
    const refusal = { fails: 400, message: 'response_format and output_config.format are not supported' };
    const refusals = protocol === 'openai' ? [refusal, refusal] : [refusal];
    peer.script(...refusals, { text: GOOD }, { text: GOOD });
    await write(writer);
    await write(writer);
    const forms = protocol === 'openai' ? ['json_schema', 'json_object'] : ['json_schema'];
    expect(peer.requests.map(({ body }) => formOf(body))).toEqual([...forms, 'text', 'text']);
    const instructions = JSON.stringify(peer.requests.at(-1)?.body);
    expect(instructions).toContain('JSON Schema');
    expect(instructions).toContain('maxLength');
  });

  test('prose instead of JSON makes the next request one form plainer', async () => {
    peer.script({ text: 'Candles!' }, { text: GOOD });
    await write(open(peer.url));
    const plainer = protocol === 'openai' ? 'json_object' : 'text';
    expect(peer.requests.map(({ body }) => formOf(body))).toEqual(['json_schema', plainer]);
  });

  test('an answer without a fixed shape is not asked for by a strict schema', async () => {
    const schema = z.object({ data: z.record(z.string(), z.unknown()) });
    peer.script({ text: '{"data":{"name":"Ana"}}' });
    const brief = { ...BRIEF, answer: { name: 'sample', schema } };
    const written = await open(peer.url).write(brief, { signal: new AbortController().signal });
    expect(written.answer).toEqual({ data: { name: 'Ana' } });
    expect(formOf(peer.requests[0]?.body ?? {})).toBe(protocol === 'openai' ? 'json_object' : 'text');
  });

  test.each(['in one piece', 'as a stream'])(
    'a caller who leaves ends the request at once, %s',
    async (way) => {
      peer.script({ silence: true });
      const caller = new AbortController();
      const onText = way === 'as a stream' ? () => {} : undefined;
      const writing = write(open(peer.url), { signal: caller.signal, onText });
      const request = await peer.arrived(0);
      const reason = new Error('the client is gone');
      caller.abort(reason);
      await expect(writing).rejects.toBe(reason);
      expect(await request.outcome).toBe('left');
    },
  );

  test('a caller who leaves while a retry waits is not kept', async () => {
    peer.script({ fails: 429, headers: { 'retry-after': '60' } });
    const caller = new AbortController();
    const writing = write(open(peer.url), { signal: caller.signal });
    const request = await peer.arrived(0);
    await request.outcome;
    const reason = new Error('the client is gone');
    caller.abort(reason);
    await expect(writing).rejects.toBe(reason);
    expect(peer.requests).toHaveLength(1);
  });

  test('a caller who has left already asks nothing', async () => {
    const reason = new Error('gone before');
    await expect(write(open(peer.url), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(peer.requests).toEqual([]);
  });

  test('two writings that are refused the same form at once step down once', async () => {
    const writer = open(peer.url);
    const refusal = { fails: 400, message: 'response_format and output_config.format are not supported' };
    peer.script(refusal, refusal, { text: GOOD }, { text: GOOD });
    await Promise.all([write(writer), write(writer)]);
    const plainer = protocol === 'openai' ? 'json_object' : 'text';
    expect(peer.requests.map(({ body }) => formOf(body))).toEqual([
      'json_schema',
      'json_schema',
      plainer,
      plainer,
    ]);
  });

  test('after five failures the provider is not called for 15 seconds, then called again', async () => {
    let now = 1_000_000;
    const writer = open(peer.url, { now: () => now });
    const failure = { fails: 500, headers: RETRY_IMMEDIATELY };
    peer.script(failure, failure, failure, failure, failure);
    expect((await faultOf(write(writer))).key).toBe('provider_unavailable.down');
    expect((await faultOf(write(writer))).key).toBe('provider_unavailable.down');
    const resting = await faultOf(write(writer));
    expect([resting.key, resting.status, resting.retryAfterSeconds]).toEqual([
      'provider_unavailable.resting',
      502,
      15,
    ]);
    now += 14_000;
    expect((await faultOf(write(writer))).retryAfterSeconds).toBe(1);
    expect(peer.requests).toHaveLength(5);
    peer.script({ text: GOOD }, { text: GOOD });
    expect((await write(writer, { model: 'another' })).answer).toEqual(MAIL);
    now += 1_000;
    expect((await write(writer)).answer).toEqual(MAIL);
  });

  test.each(['in one piece', 'as a stream'])('aimock, another peer, is understood %s', async (way) => {
    const mock = await startAimock([{ match: { userMessage: 'candles' }, response: { content: GOOD } }]);
    const pieces: string[] = [];
    const onText = way === 'as a stream' ? (piece: string) => void pieces.push(piece) : undefined;
    const written = await write(open(mock.url), { onText });
    await mock.close();
    expect([written.answer, pieces.join('')]).toEqual([MAIL, onText ? GOOD : '']);
  });
});

test('the SDKs are loaded by the first writing, not before', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', LOADS], {
    cwd: new URL('../../', import.meta.url),
  });
  expect(JSON.parse(stdout)).toEqual({ created: [], written: ['openai', '@anthropic-ai/sdk'] });
});

/** Lists the SDKs asked for once the writers are made, and once each was to write. Nothing listens at port 9. */
const LOADS = `
  import { registerHooks } from 'node:module';
  const seen = [];
  registerHooks({
    resolve(specifier, context, next) {
      if (/^(openai|@anthropic-ai)/.test(specifier) && !context.parentURL.includes('node_modules')) seen.push(specifier);
      return next(specifier, context);
    },
  });
  const { createOpenaiWriter } = await import('./src/providers/openai.ts');
  const { createAnthropicWriter } = await import('./src/providers/anthropic.ts');
  const { z } = await import('zod');
  const settings = { provider: 'openai', apiKey: 'k', baseUrl: 'http://127.0.0.1:9', model: 'm', wholeMs: 1 };
  const writers = [createOpenaiWriter(settings), createAnthropicWriter(settings)];
  const created = [...seen];
  const brief = { instructions: 'i', messages: [{ role: 'user', text: 't' }], answer: { name: 'n', schema: z.object({}) }, maxTokens: 1 };
  for (const writer of writers) await writer.write(brief, { signal: new AbortController().signal }).catch(() => {});
  process.stdout.write(JSON.stringify({ created, written: seen }));
`;

function formOf(body: Readonly<Record<string, unknown>>): string {
  const { response_format, output_config } = body as {
    response_format?: { type: string };
    output_config?: { format: { type: string } };
  };
  return response_format?.type ?? output_config?.format.type ?? 'text';
}
