import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { startPeer } from './peer.ts';
import { SHOP } from './wire.ts';

const { signal } = new AbortController();
const ADDRESS = 'https://stallhand.example/webhooks/shopify';
const TOPICS = [
  'products/create',
  'products/update',
  'products/delete',
  'inventory_levels/update',
  'inventory_items/update',
  'app/uninstalled',
];

test('the store is made to tell of six topics, and only of those it does not tell yet', async () => {
  const peer = await startPeer({});
  const told = () => peer.shop.subscriptions().map(({ topic, uri }) => `${topic} ${uri}`);
  const six = TOPICS.map((topic) => `${topic.replace('/', '_').toUpperCase()} ${ADDRESS}`);
  expect(await peer.open().subscribe(ADDRESS, signal)).toEqual(TOPICS);
  expect(told()).toEqual(six);
  expect(await peer.open().subscribe(ADDRESS, signal)).toEqual(TOPICS);
  expect(told()).toEqual(six);
  expect(peer.operations()).toEqual([
    'StallhandSubscriptions',
    ...Array(6).fill('StallhandSubscribe'),
    'StallhandSubscriptions',
  ]);
  await peer.open().subscribe('https://other.example/', signal);
  expect(told()).toHaveLength(12);
  await peer.close();
});

test('a subscription whose answer was lost is no trouble, an address that the store will not have is', async () => {
  const peer = await startPeer({});
  peer.shop.faults.push(({ operation }) => (operation === 'StallhandSubscribe' ? 'drop_after' : undefined));
  expect(await peer.open().subscribe(ADDRESS, signal)).toEqual(TOPICS);
  expect(peer.shop.subscriptions()).toHaveLength(6);
  await expect(peer.open().subscribe('http://stallhand.example/', signal)).rejects.toEqual(
    new Fault('store_refused.request', { domain: SHOP, reason: 'Address protocol http:// is not supported' }),
  );
  await peer.close();
});
