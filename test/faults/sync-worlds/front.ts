import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came: whose it is, what it asks, and whether it changes anything. */
export type Knock = { readonly pair: string; readonly name: string; readonly isWrite: boolean };

/**
 * What becomes of a request. Those that are not served are never answered: `lost`, nothing is done; `unanswered`, it is
 * done; `late`, it is done once the front is told to.
 */
export type Fate = 'served' | 'lost' | 'unanswered' | 'late';

type Front = {
  readonly knockOf: (request: IncomingMessage, body: string) => Knock;
  readonly serve: (request: IncomingMessage, body: string) => Promise<Response>;
  readonly fate: (knock: Knock) => Fate;
  /** Takes what is to be done late. */
  readonly postpone: (knock: Knock, serve: () => Promise<unknown>) => void;
};

/** A service on a port of this machine, whose answers may stay away for as long as the caller lives. */
export async function startFront({
  knockOf,
  serve,
  fate,
  postpone,
}: Front): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    // A TCP server that listens has an address with a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const knock = knockOf(request, body);
    const become = fate(knock);
    if (become === 'late') return postpone(knock, () => serve(request, body));
    if (become === 'lost') return;
    const answer = await serve(request, body);
    if (become === 'unanswered') return;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  }
}

export function headersOf({ headers }: IncomingMessage): Headers {
  const kept = Object.entries(headers).filter(([name]) => name !== 'content-length' && name !== 'connection');
  return new Headers(kept.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
