import { describe, expect, test } from 'vitest';
import { createEventStore } from '../../http/mcp/events.ts';

const message = (text: string) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/message',
  params: { text },
});

async function replayed(store: ReturnType<typeof createEventStore>, from: string) {
  const events: [string, unknown][] = [];
  await store.replayEventsAfter(from, {
    send: async (id, sent) => {
      events.push([id, sent]);
    },
  });
  return events;
}

describe('the events a session remembers', () => {
  test('are replayed for one stream, in order, after the id given', async () => {
    const store = createEventStore();
    const first = await store.storeEvent('s', message('1'));
    await store.storeEvent('other', message('2'));
    const third = await store.storeEvent('s', message('3'));
    const fourth = await store.storeEvent('s', message('4'));
    expect(await store.getStreamIdForEventId?.(first)).toBe('s');
    expect(await replayed(store, first)).toEqual([
      [third, message('3')],
      [fourth, message('4')],
    ]);
  });

  test('leave out the empty message that only gives a stream its first id', async () => {
    const store = createEventStore();
    // The SDK stores an empty object there, which is no message.
    const first = await store.storeEvent('s', {} as ReturnType<typeof message>);
    await store.storeEvent('s', {} as ReturnType<typeof message>);
    expect(await replayed(store, first)).toEqual([]);
  });

  test('are bounded in number, and an id before the oldest is unknown rather than a gap', async () => {
    const store = createEventStore({ count: 2, bytes: 10_000 });
    const ids = [];
    for (const text of ['1', '2', '3', '4']) ids.push(await store.storeEvent('s', message(text)));
    const known = await Promise.all(ids.map((id) => store.getStreamIdForEventId?.(id)));
    expect(known).toEqual([undefined, 's', 's', 's']);
    expect(await replayed(store, 's_2')).toEqual([
      ['s_3', message('3')],
      ['s_4', message('4')],
    ]);
  });

  test('are bounded in bytes, except the newest', async () => {
    const store = createEventStore({ count: 100, bytes: 300 });
    await store.storeEvent('s', message('1'));
    await store.storeEvent('s', message('x'.repeat(1000)));
    expect(await replayed(store, 's_1')).toHaveLength(1);
    await store.storeEvent('s', message('3'));
    expect(await replayed(store, 's_1')).toEqual([['s_3', message('3')]]);
  });

  test.each(['s_9', 'nonsense', 's_x', ''])('do not know the id %j', async (id) => {
    const store = createEventStore();
    await store.storeEvent('s', message('1'));
    expect(await store.getStreamIdForEventId?.(id)).toBeUndefined();
  });
});
