import { expect, test } from 'vitest';
import { createHistory } from '../../../src/hooks/history/history.ts';
import { useHooksApp } from '../hooks-app.ts';

const product = useHooksApp();

const cold = { text: 'Your sourdough is not flat. Your fridge is cold.', style: 'contrarian' };
const skip = {
  text: '2) "Which sourdough step do you skip on Mondays?"',
  style: 'question',
  why: 'It asks.',
};
const submit = (...hooks: object[]) =>
  product.call('submit_hooks', { topic: 'sourdough', language: 'en', hooks });

test('hooks that pass are cleaned, scored and kept, and cost nothing', async () => {
  const answer = await submit(cold, skip);
  expect(answer).toMatchObject({
    success: true,
    topic: 'sourdough',
    hooks: [cold.text, 'Which sourdough step do you skip on Mondays?'],
    count: 2,
    styles_used: ['contrarian', 'question'],
    refused: [],
    provider: 'client',
    generation_id: expect.stringMatching(/^gen_/),
  });
  expect(answer['details']).toMatchObject([
    { score: expect.any(Number), why: expect.any(String) },
    { why: 'It asks.' },
  ]);
  expect((await product.app.quota.usage(product.accountId)).hooks_used).toBe(0);
});

test('each that does not pass says what to change', async () => {
  const answer = await submit(cold, { ...cold, text: `${cold.text}!` }, { text: '   ', style: 'list' });
  expect(answer).toMatchObject({
    success: false,
    count: 1,
    refused: [
      { index: 1, problems: [{ code: 'repeats', message: expect.stringMatching(/^It repeats/) }] },
      { index: 2, problems: [{ code: 'empty', message: expect.any(String) }] },
    ],
  });
});

test('what the account has had is a repeat; when nothing is left, nothing is kept', async () => {
  await submit(cold);
  expect(await submit(cold)).toMatchObject({ success: false, count: 0, generation_id: null });
  const rows = await product.app.database
    .sql`select id from generations where account_id = ${product.accountId}`;
  expect(rows).toHaveLength(1);
});

test('what was deleted is no repeat any more', async () => {
  const { generation_id: id } = await submit(cold);
  expect(await submit(cold)).toMatchObject({ count: 0 });
  await product.call('delete_generation', { id });
  expect(await submit(cold)).toMatchObject({ count: 1 });
});

test('what was deleted on another node is forgotten here a moment later', async () => {
  const { generation_id: id } = await submit(cold);
  expect(await submit(cold)).toMatchObject({ count: 0 });
  const { entitlements, database } = product.app;
  const elsewhere = createHistory({ sql: database.sql, entitlements, recentHooks: { forget() {} } });
  await elsewhere.delete(product.accountId, String(id));
  let again = await submit(cold);
  while (again['count'] === 0) again = await submit(cold);
  expect(again).toMatchObject({ success: true, hooks: [cold.text] });
});

test('a topic has to be there', async () => {
  await expect(product.call('submit_hooks', { topic: ' ', hooks: [cold] })).rejects.toMatchObject({
    code: 'topic_required',
  });
});
