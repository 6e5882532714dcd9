import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIRECTIONS } from '../../src/sync/config.ts';
import { copyEmbedded, testServer } from '../support/database.ts';
import { killAll, placeOnServer } from './sync-worlds/kill-all.ts';
import { type Boundary, type Peers, startPeers } from './sync-worlds/peers.ts';
import { type End, wave } from './sync-worlds/wave.ts';

let peers: Peers;
beforeAll(async () => {
  peers = await startPeers();
});
afterAll(() => peers.close());

test.runIf(testServer)(
  'a server killed at any write of a run, before it or after it, loses nothing and does nothing twice',
  async () => {
    const undisturbed = DIRECTIONS.map((direction) => ({ direction }));
    const whole = await wave(peers, await placeOnServer(), undisturbed);
    expect(whole).toEqual(WHOLE);
    const ends = await killAll({ peers, openPlace: placeOnServer, boundaries: whole.flatMap(boundariesOf) });
    expect(ends.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  },
);

test('the same on the embedded database, which the next server opens', async () => {
  const boundaries: Boundary[] = [
    { direction: 'two_way', write: 2, fate: 'unanswered' },
    { direction: 'two_way', write: 8, fate: 'lost' },
    { direction: 'sheet_to_store', write: 5, fate: 'unanswered' },
    { direction: 'store_to_sheet', write: 1, fate: 'unanswered' },
  ];
  const ends = await killAll({ peers, openPlace: copyEmbedded, boundaries });
  expect(ends.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});

/** A sale during the run makes one quantity stale: its batch is refused, retried without it; it follows. */
const TO_STORE = [...Array(4).fill('SetQuantities'), ...Array(3).fill('UpdateVariants')];
const WHOLE: readonly End[] = [
  { direction: 'store_to_sheet', writes: ['batchUpdateByDataFilter'], wrong: [] },
  { direction: 'sheet_to_store', writes: TO_STORE, wrong: [] },
  { direction: 'two_way', writes: [...TO_STORE, 'batchUpdateByDataFilter'], wrong: [] },
];

/** What sets quantities may also arrive long after the server that sent it has gone. */
function boundariesOf({ direction, writes }: End): Boundary[] {
  return writes.flatMap((name, nth) => {
    const fates = ['lost', 'unanswered', ...(name === 'SetQuantities' ? ['late' as const] : [])] as const;
    return fates.map((fate) => ({ direction, write: nth + 1, fate }));
  });
}
