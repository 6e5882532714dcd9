import type { PGlite } from '@electric-sql/pglite';
import type { EmbeddedSession } from './bridge.ts';
import { watchStatements } from './statement-watch.ts';
import { readBackend, startupMessage } from './wire.ts';

export type PgliteSession = EmbeddedSession & {
  /** The whole database as a gzipped tar file. */
  dump(): Promise<Blob>;
  close(): Promise<void>;
};

/** The defaults are for servers: 128 MB of memory for good, whose files the system keeps in memory anyway, 1 GB of log. */
const START_PARAMS = ['-c', 'shared_buffers=32MB', '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'];

/** Opens the PGlite database of a folder; makes it, from a dump or empty, when there is none. */
export async function startPglite(folder: string, dump?: Blob): Promise<PgliteSession> {
  // 14 MB of WebAssembly that nobody needs who names a PostgreSQL.
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(folder, {
    startParams: [...PGlite.defaultStartParams, ...START_PARAMS],
    ...(dump && { loadDataDir: dump }),
  });
  return createSession(database);
}

async function createSession(database: PGlite): Promise<PgliteSession> {
  const isDead = throwAfterCrash(database.Module);
  const interrupts = createInterrupts(database.Module);
  const watch = watchStatements(interrupts.cancelStatement);
  const hello = await run(
    startupMessage({ user: 'postgres', database: 'postgres' }),
    Number.POSITIVE_INFINITY,
  );
  const greeting = readBackend(hello).filter(({ type }) => type !== 'K' && type !== 'Z');

  return {
    greeting: Buffer.concat(greeting.map(({ bytes }) => bytes)),
    run,
    async dump() {
      await database.exec('checkpoint');
      return database.dumpDataDir('gzip');
    },
    async close() {
      watch.close();
      // A dead one may write nothing more: the next one recovers from what is on disk.
      await (isDead() ? database.fs?.closeFs() : database.close());
    },
  };

  async function run(group: Buffer, timeoutMs: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    await watch.guard(timeoutMs, () =>
      // A piece is a view of memory that the next one overwrites.
      database.execProtocolRawStream(group, { onRawData: (piece) => pieces.push(Buffer.from(piece)) }),
    );
    interrupts.clear();
    return Buffer.concat(pieces);
  }
}

/** How PGlite's WebAssembly says that a statement failed, which is no end of it. */
const STATEMENT_FAILED = 100;

type Interrupts = {
  /** Makes the statement under way fail at its next step. */
  cancelStatement(): void;
  /** Keeps a cancellation that came after the last step from the next statement. */
  clear(): void;
};

/** PostgreSQL looks at two of its variables between any two steps; on other systems a signal sets them. */
function createInterrupts(module: object): Interrupts {
  const cancel = addressOf(module, '_QueryCancelPending');
  const pending = addressOf(module, '_InterruptPending');
  let cancelled = false;
  return {
    cancelStatement: () => set(true),
    clear() {
      if (cancelled) set(false);
    },
  };

  function set(value: boolean): void {
    // Read anew each time: the memory moves when it grows.
    const memory: unknown = Reflect.get(module, 'HEAPU8');
    if (!(memory instanceof Uint8Array)) return;
    cancelled = value;
    memory[cancel] = Number(value);
    memory[pending] = Number(value);
  }
}

/**
 * PGlite calls the WebAssembly again and again until it has read its message, whatever the call throws. After a
 * crash (the JavaScript stack is too small for deeply nested JSON, the disk is full) it never reads on, and the
 * process would hang. This makes the first call after a crash throw to the caller. Returns how to ask about it.
 */
function throwAfterCrash(module: object): () => boolean {
  let death: unknown;
  wrap(module, '_PostgresMainLoopOnce', (mainLoop) => {
    try {
      return mainLoop();
    } catch (error) {
      if (!isStatementFailure(error)) death = error ?? new Error('crashed');
      throw error;
    }
  });
  // The one call that PGlite makes on its way out of a failed step, before it tries again.
  wrap(module, 'stackRestore', (restore, at) => {
    if (death) throw death;
    return restore(at);
  });
  for (const last of ['_PostgresSendReadyForQueryIfNecessary', '_pgl_pq_flush']) {
    wrap(module, last, (finish) => (death ? undefined : finish()));
  }
  return () => death !== undefined;
}

type Call = (...args: unknown[]) => unknown;

function wrap(module: object, name: string, around: (inner: Call, ...args: unknown[]) => unknown): void {
  const inner: unknown = Reflect.get(module, name);
  if (typeof inner !== 'function') throw new Error(`this PGlite has no ${name}`);
  Reflect.set(module, name, (...args: unknown[]) => around((...given) => inner(...given), ...args));
}

function isStatementFailure(error: unknown): boolean {
  return error instanceof Object && 'status' in error && error.status === STATEMENT_FAILED;
}

function addressOf(module: object, name: string): number {
  const address: unknown = Reflect.get(module, name);
  if (typeof address !== 'number') throw new Error(`this PGlite has no ${name}`);
  return address;
}
