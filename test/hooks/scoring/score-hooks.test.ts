import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';

let app: TestApp;
let tools: Tools;
let spanish: Tools;

beforeAll(async () => {
  app = await openTestApp();
  const caller = await newBareCaller(app);
  tools = useTools(app, caller);
  spanish = useTools(app, caller, { locale: 'es' });
});
afterAll(() => app.close());

test('hooks come back in order, cleaned, with score, reasons, flags and what stands against them', async () => {
  const texts = ['1. "Why Paul never eats bread on Monday"', 'Save 40% at https://evil.example', '!!'];
  const input = { texts, platform: 'youtube_shorts', language: 'en', topic: 'bread' };
  expect(await tools('score_hooks', input)).toMatchObject({
    results: [
      {
        text: 'Why Paul never eats bread on Monday',
        score: 90,
        chars: 35,
        seconds: 2.6,
        flags: [],
        problems: [],
      },
      { text: 'Save 40% at', flags: ['claim_needs_proof', 'url'], problems: [] },
      {
        text: '',
        score: 0,
        problems: [
          {
            code: 'empty',
            message: 'It is empty once links, numbering and quotes are removed. Write a sentence.',
          },
        ],
      },
    ],
    notice:
      'The score rates how well a hook is written, by the rules listed with it. It does not predict views.',
  });
});

test('without a language hooks are judged, and reasons said, in that of the answer', async () => {
  const answer = await spanish('score_hooks', { texts: ['The bread that you bake is not the problem'] });
  expect(answer).toMatchObject({
    results: [
      {
        problems: [
          {
            code: 'wrong_language',
            message: 'No está en el idioma pedido (es). Reescríbelo en ese idioma.',
          },
        ],
      },
    ],
    notice:
      'La puntuación valora lo bien escrito que está un hook, según las reglas que la acompañan. No predice visualizaciones.',
  });
});

test.each([
  [{ texts: [] }, 'texts'],
  [{ texts: Array.from({ length: 21 }, String) }, 'texts'],
  [{ texts: ['bread'], platform: 'myspace' }, 'platform'],
  [{ texts: ['bread'], language: 'not a language' }, 'language'],
  [{ texts: ['bread'], topic: 'x'.repeat(501) }, 'topic'],
])('%j is refused for its %s', async (input, field) => {
  await expect(tools('score_hooks', input)).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ loc: ['body', field] }],
  });
});

test('a text of more than 1,000 characters is no hook', async () => {
  await tools('score_hooks', { texts: ['x'.repeat(1000)] });
  await expect(tools('score_hooks', { texts: ['x'.repeat(1001)] })).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ loc: ['body', 'texts', 0] }],
  });
});
