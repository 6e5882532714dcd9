import { expect, test } from 'vitest';
import { createNotifiedCache } from '../../src/platform/notified-cache.ts';

type Plan = { readonly name: string };

const open = (options = {}) => createNotifiedCache<Plan>({ max: 10, channels: ['plans'], ...options });
const load = (name: string) => async () => ({ name });

test('a value is loaded once, until its key is invalidated', async () => {
  const cache = open();
  expect(await cache.get('a', load('first'))).toEqual({ name: 'first' });
  expect(await cache.get('a', load('second'))).toEqual({ name: 'first' });
  cache.invalidate('b');
  expect(await cache.get('a', load('second'))).toEqual({ name: 'first' });
  cache.invalidate('a');
  expect(await cache.get('a', load('second'))).toEqual({ name: 'second' });
});

test('undefined and failures are not cached', async () => {
  const cache = open();
  expect(await cache.get('a', async () => undefined)).toBeUndefined();
  await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('a', load('found'))).toEqual({ name: 'found' });
});

test('a load that started before an invalidation is returned but not cached', async () => {
  const cache = open();
  const slow = Promise.withResolvers<Plan>();
  const loading = cache.get('a', () => slow.promise);
  cache.invalidate();
  slow.resolve({ name: 'stale' });
  expect(await loading).toEqual({ name: 'stale' });
  expect(await cache.get('a', load('fresh'))).toEqual({ name: 'fresh' });
});

test('a notification invalidates everything, or the key in its payload', async () => {
  for (const payloadIsKey of [false, true]) {
    const cache = open({ payloadIsKey });
    await cache.get('a', load('old'));
    await cache.get('b', load('old'));
    const [listener] = cache.listeners;
    expect(listener?.channel).toBe('plans');
    listener?.onNotify('a');
    expect(await cache.get('a', load('new'))).toEqual({ name: 'new' });
    expect(await cache.get('b', load('new'))).toEqual({ name: payloadIsKey ? 'old' : 'new' });
    listener?.onReconnect?.();
    expect(await cache.get('b', load('newer'))).toEqual({ name: 'newer' });
  }
});

test('a value that is no longer fresh is loaded again', async () => {
  const cache = open({ isFresh: ({ name }: Plan) => name !== 'expired' });
  await cache.get('a', load('expired'));
  expect(await cache.get('a', load('renewed'))).toEqual({ name: 'renewed' });
});

test('update sees the cached value', async () => {
  const cache = open();
  const append = async (cached?: Plan) => ({ name: `${cached?.name ?? ''}x` });
  await cache.update('a', append);
  expect(await cache.update('a', append)).toEqual({ name: 'xx' });
});
