import { beforeEach, expect, test } from 'vitest';
import { newBareCaller } from '../../support/app.ts';
import { useHooksApp } from '../hooks-app.ts';
import { storeGeneration } from '../stored-generation.ts';

const product = useHooksApp();
let id: string;

beforeEach(async () => {
  id = await storeGeneration(product.app, product.accountId, {
    topic: 'bread',
    hooks: [
      ['Is it flat?', 'question'],
      ['Your fridge is cold.', 'curiosity'],
      ['Is it you?', 'question'],
    ],
  });
});

const rate = (index: number, rating: object) => product.call('rate_hook', { id, index, ...rating });

test('what is said of a hook is kept, and shown in the history', async () => {
  const said = { copied: true, used: true, winner: false, metric: 1200.5 };
  expect(await rate(1, said)).toEqual({
    generation_id: id,
    index: 1,
    ...said,
    rated_at: expect.stringMatching(/^\d{4}-/),
    worked_for_you: { curiosity: { won: 0, of: 1 } },
  });
  expect((await product.call('get_generation', { id }))['details']).toMatchObject([
    { rated_at: null },
    said,
    { rated_at: null },
  ]);
});

test('omitted fields stay as they were, and the same again changes nothing', async () => {
  await rate(0, { copied: true, metric: 0 });
  await rate(0, { used: true });
  const first = await rate(0, { copied: false });
  expect(first).toMatchObject({ copied: false, used: true, winner: null, metric: 0 });
  const again = await rate(0, { copied: false });
  expect({ ...again, rated_at: '' }).toEqual({ ...first, rated_at: '' });
});

test('the styles that worked are counted for the account alone: those used or compared, and those that won', async () => {
  await rate(0, { winner: true });
  await rate(1, { copied: true });
  const { worked_for_you } = await rate(2, { used: true });
  expect(worked_for_you).toEqual({ question: { won: 1, of: 2 } });
  expect(await product.app.hooks.feedback.winnersOf(product.accountId)).toEqual(worked_for_you);
  const stranger = await newBareCaller(product.app);
  expect(await product.app.hooks.feedback.winnersOf(stranger.accountId)).toEqual({});
});

test.each([
  ['no such generation', { id: 'gen_nobody', index: 0 }],
  ['no such hook in it', { index: 3 }],
])('%s: not found', async (_what, place) => {
  await expect(product.call('rate_hook', { id, used: true, ...place })).rejects.toMatchObject({
    key: 'not_found.hook',
  });
});
