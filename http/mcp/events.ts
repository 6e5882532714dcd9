import type { EventStore } from '@modelcontextprotocol/server';

/** Bounds of what one session remembers for a client that reconnects. */
const EVENT_LIMITS = { count: 100, bytes: 256 * 1024 } as const;

type Message = Parameters<EventStore['storeEvent']>[1];
type Stored = { readonly streamId: string; readonly message: Message; readonly bytes: number };

/**
 * The last events of one session, so that a client whose stream broke gets what it missed (`Last-Event-ID`). The newest
 * event is always kept, however large. An id that lies before the oldest event kept is unknown: going on from there
 * would hide the gap.
 */
export function createEventStore(limits: { count: number; bytes: number } = EVENT_LIMITS): EventStore {
  const events = new Map<number, Stored>();
  let last = 0;
  let bytes = 0;

  const forgetOldest = () => {
    const [oldest] = events.entries();
    if (!oldest) return;
    events.delete(oldest[0]);
    bytes -= oldest[1].bytes;
  };

  return {
    async storeEvent(streamId, message) {
      last += 1;
      const size = JSON.stringify(message).length;
      events.set(last, { streamId, message, bytes: size });
      bytes += size;
      while (events.size > 1 && (events.size > limits.count || bytes > limits.bytes)) forgetOldest();
      return `${streamId}_${last}`;
    },
    async getStreamIdForEventId(eventId) {
      const { streamId, number } = parseEventId(eventId);
      const [first = 1] = events.keys();
      const known = number <= last && number + 1 >= first;
      return known ? streamId : undefined;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const { streamId, number } = parseEventId(lastEventId);
      // The first message of a stream is empty: it only gives the client an id to come back with.
      const missed = [...events].filter(
        ([at, event]) => at > number && event.streamId === streamId && Object.keys(event.message).length > 0,
      );
      for (const [at, event] of missed) await send(`${streamId}_${at}`, event.message);
      return streamId;
    },
  };
}

function parseEventId(eventId: string): { streamId: string; number: number } {
  const [, streamId = '', number = Number.NaN] = /^(.+)_(\d+)$/.exec(eventId) ?? [];
  return { streamId, number: Number(number) };
}
