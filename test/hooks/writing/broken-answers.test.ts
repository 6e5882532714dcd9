import { describe, expect, test } from 'vitest';
import type { ModelAnswer } from '../../peers/model-answer.ts';
import { useTools } from '../../support/app.ts';
import { BREAD, hooksAnswer, raw } from '../hooks-answer.ts';
import { faultOf, topic, useWriting } from './use-writing.ts';

const writing = useWriting();
const { generate, used, stored, hooksBy, turns } = writing;
const [one, two, three, four] = BREAD;

describe('an answer that breaks off', () => {
  /** The answer with these hooks, without its last 20 characters: the last hook is not finished. */
  const begun = (...some: readonly (typeof BREAD)[number][]) =>
    JSON.stringify({ hooks: some.map(raw) }).slice(0, -20);
  const limits = () => writing.server.requests.slice(-2).map(({ body }) => Number(body['max_tokens']));

  test.each(['provider_a', 'provider_b'])(
    'at the token limit of %s gives its finished hooks, and the others are asked for with twice the limit',
    async (provider) => {
      writing.server.script({ cut: begun(one, two, three) }, hooksAnswer(four));
      const answer = await generate({ count: 3, provider });
      expect(answer).toMatchObject({
        hooks: [one[0], two[0], four[0]],
        usage: { input_tokens: 200, output_tokens: 40, cost_usd: expect.any(Number) },
        quota: { hooks_used: 3 },
      });
      expect(JSON.parse(turns().messages.at(-1)?.text ?? '')).toMatchObject({
        count: 1,
        already_taken: [one[0], two[0]],
      });
      const reasoning = provider === 'provider_a' ? 4000 : 0;
      expect(limits()).toEqual([1060 + reasoning, 2120 + reasoning]);
    },
  );

  test('at the token limit twice is what both have finished', async () => {
    writing.server.script({ cut: begun(one, two) }, { cut: begun(three, four) });
    expect(await generate()).toMatchObject({ hooks: [one[0], three[0]], quota: { hooks_used: 2 } });
  });

  test('at the token limit before the first hook is asked for once more with twice the limit', async () => {
    writing.server.script({ cut: '<think>Let me see' }, hooksAnswer(one, two, three));
    expect(await generate({ count: 3 })).toMatchObject({ count: 3, quota: { hooks_used: 3 } });
    expect(limits()).toEqual([5060, 10_120]);
  });

  test('with a broken connection gives its finished hooks when the second try fails', async () => {
    writing.server.script({ breaks: begun(one, two, three) }, { fails: 401 });
    const answer = await generate({ count: 3 });
    expect(answer).toMatchObject({ hooks: [one[0], two[0]], usage: null, quota: { hooks_used: 2 } });
  });

  test('because the time is over gives its finished hooks', async () => {
    writing.server.script({ pauses: begun(one, two, three) });
    const { generator } = hooksBy({ totalTimeoutMs: 1_000 });
    const listener = { signal: new AbortController().signal, reads: 'en' } as const;
    const request = { topic, count: 3, avoidHistory: true };
    const { hooks: delivered } = await generator.generate(writing.caller, request, listener);
    expect(delivered.map(({ text }) => text)).toEqual([one[0], two[0]]);
    expect([await used(), await stored()]).toEqual([2, [one[0], two[0]]]);
  });

  test('because the caller left gives nothing and charges nothing', async () => {
    writing.server.script({ pauses: begun(one, two, three) });
    const leaving = new AbortController();
    const asked = writing.server.requests.length;
    const answer = useTools(writing.app, writing.caller, { signal: leaving.signal })('generate_hooks', {
      topic,
    });
    const request = await writing.server.arrived(asked);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await request.outcome).toBe('left');
    expect([await used(), await stored()]).toEqual([0, []]);
  });
});

describe('a failure charges nothing:', () => {
  const twice = (answer: ModelAnswer) => [answer, answer];
  const soon = { 'retry-after-ms': '1' };
  const FAILURES: readonly (readonly [string, readonly ModelAnswer[], string, number])[] = [
    ['a wrong key of the server', [{ fails: 401 }], 'provider_auth', 502],
    ['no credit', [{ fails: 402 }], 'provider_billing', 502],
    ['an unknown model', [{ fails: 404, message: 'model: does not exist' }], 'model_not_found', 422],
    ['a refusal', [{ refusal: 'No.' }], 'topic_refused', 422],
    ['a rate limit', twice({ fails: 429, headers: soon }), 'provider_rate_limited', 503],
    ['an error, twice', twice({ fails: 500, headers: soon }), 'provider_unavailable', 502],
    ['a broken connection, twice', twice({ breaks: '{"hooks":[' }), 'provider_unavailable', 502],
    ['an answer cut short, twice', twice({ cut: '{"hooks":[{"text":"Your' }), 'provider_bad_output', 502],
    ['prose, twice', twice({ text: 'Gladly!' }), 'provider_bad_output', 502],
    ['no hooks, twice', twice(hooksAnswer()), 'provider_bad_output', 502],
    [
      'nothing usable, twice',
      twice(hooksAnswer(['', 'list'], ['https://x.example', 'list'])),
      'provider_bad_output',
      502,
    ],
  ];

  test.each(FAILURES)('%s', async (_what, answers, code, status) => {
    writing.server.script(...answers);
    // A model of its own, so that failures of one case do not count against the next.
    const fault = await faultOf(generate({ model: `model-${code}-${_what}` }));
    expect([fault.code, fault.status]).toEqual([code, status]);
    expect([await used(), await stored()]).toEqual([0, []]);
  });

  test('the caller leaves before the answer', async () => {
    writing.server.script({ silence: true });
    const leaving = new AbortController();
    const asked = writing.server.requests.length;
    const answer = useTools(writing.app, writing.caller, { signal: leaving.signal })('generate_hooks', {
      topic,
    });
    const request = await writing.server.arrived(asked);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await request.outcome).toBe('left');
    expect([await used(), await stored()]).toEqual([0, []]);
  });

  test('the time is over', async () => {
    writing.server.script({ silence: true });
    const { generator } = hooksBy({ totalTimeoutMs: 1_000 });
    const request = { topic, count: 5, avoidHistory: true };
    const listener = { signal: new AbortController().signal, reads: 'en' } as const;
    expect((await faultOf(generator.generate(writing.caller, request, listener))).code).toBe(
      'provider_timeout',
    );
    expect([await used(), await stored()]).toEqual([0, []]);
  });
});

describe('streamed', () => {
  /** Generates as a client that listens; `on` is told of each event. */
  function listen(on: (name: string, data: unknown) => void, signal = new AbortController().signal) {
    return useTools(writing.app, writing.caller, { event: on, signal })('generate_hooks', {
      topic,
      language: 'en',
    });
  }

  test('each hook comes as soon as it is whole, then the usage', async () => {
    writing.server.script(hooksAnswer(...BREAD));
    const heard: unknown[] = [];
    const answer = await listen((name, data) => heard.push([name, data]));
    expect(heard).toEqual([
      ...(answer['details'] as object[]).map((detail) => ['hook', detail]),
      ['usage', { input_tokens: 100, output_tokens: 20, cost_usd: 0.000044 }],
    ]);
    expect(await used()).toBe(5);
  });

  test('what was sent before the caller left is theirs, and no more is charged', async () => {
    writing.server.script({ drips: JSON.stringify({ hooks: BREAD.map(raw) }), everyMs: 1 });
    const leaving = new AbortController();
    const heard: unknown[] = [];
    const answer = listen((name) => {
      heard.push(name);
      if (heard.length === 2) leaving.abort();
    }, leaving.signal);
    await expect(answer).rejects.toThrow();
    expect(heard).toEqual(['hook', 'hook']);
    expect([await used(), await stored()]).toEqual([2, [one[0], two[0]]]);
  });

  test('what was sent before the provider failed is delivered, and no more is charged', async () => {
    const begun = JSON.stringify({ hooks: [raw(one), raw(two), raw(three)] }).slice(0, -20);
    writing.server.script({ failsInStream: begun, type: 'overloaded_error' }, { fails: 401 });
    const answer = await listen(() => {});
    expect(answer).toMatchObject({ hooks: [one[0], two[0]], count: 2, quota: { hooks_used: 2 } });
  });

  test('a failure before the first hook charges nothing', async () => {
    writing.server.script({ refusal: 'No.' });
    expect((await faultOf(listen(() => {}))).code).toBe('topic_refused');
    expect(await used()).toBe(0);
  });
});
