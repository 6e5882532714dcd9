import { expect, test } from 'vitest';
import { createOpenStages } from '../../../src/videos/render/open-stages.ts';
import { createFakeRenderer } from '../../support/fake-renderer.ts';

const { signal } = new AbortController();
const page = {
  html: '',
  scripts: false,
  tracks: [],
  captions: [],
  width: 64,
  height: 64,
  fps: 30,
  frames: 1,
};
const wanted = (key: string) => ({ key, composition: async () => ({ ...page, assets: new Map() }), signal });
const nothing = async () => {};

function open({ idleTimeoutMs = 60_000, maxIdle = 2 } = {}) {
  const stages = createFakeRenderer();
  return { count: stages.count, open: createOpenStages({ stages, idleTimeoutMs, maxIdle }) };
}

test('the next use of a composition finds its stage open', async () => {
  const { count, open: stages } = open();
  await stages.use(wanted('one'), nothing);
  await stages.use(wanted('one'), nothing);
  expect(count).toEqual({ now: 1, ever: 1 });
  await stages.close();
  expect(count).toEqual({ now: 0, ever: 1 });
});

test('two uses at the same time have a stage each', async () => {
  const { count, open: stages } = open();
  await Promise.all([stages.use(wanted('one'), nothing), stages.use(wanted('one'), nothing)]);
  expect(count).toEqual({ now: 2, ever: 2 });
  await stages.drop('one');
  expect(count.now).toBe(0);
});

test('what failed is closed, and not used again', async () => {
  const { count, open: stages } = open();
  const broken = stages.use(wanted('one'), () => Promise.reject(new Error('crashed')));
  await expect(broken).rejects.toThrow('crashed');
  expect(count).toEqual({ now: 0, ever: 1 });
});

test('the oldest makes room, and an unused one closes automatically', async () => {
  const { count, open: stages } = open({ idleTimeoutMs: 20, maxIdle: 1 });
  await stages.use(wanted('one'), nothing);
  await stages.use(wanted('two'), nothing);
  await expect.poll(() => count).toEqual({ now: 0, ever: 2 });
});

test('what comes back after the end is closed', async () => {
  const { count, open: stages } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const used = stages.use(wanted('one'), () => promise);
  await stages.close();
  resolve();
  await used;
  await expect.poll(() => count.now).toBe(0);
});
