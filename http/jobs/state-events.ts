import { once } from 'node:events';
import type { Request, Response } from 'express';
import { Fault, type FaultKey } from '../../src/errors.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Authenticate } from '../auth/authentication.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';

/** Work as it is at one moment. */
type State = {
  /** Raised by every change. */
  readonly revision: number;
  readonly status: string;
};

/** Work that somebody may follow while it goes on. */
export type Followed<One extends State> = {
  /** What the log calls it. */
  readonly noun: string;
  /** Says that the account has `limit` streams open here. */
  readonly full: FaultKey;
  /** @throws Fault for what is not the caller's to see */
  get(caller: Caller, id: string): Promise<One>;
  /** The state, if it is news to one who has seen revision `after`, then every other one, until the last or the signal. */
  follow(accountId: string, id: string, after: number, signal: AbortSignal): AsyncIterable<One>;
  /** True when nothing will change any more. */
  isEnded(state: One): boolean;
  /** The state in the words of the reader. */
  say(state: One, req: Request): object | Promise<object>;
};

/** What OpenAPI says of every stream of events. */
export const EVENT_STREAM = {
  credential: 'needed',
  headers: { 'Last-Event-ID': 'ID of the last event received; only later events follow' },
  answers: {
    200: { about: 'The events', mediaType: 'text/event-stream' },
    204: { about: 'The final event was already received' },
  },
} as const satisfies Partial<DescribedRoute>;

type StateEventsParts = {
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly limits?: Partial<typeof LIMITS>;
};

const LIMITS = { streams: 20, heartbeatMs: 15_000 };

export type StateEvents = ReturnType<typeof createStateEvents>;

/**
 * Server-sent events about work: its state as it is, then at every change, as `progress`, and at last under the name of
 * the status it has ended with. A client that comes back with `Last-Event-ID` gets only news, from any node; one that has
 * seen the end gets 204, after which a browser asks no more.
 */
export function createStateEvents({ authenticate, log, limits }: StateEventsParts) {
  const { streams, heartbeatMs } = { ...LIMITS, ...limits };
  const open = new Map<string, Set<AbortController>>();

  return {
    /** Answers GET and HEAD. */
    async send<One extends State>(work: Followed<One>, id: string, req: Request, res: Response) {
      const caller = await authenticate(req);
      const { accountId } = caller;
      const after = lastEventId(req);
      const state = await work.get(caller, id);
      if (req.method === 'HEAD') {
        // Has no body, so there is nothing to wait for.
        begin(res);
        res.end();
        return;
      }
      if (work.isEnded(state) && state.revision <= after) {
        res.status(204).end();
        return;
      }
      // Its end would not be heard of any more, and its place never be free.
      if (res.destroyed) return;
      const stream = admit(accountId, id, work.full);
      res.once('close', () => stream.abort());
      const heartbeat = setInterval(() => beat(res), heartbeatMs);
      try {
        begin(res);
        await tell(work, work.follow(accountId, id, after, stream.signal), req, res, stream.signal);
      } catch (error) {
        // The client reconnects automatically and gets the state then.
        if (!stream.signal.aborted)
          log.warn({ err: error, [work.noun]: id }, `events of a ${work.noun} were cut off`);
      } finally {
        clearInterval(heartbeat);
        leave(accountId, stream);
        res.end();
      }
    },

    /** Ends every stream; its client comes back with `Last-Event-ID`, here or elsewhere. */
    close(): void {
      for (const own of open.values()) for (const stream of own) stream.abort();
    },
  };

  function admit(accountId: string, id: string, full: FaultKey): AbortController {
    const own = open.get(accountId) ?? new Set();
    if (own.size >= streams) throw new Fault(full, { limit: streams, id }, { retryAfterSeconds: 5 });
    const stream = new AbortController();
    open.set(accountId, own.add(stream));
    return stream;
  }

  function leave(accountId: string, stream: AbortController): void {
    const own = open.get(accountId);
    own?.delete(stream);
    if (own?.size === 0) open.delete(accountId);
  }
}

function lastEventId(req: Request): number {
  const sent = req.get('last-event-id') ?? '';
  return /^\d{1,9}$/.test(sent) ? Number(sent) : 0;
}

function begin(res: Response): void {
  res.status(200);
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  // Proxies that gather an answer before they pass it on would defeat the purpose.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
}

/** Nothing is heaped up for a client that does not read. */
function beat(res: Response): void {
  if (!res.writableNeedDrain) res.write(': still here\n\n');
}

async function tell<One extends State>(
  work: Followed<One>,
  states: AsyncIterable<One>,
  req: Request,
  res: Response,
  signal: AbortSignal,
): Promise<void> {
  for await (const state of states) {
    const event = work.isEnded(state) ? state.status : 'progress';
    const data = JSON.stringify(await work.say(state, req));
    if (!res.write(`id: ${state.revision}\nevent: ${event}\ndata: ${data}\n\n`))
      await once(res, 'drain', { signal });
  }
}
