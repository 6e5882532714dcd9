import type { Duplex } from 'node:stream';
import type { Host } from './connect.ts';
import { createServerWatch, type ServerWatch } from './server-watch.ts';

/** A way to the server, and who notices when it falls silent. */
export type Connection = { readonly stream: Duplex; readonly watch?: ServerWatch };

export type WatchedHosts = {
  /** Connects to the first host that answers. Rejects with the error of the last one. */
  connect(): Promise<Connection>;
  close(): void;
};

/** Watches each host: one that hangs loses its connections, and those to the others go on. */
export function watchHosts(hosts: readonly Host[]): WatchedHosts {
  const watched = hosts.map((host) => ({ host, watch: createServerWatch(host.probe) }));
  return {
    async connect() {
      let failure: unknown;
      for (const { host, watch } of watched) {
        try {
          watch.refuseSilent();
          // A host that hangs still takes connections. Where there is another one, no call should find that out.
          if (hosts.length > 1) await watch.ask();
          return { stream: await host.connect(), watch };
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },
    close() {
      for (const { watch } of watched) watch.close();
    },
  };
}
