/** A connection to the server, as far as the watch needs it. */
type WatchedSocket = {
  /** Since when the server has owed an answer without sending anything, as `performance.now()`; undefined when it owes none. */
  readonly silentSince: number | undefined;
  destroy(): void;
  once(event: 'close', listener: () => void): unknown;
};

export type ServerWatch = {
  /** Connects, unless the server was silent and still is. */
  open<T>(connect: () => Promise<T>): Promise<T>;
  add(socket: WatchedSocket): void;
  close(): void;
};

/** Less than a statement may take: then the server is asked whether it lives. */
const SUSPICIOUS_MS = 3_000;
const LOOK_MS = 250;
/** How long a silent server is taken to be silent still. Those who wait for a connection would otherwise ask in turn. */
const STILL_SILENT_MS = 500;

/**
 * Notices a server that holds its connections open and no longer answers, such as a stopped process. Its timeouts do not
 * run then, so every call would wait as long as it lasts. A connection that has waited for 3 seconds makes the watch ask
 * the server for a sign of life; without one all connections are dropped, which rejects their queries, and new ones are
 * refused until the server answers again. A statement that merely takes long goes on.
 * @param probe Rejects when the server gives no sign of life, within a time of its own
 */
export function createServerWatch(probe: () => Promise<void>): ServerWatch {
  const sockets = new Set<WatchedSocket>();
  /** Why the server is taken to be silent. */
  let silence: unknown;
  let probing: Promise<void> | undefined;
  let askedAt = 0;
  const timer = setInterval(() => void look(), LOOK_MS).unref();

  return {
    async open(connect) {
      if (silence !== undefined) {
        if (performance.now() - askedAt < STILL_SILENT_MS) throw silence;
        await ask();
      }
      return connect();
    },
    add(socket) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
    close: () => clearInterval(timer),
  };

  async function look(): Promise<void> {
    const long = performance.now() - SUSPICIOUS_MS;
    const waits = [...sockets].some(({ silentSince = Number.POSITIVE_INFINITY }) => silentSince < long);
    if (!waits || probing || askedAt > long) return;
    await ask().catch(() => {
      for (const socket of sockets) socket.destroy();
    });
  }

  /** All who ask at the same time get the same answer. */
  function ask(): Promise<void> {
    probing ??= probe()
      .then(
        () => {
          silence = undefined;
        },
        (error: unknown) => {
          silence = error;
          throw error;
        },
      )
      .finally(() => {
        askedAt = performance.now();
        probing = undefined;
      });
    return probing;
  }
}
