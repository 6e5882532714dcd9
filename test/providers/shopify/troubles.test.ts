import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { DESCRIBED, HERE, json, openWire, SHOP } from './wire.ts';

const { signal } = new AbortController();
const unauthorized = new Fault('store_unauthorized.token', { domain: SHOP });
const unavailable = new Fault('store_unavailable.no_answer', { domain: SHOP });
const refused = (reason: string) => new Fault('store_refused.request', { domain: SHOP, reason });
const graphql = (code: string, message = code) => json({ errors: [{ message, extensions: { code } }] });

test.each([
  ['401', () => json({ errors: 'Invalid API key' }, 401), unauthorized],
  ['403', () => json({ errors: 'Forbidden' }, 403), unauthorized],
  ['402', () => json({ errors: 'Payment required' }, 402), new Fault('store_frozen.plan', { domain: SHOP })],
  ['423', () => json({ errors: 'Locked' }, 423), new Fault('store_frozen.plan', { domain: SHOP })],
  ['404', () => json({ errors: 'Not Found' }, 404), new Fault('store_not_found.domain', { domain: SHOP })],
  ['400', () => json({ errors: 'Bad Request' }, 400), refused('Bad Request')],
  ['406 with a page', () => new Response('<p>', { status: 406 }), refused('HTTP 406')],
  ['a scope that lacks', () => graphql('ACCESS_DENIED'), unauthorized],
  ['a closed shop', () => graphql('SHOP_INACTIVE'), new Fault('store_frozen.plan', { domain: SHOP })],
  [
    'an invalid query',
    () => json({ errors: [{ message: 'Field x' }, { message: 'Field y' }] }),
    refused('Field x; Field y'),
  ],
  [
    'errors beside data',
    () => json({ data: DESCRIBED.data, errors: [{ message: 'half' }] }),
    refused('half'),
  ],
  ['a cost that never fits', () => graphql('MAX_COST_EXCEEDED'), refused('MAX_COST_EXCEEDED')],
  ['a very long reason', () => graphql('X', 'x'.repeat(9000)), refused('x'.repeat(500))],
])('%s is asked once and makes the fault of it', async (_what, answer, fault) => {
  const { store, sent } = openWire(answer);
  await expect(store.describe(undefined, signal)).rejects.toEqual(fault);
  expect(sent).toHaveLength(1);
});

test.each([
  ['500', () => new Response('oops', { status: 500 })],
  ['408', () => new Response(null, { status: 408 })],
  ['a page with 200', () => new Response('<p>', { headers: { 'content-type': 'text/html' } })],
  ['broken JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
  ['neither data nor errors', () => json({})],
  ['an internal error', () => graphql('INTERNAL_SERVER_ERROR')],
  ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
])(
  '%s is tried six times, longer and longer apart, before the store counts as unavailable',
  async (_what, answer) => {
    const { store, sent, clock } = openWire(answer);
    await expect(store.describe(undefined, signal)).rejects.toEqual(unavailable);
    expect(sent).toHaveLength(6);
    expect(clock.waited).toHaveLength(5);
    expect(Math.max(...clock.waited)).toBeGreaterThan(0);
    for (const [index, ms] of clock.waited.entries()) expect(ms).toBeLessThanOrEqual(500 * 2 ** (index + 1));
  },
);

test('an answer after five failures is an answer', async () => {
  const { store, sent } = openWire((_sent, count) =>
    count < 6 ? new Response(null, { status: 502 }) : json(DESCRIBED),
  );
  expect(await store.describe(undefined, signal)).toMatchObject({ name: 'Shop' });
  expect(sent).toHaveLength(6);
  expect(store.calls()).toEqual({ calls: 6, points: 0 });
});

test('a request that was too costly once is halved for that run, not for the next one', async () => {
  const { store, open, sent } = openWire((_sent, count) =>
    count === 1 ? graphql('MAX_COST_EXCEEDED') : json({ data: { nodes: Array(50).fill(null) } }),
  );
  const ids = Array.from({ length: 100 }, (_, nth) => `gid://shopify/ProductVariant/${nth}`);
  await store.variants(ids, HERE, signal);
  await open().variants(ids.slice(0, 50), HERE, signal);
  await open().variants(ids, HERE, signal);
  const asked = sent.map(({ body }) => JSON.parse(body).variables.ids.length);
  expect(asked).toEqual([100, 50, 50, 50, 100, 50]);
});

test('429 waits as many seconds as the store says', async () => {
  const { store, clock } = openWire((_sent, count) =>
    count === 1 ? json({}, 429, { 'retry-after': '2.0' }) : json(DESCRIBED),
  );
  await store.describe(undefined, signal);
  expect(clock.waited).toEqual([2000]);
});

test('a store that asks for a day is asked again after five minutes', async () => {
  const { store, clock } = openWire((_sent, count) =>
    count === 1 ? json({}, 429, { 'retry-after': '86400' }) : json(DESCRIBED),
  );
  await store.describe(undefined, signal);
  expect(clock.waited).toEqual([300_000]);
});

const cost = (requested: number, available: number, actual: number | null = requested) => ({
  cost: {
    requestedQueryCost: requested,
    actualQueryCost: actual,
    throttleStatus: { maximumAvailable: 2000, currentlyAvailable: available, restoreRate: 100 },
  },
});

test('a throttled request waits until there are the points, and is no failure', async () => {
  const throttled = { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] };
  const { store, clock, sent } = openWire((_sent, count) =>
    count <= 10
      ? json({ ...throttled, extensions: cost(50, 20, null) })
      : json({ ...DESCRIBED, extensions: cost(50, 60) }),
  );
  await store.describe(undefined, signal);
  expect(sent).toHaveLength(11);
  expect(clock.waited).toEqual(Array(10).fill(300));
  expect(store.calls()).toEqual({ calls: 11, points: 50 });
});

test('what a query costs is learnt, so that it is not sent before there are the points', async () => {
  const { store, clock } = openWire(() => json({ ...DESCRIBED, extensions: cost(90, 40) }));
  await store.describe(undefined, signal);
  expect(clock.waited).toEqual([]);
  await store.describe(undefined, signal);
  expect(clock.waited).toEqual([500]);
});

test('a store that is throttled for ever is given up', async () => {
  const { store, sent } = openWire(() => graphql('THROTTLED'));
  await expect(store.describe(undefined, signal)).rejects.toEqual(unavailable);
  expect(sent).toHaveLength(100);
});

test('the place that the store does not have is named', async () => {
  const { store } = openWire(() => json({ data: { ...DESCRIBED.data, location: null } }));
  await expect(store.describe(HERE, signal)).rejects.toEqual(
    new Fault('store_not_found.location', { domain: SHOP, location: HERE }),
  );
});

test('a place by its number is found, and what can be none is not asked for', async () => {
  const { store, sent } = openWire(() => json(DESCRIBED));
  await store.describe('1', signal);
  expect(JSON.parse(sent[0]?.body ?? '').variables).toEqual({ location: HERE });
  await expect(store.describe('1") { x', signal)).rejects.toEqual(
    new Fault('store_not_found.location', { domain: SHOP, location: '1") { x' }),
  );
  expect(sent).toHaveLength(1);
});

const endless = () => new Promise<never>(() => {});

test('an aborted signal ends the waiting for an answer with its reason', async () => {
  const stop = new AbortController();
  const { store } = openWire(() => {
    queueMicrotask(() => stop.abort(new Error('stopped')));
    return new Promise((_resolve, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
    });
  });
  await expect(store.describe(undefined, stop.signal)).rejects.toThrow('stopped');
});

test('an aborted signal ends the waiting between two tries', async () => {
  const stop = new AbortController();
  const { store, sent } = openWire(() => {
    stop.abort(new Error('stopped'));
    return new Response(null, { status: 502 });
  });
  await expect(store.describe(undefined, stop.signal)).rejects.toThrow('stopped');
  expect(sent).toHaveLength(1);
});

test('an aborted signal ends the waiting for a token', async () => {
  const stop = new AbortController();
  const credentials = { clientId: 'a', clientSecret: 'b' };
  const { store } = openWire(() => endless(), { credentials });
  const asking = store.describe(undefined, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(asking).rejects.toThrow('stopped');
});
