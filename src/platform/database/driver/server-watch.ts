/** A connection to the server, as far as the watch needs it. */
type WatchedSocket = {
  /** Since when the server has owed an answer without sending anything, as `performance.now()`; undefined when it owes none. */
  readonly silentSince: number | undefined;
  destroy(): void;
  once(event: 'close', listener: () => void): unknown;
};

export type ServerWatch = {
  /** Throws while the server is silent. */
  refuseSilent(): void;
  /** Asks the server for a sign of life. Without one it rejects, and the server is taken to be silent. */
  ask(): Promise<void>;
  add(socket: WatchedSocket): void;
  close(): void;
};

/** After this time without an answer, the server is asked whether it lives. Less than a statement may take. */
const SUSPICIOUS_MS = 3_000;
const LOOK_MS = 250;
/** After how long a silent server is asked again. */
const STILL_SILENT_MS = 500;

/**
 * Notices a server that keeps its connections open but no longer answers, such as a stopped process. The
 * server's own timeouts do not run then, so every call would wait until it is back. A connection that has
 * waited for 3 seconds makes the watch ask the server for a sign of life; without one all connections are
 * dropped, which rejects their queries, and new ones are refused until the server answers again. A slow
 * statement continues. Where others `ask` in vain, new connections are refused, too; those that are open are
 * dropped only if the watch then asks in vain itself.
 * @param probe Rejects when the server gives no sign of life, within a time of its own
 */
export function createServerWatch(probe: () => Promise<void>): ServerWatch {
  const sockets = new Set<WatchedSocket>();
  /** Why the server is taken to be silent. */
  let silence: unknown;
  let probing: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(look, LOOK_MS).unref();

  return {
    refuseSilent() {
      if (silence !== undefined) throw silence;
    },
    ask,
    add(socket) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
    close: () => clearInterval(timer),
  };

  function look(): void {
    const now = performance.now();
    const long = now - SUSPICIOUS_MS;
    const waits = [...sockets].some(({ silentSince = Number.POSITIVE_INFINITY }) => silentSince < long);
    const isDue = silence === undefined ? waits && askedAt <= long : now - askedAt >= STILL_SILENT_MS;
    if (isDue && !probing) ask().catch(dropAll);
  }

  /** The callers of a dropped connection get its error. */
  function dropAll(): void {
    for (const socket of sockets) socket.destroy();
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
