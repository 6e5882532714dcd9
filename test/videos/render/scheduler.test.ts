import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeRenderer } from '../../support/fake-renderer.ts';
import { aborted, ask, endOf, openAccount, openNode, stopNodes } from './workshop.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  await openAccount(database);
});
afterEach(stopNodes);
afterAll(() => database.close());

test('videos take turns: a short one does not wait for the end of a long one', async () => {
  const order: string[] = [];
  const stages = createFakeRenderer({
    paint: async ({ span }, { frames }) => {
      order.push(`${frames === 1500 ? 'long' : 'short'} ${span.from}`);
    },
  });
  const node = await openNode(database, { stages, working: false });
  const long = await ask(node.videos, { duration: 50, title: 'long' });
  const short = await ask(node.videos, { duration: 10, title: 'short' });
  const { videos } = await openNode(database, { stages, workers: 1, blobs: node.blobs });
  await Promise.all([endOf(videos, long.id), endOf(videos, short.id)]);
  expect(order).toHaveLength(12);
  expect(order.indexOf('short 150')).toBeLessThan(8);
  expect(order.at(-1)).toBe('long 1350');
});

test('the chunks of a 4K video are shorter, so that others wait no longer for their turn', async () => {
  const spans: number[] = [];
  const stages = createFakeRenderer({ paint: async ({ span }) => void spans.push(span.to - span.from) });
  const { videos } = await openNode(database, { stages, workers: 1 });
  const { id } = await ask(videos, { duration: 2.1, width: 3840, height: 2160 });
  await endOf(videos, id);
  // Chunks that are queued together may begin in any order.
  expect(spans.toSorted((one, other) => other - one)).toEqual([60, 3]);
});

test('three videos of an account are worked at; the next one begins when one of them ends', async () => {
  const open = new Map<string, () => void>();
  const stages = createFakeRenderer({
    async paint({ signal }, { html }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(html, resolve);
      await Promise.race([promise, aborted(signal)]);
    },
  });
  const { videos } = await openNode(database, { stages, workers: 8 });
  const other = await openAccount(database, 'acc_other');
  const titles = ['one', 'two', 'three', 'four', 'five'];
  const made = [];
  for (const title of titles) made.push(await ask(videos, { title, duration: 1 }));
  const others = await ask(videos, { title: 'theirs', duration: 1 }, other);
  const page = (title: string) => `<div id="stage">${title}</div>`;
  await expect.poll(() => [...open.keys()].sort()).toEqual(['one', 'theirs', 'three', 'two'].map(page));
  open.get(page('two'))?.();
  await expect.poll(() => open.has(page('four'))).toBe(true);
  expect(open.has(page('five'))).toBe(false);
  await videos.cancel('acc_test', made[0]?.id ?? '');
  await expect.poll(() => open.has(page('five'))).toBe(true);
  for (const go of open.values()) go();
  for (const { id } of made.slice(1)) expect(await endOf(videos, id)).toMatchObject({ status: 'completed' });
  expect(await endOf(videos, others.id, other)).toMatchObject({ status: 'completed' });
});

test('pieces of another engine than the newest are made again before they are joined', async () => {
  let made = 0;
  const stages = createFakeRenderer({
    fingerprint: () => (made < 2 ? 'fake 1' : 'fake 2'),
    paint: async () => {
      made++;
    },
  });
  const { videos } = await openNode(database, { stages, workers: 1 });
  const { id } = await ask(videos, { duration: 15 });
  expect(await endOf(videos, id)).toMatchObject({ status: 'completed', engine: { encoder: 'fake 2' } });
  // Any chunk may be the first, which is the one of the other engine.
  const [first = ''] = stages.asked;
  expect(stages.asked.toSorted()).toEqual(['0-150', '150-300', '300-450', first].toSorted());
});

test('when the engines never agree the video fails, after three rounds', async () => {
  let made = 0;
  const stages = createFakeRenderer({
    fingerprint: () => `fake ${made}`,
    paint: async () => {
      made++;
    },
  });
  const { videos } = await openNode(database, { stages, workers: 1 });
  const { id } = await ask(videos);
  expect(await endOf(videos, id)).toMatchObject({ status: 'failed', error: { key: 'video_failed.engines' } });
  expect(stages.asked).toHaveLength(5);
});
