import { beforeEach, describe, expect, test } from 'vitest';
import { givePlan } from '../support/plans.ts';
import { useHooksApp } from './hooks-app.ts';

const product = useHooksApp();

beforeEach(async () => {
  await givePlan(product.app, product.accountId, 'pro');
});

const MILL = {
  name: 'Mill',
  samples: ['Bread first.', 'Talk later.'],
  do: 'Be dry',
  avoid: 'Jokes',
  forbidden_words: ['artisanal', 'oh, "well"'],
  language: 'es-MX',
};
const save = (voice: object) => product.call('save_brand_voice', { ...voice });
const names = async () =>
  ((await product.call('list_brand_voices'))['items'] as { name: string }[]).map(({ name }) => name);

test('a voice is kept as it was given; omitted fields are empty', async () => {
  const { created, ...mill } = await save(MILL);
  expect([created, mill]).toEqual([
    true,
    {
      id: expect.stringMatching(/^voi_/),
      ...MILL,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  expect(await save({ name: '  Bare  ' })).toMatchObject({
    ...{ name: 'Bare', samples: [], do: '', avoid: '', forbidden_words: [], language: null },
  });
  expect(await names()).toEqual(['Bare', 'Mill']);
  expect((await product.call('list_brand_voices'))['items']).toContainEqual(mill);
});

test('one of the same name is replaced whole, and keeps its id', async () => {
  const first = await save(MILL);
  const second = await save({ name: 'Mill', do: 'Be loud' });
  expect(second).toMatchObject({
    ...{ id: first['id'], created: false, do: 'Be loud', avoid: '', samples: [], language: null },
    created_at: first['created_at'],
  });
  expect(await names()).toEqual(['Mill']);
});

test('by its id a voice is replaced with its name, but not by a name another has', async () => {
  const { id } = await save(MILL);
  expect(await product.call('update_brand_voice', { id, name: 'Old Mill', do: 'Be slow' })).toMatchObject({
    ...{ id, name: 'Old Mill', do: 'Be slow', samples: [] },
  });
  await save({ name: 'Bakery' });
  await expect(product.call('update_brand_voice', { id, name: 'Bakery' })).rejects.toMatchObject({
    key: 'name_taken.brand_voice',
  });
  expect(await names()).toEqual(['Bakery', 'Old Mill']);
});

test('a deleted voice is gone', async () => {
  const { id } = await save(MILL);
  expect(await product.call('delete_brand_voice', { id })).toEqual({ deleted: true });
  expect(await names()).toEqual([]);
  for (const tool of ['delete_brand_voice', 'update_brand_voice'])
    await expect(
      product.call(tool, { id, ...(tool === 'update_brand_voice' && { name: 'x' }) }),
    ).rejects.toMatchObject({ key: 'not_found.brand_voice' });
});

test('of 25 saved at once exactly 20 are kept; then one can still be replaced', async () => {
  const results = await Promise.allSettled(Array.from({ length: 25 }, (_, nth) => save({ name: `v${nth}` })));
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.map(({ key }) => key)).toEqual(Array(5).fill('plan_limit.brand_voices'));
  const kept = await names();
  expect(kept).toHaveLength(20);
  expect(await save({ name: kept[0], do: 'again' })).toMatchObject({ created: false });
});

test('the same name saved many times at once makes one voice', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, nth) => save({ name: 'Mill', do: `${nth}` })),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
});

describe('without a paid plan', () => {
  test('voices can be seen and deleted, not made or changed', async () => {
    const { id } = await save(MILL);
    await givePlan(product.app, product.accountId, 'free');
    const refused = { key: 'plan_required.feature', params: { feature: 'brand_voices', plan: 'pro' } };
    await expect(save({ name: 'Another' })).rejects.toMatchObject(refused);
    await expect(product.call('update_brand_voice', { id, name: 'Another' })).rejects.toMatchObject(refused);
    await expect(
      product.call('generate_hooks', { topic: 'x', provider: 'builtin', brand_voice_id: id }),
    ).rejects.toMatchObject(refused);
    expect(await names()).toEqual(['Mill']);
    expect(await product.call('delete_brand_voice', { id })).toEqual({ deleted: true });
  });
});

test.each([
  ['no name', { name: ' ' }],
  ['a name of two lines', { name: 'a\nb' }],
  ['eleven samples', { name: 'x', samples: Array(11).fill('s') }],
  ['a sample of 501 characters', { name: 'x', samples: ['s'.repeat(501)] }],
  ['an empty forbidden word', { name: 'x', forbidden_words: [''] }],
  ['no language', { name: 'x', language: 'Spanish, please' }],
])('%s is refused', async (_what, voice) => {
  await expect(save(voice)).rejects.toMatchObject({ key: 'validation_failed.input' });
});
