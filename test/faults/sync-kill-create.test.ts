import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyEmbedded, testServer } from '../support/database.ts';
import { killAll, placeOnServer } from './sync-worlds/kill-all.ts';
import { stockNewGoods } from './sync-worlds/new-goods.ts';
import { type Boundary, type Peers, type Stocked, startPeers } from './sync-worlds/peers.ts';
import { type End, wave } from './sync-worlds/wave.ts';

const openPlace = testServer ? placeOnServer : copyEmbedded;
const DIRECTIONS = ['sheet_to_store', 'two_way'] as const;
/** What a run that is not killed sends. */
const CREATES = Array(4).fill('CreateProduct');

let peers: Peers;
beforeAll(async () => {
  peers = await startPeers();
});
afterAll(() => peers.close());

test('a server killed while its runs create products, before or after each write, creates each product once', async () => {
  const undisturbed = DIRECTIONS.map((direction) => ({ direction, stock: stockNewGoods }));
  const whole = await wave(peers, await openPlace(), undisturbed);
  expect(whole.map(({ writes, wrong }) => [writes, wrong])).toEqual([
    [CREATES, []],
    [[...CREATES, 'batchUpdateByDataFilter'], []],
  ]);
  const boundaries = whole.flatMap(boundariesOf);
  expect(boundaries.length).toBeGreaterThanOrEqual(20);
  const ends = await killAll({ peers, openPlace, boundaries });
  expect(ends.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});

/** What creates a product may also arrive long after the server that sent it has gone. */
function boundariesOf({ direction, writes }: End): (Stocked & Boundary)[] {
  return writes.flatMap((name, nth) => {
    const fates = ['lost', 'unanswered', ...(name === 'CreateProduct' ? ['late' as const] : [])] as const;
    return fates.map((fate) => ({ direction, write: nth + 1, fate, stock: stockNewGoods }));
  });
}
