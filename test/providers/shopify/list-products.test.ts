import { afterEach, expect, test } from 'vitest';
import { type Peer, startPeer } from './peer.ts';

const { signal } = new AbortController();
const peers: Peer[] = [];
afterEach(() => Promise.all(peers.splice(0).map((peer) => peer.close())));

const MUG = {
  title: 'Stoneware mug',
  image: 'https://pictures.example/mug.png',
  variants: [
    { sku: 'MUG-S', price: '16.50' },
    { sku: 'MUG-L', price: '12.00' },
  ],
};

async function start(
  products: NonNullable<Parameters<typeof startPeer>[0]['shop']>['products'],
): Promise<Peer> {
  const peer = await startPeer({ shop: { ...(products && { products }) } });
  peers.push(peer);
  return peer;
}

test('a product has its title, its lowest price, its picture and its variants', async () => {
  const peer = await start([MUG]);
  const [small, large] = peer.shop.variants();
  expect(await peer.open().products({ limit: 5 }, signal)).toEqual({
    products: [
      {
        id: small?.productId,
        title: 'Stoneware mug',
        handle: 'stoneware-mug',
        status: 'active',
        price: '12',
        currency: 'EUR',
        image: 'https://pictures.example/mug.png',
        url: expect.stringMatching(/^https:.*\/products\/stoneware-mug$/),
        variants: [
          { id: small?.variantId, sku: 'MUG-S', title: 'Default Title', price: '16.50' },
          { id: large?.variantId, sku: 'MUG-L', title: 'Default Title', price: '12.00' },
        ],
      },
    ],
    next: null,
  });
});

test('pages follow each other, and words find what they are in', async () => {
  const titles = ['Red tea', 'Green tea', 'Bowl', 'Tea bowl'];
  const peer = await start(titles.map((title) => ({ title, variants: [{ sku: title }] })));
  const client = peer.open();
  const first = await client.products({ q: 'tea', limit: 2 }, signal);
  const second = await client.products({ q: 'tea', limit: 2, after: first.next ?? '' }, signal);
  const found = [first, second].map(({ products }) => products.map(({ title }) => title));
  expect([found, second.next]).toEqual([[['Red tea', 'Green tea'], ['Tea bowl']], null]);
});

test('what the search of the store takes for an operator is sent as a word, or not at all', async () => {
  const peer = await start([MUG]);
  const client = peer.open();
  const found = async (q: string) => (await client.products({ q, limit: 5 }, signal)).products.length;
  expect([await found('mug" )('), await found('title:*mug*'), await found('NOT mug')]).toEqual([1, 0, 0]);
});

test('an address that is none of the web is no picture', async () => {
  const hostile = { ...MUG, image: 'javascript:alert(1)' };
  const peer = await start([hostile, { ...MUG, image: 'data:text/html,<script>' }]);
  const { products } = await peer.open().products({ limit: 5 }, signal);
  expect(products.map(({ image }) => image)).toEqual([null, null]);
});
