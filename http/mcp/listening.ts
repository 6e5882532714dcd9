import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import { type Listening, ListenRequest, listen, type Message } from '../../tools/mcp/subscriptions/listen.ts';
import { LISTEN_METHOD } from '../../tools/mcp/subscriptions/listen-method.ts';
import type { ReadingParts } from '../../tools/mcp/visit-call.ts';
import type { Guest } from './admission.ts';

export type ListeningParts = ReadingParts & {
  readonly version: string;
  readonly limits?: Partial<typeof LIMITS>;
};

const LIMITS = {
  /** Open at one time in this process. */
  streams: 1_000,
  /** Of these, streams of one account. */
  streamsPerAccount: 20,
  /** Proxies close a silent stream after a minute or so. */
  keepAliveMs: 15_000,
};

export type ListeningStreams = {
  /** The request to listen that this is; undefined for any other, and for what the SDK refuses. */
  requestOf(req: Request, body: unknown): ListenRequest | undefined;
  serve(request: ListenRequest, res: Response, guest: Guest): Promise<void>;
  /** Ends every stream; its client comes back, here or on another node. */
  close(): void;
};

/** Streams of `subscriptions/listen`, which last until the client leaves. Any node serves any of them. */
export function createListening({ limits, ...parts }: ListeningParts): ListeningStreams {
  const { streams, streamsPerAccount, keepAliveMs } = { ...LIMITS, ...limits };
  const open = new Map<Response, { readonly accountId: string; readonly end: (isOver: boolean) => void }>();

  return {
    requestOf(req, body) {
      const { data } = ListenRequest.safeParse(body);
      const isNamed =
        req.get('mcp-method') === LISTEN_METHOD && req.get('mcp-protocol-version') === '2026-07-28';
      return isNamed ? data : undefined;
    },

    async serve(request, res, { visit }) {
      const { accountId } = visit.caller;
      const own = [...open.values()].filter((stream) => stream.accountId === accountId).length;
      if (open.size >= streams || own >= streamsPerAccount) {
        const error = { code: -32603, message: 'Subscription limit reached' };
        res.json({ jsonrpc: '2.0', id: request.id, error });
        return;
      }
      const send = sender(res);
      let listening: Listening | undefined;
      const end = (isOver: boolean) => {
        clearInterval(keepAlive);
        if (!open.delete(res)) return;
        const last = listening?.end();
        if (isOver && last) void send(last);
        res.end();
      };
      const keepAlive = setInterval(() => {
        if (!res.writableNeedDrain) res.write(': keepalive\n\n');
      }, keepAliveMs).unref();
      open.set(res, { accountId, end });
      res.once('close', () => end(false));
      begin(res);
      const begun = await listen(request, visit, { ...parts, send, onEnd: () => end(true) });
      // The client may have left in the meantime.
      if (open.has(res)) listening = begun;
      else begun.end();
    },

    close() {
      for (const { end } of [...open.values()]) end(true);
    },
  };
}

function begin(res: Response): void {
  res.status(200);
  res.setHeader('Content-Type', 'text/event-stream');
  res.setHeader('Cache-Control', 'no-cache, no-transform');
  // Proxies that gather an answer before they pass it on would defeat the purpose.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
}

/** Nothing is heaped up for a client that does not read: what changes in the meantime is told once. */
export function sender(res: Writable) {
  return async (message: Message) => {
    if (res.destroyed || res.writableEnded) return;
    const isTaken = res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (!isTaken) await drained(res);
  };
}

/** Resolves when more can be written, or never again. */
async function drained(stream: Writable): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    // The handler of the other event goes, too.
    over.abort();
  }
}
