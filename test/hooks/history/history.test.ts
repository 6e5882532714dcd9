import { describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { givePlan } from '../../support/plans.ts';
import { useHooksApp } from '../hooks-app.ts';
import { storeGeneration } from '../stored-generation.ts';

const product = useHooksApp();

const keep = (topic: string, platform: string | null = 'tiktok') =>
  storeGeneration(product.app, product.accountId, { topic, platform });

type Items = { id: string; topic: string }[];
const listed = async (input: Record<string, unknown> = {}) =>
  (await product.call('list_history', input))['items'] as Items;
const topics = async (input: Record<string, unknown>) => (await listed(input)).map(({ topic }) => topic);

const faultOf = (answer: Promise<unknown>): Promise<Fault> =>
  answer.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => (error instanceof Fault ? error : expect.unreachable(String(error))),
  );

test('a new account has an empty history', async () => {
  await givePlan(product.app, product.accountId, 'pro');
  expect(await product.call('list_history')).toEqual({ items: [], next_cursor: null });
});

test('an item has the topic with its hooks, and a generation all there is to know of them', async () => {
  const id = await storeGeneration(product.app, product.accountId, {
    topic: 'Bread',
    hooks: [
      ['Is it flat?', 'question'],
      ['Your fridge is cold.', 'curiosity'],
    ],
  });
  const item = {
    id,
    topic: 'Bread',
    platform: 'tiktok',
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    count: 2,
    hooks: ['Is it flat?', 'Your fridge is cold.'],
    styles_used: ['question', 'curiosity'],
    provider: 'provider_a',
    language: 'en',
  };
  expect(await product.call('list_history')).toEqual({ items: [item], next_cursor: null, limited_to: 20 });
  const unrated = { copied: null, used: null, winner: null, metric: null, rated_at: null };
  expect(await product.call('get_generation', { id })).toEqual({
    ...item,
    model: 'm-1',
    usage: null,
    requested: 5,
    details: [
      {
        ...{ id: expect.stringMatching(/^hook_/), text: 'Is it flat?', style: 'question', score: 70 },
        ...{ why: 'A gap.', pattern: 'not this, but that', chars: 11, seconds: 1.5, flags: ['all_caps'] },
        ...unrated,
      },
      expect.objectContaining({ text: 'Your fridge is cold.', ...unrated }),
    ],
  });
});

describe('q', () => {
  const kept = [
    'Árbol de Navidad',
    'a naïve CAFÉ',
    '50% off',
    '500 offers',
    'snake_case',
    'snakeXcase',
    'C:\\bread',
  ];

  test.each([
    ['arbol', ['Árbol de Navidad']],
    ['ÁRBOL', ['Árbol de Navidad']],
    ['a\u0301rbol', ['Árbol de Navidad']],
    ['Café', ['a naïve CAFÉ']],
    ['NAIVE cafe', ['a naïve CAFÉ']],
    ['50%', ['50% off']],
    ['%', ['50% off']],
    ['e_c', ['snake_case']],
    ['\\', ['C:\\bread']],
    [' off ', ['500 offers', '50% off']],
    ['  ', [...kept].reverse()],
    ['nothing like it', []],
  ])('%j finds %j', async (q, found) => {
    for (const topic of kept) await keep(topic);
    expect(await topics({ q })).toEqual(found);
  });

  test('and a platform hold together', async () => {
    await keep('bread', 'x');
    await keep('bread again', 'tiktok');
    await keep('lease', 'x');
    expect(await topics({ q: 'bread', platform: 'x' })).toEqual(['bread']);
    expect(await topics({ platform: 'x' })).toEqual(['lease', 'bread']);
  });
});

test('pages lead through all of it once, whatever is generated in between', async () => {
  await givePlan(product.app, product.accountId, 'pro');
  const kept: string[] = [];
  for (let nth = 0; nth < 7; nth++) kept.unshift(await keep(`topic ${nth}`));
  const seen: string[] = [];
  let cursor: unknown = null;
  do {
    const page = await product.call('list_history', { limit: 3, ...(cursor !== null && { cursor }) });
    seen.push(...(page['items'] as Items).map(({ id }) => id));
    cursor = page['next_cursor'];
    await keep('meanwhile');
  } while (cursor !== null);
  expect(seen).toEqual(kept);
});

describe('the free plan', () => {
  test('shows the latest 20 and says so; a paid one shows all', async () => {
    for (let nth = 0; nth < 23; nth++) await keep(`topic ${nth}`);
    const free = await product.call('list_history', { limit: 200 });
    expect([(free['items'] as Items).map(({ topic }) => topic), free['limited_to']]).toEqual([
      Array.from({ length: 20 }, (_, nth) => `topic ${22 - nth}`),
      20,
    ]);
    expect(await topics({ q: 'topic 2', limit: 200 })).toEqual(['topic 22', 'topic 21', 'topic 20']);
    await givePlan(product.app, product.accountId, 'pro');
    expect(await listed({ limit: 200 })).toHaveLength(23);
  });

  test('keeps an older one, which can be deleted, and seen with a paid plan', async () => {
    const oldest = await keep('the first');
    const next = await keep('the second');
    for (let nth = 0; nth < 19; nth++) await keep(`topic ${nth}`);
    const fault = await faultOf(product.call('get_generation', { id: oldest }));
    expect([fault.key, fault.params]).toEqual(['plan_required.history', { limit: 20, plan: 'pro' }]);
    expect((await faultOf(product.call('download_generation', { id: oldest }))).key).toBe(
      'plan_required.history',
    );
    expect(await product.call('get_generation', { id: next })).toMatchObject({ topic: 'the second' });
    await givePlan(product.app, product.accountId, 'pro');
    expect(await product.call('get_generation', { id: oldest })).toMatchObject({ topic: 'the first' });
    await givePlan(product.app, product.accountId, 'free');
    expect(await product.call('delete_generation', { id: oldest })).toEqual({ deleted: true });
  });
});

test('a deleted generation is gone with its hooks, and only that one', async () => {
  const [gone, stays] = [await keep('bread'), await keep('lease')];
  expect(await product.call('delete_generation', { id: gone })).toEqual({ deleted: true });
  expect((await listed()).map(({ id }) => id)).toEqual([stays]);
  const { sql } = product.app.database;
  expect(await sql`select generation_id from hooks where account_id = ${product.accountId}`).toEqual([
    { generation_id: stays },
  ]);
  for (const tool of ['get_generation', 'delete_generation', 'download_generation'])
    expect((await faultOf(product.call(tool, { id: gone }))).key).toBe('not_found.generation');
});

test('the export of an account has all of it, and its brand voices', async () => {
  await givePlan(product.app, product.accountId, 'pro');
  await keep('bread');
  await product.call('save_brand_voice', { name: 'Mill' });
  await givePlan(product.app, product.accountId, 'free');
  const { bytes } = await product.app.accountExport.export(product.accountId);
  expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({
    generations: [{ topic: 'bread', hooks: [{ text: 'One hook.', winner: null }] }],
    brand_voices: [{ name: 'Mill' }],
  });
});
