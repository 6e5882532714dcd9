import type { Listener } from './database/database.ts';

/** What a node announced on a channel; `missed`: some may have been lost, so anything may have changed. */
export type Notice = { readonly channel: string; readonly payload: string } | 'missed';

export type Notices = {
  /** Calls the listener for every notice from now on. @returns a function that stops it */
  hear(hearer: (notice: Notice) => void): () => void;
  /** For the app, which subscribes them. */
  readonly listeners: readonly Listener[];
};

/** Passes the notices of channels to any number of listeners in this process, whichever node made the change. */
export function createNotices(channels: readonly string[]): Notices {
  const hearers = new Set<(notice: Notice) => void>();
  const tell = (notice: Notice) => {
    for (const hearer of hearers) hearer(notice);
  };
  return {
    hear(hearer) {
      hearers.add(hearer);
      return () => {
        hearers.delete(hearer);
      };
    },
    listeners: channels.map((channel) => ({
      channel,
      onNotify: (payload) => tell({ channel, payload }),
      onReconnect: () => tell('missed'),
    })),
  };
}
